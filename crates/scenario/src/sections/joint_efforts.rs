//! `[joint_torque.NAME]` and `[joint_force.NAME]`: motors on joint coordinates.

use bristle_mechanics::element::{ControllerGains, JointController, JointEffort, ModelElement};

use super::bodies::Bodies;
use super::coordinates::{self, SingleCoordinate};
use super::values::{Allowed, check_name, signal, signal_as};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

const GAIN: &str = "0 if not given";

const PID: Section = Section {
    name: "pid",
    doc: "A controller that moves the coordinate to a setpoint.",
    fields: &[
        Field::required(
            "setpoint",
            FieldKind::Any("a function of time: a displacement (m) or an angle (rad)"),
            "Where the coordinate is to be",
        ),
        Field::optional(
            "proportional",
            FieldKind::Any("N/m, of an angle N m/rad"),
            GAIN,
        ),
        Field::optional(
            "integral",
            FieldKind::Any("N/(m s), of an angle N m/(rad s)"),
            GAIN,
        ),
        Field::optional(
            "derivative",
            FieldKind::Any("N s/m, of an angle N m s/rad"),
            GAIN,
        ),
        Field::optional(
            "limit",
            FieldKind::Any("N, of an angle N m"),
            "The largest force or torque, in either direction; none if not given",
        ),
    ],
};

const CONTROLLER: Field = Field::optional(
    "pid",
    FieldKind::Table(&PID),
    "A controller, in the place of \"magnitude\": { setpoint = \"0.5*t\", proportional = 100 }",
);

pub(super) const JOINT_TORQUE: Section = Section {
    name: "joint_torque.NAME",
    doc: "A torque on the angle of a joint, with its reaction on the body that carries the joint.",
    fields: &[
        coordinates::BODY_OR_LOOP,
        coordinates::LOOP,
        coordinates::COORDINATE,
        Field::optional(
            "magnitude",
            FieldKind::Signal {
                unit: Unit::NEWTON_METRE,
            },
            "Torque in the direction in which the angle grows; or give \"pid\"",
        ),
        CONTROLLER,
    ],
};

pub(super) const JOINT_FORCE: Section = Section {
    name: "joint_force.NAME",
    doc: "A force on the displacement of a joint, with its reaction on the body that carries it.",
    fields: &[
        coordinates::BODY_OR_LOOP,
        coordinates::LOOP,
        coordinates::COORDINATE,
        Field::optional(
            "magnitude",
            FieldKind::Signal { unit: Unit::NEWTON },
            "Force in the direction in which the displacement grows; or give \"pid\"",
        ),
        CONTROLLER,
    ],
};

/// Reads all torques and forces on joints; what is sound.
pub(super) fn read(root: &Fields<'_>, bodies: &Bodies, end_time: Option<f64>) -> Vec<ModelElement> {
    let of = |section: &str| root.named(section).into_iter();
    let read = |(name, fields), turns| one(&fields, name, turns, bodies, end_time);
    let torques = of("joint_torque").filter_map(|own| read(own, true));
    let forces = of("joint_force").filter_map(|own| read(own, false));
    torques.chain(forces).collect()
}

fn one(
    fields: &Fields<'_>,
    name: String,
    turns: bool,
    bodies: &Bodies,
    end_time: Option<f64>,
) -> Option<ModelElement> {
    let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
    let place = coordinates::resisted(fields, bodies)?;
    if place.turns != turns {
        let message = if turns {
            "the coordinate is a displacement: a force on it is [joint_force.NAME]"
        } else {
            "the coordinate is an angle: a torque on it is [joint_torque.NAME]"
        };
        let message = format!("{}: {message}", fields.path());
        fields.reader().error(fields.name_span(), message);
        return None;
    }
    let element = match (fields.has("magnitude"), fields.has("pid")) {
        (true, false) => ModelElement::joint(given(fields, name, &place, end_time)?),
        (false, true) => ModelElement::joint(controlled(fields, name, &place, end_time)?),
        (true, true) => {
            fields.error(
                "pid",
                "is given beside \"magnitude\"; the effort is one or the other",
            );
            return None;
        }
        (false, false) => {
            let message = format!(
                "missing field \"magnitude\" in {}: a function of time, or a controller pid = {{ … }}",
                fields.path()
            );
            fields.reader().error(fields.name_span(), message);
            return None;
        }
    };
    sound.then_some(element)
}

/// The first of a displacement, the second of an angle.
fn of_either(place: &SingleCoordinate, units: [Unit; 2]) -> Unit {
    units[usize::from(place.turns)]
}

fn given(
    fields: &Fields<'_>,
    name: String,
    place: &SingleCoordinate,
    end_time: Option<f64>,
) -> Option<JointEffort> {
    let unit = of_either(place, [Unit::NEWTON, Unit::NEWTON_METRE]);
    let range = FieldRange::Any;
    Some(JointEffort {
        name,
        joint: place.owner,
        place: place.place,
        magnitude: signal(fields, "magnitude", Allowed { unit, range }, end_time)?,
        turns: place.turns,
    })
}

fn controlled(
    fields: &Fields<'_>,
    name: String,
    place: &SingleCoordinate,
    end_time: Option<f64>,
) -> Option<JointController> {
    let own = fields.section("pid")?;
    let gain = |name: &str, units| {
        if !own.has(name) {
            return Some(0.0);
        }
        own.number_as(name, of_either(place, units), FieldRange::NonNegative)
    };
    let proportional = gain(
        "proportional",
        [Unit::NEWTON_PER_METRE, Unit::NEWTON_METRE_PER_RADIAN],
    );
    let integral = gain(
        "integral",
        [
            Unit::NEWTON_PER_METRE_SECOND,
            Unit::NEWTON_METRE_PER_RADIAN_SECOND,
        ],
    );
    let derivative = gain(
        "derivative",
        [
            Unit::NEWTON_SECOND_PER_METRE,
            Unit::NEWTON_METRE_SECOND_PER_RADIAN,
        ],
    );
    let unit = of_either(place, [Unit::METRE, Unit::RADIAN]);
    let range = FieldRange::Any;
    let setpoint = signal_as(&own, "setpoint", Allowed { unit, range }, end_time);
    let limit = if own.has("limit") {
        let unit = of_either(place, [Unit::NEWTON, Unit::NEWTON_METRE]);
        Some(own.number_as("limit", unit, FieldRange::Positive)?)
    } else {
        None
    };
    let gains = ControllerGains {
        proportional: proportional?,
        integral: integral?,
        derivative: derivative?,
    };
    let all = [gains.proportional, gains.integral, gains.derivative];
    if all.iter().all(|gain| *gain == 0.0) {
        let message = format!("{}: all gains are 0, so that it does nothing", own.path());
        fields.error("pid", message);
        return None;
    }
    Some(JointController {
        name,
        joint: place.owner,
        place: place.place,
        turns: place.turns,
        setpoint: setpoint?,
        gains,
        limit,
    })
}
