//! `[loop.NAME]`: joints that close loops of the tree of bodies.

use bristle_mechanics::{LoopEnd, LoopJoint, ModelError};
use nalgebra::UnitQuaternion;

use super::bodies::Bodies;
use super::declared::DeclaredLoop;
use super::joints;
use super::values::{check_name, refuse_unused, vector};
use crate::{Diagnostic, Field, FieldKind, Fields, Section, Unit, suggest};

const DIRECTION: FieldKind = FieldKind::Vector3 { unit: Unit::ONE };

/// A joint frame on a body.
const END: Section = Section {
    name: "end",
    doc: "A joint frame on a body.",
    fields: &[
        Field::optional("body", FieldKind::Text, "The body").default("ground"),
        Field::optional(
            "point",
            FieldKind::Vector3 { unit: Unit::METRE },
            "Origin of the joint frame in body axes",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "orientation",
            FieldKind::Table(&joints::ORIENTATION),
            "Orientation of the joint frame in the body; that of the body if not given",
        ),
    ],
};

/// The joints that can close a loop.
const WORDS: &[&str] = &[
    "fixed",
    "revolute",
    "prismatic",
    "cylindrical",
    "planar",
    "universal",
    "spherical",
    "point",
];

pub(super) const LOOP: Section = Section {
    name: "loop.NAME",
    doc: "A joint that closes a loop: it ties two bodies that have their own joints already.",
    fields: &[
        Field::required(
            "joint",
            FieldKind::Choice(WORDS),
            "The joint, as that of a body",
        ),
        Field::required(
            "from",
            FieldKind::Table(&END),
            "The end that carries the axes of the joint",
        ),
        Field::required(
            "to",
            FieldKind::Table(&END),
            "The end that moves relative to it; the reaction is the force on this one",
        ),
        Field::optional(
            "axis",
            DIRECTION,
            "Axis of a revolute, prismatic or cylindrical joint, first axis of a universal one, in \
             both joint frames",
        )
        .default("[1, 0, 0]"),
        Field::optional(
            "second_axis",
            DIRECTION,
            "Second axis of a universal joint, in the joint frame of \"to\"",
        )
        .default("[0, 1, 0]"),
        Field::optional("normal", DIRECTION, "Normal of a planar joint").default("[0, 0, 1]"),
    ],
};

/// Reads all loops into the model of the bodies, and takes the bodies where they close.
pub(super) fn read(root: &Fields<'_>, bodies: &mut Bodies) {
    for (name, fields) in root.named("loop") {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let Some(joint) = draft(&name, &fields, bodies).filter(|_| sound) else {
            continue;
        };
        let declared = joint.clone();
        match bodies.builder.close_loop(joint) {
            Ok(id) => bodies.loops.push(DeclaredLoop {
                name,
                id,
                from: declared.from.body,
                to: declared.to.body,
                joint: declared.joint,
            }),
            Err(error) => refused(&fields, &error),
        }
    }
    if !bodies.loops.is_empty() {
        bodies.take_frames();
    }
}

fn draft(name: &str, fields: &Fields<'_>, bodies: &Bodies) -> Option<LoopJoint> {
    let word = word(fields);
    let joint = word.and_then(|word| joints::read(word, fields, None));
    let from = end(fields, "from", bodies);
    let to = end(fields, "to", bodies);
    Some(LoopJoint {
        name: name.to_owned(),
        joint: joint?,
        from: from?,
        to: to?,
    })
}

/// The word for the joint; axes that it does not use are refused.
fn word(fields: &Fields<'_>) -> Option<&'static str> {
    let word = fields.choice("joint")?;
    let owners: [(&str, &[&str]); 3] = [
        (
            "axis",
            &["revolute", "prismatic", "cylindrical", "universal"],
        ),
        ("second_axis", &["universal"]),
        ("normal", &["planar"]),
    ];
    for (field, _) in owners.iter().filter(|(_, owners)| !owners.contains(&word)) {
        refuse_unused(fields, field, &format!("a {word} joint does not use it"));
    }
    Some(word)
}

fn end(fields: &Fields<'_>, name: &str, bodies: &Bodies) -> Option<LoopEnd> {
    let end = fields.section(name)?;
    let body = bodies.find(&end, "body");
    let point = vector(&end, "point");
    let orientation = if end.has("orientation") {
        end.section("orientation")
            .and_then(|own| joints::rotation(&own))
    } else {
        Some(UnitQuaternion::identity())
    };
    Some(LoopEnd {
        body: body?,
        point: point?,
        orientation: orientation?,
    })
}

fn refused(fields: &Fields<'_>, error: &ModelError) {
    let message = format!("{}: {error}", fields.path());
    fields.reader().error(fields.name_span(), message);
}

/// The loop that a field names.
pub(super) fn find<'b>(
    fields: &Fields<'_>,
    name: &str,
    bodies: &'b Bodies,
) -> Option<&'b DeclaredLoop> {
    let text = fields.text(name)?;
    let found = bodies.loops.iter().find(|own| own.name == text);
    if found.is_none() {
        let names: Vec<&str> = bodies.loops.iter().map(|own| own.name.as_str()).collect();
        let message = format!("{}: there is no loop \"{text}\"", fields.path_of(name));
        let meant = suggest::did_you_mean(text, names.iter().copied()).unwrap_or_default();
        let help = if names.is_empty() {
            "the scenario has no [loop.NAME]".to_owned()
        } else {
            format!("the loops are {}", names.join(", "))
        };
        let diagnostic = Diagnostic::error(message).label(fields.span(name), meant);
        fields.reader().report(diagnostic.help(help));
    }
    found
}
