//! Fields that name a single coordinate of a joint.

use bristle_mechanics::{Joint, JointOwner};

use super::bodies::Bodies;
use super::loops;
use super::values::refuse_unused;
use crate::{Field, FieldKind, Fields};

pub(super) const COORDINATE: Field = Field::optional(
    "coordinate",
    FieldKind::Choice(&["displacement", "angle", "x", "y", "z", "second_angle"]),
    "Which coordinate of the joint; its only one if not given",
);

pub(super) const BODY: Field =
    Field::required("body", FieldKind::Text, "The body whose joint it is in");

/// The body, where a loop may stand in its place.
pub(super) const BODY_OR_LOOP: Field = Field::optional(
    "body",
    FieldKind::Text,
    "The body whose joint it is in; or give \"loop\"",
);

pub(super) const COUPLING: Field = Field::optional(
    "coupling",
    FieldKind::Text,
    "The coupling whose faces slide on each other, in the place of a joint",
);

pub(super) const LOOP: Field =
    Field::optional("loop", FieldKind::Text, "The loop whose joint it is in");

/// A single joint coordinate.
pub(super) struct SingleCoordinate {
    pub(super) owner: JointOwner,
    pub(super) place: usize,
    pub(super) turns: bool,
}

/// The coordinate that the fields name; it may be driven.
pub(super) fn any(fields: &Fields<'_>, bodies: &Bodies) -> Option<SingleCoordinate> {
    let body = bodies.find(fields, "body")?;
    let joint = &bodies.builder.bodies().get(body.index())?.joint;
    of_joint(fields, joint, JointOwner::Body(body), "body")
}

/// What friction in a joint acts on.
pub(super) enum RubbedPlace {
    /// One coordinate.
    Single(SingleCoordinate),
    /// The rotation of a spherical joint.
    Ball(JointOwner),
}

/// What friction in the joint that the fields name acts on: a coordinate, which may be driven, or the
/// rotation of a spherical joint, which has none.
pub(super) fn rubbed(fields: &Fields<'_>, bodies: &Bodies) -> Option<RubbedPlace> {
    let (joint, owner, field) = joint_of(fields, bodies)?;
    if !matches!(joint, Joint::Spherical) {
        return of_joint(fields, &joint, owner, field).map(RubbedPlace::Single);
    }
    let reason = "belongs to a joint with single coordinates; a spherical one rubs about all axes";
    refuse_unused(fields, "coordinate", reason);
    (!fields.has("coordinate")).then_some(RubbedPlace::Ball(owner))
}

/// The coordinate that the fields name, of a body's joint or of a loop; it may be driven.
pub(super) fn resisted(fields: &Fields<'_>, bodies: &Bodies) -> Option<SingleCoordinate> {
    let (joint, owner, field) = joint_of(fields, bodies)?;
    of_joint(fields, &joint, owner, field)
}

/// The joint of the body or the loop that the fields name, and which field names it.
fn joint_of(fields: &Fields<'_>, bodies: &Bodies) -> Option<(Joint, JointOwner, &'static str)> {
    match (fields.has("body"), fields.has("loop")) {
        (true, true) => {
            fields.error(
                "loop",
                "is given beside \"body\"; the joint is one or the other",
            );
            return None;
        }
        (false, false) => {
            let message = format!(
                "missing field \"body\" in {}: the body whose joint it is in, or loop = \"NAME\"",
                fields.path()
            );
            fields.reader().error(fields.name_span(), message);
            return None;
        }
        (false, true) => {
            let own = loops::find(fields, "loop", bodies)?;
            let owner = JointOwner::Loop {
                id: own.id,
                from: own.from,
                to: own.to,
            };
            return Some((own.joint.clone(), owner, "loop"));
        }
        (true, false) => {}
    }
    let body = bodies.find(fields, "body")?;
    let joint = &bodies.builder.bodies().get(body.index())?.joint;
    Some((joint.clone(), JointOwner::Body(body), "body"))
}

fn of_joint(
    fields: &Fields<'_>,
    joint: &Joint,
    owner: JointOwner,
    field: &str,
) -> Option<SingleCoordinate> {
    let wanted = if fields.has("coordinate") {
        Some(fields.choice("coordinate")?)
    } else {
        None
    };
    let Some((word, coordinates)) = kind_of(joint) else {
        let message = "its joint has no single coordinate; it must be revolute, prismatic, \
                       cylindrical, planar, universal or point";
        fields.error(field, message);
        return None;
    };
    let names: Vec<&str> = coordinates.iter().map(|(name, _)| *name).collect();
    let found = match (wanted, coordinates) {
        (None, [(_, turns)]) => Some((0, *turns)),
        (None, all) => {
            let count = if all.len() == 2 { "two" } else { "three" };
            let message = format!(
                "{}: a {word} joint has {count} coordinates; give coordinate = \"{}\"",
                fields.path(),
                names.join("\" or \"")
            );
            fields.reader().error(fields.name_span(), message);
            return None;
        }
        (Some(wanted), all) => {
            let place = all.iter().position(|(name, _)| *name == wanted);
            place.map(|place| (place, all[place].1))
        }
    };
    let Some((place, turns)) = found else {
        let message = format!("a {word} joint has {}", names.join(" and "));
        fields.error("coordinate", message);
        return None;
    };
    Some(SingleCoordinate {
        owner,
        place,
        turns,
    })
}

type Coordinates = &'static [(&'static str, bool)];

/// Word and single coordinates of a joint: their names, and whether they turn.
fn kind_of(joint: &Joint) -> Option<(&'static str, Coordinates)> {
    match joint {
        Joint::Revolute { .. } => Some(("revolute", &[("angle", true)])),
        Joint::Prismatic { .. } => Some(("prismatic", &[("displacement", false)])),
        Joint::Cylindrical { .. } => {
            Some(("cylindrical", &[("displacement", false), ("angle", true)]))
        }
        Joint::Planar { .. } => Some(("planar", &[("x", false), ("y", false), ("angle", true)])),
        Joint::Universal { .. } => Some(("universal", &[("angle", true), ("second_angle", true)])),
        Joint::Translational => Some(("point", &[("x", false), ("y", false), ("z", false)])),
        Joint::Fixed | Joint::Spherical | Joint::Free | Joint::Prescribed(_) => None,
    }
}
