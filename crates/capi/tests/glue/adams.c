/* Calls SFOSUB, DIFSUB and CFFSUB as the manuals of Adams and MotionSolve say: dependencies first, a corrector that calls
   as often as it wants with states of its own, rejected steps, partial derivatives, save and reload, several threads. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void SFOSUB(int *, double *, double *, int *, int *, int *, double *);
void DIFSUB(int *, double *, double *, int *, int *, int *, double *);
void sfosub_(int *, double *, double *, int *, int *, int *, double *);
void CFFSUB(int *, double *, double *, int *, double *, double *, double *, double *, double *, int *, int *, double *);
void cffsub_(int *, double *, double *, int *, double *, double *, double *, double *, double *, double *, int *, int *,
             double *);

#define SIGMA 1e4
#define MU 0.2
#define LOAD 10.0

/* the model of a thread: VARIABLE 1 is v, 2 is N, DIFF 7 the state; and what was asked for */
static __thread double v, normal, state;
static __thread char asked[64];
static __thread char message[700];
static int failures = 0;

void c_sysfnc(const char *name, const int *ipar, int npar, double *value, int *errflg) {
    *errflg = npar != 1;
    if (!strcmp(name, "DIF") && ipar[0] == 7) *value = state, strcat(asked, "D");
    else if (!strcmp(name, "VARVAL") && ipar[0] == 1) *value = v, strcat(asked, "v");
    else if (!strcmp(name, "VARVAL") && ipar[0] == 2) *value = normal, strcat(asked, "N");
    else *errflg = 1;
}

void c_errmes(int flag, const char *text, int id, const char *stop) {
    (void)flag, (void)id, (void)stop;
    strncpy(message, text, sizeof message - 1);
}

static void expect(int holds, const char *what) {
    if (holds) return;
    printf("fails: %s (%s)\n", what, message);
    failures++;
}

typedef void Line(int *, double *, double *, int *, int *, int *, double *);

static double value_of(Line *routine, double *par, int npar, int dflag, int iflag) {
    int id = 1;
    double t = 0.0, value = 99.0;
    asked[0] = 0;
    message[0] = 0;
    routine(&id, &t, par, &npar, &dflag, &iflag, &value);
    return value;
}

static double par[5] = {1, 1, 2, 7, 0};

/* The closed form of a Dahl bristle from rest at a constant speed. */
static double deflection(double slip) { return MU / SIGMA * (1.0 - exp(-SIGMA * slip / MU)); }

