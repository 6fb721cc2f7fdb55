//! Cables: springs and dampers that pull only.

use super::{
    Assembly, ElasticPart, Element, ElementInput, EnergyAccount, FrameElement, Spring, WorkPair,
};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::frame::Frame;

/// A cable between two points: a spring with a damper that is slack when it would push.
///
/// $$ T = \max\bigl(0,\ k\,(L-L_0) + c\,\dot L\bigr) \quad\text{for } L > L_0, \qquad
///    T = 0 \quad\text{else} $$
///
/// The force jumps by c dL/dt where the cable tightens, as it does in the spring-dampers of
/// multibody programs; the jump is finite and the path through it continuous.
#[derive(Clone, Debug)]
pub struct Cable(pub Spring);

impl Cable {
    /// The tension, N.
    pub fn tension(&self, frames: &[Frame]) -> f64 {
        let [length, rate] = self.0.length_and_rate(frames);
        let stretch = length - self.0.length;
        if stretch > 0.0 {
            (self.0.elastic_force(stretch) + self.0.damping * rate).max(0.0)
        } else {
            0.0
        }
    }
}

impl Element for Cable {
    fn kind(&self) -> &'static str {
        "cable"
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn stored_energy(&self, at: &ElementInput<'_>) -> f64 {
        let [length, _] = self.0.length_and_rate(at.frames);
        self.0.elastic_energy((length - self.0.length).max(0.0))
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        let [length, rate] = self.0.length_and_rate(at.frames);
        let stretch = (length - self.0.length).max(0.0);
        out(WorkPair {
            force: self.tension(at.frames),
            coordinate: length,
            rate,
            rate_only: false,
            elastic: Some(ElasticPart {
                force: self.0.elastic_force(stretch),
                energy: self.0.elastic_energy(stretch),
            }),
            account: EnergyAccount::Dissipated,
        });
    }

    fn bodies(&self) -> [BodyId; 2] {
        self.0.bodies()
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let name = self.name();
        let one = |what: &str, unit, meaning: &str| {
            ChannelInfo::new(format!("cable.{name}.{what}"), unit, meaning)
        };
        let length = format!("distance of the ends of the cable {name}");
        let tension = format!("tension of the cable {name}");
        vec![one("length", "m", &length), one("tension", "N", &tension)]
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        out.push(self.0.length_and_rate(at.frames)[0]);
        out.push(self.tension(at.frames));
    }
}

impl FrameElement for Cable {
    fn apply(&self, at: &ElementInput<'_>, history: &mut [f64], assembly: &mut dyn Assembly) {
        if self.tension(at.frames) > 0.0 {
            self.0.apply(at, history, assembly);
        }
    }
}
