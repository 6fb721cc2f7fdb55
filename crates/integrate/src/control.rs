//! Error estimates and the length of the next step.

use crate::archive::StateArchive;
use crate::halves::Halves;
use crate::method::Method;
use crate::newton::{self, ErrorScales, NewtonTrial};
use crate::state::State;
use crate::system::System;

/// Safety factor of the step-size rule.
const SAFETY: f64 = 0.9;
/// Bounds on the change of the step.
const SHRINK: f64 = 0.2;
const GROW: f64 = 2.0;
/// Growth below this keeps the step, and with it the factors.
const KEEP: f64 = 1.15;

/// The history alone may refuse a step so many times. It moves by an exact update; what does not
/// fall with the step is a jump of a law (a contact that opens forgets its deflection), and what
/// that does to the motion is seen by the other estimates.
const MAX_REFUSALS: usize = 6;

/// The error of a step, in units of the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ErrorEstimate {
    pub(crate) error: f64,
    /// The degree of freedom with the largest share (`dofs + i` for history entry `i`).
    pub(crate) worst: usize,
}

impl ErrorEstimate {
    /// The larger of two estimates.
    pub(crate) fn with(self, other: Self) -> Self {
        if other.error > self.error || other.error.is_nan() {
            other
        } else {
            self
        }
    }
}

/// A converged trial of a step.
pub(crate) struct TriedStep<'a> {
    pub(crate) from: &'a State,
    pub(crate) trial: &'a NewtonTrial,
    pub(crate) method: Method,
}

/// Keeps what the estimates need of the past, and the scales.
#[derive(Debug)]
pub(crate) struct ErrorControl {
    tolerance: f64,
    natural: ErrorScales,
    /// The largest natural size of every history entry so far, and with the step judged last.
    history_scales: Vec<f64>,
    trial_scales: Vec<f64>,
    halves: Halves,
    /// Displacement of every degree of freedom since the start, and its largest size.
    pub(crate) travelled: Vec<f64>,
    reach: Vec<f64>,
    pub(crate) allowed: ErrorScales,
    /// Acceleration and history of the accepted states before the current one, newest first.
    past: Vec<PastState>,
    depth: usize,
    work: Vec<f64>,
    filtered: Vec<f64>,
    /// Trials of this step that only the history refused.
    refusals: usize,
}

#[derive(Debug, Default, Clone)]
struct PastState {
    t: f64,
    a: Vec<f64>,
    history: Vec<f64>,
}

impl ErrorControl {
    pub(crate) fn new<S: System>(system: &S, tolerance: f64) -> Self {
        let n = system.dofs();
        let mut natural = ErrorScales {
            displacement: vec![0.0; n],
            velocity: vec![0.0; n],
        };
        system.scales(&mut natural.displacement, &mut natural.velocity);
        let past = PastState {
            t: 0.0,
            a: vec![0.0; n],
            history: vec![0.0; system.history_len()],
        };
        Self {
            tolerance,
            allowed: natural.clone(),
            natural,
            history_scales: vec![0.0; system.history_len()],
            trial_scales: vec![0.0; system.history_len()],
            halves: Halves::new(system),
            travelled: vec![0.0; n],
            reach: vec![0.0; n],
            past: vec![past; 2],
            depth: 0,
            work: vec![0.0; n],
            filtered: vec![0.0; n],
            refusals: 0,
        }
    }

    /// Sets the tolerated errors at the committed state: tolerance × (natural size + size reached).
    pub(crate) fn set_tolerances(&mut self, state: &State) {
        for i in 0..self.reach.len() {
            self.allowed.displacement[i] =
                self.tolerance * (self.natural.displacement[i] + self.reach[i]);
            self.allowed.velocity[i] =
                self.tolerance * (self.natural.velocity[i] + state.v[i].abs());
        }
    }

