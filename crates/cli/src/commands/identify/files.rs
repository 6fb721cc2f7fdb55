//! The folder of `--out`.

use std::fmt::Write as _;
use std::path::Path;

use bristle_identify::{Feedforward, Fit, Language, Prediction, Record, RecordKind};
use bristle_results::{
    CurveStyle, Figure, FigureAxis, FigureCurve, FolderMaker, OutputFolder, PlotFormat, Result,
    format_number,
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
    let plots = to.plots();
    let whole = OutputFolder::open(folder, maker, to.force.into())?;
    for fit in &outcome.fits {
        if let [_] = outcome.fits[..] {
            one(&whole, fit, plots)?;
        } else {
            let own = whole.part(&fit.law, to.force.into())?;
            one(&own, fit, plots)?;
            own.close()?;
        }
    }
    if let Some(format) = plots {
        for (prefix, all) in [("", &outcome.train), ("test-", &outcome.test)] {
            for (i, prepared) in all.iter().enumerate() {
                let suffix = suffix(i, all.len());
                for (name, figure) in stages::figures(prepared) {
                    plot(&whole, &format!("{prefix}{name}{suffix}"), figure, format)?;
                }
            }
        }
    }
    let text = format!("{:#}\n", json::outcome(outcome));
    whole.finish(text.as_bytes())
}

/// The files of one law.
fn one(place: &OutputFolder, fit: &Fit, plots: Option<PlotFormat>) -> Result<()> {
    laws(place, fit)?;
    controller(place, fit)?;
    if let Some(format) = plots {
        if let Some(figure) = steady_curve(fit) {
            plot(place, "curve", figure, format)?;
        }
        for (name, figure) in profiles(fit) {
            plot(place, &format!("profile-{name}"), figure, format)?;
        }
    }
    for (prefix, all) in [("", &fit.train), ("test-", &fit.test)] {
        for (i, prediction) in all.iter().enumerate() {
            let name = RecordName {
                prefix,
                suffix: suffix(i, all.len()),
            };
            record(
                place,
                &name,
                prediction,
                plots.map(|format| (&*fit.law, format)),
            )?;
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
    place.write(&format!("{}.toml", fit.law), law(fit).as_bytes())
}

/// The steady curve as a table, and as a function in each language of controllers.
fn controller(place: &OutputFolder, fit: &Fit) -> Result<()> {
    let (Some(curve), Some(feedforward)) = (&fit.steady, Feedforward::of(fit)) else {
        return Ok(());
    };
    let units = fit.units();
    let (of_v, of_f) = (units.of("m/s"), units.of("N"));
    let mut table = format!("v ({of_v}),F ({of_f}),F_low ({of_f}),F_high ({of_f}),measured\n");
    for ((v, force), band) in curve.velocity.iter().zip(&curve.force).zip(&curve.band) {
        let end = |side: f64| band.map_or_else(String::new, |b| format_number(force + side * b));
        let measured = curve.measured[0] <= *v && *v <= curve.measured[1];
        let _ = writeln!(
            table,
            "{},{},{},{},{}",
            format_number(*v),
            format_number(*force),
            end(-1.0),
            end(1.0),
            u8::from(measured)
        );
    }
    place.write("steady.csv", table.as_bytes())?;
    for language in Language::ALL {
        let name = format!("feedforward.{}", language.ending());
        place.write(&name, feedforward.source(language).as_bytes())?;
    }
    Ok(())
}

/// Friction over velocity: the measured force in bins, the steady curve of the law, its band.
pub(super) fn steady_curve(fit: &Fit) -> Option<Figure> {
    let (curve, units) = (fit.steady.as_ref()?, fit.units());
    let [v, force] = &curve.binned;
    let mut curves = Vec::new();
    if !v.is_empty() {
        let measured = FigureCurve::new("measured, in bins", &**v, &**force);
        curves.push(measured.styled(CurveStyle::Points));
    }
    curves.push(FigureCurve::new(&*fit.law, &*curve.velocity, &*curve.force));
    for side in [-1.0, 1.0] {
        let ends = curve.force.iter().zip(&curve.band);
        let ends: Vec<f64> = ends
            .map(|(force, band)| band.map_or(f64::NAN, |b| force + side * b))
            .collect();
        let bound = FigureCurve::new("", &*curve.velocity, ends);
        curves.push(bound.styled(CurveStyle::Thin));
    }
    Some(Figure {
        title: format!("{}: steady friction, with its 95 % band", fit.law),
        x: FigureAxis::new(units.name("velocity"), units.of("m/s")),
        y: FigureAxis::new(units.name("force"), units.of("N")),
        curves,
    })
}

/// A law file, with what is known of each value beside it.
fn law(fit: &Fit) -> String {
    let mut text = String::new();
    let files: Vec<&str> = fit.train.iter().map(|p| p.errors.record.as_str()).collect();
    let unit = fit.train.first().map_or("N", |p| p.record.target_unit());
    let _ = writeln!(text, "# identified from {}", one_line(&files.join(", ")));
    let _ = writeln!(text, "# error {:.4e} {unit} rms on these", fit.rms());
    if !fit.load_known {
        let _ = writeln!(
            text,
            "# the normal force was not measured: use with a normal force of 1 N"
        );
    }
    for p in fit.parameters.iter().filter(|p| {
        let field = p.name.split('[').next().unwrap_or_default();
        !fit.values.iter().any(|(n, _)| n == field)
    }) {
        let _ = writeln!(
            text,
            "# beside the law: {} = {:.6e} {}",
            p.name, p.value, p.unit
        );
    }
    let _ = writeln!(text, "law = \"{}\"", fit.law);
    for (field, value) in &fit.values {
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
    plots: Option<(&str, PlotFormat)>,
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
    let Some((law, format)) = plots else {
        return Ok(());
    };
    for (stem, figure) in figures(p, &x, law) {
        plot(place, &name.of(stem), figure, format)?;
    }
    Ok(())
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
            x: FigureAxis::new(&*p.name, &*p.unit),
            y: FigureAxis::new("deviance", "1"),
            curves: vec![
                FigureCurve::new("others fitted again", &*x, &*d),
                FigureCurve::new("95 %", x, line),
            ],
        };
        (p.name.clone(), figure)
    });
    each.collect()
}

