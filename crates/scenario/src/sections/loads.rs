//! `[force.NAME]`, `[torque.NAME]` and `[spring.NAME]`.

use bristle_mechanics::element::{Attachment, Force, Spring, Torque};
use bristle_mechanics::{BodyId, Vec3};

use super::bodies::Bodies;
use super::values::{Allowed, check_name, direction, signal, unit_vector, vector, vector_at};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

const IN_PLANE: Section = Section {
    name: "direction",
    doc: "A direction in a coordinate plane.",
    fields: &[
        Field::required(
            "angle",
            FieldKind::Number {
                unit: Unit::RADIAN,
                range: FieldRange::Any,
            },
            "Angle from the first axis of the plane towards the second",
        ),
        Field::required("in", FieldKind::Choice(&["xy", "yz", "xz"]), "The plane"),
    ],
};

const POINT: FieldKind = FieldKind::Vector3 { unit: Unit::METRE };

pub(super) const FORCE: Section = Section {
    name: "force.NAME",
    doc: "A force on a point of a body.",
    fields: &[
        Field::required("body", FieldKind::Text, "The body on which it acts"),
        Field::optional("point", POINT, "Point of application in body axes").default("[0, 0, 0]"),
        Field::required(
            "direction",
            FieldKind::Any("a vector [x, y, z], or { angle = \"30 deg\", in = \"xy\" }"),
            "Direction; its length does not count",
        ),
        Field::required(
            "magnitude",
            FieldKind::Signal { unit: Unit::NEWTON },
            "Magnitude along the direction",
        ),
        Field::optional(
            "frame",
            FieldKind::Choice(&["world", "body"]),
            "Whether the direction stays in the world or turns with the body",
        )
        .default("world"),
    ],
};

pub(super) const TORQUE: Section = Section {
    name: "torque.NAME",
    doc: "A torque on a body.",
    fields: &[
        Field::required("body", FieldKind::Text, "The body on which it acts"),
        Field::required(
            "axis",
            FieldKind::Vector3 { unit: Unit::ONE },
            "Axis in the world; its length does not count",
        ),
        Field::required(
            "magnitude",
            FieldKind::Signal {
                unit: Unit::NEWTON_METRE,
            },
            "Magnitude about the axis",
        ),
    ],
};

pub(super) const ATTACHMENT: Section = Section {
    name: "attachment",
    doc: "A point of a body.",
    fields: &[
        Field::optional("body", FieldKind::Text, "The body").default("ground"),
        Field::optional("point", POINT, "The point in body axes").default("[0, 0, 0]"),
    ],
};

/// The first end of an element between two bodies.
pub(super) const FROM: Field = Field::optional("from", FieldKind::Table(&ATTACHMENT), "One end")
    .default("the origin of the ground");

pub(super) const SPRING: Section = Section {
    name: "spring.NAME",
    doc: "A spring with a damper between points of two bodies.",
    fields: &[
        FROM,
        Field::required("to", FieldKind::Table(&ATTACHMENT), "The other end"),
        Field::required(
            "stiffness",
            FieldKind::Number {
                unit: Unit::NEWTON_PER_METRE,
                range: FieldRange::NonNegative,
            },
            "Stiffness",
        ),
        Field::optional(
            "cubic",
            FieldKind::Number {
                unit: Unit::NEWTON_PER_CUBIC_METRE,
                range: FieldRange::Any,
            },
            "Cubic stiffness: times the cube of the stretch it adds to the force",
        )
        .default("0"),
        Field::optional(
            "damping",
            FieldKind::Number {
                unit: Unit::NEWTON_SECOND_PER_METRE,
                range: FieldRange::NonNegative,
            },
            "Damping along the line between the ends",
        )
        .default("0"),
        Field::optional(
            "length",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::NonNegative,
            },
            "Natural length; the distance of the ends at the start if not given",
        ),
    ],
};

