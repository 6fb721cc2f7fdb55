/*
 * Friction laws of Bristle in Adams Solver and MotionSolve: CFFSUB (friction of a contact), SFOSUB (a force along a
 * line) and DIFSUB (the states of a law). One file, with libbristle; how to use it stands in docs/guide/adams.md.
 *
 * The states are DIFF elements of the solver. It owns them: a predictor, a corrector, a rejected step, a partial
 * derivative or a reload calls with whatever states it wants, and nothing is remembered here. There is no static data
 * but the laws, which are read once and never change.
 */
#include <bristle.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define EXPORT __declspec(dllexport)
static SRWLOCK guard = SRWLOCK_INIT;
#define LOCK() AcquireSRWLockExclusive(&guard)
#define UNLOCK() ReleaseSRWLockExclusive(&guard)
#else
#include <pthread.h>
#define EXPORT
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&guard)
#define UNLOCK() pthread_mutex_unlock(&guard)
#endif

/* What the solver has: values of functions of the model, and errors. */
extern void c_sysfnc(const char *name, const int *ipar, int npar, double *value, int *errflg);
extern void c_errmes(int flag, const char *message, int id, const char *stop);

#define MOST_LAWS 64
#define MOST_STATES 64

/* Laws by their number in bristle-laws.txt; set once under the guard. */
static bristle_law *laws[MOST_LAWS];
static int law_count = 0, laws_read = 0;
static char problem[600];

static int read_file(const char *path, char **text, size_t *length) {
    FILE *file = fopen(path, "rb");
    long size;
    if (!file) return 0;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    *text = (char *)malloc((size_t)size + 1);
    *length = *text ? fread(*text, 1, (size_t)size, file) : 0;
    fclose(file);
    return *text != NULL;
}

/* bristle-laws.txt, in the working folder or that of the environment variable BRISTLE_LAWS, names a law file a line. */
static void read_laws(void) {
    const char *folder = getenv("BRISTLE_LAWS");
    char path[1200], line[512];
    FILE *list;
    if (!folder) folder = ".";
    sprintf(path, "%.500s/bristle-laws.txt", folder);
    list = fopen(path, "r");
    if (!list) {
        sprintf(problem, "cannot read %.500s", path);
        return;
    }
    while (!*problem && fgets(line, sizeof line, list)) {
        char *text;
        size_t length;
        line[strcspn(line, "\r\n")] = 0;
        if (!*line) continue;
        if (law_count == MOST_LAWS) {
            strcpy(problem, "bristle-laws.txt: more than 64 laws");
            break;
        }
        sprintf(path, *line == '/' || strchr(line, ':') ? "%.0s%s" : "%.500s/%s", folder, line);
        if (!read_file(path, &text, &length)) {
            sprintf(problem, "bristle-laws.txt: cannot read %.500s", path);
            break;
        }
        if (bristle_law_from_toml(text, length, laws + law_count) != BRISTLE_OK) {
            sprintf(problem, "%.250s: %.300s", path, bristle_last_error());
        } else {
            law_count++;
        }
        free(text);
    }
    fclose(list);
}

/* The law with a number, or NULL and an error of the solver, which stops it. */
static const bristle_law *law_of(double number, int id) {
    const bristle_law *law = NULL;
    char message[700];
    int place = (int)number;
    LOCK();
    if (!laws_read) {
        read_laws();
        laws_read = 1;
    }
    if (!*problem && place >= 1 && place <= law_count) law = laws[place - 1];
    UNLOCK();
    if (law) return law;
    if (*problem) {
        sprintf(message, "bristle: %.600s", problem);
    } else {
        sprintf(message, "bristle: law %d: bristle-laws.txt has laws 1 to %d", place, law_count);
    }
    c_errmes(1, message, id, "STOP");
    return NULL;
}

static int refused(int status, int id) {
    char message[700];
    if (status == BRISTLE_OK) return 0;
    sprintf(message, "bristle: %.600s", bristle_last_error());
    c_errmes(1, message, id, "STOP");
    return 1;
}

/* Laws that jump need events, which DIFF elements do not have. */
static int jumps(const bristle_law *law, int id) {
    int flag = 0;
    if (refused(bristle_law_jumps(law, &flag), id)) return 1;
    if (flag) c_errmes(1, "bristle: the modes of this law jump; use an FMU (bristle fmu)", id, "STOP");
    return flag;
}

/* The states of a law from consecutive DIFF elements; the same calls tell the solver what a value depends on. */
static int states(const bristle_law *law, int first, double *z, int id) {
    size_t count = 0, i;
    if (refused(bristle_law_states(law, 1, &count), id)) return -1;
    if (count > MOST_STATES) {
        c_errmes(1, "bristle: the law has more than 64 states", id, "STOP");
        return -1;
    }
    for (i = 0; i < count; i++) {
        int element = first + (int)i, error = 0;
        double size = 1.0;
        c_sysfnc("DIF", &element, 1, z + i, &error);
        if (error) {
            c_errmes(1, "bristle: a DIFF element of the states is missing", id, "STOP");
            return -1;
        }
        /* DIFF elements are of the size of 1 */
        if (refused(bristle_law_state_size(law, 1, i, 1.0, &size), id)) return -1;
        z[i] *= size;
    }
    return (int)count;
}

