//! Friction in a spherical joint as an element with friction: one pair in three dimensions.

use super::BallFriction;
use crate::element::{ElementInput, Frictional, SlipPlaces};
use crate::frame::Vec3;
use crate::friction_pair::{HistoryEnd, StepFraction};
use crate::natural_sizes::NaturalSizes;
use bristle_integrate::SlipState;
use nalgebra::UnitQuaternion;

impl Frictional for BallFriction {
    fn natural_sizes(&self) -> Option<NaturalSizes> {
        self.friction.natural_sizes(self.typical_load())
    }

    fn history_scales(&self, history: &[f64], scales: &mut [f64]) {
        scales.fill(0.0);
        let (pair, _) = self.parts(scales);
        self.friction.scales(self.of_pair(history), pair);
    }

    fn history_end(&self, at: &ElementInput<'_>, end: &mut [f64]) {
        let (pair, _) = self.parts(end);
        let slip = self.slip(at);
        self.friction.rates(&slip, self.of_pair(at.history), pair);
    }

    fn history_between(&self, ends: &[HistoryEnd<'_>; 2], at: StepFraction, history: &mut [f64]) {
        let [from, to] = ends.map(|end| self.turned(end.history));
        let of_pair = ends.map(|end| HistoryEnd {
            history: self.of_pair(end.history),
            rates: self.of_pair(end.rates),
        });
        let (pair, turn) = self.parts(history);
        self.friction.between(&of_pair, at, pair);
        self.friction.on_path(&of_pair, at, pair);
        let change = (to * from.inverse()).scaled_axis() * at.fraction;
        let between = UnitQuaternion::from_scaled_axis(change) * from;
        turn.copy_from_slice(&[between.w, between.i, between.j, between.k]);
    }

    fn bristle_energy(&self, at: &ElementInput<'_>) -> f64 {
        let load = self.slip(at).normal_force;
        self.friction.bristle_energy(load, self.of_pair(at.history))
    }

    fn has_bare_springs(&self) -> bool {
        self.friction.has_bare_springs()
    }

    fn has_modes(&self) -> bool {
        self.friction.has_modes()
    }

    fn mode_margin(&self, at: &ElementInput<'_>) -> f64 {
        let history = self.of_pair(at.history);
        self.friction.mode_margin(&self.slip(at), history)
    }

    fn change_mode(&self, at: &ElementInput<'_>, history: &mut [f64]) {
        let (pair, _) = self.parts(history);
        self.friction.change_mode(&self.slip(at), pair);
    }

    fn reversal(
        &self,
        duration: f64,
        tolerated: f64,
        before: &[f64],
        after: &[f64],
    ) -> Option<f64> {
        let [before, after] = [before, after].map(|history| self.of_pair(history));
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
        (slip.normal_force > 0.0).then(|| Vec3::from(slip.velocity).norm())
    }

    fn coefficient(&self, at: &ElementInput<'_>) -> Option<f64> {
        let slip = self.slip(at);
        let force = self.friction.force(&slip, self.of_pair(at.history));
        (slip.normal_force > 0.0).then(|| Vec3::from(force).norm() / slip.normal_force)
    }

    fn slip_places(&self, at: &ElementInput<'_>) -> SlipPlaces {
        vec![Some(self.own(at.history).motion.displacement)]
    }
}
