//! Files and what they include.

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use crate::node::Converter;
use crate::{Diagnostic, Diagnostics, Node, Origin, SourceId, SourceMap, Span, Table, Value};

/// Syntax errors shown per file: later ones are mostly consequences of the first.
const MAX_SYNTAX_ERRORS: usize = 5;

/// Reads a scenario file and the files that it includes.
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
    Loader {
        sources,
        diagnostics,
        open: Vec::new(),
    }
    .file(path, None)
}

/// Reads a scenario from a text; includes are relative to the working folder.
pub fn load_text(
    name: &str,
    text: &str,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    let id = sources.add(name.to_owned(), text.to_owned(), Origin::Text);
    Loader {
        sources,
        diagnostics,
        open: Vec::new(),
    }
    .source(id)
}

struct Loader<'a> {
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
    /// Files being read, outermost first.
    open: Vec<PathBuf>,
}

impl Loader<'_> {
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
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.refuse(format!("cannot read {name}: {error}"), from);
                return None;
            }
        };
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let lossy = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let id = self.sources.add_file(path, lossy);
                let message = format!("{name} is not UTF-8 text");
                self.refuse(message, Some(Span::new(id, valid..valid + 1)));
                return None;
            }
        };
        let id = self.sources.add_file(path, text);
        self.open.push(identity);
        let node = self.source(id);
        self.open.pop();
        node
    }

    fn source(&mut self, id: SourceId) -> Option<Node> {
        let mut table = self.parse(id)?;
        let own = table.remove("include");
        let mut merged = Table::default();
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
                Some(Value::Table(included)) => merged.merge(included),
                _ => complete = false,
            }
        }
        merged.merge(table);
        let root = Node {
            value: Value::Table(merged),
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

    fn parse(&mut self, id: SourceId) -> Option<Table> {
        let text = self.sources.get(id)?.text();
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

/// A message of the TOML parser in our words.
pub(crate) fn syntax_error(message: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("not valid TOML: {message}")).at(span);
    if message.contains("duplicate key") {
        return diagnostic.help("each field and each table may be given once");
    }
    diagnostic
}
