//! The tangent of a contact: derivatives of the wrenches by the motion of both bodies.

use super::geometry::Relative;
use crate::frame::{Mat3, Mat6, Vec3, cross};

/// The tangent blocks of a contact: derivatives of the wrenches by displacement, rotation and
/// their rates, already weighted.
pub(super) struct ContactBlocks {
    /// Whether the body with the plane can move, too.
    both: bool,
    pub(super) aa: Mat6,
    pub(super) ab: Mat6,
    pub(super) ba: Mat6,
    pub(super) bb: Mat6,
}

/// The weighted derivatives of a point's force in world axes.
pub(super) struct ForceTangent {
    /// k ∂f/∂g + c ∂f/∂γ.
    pub(super) d: Mat3,
    /// k ∂f/∂γ: velocities also turn with the bodies.
    pub(super) e: Mat3,
    /// k f.
    pub(super) force: Vec3,
}

impl ContactBlocks {
    pub(super) const fn new(both: bool) -> Self {
        Self {
            both,
            aa: ZERO6,
            ab: ZERO6,
            ba: ZERO6,
            bb: ZERO6,
        }
    }

    /// Adds a point. With ξ the displacement and rotation θ of a body, in the plane's axes
    ///
    /// δg = ξ_A + θ_A × a − ξ_B − θ_B × b,
    /// δγ = (rates alike) + ω_A × (θ_A × a) − ω_B × (ξ_A + θ_A × a − ξ_B) − θ_B × γ,
    ///
    /// the force turns with the plane (θ_B × f) and the arms turn with the point; of the arm of a
    /// ball only the part up to its centre turns.
    /// `w` are the angular velocities of both bodies.
    pub(super) fn add(&mut self, r: &Relative, tangent: &ForceTangent, w: &[Vec3; 2]) {
        let [w_a, w_b] = w;
        let (arm_a, arm_b) = (cross(&r.arm_a), cross(&r.arm_b));
        let turning = cross(&r.turning);
        let ForceTangent { d, e, force } = tangent;
        let (turn_a, turn_b) = (e * cross(w_a), e * cross(w_b));
        let f = cross(force);
        let xa = d - turn_b;
        let ta = -(d * arm_a + (turn_a - turn_b) * turning);
        add_rows(&mut self.aa, &xa, &ta, &arm_a);
        add_moment(&mut self.aa, &Mat3::zeros(), &(f * turning));
        if !self.both {
            return;
        }
        let gamma: Vec3 = r.axes * r.gamma;
        let (xb, tb) = (-xa, d * arm_b + e * cross(&gamma) - f);
        add_rows(&mut self.ab, &xb, &tb, &arm_a);
        add_rows(&mut self.ba, &-xa, &-ta, &arm_b);
        add_rows(&mut self.bb, &-xb, &-tb, &arm_b);
        add_moment(&mut self.ba, &f, &(-f * turning));
        add_moment(&mut self.bb, &-f, &Mat3::zeros());
    }
}

impl ContactBlocks {
    /// Adds a couple with the slope `by_rate` (weighted, world axes) of the angular velocities.
    pub(super) fn add_couple(&mut self, by_rate: &Mat3) {
        let add = |block: &mut Mat6, sign: f64| {
            for j in 0..3 {
                for i in 0..3 {
                    block[(i + 3, j + 3)] += sign * by_rate[(i, j)];
                }
            }
        };
        add(&mut self.aa, 1.0);
        if self.both {
            add(&mut self.ab, -1.0);
            add(&mut self.ba, -1.0);
            add(&mut self.bb, 1.0);
        }
    }
}

const ZERO6: Mat6 = Mat6::from_array_storage(nalgebra::ArrayStorage([[0.0; 6]; 6]));

/// Rows of force and moment (arm × force) of ∂f/∂(x, θ).
fn add_rows(block: &mut Mat6, x: &Mat3, theta: &Mat3, arm: &Mat3) {
    let (mx, mt) = (arm * x, arm * theta);
    for j in 0..3 {
        for i in 0..3 {
            block[(i, j)] += x[(i, j)];
            block[(i, j + 3)] += theta[(i, j)];
            block[(i + 3, j)] += mx[(i, j)];
            block[(i + 3, j + 3)] += mt[(i, j)];
        }
    }
}

fn add_moment(block: &mut Mat6, x: &Mat3, theta: &Mat3) {
    for j in 0..3 {
        for i in 0..3 {
            block[(i + 3, j)] += x[(i, j)];
            block[(i + 3, j + 3)] += theta[(i, j)];
        }
    }
}
