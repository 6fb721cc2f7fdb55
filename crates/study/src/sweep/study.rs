//! A scenario and the axes along which it varies: which runs there are, and what each of them is.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use bristle_results::{Channel, Status};
use bristle_scenario::{
    Changes, Diagnostic, Scenario, ScenarioSource, Severity, SourceMap, Template, suggest,
};
use sha2::{Digest as _, Sha256};

use super::axis::{Axis, AxisValue};
use super::case::{Case, Unsound};
use super::collect::InMemory;
use super::design::Design;
use super::error::StudyError;
use super::laws::LawAxes;
use super::manifest::{AxisText, HashedFile, Manifest};
use super::measure::CaseMeasure;
use super::paths::{check_parts, check_paths};
use super::record::{CaseEnd, CaseRecord, numbers};
use crate::engine::{channels_of, execute};

/// What a sweep is asked for.
#[derive(Clone, Debug)]
pub struct SweepRequest {
    /// The scenario.
    pub scenario: ScenarioSource,
    /// `--set`.
    pub overrides: Vec<String>,
    /// Which runs there are.
    pub design: Design,
    /// What is measured in every run.
    pub measures: Vec<CaseMeasure>,
    /// Names of the channels whose rows are kept of every run.
    pub channels: Vec<String>,
}

/// A sweep that is ready to run.
#[derive(Debug)]
pub struct Study {
    template: Template,
    sources: SourceMap,
    overrides: Vec<String>,
    design: Design,
    measures: Vec<CaseMeasure>,
    /// Channels whose rows are kept, the time first; none if none is.
    kept: Vec<Channel>,
    laws: LawAxes,
    /// Warnings of the first case that is sound, and the texts that they point to.
    warnings: (Vec<Diagnostic>, SourceMap),
    title: String,
    purpose: Purpose,
}

/// What the cases are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// To be simulated in time.
    Runs,
    /// To be excited at any frequency.
    Responses,
}

