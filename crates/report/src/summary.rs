//! The head of a report from the summary of a run, and the tables that a summary gives.

use bristle_results::{
    ContactSummary, Energy, Expectation, PairKind, Status, Summary, format_quantity,
};

use crate::block::{Fact, PageNotice, Tone};
use crate::grid::{Cell, Grid};

/// An energy imbalance beyond this part of the energy exchanged deserves a look.
const IMBALANCE: f64 = 1e-3;

/// How a run ended, in a word or two.
pub(crate) fn badge(summary: &Summary) -> (Tone, String) {
    match summary.status {
        Status::Complete if summary.expectations_met() => (Tone::Good, "complete".to_owned()),
        Status::Complete => (Tone::Bad, "expectation missed".to_owned()),
        Status::Interrupted => (Tone::Caution, "interrupted".to_owned()),
        Status::Failed => (Tone::Bad, "failed".to_owned()),
    }
}

/// What ended the run early, and its warnings.
pub(crate) fn notices(summary: &Summary) -> Vec<PageNotice> {
    let mut notices = Vec::new();
    if summary.status != Status::Complete {
        let planned = summary.planned_end_time.map_or_else(String::new, |end| {
            format!(" of {}", format_quantity(end, "s"))
        });
        let reached = format_quantity(summary.end_time, "s");
        let verb = if summary.status == Status::Failed {
            "failed"
        } else {
            "was interrupted"
        };
        let text = format!(
            "The run {verb} at t = {reached}{planned}. The page shows what was computed until then."
        );
        notices.push(match summary.status {
            Status::Failed => PageNotice::error(text),
            _ => PageNotice::warning(text),
        });
    }
    if let Some(failure) = &summary.error {
        let help = failure.help.clone().unwrap_or_default();
        notices.push(PageNotice::error(&failure.message).help(help));
    }
    notices.extend(summary.warnings.iter().map(PageNotice::warning));
    notices
}

/// The numbers that come first.
pub(crate) fn facts(summary: &Summary) -> Vec<Fact> {
    let mut facts = vec![
        Fact::new("simulated", format_quantity(summary.end_time, "s")).note(format!(
            "in {} on the clock",
            format_quantity(summary.wall_s, "s")
        )),
    ];
    facts.extend(slip_facts(summary));
    let energy = &summary.energy;
    facts.push(
        Fact::new("dissipated", format_quantity(energy.dissipated, "J"))
            .note(format!("of {} put in", format_quantity(energy.input, "J"))),
    );
    let open = energy.relative_imbalance.abs() > IMBALANCE;
    facts.push(
        Fact::new("energy imbalance", energy.relative_imbalance_text())
            .note("of the energy turned over")
            .tone(if open { Tone::Caution } else { Tone::Neutral }),
    );
    facts.push(Fact::new("steps", grouped(summary.steps)).note(format!(
        "{} rejected, {} iterations",
        grouped(summary.rejected_steps),
        grouped(summary.iterations)
    )));
    if !summary.expectations.is_empty() {
        let met = summary.expectations.iter().filter(|e| e.met).count();
        let later = summary.expectations.iter().filter(|e| e.not_reached);
        let (later, all) = (later.count(), summary.expectations.len());
        let fact = Fact::new("expectations met", format!("{met} of {all}"));
        let fact = fact.tone(if met + later == all {
            Tone::Good
        } else {
            Tone::Bad
        });
        facts.push(match later {
            0 => fact,
            _ => fact.note(format!("{later} not reached")),
        });
    }
    facts
}

/// When slip began, and how fast it became.
fn slip_facts(summary: &Summary) -> Vec<Fact> {
    let mut facts = Vec::new();
    let note = |kind: PairKind, name: &str| format!("{} {name}", kind.word());
    let slipped = summary.pairs().filter_map(|(kind, name, pair)| {
        let time = pair.first_slip_time?;
        Some((time, note(kind, name)))
    });
    if let Some((time, note)) = slipped.min_by(|a, b| a.0.total_cmp(&b.0)) {
        let value = format_quantity(time, "s");
        facts.push(Fact::new("first slip", value).note(note));
    } else if summary.pairs().next().is_some() {
        let all = match (summary.contacts.is_empty(), summary.joints.is_empty()) {
            (false, true) => "every contact sticks",
            (true, _) => "every joint sticks",
            (false, false) => "every contact and joint sticks",
        };
        facts.push(Fact::new("first slip", "never").note(all));
    }
    let speed = |pair: &ContactSummary| pair.max_slip_speed;
    let fastest = summary.pairs();
    if let Some((kind, name, pair)) = fastest.max_by(|a, b| speed(a.2).total_cmp(&speed(b.2))) {
        let (speed, unit) = pair.speed(pair.max_slip_speed);
        let value = format_quantity(speed, unit);
        facts.push(Fact::new("fastest slip", value).note(note(kind, name)));
    }
    facts
}

/// A whole number in groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        // a number of four digits needs no gap
        if i > 0 && digits.len() > 4 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

