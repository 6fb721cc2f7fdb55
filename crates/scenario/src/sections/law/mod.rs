//! Friction and normal-force laws: their fields come from the cards.

mod command;
mod curve;
mod files;
mod own;

use std::borrow::Cow;

use bristle_laws::Shortest;
use bristle_laws::card::{self, Default as Fallback};
use bristle_laws::curve::Shape;
use bristle_laws::parameters::same_name;
use bristle_laws::{
    Declaration, Friction, LawCard, Normal, Notice, ParameterCard, ParameterError, Topic, Value,
    Values,
};

pub(crate) use command::{is_law_file, law_node};
pub use command::{law_of_file, load_law, load_law_text};
pub(crate) use curve::{replaces_field, schema as curve_schema};
pub(super) use files::insert_files;
pub(crate) use own::schema as own_schema;

use crate::{
    Diagnostic, Entry, Field, FieldKind, FieldRange, Fields, NodeTable, Reader, Unit, suggest,
};
use files::is_file;

/// Name of the field that names the law.
const LAW: &str = "law";

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

/// Reads a friction law for slip in a plane or in space from a table `{ law = "NAME", … }`.
pub(super) fn friction<'a>(
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    path: &str,
) -> Option<Friction> {
    let law = friction_on_line(reader, entry, path)?;
    if !law.is_two_sided() {
        return Some(law);
    }
    let message = format!(
        "{path}: numbers for negative velocities need slip along a line; in a plane or in space no \
         direction is the negative one"
    );
    let help = "give them to friction on one coordinate ([joint_friction.NAME]), or leave them out";
    reader.report(Diagnostic::error(message).at(entry.node.span).help(help));
    None
}

/// Reads a friction law for slip along a line, which may have numbers of its own for negative
/// velocities.
pub(super) fn friction_on_line<'a>(
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    path: &str,
) -> Option<Friction> {
    let (law, notices) = friction_with_notices(reader, entry, path)?;
    for notice in notices {
        reader.report(notice);
    }
    Some(law)
}

/// Reads the friction law of faces through which a load passes: they know its direction.
pub(super) fn friction_that_passes_load<'a>(
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    path: &str,
) -> Option<Friction> {
    let (law, notices) = friction_with_notices(reader, entry, path)?;
    for notice in notices {
        let about = notice.subject.as_ref().map(|about| about.topic);
        if about != Some(Topic::LoadDirection) {
            reader.report(notice);
        }
    }
    Some(law)
}

fn friction_with_notices<'a>(
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    path: &str,
) -> Option<(Friction, Vec<Diagnostic>)> {
    let own = if own::is_own(entry) {
        Some(own::read(reader, entry, path)?)
    } else {
        None
    };
    let declaration = own.map(Declaration::Own);
    let negative = negative_parameters(entry, declaration.as_ref());
    let opened = match &declaration {
        Some(own) => {
            let table = Some((reader, entry.node.as_table()?));
            let declared = declared(&own.card(), &negative, table);
            let fields = Fields::open_with(reader, &entry.node, entry.key_span, path, declared)?;
            Opened {
                card: own.card(),
                negative: &negative,
                fields,
            }
        }
        None => open(reader, entry, path, Friction::CARDS, &negative)?,
    };
    let law = opened.built(|name, values| match &declaration {
        Some(own) => own.build(values),
        None => Friction::build(name, values),
    })?;
    own::check(reader, entry, path, &law)?;
    opened.warn_of_default();
    let place = opened.fields.span(LAW);
    let notices = law.notices().into_iter();
    let notices = notices.map(|notice| Diagnostic::notice(path, notice).at(place));
    let notices = notices.collect();
    Some((law, notices))
}

/// Reads a normal-force law from a table `{ law = "NAME", … }`.
pub(super) fn normal<'a>(reader: &'a Reader<'a>, entry: &'a Entry, path: &str) -> Option<Normal> {
    open(reader, entry, path, Normal::CARDS, &[])?.built(Normal::build)
}

/// The parameters for negative velocities that the table of a law has.
fn negative_parameters(entry: &Entry, own: Option<&Declaration>) -> Vec<ParameterCard> {
    let Some(table) = entry.node.as_table() else {
        return Vec::new();
    };
    let name = table.get(LAW).and_then(|law| law.node.as_text());
    let named = || name.and_then(Friction::card_of).copied();
    let Some(card) = own.map(Declaration::card).or_else(named) else {
        return Vec::new();
    };
    let given = |base: &&ParameterCard| {
        let mut keys = table.entries.iter();
        keys.any(|entry| {
            let meant = card.at_negative_velocities(&entry.key);
            meant.is_some_and(|meant| meant.name == base.name)
        })
    };
    let bases = card.parameters.iter().filter(given);
    bases.map(ParameterCard::negative).collect()
}

/// A table whose law is known.
struct Opened<'a> {
    card: LawCard<'a>,
    /// The parameters for negative velocities that are given.
    negative: &'a [ParameterCard],
    fields: Fields<'a>,
}

fn open<'a>(
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    path: &str,
    cards: &'static [LawCard<'static>],
    negative: &'a [ParameterCard],
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
    let declared = declared(card, negative, Some((reader, table)));
    let instead = |word: &str| card::instead_of(card, word, cards);
    let fields = Fields::open_knowing(
        reader,
        &entry.node,
        entry.key_span,
        path,
        declared,
        &instead,
    )?;
    Some(Opened {
        card: *card,
        negative,
        fields,
    })
}

