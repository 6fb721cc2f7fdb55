//! `bristle check`: validate a scenario without running it.

use bristle_mechanics::element::RubbingJoint;
use bristle_mechanics::record::channels;
use bristle_mechanics::{BodyId, JointOwner, Model};
use bristle_results::format_quantity;
use bristle_scenario::{Diagnostics, Scenario, SourceMap, StartState};
use serde_json::{Value, json};

use super::{check_loops, notices, print_json, weights};
use crate::args::CheckArguments;
use crate::exit::Exit;
use crate::model;
use crate::page;
use crate::render;

/// Judges.
pub(crate) fn check(arguments: &CheckArguments) -> Exit {
    let mut sources = SourceMap::new();
    let place = &arguments.scenario;
    match bristle_scenario::load_any(&place.scenario, &place.overrides, &mut sources) {
        Ok(mut scenario) => {
            notices::add(&mut scenario);
            if arguments.json {
                let warnings = scenario.warnings.iter().map(|w| render::json(w, &sources));
                print_json(&json!({
                    "scenario": place.scenario.display().to_string(),
                    "ok": true,
                    "errors": [],
                    "warnings": warnings.collect::<Vec<_>>(),
                    "notes": weights::notes(&scenario.model),
                    "model": description(&scenario),
                    "channels": arguments.channels.then(|| channel_list(&scenario)),
                }));
            } else {
                for warning in &scenario.warnings {
                    render::print_one(warning, &sources);
                }
                if arguments.channels {
                    list_channels(&scenario);
                } else if !arguments.quiet {
                    tell(&scenario);
                }
            }
            Exit::Done
        }
        Err(diagnostics) => {
            if arguments.json {
                let (errors, warnings) = sorted(&diagnostics, &sources);
                print_json(&json!({
                    "scenario": place.scenario.display().to_string(),
                    "ok": false,
                    "errors": errors,
                    "warnings": warnings,
                    "model": null,
                }));
            } else {
                render::print(&diagnostics, &sources);
            }
            Exit::BadInput
        }
    }
}

/// The channels in the form of channels.json of a run.
fn channel_list(scenario: &Scenario) -> serde_json::Map<String, Value> {
    let all = channels(&scenario.model).into_iter();
    all.map(|c| (c.name, json!({ "unit": c.unit, "meaning": c.meaning })))
        .collect()
}

fn list_channels(scenario: &Scenario) {
    let rows: Vec<Vec<String>> = channels(&scenario.model)
        .into_iter()
        .map(|c| vec![c.name, c.unit.into_owned(), c.meaning])
        .collect();
    let mut page = page::new();
    page.table(&["channel", "unit", "meaning"], &rows);
    page::print(page);
}

fn sorted(diagnostics: &Diagnostics, sources: &SourceMap) -> (Vec<Value>, Vec<Value>) {
    let all = diagnostics.iter().map(|d| render::json(d, sources));
    all.partition(|value| value["severity"] == "error")
}

fn description(scenario: &Scenario) -> Value {
    let model = &scenario.model;
    let bodies = model.bodies().iter().skip(1).map(|body| {
        json!({
            "name": body.name,
            "joint": model::joint(&body.joint),
            "degrees_of_freedom": body.dofs(),
            "mass": body.inertia.mass,
        })
    });
    let contacts = model::contacts(model).map(|contact| {
        json!({
            "name": contact.name,
            "points": contact.points.len(),
            "friction": model::friction_law(contact),
            "normal": model::normal_law(contact),
            "slip_speed": contact.slip_speed,
        })
    });
    let loads = model::loads(model).map(|load| json!({ "kind": load.kind(), "name": load.name() }));
    let expectations = scenario.expectations.iter().map(|e| {
        json!({ "name": e.name, "expected": e.expected, "tolerance": e.tolerance, "unit": e.unit })
    });
    json!({
        "title": scenario.title,
        "hash": scenario.hash,
        "end_time": scenario.plan.end_time,
        "output_step": scenario.output_step,
        "method": model::method(&scenario.plan),
        "degrees_of_freedom": model::degrees_of_freedom(model),
        "bodies": bodies.collect::<Vec<_>>(),
        "closed": check_loops::description(model),
        "contacts": contacts.collect::<Vec<_>>(),
        "loads": loads.collect::<Vec<_>>(),
        "channels": channels(model).len(),
        "expectations": expectations.collect::<Vec<_>>(),
        "harmonics_without_frequency": scenario.open_harmonics.iter().map(|own| &own.path)
            .collect::<Vec<_>>(),
    })
}

fn tell(scenario: &Scenario) {
    let model = &scenario.model;
    let mut page = page::new();
    page.bold(&scenario.title);
    let mut pair = |name: &str, value: &str| page.paragraph(&format!("  {name:<14}"), value);
    let start = match scenario.start {
        StartState::AsGiven => "from the positions as given",
        StartState::Equilibrium => "from the static equilibrium",
    };
    let end = format_quantity(scenario.plan.end_time, "s");
    pair("simulates", &format!("{end} {start}"));
    pair("method", &model::method(&scenario.plan));
    for body in model.bodies().iter().skip(1) {
        let joint = model::joint(&body.joint);
        let freedom =
            bristle_units::number_of(body.dofs(), "degree of freedom", "degrees of freedom");
        let mass = format_quantity(body.inertia.mass, "kg");
        pair(
            "body",
            &format!("{}: {joint}, {freedom}, {mass}", body.name),
        );
    }
    for (name, text) in check_loops::lines(model) {
        pair(name, &text);
    }
    for contact in model::contacts(model) {
        let slip = format_quantity(contact.slip_speed, "m/s");
        let phrase = model::contact_phrase(contact);
        pair(
            "contact",
            &format!("{}: {phrase}; slips from {slip} on", contact.name),
        );
    }
    for note in weights::notes(model) {
        pair("note", &note);
    }
    for load in model::loads(model) {
        if let Some(joint) = RubbingJoint::of(load) {
            let slip = format_quantity(joint.slip_speed, "m/s");
            let law = joint.law_name;
            let place = place_of(model, &joint);
            let text = format!("{}: {law} {place}; slips from {slip} on", joint.name);
            pair("friction", &text);
        } else {
            pair(load.kind(), load.name());
        }
    }
    for harmonic in &scenario.open_harmonics {
        let note = "has no frequency: for `bristle response`, not for a run";
        pair("harmonic", &format!("{}: {note}", harmonic.path));
    }
    pair("results", &rows(scenario));
    if !scenario.expectations.is_empty() {
        pair("expectations", &scenario.expectations.len().to_string());
    }
    page::print(page);
}

/// Where friction in a joint acts, for people.
fn place_of(model: &Model, joint: &RubbingJoint<'_>) -> String {
    let name = |body: BodyId| &model.bodies()[body.index()].name;
    match joint.joint {
        JointOwner::Loop { id, .. } => format!("in loop {}", model.loops()[id.index()].name),
        JointOwner::Coupling { id, from, to } => {
            let coupling = &model.couplings()[id.index()];
            if coupling.is_rigid {
                format!("in coupling {}", coupling.name)
            } else {
                format!("between the joints of {} and {}", name(to), name(from))
            }
        }
        JointOwner::Body(body) => format!("in the joint of {}", name(body)),
    }
}

/// How many rows and columns the results will have.
fn rows(scenario: &Scenario) -> String {
    let rows = (scenario.plan.end_time / scenario.output_step).floor() + 1.0;
    let step = format_quantity(scenario.output_step, "s");
    let columns = channels(&scenario.model).len();
    format!("{rows:.0} rows, every {step}, of {columns} columns")
}
