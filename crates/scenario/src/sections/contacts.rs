//! `[contact.NAME]`: points of one body on a surface of another.

use bristle_laws::{Indentation, Normal};
use bristle_mechanics::FrictionPair;
use bristle_mechanics::element::{
    Contact, ContactPoint, NormalForceSource, Resistance, Surface, SurfaceShape,
};
use bristle_signals::Signal;

use super::bodies::Bodies;
use super::values::{Allowed, check_name, refuse_unused, signal};
use super::{law, meshes, points, surfaces};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

pub(super) const CONTACT: Section = Section {
    name: "contact.NAME",
    doc: "A contact of points of one body with a surface of another.",
    fields: &[
        Field::required("points", FieldKind::Table(&points::POINTS), "The points"),
        Field::optional(
            "plane",
            FieldKind::Table(&surfaces::PLANE),
            "The plane; the ground's xy plane if neither plane nor surface is given",
        ),
        Field::optional(
            "surface",
            FieldKind::Table(&surfaces::SURFACE),
            "A curved surface in the place of the plane",
        ),
        Field::required(
            "normal",
            FieldKind::Any("{ law = \"NAME\", … }, { prescribed = FORCE } or { total = FORCE }"),
            "The normal force: a law, or a function of time for each point or for all together",
        ),
        Field::required(
            "friction",
            FieldKind::Any("{ law = \"NAME\", … }, a file \"LAW.toml\", or \"none\""),
            "The friction law; none for a smooth contact",
        ),
        Field::optional(
            "slip_speed",
            FieldKind::Number {
                unit: Unit::METRE_PER_SECOND,
                range: FieldRange::Positive,
            },
            "Speed from which the contact counts as slipping; a speed of the law if not given",
        ),
        Field::optional(
            "rolling_resistance",
            LENGTH,
            "Of balls: rolling moment over normal force",
        )
        .default("0"),
        Field::optional(
            "spinning_resistance",
            LENGTH,
            "Of balls: spinning moment over normal force",
        )
        .default("0"),
    ],
};

const LENGTH: FieldKind = FieldKind::Number {
    unit: Unit::METRE,
    range: FieldRange::NonNegative,
};

const FORCE: FieldKind = FieldKind::Signal { unit: Unit::NEWTON };

/// Fields of a normal force that no law gives.
const PRESCRIBED: Section = Section {
    name: "normal",
    doc: "A normal force as a function of time.",
    fields: &[
        Field::optional(
            "law",
            FieldKind::Text,
            "Name of a normal-force law, with its fields",
        ),
        Field::optional("prescribed", FORCE, "Normal force of each point"),
        Field::optional("total", FORCE, "Normal force of all points together"),
    ],
};

/// The friction of a smooth contact.
const NONE: &str = "none";

/// A point that starts deeper than this fraction of the body's size is worth a word.
const DEEP: f64 = 1e-3;

/// Reads all contacts; those that are sound.
pub(super) fn read(root: &Fields<'_>, bodies: &Bodies, end_time: Option<f64>) -> Vec<Contact> {
    let mut contacts = Vec::new();
    for (name, fields) in root.named("contact") {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        if let Some(contact) = contact(name, &fields, bodies, end_time).filter(|_| sound) {
            let size = touching_size(&contact, bodies);
            warn_of_depth(&contact, &fields, bodies, size);
            meshes::warn_of_size(&fields, &contact, size);
            contacts.push(contact);
        }
    }
    contacts
}

fn contact(
    name: String,
    fields: &Fields<'_>,
    bodies: &Bodies,
    end_time: Option<f64>,
) -> Option<Contact> {
    let points_fields = fields.section("points");
    let (body, points) = points_fields
        .as_ref()
        .map_or((None, None), |points| points::read(points, bodies));
    let surface = surfaces::read(fields, bodies);
    let count = points.as_ref().map_or(1, Vec::len);
    let pressing = pressing(fields, count, end_time);
    let friction = friction(fields);
    let slip_speed = if fields.has("slip_speed") {
        fields.number("slip_speed")
    } else {
        friction.as_ref().map(FrictionPair::slip_speed)
    };
    let resistance = resistance(fields, points.as_deref());
    let (body, surface) = (body?, surface?);
    if body == surface.body {
        let place = points_fields.map_or(fields.name_span(), |points| points.span("body"));
        let message = format!(
            "{}: points and {} belong to the same body, which cannot slip on itself",
            fields.path(),
            if surface.is_plane() {
                "plane"
            } else {
                "surface"
            }
        );
        fields.reader().error(place, message);
        return None;
    }
    let points = points?;
    if !surfaces::fits(fields, &surface, &points) {
        return None;
    }
    let pressing = pressing?;
    if let Some(solid) = points_fields.as_ref().and_then(points::solid) {
        check_solid(fields, solid, &surface, &pressing)?;
    }
    Some(Contact {
        name,
        body,
        points,
        surface,
        normal: pressing,
        friction: friction?,
        slip_speed: slip_speed?,
        resistance: resistance.ok()?,
    })
}

