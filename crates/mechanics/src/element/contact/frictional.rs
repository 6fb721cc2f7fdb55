//! The contact as an element with friction: every point is a pair.

use super::carried::CarriedTangent;
use super::rolling::AngularSlip;
use super::{Contact, PLANE};
use crate::element::{ElementInput, Frictional, SlipPlaces};
use crate::friction_pair::{HistoryEnd, StepFraction, size};
use crate::natural_sizes::NaturalSizes;
use bristle_integrate::SlipState;
use bristle_laws::Slip;

impl Contact {
    /// Slip and history of every pair.
    fn pairs<'a>(
        &'a self,
        at: &'a ElementInput<'_>,
    ) -> impl Iterator<Item = (Slip<f64, PLANE>, &'a [f64])> {
        self.each_point(at).map(|(relative, at)| {
            let slip = self.slip(&at, &relative, at.history);
            (slip, self.split(at.history).pair)
        })
    }

    /// The largest difference of slip velocities of a loaded pair between two inputs that differ in
    /// velocities alone, over the natural speed of the law and the slip speed.
    pub(crate) fn slip_error(&self, inputs: [&ElementInput<'_>; 2]) -> f64 {
        if self.friction.law().is_none() {
            return 0.0;
        }
        let [one, other] = inputs;
        let pairs = self.pairs(one).zip(self.each_point(other));
        pairs.fold(0.0, |largest, ((slip, _), (off, _))| {
            if slip.normal_force <= 0.0 {
                return largest;
            }
            let other = off.slip_velocity();
            let error = size(&std::array::from_fn::<_, PLANE, _>(|i| {
                other[i] - slip.velocity[i]
            }));
            let speed = self.friction.natural_speed(slip.normal_force);
            f64::max(largest, error / (speed + size(&slip.velocity)))
        })
    }
}

impl Frictional for Contact {
    fn natural_sizes(&self) -> Option<NaturalSizes> {
        self.friction.natural_sizes(self.typical_load())
    }

    fn history_scales(&self, history: &[f64], scales: &mut [f64]) {
        scales.fill(0.0);
        let len = self.point_history_len();
        for (history, scales) in history.chunks_exact(len).zip(scales.chunks_exact_mut(len)) {
            let own = self.split_mut(scales);
            self.friction.scales(self.split(history).pair, own.pair);
            if let Some(resistance) = &self.resistance {
                resistance.scales(self.split(history).couple, own.couple);
            }
        }
    }

    /// In the places of the carried tangents stand those at this instant.
    fn history_end(&self, at: &ElementInput<'_>, end: &mut [f64]) {
        let ends = end.chunks_exact_mut(self.point_history_len());
        for ((relative, at), end) in self.each_point(at).zip(ends) {
            let slip = self.slip(&at, &relative, at.history);
            let (own, end) = (self.split(at.history), self.split_mut(end));
            if let Some(place) = &relative.curved {
                place.carried.write(end.tangent);
            }
            self.friction.rates(&slip, own.pair, end.pair);
            if let Some(resistance) = &self.resistance {
                let w = self.angular_velocity(&at, &relative);
                let slip = AngularSlip::new(w, slip.normal_force);
                resistance.rates(&slip, own.couple, end.couple);
            }
        }
    }

