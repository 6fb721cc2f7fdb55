//! A force or a torque on a single joint coordinate.

use super::{
    Element, ElementInput, EnergyAccount, JointElement, JointForce, JointInput, TangentWeights,
    WithinStep, WorkPair,
};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::constraint::JointOwner;
use bristle_signals::Signal;

/// A force along, or a torque about, a joint coordinate, with its reaction on the body that carries
/// the joint: a motor, an actuator.
///
/// $$ Q = Q(t) $$
#[derive(Clone, Debug)]
pub struct JointEffort {
    /// Name.
    pub name: String,
    /// The joint it is in.
    pub joint: JointOwner,
    /// Place of the coordinate among the single coordinates of the joint.
    pub place: usize,
    /// Q, N or N m, positive in the direction in which the coordinate grows.
    pub magnitude: Signal,
    /// Whether the coordinate is an angle.
    pub turns: bool,
}

impl Element for JointEffort {
    fn kind(&self) -> &'static str {
        if self.turns {
            "joint_torque"
        } else {
            "joint_force"
        }
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> [BodyId; 2] {
        self.joint.bodies()
    }

    // the coordinate and its rate, for the work
    fn history_len(&self) -> usize {
        2
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        out(WorkPair {
            force: self.magnitude.value(at.t),
            coordinate: at.history[0],
            rate: at.history[1],
            rate_only: self.joint.loop_id().is_some() && self.turns,
            elastic: None,
            account: EnergyAccount::Input,
        });
    }

    fn signals(&self) -> Vec<(&'static str, &Signal)> {
        vec![("magnitude", &self.magnitude)]
    }

    fn signals_mut(&mut self) -> Vec<(&'static str, &mut Signal)> {
        vec![("magnitude", &mut self.magnitude)]
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let (unit, what) = if self.turns {
            ("N m", "torque on the angle of the joint")
        } else {
            ("N", "force on the displacement of the joint")
        };
        let name = format!("{}.{}.magnitude", self.kind(), self.name);
        vec![ChannelInfo::new(name, unit, what)]
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        out.push(self.magnitude.value(at.t));
    }
}

impl JointElement for JointEffort {
    fn joint(&self) -> (JointOwner, usize) {
        (self.joint, self.place)
    }

    fn start(&self, at: &JointInput<'_>, history: &mut [f64]) {
        history.copy_from_slice(&[at.coordinate, at.rate]);
    }

    fn apply(
        &self,
        at: &JointInput<'_>,
        history: &mut [f64],
        _weights: Option<TangentWeights>,
    ) -> JointForce {
        self.start(at, history);
        JointForce {
            force: -self.magnitude.value(at.t),
            slope: 0.0,
            by_reaction: 0.0,
        }
    }

    fn renew_motion(&self, rate: f64, history: &mut [f64]) {
        history[1] = rate;
    }

    fn follow(&self, at: &WithinStep<'_>, history: &mut [f64]) {
        history.copy_from_slice(&[at.coordinate, at.rate]);
    }
}
