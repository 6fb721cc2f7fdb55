//! Elastic forces, deformation damping and weight, with their tangent.

use super::motion::{MotionSlopes, NodeMotion};
use super::pose::{Mat3x12, Mat12, Pose, PoseSlopes, Quad, ROTATION, Row12, product};
use super::section::{CrossSection, Material};
use crate::element::rotation::{rate, rate_map_slope};
use crate::frame::{Vec3, cross};

/// Stiffness and weight of an element in its own axes.
///
/// Euler–Bernoulli, linear in stretch u and local rotations ϑᵢ: N = EA u/L, and at each end
/// m = near∘ϑ(near end) + far∘ϑ(far end) with near = (GJ, 4EI_y, 4EI_z)/L and
/// far = (−GJ, 2EI_y, 2EI_z)/L.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elastic {
    axial: f64,
    near: Vec3,
    far: Vec3,
    /// β, s.
    damping: f64,
    /// m L/12: what the mean height of the element gains by the rotation of an end, times m.
    bow: f64,
}

/// Deformation rates, and the spins of the ends relative to the element frame.
#[derive(Debug)]
pub(super) struct DeformationRates {
    pub(super) stretch: f64,
    pub(super) theta: [Vec3; 2],
    spins: [Vec3; 2],
}

/// Forces that go with the deformations.
#[derive(Debug)]
pub(super) struct DeformationForces {
    /// N, the axial force.
    pub(super) axial: f64,
    /// mᵢ, conjugate to ϑᵢ.
    moments: [Vec3; 2],
    /// Mᵢ = T⁻ᵀ mᵢ, conjugate to the spins.
    turned: [Vec3; 2],
    /// ElementInput on the element frame.
    frame: Vec3,
    /// (ϑ₁ − ϑ₂) × e_x, and gravity, in element axes.
    bend: Vec3,
    gravity: Vec3,
}

impl Elastic {
    pub(super) fn new(
        section: &CrossSection,
        material: &Material,
        length: f64,
        damping: f64,
    ) -> Self {
        let (e, l) = (material.young, length);
        let torsion = material.shear * section.torsion_constant / l;
        let (y, z) = (e * section.i_y / l, e * section.i_z / l);
        Self {
            axial: e * section.area / l,
            near: Vec3::new(torsion, 4.0 * y, 4.0 * z),
            far: Vec3::new(-torsion, 2.0 * y, 2.0 * z),
            damping,
            bow: material.density * section.area * l * l / 12.0,
        }
    }

    /// N and mᵢ of deformations.
    fn stiff(&self, stretch: f64, theta: &[Vec3; 2]) -> (f64, [Vec3; 2]) {
        let [a, b] = theta;
        let moment =
            |at: &Vec3, other: &Vec3| self.near.component_mul(at) + self.far.component_mul(other);
        (self.axial * stretch, [moment(a, b), moment(b, a)])
    }

    /// β K ḋ: forces of the deformation damping.
    pub(super) fn drag(&self, rates: &DeformationRates) -> (f64, [Vec3; 2]) {
        let (n, m) = self.stiff(rates.stretch, &rates.theta);
        (n * self.damping, m.map(|m| m * self.damping))
    }

    /// Forces of deformation, its rate and the weight; `gravity` in element axes.
    pub(super) fn load(
        &self,
        pose: &Pose,
        rates: &DeformationRates,
        gravity: Vec3,
    ) -> DeformationForces {
        let (mut axial, mut moments) = self.stiff(pose.stretch, &pose.theta);
        if self.damping != 0.0 {
            let (n, m) = self.drag(rates);
            axial += n;
            moments[0] += m[0];
            moments[1] += m[1];
        }
        let bend = (pose.theta[0] - pose.theta[1]).cross(&Vec3::x());
        let tip = Vec3::new(0.0, -gravity.z, gravity.y) * self.bow;
        moments[0] -= tip;
        moments[1] += tip;
        // the transpose of T⁻¹(ϑ) is T⁻¹(−ϑ)
        let turned = [0, 1].map(|i| rate(&-pose.theta[i], &moments[i]));
        DeformationForces {
            axial,
            frame: turned[0] + turned[1] - gravity.cross(&bend) * self.bow,
            moments,
            turned,
            bend,
            gravity,
        }
    }

    /// Strain energy, and the weight's potential relative to that of the ends' mean height, J.
    pub(super) fn stored(&self, pose: &Pose, gravity: &Vec3) -> f64 {
        let (n, m) = self.stiff(pose.stretch, &pose.theta);
        let bend = (pose.theta[0] - pose.theta[1]).cross(&Vec3::x());
        let strain = n * pose.stretch + m[0].dot(&pose.theta[0]) + m[1].dot(&pose.theta[1]);
        0.5 * strain - self.bow * gravity.dot(&bend)
    }

