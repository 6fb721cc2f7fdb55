//! The lines of a text that a diagnostic shows, without reading the rest of it: many errors in one
//! large file cost no more each than one.

use std::sync::OnceLock;

use bristle_scenario::Source;
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// A text, of which the lines around a place are asked for.
pub(crate) struct Excerpt<'a> {
    source: &'a Source,
    /// The text as the terminal may see it, where that differs.
    printable: OnceLock<String>,
}

impl<'a> Excerpt<'a> {
    pub(crate) fn of(source: &'a Source) -> Self {
        let printable = OnceLock::new();
        Self { source, printable }
    }
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'b>(
        &'b self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'b> + 'b>, MietteError> {
        let source = self.source;
        let line = |offset: usize| source.position(offset).line;
        let first = line(span.offset()).saturating_sub(lines_before).max(1);
        let last = line(span.offset() + span.len()) + lines_after;
        let mut range = source.lines(first, last);
        let mut column = 0;
        if lines_before == 0 {
            // without context the place itself is asked for
            range.start = span.offset().min(range.end);
            column = source.position(span.offset()).column - 1;
        }
        let mut text = &source.text()[range.clone()];
        if !text.chars().all(is_printable) {
            // of the same length in bytes
            let all = self.printable.get_or_init(|| printable(source.text()));
            text = &all[range.clone()];
        }
        Ok(Box::new(MietteSpanContents::new_named(
            source.name().to_owned(),
            text.as_bytes(),
            (range.start, range.len()).into(),
            first - 1,
            column,
            text.lines().count(),
        )))
    }
}

/// Whether the terminal shows a character and does not obey it.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | '\t') || !c.is_control()
}

/// Text without the control characters that a terminal would obey, of the same length in bytes.
pub(crate) fn printable(text: &str) -> String {
    let visible = |c: char| match c {
        c if is_printable(c) => c,
        '\r' => ' ',
        c if c.len_utf8() == 1 => '?',
        // the others take two bytes, as does this dot
        _ => '·',
    };
    text.chars().map(visible).collect()
}
