//! What a law is driven with at one instant of a record.

use bristle_laws::{Scalar, Slip};

use crate::Record;
use crate::model::ActingOver;

/// Conditions at one instant. The motion is measured, the load may depend on parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition<P> {
    pub(super) v: f64,
    pub(super) n: P,
    pub(super) applied: f64,
}

impl<P: Scalar> Condition<P> {
    /// Those at a sample.
    pub(super) fn at(record: &Record, acting: &ActingOver<'_, P>, i: usize) -> Self {
        let mut n = acting.preload + record.load[i];
        if ActingOver::acts(acting.transmitted) {
            let through = weight(record, acting, i) + record.force[i];
            n = n + acting.transmitted * through.abs();
        }
        Self {
            v: record.velocity[i],
            n,
            applied: record.applied.as_ref().map_or(0.0, |a| a[i]),
        }
    }

    pub(super) fn slip(self) -> Slip<P, 1> {
        self.slip_at(P::from_f64(self.v))
    }

    /// With another velocity.
    pub(super) fn slip_at(self, velocity: P) -> Slip<P, 1> {
        Slip {
            velocity: [velocity],
            normal_force: self.n,
            applied: [P::from_f64(self.applied)],
        }
    }

    pub(super) fn values(self) -> Condition<f64> {
        Condition {
            v: self.v,
            n: self.n.value(),
            applied: self.applied,
        }
    }

    pub(super) fn between(a: Self, b: Self, s: f64) -> Self {
        let mix = |x: f64, y: f64| x + s * (y - x);
        Self {
            v: mix(a.v, b.v),
            n: a.n + (b.n - a.n) * s,
            applied: mix(a.applied, b.applied),
        }
    }
}

/// G sin(x + φ₀) at a sample.
pub(super) fn weight<P: Scalar>(record: &Record, acting: &ActingOver<'_, P>, i: usize) -> P {
    let angle = record.position.as_ref().map_or(0.0, |x| x[i]);
    acting.gravity * (acting.phase + angle).sin()
}
