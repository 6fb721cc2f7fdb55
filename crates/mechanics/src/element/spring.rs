//! Springs and dampers between points of two bodies.

use super::{Assembly, Element, ElementInput, EnergyAccount, FrameElement, WorkPair};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::frame::{Frame, Mat3, Mat6, Vec3, cross};

/// A point of a body.
#[derive(Clone, Copy, Debug)]
pub struct Attachment {
    /// The body.
    pub body: BodyId,
    /// Point in body axes, m.
    pub point: Vec3,
}

/// A spring with a damper along the line between two points.
///
/// $$ \mathbf f = \Bigl[k\,s + k_3\,s^3 + c\,\dot L\Bigr]\,\mathbf d/L, \qquad s = L - L_0 $$
///
/// with d from the first to the second point, L = |d|. A spring of natural length L₀ = 0 is
/// (k + k₃ L²) d, defined also at L = 0.
#[derive(Clone, Debug)]
pub struct Spring {
    /// Name.
    pub name: String,
    /// The first end.
    pub from: Attachment,
    /// The second end.
    pub to: Attachment,
    /// Stiffness k, N/m.
    pub stiffness: f64,
    /// Cubic stiffness k₃, N/m³: hardening if positive, softening if negative.
    pub cubic: f64,
    /// Damping c, N s/m.
    pub damping: f64,
    /// Natural length L₀, m.
    pub length: f64,
}

struct LineOfAction {
    /// From the first to the second point.
    d: Vec3,
    length: f64,
    /// Unit direction, 0 at zero length.
    e: Vec3,
    velocity: Vec3,
    arms: [Vec3; 2],
}

impl Spring {
    fn line(&self, frames: &[Frame]) -> LineOfAction {
        let (a, b) = (&frames[self.from.body.0], &frames[self.to.body.0]);
        let arms = [a.r * self.from.point, b.r * self.to.point];
        let d = b.p + arms[1] - a.p - arms[0];
        let length = d.norm();
        let e = if length > 0.0 {
            d / length
        } else {
            Vec3::zeros()
        };
        LineOfAction {
            d,
            length,
            e,
            velocity: b.velocity_at(&arms[1]) - a.velocity_at(&arms[0]),
            arms,
        }
    }

    /// Places of both ends, m.
    pub(crate) fn ends(&self, frames: &[Frame]) -> [Vec3; 2] {
        [self.from, self.to].map(|end| {
            let frame = &frames[end.body.0];
            frame.p + frame.r * end.point
        })
    }

    /// Distance of the ends, m, and its rate, m/s.
    pub(crate) fn length_and_rate(&self, frames: &[Frame]) -> [f64; 2] {
        let line = self.line(frames);
        [line.length, line.e.dot(&line.velocity)]
    }

    /// The elastic force at a stretch (m) from the natural length, N.
    pub(crate) fn elastic_force(&self, stretch: f64) -> f64 {
        stretch * (self.stiffness + self.cubic * stretch * stretch)
    }

    /// The energy stored at a stretch (m) from the natural length, J.
    pub(crate) fn elastic_energy(&self, stretch: f64) -> f64 {
        let square = stretch * stretch;
        square * (0.5 * self.stiffness + 0.25 * self.cubic * square)
    }

    /// The force on the first end.
    fn force(&self, line: &LineOfAction) -> Vec3 {
        let stretch = line.length - self.length;
        let elastic = if self.length == 0.0 {
            line.d * (self.stiffness + self.cubic * stretch * stretch)
        } else {
            line.e * self.elastic_force(stretch)
        };
        elastic + line.e * (self.damping * line.e.dot(&line.velocity))
    }