    fn history_between(&self, ends: &[HistoryEnd<'_>; 2], at: StepFraction, history: &mut [f64]) {
        let len = self.point_history_len();
        for (point, out) in history.chunks_exact_mut(len).enumerate() {
            let range = point * len..(point + 1) * len;
            let [a, b] = ends.map(|end| self.split(&end.history[range.clone()]));
            let [from, to] = ends.map(|end| self.split(&end.rates[range.clone()]));
            let out = self.split_mut(out);
            if !out.tangent.is_empty() {
                let [from, to] = [from, to].map(|end| CarriedTangent::read(end.tangent));
                from.between(&to, at.fraction).write(out.tangent);
            }
            *out.impact_rate = a.impact_rate + at.fraction * (b.impact_rate - a.impact_rate);
            *out.gap = a.gap + at.fraction * (b.gap - a.gap);
            let end = |history, rates| HistoryEnd { history, rates };
            let pairs = [end(a.pair, from.pair), end(b.pair, to.pair)];
            self.friction.between(&pairs, at, out.pair);
            if let Some(resistance) = &self.resistance {
                let couples = [end(a.couple, from.couple), end(b.couple, to.couple)];
                resistance.between(&couples, at, out.couple);
            }
        }
    }

    fn bristle_energy(&self, at: &ElementInput<'_>) -> f64 {
        self.each_point(at).fold(0.0, |sum, (relative, at)| {
            let normal = self.slip(&at, &relative, at.history).normal_force;
            let own = self.split(at.history);
            let couple = self.resistance.as_ref().map_or(0.0, |resistance| {
                resistance.bristle_energy(normal, own.couple)
            });
            sum + couple + self.friction.bristle_energy(normal, own.pair)
        })
    }

    fn has_bare_springs(&self) -> bool {
        self.friction.has_bare_springs()
    }

    fn has_modes(&self) -> bool {
        self.friction.has_modes()
    }

    fn mode_margin(&self, at: &ElementInput<'_>) -> f64 {
        let margins = self
            .pairs(at)
            .map(|(slip, history)| self.friction.mode_margin(&slip, history));
        margins.fold(f64::INFINITY, f64::min)
    }

    fn change_mode(&self, at: &ElementInput<'_>, history: &mut [f64]) {
        let histories = history.chunks_exact_mut(self.point_history_len());
        for ((slip, _), history) in self.pairs(at).zip(histories) {
            self.friction
                .change_mode(&slip, self.split_mut(history).pair);
        }
    }

    fn reversal(
        &self,
        duration: f64,
        tolerated: f64,
        before: &[f64],
        after: &[f64],
    ) -> Option<f64> {
        let len = self.point_history_len();
        let ends = before.chunks_exact(len).zip(after.chunks_exact(len));
        ends.filter_map(|(from, to)| {
            let (from, to) = (self.split(from).pair, self.split(to).pair);
            self.friction.reversal(duration, tolerated, from, to)
        })
        .reduce(f64::min)
    }

    fn touching(&self, history: &[f64], seed: u64) -> u64 {
        if !self.pushes() {
            return seed;
        }
        let points = history.chunks_exact(self.point_history_len());
        points.fold(seed, |sum, history| {
            let touches = u64::from(self.split(history).gap < 0.0);
            // a multiplier of Knuth's: sets that differ give numbers that do
            sum.wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(touches + 1)
        })
    }

    fn load_begins(&self, before: &[f64], after: &[f64]) -> bool {
        let len = self.point_history_len();
        let gap = |history| self.split(history).gap;
        let mut ends = before.chunks_exact(len).zip(after.chunks_exact(len));
        self.pushes() && ends.any(|(from, to)| gap(from) >= 0.0 && gap(to) < 0.0)
    }

    fn slip_states(&self, at: &ElementInput<'_>, each: &mut dyn FnMut(SlipState)) {
        for (slip, _) in self.pairs(at) {
            if let Some(state) = self.friction.slip_state(&slip) {
                each(state);
            }
        }
    }

    fn slip_threshold(&self) -> f64 {
        self.slip_speed
    }

    fn slip_speed(&self, at: &ElementInput<'_>) -> Option<f64> {
        let loaded = self.pairs(at).filter(|(slip, _)| slip.normal_force > 0.0);
        loaded
            .map(|(slip, _)| size(&slip.velocity))
            .reduce(f64::max)
    }

    fn coefficient(&self, at: &ElementInput<'_>) -> Option<f64> {
        let loaded = self.pairs(at).filter(|(slip, _)| slip.normal_force > 0.0);
        loaded
            .map(|(slip, history)| size(&self.friction.force(&slip, history)) / slip.normal_force)
            .reduce(f64::max)
    }

    /// The slip of a ball, or on a curved surface, is no displacement in a plane.
    fn slip_places(&self, at: &ElementInput<'_>) -> SlipPlaces {
        let place = |(relative, at): (super::Relative, ElementInput<'_>)| {
            let normal = self.slip(&at, &relative, at.history).normal_force;
            (normal > 0.0 && !relative.rolls).then(|| {
                let [x, y] = relative.position();
                [x, y, 0.0]
            })
        };
        self.each_point(at).map(place).collect()
    }
}
