//! `plane` and `surface` of a contact: what the points press on.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use bristle_laws::Shortest;
use bristle_mechanics::element::{CamProfile, ContactPoint, Surface, SurfaceShape};
use bristle_mechanics::{BodyId, Vec3};

use super::bodies::Bodies;
use super::joints::ORIENTATION;
use super::meshes;
use super::values::{direction, vector};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

const PLACE: FieldKind = FieldKind::Vector3 { unit: Unit::METRE };
const DIRECTION: FieldKind = FieldKind::Vector3 { unit: Unit::ONE };
const LENGTH: FieldKind = FieldKind::Number {
    unit: Unit::METRE,
    range: FieldRange::Positive,
};

pub(super) const PLANE: Section = Section {
    name: "plane",
    doc: "The plane on which the points press, and the body that has it.",
    fields: &[
        Field::optional("body", FieldKind::Text, "The body that has the plane").default("ground"),
        Field::optional("point", PLACE, "A point of the plane in body axes").default("[0, 0, 0]"),
        Field::optional(
            "normal",
            DIRECTION,
            "Normal out of the plane, towards the points, in body axes",
        )
        .default("[0, 0, 1]"),
        Field::optional(
            "first_direction",
            DIRECTION,
            "The first axis of friction that differs by direction, in body axes; projected into the plane. If not given the \
             body's x axis, or y where x is nearly the normal",
        ),
    ],
};

const SPHERE: Section = Section {
    name: "surface.sphere",
    doc: "A sphere.",
    fields: &[
        Field::required("radius", LENGTH, "Radius"),
        Field::optional("centre", PLACE, "Centre in body axes").default("[0, 0, 0]"),
    ],
};

const CYLINDER: Section = Section {
    name: "surface.cylinder",
    doc: "A round cylinder without ends.",
    fields: &[
        Field::required("radius", LENGTH, "Radius"),
        Field::optional("centre", PLACE, "A point of the axis in body axes").default("[0, 0, 0]"),
        Field::optional("axis", DIRECTION, "Axis in body axes").default("[0, 0, 1]"),
    ],
};

const CAPSULE: Section = Section {
    name: "surface.capsule",
    doc: "A round cylinder with a half ball at both ends.",
    fields: &[
        Field::required("radius", LENGTH, "Radius"),
        Field::required(
            "length",
            LENGTH,
            "Length of the cylinder: distance of the centres of both half balls",
        ),
        Field::optional("centre", PLACE, "The middle in body axes").default("[0, 0, 0]"),
        Field::optional("axis", DIRECTION, "Axis in body axes").default("[0, 0, 1]"),
    ],
};

const CONE: Section = Section {
    name: "surface.cone",
    doc: "A round cone without end.",
    fields: &[
        Field::required(
            "half_angle",
            FieldKind::Number {
                unit: Unit::RADIAN,
                range: FieldRange::Between {
                    low: 0.0,
                    low_open: true,
                    high: FRAC_PI_2,
                    high_open: true,
                },
            },
            "Angle between the axis and the surface",
        ),
        Field::optional("apex", PLACE, "Apex in body axes").default("[0, 0, 0]"),
        Field::optional(
            "axis",
            DIRECTION,
            "Axis in body axes, from the apex to where the cone widens",
        )
        .default("[0, 0, 1]"),
    ],
};

/// More points than this in one profile are taken for a mistake.
const MAX_PROFILE: usize = 2000;

const CAM: Section = Section {
    name: "surface.cam",
    doc: "A cam without ends: a closed smooth curve in the plane across an axis.",
    fields: &[
        Field::optional(
            "profile",
            FieldKind::Any("a list of points [[x, y], …] (m) in the plane across the axis"),
            "Points of the curve in their order; the last one is joined to the first",
        ),
        Field::optional(
            "polar",
            FieldKind::Any("a list [[angle, radius], …] (rad, m) about the axis"),
            "The same by angle and radius, from the first axis across",
        ),
        Field::optional("centre", PLACE, "A point of the axis in body axes").default("[0, 0, 0]"),
        Field::optional(
            "axis",
            DIRECTION,
            "Axis in body axes; the first axis across is the projection of the body's x axis, of y where that is the axis",
        )
        .default("[0, 0, 1]"),
    ],
};

