//! What `bristle run --verify` prints.

use std::fmt::Write as _;

use bristle_results::{RunFolder, VERIFICATION};
use bristle_study::verify::{HeldNumber, Verification};

use crate::args::ResultsArguments;
use crate::render;
use crate::terminal::Stream;

/// Rows of a table in the terminal; the file has all.
const ROWS: usize = 12;
/// Names in a warning.
const NAMED: usize = 5;
/// Fewer digits than these deserve a warning.
const ENOUGH: f64 = 3.0;

/// Writes the digits beside the results.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn attach(
    folder: &mut RunFolder,
    verification: &Verification,
) -> bristle_results::Result<()> {
    let text = serde_json::to_string_pretty(verification).unwrap_or_default();
    folder.attach(VERIFICATION, text.as_bytes())
}

/// Prints the digits, the least certain first.
pub(super) fn tell(verification: &Verification, results: &ResultsArguments) {
    if let Some(failure) = &verification.failure {
        let help = "the results of the first run are kept; its digits are not known";
        render::error(
            format!("the finer run ended early: {failure}"),
            Some(help.to_owned()),
        );
        return;
    }
    warn(verification);
    if results.json || results.quiet {
        return;
    }
    let finer = match verification.step {
        Some(step) => format!("steps of {step:e} s"),
        None => format!("tolerance {:e}", verification.tolerance),
    };
    let steps = verification.steps;
    let mut text = format!("\ndigits that hold (against {finer}, {steps} steps)\n");
    let parts = [
        ("numbers of the summary", &verification.numbers),
        ("channels, with their largest size", &verification.channels),
    ];
    for (title, all) in parts.into_iter().filter(|(_, all)| !all.is_empty()) {
        let _ = writeln!(text, "  {title}");
        list(all, &mut text);
    }
    Stream::Out.print(&text);
}

/// Warns of numbers with few digits.
fn warn(verification: &Verification) {
    let all = verification.numbers.iter().chain(&verification.channels);
    let poor: Vec<&HeldNumber> = all.filter(|held| held.digits < ENOUGH).collect();
    if poor.is_empty() {
        return;
    }
    let names: Vec<&str> = poor.iter().take(NAMED).map(|held| &*held.name).collect();
    let more = poor.len().saturating_sub(names.len());
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    render::warning(
        format!(
            "fewer than three digits hold in {}{rest}: lower the tolerance, or the motion is one \
             in which small differences grow (chaos, grazing slip)",
            names.join(", ")
        ),
        None,
    );
}

/// The first of the numbers.
fn list(all: &[HeldNumber], text: &mut String) {
    let (shown, rest) = all.split_at(all.len().min(ROWS));
    let widths = shown.iter().map(|held| held.name.chars().count());
    let width = widths.max().unwrap_or(0);
    for held in shown {
        let HeldNumber {
            name,
            value,
            change,
            digits,
        } = held;
        let pad = " ".repeat(width - name.chars().count());
        let _ = writeln!(
            text,
            "    {name}{pad}  {digits:4.1}   {value:>14.7e}  changes by {change:.1e}"
        );
    }
    if let Some(first) = rest.first() {
        let _ = writeln!(
            text,
            "    and {} more, each with {:.1} digits or more; all are in {VERIFICATION}",
            rest.len(),
            first.digits
        );
    }
}
