//! The getters of single values.

use bristle_laws::Shortest;
use bristle_signals::Signal;

use super::{Field, FieldKind, FieldRange, Fields, Reader};
use crate::parameters::ParameterValue;
use crate::{
    Diagnostic, Node, NodeValue, QuantityError, Span, Unit, parse_quantity, read_signal, suggest,
    synonyms,
};

/// Integers beyond this are not exact as floating-point numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl<'a> Fields<'a> {
    /// A number in SI.
    pub fn number(&self, name: &str) -> Option<f64> {
        let field = self.expect_declared(name)?;
        let (unit, range) = match field.kind {
            FieldKind::Number { unit, range } => (unit, range),
            _ => (Unit::ONE, FieldRange::Any),
        };
        let value = match self.node(name) {
            Some(node) => self.reader().number(node, &self.path_of(name), unit, range),
            None => parse_quantity(field.default?, unit).ok(),
        }?;
        self.note(&field, unit, ParameterValue::Number(value));
        Some(value)
    }

    /// A number whose unit depends on other fields; `None` without a word if it is not given.
    pub fn number_as(&self, name: &str, unit: Unit, range: FieldRange) -> Option<f64> {
        let field = self.expect_declared(name)?;
        let node = self.node(name)?;
        let value = self
            .reader()
            .number(node, &self.path_of(name), unit, range)?;
        self.note(&field, unit, ParameterValue::Number(value));
        Some(value)
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> Option<i64> {
        let field = self.expect_declared(name)?;
        let value = self.whole_number(&field)?;
        self.note(&field, Unit::ONE, ParameterValue::Number(value as f64));
        Some(value)
    }

    fn whole_number(&self, field: &Field) -> Option<i64> {
        let name = field.name;
        let Some(node) = self.node(name) else {
            return field.default?.parse().ok();
        };
        let NodeValue::Integer(value) = node.value else {
            self.wrong_kind(field, node);
            return None;
        };
        if let FieldKind::Integer { range } = field.kind
            && !range.contains(value as f64)
        {
            self.reader()
                .out_of_range(node.span, &self.path_of(name), value, Unit::ONE, range);
            return None;
        }
        Some(value)
    }

    /// A whole number that counts something.
    pub fn count(&self, name: &str) -> Option<usize> {
        let value = self.integer(name)?;
        let count = usize::try_from(value).ok();
        if count.is_none() {
            let (span, path) = (self.span(name), self.path_of(name));
            self.reader()
                .out_of_range(span, &path, value, Unit::ONE, FieldRange::NonNegative);
        }
        count
    }

    /// A text.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.text_spanned(name).map(|(text, _)| text)
    }

    /// A text and its place; a default stands where the table does.
    pub fn text_spanned(&self, name: &str) -> Option<(&'a str, Span)> {
        let field = self.expect_declared(name)?;
        let note = |text: &str| self.note(&field, Unit::ONE, ParameterValue::Text(text.to_owned()));
        let Some(node) = self.node(name) else {
            field.default.inspect(|text| note(text));
            return field.default.map(|text| (text, self.name_span()));
        };
        if let Some(text) = node.as_text() {
            note(text);
            return Some((text, node.span));
        }
        self.wrong_kind(&field, node);
        None
    }

    /// One of the declared words, as it is declared.
    pub fn choice(&self, name: &str) -> Option<&'static str> {
        let field = self.expect_declared(name)?;
        let FieldKind::Choice(words) = field.kind else {
            return None;
        };
        let (text, span) = self.text_spanned(name)?;
        let canonical = suggest::canonical(text);
        let word = words
            .iter()
            .copied()
            .find(|word| suggest::canonical(word) == canonical);
        if word.is_none() {
            let path = self.path_of(name);
            let message = format!("{path} = \"{text}\", must be {}", field.kind.expected());
            let meant = synonyms::instead(&path, text)
                .map(str::to_owned)
                .or_else(|| suggest::did_you_mean(text, words.iter().copied()));
            self.reader()
                .report(Diagnostic::error(message).label(span, meant.unwrap_or_default()));
        }
        word
    }

    /// `true` or `false`.
    pub fn flag(&self, name: &str) -> Option<bool> {
        let field = self.expect_declared(name)?;
        let note =
            |flag: bool| self.note(&field, Unit::ONE, ParameterValue::Text(flag.to_string()));
        let Some(node) = self.node(name) else {
            let flag = field.default?.parse().ok()?;
            note(flag);
            return Some(flag);
        };
        if let NodeValue::Flag(flag) = node.value {
            note(flag);
            return Some(flag);
        }
        self.wrong_kind(&field, node);
        None
    }

    /// Three numbers in SI.
    pub fn vector(&self, name: &str) -> Option<[f64; 3]> {
        let field = self.expect_declared(name)?;
        let numbers = self.numbers(&field)?;
        let vector = <[f64; 3]>::try_from(numbers.as_slice()).ok();
        if vector.is_none() {
            self.error(
                name,
                format!("expected three numbers, found {}", numbers.len()),
            );
        }
        vector
    }

    /// A list of numbers in SI.
    pub fn list(&self, name: &str) -> Option<Vec<f64>> {
        self.numbers(&self.expect_declared(name)?)
    }

    /// A list of texts with their places.
    pub fn texts(&self, name: &str) -> Option<Vec<(&'a str, Span)>> {
        let field = self.expect_declared(name)?;
        let node = self.node(name)?;
        let texts = node.as_list().and_then(|list| {
            list.iter()
                .map(|item| Some((item.as_text()?, item.span)))
                .collect()
        });
        if texts.is_none() {
            self.wrong_kind(&field, node);
        }
        texts
    }

    /// A function of time.
    pub fn signal(&self, name: &str) -> Option<Signal> {
        let field = self.expect_declared(name)?;
        let unit = if let FieldKind::Signal { unit } = field.kind {
            unit
        } else {
            Unit::ONE
        };
        self.signal_as(name, unit)
    }

    /// A function of time whose unit depends on other fields.
    pub fn signal_as(&self, name: &str, unit: Unit) -> Option<Signal> {
        let field = self.expect_declared(name)?;
        let written = match self.node(name) {
            Some(node) => self.reader().written(node),
            None => field.default,
        };
        if let Some(text) = written {
            self.note(&field, unit, ParameterValue::Written(text.to_owned()));
        }
        match self.node(name) {
            Some(node) => read_signal(self.reader(), node, &self.path_of(name), unit),
            None => parse_quantity(field.default?, unit)
                .ok()
                .map(Signal::Constant),
        }
    }

    fn numbers(&self, field: &Field) -> Option<Vec<f64>> {
        let (unit, range) = match field.kind {
            FieldKind::Vector3 { unit } => (unit, FieldRange::Any),
            FieldKind::List { unit, range } => (unit, range),
            _ => (Unit::ONE, FieldRange::Any),
        };
        let numbers = self.numbers_in(field, unit, range)?;
        self.note(field, unit, ParameterValue::Numbers(numbers.clone()));
        Some(numbers)
    }

    fn numbers_in(&self, field: &Field, unit: Unit, range: FieldRange) -> Option<Vec<f64>> {
        let Some(node) = self.node(field.name) else {
            let items = field.default?.trim_matches(['[', ']']).split(',');
            return items
                .map(|item| parse_quantity(item.trim_matches([' ', '"']), unit).ok())
                .collect();
        };
        let Some(list) = node.as_list() else {
            self.wrong_kind(field, node);
            return None;
        };
        let path = self.path_of(field.name);
        let read = |(index, item): (usize, &Node)| {
            self.reader()
                .number(item, &format!("{path}.{index}"), unit, range)
        };
        // All are read before the first failure counts, so that all errors are seen.
        let numbers: Vec<Option<f64>> = list.iter().enumerate().map(read).collect();
        numbers.into_iter().collect()
    }

    fn wrong_kind(&self, field: &Field, node: &Node) {
        self.reader()
            .wrong_kind(node, &self.path_of(field.name), &field.kind);
    }
}

