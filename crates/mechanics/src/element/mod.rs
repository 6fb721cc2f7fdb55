//! Force elements: they know frames, never joints.

mod beam;
mod bushing;
mod cable;
mod contact;
mod force;
mod joint_friction;
mod joint_spring;
mod rotation;
mod spring;
mod within;

pub use beam::{
    Beam, BeamElement, BeamEnd, BeamError, BeamProperties, BeamSupport, Material, Rayleigh, Section,
};
pub use bushing::{Bushing, Mount};
pub use cable::Cable;
pub use contact::{Contact, ContactPoint, ContactSample, Plane, Pressing, Resistance};
pub use force::{Force, Torque};
pub use joint_friction::{JointFriction, JointLoad};
pub use joint_spring::JointSpring;
pub use spring::{Attachment, Spring};

use crate::body::BodyId;
use crate::frame::{Frame, Mat6, Vec3};
use bristle_integrate::SlipState;
use std::fmt::Debug;

/// Where the points of a contact are in its plane, m; none for one without load.
pub type SlipPlaces = Vec<Option<[f64; 2]>>;

/// When an element is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Time, s.
    pub t: f64,
    /// Length of the step that ends here, s; 0 evaluates at once, with the memory as it is.
    pub step: f64,
    /// Frames of all bodies.
    pub frames: &'a [Frame],
    /// The element's memory at the start of the step.
    pub memory: &'a [f64],
}

/// Weights of the tangent blocks an element hands over: c ∂W/∂V + k ∂W/∂x.
#[derive(Clone, Copy, Debug)]
pub struct TangentWeights {
    /// Of the derivatives by velocity.
    pub damping: f64,
    /// Of the derivatives by displacement.
    pub stiffness: f64,
}

/// When friction in a joint is evaluated: the coordinate and the load of the joint.
#[derive(Clone, Copy, Debug)]
pub struct JointMoment<'a> {
    /// Time, s.
    pub t: f64,
    /// Length of the step that ends here, s; 0 evaluates at once, with the memory as it is.
    pub step: f64,
    /// The coordinate, m or rad.
    pub coordinate: f64,
    /// Its rate.
    pub rate: f64,
    /// Unit axis of the coordinate in the world.
    pub axis: Vec3,
    /// Force of the joint on the body, N, world axes.
    pub force: Vec3,
    /// Moment of the joint on the body about its origin, N m, world axes.
    pub moment: Vec3,
    /// The element's memory at the start of the step.
    pub memory: &'a [f64],
}

/// What resists a joint coordinate.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointForce {
    /// Generalised force against the motion, N or N m.
    pub force: f64,
    /// c ∂force/∂rate + k ∂force/∂coordinate, with the weights of the tangent.
    pub slope: f64,
}

/// Takes wrenches, and tangent blocks if they are wanted.
pub trait Sink {
    /// Weights, if tangent blocks are wanted.
    fn weights(&self) -> Option<TangentWeights>;
    /// Whether the blocks are wanted that change with large motions only.
    fn wants_slow(&self) -> bool {
        false
    }
    /// A force and a moment about the origin of `body` (world axes).
    fn wrench(&mut self, body: BodyId, force: &Vec3, moment: &Vec3);
    /// c ∂W_row/∂V_column + k ∂W_row/∂x_column, for (displacement, rotation) of the body origins.
    fn block(&mut self, row: BodyId, column: BodyId, block: &Mat6);
    /// ∂W_row/∂x_column, ∂W_row/∂V_column and ∂W_row/∂A_column, unweighted, of an element whose
    /// blocks change with large motions only; handed over where [`Sink::wants_slow`]. A are the
    /// accelerations (a, α).
    fn slow_block(&mut self, _row: BodyId, _column: BodyId, _blocks: &[Mat6; 3]) {}
    /// ∂W_row/∂V_column, unweighted: what the tangent needs where a chain of joints rotates.
    fn rate_block(&mut self, _row: BodyId, _column: BodyId, _block: &Mat6) {}
    /// Whether a body can move with any degree of freedom.
    fn moves(&self, body: BodyId) -> bool;
}

/// A force and the coordinate it works on, for the energy ledger.
#[derive(Clone, Copy, Debug)]
pub struct Conjugate {
    /// Force or moment, N or N m.
    pub force: f64,
    /// Its coordinate, m or rad; not used if `rate_only`.
    pub coordinate: f64,
    /// The coordinate's rate.
    pub rate: f64,
    /// Whether there is no coordinate (a rotation): work is integrated from the rate.
    pub rate_only: bool,
    /// Where the work goes.
    pub account: Account,
}

/// Accounts of the energy ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// Put in by loads and prescribed motions.
    Input,
    /// Taken out by dampers and friction.
    Dissipated,
}

