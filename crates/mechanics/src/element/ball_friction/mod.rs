//! Friction in a spherical joint: a ball that slides in its socket, by any law of the catalogue.

mod element;
mod frictional;
mod place;

pub(crate) use place::quaternion_rate;
pub use place::{BallInput, BallTorque};

use super::ElementInput;
use super::joint_friction::JointLoad;
use crate::constraint::JointOwner;
use crate::frame::Vec3;
use crate::friction_pair::{FrictionPair, PairMotion};
use bristle_laws::Slip;
use nalgebra::{Quaternion, UnitQuaternion};

/// Entries of the history behind those of the pair: where the ball has turned to.
const TURN: usize = 4;

/// Friction in a spherical joint.
///
/// The law sees the slip velocity and resists with a force, both as vectors in the axes of the socket,
/// in three dimensions,
///
/// $$ \mathbf v = \rho\,\boldsymbol\omega, \qquad \mathbf m = -\rho\,\mathbf F(\mathbf v, N) $$
///
/// with the angular velocity ω of the ball relative to the socket (rad/s), the friction radius ρ (m) and the
/// moment m on the ball (N m). A bristle is a vector in the socket: it turns with the body that carries the
/// joint. The slip displacement of a step is the rotation vector from its start to its end times ρ, so that
/// a ball that sticks follows where it is, not what was integrated.
#[derive(Clone, Debug)]
pub struct BallFriction {
    /// Name.
    pub name: String,
    /// The joint it is in.
    pub joint: JointOwner,
    /// The sliding faces.
    pub friction: FrictionPair<3>,
    /// The load: of the reaction its force counts in all directions; a spherical joint has no moment.
    pub load: JointLoad,
    /// Friction radius ρ, m.
    pub radius: f64,
    /// Speed from which the joint counts as slipping, m/s.
    pub slip_speed: f64,
}

impl BallFriction {
    /// The load that the reaction force of the joint (N) makes, N; `None` if the load is given.
    pub fn reaction(&self, force: &Vec3) -> Option<f64> {
        match &self.load {
            JointLoad::Given(_) => None,
            JointLoad::Reaction { preload, .. } => Some(preload + force.norm()),
        }
    }

    /// Whether the reaction of the joint makes its load.
    pub(crate) fn has_reaction_load(&self) -> bool {
        matches!(self.load, JointLoad::Reaction { .. })
    }

    /// ∂N/∂(reaction force) of a load from there; `None` if it is given.
    pub(crate) fn load_slope(&self, force: &Vec3) -> Option<Vec3> {
        let size = force.norm();
        (self.has_reaction_load() && size > 0.0).then(|| force / size)
    }

    /// ∂F/∂N in steady sliding at a speed (m/s), if the law knows it.
    pub(crate) fn sliding_coefficient(&self, speed: f64) -> Option<f64> {
        let (law, load) = (self.friction.law()?, self.typical_load());
        Some((law.steady(speed, 2.0 * load)? - law.steady(speed, load)?) / load)
    }

    /// The speed (m/s) above which the joint slides: that of slip, unless its law knows better.
    pub(crate) fn least_sliding_speed(&self) -> f64 {
        let of_law = self.friction.least_sliding_speed();
        of_law.unwrap_or(self.slip_speed)
    }

    /// ∂F/∂N against the slip at a velocity (m/s), with the history as it is.
    pub(crate) fn present_coefficient(&self, velocity: &Vec3, history: &[f64]) -> f64 {
        let load = self.typical_load();
        let [one, two] = [load, 2.0 * load].map(|load| {
            let slip = Slip::new((*velocity).into(), load);
            let force = self.friction.force(&slip, self.of_pair(history));
            Vec3::from(force).dot(velocity) / velocity.norm()
        });
        (two - one) / load
    }

    /// An error of the angular velocity (rad/s) as one of the slip velocity, over the natural speed of the
    /// law and the slip speed; 0 without load.
    pub(crate) fn slip_error(&self, history: &[f64], error: &Vec3) -> f64 {
        let motion = self.own(history).motion;
        if motion.normal_force <= 0.0 || self.friction.law().is_none() {
            return 0.0;
        }
        let speed = self.friction.natural_speed(motion.normal_force);
        self.radius * error.norm() / (speed + Vec3::from(motion.velocity).norm())
    }

    /// The part of a history that belongs to the pair.
    fn of_pair<'a>(&self, history: &'a [f64]) -> &'a [f64] {
        &history[..self.friction.history_len()]
    }

    /// The histories of the pair and of the turn.
    fn parts<'a>(&self, history: &'a mut [f64]) -> (&'a mut [f64], &'a mut [f64]) {
        history.split_at_mut(self.friction.history_len())
    }

    fn own<'a>(&self, history: &'a [f64]) -> crate::friction_pair::PairHistory<'a, 3> {
        self.friction.split(self.of_pair(history))
    }

    /// Where the ball had turned to.
    fn turned(&self, history: &[f64]) -> UnitQuaternion<f64> {
        let q = &history[self.friction.history_len()..];
        UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]))
    }

    /// The load in the dynamics, N.
    fn load_of(&self, at: &BallInput<'_>) -> f64 {
        match &self.load {
            JointLoad::Given(signal) => signal.value(at.t).max(0.0),
            JointLoad::Reaction { preload, .. } => preload + at.reaction_force.norm(),
        }
    }

    /// The load at a committed instant, N.
    fn load_at(&self, t: f64, motion: &PairMotion<3>) -> f64 {
        match &self.load {
            JointLoad::Given(signal) => signal.value(t).max(0.0),
            JointLoad::Reaction { .. } => motion.normal_force,
        }
    }

    /// The slip at a committed instant.
    fn slip(&self, at: &ElementInput<'_>) -> Slip<f64, 3> {
        let motion = self.own(at.history).motion;
        Slip::new(motion.velocity, self.load_at(at.t, &motion))
    }

    /// The slip of a ball that moves, with its load at a committed instant.
    fn slip_of(&self, at: &BallInput<'_>) -> Slip<f64, 3> {
        let motion = self.own(at.history).motion;
        Slip::new(self.velocity(at), self.load_at(at.t, &motion))
    }

    /// ρ ω, m/s.
    fn velocity(&self, at: &BallInput<'_>) -> [f64; 3] {
        (at.angular_velocity * self.radius).into()
    }

    /// A load to take natural sizes from, N.
    fn typical_load(&self) -> f64 {
        let load = match &self.load {
            JointLoad::Given(signal) => signal.value(0.0),
            JointLoad::Reaction { preload, .. } => *preload,
        };
        if load > 0.0 { load } else { 1.0 }
    }
}
