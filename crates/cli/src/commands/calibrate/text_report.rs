//! The result as people read it.

use std::fmt::Write as _;

use bristle_identify::Verdict;
use bristle_units::number_of;

use super::CalibrationOutcome;
use crate::commands::fits::{significant, with_error};
use crate::terminal::Stream;

pub(super) fn print(outcome: &CalibrationOutcome<'_>) {
    if outcome.arguments.output_to.quiet {
        return;
    }
    let found = &outcome.found;
    let mut text = String::new();
    for run in &outcome.runs {
        let _ = writeln!(
            text,
            "{}: {}",
            run.file,
            number_of(run.times.len(), "sample", "samples")
        );
        for note in &run.notes {
            let _ = writeln!(text, "  {note}");
        }
    }
    let _ = writeln!(text, "\n{}", outcome.scenario);
    let names = found.unknowns.iter().map(|u| u.name.chars().count());
    let width = names.max().unwrap_or(0);
    for u in &found.unknowns {
        let pad = " ".repeat(width - u.name.chars().count());
        let unit = if u.unit == "1" { "" } else { &*u.unit };
        let _ = writeln!(
            text,
            "  {}{pad}  {} {unit}  {}",
            u.name,
            with_error(u),
            u.verdict.words()
        );
        if u.verdict != Verdict::Identified {
            let _ = writeln!(text, "    {}", u.reason);
            if let Some(experiment) = &u.experiment {
                let _ = writeln!(text, "    to identify it: {experiment}");
            }
        }
    }
    for (run, outputs) in outcome.outputs() {
        let of_run = if outcome.runs.len() > 1 {
            format!(" in {}", run.file)
        } else {
            String::new()
        };
        for o in outputs {
            let _ = writeln!(
                text,
                "  {}{of_run}: error {} {} rms, {:.2} % of its spread",
                o.name,
                significant(o.rms),
                o.unit,
                100.0 * o.relative
            );
        }
    }
    let set: Vec<String> = outcome
        .changes()
        .iter()
        .map(|change| format!("--set {change}"))
        .collect();
    let _ = writeln!(text, "\nbristle run {} {}", outcome.scenario, set.join(" "));
    if let Some(folder) = &outcome.arguments.output_to.out {
        let _ = writeln!(text, "\nwritten to {}", folder.display());
    }
    Stream::Out.print(&text);
}
