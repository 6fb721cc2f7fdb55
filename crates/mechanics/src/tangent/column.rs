//! How the motion of a body changes with the degrees of freedom of its chain.

use super::Positions;
use crate::frame::{Frame, Vec3, Vec6, joined};
use crate::joint::CoordinateKind;
use crate::kinematics::Motion;
use crate::model::Model;

/// ∂ of a body's motion by one degree of freedom, at fixed rates of the others.
pub(super) struct FreedomColumn {
    /// Displacement and rotation: also ∂V/∂q̇ and ∂A/∂q̈.
    pub(super) motion: Vec6,
    /// ∂V/∂q.
    pub(super) velocity: Vec6,
    /// ∂A/∂q.
    pub(super) acceleration: Vec6,
    /// ∂A/∂q̇.
    pub(super) by_rate: Vec6,
}

impl Model {
    /// How the motion of a body changes with a degree of freedom `k` of its chain.
    pub(super) fn column(&self, positions: &Positions<'_>, k: usize, body: usize) -> FreedomColumn {
        let Positions {
            frames,
            motions,
            carriers,
        } = *positions;
        let at = &frames[body];
        let dof = &self.joints.dofs[k];
        let parent = &frames[self.bodies[dof.body].parent.0];
        match (&motions[k], dof.kind) {
            (Motion::Along(e), CoordinateKind::Single) => slid(e, &carriers[k], at),
            (Motion::Along(e), _) => slid(e, parent, at),
            (Motion::About(e, _), CoordinateKind::Single) => turned(e, &carriers[k], at),
            (Motion::About(e, _), _) => turned_freely(e, parent, &frames[dof.body], at),
        }
    }
}

impl FreedomColumn {
    pub(super) fn simple(motion: &Motion, p: &Vec3) -> Self {
        let (along, about) = motion.of(p);
        Self {
            motion: joined(&along, &about),
            velocity: Vec6::zeros(),
            acceleration: Vec6::zeros(),
            by_rate: Vec6::zeros(),
        }
    }
}

/// A translation along `e`, an axis of the frame `before`.
fn slid(e: &Vec3, before: &Frame, _at: &Frame) -> FreedomColumn {
    let none = Vec3::zeros();
    let w = &before.w;
    FreedomColumn {
        motion: joined(e, &none),
        velocity: joined(&w.cross(e), &none),
        acceleration: joined(&(before.alpha.cross(e) + w.cross(&w.cross(e))), &none),
        by_rate: joined(&(w.cross(e) * 2.0), &none),
    }
}

/// A rotation about `e`, an axis of the frame `before`, through its origin.
///
/// The motion relative to `before` (position r, velocity u, ϖ, acceleration) turns as a whole;
/// what `before` itself does stays.
fn turned(e: &Vec3, before: &Frame, at: &Frame) -> FreedomColumn {
    let relative = RelativeMotion::from(before, at);
    let mut column = relative.turned(e, before);
    let w = &before.w;
    column.by_rate = joined(
        &(w.cross(&e.cross(&relative.r)) * 2.0 + e.cross(&relative.u) * 2.0),
        &(w.cross(e) + e.cross(&relative.spin)),
    );
    column
}

/// A rotation about an axis `e` of the parent, of a joint whose angular velocity has its
/// components in the parent: the body's own velocities stay, what hangs on it turns.
fn turned_freely(e: &Vec3, parent: &Frame, own: &Frame, at: &Frame) -> FreedomColumn {
    let relative = RelativeMotion::from(own, at);
    let mut column = relative.turned(e, own);
    let (w, rate, r) = (&parent.w, own.w - parent.w, &relative.r);
    let across = e.cross(r);
    let swung = w.cross(&across) * 2.0 + e.cross(&rate.cross(r)) + rate.cross(&across);
    column.by_rate = joined(
        &(swung + e.cross(&relative.u) * 2.0),
        &(w.cross(e) + e.cross(&relative.spin)),
    );
    column
}

/// The motion of a frame as seen from another one.
struct RelativeMotion {
    /// Position, velocity and acceleration, m.
    r: Vec3,
    u: Vec3,
    du: Vec3,
    /// Angular velocity and acceleration, rad.
    spin: Vec3,
    dspin: Vec3,
}

impl RelativeMotion {
    fn from(base: &Frame, at: &Frame) -> Self {
        let r = at.p - base.p;
        let u = at.v - base.velocity_at(&r);
        let spin = at.w - base.w;
        Self {
            r,
            u,
            du: at.a - base.acceleration_at(&r) - base.w.cross(&u) * 2.0,
            spin,
            dspin: at.alpha - base.alpha - base.w.cross(&spin),
        }
    }

    /// All of it turned about `e`, while `base` keeps its motion.
    fn turned(&self, e: &Vec3, base: &Frame) -> FreedomColumn {
        let (w, moved) = (&base.w, e.cross(&self.r));
        let (u, spin) = (e.cross(&self.u), e.cross(&self.spin));
        let carried = base.alpha.cross(&moved) + w.cross(&w.cross(&moved));
        FreedomColumn {
            motion: joined(&moved, e),
            velocity: joined(&(w.cross(&moved) + u), &spin),
            acceleration: joined(
                &(carried + w.cross(&u) * 2.0 + e.cross(&self.du)),
                &(w.cross(&spin) + e.cross(&self.dspin)),
            ),
            by_rate: Vec6::zeros(),
        }
    }
}
