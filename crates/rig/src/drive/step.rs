//! Error-controlled steps along a segment.

use super::pieces::LinearPiece;
use super::{DriveError, Driver};
use bristle_laws::law::slip::norm;
use bristle_laws::{MAX_STATES, Slip, Step};

/// Steps of one segment, rejected ones included.
const MOST_STEPS: usize = 200_000;

/// The shortest step, as a share of the segment: some roundings of a share.
const SHORTEST: f64 = 1e-14;

/// Step change after an error test.
const SAFETY: f64 = 0.9;
const LEAST_FACTOR: f64 = 0.1;
const LARGEST_FACTOR: f64 = 5.0;

/// A step across a switch is shortened by this.
const SWITCH_FACTOR: f64 = 0.25;

/// Switches per state within one piece, after which modes are no longer looked at: where a
/// law slides along the border of two modes (an element across the motion, as the motion turns),
/// the update mixes them, and the differences of its results are the error.
const SWITCHES_OF_A_STATE: usize = 8;

/// The tolerance there is this much wider: a step leaves the state beside the border in
/// proportion to its length, which does not add up over steps.
const BORDER: f64 = 30.0;

/// A step as short as this share of the segment that moves no state by more than that share of
/// its scale is at one instant: shorter ones would not come nearer to a switch.
const SHORT: f64 = 1e-7;
const STANDS: f64 = 1e-14;

/// A clock or a level runs on at that instant: it moves by this share of its scale at most.
const RUNS: f64 = 1e-9;

/// State after a step and the force there.
#[derive(Clone, Copy)]
struct Reached<const D: usize> {
    state: [f64; MAX_STATES],
    force: [f64; D],
}

/// A stretch of the motion in one, two and four steps.
struct TrialStretch<const D: usize> {
    one: Reached<D>,
    two: Reached<D>,
    four: Reached<D>,
    modes_hold: bool,
}

/// Whether results are smooth enough to be extrapolated.
#[derive(Clone, Copy)]
enum Extrapolate {
    Yes,
    No,
}

/// What the results of a trial say about each other.
enum TrialVerdict {
    /// Error relative to the scales.
    Smooth(f64),
    /// A mode switched at different instants, or a number overflowed.
    Switch,
}

