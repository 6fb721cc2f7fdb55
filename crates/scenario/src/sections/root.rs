//! The root of a scenario file: its sections, and the model that they make.

use bristle_mechanics::element::ModelElement;
use bristle_mechanics::record::ChannelWatch;
use bristle_mechanics::{Model, ModelBuilder};

use super::bodies::Bodies;
use super::expectations::Expect;
use super::plots::PlotSpec;
use super::quantities::Quantities;
use super::simulation::Simulation;
use super::{
    assembly, beams, bodies, cables, contacts, couplings, events, expectations, idle,
    joint_efforts, joint_friction, joint_stops, loads, loops, markers, parts, plots, simulation,
};
use crate::{Field, FieldKind, Fields, Node, Reader, Section};

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

/// What a whole scenario has, as it is read.
pub(super) struct ScenarioParts {
    pub(super) title: String,
    pub(super) simulation: Simulation,
    pub(super) model: Model,
    pub(super) expectations: Vec<Expect>,
    pub(super) events: Vec<ChannelWatch>,
    pub(super) plots: Vec<PlotSpec>,
}

/// Reads the tree; `sound` says that nothing was wrong with it before, and `own_end` is the end of
/// the run (s) as the file has it.
pub(super) fn read(
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
    elements.extend(joint_efforts::read(&root, &bodies, end_time));
    for stop in joint_stops::read(&root, &bodies) {
        elements.push(ModelElement::joint(stop));
    }
    for friction in joint_friction::friction(&root, &mut bodies, end_time) {
        elements.push(friction);
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
    let plots = plots::read(&root, quantities.as_ref(), latest);
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
