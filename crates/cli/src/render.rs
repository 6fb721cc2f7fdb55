//! Errors and warnings as people read them.

use std::fmt;

use bristle_laws::NoticeValue;
use bristle_scenario::diagnostic::{self, Location};
use bristle_scenario::{Diagnostic, Diagnostics, Severity, SourceMap};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, Severity as Level, SourceCode};
use serde_json::json;

use crate::excerpt::{Excerpt, printable};
use crate::terminal::Stream;

/// Lines longer than this are cut around the underline, which the graphical form does not do.
const LONGEST_LINE: usize = 400;

/// Prints all diagnostics to standard error.
pub(crate) fn print(diagnostics: &Diagnostics, sources: &SourceMap) {
    for diagnostic in diagnostics {
        print_one(diagnostic, sources);
    }
}

/// Prints one diagnostic to standard error.
pub(crate) fn print_one(diagnostic: &Diagnostic, sources: &SourceMap) {
    let text = render(
        diagnostic,
        sources,
        Stream::Err.width(),
        Stream::Err.colour(),
    );
    Stream::Err.print(&text);
}

/// Prints an error that has no place in a file.
pub(crate) fn error(message: impl Into<String>, help: Option<String>) {
    let mut diagnostic = Diagnostic::error(message);
    diagnostic.help = help;
    print_one(&diagnostic, &SourceMap::new());
}

/// Prints a warning that has no place in a file.
pub(crate) fn warning(message: impl Into<String>, help: Option<String>) {
    let mut diagnostic = Diagnostic::warning(message);
    diagnostic.help = help;
    print_one(&diagnostic, &SourceMap::new());
}

/// A diagnostic as text of at most `width` columns.
fn render(diagnostic: &Diagnostic, sources: &SourceMap, width: usize, colour: bool) -> String {
    let places = diagnostic
        .labels
        .iter()
        .filter_map(|label| diagnostic::locate(label.span, sources));
    let long = places.map(|place| shown_lines(&place)).any(|lines| {
        let mut lines = lines.lines();
        lines.any(|line| line.len() > LONGEST_LINE)
    });
    if long {
        return diagnostic.render_plain(sources) + "\n";
    }
    let theme = if colour {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .with_width(width.max(40))
        .with_context_lines(CONTEXT);
    let mut text = String::new();
    match handler.render_report(&mut text, &RenderedDiagnostic::new(diagnostic, sources)) {
        Ok(()) => text,
        Err(_) => diagnostic.render_plain(sources) + "\n",
    }
}

/// Lines of context above and below.
const CONTEXT: usize = 1;

/// The lines of a place with their context.
fn shown_lines<'a>(place: &Location<'a>) -> &'a str {
    let line = |offset: usize| place.source.position(offset).line;
    let (first, last) = (line(place.range.start), line(place.range.end));
    &place.text[place
        .source
        .lines(first.saturating_sub(CONTEXT).max(1), last + CONTEXT)]
}

/// A diagnostic in the terms of the renderer: the places of one text, and those of others.
struct RenderedDiagnostic<'a> {
    message: String,
    severity: Severity,
    help: Option<String>,
    source: Option<Excerpt<'a>>,
    labels: Vec<LabeledSpan>,
    others: Vec<RenderedDiagnostic<'a>>,
    /// Whether this is the diagnostic itself and not a place that belongs to another one.
    principal: bool,
}

