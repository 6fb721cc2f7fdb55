//! Harmonics whose frequency is that of a forced response.

use crate::{Diagnostic, Span};

/// A harmonic without a frequency. A forced response gives it one; a run in time cannot take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenHarmonic {
    /// Its path, such as `force.pull.magnitude.harmonic`.
    pub path: String,
    /// Where it stands in the file.
    pub span: Span,
}

impl OpenHarmonic {
    /// What a run in time says of it.
    pub fn refusal(&self) -> Diagnostic {
        let message = format!(
            "{}: a harmonic without frequency cannot be simulated in time",
            self.path
        );
        Diagnostic::error(message).at(self.span).help(
            "give it frequency = \"50 Hz\", or use `bristle response`, which gives the frequency",
        )
    }
}
