//! `[part.NAME]` and `[place.NAME]`: parts of a machine that are defined once and placed several
//! times.
//!
//! A place makes a fixed body of its name where the part stands, and copies the part's tables with
//! the place's name before theirs: body `tip` of a part placed as `left` becomes `left_tip`. What
//! the part calls the ground is the body of the place, so that the pose of the place moves all.

use super::{joints, part_overrides};
use crate::node::{Entry, Node, NodeTable, NodeValue};
use crate::{Diagnostic, Diagnostics, Field, FieldKind, Section, Span, Unit, suggest};

pub(super) const PLACE: Section = Section {
    name: "place.NAME",
    doc: "A place of a part. It is a fixed body of this name too.",
    fields: &[
        Field::required("part", FieldKind::Text, "The part"),
        Field::optional("parent", FieldKind::Text, "The body that carries it").default("ground"),
        Field::optional(
            "position",
            FieldKind::Vector3 { unit: Unit::METRE },
            "Place of the part's origin in the parent",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "orientation",
            FieldKind::Table(&joints::ORIENTATION),
            "Orientation of the part in the parent",
        ),
        Field::optional(
            "override",
            FieldKind::Any("fields of the part with other values, such as body.tip.mass = 2"),
            "What is different in this copy of the part",
        ),
    ],
};

/// Fields that name a body, a loop or a coupling.
const BODIES: &[&str] = &["body", "parent", "damping_reference", "loop", "coupling"];
/// Tables that are on the ground if they name no body.
const ENDS: &[&str] = &["from", "to", "plane", "surface"];
/// Ends that are on the ground if they are not there: the section, the end, and what stands for it.
const ABSENT_ENDS: &[(&str, &str, &[&str])] = &[
    ("spring", "from", &[]),
    ("cable", "from", &[]),
    ("bushing", "from", &[]),
    ("contact", "plane", &["surface"]),
];
/// The field that names other markers.
const MARKERS: &str = "to";
/// Sections of a part.
const SECTIONS: &[&str] = &[
    "body",
    "beam",
    "contact",
    "force",
    "torque",
    "spring",
    "cable",
    "bushing",
    "loop",
    "coupling",
    "joint_torque",
    "joint_force",
    "joint_stop",
    "joint_friction",
    "joint_spring",
    "marker",
];

/// Replaces all parts and places by what they stand for.
pub(super) fn expand(root: &mut Node, diagnostics: &mut Diagnostics) {
    let NodeValue::Table(table) = &mut root.value else {
        return;
    };
    let parts = table.remove("part");
    let places = table.get("place").cloned();
    let (parts, places) = match (parts, places) {
        (None, None) => return,
        (Some(parts), None) => {
            let message = "the parts are not placed anywhere; add a [place.NAME]";
            diagnostics.push(Diagnostic::warning(message).at(parts.key_span));
            return;
        }
        (parts, Some(places)) => (parts, places),
    };
    let parts = parts.and_then(|entry| match entry.node.value {
        NodeValue::Table(table) => Some(table),
        _ => None,
    });
    let parts = parts.unwrap_or_default();
    let NodeValue::Table(places) = places.node.value else {
        return; // the reader of the section refuses it
    };
    for place in &places.entries {
        let Some(part) = part_of(place, &parts, diagnostics) else {
            continue;
        };
        let changed = part_overrides::changed(place, part, diagnostics);
        let part = changed.as_ref().unwrap_or(part);
        add_body(table, place);
        for section in part.entries.iter().filter(|s| wanted(s, diagnostics)) {
            copy(table, section, &place.key, &names_of(part));
        }
    }
    table.remove("place");
}

/// Whether a section of a part can be placed.
fn wanted(section: &Entry, diagnostics: &mut Diagnostics) -> bool {
    let known = SECTIONS.contains(&section.key.as_str());
    if !known {
        let meant = suggest::did_you_mean(&section.key, SECTIONS.iter().copied());
        let message = format!("a part has no \"{}\"", section.key);
        let help = format!("a part has {}", SECTIONS.join(", "));
        diagnostics.push(
            Diagnostic::error(message)
                .label(section.key_span, meant.unwrap_or_default())
                .help(help),
        );
    }
    known
}

fn part_of<'p>(
    place: &Entry,
    parts: &'p NodeTable,
    diagnostics: &mut Diagnostics,
) -> Option<&'p NodeTable> {
    let entry = place.node.as_table()?.get("part");
    let Some(entry) = entry else {
        let message = format!("missing field \"part\" in place.{}", place.key);
        diagnostics.push(Diagnostic::error(message).at(place.key_span));
        return None;
    };
    let name = entry.node.as_text()?;
    let found = parts.get(name).and_then(|part| part.node.as_table());
    if found.is_none() {
        let names: Vec<&str> = parts.entries.iter().map(|e| e.key.as_str()).collect();
        let meant = suggest::did_you_mean(name, names.iter().copied()).unwrap_or_default();
        let message = format!("place.{}.part: there is no part \"{name}\"", place.key);
        let help = format!("the parts are {}", names.join(", "));
        diagnostics.push(
            Diagnostic::error(message)
                .label(entry.node.span, meant)
                .help(help),
        );
    }
    found
}

