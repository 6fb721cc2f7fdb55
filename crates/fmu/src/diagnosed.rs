//! Diagnostics of the reader in one line, for a log.

use bristle_scenario::{Diagnostics, Severity, SourceMap};

/// The first error, with its place.
pub(crate) fn first_error(diagnostics: &Diagnostics, sources: &SourceMap) -> String {
    let mut errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error);
    let Some(error) = errors.next() else {
        return "it cannot be read".to_owned();
    };
    let place = error.labels.first().and_then(|label| {
        let source = sources.get(label.span.source)?;
        let at = source.position(label.span.start);
        Some(format!("{}:{}:{}: ", source.name(), at.line, at.column))
    });
    let place = place.unwrap_or_default();
    let help = error.help.as_ref();
    let help = help.map_or(String::new(), |help| format!("; {help}"));
    let more = match errors.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    format!("{place}{}{help}{more}", error.message)
}
