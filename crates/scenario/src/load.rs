//! Files and what they include.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use crate::node::Converter;
use crate::shipped;
use crate::synonyms::{ForeignFile, foreign_file};
use crate::{
    Diagnostic, Diagnostics, Node, NodeTable, NodeValue, Origin, SourceId, SourceMap, Span,
};

/// Syntax errors shown per file: later ones are mostly consequences of the first.
const MAX_SYNTAX_ERRORS: usize = 5;

/// Files of a scenario, at most.
const MAX_FILES: usize = 256;
/// Bytes of all of them together, at most.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a scenario file and the files that it includes, each once.
///
/// A top-level `include = ["other.toml"]` names files relative to the one that includes them.
/// Tables are merged; of two values for one field the including file's wins, then that of the
/// later include. Lists are replaced as a whole.
///
/// Returns the tree, or nothing if a file could not be read or is not TOML; the reasons are added
/// to `diagnostics`.
pub fn load_file(
    path: &Path,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    Loader::new(sources, diagnostics).file(path, None)
}

/// A scenario as a text in memory.
#[derive(Clone, Copy, Debug)]
pub struct ScenarioText<'a> {
    /// What diagnostics call it.
    pub name: &'a str,
    /// The text, as a scenario file has it.
    pub text: &'a str,
    /// The folder against which the files that it names are resolved.
    pub folder: &'a Path,
}

/// Where a scenario comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioSource {
    /// A file, or a shipped example.
    File(PathBuf),
    /// A text in memory; see [`ScenarioText`].
    Text {
        /// What diagnostics call it.
        name: String,
        /// The text.
        text: String,
        /// The folder against which the files that it names are resolved.
        folder: PathBuf,
    },
}

/// Reads a scenario from a text; includes are relative to the working folder.
pub fn load_text(
    name: &str,
    text: &str,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    let folder = Path::new("");
    let text = ScenarioText { name, text, folder };
    load_text_in(&text, sources, diagnostics)
}

/// Reads a scenario from a text with its folder.
pub(crate) fn load_text_in(
    text: &ScenarioText<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    let origin = if text.folder.as_os_str().is_empty() {
        Origin::Text
    } else {
        Origin::TextIn(text.folder.to_owned())
    };
    let id = sources.add(text.name.to_owned(), text.text.to_owned(), origin);
    Loader::new(sources, diagnostics).source(id, None)
}

struct Loader<'a> {
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
    /// Files being read, outermost first.
    open: Vec<PathBuf>,
    /// What came of the files that were read.
    read: BTreeMap<PathBuf, Option<Node>>,
    bytes: u64,
}

