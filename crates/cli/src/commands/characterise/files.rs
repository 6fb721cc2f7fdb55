//! The files of `--out`.

use std::path::Path;

use bristle_laws::Friction;
use bristle_results::{
    Figure, FigureCurve, FolderMaker, Foreign, OutputFolder, PlotFormat, Result, format_number,
};
use bristle_rig::characterise::{Characterisation, Feature, FeatureVerdict, Picture};
use serde_json::{Value, json};

use super::overlay;
use crate::args::OutputArguments;

/// The command and the file that completes its folder.
const MAKER: FolderMaker = FolderMaker {
    command: "characterise",
    last: "features.json",
};

/// Writes features.csv, the plots and features.json. Several laws have a folder each, and their
/// common table and plots stand beside these.
pub(super) fn write(
    folder: &Path,
    reports: &[Characterisation],
    laws: &[Friction],
    to: &OutputArguments,
) -> Result<()> {
    let foreign: Foreign = to.force.into();
    let whole = OutputFolder::open(folder, MAKER, foreign)?;
    if let [report] = reports {
        return one(whole, report, to.plots());
    }
    for report in reports {
        let own = OutputFolder::open(&folder.join(&report.law), MAKER, foreign)?;
        one(own, report, to.plots())?;
    }
    if let Some(format) = to.plots() {
        let groups = overlay::groups(reports, laws);
        for picture in overlay::pictures(reports) {
            let shared = groups.iter().filter_map(|g| overlay::overlay(picture, g));
            for shared in shared {
                whole.write_drawing(&shared.file, &shared.figure.into(), format)?;
            }
        }
    }
    let table: Vec<String> = reports.iter().flat_map(rows).collect();
    let head = format!("law,{HEAD}\n");
    whole.write("features.csv", (head + &table.concat()).as_bytes())?;
    let all: Vec<Value> = reports.iter().map(report).collect();
    whole.finish(format!("{:#}\n", json!(all)).as_bytes())
}

fn one(place: OutputFolder, report: &Characterisation, plots: Option<PlotFormat>) -> Result<()> {
    place.write("features.csv", csv(report).as_bytes())?;
    if let Some(format) = plots {
        for (picture, figure) in pictures(report) {
            place.write_drawing(picture.key, &figure.into(), format)?;
        }
    }
    let json = format!("{:#}\n", self::report(report));
    place.finish(json.as_bytes())
}

fn verdict(feature: &Feature) -> Value {
    match feature.verdict {
        FeatureVerdict::Yes => json!(true),
        FeatureVerdict::No => json!(false),
        FeatureVerdict::NotApplicable => Value::Null,
    }
}

/// A report as JSON, without its curves.
pub(super) fn report(report: &Characterisation) -> Value {
    let feature = |f: &Feature| {
        let numbers = f
            .numbers
            .iter()
            .map(|n| json!({ "name": n.name, "value": n.value, "unit": n.unit }));
        json!({
            "key": f.key,
            "title": f.title,
            "verdict": verdict(f),
            "quantity": f.quantity,
            "value": f.value,
            "unit": f.unit,
            "criterion": f.criterion,
            "numbers": numbers.collect::<Vec<_>>(),
            "note": f.note,
            "printed": f.printed,
        })
    };
    json!({
        "law": report.law,
        "features": report.features.iter().map(feature).collect::<Vec<_>>(),
    })
}

/// Heads of the table of a law.
const HEAD: &str = "feature,verdict,quantity,value,unit";

/// The table of one law.
fn csv(report: &Characterisation) -> String {
    let lines = lines(report).into_iter().map(|line| line + "\n");
    format!("{HEAD}\n{}", lines.collect::<String>())
}

/// The lines of a law in a table of several.
fn rows(report: &Characterisation) -> Vec<String> {
    let line = |line: String| format!("{},{line}\n", report.law);
    lines(report).into_iter().map(line).collect()
}

/// One line per number: the main one of a feature first.
fn lines(report: &Characterisation) -> Vec<String> {
    let mut lines = Vec::new();
    for feature in &report.features {
        let verdict = match feature.verdict {
            FeatureVerdict::Yes => "yes",
            FeatureVerdict::No => "no",
            FeatureVerdict::NotApplicable => "",
        };
        let key = feature.key;
        let mut line = |quantity: &str, value: Option<f64>, unit: &str| {
            let value = value.map_or_else(String::new, format_number);
            let quantity = quantity.replace('"', "\"\"");
            lines.push(format!("{key},{verdict},\"{quantity}\",{value},{unit}"));
        };
        line(feature.quantity, feature.value, feature.unit);
        for number in &feature.numbers {
            line(number.name, Some(number.value), number.unit);
        }
    }
    lines
}

/// The figures of a report, in the order of their first curves.
pub(super) fn pictures(report: &Characterisation) -> Vec<(&'static Picture, Figure)> {
    let mut found: Vec<(&'static Picture, Figure)> = Vec::new();
    for curve in &report.curves {
        let drawn = FigureCurve::new(&*curve.label, &*curve.x, &*curve.y);
        let known = found.iter_mut().find(|(p, _)| p.key == curve.picture.key);
        if let Some((_, figure)) = known {
            figure.curves.push(drawn);
            continue;
        }
        let picture = curve.picture;
        let figure = Figure {
            title: format!("{}: {}", report.law, picture.title),
            x: overlay::axis(picture.x),
            y: overlay::axis(picture.y),
            curves: vec![drawn],
        };
        found.push((picture, figure));
    }
    found
}