/// Names of the bodies, beams, markers, loops and couplings of a part.
fn names_of(part: &NodeTable) -> Vec<String> {
    let of = |section: &str| {
        let table = part.get(section).and_then(|entry| entry.node.as_table());
        table.map_or_else(Vec::new, |table| {
            table.entries.iter().map(|e| e.key.clone()).collect()
        })
    };
    ["body", "beam", "marker", "loop", "coupling"]
        .map(of)
        .concat()
}

/// The fixed body of a place.
fn add_body(root: &mut NodeTable, place: &Entry) {
    let mut body = place.node.clone();
    if let NodeValue::Table(table) = &mut body.value {
        table.remove("part");
        table.remove("override");
        set_text(table, "joint", "fixed", place.key_span);
    }
    add(
        root,
        "body",
        place.key_span,
        entry(&place.key, place.key_span, body),
    );
}

/// Copies a section of a part under new names.
fn copy(root: &mut NodeTable, section: &Entry, place: &str, names: &[String]) {
    let NodeValue::Table(items) = &section.node.value else {
        return add(root, &section.key, section.key_span, section.clone());
    };
    for item in &items.entries {
        let mut node = item.node.clone();
        rename(&mut node, place, names);
        if let NodeValue::Table(table) = &mut node.value {
            let carried = matches!(section.key.as_str(), "body" | "beam");
            if carried && table.get("parent").is_none() {
                set_text(table, "parent", place, item.key_span);
            }
            add_absent_end(table, &section.key, place, item.key_span);
        }
        let key = format!("{place}_{}", item.key);
        add(
            root,
            &section.key,
            section.key_span,
            entry(&key, item.key_span, node),
        );
    }
}

/// Adds an end that is left out, since it is on the ground.
fn add_absent_end(table: &mut NodeTable, section: &str, place: &str, span: Span) {
    let ends = ABSENT_ENDS.iter().filter(|(of, ..)| *of == section);
    for (_, end, others) in ends {
        if table.get(end).is_none() && others.iter().all(|other| table.get(other).is_none()) {
            let mut on = NodeTable::default();
            set_text(&mut on, "body", place, span);
            let value = NodeValue::Table(on);
            table.entries.push(entry(end, span, Node { value, span }));
        }
    }
}

/// Puts the place's names in the place of the part's.
fn rename(node: &mut Node, place: &str, names: &[String]) {
    let NodeValue::Table(table) = &mut node.value else {
        return;
    };
    for field in &mut table.entries {
        if ENDS.contains(&field.key.as_str())
            && let NodeValue::Table(end) = &mut field.node.value
            && ["body", "loop"]
                .iter()
                .all(|owner| end.get(owner).is_none())
        {
            set_text(end, "body", "ground", field.key_span);
        }
        if let NodeValue::Text(text) = &mut field.node.value
            && BODIES.contains(&field.key.as_str())
        {
            let own = |name: &String| {
                text.strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(".node"))
            };
            if text == "ground" {
                place.clone_into(text);
            } else if names.iter().any(own) {
                *text = format!("{place}_{text}");
            }
        }
        if field.key == MARKERS {
            rename_markers(&mut field.node, place, names);
        }
        rename(&mut field.node, place, names);
    }
}

/// Puts the place's names in the place of the part's into a name or a list of names.
fn rename_markers(node: &mut Node, place: &str, names: &[String]) {
    match &mut node.value {
        NodeValue::Text(text) if names.contains(text) => *text = format!("{place}_{text}"),
        NodeValue::List(list) => {
            for item in list {
                rename_markers(item, place, names);
            }
        }
        _ => {}
    }
}

fn set_text(table: &mut NodeTable, key: &str, text: &str, span: Span) {
    let node = Node {
        value: NodeValue::Text(text.to_owned()),
        span,
    };
    table.remove(key);
    table.entries.push(entry(key, span, node));
}

fn entry(key: &str, key_span: Span, node: Node) -> Entry {
    Entry {
        key: key.to_owned(),
        key_span,
        node,
    }
}

/// Adds an entry to a section of the scenario.
fn add(root: &mut NodeTable, section: &str, span: Span, item: Entry) {
    if root.get(section).is_none() {
        let value = NodeValue::Table(NodeTable::default());
        root.entries
            .push(entry(section, span, Node { value, span }));
    }
    if let Some(found) = root.get_mut(section)
        && let NodeValue::Table(table) = &mut found.node.value
    {
        table.entries.push(item);
    }
}
