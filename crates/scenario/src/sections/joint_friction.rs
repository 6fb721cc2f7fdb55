//! `[joint_friction.NAME]` and `[joint_spring.NAME]`: what resists a joint coordinate.

use bristle_laws::Friction;
use bristle_mechanics::FrictionPair;
use bristle_mechanics::element::{
    BallFriction, JointFriction, JointLoad, JointSpring, ModelElement,
};

use super::bodies::Bodies;
use super::coordinates::{self, RubbedPlace, SingleCoordinate};
use super::couplings;
use super::law;
use super::values::{Allowed, check_name, refuse_unused, signal_as};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

const REACTION: Section = Section {
    name: "reaction",
    doc: "The load as the joint's own reaction makes it.",
    fields: &[
        Field::optional(
            "preload",
            FieldKind::Number {
                unit: Unit::NEWTON,
                range: FieldRange::NonNegative,
            },
            "Load that is always there",
        )
        .default("0"),
        Field::optional(
            "moment_arm",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Distance of the bearings: the moment across the axis over it adds to the load; the \
             moment does not count if not given",
        ),
    ],
};

const LOAD: Section = Section {
    name: "load",
    doc: "The load on the sliding faces.",
    fields: &[Field::required(
        "reaction",
        FieldKind::Any("true, or { preload = \"1 N\", moment_arm = \"20 mm\" }"),
        "The load comes from the reaction of the joint",
    )],
};

pub(super) const JOINT_FRICTION: Section = Section {
    name: "joint_friction.NAME",
    doc: "Friction on a joint coordinate, or in a spherical joint.",
    fields: &[
        coordinates::BODY_OR_LOOP,
        coordinates::LOOP,
        coordinates::COUPLING,
        coordinates::COORDINATE,
        Field::optional(
            "against",
            FieldKind::Table(&couplings::SIDE),
            "The other coordinate of a clutch: { body = \"b\" }; the slip is the difference of both",
        ),
        Field::required(
            "friction",
            FieldKind::Any("{ law = \"NAME\", … } or a file \"LAW.toml\""),
            "The friction law",
        ),
        Field::required(
            "load",
            FieldKind::Any(
                "a function of time (N), or { reaction = true } or { reaction = { preload = \"1 N\", moment_arm = \"20 mm\" } }",
            ),
            "The force that presses the sliding faces together",
        ),
        Field::optional(
            "radius",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Friction radius of a rotation: slip velocity over angular velocity",
        ),
        Field::optional(
            "slip_speed",
            FieldKind::Number {
                unit: Unit::METRE_PER_SECOND,
                range: FieldRange::Positive,
            },
            "Speed from which the joint counts as slipping; a speed of the law if not given",
        ),
    ],
};

pub(super) const JOINT_SPRING: Section = Section {
    name: "joint_spring.NAME",
    doc: "A spring and damper on a joint coordinate.",
    fields: &[
        coordinates::BODY_OR_LOOP,
        coordinates::LOOP,
        coordinates::COORDINATE,
        Field::optional(
            "stiffness",
            FieldKind::Any("N/m, of an angle N m/rad"),
            "Stiffness; 0 if not given",
        ),
        Field::optional(
            "cubic",
            FieldKind::Any("N/m^3, of an angle N m/rad^3"),
            "Cubic stiffness: times the cube of the stretch it adds to the force; 0 if not given",
        ),
        Field::optional(
            "damping",
            FieldKind::Any("N s/m, of an angle N m s/rad"),
            "Damping; 0 if not given",
        ),
        Field::optional(
            "rest",
            FieldKind::Any("a displacement (m) or an angle (rad)"),
            "Coordinate without force; 0 if not given",
        ),
    ],
};