impl Opened<'_> {
    /// Builds the law from the values that are given; a refusal is shown at its field.
    fn built<L>(&self, build: impl Fn(&str, &Values) -> Result<L, ParameterError>) -> Option<L> {
        let mut values = Values::new();
        let mut sound = true;
        for card in self.card.parameters.iter().chain(self.negative) {
            if !self.fields.has(&card.name) {
                sound &= card.default != Fallback::Required || self.in_table(card);
                continue;
            }
            let value = match card.kind {
                card::ParameterKind::Number => self.fields.number(&card.name).map(Value::Number),
                card::ParameterKind::List => self.fields.list(&card.name).map(Value::List),
                card::ParameterKind::Flag => self.fields.flag(&card.name).map(Value::Flag),
                card::ParameterKind::Curve => {
                    curve::read(&self.fields, &card.name).map(Value::Curve)
                }
            };
            sound &= value.is_some();
            values.extend(value.map(|value| (card.name.to_string(), value)));
        }
        if !sound {
            return None;
        }
        build(self.card.name, &values)
            .map_err(|error| self.refused(&error))
            .ok()
    }

    /// Whether a Stribeck table stands in for a parameter that is not given.
    fn in_table(&self, parameter: &ParameterCard) -> bool {
        curve::replaces(parameter) && curve::is_table(self.fields.node(Shape::FIELD))
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
            } => format!(
                "{path}.{name} = {}{}: {reason}",
                Shortest(*value),
                suffix(unit)
            ),
            ParameterError::OutOfRange {
                name,
                value,
                unit,
                allowed,
                ..
            } => {
                let unit = suffix(unit);
                format!(
                    "{path}.{name} = {}{unit}, must be in {allowed}{unit}",
                    Shortest(*value)
                )
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

    /// A static level that is left out deserves a word: there is no stiction peak then.
    fn warn_of_default(&self) {
        let left_out = self
            .card
            .parameters
            .iter()
            .find_map(|card| match card.default {
                Fallback::Scaled(other, _)
                    if card.role == card::Role::StaticLevel
                        && !self.fields.has(&card.name)
                        && !self.in_table(card) =>
                {
                    Some((&*card.name, other))
                }
                _ => None,
            });
        if let Some((name, other)) = left_out
            && let Some(value) = self.fields.number(other)
        {
            let text = format!(
                "{name} is not given and taken as {other} = {}: no more force to break \
                 away than to slide; give {name} to say otherwise",
                Shortest(value)
            );
            let notice = Notice::new(Topic::DefaultLevel, text).value("level", value, "1");
            let warning = Diagnostic::notice(self.fields.path(), notice);
            self.fields
                .reader()
                .report(warning.at(self.fields.span(LAW)));
        }
    }
}

/// The fields of a law, with those for negative velocities. Units that depend on an exponent are those of the table, if there is one,
/// else of the typical exponent.
pub(crate) fn declared<'a>(
    card: &LawCard<'a>,
    negative: &'a [ParameterCard],
    given: Option<(&Reader<'_>, &NodeTable)>,
) -> Vec<Field<'a>> {
    let kind = FieldKind::Any("the name of a law, or a table { equations = …, parameters = … }");
    let mut fields = vec![Field::required(LAW, kind, "Name of the law")];
    fields.extend(card.parameters.iter().chain(negative).map(|parameter| {
        let unit = unit_of(card, parameter, given);
        let range = range(parameter.range);
        let kind = match parameter.kind {
            card::ParameterKind::Number => FieldKind::Number { unit, range },
            card::ParameterKind::List => FieldKind::List { unit, range },
            card::ParameterKind::Flag => FieldKind::Flag,
            card::ParameterKind::Curve => curve::KIND,
        };
        let in_table = curve::replaces(parameter)
            && given.is_some_and(|(_, table)| {
                curve::is_table(table.get(Shape::FIELD).map(|entry| &entry.node))
            });
        Field {
            name: &parameter.name,
            symbol: (parameter.symbol != parameter.name).then_some(&parameter.symbol),
            kind,
            required: parameter.default == Fallback::Required && !in_table,
            doc: parameter.meaning.trim(),
            default: None,
        }
    }));
    fields
}

fn range(range: card::Range) -> FieldRange {
    match range {
        card::Range::Positive => FieldRange::Positive,
        card::Range::NonNegative => FieldRange::NonNegative,
        card::Range::Finite => FieldRange::Any,
        card::Range::Closed(low, high) => FieldRange::closed(low, high),
        card::Range::Open(low, high) => FieldRange::Between {
            low,
            low_open: true,
            high,
            high_open: true,
        },
    }
}

fn unit_of(
    law: &LawCard,
    parameter: &ParameterCard,
    given: Option<(&Reader<'_>, &NodeTable)>,
) -> Unit {
    let text = match &parameter.unit {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => return own::unit_of(text),
    };
    if let Ok(unit) = Unit::from_symbol(text) {
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
        text,
        dimension: Unit::ONE.dimension,
    })
}

/// The unit of a channel as it is declared, or, for a state of a law of your own, one of the same
/// dimension.
#[allow(
    clippy::ptr_arg,
    reason = "a borrowed text is kept for good, an owned one is not"
)]
pub(super) fn unit_text(unit: &Cow<'static, str>) -> &'static str {
    match unit {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => own::unit_of(text).text,
    }
}

/// The exponent of this symbol: as given, or else its default.
fn exponent(law: &LawCard, symbol: &str, given: Option<(&Reader<'_>, &NodeTable)>) -> Option<f64> {
    let card = law.parameters.iter().find(|card| card.symbol == symbol)?;
    let entry = given.and_then(|(reader, table)| {
        let entry = table.get(&card.name).or_else(|| table.get(&card.symbol))?;
        Some((reader, &entry.node))
    });
    if let Some((_, node)) = entry {
        return match node.value {
            crate::NodeValue::Float(value) => Some(value),
            crate::NodeValue::Integer(value) => Some(value as f64),
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
