//! Where a point touches, and how it moves there.
//!
//! Letters as in nonsmooth contact mechanics: the gap vector **g** of a point and its relative
//! velocity **γ**, in the tangents and the normal at the contact; the third component is normal,
//! δ = −g_z.

use super::carried::{CarriedTangent, NormalMotion};
use super::{Contact, ContactPoint};
use crate::body::BodyId;
use crate::element::ElementInput;
use crate::frame::{Frame, Mat3, Vec3};

/// Geometry and relative motion of a point.
pub(super) struct Relative {
    /// Tangents and normal, world axes.
    pub(super) axes: Mat3,
    /// Coordinates of the point in the axes of the plane, m; on a curved surface the gap alone.
    pub(super) g: Vec3,
    /// Relative velocity in the middle of the penetration zone (at the point, where the normal force
    /// is prescribed), in `axes`, m/s.
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
    /// On a surface that is no plane.
    pub(super) curved: Option<CurvedPlace>,
}

/// What a contact on a curved surface has beyond one on a plane.
pub(super) struct CurvedPlace {
    /// The tangents as they were carried here.
    pub(super) carried: CarriedTangent,
    /// ∂n/∂x, world axes, 1/m.
    pub(super) hessian: Mat3,
    /// From the origins of both bodies to the point or the centre of the ball, world axes, m.
    pub(super) centre_a: Vec3,
    pub(super) centre_b: Vec3,
    /// From the middle of the penetration zone to the point or the centre, along the normal, m.
    pub(super) height: f64,
    /// ∂(height n)/∂x, world axes: how the contact lags behind the point or the centre.
    pub(super) lag: Mat3,
}

/// What a point brings along from an earlier instant.
#[derive(Clone, Copy)]
pub(super) struct PointPast<'a> {
    /// Its history; empty at the start of a run.
    pub(super) history: &'a [f64],
    /// The time since then, s.
    pub(super) step: f64,
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
    /// Height above the surface, m.
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
        let len = self.point_history_len();
        let history = &history[point * len..(point + 1) * len];
        let relative = self.relative(
            &self.points[point],
            frames,
            PointPast { history, step: 0.0 },
        );
        let own = self.split(history);
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

    /// Where a point stands over the surface, as of `carried`.
    #[inline]
    pub(super) fn relative(
        &self,
        point: &ContactPoint,
        frames: &[Frame],
        carried: PointPast<'_>,
    ) -> Relative {
        if self.surface.is_plane() {
            self.over_plane(point, frames)
        } else {
            self.over_curved(point, frames, carried)
        }
    }

    #[inline]
    fn over_plane(&self, point: &ContactPoint, frames: &[Frame]) -> Relative {
        let (a, b) = (&frames[self.body.0], &frames[self.surface.body.0]);
        // most planes stand still: nothing of them turns or moves
        let moving = self.surface.body != BodyId::GROUND;
        let axes = if moving {
            b.r * self.surface.axes
        } else {
            self.surface.axes
        };
        let normal: Vec3 = axes.column(2).into();
        let below = normal * point.radius;
        let arm = a.r * point.position - below;
        let place = a.p + arm;
        let g = axes.tr_mul(&if moving {
            place - b.p - b.r * self.surface.point
        } else {
            place - self.surface.point
        });
        // a prescribed force has no zone of penetration: it acts at the point, as deep as it may be
        let zone = if self.pushes() { (-g.z).max(0.0) } else { 0.0 };
        let half = 0.5 * zone;
        let arm_a = arm + normal * half;
        let arm_b = a.p + arm_a - b.p;
        let mut velocity = a.velocity_at(&arm_a);
        if moving {
            velocity -= b.velocity_at(&arm_b);
        }
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
            curved: None,
        }
    }

    fn over_curved(
        &self,
        point: &ContactPoint,
        frames: &[Frame],
        carried: PointPast<'_>,
    ) -> Relative {
        let (a, b) = (&frames[self.body.0], &frames[self.surface.body.0]);
        let own = b.r * self.surface.axes;
        let centre_a = a.r * point.position;
        let centre_b = a.p + centre_a - b.p;
        let local = own.tr_mul(&(centre_b - b.r * self.surface.point));
        let at = self.surface.nearest(&local);
        let moving = a.velocity_at(&centre_a) - b.velocity_at(&centre_b);
        let motion = NormalMotion {
            normal: at.normal,
            rate: at.hessian * own.tr_mul(&moving),
        };
        let tangent = if carried.history.is_empty() {
            CarriedTangent::begin(&motion)
        } else {
            let old = CarriedTangent::read(self.split(carried.history).tangent);
            old.carry(&motion, carried.step)
        };
        let axes = own * tangent.axes();
        let normal: Vec3 = axes.column(2).into();
        let gap = at.distance - point.radius;
        let zone = if self.pushes() { (-gap).max(0.0) } else { 0.0 };
        let height = point.radius - 0.5 * zone;
        let arm_a = centre_a - normal * height;
        let arm_b = centre_b - normal * height;
        let velocity = a.velocity_at(&arm_a) - b.velocity_at(&arm_b);
        let hessian = own * at.hessian * own.transpose();
        let mut lag = hessian * height;
        if zone > 0.0 {
            lag += normal * normal.transpose() * 0.5;
        }
        Relative {
            axes,
            g: Vec3::new(0.0, 0.0, gap),
            gamma: axes.tr_mul(&velocity),
            beyond: [0.0; 2],
            arm_a,
            arm_b,
            turning: centre_a,
            rolls: true,
            curved: Some(CurvedPlace {
                carried: tangent,
                hessian,
                centre_a,
                centre_b,
                height,
                lag,
            }),
        }
    }

    /// Height of a point over the surface, or of the lowest point of a ball, m.
    pub(super) fn gap(&self, point: &ContactPoint, frames: &[Frame]) -> f64 {
        let (a, b) = (&frames[self.body.0], &frames[self.surface.body.0]);
        let centre = a.p + a.r * point.position - b.p - b.r * self.surface.point;
        let local = (b.r * self.surface.axes).tr_mul(&centre);
        self.surface.nearest(&local).distance - point.radius
    }

    /// The relative angular velocity in the tangents and the normal at the contact, rad/s.
    pub(super) fn angular_velocity(&self, at: &ElementInput<'_>, relative: &Relative) -> Vec3 {
        let w = at.frames[self.body.0].w - at.frames[self.surface.body.0].w;
        relative.axes.tr_mul(&w)
    }
}
