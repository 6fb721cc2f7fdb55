/*
 * Friction laws of Bristle in MATLAB and Octave: a MEX file over libbristle; docs/guide/matlab.md says how to build and use it.
 *
 *   law = bristle_mex('new', text)                         a law from the text of a law file
 *   n = bristle_mex('states', law, dim)                    number of its states
 *   z = bristle_mex('start', law, v, N)                    states at the start
 *   [F, z, J] = bristle_mex('update', law, dt, vm, Nm, v, N, z)   a step; J by vm, v, Nm, N, z
 *   [F, zdot, A] = bristle_mex('rates', law, v, N, z)      rates; A is [dF/dv dF/dN dF/dz; dzdot/dv dzdot/dN dzdot/dz]
 *   F = bristle_mex('drive', law, t, v, N)                 the force along a motion, a row of v and F for each sample
 *   F = bristle_mex('steady', law, speed, N)               force of steady sliding
 *   json = bristle_mex('card', law)                        the card of the law
 *   bristle_mex('free', law)
 *
 * Vectors have 1, 2 or 3 entries. The states are ordinary arrays of the caller: nothing is remembered here but the laws.
 */
#include <bristle.h>
#include <mex.h>
#include <stdint.h>
#include <string.h>

#define MOST_LAWS 256
static bristle_law *laws[MOST_LAWS];

static void give_up_all(void) {
    int i;
    for (i = 0; i < MOST_LAWS; i++) bristle_law_free(laws[i]), laws[i] = NULL;
}

static void sound(int status) {
    if (status != BRISTLE_OK) mexErrMsgIdAndTxt("bristle:refused", "%s", bristle_last_error());
}

static void need(int holds, const char *usage) {
    if (!holds) mexErrMsgIdAndTxt("bristle:usage", "usage: %s", usage);
}

/* A law by its handle, 1 and up. */
static bristle_law *law_of(const mxArray *handle) {
    double place;
    if (!mxIsNumeric(handle) || mxGetNumberOfElements(handle) != 1) {
        mexErrMsgIdAndTxt("bristle:usage", "a law is the number that bristle_mex('new', text) gives");
    }
    place = mxGetScalar(handle);
    if (!(place >= 1 && place <= MOST_LAWS) || !laws[(int)place - 1]) {
        mexErrMsgIdAndTxt("bristle:usage", "there is no law %g: it was given up, or never made", place);
    }
    return laws[(int)place - 1];
}

static const double *numbers(const mxArray *array, size_t count, const char *what) {
    if (!mxIsDouble(array) || mxIsComplex(array) || mxIsSparse(array) || mxGetNumberOfElements(array) != count) {
        mexErrMsgIdAndTxt("bristle:size", "%s: expected %u real numbers (double)", what, (unsigned)count);
    }
    return mxGetPr(array);
}

static double number(const mxArray *array, const char *what) { return *numbers(array, 1, what); }

static int dimension(const mxArray *v) {
    size_t count = mxGetNumberOfElements(v);
    if (count < 1 || count > 3) mexErrMsgIdAndTxt("bristle:size", "v: expected 1, 2 or 3 entries");
    return (int)count;
}

static size_t states(const bristle_law *law, int dim) {
    size_t count = 0;
    sound(bristle_law_states(law, dim, &count));
    return count;
}

static mxArray *column(size_t count) { return mxCreateDoubleMatrix(count, 1, mxREAL); }

/* Matrices of libbristle are row major, those of MATLAB are not. */
static mxArray *transposed(const double *rows, size_t height, size_t width) {
    mxArray *out = mxCreateDoubleMatrix(height, width, mxREAL);
    size_t i, j;
    for (i = 0; i < height; i++)
        for (j = 0; j < width; j++) mxGetPr(out)[j * height + i] = rows[i * width + j];
    return out;
}