/* Runge and Kutta in steps that are tried, rejected and halved: what a call left behind would show. */
static double run(double speed) {
    double t = 0.0, z = 0.0, scale = MU / SIGMA;
    v = speed;
    normal = LOAD;
    while (t < 0.01 - 1e-12) {
        int halves;
        double z_next = z;
        for (halves = 0; halves < 2; halves++) {
            double h = halves ? 1e-5 : 2e-5, k1, k2, k3, k4;
            state = z, k1 = value_of(DIFSUB, par, 5, 0, 0);
            state = z + 1e-6, value_of(DIFSUB, par, 5, 1, 0);
            state = z + 0.5 * h * k1, k2 = value_of(DIFSUB, par, 5, 0, 0);
            state = z + 0.5 * h * k2, k3 = value_of(DIFSUB, par, 5, 0, 0);
            state = z + h * k3, k4 = value_of(DIFSUB, par, 5, 0, 0);
            state = -3.0, value_of(SFOSUB, par, 4, 0, 0);
            z_next = z + h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
        z = z_next;
        t += 1e-5;
    }
    state = z;
    expect(fabs(z * scale - deflection(speed * 0.01)) < 1e-10 * scale, "the state of DIFSUB");
    return value_of(SFOSUB, par, 4, 0, 0);
}

static void *in_thread(void *place) {
    double speed = *(double *)place;
    *(double *)place = run(speed);
    return NULL;
}

static void line(void) {
    char dependencies[64];
    double before, forces[8], alone[8];
    pthread_t threads[8];
    int i;
    v = 2e-3, normal = LOAD, state = 0.3;
    value_of(SFOSUB, par, 4, 0, 3);
    strcpy(dependencies, asked);
    expect(!strcmp(dependencies, "vND"), "dependencies");
    before = value_of(SFOSUB, par, 4, 0, 0);
    expect(!strcmp(dependencies, asked), "the same calls for a value");
    expect(fabs(before + LOAD * MU * 0.3) < 1e-14, "force of a state");
    expect(value_of(sfosub_, par, 4, 0, 0) == before, "the name for Fortran");
    value_of(SFOSUB, par, 4, 0, 7);
    value_of(DIFSUB, par, 5, 0, 9);
    expect(asked[0] == 0 && value_of(SFOSUB, par, 4, 0, 0) == before, "save and reload have nothing to do");
    normal = -1.0;
    expect(value_of(SFOSUB, par, 4, 0, 0) == 0.0 && !*message, "no load, no friction");
    for (i = 0; i < 8; i++) {
        alone[i] = run(1e-3 * (i + 1));
        expect(fabs(alone[i] + LOAD * SIGMA * deflection(1e-5 * (i + 1))) < 1e-9, "force after a run");
        forces[i] = 1e-3 * (i + 1);
    }
    for (i = 0; i < 8; i++) pthread_create(threads + i, NULL, in_thread, forces + i);
    for (i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        expect(forces[i] == alone[i], "threads");
    }
}

static void contact(void) {
    int id = 1, npar = 1, no = 0, i;
    double t = 0, place[3] = {0, 0, 0}, xdot[3] = {3e-3, 0.5, 4e-3}, up[3] = {0, 20, 0}, area = 1, law = 2, force[3], same[3];
    double expected = 20 * 0.3 * tanh(5e-3 / 1e-3);
    message[0] = 0;
    CFFSUB(&id, &t, &law, &npar, place, place, place, xdot, up, &no, &no, force);
    expect(fabs(force[0] + 0.6 * expected) < 1e-13 && fabs(force[2] + 0.8 * expected) < 1e-13, "friction of a contact");
    expect(force[1] == 0.0 && !*message, "it lies in the plane of the contact");
    cffsub_(&id, &t, &law, &npar, place, place, place, xdot, up, &area, &no, &no, same);
    for (i = 0; i < 3; i++) expect(force[i] == same[i], "the name for Fortran");
    up[1] = 0;
    CFFSUB(&id, &t, &law, &npar, place, place, place, xdot, up, &no, &no, force);
    expect(force[0] == 0.0 && !*message, "open");
    up[1] = 1, law = 1;
    CFFSUB(&id, &t, &law, &npar, place, place, place, xdot, up, &no, &no, force);
    expect(strstr(message, "without states") != NULL, "a law with states");
}

static void refusals(void) {
    double wrong[5] = {9, 1, 2, 7, 0};
    v = 1e-3, normal = LOAD, state = 0.0;
    expect(value_of(SFOSUB, wrong, 4, 0, 0) == 0.0 && strstr(message, "law 9"), "a law that is not there");
    wrong[0] = 1, wrong[3] = 8;
    value_of(SFOSUB, wrong, 4, 0, 0);
    expect(strstr(message, "DIFF element") != NULL, "a state that is missing");
    wrong[3] = 7, wrong[4] = 5;
    value_of(DIFSUB, wrong, 5, 0, 0);
    expect(strstr(message, "no such state") != NULL, "a state that the law has not");
    value_of(SFOSUB, wrong, 2, 0, 0);
    expect(strstr(message, "USER(law") != NULL, "too few numbers");
    wrong[0] = 3;
    value_of(SFOSUB, wrong, 4, 0, 0);
    expect(strstr(message, "jump") != NULL, "a law that jumps");
    v = NAN;
    value_of(SFOSUB, par, 4, 0, 0);
    expect(strstr(message, "finite") != NULL, "a speed that is no number");
}

static void file(const char *folder, const char *name, const char *text) {
    char path[600];
    FILE *out;
    sprintf(path, "%s/%s", folder, name);
    out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    setenv("BRISTLE_LAWS", arguments[1], 1);
    file(arguments[1], "bristle-laws.txt", "dahl.toml\n\ntanh.toml\nadams.toml\n");
    file(arguments[1], "dahl.toml", "law = \"dahl\"\nsigma_0 = 1e4\nmu_k = 0.2\n");
    file(arguments[1], "tanh.toml", "law = \"coulomb_tanh\"\nmu_k = 0.3\nv_r = \"1 mm/s\"\n");
    file(arguments[1], "adams.toml",
         "law = \"adams_stick_slip\"\nmu_k = 0.1\nv_s = 1e-4\nx_s = 1e-5\n");
    line();
    contact();
    refusals();
    if (!failures) puts("all well");
    return failures != 0;
}
