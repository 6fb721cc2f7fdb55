//! Reading a table against the fields that are declared for it.

use std::borrow::Cow;
use std::cell::RefCell;

use bristle_laws::Topic;

use super::{Field, FieldKind, Section};
use crate::open_harmonic::OpenHarmonic;
use crate::parameters::{Parameter, ParameterValue, unique};
use crate::{
    Diagnostic, Diagnostics, Entry, Node, NodeTable, NodeValue, Origin, SourceMap, Span, Unit,
    suggest, synonyms,
};

/// What all sections of one scenario share: the sources, and the errors found so far.
#[derive(Debug)]
pub struct Reader<'a> {
    sources: &'a SourceMap,
    diagnostics: RefCell<Diagnostics>,
    parameters: RefCell<Vec<Parameter>>,
    open_harmonics: RefCell<Vec<OpenHarmonic>>,
    accepted: RefCell<Vec<Topic>>,
}

impl<'a> Reader<'a> {
    /// A reader without errors.
    pub fn new(sources: &'a SourceMap) -> Self {
        Self {
            sources,
            diagnostics: RefCell::default(),
            parameters: RefCell::default(),
            open_harmonics: RefCell::default(),
            accepted: RefCell::default(),
        }
    }

    /// The sources of the scenario.
    pub fn sources(&self) -> &'a SourceMap {
        self.sources
    }

    /// Records an error or a warning.
    pub fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// Records an error at a place.
    pub fn error(&self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(message).at(span));
    }

    /// Records a warning at a place.
    pub fn warn(&self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(message).at(span));
    }

    /// True if an error has been recorded.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.borrow().has_errors()
    }

    /// The fields that were read so far, each once.
    pub fn parameters(&self) -> Vec<Parameter> {
        unique(self.parameters.borrow().clone())
    }

    /// Keeps a harmonic that has no frequency.
    pub(crate) fn note_open_harmonic(&self, harmonic: OpenHarmonic) {
        let mut all = self.open_harmonics.borrow_mut();
        if !all.contains(&harmonic) {
            all.push(harmonic);
        }
    }

    /// The harmonics without a frequency that were read so far, each once.
    pub fn open_harmonics(&self) -> Vec<OpenHarmonic> {
        self.open_harmonics.borrow().clone()
    }

    /// Keeps a topic of warnings that the scenario accepts.
    pub(crate) fn accept(&self, topic: Topic) {
        self.accepted.borrow_mut().push(topic);
    }

    /// The text of a node as it is written.
    pub(super) fn written(&self, node: &Node) -> Option<&'a str> {
        let source = self.sources.get(node.span.source)?;
        source.text().get(node.span.start..node.span.end)
    }

    /// Everything that was recorded, but for the warnings that the scenario accepts.
    pub fn into_diagnostics(self) -> Diagnostics {
        let accepted = self.accepted.into_inner();
        self.diagnostics.into_inner().without(&accepted)
    }
}

/// An opened table of a scenario.
///
/// Opening reports the fields that are unknown, missing, or given twice. The getters return the
/// value, or the declared default where the field is not given; they return `None`, with the
/// reason recorded, when the value is not of the declared kind or outside its range.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    reader: &'a Reader<'a>,
    table: &'a NodeTable,
    path: String,
    span: Span,
    declared: Cow<'a, [Field<'a>]>,
}

impl<'a> Fields<'a> {
    /// Opens `node`, which stands at `path` (such as `body.cube`; empty for the whole scenario).
    ///
    /// `name_span` is the place of its name, where a missing field is reported. `None`, with the
    /// reason recorded, if it is not a table.
    pub fn open(
        reader: &'a Reader<'a>,
        node: &'a Node,
        name_span: Span,
        path: impl Into<String>,
        section: &'static Section,
    ) -> Option<Self> {
        Self::open_with(reader, node, name_span, path, section.fields)
    }

