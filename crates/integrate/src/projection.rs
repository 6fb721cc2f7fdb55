//! Projection of a converged step on its constraints.
//!
//! The step satisfies Φ̈ = 0, which leaves an error of third order in Φ and Φ̇. The correction that
//! takes it away has the factors of the step for its metric,
//!
//! $$ \begin{bmatrix}\mathbf S&-\mathbf G^\mathsf T\\ \mathbf G&\mathbf 0\end{bmatrix}
//!    \begin{bmatrix}\Delta\mathbf q\\ \cdot\end{bmatrix}
//!    =\begin{bmatrix}\mathbf 0\\ -\boldsymbol\Phi\end{bmatrix} $$
//!
//! so that it bends stiff springs and contacts least, and costs back substitutions alone. It keeps
//! the order of the method.

use crate::control::ErrorEstimate;
use crate::newton::{ErrorScales, NewtonTrial};
use crate::state::State;
use crate::system::{Instant, System};

/// Corrections of the positions at most; each leaves a small part of the error.
const MAX_CORRECTIONS: usize = 8;
/// Positions count as closed at this size, in units of the largest coordinate and at least of 1.
const CLOSED: f64 = 4e-16;

/// Working storage of projections.
#[derive(Debug)]
pub(crate) struct Projection {
    values: Vec<f64>,
    correction: Vec<f64>,
    q: Vec<f64>,
    /// What the last step was moved by: displacements and velocities.
    moved: ErrorScales,
}

impl Projection {
    pub(crate) fn new<S: System>(system: &S) -> Self {
        Self {
            values: vec![0.0; system.multipliers().len()],
            correction: vec![0.0; system.dofs()],
            q: vec![0.0; system.coordinates()],
            moved: ErrorScales {
                displacement: vec![0.0; system.dofs()],
                velocity: vec![0.0; system.dofs()],
            },
        }
    }

    /// The error that the last projection took away, in units of the tolerated one: in the
    /// directions that constraints hold it is the error of the step.
    pub(crate) fn size(&self, allowed: &ErrorScales) -> ErrorEstimate {
        let mut worst = ErrorEstimate {
            error: 0.0,
            worst: 0,
        };
        if self.values.is_empty() {
            return worst;
        }
        let pairs = [
            (&self.moved.displacement, &allowed.displacement),
            (&self.moved.velocity, &allowed.velocity),
        ];
        for (moved, allowed) in pairs {
            for (i, (x, scale)) in moved.iter().zip(allowed).enumerate() {
                let error = x.abs() / scale;
                if error > worst.error || error.is_nan() {
                    worst = ErrorEstimate { error, worst: i };
                }
            }
        }
        worst
    }

    /// Moves the end of a step from `from` onto its constraints.
    pub(crate) fn apply<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        from: &State,
        trial: &mut NewtonTrial,
    ) {
        if self.values.is_empty() {
            return;
        }
        self.moved.displacement.copy_from_slice(&trial.displacement);
        self.close(system, scratch, from, trial);
        for (moved, d) in self.moved.displacement.iter_mut().zip(&trial.displacement) {
            *moved = d - *moved;
        }
        self.moved.velocity.fill(0.0);
        let state = &mut trial.state;
        // rates are linear in the velocities; a second correction takes what old factors leave
        for _ in 0..2 {
            system.constraint_rates(scratch, &Instant::of(state, 0.0), &mut self.values);
            self.solve(system, scratch);
            let velocities = state.v.iter_mut().zip(&mut self.moved.velocity);
            for ((v, moved), c) in velocities.zip(&self.correction) {
                *v += c;
                *moved += c;
            }
        }
    }

    fn close<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        from: &State,
        trial: &mut NewtonTrial,
    ) {
        let state = &mut trial.state;
        let reach = state.q.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        let mut last = f64::INFINITY;
        for _ in 0..MAX_CORRECTIONS {
            system.constraints(scratch, &Instant::of(state, 0.0), &mut self.values);
            let size = self.values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            if size.is_nan() || size >= last {
                // rounding, or factors that lead away: the place before was better
                state.q.copy_from_slice(&self.q);
                for (d, c) in trial.displacement.iter_mut().zip(&self.correction) {
                    *d -= c;
                }
                return;
            }
            if size <= CLOSED * reach {
                return;
            }
            last = size;
            self.solve(system, scratch);
            self.q.copy_from_slice(&state.q);
            for (d, c) in trial.displacement.iter_mut().zip(&self.correction) {
                *d += c;
            }
            system.displace(&from.q, &trial.displacement, &mut state.q);
        }
    }

    /// The correction that takes the values away; it leaves multipliers as they are.
    fn solve<S: System>(&mut self, system: &S, scratch: &mut S::Scratch) {
        let rows = system.multipliers();
        self.correction.fill(0.0);
        for (c, value) in self.correction[rows.clone()].iter_mut().zip(&self.values) {
            *c = -value;
        }
        system.solve(scratch, &mut self.correction);
        self.correction[rows].fill(0.0);
    }
}
