//! `[beam.NAME]`: elastic beams between two bodies.

use bristle_mechanics::element::{BeamError, BeamProperties, CrossSection, Material, Rayleigh};
use bristle_mechanics::{Beam, BeamSupport, BodyId};
use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion};

use super::bodies::Bodies;
use super::loads::{self, ATTACHMENT};
use super::values::{check_name, direction};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

/// More elements than this in one beam are taken for a mistake.
const MAX_ELEMENTS: f64 = 100_000.0;

const fn positive(unit: Unit) -> FieldKind {
    FieldKind::Number {
        unit,
        range: FieldRange::Positive,
    }
}

const CROSS_SECTION: Section = Section {
    name: "section",
    doc: "A cross-section; y and z are its principal axes.",
    fields: &[
        Field::optional(
            "rectangle",
            FieldKind::List {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Edge lengths of a rectangle along y and z",
        ),
        Field::optional("circle", positive(Unit::METRE), "Radius of a solid circle"),
        Field::optional(
            "area",
            positive(Unit::SQUARE_METRE),
            "Area of any other section",
        ),
        Field::optional(
            "i_y",
            positive(Unit::QUARTIC_METRE),
            "Second moment of area about y: bending along z",
        ),
        Field::optional(
            "i_z",
            positive(Unit::QUARTIC_METRE),
            "Second moment of area about z: bending along y",
        ),
        Field::optional(
            "torsion_constant",
            positive(Unit::QUARTIC_METRE),
            "Saint-Venant torsion constant",
        ),
    ],
};

const DAMPING: Section = Section {
    name: "damping",
    doc: "Rayleigh damping: C = mass · M + stiffness · K.",
    fields: &[
        Field::optional(
            "mass",
            FieldKind::Number {
                unit: Unit::PER_SECOND,
                range: FieldRange::NonNegative,
            },
            "Of the mass matrix: drags on the motion relative to damping_reference",
        )
        .default("0"),
        Field::optional(
            "stiffness",
            FieldKind::Number {
                unit: Unit::SECOND,
                range: FieldRange::NonNegative,
            },
            "Of the stiffness matrix: resists the rates of deformation",
        )
        .default("0"),
    ],
};

pub(super) const BEAM: Section = Section {
    name: "beam.NAME",
    doc: "A straight elastic beam (Euler-Bernoulli, corotational) clamped to two bodies.",
    fields: &[
        loads::FROM,
        Field::required("to", FieldKind::Table(&ATTACHMENT), "The other end"),
        Field::optional(
            "elements",
            FieldKind::Integer {
                range: FieldRange::closed(1.0, MAX_ELEMENTS),
            },
            "Number of elements; the nodes between them are free bodies NAME.node1, …",
        )
        .default("2"),
        Field::required("section", FieldKind::Table(&CROSS_SECTION), "Cross-section"),
        Field::optional(
            "section_y",
            FieldKind::Vector3 { unit: Unit::ONE },
            "Direction of the section's y axis in the axes of the parent; its part across the \
             beam counts",
        )
        .default("[0, 1, 0]"),
        Field::required("young_modulus", positive(Unit::PASCAL), "Young's modulus"),
        Field::optional(
            "poisson_ratio",
            FieldKind::Number {
                unit: Unit::ONE,
                range: FieldRange::closed(-1.0, 0.5),
            },
            "Poisson's ratio, which gives the shear modulus",
        )
        .default("0.3"),
        Field::optional(
            "shear_modulus",
            positive(Unit::PASCAL),
            "Shear modulus; wins over Poisson's ratio",
        ),
        Field::required(
            "density",
            FieldKind::Number {
                unit: Unit::KILOGRAM_PER_CUBIC_METRE,
                range: FieldRange::NonNegative,
            },
            "Density",
        ),
        Field::optional(
            "damping",
            FieldKind::Table(&DAMPING),
            "Rayleigh damping; none if not given",
        ),
        Field::optional(
            "parent",
            FieldKind::Text,
            "The body in whose frame the nodes have their coordinates",
        )
        .default("ground"),
        Field::optional(
            "damping_reference",
            FieldKind::Text,
            "The body relative to which the mass-proportional damping acts; the parent if not \
             given",
        ),
    ],
};

/// Adds all beams to the bodies.
pub(super) fn add(root: &Fields<'_>, bodies: &mut Bodies) {
    for (name, fields) in root.named("beam") {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let Some((beam, parent)) = read(name, &fields, bodies).filter(|_| sound) else {
            continue;
        };
        match beam.add_to(&mut bodies.builder, parent) {
            Ok(nodes) => bodies.add_nodes(&beam.name, &nodes),
            Err(error) => refused(&fields, &error),
        }
    }
}

fn refused(fields: &Fields<'_>, error: &BeamError) {
    let field = match error {
        BeamError::SectionAxis { .. } => "section_y",
        BeamError::MasslessNodes(_) => "density",
        _ => "to",
    };
    if fields.has(field) {
        fields.error(field, error.to_string());
    } else {
        let message = format!("{}: {error}", fields.path());
        fields.reader().error(fields.name_span(), message);
    }
}

fn read(name: String, fields: &Fields<'_>, bodies: &Bodies) -> Option<(Beam, BodyId)> {
    let parent = bodies.find(fields, "parent");
    let (from, to) = loads::ends(fields, bodies);
    let elements = fields.count("elements");
    let section = fields.section("section").and_then(|f| cross_section(&f));
    let section_y = direction(fields, "section_y");
    let material = material(fields);
    let damping = rayleigh(fields);
    let reference = if fields.has("damping_reference") {
        bodies.find(fields, "damping_reference")
    } else {
        parent
    };
    let (parent, from, to) = (parent?, from?, to?);
    let base = pose(bodies, parent).inverse();
    let supports = [from, to].map(|end| BeamSupport {
        body: end.body,
        point: end.point,
        pose: base * pose(bodies, end.body),
    });
    let beam = Beam {
        name,
        supports,
        section_y: section_y?,
        properties: BeamProperties {
            section: section?,
            material: material?,
            damping: damping?,
            reference: reference?,
        },
        elements: elements?,
    };
    Some((beam, parent))
}

/// Pose of a body at the start.
fn pose(bodies: &Bodies, body: BodyId) -> Isometry3<f64> {
    let frame = bodies.frame(body);
    let rotation = Rotation3::from_matrix_unchecked(frame.r);
    Isometry3::from_parts(
        Translation3::from(frame.p),
        UnitQuaternion::from_rotation_matrix(&rotation),
    )
}

fn material(fields: &Fields<'_>) -> Option<Material> {
    let (young, ratio) = (
        fields.number("young_modulus"),
        fields.number("poisson_ratio"),
    );
    let shear = fields.number("shear_modulus");
    if shear.is_none() && fields.has("shear_modulus") {
        return None;
    }
    let density = fields.number("density");
    let (young, ratio) = (young?, ratio?);
    let shear = shear.unwrap_or(young / (2.0 * (1.0 + ratio)));
    if !shear.is_finite() {
        fields.error("poisson_ratio", "must be larger than -1");
        return None;
    }
    Some(Material {
        young,
        shear,
        density: density?,
    })
}

fn rayleigh(fields: &Fields<'_>) -> Option<Rayleigh> {
    if !fields.has("damping") {
        return Some(Rayleigh::default());
    }
    let damping = fields.section("damping")?;
    let (mass, stiffness) = (damping.number("mass"), damping.number("stiffness"));
    Some(Rayleigh {
        mass: mass?,
        stiffness: stiffness?,
    })
}

fn cross_section(fields: &Fields<'_>) -> Option<CrossSection> {
    const GIVEN: [&str; 3] = ["i_y", "i_z", "torsion_constant"];
    let kind = fields.exactly_one(&["rectangle", "circle", "area"])?;
    if kind != "area"
        && let Some(name) = GIVEN.iter().find(|name| fields.has(name))
    {
        let message = format!("a {kind} has its own moments of area");
        fields.error(name, message);
        return None;
    }
    match kind {
        "rectangle" => {
            let edges = fields.list("rectangle")?;
            let [along_y, along_z] = edges[..] else {
                let message = format!("expected two edge lengths [y, z], found {}", edges.len());
                fields.error("rectangle", message);
                return None;
            };
            Some(CrossSection::rectangular(along_y, along_z))
        }
        "circle" => fields.number("circle").map(CrossSection::circular),
        _ => {
            if let Some(missing) = GIVEN.iter().find(|name| !fields.has(name)) {
                let message = format!("needs \"{missing}\" beside it");
                fields.error("area", message);
                return None;
            }
            let [i_y, i_z, torsion_constant] = GIVEN.map(|name| fields.number(name));
            Some(CrossSection {
                area: fields.number("area")?,
                i_y: i_y?,
                i_z: i_z?,
                torsion_constant: torsion_constant?,
            })
        }
    }
}
