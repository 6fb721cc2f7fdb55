//! How much the numbers of a sweep depend on its parameters, as it is shown.

use bristle_report::{Cell, Grid};
use bristle_results::{Figure, FigureAxis, FigureCurve, Map, TextPage};
use bristle_study::sweep::{
    IndexEstimate, Sensitivities, Sensitivity, Study, SweepOutcome, SweepTable, main_effect,
};
use serde_json::{Value, json};

use super::names::{distinct, needed, principal, shorter};

/// Rows that are shown in the terminal.
const SHOWN: usize = 16;
/// Numbers on the page and in the plot, at most.
const NUMBERS: usize = 16;
/// Parameters in a plot, at most: those that matter most.
const PARAMETERS: usize = 8;

/// Of the numbers that matter most, in their order; the parameters of each by weight.
fn of_principal<'s>(
    sensitivities: &'s Sensitivities,
    table: &SweepTable,
    most: usize,
) -> Vec<Vec<&'s Sensitivity>> {
    let of = |(name, _): (String, String)| {
        let rows = sensitivities.rows.iter().filter(|row| row.number == name);
        let mut rows: Vec<&Sensitivity> = rows.collect();
        rows.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
        rows
    };
    let numbers = principal(table.columns()).into_iter().map(of);
    numbers.filter(|rows| !rows.is_empty()).take(most).collect()
}

/// As in `0.44 ± 0.03`.
fn shown(estimate: Option<IndexEstimate>) -> String {
    estimate.map_or_else(
        || "–".to_owned(),
        |IndexEstimate { value, high, .. }| format!("{} ± {}", fixed(value), fixed(high - value)),
    )
}

fn fixed(value: f64) -> String {
    // −0.00 would be a riddle
    format!("{:.2}", if value.abs() < 0.005 { 0.0 } else { value })
}

fn coefficient(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), fixed)
}

/// Both correlations and both indices.
fn measures(row: &Sensitivity) -> [String; 4] {
    let [pearson, spearman] = [row.pearson, row.spearman].map(coefficient);
    let [first, total] = [row.first_order, row.total_order].map(shown);
    [pearson, spearman, first, total]
}

/// The table in the terminal.
pub(super) fn text(page: &mut TextPage, study: &Study, outcome: &SweepOutcome) {
    let Some(sensitivities) = &outcome.sensitivities else {
        return;
    };
    let numbers = of_principal(sensitivities, &outcome.table, NUMBERS);
    let names: Vec<&str> = numbers.iter().map(|rows| rows[0].number.as_str()).collect();
    let parameters: Vec<&str> = study.axes().iter().map(|axis| &*axis.path).collect();
    let row = |row: &&Sensitivity| {
        let mut cells = vec![
            shorter(&row.number, &names).to_owned(),
            distinct(&row.parameter, &parameters),
        ];
        cells.extend(measures(row));
        cells
    };
    let heads = [
        "number",
        "parameter",
        "Pearson",
        "Spearman",
        "first order",
        "total",
    ];
    let mut rows: Vec<Vec<String>> = numbers.iter().flatten().take(SHOWN).map(row).collect();
    if rows.is_empty() {
        return;
    }
    if !page.has_room(needed(&heads.map(str::to_owned), &rows)) {
        // a narrow terminal breaks each row into lines: of each number what matters most
        rows = numbers
            .iter()
            .filter_map(|rows| rows.first())
            .take(SHOWN / 2)
            .map(row)
            .collect();
    }
    page.bold("what the numbers depend on");
    page.table(&heads, &rows);
    if let Some(estimator) = sensitivities.estimator {
        page.line(&format!("  {estimator}"));
    }
    page.line("");
}

/// For programs; extremes of channels stand in the file only.
pub(super) fn json(outcome: &SweepOutcome) -> Value {
    let Some(sensitivities) = &outcome.sensitivities else {
        return Value::Null;
    };
    let ends = |estimate: Option<IndexEstimate>| {
        estimate.map(
            |IndexEstimate { value, low, high }| json!({ "value": value, "low": low, "high": high }),
        )
    };
    let rows = sensitivities.rows.iter();
    let rows = rows.filter(|row| !row.number.starts_with("extremes."));
    let rows = rows.map(|row| {
        json!({
            "number": row.number,
            "parameter": row.parameter,
            "runs": row.runs,
            "pearson": row.pearson,
            "spearman": row.spearman,
            "first_order": ends(row.first_order),
            "total_order": ends(row.total_order),
        })
    });
    json!({ "estimator": sensitivities.estimator, "rows": rows.collect::<Vec<_>>() })
}