/* Slip velocity along a line, and the normal force: two VARIABLE elements. */
static int conditions(const double *par, double *v, double *normal, int id) {
    int element, error = 0;
    element = (int)par[1];
    c_sysfnc("VARVAL", &element, 1, v, &error);
    element = (int)par[2];
    if (!error) c_sysfnc("VARVAL", &element, 1, normal, &error);
    if (error) c_errmes(1, "bristle: a VARIABLE of slip velocity or normal force is missing", id, "STOP");
    if (*normal < 0.0) *normal = 0.0;
    return error;
}

/* Whether a call is for a value: 7 and 9 save and restore static data, of which there is none, 5 ends. */
static int is_value(int iflag) { return iflag != 5 && iflag != 7 && iflag != 9; }

/* SFORCE, FUNCTION = USER(law, variable of v, variable of N, first DIFF): the friction force against the slip. */
static void force_of_line(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value) {
    const bristle_law *law;
    double v = 0.0, normal = 0.0, force = 0.0, z[MOST_STATES];
    (void)time, (void)dflag;
    *value = 0.0;
    if (!is_value(*iflag)) return;
    if (*npar < 4) {
        c_errmes(1, "bristle: SFOSUB needs USER(law, v, N, first DIFF)", *id, "STOP");
        return;
    }
    law = law_of(par[0], *id);
    if (!law || jumps(law, *id) || conditions(par, &v, &normal, *id)) return;
    if (states(law, (int)par[3], z, *id) < 0) return;
    if (refused(bristle_rates(law, 1, &v, normal, z, &force, NULL, NULL, NULL, NULL, NULL, NULL, NULL), *id)) return;
    *value = -force;
}

/* DIFF, FUNCTION = USER(law, variable of v, variable of N, first DIFF, state): the rate of a state, counted from 0. */
static void rate_of_state(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value) {
    const bristle_law *law;
    double v = 0.0, normal = 0.0, force = 0.0, size = 1.0, z[MOST_STATES], zdot[MOST_STATES];
    int count, state;
    (void)time, (void)dflag;
    *value = 0.0;
    if (!is_value(*iflag)) return;
    if (*npar < 5) {
        c_errmes(1, "bristle: DIFSUB needs USER(law, v, N, first DIFF, state)", *id, "STOP");
        return;
    }
    law = law_of(par[0], *id);
    if (!law || jumps(law, *id) || conditions(par, &v, &normal, *id)) return;
    count = states(law, (int)par[3], z, *id);
    state = (int)par[4];
    if (count < 0) return;
    if (state < 0 || state >= count) {
        c_errmes(1, "bristle: DIFSUB: the law has no such state", *id, "STOP");
        return;
    }
    if (refused(bristle_rates(law, 1, &v, normal, z, &force, zdot, NULL, NULL, NULL, NULL, NULL, NULL), *id)) return;
    if (refused(bristle_law_state_size(law, 1, (size_t)state, 1.0, &size), *id)) return;
    *value = zdot[state] / size;
}

/* Friction of a contact, USER(law): laws without states alone, since points of contact come and go and have no DIFF
   elements. xdot is the velocity of the point on I relative to that on J; result is the force on I. */
static void force_of_contact(int *id, double *par, int *npar, double *xdot, double *nforce, int *iflag,
                             double *result) {
    const bristle_law *law;
    double force[3], v[3], size, along;
    size_t count = 0;
    int i;
    result[0] = result[1] = result[2] = 0.0;
    if (!is_value(*iflag)) return;
    if (*npar < 1) {
        c_errmes(1, "bristle: CFFSUB needs USER(law)", *id, "STOP");
        return;
    }
    law = law_of(par[0], *id);
    if (!law || refused(bristle_law_states(law, 3, &count), *id)) return;
    if (count > 0) {
        c_errmes(1, "bristle: CFFSUB takes laws without states; use SFOSUB and DIFSUB", *id, "STOP");
        return;
    }
    /* the slip velocity lies in the plane across the normal force */
    size = nforce[0] * nforce[0] + nforce[1] * nforce[1] + nforce[2] * nforce[2];
    if (!(size > 0.0)) return;
    along = (xdot[0] * nforce[0] + xdot[1] * nforce[1] + xdot[2] * nforce[2]) / size;
    for (i = 0; i < 3; i++) v[i] = xdot[i] - along * nforce[i];
    if (refused(bristle_rates(law, 3, v, sqrt(size), NULL, force, NULL, NULL, NULL, NULL, NULL, NULL, NULL), *id))
        return;
    for (i = 0; i < 3; i++) result[i] = -force[i];
}

/* Names as MotionSolve calls C, and as Adams calls what follows the rules of Fortran. */
#define LINE(NAME, FUNCTION)                                                                            \
    EXPORT void NAME(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double *value) { \
        FUNCTION(id, time, par, npar, dflag, iflag, value);                                             \
    }
LINE(SFOSUB, force_of_line)
LINE(sfosub_, force_of_line)
LINE(DIFSUB, rate_of_state)
LINE(difsub_, rate_of_state)

EXPORT void CFFSUB(int *id, double *time, double *par, int *npar, double *loci, double *locj, double *x, double *xdot,
                   double *nforce, int *dflag, int *iflag, double *result) {
    (void)time, (void)loci, (void)locj, (void)x, (void)dflag;
    force_of_contact(id, par, npar, xdot, nforce, iflag, result);
}

EXPORT void cffsub_(int *id, double *time, double *par, int *npar, double *loci, double *locj, double *x, double *xdot,
                    double *nforce, double *area, int *dflag, int *iflag, double *result) {
    (void)time, (void)loci, (void)locj, (void)x, (void)area, (void)dflag;
    force_of_contact(id, par, npar, xdot, nforce, iflag, result);
}
