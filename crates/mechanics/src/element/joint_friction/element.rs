//! Joint friction as a force element.

use std::borrow::Cow;
use std::ops::Range;

use super::JointFriction;
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::constraint::JointOwner;
use crate::element::{
    Element, ElementInput, EnergyAccount, Frictional, JointElement, JointForce, JointInput,
    TangentWeights, WorkPair,
};
use crate::friction_pair::PairStep;
use bristle_laws::Slip;
use bristle_signals::Signal;

impl Element for JointFriction {
    fn kind(&self) -> &'static str {
        "joint_friction"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> [BodyId; 2] {
        self.joint.bodies()
    }

    fn history_len(&self) -> usize {
        self.friction.history_len()
    }

    fn staged(&self) -> Vec<Range<usize>> {
        self.friction.staged().into_iter().collect()
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        let slip = self.slip(at);
        let [force] = self.friction.force(&slip, at.history);
        let [coordinate] = self.friction.split(at.history).motion.displacement;
        out(WorkPair {
            force,
            coordinate,
            rate: slip.velocity[0],
            rate_only: false,
            elastic: None,
            account: EnergyAccount::Dissipated,
        });
    }

    fn signals(&self) -> Vec<(&'static str, &Signal)> {
        self.load
            .signal()
            .into_iter()
            .map(|own| ("load", own))
            .collect()
    }

    fn signals_mut(&mut self) -> Vec<(&'static str, &mut Signal)> {
        let own = self.load.signal_mut().into_iter();
        own.map(|own| ("load", own)).collect()
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let one = |what: &str, unit: Cow<'static, str>, meaning: &str| {
            let name = format!("joint_friction.{}.{what}", self.name);
            ChannelInfo::new(name, unit, meaning)
        };
        let mut out = vec![
            one("friction", "N".into(), "friction along the slip"),
            one("load", "N".into(), "load on the sliding faces"),
            one("coefficient", "1".into(), "friction over load"),
            one("slip_velocity", "m/s".into(), "slip velocity"),
            one(
                "slip",
                "m".into(),
                "slip displacement: the coordinate times the friction radius",
            ),
        ];
        if self.radius.is_some() {
            for (what, unit, meaning) in [
                ("torque", "N m", "friction torque along the rotation"),
                ("angle", "rad", "slip as an angle: the coordinate"),
                (
                    "angular_velocity",
                    "rad/s",
                    "slip velocity as an angular velocity",
                ),
            ] {
                out.push(one(what, unit.into(), meaning));
            }
        }
        let states = self.friction.state_channels().into_iter();
        out.extend(states.map(|state| one(&state.name, state.unit, &state.meaning)));
        out
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        let slip = self.slip(at);
        let [force] = self.friction.force(&slip, at.history);
        let load = slip.normal_force;
        let coefficient = if load > 0.0 { force / load } else { 0.0 };
        let own = self.friction.split(at.history);
        let [slid] = own.motion.displacement;
        out.extend([force, load, coefficient, slip.velocity[0], slid]);
        if let Some(radius) = self.radius {
            out.extend([radius * force, slid / radius, slip.velocity[0] / radius]);
        }
        out.extend_from_slice(own.law);
    }

    fn frictional(&self) -> Option<&dyn Frictional> {
        Some(self)
    }
}

impl JointElement for JointFriction {
    fn joint(&self) -> (JointOwner, usize) {
        (self.joint, self.place)
    }

    fn start(&self, at: &JointInput<'_>, history: &mut [f64]) {
        let slip = self.slip_in(at);
        let displacement = [self.lever() * at.coordinate];
        self.friction.start(&slip, displacement, history);
    }

    fn apply(
        &self,
        at: &JointInput<'_>,
        history: &mut [f64],
        weights: Option<TangentWeights>,
    ) -> JointForce {
        let radius = self.lever();
        if at.step <= 0.0 {
            history.copy_from_slice(at.history);
            let [force] = self.friction.force(&self.slip_of(at), at.history);
            return JointForce {
                force: radius * force,
                slope: 0.0,
                by_reaction: 0.0,
            };
        }
        let step = PairStep {
            end: self.slip_in(at),
            displacement: Some([self.displacement(at)]),
            beyond: [0.0],
            duration: at.step,
            stage: at.stage,
        };
        let own = self
            .friction
            .advance(&step, at.history, history, weights.is_some());
        let slope = weights.map_or(0.0, |weights| {
            weights.damping * own.by_velocity[0][0] + weights.stiffness * own.by_displacement[0][0]
        });
        JointForce {
            force: radius * own.force[0],
            slope: radius * radius * slope,
            by_reaction: if self.has_reaction_load() {
                radius * own.by_normal_force[0]
            } else {
                0.0
            },
        }
    }

    fn renew_motion(&self, rate: f64, history: &mut [f64]) {
        let slip = Slip {
            velocity: [self.lever() * rate],
            ..self.friction.split(history).motion.slip()
        };
        self.friction.renew_motion(&slip, history);
    }

    fn history_rates(&self, at: &JointInput<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
        let slip = self.slip_of(at);
        self.friction.rates(&slip, at.history, rates);
        self.friction.set_displacement_rate(slip.velocity, rates);
    }
}
