//! What is wrong with a scenario, and where.

use std::collections::HashMap;
use std::fmt::Write as _;

use bristle_laws::{Notice, NoticeValue, Topic};

use crate::{Position, Source, SourceMap, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scenario can run, but physics or numerics deserve a second look.
    Warning,
    /// The scenario cannot run.
    Error,
}

impl Severity {
    /// `error` or `warning`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// An underlined place with an optional remark (which may be empty).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// Remark beside the underline.
    pub text: String,
}

/// What a warning is about, as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Path of the field, e.g. `contact.base.friction`.
    pub path: String,
    /// The topic.
    pub topic: Topic,
    /// The numbers behind it.
    pub values: Vec<NoticeValue>,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong: field, value with unit, and what is allowed.
    pub message: String,
    /// Where; the first label is the principal one. Empty if there is no place, as when the
    /// scenario file itself cannot be read.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// What it is about, if it is about a law.
    pub subject: Option<Subject>,
}

/// A place in the terms of the user, with what a renderer needs to draw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// Name of the file or text.
    pub file: &'a str,
    /// Its whole text.
    pub text: &'a str,
    /// The file.
    pub source: &'a Source,
    /// Byte range of the underlined part, on character boundaries of `text`.
    pub range: std::ops::Range<usize>,
    /// Line and column of the start.
    pub position: Position,
}

impl<'a> Location<'a> {
    /// The line of the start, without its line break.
    pub fn line(&self) -> &'a str {
        self.source.line_at(self.range.start)
    }
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        let (severity, message) = (Severity::Error, message.into());
        Self {
            severity,
            message,
            labels: Vec::new(),
            help: None,
            subject: None,
        }
    }

    /// A warning without a place.
    pub fn warning(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(message)
        }
    }

    /// A warning about the law at a path.
    pub fn notice(path: &str, notice: Notice) -> Self {
        Self {
            subject: Some(Subject {
                path: path.to_owned(),
                topic: notice.topic,
                values: notice.values,
            }),
            ..Self::warning(format!("{path}: {}", notice.text))
        }
    }

    /// Adds a place.
    #[must_use]
    pub fn at(self, span: Span) -> Self {
        self.label(span, "")
    }

    /// Adds a place with a remark.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The principal place, if there is one.
    pub fn locate<'a>(&self, sources: &'a SourceMap) -> Option<Location<'a>> {
        self.labels
            .first()
            .and_then(|label| locate(label.span, sources))
    }

    /// The diagnostic as plain text:
    /// `file:line:column: error: message`, the line, the underline and the help.
    pub fn render_plain(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        if let Some(Location { file, position, .. }) = self.locate(sources) {
            let Position { line, column } = position;
            let _ = write!(out, "{file}:{line}:{column}: ");
        }
        let _ = writeln!(out, "{}: {}", self.severity.word(), self.message);
        let places: Vec<(Location<'_>, &str)> = self
            .labels
            .iter()
            .filter_map(|label| Some((locate(label.span, sources)?, label.text.as_str())))
            .collect();
        let lines = places.iter().map(|(location, _)| location.position.line);
        let gutter = lines.max().unwrap_or(0).to_string().len();
        for (index, (location, remark)) in places.iter().enumerate() {
            if index > 0 && location.file != places[0].0.file {
                let Position { line, column } = location.position;
                let _ = writeln!(out, "{:gutter$} --> {}:{line}:{column}", "", location.file);
            }
            draw(&mut out, location, remark, gutter);
        }
        if let Some(help) = &self.help {
            let _ = writeln!(out, "{:gutter$} = help: {help}", "");
        }
        out
    }
}

/// The place of a span in the terms of the user.
pub fn locate(span: Span, sources: &SourceMap) -> Option<Location<'_>> {
    let source = sources.get(span.source)?;
    let start = source.clamp(span.start);
    let end = source.clamp(span.end).max(start);
    let position = source.position(start);
    Some(Location {
        file: source.name(),
        text: source.text(),
        source,
        range: start..end,
        position,
    })
}

/// Characters of a source line that are shown; a longer line is cut around the underline.
const WIDTH: usize = 120;

