//! Inertia: the consistent mass matrix in element axes, and its Lagrangian force.

use super::motion::{MotionSlopes, NodeMotion};
use super::pose::{Mat12, Mat12x3, Pose, PoseSlopes, Quad, ROTATION, product, stacked};
use super::section::{CrossSection, Material};
use crate::frame::{Vec3, cross};

/// Consistent mass of an element: linear shapes along the axis and in torsion, Hermite's cubics
/// across, no rotary inertia of bending.
///
/// $$ T = \tfrac12 \mathbf V^T \mathbf M_l \mathbf V, \qquad
///    \mathbf f = \mathbf M_l\dot{\mathbf V} + \mathbf w\times\mathbf P
///      + \mathbf P_\vartheta\times\boldsymbol\omega
///      - \mathbf G \sum_k \mathbf P_k\times\mathbf V_k , \quad \mathbf P = \mathbf M_l\mathbf V $$
///
/// with V the nodes' velocities and w the frame's angular velocity in element axes: Lagrange's
/// equations of T, so that energy and both momenta of a free beam are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Consistent {
    /// Mass, kg.
    pub(super) mass: f64,
    /// Polar inertia ρ (I_y + I_z) L, kg m².
    polar: f64,
    length: f64,
}

impl Consistent {
    pub(super) fn new(section: &CrossSection, material: &Material, length: f64) -> Self {
        Self {
            mass: material.density * section.area * length,
            polar: material.density * (section.i_y + section.i_z) * length,
            length,
        }
    }

    /// M_l v.
    pub(super) fn times(&self, v: &Quad) -> Quad {
        let (axial, torsion) = (self.mass / 6.0, self.polar / 6.0);
        let (c, l) = (self.mass / 420.0, self.length);
        let [u1, t1, u2, t2] = v;
        // deflection and slope of each plane: y with θz, z with −θy
        let plane = |y1: f64, s1: f64, y2: f64, s2: f64| {
            let (s1, s2) = (s1 * l, s2 * l);
            [
                c * (156.0 * y1 + 22.0 * s1 + 54.0 * y2 - 13.0 * s2),
                c * l * (22.0 * y1 + 4.0 * s1 + 13.0 * y2 - 3.0 * s2),
                c * (54.0 * y1 + 13.0 * s1 + 156.0 * y2 - 22.0 * s2),
                -c * l * (13.0 * y1 + 3.0 * s1 + 22.0 * y2 - 4.0 * s2),
            ]
        };
        let y = plane(u1.y, t1.z, u2.y, t2.z);
        let z = plane(u1.z, -t1.y, u2.z, -t2.y);
        [
            Vec3::new(axial * (2.0 * u1.x + u2.x), y[0], z[0]),
            Vec3::new(torsion * (2.0 * t1.x + t2.x), -z[1], y[1]),
            Vec3::new(axial * (u1.x + 2.0 * u2.x), y[2], z[2]),
            Vec3::new(torsion * (t1.x + 2.0 * t2.x), -z[3], y[3]),
        ]
    }

    /// M_l.
    pub(super) fn matrix(&self) -> Mat12 {
        let mut matrix = Mat12::zeros();
        for j in 0..12 {
            let mut unit = [Vec3::zeros(); 4];
            unit[j / 3][j % 3] = 1.0;
            for (k, part) in self.times(&unit).iter().enumerate() {
                matrix.fixed_view_mut::<3, 1>(3 * k, j).copy_from(part);
            }
        }
        matrix
    }

    /// Kinetic energy, J.
    pub(super) fn energy(&self, motion: &NodeMotion) -> f64 {
        let p = self.times(&motion.v);
        0.5 * motion.v.iter().zip(&p).map(|(v, p)| v.dot(p)).sum::<f64>()
    }

    /// Force that the nodes need for the motion, in element axes.
    pub(super) fn force(&self, pose: &Pose, motion: &NodeMotion) -> Quad {
        if motion.is_still() {
            return self.times(&motion.a);
        }
        let (v, w) = (&motion.v, &motion.spin);
        let p = self.times(v);
        let rates = [0, 1, 2, 3].map(|k| motion.a[k] - w.cross(&v[k]));
        let mut f = self.times(&rates);
        let mut frame = Vec3::zeros();
        for k in 0..4 {
            f[k] += w.cross(&p[k]);
            frame += p[k].cross(&v[k]);
        }
        f[1] += p[1].cross(&v[1]);
        f[3] += p[3].cross(&v[3]);
        let spread = pose.spread(&frame);
        [0, 1, 2, 3].map(|k| f[k] - spread[k])
    }

    /// M_l times three columns.
    pub(super) fn times_columns(&self, columns: &Mat12x3) -> Mat12x3 {
        let mut out = Mat12x3::zeros();
        for j in 0..3 {
            let part = |k: usize| Vec3::from(columns.fixed_view::<3, 1>(3 * k, j));
            let product = self.times(&[part(0), part(1), part(2), part(3)]);
            for (k, part) in product.iter().enumerate() {
                out.fixed_view_mut::<3, 1>(3 * k, j).copy_from(part);
            }
        }
        out
    }

    /// Derivatives of [`Self::force`] at fixed velocities and accelerations in the world.
    pub(super) fn tangent(
        &self,
        m: &Mat12,
        pose: &Pose,
        slopes: &PoseSlopes,
        motion: &NodeMotion,
        moving: Option<&MotionSlopes>,
    ) -> InertiaTangent {
        let by_axes = self.times_columns(&stacked(&motion.a));
        let Some(moving) = moving else {
            return InertiaTangent {
                by_turn: by_axes,
                moving: None,
            };
        };
        let (v, w) = (&motion.v, cross(&motion.spin));
        let p = self.times(v);
        let (v_hats, p_hats) = (stacked(v), stacked(&p));
        // by the frame's angular velocity
        let by_spin = self.times_columns(&v_hats) - p_hats;
        let turned = product(&by_spin, &slopes.spin);
        // Σ P × V by V: M is symmetric and the hats are skew, so that it is the transpose
        let mut gyro = turned - turned.transpose();
        for k in 0..4 {
            let mut columns = gyro.fixed_columns_mut::<3>(3 * k);
            columns -= product(&m.fixed_columns::<3>(3 * k).into_owned(), &w);
            let mut rows = gyro.fixed_rows_mut::<3>(3 * k);
            rows += product(&w, &m.fixed_rows::<3>(3 * k).into_owned());
        }
        for (first, k) in ROTATION.into_iter().zip([1, 3]) {
            let mut rows = gyro.fixed_rows_mut::<3>(first);
            rows -= product(&cross(&v[k]), &m.fixed_rows::<3>(first).into_owned());
            let mut own = gyro.fixed_view_mut::<3, 3>(first, first);
            own += cross(&p[k]);
        }
        let frame = (0..4).fold(Vec3::zeros(), |sum, k| sum + p[k].cross(&v[k]));
        InertiaTangent {
            by_turn: by_axes + product(&gyro, &v_hats),
            moving: Some((
                product(&by_spin, &moving.spin_by_g) - slopes.of_spread(pose, &frame),
                gyro,
            )),
        }
    }
}

/// Derivatives of the inertia force in element axes, without the force's turning with them.
pub(super) struct InertiaTangent {
    /// By the turning of the element frame, which turns velocities and accelerations in it.
    pub(super) by_turn: Mat12x3,
    /// The rest by displacements, and by velocities, where something moves.
    pub(super) moving: Option<(Mat12, Mat12)>,
}