    /// As [`Self::open`], with fields that are put together at run time.
    pub fn open_with(
        reader: &'a Reader<'a>,
        node: &'a Node,
        name_span: Span,
        path: impl Into<String>,
        declared: impl Into<Cow<'a, [Field<'a>]>>,
    ) -> Option<Self> {
        let path = path.into();
        let instead = |word: &str| synonyms::instead(&path, word).map(str::to_owned);
        Self::open_knowing(reader, node, name_span, path.clone(), declared, &instead)
    }

    /// As [`Self::open_with`]; `instead` says what there is for a word of other programs.
    pub(crate) fn open_knowing(
        reader: &'a Reader<'a>,
        node: &'a Node,
        name_span: Span,
        path: impl Into<String>,
        declared: impl Into<Cow<'a, [Field<'a>]>>,
        instead: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Self> {
        let (path, declared) = (path.into(), declared.into());
        let Some(table) = node.as_table() else {
            let found = node.kind_name();
            let names: Vec<&str> = declared.iter().map(|field| field.name).collect();
            let diagnostic = Diagnostic::error(format!("{path}: expected a table, found {found}"));
            let help = format!("its fields are {}", names.join(", "));
            reader.report(diagnostic.at(node.span).help(help));
            return None;
        };
        let fields = Self {
            reader,
            table,
            path,
            span: name_span,
            declared,
        };
        fields.report_unknown(instead);
        for field in fields.declared.iter() {
            fields.report_twice(field);
            if field.required && fields.entry_of(field).is_none() {
                fields.report_missing(field);
            }
            fields.note_as_written(field);
        }
        Some(fields)
    }

    /// Keeps what was read of a field.
    pub(super) fn note(&self, field: &Field, unit: Unit, value: ParameterValue) {
        self.reader.parameters.borrow_mut().push(Parameter {
            path: self.path_of(field.name),
            value,
            unit,
            meaning: field.doc.to_owned(),
            given: self.entry_of(field).is_some(),
        });
    }

    /// Keeps the numbers that were read of a field by its node.
    pub(crate) fn note_rows(&self, name: &str, unit: Unit, rows: Vec<Vec<f64>>) {
        if let Some(field) = self.declared.iter().find(|field| field.name == name) {
            self.note(field, unit, ParameterValue::Rows(rows));
        }
    }

    /// Keeps the text of a field that is read by its node and is no table.
    fn note_as_written(&self, field: &Field) {
        let node = self.entry_of(field).map(|entry| &entry.node);
        let node = node.filter(|_| matches!(field.kind, FieldKind::Any(_)));
        if let Some(node) = node.filter(|node| !matches!(node.value, NodeValue::Table(_)))
            && let Some(text) = self.reader.written(node)
        {
            self.note(field, Unit::ONE, ParameterValue::Written(text.to_owned()));
        }
    }

    /// The reader with which this table was opened.
    pub fn reader(&self) -> &'a Reader<'a> {
        self.reader
    }

    /// The path of this table, such as `body.cube`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The place of the name of this table.
    pub fn name_span(&self) -> Span {
        self.span
    }

    /// The path of a field, such as `body.cube.mass`.
    pub fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    /// Whether the field is given, by name or by symbol.
    pub fn has(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// The value of a field as it is written.
    pub fn node(&self, name: &str) -> Option<&'a Node> {
        self.entry(name).map(|entry| &entry.node)
    }

    /// The entry of a field, by name or by symbol.
    pub fn entry(&self, name: &str) -> Option<&'a Entry> {
        match self.declared(name) {
            Some(field) => self.entry_of(&field),
            None => self.table.get(name),
        }
    }

    /// The place of the value of a field, or that of the table where it is not given.
    pub fn span(&self, name: &str) -> Span {
        self.node(name).map_or(self.span, |node| node.span)
    }

    /// Records an error at a field, with its path in front: `body.cube.mass: …`.
    pub fn error(&self, name: &str, message: impl AsRef<str>) {
        self.report(name, Diagnostic::error, message.as_ref());
    }

    /// Records a warning at a field, with its path in front.
    pub fn warn(&self, name: &str, message: impl AsRef<str>) {
        self.report(name, Diagnostic::warning, message.as_ref());
    }

    fn report(&self, name: &str, make: impl Fn(String) -> Diagnostic, message: &str) {
        let message = format!("{}: {message}", self.path_of(name));
        self.reader.report(make(message).at(self.span(name)));
    }

    /// Exactly one of some fields must be given: its name, or `None` with the reason recorded.
    pub fn exactly_one(&self, names: &[&'static str]) -> Option<&'static str> {
        let given: Vec<&'static str> = names.iter().copied().filter(|n| self.has(n)).collect();
        let one_of = super::quoted(names);
        match given.as_slice() {
            [one] => Some(one),
            [] => {
                let message = format!("{}: one of {one_of} is missing", self.path);
                self.reader.error(self.span, message);
                None
            }
            [first, second, ..] => {
                let message = format!(
                    "{}: \"{first}\" and \"{second}\" exclude each other; give one of {one_of}",
                    self.path
                );
                let diagnostic = Diagnostic::error(message);
                self.reader
                    .report(diagnostic.at(self.span(second)).at(self.span(first)));
                None
            }
        }
    }

    /// The declaration of a field.
    pub(super) fn declared(&self, name: &str) -> Option<Field<'a>> {
        self.declared
            .iter()
            .find(|field| field.name == name)
            .copied()
    }

    /// The declaration of a field that is about to be read as a kind.
    pub(super) fn expect_declared(&self, name: &str) -> Option<Field<'a>> {
        let field = self.declared(name);
        if field.is_none() {
            let path = self.path_of(name);
            let message = format!("{path}: this field is not declared (an error of the program)");
            self.reader.error(self.span, message);
        }
        field
    }

    fn entry_of(&self, field: &Field) -> Option<&'a Entry> {
        let by_name = self.table.get(field.name);
        let by_symbol = field.symbol.and_then(|symbol| self.table.get(symbol));
        match (by_name, by_symbol) {
            // An override from the command line wins over the file, whichever spelling it uses.
            (Some(_), Some(symbol)) if self.is_override(symbol) => Some(symbol),
            (name, symbol) => name.or(symbol),
        }
    }

    fn is_override(&self, entry: &Entry) -> bool {
        let source = self.reader.sources.get(entry.node.span.source);
        source.is_some_and(|source| *source.origin() == Origin::Override)
    }

    fn report_unknown(&self, instead: &dyn Fn(&str) -> Option<String>) {
        let names: Vec<&str> = self.declared.iter().map(|field| field.name).collect();
        let symbols = self.declared.iter().filter_map(|field| field.symbol);
        let all: Vec<&str> = names.iter().copied().chain(symbols).collect();
        for entry in &self.table.entries {
            let key = suggest::canonical(&entry.key);
            if all.iter().any(|name| suggest::canonical(name) == key) {
                continue;
            }
            let meant = instead(&entry.key)
                .or_else(|| suggest::did_you_mean(&entry.key, all.iter().copied()));
            let place = if self.path.is_empty() {
                "the scenario"
            } else {
                &self.path
            };
            let message = format!("unknown field \"{}\" in {place}", entry.key);
            self.reader.report(
                Diagnostic::error(message)
                    .label(entry.key_span, meant.unwrap_or_default())
                    .help(format!("known fields are {}", names.join(", "))),
            );
        }
    }

    fn report_twice(&self, field: &Field) {
        let by_symbol = field.symbol.and_then(|symbol| self.table.get(symbol));
        let Some((name, symbol)) = self.table.get(field.name).zip(by_symbol) else {
            return;
        };
        if self.is_override(name) != self.is_override(symbol) {
            return;
        }
        let message = format!(
            "{}: \"{}\" and \"{}\" are the same field; give one of them",
            self.path_of(field.name),
            name.key,
            symbol.key
        );
        self.reader.report(
            Diagnostic::error(message)
                .at(symbol.key_span)
                .at(name.key_span),
        );
    }

    fn report_missing(&self, field: &Field) {
        let place = if self.path.is_empty() {
            "the scenario"
        } else {
            &self.path
        };
        let symbol = field
            .symbol
            .map(|symbol| format!(" ({symbol})"))
            .unwrap_or_default();
        let what = match field.kind {
            FieldKind::Table(_) | FieldKind::Named(_) | FieldKind::Tables(_) => "table",
            _ => "field",
        };
        let message = format!("missing {what} \"{}\"{symbol} in {place}", field.name);
        let doc = field.doc.trim_end_matches('.');
        let help = format!("{doc}; expected {}", field.kind.expected());
        self.reader
            .report(Diagnostic::error(message).at(self.span).help(help));
    }
}