impl Study {
    /// Reads the scenario and checks that the axes make sense in it.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn read(request: SweepRequest) -> Result<Self, StudyError> {
        Self::read_for(request, Purpose::Runs)
    }

    /// The same for forced responses, whose harmonic loads have no frequency of their own.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn read_for_responses(request: SweepRequest) -> Result<Self, StudyError> {
        Self::read_for(request, Purpose::Responses)
    }

    fn read_for(request: SweepRequest, purpose: Purpose) -> Result<Self, StudyError> {
        let SweepRequest {
            scenario,
            overrides,
            design,
            measures,
            channels: kept,
        } = request;
        check_paths(&design, &overrides)?;
        let mut sources = SourceMap::new();
        let template = match Template::of_source(&scenario, &overrides, &mut sources) {
            Ok(template) => template,
            Err(diagnostics) => {
                let sources = Box::new(sources);
                return Err(StudyError::Scenario {
                    diagnostics,
                    sources,
                });
            }
        };
        check_parts(&design, &template)?;
        let mut study = Self {
            laws: LawAxes::of(&design, &template, &sources)?,
            template,
            sources,
            overrides,
            design,
            measures,
            kept: Vec::new(),
            warnings: (Vec::new(), SourceMap::new()),
            title: String::new(),
            purpose,
        };
        if study.design.is_table() {
            study.check_rows()?;
        }
        study.check_ranges()?;
        let (first, sources) = study.first_sound()?;
        let channels = channels_of(&first);
        for measure in &mut study.measures {
            measure.check(&channels, &first)?;
        }
        study.design.take_units(&first.parameters);
        study.kept = kept_channels(&kept, &channels)?;
        study.title.clone_from(&first.title);
        study.warnings = (first.warnings, sources);
        Ok(study)
    }

    /// Number of cases.
    pub fn count(&self) -> usize {
        self.design.count()
    }

    /// Which runs there are.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The axes.
    pub fn axes(&self) -> &[Axis] {
        self.design.axes()
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

    /// The values of a case.
    pub fn values(&self, case: usize) -> Vec<&AxisValue> {
        self.design.values(case)
    }

    /// `path=value` of a case, for people.
    pub fn words(&self, case: usize) -> String {
        let values = self.values(case).into_iter();
        let words = self.axes().iter().zip(values);
        let words: Vec<String> = words
            .map(|(a, v)| format!("{}={}", a.path, v.text))
            .collect();
        words.join(", ")
    }

    /// The scenario of a case, to do something else with it than to run it.
    ///
    /// # Errors
    /// [`StudyError::Scenario`] if the values make no scenario.
    pub fn scenario_of(&self, case: usize) -> Result<Scenario, StudyError> {
        let built = self.case(case).and_then(|case| self.build(&case));
        match built {
            Ok((scenario, _)) => Ok(scenario),
            Err(unsound) => Err(StudyError::Scenario {
                diagnostics: unsound.diagnostics,
                sources: Box::new(unsound.sources),
            }),
        }
    }

    /// What is measured in every run.
    pub fn measures(&self) -> &[CaseMeasure] {
        &self.measures
    }

    /// Channels whose rows are kept of every run, the time first; none if none is.
    pub fn kept(&self) -> &[Channel] {
        &self.kept
    }

    fn kept_names(&self) -> Vec<String> {
        self.kept
            .iter()
            .map(|channel| channel.name.clone())
            .collect()
    }

    /// What the folder of the sweep keeps of it.
    pub(super) fn manifest(&self) -> Manifest {
        let files = self.sources.iter().map(|(_, source)| HashedFile {
            name: source.name().to_owned(),
            hash: digest(&[source.text()]),
        });
        let listed = |axis: &Axis| axis.values.iter().map(|value| value.text.clone()).collect();
        let axes = self.axes().iter().map(|axis| AxisText {
            path: axis.path.clone(),
            values: if self.design.is_grid() {
                listed(axis)
            } else {
                Vec::new()
            },
        });
        let mut sources = self.sources.clone();
        Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scenario: self.template.path().display().to_string(),
            // the overrides are sources too, and kept apart
            files: files.filter(|file| file.name != "--set").collect(),
            set: self.overrides.clone(),
            measures: self.measures.iter().map(CaseMeasure::name).collect(),
            channels: self.kept_names(),
            fingerprint: self.template.fingerprint(&Changes::NONE, &mut sources),
            design: self.design.words(),
            axes: axes.collect(),
        }
    }

    /// What a case changes in the scenario.
    pub(super) fn case(&self, index: usize) -> Result<Case, Unsound> {
        let values = self.values(index);
        let place = self.design.place(index);
        self.laws
            .case(self.axes(), place, &values, &self.template, &self.sources)
    }

    /// Identifies a case with everything that its result depends on.
    pub(super) fn key(&self, case: &Case) -> String {
        let mut sources = self.sources.clone();
        let fingerprint = self.template.fingerprint(&case.changes(), &mut sources);
        let mut parts = vec![fingerprint, env!("CARGO_PKG_VERSION").to_owned()];
        parts.extend(case.removed.iter().cloned());
        parts.extend(self.measures.iter().map(CaseMeasure::name));
        parts.extend(self.kept_names());
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        digest(&parts)
    }

    /// The key of a case by its number.
    pub(super) fn key_of(&self, index: usize) -> String {
        match self.case(index) {
            Ok(case) => self.key(&case),
            Err(_) => self.key_of_unsound(index),
        }
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
        let kept = self.kept_names();
        let mut sink = InMemory::new(&channels, &self.measures, &kept, stop);
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
        let numbers = numbers(&summary, sink.measuring.numbers(&summary), &unit_of);
        Some(CaseRecord {
            key,
            parameters: self.parameters(index),
            end,
            reason,
            help,
            wall_s: summary.wall_s,
            numbers,
            kept: sink.kept,
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
            kept: Vec::new(),
        }
    }

    /// The record of a case whose run broke off.
    pub(super) fn lost(&self, index: usize, key: String, reason: &str) -> CaseRecord {
        CaseRecord {
            key,
            parameters: self.parameters(index),
            end: CaseEnd::Failed,
            reason: Some(reason.to_owned()),
            help: None,
            wall_s: 0.0,
            numbers: Vec::new(),
            kept: Vec::new(),
        }
    }

    fn parameters(&self, index: usize) -> Vec<String> {
        let values = self.values(index).into_iter();
        values.map(|value| value.text.clone()).collect()
    }

    pub(super) fn build(&self, case: &Case) -> Result<(Scenario, SourceMap), Unsound> {
        let mut sources = self.sources.clone();
        let built = match self.purpose {
            Purpose::Runs => self.template.build(&case.changes(), &mut sources),
            Purpose::Responses => self.template.build_any(&case.changes(), &mut sources),
        };
        match built {
            Ok(scenario) => Ok((scenario, sources)),
            Err(diagnostics) => Err(Unsound {
                diagnostics,
                sources,
            }),
        }
    }
}

/// The channels with these names, the time first.
fn kept_channels(names: &[String], channels: &[Channel]) -> Result<Vec<Channel>, StudyError> {
    let mut kept = Vec::new();
    for name in names.iter().filter(|name| *name != "t") {
        let found = channels.iter().find(|channel| channel.name == *name);
        let found = found.ok_or_else(|| {
            let known = channels.iter().map(|channel| channel.name.as_str());
            StudyError::NoSuchChannel {
                name: name.clone(),
                suggestion: suggest::did_you_mean(name, known),
            }
        })?;
        if !kept.contains(found) {
            kept.push(found.clone());
        }
    }
    if !names.is_empty() {
        kept.insert(0, Channel::time());
    }
    Ok(kept)
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
