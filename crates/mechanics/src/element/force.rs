//! Applied forces and torques as functions of time.

use super::{Assembly, Element, ElementInput, EnergyAccount, FrameElement, WorkPair};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::frame::{Frame, Mat6, Vec3, cross};
use bristle_signals::Signal;

/// A force of given direction on a point of a body.
#[derive(Clone, Debug)]
pub struct Force {
    /// Name.
    pub name: String,
    /// The body.
    pub body: BodyId,
    /// Point of application in body axes, m.
    pub point: Vec3,
    /// Unit direction, in world axes, or in body axes if it follows the body.
    pub direction: Vec3,
    /// Whether the direction turns with the body.
    pub follows: bool,
    /// Magnitude, N.
    pub magnitude: Signal,
}

impl Force {
    /// Its direction in world axes, of length 1.
    pub fn direction_now(&self, frame: &Frame) -> Vec3 {
        if self.follows {
            frame.r * self.direction
        } else {
            self.direction
        }
    }
}

impl Element for Force {
    fn kind(&self) -> &'static str {
        "force"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        let frame = &at.frames[self.body.0];
        let arm = frame.r * self.point;
        let (place, velocity) = (frame.p + arm, frame.velocity_at(&arm));
        let force = self.direction_now(frame) * self.magnitude.value(at.t);
        for i in 0..3 {
            out(WorkPair {
                force: force[i],
                coordinate: place[i],
                rate: velocity[i],
                rate_only: false,
                elastic: None,
                account: EnergyAccount::Input,
            });
        }
    }

    fn signals(&self) -> Vec<(&'static str, &Signal)> {
        vec![("magnitude", &self.magnitude)]
    }

    fn signals_mut(&mut self) -> Vec<(&'static str, &mut Signal)> {
        vec![("magnitude", &mut self.magnitude)]
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.body, BodyId::GROUND]
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let name = format!("force.{}.magnitude", self.name);
        let meaning = format!("magnitude of the force {}", self.name);
        vec![ChannelInfo::new(name, "N", &meaning)]
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        out.push(self.magnitude.value(at.t));
    }
}

impl FrameElement for Force {
    fn apply(&self, at: &ElementInput<'_>, _history: &mut [f64], assembly: &mut dyn Assembly) {
        let frame = &at.frames[self.body.0];
        let force = self.direction_now(frame) * self.magnitude.value(at.t);
        let arm = frame.r * self.point;
        assembly.wrench(self.body, &force, &arm.cross(&force));
        if let Some(weights) = assembly.weights() {
            // the arm turns: (θ × r) × f = f^ r^ θ; a following force turns: θ × f = −f^ θ
            let f = cross(&(force * weights.stiffness));
            let arm = cross(&arm);
            let mut block = Mat6::zeros();
            let mut turn = f * arm;
            if self.follows {
                block.fixed_view_mut::<3, 3>(0, 3).copy_from(&-f);
                turn -= arm * f;
            }
            block.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
            assembly.block(self.body, self.body, &block);
        }
    }
}

/// A torque of given axis on a body.
#[derive(Clone, Debug)]
pub struct Torque {
    /// Name.
    pub name: String,
    /// The body.
    pub body: BodyId,
    /// Unit axis in world axes.
    pub axis: Vec3,
    /// Magnitude, N m.
    pub magnitude: Signal,
}

impl Element for Torque {
    fn kind(&self) -> &'static str {
        "torque"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        out(WorkPair {
            force: self.magnitude.value(at.t),
            coordinate: 0.0,
            rate: self.axis.dot(&at.frames[self.body.0].w),
            rate_only: true,
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

    fn bodies(&self) -> [BodyId; 2] {
        [self.body, BodyId::GROUND]
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let name = format!("torque.{}.magnitude", self.name);
        let meaning = format!("magnitude of the torque {}", self.name);
        vec![ChannelInfo::new(name, "N m", &meaning)]
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        out.push(self.magnitude.value(at.t));
    }
}

impl FrameElement for Torque {
    fn apply(&self, at: &ElementInput<'_>, _history: &mut [f64], assembly: &mut dyn Assembly) {
        assembly.wrench(
            self.body,
            &Vec3::zeros(),
            &(self.axis * self.magnitude.value(at.t)),
        );
    }
}
