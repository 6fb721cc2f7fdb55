//! The committed state of a run.

use crate::archive::StateArchive;

/// Time, coordinates, velocities, accelerations and history at one instant.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Time, s.
    pub t: f64,
    /// Coordinates on the group (a free body has a quaternion).
    pub q: Vec<f64>,
    /// Generalised velocities.
    pub v: Vec<f64>,
    /// Accelerations q̈ that satisfy the equations of motion at `t`.
    pub a: Vec<f64>,
    /// The method's own acceleration, at t + (α_m − α_f) h.
    pub algorithmic: Vec<f64>,
    /// Memory of the force elements (friction states, modes).
    pub history: Vec<f64>,
    /// Rates of the history entries that have some, at `t`.
    pub history_rates: Vec<f64>,
}

impl State {
    /// Puts the state into an archive, or takes it from there.
    pub fn archive(&mut self, archive: &mut StateArchive) {
        archive.number(&mut self.t);
        let Self {
            q,
            v,
            a,
            algorithmic,
            history,
            history_rates,
            ..
        } = self;
        for numbers in [q, v, a, algorithmic, history, history_rates] {
            archive.numbers(numbers);
        }
    }

    /// Copies another state of the same sizes without allocating.
    pub fn copy_from(&mut self, other: &Self) {
        self.t = other.t;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.a.copy_from_slice(&other.a);
        self.algorithmic.copy_from_slice(&other.algorithmic);
        self.history.copy_from_slice(&other.history);
        self.history_rates.copy_from_slice(&other.history_rates);
    }
}
