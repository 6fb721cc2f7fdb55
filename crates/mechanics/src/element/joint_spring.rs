//! A spring and damper on a single joint coordinate.

use super::{
    Element, ElementInput, EnergyAccount, JointElement, JointForce, JointInput, TangentWeights,
    WithinStep, WorkPair,
};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::constraint::JointOwner;

/// A spring and damper on a joint coordinate q.
///
/// $$ Q = -k\,(q - q_0) - k_3\,(q - q_0)^3 - c\,\dot q $$
#[derive(Clone, Debug)]
pub struct JointSpring {
    /// Name.
    pub name: String,
    /// The joint it is in. The angle of a loop is counted within half a turn of 0.
    pub joint: JointOwner,
    /// Place of the coordinate among the single coordinates of the joint.
    pub place: usize,
    /// Stiffness k, N/m or N m/rad.
    pub stiffness: f64,
    /// Cubic stiffness k₃, N/m³ or N m/rad³: hardening if positive, softening if negative.
    pub cubic: f64,
    /// Damping c, N s/m or N m s/rad.
    pub damping: f64,
    /// Coordinate without force q₀, m or rad.
    pub rest: f64,
    /// Whether the coordinate is an angle.
    pub turns: bool,
}

/// Its history: the coordinate of the last step and its rate.
struct SpringHistory {
    coordinate: f64,
    rate: f64,
}

impl SpringHistory {
    const LEN: usize = 2;

    fn read(history: &[f64]) -> Self {
        Self {
            coordinate: history[0],
            rate: history[1],
        }
    }

    fn write(&self, history: &mut [f64]) {
        history.copy_from_slice(&[self.coordinate, self.rate]);
    }
}

impl JointSpring {
    /// The force against the coordinate.
    fn force(&self, motion: &SpringHistory) -> f64 {
        let stretch = motion.coordinate - self.rest;
        stretch * (self.stiffness + self.cubic * stretch * stretch) + self.damping * motion.rate
    }
}

impl Element for JointSpring {
    fn kind(&self) -> &'static str {
        "joint_spring"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> [BodyId; 2] {
        self.joint.bodies()
    }

    fn history_len(&self) -> usize {
        SpringHistory::LEN
    }

    fn stored_energy(&self, at: &ElementInput<'_>) -> f64 {
        let stretch = SpringHistory::read(at.history).coordinate - self.rest;
        let square = stretch * stretch;
        square * (0.5 * self.stiffness + 0.25 * self.cubic * square)
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        let SpringHistory { coordinate, rate } = SpringHistory::read(at.history);
        out(WorkPair {
            force: self.damping * rate,
            coordinate,
            rate,
            rate_only: false,
            elastic: None,
            account: EnergyAccount::Dissipated,
        });
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let (what, unit) = if self.turns {
            ("torque", "N m")
        } else {
            ("force", "N")
        };
        let name = format!("joint_spring.{}.{what}", self.name);
        let meaning = format!("{what} of the spring and its damper on the joint coordinate");
        vec![ChannelInfo::new(name, unit, &meaning)]
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        out.push(-self.force(&SpringHistory::read(at.history)));
    }
}

impl JointElement for JointSpring {
    fn joint(&self) -> (JointOwner, usize) {
        (self.joint, self.place)
    }

    fn start(&self, at: &JointInput<'_>, history: &mut [f64]) {
        let motion = SpringHistory {
            coordinate: at.coordinate,
            rate: at.rate,
        };
        motion.write(history);
    }

    fn follow(&self, at: &WithinStep<'_>, history: &mut [f64]) {
        let WithinStep {
            coordinate, rate, ..
        } = *at;
        SpringHistory { coordinate, rate }.write(history);
    }

    fn apply(
        &self,
        at: &JointInput<'_>,
        history: &mut [f64],
        weights: Option<TangentWeights>,
    ) -> JointForce {
        self.start(at, history);
        let stretch = at.coordinate - self.rest;
        let stiffness = self.stiffness + 3.0 * self.cubic * stretch * stretch;
        JointForce {
            force: self.force(&SpringHistory::read(history)),
            slope: weights.map_or(0.0, |weights| {
                weights.stiffness * stiffness + weights.damping * self.damping
            }),
            by_reaction: 0.0,
        }
    }
}
