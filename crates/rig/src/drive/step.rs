//! Error-controlled steps along a segment.

use super::pieces::Segment;
use super::{DriveError, Driver, Scales};
use bristle_laws::slip::norm;
use bristle_laws::{Friction, MAX_STATES, Step};

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

/// State after a step and the force there.
#[derive(Clone, Copy)]
struct Reached<const D: usize> {
    state: [f64; MAX_STATES],
    force: [f64; D],
}

/// What one step and two half steps say about each other.
enum Verdict {
    /// Error relative to the scales.
    Smooth(f64),
    /// A mode switched at different instants, or a number overflowed.
    Switch,
}

impl<const D: usize> Driver<'_, D> {
    /// Integrates the state over a segment.
    pub(super) fn follow(&mut self, segment: &Segment<D>) -> Result<(), DriveError> {
        let mut cuts = std::mem::take(&mut self.cuts);
        segment.cut(&self.speeds, &mut cuts);
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

    /// A pair that stands still for an instant only is told so: modes end there.
    fn come_to_rest(&mut self, segment: &Segment<D>, start: f64, end: f64) {
        let slip = segment.slip(end);
        if norm(&slip.velocity) > 0.0 || norm(&segment.slip(start).velocity) <= 0.0 {
            return;
        }
        let instant = Step::constant(slip, f64::MIN_POSITIVE);
        let mut new = [0.0; MAX_STATES];
        let count = self.state.len();
        self.law.update(&instant, &self.state, &mut new[..count]);
        self.state.copy_from_slice(&new[..count]);
    }

    fn piece(
        &mut self,
        segment: &Segment<D>,
        start: f64,
        end: f64,
        steps: &mut usize,
    ) -> Result<(), DriveError> {
        let duration = segment.duration();
        let mut at = start;
        while at < end {
            *steps += 1;
            if *steps > MOST_STEPS {
                let (from, to) = segment.ends();
                let t = segment.time(at);
                return Err(DriveError::TooManySteps { from, to, t, limit: MOST_STEPS });
            }
            let wanted = (self.next_step / duration).max(SHORTEST);
            // no sliver is left at the end of a piece
            let whole = at + 1.01 * wanted >= end;
            let next = if whole { end } else { at + wanted };
            let taken = next - at;
            let coarse = self.stepped(segment, at, next, &self.state);
            let middle = at + 0.5 * taken;
            let half = self.stepped(segment, at, middle, &self.state);
            let fine = self.stepped(segment, middle, next, &half.state);
            let verdict = self.judge(&coarse, &fine);
            let shortest = taken <= 2.0 * SHORTEST;
            let factor = match verdict {
                Verdict::Smooth(error) if error <= self.rtol => {
                    self.accept(&fine, Some(&coarse));
                    at = next;
                    (SAFETY * (self.rtol / error).cbrt()).clamp(LEAST_FACTOR, LARGEST_FACTOR)
                }
                _ if shortest => {
                    self.accept(&fine, None);
                    at = next;
                    LARGEST_FACTOR
                }
                Verdict::Smooth(error) => {
                    (SAFETY * (self.rtol / error).cbrt()).clamp(LEAST_FACTOR, SAFETY)
                }
                Verdict::Switch => SWITCH_FACTOR,
            };
            // a step cut short by the end of a piece says little about longer ones
            let proposal = taken * duration * factor;
            self.next_step = if at >= end && whole {
                proposal.max(self.next_step)
            } else {
                proposal
            };
            if !self.state.iter().all(|x| x.is_finite()) {
                return Err(DriveError::Overflow { t: segment.time(at) });
            }
        }
        Ok(())
    }

    fn stepped(&self, segment: &Segment<D>, from: f64, to: f64, old: &[f64]) -> Reached<D> {
        let step = Step {
            mean: segment.slip(0.5 * (from + to)),
            end: segment.slip(to),
            duration: (to - from) * segment.duration(),
        };
        update(self.law, &step, &old[..self.state.len()])
    }

    fn judge(&self, coarse: &Reached<D>, fine: &Reached<D>) -> Verdict {
        let count = self.state.len();
        let pairs = || coarse.state[..count].iter().zip(&fine.state[..count]);
        if pairs().any(|(a, b)| switched(*a, *b)) {
            return Verdict::Switch;
        }
        let difference: [f64; D] = std::array::from_fn(|i| fine.force[i] - coarse.force[i]);
        let force = norm(&fine.force).max(norm(&coarse.force));
        let mut error = relative(norm(&difference), self.scales.force.max(force));
        for (index, group) in self.groups().enumerate() {
            let difference = size(group.clone().map(|i| fine.state[i] - coarse.state[i]));
            let scale = size(group.map(|i| fine.state[i]));
            error = error.max(relative(difference, scale.max(self.scales.states[index])));
        }
        if error.is_finite() {
            // the error of the two half steps, of second order
            Verdict::Smooth(error / 3.0)
        } else {
            Verdict::Switch
        }
    }

    /// Takes over the finer result, extrapolated with the coarse one.
    fn accept(&mut self, fine: &Reached<D>, coarse: Option<&Reached<D>>) {
        for (i, x) in self.state.iter_mut().enumerate() {
            let correction = coarse.map_or(0.0, |c| (fine.state[i] - c.state[i]) / 3.0);
            *x = fine.state[i] + correction;
        }
        self.scales.raise_force(norm(&fine.force));
        for (index, group) in self.groups().enumerate() {
            let now = size(group.map(|i| fine.state[i]));
            let scale = &mut self.scales.states[index];
            *scale = scale.max(now);
        }
    }

    /// Indices of each vector state, then of each scalar state.
    fn groups(&self) -> impl Iterator<Item = std::ops::Range<usize>> + use<D> {
        let (vectors, count) = (self.vectors, self.state.len());
        let scalars = vectors * D..count;
        (0..vectors).map(|i| i * D..(i + 1) * D).chain(scalars.map(|i| i..i + 1))
    }
}

impl Scales {
    fn raise_force(&mut self, force: f64) {
        self.force = self.force.max(force);
    }
}

fn update<const D: usize>(law: &Friction, step: &Step<f64, D>, old: &[f64]) -> Reached<D> {
    let mut state = [0.0; MAX_STATES];
    let force = law.update(step, old, &mut state[..old.len()]);
    Reached { state, force }
}

/// Modes are whole numbers; a continuous state is one on both sides only where it rests.
fn switched(a: f64, b: f64) -> bool {
    let whole = |x: f64| x.fract() == 0.0;
    whole(a) && whole(b) && (a - b).abs() > 0.5
}

fn size(entries: impl Iterator<Item = f64>) -> f64 {
    entries.map(|x| x * x).sum::<f64>().sqrt()
}

fn relative(difference: f64, scale: f64) -> f64 {
    if difference > 0.0 { difference / scale } else { difference }
}