    /// The same for derivatives instead of deformations.
    fn stiff_rows(&self, stretch: &Row12, theta: &[Mat3x12; 2]) -> (Row12, [Mat3x12; 2]) {
        let moment = |at: &Mat3x12, other: &Mat3x12| {
            Mat3x12::from_fn(|i, j| self.near[i] * at[(i, j)] + self.far[i] * other[(i, j)])
        };
        let [a, b] = theta;
        (stretch * self.axial, [moment(a, b), moment(b, a)])
    }

    /// Derivatives of [`DeformationForces::forces`] by displacements, at fixed velocities in the world, and
    /// by velocities; in element axes, without the turning of the forces with them.
    pub(super) fn tangent(
        &self,
        pose: &Pose,
        slopes: &PoseSlopes,
        load: &DeformationForces,
        moving: Option<(&DeformationRates, &MotionSlopes)>,
    ) -> (Mat12, Option<Mat12>) {
        let (mut axial, mut moments) = self.stiff_rows(&slopes.length, &slopes.theta);
        let by_rate = (self.damping != 0.0).then(|| {
            let turned = [0, 1].map(|i| product(&slopes.rate_maps[i].transpose(), &moments[i]));
            nodal(slopes, &axial, &turned, &(turned[0] + turned[1])) * self.damping
        });
        // the weight's direction in element axes
        let fall = product(&cross(&load.gravity), &slopes.spin);
        let along = cross(&Vec3::x());
        let tip = product(&along, &fall) * self.bow;
        moments[0] -= tip;
        moments[1] += tip;
        if self.damping != 0.0
            && let Some((rates, motion)) = moving
        {
            let (stretch, theta) = rates.slopes(pose, slopes, motion);
            let (n, m) = self.stiff_rows(&stretch, &theta);
            axial += n * self.damping;
            moments[0] += m[0] * self.damping;
            moments[1] += m[1] * self.damping;
        }
        let turned = [0, 1].map(|i| {
            let geometric = rate_map_slope(&-pose.theta[i], &load.moments[i]);
            product(&slopes.rate_maps[i].transpose(), &moments[i])
                - product(&geometric, &slopes.theta[i])
        });
        let bent = product(&along, &(slopes.theta[1] - slopes.theta[0]));
        let frame = turned[0] + turned[1]
            - (product(&cross(&load.gravity), &bent) - product(&cross(&load.bend), &fall))
                * self.bow;
        let by_place =
            nodal(slopes, &axial, &turned, &frame) + slopes.of_spread(pose, &-load.frame);
        (by_place, by_rate)
    }
}

/// Nodal forces of axial force, moments on the ends and moment on the element frame.
fn nodal(slopes: &PoseSlopes, axial: &Row12, turned: &[Mat3x12; 2], frame: &Mat3x12) -> Mat12 {
    let mut matrix = product(&slopes.spin.transpose(), &-frame);
    for (sign, first) in [(-1.0, 0), (1.0, 6)] {
        let mut row = matrix.row_mut(first);
        row += axial * sign;
    }
    for (part, first) in turned.iter().zip(ROTATION) {
        let mut rows = matrix.fixed_view_mut::<3, 12>(first, 0);
        rows += part;
    }
    matrix
}

impl DeformationForces {
    /// The forces that the nodes exert on the element, in element axes.
    pub(super) fn forces(&self, pose: &Pose) -> Quad {
        let mut f = pose.spread(&-self.frame);
        f[0].x -= self.axial;
        f[1] += self.turned[0];
        f[2].x += self.axial;
        f[3] += self.turned[1];
        f
    }
}

impl DeformationRates {
    pub(super) fn new(pose: &Pose, motion: &NodeMotion) -> Self {
        let v = &motion.v;
        let spins = [v[1] - motion.spin, v[3] - motion.spin];
        Self {
            stretch: v[2].x - v[0].x,
            theta: [0, 1].map(|i| rate(&pose.theta[i], &spins[i])),
            spins,
        }
    }

    /// Derivatives by displacements at fixed velocities in the world.
    fn slopes(
        &self,
        pose: &Pose,
        slopes: &PoseSlopes,
        motion: &MotionSlopes,
    ) -> (Row12, [Mat3x12; 2]) {
        let stretch = motion.v.row(6) - motion.v.row(0);
        let theta = [0, 1].map(|i| {
            let spin = motion.v.fixed_rows::<3>(ROTATION[i]) - motion.spin;
            product(
                &rate_map_slope(&pose.theta[i], &self.spins[i]),
                &slopes.theta[i],
            ) + product(&slopes.rate_maps[i], &spin)
        });
        (stretch, theta)
    }
}
