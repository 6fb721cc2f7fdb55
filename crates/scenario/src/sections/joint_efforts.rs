//! `[joint_torque.NAME]` and `[joint_force.NAME]`: motors on joint coordinates.

use bristle_mechanics::element::JointEffort;

use super::bodies::Bodies;
use super::coordinates;
use super::values::{Allowed, check_name, signal};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

pub(super) const JOINT_TORQUE: Section = Section {
    name: "joint_torque.NAME",
    doc: "A torque on the angle of a joint, with its reaction on the body that carries the joint.",
    fields: &[
        coordinates::BODY_OR_LOOP,
        coordinates::LOOP,
        coordinates::COORDINATE,
        Field::required(
            "magnitude",
            FieldKind::Signal {
                unit: Unit::NEWTON_METRE,
            },
            "Torque in the direction in which the angle grows",
        ),
    ],
};

pub(super) const JOINT_FORCE: Section = Section {
    name: "joint_force.NAME",
    doc: "A force on the displacement of a joint, with its reaction on the body that carries it.",
    fields: &[
        coordinates::BODY_OR_LOOP,
        coordinates::LOOP,
        coordinates::COORDINATE,
        Field::required(
            "magnitude",
            FieldKind::Signal { unit: Unit::NEWTON },
            "Force in the direction in which the displacement grows",
        ),
    ],
};

/// Reads all torques and forces on joints; what is sound.
pub(super) fn read(root: &Fields<'_>, bodies: &Bodies, end_time: Option<f64>) -> Vec<JointEffort> {
    let torques = of(root, "joint_torque", bodies, end_time);
    let forces = of(root, "joint_force", bodies, end_time);
    torques.into_iter().chain(forces).collect()
}

fn of(
    root: &Fields<'_>,
    section: &str,
    bodies: &Bodies,
    end_time: Option<f64>,
) -> Vec<JointEffort> {
    let turns = section == "joint_torque";
    let unit = if turns {
        Unit::NEWTON_METRE
    } else {
        Unit::NEWTON
    };
    let read = |(name, fields): (String, Fields<'_>)| {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let place = coordinates::resisted(&fields, bodies);
        let range = FieldRange::Any;
        let magnitude = signal(&fields, "magnitude", Allowed { unit, range }, end_time);
        let place = place?;
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
        let effort = JointEffort {
            name,
            joint: place.owner,
            place: place.place,
            magnitude: magnitude?,
            turns,
        };
        sound.then_some(effort)
    };
    root.named(section).into_iter().filter_map(read).collect()
}
