//! Static equilibrium by Newton's method with a pseudo-transient start.

use crate::state::State;
use crate::system::{Instant, Renew, RunError, System, TangentRequest, Weights};

/// A static step has this length: it only turns displacements into mean slip velocities.
const STEP: f64 = 1.0;
const MAX_ITERATIONS: usize = 2000;
/// The residual counts as zero at this fraction of the forces at the start.
const RELATIVE: f64 = 1e-12;
/// So often a step may leave the residual as it is: a part falls until something holds it. Each
/// such step is four times as far as the one before; so many more than cross any machine.
const MAX_FALLS: usize = 24;
/// A residual within this fraction of the one before is the same: rounding of a constant load.
const SAME: f64 = 1e-9;
/// Bounds of the pseudo-time, s.
const TIMES: (f64, f64) = (1e-9, 1e6);

const ADVICE: &str =
    "Support or load it so that it can rest, or start as given (start = \"as_given\")";

/// Moves `state` to static equilibrium: r(t, q, 0, 0) = 0.
///
/// Bristles take up the displacement as they would under slow loading, so that parts held by
/// friction rest. A direction without stiffness stays where it is if nothing pushes along it; if
/// something does, as a weight on a slack cable, the part falls until it is held.
/// Returns the number of iterations.
///
/// # Errors
/// [`RunError::NoEquilibrium`] names the coordinate that is not held.
pub fn equilibrium<S: System>(system: &S, state: &mut State) -> Result<usize, RunError> {
    let mut search = Search::new(system, state);
    let first = search.evaluate(state);
    let iterations = search.descend(state, first);
    let left = search.evaluate(state);
    // a millionth of the loads is far above rounding and far below a load that is not held
    if left <= 1e-6 * first || left <= 1e-12 {
        return Ok(iterations);
    }
    let residual = &search.residual;
    let worst =
        (0..residual.len()).max_by(|&i, &j| residual[i].abs().total_cmp(&residual[j].abs()));
    let dof = worst.unwrap_or(0);
    let residual = residual[dof].abs();
    let at = instant(state.t, &state.q, &search.rest, &search.history);
    let element = system.blame(&mut search.scratch, &at, dof);
    Err(RunError::NoEquilibrium {
        element,
        residual,
        advice: ADVICE,
    })
}

/// A static evaluation: at rest, with the displacement since the start as slip.
fn instant<'a>(t: f64, q: &'a [f64], rest: &'a [f64], history: &'a [f64]) -> Instant<'a> {
    Instant {
        t,
        q,
        v: rest,
        a: rest,
        history,
        step: STEP,
    }
}

struct Search<'s, S: System> {
    system: &'s S,
    scratch: S::Scratch,
    /// Coordinates and history at the start.
    start: Vec<f64>,
    history: Vec<f64>,
    /// Displacement from the start: accepted and tried.
    displacement: Vec<f64>,
    trial: Vec<f64>,
    correction: Vec<f64>,
    residual: Vec<f64>,
    rest: Vec<f64>,
}

impl<'s, S: System> Search<'s, S> {
    fn new(system: &'s S, state: &mut State) -> Self {
        state.v.fill(0.0);
        state.a.fill(0.0);
        state.algorithmic.fill(0.0);
        let zeros = vec![0.0; system.dofs()];
        Self {
            system,
            scratch: system.scratch(),
            start: state.q.clone(),
            history: state.history.clone(),
            displacement: zeros.clone(),
            trial: zeros.clone(),
            correction: zeros.clone(),
            residual: zeros.clone(),
            rest: zeros,
        }
    }

    /// The size of the residual at the coordinates of `state`; renews its history.
    fn evaluate(&mut self, state: &mut State) -> f64 {
        let at = instant(state.t, &state.q, &self.rest, &self.history);
        self.system.residual(
            &mut self.scratch,
            &at,
            &mut self.residual,
            &mut state.history,
        );
        self.residual.iter().map(|r| r * r).sum::<f64>().sqrt()
    }

    /// Newton steps damped by M/τ², with the pseudo-time τ growing while the residual falls.
    fn descend(&mut self, state: &mut State, first: f64) -> usize {
        let mut current = first;
        let (mut time, mut falls) = (1e-4, 0);
        for iteration in 0..MAX_ITERATIONS {
            if current <= RELATIVE * first || time < TIMES.0 {
                return iteration;
            }
            let weights = Weights {
                mass: 1.0 / (time * time),
                damping: 0.0,
                stiffness: 1.0,
            };
            let at = instant(state.t, &state.q, &self.rest, &self.history);
            let request = TangentRequest {
                weights,
                renew: Renew::All,
            };
            let (correction, history) = (&mut self.correction, &mut state.history);
            if self
                .system
                .factorise(&mut self.scratch, &at, request, correction, history)
                .is_err()
            {
                time *= 0.125;
                continue;
            }
            self.system.solve(&mut self.scratch, &mut self.correction);
            for (i, x) in self.trial.iter_mut().enumerate() {
                *x = self.displacement[i] - self.correction[i];
            }
            let old = state.q.clone();
            self.system.displace(&self.start, &self.trial, &mut state.q);
            let next = self.evaluate(state);
            let falls_on = next <= current * (1.0 + SAME) && falls < MAX_FALLS;
            if next < current || falls_on {
                let held = next < current * (1.0 - SAME);
                falls = if held { 0 } else { falls + 1 };
                current = next;
                self.displacement.copy_from_slice(&self.trial);
                let growth = if held { 4.0 } else { 2.0 };
                time = (growth * time).min(TIMES.1);
                continue;
            }
            state.q = old;
            if self.at_rounding() {
                return iteration; // as converged as it gets
            }
            time *= 0.25;
        }
        MAX_ITERATIONS
    }

    fn at_rounding(&self) -> bool {
        let pairs = self.correction.iter().zip(&self.displacement);
        pairs
            .into_iter()
            .all(|(c, d)| c.abs() <= 1e-13 * (d.abs() + 1e-6))
    }
}
