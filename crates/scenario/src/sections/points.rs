//! The points of a contact: a circle, a grid, one by one, balls, or what a solid touches a plane with.

use std::f64::consts::TAU;

use bristle_mechanics::element::{ContactPoint, Surface};
use bristle_mechanics::{BodyId, Vec3};
use nalgebra::UnitQuaternion;

use super::bodies::Bodies;
use super::joints;
use super::values::{direction, refuse_unused, vector, vector_at};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

/// More points than this in one contact are taken for a mistake.
const MAX_POINTS: f64 = 100_000.0;

const PLACE: FieldKind = FieldKind::Vector3 { unit: Unit::METRE };

const CIRCLE: Section = Section {
    name: "circle",
    doc: "Points evenly spaced on a circle.",
    fields: &[
        Field::required(
            "radius",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::NonNegative,
            },
            "Radius",
        ),
        Field::required(
            "count",
            FieldKind::Integer {
                range: FieldRange::closed(1.0, MAX_POINTS),
            },
            "Number of points",
        ),
        Field::optional("centre", PLACE, "Centre in body axes").default("[0, 0, 0]"),
        Field::optional(
            "start_angle",
            FieldKind::Number {
                unit: Unit::RADIAN,
                range: FieldRange::Any,
            },
            "Angle of the first point, from the body's x axis (y where x is the normal)",
        )
        .default("0"),
        Field::optional(
            "normal",
            FieldKind::Vector3 { unit: Unit::ONE },
            "Normal of the circle in body axes",
        )
        .default("[0, 0, 1]"),
    ],
};

