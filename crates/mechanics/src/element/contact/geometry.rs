//! Where a point touches, and how it moves there.

use super::{Contact, ContactPoint};
use crate::body::BodyId;
use crate::frame::{Frame, Mat3, Vec3};

/// Geometry and relative motion of a point.
pub(super) struct Relative {
    /// Tangents and normal, world axes.
    pub(super) axes: Mat3,
    /// Coordinates of the point in the axes of the plane, m.
    pub(super) y: Vec3,
    /// Relative velocity at the middle of the penetration zone, in the axes of the plane, m/s.
    pub(super) u: Vec3,
    /// From the origins of both bodies to the middle of the penetration zone, world axes, m.
    pub(super) arm_a: Vec3,
    pub(super) arm_b: Vec3,
    /// The part of `arm_a` that turns with its body: all of it, without the radius of a ball.
    pub(super) turning: Vec3,
    /// Whether the slip is integrated from the velocity.
    pub(super) rolls: bool,
}

impl Relative {
    /// What the memory keeps of the motion in the plane: the place, of a ball the slip velocity.
    pub(super) fn place(&self) -> [f64; 2] {
        if self.rolls {
            [self.u.x, self.u.y]
        } else {
            [self.y.x, self.y.y]
        }
    }

    /// Mean slip velocity of a step from what the memory kept.
    ///
    /// The slip of a point is its displacement in the plane: in stick a bristle follows it. That
    /// of a ball is the mean of the velocities at both ends, as the displacements of Newmark's
    /// method are.
    #[inline]
    pub(super) fn mean_velocity(&self, old: [f64; 2], step: f64) -> [f64; 2] {
        if self.rolls {
            [0.5 * (self.u.x + old[0]), 0.5 * (self.u.y + old[1])]
        } else {
            [(self.y.x - old[0]) / step, (self.y.y - old[1]) / step]
        }
    }
}

impl Contact {
    #[inline]
    pub(super) fn relative(&self, point: &ContactPoint, frames: &[Frame]) -> Relative {
        let (a, b) = (&frames[self.body.0], &frames[self.plane.body.0]);
        let axes = if self.plane.body == BodyId::GROUND {
            self.plane.axes
        } else {
            b.r * self.plane.axes
        };
        let normal: Vec3 = axes.column(2).into();
        let below = normal * point.radius;
        let arm = a.r * point.position - below;
        let origin = b.r * self.plane.point;
        let place = a.p + arm;
        let y = axes.tr_mul(&(place - b.p - origin));
        let half = 0.5 * (-y.z).max(0.0);
        let arm_a = arm + normal * half;
        let arm_b = a.p + arm_a - b.p;
        let velocity = a.velocity_at(&arm_a) - b.velocity_at(&arm_b);
        Relative {
            axes,
            y,
            u: axes.tr_mul(&velocity),
            arm_a,
            arm_b,
            turning: arm_a + below,
            rolls: point.rolls(),
        }
    }
}
