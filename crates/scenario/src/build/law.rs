//! Friction and normal-force laws: their fields come from the cards.

use std::path::Path;

use bristle_laws::card::{self, Default as Fallback};
use bristle_laws::parameters::same_name;
use bristle_laws::{
    Friction, LawCard, Normal, Notice, ParameterCard, ParameterError, Value, Values,
};

use crate::overrides::{CommandOption, apply_option};
use crate::{
    Diagnostic, Diagnostics, Entry, Field, Fields, Kind, Node, Range, Reader, SourceMap, Span,
    Table, Unit, load_file, suggest,
};

/// Name of the field that names the law.
const LAW: &str = "law";

/// `--param name=value` of the command line.
const PARAM: &CommandOption = &CommandOption {
    name: "--param",
    help: "write name=value, as in --param static_coefficient=0.15 or --param \"v_s=1 mm/s\"",
};

/// Units of parameters that depend on an exponent of the law: as the card has it, the symbol of
/// the exponent, its value, the unit.
const BY_EXPONENT: &[(&str, &str, f64, &str)] = &[
    ("N/m^p", "p", 1.0, "N/m"),
    ("N/m^p", "p", 1.5, "N/m^1.5"),
    ("N/m^p", "p", 2.0, "N/m^2"),
    ("N/m^p", "p", 2.5, "N/m^2.5"),
    ("N/m^p", "p", 3.0, "N/m^3"),
    ("m^2 N^-1/2", "p", 1.0, "m^3/N"),
    ("m^2 N^-1/2", "p", 2.0, "m^2/N^0.5"),
    ("N s/m^(1+q)", "q", 0.0, "N s/m"),
    ("N s/m^(1+q)", "q", 0.5, "N s/m^1.5"),
    ("N s/m^(1+q)", "q", 1.0, "N s/m^2"),
    ("N s/m^(1+q)", "q", 1.5, "N s/m^2.5"),
    ("N s/m^(1+q)", "q", 2.0, "N s/m^3"),
    ("N s/m^(1+q)", "q", 3.0, "N s/m^4"),
];

/// Reads a friction law from a table `{ law = "NAME", … }`.
pub(super) fn friction<'a>(
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    path: &str,
) -> Option<Friction> {
    let opened = open(reader, entry, path, Friction::CARDS)?;
    let law = opened.built(Friction::build)?;
    opened.warn_of_default();
    let place = opened.fields.span(LAW);
    for Notice { text, .. } in law.notices() {
        reader.warn(place, format!("{path}: {text}"));
    }
    Some(law)
}

/// Reads a normal-force law from a table `{ law = "NAME", … }`.
pub(super) fn normal<'a>(reader: &'a Reader<'a>, entry: &'a Entry, path: &str) -> Option<Normal> {
    open(reader, entry, path, Normal::CARDS)?.built(Normal::build)
}

/// A table whose law is known.
struct Opened<'a> {
    card: &'static LawCard,
    fields: Fields<'a>,
}

fn open<'a>(
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    path: &str,
    cards: &'static [LawCard],
) -> Option<Opened<'a>> {
    let names: Vec<&str> = cards.iter().map(|card| card.name).collect();
    let Some(table) = entry.node.as_table() else {
        // a file that could not be read has been reported
        if entry.node.as_text().is_none_or(|text| !is_file(text)) {
            let found = entry.node.kind_name();
            let message = format!(
                "{path}: expected a table {{ law = \"{}\", … }} or the name of a file \
                 \"LAW.toml\", found {found}",
                names.first().copied().unwrap_or_default()
            );
            let help = format!("the laws are {}", names.join(", "));
            reader.report(Diagnostic::error(message).at(entry.node.span).help(help));
        }
        return None;
    };
    let Some(law) = table.get(LAW) else {
        let message = format!("missing field \"law\" in {path}");
        let help = format!("the laws are {}", names.join(", "));
        reader.report(Diagnostic::error(message).at(entry.key_span).help(help));
        return None;
    };
    let Some(name) = law.node.as_text() else {
        let found = law.node.kind_name();
        let message = format!("{path}.law: expected the name of a law, found {found}");
        let help = format!("the laws are {}", names.join(", "));
        reader.report(Diagnostic::error(message).at(law.node.span).help(help));
        return None;
    };
    let Some(card) = cards.iter().find(|card| same_name(card.name, name)) else {
        let message = format!("{path}.law: there is no law \"{name}\"");
        let meant = suggest::did_you_mean(name, names.iter().copied()).unwrap_or_default();
        reader.report(
            Diagnostic::error(message)
                .label(law.node.span, meant)
                .help(format!("the laws are {}", names.join(", "))),
        );
        return None;
    };
    let declared = declared(card, Some((reader, table)));
    let fields = Fields::open_with(reader, &entry.node, entry.key_span, path, declared)?;
    Some(Opened { card, fields })
}

