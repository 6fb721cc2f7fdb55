//! The report page of a characterisation.

use std::path::Path;

use bristle_laws::{Friction, Value};
use bristle_report::{Cell, Fact, Grid, PageNotice, Report as Html, Result, Tone};
use bristle_rig::characterise::{Characterisation, Feature, FeatureVerdict};

use super::tables::{BEYOND, PRINTED, explanation, verdicts};
use crate::commands::equations;

use super::{disagrees, files, overlay, short, word};

/// Writes `report.html` of every law, and with several laws a page that shows them side by side.
pub(super) fn write(folder: &Path, reports: &[Characterisation], laws: &[Friction]) -> Result<()> {
    if let ([report], [law]) = (reports, laws) {
        return one(report, law).write(folder.join("report.html"));
    }
    for (report, law) in reports.iter().zip(laws) {
        let place = folder.join(&report.law);
        one(report, law).write(place.join("report.html"))?;
    }
    all(reports, laws).write(folder.join("report.html"))
}

fn page(title: String) -> Html {
    Html::new(title).footer(format!("bristle {}", env!("CARGO_PKG_VERSION")))
}

fn one(report: &Characterisation, law: &Friction) -> Html {
    let card = law.card();
    let has = |verdict| {
        let count = report.features.iter().filter(|f| f.verdict == verdict);
        count.count().to_string()
    };
    let mut html = page(format!("{} on the test bench", report.law))
        .subtitle(card.title)
        .fact(Fact::new("features it has", has(FeatureVerdict::Yes)))
        .fact(Fact::new("features it lacks", has(FeatureVerdict::No)))
        .fact(Fact::new(
            "do not apply",
            has(FeatureVerdict::NotApplicable),
        ));
    for feature in report.features.iter().filter(|f| disagrees(f)) {
        html = html.notice(PageNotice::info(format!(
            "{}: Colantonio et al. 2022, table 1, print the opposite of what is measured.",
            feature.title
        )));
    }
    html = html.section("Features").table(features(report));
    html = html.section("Measurements");
    for (picture, figure) in files::pictures(report) {
        html = html.text(picture.about).figure(&figure);
    }
    html.section("Law")
        .table(equations_of(law))
        .section("Parameters")
        .table(parameters(law))
}

fn toned(verdict: FeatureVerdict) -> Cell {
    match verdict {
        FeatureVerdict::Yes => Cell::Toned(word(verdict).to_owned(), Tone::Good),
        _ => Cell::text(word(verdict)),
    }
}

fn features(report: &Characterisation) -> Grid {
    let heads = ["feature", "verdict", "value", "what it is", "yes if"];
    let mut grid = Grid::new("Verdicts, and how they came about", heads);
    for feature in &report.features {
        grid.push([
            Cell::text(feature.title),
            toned(feature.verdict),
            value(feature),
            Cell::text(explanation(feature)),
            Cell::text(feature.criterion),
        ]);
    }
    grid
}

fn value(feature: &Feature) -> Cell {
    let number = |value| Cell::number(value, feature.unit);
    feature.value.map_or(Cell::Empty, number)
}

fn equations_of(law: &Friction) -> Grid {
    let (card, equations) = (law.card(), law.declaration().equations());
    equations::grid([(card.name, card.title, &*equations)])
}

fn parameters(law: &Friction) -> Grid {
    let mut grid = Grid::new(
        "The law as it was measured",
        ["parameter", "symbol", "value", "meaning"],
    );
    let card = law.card();
    for (name, value) in law.to_values() {
        let Some(parameter) = card.parameters.iter().find(|p| p.name == name) else {
            continue;
        };
        let shown = match value {
            Value::Number(x) => Cell::number(x, &*parameter.unit),
            Value::List(list) => {
                let entries: Vec<String> = list.iter().map(|x| short(*x)).collect();
                Cell::text(entries.join(", "))
            }
            Value::Flag(flag) => Cell::text(flag.to_string()),
            Value::Curve(shape) => Cell::text(shape.name()),
        };
        let (symbol, meaning) = (
            Cell::text(&*parameter.symbol),
            Cell::text(&*parameter.meaning),
        );
        grid.push([Cell::text(name), symbol, shown, meaning]);
    }
    grid
}

/// Several laws side by side: their verdicts, and each picture with a curve a law.
fn all(reports: &[Characterisation], laws: &[Friction]) -> Html {
    let mut html = page("Friction laws on the test bench".to_owned())
        .subtitle("what they can and cannot do, measured")
        .fact(Fact::new("laws", reports.len().to_string()));
    let mut footnotes = Vec::new();
    for (title, columns) in [
        ("The table of the literature", &PRINTED[..]),
        ("Beyond it", &BEYOND[..]),
    ] {
        let (heads, rows) = verdicts(reports, columns, &mut footnotes);
        let mut grid = Grid::new(title, heads);
        for row in rows {
            grid.push(row.into_iter().map(Cell::Text));
        }
        html = html.section(title).table(grid);
    }
    for (text, number) in footnotes.iter().zip(1..) {
        html = html.notice(PageNotice::info(format!("{number}. {text}")));
    }
    let groups = overlay::groups(reports, laws);
    for picture in overlay::pictures(reports) {
        html = html.section(picture.title).text(picture.about);
        for shared in groups.iter().filter_map(|g| overlay::overlay(picture, g)) {
            html = html.figure(&shared.figure);
            if !shared.missing.is_empty() {
                let laws = shared.missing.join(", ");
                html = html.text(format!("Not measured: {laws}; the table of each says why."));
            }
        }
    }
    html
}