impl Grid {
    /// The expectations of a scenario and what came of them.
    pub fn of_expectations(expectations: &[Expectation]) -> Self {
        let columns = [
            "expectation",
            "value",
            "expected",
            "tolerance",
            "met",
            "source",
        ];
        let mut grid = Self::new("", columns);
        for expectation in expectations {
            let unit = &expectation.unit;
            let met = if expectation.met {
                Cell::Toned("✓ met".into(), Tone::Good)
            } else if expectation.not_reached {
                Cell::Toned("– not reached".into(), Tone::Neutral)
            } else {
                Cell::Toned("✗ missed".into(), Tone::Bad)
            };
            let absent = if expectation.not_reached {
                "not reached"
            } else {
                "never happened"
            };
            let value = expectation
                .value
                .map_or(Cell::text(absent), |value| Cell::number(value, unit));
            grid.push([
                Cell::text(&expectation.name),
                value,
                Cell::number(expectation.expected, unit),
                Cell::number(expectation.tolerance, unit),
                met,
                Cell::text(&expectation.source),
            ]);
        }
        grid
    }

    /// Stick and slip of every contact and of every joint with friction.
    pub fn of_pairs(summary: &Summary) -> Self {
        let first = match (summary.contacts.is_empty(), summary.joints.is_empty()) {
            (_, true) => "contact",
            (true, false) => "joint",
            (false, false) => "contact or joint",
        };
        let columns = [
            first,
            "first slip",
            "fastest slip",
            "stuck in all",
            "stick intervals",
            "longest hold",
            "slip in it",
            "dissipated",
        ];
        let mut grid = Self::new("", columns);
        for (_, name, pair) in summary.pairs() {
            let first = pair.first_slip_time;
            let none = || Cell::text("none");
            let number = |(value, unit): (f64, &str)| Cell::number(value, unit);
            let slip = |slip: Option<f64>| {
                slip.map_or(Cell::text("not known"), |slip| {
                    number(pair.displacement(slip))
                })
            };
            let hold = pair.longest_stick;
            grid.push([
                Cell::text(name),
                first.map_or(Cell::text("never"), |time| Cell::number(time, "s")),
                number(pair.speed(pair.max_slip_speed)),
                Cell::number(pair.stuck_time(), "s"),
                Cell::number(pair.stick_intervals.len() as f64, "1"),
                hold.map_or_else(none, |hold| Cell::number(hold.time(), "s")),
                hold.map_or_else(none, |hold| slip(hold.slip)),
                Cell::number(pair.dissipated, "J"),
            ]);
        }
        grid
    }

    /// The energy ledger, line by line as a balance.
    pub fn of_energy(energy: &Energy) -> Self {
        Self::new("", ["from the start to the end", "energy"])
            .row([
                Cell::text("put in by loads and prescribed motions"),
                Cell::number(energy.input, "J"),
            ])
            .row([
                Cell::text("− change of kinetic energy"),
                Cell::number(energy.kinetic, "J"),
            ])
            .row([
                Cell::text("− change of stored energy"),
                Cell::number(energy.stored, "J"),
            ])
            .row([
                Cell::text("− lost to friction and damping"),
                Cell::number(energy.dissipated, "J"),
            ])
            .row([
                Cell::text("= left over: the error of the integration"),
                Cell::number(energy.imbalance, "J"),
            ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_results::StickSummary;

    /// The columns "longest hold" and "slip in it".
    fn hold(longest_stick: Option<StickSummary>) -> [Cell; 2] {
        let mut summary = Summary::default();
        let contact = ContactSummary {
            longest_stick,
            ..ContactSummary::default()
        };
        summary.contacts.insert("base", contact);
        let grid = Grid::of_pairs(&summary);
        let shown = ["longest hold", "slip in it"];
        shown.map(|name| {
            let place = grid.columns.iter().position(|column| column == name);
            place.map_or(Cell::Empty, |place| grid.rows[0][place].clone())
        })
    }

    #[test]
    fn a_hold_has_its_length_and_what_moved_in_it() {
        let of = |slip| {
            let (from, to) = (1.0, 3.5);
            hold(Some(StickSummary { from, to, slip }))
        };
        let long = || Cell::number(2.5, "s");
        assert_eq!(of(Some(1e-6)), [long(), Cell::number(1e-6, "m")]);
        // a ball that rolls
        assert_eq!(of(None), [long(), Cell::text("not known")]);
        assert_eq!(hold(None), [Cell::text("none"), Cell::text("none")]);
    }

    #[test]
    fn a_joint_that_turns_has_angles_and_the_earliest_slip_is_that_of_all() {
        let mut summary = Summary::default();
        let slipped = |time, speed, friction_radius| ContactSummary {
            first_slip_time: Some(time),
            max_slip_speed: speed,
            friction_radius,
            ..ContactSummary::default()
        };
        summary.contacts.insert("base", slipped(2.0, 0.01, None));
        summary.joints.insert("pin", slipped(1.0, 0.06, Some(0.02)));
        let grid = Grid::of_pairs(&summary);
        assert_eq!(grid.columns[0], "contact or joint");
        // 0.06 m/s at 20 mm
        assert_eq!(grid.rows[1][2], Cell::number(3.0, "rad/s"));
        let facts = slip_facts(&summary);
        let shown = |i: usize| (facts[i].value.as_str(), facts[i].note.as_str());
        assert_eq!(shown(0), ("1 s", "joint pin"));
        assert_eq!(shown(1), ("3 rad/s", "joint pin"));
    }

    #[test]
    fn what_was_not_reached_is_neither_met_nor_missed() {
        let mut summary = Summary::default();
        summary.expectations.push(Expectation {
            not_reached: true,
            ..Expectation::default()
        });
        assert_eq!(badge(&summary).0, Tone::Good);
        let rows = Grid::of_expectations(&summary.expectations).rows;
        assert_eq!(rows[0][1], Cell::text("not reached"));
    }
}
