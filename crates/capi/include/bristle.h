/*
 * Bristle: friction laws and multibody scenarios with dry friction, for C and all that speaks C.
 *
 * SI units everywhere. v is the slip velocity of the moving body relative to the other one (m/s), N the
 * normal force (N, 0 or more), F the friction force along v (N): the moving body feels -F. z are the
 * states of a law, vectors first, each with dim entries. dim is 1, 2 or 3. Matrices are row major, a row
 * for each component of what is differentiated.
 *
 * Every function returns a status, BRISTLE_OK if all went well; bristle_last_error says in words what did
 * not. Laws never change and may be used by many threads at once; a scenario or a session belongs to one
 * thread at a time. Functions of laws that take numbers neither allocate nor lock, and keep no history:
 * the caller owns z. Pointers to derivatives may be NULL where they are not wanted.
 */
#ifndef BRISTLE_H
#define BRISTLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a function changes; new functions do not change it. */
#define BRISTLE_ABI 1

/* Status of a call. */
#define BRISTLE_OK 0
#define BRISTLE_UNKNOWN_NAME 1 /* no such law, parameter, channel, input or field */
#define BRISTLE_PARAMETER 2    /* a value that a law or a scenario refuses */
#define BRISTLE_ARGUMENT 3     /* NULL, a wrong dimension or count, a wrong time */
#define BRISTLE_NOT_FINITE 4   /* an argument or a result is no finite number */
#define BRISTLE_FAILED 5       /* a run cannot go on */
#define BRISTLE_ROOM 6         /* the buffer is too small; what is needed was written */
#define BRISTLE_INTERNAL 7     /* a fault of Bristle */

typedef struct bristle_law bristle_law;
typedef struct bristle_scenario bristle_scenario;
typedef struct bristle_session bristle_session;

/* ------------------------------------------------------------------------------------------------- */
/* The library                                                                                       */

/* BRISTLE_ABI of the library that is loaded. */
int bristle_abi_version(void);

/* Version of the library, as in "0.1.0". */
const char *bristle_version(void);

/* What went wrong in the last call of this thread that failed; never NULL, valid until the next one. */
const char *bristle_last_error(void);

/* ------------------------------------------------------------------------------------------------- */
/* Laws                                                                                              */

/* A law of the catalogue with values by name or symbol (SI); what is not named has its default. */
int bristle_law_new(const char *name, const char *const *names, const double *values, size_t count,
                    bristle_law **law);

/* A law from the text of a law file, with units, lists, curves and equations. */
int bristle_law_from_toml(const char *text, size_t length, bristle_law **law);

/* Gives up a law; NULL is ignored. */
void bristle_law_free(bristle_law *law);

/* Texts: up to capacity bytes with a 0 at the end; needed (may be NULL) gets the room that is needed.
   With capacity 0 the buffer may be NULL. */

/* The card of the law as JSON: name, title, equations, parameters, states, behaviour. */
int bristle_law_card(const bristle_law *law, char *buffer, size_t capacity, size_t *needed);

/* The cards of all laws of the catalogue, a JSON list. */
int bristle_catalogue(char *buffer, size_t capacity, size_t *needed);

/* The value of a parameter that is a number, by its name. */
int bristle_law_value(const bristle_law *law, const char *name, double *value);

/* Number of states, the length of z. */
int bristle_law_states(const bristle_law *law, int dim, size_t *count);

/* Name of a state, as in z or z.x. */
int bristle_law_state_name(const bristle_law *law, int dim, size_t state, char *buffer, size_t capacity,
                           size_t *needed);

/* Natural size of a state in its own unit, for error weights and nominal values. */
int bristle_law_state_size(const bristle_law *law, int dim, size_t state, double normal_force, double *size);

/* 1 if the law has modes that jump, else 0. */
int bristle_law_jumps(const bristle_law *law, int *jumps);

/* The states at the start of a motion. */
int bristle_start(const bristle_law *law, int dim, const double *v, double normal_force, double *z);

/* Continuous view: the force F[dim] and the rates zdot[states] at (v, N, z), with all derivatives:
   dF_dv[dim x dim], dF_dN[dim], dF_dz[dim x states], dz_dv[states x dim], dz_dN[states],
   dz_dz[states x states]. */
int bristle_rates(const bristle_law *law, int dim, const double *v, double normal_force, const double *z,
                  double *force, double *zdot, double *dF_dv, double *dF_dN, double *dF_dz, double *dz_dv,
                  double *dz_dN, double *dz_dz);

/* The same with a force that is applied (N, along v), for laws that answer it at rest. */
int bristle_rates_applied(const bristle_law *law, int dim, const double *v, double normal_force,
                          const double *applied, const double *z, double *force, double *zdot);

/* Update over a step dt > 0: from z_old to z_new under the mean conditions (slip displacement over dt),
   and the force at its end. Bounded for every dt. z_new may be z_old. With the consistent tangent:
   dF_dvm[dim x dim] by the mean velocity, dF_dv[dim x dim] by that at the end, dF_dNm[dim], dF_dN[dim]. */
int bristle_update(const bristle_law *law, int dim, double dt, const double *v_mean, double N_mean,
                   const double *v_end, double N_end, const double *z_old, double *z_new, double *force,
                   double *dF_dvm, double *dF_dv, double *dF_dNm, double *dF_dN);

/* The same with the mode that z_old has, for solvers that locate its end (bristle_margin). */
int bristle_update_in_mode(const bristle_law *law, int dim, double dt, const double *v_mean, double N_mean,
                           const double *v_end, double N_end, const double *z_old, double *z_new,
                           double *force, double *dF_dvm, double *dF_dv, double *dF_dNm, double *dF_dN);

