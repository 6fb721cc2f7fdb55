//! A scenario and the axes along which it varies: which runs there are, and what each of them is.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use bristle_results::Status;
use bristle_scenario::{Changes, Diagnostic, Diagnostics, Scenario, Severity, SourceMap, Template};
use sha2::{Digest as _, Sha256};

use super::axis::{Axis, AxisValue};
use super::case::{Case, Unsound, VARY};
use super::collect::InMemory;
use super::error::StudyError;
use super::laws::LawAxes;
use super::manifest::{AxisText, HashedFile, Manifest};
use super::measure::ChannelMeasure;
use super::paths::{check_parts, check_paths};
use super::record::{CaseEnd, CaseRecord, numbers};
use crate::engine::{channels_of, execute};

/// Cases that are tried before a sweep is refused because none of them is sound.
const TRIED: usize = 64;

/// What a sweep is asked for.
#[derive(Clone, Debug)]
pub struct SweepRequest {
    /// The scenario's file.
    pub scenario: PathBuf,
    /// `--set`.
    pub overrides: Vec<String>,
    /// The axes, at least one.
    pub axes: Vec<Axis>,
    /// What is measured in every run.
    pub measures: Vec<ChannelMeasure>,
}

/// A sweep that is ready to run.
#[derive(Debug)]
pub struct Study {
    template: Template,
    sources: SourceMap,
    overrides: Vec<String>,
    axes: Vec<Axis>,
    measures: Vec<ChannelMeasure>,
    laws: LawAxes,
    count: usize,
    /// Warnings of the first case that is sound, and the texts that they point to.
    warnings: (Vec<Diagnostic>, SourceMap),
    title: String,
}