    /// The state before the committed one, since the loads jumped.
    pub(crate) fn last(&self) -> Option<newton::PastAccelerations<'_>> {
        let PastState { t, a, .. } = &self.past[0];
        (self.depth > 0).then_some(newton::PastAccelerations { t: *t, a })
    }

    /// Forgets the past, after a jump of the loads.
    pub(crate) fn forget(&mut self) {
        self.depth = 0;
    }

    /// Puts what it keeps of the past into an archive, or takes it from there.
    pub(crate) fn archive(&mut self, archive: &mut StateArchive) {
        archive.numbers(&mut self.history_scales);
        archive.numbers(&mut self.trial_scales);
        archive.numbers(&mut self.travelled);
        archive.numbers(&mut self.reach);
        archive.count(&mut self.depth);
        archive.count(&mut self.refusals);
        for past in &mut self.past {
            archive.number(&mut past.t);
            archive.numbers(&mut past.a);
            archive.numbers(&mut past.history);
        }
    }

    /// Books an accepted step from `before`.
    pub(crate) fn accept(&mut self, before: &State, displacement: &[f64]) {
        self.refusals = 0;
        self.history_scales.copy_from_slice(&self.trial_scales);
        self.past.rotate_right(1);
        let newest = &mut self.past[0];
        newest.t = before.t;
        newest.a.copy_from_slice(&before.a);
        newest.history.copy_from_slice(&before.history);
        self.depth = (self.depth + 1).min(2);
        for ((sum, reach), d) in self
            .travelled
            .iter_mut()
            .zip(&mut self.reach)
            .zip(displacement)
        {
            *sum += d;
            *reach = reach.max(sum.abs());
        }
    }

    /// The load sets the size of a friction state: an error counts against the largest one so far,
    /// also where a load begins or ends at 0.
    fn size_history<S: System>(&mut self, system: &S, state: &State) {
        system.history_scales(state, &mut self.trial_scales);
        for (scale, before) in self.trial_scales.iter_mut().zip(&self.history_scales) {
            *scale = scale.max(*before);
        }
    }

    /// The local error of positions, velocities and history, each against its own scale.
    ///
    /// Positions: C_q h² (a_{n+1} − a_n); velocities: C_v h³ q⁗ from three accelerations; both
    /// filtered by S⁻¹M so that a stiff mode does not hold the step down, but for steps in which a
    /// load begins.
    /// History: h³/12 of the third divided difference. Where that refuses a step, it may be a kink
    /// (a spring that begins to slide), which the update follows exactly: the same step in two
    /// halves decides.
    pub(crate) fn estimate<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        step: &TriedStep<'_>,
    ) -> ErrorEstimate {
        let TriedStep {
            from,
            trial,
            method,
        } = *step;
        let to = &trial.state;
        let h = to.t - from.t;
        let (c_q, c_v) = method.error_constants();
        let n = from.a.len();
        let mut worst = ErrorEstimate {
            error: 0.0,
            worst: 0,
        };
        let mut note = |error: f64, i: usize| {
            if error > worst.error || error.is_nan() {
                worst = ErrorEstimate { error, worst: i };
            }
        };

        // a mode that is stiff from the start of the step on may be filtered; one that begins in it is
        // an impact
        let is_stiff = !system.load_begins(from, to);
        let filter = |scratch: &mut S::Scratch, work: &[f64], filtered: &mut [f64]| {
            if is_stiff {
                system.apply_mass(scratch, work, filtered);
                system.solve(scratch, filtered);
            } else {
                filtered.copy_from_slice(work);
            }
        };

        for i in 0..n {
            self.work[i] = to.a[i] - from.a[i];
        }
        filter(scratch, &self.work, &mut self.filtered);
        for i in 0..n {
            let scale = self.allowed.displacement[i] + self.tolerance * trial.displacement[i].abs();
            note(c_q * h * h * self.filtered[i].abs() / scale, i);
        }

        // second difference of the accelerations; at a start the first difference stands in
        if self.depth > 0 {
            let old = &self.past[0];
            let h_old = from.t - old.t;
            for i in 0..n {
                let slope_change = self.work[i] / h - (from.a[i] - old.a[i]) / h_old;
                self.work[i] = slope_change * 2.0 * h * h / (h + h_old);
            }
        }
        filter(scratch, &self.work, &mut self.filtered);
        for i in 0..n {
            let scale = self.allowed.velocity[i].max(self.tolerance * to.v[i].abs());
            note(c_v * h * self.filtered[i].abs() / scale, i);
        }

        self.size_history(system, to);
        if self.depth >= 2 {
            let (mut error, mut entry) = self.history_error(from, to, h);
            if error > 1.0 && worst.error <= 1.0 {
                self.halves.advance(system, scratch, from, trial);
                (error, entry) = self.halves_error(to);
            }
            if error > 1.0 && worst.error <= 1.0 {
                self.refusals += 1;
            }
            if self.refusals > MAX_REFUSALS && error > 1.0 {
                self.depth = 0;
            } else if error > worst.error || error.is_nan() {
                worst = ErrorEstimate {
                    error,
                    worst: n + entry,
                };
            }
        }
        worst
    }

    /// The largest h³/12 of the third divided difference of the history entries that have a size.
    fn history_error(&self, from: &State, to: &State, h: f64) -> (f64, usize) {
        let (old, older) = (&self.past[0], &self.past[1]);
        let (h1, h2) = (from.t - old.t, old.t - older.t);
        let mut worst = (0.0, 0);
        for (i, &scale) in self.trial_scales.iter().enumerate() {
            if scale <= 0.0 {
                continue;
            }
            let d0 = (to.history[i] - from.history[i]) / h;
            let d1 = (from.history[i] - old.history[i]) / h1;
            let d2 = (old.history[i] - older.history[i]) / h2;
            let third = 6.0 * ((d0 - d1) / (h + h1) - (d1 - d2) / (h1 + h2)) / (h + h1 + h2);
            let error = h.powi(3) / 12.0 * third.abs() / (self.tolerance * scale);
            if error > worst.0 || error.is_nan() {
                worst = (error, i);
            }
        }
        worst
    }
}

impl ErrorControl {
    /// The largest difference that two halves of the step make to the history.
    fn halves_error(&self, to: &State) -> (f64, usize) {
        let mut worst = (0.0, 0);
        let entries = self.trial_scales.iter().zip(&to.history);
        for (i, ((scale, once), twice)) in entries.zip(self.halves.history()).enumerate() {
            let error = (once - twice).abs() / (self.tolerance * scale);
            if *scale > 0.0 && (error > worst.0 || error.is_nan()) {
                worst = (error, i);
            }
        }
        worst
    }
}

/// The factor on the step after a step with this error (third order locally).
pub(crate) fn factor(error: f64) -> f64 {
    if error.is_nan() {
        return SHRINK;
    }
    let ideal = SAFETY * error.max(1e-12).powf(-1.0 / 3.0);
    let factor = ideal.clamp(SHRINK, GROW);
    if (1.0..KEEP).contains(&factor) {
        1.0
    } else {
        factor
    }
}
