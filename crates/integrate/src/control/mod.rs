//! Error estimates and the length of the next step.

mod factor;
mod staged;

pub(crate) use staged::StagedTrial;

use crate::archive::StateArchive;
use crate::group::{DofGroup, FastModes};
use crate::halves::Halves;
use crate::method::{GeneralisedAlpha, Method};
use crate::newton::{self, ErrorScales, NewtonTrial};
use crate::plan::Plan;
use crate::state::State;
use crate::system::System;

/// The largest turn of a step by stages, rad: well below the half turn of a rotation vector.
const TURN_OF_A_STEP: f64 = 2.0;
/// The part of the error of a place in an elastic structure that the error of its velocity may make
/// in a step by stages.
const UNASKED: f64 = 1.0;
/// Errors of the fourth-order method are held at this part of the tolerance: steps add up, and so it
/// is worth its half more steps that a run without any setting has three digits.
const AIM: f64 = 0.1;
/// An orientation is never further from another one than this order, rad: turns do not add up.
const LARGEST_TURN: f64 = 1.0;

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
    pub(crate) method: GeneralisedAlpha,
}

/// Keeps what the estimates need of the past, and the scales.
#[derive(Debug)]
pub(crate) struct ErrorControl {
    tolerance: f64,
    /// [`UNASKED`], or 0.
    unasked: f64,
    natural: ErrorScales,
    /// The largest natural size of every history entry so far, and with the step judged last.
    history_scales: Vec<f64>,
    trial_scales: Vec<f64>,
    /// Which entries have a size of their own at the start of the step, and at its end.
    loaded: [Vec<bool>; 2],
    halves: Halves,
    /// Which entries of the history follow a path.
    paths: Vec<bool>,
    /// Displacement of every degree of freedom since the start, and its largest size.
    pub(crate) travelled: Vec<f64>,
    reach: Vec<f64>,
    /// The largest speed so far.
    fastest: Vec<f64>,
    groups: Vec<DofGroup>,
    pub(crate) allowed: ErrorScales,
    /// Acceleration and history of the accepted states before the current one, newest first.
    past: Vec<PastState>,
    depth: usize,
    work: Vec<f64>,
    filtered: Vec<f64>,
    /// Errors of a step by stages, with those of the history.
    stage_errors: Vec<f64>,
    /// Trials of this step that only the history refused.
    refusals: usize,
    /// Error of the last accepted step; 1 at a start.
    last_error: f64,
    /// Whether a trial of this step was refused.
    refused: bool,
}

#[derive(Debug, Default, Clone)]
struct PastState {
    t: f64,
    a: Vec<f64>,
    history: Vec<f64>,
}

impl ErrorControl {
    pub(crate) fn new<S: System>(system: &S, plan: &Plan) -> Self {
        // the steps of a method of second order are so short that nothing would be left to hold
        let (tolerance, unasked) = match plan.method {
            Method::GeneralisedAlpha(_) => (plan.tolerance, 0.0),
            Method::Esdirk4 => (AIM * plan.tolerance, UNASKED),
        };
        let n = system.dofs();
        let mut natural = ErrorScales {
            displacement: vec![0.0; n],
            velocity: vec![0.0; n],
        };
        system.scales(&mut natural.displacement, &mut natural.velocity);
        let mut paths = vec![true; system.history_len()];
        for range in system.staged() {
            paths[range].fill(false);
        }
        let past = PastState {
            t: 0.0,
            a: vec![0.0; n],
            history: vec![0.0; system.history_len()],
        };
        Self {
            tolerance,
            unasked,
            allowed: natural.clone(),
            natural,
            history_scales: vec![0.0; system.history_len()],
            trial_scales: vec![0.0; system.history_len()],
            loaded: std::array::from_fn(|_| vec![false; system.history_len()]),
            halves: Halves::new(system),
            paths,
            travelled: vec![0.0; n],
            reach: vec![0.0; n],
            fastest: vec![0.0; n],
            groups: system.groups().to_vec(),
            past: vec![past; 2],
            depth: 0,
            work: vec![0.0; n],
            filtered: vec![0.0; n],
            stage_errors: vec![0.0; system.history_len()],
            refusals: 0,
            last_error: 1.0,
            refused: false,
        }
    }

    /// Sets the tolerated errors for a step of `h` s from the committed state: tolerance × (natural
    /// size + size reached). In an elastic structure a velocity may be off by what moves a place by a
    /// part of its own error in the step: modes that nobody asked for need not be followed.
    ///
    /// The speed is the largest so far, since that of the moment passes through zero where its error
    /// is largest. Generalised-α, whose errors are far below its estimates where things come to
    /// rest, has the largest of rotations only.
    pub(crate) fn set_tolerances(&mut self, state: &State, h: f64) {
        for group in &self.groups {
            let of_moment = self.unasked == 0.0 && !group.turns;
            let moment = group.norm(&state.v);
            for i in group.dofs.clone() {
                let size = self.natural.displacement[i] + self.reach[i];
                let fastest = if of_moment { moment } else { self.fastest[i] };
                self.allowed.displacement[i] = self.tolerance * size;
                self.allowed.velocity[i] = self.tolerance * (self.natural.velocity[i] + fastest);
            }
        }
        for group in &self.groups {
            let most = match group.fast_modes {
                FastModes::Exact => continue,
                FastModes::Ringing => 1.0 / AIM,
                FastModes::Structure => f64::INFINITY,
            };
            for i in group.dofs.clone() {
                let moving = self.unasked * self.allowed.displacement[i] / h;
                let exact = self.allowed.velocity[i];
                self.allowed.velocity[i] = exact.max(moving.min(most * exact));
            }
        }
    }