/// Reads all forces; those that are sound.
pub(super) fn forces(root: &Fields<'_>, bodies: &Bodies, end_time: Option<f64>) -> Vec<Force> {
    let read = |(name, fields): (String, Fields<'_>)| {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let (body, point) = (bodies.find(&fields, "body"), vector(&fields, "point"));
        let direction = any_direction(&fields);
        let allowed = Allowed {
            unit: Unit::NEWTON,
            range: FieldRange::Any,
        };
        let magnitude = signal(&fields, "magnitude", allowed, end_time);
        let frame = fields.choice("frame");
        let force = Force {
            name,
            body: body?,
            point: point?,
            direction: direction?,
            follows: frame? == "body",
            magnitude: magnitude?,
        };
        sound.then_some(force)
    };
    root.named("force").into_iter().filter_map(read).collect()
}

/// A vector, or an angle in a coordinate plane.
fn any_direction(fields: &Fields<'_>) -> Option<Vec3> {
    let entry = fields.entry("direction")?;
    let path = fields.path_of("direction");
    if entry.node.as_list().is_some() {
        let vector = vector_at(fields.reader(), &entry.node, &path, Unit::ONE)?;
        return unit_vector(fields, "direction", vector);
    }
    if entry.node.as_table().is_none() {
        let found = entry.node.kind_name();
        let message = format!(
            "expected a vector [x, y, z], or {{ angle = \"30 deg\", in = \"xy\" }}, found {found}"
        );
        fields.error("direction", message);
        return None;
    }
    let plane = Fields::open(
        fields.reader(),
        &entry.node,
        entry.key_span,
        path,
        &IN_PLANE,
    )?;
    let (angle, axes) = (plane.number("angle"), plane.choice("in"));
    let (sin, cos) = angle?.sin_cos();
    Some(match axes? {
        "xy" => Vec3::new(cos, sin, 0.0),
        "yz" => Vec3::new(0.0, cos, sin),
        _ => Vec3::new(cos, 0.0, sin),
    })
}

/// Reads all torques; those that are sound.
pub(super) fn torques(root: &Fields<'_>, bodies: &Bodies, end_time: Option<f64>) -> Vec<Torque> {
    let read = |(name, fields): (String, Fields<'_>)| {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let (body, axis) = (bodies.find(&fields, "body"), direction(&fields, "axis"));
        let allowed = Allowed {
            unit: Unit::NEWTON_METRE,
            range: FieldRange::Any,
        };
        let magnitude = signal(&fields, "magnitude", allowed, end_time);
        let torque = Torque {
            name,
            body: body?,
            axis: axis?,
            magnitude: magnitude?,
        };
        sound.then_some(torque)
    };
    root.named("torque").into_iter().filter_map(read).collect()
}

/// Reads all springs; those that are sound.
pub(super) fn springs(root: &Fields<'_>, bodies: &Bodies) -> Vec<Spring> {
    let read = |(name, fields): (String, Fields<'_>)| {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let (from, to) = ends(&fields, bodies);
        let (stiffness, damping) = (fields.number("stiffness"), fields.number("damping"));
        let cubic = fields.number("cubic");
        let length = fields.number("length");
        if length.is_none() && fields.has("length") {
            return None;
        }
        let (from, to) = (from?, to?);
        if from.body == to.body {
            let message = "both ends are on the same body, so that the spring does nothing";
            fields.error("to", message);
            return None;
        }
        let distance = || {
            let ends = [from, to].map(|end| bodies.place(end.body, &end.point));
            (ends[1] - ends[0]).norm()
        };
        let spring = Spring {
            name,
            from,
            to,
            stiffness: stiffness?,
            cubic: cubic?,
            damping: damping?,
            length: length.unwrap_or_else(distance),
        };
        sound.then_some(spring)
    };
    root.named("spring").into_iter().filter_map(read).collect()
}

pub(super) fn ends(
    fields: &Fields<'_>,
    bodies: &Bodies,
) -> (Option<Attachment>, Option<Attachment>) {
    let end = |name: &str| attachment(&fields.section(name)?, bodies);
    let origin = Attachment {
        body: BodyId::GROUND,
        point: Vec3::zeros(),
    };
    let from = if fields.has("from") {
        end("from")
    } else {
        Some(origin)
    };
    (from, end("to"))
}

fn attachment(fields: &Fields<'_>, bodies: &Bodies) -> Option<Attachment> {
    let (body, point) = (bodies.find(fields, "body"), vector(fields, "point"));
    Some(Attachment {
        body: body?,
        point: point?,
    })
}