pub(super) const SURFACE: Section = Section {
    name: "surface",
    doc: "The surface on which the points press, and the body that has it.",
    fields: &[
        Field::optional("body", FieldKind::Text, "The body that has the surface").default("ground"),
        Field::optional("sphere", FieldKind::Table(&SPHERE), "A sphere"),
        Field::optional(
            "cylinder",
            FieldKind::Table(&CYLINDER),
            "A cylinder without ends: a drum, a shaft, a bore, a groove",
        ),
        Field::optional("capsule", FieldKind::Table(&CAPSULE), "A capsule"),
        Field::optional("cone", FieldKind::Table(&CONE), "A cone, or a funnel"),
        Field::optional("cam", FieldKind::Table(&CAM), "A cam"),
        Field::optional(
            "mesh",
            FieldKind::Text,
            "A file of triangles, NAME.stl or NAME.obj, relative to the scenario",
        ),
        Field::optional(
            "scale",
            FieldKind::Any("the unit of the file, such as \"mm\", or a factor"),
            "Of a mesh: the unit of its file",
        )
        .default("1"),
        Field::optional(
            "position",
            PLACE,
            "Of a mesh: the origin of its file in body axes",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "orientation",
            FieldKind::Table(&ORIENTATION),
            "Of a mesh: orientation of the axes of its file in the body",
        ),
        Field::optional(
            "open",
            FieldKind::Flag,
            "Of a mesh: whether it is meant to have edges with one triangle alone",
        )
        .default("false"),
        Field::optional(
            "inside",
            FieldKind::Flag,
            "Whether the points are in the shape and press outwards, as in a groove or a bowl",
        )
        .default("false"),
    ],
};

/// A ball that fills more of its bore than this touches along a line, or all round.
const SNUG: f64 = 0.98;

/// What the points press on; the xy plane of the ground if nothing is given.
pub(super) fn read(fields: &Fields<'_>, bodies: &Bodies) -> Option<Surface> {
    if fields.has("plane") && fields.has("surface") {
        let message = "a contact has a plane or a surface, not both";
        fields.error("surface", message);
        return None;
    }
    if fields.has("surface") {
        return surface(&fields.section("surface")?, bodies);
    }
    if !fields.has("plane") {
        return Some(Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()));
    }
    let fields = fields.section("plane")?;
    let body = bodies.find(&fields, "body");
    let (point, normal) = (vector(&fields, "point"), direction(&fields, "normal"));
    let first = if fields.has("first_direction") {
        Some(direction(&fields, "first_direction")?)
    } else {
        None
    };
    let plane = Surface::plane(body?, point?, normal?);
    let Some(first) = first else {
        return Some(plane);
    };
    along(plane, &first).or_else(|| {
        let message = "it is along the normal, and has no direction in the plane";
        fields.error("first_direction", message);
        None
    })
}

/// A direction that leans less than this from the normal (rad) has none in the plane.
const NORMAL: f64 = 1e-6;

/// The plane with its first tangent along the projection of a unit vector.
fn along(mut plane: Surface, direction: &Vec3) -> Option<Surface> {
    let normal: Vec3 = plane.axes.column(2).into();
    let across = direction - normal * normal.dot(direction);
    let first = across.try_normalize(NORMAL)?;
    // at right angles to the last digit
    let first = (first - normal * normal.dot(&first)).normalize();
    plane.axes.set_column(0, &first);
    plane.axes.set_column(1, &normal.cross(&first));
    Some(plane)
}

