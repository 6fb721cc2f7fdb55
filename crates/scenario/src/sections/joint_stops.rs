//! `[joint_stop.NAME]`: stops at the ends of the range of a joint coordinate.

use bristle_mechanics::element::JointStop;

use super::bodies::Bodies;
use super::coordinates;
use super::law;
use super::values::{check_name, refuse_unused};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

pub(super) const JOINT_STOP: Section = Section {
    name: "joint_stop.NAME",
    doc: "Stops at the ends of the range of a joint coordinate.",
    fields: &[
        coordinates::BODY_OR_LOOP,
        coordinates::LOOP,
        coordinates::COORDINATE,
        Field::optional(
            "min",
            FieldKind::Any("a displacement (m) or an angle (rad)"),
            "Least coordinate; none if not given",
        ),
        Field::optional(
            "max",
            FieldKind::Any("a displacement (m) or an angle (rad)"),
            "Largest coordinate; none if not given",
        ),
        Field::required(
            "normal",
            FieldKind::Any("{ law = \"NAME\", … }"),
            "The normal-force law of the faces that meet, as of a contact",
        ),
        Field::optional(
            "radius",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Of an angle the radius at which the faces meet: depth over angle",
        ),
    ],
};

/// Reads all stops; what is sound.
pub(super) fn read(root: &Fields<'_>, bodies: &Bodies) -> Vec<JointStop> {
    let read = |(name, fields): (String, Fields<'_>)| {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let place = coordinates::resisted(&fields, bodies);
        let normal = fields
            .entry("normal")
            .and_then(|entry| law::normal(fields.reader(), entry, &fields.path_of("normal")));
        let place = place?;
        let unit = if place.turns {
            Unit::RADIAN
        } else {
            Unit::METRE
        };
        let end = |name: &str| {
            let value = fields.number_as(name, unit, FieldRange::Any);
            (value.is_some() || !fields.has(name)).then_some(value)
        };
        let (min, max) = (end("min")?, end("max")?);
        let ordered = range(&fields, [min, max]);
        let radius = radius(&fields, place.turns);
        let stop = JointStop {
            name,
            joint: place.owner,
            place: place.place,
            min,
            max,
            normal: normal?,
            radius: radius?,
        };
        (sound && ordered).then_some(stop)
    };
    root.named("joint_stop")
        .into_iter()
        .filter_map(read)
        .collect()
}

/// Whether there is an end, and the lower one is below the upper one.
fn range(fields: &Fields<'_>, ends: [Option<f64>; 2]) -> bool {
    match ends {
        [None, None] => {
            let message = format!(
                "{}: one of min and max is missing, so that it stops nothing",
                fields.path()
            );
            fields.reader().error(fields.name_span(), message);
            false
        }
        [Some(min), Some(max)] if min >= max => {
            fields.error("min", "must be below \"max\"");
            false
        }
        _ => true,
    }
}

/// The radius of an angle; `None` if the fields are not sound.
#[allow(
    clippy::option_option,
    reason = "not sound, a displacement, or an angle"
)]
fn radius(fields: &Fields<'_>, turns: bool) -> Option<Option<f64>> {
    if !turns {
        let reason =
            "belongs to a rotation; of a displacement the depth is the displacement itself";
        refuse_unused(fields, "radius", reason);
        return (!fields.has("radius")).then_some(None);
    }
    if !fields.has("radius") {
        let message = format!(
            "missing field \"radius\" in {}: a stop of an angle needs the radius (m) at which its faces \
             meet, for example radius = \"50 mm\"",
            fields.path()
        );
        fields.reader().error(fields.name_span(), message);
        return None;
    }
    fields.number("radius").map(Some)
}
