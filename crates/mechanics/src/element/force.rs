//! Applied forces and torques as functions of time.

use super::{Account, Conjugate, Element, Moment, Sink};
use crate::body::BodyId;
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
    fn direction_now(&self, frame: &Frame) -> Vec3 {
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

    fn apply(&self, at: &Moment<'_>, _memory: &mut [f64], sink: &mut dyn Sink) {
        let frame = &at.frames[self.body.0];
        let force = self.direction_now(frame) * self.magnitude.value(at.t);
        let arm = frame.r * self.point;
        sink.wrench(self.body, &force, &arm.cross(&force));
        if let Some(weights) = sink.weights() {
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
            sink.block(self.body, self.body, &block);
        }
    }

    fn conjugates(
        &self,
        t: f64,
        frames: &[Frame],
        _memory: &[f64],
        out: &mut dyn FnMut(Conjugate),
    ) {
        let frame = &frames[self.body.0];
        let arm = frame.r * self.point;
        let (place, velocity) = (frame.p + arm, frame.velocity_at(&arm));
        let force = self.direction_now(frame) * self.magnitude.value(t);
        for i in 0..3 {
            out(Conjugate {
                force: force[i],
                coordinate: place[i],
                rate: velocity[i],
                rate_only: false,
                account: Account::Input,
            });
        }
    }

    fn breakpoints(&self, end_time: f64) -> Vec<f64> {
        self.magnitude.breakpoints(end_time)
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.body, BodyId::GROUND]
    }

    fn channels(&self) -> Vec<(String, &'static str, String)> {
        let name = &self.name;
        vec![(
            format!("force.{name}.magnitude"),
            "N",
            format!("magnitude of the force {name}"),
        )]
    }

    fn sample(&self, t: f64, _frames: &[Frame], _memory: &[f64], out: &mut Vec<f64>) {
        out.push(self.magnitude.value(t));
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

    fn apply(&self, at: &Moment<'_>, _memory: &mut [f64], sink: &mut dyn Sink) {
        sink.wrench(
            self.body,
            &Vec3::zeros(),
            &(self.axis * self.magnitude.value(at.t)),
        );
    }

    fn conjugates(
        &self,
        t: f64,
        frames: &[Frame],
        _memory: &[f64],
        out: &mut dyn FnMut(Conjugate),
    ) {
        out(Conjugate {
            force: self.magnitude.value(t),
            coordinate: 0.0,
            rate: self.axis.dot(&frames[self.body.0].w),
            rate_only: true,
            account: Account::Input,
        });
    }

    fn breakpoints(&self, end_time: f64) -> Vec<f64> {
        self.magnitude.breakpoints(end_time)
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.body, BodyId::GROUND]
    }

    fn channels(&self) -> Vec<(String, &'static str, String)> {
        let name = &self.name;
        vec![(
            format!("torque.{name}.magnitude"),
            "N m",
            format!("magnitude of the torque {name}"),
        )]
    }

    fn sample(&self, t: f64, _frames: &[Frame], _memory: &[f64], out: &mut Vec<f64>) {
        out.push(self.magnitude.value(t));
    }
}
