//! Where a point touches, and how it moves there.
//!
//! Letters as in nonsmooth contact mechanics: the gap vector **g** of a point and its relative
//! velocity **γ**, in the axes of the plane; the third component is normal, δ = −g_z.

use super::{Contact, ContactPoint};
use crate::body::BodyId;
use crate::element::ElementInput;
use crate::frame::{Frame, Mat3, Vec3};

/// Geometry and relative motion of a point.
pub(super) struct Relative {
    /// Tangents and normal, world axes.
    pub(super) axes: Mat3,
    /// Coordinates of the point in the axes of the plane, m.
    pub(super) g: Vec3,
    /// Relative velocity in the middle of the penetration zone (at the point, where the normal force
    /// is prescribed), in the axes of the plane, m/s.
    pub(super) gamma: Vec3,
    /// What the slip velocity has beyond the rate of `g`, m/s: as a body turns, other points of it
    /// come into the middle of the zone. 0 of a ball, whose slip is the integral of its velocity.
    pub(super) beyond: [f64; 2],
    /// From the origins of both bodies to the middle of the penetration zone, world axes, m.
    pub(super) arm_a: Vec3,
    pub(super) arm_b: Vec3,
    /// The part of `arm_a` that turns with its body: all of it, without the radius of a ball.
    pub(super) turning: Vec3,
    /// Whether the slip is the integral of the slip velocity.
    pub(super) rolls: bool,
}

impl Relative {
    /// Position in the plane, m: the slip displacement of a point that does not roll.
    pub(super) fn position(&self) -> [f64; 2] {
        [self.g.x, self.g.y]
    }

    /// Slip velocity, m/s.
    pub(super) fn slip_velocity(&self) -> [f64; 2] {
        [self.gamma.x, self.gamma.y]
    }

    /// Depth δ, m; positive in contact.
    pub(super) fn depth(&self) -> f64 {
        -self.g.z
    }
}

/// Where a point touches at an instant, for those who look from outside.
pub(crate) struct Touch {
    /// Tangents and normal, world axes.
    pub(crate) axes: Mat3,
    /// The place in the world, m.
    pub(crate) place: Vec3,
    /// Height above the plane, m.
    pub(crate) gap: f64,
    /// Slip displacement, m.
    pub(crate) displacement: [f64; 2],
    /// Normal force, N.
    pub(crate) normal_force: f64,
    /// States of the friction law.
    pub(crate) states: Vec<f64>,
}

impl Contact {
    /// Where a point touches; `history` is that of the contact.
    pub(crate) fn touch(&self, point: usize, frames: &[Frame], history: &[f64]) -> Touch {
        let relative = self.relative(&self.points[point], frames);
        let len = self.point_history_len();
        let own = self.split(&history[point * len..(point + 1) * len]);
        let pair = self.friction.split(own.pair);
        Touch {
            axes: relative.axes,
            place: frames[self.body.0].p + relative.arm_a,
            gap: relative.g.z,
            displacement: pair.motion.displacement,
            normal_force: pair.motion.normal_force,
            states: pair.law.to_vec(),
        }
    }

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
        let g = axes.tr_mul(&(place - b.p - origin));
        // a prescribed force has no zone of penetration: it acts at the point, as deep as it may be
        let zone = if self.pushes() { (-g.z).max(0.0) } else { 0.0 };
        let half = 0.5 * zone;
        let arm_a = arm + normal * half;
        let arm_b = a.p + arm_a - b.p;
        let velocity = a.velocity_at(&arm_a) - b.velocity_at(&arm_b);
        let beyond = if half > 0.0 && !point.rolls() {
            let spin = axes.tr_mul(&(a.w - b.w));
            [spin.y * half, -spin.x * half]
        } else {
            [0.0; 2]
        };
        Relative {
            axes,
            g,
            gamma: axes.tr_mul(&velocity),
            beyond,
            arm_a,
            arm_b,
            turning: arm_a + below,
            rolls: point.rolls(),
        }
    }

    /// The relative angular velocity in the axes of the plane, rad/s.
    pub(super) fn angular_velocity(&self, at: &ElementInput<'_>, relative: &Relative) -> Vec3 {
        let w = at.frames[self.body.0].w - at.frames[self.plane.body.0].w;
        relative.axes.tr_mul(&w)
    }
}
