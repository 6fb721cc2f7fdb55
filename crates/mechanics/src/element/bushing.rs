//! Bushings: linear stiffness and damping in all six directions between two frames.

use super::rotation::{log, rate_map};
use super::{Assembly, Element, ElementInput, EnergyAccount, FrameElement, WorkPair};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::frame::{Frame, Mat3, Mat6, Vec3, cross};

/// A frame that is fixed in a body.
#[derive(Clone, Copy, Debug)]
pub struct Mount {
    /// The body.
    pub body: BodyId,
    /// Origin in body axes, m.
    pub point: Vec3,
    /// Columns: its axes in body axes.
    pub axes: Mat3,
}

/// A bushing: what holds the frame B in the frame A.
///
/// In the axes of A, with the displacement d of B's origin and the rotation vector θ of B,
///
/// $$ \mathbf f = -\mathbf K_d\,\mathbf d - \mathbf C_d\,\dot{\mathbf d}, \qquad
///    \mathbf m = -\mathbf K_r\,\boldsymbol\theta - \mathbf C_r\,\boldsymbol\omega $$
///
/// with diagonal matrices and the angular velocity ω of B relative to A. The force f acts on B
/// at its origin, and on A at the same place, so that nothing is left over of a motion of both
/// as a whole. θ is meant for small rotations (below about half a radian): the moment is not
/// exactly the derivative of ½ θ·K_r θ there, the difference is of order θ².
#[derive(Clone, Debug)]
pub struct Bushing {
    /// Name.
    pub name: String,
    /// The frame A.
    pub from: Mount,
    /// The frame B.
    pub to: Mount,
    /// Diagonal of K_d, N/m.
    pub stiffness: Vec3,
    /// Diagonal of C_d, N s/m.
    pub damping: Vec3,
    /// Diagonal of K_r, N m/rad.
    pub rotational_stiffness: Vec3,
    /// Diagonal of C_r, N m s/rad.
    pub rotational_damping: Vec3,
}

/// The motion of B seen from A.
struct BushingMotion {
    /// Axes of A in the world.
    axes: Mat3,
    /// From the origins of the bodies to the origin of B, world axes.
    arms: [Vec3; 2],
    /// Displacement, rotation vector and their rates, in the axes of A.
    d: Vec3,
    theta: Vec3,
    u: Vec3,
    w: Vec3,
}

impl Bushing {
    fn motion(&self, frames: &[Frame]) -> BushingMotion {
        let (a, b) = (&frames[self.from.body.0], &frames[self.to.body.0]);
        let axes = a.r * self.from.axes;
        let own = b.r * self.to.point;
        let place = b.p + own;
        let arm = place - a.p;
        let turned = axes.tr_mul(&(b.r * self.to.axes));
        BushingMotion {
            d: axes.tr_mul(&(arm - a.r * self.from.point)),
            theta: log(&turned),
            u: axes.tr_mul(&(b.velocity_at(&own) - a.velocity_at(&arm))),
            w: axes.tr_mul(&(b.w - a.w)),
            axes,
            arms: [arm, own],
        }
    }

    /// Force and moment on B, in the axes of A.
    fn load(&self, motion: &BushingMotion) -> (Vec3, Vec3) {
        let (k, c) = (&self.stiffness, &self.damping);
        let (kr, cr) = (&self.rotational_stiffness, &self.rotational_damping);
        (
            -k.component_mul(&motion.d) - c.component_mul(&motion.u),
            -kr.component_mul(&motion.theta) - cr.component_mul(&motion.w),
        )
    }

    fn slopes(&self, motion: &BushingMotion) -> BushingSlopes {
        let world = |x: Mat3| motion.axes * x * motion.axes.transpose();
        let by_turn = Mat3::from_diagonal(&self.rotational_stiffness) * rate_map(&motion.theta);
        BushingSlopes {
            k: world(Mat3::from_diagonal(&self.stiffness)),
            c: world(Mat3::from_diagonal(&self.damping)),
            kr: world(by_turn),
            cr: world(Mat3::from_diagonal(&self.rotational_damping)),
        }
    }
}

impl Element for Bushing {
    fn kind(&self) -> &'static str {
        "bushing"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn stored_energy(&self, at: &ElementInput<'_>) -> f64 {
        let motion = self.motion(at.frames);
        let energy = |k: &Vec3, x: &Vec3| 0.5 * x.dot(&k.component_mul(x));
        energy(&self.stiffness, &motion.d) + energy(&self.rotational_stiffness, &motion.theta)
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        let motion = self.motion(at.frames);
        let elastic = self.rotational_stiffness.component_mul(&motion.theta);
        // what the linear moment is beside the derivative of its energy
        let beside = elastic - rate_map(&motion.theta).tr_mul(&elastic);
        let moment = self.rotational_damping.component_mul(&motion.w) + beside;
        let force = self.damping.component_mul(&motion.u);
        for i in 0..3 {
            let account = EnergyAccount::Dissipated;
            out(WorkPair {
                force: force[i],
                coordinate: motion.d[i],
                rate: motion.u[i],
                rate_only: false,
                elastic: None,
                account,
            });
            out(WorkPair {
                force: moment[i],
                coordinate: 0.0,
                rate: motion.w[i],
                rate_only: true,
                elastic: None,
                account,
            });
        }
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.from.body, self.to.body]
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let mut out = Vec::new();
        for (what, unit, meaning) in [
            (
                "displacement",
                "m",
                "displacement of the frame `to`, axes of `from`",
            ),
            (
                "rotation",
                "rad",
                "rotation vector of the frame `to`, axes of `from`",
            ),
            ("force", "N", "force on the frame `to`, axes of `from`"),
            ("moment", "N m", "moment on the frame `to`, axes of `from`"),
        ] {
            let path = format!("bushing.{}.{what}", self.name);
            out.extend(ChannelInfo::vector(&path, unit, meaning));
        }
        out
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        let motion = self.motion(at.frames);
        let (f, m) = self.load(&motion);
        for x in [motion.d, motion.theta, f, m] {
            out.extend_from_slice(x.as_slice());
        }
    }
}

