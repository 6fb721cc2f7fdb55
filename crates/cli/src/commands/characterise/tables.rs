//! What the command prints.

use bristle_laws::{Friction, Value};
use bristle_results::format_quantity;
use bristle_rig::characterise::{Characterisation, Feature};

use super::{disagrees, short, word};
use crate::page;

/// Heads of the columns of the printed table, and of what is measured beyond it.
pub(super) const PRINTED: [(&str, &str); 8] = [
    ("steady_state", "steady"),
    ("stick_slip", "stick-slip"),
    ("presliding_displacement", "presliding"),
    ("frictional_lag", "lag"),
    ("varying_break_away", "break-away"),
    ("nonlocal_memory", "memory"),
    ("transition_curve", "curve"),
    ("computational_cost", "efficient"),
];
pub(super) const BEYOND: [(&str, &str); 5] = [
    ("holds_vibration", "vibration"),
    ("holds_constant_load", "constant load"),
    ("falling_normal_force", "falling N"),
    ("coulomb_dissipation", "dissipation"),
    ("passivity", "passive"),
];

/// Why a measurement differs from the printed table.
fn reason(law: &str, key: &str) -> &'static str {
    Friction::card_of(law)
        .and_then(|card| card.printed?.reason(key))
        .unwrap_or("no reason is known; see the numbers")
}

/// One law: the table of its features.
pub(super) fn sheet(report: &Characterisation, law: &Friction, nanoseconds: f64) {
    let mut page = page::new();
    page.bold(&format!("{}, on the bench", report.law));
    let values = law.to_values();
    let set: Vec<String> = values
        .iter()
        .map(|(name, value)| setting(name, value))
        .collect();
    page.paragraph("with ", &set.join(", "));
    page.line("");
    let row = |feature: &Feature| {
        let printed = feature
            .printed
            .map_or("", |printed| if printed { "yes" } else { "–" });
        let mark = if disagrees(feature) { " !" } else { "" };
        let value = feature
            .value
            .map_or_else(|| "–".to_owned(), |x| format_quantity(x, feature.unit));
        vec![
            feature.title.to_owned(),
            word(feature.verdict).to_owned(),
            format!("{printed}{mark}"),
            value,
            explanation(feature),
        ]
    };
    let rows: Vec<_> = report.features.iter().map(row).collect();
    page.table(
        &[
            "feature",
            "present",
            "literature",
            "value",
            "what was measured",
        ],
        &rows,
    );
    page.heading("criteria");
    for feature in &report.features {
        page.paragraph(&format!("  {}: ", feature.title), feature.criterion);
    }
    let unlike: Vec<_> = report.features.iter().filter(|f| disagrees(f)).collect();
    if !unlike.is_empty() {
        page.heading("! unlike the printed table (Colantonio et al. 2022, table 1)");
        for feature in unlike {
            page.paragraph(
                &format!("  {}: ", feature.title),
                reason(&report.law, feature.key),
            );
        }
    }
    page.line("");
    let speed = format!(
        "one update of the law takes {nanoseconds:.0} ns on this machine (not part of the files)"
    );
    page.paragraph("", &speed);
    page::print(page);
}

fn setting(name: &str, value: &Value) -> String {
    match value {
        Value::Number(x) => format!("{name} {}", short(*x)),
        Value::List(list) => {
            let entries: Vec<String> = list.iter().map(|x| short(*x)).collect();
            format!("{name} [{}]", entries.join(" "))
        }
        Value::Flag(flag) => format!("{name} {flag}"),
        Value::Curve(shape) => format!("{name} {}", shape.name()),
    }
}

/// What the value is, the further numbers, the note.
pub(super) fn explanation(feature: &Feature) -> String {
    let mut parts = vec![feature.quantity.to_owned()];
    let numbers = feature.numbers.iter();
    parts.extend(numbers.map(|n| format!("{} {}", n.name, format_quantity(n.value, n.unit))));
    if !feature.note.is_empty() {
        parts.push(feature.note.clone());
    }
    parts.join("; ")
}

/// A cell of the overview: the verdict, and the number of a remark where print says otherwise.
fn cell(feature: Option<&Feature>, footnotes: &mut Vec<String>, law: &str) -> String {
    let Some(feature) = feature else {
        return String::new();
    };
    if !disagrees(feature) {
        return word(feature.verdict).to_owned();
    }
    footnotes.push(format!(
        "{law}, {}: {}",
        feature.title,
        reason(law, feature.key)
    ));
    format!("{} !{}", word(feature.verdict), footnotes.len())
}

