//! Friction in a spherical joint as a force element.

use super::{BallFriction, TURN};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::element::{Element, ElementInput, EnergyAccount, Frictional, WorkPair};
use crate::frame::Vec3;
use bristle_signals::Signal;
use std::borrow::Cow;
use std::ops::Range;

impl Element for BallFriction {
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
        self.friction.history_len() + TURN
    }

    fn staged(&self) -> Vec<Range<usize>> {
        self.friction.staged().into_iter().collect()
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        let slip = self.slip(at);
        let force = self.friction.force(&slip, self.of_pair(at.history));
        let moved = self.own(at.history).motion.displacement;
        for i in 0..3 {
            out(WorkPair {
                force: force[i],
                coordinate: moved[i],
                rate: slip.velocity[i],
                rate_only: false,
                elastic: None,
                account: EnergyAccount::Dissipated,
            });
        }
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
        let path = |what: &str| format!("joint_friction.{}.{what}", self.name);
        let one = |what: &str, unit: Cow<'static, str>, meaning: &str| {
            ChannelInfo::new(path(what), unit, meaning)
        };
        let mut out = vec![
            one("friction", "N".into(), "size of the friction"),
            one("load", "N".into(), "load on the sliding faces"),
            one("coefficient", "1".into(), "friction over load"),
            one(
                "slip_velocity",
                "m/s".into(),
                "slip speed: the angular speed times the friction radius",
            ),
        ];
        for (what, unit, meaning) in [
            (
                "slip",
                "m",
                "slip since the start, axes of the socket: the rotation vectors of the steps times the friction radius",
            ),
            (
                "torque",
                "N m",
                "friction torque along the rotation, axes of the socket: the ball feels its opposite",
            ),
            (
                "angular_velocity",
                "rad/s",
                "angular velocity of the ball relative to the socket, in its axes",
            ),
        ] {
            out.extend(ChannelInfo::vector(&path(what), unit, meaning));
        }
        for state in self.friction.state_channels() {
            if state.is_vector {
                let path = path(&state.name);
                out.extend(ChannelInfo::vector(&path, state.unit, &state.meaning));
            } else {
                out.push(one(&state.name, state.unit, &state.meaning));
            }
        }
        out
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        let slip = self.slip(at);
        let force = Vec3::from(self.friction.force(&slip, self.of_pair(at.history)));
        let (load, velocity) = (slip.normal_force, Vec3::from(slip.velocity));
        let size = force.norm();
        let coefficient = if load > 0.0 { size / load } else { 0.0 };
        let own = self.own(at.history);
        out.extend([size, load, coefficient, velocity.norm()]);
        out.extend(own.motion.displacement);
        out.extend_from_slice((force * self.radius).as_slice());
        out.extend_from_slice((velocity / self.radius).as_slice());
        out.extend_from_slice(own.law);
    }

    fn frictional(&self) -> Option<&dyn Frictional> {
        Some(self)
    }
}
