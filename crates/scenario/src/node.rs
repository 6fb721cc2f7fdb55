//! The tree of a scenario: TOML values that know where they stand.

use std::collections::HashMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{Diagnostic, SourceId, Span, suggest};

/// A value and its place. The place of a `[table]` is its header.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: NodeValue,
    /// Its place.
    pub span: Span,
}

/// The four hexadecimal digits of a control character.
fn hex_digits(c: char) -> impl Iterator<Item = char> {
    let code = u32::from(c);
    (0..4)
        .rev()
        .filter_map(move |place| char::from_digit(code >> (4 * place) & 0xf, 16))
}

/// A text with the quotes of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => {
                quoted.extend(['\\', 'u'].into_iter().chain(hex_digits(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A key of TOML; quoted if it needs to be.
pub(crate) fn key_text(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(is_bare) {
        key.to_owned()
    } else {
        quoted(key)
    }
}

impl Node {
    /// The value as TOML in one line.
    pub fn inline(&self) -> String {
        match &self.value {
            NodeValue::Text(text) => quoted(text),
            NodeValue::Integer(x) => x.to_string(),
            NodeValue::Float(x) => format!("{x:?}"),
            NodeValue::Flag(flag) => flag.to_string(),
            NodeValue::Date(text) => text.clone(),
            NodeValue::List(list) => {
                let entries: Vec<String> = list.iter().map(Self::inline).collect();
                format!("[{}]", entries.join(", "))
            }
            NodeValue::Table(table) => {
                let field =
                    |entry: &Entry| format!("{} = {}", key_text(&entry.key), entry.node.inline());
                let fields: Vec<String> = table.entries.iter().map(field).collect();
                format!("{{ {} }}", fields.join(", "))
            }
        }
    }
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeValue {
    /// A string.
    Text(String),
    /// An integer.
    Integer(i64),
    /// A float; TOML has infinities and NaN.
    Float(f64),
    /// A boolean.
    Flag(bool),
    /// A date or time, which no field uses.
    Date(String),
    /// An array.
    List(Vec<Node>),
    /// A table.
    Table(NodeTable),
}

/// A field of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name.
    pub key: String,
    /// Place of the name.
    pub key_span: Span,
    /// NodeValue.
    pub node: Node,
}

/// Fields in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeTable {
    /// The fields.
    pub entries: Vec<Entry>,
}

/// Where the fields of a table are, by their names: for tables of thousands.
#[derive(Default)]
struct FieldPlaces {
    exact: HashMap<String, usize>,
    canonical: HashMap<String, usize>,
}

impl FieldPlaces {
    fn add(&mut self, key: &str, place: usize) {
        self.exact.entry(key.to_owned()).or_insert(place);
        let canonical = suggest::canonical(key);
        self.canonical.entry(canonical).or_insert(place);
    }

    fn of(&self, key: &str) -> Option<usize> {
        let exact = self.exact.get(key);
        let place = exact.or_else(|| self.canonical.get(&suggest::canonical(key)));
        place.copied()
    }
}

impl NodeTable {
    /// The field of a name; hyphens and underscores are the same.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.position(key).map(|index| &self.entries[index])
    }

    /// The field of a name, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Entry> {
        self.position(key).map(|index| &mut self.entries[index])
    }

    /// Takes a field out.
    pub fn remove(&mut self, key: &str) -> Option<Entry> {
        self.position(key).map(|index| self.entries.remove(index))
    }

    fn position(&self, key: &str) -> Option<usize> {
        let position = |is: &dyn Fn(&str) -> bool| self.entries.iter().position(|e| is(&e.key));
        position(&|own| own == key).or_else(|| position(&|own| suggest::is_same_name(own, key)))
    }

    /// Lays `over` on top: tables are merged, anything else is replaced. A table that names another
    /// law replaces the law below, whose parameters mean nothing to it.
    pub fn merge(&mut self, over: NodeTable) {
        let mut places = FieldPlaces::default();
        for (place, entry) in self.entries.iter().enumerate() {
            places.add(&entry.key, place);
        }
        for entry in over.entries {
            let place = places.of(&entry.key);
            let Some(own) = place.and_then(|place| self.entries.get_mut(place)) else {
                places.add(&entry.key, self.entries.len());
                self.entries.push(entry);
                continue;
            };
            own.key_span = entry.key_span;
            match (&mut own.node.value, entry.node.value) {
                (NodeValue::Table(below), NodeValue::Table(above))
                    if !above.is_another_law(below) =>
                {
                    below.merge(above);
                    own.node.span = entry.node.span;
                }
                (_, value) => {
                    own.node = Node {
                        value,
                        span: entry.node.span,
                    }
                }
            }
        }
    }

    /// Whether this table and `below` name laws that differ.
    fn is_another_law(&self, below: &Self) -> bool {
        let law = |table: &Self| match &table.get("law")?.node.value {
            NodeValue::Text(name) => Some(suggest::canonical(name)),
            _ => None,
        };
        matches!((law(self), law(below)), (Some(own), Some(other)) if own != other)
    }
}

