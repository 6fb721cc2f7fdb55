//! The files of `--out`.

use std::path::Path;

use bristle_results::{
    Figure, FigureAxis, FigureCurve, FolderMaker, Foreign, OutputFolder, Result, draw,
    format_number,
};
use bristle_rig::characterise::{Characterisation, Feature, FeatureVerdict, Picture};
use serde_json::{Value, json};

use crate::args::CharacteriseArguments;

/// Writes features.csv, the plots and features.json of every law, each in a folder of its own if
/// there are several.
pub(super) fn write(
    folder: &Path,
    reports: &[Characterisation],
    arguments: &CharacteriseArguments,
) -> Result<()> {
    let foreign: Foreign = arguments.output_to.force.into();
    let maker = FolderMaker {
        command: "characterise",
        last: "features.json",
    };
    let whole = OutputFolder::open(folder, maker, foreign)?;
    let mut whole = Some(whole);
    for report in reports {
        let place = if arguments.all {
            OutputFolder::open(&folder.join(&report.law), maker, foreign)?
        } else if let Some(whole) = whole.take() {
            whole
        } else {
            continue;
        };
        let json = format!("{:#}\n", self::report(report));
        place.write("features.csv", csv(report).as_bytes())?;
        let pictures = pictures(report).into_iter();
        for (name, figure) in pictures.filter(|_| !arguments.output_to.no_plots) {
            let svg = draw(&figure)?;
            place.write(&format!("{name}.svg"), svg.as_bytes())?;
        }
        place.finish(json.as_bytes())?;
    }
    Ok(())
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

/// One line per number: the main one of a feature first.
fn csv(report: &Characterisation) -> String {
    let mut lines = vec!["feature,verdict,quantity,value,unit".to_owned()];
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
    lines.push(String::new());
    lines.join("\n")
}

/// The figures of a report, in the order of their first curves.
pub(super) fn pictures(report: &Characterisation) -> Vec<(&'static str, Figure)> {
    let mut found: Vec<(&'static Picture, Figure)> = Vec::new();
    for curve in &report.curves {
        let drawn = FigureCurve {
            label: curve.label.clone(),
            x: curve.x.clone(),
            y: curve.y.clone(),
        };
        let known = found.iter_mut().find(|(p, _)| p.key == curve.picture.key);
        if let Some((_, figure)) = known {
            figure.curves.push(drawn);
            continue;
        }
        let picture = curve.picture;
        let axis = |(label, unit): (&str, &str)| FigureAxis {
            label: label.to_owned(),
            unit: unit.to_owned(),
        };
        let figure = Figure {
            title: format!("{}: {}", report.law, picture.title),
            x: axis(picture.x),
            y: axis(picture.y),
            curves: vec![drawn],
        };
        found.push((picture, figure));
    }
    found.into_iter().map(|(p, f)| (p.key, f)).collect()
}