/// A force element.
pub trait Element: Debug + Send + Sync {
    /// `contact`, `spring`, `force`, `torque`.
    fn kind(&self) -> &'static str;
    /// Its name.
    fn name(&self) -> &str;
    /// Length of its memory.
    fn memory(&self) -> usize {
        0
    }
    /// Sets the memory up at the start of a run.
    fn start(&self, _t: f64, _frames: &[Frame], _memory: &mut [f64]) {}
    /// Wrenches at a moment, the memory at its end, and tangent blocks if wanted.
    fn apply(&self, at: &Moment<'_>, memory: &mut [f64], sink: &mut dyn Sink);
    /// Whether it hands over [`Sink::slow_block`]s.
    fn is_slow(&self) -> bool {
        false
    }
    /// Takes the acceleration of gravity, m/s², before the first evaluation.
    fn set_gravity(&mut self, _gravity: Vec3) {}
    /// Kinetic energy of an element with mass, J.
    fn kinetic(&self, _frames: &[Frame]) -> f64 {
        0.0
    }
    /// The single joint coordinate it resists, if it works on one: the body and the place.
    fn joint(&self) -> Option<(BodyId, usize)> {
        None
    }
    /// Sets the memory up for a joint coordinate at the start of a run.
    fn start_joint(&self, _at: &JointMoment<'_>, _memory: &mut [f64]) {}
    /// Rates of the memory of a joint element in the continuous view.
    fn joint_memory_rates(&self, _at: &JointMoment<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
    }
    /// The force against a joint coordinate, the memory at the end, and the slope if wanted.
    fn apply_joint(
        &self,
        _at: &JointMoment<'_>,
        _memory: &mut [f64],
        _weights: Option<TangentWeights>,
    ) -> JointForce {
        JointForce::default()
    }
    /// All bodies whose motions it couples.
    fn couples(&self) -> Vec<BodyId> {
        self.bodies().to_vec()
    }
    /// Energy stored, J.
    fn stored(&self, _t: f64, _frames: &[Frame], _memory: &[f64]) -> f64 {
        0.0
    }
    /// The part of the stored energy that sits in friction states, J: the work of
    /// [`Element::conjugates`] puts it in and takes it out.
    fn held(&self, _t: f64, _frames: &[Frame], _memory: &[f64]) -> f64 {
        0.0
    }
    /// Forces and the coordinates they work on.
    fn conjugates(
        &self,
        _t: f64,
        _frames: &[Frame],
        _memory: &[f64],
        _out: &mut dyn FnMut(Conjugate),
    ) {
    }
    /// Natural sizes: shortest length (m) and slowest speed (m/s) that matter to it.
    fn natural_sizes(&self) -> Option<(f64, f64)> {
        None
    }
    /// Natural sizes of the memory entries; 0 for entries without error control.
    fn memory_scales(&self, scales: &mut [f64]) {
        scales.fill(0.0);
    }
    /// Rates of the memory in the continuous view.
    fn memory_rates(&self, _t: f64, _frames: &[Frame], _memory: &[f64], rates: &mut [f64]) {
        rates.fill(0.0);
    }
    /// The memory at the fraction `theta` between two committed moments.
    fn memory_between(&self, ends: (&Moment<'_>, &Moment<'_>), theta: f64, memory: &mut [f64]) {
        let (from, to) = (ends.0.memory, ends.1.memory);
        for (x, (a, b)) in memory.iter_mut().zip(from.iter().zip(to)) {
            *x = a + theta * (b - a);
        }
    }
    /// Whether a force or the memory jumps where a mode changes.
    fn switches(&self) -> bool {
        false
    }
    /// How far its modes are from their ends: 1 is far, below 0 one has ended.
    fn margin(&self, _t: f64, _frames: &[Frame], _memory: &[f64]) -> f64 {
        f64::INFINITY
    }
    /// Changes the modes that have ended.
    fn switch(&self, _t: f64, _frames: &[Frame], _memory: &mut [f64]) {}
    /// The fraction of a step of length `h` (s) between two memories at which it should be cut,
    /// because the motion turns there.
    fn turn(&self, _h: f64, _before: &[f64], _after: &[f64]) -> Option<f64> {
        None
    }
    /// The slip of its loaded pairs, for step rules that look at it.
    fn slips(&self, _t: f64, _frames: &[Frame], _memory: &[f64], _each: &mut dyn FnMut(SlipState)) {
    }
    /// Times at which its load or the slope of it jumps.
    fn breakpoints(&self, _end_time: f64) -> Vec<f64> {
        Vec::new()
    }
    /// The speed from which it counts as slipping, m/s, if a joint's stick and slip are recorded.
    fn slip_threshold(&self) -> Option<f64> {
        None
    }
    /// The slip speed in a joint, m/s; `None` without load.
    fn slip_speed_now(&self, _t: f64, _memory: &[f64]) -> Option<f64> {
        None
    }
    /// Where the sliding points are, if their stick and slip is recorded.
    fn slip_places(&self, _t: f64, _frames: &[Frame], _memory: &[f64]) -> SlipPlaces {
        SlipPlaces::new()
    }
    /// The bodies it acts on.
    fn bodies(&self) -> [BodyId; 2];
    /// The contact, if it is one.
    fn as_contact(&self) -> Option<&Contact> {
        None
    }
    /// The friction of a joint coordinate, if it is one.
    fn as_joint_friction(&self) -> Option<&JointFriction> {
        None
    }
    /// Names, units and meanings of the quantities it reports.
    fn channels(&self) -> Vec<(String, &'static str, String)> {
        Vec::new()
    }
    /// The reported quantities, in the order of [`Element::channels`].
    fn sample(&self, _t: f64, _frames: &[Frame], _memory: &[f64], _out: &mut Vec<f64>) {}
}
