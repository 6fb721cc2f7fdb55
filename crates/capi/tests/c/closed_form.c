/* Numbers of closed form through the C interface, and what is answered to bad input. */
#include <bristle.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char *what, int line) {
    if (!holds) {
        printf("line %d: %s (%s)\n", line, what, bristle_last_error());
        failures++;
    }
}
#define EXPECT(holds) expect((holds), #holds, __LINE__)
/* a few roundings of numbers of the size of the terms */
#define CLOSE(a, b) EXPECT(fabs((a) - (b)) <= 1e-13 * (fabs(b) + 1e-300))

static void dahl(void) {
    /* F = N sigma z, dz/dt = v - sigma |v| z / mu; over a step z relaxes to mu/sigma */
    const char *names[2];
    double values[2], v = 2e-3, z = 1e-5, zdot, F, f, dv, dn, dz, zv, zn, zz, znew, dt = 1e-2, decay;
    double a, b, c, d, jacobian[10], mu = 0.2, sigma = 1e4, energy, size;
    bristle_law *law = NULL;
    size_t states = 0;
    int jumps = 1;
    names[0] = "bristle_stiffness";
    names[1] = "kinetic_coefficient";
    values[0] = sigma;
    values[1] = mu;
    EXPECT(bristle_law_new("dahl", names, values, 2, &law) == BRISTLE_OK);
    EXPECT(bristle_law_states(law, 1, &states) == BRISTLE_OK && states == 1);
    EXPECT(bristle_law_states(law, 3, &states) == BRISTLE_OK && states == 3);
    EXPECT(bristle_law_jumps(law, &jumps) == BRISTLE_OK && jumps == 0);
    EXPECT(bristle_law_state_size(law, 1, 0, 10.0, &size) == BRISTLE_OK);
    CLOSE(size, mu / sigma);
    EXPECT(bristle_rates(law, 1, &v, 10.0, &z, &F, &zdot, &dv, &dn, &dz, &zv, &zn, &zz) == BRISTLE_OK);
    CLOSE(F, 10.0 * sigma * z);
    CLOSE(zdot, v - sigma * v * z / mu);
    CLOSE(dn, sigma * z);
    CLOSE(dz, 10.0 * sigma);
    CLOSE(zv, 1.0 - sigma * z / mu);
    CLOSE(zz, -sigma * v / mu);
    EXPECT(dv == 0.0 && zn == 0.0);
    decay = exp(-sigma * v * dt / mu);
    EXPECT(bristle_update(law, 1, dt, &v, 10.0, &v, 10.0, &z, &znew, &f, &a, &b, &c, &d) == BRISTLE_OK);
    CLOSE(znew, mu / sigma + (z - mu / sigma) * decay);
    CLOSE(f, 10.0 * sigma * znew);
    CLOSE(d, sigma * znew);
    EXPECT(bristle_update_jacobian(law, 1, dt, &v, 10.0, &v, 10.0, &z, &znew, &f, jacobian) == BRISTLE_OK);
    CLOSE(jacobian[4], 10.0 * sigma * decay); /* dF/dz_old */
    CLOSE(jacobian[9], decay);                /* dz_new/dz_old */
    /* in place, through NULL derivatives */
    znew = z;
    EXPECT(bristle_update(law, 1, dt, &v, 10.0, &v, 10.0, &znew, &znew, &f, NULL, NULL, NULL, NULL) == 0);
    CLOSE(znew, mu / sigma + (z - mu / sigma) * decay);
    EXPECT(bristle_stored_energy(law, 1, 10.0, &z, &energy) == BRISTLE_OK);
    CLOSE(energy, 0.5 * 10.0 * sigma * z * z);
    EXPECT(bristle_steady(law, 1.0, 10.0, &F) == BRISTLE_OK);
    CLOSE(F, 10.0 * mu);
    bristle_law_free(law);
}

