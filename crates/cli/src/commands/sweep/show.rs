//! What a sweep prints.

use std::path::Path;

use bristle_results::format_quantity;
use bristle_study::sweep::{CaseEnd, Study, SweepOutcome, SweepRow};
use serde_json::{Map, Value, json};

use super::names::{distinct, needed, principal, shorter};
use super::sensitivities;
use crate::page;
use bristle_units::number_of;

/// Rows that are shown.
const SHOWN: usize = 24;
/// Numbers that are shown for each row, besides the parameters.
const NUMBERS: usize = 5;

/// The table, as far as it fits a terminal.
pub(super) fn text(study: &Study, outcome: &SweepOutcome, out: &Path) {
    let mut page = page::new();
    page.bold(study.title());
    let made = match outcome.computed {
        0 => "nothing to run".to_owned(),
        computed => format!("{} completed", number_of(computed, "run", "runs")),
    };
    let before = match outcome.found {
        0 => String::new(),
        1 => "; 1 was done before".to_owned(),
        found => format!("; {found} were done before"),
    };
    page.line(&format!("{made}{before}"));
    page.line("");
    let mut numbers = principal(outcome.table.columns());
    numbers.truncate(NUMBERS);
    // numbers that find no room are in the file
    let (heads, rows) = loop {
        let (heads, rows) = cells(study, outcome, &numbers);
        if numbers.len() <= 1 || page.has_room(needed(&heads, &rows)) {
            break (heads, rows);
        }
        numbers.pop();
    };
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    page.table(&heads, &rows);
    let there = outcome.table.rows().count();
    if there > SHOWN {
        page.line(&format!("  … and {} more", there - SHOWN));
    }
    page.line("");
    sensitivities::text(&mut page, study, outcome);
    match &outcome.file {
        Some(file) => page.line(&format!("table in {}", file.display())),
        None => page.line(&format!("runs in {}", out.display())),
    }
    page::print(page);
}

/// Heads and rows of the table with so many numbers.
fn cells(
    study: &Study,
    outcome: &SweepOutcome,
    numbers: &[(String, String)],
) -> (Vec<String>, Vec<Vec<String>>) {
    let mut heads = vec!["case".to_owned()];
    let paths: Vec<&str> = study.axes().iter().map(|axis| &*axis.path).collect();
    heads.extend(paths.iter().map(|path| distinct(path, &paths)));
    // a name is distinct from those that find no room, too
    let all = principal(outcome.table.columns());
    let all: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    heads.extend(
        numbers
            .iter()
            .map(|(name, _)| shorter(name, &all).to_owned()),
    );
    heads.push("status".to_owned());
    let row = |(case, row): (usize, &SweepRow)| {
        let mut cells = vec![(case + 1).to_string()];
        cells.extend(study.values(case).iter().map(|value| match value.si {
            // nobody reads all digits of a number that was drawn
            Some(si) if study.design().drawn().is_some() => format_quantity(si, &value.unit),
            _ => value.text.clone(),
        }));
        for (name, unit) in numbers {
            let value = row.value(name);
            cells.push(value.map_or_else(|| "–".to_owned(), |v| format_quantity(v, unit)));
        }
        cells.push(match row.end {
            CaseEnd::Complete => row.end.word().to_owned(),
            end => {
                let reason = row.reason.as_deref().unwrap_or_default();
                format!("{}: {reason}", end.word())
            }
        });
        cells
    };
    let rows = outcome.table.rows().take(SHOWN).map(row).collect();
    (heads, rows)
}

/// Everything for programs.
pub(super) fn json(study: &Study, outcome: &SweepOutcome, out: &Path) -> Value {
    let row = |(case, row): (usize, &SweepRow)| {
        let mut parameters = Map::new();
        for (axis, value) in study.axes().iter().zip(study.values(case)) {
            let shown = value.si.map_or_else(|| json!(value.text), |si| json!(si));
            parameters.insert(axis.path.clone(), shown);
        }
        let numbers = outcome.table.columns().iter();
        let numbers: Map<String, Value> = numbers
            .filter(|(name, _)| !name.starts_with("extremes."))
            .map(|(name, _)| (name.clone(), json!(row.value(name))))
            .collect();
        json!({
            "case": case + 1,
            "parameters": parameters,
            "status": row.end.word(),
            "reason": row.reason,
            "values": numbers,
        })
    };
    json!({
        "scenario": study.scenario().display().to_string(),
        "runs": study.count(),
        "asked": outcome.asked,
        "computed": outcome.computed,
        "done_before": outcome.found,
        "failed": outcome.table.failed(),
        "missing": outcome.table.missing(),
        "interrupted": outcome.interrupted,
        "folder": out.display().to_string(),
        "table": outcome.file.as_ref().map(|file| file.display().to_string()),
        "sensitivities": sensitivities::json(outcome),
        "rows": outcome.table.rows().map(row).collect::<Vec<_>>(),
    })
}
