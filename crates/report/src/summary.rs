//! The head of a report from the summary of a run, and the tables that a summary gives.

use bristle_results::{Energy, Expectation, Status, Summary, format_quantity};

use crate::block::{Fact, Notice, Tone};
use crate::grid::{Cell, Grid};

/// An imbalance of the energies beyond this part of the turnover deserves a look.
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
pub(crate) fn notices(summary: &Summary) -> Vec<Notice> {
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
            Status::Failed => Notice::error(text),
            _ => Notice::warning(text),
        });
    }
    if let Some(failure) = &summary.error {
        let help = failure.help.clone().unwrap_or_default();
        notices.push(Notice::error(&failure.message).help(help));
    }
    notices.extend(summary.warnings.iter().map(Notice::warning));
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
    let first = summary.contacts.iter().filter_map(|(name, contact)| {
        let time = contact.first_slip_time?;
        Some((time, name))
    });
    if let Some((time, name)) = first.min_by(|a, b| a.0.total_cmp(&b.0)) {
        let value = format_quantity(time, "s");
        facts.push(Fact::new("first slip", value).note(format!("contact {name}")));
    } else if !summary.contacts.is_empty() {
        facts.push(Fact::new("first slip", "never").note("every contact sticks"));
    }
    let fastest = summary
        .contacts
        .iter()
        .map(|(name, contact)| (contact.max_slip_speed, name));
    if let Some((speed, name)) = fastest.max_by(|a, b| a.0.total_cmp(&b.0)) {
        let value = format_quantity(speed, "m/s");
        facts.push(Fact::new("fastest slip", value).note(format!("contact {name}")));
    }
    let energy = &summary.energy;
    facts.push(
        Fact::new("dissipated", format_quantity(energy.dissipated, "J"))
            .note(format!("of {} put in", format_quantity(energy.input, "J"))),
    );
    let open = energy.relative_imbalance.abs() > IMBALANCE;
    facts.push(
        Fact::new(
            "energy imbalance",
            format!("{:.1e}", energy.relative_imbalance),
        )
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
        let all = summary.expectations.len();
        facts.push(
            Fact::new("expectations met", format!("{met} of {all}")).tone(if met == all {
                Tone::Good
            } else {
                Tone::Bad
            }),
        );
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
            } else {
                Cell::Toned("✗ missed".into(), Tone::Bad)
            };
            let value = expectation
                .value
                .map_or(Cell::text("never happened"), |value| {
                    Cell::number(value, unit)
                });
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

    /// Stick and slip of every contact.
    pub fn of_contacts(summary: &Summary) -> Self {
        let columns = [
            "contact",
            "first slip",
            "fastest slip",
            "stuck in all",
            "stick intervals",
            "dissipated",
        ];
        let mut grid = Self::new("", columns);
        for (name, contact) in summary.contacts.iter() {
            let first = contact.first_slip_time;
            grid.push([
                Cell::text(name),
                first.map_or(Cell::text("never"), |time| Cell::number(time, "s")),
                Cell::number(contact.max_slip_speed, "m/s"),
                Cell::number(contact.stuck_time(), "s"),
                Cell::number(contact.stick_intervals.len() as f64, "1"),
                Cell::number(contact.dissipated, "J"),
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
