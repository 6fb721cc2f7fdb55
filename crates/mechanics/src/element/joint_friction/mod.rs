//! Friction on a single joint coordinate, by any law of the catalogue.

mod element;
mod hold;

use super::JointMoment;
use crate::body::BodyId;
use crate::frame::Vec3;
use bristle_laws::{Friction, MAX_STATES, Slip, Step, Tangent};
use bristle_signals::Signal;

/// Memory beside the law's states and the hold: slip displacement, slip velocity, load.
const OWN: usize = 3;
/// The longest memory.
const MAX_MEMORY: usize = MAX_STATES + hold::MEMORY + OWN;

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

/// Friction in a revolute, prismatic or cylindrical joint.
///
/// The law sees the slip velocity v = ρ q̇ and the load N, and resists with F; the joint feels
/// the generalised force −ρ F. For a displacement ρ = 1, for an angle ρ is the friction radius.
///
/// A load from the reaction depends on the accelerations: the Newton iteration of a step takes
/// it as it comes, without its slope.
#[derive(Clone, Debug)]
pub struct JointFriction {
    /// Name.
    pub name: String,
    /// The body whose joint it is in.
    pub body: BodyId,
    /// Place of the coordinate among the single coordinates of the joint.
    pub place: usize,
    /// The friction law.
    pub friction: Friction,
    /// The load.
    pub load: JointLoad,
    /// Friction radius ρ, m; 1 for a displacement.
    pub radius: f64,
    /// Speed from which the joint counts as slipping, m/s.
    pub slip_speed: f64,
}

/// The joint at a committed or interpolated moment.
struct Now {
    slip: Slip<f64, 1>,
    force: f64,
}

impl JointFriction {
    fn states(&self) -> usize {
        self.friction.layout().len(1)
    }

    /// Where slip displacement, slip velocity and load are.
    fn own(&self) -> usize {
        self.states() + self.friction.stiction().map_or(0, |_| hold::MEMORY)
    }

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

    /// The load at a moment of the dynamics, N.
    fn load_at(&self, at: &JointMoment<'_>) -> f64 {
        match &self.load {
            JointLoad::Given(signal) => signal.value(at.t).max(0.0),
            JointLoad::Reaction { .. } => self
                .reaction(&at.axis, &at.force, &at.moment)
                .unwrap_or(0.0),
        }
    }

    /// The load at a committed moment, N.
    fn load_now(&self, t: f64, memory: &[f64]) -> f64 {
        match &self.load {
            JointLoad::Given(signal) => signal.value(t).max(0.0),
            JointLoad::Reaction { .. } => memory[self.own() + 2],
        }
    }

    /// Slip at a committed moment.
    fn slip_now(&self, t: f64, memory: &[f64]) -> Slip<f64, 1> {
        Slip::new([memory[self.own() + 1]], self.load_now(t, memory))
    }

    fn now(&self, t: f64, memory: &[f64]) -> Now {
        let slip = self.slip_now(t, memory);
        let force = self.force_at(&slip, memory);
        Now { slip, force }
    }

    /// The force with the memory as it is.
    fn force_at(&self, slip: &Slip<f64, 1>, memory: &[f64]) -> f64 {
        let states = self.states();
        if let Some(law) = self.friction.stiction() {
            let mut unused = [0.0; hold::MEMORY];
            let step = Step {
                mean: Slip::new([0.0], slip.normal_force),
                end: *slip,
                duration: 0.0,
            };
            let old = &memory[states..states + hold::MEMORY];
            return hold::advance(&self.friction, law, &step, old, &mut unused).0;
        }
        let mut rates = [0.0; MAX_STATES];
        self.friction
            .rates(slip, &memory[..states], &mut rates[..states])[0]
    }

    /// The force at the end of a step, the memory there, and the slopes if wanted.
    fn advance(
        &self,
        at: &JointMoment<'_>,
        new: &mut [f64],
        want_tangent: bool,
    ) -> (f64, Tangent<1>) {
        let (states, own) = (self.states(), self.own());
        let old = at.memory;
        let (s, v, load) = (
            self.radius * at.coordinate,
            self.radius * at.rate,
            self.load_at(at),
        );
        let mean = (s - old[own]) / at.step;
        let step = Step {
            mean: Slip::new([mean], 0.5 * (old[own + 2] + load)),
            end: Slip::new([v], load),
            duration: at.step,
        };
        new[own..].copy_from_slice(&[s, v, load]);
        let law = &self.friction;
        if let Some(held) = law.stiction() {
            return hold::advance(law, held, &step, &old[states..own], &mut new[states..own]);
        }
        let (z_old, z_new) = (&old[..states], &mut new[..states]);
        let (force, tangent) = match (want_tangent, law.jumps()) {
            (true, true) => law.update_in_mode_with_tangent(&step, z_old, z_new),
            (true, false) => law.update_with_tangent(&step, z_old, z_new),
            (false, true) => (law.update_in_mode(&step, z_old, z_new), Tangent::ZERO),
            (false, false) => (law.update(&step, z_old, z_new), Tangent::ZERO),
        };
        (force[0], tangent)
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
