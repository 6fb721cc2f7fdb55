//! The tangent of a contact: derivatives of the wrenches by the motion of both bodies.

use super::geometry::{CurvedPlace, Relative};
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
    /// Adds what comes of the turning of the normal on a curved surface.
    ///
    /// A point that moves by δc over the surface turns the normal by u = H δc, and with it force
    /// and slip velocity. The contact is −h n from it, and lags behind by δ(h n) = h u + n δh:
    ///
    /// δf = (n × u) × f + (∂f/∂γ) (v × (n × u) − ω_rel × δ(h n)),   δa = −δ(h n) ,
    ///
    /// and where the body of the surface turns by θ_B, by h θ_B × n.
    ///
    /// `tangent` has the forces and slopes weighted with k, `spin` is ω_rel.
    pub(super) fn add_turning(
        &mut self,
        r: &Relative,
        place: &CurvedPlace,
        tangent: &ForceTangent,
        spin: &Vec3,
    ) {
        let n: Vec3 = r.axes.column(2).into();
        let v: Vec3 = r.axes * r.gamma;
        let ForceTangent { e, force: f, .. } = tangent;
        // a × (n × u) = n (a·u) − u (a·n)
        let twist = |a: &Vec3| n * a.transpose() - Mat3::from_diagonal_element(a.dot(&n));
        let by_centre = (e * twist(&v) - twist(f)) * place.hessian - e * cross(spin) * place.lag;
        let lever = cross(f) * place.lag;
        let add = |block: &mut Mat6, sign: f64, arm: &Vec3, centre: &Vec3| {
            let x = by_centre * sign;
            let moment = (cross(arm) * by_centre + lever) * sign;
            let turned = -cross(centre);
            for j in 0..3 {
                for i in 0..3 {
                    block[(i, j)] += x[(i, j)];
                    block[(i + 3, j)] += moment[(i, j)];
                }
            }
            let (x, moment) = (x * turned, moment * turned);
            for j in 0..3 {
                for i in 0..3 {
                    block[(i, j + 3)] += x[(i, j)];
                    block[(i + 3, j + 3)] += moment[(i, j)];
                }
            }
        };
        add(&mut self.aa, 1.0, &r.arm_a, &place.centre_a);
        if !self.both {
            return;
        }
        add(&mut self.ab, -1.0, &r.arm_a, &place.centre_b);
        add(&mut self.ba, -1.0, &r.arm_b, &place.centre_a);
        add(&mut self.bb, 1.0, &r.arm_b, &place.centre_b);
        // the normal turns with its body, too: δa = −h θ_B × n
        let height = cross(&n) * place.height;
        let (x, lever) = (e * cross(spin) * height, cross(f) * height);
        let moment = |arm: &Vec3| cross(arm) * x - lever;
        let (a, b) = (moment(&r.arm_a), moment(&r.arm_b));
        for j in 0..3 {
            for i in 0..3 {
                self.ab[(i, j + 3)] += x[(i, j)];
                self.ab[(i + 3, j + 3)] += a[(i, j)];
                self.bb[(i, j + 3)] -= x[(i, j)];
                self.bb[(i + 3, j + 3)] -= b[(i, j)];
            }
        }
    }

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
