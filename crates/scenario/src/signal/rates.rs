//! Motions that are given by their velocity or their acceleration.

use bristle_signals::Signal;

use super::Context;
use crate::{FieldRange, Fields, Unit};

/// Start values, and the forms that have them.
pub(super) const STARTS: [(&str, &[&str]); 2] = [
    ("start", &["velocity", "acceleration"]),
    ("start_velocity", &["acceleration"]),
];

/// Names in quotes, with `or` between.
pub(super) fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    names.join(" or ")
}

impl<'a> Context<'a> {
    /// The exact integral of a velocity, or the second one of an acceleration.
    pub(super) fn integrated(self, fields: &Fields<'a>, form: &str) -> Option<Signal> {
        let Some([velocity, acceleration]) = self.rates() else {
            let message = format!(
                "only a displacement or an angle is given by it; here a value in {} is wanted",
                self.unit.text
            );
            fields.error(form, message);
            return None;
        };
        let twice = form == "acceleration";
        let own = Self {
            unit: if twice { acceleration } else { velocity },
            ..self
        };
        let rate = fields.node(form)?;
        let rate = own.signal(rate, &fields.path_of(form));
        let start = self.start(fields, "start", self.unit);
        let start_velocity = self.start(fields, "start_velocity", velocity);
        let (rate, start, start_velocity) = (rate?, start?, start_velocity?);
        let integral = if twice {
            let velocity = rate.integral(start_velocity);
            velocity.and_then(|velocity| velocity.integral(start))
        } else {
            rate.integral(start)
        };
        integral.map_or_else(
            |error| {
                fields.error(form, error.to_string());
                None
            },
            Some,
        )
    }

    /// Whether it may be given by its rate.
    pub(super) fn has_rates(self) -> bool {
        self.rates().is_some()
    }

    /// The units of the rate and of the second derivative.
    fn rates(self) -> Option<[Unit; 2]> {
        if self.unit == Unit::METRE {
            Some([Unit::METRE_PER_SECOND, Unit::METRE_PER_SECOND_SQUARED])
        } else if self.unit == Unit::RADIAN {
            Some([Unit::RADIAN_PER_SECOND, Unit::RADIAN_PER_SECOND_SQUARED])
        } else {
            None
        }
    }

    /// A start value, 0 if it is not given.
    fn start(self, fields: &Fields<'a>, name: &str, unit: Unit) -> Option<f64> {
        let Some(node) = fields.node(name) else {
            return Some(0.0);
        };
        let path = fields.path_of(name);
        self.reader.number(node, &path, unit, FieldRange::Any)
    }
}
