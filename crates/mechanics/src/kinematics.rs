//! Frames of the bodies and motions of the degrees of freedom, from the root to the leaves.

use crate::frame::{Frame, Mat3, Vec3};
use crate::joint::JointStep;
use crate::model::Model;
use bristle_integrate::Instant;
use nalgebra::{Quaternion, UnitQuaternion};

/// How a degree of freedom moves what hangs on it, in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Motion {
    /// A translation along a unit vector.
    Along(Vec3),
    /// A rotation about a unit vector through a point.
    About(Vec3, Vec3),
}

impl Motion {
    /// Displacement and rotation of a body whose origin is at `p`, per unit of the coordinate.
    #[inline]
    pub(crate) fn of(&self, p: &Vec3) -> (Vec3, Vec3) {
        match self {
            Self::Along(e) => (*e, Vec3::zeros()),
            Self::About(e, through) => (e.cross(&(p - through)), *e),
        }
    }

    /// Its unit vector.
    pub(crate) fn axis(&self) -> Vec3 {
        match self {
            Self::Along(e) | Self::About(e, _) => *e,
        }
    }
}

impl Model {
    /// Frames of all bodies.
    pub fn frames(&self, t: f64, q: &[f64], v: &[f64], a: &[f64]) -> Vec<Frame> {
        let mut frames = vec![Frame::WORLD; self.bodies.len()];
        let mut motions = vec![Motion::Along(Vec3::zeros()); self.motions()];
        let at = Instant {
            t,
            q,
            v,
            a,
            history: &[],
            step: 0.0,
            stage: None,
        };
        self.place(&at, &mut frames, &mut motions);
        frames
    }

    /// Number of motions: of the degrees of freedom, then of the driven coordinates.
    pub(crate) fn motions(&self) -> usize {
        self.dofs + self.joints.drives.len()
    }

    /// Fills in frames and the motions of all joint coordinates.
    pub(crate) fn place(&self, at: &Instant<'_>, frames: &mut [Frame], motions: &mut [Motion]) {
        for i in 1..self.bodies.len() {
            let parent = frames[self.bodies[i].parent.0];
            frames[i] = self.walk(i, &parent, at, |step, before| match step {
                JointStep::Slide(axis, by) => motions[by.place()] = Motion::Along(before.r * axis),
                JointStep::Turn(axis, by) => {
                    motions[by.place()] = Motion::About(before.r * axis, before.p);
                }
                JointStep::Ball { v, .. } => turns(before, &before.p, &mut motions[*v..*v + 3]),
                JointStep::Float { q, v } => {
                    for k in 0..3 {
                        motions[v + k] = Motion::Along(before.r.column(k).into());
                    }
                    let p = before.p + before.r * three(&at.q[*q..]);
                    turns(before, &p, &mut motions[v + 3..v + 6]);
                }
            });
        }
    }

    /// The frame of a body; `visit` sees every step of its joint with the frame before it.
    #[inline]
    pub(crate) fn walk(
        &self,
        body: usize,
        parent: &Frame,
        at: &Instant<'_>,
        mut visit: impl FnMut(&JointStep, &Frame),
    ) -> Frame {
        let steps = &self.joints.of_body[body];
        let Instant { q, v, a, .. } = *at;
        if let [step @ JointStep::Float { q: c, v: d }] = &steps[..] {
            visit(step, parent);
            return float(parent, &q[*c..], &v[*d..*d + 6], &a[*d..*d + 6]);
        }
        let r = self.mounted(body, parent);
        let mut frame = carried(parent, &self.bodies[body].position, &r);
        for step in steps {
            visit(step, &frame);
            match step {
                JointStep::Slide(axis, by) => {
                    let e = frame.r * axis;
                    slide(&mut frame, &e, by.jet(at));
                }
                JointStep::Turn(axis, by) => turn(&mut frame, axis, by.jet(at)),
                JointStep::Ball { q: c, v: d } => {
                    ball(&mut frame, &q[*c..], &v[*d..*d + 3], &a[*d..*d + 3]);
                }
                JointStep::Float { .. } => {}
            }
        }
        frame
    }

    /// Axes of a joint frame in the world.
    pub(crate) fn mounted(&self, body: usize, parent: &Frame) -> Mat3 {
        self.mounts[body].map_or(parent.r, |mount| parent.r * mount)
    }
}

pub(crate) fn three(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}

/// Rotations about the three axes of a frame through a point.
fn turns(frame: &Frame, through: &Vec3, motions: &mut [Motion]) {
    for (k, motion) in motions.iter_mut().enumerate() {
        *motion = Motion::About(frame.r.column(k).into(), *through);
    }
}

/// A frame fixed in its parent at `position`, with axes `r` in the world.
fn carried(parent: &Frame, position: &Vec3, r: &Mat3) -> Frame {
    let arm = parent.r * position;
    Frame {
        p: parent.p + arm,
        r: *r,
        v: parent.velocity_at(&arm),
        w: parent.w,
        a: parent.acceleration_at(&arm),
        alpha: parent.alpha,
    }
}

/// Slides a frame along the unit vector `e` that turns with it.
fn slide(frame: &mut Frame, e: &Vec3, [x, v, a]: [f64; 3]) {
    let arm = e * x;
    frame.p += arm;
    frame.v += frame.w.cross(&arm) + e * v;
    frame.a += frame.alpha.cross(&arm)
        + frame.w.cross(&frame.w.cross(&arm))
        + frame.w.cross(e) * (2.0 * v)
        + e * a;
}

/// Turns a frame about the unit `axis` (its own axes) through its origin.
fn turn(frame: &mut Frame, axis: &Vec3, [angle, rate, acceleration]: [f64; 3]) {
    if (angle, rate, acceleration) == (0.0, 0.0, 0.0) {
        return;
    }
    let e = frame.r * axis;
    frame.alpha += e * acceleration + frame.w.cross(&e) * rate;
    frame.w += e * rate;
    let rotation = UnitQuaternion::from_scaled_axis(axis * angle);
    frame.r *= rotation.to_rotation_matrix().matrix();
}

/// Turns a frame by a quaternion; velocities in the axes before the turn.
fn ball(frame: &mut Frame, q: &[f64], v: &[f64], a: &[f64]) {
    let rate = frame.r * three(v);
    frame.alpha += frame.r * three(a) + frame.w.cross(&rate);
    frame.w += rate;
    frame.r *= rotation(q);
}

fn rotation(q: &[f64]) -> Mat3 {
    let quaternion = UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]));
    *quaternion.to_rotation_matrix().matrix()
}

/// A body that moves freely in its parent's frame; velocities in the parent's axes.
fn float(parent: &Frame, q: &[f64], v: &[f64], a: &[f64]) -> Frame {
    let arm = parent.r * three(q);
    let (rv, rw) = (parent.r * three(v), parent.r * three(&v[3..]));
    Frame {
        p: parent.p + arm,
        r: parent.r * rotation(&q[3..]),
        v: parent.velocity_at(&arm) + rv,
        w: parent.w + rw,
        a: parent.acceleration_at(&arm) + parent.w.cross(&rv) * 2.0 + parent.r * three(a),
        alpha: parent.alpha + parent.w.cross(&rw) + parent.r * three(&a[3..]),
    }
}