impl FrameElement for Bushing {
    fn apply(&self, at: &ElementInput<'_>, _history: &mut [f64], assembly: &mut dyn Assembly) {
        let motion = self.motion(at.frames);
        let (a, b) = (self.from.body, self.to.body);
        let (f, m) = self.load(&motion);
        let (f, m) = (motion.axes * f, motion.axes * m);
        let [arm_a, arm_b] = &motion.arms;
        assembly.wrench(a, &-f, &-(m + arm_a.cross(&f)));
        assembly.wrench(b, &f, &(m + arm_b.cross(&f)));
        let Some(weights) = assembly.weights() else {
            return;
        };
        let slopes = self.slopes(&motion);
        let BushingSlopes { k, c, kr, cr } = &slopes;
        let (ks, cs) = (weights.stiffness, weights.damping);
        let (wa, wb) = (cross(&at.frames[a.0].w), cross(&at.frames[b.0].w));
        let (hat_a, hat_b) = (cross(arm_a), cross(arm_b));
        let (hat_f, u) = (cross(&f) * ks, motion.axes * motion.u);
        let by_d = k * ks + c * cs;
        // δf = θ_a × f − K (δd − θ_a × d) − C (δu − θ_a × u), by displacement and rotation
        let x_b = c * wa * ks - by_d;
        let theta_b = by_d * hat_b + c * (wb - wa) * hat_b * ks;
        let theta_a = -by_d * hat_a - hat_f - c * cross(&u) * ks;
        let by_turn = kr * ks + cr * cs;
        let w = motion.axes * motion.w;
        let turned = by_turn - cross(&m) * ks - cr * cross(&w) * ks;
        let hats = [hat_a, hat_b];
        let columns = [(a, -x_b, theta_a, turned), (b, x_b, theta_b, -by_turn)];
        for (i, (column, x, theta, moment)) in columns.into_iter().enumerate() {
            if !assembly.moves(column) {
                continue;
            }
            for (j, (row, sign)) in [(a, -1.0), (b, 1.0)].into_iter().enumerate() {
                if !assembly.moves(row) {
                    continue;
                }
                let mut block = block(&x, &theta, &moment, &hats[j]);
                // the arm of the row moves under the force: of A with both bodies
                let (x, theta) = match (j, i) {
                    (0, 0) => (hat_f, Mat3::zeros()),
                    (0, _) => (-hat_f, hat_f * hat_b),
                    (_, 0) => (Mat3::zeros(), Mat3::zeros()),
                    _ => (Mat3::zeros(), hat_f * hat_b),
                };
                let mut corner = block.fixed_view_mut::<3, 3>(3, 0);
                corner += x;
                let mut corner = block.fixed_view_mut::<3, 3>(3, 3);
                corner += theta;
                assembly.block(row, column, &(block * sign));
                assembly.rate_block(row, column, &(slopes.by_rate(i, &hats, j) * sign));
            }
        }
    }
}

/// Stiffness and damping in world axes.
struct BushingSlopes {
    k: Mat3,
    c: Mat3,
    kr: Mat3,
    cr: Mat3,
}

impl BushingSlopes {
    /// ∂(f, m)/∂V of the body in `column`, for the row with the arm `hats[row]`.
    fn by_rate(&self, column: usize, hats: &[Mat3; 2], row: usize) -> Mat6 {
        let sign = if column == 0 { 1.0 } else { -1.0 };
        let (x, moment) = (self.c * sign, self.cr * sign);
        block(&x, &(-x * hats[column]), &moment, &hats[row])
    }
}

/// A force that changes by `x` with displacement and by `theta` with rotation, a moment that
/// changes by `moment` with rotation, and the moment of the force at the arm.
fn block(x: &Mat3, theta: &Mat3, moment: &Mat3, arm: &Mat3) -> Mat6 {
    let mut block = Mat6::zeros();
    block.fixed_view_mut::<3, 3>(0, 0).copy_from(x);
    block.fixed_view_mut::<3, 3>(0, 3).copy_from(theta);
    block.fixed_view_mut::<3, 3>(3, 0).copy_from(&(arm * x));
    let corner = arm * theta + moment;
    block.fixed_view_mut::<3, 3>(3, 3).copy_from(&corner);
    block
}