static void batch(void) {
    static const char text[] = "law = \"dahl\"\nbristle_stiffness = \"10 1/mm\"\nkinetic_coefficient = 0.2\n";
    bristle_law *law = NULL;
    double v[3], n[3], z[3], F[3], alone, f;
    const double *vs[1];
    double *zs[1], *fs[1];
    int i;
    EXPECT(bristle_law_from_toml(text, strlen(text), &law) == BRISTLE_OK);
    EXPECT(bristle_law_value(law, "bristle_stiffness", &f) == BRISTLE_OK && f == 1e4);
    for (i = 0; i < 3; i++) {
        v[i] = 1e-3 * (i - 1);
        n[i] = 1.0 + i;
        z[i] = 1e-6 * i;
    }
    vs[0] = v;
    zs[0] = z;
    fs[0] = F;
    EXPECT(bristle_update_batch(law, 1, 3, 1e-3, vs, n, vs, n, zs, fs) == BRISTLE_OK);
    for (i = 0; i < 3; i++) {
        double old = 1e-6 * i;
        EXPECT(bristle_update(law, 1, 1e-3, v + i, n[i], v + i, n[i], &old, &alone, &f, NULL, NULL, NULL, NULL) == 0);
        EXPECT(fabs(f - F[i]) <= 1e-13 && fabs(alone - z[i]) <= 1e-19);
    }
    {
        /* three points of one law: the block of each is that of the point alone */
        double blocks[30], one[10], w = 1e-3;
        int k;
        for (i = 0; i < 3; i++) {
            v[i] = 1e-3 * (i - 1);
            z[i] = 1e-6 * i;
        }
        EXPECT(bristle_update_batch_jacobian(law, 1, 3, 1e-3, vs, n, vs, n, zs, fs, blocks) == BRISTLE_OK);
        for (i = 0; i < 3; i++) {
            double old = 1e-6 * i;
            EXPECT(bristle_update_jacobian(law, 1, 1e-3, v + i, n[i], v + i, n[i], &old, &alone, &f, one) == 0);
            EXPECT(f == F[i] && alone == z[i]);
            for (k = 0; k < 10; k++) EXPECT(one[k] == blocks[10 * i + k]);
        }
        vs[0] = NULL;
        EXPECT(bristle_update_batch_jacobian(law, 1, 3, 1e-3, vs, n, vs, n, zs, fs, blocks) == BRISTLE_ARGUMENT);
        vs[0] = &w;
        EXPECT(bristle_update_batch_jacobian(law, 1, 1, -1.0, vs, n, vs, n, zs, fs, blocks) == BRISTLE_ARGUMENT);
        EXPECT(bristle_update_batch_jacobian(law, 1, (size_t)-1, 1.0, vs, n, vs, n, zs, fs, blocks) != BRISTLE_OK);
    }
    bristle_law_free(law);
}

static void bench(void) {
    /* from rest at a constant speed F = mu N (1 - exp(-sigma v t/mu)); without a normal force x = q t^3/6 m */
    const char *names[2];
    double values[2], t[3], v[3], n[3], F[3], x[3];
    bristle_law *law = NULL;
    int i;
    names[0] = "bristle_stiffness";
    names[1] = "kinetic_coefficient";
    values[0] = 1e4;
    values[1] = 0.2;
    for (i = 0; i < 3; i++) {
        t[i] = 0.01 * i;
        v[i] = 1e-3;
        n[i] = 10.0;
    }
    EXPECT(bristle_law_new("dahl", names, values, 2, &law) == BRISTLE_OK);
    EXPECT(bristle_drive(law, 1, 1e-8, 3, t, v, n, NULL, F) == BRISTLE_OK);
    for (i = 0; i < 3; i++) EXPECT(fabs(F[i] - 2.0 * (1.0 - exp(-50.0 * t[i]))) <= 1e-12);
    t[1] = t[2];
    EXPECT(bristle_drive(law, 1, 1e-8, 3, t, v, n, NULL, F) == BRISTLE_ARGUMENT);
    EXPECT(bristle_draw(law, 2.0, 0.0, 12.0, 0.0, 0.0, 3, t, x, v, F) == BRISTLE_ARGUMENT);
    t[1] = 0.01;
    EXPECT(bristle_drive(law, 1, 1e-8, (size_t)-1, t, v, n, NULL, F) != BRISTLE_OK);
    EXPECT(bristle_drive(law, 1, 1e-8, 3, t, v, n, NULL, NULL) == BRISTLE_ARGUMENT);
    n[1] = -1.0;
    EXPECT(bristle_drive(law, 1, 1e-8, 3, t, v, n, NULL, F) == BRISTLE_ARGUMENT);
    EXPECT(bristle_draw(law, 0.0, 0.0, 12.0, 0.0, 0.0, 3, t, x, v, F) == BRISTLE_ARGUMENT);
    EXPECT(bristle_draw(law, 2.0, 0.0, 12.0, -1.0, 0.0, 3, t, x, v, F) == BRISTLE_ARGUMENT);
    EXPECT(bristle_draw(law, 2.0, 0.0, 12.0, 0.0, 0.0, 3, t, x, v, F) == BRISTLE_OK);
    /* steps are held to 1e-4 */
    for (i = 0; i < 3; i++) EXPECT(fabs(x[i] - t[i] * t[i] * t[i]) <= 1e-3 * t[2] * t[2] * t[2]);
    bristle_law_free(law);
}

