//! `[place.NAME.override]`: what is different in one copy of a part.

use crate::node::{Entry, NodeTable, NodeValue};
use crate::{Diagnostic, Diagnostics, suggest};

/// The part with what its place changes; nothing where it changes nothing.
///
/// Tables are laid over each other, field by field; every other value takes the place of that of the
/// part. What is changed must be in the part: its section and its name.
pub(super) fn changed(
    place: &Entry,
    part: &NodeTable,
    diagnostics: &mut Diagnostics,
) -> Option<NodeTable> {
    let over = place.node.as_table()?.get("override")?;
    let path = format!("place.{}.override", place.key);
    let Some(sections) = over.node.as_table() else {
        let message = format!("{path}: expected fields of the part, such as body.tip.mass = 2");
        diagnostics.push(Diagnostic::error(message).at(over.node.span));
        return None;
    };
    let mut changed = part.clone();
    for section in &sections.entries {
        let path = format!("{path}.{}", section.key);
        let (Some(items), Some(own)) = (
            section.node.as_table(),
            find(&mut changed, section, &path, diagnostics),
        ) else {
            continue;
        };
        for item in &items.entries {
            let path = format!("{path}.{}", item.key);
            if let Some(target) = find(own, item, &path, diagnostics) {
                if let NodeValue::Table(fields) = &item.node.value {
                    target.merge(fields.clone());
                } else {
                    let message = format!("{path}: expected a table of fields");
                    diagnostics.push(Diagnostic::error(message).at(item.node.span));
                }
            }
        }
    }
    Some(changed)
}

/// The table of the same name, which must be there.
fn find<'t>(
    table: &'t mut NodeTable,
    wanted: &Entry,
    path: &str,
    diagnostics: &mut Diagnostics,
) -> Option<&'t mut NodeTable> {
    if table.get(&wanted.key).is_none() {
        let names: Vec<String> = table.entries.iter().map(|e| e.key.clone()).collect();
        let message = format!("{path}: the part has no \"{}\" there", wanted.key);
        let names = names.iter().map(String::as_str);
        let meant = suggest::did_you_mean(&wanted.key, names.clone()).unwrap_or_default();
        let help = format!("there it has {}", names.collect::<Vec<_>>().join(", "));
        diagnostics.push(
            Diagnostic::error(message)
                .label(wanted.key_span, meant)
                .help(help),
        );
        return None;
    }
    match &mut table.get_mut(&wanted.key)?.node.value {
        NodeValue::Table(table) => Some(table),
        _ => None,
    }
}
