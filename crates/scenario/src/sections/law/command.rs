//! A law from the command line.

use std::path::Path;

use bristle_laws::card;
use bristle_laws::parameters::same_name;
use bristle_laws::{Declaration, Friction, ParameterCard};

use super::files::{is_file, name_table};
use super::{LAW, friction_on_line, own};
use crate::overrides::{CommandOption, apply_option};
use crate::{
    Diagnostic, Diagnostics, Entry, Node, NodeTable, Reader, SourceMap, Span, load_file, load_text,
};

/// `--param name=value` of the command line.
const PARAM: &CommandOption = &CommandOption {
    name: "--param",
    help: "write name=value, as in --param NAME=0.15 or --param \"NAME=1 mm/s\"",
};

/// A parameter that a program changes.
const CHANGE: &CommandOption = &CommandOption {
    name: "changed",
    help: "give a number in SI units, or a text with a unit such as \"1 mm/s\"",
};

/// Makes room for `name=value`: a value that the file gives by name or by symbol goes, and a list
/// `1e4, 2e4` gets the brackets of TOML.
fn prepare(node: &mut Node, text: &str) -> String {
    let crate::NodeValue::Table(table) = &mut node.value else {
        return text.to_owned();
    };
    let law = table.get(LAW).and_then(|entry| entry.node.as_text());
    let card = law.and_then(Friction::card_of);
    if let (None, Some((name, _))) = (card, text.split_once('=')) {
        // a law of your own: the same name replaces the value of the file
        table
            .entries
            .retain(|entry| !same_name(&entry.key, name.trim()));
        return text.to_owned();
    }
    let (Some(card), Some((name, value))) = (card, text.split_once('=')) else {
        return text.to_owned();
    };
    let (name, value) = (name.trim(), value.trim());
    let meant = |card: &&ParameterCard| same_name(&card.name, name) || card.symbol == name;
    let negative = card.negative_parameters();
    let mut parameters = card.parameters.iter().chain(&negative);
    let Some(parameter) = parameters.find(meant) else {
        return text.to_owned();
    };
    table
        .entries
        .retain(|entry| entry.key != parameter.symbol && !same_name(&entry.key, &parameter.name));
    if parameter.kind != card::ParameterKind::List || value.is_empty() || value.starts_with('[') {
        return text.to_owned();
    }
    let entry = |text: &str| match text.trim() {
        number if number.parse::<f64>().is_ok() => number.to_owned(),
        quantity => format!("\"{}\"", quantity.trim_matches('"')),
    };
    let entries: Vec<String> = value.split(',').map(entry).collect();
    format!("{name}=[{}]", entries.join(", "))
}

/// The law that a file `LAW.toml` declares, without the values of its parameters: by the name of the
/// catalogue, or as equations; none if it names no law.
///
/// # Errors
/// Everything that is wrong with equations, with its place in the file.
pub fn law_of_file(file: &Node, sources: &SourceMap) -> Result<Option<Declaration>, Diagnostics> {
    let entry = Entry {
        key: "friction".to_owned(),
        key_span: file.span,
        node: file.clone(),
    };
    if !own::is_own(&entry) {
        let law = file.as_table().and_then(|table| table.get(LAW));
        let name = law.and_then(|law| law.node.as_text());
        return Ok(name.and_then(Declaration::named));
    }
    let reader = Reader::new(sources);
    match own::read(&reader, &entry, "law") {
        Some(equations) => Ok(Some(Declaration::Own(equations))),
        None => Err(reader.into_diagnostics()),
    }
}

/// A friction law from the command line: a catalogue name or a file `LAW.toml`, with
/// `name=value` for parameters.
///
/// Also returns the warnings that the parameters deserve.
///
/// # Errors
/// Everything that is wrong, with its place in the file or in the text of the parameter.
pub fn load_law(
    law: &str,
    parameters: &[String],
    sources: &mut SourceMap,
) -> Result<(Friction, Vec<Diagnostic>), Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    match named_node(law, sources, &mut diagnostics) {
        Some(node) => built(node, parameters, PARAM, sources, diagnostics),
        None => Err(diagnostics),
    }
}

/// The table of a law from the command line: that of a file, or one that holds its name only.
fn named_node(law: &str, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Option<Node> {
    if is_file(law) {
        return load_file(Path::new(law), sources, diagnostics);
    }
    let id = sources.add("--law".to_owned(), law.to_owned(), crate::Origin::Override);
    let span = Span::new(id, 0..law.len());
    let entry = Entry {
        key: LAW.to_owned(),
        key_span: span,
        node: Node {
            value: crate::NodeValue::Text(law.to_owned()),
            span,
        },
    };
    let value = crate::NodeValue::Table(NodeTable {
        entries: vec![entry],
    });
    Some(Node { value, span })
}

/// The table of a law from the command line, with its parameters.
pub(crate) fn law_node(
    law: &str,
    parameters: &[String],
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    let mut node = named_node(law, sources, diagnostics)?;
    for text in parameters {
        let text = prepare(&mut node, text);
        apply_option(&mut node, PARAM, &text, sources, diagnostics);
    }
    Some(node)
}

/// Whether a table is that of a law: it names one at its top, or gives equations there.
pub(crate) fn is_law_file(node: &Node) -> bool {
    node.as_table()
        .is_some_and(|table| table.get(LAW).is_some())
}

/// A friction law from a text like that of a file `LAW.toml`, with `name=value` for parameters, each
/// in the terms of TOML. `name` is what errors call the text.
///
/// Also returns the warnings that the parameters deserve.
///
/// # Errors
/// Everything that is wrong, with its place in the text.
pub fn load_law_text(
    name: &str,
    text: &str,
    changes: &[String],
    sources: &mut SourceMap,
) -> Result<(Friction, Vec<Diagnostic>), Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    match load_text(name, text, sources, &mut diagnostics) {
        Some(node) => built(node, changes, CHANGE, sources, diagnostics),
        None => Err(diagnostics),
    }
}

/// The law of a table, with `name=value` for parameters.
fn built(
    mut node: Node,
    parameters: &[String],
    option: &CommandOption,
    sources: &mut SourceMap,
    mut diagnostics: Diagnostics,
) -> Result<(Friction, Vec<Diagnostic>), Diagnostics> {
    for text in parameters {
        let text = prepare(&mut node, text);
        apply_option(&mut node, option, &text, sources, &mut diagnostics);
    }
    name_table(&mut node);
    let entry = Entry {
        key: "friction".to_owned(),
        key_span: node.span,
        node,
    };
    let reader = Reader::new(sources);
    let built = friction_on_line(&reader, &entry, "law");
    diagnostics.extend(reader.into_diagnostics());
    match built {
        Some(law) if !diagnostics.has_errors() => Ok((law, diagnostics.iter().cloned().collect())),
        _ => Err(diagnostics),
    }
}
