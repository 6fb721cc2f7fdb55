//! `--set path=value` of the command line.

use toml::de::DeValue;

use crate::load::syntax_error;
use crate::node::Converter;
use crate::{
    Diagnostic, Diagnostics, Entry, Node, NodeTable, NodeValue, Origin, SourceId, SourceMap, Span,
};

/// Changes one value of a tree, as in `force.pull.direction.angle=30 deg` or
/// `expect.0.tolerance=1e-3`.
///
/// The value is read as a TOML value, and as a plain text where it is none. Numbers in the path
/// count the entries of a list from 0, and `*` stands for all entries of a table or list, as in
/// `contact.*.friction.stribeck_velocity=1e-3`. Tables that do not exist are created, so that a misspelt
/// name is reported when the sections are read, with its place in this text.
///
/// Returns whether the value was set; if not, the reason is in `diagnostics`.
pub fn apply_override(
    root: &mut Node,
    text: &str,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> bool {
    apply_option(root, &SET, text, sources, diagnostics)
}

/// [`apply_override`] for another option of the command line.
pub(crate) fn apply_option(
    root: &mut Node,
    option: &CommandOption<'_>,
    text: &str,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> bool {
    let id = sources.add(option.name.to_owned(), text.to_owned(), Origin::Override);
    match parse(text, id, option).and_then(|(path, value)| set(root, &path, value)) {
        Ok(()) => true,
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            false
        }
    }
}

/// An option of the command line that sets values.
#[derive(Debug)]
pub(crate) struct CommandOption<'a> {
    /// As it is written.
    pub(crate) name: &'a str,
    /// What it takes, with an example.
    pub(crate) help: &'static str,
}

/// An option that changes values, as [`SET`] does, but has another name.
pub(crate) fn changing(name: &str) -> CommandOption<'_> {
    CommandOption { name, ..SET }
}

const SET: CommandOption<'static> = CommandOption {
    name: "--set",
    help: "write path=value, as in --set simulation.end_time=2",
};

/// Boxed, because it is large beside what it stands in for.
type Refusal = Box<Diagnostic>;

/// Names in a path that are still read: a deeper tree could not be taken down again.
const MAX_DEPTH: usize = 64;

#[allow(
    clippy::unnecessary_box_returns,
    reason = "every caller returns it as an error"
)]
fn refuse(message: impl Into<String>, span: Span) -> Refusal {
    Box::new(Diagnostic::error(message).at(span))
}

struct PathStep<'a> {
    key: &'a str,
    span: Span,
}

fn parse<'t>(
    text: &'t str,
    id: SourceId,
    option: &CommandOption<'_>,
) -> Result<(Vec<PathStep<'t>>, Node), Refusal> {
    let whole = Span::new(id, 0..text.len());
    let Some((path, value)) = text.split_once('=') else {
        return Err(Box::new(
            Diagnostic::error(format!("\"{text}\" has no value"))
                .at(whole)
                .help(option.help),
        ));
    };
    let mut steps = Vec::new();
    let mut at = 0;
    for part in path.split('.') {
        let key = part.trim();
        let start = at + (part.len() - part.trim_start().len());
        let span = Span::new(id, start..start + key.len());
        // A quoted name, as TOML allows.
        let key = key.trim_matches('"');
        if key.is_empty() {
            return Err(refuse(format!("\"{path}\" has an empty name"), whole));
        }
        steps.push(PathStep { key, span });
        at += part.len() + 1;
        if steps.len() > MAX_DEPTH {
            return Err(refuse("the path has too many names", whole));
        }
    }
    let start = path.len() + 1 + (value.len() - value.trim_start().len());
    Ok((steps, parse_value(value.trim(), start, id)?))
}

