//! Whether the cases of a sweep are scenarios, before any of them is run.

use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;

use bristle_scenario::{Diagnostic, Diagnostics, Scenario, Severity, SourceMap};

use super::case::{Case, Unsound};
use super::error::StudyError;
use super::study::Study;
use crate::schedule::on_threads;

impl From<Unsound> for StudyError {
    fn from(unsound: Unsound) -> Self {
        Self::Scenario {
            diagnostics: unsound.diagnostics,
            sources: Box::new(unsound.sources),
        }
    }
}

impl Study {
    /// The first case that is sound, among those that the design says are worth a try.
    pub(super) fn first_sound(&self) -> Result<(Scenario, SourceMap), StudyError> {
        let mut first = None;
        for index in self.design().tried() {
            match self.case(index).and_then(|case| self.build(&case)) {
                Ok(found) => return Ok(found),
                Err(error) if names_unknown_field(&error, &self.design().place(index)) => {
                    return Err(error.into());
                }
                Err(error) => first = first.or(Some(error)),
            }
        }
        let none = || Unsound {
            diagnostics: Diagnostics::new(),
            sources: SourceMap::new(),
        };
        Err(first.unwrap_or_else(none).into())
    }

    /// Checks the ends of each range from which values are drawn, the other fields as the scenario has them: a
    /// range that leaves what its field may have is a mistake, and not a number of refused runs. An end that is
    /// itself excluded, as a mass of 0, is no value that is drawn.
    pub(super) fn check_ranges(&self) -> Result<(), StudyError> {
        /// Parts of the way: within both ends, next to them.
        const ENDS: [[f64; 2]; 2] = [[0.0, 1e-6], [1.0, 1.0 - 1e-6]];
        for range in self.design().ranges() {
            let with = |texts: Vec<String>| {
                let place = "--range".to_owned();
                let case = Case {
                    place,
                    texts,
                    ..Case::default()
                };
                self.build(&case).map(drop)
            };
            let at = |part: f64| with(vec![range.change(part)]);
            // without the other values of its run it may be unsound anyway
            if with(Vec::new()).is_err() && at(0.5).is_err() {
                continue;
            }
            for [end, within] in ENDS {
                if at(within).is_err() {
                    at(end)?;
                }
            }
        }
        Ok(())
    }

    /// Checks every row of a table: what is wrong with it is a mistake of the table, and not a result.
    pub(super) fn check_rows(&self) -> Result<(), StudyError> {
        let threads = available_parallelism().map_or(1, usize::from);
        let never = AtomicBool::new(false);
        let check = |case: usize| {
            let built = self.case(case).and_then(|case| self.build(&case));
            (case, built.err())
        };
        let (mut first, mut bad) = (None::<(usize, Unsound)>, Vec::new());
        on_threads(threads, self.count(), &never, check, |checked| {
            for (case, unsound) in checked {
                let Some(unsound) = unsound else { continue };
                bad.push(case);
                if first.as_ref().is_none_or(|(known, _)| case < *known) {
                    first = Some((case, unsound));
                }
            }
        });
        let Some((_, mut unsound)) = first else {
            return Ok(());
        };
        // warnings are about all rows, and would hide the mistake
        let all = std::mem::take(&mut unsound.diagnostics);
        let errors = all
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors.for_each(|error| unsound.diagnostics.push(error.clone()));
        bad.sort_unstable();
        if let Some(&next) = bad.get(1) {
            let (more, place) = (bad.len() - 1, self.design().place(next));
            let message = if more == 1 {
                format!("{place} is not sound either")
            } else {
                format!("{more} more rows are not sound, the next one in {place}")
            };
            unsound.diagnostics.push(Diagnostic::error(message));
        }
        Err(unsound.into())
    }
}

/// Whether an error is about a path of an axis and not about its value; `origin` is where the values
/// come from.
fn names_unknown_field(unsound: &Unsound, origin: &str) -> bool {
    unsound.diagnostics.iter().any(|diagnostic| {
        let place = diagnostic.locate(&unsound.sources);
        place.is_some_and(|place| {
            let path = place.text.find('=').unwrap_or(0);
            place.file == origin
                && diagnostic.severity == Severity::Error
                && place.range.start < path
        })
    })
}
