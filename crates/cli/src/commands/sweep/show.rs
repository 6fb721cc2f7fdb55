//! What a sweep prints.

use std::path::Path;

use bristle_results::format_quantity;
use bristle_study::sweep::{End, Outcome, Study};
use serde_json::{Map, Value, json};

use crate::model::counted;
use crate::page::Page;

/// Rows that are shown.
const SHOWN: usize = 24;
/// Numbers that are shown for each row, besides the parameters.
const NUMBERS: usize = 5;

/// The names of the numbers that matter most, and their units.
pub(super) fn principal(outcome: &[(String, String)]) -> Vec<(String, String)> {
    const ORDER: [fn(&str) -> bool; 5] = [
        |name| name.starts_with("measured."),
        |name| name.starts_with("contacts.") && name.ends_with(".first_slip_time"),
        |name| name.starts_with("contacts.") && name.ends_with(".max_slip_speed"),
        |name| name.starts_with("contacts.") && name.ends_with(".dissipated"),
        |name| name == "energy.dissipated",
    ];
    let all = outcome.iter();
    ORDER
        .iter()
        .flat_map(|suits| all.clone().filter(|(name, _)| suits(name)).cloned())
        .collect()
}

/// The table, as far as it fits a terminal.
pub(super) fn text(study: &Study, outcome: &Outcome, out: &Path) {
    let mut page = Page::new();
    page.bold(study.title());
    let computed = counted(outcome.computed, "run", "runs");
    let before = match outcome.found {
        0 => String::new(),
        found => format!("; {found} were done before"),
    };
    page.line(&format!("{computed} made{before}"));
    page.line("");
    let numbers: Vec<(String, String)> = principal(outcome.table.columns())
        .into_iter()
        .take(NUMBERS)
        .collect();
    let mut heads: Vec<&str> = vec!["case"];
    heads.extend(study.axes().iter().map(|axis| short(&axis.path)));
    heads.extend(numbers.iter().map(|(name, _)| shorter(name)));
    heads.push("status");
    let mut rows = Vec::new();
    for (case, row) in outcome.table.rows().take(SHOWN) {
        let mut cells = vec![(case + 1).to_string()];
        cells.extend(study.values(case).iter().map(|value| value.text.clone()));
        for (name, unit) in &numbers {
            let value = row.value(name);
            cells.push(value.map_or_else(|| "–".to_owned(), |v| format_quantity(v, unit)));
        }
        cells.push(match row.end {
            End::Complete => row.end.word().to_owned(),
            end => format!(
                "{}: {}",
                end.word(),
                row.reason.as_deref().unwrap_or_default()
            ),
        });
        rows.push(cells);
    }
    page.table(&heads, &rows);
    let there = outcome.table.rows().count();
    if there > SHOWN {
        page.line(&format!("  … and {} more", there - SHOWN));
    }
    page.line("");
    match &outcome.file {
        Some(file) => page.line(&format!("table in {}", file.display())),
        None => page.line(&format!("runs in {}", out.display())),
    }
    page.print();
}

/// The last two words of a path, where one alone says little.
fn short(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, last)| last)
}

/// `contacts.base.first_slip_time` as `base.first_slip_time`.
fn shorter(name: &str) -> &str {
    name.strip_prefix("contacts.")
        .or_else(|| name.strip_prefix("measured."))
        .unwrap_or(name)
}

/// Everything for programs.
pub(super) fn json(study: &Study, outcome: &Outcome, out: &Path) -> Value {
    let row = |(case, row): (usize, &bristle_study::sweep::Row)| {
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
        "rows": outcome.table.rows().map(row).collect::<Vec<_>>(),
    })
}
