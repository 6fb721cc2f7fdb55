//! From the tree of a scenario to a model and a plan.

mod assembly;
mod beams;
mod bodies;
mod cables;
mod contacts;
mod coordinates;
mod couplings;
mod declared;
mod events;
mod expectations;
mod hash;
mod idle;
mod inertia;
mod joint_efforts;
mod joint_friction;
mod joint_stops;
mod joints;
pub(crate) mod law;
mod loads;
mod loops;
mod markers;
mod motion;
mod part_overrides;
mod parts;
mod plots;
mod points;
mod quantities;
mod simulation;
mod steps;
mod surfaces;
mod values;

use std::path::{Path, PathBuf};

use bristle_integrate::Plan;
use bristle_laws::Topic;
use bristle_mechanics::element::ModelElement;
use bristle_mechanics::record::ChannelWatch;
use bristle_mechanics::{Model, ModelBuilder};

use crate::load::load_text_in;
use crate::overrides::{apply_option, changing};
use crate::{
    Diagnostic, Diagnostics, Field, FieldKind, FieldRange, Fields, Node, OpenHarmonic, Parameter,
    Reader, ScenarioSource, ScenarioText, Section, SourceMap, Unit, apply_override, load_file,
    shipped,
};
use bodies::Bodies;
use hash::hash;
use quantities::Quantities;
use simulation::Simulation;

pub use expectations::{Expect, ExpectedStatistic, Measure};
pub(crate) use law::{is_law_file, law_node};
pub use law::{law_of_file, load_law, load_law_text};
pub use plots::PlotSpec;

/// A scenario that is ready to run.
#[derive(Debug)]
pub struct Scenario {
    /// Its title.
    pub title: String,
    /// Its file.
    pub path: PathBuf,
    /// Identifies everything that was read: the first 16 digits of a SHA-256.
    pub hash: String,
    /// What moves.
    pub model: Model,
    /// How it is integrated.
    pub plan: Plan,
    /// From where.
    pub start: StartState,
    /// Time between two rows of the results, s.
    pub output_step: f64,
    /// What the run must give.
    pub expectations: Vec<Expect>,
    /// Channels that are watched for crossing a value.
    pub events: Vec<ChannelWatch>,
    /// Plots that the user asks for.
    pub plots: Vec<PlotSpec>,
    /// What deserves a second look, without the topics that are accepted.
    pub warnings: Vec<Diagnostic>,
    /// Topics of warnings that the scenario accepts.
    pub accepted_warnings: Vec<Topic>,
    /// Every field that was read, with the value that was used.
    pub parameters: Vec<Parameter>,
    /// Harmonics without a frequency: a run in time cannot take them.
    pub open_harmonics: Vec<OpenHarmonic>,
}

/// The state in which a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartState {
    /// Positions and velocities as they are given.
    AsGiven,
    /// The static equilibrium near the given positions.
    Equilibrium,
}

/// A whole scenario.
pub(crate) const SCENARIO: Section = Section {
    name: "scenario",
    doc: "A scenario of Bristle: bodies, contacts and loads, and how they are simulated.",
    fields: &[
        Field::required("title", FieldKind::Text, "What it is about, in one line"),
        Field::optional(
            "description",
            FieldKind::Text,
            "What it is about, at length",
        ),
        Field::required(
            "simulation",
            FieldKind::Table(&simulation::SIMULATION),
            "How long, how exactly, from which start",
        ),
        Field::required("body", FieldKind::Named(&bodies::BODY), "The bodies"),
        Field::optional(
            "beam",
            FieldKind::Named(&beams::BEAM),
            "Elastic beams between bodies",
        ),
        Field::optional(
            "contact",
            FieldKind::Named(&contacts::CONTACT),
            "The contacts",
        ),
        Field::optional("force", FieldKind::Named(&loads::FORCE), "Forces on bodies"),
        Field::optional(
            "torque",
            FieldKind::Named(&loads::TORQUE),
            "Torques on bodies",
        ),
        Field::optional(
            "spring",
            FieldKind::Named(&loads::SPRING),
            "Springs and dampers between bodies",
        ),
        Field::optional(
            "cable",
            FieldKind::Named(&cables::CABLE),
            "Cables between bodies: they pull only",
        ),
        Field::optional(
            "bushing",
            FieldKind::Named(&cables::BUSHING),
            "Stiffness and damping in all directions between bodies",
        ),
        Field::optional(
            "loop",
            FieldKind::Named(&loops::LOOP),
            "Joints that close loops of the tree of bodies",
        ),
        Field::optional(
            "coupling",
            FieldKind::Named(&couplings::COUPLING),
            "Gears, racks, screws: equations between joint coordinates",
        ),
        Field::optional(
            "joint_torque",
            FieldKind::Named(&joint_efforts::JOINT_TORQUE),
            "Torques on the angles of joints",
        ),
        Field::optional(
            "joint_force",
            FieldKind::Named(&joint_efforts::JOINT_FORCE),
            "Forces on the displacements of joints",
        ),
        Field::optional(
            "joint_stop",
            FieldKind::Named(&joint_stops::JOINT_STOP),
            "Stops at the ends of the range of joint coordinates",
        ),
        Field::optional(
            "joint_friction",
            FieldKind::Named(&joint_friction::JOINT_FRICTION),
            "Friction in joints",
        ),
        Field::optional(
            "joint_spring",
            FieldKind::Named(&joint_friction::JOINT_SPRING),
            "Springs and dampers in joints",
        ),
        Field::optional(
            "marker",
            FieldKind::Named(&markers::MARKER),
            "Points that are watched, with their distances and angles",
        ),
        Field::optional(
            "part",
            FieldKind::Any("bodies, beams, contacts and loads that are placed several times"),
            "Parts of the machine that are placed several times by [place.NAME]",
        ),
        Field::optional(
            "place",
            FieldKind::Named(&parts::PLACE),
            "Places of parts: body B of the part becomes body NAME_B",
        ),
        Field::optional(
            "event",
            FieldKind::Tables(&events::EVENT),
            "Channels that cross a value: the time is noted, and the run may end there",
        ),
        Field::optional(
            "expect",
            FieldKind::Tables(&expectations::EXPECT),
            "What the run must give",
        ),
        Field::optional(
            "plot",
            FieldKind::Named(&plots::PLOT),
            "Plots of channels over time",
        ),
    ],
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
        let parts = read(
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
        let is_new = |warning: &&Diagnostic| {
            let about = warning.subject.as_ref().map(|subject| subject.topic);
            about.is_none_or(|topic| !simulation.accepted_warnings.contains(&topic))
        };
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
            warnings: diagnostics.iter().filter(is_new).cloned().collect(),
            accepted_warnings: simulation.accepted_warnings,
            parameters,
            open_harmonics,
        })
    }
}