impl Study {
    /// Reads the scenario and checks that the axes make sense in it.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn read(request: SweepRequest) -> Result<Self, StudyError> {
        let SweepRequest {
            scenario,
            overrides,
            axes,
            measures,
        } = request;
        check_paths(&axes, &overrides)?;
        let mut sources = SourceMap::new();
        let template = match Template::read(&scenario, &overrides, &mut sources) {
            Ok(template) => template,
            Err(diagnostics) => {
                let sources = Box::new(sources);
                return Err(StudyError::Scenario {
                    diagnostics,
                    sources,
                });
            }
        };
        check_parts(&axes, &template)?;
        let sizes = axes.iter().map(|axis| axis.values.len());
        let count = sizes
            .clone()
            .try_fold(1_usize, usize::checked_mul)
            .ok_or(StudyError::TooMany)?;
        let mut study = Self {
            laws: LawAxes::of(&axes, &template, &sources)?,
            template,
            sources,
            overrides,
            axes,
            measures,
            count,
            warnings: (Vec::new(), SourceMap::new()),
            title: String::new(),
        };
        let (first, sources) = study.first_sound()?;
        let channels = channels_of(&first);
        for measure in &study.measures {
            measure.check(&channels, first.plan.end_time)?;
        }
        study.title.clone_from(&first.title);
        study.warnings = (first.warnings, sources);
        Ok(study)
    }

    /// Number of cases.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The axes.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The scenario's file.
    pub fn scenario(&self) -> &Path {
        self.template.path()
    }

    /// The scenario's title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Warnings of the first case that is sound, and the texts that they point to.
    pub fn warnings(&self) -> (&[Diagnostic], &SourceMap) {
        (&self.warnings.0, &self.warnings.1)
    }

    /// The values of a case; the last axis changes fastest.
    pub fn values(&self, case: usize) -> Vec<&AxisValue> {
        let mut rest = case;
        let mut values: Vec<&AxisValue> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            values.push(&axis.values[rest % axis.values.len()]);
            rest /= axis.values.len();
        }
        values.reverse();
        values
    }

    /// `path=value` of a case, for people.
    pub fn words(&self, case: usize) -> String {
        let values = self.values(case).into_iter();
        let words = self.axes.iter().zip(values);
        let words: Vec<String> = words
            .map(|(a, v)| format!("{}={}", a.path, v.text))
            .collect();
        words.join(", ")
    }

    /// What is measured in every run.
    pub fn measures(&self) -> &[ChannelMeasure] {
        &self.measures
    }

    /// What the folder of the sweep keeps of it.
    pub(super) fn manifest(&self) -> Manifest {
        let files = self.sources.iter().map(|(_, source)| HashedFile {
            name: source.name().to_owned(),
            hash: digest(&[source.text()]),
        });
        let axes = self.axes.iter().map(|axis| AxisText {
            path: axis.path.clone(),
            values: axis.values.iter().map(|value| value.text.clone()).collect(),
        });
        let mut sources = self.sources.clone();
        Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scenario: self.template.path().display().to_string(),
            // the overrides are sources too, and kept apart
            files: files.filter(|file| file.name != "--set").collect(),
            set: self.overrides.clone(),
            measures: self.measures.iter().map(ChannelMeasure::name).collect(),
            fingerprint: self.template.fingerprint(&Changes::NONE, &mut sources),
            axes: axes.collect(),
        }
    }

    /// What a case changes in the scenario.
    pub(super) fn case(&self, index: usize) -> Result<Case, Unsound> {
        let values = self.values(index);
        self.laws
            .case(&self.axes, &values, &self.template, &self.sources)
    }

    /// Identifies a case with everything that its result depends on.
    pub(super) fn key(&self, case: &Case) -> String {
        let mut sources = self.sources.clone();
        let fingerprint = self.template.fingerprint(&case.changes(), &mut sources);
        let mut parts = vec![fingerprint, env!("CARGO_PKG_VERSION").to_owned()];
        parts.extend(case.removed.iter().cloned());
        parts.extend(self.measures.iter().map(ChannelMeasure::name));
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        digest(&parts)
    }

    /// Key of a case for which the scenario could not even be changed.
    pub(super) fn key_of_unsound(&self, index: usize) -> String {
        let words = self.words(index);
        let mut sources = self.sources.clone();
        let fingerprint = self.template.fingerprint(&Changes::NONE, &mut sources);
        digest(&[&fingerprint, env!("CARGO_PKG_VERSION"), "unsound", &words])
    }

    /// Runs a case. Nothing if it was stopped.
    pub(super) fn run(
        &self,
        index: usize,
        case: &Case,
        key: String,
        stop: &AtomicBool,
    ) -> Option<CaseRecord> {
        let (scenario, _) = match self.build(case) {
            Ok(built) => built,
            Err(unsound) => return Some(self.refused(index, key, &unsound)),
        };
        let channels = channels_of(&scenario);
        let mut sink = InMemory::new(&channels, &self.measures, stop);
        let summary = execute(&scenario, &mut sink);
        let (reason, help) = match summary.error {
            Some(ref error) => (Some(error.message.clone()), error.help.clone()),
            None => (None, None),
        };
        let end = match summary.status {
            Status::Interrupted => return None,
            Status::Failed => CaseEnd::Failed,
            Status::Complete => CaseEnd::Complete,
        };
        let unit_of = |name: &str| {
            let channel = channels.iter().find(|c| c.name == name);
            channel.map_or_else(String::new, |c| c.unit.clone())
        };
        let numbers = numbers(&summary, sink.measuring.numbers(), &unit_of);
        Some(CaseRecord {
            key,
            parameters: self.parameters(index),
            end,
            reason,
            help,
            wall_s: summary.wall_s,
            numbers,
        })
    }

    /// The record of a case that is no scenario.
    pub(super) fn refused(&self, index: usize, key: String, unsound: &Unsound) -> CaseRecord {
        let mut errors = unsound
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error);
        let first = errors.next();
        let more = errors.count();
        let mut reason = first.map_or_else(String::new, |first| first.message.clone());
        if more > 0 {
            reason = format!("{reason}; and {more} more");
        }
        CaseRecord {
            key,
            parameters: self.parameters(index),
            end: CaseEnd::Refused,
            reason: Some(reason),
            help: first.and_then(|first| first.help.clone()),
            wall_s: 0.0,
            numbers: Vec::new(),
        }
    }

    fn parameters(&self, index: usize) -> Vec<String> {
        let values = self.values(index).into_iter();
        values.map(|value| value.text.clone()).collect()
    }

    fn build(&self, case: &Case) -> Result<(Scenario, SourceMap), Unsound> {
        let mut sources = self.sources.clone();
        match self.template.build(&case.changes(), &mut sources) {
            Ok(scenario) => Ok((scenario, sources)),
            Err(diagnostics) => Err(Unsound {
                diagnostics,
                sources,
            }),
        }
    }

    /// The first case that is sound, among those that differ from the first one along one axis.
    fn first_sound(&self) -> Result<(Scenario, SourceMap), StudyError> {
        let mut tried = vec![0];
        let mut stride = self.count;
        for axis in &self.axes {
            stride /= axis.values.len();
            tried.extend((1..axis.values.len()).map(|i| i * stride));
        }
        let mut unsound = None;
        for index in tried.into_iter().take(TRIED) {
            match self.case(index).and_then(|case| self.build(&case)) {
                Ok(found) => return Ok(found),
                Err(error) => {
                    let unknown = names_unknown_field(&error);
                    let first = unsound.get_or_insert(error);
                    if unknown {
                        let Unsound {
                            diagnostics,
                            sources,
                        } = std::mem::replace(
                            first,
                            Unsound {
                                diagnostics: Diagnostics::new(),
                                sources: SourceMap::new(),
                            },
                        );
                        let sources = Box::new(sources);
                        return Err(StudyError::Scenario {
                            diagnostics,
                            sources,
                        });
                    }
                }
            }
        }
        let (diagnostics, sources) = match unsound {
            Some(unsound) => (unsound.diagnostics, unsound.sources),
            None => (Diagnostics::new(), SourceMap::new()),
        };
        let sources = Box::new(sources);
        Err(StudyError::Scenario {
            diagnostics,
            sources,
        })
    }
}

/// Whether an error is about a path of an axis and not about its value.
fn names_unknown_field(unsound: &Unsound) -> bool {
    unsound.diagnostics.iter().any(|diagnostic| {
        let place = diagnostic.locate(&unsound.sources);
        place.is_some_and(|place| {
            let path = place.text.find('=').unwrap_or(0);
            place.file == VARY && diagnostic.severity == Severity::Error && place.range.start < path
        })
    })
}

/// The first half of a SHA-256 over texts of known lengths.
fn digest(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let digest = hasher.finalize();
    digest[..16].iter().fold(String::new(), |mut text, byte| {
        use std::fmt::Write as _;
        // writing to a string cannot fail
        let _ = write!(text, "{byte:02x}");
        text
    })
}
