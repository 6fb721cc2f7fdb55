//! Static equilibrium by Newton's method with a pseudo-transient start.

use crate::state::State;
use crate::system::{Instant, RunError, System, Weights};

/// A static step has this length: it only turns displacements into mean slip velocities.
const STEP: f64 = 1.0;
const MAX_ITERATIONS: usize = 2000;
/// The residual counts as zero at this fraction of the forces at the start.
const RELATIVE: f64 = 1e-12;
/// Bounds of the pseudo-time, s.
const TIMES: (f64, f64) = (1e-9, 1e6);

const ADVICE: &str =
    "Support or load it so that it can rest, or start as given (start = \"as_given\")";

/// Moves `state` to static equilibrium: r(t, q, 0, 0) = 0.
///
/// Bristles take up the displacement as they would under slow loading, so that parts held by
/// friction rest. A direction without stiffness stays where it is if nothing pushes along it.
///
/// # Errors
/// [`RunError::NoEquilibrium`] names the coordinate that is not held.
pub fn equilibrium<S: System>(system: &S, state: &mut State) -> Result<usize, RunError> {
    let n = system.dofs();
    let mut scratch = system.scratch();
    let start = state.q.clone();
    let memory = state.memory.clone();
    let mut displacement = vec![0.0; n];
    let (mut trial, mut residual) = (vec![0.0; n], vec![0.0; n]);
    let mut correction = vec![0.0; n];
    state.v.fill(0.0);
    state.a.fill(0.0);
    state.algorithmic.fill(0.0);
    let rest = vec![0.0; n];
    let at = |t: f64, q: &[f64], out: (&mut Vec<f64>, &mut Vec<f64>), scratch: &mut S::Scratch| {
        let at = Instant {
            t,
            q,
            v: &rest,
            a: &rest,
            memory: &memory,
            step: STEP,
        };
        system.residual(scratch, &at, out.0, out.1);
        size(out.0)
    };
    let first = at(
        state.t,
        &state.q,
        (&mut residual, &mut state.memory),
        &mut scratch,
    );
    let mut current = first;
    let mut time = 1e-4;
    let mut iterations = 0;
    while current > RELATIVE * first.max(f64::MIN_POSITIVE) && iterations < MAX_ITERATIONS {
        iterations += 1;
        let here = Instant {
            t: state.t,
            q: &state.q,
            v: &rest,
            a: &rest,
            memory: &memory,
            step: STEP,
        };
        let weights = Weights {
            mass: 1.0 / (time * time),
            damping: 0.0,
            stiffness: 1.0,
        };
        let factorised = system.factorise(
            &mut scratch,
            &here,
            weights,
            &mut correction,
            &mut state.memory,
        );
        if factorised.is_err() {
            time = (0.125 * time).max(TIMES.0);
            continue;
        }
        system.solve(&mut scratch, &mut correction);
        for i in 0..n {
            trial[i] = displacement[i] - correction[i];
        }
        let mut q = vec![0.0; start.len()];
        system.displace(&start, &trial, &mut q);
        let next = at(
            state.t,
            &q,
            (&mut residual, &mut state.memory),
            &mut scratch,
        );
        if next < current {
            current = next;
            displacement.copy_from_slice(&trial);
            state.q.copy_from_slice(&q);
            time = (4.0 * time).min(TIMES.1);
        } else if rounding(&correction, &displacement) {
            break; // corrections at the rounding level: as converged as it gets
        } else {
            time *= 0.25;
            if time < TIMES.0 {
                break;
            }
        }
    }
    let left = at(
        state.t,
        &state.q,
        (&mut residual, &mut state.memory),
        &mut scratch,
    );
    // a millionth of the loads is far above rounding and far below a load that is not held
    if left > 1e-6 * first.max(f64::MIN_POSITIVE) && left > 1e-12 {
        let worst = (0..n).max_by(|&i, &j| residual[i].abs().total_cmp(&residual[j].abs()));
        let dof = worst.unwrap_or(0);
        let here = Instant {
            t: state.t,
            q: &state.q,
            v: &rest,
            a: &rest,
            memory: &memory,
            step: STEP,
        };
        let element = system.blame(&mut scratch, &here, dof);
        return Err(RunError::NoEquilibrium {
            element,
            residual: residual[dof].abs(),
            advice: ADVICE,
        });
    }
    Ok(iterations)
}

fn size(residual: &[f64]) -> f64 {
    residual.iter().map(|r| r * r).sum::<f64>().sqrt()
}

fn rounding(correction: &[f64], displacement: &[f64]) -> bool {
    correction
        .iter()
        .zip(displacement)
        .all(|(c, d)| c.abs() <= 1e-13 * (d.abs() + 1e-6))
}