impl<const D: usize> Driver<'_, D> {
    /// Integrates the state over a segment.
    pub(super) fn follow(&mut self, segment: &LinearPiece<D>) -> Result<(), DriveError> {
        let mut cuts = std::mem::take(&mut self.cuts);
        let pace = self.pace_of_load(segment);
        segment.cut(&self.speeds, &self.knots, pace, &mut cuts);
        let (mut start, mut steps) = (0.0, 0);
        let mut result = Ok(());
        for &end in &cuts {
            result = self.piece(segment, start, end, &mut steps);
            if result.is_err() {
                break;
            }
            self.come_to_rest(segment, start, end);
            start = end;
        }
        self.cuts = cuts;
        result
    }

    /// The speed at which a deflection grows as fast as its limit, as the load does.
    fn pace_of_load(&self, segment: &LinearPiece<D>) -> f64 {
        let limit = |load| self.law.breakaway_deflection(load).unwrap_or_default();
        (limit(2.0) - limit(1.0)) * segment.load_rate().abs()
    }

    /// Modes of a pair that stands still for an instant only end there.
    fn come_to_rest(&mut self, segment: &LinearPiece<D>, start: f64, end: f64) {
        let slip = segment.slip(end);
        if norm(&slip.velocity) > 0.0 || norm(&segment.slip(start).velocity) <= 0.0 {
            return;
        }
        let rested = self.with_modes_set(&slip, &segment.change_rate(), &self.state);
        let count = self.state.len();
        self.state.copy_from_slice(&rested.state[..count]);
    }

    fn piece(
        &mut self,
        segment: &LinearPiece<D>,
        start: f64,
        end: f64,
        steps: &mut usize,
    ) -> Result<(), DriveError> {
        let duration = segment.duration();
        let (mut at, mut switches) = (start, 0);
        let most_switches = SWITCHES_OF_A_STATE * self.state.len();
        while at < end {
            *steps += 1;
            if *steps > MOST_STEPS {
                let (from, to) = segment.ends();
                let t = segment.time(at);
                return Err(DriveError::TooManySteps {
                    from,
                    to,
                    t,
                    limit: MOST_STEPS,
                });
            }
            let wanted = (self.next_step / duration).max(SHORTEST);
            // no sliver is left at the end of a piece
            let whole = at + 1.01 * wanted >= end;
            let next = if whole { end } else { at + wanted };
            let taken = next - at;
            let trial = self.trial(segment, at, next);
            let watch_modes = switches < most_switches;
            let verdict = self.judge(&trial, watch_modes);
            let rtol = if watch_modes {
                self.rtol
            } else {
                BORDER * self.rtol
            };
            let shortest = taken <= 2.0 * SHORTEST || (taken <= SHORT && self.stands(&trial));
            let factor = match verdict {
                TrialVerdict::Smooth(error) if error <= rtol => {
                    self.accept(&trial, Extrapolate::Yes);
                    at = next;
                    (SAFETY * (rtol / error).cbrt()).clamp(LEAST_FACTOR, LARGEST_FACTOR)
                }
                _ if shortest => {
                    switches += usize::from(matches!(verdict, TrialVerdict::Switch));
                    self.accept(&trial, Extrapolate::No);
                    at = next;
                    let slip = segment.slip(at);
                    self.law
                        .set_modes_after_event(&slip, &segment.change_rate(), &mut self.state);
                    LARGEST_FACTOR
                }
                TrialVerdict::Smooth(error) => {
                    (SAFETY * (rtol / error).cbrt()).clamp(LEAST_FACTOR, SAFETY)
                }
                TrialVerdict::Switch => SWITCH_FACTOR,
            };
            // a step cut short by the end of a piece says little about longer ones
            let proposal = taken * duration * factor;
            self.next_step = if at >= end && whole {
                proposal.max(self.next_step)
            } else {
                proposal
            };
            if !self.state.iter().all(|x| x.is_finite()) {
                return Err(DriveError::Overflow {
                    t: segment.time(at),
                });
            }
        }
        Ok(())
    }

    /// The same stretch in one, two and four steps.
    fn trial(&self, segment: &LinearPiece<D>, from: f64, to: f64) -> TrialStretch<D> {
        let change = segment.change_rate();
        let branches = |share, state: &[f64]| {
            let count = self.state.len();
            self.law
                .branches(&segment.slip(share), &change, &state[..count])
        };
        let place = |quarter: f64| from + 0.25 * quarter * (to - from);
        let before = branches(from, &self.state);
        let first = self.stepped(segment, place(0.0), place(1.0), &self.state);
        let second = self.stepped(segment, place(1.0), place(2.0), &first.state);
        let third = self.stepped(segment, place(2.0), place(3.0), &second.state);
        let half = self.stepped(segment, place(0.0), place(2.0), &self.state);
        let four = self.stepped(segment, place(3.0), to, &third.state);
        TrialStretch {
            one: self.stepped(segment, from, to, &self.state),
            two: self.stepped(segment, place(2.0), to, &half.state),
            modes_hold: self.modes_hold([&segment.slip(from), &segment.slip(to)], &change, &four)
                && [(1.0, &first), (2.0, &second), (3.0, &third), (4.0, &four)]
                    .iter()
                    .all(|(quarter, reached)| {
                        before.agree(branches(place(*quarter), &reached.state))
                    }),
            four,
        }
    }

    fn stepped(&self, segment: &LinearPiece<D>, from: f64, to: f64, old: &[f64]) -> Reached<D> {
        let step = Step {
            mean: segment.slip(0.5 * (from + to)),
            end: segment.slip(to),
            duration: (to - from) * segment.duration(),
        };
        self.update(&step, old)
    }

    fn update(&self, step: &Step<f64, D>, old: &[f64]) -> Reached<D> {
        let mut state = [0.0; MAX_STATES];
        let count = self.state.len();
        let force = self.law.update(step, &old[..count], &mut state[..count]);
        Reached { state, force }
    }

    /// A state with the modes that hold just after an instant.
    fn with_modes_set(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &[f64],
    ) -> Reached<D> {
        let count = self.state.len();
        let mut reached = Reached {
            state: [0.0; MAX_STATES],
            force: [0.0; D],
        };
        reached.state[..count].copy_from_slice(&state[..count]);
        if self
            .law
            .set_modes_after_event(slip, change, &mut reached.state[..count])
        {
            reached
        } else {
            self.update(&instant(*slip), state)
        }
    }

    /// Whether the modes are the same from the start of a step, to its end.
    ///
    /// The update judges a switch by the mean conditions of its step. If those at its ends see
    /// it otherwise, the switch is inside the step, even if one step and four agree on it.
    fn modes_hold(
        &self,
        [start, end]: [&Slip<f64, D>; 2],
        change: &Slip<f64, D>,
        reached: &Reached<D>,
    ) -> bool {
        let mut scalars = self.vectors * D..self.state.len();
        if scalars.is_empty() {
            return true;
        }
        let mut before = *reached;
        for i in scalars.clone() {
            if whole(self.state[i]) && whole(reached.state[i]) {
                before.state[i] = self.state[i];
            }
        }
        let first = self.with_modes_set(start, change, &self.state);
        let last = self.with_modes_set(end, change, &before.state);
        scalars.all(|i| {
            let mode = reached.state[i];
            !switched(first.state[i], mode) && !switched(last.state[i], mode)
        })
    }

    /// Whether no vector moves in a trial but for rounding, and no scalar to speak of.
    fn stands(&self, trial: &TrialStretch<D>) -> bool {
        self.groups().enumerate().all(|(index, group)| {
            let moved = size(group.map(|i| trial.four.state[i] - self.state[i]));
            let least = if index < self.vectors { STANDS } else { RUNS };
            moved <= least * self.scales.states[index]
        })
    }

    fn judge(&self, trial: &TrialStretch<D>, watch_modes: bool) -> TrialVerdict {
        let TrialStretch { one, two, four, .. } = trial;
        let modes = |i: usize| {
            switched(one.state[i], four.state[i]) || switched(two.state[i], four.state[i])
        };
        if watch_modes && (!trial.modes_hold || (0..self.state.len()).any(modes)) {
            return TrialVerdict::Switch;
        }
        // Second order makes the second difference a quarter of the first one. Both are looked
        // at, because between the regimes of short and of long steps one of them may vanish.
        let error = (self.difference(two, four) / 3.0).max(self.difference(one, two) / 12.0);
        if error.is_finite() {
            TrialVerdict::Smooth(error)
        } else {
            TrialVerdict::Switch
        }
    }

    /// Difference of two results, relative to the largest force and states.
    fn difference(&self, a: &Reached<D>, b: &Reached<D>) -> f64 {
        let force = size((0..D).map(|i| a.force[i] - b.force[i]));
        let scale = norm(&a.force).max(norm(&b.force)).max(self.scales.force);
        let mut worst = relative(force, scale);
        for (index, group) in self.groups().enumerate() {
            // modes are compared elsewhere
            let apart = |i: usize| {
                if switched(a.state[i], b.state[i]) {
                    0.0
                } else {
                    a.state[i] - b.state[i]
                }
            };
            let difference = size(group.clone().map(apart));
            let scale = size(group.map(|i| b.state[i])).max(self.scales.states[index]);
            let error = relative(difference, scale);
            // a NaN must not be lost, as it would be in `max`
            worst = if error > worst || error.is_nan() {
                error
            } else {
                worst
            };
        }
        worst
    }

    /// Takes over the finest result, extrapolated to the fourth order.
    fn accept(&mut self, trial: &TrialStretch<D>, extrapolate: Extrapolate) {
        let TrialStretch { two, four, .. } = trial;
        for (i, x) in self.state.iter_mut().enumerate() {
            let correction = match extrapolate {
                Extrapolate::Yes if !switched(two.state[i], four.state[i]) => {
                    (four.state[i] - two.state[i]) / 3.0
                }
                _ => 0.0,
            };
            *x = four.state[i] + correction;
        }
        self.scales.force = self.scales.force.max(norm(&four.force));
        for (index, group) in self.groups().enumerate() {
            let now = size(group.map(|i| four.state[i]));
            let scale = &mut self.scales.states[index];
            *scale = scale.max(now);
        }
    }

    /// Indices of each vector state, then of each scalar state.
    fn groups(&self) -> impl Iterator<Item = std::ops::Range<usize>> + use<D> {
        let (vectors, count) = (self.vectors, self.state.len());
        let scalars = vectors * D..count;
        (0..vectors)
            .map(|i| i * D..(i + 1) * D)
            .chain(scalars.map(|i| i..i + 1))
    }
}

/// A stay too short for anything but a switch, and long enough to distinguish motion from rest.
fn instant<const D: usize>(slip: Slip<f64, D>) -> Step<f64, D> {
    Step::constant(slip, 1e-100)
}

fn whole(x: f64) -> bool {
    x.fract() == 0.0
}

/// Modes are whole numbers; a continuous state is one on both sides only where it rests.
fn switched(a: f64, b: f64) -> bool {
    whole(a) && whole(b) && (a - b).abs() > 0.5
}

fn size(entries: impl Iterator<Item = f64>) -> f64 {
    entries.map(|x| x * x).sum::<f64>().sqrt()
}

fn relative(difference: f64, scale: f64) -> f64 {
    if difference > 0.0 {
        difference / scale
    } else {
        difference
    }
}
