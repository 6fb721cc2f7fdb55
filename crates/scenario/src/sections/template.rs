//! Scenario files, read once and built with any changes.

use std::path::{Path, PathBuf};

use super::hash::hash;
use super::scenario::Scenario;
use super::{law, parts, root};
use crate::load::load_text_in;
use crate::overrides::{apply_option, changing};
use crate::{
    Diagnostic, Diagnostics, FieldRange, Node, OpenHarmonic, Reader, ScenarioSource, ScenarioText,
    SourceMap, Unit, apply_override, load_file, shipped,
};

/// Reads a scenario file and builds its model, to be simulated in time.
///
/// `overrides` are texts `path=value` as for [`apply_override`]. All texts that are read are added
/// to `sources`, where the diagnostics find their places.
///
/// # Errors
/// Everything that is wrong, not only the first fault; warnings are among them.
pub fn load(
    path: &Path,
    overrides: &[String],
    sources: &mut SourceMap,
) -> Result<Scenario, Diagnostics> {
    Template::read(path, overrides, sources)?.build(&Changes::NONE, sources)
}

/// As [`load`], also of a scenario with harmonics that have no frequency, which only a forced
/// response can give them ([`Scenario::open_harmonics`]).
///
/// # Errors
/// Everything else that is wrong.
pub fn load_any(
    path: &Path,
    overrides: &[String],
    sources: &mut SourceMap,
) -> Result<Scenario, Diagnostics> {
    Template::read(path, overrides, sources)?.build_any(&Changes::NONE, sources)
}

/// Changes of a [`Template`].
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a> {
    /// The option of the command line, or the place in a file, that they come from, for diagnostics.
    pub option: &'a str,
    /// Paths of fields that are taken out first; one that does not exist is no error.
    pub removed: &'a [String],
    /// Texts `path=value` as for [`apply_override`], in this order.
    pub texts: &'a [String],
}

impl Changes<'_> {
    /// No changes.
    pub const NONE: Self = Self {
        option: "",
        removed: &[],
        texts: &[],
    };
}

/// A scenario file that was read, from which scenarios with other values can be built without
/// reading it again.
#[derive(Clone, Debug)]
pub struct Template {
    path: PathBuf,
    root: Node,
    /// What was found wrong while it was read.
    diagnostics: Diagnostics,
    /// `simulation.end_time` of the file, whatever the command line says.
    end_time: Option<Node>,
    /// Texts in the source map that do not belong to it.
    known: usize,
}

impl Template {
    /// Reads a scenario file with its includes, and changes values as [`load`] does.
    ///
    /// # Errors
    /// If a file cannot be read or is not TOML. An override that cannot be applied is reported
    /// by [`Self::build`], together with whatever else is wrong.
    pub fn read(
        path: &Path,
        overrides: &[String],
        sources: &mut SourceMap,
    ) -> Result<Self, Diagnostics> {
        let known = sources.iter().count();
        let mut diagnostics = Diagnostics::new();
        let Some(root) = load_file(&shipped::place(path), sources, &mut diagnostics) else {
            return Err(diagnostics);
        };
        let template = Self {
            path: path.to_owned(),
            root,
            diagnostics,
            end_time: None,
            known,
        };
        Ok(template.with_overrides(overrides, sources))
    }