/// Heads and rows of a table of verdicts.
pub(super) fn verdicts(
    reports: &[Characterisation],
    columns: &[(&str, &'static str)],
    footnotes: &mut Vec<String>,
) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let mut heads = vec!["law"];
    heads.extend(columns.iter().map(|(_, head)| *head));
    let mut rows = Vec::new();
    for report in reports {
        let mut row = vec![report.law.clone()];
        for (key, _) in columns {
            row.push(cell(report.feature(key), footnotes, &report.law));
        }
        rows.push(row);
    }
    (heads, rows)
}

/// A column of numbers.
pub(super) struct NumberColumn {
    /// Head on a terminal (none: not shown there), and on a page.
    short: &'static str,
    pub(super) long: &'static str,
    feature: &'static str,
    /// Name of the number; the main one of the feature if empty.
    number: &'static str,
    factor: f64,
}

const fn column(
    short: &'static str,
    long: &'static str,
    feature: &'static str,
    number: &'static str,
    factor: f64,
) -> NumberColumn {
    NumberColumn {
        short,
        long,
        feature,
        number,
        factor,
    }
}

const NUMBERS: [NumberColumn; 10] = [
    column(
        "lag 1",
        "lag at 1 rad/s, mN",
        "frictional_lag",
        "lag at 1 rad/s",
        1e3,
    ),
    column(
        "lag 25",
        "lag at 25 rad/s, mN",
        "frictional_lag",
        "lag at 25 rad/s",
        1e3,
    ),
    column(
        "peak 3",
        "break-away at 3 N/s, N",
        "varying_break_away",
        "peak at 3 N/s",
        1.0,
    ),
    column(
        "peak 30",
        "break-away at 30 N/s, N",
        "varying_break_away",
        "peak at 30 N/s",
        1.0,
    ),
    column(
        "misfit",
        "misfit of the inner loop at 8 µm, %",
        "nonlocal_memory",
        "misfit at 8 µm",
        100.0,
    ),
    column(
        "",
        "misfit at 24 µm, %",
        "nonlocal_memory",
        "misfit at 24 µm",
        100.0,
    ),
    column("drift", "drift, µm/s", "holds_vibration", "", 1e6),
    column("creep", "creep, µm/s", "holds_constant_load", "", 1e6),
    column("F(1 N)", "F at N = 1 N, N", "falling_normal_force", "", 1.0),
    column(
        "iter.",
        "iterations of the stick-slip run",
        "computational_cost",
        "",
        1.0,
    ),
];

/// Smaller numbers than this part of the unit of a column are rounding.
const NOTHING: f64 = 1e-3;

pub(super) fn numbers(
    reports: &[Characterisation],
    shows: fn(&NumberColumn) -> bool,
) -> Vec<Vec<String>> {
    let shown = |x: f64| {
        if x.abs() < NOTHING {
            "0".to_owned()
        } else {
            short(x)
        }
    };
    let row = |report: &Characterisation| {
        let mut row = vec![report.law.clone()];
        for column in NUMBERS.iter().filter(|column| shows(column)) {
            let value = report
                .feature(column.feature)
                .and_then(|f| match column.number {
                    "" => f.value,
                    name => f.number(name),
                });
            row.push(value.map_or_else(|| "–".to_owned(), |x| shown(x * column.factor)));
        }
        row
    };
    reports.iter().map(row).collect()
}

/// Heads of the columns of numbers behind the name of the law.
pub(super) fn number_heads(of: fn(&NumberColumn) -> &'static str) -> Vec<&'static str> {
    std::iter::once("law")
        .chain(NUMBERS.iter().map(of))
        .collect()
}

pub(super) const KEY: &str = "yes: present; –: absent; n/a: does not apply; ! and a number: Colantonio et al. 2022, table 1, \
     print the opposite, and a remark says why.";

/// All laws: the printed table from measurement, what is beyond it, and the numbers.
pub(super) fn overview(reports: &[Characterisation]) {
    let mut footnotes = Vec::new();
    let mut page = page::new();
    page.bold("features of the laws, measured");
    let (heads, rows) = verdicts(reports, &PRINTED, &mut footnotes);
    page.table(&heads, &rows);
    page.paragraph("", KEY);
    page.heading("beyond the printed table");
    let (heads, rows) = verdicts(reports, &BEYOND, &mut footnotes);
    page.table(&heads, &rows);
    page.heading("numbers");
    let mut heads = number_heads(|column| column.short);
    heads.retain(|head| !head.is_empty());
    page.table(&heads, &numbers(reports, |column| !column.short.is_empty()));
    let legend: Vec<_> = NUMBERS
        .iter()
        .filter(|column| !column.short.is_empty())
        .map(|c| format!("{}: {}", c.short, c.long))
        .collect();
    page.paragraph("", &legend.join("; "));
    if !footnotes.is_empty() {
        page.heading("remarks");
        for (i, text) in footnotes.iter().enumerate() {
            page.paragraph(&format!("  {}  ", i + 1), text);
        }
    }
    page.line("");
    page.paragraph(
        "",
        "`bristle characterise LAW` shows criteria and numbers of a law.",
    );
    page::print(page);
}
