//! A controlled force or torque on a single joint coordinate.

use std::ops::Range;

use super::{
    Element, ElementInput, EnergyAccount, JointElement, JointForce, JointInput, TangentWeights,
    WithinStep, WorkPair,
};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::constraint::JointOwner;
use bristle_signals::Signal;

/// The gains of a controller, of a displacement in N/m, N/(m s) and N s/m, of an angle in N m/rad,
/// N m/(rad s) and N m s/rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControllerGains {
    /// k_p.
    pub proportional: f64,
    /// k_i.
    pub integral: f64,
    /// k_d.
    pub derivative: f64,
}

/// A PID controller that moves a joint coordinate q to a setpoint r, with its reaction on the body that
/// carries the joint: a servo.
///
/// $$ Q = k_p\,(r-q) + k_i\int(r-q)\,dt + k_d\,(\dot r-\dot q), \qquad |Q| \le Q_{max} $$
///
/// At its limit the integral stands still while the error would push on (no wind-up).
#[derive(Clone, Debug)]
pub struct JointController {
    /// Name.
    pub name: String,
    /// The joint it is in.
    pub joint: JointOwner,
    /// Place of the coordinate among the single coordinates of the joint.
    pub place: usize,
    /// Whether the coordinate is an angle.
    pub turns: bool,
    /// r, m or rad.
    pub setpoint: Signal,
    /// The gains.
    pub gains: ControllerGains,
    /// Q_max, N or N m.
    pub limit: Option<f64>,
}

/// What the controller sees and remembers.
#[derive(Clone, Copy)]
struct Watched {
    coordinate: f64,
    rate: f64,
    /// ∫(r − q) dt.
    integral: f64,
}

impl Watched {
    const LEN: usize = 3;
    const INTEGRAL: Range<usize> = 2..3;

    fn read(history: &[f64]) -> Self {
        Self {
            coordinate: history[0],
            rate: history[1],
            integral: history[2],
        }
    }

    fn write(self, history: &mut [f64]) {
        history.copy_from_slice(&[self.coordinate, self.rate, self.integral]);
    }
}

impl JointController {
    fn error(&self, t: f64, coordinate: f64) -> f64 {
        self.setpoint.value(t) - coordinate
    }

    /// Q without its limit.
    fn unlimited(&self, t: f64, at: &Watched) -> f64 {
        let setpoint = self.setpoint.jet(t);
        let ControllerGains {
            proportional,
            integral,
            derivative,
        } = self.gains;
        proportional * (setpoint.value - at.coordinate)
            + integral * at.integral
            + derivative * (setpoint.rate - at.rate)
    }

    /// Q.
    fn effort(&self, t: f64, at: &Watched) -> f64 {
        let free = self.unlimited(t, at);
        self.limit.map_or(free, |limit| free.clamp(-limit, limit))
    }

    fn is_limited(&self, t: f64, at: &Watched) -> bool {
        let free = self.unlimited(t, at);
        self.limit.is_some_and(|limit| free.abs() > limit)
    }

    /// Rate of the integral: the error, but 0 where that would push on against the limit.
    fn integral_rate(&self, t: f64, at: &Watched) -> f64 {
        let error = self.error(t, at.coordinate);
        let pushes_on = error * self.gains.integral * self.unlimited(t, at) > 0.0;
        if pushes_on && self.is_limited(t, at) {
            0.0
        } else {
            error
        }
    }

    /// What it sees at the end of a step or stage, and the weight of the coordinate in the integral, s.
    fn advanced(&self, at: &JointInput<'_>) -> (Watched, f64) {
        let old = Watched::read(at.history);
        let now = Watched {
            coordinate: at.coordinate,
            rate: at.rate,
            ..old
        };
        if at.step <= 0.0 {
            return (now, 0.0);
        }
        let (weight, before) = match at.stage {
            Some(weight) => (weight, 0.0),
            None => (
                0.5 * at.step,
                0.5 * at.step * self.integral_rate(at.t - at.step, &old),
            ),
        };
        let rate = self.integral_rate(at.t, &now);
        let integral = old.integral + before + weight * rate;
        let counts = if rate == 0.0 { 0.0 } else { weight };
        (Watched { integral, ..now }, counts)
    }
}

