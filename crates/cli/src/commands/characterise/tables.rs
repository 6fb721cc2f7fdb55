//! What the command prints.

use bristle_laws::{Friction, Value};
use bristle_results::format_quantity;
use bristle_rig::characterise::{Feature, Report, Verdict};

use super::{disagrees, short, word};
use crate::page::Page;

/// Heads of the columns of the printed table, and of what is measured beyond it.
const PRINTED: [(&str, &str); 8] = [
    ("steady_state", "steady state"),
    ("stick_slip", "stick-slip"),
    ("presliding_displacement", "presliding"),
    ("frictional_lag", "lag"),
    ("varying_break_away", "break-away"),
    ("nonlocal_memory", "memory"),
    ("transition_curve", "transition"),
    ("computational_cost", "efficient"),
];
const BEYOND: [(&str, &str); 5] = [
    ("holds_vibration", "holds in vibration"),
    ("holds_constant_load", "holds constant load"),
    ("falling_normal_force", "falling normal force"),
    ("coulomb_dissipation", "Coulomb's dissipation"),
    ("passivity", "passive"),
];

/// Why a measurement differs from the printed table.
const REASONS: &[(&str, &str, &str)] = &[
    (
        "bliman_sorine",
        "stick_slip",
        "the peak over the sliding level comes with travel from rest or after a reversal. A block that comes to a stop has moved back by micrometres only, so its next peak is smaller, and the next one smaller still; drawn at 0.1 m/s the motion ends without sticking. A slower or stiffer drive may stick",
    ),
    (
        "leuven",
        "nonlocal_memory",
        "loops of the elements close exactly in the bristle's deflection, but that slips below the limit; in position they close as the exponent grows (leuven_exponent, 2 here)",
    ),
    (
        "leuven",
        "computational_cost",
        "its elements make an evaluation dearer, but a closed update needs no shorter steps than LuGre",
    ),
    (
        "gkf",
        "computational_cost",
        "its steep slope at rest holds down the step of an explicit rule; an implicit one passes over it",
    ),
    (
        "karnopp",
        "computational_cost",
        "cheap where the applied force is known; in a mechanism a contact does not know it, friction is zero in the dead zone, and the run chatters at its edge",
    ),
    (
        "gms",
        "computational_cost",
        "elements without damping ring in stick, and an integrator that resolves the ringing takes short steps",
    ),
];

fn reason(law: &str, key: &str) -> &'static str {
    let found = REASONS.iter().find(|(l, k, _)| *l == law && *k == key);
    found.map_or("no reason is known; see the numbers", |(_, _, text)| *text)
}

/// One law: the table of its features.
pub(super) fn sheet(report: &Report, law: &Friction, nanoseconds: f64) {
    let mut page = Page::new();
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
        &["feature", "", "printed", "value", "what was measured"],
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
    page.print();
}

fn setting(name: &str, value: &Value) -> String {
    match value {
        Value::Number(x) => format!("{name} {}", short(*x)),
        Value::List(list) => {
            let entries: Vec<String> = list.iter().map(|x| short(*x)).collect();
            format!("{name} [{}]", entries.join(" "))
        }
        Value::Flag(flag) => format!("{name} {flag}"),
    }
}

/// What the value is, the further numbers, the note.
fn explanation(feature: &Feature) -> String {
    let mut parts = vec![feature.quantity.to_owned()];
    let numbers = feature.numbers.iter();
    parts.extend(numbers.map(|n| format!("{} {}", n.name, format_quantity(n.value, n.unit))));
    if !feature.note.is_empty() {
        parts.push(feature.note.clone());
    }
    parts.join("; ")
}

/// A cell of the overview: the verdict, and the printed one where it differs.
fn cell(feature: Option<&Feature>, footnotes: &mut Vec<String>, law: &str) -> String {
    let Some(feature) = feature else {
        return String::new();
    };
    if !disagrees(feature) {
        return word(feature.verdict).to_owned();
    }
    footnotes.push(format!(
        "{law}, {}: {}",
        feature.title.to_lowercase(),
        reason(law, feature.key)
    ));
    let printed = word(Verdict::from(feature.printed == Some(true)));
    format!("{} ({printed}) {}", word(feature.verdict), footnotes.len())
}

