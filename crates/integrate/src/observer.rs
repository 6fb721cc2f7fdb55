//! Who observes a run, and what it costs.

use crate::group::rotation_rate;
use crate::path::PathEnds;
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
    /// How quantities are integrated over the step, where that is more than a rule of both ends.
    pub quadrature: Option<Quadrature<'a>>,
    /// The path within the step.
    pub path: PathOrder,
}

/// A stage of a step, with its weight in integrals over the step.
#[derive(Clone, Debug)]
pub struct StagePoint {
    /// The state there.
    pub state: State,
    /// Weight, s.
    pub weight: f64,
}

/// An integral over a step: Σ weight × value, at the start and at the points.
#[derive(Clone, Copy, Debug)]
pub struct Quadrature<'a> {
    /// Weight of the start, s.
    pub start_weight: f64,
    /// The points; the last one is the end.
    pub points: &'a [StagePoint],
}

/// The polynomial of displacements within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathOrder {
    /// Places and velocities of both ends.
    Cubic,
    /// Their accelerations too.
    Quintic,
}

/// What is kept from one instant of a step to the next while it is interpolated.
#[derive(Clone, Debug)]
pub struct PathWork {
    displacement: Vec<f64>,
    /// [`System::history_end`] of the start and the end, once they are known.
    ends: [Vec<f64>; 2],
    knows_ends: bool,
}

impl PathWork {
    /// For a system.
    pub fn new<S: System>(system: &S) -> Self {
        Self {
            displacement: vec![0.0; system.dofs()],
            ends: [(); 2].map(|()| vec![0.0; system.history_len()]),
            knows_ends: false,
        }
    }

    /// Another step is looked at from now on.
    pub fn renew(&mut self) {
        self.knows_ends = false;
    }
}

impl<S: System> Segment<'_, S> {
    /// The state at time `t` of the step; see [`PathOrder`]. Accelerations are linear, or those of the
    /// quintic. `path` was [renewed](PathWork::renew) for this step.
    pub fn interpolate(
        &self,
        scratch: &mut S::Scratch,
        t: f64,
        path: &mut PathWork,
        out: &mut State,
    ) {
        let PathWork {
            displacement: work,
            ends,
            knows_ends,
        } = path;
        let h = self.after.t - self.before.t;
        let s = ((t - self.before.t) / h).clamp(0.0, 1.0);
        out.t = t;
        for (i, displacement) in work.iter_mut().enumerate() {
            let ends = PathEnds {
                h,
                displacement: self.displacement[i],
                velocities: [self.before.v[i], self.after.v[i]],
                accelerations: [self.before.a[i], self.after.a[i]],
            };
            let at = match self.path {
                PathOrder::Quintic if ends.is_smooth() => ends.quintic(s),
                _ => ends.cubic(s),
            };
            (*displacement, out.v[i], out.a[i]) = (at.displacement, at.velocity, at.acceleration);
        }
        if self.path == PathOrder::Quintic {
            self.turns(s, work, out);
        }
        self.system.displace(&self.before.q, work, &mut out.q);
        let states = [self.before, self.after];
        if !*knows_ends {
            for (state, end) in states.iter().zip(ends.iter_mut()) {
                self.system.history_end(scratch, state, end);
            }
            *knows_ends = true;
        }
        let [start, end] = &*ends;
        let ends = [(states[0], &start[..]), (states[1], &end[..])];
        self.system.history_between(scratch, ends, s, out);
    }

    /// Rotations: the rate of the rotation vector at the end is not the angular velocity there, and
    /// angular velocities have a cubic of their own.
    fn turns(&self, s: f64, work: &mut [f64], out: &mut State) {
        let h = self.after.t - self.before.t;
        for group in self.system.groups().iter().filter(|group| group.turns) {
            let theta = group.vector(self.displacement);
            let w = [self.before, self.after].map(|state| group.vector(&state.v));
            let alpha = [self.before, self.after].map(|state| group.vector(&state.a));
            let rate = rotation_rate(theta, w[1]);
            for k in 0..3 {
                let i = group.dofs.start + k;
                let path = PathEnds {
                    h,
                    displacement: theta[k],
                    velocities: [w[0][k], rate[k]],
                    accelerations: [0.0; 2],
                };
                work[i] = path.cubic(s).displacement;
                let speeds = PathEnds {
                    h,
                    displacement: w[1][k] - w[0][k],
                    velocities: [alpha[0][k], alpha[1][k]],
                    accelerations: [0.0; 2],
                };
                let speed = speeds.cubic(s);
                (out.v[i], out.a[i]) = (w[0][k] + speed.displacement, speed.velocity);
            }
        }
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