/// A TOML value, or else a plain text.
fn parse_value(text: &str, start: usize, id: SourceId) -> Result<Node, Refusal> {
    let span = Span::new(id, start..start + text.len());
    match DeValue::parse(text) {
        Ok(parsed) => {
            let mut problems = Vec::new();
            let mut node = Converter {
                source: id,
                offset: start,
                problems: &mut problems,
            }
            .node(&parsed);
            node.span = span;
            problems
                .into_iter()
                .next()
                .map_or(Ok(node), |problem| Err(Box::new(problem)))
        }
        // An opened bracket or quote shows that TOML was meant.
        Err(error) if text.starts_with(['[', '{', '"', '\'']) => {
            let place = error.span().map_or(span, |range| {
                Span::new(id, start + range.start..start + range.end)
            });
            Err(Box::new(syntax_error(error.message(), place)))
        }
        Err(_) if text.is_empty() => Err(refuse("there is no value after \"=\"", span)),
        Err(_) => Ok(Node {
            value: NodeValue::Text(text.to_owned()),
            span,
        }),
    }
}

/// Sets the value at the end of a path; a step `*` stands for everything at its level.
fn set(root: &mut Node, path: &[PathStep<'_>], value: Node) -> Result<(), Refusal> {
    let Some(place) = path.iter().position(|step| step.key == ALL) else {
        *walk(root, path)? = value;
        return Ok(());
    };
    let (before, rest) = path.split_at(place);
    let span = rest[0].span;
    let node = walk(root, before)?;
    let keys: Vec<String> = match &node.value {
        NodeValue::Table(table) => table.entries.iter().map(|e| e.key.clone()).collect(),
        NodeValue::List(list) => (0..list.len()).map(|i| i.to_string()).collect(),
        _ => Vec::new(),
    };
    if keys.is_empty() {
        let walked = joined(before);
        return Err(refuse(
            format!("{walked} has nothing that * could stand for"),
            span,
        ));
    }
    for key in &keys {
        let mut path = vec![PathStep { key, span }];
        path.extend(rest[1..].iter().map(|s| PathStep { ..*s }));
        set(node, &path, value.clone())?;
    }
    Ok(())
}

/// Stands for all names or numbers of a level.
const ALL: &str = "*";

fn joined(path: &[PathStep<'_>]) -> String {
    let keys: Vec<&str> = path.iter().map(|step| step.key).collect();
    keys.join(".")
}

/// The node at the end of a path.
fn walk<'n>(root: &'n mut Node, path: &[PathStep<'_>]) -> Result<&'n mut Node, Refusal> {
    let mut node = root;
    for (i, step) in path.iter().enumerate() {
        node = descend(node, step, &joined(&path[..i]))?;
    }
    Ok(node)
}

/// The child of a name or number; a missing one is created as an empty table.
fn descend<'n>(
    node: &'n mut Node,
    step: &PathStep<'_>,
    walked: &str,
) -> Result<&'n mut Node, Refusal> {
    let kind = node.kind_name();
    match &mut node.value {
        NodeValue::Table(table) => {
            if table.get(step.key).is_none() {
                let empty = NodeValue::Table(NodeTable::default());
                table.entries.push(Entry {
                    key: step.key.to_owned(),
                    key_span: step.span,
                    node: Node {
                        value: empty,
                        span: step.span,
                    },
                });
            }
            let missing = || refuse(format!("there is no {walked}.{}", step.key), step.span);
            table
                .get_mut(step.key)
                .map(|entry| &mut entry.node)
                .ok_or_else(missing)
        }
        NodeValue::List(list) => {
            let count = list.len();
            let index = step
                .key
                .parse::<usize>()
                .ok()
                .filter(|&index| index < count);
            index.and_then(|index| list.get_mut(index)).ok_or_else(|| {
                let last = count.saturating_sub(1);
                let allowed = if count == 0 {
                    "is empty".to_owned()
                } else {
                    format!("is a list with the entries 0 to {last}")
                };
                refuse(
                    format!("there is no {walked}.{}: {walked} {allowed}", step.key),
                    step.span,
                )
            })
        }
        _ => Err(refuse(
            format!(
                "cannot set \"{}\" inside {walked}, which is {kind}",
                step.key
            ),
            step.span,
        )),
    }
}