/// Refuses a solid where it touches otherwise than with its ends or corners.
fn check_solid(
    fields: &Fields<'_>,
    solid: &str,
    surface: &Surface,
    pressing: &NormalForceSource,
) -> Option<()> {
    let (touches, instead) = if solid == "box" {
        ("with its corners", "at = [[x, y, z], …]")
    } else {
        (
            "with the balls at its ends",
            "at = [[x, y, z], …], radius = …",
        )
    };
    // a mesh has flat parts, on which the corners of a box stand as on a plane
    let takes_box = matches!(surface.shape, SurfaceShape::Mesh(_)) && solid == "box";
    if !surface.is_plane() && !takes_box {
        let message = format!(
            "{}: a {solid} touches a plane {touches} alone, and a curved surface anywhere; give the places that \
             touch it, points = {{ body = …, {instead} }}",
            fields.path()
        );
        fields.reader().error(fields.span("points"), message);
        return None;
    }
    if solid == "box" && matches!(pressing, NormalForceSource::Prescribed(_)) {
        let message = format!(
            "{}: a given force acts on every point, and a box has eight corners, of which some are in the air; \
             give a law, or the corners that touch, points = {{ body = …, {instead} }}",
            fields.path()
        );
        fields.reader().error(fields.span("normal"), message);
        return None;
    }
    Some(())
}

/// The friction of every point: a law, or none.
fn friction(fields: &Fields<'_>) -> Option<FrictionPair<2>> {
    let entry = fields.entry("friction")?;
    if entry.node.as_text() == Some(NONE) {
        return Some(FrictionPair::SMOOTH);
    }
    law::friction(fields.reader(), entry, &fields.path_of("friction")).map(FrictionPair::new)
}

/// Rolling and spinning resistance.
///
/// # Errors
/// If a field is wrong; the reader has the error.
fn resistance(
    fields: &Fields<'_>,
    points: Option<&[ContactPoint]>,
) -> Result<Option<Resistance>, ()> {
    const NAMES: [&str; 2] = ["rolling_resistance", "spinning_resistance"];
    if points.is_some_and(|points| points.iter().all(|point| point.radius <= 0.0)) {
        for name in NAMES {
            refuse_unused(
                fields,
                name,
                "only balls roll (points.sphere, points.capsule, or points.radius)",
            );
        }
    }
    let [Some(rolling), Some(spinning)] = NAMES.map(|name| fields.number(name)) else {
        return Err(());
    };
    if rolling <= 0.0 && spinning <= 0.0 {
        return Ok(None);
    }
    Resistance::new(rolling, spinning)
        .map(Some)
        .map_err(|problem| {
            fields.error(NAMES[0], problem.to_string());
        })
}

fn pressing(
    fields: &Fields<'_>,
    points: usize,
    end_time: Option<f64>,
) -> Option<NormalForceSource> {
    let entry = fields.entry("normal")?;
    let path = fields.path_of("normal");
    let (reader, table) = (fields.reader(), entry.node.as_table());
    let prescribed = |name: &str| table.is_some_and(|table| table.get(name).is_some());
    if table.is_none() || (prescribed("law") && !prescribed("prescribed") && !prescribed("total")) {
        return law::normal(reader, entry, &path).map(NormalForceSource::Law);
    }
    let normal = Fields::open(reader, &entry.node, entry.key_span, path, &PRESCRIBED)?;
    let name = normal.exactly_one(&["law", "prescribed", "total"])?;
    let allowed = Allowed {
        unit: Unit::NEWTON,
        range: FieldRange::NonNegative,
    };
    let force = signal(&normal, name, allowed, end_time)?;
    Some(NormalForceSource::Prescribed(if name == "total" {
        share(force, points)
    } else {
        force
    }))
}

/// The part of one point in a total.
fn share(total: Signal, points: usize) -> Signal {
    total.scaled(1.0 / points.max(1) as f64)
}

/// The size of what presses on a surface: of the body, of the points together, or of a ball, m.
fn touching_size(contact: &Contact, bodies: &Bodies) -> Option<f64> {
    let radii = contact.points.iter().map(|point| point.radius);
    bodies
        .size(contact.body)
        .or_else(|| extent(&contact.points))
        .or(radii.reduce(f64::max).filter(|radius| *radius > 0.0))
}

/// A point far inside the material makes the law press with a force that nobody meant.
fn warn_of_depth(contact: &Contact, fields: &Fields<'_>, bodies: &Bodies, size: Option<f64>) {
    let NormalForceSource::Law(normal) = &contact.normal else {
        return;
    };
    let Some(size) = size else {
        return;
    };
    let surface = &contact.surface;
    let frame = bodies.frame(surface.body);
    let axes = frame.r * surface.axes;
    let depths = contact.points.iter().map(|point| {
        let place = bodies.place(contact.body, &point.position);
        let local = axes.tr_mul(&(place - frame.p - frame.r * surface.point));
        point.radius - surface.nearest(&local).distance
    });
    let (mut count, mut deepest) = (0, 0.0_f64);
    for depth in depths.filter(|depth| *depth > DEEP * size) {
        count += 1;
        deepest = deepest.max(depth);
    }
    if count == 0 {
        return;
    }
    let force = force_at(normal, deepest);
    let message = format!(
        "{}: {count} of {} points start inside the {}, the deepest by {deepest:.3e} m \
         ({:.2} % of the body's size), where the normal law gives {force:.3e} N; lift the body, \
         or begin with simulation.start = \"equilibrium\"",
        fields.path(),
        contact.points.len(),
        if surface.is_plane() {
            "plane"
        } else {
            "material"
        },
        100.0 * deepest / size,
    );
    fields.reader().warn(fields.span("points"), message);
}

fn force_at(normal: &Normal, depth: f64) -> f64 {
    let still = Indentation {
        depth,
        rate: 0.0,
        impact_rate: 0.0,
    };
    normal.evaluate(&still).force
}

/// Largest distance of the points from the first one, m; none for a single point.
fn extent(points: &[ContactPoint]) -> Option<f64> {
    let first = points.first()?.position;
    let distances = points.iter().map(|point| (point.position - first).norm());
    Some(distances.fold(0.0, f64::max)).filter(|extent| *extent > 0.0)
}