static void make(int nlhs, mxArray **out, int n, const mxArray **in) {
    char *text;
    bristle_law *law = NULL;
    int place = 0, status;
    (void)nlhs;
    need(n == 2 && mxIsChar(in[1]), "law = bristle_mex('new', text)");
    while (place < MOST_LAWS && laws[place]) place++;
    if (place == MOST_LAWS) mexErrMsgIdAndTxt("bristle:room", "256 laws are there: give up some by 'free'");
    text = mxArrayToString(in[1]);
    status = bristle_law_from_toml(text, strlen(text), &law);
    mxFree(text);
    sound(status);
    laws[place] = law;
    out[0] = mxCreateDoubleScalar(place + 1);
}

static void update(int nlhs, mxArray **out, int n, const mxArray **in) {
    const bristle_law *law;
    const double *mean, *end, *old;
    size_t count, rows, columns;
    double *jacobian, dt, load_mean, load;
    int dim;
    mxArray *force, *z;
    need(n == 8, "[F, z, J] = bristle_mex('update', law, dt, vm, Nm, v, N, z)");
    law = law_of(in[1]);
    dim = dimension(in[3]);
    count = states(law, dim);
    dt = number(in[2], "dt"), load_mean = number(in[4], "Nm"), load = number(in[6], "N");
    mean = numbers(in[3], dim, "vm"), end = numbers(in[5], dim, "v"), old = numbers(in[7], count, "z");
    force = column(dim), z = column(count);
    if (nlhs > 2) {
        rows = dim + count, columns = 2 * dim + 2 + count;
        jacobian = (double *)mxMalloc(rows * columns * sizeof(double));
        sound(bristle_update_jacobian(law, dim, dt, mean, load_mean, end, load, old, mxGetPr(z), mxGetPr(force), jacobian));
        out[2] = transposed(jacobian, rows, columns);
        mxFree(jacobian);
    } else {
        sound(bristle_update(law, dim, dt, mean, load_mean, end, load, old, mxGetPr(z), mxGetPr(force), NULL, NULL, NULL,
                             NULL));
    }
    out[0] = force;
    if (nlhs > 1) out[1] = z;
}

static void rates(int nlhs, mxArray **out, int n, const mxArray **in) {
    const bristle_law *law;
    const double *v, *z;
    size_t count, i, j, rows, columns;
    double *by[6], *to, load;
    int dim, k;
    mxArray *force, *zdot;
    need(n == 5, "[F, zdot, A] = bristle_mex('rates', law, v, N, z)");
    law = law_of(in[1]);
    dim = dimension(in[2]);
    count = states(law, dim);
    v = numbers(in[2], dim, "v"), z = numbers(in[4], count, "z"), load = number(in[3], "N");
    force = column(dim), zdot = column(count);
    rows = dim + count, columns = dim + 1 + count;
    for (k = 0; k < 6; k++) by[k] = (double *)mxCalloc(rows * columns, sizeof(double));
    sound(bristle_rates(law, dim, v, load, z, mxGetPr(force), mxGetPr(zdot), by[0], by[1], by[2], by[3], by[4], by[5]));
    out[0] = force;
    if (nlhs > 1) out[1] = zdot;
    if (nlhs > 2) {
        /* by v, N and z beside each other, force above the rates */
        out[2] = mxCreateDoubleMatrix(rows, columns, mxREAL);
        to = mxGetPr(out[2]);
        for (i = 0; i < rows; i++) {
            double **own = i < (size_t)dim ? by : by + 3;
            size_t row = i < (size_t)dim ? i : i - dim;
            for (j = 0; j < (size_t)dim; j++) to[j * rows + i] = own[0][row * dim + j];
            to[dim * rows + i] = own[1][row];
            for (j = 0; j < count; j++) to[(dim + 1 + j) * rows + i] = own[2][row * count + j];
        }
    }
    for (k = 0; k < 6; k++) mxFree(by[k]);
}