impl<'a> Fields<'a> {
    /// A table within this table.
    pub fn section(&self, name: &str) -> Option<Fields<'a>> {
        let field = self.expect_declared(name)?;
        let entry = self.entry(name)?;
        let FieldKind::Table(section) = field.kind else {
            return None;
        };
        Fields::open(
            self.reader,
            &entry.node,
            entry.key_span,
            self.path_of(name),
            section,
        )
    }

    /// The tables of a field whose names the user chose, in the order of the file.
    pub fn named(&self, name: &str) -> Vec<(String, Fields<'a>)> {
        let Some(FieldKind::Named(section)) = self.expect_declared(name).map(|field| field.kind)
        else {
            return Vec::new();
        };
        let open = |entry: &'a Entry| {
            let path = format!("{}.{}", self.path_of(name), entry.key);
            let fields = Fields::open(self.reader, &entry.node, entry.key_span, path, section)?;
            Some((entry.key.clone(), fields))
        };
        self.named_entries(name)
            .into_iter()
            .filter_map(open)
            .collect()
    }

    /// The entries of a field that holds tables with names of the user's choice; for readers that
    /// choose the fields by what is inside.
    pub fn named_entries(&self, name: &str) -> Vec<&'a Entry> {
        let Some(entry) = self.entry(name) else {
            return Vec::new();
        };
        let Some(table) = entry.node.as_table() else {
            let found = entry.node.kind_name();
            self.error(
                name,
                format!("expected tables such as [{name}.NAME], found {found}"),
            );
            return Vec::new();
        };
        table.entries.iter().collect()
    }

    /// The tables of a list such as `[[expect]]`.
    pub fn tables(&self, name: &str) -> Vec<Fields<'a>> {
        let Some(FieldKind::Tables(section)) = self.expect_declared(name).map(|field| field.kind)
        else {
            return Vec::new();
        };
        let Some(node) = self.node(name) else {
            return Vec::new();
        };
        let Some(list) = node.as_list() else {
            let found = node.kind_name();
            let message = format!("expected a list of tables, [[{name}]], found {found}");
            self.error(name, message);
            return Vec::new();
        };
        let open = |(index, item): (usize, &'a Node)| {
            let path = format!("{}.{index}", self.path_of(name));
            Fields::open(self.reader, item, item.span, path, section)
        };
        list.iter().enumerate().filter_map(open).collect()
    }
}
