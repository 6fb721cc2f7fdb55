//! The committed state of a run.

use crate::system::System;

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
}

impl State {
    /// A state of the right sizes, all zero.
    pub fn zeros<S: System>(system: &S) -> Self {
        let n = system.dofs();
        Self {
            t: 0.0,
            q: vec![0.0; system.coordinates()],
            v: vec![0.0; n],
            a: vec![0.0; n],
            algorithmic: vec![0.0; n],
            history: vec![0.0; system.history_len()],
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
    }
}
