//! Who observes a run, and what it costs.

use crate::state::State;
use crate::system::System;

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End here; what was computed is kept.
    Stop,
}

/// An accepted step, seen by the observer.
#[derive(Debug)]
pub struct Segment<'a, S: System> {
    /// The system.
    pub system: &'a S,
    /// The state before.
    pub before: &'a State,
    /// The state after.
    pub after: &'a State,
    /// The displacement of the step.
    pub displacement: &'a [f64],
    /// The time of the last evaluation of the step: just before a jump of the loads.
    pub closing_time: f64,
}

impl<S: System> Segment<'_, S> {
    /// The state at time `t` of the step: cubic in the displacement, linear in q̈.
    pub fn interpolate(&self, scratch: &mut S::Scratch, t: f64, work: &mut [f64], out: &mut State) {
        let h = self.after.t - self.before.t;
        let s = ((t - self.before.t) / h).clamp(0.0, 1.0);
        out.t = t;
        for (i, displacement) in work.iter_mut().enumerate() {
            let (d, v0, v1) = (self.displacement[i], self.before.v[i], self.after.v[i]);
            let (c2, c3) = (3.0 * d - h * (2.0 * v0 + v1), h * (v0 + v1) - 2.0 * d);
            *displacement = s * (h * v0 + s * (c2 + s * c3));
            out.v[i] = v0 + s * (2.0 * c2 + s * 3.0 * c3) / h;
            out.a[i] = self.before.a[i] + s * (self.after.a[i] - self.before.a[i]);
        }
        self.system.displace(&self.before.q, work, &mut out.q);
        self.system
            .history_between(scratch, [self.before, self.after], s, &mut out.history);
    }
}

/// Sees every accepted step.
pub trait Observer<S: System> {
    /// The state at the start.
    fn start(&mut self, system: &S, state: &State) -> Flow;
    /// An accepted step.
    fn accepted(&mut self, segment: &Segment<'_, S>) -> Flow;
    /// Velocities jumped at the end of the last step, which did this work (J).
    fn jumped(&mut self, _system: &S, _work: f64) {}
    /// The state after a jump of loads, velocities or modes at the end of the last step, with the
    /// accelerations that belong to it.
    fn restarted(&mut self, _system: &S, _state: &State) {}
}

/// Steps that were accepted with an error above the tolerance, because they were the smallest ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Forced {
    /// Their number.
    pub count: usize,
    /// Time of the first and the last one, s.
    pub first: f64,
    /// See `first`.
    pub last: f64,
    /// The largest error, in units of the tolerance.
    pub error: f64,
    /// The element or coordinate where it was.
    pub element: String,
}

/// What a run cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Newton iterations: evaluations of the equations of motion.
    pub iterations: usize,
    /// Changes of mode that were located.
    pub mode_changes: usize,
    /// Steps accepted with too large an error.
    pub forced: Option<Box<Forced>>,
    /// Whether the observer ended the run.
    pub stopped: bool,
}