static void drive(int nlhs, mxArray **out, int n, const mxArray **in) {
    const bristle_law *law;
    const double *t, *v, *load;
    size_t samples, i;
    double *rows, *force;
    int dim, k;
    (void)nlhs;
    need(n == 5, "F = bristle_mex('drive', law, t, v, N)");
    law = law_of(in[1]);
    samples = mxGetNumberOfElements(in[2]);
    dim = samples ? (int)(mxGetNumberOfElements(in[3]) / samples) : 1;
    if (dim < 1 || dim > 3) mexErrMsgIdAndTxt("bristle:size", "v: expected a row of 1, 2 or 3 entries for each time");
    t = numbers(in[2], samples, "t"), v = numbers(in[3], samples * dim, "v"), load = numbers(in[4], samples, "N");
    rows = (double *)mxMalloc((samples * dim + 1) * sizeof(double));
    force = (double *)mxMalloc((samples * dim + 1) * sizeof(double));
    for (i = 0; i < samples; i++)
        for (k = 0; k < dim; k++) rows[i * dim + k] = v[k * samples + i];
    sound(bristle_drive(law, dim, 1e-8, samples, t, rows, load, NULL, force));
    out[0] = transposed(force, samples, dim);
    mxFree(rows);
    mxFree(force);
}

static void start(int nlhs, mxArray **out, int n, const mxArray **in) {
    const bristle_law *law;
    int dim;
    (void)nlhs;
    need(n == 4, "z = bristle_mex('start', law, v, N)");
    law = law_of(in[1]);
    dim = dimension(in[2]);
    out[0] = column(states(law, dim));
    sound(bristle_start(law, dim, numbers(in[2], dim, "v"), number(in[3], "N"), mxGetPr(out[0])));
}

static void count(int nlhs, mxArray **out, int n, const mxArray **in) {
    (void)nlhs;
    need(n == 3, "n = bristle_mex('states', law, dim)");
    out[0] = mxCreateDoubleScalar((double)states(law_of(in[1]), (int)number(in[2], "dim")));
}

static void steady(int nlhs, mxArray **out, int n, const mxArray **in) {
    double force = 0.0;
    (void)nlhs;
    need(n == 4, "F = bristle_mex('steady', law, speed, N)");
    sound(bristle_steady(law_of(in[1]), number(in[2], "speed"), number(in[3], "N"), &force));
    out[0] = mxCreateDoubleScalar(force);
}

static void card(int nlhs, mxArray **out, int n, const mxArray **in) {
    size_t size = 0;
    char *text;
    (void)nlhs;
    need(n == 2, "json = bristle_mex('card', law)");
    sound(bristle_law_card(law_of(in[1]), NULL, 0, &size));
    text = (char *)mxMalloc(size);
    sound(bristle_law_card(law_of(in[1]), text, size, NULL));
    out[0] = mxCreateString(text);
    mxFree(text);
}

static void give_up(int nlhs, mxArray **out, int n, const mxArray **in) {
    (void)nlhs, (void)out;
    need(n == 2, "bristle_mex('free', law)");
    bristle_law_free(law_of(in[1]));
    laws[(int)mxGetScalar(in[1]) - 1] = NULL;
}

static const struct {
    const char *name;
    void (*function)(int, mxArray **, int, const mxArray **);
} commands[] = {{"new", make},     {"states", count}, {"start", start}, {"update", update}, {"rates", rates},
                {"drive", drive}, {"steady", steady}, {"card", card},   {"free", give_up}};

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    char name[16] = "";
    size_t i;
    mexAtExit(give_up_all);
    if (nrhs > 0 && mxIsChar(prhs[0])) mxGetString(prhs[0], name, sizeof name);
    for (i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (!strcmp(name, commands[i].name)) {
            commands[i].function(nlhs, plhs, nrhs, prhs);
            return;
        }
    }
    mexErrMsgIdAndTxt("bristle:usage", "bristle_mex('new' | 'states' | 'start' | 'update' | 'rates' | 'drive' | 'steady' | 'card' | 'free', ...)");
}
