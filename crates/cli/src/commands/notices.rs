//! What the friction of a scenario will do under its loads: warnings with number and remedy.

use bristle_laws::card::Role;
use bristle_laws::{Friction, HOLD_ANY_LOAD, Notice, ParameterCard, Topic};
use bristle_results::format_quantity;
use bristle_rig::diagnose::{
    Creep, Drift, FastSweep, creep, drift, fast_sweeps, joint_loads, loads,
};
use bristle_scenario::{Diagnostic, Scenario};

/// Adds the warnings that the loads of the scenario deserve to those of its parameters.
pub(crate) fn add(scenario: &mut Scenario) {
    let end = scenario.plan.end_time;
    let mut found = Vec::new();
    let mut idle = Vec::new();
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
        match creep(friction, &loads.all) {
            Some(creep) => found.push((path.clone(), of_creep(friction, &creep))),
            // its loads are known, and none of them is to be held
            None => idle.push(path.clone()),
        }
        let size = friction.breakaway_deflection(1.0).unwrap_or(0.0);
        // less than a hundredth of a bristle is not worth a word
        if let Some(drift) = drift(friction, &loads).filter(|d| d.path > 0.01 * size) {
            found.push((path, of_drift(friction, &drift)));
        }
    }
    scenario.warnings.retain(|warning| {
        let Some(about) = &warning.subject else {
            return true;
        };
        let is_idle = about.topic == Topic::Creep && idle.contains(&about.path);
        // a model finds the applied force itself
        !is_idle && about.topic != Topic::DeadZone
    });
    for fast in fast_sweeps(model) {
        found.push((fast.path.clone(), of_sweep(&fast)));
    }
    found.retain(|(_, notice)| !scenario.accepted_warnings.contains(&notice.topic));
    for (path, notice) in found {
        add_one(&mut scenario.warnings, Diagnostic::notice(&path, notice));
    }
}

/// Adds a warning at the place of those about the same law; the number under the load stands in for
/// the general one of the same topic.
fn add_one(warnings: &mut Vec<Diagnostic>, warning: Diagnostic) {
    let Some(subject) = &warning.subject else {
        return warnings.push(warning);
    };
    let same_law = |other: &Diagnostic| {
        let mut about = other.subject.iter();
        about.any(|about| about.path == subject.path)
    };
    let same_topic = |other: &Diagnostic| {
        let mut about = other.subject.iter();
        same_law(other) && about.any(|about| about.topic == subject.topic)
    };
    let place = warnings.iter().find(|other| same_law(other));
    let labels = place.map(|other| other.labels.clone()).unwrap_or_default();
    let general = warnings.iter().position(same_topic);
    match general {
        Some(i) => {
            warnings[i] = Diagnostic {
                labels: warnings[i].labels.clone(),
                help: warnings[i].help.clone(),
                ..warning
            };
        }
        None => warnings.push(Diagnostic { labels, ..warning }),
    }
}

/// A number to four digits with its unit.
fn short(value: f64, unit: &str) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    format_quantity(rounded, unit)
}

fn of_creep(friction: &Friction, creep: &Creep) -> Notice {
    let law = friction.card().name;
    let (load, limit) = (short(creep.load.size(), "N"), short(creep.limit, "N"));
    let (speed, path) = (short(creep.speed, "m/s"), short(creep.path, "m"));
    let time = short(creep.load.t, "s");
    let laws = HOLD_ANY_LOAD.join(", ");
    let text = format!(
        "{law} cannot hold a load: {load} of the {limit} that it has at t = {time} make it creep \
         with {speed}, all loads together {path}; use a law with presliding ({laws}) \
         where parts must stick, or lower its regularisation or stiction velocity, in proportion \
         to which it creeps"
    );
    Notice::new(Topic::Creep, text)
        .value("speed", creep.speed, "m/s")
        .value("path", creep.path, "m")
        .value("load", creep.load.size(), "N")
        .value("limit", creep.limit, "N")
}

fn of_drift(friction: &Friction, drift: &Drift) -> Notice {
    let law = friction.card().name;
    let cycle = short(drift.path / drift.cycles as f64, "m");
    let total = short(drift.path, "m");
    let rate = short(drift.path / drift.duration, "m/s");
    let bristles = friction.card().with_role(Role::Stiffness);
    let follows = bristles.is_none_or(ParameterCard::per_load);
    let cause = if drift.by_normal_force && follows {
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
    let remark = match (drift.jumps, drift.inert) {
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
    let laws = HOLD_ANY_LOAD.join(" or ");
    let text = format!("{cause}: {remark}; use {laws}, which hold");
    Notice::new(Topic::Drift, text)
        .value("path", drift.path, "m")
        .value("cycles", drift.cycles as f64, "1")
        .value("rate", drift.path / drift.duration, "m/s")
}

fn of_sweep(fast: &FastSweep) -> Notice {
    let (unit, formula) = (fast.unit(), fast.formula());
    let (rate, allowed) = (short(fast.rate, ""), short(fast.allowed, ""));
    let (mode, duration) = (short(fast.frequency, "Hz"), short(fast.duration, "s"));
    let damping = short(100.0 * fast.damping_ratio, "%");
    let text = format!(
        "the sweep passes the mode at {mode} (damping {damping}) with {} {unit}, and its peak is \
         that of a steady vibration only up to {} {unit} (ISO 7626-2: {formula}); sweep in {duration} \
         or more, or do not read the peak as a resonance",
        rate.trim(),
        allowed.trim()
    );
    Notice::new(Topic::SweepRate, text)
        .value("rate", fast.rate, unit)
        .value("allowed", fast.allowed, unit)
        .value("frequency", fast.frequency, "Hz")
        .value("damping_ratio", fast.damping_ratio, "1")
        .value("duration", fast.duration, "s")
}
