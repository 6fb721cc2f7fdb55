//! Laws that stand in files of their own.

use std::path::Path;

use bristle_laws::curve::Shape;

use crate::suggest::canonical;
use crate::{Diagnostics, Entry, Node, NodeTable, SourceMap, load_file};

pub(super) fn is_file(text: &str) -> bool {
    Path::new(text)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// A section whose parts have laws, and the fields that name them.
struct Owners {
    section: &'static str,
    fields: &'static [&'static str],
}

const WITH_LAWS: [Owners; 2] = [
    Owners {
        section: "contact",
        fields: &["friction", "normal"],
    },
    Owners {
        section: "joint_friction",
        fields: &["friction"],
    },
];

/// Puts the files named by `friction = "LAW.toml"` and `normal = "LAW.toml"` in the place of
/// their names, in contacts and joints of the scenario and of its parts.
pub(crate) fn insert_files(
    root: &mut Node,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) {
    for owners in &WITH_LAWS {
        insert_in(root, owners, sources, diagnostics);
    }
    for part in tables(root, "part") {
        for owners in &WITH_LAWS {
            insert_in(&mut part.node, owners, sources, diagnostics);
        }
    }
}

fn insert_in(
    root: &mut Node,
    owners: &Owners,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) {
    for owner in tables(root, owners.section) {
        let crate::NodeValue::Table(owner) = &mut owner.node.value else {
            continue;
        };
        for field in owners.fields {
            if let Some(entry) = owner.get_mut(field) {
                insert_file(&mut entry.node, sources, diagnostics);
                name_table(&mut entry.node);
            }
        }
    }
}

/// The entries of a section; none if it is no table, which its reader refuses.
fn tables<'a>(root: &'a mut Node, section: &str) -> &'a mut [Entry] {
    let crate::NodeValue::Table(table) = &mut root.value else {
        return &mut [];
    };
    match table.get_mut(section).map(|entry| &mut entry.node.value) {
        Some(crate::NodeValue::Table(section)) => &mut section.entries,
        _ => &mut [],
    }
}

fn insert_file(node: &mut Node, sources: &mut SourceMap, diagnostics: &mut Diagnostics) {
    let Some(text) = node.as_text().filter(|text| is_file(text)) else {
        return;
    };
    let folder = sources.get(node.span.source).map(crate::Source::directory);
    let path = folder.map_or_else(|| text.into(), |folder| folder.join(text));
    let mut own = Diagnostics::new();
    let file = load_file(&path, sources, &mut own);
    for diagnostic in &own {
        let diagnostic = diagnostic.clone();
        diagnostics.push(if diagnostic.labels.is_empty() {
            diagnostic.at(node.span)
        } else {
            diagnostic
        });
    }
    if let Some(file) = file {
        node.value = file.value;
    }
}

/// Writes `stribeck = "curve.csv"` in full, as `stribeck = { curve = "table", csv = "curve.csv" }`.
pub(super) fn name_table(node: &mut Node) {
    let crate::NodeValue::Table(table) = &mut node.value else {
        return;
    };
    for entry in &mut table.entries {
        let short = canonical(&entry.key) == Shape::FIELD;
        let Some(file) = entry.node.as_text().filter(|text| short && is_csv(text)) else {
            continue;
        };
        let span = entry.node.span;
        let text = |key: &str, text: &str| Entry {
            key: key.to_owned(),
            key_span: span,
            node: Node {
                value: crate::NodeValue::Text(text.to_owned()),
                span,
            },
        };
        let entries = vec![text("curve", "table"), text("csv", file)];
        entry.node.value = crate::NodeValue::Table(NodeTable { entries });
    }
}

fn is_csv(text: &str) -> bool {
    Path::new(text)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}