    /// [`Self::read`] for a text in memory.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn of_text(
        text: &ScenarioText<'_>,
        overrides: &[String],
        sources: &mut SourceMap,
    ) -> Result<Self, Diagnostics> {
        let known = sources.iter().count();
        let mut diagnostics = Diagnostics::new();
        let Some(root) = load_text_in(text, sources, &mut diagnostics) else {
            return Err(diagnostics);
        };
        let template = Self {
            path: PathBuf::from(text.name),
            root,
            diagnostics,
            end_time: None,
            known,
        };
        Ok(template.with_overrides(overrides, sources))
    }

    /// [`Self::read`] of a file, or [`Self::of_text`].
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn of_source(
        source: &ScenarioSource,
        overrides: &[String],
        sources: &mut SourceMap,
    ) -> Result<Self, Diagnostics> {
        match source {
            ScenarioSource::File(path) => Self::read(path, overrides, sources),
            ScenarioSource::Text { name, text, folder } => {
                let text = ScenarioText { name, text, folder };
                Self::of_text(&text, overrides, sources)
            }
        }
    }

    fn with_overrides(self, overrides: &[String], sources: &mut SourceMap) -> Self {
        let Self {
            mut root,
            mut diagnostics,
            ..
        } = self;
        let end_time = root.find("simulation.end_time").cloned();
        // so that changes reach into the files of laws; one that cannot be read may be replaced by a
        // change, and else is reported below
        law::insert_files(&mut root, sources, &mut Diagnostics::new());
        for text in overrides {
            apply_override(&mut root, text, sources, &mut diagnostics);
        }
        // those that a change names
        law::insert_files(&mut root, sources, &mut diagnostics);
        Self {
            root,
            diagnostics,
            end_time,
            ..self
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The tree, with the files of laws in the place of their names.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The tree with changes, and what was found wrong up to now.
    pub(crate) fn changed(
        &self,
        changes: &Changes<'_>,
        sources: &mut SourceMap,
    ) -> (Node, Diagnostics) {
        let mut diagnostics = self.diagnostics.clone();
        let mut root = self.root.clone();
        for path in changes.removed {
            root.remove(path);
        }
        let option = changing(changes.option);
        for text in changes.texts {
            apply_option(&mut root, &option, text, sources, &mut diagnostics);
        }
        law::insert_files(&mut root, sources, &mut diagnostics);
        (root, diagnostics)
    }

    /// The end of the run as the file has it.
    pub(crate) fn own_end_time(&self) -> Option<&Node> {
        self.end_time.as_ref()
    }

    /// The end of the run as the file has it, s. What is wrong with it is reported elsewhere, if
    /// the command line does not replace it.
    fn end_time(&self, sources: &SourceMap) -> Option<f64> {
        let quiet = Reader::new(sources);
        let node = self.end_time.as_ref()?;
        quiet.number(
            node,
            "simulation.end_time",
            Unit::SECOND,
            FieldRange::Positive,
        )
    }

    /// Identifies everything that [`Self::build`] would read, as [`Scenario::hash`] does, without
    /// building it. A scenario that is not sound has one too.
    pub fn fingerprint(&self, changes: &Changes<'_>, sources: &mut SourceMap) -> String {
        let (root, _) = self.changed(changes, sources);
        hash(&root, sources, self.known)
    }

    /// Builds the scenario with changes, to be simulated in time. `sources` must be the map it was
    /// read to, or a copy of it.
    ///
    /// # Errors
    /// Everything that is wrong, not only the first fault; warnings are among them.
    pub fn build(
        &self,
        changes: &Changes<'_>,
        sources: &mut SourceMap,
    ) -> Result<Scenario, Diagnostics> {
        let scenario = self.build_any(changes, sources)?;
        if scenario.open_harmonics.is_empty() {
            return Ok(scenario);
        }
        let refusals = scenario.open_harmonics.iter().map(OpenHarmonic::refusal);
        let mut diagnostics = Diagnostics::new();
        for diagnostic in scenario.warnings.iter().cloned().chain(refusals) {
            diagnostics.push(diagnostic);
        }
        Err(diagnostics)
    }

    /// As [`Self::build`], also of a scenario with harmonics that have no frequency, which only a
    /// forced response can give them ([`Scenario::open_harmonics`]).
    ///
    /// # Errors
    /// Everything else that is wrong.
    pub fn build_any(
        &self,
        changes: &Changes<'_>,
        sources: &mut SourceMap,
    ) -> Result<Scenario, Diagnostics> {
        let (mut root, mut diagnostics) = self.changed(changes, sources);
        if root.as_table().is_none_or(|table| table.entries.is_empty()) {
            let message = "the scenario is empty";
            let help = "it needs a title, [simulation] with end_time, and at least one [body.NAME]";
            diagnostics.push(Diagnostic::error(message).at(root.span).help(help));
            return Err(diagnostics);
        }
        let hash = hash(&root, sources, self.known);
        parts::expand(&mut root, &mut diagnostics);
        let reader = Reader::new(sources);
        let parts = root::read(
            &reader,
            &root,
            !diagnostics.has_errors(),
            self.end_time(sources),
        );
        let (parameters, open_harmonics) = (reader.parameters(), reader.open_harmonics());
        diagnostics.extend(reader.into_diagnostics());
        let Some(parts) = parts.filter(|_| !diagnostics.has_errors()) else {
            return Err(diagnostics);
        };
        let simulation = parts.simulation;
        Ok(Scenario {
            title: parts.title,
            path: self.path.clone(),
            hash,
            model: parts.model,
            plan: simulation.plan,
            start: simulation.start,
            output_step: simulation.output_step,
            expectations: parts.expectations,
            events: parts.events,
            plots: parts.plots,
            warnings: diagnostics.iter().cloned().collect(),
            accepted_warnings: simulation.accepted_warnings,
            parameters,
            open_harmonics,
        })
    }
}
