//! Mass-proportional damping, against the rigid motion of a reference body.

use super::inertia::Consistent;
use super::pose::{BeamNode, Mat12, Mat12x3, Pose, Quad, stacked};
use crate::frame::{Frame, Mat3, Vec3, cross};
use nalgebra::SMatrix;

/// α M (V − V_ref): velocities relative to the frame of the reference body, and the force.
#[derive(Debug)]
pub(super) struct Drag {
    /// Velocities of the nodes in the moving frame, in element axes.
    pub(super) velocity: Quad,
    /// Force on the nodes' motion, in element axes.
    pub(super) force: Quad,
    /// From the reference body's origin to the nodes (world).
    pub(super) arms: [Vec3; 2],
    /// Its angular velocity (world).
    spin: Vec3,
}

impl Drag {
    pub(super) fn new(
        alpha: f64,
        inertia: &Consistent,
        pose: &Pose,
        [a, b]: &[BeamNode; 2],
        reference: &Frame,
    ) -> Self {
        let w = reference.w;
        let arms = [a.x - reference.p, b.x - reference.p];
        let velocity = [
            a.v - reference.velocity_at(&arms[0]),
            a.w - w,
            b.v - reference.velocity_at(&arms[1]),
            b.w - w,
        ]
        .map(|v| pose.local(&v));
        Self {
            force: inertia.times(&velocity).map(|f| f * alpha),
            velocity,
            arms,
            spin: w,
        }
    }

    /// Derivative of the force by the turning of the element frame; `alpha` is α.
    pub(super) fn by_turn(&self, alpha: f64, inertia: &Consistent) -> Mat12x3 {
        inertia.times_columns(&stacked(&self.velocity)) * alpha
    }

    /// Adds the rest of the derivative by displacements of the nodes: the reference frame is
    /// faster further out. `m` is α M, all in element axes.
    pub(super) fn add_by_place(&self, m: &Mat12, pose: &Pose, by_place: &mut Mat12) {
        let w = cross(&pose.local(&self.spin));
        for first in [0, 6] {
            let mut columns = by_place.fixed_columns_mut::<3>(first);
            columns -= m.fixed_columns::<3>(first) * w;
        }
    }

    /// Force and moment on the reference body of nodal forces in the world.
    pub(super) fn resultant(&self, f: &Quad) -> (Vec3, Vec3) {
        let [a, b] = &self.arms;
        (f[0] + f[2], f[1] + f[3] + a.cross(&f[0]) + b.cross(&f[2]))
    }

    /// S: velocities of the nodes (world) as points of the reference body.
    pub(super) fn carry(&self) -> SMatrix<f64, 12, 6> {
        let mut carry = SMatrix::<f64, 12, 6>::zeros();
        for (k, arm) in self.arms.iter().enumerate() {
            let one = Mat3::identity();
            carry.fixed_view_mut::<3, 3>(6 * k, 0).copy_from(&one);
            carry
                .fixed_view_mut::<3, 3>(6 * k, 3)
                .copy_from(&-cross(arm));
            carry.fixed_view_mut::<3, 3>(6 * k + 3, 3).copy_from(&one);
        }
        carry
    }

    /// Derivative of the velocities of the nodes as points of the reference body by the place of
    /// its origin: −ω × at the translations.
    pub(super) fn carry_by_origin(&self) -> Mat12x3 {
        let mut slope = Mat12x3::zeros();
        for first in [0, 6] {
            slope
                .fixed_view_mut::<3, 3>(first, 0)
                .copy_from(&-cross(&self.spin));
        }
        slope
    }
}
