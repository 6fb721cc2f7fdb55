//! A scenario or a law as one text, with the data files that it names: to go into a file of its own.

use std::path::Path;

use crate::node::key_text;
use crate::{
    Changes, Diagnostic, Diagnostics, Entry, Node, NodeTable, NodeValue, SourceMap, Template,
    load_file, shipped,
};

use crate::sections::{is_law_file, law_node};

/// One text that stands for all files of a scenario or a law, and the data that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedText {
    /// The text, in TOML.
    pub text: String,
    /// Changes `path=value` that are to be applied to it: an end of the run that is not that of the
    /// file, since what is said of times after it is no mistake then.
    pub changes: Vec<String>,
    /// Data files by the names under which the text has them, relative to its own folder.
    pub data: Vec<(String, Vec<u8>)>,
}

impl Template {
    /// The scenario with changes as one text. `sources` must be the map it was read to, or a copy
    /// of it.
    ///
    /// # Errors
    /// If a change cannot be applied, or a data file cannot be read.
    pub fn packed(
        &self,
        changes: &Changes<'_>,
        sources: &mut SourceMap,
    ) -> Result<PackedText, Diagnostics> {
        let (mut root, diagnostics) = self.changed(changes, sources);
        let moved = self.restore_end(&mut root);
        let packed = packed(root, sources, diagnostics)?;
        Ok(PackedText {
            changes: moved.into_iter().collect(),
            ..packed
        })
    }

    /// Puts the end of the file in the place of another one; gives the change.
    fn restore_end(&self, root: &mut Node) -> Option<String> {
        let own = self.own_end_time()?;
        let NodeValue::Table(table) = &mut root.value else {
            return None;
        };
        let NodeValue::Table(simulation) = &mut table.get_mut("simulation")?.node.value else {
            return None;
        };
        let end = &mut simulation.get_mut("end_time")?.node;
        if end.value == own.value {
            return None;
        }
        let change = format!("simulation.end_time={}", end.inline());
        end.value = own.value.clone();
        Some(change)
    }
}

/// A law from the command line, as [`load_law`](crate::load_law) reads it, as one text.
///
/// # Errors
/// If a file cannot be read, or a parameter cannot be applied.
pub fn packed_law(
    law: &str,
    parameters: &[String],
    sources: &mut SourceMap,
) -> Result<PackedText, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    match law_node(law, parameters, sources, &mut diagnostics) {
        Some(node) => packed(node, sources, diagnostics),
        None => Err(diagnostics),
    }
}

/// Whether a file declares a law and not a scenario: it names one, or writes down equations.
///
/// # Errors
/// If the file cannot be read or is not TOML.
pub fn declares_law(path: &Path) -> Result<bool, Diagnostics> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    match load_file(&shipped::place(path), &mut sources, &mut diagnostics) {
        Some(node) => Ok(is_law_file(&node)),
        None => Err(diagnostics),
    }
}

fn packed(
    mut root: Node,
    sources: &SourceMap,
    mut diagnostics: Diagnostics,
) -> Result<PackedText, Diagnostics> {
    let mut data = Vec::new();
    take_data(&mut root, sources, &mut data, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let mut text = String::new();
    if let Some(table) = root.as_table() {
        write(&mut text, table);
    }
    Ok(PackedText {
        text,
        changes: Vec::new(),
        data,
    })
}

/// Whether a field may name a file of numbers: a curve is named by its file, too.
fn may_name_data(entry: &Entry) -> bool {
    let is_csv = |file: &str| {
        let extension = Path::new(file).extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
    };
    let file = entry.node.as_text();
    file.is_some_and(|file| shipped::names_data(&entry.key) || is_csv(file))
}

/// The end of the name of a file, by which its format is known.
fn ending(file: &str) -> &str {
    let end = Path::new(file).extension().and_then(|end| end.to_str());
    end.filter(|end| end.chars().all(|c| c.is_ascii_alphanumeric()))
        .unwrap_or("csv")
}

/// Reads the data files, and gives them names of their own.
fn take_data(
    node: &mut Node,
    sources: &SourceMap,
    data: &mut Vec<(String, Vec<u8>)>,
    diagnostics: &mut Diagnostics,
) {
    match &mut node.value {
        NodeValue::Table(table) => {
            for entry in &mut table.entries {
                if !may_name_data(entry) {
                    take_data(&mut entry.node, sources, data, diagnostics);
                    continue;
                }
                let span = entry.node.span;
                let folder = sources.get(span.source).map(crate::Source::directory);
                let file = entry.node.as_text().unwrap_or_default();
                let path = folder.unwrap_or(Path::new("")).join(file);
                match shipped::bytes(&path) {
                    Ok(bytes) => {
                        let own = format!("data-{}.{}", data.len() + 1, ending(file));
                        entry.node.value = NodeValue::Text(own.clone());
                        data.push((own, bytes));
                    }
                    Err(error) if shipped::names_data(&entry.key) => {
                        let message = format!("cannot read {}: {error}", path.display());
                        diagnostics.push(Diagnostic::error(message).at(span));
                    }
                    Err(_) => {}
                }
            }
        }
        NodeValue::List(list) => {
            for item in list {
                take_data(item, sources, data, diagnostics);
            }
        }
        _ => {}
    }
}

/// A line for every field of a section, so that the text can be read and compared.
fn write(text: &mut String, root: &NodeTable) {
    let is_section = |entry: &Entry| {
        let table = entry.node.as_table();
        table.is_some_and(|table| !table.entries.is_empty())
    };
    let line = |entry: &Entry| format!("{} = {}\n", key_text(&entry.key), entry.node.inline());
    text.extend(
        root.entries
            .iter()
            .filter(|entry| !is_section(entry))
            .map(line),
    );
    for section in root.entries.iter().filter(|entry| is_section(entry)) {
        let Some(table) = section.node.as_table() else {
            continue;
        };
        text.extend(["\n[", &key_text(&section.key), "]\n"]);
        text.extend(table.entries.iter().map(line));
    }
}
