//! Cables: springs and dampers that pull only.

use super::{Account, Conjugate, Element, Moment, Sink, Spring};
use crate::body::BodyId;
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
            (self.0.stiffness * stretch + self.0.damping * rate).max(0.0)
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

    fn apply(&self, at: &Moment<'_>, memory: &mut [f64], sink: &mut dyn Sink) {
        if self.tension(at.frames) > 0.0 {
            self.0.apply(at, memory, sink);
        }
    }

    fn stored(&self, _t: f64, frames: &[Frame], _memory: &[f64]) -> f64 {
        let [length, _] = self.0.length_and_rate(frames);
        0.5 * self.0.stiffness * (length - self.0.length).max(0.0).powi(2)
    }

    fn conjugates(
        &self,
        _t: f64,
        frames: &[Frame],
        _memory: &[f64],
        out: &mut dyn FnMut(Conjugate),
    ) {
        let [length, rate] = self.0.length_and_rate(frames);
        let elastic = self.0.stiffness * (length - self.0.length).max(0.0);
        out(Conjugate {
            // what the tension is beside its elastic part
            force: self.tension(frames) - elastic,
            coordinate: length,
            rate,
            rate_only: false,
            account: Account::Dissipated,
        });
    }

    fn bodies(&self) -> [BodyId; 2] {
        self.0.bodies()
    }

    fn channels(&self) -> Vec<(String, &'static str, String)> {
        let name = self.name();
        vec![
            (
                format!("cable.{name}.length"),
                "m",
                format!("distance of the ends of the cable {name}"),
            ),
            (
                format!("cable.{name}.tension"),
                "N",
                format!("tension of the cable {name}"),
            ),
        ]
    }

    fn sample(&self, _t: f64, frames: &[Frame], _memory: &[f64], out: &mut Vec<f64>) {
        out.push(self.0.length_and_rate(frames)[0]);
        out.push(self.tension(frames));
    }
}