impl Element for JointController {
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

    fn history_len(&self) -> usize {
        Watched::LEN
    }

    fn staged(&self) -> Vec<Range<usize>> {
        vec![Watched::INTEGRAL]
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        let own = Watched::read(at.history);
        out(WorkPair {
            force: self.effort(at.t, &own),
            coordinate: own.coordinate,
            rate: own.rate,
            rate_only: self.joint.loop_id().is_some() && self.turns,
            elastic: None,
            account: EnergyAccount::Input,
        });
    }

    fn signals(&self) -> Vec<(&'static str, &Signal)> {
        vec![("setpoint", &self.setpoint)]
    }

    fn signals_mut(&mut self) -> Vec<(&'static str, &mut Signal)> {
        vec![("setpoint", &mut self.setpoint)]
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let (effort, coordinate, of) = if self.turns {
            ("N m", "rad", "torque on the angle of the joint")
        } else {
            ("N", "m", "force on the displacement of the joint")
        };
        let path = |what: &str| format!("{}.{}.{what}", self.kind(), self.name);
        vec![
            ChannelInfo::new(path("magnitude"), effort, of),
            ChannelInfo::new(path("error"), coordinate, "setpoint less coordinate"),
        ]
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        let own = Watched::read(at.history);
        out.extend([self.effort(at.t, &own), self.error(at.t, own.coordinate)]);
    }
}

impl JointElement for JointController {
    fn joint(&self) -> (JointOwner, usize) {
        (self.joint, self.place)
    }

    fn start(&self, at: &JointInput<'_>, history: &mut [f64]) {
        let watched = Watched {
            coordinate: at.coordinate,
            rate: at.rate,
            integral: 0.0,
        };
        watched.write(history);
    }

    fn apply(
        &self,
        at: &JointInput<'_>,
        history: &mut [f64],
        weights: Option<TangentWeights>,
    ) -> JointForce {
        let (own, counts) = self.advanced(at);
        own.write(history);
        let weights = weights.filter(|_| !self.is_limited(at.t, &own));
        let stiffness = self.gains.proportional + self.gains.integral * counts;
        JointForce {
            force: -self.effort(at.t, &own),
            slope: weights.map_or(0.0, |weights| {
                weights.stiffness * stiffness + weights.damping * self.gains.derivative
            }),
            by_reaction: 0.0,
        }
    }

    fn renew_motion(&self, rate: f64, history: &mut [f64]) {
        history[1] = rate;
    }

    fn follow(&self, at: &WithinStep<'_>, history: &mut [f64]) {
        let [from, to] = at.ends.map(Watched::read);
        let [start, end] = at.times;
        let rates = [
            self.integral_rate(start, &from),
            self.integral_rate(end, &to),
        ];
        // the cubic with the rates at both ends
        let (s, h) = (at.fraction, end - start);
        let rest = [rates[0] * h, rates[1] * h].map(|rise| rise - (to.integral - from.integral));
        let bend = s * (1.0 - s) * ((1.0 - s) * rest[0] - s * rest[1]);
        let watched = Watched {
            coordinate: at.coordinate,
            rate: at.rate,
            integral: from.integral + s * (to.integral - from.integral) + bend,
        };
        watched.write(history);
    }

    fn history_rates(&self, at: &JointInput<'_>, rates: &mut [f64]) {
        let own = Watched {
            coordinate: at.coordinate,
            rate: at.rate,
            ..Watched::read(at.history)
        };
        rates.copy_from_slice(&[at.rate, 0.0, self.integral_rate(at.t, &own)]);
    }
}
