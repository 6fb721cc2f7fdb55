//! A joint that closes a loop: its ends, and how they move.

use super::coupling::CouplingId;
use crate::body::{BodyId, Joint};
use crate::frame::{Frame, Mat3, Vec3};
use nalgebra::UnitQuaternion;

/// A loop's place in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub(crate) usize);

impl LoopId {
    /// Position in the list of loops.
    pub fn index(self) -> usize {
        self.0
    }
}

/// Whose joint it is: that of a body, or one that closes a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointOwner {
    /// The joint that hangs a body on its parent.
    Body(BodyId),
    /// A joint that closes a loop.
    Loop {
        /// The loop.
        id: LoopId,
        /// The body that carries its axes.
        from: BodyId,
        /// The body that moves relative to it.
        to: BodyId,
    },
    /// The faces of a coupling that slide on each other: the flanks of a screw.
    Coupling {
        /// The coupling.
        id: CouplingId,
        /// The bodies whose joints it couples: the driving one, the driven one.
        from: BodyId,
        /// The driven one.
        to: BodyId,
    },
}

impl JointOwner {
    /// The body that moves in the joint.
    pub fn moving(&self) -> BodyId {
        match self {
            Self::Body(body) => *body,
            Self::Loop { to, .. } | Self::Coupling { to, .. } => *to,
        }
    }

    /// The bodies that an element on the joint acts on; of the joint of a body the parent is known
    /// from the tree.
    pub(crate) fn bodies(&self) -> [BodyId; 2] {
        match self {
            Self::Body(body) => [*body, *body],
            Self::Loop { from, to, .. } | Self::Coupling { from, to, .. } => [*from, *to],
        }
    }

    /// The loop, if it is that of one.
    pub fn loop_id(&self) -> Option<LoopId> {
        match self {
            Self::Body(_) | Self::Coupling { .. } => None,
            Self::Loop { id, .. } => Some(*id),
        }
    }

    /// The coupling, if it is that of one.
    pub fn coupling_id(&self) -> Option<CouplingId> {
        match self {
            Self::Coupling { id, .. } => Some(*id),
            Self::Body(_) | Self::Loop { .. } => None,
        }
    }
}

/// One end of a joint that closes a loop: a frame fixed in a body.
#[derive(Clone, Debug)]
pub struct LoopEnd {
    /// The body.
    pub body: BodyId,
    /// Origin of the joint frame in the body, m.
    pub point: Vec3,
    /// Orientation of the joint frame in the body.
    pub orientation: UnitQuaternion<f64>,
}

impl LoopEnd {
    /// A frame at a point of a body, with the body's axes.
    pub fn at(body: BodyId, point: Vec3) -> Self {
        Self {
            body,
            point,
            orientation: UnitQuaternion::identity(),
        }
    }
}

/// A joint that closes a loop of the tree: it ties two bodies that have their own joints already.
#[derive(Clone, Debug)]
pub struct LoopJoint {
    /// Name.
    pub name: String,
    /// The joint, as that of a body; its axes belong to the joint frames of the ends.
    pub joint: Joint,
    /// The end that carries the joint's axes.
    pub from: LoopEnd,
    /// The end that moves relative to it; the reaction acts on this one.
    pub to: LoopEnd,
}

impl LoopJoint {
    /// Whether its ends meet in one point. Along which axes their distance is measured does not
    /// matter then: axes at rest lead an open loop to where it closes, axes that turn with a body
    /// lead it astray.
    fn meets(&self) -> bool {
        matches!(
            self.joint,
            Joint::Fixed | Joint::Revolute { .. } | Joint::Universal { .. } | Joint::Spherical
        )
    }