fn surface(fields: &Fields<'_>, bodies: &Bodies) -> Option<Surface> {
    let body = bodies.find(fields, "body");
    let name = fields.exactly_one(&["sphere", "cylinder", "capsule", "cone", "cam", "mesh"])?;
    if name == "mesh" {
        return meshes::read(fields, body);
    }
    meshes::refuse_fields(fields);
    let inside = fields.flag("inside");
    let own = fields.section(name)?;
    let (centre, axis, shape) = match name {
        "sphere" => {
            let radius = own.number("radius");
            (
                vector(&own, "centre"),
                Some(Vec3::z()),
                radius.map(|radius| SurfaceShape::Sphere { radius }),
            )
        }
        "cylinder" => {
            let radius = own.number("radius");
            (
                vector(&own, "centre"),
                direction(&own, "axis"),
                radius.map(|radius| SurfaceShape::Cylinder { radius }),
            )
        }
        "capsule" => {
            let shape = own.number("radius").zip(own.number("length"));
            let shape = shape.map(|(radius, length)| SurfaceShape::Capsule {
                radius,
                half_length: 0.5 * length,
            });
            (vector(&own, "centre"), direction(&own, "axis"), shape)
        }
        "cam" => {
            let profile = profile(&own).map(Arc::new);
            let shape = profile.map(SurfaceShape::Cam);
            (vector(&own, "centre"), direction(&own, "axis"), shape)
        }
        _ => {
            let half_angle = own.number("half_angle");
            (
                vector(&own, "apex"),
                direction(&own, "axis"),
                half_angle.map(|half_angle| SurfaceShape::Cone { half_angle }),
            )
        }
    };
    let surface = Surface::curved(body?, centre?, axis?, shape?);
    Some(if inside? {
        surface.turned_inside()
    } else {
        surface
    })
}

/// The curve of a cam.
fn profile(fields: &Fields<'_>) -> Option<CamProfile> {
    let name = fields.exactly_one(&["profile", "polar"])?;
    let list = fields
        .node(name)?
        .as_list()
        .filter(|list| list.len() <= MAX_PROFILE);
    let Some(list) = list else {
        let message = format!("expected a list of at most {MAX_PROFILE} pairs of numbers");
        fields.error(name, message);
        return None;
    };
    let (units, ranges) = if name == "polar" {
        (
            [Unit::RADIAN, Unit::METRE],
            [FieldRange::Any, FieldRange::Positive],
        )
    } else {
        ([Unit::METRE; 2], [FieldRange::Any; 2])
    };
    let mut points = Vec::new();
    for (i, item) in list.iter().enumerate() {
        let path = format!("{}.{i}", fields.path_of(name));
        let Some([a, b]) = item.as_list() else {
            let message = format!("{path}: expected two numbers");
            fields.reader().error(item.span, message);
            return None;
        };
        let reader = fields.reader();
        let a = reader.number(a, &path, units[0], ranges[0])?;
        let b = reader.number(b, &path, units[1], ranges[1])?;
        points.push(if name == "polar" {
            [b * a.cos(), b * a.sin()]
        } else {
            [a, b]
        });
    }
    CamProfile::new(&points)
        .map_err(|problem| fields.error(name, problem.to_string()))
        .ok()
}

/// Whether every ball fits into a surface that is around it; the reader has the error if not.
pub(super) fn fits(fields: &Fields<'_>, surface: &Surface, points: &[ContactPoint]) -> bool {
    let largest = points.iter().map(|point| point.radius).fold(0.0, f64::max);
    if let SurfaceShape::Cam(profile) = &surface.shape
        && let Some(hollow) = profile
            .hollow()
            .filter(|hollow| *hollow < largest && !surface.inside)
    {
        let message = format!(
            "{}: a ball with a radius of {} m touches a hollow with a radius of {hollow:.3e} m at two places, of \
             which one point sees the nearest only; take a smaller ball, or more points for a smoother profile",
            fields.path(),
            Shortest(largest),
        );
        fields.reader().warn(fields.span("surface"), message);
    }
    let Some(bore) = surface.bore() else {
        return true;
    };
    let message = |what: &str| {
        format!(
            "{}: a ball with a radius of {} m {what} of {} m around it",
            fields.path(),
            Shortest(largest),
            Shortest(bore)
        )
    };
    if largest >= bore {
        let message = message("does not fit into the radius");
        fields.reader().error(fields.span("surface"), message);
        return false;
    }
    if largest > SNUG * bore {
        let message = format!(
            "{}; so near to it the contact is no point but a line or an area, which one point \
             does not describe",
            message("nearly fills the radius")
        );
        fields.reader().warn(fields.span("surface"), message);
    }
    true
}