/// Reads all friction in joints; what is sound.
pub(super) fn friction(
    root: &Fields<'_>,
    bodies: &mut Bodies,
    end_time: Option<f64>,
) -> Vec<ModelElement> {
    let read = |(name, fields): (String, Fields<'_>)| {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let place = if fields.has("coupling") {
            on_coupling(&fields, bodies).map(RubbedPlace::Single)
        } else if fields.has("against") {
            in_clutch(&fields, &name, bodies).map(RubbedPlace::Single)
        } else {
            coordinates::rubbed(&fields, bodies)
        };
        let passes_load = fields.has("coupling");
        let is_ball = matches!(place, Some(RubbedPlace::Ball(_)));
        let friction = fields.entry("friction").and_then(|entry| {
            let (reader, path) = (fields.reader(), fields.path_of("friction"));
            match (is_ball, passes_load) {
                (true, _) => law::friction(reader, entry, &path),
                (_, true) => law::friction_that_passes_load(reader, entry, &path),
                _ => law::friction_on_line(reader, entry, &path),
            }
        });
        let load = load(&fields, end_time);
        let radius = place.as_ref().and_then(|place| radius(&fields, place));
        let slip_speed = if fields.has("slip_speed") {
            fields.number("slip_speed")
        } else {
            friction.as_ref().map(Friction::slip_speed)
        };
        let (friction, load, radius, slip_speed) = (friction?, load?, radius?, slip_speed?);
        let element = match place? {
            RubbedPlace::Single(place) => ModelElement::joint(JointFriction {
                name,
                joint: place.owner,
                place: place.place,
                friction: if passes_load {
                    FrictionPair::new(friction).with_load_direction()
                } else {
                    friction.into()
                },
                load,
                radius,
                slip_speed,
            }),
            RubbedPlace::Ball(joint) => {
                check_ball(&fields, &load)?;
                ModelElement::ball(BallFriction {
                    name,
                    joint,
                    friction: friction.into(),
                    load,
                    radius: radius?,
                    slip_speed,
                })
            }
        };
        sound.then_some(element)
    };
    root.named("joint_friction")
        .into_iter()
        .filter_map(read)
        .collect()
}

/// Reads all springs in joints; what is sound.
pub(super) fn springs(root: &Fields<'_>, bodies: &Bodies) -> Vec<JointSpring> {
    let read = |(name, fields): (String, Fields<'_>)| {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let place = coordinates::resisted(&fields, bodies)?;
        let own = |name: &str, [slides, turns]: [Unit; 2], range| {
            let unit = if place.turns { turns } else { slides };
            let value = fields.number_as(name, unit, range);
            (value.is_some() || !fields.has(name)).then(|| value.unwrap_or(0.0))
        };
        let stiffness = own(
            "stiffness",
            [Unit::NEWTON_PER_METRE, Unit::NEWTON_METRE_PER_RADIAN],
            FieldRange::NonNegative,
        );
        let cubic = own(
            "cubic",
            [
                Unit::NEWTON_PER_CUBIC_METRE,
                Unit::NEWTON_METRE_PER_CUBIC_RADIAN,
            ],
            FieldRange::Any,
        );
        let damping = own(
            "damping",
            [
                Unit::NEWTON_SECOND_PER_METRE,
                Unit::NEWTON_METRE_SECOND_PER_RADIAN,
            ],
            FieldRange::NonNegative,
        );
        let rest = own("rest", [Unit::METRE, Unit::RADIAN], FieldRange::Any);
        if !["stiffness", "cubic", "damping"]
            .iter()
            .any(|name| fields.has(name))
        {
            let message = format!(
                "{}: one of stiffness, cubic and damping is missing, so that it does nothing",
                fields.path()
            );
            fields.reader().error(fields.name_span(), message);
            return None;
        }
        let element = JointSpring {
            name,
            joint: place.owner,
            place: place.place,
            stiffness: stiffness?,
            cubic: cubic?,
            damping: damping?,
            rest: rest?,
            turns: place.turns,
        };
        sound.then_some(element)
    };
    root.named("joint_spring")
        .into_iter()
        .filter_map(read)
        .collect()
}

/// The faces of a coupling.
fn on_coupling(fields: &Fields<'_>, bodies: &Bodies) -> Option<SingleCoordinate> {
    for name in ["body", "loop", "coordinate", "against", "radius"] {
        let reason = "belongs to a joint; where a coupling slides is said there";
        refuse_unused(fields, name, reason);
    }
    Some(SingleCoordinate {
        owner: couplings::find(fields, "coupling", bodies)?,
        place: 0,
        turns: false,
    })
}

