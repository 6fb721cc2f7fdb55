//! What `check` says about loops and couplings.

use bristle_mechanics::{AssemblyReport, Model, MovedCoordinate};
use bristle_units::number_of;
use serde_json::{Value, json};

use crate::model;

/// Loops, couplings, mobility, and what closing them moved: pairs of a name and a text.
pub(super) fn lines(model: &Model) -> Vec<(&'static str, String)> {
    let name = |body: bristle_mechanics::BodyId| &model.bodies()[body.index()].name;
    let mut all = Vec::new();
    for own in model.loops() {
        let joint = model::joint(&own.joint);
        let (from, to) = (name(own.from.body), name(own.to.body));
        all.push((
            "loop",
            format!("{}: {joint}, from {from} to {to}", own.name),
        ));
    }
    for own in model.couplings().iter().filter(|own| own.is_rigid) {
        let terms: Vec<&str> = own
            .terms
            .iter()
            .map(|term| name(term.body).as_str())
            .collect();
        all.push(("coupling", format!("{}: {}", own.name, terms.join(", "))));
    }
    if let Some(Ok(report)) = model.assembly() {
        all.extend(of_report(&report));
    }
    all
}

fn of_report(report: &AssemblyReport) -> Vec<(&'static str, String)> {
    let free = if report.free.is_empty() {
        String::new()
    } else {
        format!("; free: {}", report.free.join(", "))
    };
    let mut all = vec![("mobility", format!("{}{free}", report.mobility))];
    if !report.moved.is_empty() {
        let moved: Vec<String> = report.moved.iter().map(moved).collect();
        all.push(("closing moved", moved.join(", ")));
    }
    if !report.redundant.is_empty() {
        let loops = report.redundant.iter();
        let loops: Vec<String> = loops
            .map(|own| {
                format!(
                    "{} of {}",
                    number_of(own.rows, "constraint", "constraints"),
                    own.name
                )
            })
            .collect();
        let text = format!(
            "{}: the others imply them, so that their reactions are not unique and left at 0",
            loops.join(", ")
        );
        all.push(("redundant", text));
    }
    all
}

fn moved(one: &MovedCoordinate) -> String {
    if one.turns {
        format!("{} by {:.4} deg", one.name, one.by.to_degrees())
    } else {
        format!("{} by {:.4} mm", one.name, one.by * 1e3)
    }
}

/// The same as data.
pub(super) fn description(model: &Model) -> Value {
    let name = |body: bristle_mechanics::BodyId| model.bodies()[body.index()].name.clone();
    let loops = model.loops().iter().map(|own| {
        json!({
            "name": own.name,
            "joint": model::joint(&own.joint),
            "from": name(own.from.body),
            "to": name(own.to.body),
        })
    });
    let couplings = model.couplings().iter().filter(|own| own.is_rigid);
    let couplings = couplings.map(|own| {
        let terms = own.terms.iter();
        json!({
            "name": own.name,
            "terms": terms
                .map(|t| json!({ "body": name(t.body), "coefficient": t.coefficient }))
                .collect::<Vec<_>>(),
        })
    });
    let assembly = model.assembly().and_then(Result::ok).map(|report| {
        let moved = report.moved.iter().map(|one| {
            json!({
                "coordinate": one.name,
                "by": one.by,
                "unit": if one.turns { "rad" } else { "m" },
                "was_given": one.was_given,
            })
        });
        let redundant = report.redundant.iter();
        json!({
            "mobility": report.mobility,
            "free": report.free,
            "moved": moved.collect::<Vec<_>>(),
            "redundant": redundant
                .map(|own| json!({ "name": own.name, "constraints": own.rows }))
                .collect::<Vec<_>>(),
            "singular": report.is_singular,
        })
    });
    json!({
        "loops": loops.collect::<Vec<_>>(),
        "couplings": couplings.collect::<Vec<_>>(),
        "assembly": assembly,
    })
}