impl Reader<'_> {
    /// Reads a number in SI from a node that stands at `path`.
    pub fn number(&self, node: &Node, path: &str, unit: Unit, range: FieldRange) -> Option<f64> {
        let value = match &node.value {
            #[allow(clippy::cast_precision_loss, reason = "checked on the next line")]
            NodeValue::Integer(value) if (*value as f64).abs() <= EXACT => *value as f64,
            NodeValue::Integer(value) => {
                self.error(
                    node.span,
                    format!("{path} = {value} is too large to be exact"),
                );
                return None;
            }
            NodeValue::Float(value) => *value,
            NodeValue::Text(text) => match parse_quantity(text, unit) {
                Ok(value) => value,
                Err(error) => {
                    self.quantity_error(&error, node, path);
                    return None;
                }
            },
            _ => {
                self.wrong_kind(node, path, &FieldKind::Number { unit, range });
                return None;
            }
        };
        if range.contains(value) {
            return Some(value);
        }
        self.out_of_range(node.span, path, Shortest(value), unit, range);
        None
    }

    /// Records what is wrong with a text that should be a quantity.
    pub(crate) fn quantity_error(&self, error: &QuantityError, node: &Node, path: &str) {
        let span = error
            .range()
            .map_or(node.span, |range| self.within(node, range));
        let mut diagnostic = Diagnostic::error(format!("{path}: {error}")).at(span);
        diagnostic.help = error.help();
        self.report(diagnostic);
    }

    /// The place of a byte range of a text; the whole text where escapes make it uncertain.
    pub(crate) fn within(&self, node: &Node, range: std::ops::Range<usize>) -> Span {
        let Span { source, start, end } = node.span;
        let written = self
            .sources()
            .get(source)
            .and_then(|source| source.text().get(start..end));
        let Some((written, text)) = written.zip(node.as_text()) else {
            return node.span;
        };
        // behind one quotation mark, or three and a new line; nowhere if it was escaped
        let quote = match written.find(text) {
            Some(_) if text.is_empty() => written.len() / 2,
            Some(quote) => quote,
            None => return node.span,
        };
        Span {
            source,
            start: start + quote + range.start,
            end: start + quote + range.end,
        }
    }

    pub(crate) fn wrong_kind(&self, node: &Node, path: &str, kind: &FieldKind) {
        let found = node.kind_name();
        self.error(
            node.span,
            format!("{path}: expected {}, found {found}", kind.expected()),
        );
    }

    fn out_of_range(
        &self,
        span: Span,
        path: &str,
        value: impl std::fmt::Display,
        unit: Unit,
        range: FieldRange,
    ) {
        let suffix = unit.suffix();
        self.error(
            span,
            format!("{path} = {value}{suffix}, must be in {range}{suffix}"),
        );
    }
}
