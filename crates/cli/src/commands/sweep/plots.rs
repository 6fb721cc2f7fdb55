//! The plots of a sweep: curves over one parameter, maps over two.

use std::path::Path;

use bristle_results::{
    CurveStyle, Drawing, Error, Figure, FigureAxis as Shown, FigureCurve, Map, PlotFormat,
    format_quantity, list_files,
};
use bristle_study::sweep::{Axis, Study, SweepOutcome, SweepTable};

use super::sensitivities;

/// Plots that are drawn, at most.
const MOST: usize = 40;
/// Curves in one plot, at most.
const CURVES: usize = 12;

/// Draws the plots, and lists them for the sweep that replaces this one.
pub(super) fn write(
    study: &Study,
    outcome: &SweepOutcome,
    out: &Path,
    format: PlotFormat,
) -> bristle_results::Result<()> {
    let mut files = Vec::new();
    for (name, drawing) in drawings(study, outcome) {
        match drawing.write(out, &name, format) {
            Ok(written) => files.extend(written),
            Err(Error::EmptyPlot { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let names = files.iter().filter_map(|file| file.file_name()?.to_str());
    list_files(out, names)
}

/// The plots with their names.
///
/// One varying parameter gives curves, two give maps, or, if one of them is no number, a curve for
/// each of its values. Of designs that are no grid there are the sensitivities, and the means of each
/// number over each parameter.
fn drawings(study: &Study, outcome: &SweepOutcome) -> Vec<(String, Drawing)> {
    let table = &outcome.table;
    let varying = varying(study);
    let mut all = Vec::new();
    if let Some(map) = sensitivities::map(study, outcome) {
        all.push(("sensitivities".to_owned(), Drawing::Map(map)));
    }
    for figure in sensitivities::main_effects(study, outcome) {
        all.push((file_name(&figure.title), figure.into()));
    }
    if outcome.sensitivities.is_some() {
        return all;
    }
    for (name, unit) in names(table) {
        let number = Number { name, unit };
        let drawing = match (lines(study), &varying[..]) {
            (Some(lines), _) => Some(curves(study, table, lines, &number).into()),
            (None, &[a, b]) if study.design().is_grid() => {
                map(study, table, a, b, &number).map(Drawing::Map)
            }
            _ => None,
        };
        if let Some(drawing) = drawing {
            all.push((file_name(&number.name), drawing));
        }
    }
    all
}

/// A number of the table.
struct Number {
    name: String,
    unit: String,
}

/// The axis along which curves are drawn, and the one that has a curve for each value.
#[derive(Clone, Copy)]
struct Lines {
    along: usize,
    by: Option<usize>,
}

/// Axes with more than one value.
fn varying(study: &Study) -> Vec<usize> {
    let axes = study.axes().iter().enumerate();
    let several = axes.filter(|(_, axis)| axis.values.len() > 1);
    several.map(|(i, _)| i).collect()
}

/// The axis along which curves are drawn, and the one that has a curve for each value; none if
/// there are two numbers, or more parameters than a plot can show.
fn lines(study: &Study) -> Option<Lines> {
    let numeric = |i: usize| study.axes().get(i).is_some_and(Axis::is_numeric);
    match varying(study)[..] {
        [along] => Some(Lines { along, by: None }),
        [a, b] => match (numeric(a), numeric(b)) {
            (true, true) => None,
            (false, true) => Some(Lines {
                along: b,
                by: Some(a),
            }),
            (_, false) => Some(Lines {
                along: a,
                by: Some(b),
            }),
        },
        _ => None,
    }
}

/// The plots as curves, for a report: of two numbers one along the axis with more values.
///
/// # Errors
/// Why there are none.
pub(super) fn figures(study: &Study, outcome: &SweepOutcome) -> Result<Vec<Figure>, &'static str> {
    let table = &outcome.table;
    if outcome.sensitivities.is_some() {
        return Ok(sensitivities::main_effects(study, outcome));
    }
    let longer = |&[a, b]: &[usize; 2]| {
        let values = |i: usize| study.axes().get(i).map_or(0, |axis| axis.values.len());
        let (along, by) = if values(a) > values(b) {
            (a, b)
        } else {
            (b, a)
        };
        let by = Some(by);
        Lines { along, by }
    };
    let of_two = || {
        <&[usize; 2]>::try_from(&varying(study)[..])
            .ok()
            .map(longer)
    };
    let lines = lines(study).or_else(of_two);
    let lines = lines
        .ok_or("More than two parameters vary: no plot shows them all; the table has every run.")?;
    let names = names(table);
    if names.is_empty() {
        return Err(
            "No number that is plotted differs between the runs; --measure CHANNEL:STATISTIC adds others.",
        );
    }
    let names = names.into_iter();
    let figure = |(name, unit)| curves(study, table, lines, &Number { name, unit });
    Ok(names.map(figure).collect())
}

/// What is drawn: the numbers that matter, and expectations, where they differ.
fn names(table: &SweepTable) -> Vec<(String, String)> {
    let mut names = super::names::principal(table.columns());
    let expected = table.columns().iter();
    names.extend(
        expected
            .filter(|(name, _)| {
                name.starts_with("expectations.") && name.rsplit('.').next() == Some("value")
            })
            .cloned(),
    );
    let differs = |name: &str| {
        let mut values = table.rows().filter_map(|(_, row)| row.value(name));
        let first = values.next();
        first.is_some_and(|first| values.any(|v| v.to_bits() != first.to_bits()))
    };
    names.retain(|(name, _)| differs(name));
    names.truncate(MOST);
    names
}

fn curves(
    study: &Study,
    table: &SweepTable,
    Lines { along, by }: Lines,
    Number { name, unit }: &Number,
) -> Figure {
    let Some(axis) = study.axes().get(along) else {
        return Figure::default();
    };
    let numeric = axis.is_numeric();
    let mut lines: Vec<FigureCurve> = Vec::new();
    for (case, row) in table.rows() {
        let values = study.values(case);
        let label = by.map_or_else(
            || name.clone(),
            |by| line_label(study, by, &values[by].text),
        );
        let place = lines.iter().position(|curve| curve.label == label);
        let place = place.unwrap_or_else(|| {
            lines.push(FigureCurve {
                label,
                ..FigureCurve::default()
            });
            lines.len() - 1
        });
        let x = match values[along].si {
            Some(si) if numeric => si,
            // words have no place on an axis; they are counted
            _ => {
                let mut all = axis.values.iter();
                let position = all.position(|v| v.text == values[along].text);
                position.unwrap_or(0) as f64 + 1.0
            }
        };
        let curve = &mut lines[place];
        curve.x.push(x);
        curve.y.push(row.value(name).unwrap_or(f64::NAN));
    }
    lines.truncate(CURVES);
    for curve in &mut lines {
        sort(curve);
        if !numeric {
            // nothing lies between two words
            curve.style = CurveStyle::Points;
        }
    }
    let x_label = if numeric {
        axis.path.clone()
    } else {
        let words = axis.values.iter().enumerate();
        let words: Vec<String> = words
            .map(|(i, v)| format!("{} {}", i + 1, v.text))
            .collect();
        format!("{}: {}", axis.path, words.join(", "))
    };
    Figure {
        title: name.clone(),
        x: Shown::new(x_label, axis.unit()),
        y: shown(name, unit),
        curves: lines,
    }
}

/// The axis of a number of the runs.
fn shown(name: &str, unit: &str) -> Shown {
    const COUNTS: [&str; 4] = ["stick_count", "steps", "rejected_steps", "iterations"];
    let last = last_part(name);
    if COUNTS.contains(&last) {
        Shown::of_counts(last)
    } else {
        Shown::new(last, unit)
    }
}

/// What a curve of one value is called: a number with the field that it is of.
fn line_label(study: &Study, by: usize, value: &str) -> String {
    match study.axes().get(by) {
        Some(axis) if axis.is_numeric() => format!("{} = {value}", last_part(&axis.path)),
        _ => value.to_owned(),
    }
}

/// What stands behind the last point of a name that is not within brackets, as in `[0, 0.8]`.
fn last_part(name: &str) -> &str {
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in name.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    &name[start..]
}

/// Sorts a curve from left to right.
fn sort(curve: &mut FigureCurve) {
    let mut points: Vec<(f64, f64)> = curve
        .x
        .iter()
        .copied()
        .zip(curve.y.iter().copied())
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    (curve.x, curve.y) = points.into_iter().unzip();
}

fn map(
    study: &Study,
    table: &SweepTable,
    a: usize,
    b: usize,
    Number { name, unit }: &Number,
) -> Option<Map> {
    let (x, y) = (study.axes().get(b)?, study.axes().get(a)?);
    let (columns, rows) = (order(x), order(y));
    let mut cells = vec![vec![None; columns.len()]; rows.len()];
    for (case, row) in table.rows() {
        let values = study.values(case);
        let place = |axis: &Axis, order: &[usize], value: &str| {
            order.iter().position(|&i| axis.values[i].text == value)
        };
        let (Some(i), Some(j)) = (
            place(y, &rows, &values[a].text),
            place(x, &columns, &values[b].text),
        ) else {
            continue;
        };
        cells[i][j] = row.value(name);
    }
    let labels = |axis: &Axis, order: &[usize]| {
        let label = |&i: &usize| {
            let value = &axis.values[i];
            value
                .si
                .map_or_else(|| value.text.clone(), |si| format_quantity(si, &value.unit))
        };
        order.iter().map(label).collect()
    };
    Some(Map {
        title: name.clone(),
        x: (x.path.clone(), labels(x, &columns)),
        y: (y.path.clone(), labels(y, &rows)),
        quantity: shown(name, unit),
        cells,
    })
}

/// The values of an axis from small to large.
fn order(axis: &Axis) -> Vec<usize> {
    let mut order: Vec<usize> = (0..axis.values.len()).collect();
    let si = |i: &usize| axis.values[*i].si.unwrap_or(f64::NAN);
    order.sort_by(|a, b| si(a).total_cmp(&si(b)));
    order
}

/// A name that every file system takes.
fn file_name(name: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_alphanumeric() || matches!(c, '.' | '_' | '-') => c,
        _ => '_',
    };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_within_brackets_do_not_cut_a_label() {
        assert_eq!(last_part("contacts.pad.slip_distance"), "slip_distance");
        assert_eq!(last_part("body.cube.x [0, 0.8]"), "x [0, 0.8]");
        assert_eq!(last_part("work (1.5 s)"), "work (1.5 s)");
        assert_eq!(last_part("plain"), "plain");
    }
}
