//! What the friction of a scenario will do under its loads: warnings with number and remedy.

use bristle_laws::Friction;
use bristle_results::format_quantity;
use bristle_rig::diagnose::{Creep, Drift, creep, drift, joint_loads, loads};
use bristle_scenario::{Diagnostic, Scenario};

/// Adds the warnings that the loads of the scenario deserve to those of its parameters.
pub(super) fn add(scenario: &mut Scenario) {
    let end = scenario.plan.end_time;
    let mut found = Vec::new();
    let model = &scenario.model;
    let contacts = model.contacts().filter_map(|contact| {
        let path = format!("contact.{}.friction", contact.name);
        Some((path, contact.friction.law()?, loads(model, contact, end)))
    });
    let joints = model.joint_frictions().filter_map(|joint| {
        let path = format!("joint_friction.{}.friction", joint.name);
        Some((path, joint.friction.law()?, joint_loads(model, joint, end)))
    });
    for (path, friction, loads) in contacts.chain(joints) {
        let Some(loads) = loads else {
            continue;
        };
        if let Some(creep) = creep(friction, &loads.all) {
            found.push((path.clone(), "creep", of_creep(friction, &creep)));
        }
        let size = friction.breakaway_deflection(1.0).unwrap_or(0.0);
        // less than a hundredth of a bristle is not worth a word
        if let Some(drift) = drift(friction, &loads).filter(|d| d.path > 0.01 * size) {
            found.push((path, "drift", of_drift(friction, &drift)));
        }
    }
    for (path, topic, text) in found {
        let message = format!("{path}: {text}");
        let own = |warning: &&mut Diagnostic| warning.message.starts_with(&format!("{path}: "));
        // the number under the load stands in for the one at half the limit
        let general = scenario
            .warnings
            .iter_mut()
            .filter(own)
            .find(|warning| topic == "creep" && warning.message.contains("cannot hold a load"));
        if let Some(general) = general {
            general.message = message;
        } else {
            let place = scenario.warnings.iter_mut().find(own);
            let labels = place
                .map(|warning| warning.labels.clone())
                .unwrap_or_default();
            scenario.warnings.push(Diagnostic {
                labels,
                ..Diagnostic::warning(message)
            });
        }
    }
}

/// A number to four digits with its unit.
fn short(value: f64, unit: &str) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    format_quantity(rounded, unit)
}

fn of_creep(friction: &Friction, creep: &Creep) -> String {
    let law = friction.card().name;
    let (load, limit) = (short(creep.load.size(), "N"), short(creep.limit, "N"));
    let (speed, path) = (short(creep.speed, "m/s"), short(creep.path, "m"));
    let time = short(creep.load.t, "s");
    format!(
        "{law} cannot hold a load: {load} of the {limit} that it has at t = {time} make it creep \
         with {speed}, all loads together {path}; use a law with presliding (elastoplastic, gms) \
         where parts must stick, or lower its regularisation or stiction velocity, in proportion \
         to which it creeps"
    )
}

fn of_drift(friction: &Friction, drift: &Drift) -> String {
    let law = friction.card().name;
    let cycle = short(drift.path / drift.cycles as f64, "m");
    let total = short(drift.path, "m");
    let rate = short(drift.path / drift.duration, "m/s");
    let cause = if drift.by_normal_force && law != "lugre_classical" {
        let [low, high] = drift.normal.map(|n| short(n, "N"));
        format!(
            "the normal force pulsates between {low} and {high}, and the force of {law} follows \
             it in stick"
        )
    } else {
        format!(
            "the load vibrates below break-away (up to {:.0} % of it), where {law} gives way",
            100.0 * drift.share
        )
    };
    let path = format!(
        "drift by about {cycle} per cycle, {total} in {} cycles ({rate})",
        drift.cycles
    );
    let told = match (drift.jumps, drift.inert) {
        (true, _) => format!(
            "loaded slowly it would {path}; this load jumps, so that it moves farther, or breaks \
             away"
        ),
        (false, Some(natural)) => format!(
            "loaded slowly it would {path}; its mass has {} on the bristles, so that it moves \
             otherwise under this load",
            short(natural, "Hz")
        ),
        (false, None) => format!("it will {path}"),
    };
    format!("{cause}: {told}; use elastoplastic or gms, which hold")
}