/// A coordinate against another one: a clutch.
fn in_clutch(fields: &Fields<'_>, name: &str, bodies: &mut Bodies) -> Option<SingleCoordinate> {
    refuse_unused(fields, "loop", "a clutch is between joints of bodies");
    if fields.has("loop") {
        return None;
    }
    let own = coordinates::resisted(fields, bodies);
    let other = coordinates::any(&fields.section("against")?, bodies);
    let (own, other) = (own?, other?);
    let place = |side: &SingleCoordinate| (side.owner.moving(), side.place);
    if place(&own) == place(&other) {
        fields.error("against", "is the same coordinate: nothing slides");
        return None;
    }
    if own.turns != other.turns {
        let message = "must be an angle against an angle, or a displacement against a displacement";
        fields.error("against", message);
        return None;
    }
    let given = fields.entry("load")?;
    if given
        .node
        .as_table()
        .is_some_and(|table| table.get("reaction").is_some())
    {
        let message =
            "a clutch has no reaction; give the force that presses it, a function of time";
        fields.error("load", message);
        return None;
    }
    match couplings::clutch(name, [&own, &other], bodies) {
        Ok(owner) => Some(SingleCoordinate {
            owner,
            place: 0,
            turns: own.turns,
        }),
        Err(error) => {
            let message = format!("{}: {error}", fields.path());
            fields.reader().error(fields.name_span(), message);
            None
        }
    }
}

/// Refuses what a spherical joint does not have.
fn check_ball(fields: &Fields<'_>, load: &JointLoad) -> Option<()> {
    if let JointLoad::Reaction {
        moment_arm: Some(_),
        ..
    } = load
    {
        let message = "has a moment_arm, and a spherical joint carries no moment; leave it out";
        fields.error("load", message);
        return None;
    }
    Some(())
}

/// The friction radius of an angle; `None` if the fields are not sound.
#[allow(
    clippy::option_option,
    reason = "not sound, a displacement, or an angle"
)]
fn radius(fields: &Fields<'_>, place: &RubbedPlace) -> Option<Option<f64>> {
    if matches!(place, RubbedPlace::Single(place) if !place.turns) {
        let reason = "belongs to a rotation; of a displacement the slip is the displacement itself";
        refuse_unused(fields, "radius", reason);
        return (!fields.has("radius")).then_some(None);
    }
    if !fields.has("radius") {
        let message = format!(
            "missing field \"radius\" in {}: friction on a rotation needs the radius (m) at which \
             it acts, for example radius = \"15 mm\"",
            fields.path()
        );
        fields.reader().error(fields.name_span(), message);
        return None;
    }
    fields.number("radius").map(Some)
}

fn load(fields: &Fields<'_>, end_time: Option<f64>) -> Option<JointLoad> {
    let entry = fields.entry("load")?;
    let reacts = entry
        .node
        .as_table()
        .is_some_and(|table| table.get("reaction").is_some());
    if !reacts {
        let allowed = Allowed {
            unit: Unit::NEWTON,
            range: FieldRange::NonNegative,
        };
        return signal_as(fields, "load", allowed, end_time).map(JointLoad::Given);
    }
    let path = fields.path_of("load");
    let load = Fields::open(fields.reader(), &entry.node, entry.key_span, path, &LOAD)?;
    let reaction = load.entry("reaction")?;
    match &reaction.node.value {
        crate::NodeValue::Flag(true) => Some(JointLoad::Reaction {
            preload: 0.0,
            moment_arm: None,
        }),
        crate::NodeValue::Table(_) => {
            let path = load.path_of("reaction");
            let own = Fields::open(
                fields.reader(),
                &reaction.node,
                reaction.key_span,
                path,
                &REACTION,
            )?;
            let (preload, arm) = (own.number("preload"), own.number("moment_arm"));
            if arm.is_none() && own.has("moment_arm") {
                return None;
            }
            Some(JointLoad::Reaction {
                preload: preload?,
                moment_arm: arm,
            })
        }
        _ => {
            let message = "expected true, or a table { preload = \"1 N\", moment_arm = \"20 mm\" }";
            load.error("reaction", message);
            None
        }
    }
}