/// Heads and rows of a table of verdicts.
fn verdicts(
    reports: &[Report],
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

/// Numbers of the overview: head, feature, name of the number (its main one if empty), factor.
const NUMBERS: [(&str, &str, &str, f64); 10] = [
    ("lag 1 rad/s, mN", "frictional_lag", "lag at 1 rad/s", 1e3),
    ("lag 25 rad/s, mN", "frictional_lag", "lag at 25 rad/s", 1e3),
    (
        "break-away 3 N/s, N",
        "varying_break_away",
        "peak at 3 N/s",
        1.0,
    ),
    ("30 N/s, N", "varying_break_away", "peak at 30 N/s", 1.0),
    ("misfit 8 µm, %", "nonlocal_memory", "misfit at 8 µm", 100.0),
    ("24 µm, %", "nonlocal_memory", "misfit at 24 µm", 100.0),
    ("drift, µm/s", "holds_vibration", "", 1e6),
    ("creep, µm/s", "holds_constant_load", "", 1e6),
    ("F at N = 1 N, N", "falling_normal_force", "", 1.0),
    ("iterations", "computational_cost", "", 1.0),
];

/// Smaller numbers than this part of the unit of a column are rounding.
const NOTHING: f64 = 5e-5;

fn numbers(reports: &[Report]) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let mut heads = vec!["law"];
    heads.extend(NUMBERS.iter().map(|(head, ..)| *head));
    let row = |report: &Report| {
        let mut row = vec![report.law.clone()];
        for (_, key, name, factor) in NUMBERS {
            let value = report.feature(key).and_then(|f| {
                if name.is_empty() {
                    f.value
                } else {
                    f.number(name)
                }
            });
            row.push(value.map_or_else(
                || "–".to_owned(),
                |x| {
                    let x = x * factor;
                    if x.abs() < NOTHING {
                        "0".to_owned()
                    } else {
                        short(x)
                    }
                },
            ));
        }
        row
    };
    (heads, reports.iter().map(row).collect())
}

const KEY: &str = "yes: has it; –: has it not; n/a: does not apply. Where Colantonio et al. 2022, table 1, print \
     something else, that stands in brackets, with the number of a remark.";

/// All laws: the printed table from measurement, what is beyond it, and the numbers.
pub(super) fn overview(reports: &[Report]) {
    let mut footnotes = Vec::new();
    let mut page = Page::new();
    page.bold("features of the laws, measured");
    let (heads, rows) = verdicts(reports, &PRINTED, &mut footnotes);
    page.table(&heads, &rows);
    page.paragraph("", KEY);
    page.heading("beyond the printed table");
    let (heads, rows) = verdicts(reports, &BEYOND, &mut footnotes);
    page.table(&heads, &rows);
    page.heading("numbers");
    let (heads, rows) = numbers(reports);
    page.table(&heads, &rows);
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
    page.print();
}

/// The overview as a page of the documentation.
pub(super) fn markdown(reports: &[Report]) -> String {
    let mut text = "# What the laws can and cannot do, measured

<!-- made by: cargo run --release -p bristle -- characterise --all --markdown docs/characterisation.md -->

Every friction law of the catalogue on the virtual test bench, with the standard parameters: static
coefficient 0.15, kinetic 0.1, bristle stiffness 10⁴ 1/m, Stribeck velocity 1 mm/s where the law has
them, 10 N of normal force, a block of 1 kg. This page is made by

```sh
bristle characterise --all --markdown docs/characterisation.md
```

and `bristle characterise LAW` shows the same for one law and any parameters.

## Verdicts

"
    .to_owned();
    let mut footnotes = Vec::new();
    text.push_str(&format!(
        "{KEY} The column of LuGre holds for `lugre` and `lugre_classical`.\n\n"
    ));
    let (heads, rows) = verdicts(reports, &PRINTED, &mut footnotes);
    push_table(&mut text, &heads, &rows);
    text.push_str("\nBeyond the printed table:\n\n");
    let (heads, rows) = verdicts(reports, &BEYOND, &mut footnotes);
    push_table(&mut text, &heads, &rows);
    text.push_str("\n## Where measurement and print differ\n\n");
    for (i, footnote) in footnotes.iter().enumerate() {
        text.push_str(&format!("{}. {footnote}.\n", i + 1));
    }
    text.push_str("\n## Numbers\n\n");
    let (heads, rows) = numbers(reports);
    push_table(&mut text, &heads, &rows);
    text.push_str("\n## Criteria\n\n");
    if let Some(report) = reports.first() {
        for feature in &report.features {
            text.push_str(&format!(
                "- **{}**: yes if {}.\n",
                feature.title, feature.criterion
            ));
        }
    }
    text.push_str("\n## Remarks of the measurements\n\n");
    for report in reports {
        for feature in report.features.iter().filter(|f| !f.note.is_empty()) {
            text.push_str(&format!(
                "- `{}`, {}: {}.\n",
                report.law,
                feature.title.to_lowercase(),
                feature.note.trim_end_matches('.')
            ));
        }
    }
    text
}

fn push_table(text: &mut String, heads: &[&str], rows: &[Vec<String>]) {
    text.push_str(&format!(
        "| {} |\n|{}\n",
        heads.join(" | "),
        "---|".repeat(heads.len())
    ));
    for row in rows {
        let mut row = row.clone();
        if let Some(name) = row.first_mut() {
            *name = format!("`{name}`");
        }
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
}