impl<'a> RenderedDiagnostic<'a> {
    fn new(diagnostic: &Diagnostic, sources: &'a SourceMap) -> Self {
        let mut groups: Vec<Self> = Vec::new();
        let mut files = Vec::new();
        for label in &diagnostic.labels {
            let Some(place) = diagnostic::locate(label.span, sources) else {
                continue;
            };
            let index = files.iter().position(|&id| id == label.span.source);
            let index = index.unwrap_or_else(|| {
                files.push(label.span.source);
                groups.push(Self {
                    message: "see also".to_owned(),
                    severity: diagnostic.severity,
                    help: None,
                    source: Some(Excerpt::of(place.source)),
                    labels: Vec::new(),
                    others: Vec::new(),
                    principal: false,
                });
                groups.len() - 1
            });
            let remark = (!label.text.is_empty()).then(|| printable(&label.text));
            // an empty range still deserves a mark
            let length = place.range.len().max(1);
            let span = LabeledSpan::new(remark, place.range.start, length);
            if let Some(group) = groups.get_mut(index) {
                group.labels.push(span);
            }
        }
        let mut groups = groups.into_iter();
        let first = groups.next();
        let (source, labels) = first.map_or((None, Vec::new()), |g| (g.source, g.labels));
        Self {
            message: printable(&diagnostic.message),
            severity: diagnostic.severity,
            help: diagnostic.help.as_deref().map(printable),
            source,
            labels,
            others: groups.collect(),
            principal: true,
        }
    }
}

impl fmt::Display for RenderedDiagnostic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for RenderedDiagnostic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RenderedDiagnostic<'_> {}

impl miette::Diagnostic for RenderedDiagnostic<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.principal
            .then(|| Box::new(self.severity.word()) as Box<_>)
    }

    fn severity(&self) -> Option<Level> {
        Some(match self.severity {
            _ if !self.principal => Level::Advice,
            Severity::Warning => Level::Warning,
            Severity::Error => Level::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as Box<_>)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        let others = self.others.iter().map(|o| o as &dyn miette::Diagnostic);
        (!self.others.is_empty()).then(|| Box::new(others) as Box<_>)
    }
}

/// A diagnostic for programs.
pub(crate) fn json(diagnostic: &Diagnostic, sources: &SourceMap) -> serde_json::Value {
    let place = diagnostic.locate(sources);
    let subject = diagnostic.subject.as_ref();
    let values = subject.map(|subject| {
        let entry = |v: &NoticeValue| {
            (
                v.name.to_owned(),
                json!({ "value": v.value, "unit": v.unit }),
            )
        };
        let entries = subject.values.iter().map(entry);
        entries.collect::<serde_json::Map<_, _>>()
    });
    json!({
        "severity": diagnostic.severity.word(),
        "message": diagnostic.message,
        "file": place.as_ref().map(|p| p.file),
        "line": place.as_ref().map(|p| p.position.line),
        "column": place.as_ref().map(|p| p.position.column),
        "help": diagnostic.help,
        "topic": subject.map(|subject| subject.topic.key()),
        "values": values,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_scenario::{Origin, Span};

    fn sample() -> (Diagnostic, SourceMap) {
        let mut sources = SourceMap::new();
        let text = "[body.cube]\nmass = \"5 m\"\n".to_owned();
        let source = sources.add("a.toml".to_owned(), text, Origin::Text);
        let span = Span {
            source,
            start: 19,
            end: 24,
        };
        let diagnostic = Diagnostic::error("5 m is a length").label(span, "a mass, in kg");
        (diagnostic.help("write \"5 kg\""), sources)
    }

    #[test]
    fn the_place_the_remark_and_the_help_are_shown_at_any_width() {
        let (diagnostic, sources) = sample();
        for width in [10, 40, 80, 120] {
            let text = render(&diagnostic, &sources, width, false);
            for part in [
                "a.toml:2:8",
                "mass = \"5 m\"",
                "a mass, in kg",
                "5 m is a length",
            ] {
                assert!(text.contains(part), "{part} is not in\n{text}");
            }
            assert!(!text.contains('\x1b'));
        }
        assert!(render(&diagnostic, &sources, 80, true).contains('\x1b'));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal_and_offsets_stay() {
        let text = "a\x1b[31m\u{9b}31m\tb\r\nµ";
        let shown = printable(text);
        assert_eq!(shown.len(), text.len());
        assert!(
            shown
                .chars()
                .all(|c| !c.is_control() || c == '\n' || c == '\t')
        );
    }
}