impl Opened<'_> {
    /// Builds the law from the values that are given; a refusal is shown at its field.
    fn built<L>(&self, build: impl Fn(&str, &Values) -> Result<L, ParameterError>) -> Option<L> {
        let mut values = Values::new();
        let mut sound = true;
        for card in self.card.parameters {
            if !self.fields.has(card.name) {
                sound &= card.default != Fallback::Required;
                continue;
            }
            let value = match card.kind {
                card::Kind::Number => self.fields.number(card.name).map(Value::Number),
                card::Kind::List => self.fields.list(card.name).map(Value::List),
                card::Kind::Flag => self.fields.flag(card.name).map(Value::Flag),
            };
            sound &= value.is_some();
            values.extend(value.map(|value| (card.name.to_owned(), value)));
        }
        if !sound {
            return None;
        }
        build(self.card.name, &values)
            .map_err(|error| self.refused(&error))
            .ok()
    }

    fn refused(&self, error: &ParameterError) {
        let path = self.fields.path();
        let suffix = |unit: &str| match unit {
            "" | "1" => String::new(),
            unit => format!(" {unit}"),
        };
        let message = match error {
            ParameterError::Inconsistent {
                name,
                value,
                unit,
                reason,
                ..
            } => format!("{path}.{name} = {value}{}: {reason}", suffix(unit)),
            ParameterError::OutOfRange {
                name,
                value,
                unit,
                allowed,
                ..
            } => {
                let unit = suffix(unit);
                format!("{path}.{name} = {value}{unit}, must be in {allowed}{unit}")
            }
            ParameterError::Missing {
                name,
                symbol,
                allowed,
                ..
            } => format!("{path}: {name} ({symbol}) is missing; it must be in {allowed}"),
            other => format!("{path}: {other}"),
        };
        let place = error
            .parameter()
            .map_or(self.fields.name_span(), |name| self.fields.span(name));
        self.fields.reader().error(place, message);
    }

    /// A static coefficient that is left out deserves a word: there is no stiction peak then.
    fn warn_of_default(&self) {
        let left_out = self
            .card
            .parameters
            .iter()
            .find_map(|card| match card.default {
                Fallback::Scaled(other, _)
                    if card.name == "static_coefficient" && !self.fields.has(card.name) =>
                {
                    Some((card.name, other))
                }
                _ => None,
            });
        if let Some((name, other)) = left_out
            && let Some(value) = self.fields.number(other)
        {
            let message = format!(
                "{}: {name} is not given and taken as {other} = {value}: no more force to break \
                 away than to slide; give {name} to say otherwise",
                self.fields.path()
            );
            self.fields.reader().warn(self.fields.span(LAW), message);
        }
    }
}