fn draw(out: &mut String, location: &Location<'_>, remark: &str, gutter: usize) {
    let line: Vec<char> = location.line().chars().collect();
    let column = location.position.column - 1;
    let marked = location.text[location.range.clone()]
        .split('\n')
        .next()
        .unwrap_or_default();
    let marked = marked
        .chars()
        .count()
        .min(line.len().saturating_sub(column))
        .max(1);

    let first = if line.len() <= WIDTH {
        0
    } else {
        column.saturating_sub(WIDTH / 3)
    };
    let last = line.len().min(first + WIDTH);
    // Control characters would spoil the terminal; a tab stays, so that the caret stays below.
    let visible = |c: &char| {
        if c.is_control() && *c != '\t' {
            '\u{fffd}'
        } else {
            *c
        }
    };
    let mut shown: String = line
        .get(first..last)
        .unwrap_or_default()
        .iter()
        .map(visible)
        .collect();
    let mut indent: String = line
        .get(first..column)
        .unwrap_or_default()
        .iter()
        .map(|&c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    if first > 0 {
        shown.insert(0, '…');
        indent.insert(0, ' ');
    }
    if last < line.len() {
        shown.push('…');
    }
    let carets = "^".repeat(marked.min(WIDTH.saturating_sub(column - first).max(1)));
    let underline = format!("{indent}{carets} {remark}");
    let _ = writeln!(out, "{:gutter$} | {shown}", location.position.line);
    let _ = writeln!(out, "{:gutter$} | {}", "", underline.trim_end());
}

/// Errors and warnings in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// Indices in the list by message and place.
    index: HashMap<(String, Option<Span>), Vec<usize>>,
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one; an exact repetition is dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.labels.first().map(|label| label.span);
        let key = (diagnostic.message.clone(), place);
        let alike = self.index.entry(key).or_default();
        if !alike.iter().any(|&i| self.list[i] == diagnostic) {
            alike.push(self.list.len());
            self.list.push(diagnostic);
        }
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: Diagnostics) {
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }

    /// All but the warnings about some topics.
    pub(crate) fn without(self, topics: &[Topic]) -> Self {
        let mut rest = Self::new();
        for diagnostic in self.list {
            let about = diagnostic.subject.as_ref();
            if about.is_none_or(|about| !topics.contains(&about.topic)) {
                rest.push(diagnostic);
            }
        }
        rest
    }

    /// True if at least one is an error.
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// True if there is neither an error nor a warning.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Number of errors and warnings.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// All of them as plain text, one after the other with an empty line between.
    pub fn render_plain(&self, sources: &SourceMap) -> String {
        let texts: Vec<String> = self.iter().map(|d| d.render_plain(sources)).collect();
        texts.join("\n")
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    #[test]
    fn the_plain_text_underlines_the_place() {
        let mut sources = SourceMap::new();
        let text = "[a]\n\tlength = \"5 kg\"\n".to_owned();
        let source = sources.add("a.toml".to_owned(), text, Origin::Text);
        let diagnostic = Diagnostic::error("5 kg is a mass")
            .label(
                Span {
                    source,
                    start: 14,
                    end: 20,
                },
                "here",
            )
            .help("write a length");
        assert_eq!(
            diagnostic.render_plain(&sources),
            "a.toml:2:11: error: 5 kg is a mass\n\
             2 | \tlength = \"5 kg\"\n  | \t         ^^^^^^ here\n  = help: write a length\n"
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_underline() {
        let mut sources = SourceMap::new();
        let text = format!("{}#{}", "x".repeat(5000), "y".repeat(5000));
        let source = sources.add("long".to_owned(), text, Origin::Text);
        let span = Span {
            source,
            start: 5000,
            end: 5001,
        };
        let out = Diagnostic::error("bad").at(span).render_plain(&sources);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "long:1:5001: error: bad");
        assert_eq!(lines[1].chars().count(), 4 + 120 + 2);
        let below = lines[1].chars().position(|c| c == '#');
        assert_eq!(below, lines[2].chars().position(|c| c == '^'));
    }
}