static void bad_input(void) {
    static const char text[] = "law = \"dahl\"\nsigma_0 = 1e4\nmu_k = 0.2\n";
    bristle_law *law = NULL;
    bristle_scenario *scenario = NULL;
    double v = 0.0, z = 0.0, F = 0.0, nan = 0.0;
    char room[4];
    size_t needed = 0;
    const char *names[1];
    double values[1];
    nan = sqrt(-1.0);
    EXPECT(bristle_law_new(NULL, NULL, NULL, 0, &law) == BRISTLE_ARGUMENT);
    EXPECT(strstr(bristle_last_error(), "NULL") != NULL);
    EXPECT(bristle_law_new("dal", NULL, NULL, 0, &law) == BRISTLE_UNKNOWN_NAME);
    EXPECT(bristle_law_new("dahl", NULL, NULL, 0, NULL) == BRISTLE_ARGUMENT);
    EXPECT(bristle_law_new("dahl", NULL, NULL, 0, &law) == BRISTLE_PARAMETER);
    names[0] = "bristle_stiffness";
    values[0] = -1.0;
    EXPECT(bristle_law_new("dahl", names, values, 1, &law) == BRISTLE_PARAMETER);
    EXPECT(strstr(bristle_last_error(), "bristle_stiffness") != NULL);
    EXPECT(bristle_law_from_toml("law = ", 6, &law) == BRISTLE_PARAMETER);
    EXPECT(law == NULL);
    EXPECT(bristle_law_from_toml(text, strlen(text), &law) == BRISTLE_OK);
    EXPECT(bristle_rates(law, 4, &v, 1.0, &z, &F, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == BRISTLE_ARGUMENT);
    EXPECT(bristle_rates(law, 1, &nan, 1.0, &z, &F, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == BRISTLE_NOT_FINITE);
    EXPECT(bristle_rates(law, 1, &v, -1.0, &z, &F, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == BRISTLE_ARGUMENT);
    EXPECT(bristle_rates(law, 1, NULL, 1.0, &z, &F, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == BRISTLE_ARGUMENT);
    EXPECT(bristle_rates(NULL, 1, &v, 1.0, &z, &F, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == BRISTLE_ARGUMENT);
    EXPECT(bristle_update(law, 1, 0.0, &v, 1.0, &v, 1.0, &z, &z, &F, NULL, NULL, NULL, NULL) == BRISTLE_ARGUMENT);
    EXPECT(bristle_law_card(law, room, 4, &needed) == BRISTLE_ROOM && needed > 100);
    EXPECT(bristle_law_card(law, NULL, 0, &needed) == BRISTLE_OK);
    EXPECT(bristle_law_state_name(law, 1, 1, room, 4, NULL) == BRISTLE_ARGUMENT);
    EXPECT(bristle_law_state_name(law, 1, 0, room, 4, NULL) == BRISTLE_OK && strcmp(room, "z") == 0);
    EXPECT(bristle_scenario_load("nowhere.toml", &scenario) == BRISTLE_PARAMETER && scenario == NULL);
    bristle_law_free(law);
    bristle_law_free(NULL);
    bristle_session_free(NULL);
    bristle_scenario_free(NULL);
}

static void scenario(void) {
    /* x = F t^2 / 2 m, which the method has exactly */
    static const char text[] =
        "title = \"mass\"\n[simulation]\nend_time = 1\n[body.block]\njoint = \"prismatic\"\n"
        "axis = [1, 0, 0]\nmass = 2\n[force.push]\nbody = \"block\"\ndirection = [1, 0, 0]\nmagnitude = 0\n";
    bristle_scenario *scenario = NULL;
    bristle_session *session = NULL;
    size_t x, force, size = 0, channels, inputs;
    double value, later, t;
    unsigned char *state;
    EXPECT(bristle_scenario_from_toml(text, strlen(text), NULL, &scenario) == BRISTLE_OK);
    EXPECT(bristle_scenario_set(scenario, "body.block.mass", "4 kg") == BRISTLE_OK);
    EXPECT(bristle_session_start(scenario, &session) == BRISTLE_OK);
    bristle_scenario_free(scenario);
    EXPECT(bristle_session_counts(session, &channels, &inputs) == BRISTLE_OK && channels > 5 && inputs == 1);
    EXPECT(bristle_session_channel(session, "body.block.position.x", &x) == BRISTLE_OK);
    EXPECT(bristle_session_input(session, "force.push.magnitude", &force) == BRISTLE_OK);
    EXPECT(bristle_session_input(session, "force.pusch.magnitude", &force) == BRISTLE_UNKNOWN_NAME);
    EXPECT(bristle_session_hold(session, force, 8.0, 0.0) == BRISTLE_OK);
    EXPECT(bristle_session_hold(session, 7, 8.0, 0.0) == BRISTLE_ARGUMENT);
    EXPECT(bristle_session_step_to(session, 0.5) == BRISTLE_OK);
    EXPECT(bristle_session_value(session, x, &value) == BRISTLE_OK);
    EXPECT(fabs(value - 0.25) < 1e-12);
    EXPECT(bristle_session_save(session, NULL, 0, &size) == BRISTLE_OK && size > 0);
    state = (unsigned char *)malloc(size);
    EXPECT(bristle_session_save(session, state, size, &size) == BRISTLE_OK);
    EXPECT(bristle_session_step_to(session, 0.9) == BRISTLE_OK);
    EXPECT(bristle_session_value(session, x, &value) == BRISTLE_OK);
    EXPECT(bristle_session_restore(session, state, size) == BRISTLE_OK);
    EXPECT(bristle_session_time(session, &t, NULL) == BRISTLE_OK && t == 0.5);
    EXPECT(bristle_session_step_to(session, 0.9) == BRISTLE_OK);
    EXPECT(bristle_session_value(session, x, &later) == BRISTLE_OK && later == value);
    EXPECT(bristle_session_step_to(session, 0.1) == BRISTLE_ARGUMENT);
    EXPECT(bristle_session_step_to(session, 2.0) == BRISTLE_ARGUMENT);
    state[size / 2] ^= 1;
    EXPECT(bristle_session_restore(session, state, size) == BRISTLE_ARGUMENT);
    state[size / 2] ^= 1;
    state[8] ^= 1; /* in the word of the version */
    EXPECT(bristle_session_restore(session, state, size) == BRISTLE_ARGUMENT);
    EXPECT(bristle_session_restore(session, state, 7) == BRISTLE_ARGUMENT);
    EXPECT(bristle_session_restore(session, NULL, 7) == BRISTLE_ARGUMENT);
    EXPECT(bristle_session_values(session, &value, 1) == BRISTLE_ARGUMENT);
    free(state);
    bristle_session_free(session);
}

static void scenario_that_cannot_go_on(void) {
    /* the work of such a load is beyond the range of numbers */
    static const char text[] =
        "title = \"mass\"\n[simulation]\nend_time = 1\n[body.block]\njoint = \"prismatic\"\n"
        "axis = [1, 0, 0]\nmass = 2\n[force.push]\nbody = \"block\"\ndirection = [1, 0, 0]\n"
        "magnitude = 1\n";
    bristle_scenario *scenario = NULL;
    bristle_session *session = NULL;
    double t = 0.0;
    size_t size = 0;
    EXPECT(bristle_scenario_from_toml(text, strlen(text), NULL, &scenario) == BRISTLE_OK);
    EXPECT(bristle_session_start(scenario, &session) == BRISTLE_OK);
    EXPECT(bristle_session_step_to(session, 0.1) == BRISTLE_OK);
    EXPECT(bristle_session_hold(session, 0, 1e308, 0.0) == BRISTLE_OK);
    EXPECT(bristle_session_step_to(session, 0.5) == BRISTLE_FAILED);
    EXPECT(strlen(bristle_last_error()) > 20);
    EXPECT(bristle_session_time(session, &t, NULL) == BRISTLE_OK && t >= 0.1 && t < 0.5);
    EXPECT(bristle_session_step_to(session, 0.6) == BRISTLE_FAILED);
    EXPECT(bristle_session_save(session, NULL, 0, &size) == BRISTLE_FAILED);
    EXPECT(bristle_scenario_set(scenario, "body.block.mas", "1 kg") != BRISTLE_OK ||
           bristle_session_start(scenario, &session) == BRISTLE_PARAMETER);
    bristle_session_free(session);
    bristle_scenario_free(scenario);
}

int main(void) {
    EXPECT(bristle_abi_version() == BRISTLE_ABI);
    dahl();
    batch();
    bench();
    bad_input();
    scenario();
    scenario_that_cannot_go_on();
    if (failures == 0) {
        printf("all well\n");
    }
    return failures != 0;
}
