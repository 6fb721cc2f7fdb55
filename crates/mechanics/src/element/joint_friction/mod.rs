//! Friction on a single joint coordinate, by any law of the catalogue.

mod element;
mod frictional;

use super::{ElementInput, JointInput};
use crate::constraint::JointOwner;
use crate::frame::{Vec3, Vec6, joined};
use crate::friction_pair::{FrictionPair, PairMotion};
use bristle_laws::Slip;
use bristle_signals::Signal;

/// What presses the sliding faces of a joint on each other.
#[derive(Clone, Debug)]
pub enum JointLoad {
    /// A function of time, N; a negative value counts as 0.
    Given(Signal),
    /// The reaction of the joint.
    ///
    /// $$ N = N_0 + |\mathbf f_\perp| + |\mathbf m_\perp|/b $$
    ///
    /// with the parts of its force and moment (about the origin of the body) across the axis.
    Reaction {
        /// N₀, N.
        preload: f64,
        /// b, m: the moment counts if it is given, as a pair of forces at this distance.
        moment_arm: Option<f64>,
    },
}

impl JointLoad {
    /// The function of time, if it is given by one.
    pub fn signal(&self) -> Option<&Signal> {
        match self {
            Self::Given(signal) => Some(signal),
            Self::Reaction { .. } => None,
        }
    }

    /// The same, to be changed.
    pub fn signal_mut(&mut self) -> Option<&mut Signal> {
        match self {
            Self::Given(signal) => Some(signal),
            Self::Reaction { .. } => None,
        }
    }
}

/// Friction in a revolute, prismatic or cylindrical joint.
///
/// The law sees the slip velocity v = ρ q̇ and the load N, and resists with F; the joint feels
/// the generalised force −ρ F. For a displacement ρ = 1, for an angle ρ is the friction radius, so
/// that a bristle of a revolute joint deflects by a length at that radius, in m.
///
/// A load from the reaction depends on the accelerations: the Newton iteration of a step takes
/// it as it comes, without its slope.
#[derive(Clone, Debug)]
pub struct JointFriction {
    /// Name.
    pub name: String,
    /// The joint it is in.
    pub joint: JointOwner,
    /// Place of the coordinate among the single coordinates of the joint.
    pub place: usize,
    /// The sliding faces.
    pub friction: FrictionPair<1>,
    /// The load.
    pub load: JointLoad,
    /// Friction radius ρ of an angle, m; a displacement has none.
    pub radius: Option<f64>,
    /// Speed from which the joint counts as slipping, m/s.
    pub slip_speed: f64,
}

impl JointFriction {
    /// The load that the reaction of the joint makes, N, from its force (N) and its moment about
    /// the origin of the body (N m); `axis` is that of the joint. `None` if the load is given.
    ///
    /// At rest the reaction is the opposite of all other forces on the body, and has their size.
    pub fn reaction(&self, axis: &Vec3, force: &Vec3, moment: &Vec3) -> Option<f64> {
        let JointLoad::Reaction {
            preload,
            moment_arm,
        } = &self.load
        else {
            return None;
        };
        let across = |x: &Vec3| (x - axis * x.dot(axis)).norm();
        Some(preload + across(force) + moment_arm.map_or(0.0, |arm| across(moment) / arm))
    }

    /// ∂N/∂(reaction force, reaction moment) of a load from there.
    pub(crate) fn load_slope(&self, at: &JointInput<'_>) -> Vec6 {
        let JointLoad::Reaction { moment_arm, .. } = &self.load else {
            return Vec6::zeros();
        };
        let direction = |x: &Vec3| {
            let across = x - at.axis * x.dot(&at.axis);
            let size = across.norm();
            if size > 0.0 { across / size } else { across }
        };
        let by_moment =
            moment_arm.map_or_else(Vec3::zeros, |arm| direction(&at.reaction_moment) / arm);
        joined(&direction(&at.reaction_force), &by_moment)
    }

    /// Whether the reaction of the joint makes its load.
    pub(crate) fn has_reaction_load(&self) -> bool {
        matches!(self.load, JointLoad::Reaction { .. })
    }

