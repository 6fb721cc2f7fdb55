//! `[marker.NAME]`: points that are watched.

use bristle_mechanics::element::{Marker, MarkerPlace, MarkerTarget, WeightedPoint};
use bristle_mechanics::{BodyId, Model, Vec3};

use super::bodies::Bodies;
use super::values::{check_name, direction, refuse_unused, vector};
use crate::{Diagnostic, Field, FieldKind, Fields, Section, Unit, suggest};

pub(super) const MARKER: Section = Section {
    name: "marker.NAME",
    doc: "A point that is watched: its motion, and its distance and angle to other markers.",
    fields: &[
        Field::optional(
            "body",
            FieldKind::Text,
            "The body that has it; the ground, or with centre_of_mass all bodies, if not given",
        ),
        Field::optional(
            "point",
            FieldKind::Vector3 { unit: Unit::METRE },
            "The point in body axes; the origin of the body if not given",
        ),
        Field::optional(
            "centre_of_mass",
            FieldKind::Flag,
            "Whether it is the centre of mass: of the body, or of all bodies together",
        )
        .default("false"),
        Field::optional(
            "axis",
            FieldKind::Vector3 { unit: Unit::ONE },
            "An axis in body axes, for angles to the axes of other markers",
        ),
        Field::optional(
            "to",
            FieldKind::Any("the name of a marker, or a list of names"),
            "Other markers, to which distance and angle are recorded",
        ),
    ],
};

/// A marker, and the names of those that it looks at.
struct MarkerDraft<'a> {
    name: String,
    fields: Fields<'a>,
    place: Option<MarkerPlace>,
    targets: Vec<String>,
}

/// Reads all markers; those that are sound.
pub(super) fn read(root: &Fields<'_>, bodies: &Bodies) -> Vec<Marker> {
    let named = root.named("marker");
    if named.is_empty() {
        return Vec::new();
    }
    let skeleton = bodies.builder.bones().build();
    let has_beams = root.has("beam");
    let drafts: Vec<MarkerDraft<'_>> = named
        .into_iter()
        .map(|(name, fields)| {
            let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
            let place = place(&fields, bodies, &skeleton, has_beams).filter(|_| sound);
            MarkerDraft {
                targets: targets(&fields, &name),
                name,
                fields,
                place,
            }
        })
        .collect();
    drafts.iter().filter_map(|d| marker(d, &drafts)).collect()
}

fn marker(draft: &MarkerDraft<'_>, all: &[MarkerDraft<'_>]) -> Option<Marker> {
    let mut targets = Vec::new();
    for name in &draft.targets {
        let Some(other) = all.iter().find(|other| other.name == *name) else {
            let names: Vec<&str> = all.iter().map(|other| other.name.as_str()).collect();
            let message = format!(
                "{}: there is no marker \"{name}\"",
                draft.fields.path_of("to")
            );
            let meant = suggest::did_you_mean(name, names.iter().copied()).unwrap_or_default();
            draft.fields.reader().report(
                Diagnostic::error(message)
                    .label(draft.fields.span("to"), meant)
                    .help(format!("the markers are {}", names.join(", "))),
            );
            return None;
        };
        targets.push(MarkerTarget {
            name: name.clone(),
            place: other.place.clone()?,
        });
    }
    Some(Marker {
        name: draft.name.clone(),
        place: draft.place.clone()?,
        targets,
    })
}

fn targets(fields: &Fields<'_>, own: &str) -> Vec<String> {
    let Some(node) = fields.node("to") else {
        return Vec::new();
    };
    let names = match node.as_list() {
        Some(list) => list.iter().map(|item| item.as_text()).collect(),
        None => node.as_text().map(|name| vec![name]),
    };
    let Some(names) = names else {
        fields.error("to", "expected the name of a marker, or a list of names");
        return Vec::new();
    };
    if names.contains(&own) {
        fields.error("to", "a marker has no distance to itself");
        return Vec::new();
    }
    let mut unique: Vec<String> = Vec::new();
    for name in names {
        if unique.iter().all(|other| other != name) {
            unique.push(name.to_owned());
        }
    }
    unique
}

fn place(
    fields: &Fields<'_>,
    bodies: &Bodies,
    skeleton: &Model,
    has_beams: bool,
) -> Option<MarkerPlace> {
    let axis = if fields.has("axis") {
        Some(direction(fields, "axis")?)
    } else {
        None
    };
    let body = if fields.has("body") {
        Some(bodies.find(fields, "body")?)
    } else {
        None
    };
    let points = if fields.flag("centre_of_mass")? {
        refuse_unused(fields, "point", "the point is the centre of mass");
        centres(fields, body, skeleton, has_beams)?
    } else {
        let point = if fields.has("point") {
            vector(fields, "point")?
        } else {
            Vec3::zeros()
        };
        vec![WeightedPoint {
            body: body.unwrap_or(BodyId::GROUND),
            point,
            weight: 1.0,
        }]
    };
    if body.is_none() && fields.has("centre_of_mass") {
        refuse_unused(
            fields,
            "axis",
            "all bodies together have no axis; name a body",
        );
    }
    Some(MarkerPlace { points, axis })
}

/// The centre of mass of a body, or of all bodies.
fn centres(
    fields: &Fields<'_>,
    body: Option<BodyId>,
    skeleton: &Model,
    has_beams: bool,
) -> Option<Vec<WeightedPoint>> {
    if body.is_none() && has_beams {
        let message = "the mass of beams is in their elements and not in bodies; name a body";
        fields.error("centre_of_mass", message);
        return None;
    }
    let all = skeleton.bodies().iter().enumerate().skip(1);
    let chosen = all.filter(|(i, _)| body.is_none_or(|body| body.index() == *i));
    let points: Vec<WeightedPoint> = chosen
        .filter(|(_, body)| body.inertia.mass > 0.0)
        .filter_map(|(_, own)| {
            Some(WeightedPoint {
                body: skeleton.body(&own.name)?,
                point: own.inertia.centre,
                weight: own.inertia.mass,
            })
        })
        .collect();
    if points.is_empty() {
        fields.error("centre_of_mass", "there is no mass");
        return None;
    }
    Some(points)
}
