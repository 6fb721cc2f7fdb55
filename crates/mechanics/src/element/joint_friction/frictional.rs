//! Joint friction as an element with friction: one pair on a line.

use super::JointFriction;
use crate::element::{ElementInput, Frictional, SlipPlaces};
use crate::friction_pair::{HistoryEnd, StepFraction};
use crate::natural_sizes::NaturalSizes;
use bristle_integrate::SlipState;

impl Frictional for JointFriction {
    fn natural_sizes(&self) -> Option<NaturalSizes> {
        self.friction.natural_sizes(self.typical_load())
    }

    fn history_scales(&self, history: &[f64], scales: &mut [f64]) {
        self.friction.scales(history, scales);
    }

    fn history_end(&self, at: &ElementInput<'_>, end: &mut [f64]) {
        self.friction.rates(&self.slip(at), at.history, end);
    }

    fn history_between(&self, ends: &[HistoryEnd<'_>; 2], at: StepFraction, history: &mut [f64]) {
        self.friction.between(ends, at, history);
        self.friction.on_path(ends, at, history);
    }

    fn bristle_energy(&self, at: &ElementInput<'_>) -> f64 {
        let load = self.slip(at).normal_force;
        self.friction.bristle_energy(load, at.history)
    }

    fn has_bare_springs(&self) -> bool {
        self.friction.has_bare_springs()
    }

    fn has_modes(&self) -> bool {
        self.friction.has_modes()
    }

    fn mode_margin(&self, at: &ElementInput<'_>) -> f64 {
        self.friction.mode_margin(&self.slip(at), at.history)
    }

    fn change_mode(&self, at: &ElementInput<'_>, history: &mut [f64]) {
        self.friction.change_mode(&self.slip(at), history);
    }

    fn reversal(
        &self,
        duration: f64,
        tolerated: f64,
        before: &[f64],
        after: &[f64],
    ) -> Option<f64> {
        self.friction.reversal(duration, tolerated, before, after)
    }

    fn slip_states(&self, at: &ElementInput<'_>, each: &mut dyn FnMut(SlipState)) {
        if let Some(state) = self.friction.slip_state(&self.slip(at)) {
            each(state);
        }
    }

    fn slip_threshold(&self) -> f64 {
        self.slip_speed
    }

    fn slip_speed(&self, at: &ElementInput<'_>) -> Option<f64> {
        let slip = self.slip(at);
        (slip.normal_force > 0.0).then_some(slip.velocity[0].abs())
    }

    fn coefficient(&self, at: &ElementInput<'_>) -> Option<f64> {
        let slip = self.slip(at);
        let [force] = self.friction.force(&slip, at.history);
        (slip.normal_force > 0.0).then(|| force.abs() / slip.normal_force)
    }

    fn slip_places(&self, at: &ElementInput<'_>) -> SlipPlaces {
        let [slid] = self.friction.split(at.history).motion.displacement;
        vec![Some([slid, 0.0, 0.0])]
    }
}