/// The table on the page.
pub(super) fn grid(sensitivities: &Sensitivities, table: &SweepTable) -> Grid {
    let heads = [
        "number",
        "parameter",
        "Pearson",
        "Spearman",
        "first order",
        "total",
        "runs",
    ];
    let mut grid = Grid::new("What the numbers depend on", heads);
    for row in of_principal(sensitivities, table, NUMBERS)
        .into_iter()
        .flatten()
    {
        let names = [&row.number, &row.parameter].map(|name| Cell::text(&**name));
        let cells = names.into_iter().chain(measures(row).map(Cell::text));
        grid.push(cells.chain([Cell::number(row.runs as f64, "1")]));
    }
    grid
}

/// The picture of all numbers and parameters: the index of highest rank that there is.
pub(super) fn map(study: &Study, outcome: &SweepOutcome) -> Option<Map> {
    let sensitivities = outcome.sensitivities.as_ref()?;
    let numbers = of_principal(sensitivities, &outcome.table, NUMBERS);
    let parameters: Vec<&str> = study.axes().iter().map(|axis| axis.path.as_str()).collect();
    let total = numbers
        .iter()
        .flatten()
        .any(|row| row.total_order.is_some());
    let first = numbers
        .iter()
        .flatten()
        .any(|row| row.first_order.is_some());
    let (label, value): (&str, fn(&Sensitivity) -> Option<f64>) = if total {
        ("total index of Sobol'", |row| {
            row.total_order.map(|index| index.value)
        })
    } else if first {
        ("first index of Sobol'", |row| {
            row.first_order.map(|index| index.value)
        })
    } else {
        ("Spearman's correlation", |row| row.spearman)
    };
    let cells = numbers.iter().rev().map(|rows| {
        let cell = |parameter: &&str| {
            let row = rows.iter().find(|row| row.parameter == *parameter)?;
            value(row)
        };
        parameters.iter().map(cell).collect()
    });
    let names: Vec<&str> = numbers.iter().map(|rows| rows[0].number.as_str()).collect();
    Some(Map {
        title: format!("What the numbers depend on: {label}"),
        x: (
            "parameter".to_owned(),
            parameters
                .iter()
                .map(|path| distinct(path, &parameters))
                .collect(),
        ),
        y: (
            "number".to_owned(),
            names
                .iter()
                .rev()
                .map(|name| shorter(name, &names).to_owned())
                .collect(),
        ),
        quantity: FigureAxis::new(label, "1"),
        cells: cells.collect(),
    })
}

/// The mean of each number over the rank of each parameter that matters.
pub(super) fn main_effects(study: &Study, outcome: &SweepOutcome) -> Vec<Figure> {
    let Some(sensitivities) = &outcome.sensitivities else {
        return Vec::new();
    };
    let table = &outcome.table;
    let columns = table.numbers();
    let of_number = |mut rows: Vec<&Sensitivity>| {
        rows.truncate(PARAMETERS);
        // a parameter has the same colour in every plot
        let place_of = |path: &str| study.axes().iter().position(|axis| axis.path == path);
        rows.sort_by_key(|row| place_of(&row.parameter));
        let number = rows.first()?;
        let place = table
            .columns()
            .iter()
            .position(|(name, _)| *name == number.number)?;
        let curve = |row: &&Sensitivity| {
            let axis = study
                .axes()
                .iter()
                .find(|axis| axis.path == row.parameter)?;
            let values: Vec<f64> = axis.values.iter().filter_map(|value| value.si).collect();
            let (x, y) = main_effect(&values, &columns[place]);
            let label = row.parameter.clone();
            Some(FigureCurve::new(label, x, y))
        };
        Some(Figure {
            title: number.number.clone(),
            x: FigureAxis::new(
                "rank of the parameter, from its lowest value to its highest",
                "1",
            ),
            y: FigureAxis::new(
                format!("mean of {}", shorter(&number.number, &[])),
                &*number.unit,
            ),
            curves: rows.iter().filter_map(curve).collect(),
        })
    };
    let numbers = of_principal(sensitivities, table, NUMBERS).into_iter();
    numbers.filter_map(of_number).collect()
}