    /// ∂f/∂d and ∂f/∂ḋ.
    fn slopes(&self, line: &LineOfAction) -> (Mat3, Mat3) {
        let along = line.e * line.e.transpose();
        let damping = along * self.damping;
        if line.length == 0.0 {
            let stiffness = if self.length == 0.0 {
                self.stiffness
            } else {
                0.0
            };
            return (Mat3::from_diagonal_element(stiffness), damping);
        }
        let across = Mat3::identity() - along;
        let stretch = line.length - self.length;
        let square = stretch * stretch;
        let mut by_d = along * (self.stiffness + 3.0 * self.cubic * square)
            + across * ((self.stiffness + self.cubic * square) * (1.0 - self.length / line.length));
        // the damper's direction turns with the line
        let rate = line.e.dot(&line.velocity);
        by_d += (across * rate + line.e * (across * line.velocity).transpose())
            * (self.damping / line.length);
        (by_d, damping)
    }
}

impl Element for Spring {
    fn kind(&self) -> &'static str {
        "spring"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn stored_energy(&self, at: &ElementInput<'_>) -> f64 {
        self.elastic_energy(self.line(at.frames).length - self.length)
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        let line = self.line(at.frames);
        let rate = line.e.dot(&line.velocity);
        out(WorkPair {
            force: self.damping * rate,
            coordinate: line.length,
            rate,
            rate_only: false,
            elastic: None,
            account: EnergyAccount::Dissipated,
        });
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.from.body, self.to.body]
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let name = &self.name;
        let one = |what: &str, unit, meaning: &str| {
            ChannelInfo::new(format!("spring.{name}.{what}"), unit, meaning)
        };
        let length = format!("length of the spring {name}");
        let force = format!("force of the spring {name} and its damper, > 0 in tension");
        vec![one("length", "m", &length), one("force", "N", &force)]
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        let line = self.line(at.frames);
        let rate = line.e.dot(&line.velocity);
        out.push(line.length);
        out.push(self.elastic_force(line.length - self.length) + self.damping * rate);
    }
}

impl FrameElement for Spring {
    fn apply(&self, at: &ElementInput<'_>, _history: &mut [f64], assembly: &mut dyn Assembly) {
        let line = self.line(at.frames);
        let f = self.force(&line);
        let [arm_a, arm_b] = &line.arms;
        let (a, b) = (self.from.body, self.to.body);
        assembly.wrench(a, &f, &arm_a.cross(&f));
        assembly.wrench(b, &-f, &-arm_b.cross(&f));
        let Some(weights) = assembly.weights() else {
            return;
        };
        let (by_d, by_rate) = self.slopes(&line);
        let s = by_d * weights.stiffness + by_rate * weights.damping;
        let turning = by_rate * weights.stiffness;
        let w = [&at.frames[a.0].w, &at.frames[b.0].w];
        let arms = [cross(arm_a), cross(arm_b)];
        let kf = cross(&(f * weights.stiffness));
        // columns: body a moves d by −(ξ + θ × arm), body b by +(…); arms turn velocities too
        for (column, sign, i) in [(a, -1.0, 0), (b, 1.0, 1)] {
            if !assembly.moves(column) {
                continue;
            }
            let x = s * sign;
            let theta = -(s + turning * cross(w[i])) * arms[i] * sign;
            for (row, out, j) in [(a, 1.0, 0), (b, -1.0, 1)] {
                if !assembly.moves(row) {
                    continue;
                }
                let mut block = slope(&x, &theta, &arms[j]) * out;
                if i == j {
                    let mut corner = block.fixed_view_mut::<3, 3>(3, 3);
                    corner += kf * arms[j] * out;
                }
                assembly.block(row, column, &block);
                if self.damping != 0.0 {
                    let (x, theta) = (by_rate * sign, -by_rate * arms[i] * sign);
                    assembly.rate_block(row, column, &(slope(&x, &theta, &arms[j]) * out));
                }
            }
        }
    }
}

/// The block of a force that changes by `x` with displacement and by `theta` with rotation, and of
/// its moment at the arm.
fn slope(x: &Mat3, theta: &Mat3, arm: &Mat3) -> Mat6 {
    let mut block = Mat6::zeros();
    block.fixed_view_mut::<3, 3>(0, 0).copy_from(x);
    block.fixed_view_mut::<3, 3>(0, 3).copy_from(theta);
    block.fixed_view_mut::<3, 3>(3, 0).copy_from(&(arm * x));
    block.fixed_view_mut::<3, 3>(3, 3).copy_from(&(arm * theta));
    block
}
