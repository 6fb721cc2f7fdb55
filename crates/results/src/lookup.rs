//! Values of a summary by their dotted names, as expectations ask for them.

use crate::ordered::Ordered;
use crate::pair::ContactSummary;
use crate::summary::Summary;

const EXTREME_FIELDS: [&str; 4] = ["min", "t_min", "max", "t_max"];
const ENERGY_FIELDS: [&str; 6] = [
    "input",
    "kinetic",
    "stored",
    "dissipated",
    "imbalance",
    "relative_imbalance",
];
const COUNTS: [&str; 5] = [
    "end_time",
    "steps",
    "rejected_steps",
    "iterations",
    "wall_s",
];

/// The value of a dotted name such as `contact.base.first_slip_time`, `energy.imbalance`,
/// `extremes.body.cube.velocity.x.max` or `steps`; `contact` and `contacts` are the same, and so
/// are `joint_friction` and `joints`.
///
/// Nothing if the name is unknown ([`summary_names`] lists the known ones), or if what it names
/// did not happen, such as the first slip of a contact that stuck all the time.
pub fn summary_value(summary: &Summary, name: &str) -> Option<f64> {
    if let Some(rest) = name
        .strip_prefix("contacts.")
        .or_else(|| name.strip_prefix("contact."))
    {
        return of_pair(&summary.contacts, rest);
    }
    if let Some(rest) = name
        .strip_prefix("joints.")
        .or_else(|| name.strip_prefix("joint_friction."))
    {
        return of_pair(&summary.joints, rest);
    }
    if let Some(rest) = name.strip_prefix("event.") {
        let (event, field) = rest.rsplit_once('.')?;
        let event = summary.events.get(event)?;
        return match field {
            "time" => event.times.first().copied(),
            "count" => Some(event.times.len() as f64),
            _ => None,
        };
    }
    if let Some(rest) = name.strip_prefix("extremes.") {
        let (channel, field) = rest.rsplit_once('.')?;
        let extreme = summary.extremes.get(channel)?;
        return match field {
            "min" => Some(extreme.min),
            "t_min" => Some(extreme.t_min),
            "max" => Some(extreme.max),
            "t_max" => Some(extreme.t_max),
            _ => None,
        };
    }
    let energy = &summary.energy;
    match name {
        "end_time" => Some(summary.end_time),
        "steps" => Some(summary.steps as f64),
        "rejected_steps" => Some(summary.rejected_steps as f64),
        "iterations" => Some(summary.iterations as f64),
        "wall_s" => Some(summary.wall_s),
        "energy.input" => Some(energy.input),
        "energy.kinetic" => Some(energy.kinetic),
        "energy.stored" => Some(energy.stored),
        "energy.dissipated" => Some(energy.dissipated),
        "energy.imbalance" => Some(energy.imbalance),
        "energy.relative_imbalance" => Some(energy.relative_imbalance),
        _ => None,
    }
}

/// A number of a contact, or of a joint with friction.
fn of_pair(pairs: &Ordered<ContactSummary>, name: &str) -> Option<f64> {
    let (pair, field) = name.rsplit_once('.')?;
    let pair = pairs.get(pair)?;
    let mut numbers = pair.numbers().into_iter();
    numbers.find(|(name, ..)| *name == field)?.2
}

/// Every name that [`summary_value`] knows for this summary, for suggestions.
pub fn summary_names(summary: &Summary) -> Vec<String> {
    let mut names: Vec<String> = COUNTS.iter().map(|&field| field.to_owned()).collect();
    names.extend(ENERGY_FIELDS.iter().map(|field| format!("energy.{field}")));
    for (kind, name, pair) in summary.pairs() {
        let section = kind.section();
        let fields = pair.numbers().into_iter();
        names.extend(fields.map(|(field, ..)| format!("{section}.{name}.{field}")));
    }
    for (channel, _) in summary.extremes.iter() {
        names.extend(
            EXTREME_FIELDS
                .iter()
                .map(|field| format!("extremes.{channel}.{field}")),
        );
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{ContactSummary, StickSummary};
    use crate::summary::{Energy, Extreme};

    fn summary() -> Summary {
        let mut summary = Summary {
            steps: 12,
            ..Summary::default()
        };
        summary.energy = Energy {
            imbalance: 1e-9,
            ..Energy::default()
        };
        let contact = ContactSummary {
            stick_intervals: vec![[0.0, 1.0], [2.0, 2.5]],
            break_away_coefficient: Some(0.15),
            longest_stick: Some(StickSummary {
                from: 0.0,
                to: 1.0,
                slip: Some(2e-6),
            }),
            first_slip_time: Some(1.0),
            ..ContactSummary::default()
        };
        summary.contacts.insert("blade.left", contact);
        summary.contacts.insert("base", ContactSummary::default());
        let extreme = Extreme {
            min: -1.0,
            t_min: 0.5,
            max: 2.0,
            t_max: 0.75,
        };
        summary.extremes.insert("body.cube.position.x", extreme);
        summary
    }

    #[test]
    fn names_reach_their_values() {
        let s = summary();
        assert_eq!(
            summary_value(&s, "contact.blade.left.first_slip_time"),
            Some(1.0)
        );
        assert_eq!(
            summary_value(&s, "contacts.blade.left.stuck_time"),
            Some(1.5)
        );
        let hold = |name: &str| summary_value(&s, &format!("contact.{name}"));
        assert_eq!(hold("blade.left.hold_time"), Some(1.0));
        assert_eq!(hold("blade.left.hold_slip"), Some(2e-6));
        assert_eq!(hold("base.hold_slip"), None);
        assert_eq!(summary_value(&s, "contact.base.first_slip_time"), None);
        assert_eq!(summary_value(&s, "contact.top.first_slip_time"), None);
        assert_eq!(summary_value(&s, "energy.imbalance"), Some(1e-9));
        assert_eq!(summary_value(&s, "steps"), Some(12.0));
        assert_eq!(
            summary_value(&s, "extremes.body.cube.position.x.t_max"),
            Some(0.75)
        );
        assert_eq!(summary_value(&s, "contact."), None);
    }

    #[test]
    fn every_listed_name_is_known() {
        let s = summary();
        // what never happened has no value
        let never = [
            "first_slip_time",
            "break_away_coefficient",
            "hold_time",
            "hold_slip",
        ];
        let never = never.map(|field| format!("contact.base.{field}"));
        for name in summary_names(&s) {
            let known = summary_value(&s, &name).is_some();
            assert_eq!(known, !never.contains(&name), "{name}");
        }
        assert!(never.iter().all(|name| summary_names(&s).contains(name)));
    }
}
