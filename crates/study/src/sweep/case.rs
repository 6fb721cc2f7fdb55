//! One case of a sweep.

use bristle_scenario::{Changes, Diagnostics, SourceMap};

/// The option of grids, for diagnostics.
pub(super) const VARY: &str = "--vary";

/// One case of a sweep: what changes in the scenario.
#[derive(Clone, Debug, Default)]
pub(super) struct Case {
    /// Where its values come from, for diagnostics.
    pub(super) place: String,
    pub(super) removed: Vec<String>,
    pub(super) texts: Vec<String>,
    /// Axes that mean nothing in this case.
    pub(super) ignored: Vec<usize>,
}

/// A case that is no scenario.
#[derive(Debug)]
pub(super) struct Unsound {
    pub(super) diagnostics: Diagnostics,
    pub(super) sources: SourceMap,
}

impl Case {
    pub(super) fn changes(&self) -> Changes<'_> {
        Changes {
            option: &self.place,
            removed: &self.removed,
            texts: &self.texts,
        }
    }
}