impl Node {
    /// The node at a dotted path of names, as in `contact.base.friction`; numbers count the
    /// entries of a list from 0.
    pub fn find(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, name| {
            let name = name.trim().trim_matches('"');
            match &node.value {
                NodeValue::Table(table) => table.get(name).map(|entry| &entry.node),
                NodeValue::List(list) => list.get(name.parse::<usize>().ok()?),
                _ => None,
            }
        })
    }

    /// Takes out the field at a dotted path of names; returns whether there was one.
    pub fn remove(&mut self, path: &str) -> bool {
        let (first, rest) = match path.split_once('.') {
            Some((first, rest)) => (first, Some(rest)),
            None => (path, None),
        };
        let NodeValue::Table(table) = &mut self.value else {
            return false;
        };
        match rest {
            None => table.remove(first).is_some(),
            Some(rest) => table
                .get_mut(first)
                .is_some_and(|entry| entry.node.remove(rest)),
        }
    }

    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&NodeTable> {
        match &self.value {
            NodeValue::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.value {
            NodeValue::List(list) => Some(list),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            NodeValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value with an article, for "found …": `a boolean`.
    pub fn kind_name(&self) -> &'static str {
        match &self.value {
            NodeValue::Text(_) => "a text",
            NodeValue::Integer(_) | NodeValue::Float(_) => "a number",
            NodeValue::Flag(_) => "a boolean",
            NodeValue::Date(_) => "a date or time",
            NodeValue::List(_) => "a list",
            NodeValue::Table(_) => "a table",
        }
    }
}

/// Turns parsed TOML into nodes; `offset` is where the parsed text starts within its source.
pub(crate) struct Converter<'a> {
    pub(crate) source: SourceId,
    pub(crate) offset: usize,
    pub(crate) problems: &'a mut Vec<Diagnostic>,
}

impl Converter<'_> {
    fn span(&self, range: &std::ops::Range<usize>) -> Span {
        Span::new(
            self.source,
            range.start + self.offset..range.end + self.offset,
        )
    }

    pub(crate) fn node(&mut self, spanned: &Spanned<DeValue<'_>>) -> Node {
        let span = self.span(&spanned.span());
        let value = match spanned.get_ref() {
            DeValue::String(text) => NodeValue::Text(text.clone().into_owned()),
            DeValue::Integer(integer) => {
                self.integer(i64::from_str_radix(integer.as_str(), integer.radix()), span)
            }
            DeValue::Float(float) => self.float(float.as_str(), span),
            DeValue::Boolean(flag) => NodeValue::Flag(*flag),
            DeValue::Datetime(date) => NodeValue::Date(date.to_string()),
            DeValue::Array(list) => {
                NodeValue::List(list.iter().map(|item| self.node(item)).collect())
            }
            DeValue::Table(table) => NodeValue::Table(self.table(table)),
        };
        Node { value, span }
    }

    pub(crate) fn table(&mut self, table: &DeTable<'_>) -> NodeTable {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, node)| Entry {
                key: key.get_ref().clone().into_owned(),
                key_span: self.span(&key.span()),
                node: self.node(node),
            })
            .collect();
        // The parser sorts by name; users think in the order of the file.
        entries.sort_by_key(|entry| entry.key_span.start);
        NodeTable { entries }
    }

    fn integer(&mut self, parsed: Result<i64, std::num::ParseIntError>, span: Span) -> NodeValue {
        NodeValue::Integer(parsed.unwrap_or_else(|_| {
            let limit = "this integer does not fit into 64 bits";
            self.problems.push(Diagnostic::error(limit).at(span));
            0
        }))
    }

    fn float(&mut self, text: &str, span: Span) -> NodeValue {
        let parsed = text.parse::<f64>().ok();
        let overflow = parsed.is_some_and(f64::is_infinite) && !text.contains("inf");
        if parsed.is_none() || overflow {
            let limit = "this number is beyond ±1.8e308";
            self.problems.push(Diagnostic::error(limit).at(span));
        }
        NodeValue::Float(parsed.unwrap_or(0.0))
    }
}