/* Update with every derivative, by the old states too: jacobian[(dim + states) x (2 dim + 2 + states)],
   rows F then z_new, columns v_mean, v_end, N_mean, N_end, z_old. */
int bristle_update_jacobian(const bristle_law *law, int dim, double dt, const double *v_mean, double N_mean,
                            const double *v_end, double N_end, const double *z_old, double *z_new,
                            double *force, double *jacobian);

/* Updates at n points in columns: v_mean and v_end are dim pointers to n numbers, z states pointers to n
   numbers that are moved in place, force dim pointers to n numbers. */
int bristle_update_batch(const bristle_law *law, int dim, size_t n, double dt, const double *const *v_mean,
                         const double *N_mean, const double *const *v_end, const double *N_end,
                         double *const *z, double *const *force);

/* The same with every derivative: jacobian[n x (dim + states) x (2 dim + 2 + states)], a block for each point as
   bristle_update_jacobian has it. */
int bristle_update_batch_jacobian(const bristle_law *law, int dim, size_t n, double dt,
                                  const double *const *v_mean, const double *N_mean, const double *const *v_end,
                                  const double *N_end, double *const *z, double *const *force, double *jacobian);

/* Magnitude of the force of steady sliding at a speed; BRISTLE_ARGUMENT if the law has none. */
int bristle_steady(const bristle_law *law, double speed, double normal_force, double *force);

/* Elastic energy in the states, J. */
int bristle_stored_energy(const bristle_law *law, int dim, double normal_force, const double *z, double *energy);

/* How far the mode of z is from its end: 1 far, below 0 it has ended; 1 for laws without modes. */
int bristle_margin(const bristle_law *law, int dim, const double *v, double normal_force, const double *z,
                   double *margin);

/* Changes the mode of z, and what jumps with it. */
int bristle_switch(const bristle_law *law, int dim, const double *v, double normal_force, double *z);

/* ------------------------------------------------------------------------------------------------- */
/* A law on the test bench                                                                           */

/* The friction force along a prescribed motion of n samples, linear between them, as `bristle drive`
   computes it: v[n x dim], N[n], force[n x dim]; applied[n x dim], the force on the moving body for laws that
   answer it at rest, may be NULL. rtol is the error of a step over the largest force, in [1e-13, 1e-3]; 1e-8 is
   usual. */
int bristle_drive(const bristle_law *law, int dim, double rtol, size_t n, const double *t, const double *v,
                  const double *N, const double *applied, double *force);

/* A block on a plane, at rest at t = 0: a load that grows at load_rate (N/s) and a spring whose far end moves at
   speed draw it. Position, velocity and friction force at n times that ascend from 0 s. */
int bristle_draw(const bristle_law *law, double mass, double normal_force, double load_rate, double stiffness,
                 double speed, size_t n, const double *t, double *x, double *v, double *force);

/* ------------------------------------------------------------------------------------------------- */
/* Scenarios                                                                                         */

/* A scenario from a file, or an example that comes with Bristle. */
int bristle_scenario_load(const char *path, bristle_scenario **scenario);

/* A scenario from a text; files that it names are relative to the folder (may be NULL). */
int bristle_scenario_from_toml(const char *text, size_t length, const char *folder, bristle_scenario **scenario);

/* Gives up a scenario; NULL is ignored. Sessions that were started from it stay. */
void bristle_scenario_free(bristle_scenario *scenario);

/* Changes a field, as in "body.cube.mass", "2 kg". Whether the value is sound shows at the start. */
int bristle_scenario_set(bristle_scenario *scenario, const char *path, const char *value);

/* A run at the start of the scenario. */
int bristle_session_start(const bristle_scenario *scenario, bristle_session **session);

/* Gives up a session; NULL is ignored. */
void bristle_session_free(bristle_session *session);

/* The present time and the end of the scenario, s. */
int bristle_session_time(const bristle_session *session, double *time, double *end_time);

/* Steps to a time and lands on it. */
int bristle_session_step_to(bristle_session *session, double time);

/* Number of channels and inputs. */
int bristle_session_counts(const bristle_session *session, size_t *channels, size_t *inputs);

/* Name, unit and meaning of a channel: one of the texts by what = 0, 1, 2. */
int bristle_session_channel_text(const bristle_session *session, size_t channel, int what, char *buffer,
                                 size_t capacity, size_t *needed);

/* The same of an input. */
int bristle_session_input_text(const bristle_session *session, size_t input, int what, char *buffer,
                               size_t capacity, size_t *needed);

/* Places of a channel and of an input by their names. */
int bristle_session_channel(const bristle_session *session, const char *name, size_t *channel);
int bristle_session_input(const bristle_session *session, const char *name, size_t *input);

/* The values of all channels now; count is their number. */
int bristle_session_values(bristle_session *session, double *values, size_t count);

/* The value of a channel now. */
int bristle_session_value(bristle_session *session, size_t channel, double *value);

/* Holds a load, or the speed of a prescribed motion, from now on; slope is its change per second. */
int bristle_session_hold(bristle_session *session, size_t input, double value, double slope);

/* The state as bytes: restored, a session goes on with the same bits. */
int bristle_session_save(bristle_session *session, unsigned char *buffer, size_t capacity, size_t *needed);

/* Goes to a saved state of the same scenario. */
int bristle_session_restore(bristle_session *session, const unsigned char *bytes, size_t length);

#ifdef __cplusplus
}
#endif

#endif /* BRISTLE_H */
