//! Mass, shape and moments of inertia of a body.

use bristle_mechanics::{Inertia, Vec3};
use nalgebra::Matrix3;

use super::values::{vector, vector_at};
use crate::{Diagnostic, Field, FieldKind, FieldRange, Fields, Section, Unit};

const LENGTH: FieldKind = FieldKind::Number {
    unit: Unit::METRE,
    range: FieldRange::Positive,
};

const CYLINDER: Section = Section {
    name: "cylinder",
    doc: "A cylinder along the z axis of the body.",
    fields: &[
        Field::required("radius", LENGTH, "Radius"),
        Field::required("length", LENGTH, "Length"),
    ],
};

pub(super) const SHAPE: Section = Section {
    name: "shape",
    doc: "A solid of even density about the centre of mass.",
    fields: &[
        Field::optional(
            "box",
            FieldKind::List {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Edge lengths of a box along x, y and z",
        ),
        Field::optional("sphere", LENGTH, "Radius of a sphere"),
        Field::optional(
            "cylinder",
            FieldKind::Table(&CYLINDER),
            "A cylinder along the z axis of the body",
        ),
    ],
};

/// Largest difference of two mirrored entries of a matrix, relative to the largest entry.
const ASYMMETRY: f64 = 1e-9;

/// Mass, centre and moments of a body with the joint of this name, and its largest extent (m).
pub(super) fn read(fields: &Fields<'_>, joint: Option<&str>) -> (Option<Inertia>, Option<f64>) {
    let mass = mass(fields, joint);
    let centre = vector(fields, "centre_of_mass");
    let shape = fields
        .has("shape")
        .then(|| fields.section("shape").and_then(|shape| solid(&shape)));
    let tensor = fields
        .node("inertia")
        .map(|node| tensor(fields, node.as_list().unwrap_or_default()));
    let size = shape.flatten().map(Solid::size);
    let turns = joint.filter(|joint| matches!(*joint, "free" | "spherical"));
    if let Some(tensor) = tensor.flatten() {
        let rows = tensor.row_iter();
        let rows = rows.map(|row| row.iter().copied().collect());
        fields.note_rows("inertia", Unit::KILOGRAM_SQUARE_METRE, rows.collect());
    }
    if let Some(word) = turns
        && shape.is_none()
        && tensor.is_none()
    {
        let message = format!(
            "{}: one of \"shape\", \"inertia\" is missing: a {word} body can turn and needs \
             moments of inertia in (0, ∞) kg m^2",
            fields.path()
        );
        let help = "for example shape = { box = [\"100 mm\", \"100 mm\", \"100 mm\"] }";
        fields
            .reader()
            .report(Diagnostic::error(message).at(fields.name_span()).help(help));
        return (None, size);
    }
    let inertia = (|| {
        let (mass, centre) = (mass?, centre?);
        let mut inertia = match shape {
            Some(shape) => shape?.inertia(mass),
            None => Inertia {
                mass,
                ..Inertia::NONE
            },
        };
        if let Some(tensor) = tensor {
            inertia.tensor = tensor?;
        }
        inertia.centre = centre;
        if !inertia.tensor.iter().all(|moment| moment.is_finite()) {
            let name = if fields.has("inertia") {
                "inertia"
            } else {
                "shape"
            };
            fields.error(name, "the moments of inertia are beyond 1.8e308 kg m^2");
            return None;
        }
        Some(inertia)
    })();
    (inertia, size)
}

fn mass(fields: &Fields<'_>, joint: Option<&str>) -> Option<f64> {
    let moves = joint.is_some_and(|joint| !matches!(joint, "fixed" | "prescribed"));
    if !fields.has("mass") {
        if let Some(joint) = joint.filter(|_| moves) {
            let message = format!(
                "missing field \"mass\" in {}: a {joint} body can move and needs a mass in \
                 (0, ∞) kg",
                fields.path()
            );
            fields.reader().error(fields.name_span(), message);
            return None;
        }
        return Some(0.0);
    }
    let range = if moves {
        FieldRange::Positive
    } else {
        FieldRange::NonNegative
    };
    fields.number_as("mass", Unit::KILOGRAM, range)
}

#[derive(Clone, Copy)]
enum Solid {
    Box([f64; 3]),
    Sphere(f64),
    Cylinder { radius: f64, length: f64 },
}

impl Solid {
    fn inertia(self, mass: f64) -> Inertia {
        match self {
            Self::Box(edges) => Inertia::solid_box(mass, edges),
            Self::Sphere(radius) => Inertia::solid_sphere(mass, radius),
            Self::Cylinder { radius, length } => Inertia::solid_cylinder(mass, radius, length),
        }
    }

    /// Largest extent, m.
    fn size(self) -> f64 {
        match self {
            Self::Box([a, b, c]) => a.max(b).max(c),
            Self::Sphere(radius) => 2.0 * radius,
            Self::Cylinder { radius, length } => length.max(2.0 * radius),
        }
    }
}

fn solid(fields: &Fields<'_>) -> Option<Solid> {
    match fields.exactly_one(&["box", "sphere", "cylinder"])? {
        "box" => {
            let edges = fields.list("box")?;
            let found = edges.len();
            let edges = <[f64; 3]>::try_from(edges).ok().map(Solid::Box);
            if edges.is_none() {
                let message = format!("expected three edge lengths, found {found}");
                fields.error("box", message);
            }
            edges
        }
        "sphere" => fields.number("sphere").map(Solid::Sphere),
        _ => {
            let cylinder = fields.section("cylinder")?;
            let (radius, length) = (cylinder.number("radius"), cylinder.number("length"));
            Some(Solid::Cylinder {
                radius: radius?,
                length: length?,
            })
        }
    }
}

/// Three principal moments, or a symmetric matrix of three rows.
fn tensor(fields: &Fields<'_>, rows: &[crate::Node]) -> Option<Matrix3<f64>> {
    let (reader, path) = (fields.reader(), fields.path_of("inertia"));
    let unit = Unit::KILOGRAM_SQUARE_METRE;
    let matrix = rows.iter().any(|row| row.as_list().is_some());
    if rows.len() != 3 {
        let message = "expected three principal moments [Ix, Iy, Iz], or a matrix of 3 rows \
                       (kg m^2)";
        fields.error("inertia", message);
        return None;
    }
    let rows: Vec<(usize, &crate::Node)> = rows.iter().enumerate().collect();
    if !matrix {
        let moment = |&(i, node): &(usize, &crate::Node)| {
            reader.number(node, &format!("{path}.{i}"), unit, FieldRange::Positive)
        };
        let moments: Vec<Option<f64>> = rows.iter().map(moment).collect();
        let moments: Option<Vec<f64>> = moments.into_iter().collect();
        return moments.map(|moments| Matrix3::from_diagonal(&Vec3::from_row_slice(&moments)));
    }
    let row =
        |&(i, node): &(usize, &crate::Node)| vector_at(reader, node, &format!("{path}.{i}"), unit);
    let rows: Vec<Option<Vec3>> = rows.iter().map(row).collect();
    let rows: Option<Vec<Vec3>> = rows.into_iter().collect();
    let tensor = Matrix3::from_columns(&rows?);
    if (tensor - tensor.transpose()).amax() > ASYMMETRY * tensor.amax() {
        fields.error("inertia", "the matrix must be symmetric");
        return None;
    }
    Some(tensor)
}
