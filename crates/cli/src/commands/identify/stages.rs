//! Plots of what preparation did to a record.

use bristle_recordings::{Prepared, RecordKind, derivative, outliers};
use bristle_results::{Figure, FigureAxis, FigureCurve};

/// Raw beside prepared: the force with its outliers, the position and the velocity.
pub(super) fn figures(prepared: &Prepared) -> Vec<(String, Figure)> {
    let (record, raw) = (&prepared.record, &prepared.raw);
    if record.kind == RecordKind::Steady || raw.t.is_empty() {
        return Vec::new();
    }
    let figure = |what: &str, unit: &str, curves: Vec<FigureCurve>| Figure {
        title: format!(
            "{}: {}, raw and prepared",
            record.name,
            record.units.name(what)
        ),
        x: FigureAxis::new("time", "s"),
        y: FigureAxis::new(record.units.name(what), record.units.of(unit)),
        curves,
    };
    let mut all = Vec::new();
    if let Some(force) = &raw.force {
        let mut curves = vec![
            FigureCurve::new("raw", &*raw.t, &**force),
            FigureCurve::new("prepared", &*record.t, &*record.force),
        ];
        // a stroke down to the middle of the neighbours for each sample that is left out
        for i in outliers(record).take(MOST_MARKS) {
            let middle = 0.5 * (record.force[i - 1] + record.force[i + 1]);
            let t = [record.t[i], record.t[i]];
            curves.push(FigureCurve::new("left out", t, [record.force[i], middle]));
        }
        all.push(("prepared-force".to_owned(), figure("force", "N", curves)));
    }
    let velocity = raw.velocity.clone().or_else(|| {
        let position = raw.position.as_ref()?;
        Some(derivative(&raw.t, position))
    });
    if let Some(velocity) = velocity {
        let label = if raw.velocity.is_some() {
            "raw"
        } else {
            "differences of raw positions"
        };
        let curves = vec![
            FigureCurve::new(label, &*raw.t, &*velocity),
            FigureCurve::new("prepared", &*record.t, &*record.velocity),
        ];
        let figure = figure("velocity", "m/s", curves);
        all.push(("prepared-velocity".to_owned(), figure));
    }
    if let (Some(raw_position), Some(position)) = (&raw.position, &record.position) {
        let curves = vec![
            FigureCurve::new("raw", &*raw.t, &**raw_position),
            FigureCurve::new("prepared", &*record.t, &**position),
        ];
        all.push((
            "prepared-position".to_owned(),
            figure("position", "m", curves),
        ));
    }
    all
}

/// More marks of single samples than this are not reported one by one.
const MOST_MARKS: usize = 20;