    /// The longest step by stages from a state: its rotations must be small enough for rotation
    /// vectors.
    pub(crate) fn longest_turn(&self, state: &State) -> f64 {
        let turning = self.groups.iter().filter(|group| group.turns);
        let fastest = turning.fold(0.0_f64, |most, group| most.max(group.norm(&state.v)));
        TURN_OF_A_STEP / fastest
    }

    /// The state before the committed one, since the loads jumped.
    pub(crate) fn last(&self) -> Option<newton::PastAccelerations<'_>> {
        let PastState { t, a, .. } = &self.past[0];
        (self.depth > 0).then_some(newton::PastAccelerations { t: *t, a })
    }

    /// Forgets the past, after a jump of the loads.
    pub(crate) fn forget(&mut self) {
        self.depth = 0;
        self.last_error = 1.0;
    }

    /// Puts what it keeps of the past into an archive, or takes it from there.
    pub(crate) fn archive(&mut self, archive: &mut StateArchive) {
        archive.numbers(&mut self.history_scales);
        archive.numbers(&mut self.trial_scales);
        for loaded in &mut self.loaded[0] {
            archive.flag(loaded);
        }
        archive.numbers(&mut self.travelled);
        archive.numbers(&mut self.reach);
        archive.numbers(&mut self.fastest);
        archive.number(&mut self.last_error);
        archive.count(&mut self.depth);
        archive.count(&mut self.refusals);
        for past in &mut self.past {
            archive.number(&mut past.t);
            archive.numbers(&mut past.a);
            archive.numbers(&mut past.history);
        }
    }

    /// Books an accepted step from `before` to `after`.
    pub(crate) fn accept(&mut self, before: &State, after: &State, displacement: &[f64]) {
        self.refusals = 0;
        self.refused = false;
        self.history_scales.copy_from_slice(&self.trial_scales);
        self.loaded.swap(0, 1);
        self.past.rotate_right(1);
        let newest = &mut self.past[0];
        newest.t = before.t;
        newest.a.copy_from_slice(&before.a);
        newest.history.copy_from_slice(&before.history);
        self.depth = (self.depth + 1).min(2);
        for (sum, d) in self.travelled.iter_mut().zip(displacement) {
            *sum += d;
        }
        for group in &self.groups {
            let (mut reach, speed) = (group.norm(&self.travelled), group.norm(&after.v));
            if group.turns {
                reach = reach.min(LARGEST_TURN);
            }
            for i in group.dofs.clone() {
                self.reach[i] = self.reach[i].max(reach);
                self.fastest[i] = self.fastest[i].max(speed);
            }
        }
    }

    /// The load sets the size of a friction state: an error counts against the largest one so far,
    /// also where a load begins or ends at 0.
    fn size_history<S: System>(&mut self, system: &S, state: &State) {
        system.history_scales(state, &mut self.trial_scales);
        let before = self.loaded[1].iter_mut().zip(&self.history_scales);
        for (scale, (loaded, before)) in self.trial_scales.iter_mut().zip(before) {
            *loaded = *scale > 0.0;
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
        for group in &self.groups {
            let moved = self.tolerance * group.norm(&trial.displacement);
            let scale = group.least(&self.allowed.displacement) + moved;
            let error = c_q * h * h * group.norm(&self.filtered);
            note(error / scale, group.dofs.start);
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
        for group in &self.groups {
            let speed = self.tolerance * group.norm(&to.v);
            let scale = group.least(&self.allowed.velocity).max(speed);
            note(
                c_v * h * group.norm(&self.filtered) / scale,
                group.dofs.start,
            );
        }

        self.size_history(system, to);
        if self.depth >= 2 {
            worst = self.with_history(system, scratch, step, worst);
        }
        worst
    }

    /// The error of the history beside `worst`, that of the motion.
    fn with_history<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        step: &TriedStep<'_>,
        mut worst: ErrorEstimate,
    ) -> ErrorEstimate {
        let TriedStep { from, trial, .. } = *step;
        let to = &trial.state;
        let (mut error, mut entry) = self.history_error(from, to, to.t - from.t);
        if error > 1.0 && worst.error <= 1.0 {
            self.halves.advance(system, scratch, from, trial);
            (error, entry) = self.halves_error(&to.history, None);
        }
        if error > 1.0 && worst.error <= 1.0 {
            self.refusals += 1;
        }
        if self.refusals > MAX_REFUSALS && error > 1.0 {
            self.depth = 0;
        } else if error > worst.error || error.is_nan() {
            worst = ErrorEstimate {
                error,
                worst: from.a.len() + entry,
            };
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
    /// The largest difference that two halves of the step make to the history of the whole one, or to some of its
    /// entries. Nothing follows from those that bear no load in all of the step.
    fn halves_error(&self, whole: &[f64], entries: Option<&[bool]>) -> (f64, usize) {
        let mut worst = (0.0, 0);
        let sized = self.trial_scales.iter().zip(whole);
        for (i, ((scale, once), twice)) in sized.zip(self.halves.history()).enumerate() {
            let error = (once - twice).abs() / (self.tolerance * scale);
            let is_loaded = self.loaded.iter().any(|loaded| loaded[i]);
            let counts = is_loaded && entries.is_none_or(|entries| entries[i]);
            if counts && (error > worst.0 || error.is_nan()) {
                worst = (error, i);
            }
        }
        worst
    }
}