/// An axis in the units of the record: angles and moments of a machine that turns.
fn quantity(record: &Record, name: &str, linear: &str) -> FigureAxis {
    FigureAxis::new(record.units.name(name), record.units.of(linear))
}

/// Figures of a motion that was computed.
fn of_motion(p: &Prediction, law: &str) -> Vec<(&'static str, Figure)> {
    let r = &p.record;
    let figure = |title: &str, curves: Vec<FigureCurve>| Figure {
        title: format!("{}: {title}", r.name),
        x: FigureAxis::new("time", "s"),
        y: quantity(r, "position", "m"),
        curves,
    };
    let both = vec![
        FigureCurve::new("measured", &*r.t, r.target()),
        FigureCurve::new(law, &*r.t, &*p.force),
    ];
    let residual = vec![FigureCurve::new("residual", &*r.t, &*p.residual)];
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
    let force = || quantity(r, "force", "N");
    let both = |x: &[f64]| {
        vec![
            FigureCurve::new("measured", x, &*r.force),
            FigureCurve::new(law, x, &*p.force),
        ]
    };
    if r.kind == RecordKind::Free {
        return of_motion(p, law);
    }
    if r.kind == RecordKind::Steady {
        return Vec::new();
    }
    vec![
        (
            "force",
            figure("force", FigureAxis::new("time", "s"), force(), both(&r.t)),
        ),
        (
            "loop",
            figure(
                "force over displacement",
                quantity(r, "displacement", "m"),
                force(),
                both(x),
            ),
        ),
        (
            "residual",
            figure(
                "measured minus fitted force",
                FigureAxis::new("time", "s"),
                force(),
                vec![FigureCurve::new("residual", &*r.t, &*p.residual)],
            ),
        ),
    ]
}
