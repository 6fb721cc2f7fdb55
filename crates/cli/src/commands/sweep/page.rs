//! The report page of a sweep.

use std::path::Path;

use bristle_report::{Cell, Fact, Grid, PageNotice, Report, Result, Tone};
use bristle_results::draw_map;
use bristle_study::sweep::{CaseEnd, Study, SweepOutcome, SweepTable};
use bristle_units::number_of;

use super::{names, plots};

/// Rows of the table on the page; the file has all.
const ROWS: usize = 2000;

/// Writes `report.html`.
pub(super) fn write(study: &Study, outcome: &SweepOutcome, out: &Path) -> Result<()> {
    let table = &outcome.table;
    let failed = table.failed();
    let (tone, word) = if failed == 0 {
        (Tone::Good, "complete".to_owned())
    } else {
        (Tone::Bad, format!("{failed} failed"))
    };
    let mut runs = Fact::new("runs", study.count().to_string());
    if !study.design().is_grid() {
        runs = runs.note(study.design().words());
    }
    let mut report = Report::new(study.title())
        .subtitle(format!("sweep of {}", study.scenario().display()))
        .badge(tone, word)
        .fact(runs)
        .footer(format!("bristle {}", env!("CARGO_PKG_VERSION")));
    for (i, axis) in study.axes().iter().enumerate() {
        let fact = Fact::new(&*axis.path, number_of(axis.values.len(), "value", "values"));
        report = report.fact(fact.note(study.design().span(i)));
    }
    for (case, row) in table
        .rows()
        .filter(|(_, row)| row.end != CaseEnd::Complete)
        .take(20)
    {
        let reason = row.reason.as_deref().unwrap_or_default();
        let text = format!(
            "case {} {}, {}: {reason}",
            case + 1,
            row.end.word(),
            study.words(case)
        );
        report = report.notice(PageNotice::error(text));
    }
    for &axis in &outcome.idle {
        let path = study.axes().get(axis).map_or("", |axis| axis.path.as_str());
        report = report.notice(PageNotice::warning(format!(
            "{path} changes no number of any run"
        )));
    }
    report = report.section("Plots");
    report = match plots::figures(study, outcome) {
        Ok(figures) => figures.iter().fold(report, Report::figure),
        Err(reason) => report.text(reason),
    };
    if let Some(sensitivities) = &outcome.sensitivities {
        report = report.section("Sensitivities");
        if let Some(estimator) = sensitivities.estimator {
            report = report.text(format!("Indices of Sobol': {estimator}."));
        }
        let map = super::sensitivities::map(study, outcome);
        // it may be too large to be drawn; the table below says the same
        if let Some((title, Ok(svg))) = map.map(|map| (map.title.clone(), draw_map(&map))) {
            report = report.picture(title, svg);
        }
        report = report.table(super::sensitivities::grid(sensitivities, table));
    }
    report
        .section("Table")
        .table(cases(study, table))
        .write(out.join("report.html"))
}

/// The first cases with the most important numbers.
fn cases(study: &Study, table: &SweepTable) -> Grid {
    let numbers = names::principal(table.columns());
    let mut heads = vec!["case".to_owned()];
    heads.extend(study.axes().iter().map(|axis| axis.path.clone()));
    heads.extend(numbers.iter().map(|(name, _)| name.clone()));
    heads.push("status".to_owned());
    let mut grid = Grid::new("All cases", heads);
    for (case, row) in table.rows().take(ROWS) {
        let mut cells = vec![Cell::number((case + 1) as f64, "1")];
        for value in study.values(case) {
            cells.push(match value.si {
                Some(si) => Cell::number(si, &*value.unit),
                None => Cell::text(&*value.text),
            });
        }
        for (name, unit) in &numbers {
            cells.push(
                row.value(name)
                    .map_or(Cell::Empty, |v| Cell::number(v, &**unit)),
            );
        }
        cells.push(Cell::text(row.end.word()));
        grid.push(cells);
    }
    grid
}