    /// ∂F/∂N in steady sliding at a velocity (m/s), if the law knows it.
    pub(crate) fn sliding_coefficient(&self, velocity: f64) -> Option<f64> {
        let (law, load) = (self.friction.law()?.side(velocity), self.typical_load());
        let speed = velocity.abs();
        Some((law.steady(speed, 2.0 * load)? - law.steady(speed, load)?) / load)
    }

    /// The speed (m/s) above which the joint slides: that of slip, unless its law knows better.
    pub(crate) fn least_sliding_speed(&self) -> f64 {
        let of_law = self.friction.least_sliding_speed();
        of_law.unwrap_or(self.slip_speed)
    }

    /// ∂F/∂N against the slip at a speed (m/s), with the history as it is.
    pub(crate) fn present_coefficient(&self, velocity: f64, history: &[f64]) -> f64 {
        let load = self.typical_load();
        let [one, two] = [load, 2.0 * load].map(|load| {
            let slip = Slip::new([velocity], load);
            let [force] = self.friction.force(&slip, history);
            force * velocity.signum()
        });
        (two - one) / load
    }

    /// An error of the rate of the coordinate as one of the slip velocity, over the natural speed of
    /// the law and the slip speed; 0 without load.
    pub(crate) fn slip_error(&self, history: &[f64], error: f64) -> f64 {
        let motion = self.friction.split(history).motion;
        if motion.normal_force <= 0.0 || self.friction.law().is_none() {
            return 0.0;
        }
        let speed = self.friction.natural_speed(motion.normal_force);
        (self.lever() * error).abs() / (speed + motion.velocity[0].abs())
    }

    /// The load in the dynamics, N.
    fn load_of(&self, at: &JointInput<'_>) -> f64 {
        match &self.load {
            JointLoad::Given(signal) => signal.value(at.t).max(0.0),
            JointLoad::Reaction { .. } => self
                .reaction(&at.axis, &at.reaction_force, &at.reaction_moment)
                .unwrap_or(0.0),
        }
    }

    /// The load at a committed instant, N.
    fn load_at(&self, t: f64, motion: &PairMotion<1>) -> f64 {
        match &self.load {
            JointLoad::Given(signal) => signal.value(t).max(0.0),
            JointLoad::Reaction { .. } => motion.normal_force,
        }
    }

    /// The slip at a committed instant.
    fn slip(&self, at: &ElementInput<'_>) -> Slip<f64, 1> {
        let motion = self.friction.split(at.history).motion;
        Slip {
            normal_force: self.load_at(at.t, &motion),
            ..motion.slip()
        }
    }

    /// The slip of a coordinate that moves, with its load at a committed instant.
    fn slip_of(&self, at: &JointInput<'_>) -> Slip<f64, 1> {
        let motion = self.friction.split(at.history).motion;
        Slip {
            velocity: [self.lever() * at.rate],
            normal_force: self.load_at(at.t, &motion),
            applied: motion.applied,
        }
    }

    /// The slip in the dynamics. What passes through a coupling is its reaction along the slip.
    fn slip_in(&self, at: &JointInput<'_>) -> Slip<f64, 1> {
        let applied = if self.friction.knows_load_direction() {
            at.reaction_force.x
        } else {
            0.0
        };
        Slip {
            velocity: [self.lever() * at.rate],
            normal_force: self.load_of(at),
            applied: [applied],
        }
    }

    /// Slip over the joint coordinate: ρ of an angle, 1 of a displacement.
    pub fn lever(&self) -> f64 {
        self.radius.unwrap_or(1.0)
    }

    /// The slip displacement of a coordinate, m. That of a loop is known within one turn: it goes on
    /// from where it was.
    fn displacement(&self, at: &JointInput<'_>) -> f64 {
        let own = self.lever() * at.coordinate;
        let Some(radius) = self.radius.filter(|_| self.joint.loop_id().is_some()) else {
            return own;
        };
        if at.history.is_empty() {
            return own;
        }
        let [last] = self.friction.split(at.history).motion.displacement;
        let turn = std::f64::consts::TAU * radius;
        own + ((last - own) / turn).round() * turn
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
