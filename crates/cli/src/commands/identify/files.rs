//! The folder of `--out`.

use std::fmt::Write as _;
use std::path::Path;

use bristle_identify::{Fit, Prediction, RecordKind};
use bristle_laws::Values;
use bristle_results::{
    Figure, FigureAxis, FigureCurve, FolderMaker, OutputFolder, Result, format_number,
};

use super::options::toml_value;
use super::{FitOutcome, json, stages};
use crate::args::OutputArguments;
use crate::commands::escape::one_line;
use crate::commands::fits::plot;

/// Writes the law, residuals, plots and the JSON; with several laws, each in a folder of its own.
pub(super) fn write(folder: &Path, outcome: &FitOutcome, to: &OutputArguments) -> Result<()> {
    let maker = FolderMaker {
        command: "identify",
        last: "identify.json",
    };
    let plots = !to.no_plots;
    let whole = OutputFolder::open(folder, maker, to.force.into())?;
    for fit in &outcome.fits {
        if let [_] = outcome.fits[..] {
            one(&whole, fit, plots)?;
        } else {
            let own = OutputFolder::open(&folder.join(&fit.law), maker, to.force.into())?;
            one(&own, fit, plots)?;
        }
    }
    if plots {
        for (prefix, all) in [("", &outcome.train), ("test-", &outcome.test)] {
            for (i, prepared) in all.iter().enumerate() {
                let suffix = suffix(i, all.len());
                for (name, figure) in stages::figures(prepared) {
                    plot(&whole, &format!("{prefix}{name}{suffix}"), &figure)?;
                }
            }
        }
    }
    let text = format!("{:#}\n", json::outcome(outcome));
    whole.finish(text.as_bytes())
}

/// The files of one law.
fn one(place: &OutputFolder, fit: &Fit, plots: bool) -> Result<()> {
    laws(place, fit)?;
    for (name, figure) in profiles(fit).iter().filter(|_| plots) {
        plot(place, &format!("profile-{name}"), figure)?;
    }
    for (prefix, all) in [("", &fit.train), ("test-", &fit.test)] {
        for (i, prediction) in all.iter().enumerate() {
            let name = RecordName {
                prefix,
                suffix: suffix(i, all.len()),
            };
            record(place, &name, prediction, plots.then_some(&fit.law))?;
        }
    }
    Ok(())
}

/// `-1`, `-2` and so on, if there are several records.
fn suffix(i: usize, count: usize) -> String {
    if count > 1 {
        format!("-{}", i + 1)
    } else {
        String::new()
    }
}

fn laws(place: &OutputFolder, fit: &Fit) -> Result<()> {
    if fit.friction.is_none() {
        return Ok(());
    }
    let mut sides: Vec<(String, &Values)> = vec![(fit.law.clone(), &fit.values)];
    if let Some(negative) = &fit.values_negative {
        sides.push((format!("{}-negative", fit.law), negative));
    }
    for (name, values) in sides {
        let text = law(fit, values, &name);
        place.write(&format!("{name}.toml"), text.as_bytes())?;
    }
    Ok(())
}

/// A law file, with what is known of each value beside it.
fn law(fit: &Fit, values: &Values, name: &str) -> String {
    let mut text = String::new();
    let files: Vec<&str> = fit.train.iter().map(|p| p.errors.record.as_str()).collect();
    let unit = fit.train.first().map_or("N", |p| p.record.target_unit());
    let _ = writeln!(text, "# identified from {}", one_line(&files.join(", ")));
    let _ = writeln!(text, "# error {:.4e} {unit} rms on these", fit.rms());
    if fit.values_negative.is_some() {
        let side = if name.ends_with("-negative") {
            "negative"
        } else {
            "positive"
        };
        let _ = writeln!(
            text,
            "# for {side} velocities; the other direction is in the other file"
        );
    }
    if !fit.load_known {
        let _ = writeln!(
            text,
            "# the normal force was not measured: use with a normal force of 1 N"
        );
    }
    for p in fit.parameters.iter().filter(|p| {
        let field = p.name.split('[').next().unwrap_or_default();
        !values.iter().any(|(n, _)| n == field) && !p.name.ends_with("_negative")
    }) {
        let _ = writeln!(
            text,
            "# beside the law: {} = {:.6e} {}",
            p.name, p.value, p.unit
        );
    }
    let _ = writeln!(text, "law = \"{}\"", fit.law);
    for (field, value) in values {
        let remark = fit
            .parameters
            .iter()
            .find(|p| p.name.split('[').next() == Some(field.as_str()))
            .map(|p| {
                let error = p
                    .standard_error
                    .map_or_else(String::new, |s| format!(" ± {s:.1e}"));
                format!("{}{error}, {}", p.unit, p.verdict.words())
            })
            .unwrap_or_default();
        let _ = writeln!(text, "{field} = {}  # {remark}", toml_value(value));
    }
    text
}

/// What stands before and behind the names of the files of a record.
struct RecordName {
    prefix: &'static str,
    suffix: String,
}

impl RecordName {
    fn of(&self, stem: &str) -> String {
        format!("{}{stem}{}", self.prefix, self.suffix)
    }
}

