//! A spring and damper on a single joint coordinate.

use super::{Account, Conjugate, Element, JointForce, JointMoment, Moment, Sink, TangentWeights};
use crate::body::BodyId;
use crate::frame::Frame;

/// A linear spring and damper on a joint coordinate q.
///
/// $$ Q = -k\,(q - q_0) - c\,\dot q $$
#[derive(Clone, Debug)]
pub struct JointSpring {
    /// Name.
    pub name: String,
    /// The body whose joint it is in.
    pub body: BodyId,
    /// Place of the coordinate among the single coordinates of the joint.
    pub place: usize,
    /// Stiffness k, N/m or N m/rad.
    pub stiffness: f64,
    /// Damping c, N s/m or N m s/rad.
    pub damping: f64,
    /// Coordinate without force q₀, m or rad.
    pub rest: f64,
    /// Whether the coordinate is an angle.
    pub turns: bool,
}

impl Element for JointSpring {
    fn kind(&self) -> &'static str {
        "joint_spring"
    }

    fn name(&self) -> &str {
        &self.name
    }

    /// Coordinate and rate.
    fn memory(&self) -> usize {
        2
    }

    /// Nothing acts on bodies: see [`Element::apply_joint`].
    fn apply(&self, _at: &Moment<'_>, _memory: &mut [f64], _sink: &mut dyn Sink) {}

    fn joint(&self) -> Option<(BodyId, usize)> {
        Some((self.body, self.place))
    }

    fn start_joint(&self, at: &JointMoment<'_>, memory: &mut [f64]) {
        memory.copy_from_slice(&[at.coordinate, at.rate]);
    }

    fn apply_joint(
        &self,
        at: &JointMoment<'_>,
        memory: &mut [f64],
        weights: Option<TangentWeights>,
    ) -> JointForce {
        memory.copy_from_slice(&[at.coordinate, at.rate]);
        JointForce {
            force: self.stiffness * (at.coordinate - self.rest) + self.damping * at.rate,
            slope: weights.map_or(0.0, |weights| {
                weights.stiffness * self.stiffness + weights.damping * self.damping
            }),
        }
    }

    fn stored(&self, _t: f64, _frames: &[Frame], memory: &[f64]) -> f64 {
        0.5 * self.stiffness * (memory[0] - self.rest).powi(2)
    }

    fn conjugates(
        &self,
        _t: f64,
        _frames: &[Frame],
        memory: &[f64],
        out: &mut dyn FnMut(Conjugate),
    ) {
        out(Conjugate {
            force: self.damping * memory[1],
            coordinate: memory[0],
            rate: memory[1],
            rate_only: false,
            account: Account::Dissipated,
        });
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.body, self.body]
    }

    fn channels(&self) -> Vec<(String, &'static str, String)> {
        let (what, unit) = if self.turns {
            ("torque", "N m")
        } else {
            ("force", "N")
        };
        let name = format!("joint_spring.{}.{what}", self.name);
        let meaning = format!("{what} of the spring and its damper on the joint coordinate");
        vec![(name, unit, meaning)]
    }

    fn sample(&self, _t: f64, _frames: &[Frame], memory: &[f64], out: &mut Vec<f64>) {
        out.push(-self.stiffness * (memory[0] - self.rest) - self.damping * memory[1]);
    }
}
