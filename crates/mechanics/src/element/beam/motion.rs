//! Velocities and accelerations of the nodes in element axes.

use super::pose::{BeamNode, Mat3x12, Mat12, Pose, PoseSlopes, Quad, product, stacked};
use crate::frame::Vec3;

/// Motion of the nodes in element axes.
#[derive(Debug)]
pub(super) struct NodeMotion {
    pub(super) v: Quad,
    pub(super) a: Quad,
    /// Angular velocity of the element frame.
    pub(super) spin: Vec3,
}

impl NodeMotion {
    pub(super) fn new(pose: &Pose, [a, b]: &[BeamNode; 2]) -> Self {
        let v = [&a.v, &a.w, &b.v, &b.w].map(|x| pose.local(x));
        Self {
            spin: pose.spin(&v),
            v,
            a: [&a.a, &a.alpha, &b.a, &b.alpha].map(|x| pose.local(x)),
        }
    }

    /// Whether nothing moves, so that all terms of the velocities vanish.
    pub(super) fn is_still(&self) -> bool {
        self.v.iter().all(|v| *v == Vec3::zeros())
    }
}

/// Derivatives by displacements, at fixed velocities in the world: the axes turn.
#[derive(Debug)]
pub(super) struct MotionSlopes {
    /// Of the velocities.
    pub(super) v: Mat12,
    /// Of the frame's angular velocity: all of it, and through G alone.
    pub(super) spin: Mat3x12,
    pub(super) spin_by_g: Mat3x12,
}

impl MotionSlopes {
    pub(super) fn new(pose: &Pose, slopes: &PoseSlopes, motion: &NodeMotion) -> Self {
        let hats = stacked(&motion.v);
        let spin_by_g = slopes.of_spin(pose, &motion.v);
        Self {
            spin: product(&(slopes.spin * hats), &slopes.spin) + spin_by_g,
            v: product(&hats, &slopes.spin),
            spin_by_g,
        }
    }
}