/// The residuals of a record, and its plots under the name of the `law`.
fn record(
    place: &OutputFolder,
    name: &RecordName,
    p: &Prediction,
    law: Option<&String>,
) -> Result<()> {
    let x = p.record.displacement();
    let free = p.record.kind == RecordKind::Free;
    let mut table = String::from(if free {
        "t,x,v,N,F,x_model,residual,weight\n"
    } else {
        "t,x,v,N,F_measured,F_model,residual,weight\n"
    });
    for k in 0..p.record.len() {
        let r = &p.record;
        let cells = [
            r.t[k],
            x[k],
            r.velocity[k],
            r.load[k],
            r.force[k],
            p.force[k],
            p.residual[k],
            r.weight[k],
        ];
        let cells: Vec<String> = cells.iter().map(|x| format_number(*x)).collect();
        table.push_str(&cells.join(","));
        table.push('\n');
    }
    let file = format!("{}.csv", name.of("residuals"));
    place.write(&file, table.as_bytes())?;
    let Some(law) = law else {
        return Ok(());
    };
    for (stem, figure) in figures(p, &x, law) {
        plot(place, &name.of(stem), &figure)?;
    }
    Ok(())
}

fn axis(label: &str, unit: &str) -> FigureAxis {
    FigureAxis {
        label: label.to_owned(),
        unit: unit.to_owned(),
    }
}

fn curve(label: &str, x: &[f64], y: &[f64]) -> FigureCurve {
    FigureCurve {
        label: label.to_owned(),
        x: x.to_vec(),
        y: y.to_vec(),
    }
}

/// The deviance over each parameter, with the line at which its interval ends.
pub(super) fn profiles(fit: &Fit) -> Vec<(String, Figure)> {
    let each = fit.profiles.iter().map(|p| {
        // beyond twice the line only the scale would suffer
        let near = p.values.iter().zip(&p.deviance);
        let near: Vec<(f64, f64)> = near
            .filter(|(_, d)| **d <= 2.5 * p.threshold)
            .map(|(x, d)| (*x, *d))
            .collect();
        let (x, d): (Vec<f64>, Vec<f64>) = near.into_iter().unzip();
        let line = vec![p.threshold; x.len()];
        let figure = Figure {
            title: format!("{}: profile of {}", fit.law, p.name),
            x: axis(&p.name, &p.unit),
            y: axis("deviance", "1"),
            curves: vec![
                curve("others fitted again", &x, &d),
                curve("95 %", &x, &line),
            ],
        };
        (p.name.clone(), figure)
    });
    each.collect()
}

/// Figures of a motion that was computed.
fn of_motion(p: &Prediction, law: &str) -> Vec<(&'static str, Figure)> {
    let r = &p.record;
    let figure = |title: &str, curves: Vec<FigureCurve>| Figure {
        title: format!("{}: {title}", r.name),
        x: axis("time", "s"),
        y: axis("position", "m"),
        curves,
    };
    let both = vec![
        curve("measured", &r.t, r.target()),
        curve(law, &r.t, &p.force),
    ];
    let residual = vec![curve("residual", &r.t, &p.residual)];
    vec![
        ("position", figure("position", both)),
        (
            "residual",
            figure("measured minus computed position", residual),
        ),
    ]
}

pub(super) fn figures(p: &Prediction, x: &[f64], law: &str) -> Vec<(&'static str, Figure)> {
    let r = &p.record;
    let figure = |title: &str, x: FigureAxis, y: FigureAxis, curves: Vec<FigureCurve>| Figure {
        title: format!("{}: {title}", r.name),
        x,
        y,
        curves,
    };
    let force = || axis("force", "N");
    let both = |x: &[f64]| vec![curve("measured", x, &r.force), curve(law, x, &p.force)];
    if r.kind == RecordKind::Free {
        return of_motion(p, law);
    }
    if r.kind == RecordKind::Steady {
        let mut order: Vec<usize> = (0..r.len()).collect();
        order.sort_by(|a, b| r.velocity[*a].total_cmp(&r.velocity[*b]));
        let sorted = |values: &[f64]| order.iter().map(|&i| values[i]).collect::<Vec<_>>();
        let v = sorted(&r.velocity);
        let curves = vec![
            curve("measured", &v, &sorted(&r.force)),
            curve(law, &v, &sorted(&p.force)),
        ];
        return vec![(
            "curve",
            figure(
                "force over velocity",
                axis("velocity", "m/s"),
                force(),
                curves,
            ),
        )];
    }
    vec![
        (
            "force",
            figure("force", axis("time", "s"), force(), both(&r.t)),
        ),
        (
            "loop",
            figure(
                "force over displacement",
                axis("displacement", "m"),
                force(),
                both(x),
            ),
        ),
        (
            "curve",
            figure(
                "force over velocity",
                axis("velocity", "m/s"),
                force(),
                both(&r.velocity),
            ),
        ),
        (
            "residual",
            figure(
                "measured minus fitted force",
                axis("time", "s"),
                force(),
                vec![curve("residual", &r.t, &p.residual)],
            ),
        ),
    ]
}