/// The fields of a law. Units that depend on an exponent are those of the table, if there is one,
/// else of the typical exponent.
pub(crate) fn declared(card: &LawCard, given: Option<(&Reader<'_>, &Table)>) -> Vec<Field> {
    let mut fields = vec![Field::required(LAW, Kind::Text, "Name of the law")];
    fields.extend(card.parameters.iter().map(|parameter| {
        let unit = unit_of(card, parameter, given);
        let range = range(parameter.range);
        let kind = match parameter.kind {
            card::Kind::Number => Kind::Number { unit, range },
            card::Kind::List => Kind::List { unit, range },
            card::Kind::Flag => Kind::Flag,
        };
        Field {
            name: parameter.name,
            symbol: (parameter.symbol != parameter.name).then_some(parameter.symbol),
            kind,
            required: parameter.default == Fallback::Required,
            doc: parameter.meaning.trim(),
            default: None,
        }
    }));
    fields
}

fn range(range: card::Range) -> Range {
    match range {
        card::Range::Positive => Range::Positive,
        card::Range::NonNegative => Range::NonNegative,
        card::Range::Finite => Range::Any,
        card::Range::Closed(low, high) => Range::closed(low, high),
        card::Range::Open(low, high) => Range::Between {
            low,
            low_open: true,
            high,
            high_open: true,
        },
    }
}

fn unit_of(law: &LawCard, parameter: &ParameterCard, given: Option<(&Reader<'_>, &Table)>) -> Unit {
    if let Ok(unit) = Unit::from_symbol(parameter.unit) {
        return unit;
    }
    let known = BY_EXPONENT
        .iter()
        .find(|(unit, symbol, value, _)| {
            *unit == parameter.unit
                && exponent(law, symbol, given)
                    .is_some_and(|exponent| exponent.to_bits() == value.to_bits())
        })
        .and_then(|(_, _, _, unit)| Unit::from_symbol(unit).ok());
    // without a unit of its own it takes plain numbers
    known.unwrap_or(Unit {
        text: parameter.unit,
        dimension: Unit::ONE.dimension,
    })
}

/// The exponent of this symbol: as given, or else its default.
fn exponent(law: &LawCard, symbol: &str, given: Option<(&Reader<'_>, &Table)>) -> Option<f64> {
    let card = law.parameters.iter().find(|card| card.symbol == symbol)?;
    let entry = given.and_then(|(reader, table)| {
        let entry = table.get(card.name).or_else(|| table.get(card.symbol))?;
        Some((reader, &entry.node))
    });
    if let Some((_, node)) = entry {
        return match node.value {
            crate::Value::Float(value) => Some(value),
            crate::Value::Integer(value) => Some(value as f64),
            _ => None,
        };
    }
    match card.default {
        Fallback::Number(value) => Some(value),
        // q = (p - 1)/2, as the law has it
        Fallback::Absent if symbol == "q" => {
            exponent(law, "p", given).map(|exponent| 0.5 * (exponent - 1.0))
        }
        _ => None,
    }
}

fn is_file(text: &str) -> bool {
    Path::new(text)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Puts the files named by `friction = "LAW.toml"` and `normal = "LAW.toml"` in the place of
/// their names.
pub(super) fn insert_files(
    root: &mut Node,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) {
    let crate::Value::Table(table) = &mut root.value else {
        return;
    };
    let Some(contacts) = table.get_mut("contact") else {
        return;
    };
    let crate::Value::Table(contacts) = &mut contacts.node.value else {
        return;
    };
    for contact in &mut contacts.entries {
        let crate::Value::Table(contact) = &mut contact.node.value else {
            continue;
        };
        for name in ["friction", "normal"] {
            if let Some(entry) = contact.get_mut(name) {
                insert_file(&mut entry.node, sources, diagnostics);
            }
        }
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

/// Makes room for `name=value`: a value that the file gives by name or by symbol goes, and a list
/// `1e4, 2e4` gets the brackets of TOML.
fn prepare(node: &mut Node, text: &str) -> String {
    let crate::Value::Table(table) = &mut node.value else {
        return text.to_owned();
    };
    let law = table.get(LAW).and_then(|entry| entry.node.as_text());
    let card = law.and_then(Friction::card_of);
    let (Some(card), Some((name, value))) = (card, text.split_once('=')) else {
        return text.to_owned();
    };
    let (name, value) = (name.trim(), value.trim());
    let meant = |card: &&ParameterCard| same_name(card.name, name) || card.symbol == name;
    let Some(parameter) = card.parameters.iter().find(meant) else {
        return text.to_owned();
    };
    table
        .entries
        .retain(|entry| entry.key != parameter.symbol && !same_name(&entry.key, parameter.name));
    if parameter.kind != card::Kind::List || value.is_empty() || value.starts_with('[') {
        return text.to_owned();
    }
    let entry = |text: &str| match text.trim() {
        number if number.parse::<f64>().is_ok() => number.to_owned(),
        quantity => format!("\"{}\"", quantity.trim_matches('"')),
    };
    let entries: Vec<String> = value.split(',').map(entry).collect();
    format!("{name}=[{}]", entries.join(", "))
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
    let node = if is_file(law) {
        load_file(Path::new(law), sources, &mut diagnostics)
    } else {
        let id = sources.add("--law".to_owned(), law.to_owned(), crate::Origin::Override);
        let span = Span::new(id, 0..law.len());
        let entry = Entry {
            key: LAW.to_owned(),
            key_span: span,
            node: Node {
                value: crate::Value::Text(law.to_owned()),
                span,
            },
        };
        let value = crate::Value::Table(Table {
            entries: vec![entry],
        });
        Some(Node { value, span })
    };
    let Some(mut node) = node else {
        return Err(diagnostics);
    };
    for text in parameters {
        let text = prepare(&mut node, text);
        apply_option(&mut node, PARAM, &text, sources, &mut diagnostics);
    }
    let entry = Entry {
        key: "friction".to_owned(),
        key_span: node.span,
        node,
    };
    let reader = Reader::new(sources);
    let built = friction(&reader, &entry, "law");
    diagnostics.extend(reader.into_diagnostics());
    match built {
        Some(law) if !diagnostics.has_errors() => Ok((law, diagnostics.iter().cloned().collect())),
        _ => Err(diagnostics),
    }
}