const GRID: Section = Section {
    name: "grid",
    doc: "Points on a rectangle in the xy plane of the body, corners included.",
    fields: &[
        Field::required(
            "size",
            FieldKind::List {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Edge lengths along x and y",
        ),
        Field::required(
            "count",
            FieldKind::List {
                unit: Unit::ONE,
                range: FieldRange::closed(1.0, MAX_POINTS),
            },
            "Numbers of points along x and y",
        ),
        Field::optional("centre", PLACE, "Centre in body axes").default("[0, 0, 0]"),
    ],
};

const SPHERE: Section = Section {
    name: "sphere",
    doc: "A ball: it touches the surface below its centre, wherever it has turned to.",
    fields: &[
        Field::required(
            "radius",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Radius",
        ),
        Field::optional("centre", PLACE, "Centre in body axes").default("[0, 0, 0]"),
    ],
};

const CAPSULE: Section = Section {
    name: "points.capsule",
    doc: "A cylinder with a half ball at both ends: on a plane it touches with these.",
    fields: &[
        Field::required("from", PLACE, "Centre of the first half ball in body axes"),
        Field::required("to", PLACE, "Centre of the second half ball in body axes"),
        Field::required(
            "radius",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Radius",
        ),
    ],
};

const BOX: Section = Section {
    name: "points.box",
    doc: "A box: on a plane it touches with its eight corners.",
    fields: &[
        Field::required(
            "size",
            FieldKind::List {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Edge lengths along the axes of the box",
        ),
        Field::optional("centre", PLACE, "Centre in body axes").default("[0, 0, 0]"),
        Field::optional(
            "orientation",
            FieldKind::Table(&joints::ORIENTATION),
            "Orientation of the box in the body; that of the body if not given",
        ),
    ],
};

pub(super) const POINTS: Section = Section {
    name: "points",
    doc: "The points of a contact and the body that has them.",
    fields: &[
        Field::required("body", FieldKind::Text, "The body that has the points"),
        Field::optional("circle", FieldKind::Table(&CIRCLE), "Points on a circle"),
        Field::optional(
            "at",
            FieldKind::Any("a list of points [[x, y, z], …] in body axes (m)"),
            "Points one by one, in body axes",
        ),
        Field::optional("grid", FieldKind::Table(&GRID), "Points on a rectangle"),
        Field::optional(
            "sphere",
            FieldKind::Table(&SPHERE),
            "A ball instead of points",
        ),
        Field::optional(
            "capsule",
            FieldKind::Table(&CAPSULE),
            "A capsule on a plane: the balls at its ends, from first",
        ),
        Field::optional(
            "box",
            FieldKind::Table(&BOX),
            "A box on a plane: its corners; x changes first, then y, then z, from the lower ends",
        ),
        Field::optional(
            "radius",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Radius of a ball about each of the points: a row of balls rolls as a cylinder does",
        ),
    ],
};

/// The points and their body.
pub(super) fn read(
    fields: &Fields<'_>,
    bodies: &Bodies,
) -> (Option<BodyId>, Option<Vec<ContactPoint>>) {
    let body = bodies.find(fields, "body");
    let places = match fields.exactly_one(&["circle", "at", "grid", "sphere", "capsule", "box"]) {
        Some("circle") => fields
            .section("circle")
            .and_then(|circle| on_circle(&circle)),
        Some("grid") => fields.section("grid").and_then(|grid| on_grid(&grid)),
        Some("sphere") => {
            refuse_unused(fields, "radius", "the radius of the ball is sphere.radius");
            let ball = fields.section("sphere").and_then(|sphere| ball(&sphere));
            return (body, ball.map(|ball| vec![ball]));
        }
        Some("capsule") => {
            refuse_unused(
                fields,
                "radius",
                "the radius of the capsule is capsule.radius",
            );
            let own = fields.section("capsule");
            return (body, own.and_then(|own| capsule(&own)));
        }
        Some("box") => {
            refuse_unused(fields, "radius", "the corners of a box are points");
            let corners = fields.section("box").and_then(|own| corners(&own));
            let points = |corners: Vec<Vec3>| corners.into_iter().map(ContactPoint::new).collect();
            return (body, corners.map(points));
        }
        Some(_) => one_by_one(fields),
        None => None,
    };
    let radius = if fields.has("radius") {
        fields.number("radius")
    } else {
        Some(0.0)
    };
    let points = places.zip(radius).map(|(places, radius)| {
        let ball = |place| ContactPoint::ball(place, radius);
        places.into_iter().map(ball).collect()
    });
    (body, points)
}

fn ball(fields: &Fields<'_>) -> Option<ContactPoint> {
    let (radius, centre) = (fields.number("radius"), vector(fields, "centre"));
    Some(ContactPoint::ball(centre?, radius?))
}

/// The balls at the ends of a capsule.
fn capsule(fields: &Fields<'_>) -> Option<Vec<ContactPoint>> {
    let ends = ["from", "to"].map(|name| vector(fields, name));
    let radius = fields.number("radius");
    let ([Some(from), Some(to)], Some(radius)) = (ends, radius) else {
        return None;
    };
    if from == to {
        fields.error(
            "to",
            "is where \"from\" is: a capsule without length is a sphere",
        );
        return None;
    }
    Some([from, to].map(|end| ContactPoint::ball(end, radius)).into())
}

/// The corners of a box: x changes first, then y, then z.
fn corners(fields: &Fields<'_>) -> Option<Vec<Vec3>> {
    let size = fields.list("size");
    let centre = vector(fields, "centre");
    let turned = if fields.has("orientation") {
        let own = fields.section("orientation");
        own.and_then(|own| joints::rotation(&own))
    } else {
        Some(UnitQuaternion::identity())
    };
    let size = <[f64; 3]>::try_from(size?).ok();
    if size.is_none() {
        fields.error("size", "expected three edge lengths, along x, y and z");
    }
    let (size, centre, turned) = (Vec3::from(size?), centre?, turned?);
    let corner = |i: usize| {
        let side = |k: usize| if i >> k & 1 == 1 { 0.5 } else { -0.5 };
        centre + turned * size.component_mul(&Vec3::new(side(0), side(1), side(2)))
    };
    Some((0..8).map(corner).collect())
}

/// Which solid the points stand for, of those that touch a plane with them alone.
pub(super) fn solid(fields: &Fields<'_>) -> Option<&'static str> {
    ["capsule", "box"].into_iter().find(|name| fields.has(name))
}

fn on_circle(fields: &Fields<'_>) -> Option<Vec<Vec3>> {
    let (radius, count) = (fields.number("radius"), fields.integer("count"));
    let (centre, start) = (vector(fields, "centre"), fields.number("start_angle"));
    let normal = direction(fields, "normal");
    let (radius, count, centre, start) = (radius?, count?, centre?, start?);
    let axes = Surface::plane(BodyId::GROUND, Vec3::zeros(), normal?).axes;
    let point = |i: i64| {
        let angle = start + TAU * i as f64 / count as f64;
        centre + axes * Vec3::new(radius * angle.cos(), radius * angle.sin(), 0.0)
    };
    Some((0..count).map(point).collect())
}

fn on_grid(fields: &Fields<'_>) -> Option<Vec<Vec3>> {
    let (size, count, centre) = (
        fields.list("size"),
        fields.list("count"),
        vector(fields, "centre"),
    );
    let pair = |name: &str, list: Option<Vec<f64>>| {
        let list = list?;
        let pair = <[f64; 2]>::try_from(list).ok();
        if pair.is_none() {
            fields.error(name, "expected two entries, along x and along y");
        }
        pair
    };
    let (size, count) = (pair("size", size), pair("count", count));
    let ([a, b], [n, m], centre) = (size?, count?, centre?);
    if n.fract() != 0.0 || m.fract() != 0.0 || n * m > MAX_POINTS {
        let message = format!("expected two whole numbers whose product is in [1, {MAX_POINTS}]");
        fields.error("count", message);
        return None;
    }
    // a single row lies in the middle
    let along = |length: f64, count: f64, i: f64| {
        if count > 1.0 {
            length * (i / (count - 1.0) - 0.5)
        } else {
            0.0
        }
    };
    let steps = |count: f64| {
        std::iter::successors(Some(0.0), |i| Some(i + 1.0)).take_while(move |i| *i < count)
    };
    let points = steps(m).flat_map(|j| {
        steps(n).map(move |i| centre + Vec3::new(along(a, n, i), along(b, m, j), 0.0))
    });
    Some(points.collect())
}

fn one_by_one(fields: &Fields<'_>) -> Option<Vec<Vec3>> {
    let list = fields.node("at")?.as_list().filter(|list| !list.is_empty());
    let Some(list) = list else {
        fields.error("at", "expected a list of one or more points [x, y, z] (m)");
        return None;
    };
    let path = fields.path_of("at");
    let points: Vec<Option<Vec3>> = list
        .iter()
        .enumerate()
        .map(|(i, node)| vector_at(fields.reader(), node, &format!("{path}.{i}"), Unit::METRE))
        .collect();
    points.into_iter().collect()
}