struct ScenarioParts {
    title: String,
    simulation: Simulation,
    model: Model,
    expectations: Vec<Expect>,
    events: Vec<ChannelWatch>,
    plots: Vec<PlotSpec>,
}

/// Reads the tree; `sound` tells that nothing was wrong with it before, and `own_end` is the end of
/// the run (s) as the file has it.
fn read(
    reader: &Reader<'_>,
    root: &Node,
    sound: bool,
    own_end: Option<f64>,
) -> Option<ScenarioParts> {
    let root = Fields::open(reader, root, root.span, "", &SCENARIO)?;
    let title = root.text("title").map(str::to_owned);
    root.text("description");
    let (simulation, end_time) = simulation::read(&root);
    let mut bodies = bodies::read(&root, end_time);
    beams::add(&root, &mut bodies);
    loops::read(&root, &mut bodies);
    couplings::read(&root, &mut bodies);
    let contacts = contacts::read(&root, &bodies, end_time);
    let mut elements: Vec<ModelElement> = Vec::new();
    for force in loads::forces(&root, &bodies, end_time) {
        elements.push(ModelElement::frames(force));
    }
    for torque in loads::torques(&root, &bodies, end_time) {
        elements.push(ModelElement::frames(torque));
    }
    for spring in loads::springs(&root, &bodies) {
        elements.push(ModelElement::frames(spring));
    }
    for cable in cables::cables(&root, &bodies) {
        elements.push(ModelElement::frames(cable));
    }
    for bushing in cables::bushings(&root, &bodies) {
        elements.push(ModelElement::frames(bushing));
    }
    for effort in joint_efforts::read(&root, &bodies, end_time) {
        elements.push(ModelElement::joint(effort));
    }
    for stop in joint_stops::read(&root, &bodies) {
        elements.push(ModelElement::joint(stop));
    }
    for friction in joint_friction::friction(&root, &bodies, end_time) {
        elements.push(ModelElement::joint(friction));
    }
    for spring in joint_friction::springs(&root, &bodies) {
        elements.push(ModelElement::joint(spring));
    }
    for contact in contacts {
        elements.push(ModelElement::frames(contact));
    }
    for marker in markers::read(&root, &bodies) {
        elements.push(ModelElement::frames(marker));
    }
    let Bodies { mut builder, .. } = bodies;
    if let Some(simulation) = &simulation {
        builder.gravity(simulation.gravity);
    }
    let model = assemble(&root, builder, elements);
    if let Some(model) = &model {
        idle::warn(&root, model);
        assembly::judge(&root, model);
    }
    // an incomplete model lacks channels that an expectation may well name
    let complete = sound && !reader.has_errors();
    let mut quantities = model.as_ref().filter(|_| complete).map(Quantities::of);
    let events = events::read(&root, quantities.as_ref());
    if let Some(quantities) = &mut quantities {
        quantities.add_events(&events);
    }
    // a run that the command line cuts short does not get to what the file expects later
    let latest = end_time.map(|end| own_end.map_or(end, |own| own.max(end)));
    let expectations = expectations::read(&root, quantities.as_ref(), latest);
    let plots = plots::read(&root, quantities.as_ref());
    Some(ScenarioParts {
        title: title?,
        simulation: simulation?,
        model: model?,
        expectations,
        events,
        plots,
    })
}

fn assemble(
    root: &Fields<'_>,
    mut builder: ModelBuilder,
    elements: Vec<ModelElement>,
) -> Option<Model> {
    for element in elements {
        if let Err(error) = builder.add(element) {
            root.reader().error(root.name_span(), error.to_string());
            return None;
        }
    }
    Some(builder.build())
}