    /// Where its ends are and how they move, in frames of all bodies.
    #[inline]
    pub(crate) fn motion(&self, frames: &[Frame]) -> LoopMotion {
        let (from, to) = (&frames[self.from.body.0], &frames[self.to.body.0]);
        let p = to.p + to.r * self.to.point;
        let apart = p - from.p - from.r * self.from.point;
        let (mut arm_from, arm_to) = (p - from.p, p - to.p);
        let mut carried = from.w;
        if self.meets() {
            arm_from -= apart;
            carried = Vec3::zeros();
        }
        LoopMotion {
            apart,
            arm_from,
            arm_to,
            slide: to.velocity_at(&arm_to) - from.velocity_at(&arm_from),
            slide_rate: to.acceleration_at(&arm_to) - from.acceleration_at(&arm_from),
            carried,
            w: [from.w, to.w],
            alpha: [from.alpha, to.alpha],
            axes: [
                from.r * self.from.orientation.to_rotation_matrix().matrix(),
                to.r * self.to.orientation.to_rotation_matrix().matrix(),
            ],
        }
    }
}

/// How the ends of a loop move, in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopMotion {
    /// From the end that carries the axes to the one that moves, m.
    pub(crate) apart: Vec3,
    /// From the origins of the bodies to the end that moves, m; of ends that meet each to its own.
    pub(crate) arm_from: Vec3,
    pub(crate) arm_to: Vec3,
    /// Velocity and acceleration of that point, less those of the point of the other body there.
    pub(crate) slide: Vec3,
    pub(crate) slide_rate: Vec3,
    /// Angular velocity of the axes along which the ends are kept together.
    pub(crate) carried: Vec3,
    /// Angular velocities and accelerations of the bodies.
    pub(crate) w: [Vec3; 2],
    pub(crate) alpha: [Vec3; 2],
    /// Axes of both joint frames.
    pub(crate) axes: [Mat3; 2],
}

/// The axis of a single coordinate of a joint, in its joint frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleAxis {
    /// Place among the coordinates of [`Joint::singles`].
    pub(crate) place: usize,
    pub(crate) axis: Vec3,
    pub(crate) turns: bool,
}

impl SingleAxis {
    /// All of a joint.
    pub(super) fn of(joint: &Joint) -> Vec<Self> {
        let singles = joint.singles().into_iter().enumerate();
        singles
            .map(|(place, (axis, turns))| Self { place, axis, turns })
            .collect()
    }
}

/// A single coordinate of a loop's joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopCoordinate {
    /// Displacement (m) or angle (rad; within half a turn of 0).
    pub(crate) value: f64,
    /// Its rate.
    pub(crate) rate: f64,
    /// Its axis in the world.
    pub(crate) axis: Vec3,
    /// Whether it is an angle.
    pub(crate) turns: bool,
}

impl LoopJoint {
    /// A single coordinate of the joint.
    pub(crate) fn coordinate(&self, at: &LoopMotion, single: &SingleAxis) -> LoopCoordinate {
        let SingleAxis { place, axis, turns } = *single;
        let own = &axis;
        let [from, to] = &at.axes;
        // the second rotation of a universal joint is about an axis of the body that moves
        let carried = matches!(self.joint, Joint::Universal { .. }) && place == 1;
        let axis = if carried { to * own } else { from * own };
        if !turns {
            return LoopCoordinate {
                value: axis.dot(&at.apart),
                rate: axis.dot(&at.slide),
                axis,
                turns,
            };
        }
        let mark = self.mark(own, place);
        let (before, after) = (from * mark, to * mark);
        LoopCoordinate {
            value: axis.dot(&before.cross(&after)).atan2(before.dot(&after)),
            rate: axis.dot(&(at.w[1] - at.w[0])),
            axis,
            turns,
        }
    }

    /// A direction in both joint frames whose turn about an axis is the angle.
    fn mark(&self, axis: &Vec3, place: usize) -> Vec3 {
        match &self.joint {
            // the other axis turns with the first rotation, and stays in the second
            Joint::Universal { first, second } => {
                let other = if place == 0 { second } else { first };
                (other - axis * axis.dot(other)).normalize()
            }
            _ => crate::joint::tangents(axis)[0],
        }
    }
}