impl<'a> Loader<'a> {
    fn new(sources: &'a mut SourceMap, diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            sources,
            diagnostics,
            open: Vec::new(),
            read: BTreeMap::new(),
            bytes: 0,
        }
    }

    fn refuse(&mut self, message: String, span: Option<Span>) {
        let mut diagnostic = Diagnostic::error(message);
        if let Some(span) = span {
            diagnostic = diagnostic.at(span);
        }
        self.diagnostics.push(diagnostic);
    }

    fn file(&mut self, path: &Path, from: Option<Span>) -> Option<Node> {
        let name = path.display();
        let identity = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.open.contains(&identity) {
            self.refuse(
                format!("{name} includes itself, directly or through others"),
                from,
            );
            return None;
        }
        if let Some(read) = self.read.get(&identity) {
            return read.clone();
        }
        if self.read.len() + self.open.len() >= MAX_FILES {
            let message = format!("{name} is one file too many: a scenario may have {MAX_FILES}");
            self.refuse(message, from);
            return None;
        }
        self.open.push(identity.clone());
        let node = self.contents(path, from);
        self.open.pop();
        self.read.insert(identity, node.clone());
        node
    }

    fn contents(&mut self, path: &Path, from: Option<Span>) -> Option<Node> {
        let name = path.display();
        if let Some(text) = shipped::text(path) {
            let id = self.sources.add_file(path, text.to_owned());
            return self.source(id, from);
        }
        if let Some(ForeignFile { what, is_imported }) = foreign_file(path) {
            let (message, help) = if is_imported {
                let help =
                    format!("`bristle import {name} --out NAME.toml` makes a scenario from it");
                (format!("{name} is {what}, and no scenario"), help)
            } else {
                let help = "a scenario is a TOML file with [body.NAME], their joints and \
                            [contact.NAME]; `bristle examples` lists some to start from";
                let message = format!("{name} is {what}, which Bristle does not read");
                (message, help.to_owned())
            };
            let mut diagnostic = Diagnostic::error(message).help(help);
            if let Some(span) = from {
                diagnostic = diagnostic.at(span);
            }
            self.diagnostics.push(diagnostic);
            return None;
        }
        let bytes = match self.bytes_of(path, from.is_some()) {
            Ok(bytes) => bytes,
            Err(reason) => {
                let message = format!("cannot read {name}: {reason}");
                match shipped::meant(path).filter(|_| from.is_none()) {
                    Some(meant) => self
                        .diagnostics
                        .push(Diagnostic::error(message).help(meant)),
                    None => self.refuse(message, from),
                }
                return None;
            }
        };
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let message = format!("{name} is not UTF-8 text");
                let place = if from.is_some() && !is_toml(path) {
                    from
                } else {
                    let lossy = String::from_utf8_lossy(error.as_bytes()).into_owned();
                    let id = self.sources.add_file(path, lossy);
                    Some(Span::new(id, at..at + 1))
                };
                self.refuse(message, place);
                return None;
            }
        };
        let id = self.sources.add_file(path, text);
        self.source(id, from)
    }

    /// The bytes of a file, within the limit of all files. An included file must be a plain one:
    /// a device may have no end, and a pipe no writer.
    fn bytes_of(&mut self, path: &Path, included: bool) -> Result<Vec<u8>, String> {
        let found = std::fs::metadata(path).map_err(|error| error.to_string())?;
        if found.is_dir() || included && !found.is_file() {
            return Err("it is not a regular file".to_owned());
        }
        let left = MAX_BYTES - self.bytes;
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| error.to_string())?;
        let read = file.take(left + 1).read_to_end(&mut bytes);
        let count = read.map_err(|error| error.to_string())? as u64;
        if count > left {
            let limit = MAX_BYTES >> 20;
            return Err(format!(
                "the files of a scenario may have {limit} MiB in all"
            ));
        }
        self.bytes += count;
        Ok(bytes)
    }

    fn source(&mut self, id: SourceId, from: Option<Span>) -> Option<Node> {
        let mut table = self.parse(id, from)?;
        let own = table.remove("include");
        let mut merged = NodeTable::default();
        let mut complete = true;
        for (path, span) in own
            .map(|entry| self.include_list(&entry.node))
            .unwrap_or_default()
        {
            let folder = self
                .sources
                .get(id)
                .map_or(Path::new(""), |source| source.directory());
            match self
                .file(&folder.join(path), Some(span))
                .map(|node| node.value)
            {
                Some(NodeValue::Table(included)) => merged.merge(included),
                _ => complete = false,
            }
        }
        merged.merge(table);
        let root = Node {
            value: NodeValue::Table(merged),
            span: Span::new(id, 0..0),
        };
        complete.then_some(root)
    }

    fn include_list(&mut self, node: &Node) -> Vec<(PathBuf, Span)> {
        let items = node.as_list().unwrap_or(std::slice::from_ref(node));
        let mut paths = Vec::new();
        for item in items {
            if let Some(path) = item.as_text() {
                paths.push((PathBuf::from(path), item.span));
            } else {
                let found = item.kind_name();
                let message = format!("include: expected the name of a file, found {found}");
                self.refuse(message, Some(item.span));
            }
        }
        paths
    }

    fn parse(&mut self, id: SourceId, from: Option<Span>) -> Option<NodeTable> {
        let source = self.sources.get(id)?;
        let text = source.text();
        let (document, errors) = DeTable::parse_recoverable(text);
        let mut problems = Vec::new();
        if errors.is_empty() {
            let mut converter = Converter {
                source: id,
                offset: 0,
                problems: &mut problems,
            };
            let table = converter.table(document.get_ref());
            let sound = problems.is_empty();
            for problem in problems {
                self.diagnostics.push(problem);
            }
            return sound.then_some(table);
        }
        if let Some(from) = from.filter(|_| !is_toml(Path::new(source.name()))) {
            // somebody else's file: it says where it is no TOML, and shows none of its lines
            let at = errors.first().and_then(toml::de::Error::span);
            let place = at.map(|range| source.position(range.start));
            let (name, text) = (source.name(), errors.first().map_or("", |e| e.message()));
            let place = place.map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
            let message = format!("{name}{place}: not valid TOML: {text}");
            self.refuse(message, Some(from));
            return None;
        }
        let mut lines = Vec::new();
        for error in &errors {
            let range = error.span().unwrap_or(text.len()..text.len());
            let line = text
                .as_bytes()
                .iter()
                .take(range.start)
                .filter(|&&b| b == b'\n')
                .count();
            if lines.len() >= MAX_SYNTAX_ERRORS || lines.contains(&line) {
                continue;
            }
            lines.push(line);
            self.diagnostics
                .push(syntax_error(error.message(), Span::new(id, range)));
        }
        None
    }
}

/// Whether a file says of itself that it is TOML.
fn is_toml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// A message of the TOML parser in our words.
pub(crate) fn syntax_error(message: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("not valid TOML: {message}")).at(span);
    if is_duplicate(message) {
        return diagnostic.help("each field and each table may be given once");
    }
    diagnostic
}

/// Whether this is the message for a key that is given twice.
///
/// The parser's errors have no kind, so they are compared with what it says of such a document.
fn is_duplicate(message: &str) -> bool {
    DeTable::parse("a = 0\na = 0").is_err_and(|error| error.message() == message)
}
