//! Curves on axes, drawn as SVG.

use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::line::{LinePlot, LineStyle};
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot as Drawn;
use kuva::render::render::{Scene, render_multiple};

use super::axis::{AxisRange, Spread};
use super::curve::{CurveStyle, Figure, FigureCurve};
use super::decimate::decimate;
use super::overlap::{Overlap, overlaps};
use crate::error::{Error, Result};

/// Stands near the start of every plot, so that a later run knows which ones it may remove.
pub const MARK: &str = "<!-- bristle plot -->";

/// Colours that people with any colour vision can distinguish on white: the set of Okabe and Ito
/// (2008) without its yellow, which is too pale for a thin line, and with a grey.
const COLOURS: [&str; 8] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A8A8A",
];
/// Dashes of a curve that lies on one, two, or more of the curves before it.
const COVERING: [&str; 3] = ["10 8", "4 8", "4 14"];
/// Dashes of each further round through the colours.
const ROUNDS: [&str; 4] = ["", "7 3", "2 2.5", "8 3 2 3"];
/// Dashes of a curve that asks for them.
const DASHED: &str = "4 3";
/// A curve that goes up and down the axis more often than this fills areas.
const FILLING: f64 = 60.0;
/// Legend texts are broken at this number of characters.
const LEGEND_CHARS: usize = 36;
/// Beyond this number of curves the legend moves below the axes, in columns.
const BESIDE: usize = 18;
const LINE_WIDTH: f64 = 1.6;
const THIN_WIDTH: f64 = 0.8;
/// Radius of a point, in pixels.
const POINT: f64 = 2.4;

/// The parts of a picture.
pub(super) fn scene(figure: &Figure) -> Result<Scene> {
    let curves = figure.curves.iter();
    let x_spread = Spread::of(
        figure.x.scale,
        curves.clone().flat_map(|c| c.x.iter().copied()),
    );
    let y_spread = Spread::of(figure.y.scale, curves.flat_map(|c| c.y.iter().copied()));
    let curves: Vec<Vec<(f64, f64)>> = figure
        .curves
        .iter()
        .map(|curve| decimate(&x_spread.along(&curve.x), &y_spread.along(&curve.y)))
        .collect();
    let empty = || Error::EmptyPlot {
        file: figure.title.clone(),
    };
    let x_range = range(&curves, |p| p.0).ok_or_else(empty)?;
    let y_range = range(&curves, |p| p.1).ok_or_else(empty)?;
    let rising = |curve: &Vec<(f64, f64)>| curve.windows(2).all(|pair| pair[0].0 <= pair[1].0);
    let x_margin = if curves.iter().all(rising) { 0.0 } else { 0.04 };
    let x = x_spread.shown(&clean(&figure.x.label), &figure.x.unit, x_range, x_margin);
    let y = y_spread.shown(&clean(&figure.y.label), &figure.y.unit, y_range, 0.05);
    let counted = |axis: AxisRange, whole: bool| if whole { axis.whole() } else { axis };
    let (x, y) = (counted(x, figure.x.whole), counted(y, figure.y.whole));
    let looks = looks(figure, y_range.1 - y_range.0);
    let mut lines: Vec<Drawn> = zero_line(&x, &y).into_iter().collect();
    for i in drawing_order(&curves, y_range.1 - y_range.0) {
        lines.push(match figure.curves[i].style {
            CurveStyle::Points => Drawn::Scatter(points(&curves[i], &looks[i], &x, &y)),
            CurveStyle::Line | CurveStyle::Thin | CurveStyle::Dashed => {
                Drawn::Line(line(&curves[i], &looks[i], &x, &y))
            }
        });
    }
    let legend = legend(figure, &looks);
    let layout = layout(figure, legend, &x, &y);
    Ok(render_multiple(lines, layout))
}

fn layout(figure: &Figure, legend: Vec<LegendEntry>, x: &AxisRange, y: &AxisRange) -> Layout {
    let position = if legend.len() > BESIDE {
        LegendPosition::OutsideBottomColumns
    } else {
        LegendPosition::OutsideRightTop
    };
    let mut layout = Layout::new((x.low, x.high), (y.low, y.high))
        .with_x_axis_min(x.low)
        .with_x_axis_max(x.high)
        .with_x_tick_step(x.step)
        .with_x_tick_format(x.ticks())
        .with_y_axis_min(y.low)
        .with_y_axis_max(y.high)
        .with_y_tick_step(y.step)
        .with_y_tick_format(y.ticks())
        .with_x_label(x.label.clone())
        .with_y_label(y.label.clone())
        .with_box_axes()
        .with_axis_line_width(0.8)
        .with_tick_width(0.8)
        .with_grid_line_width(0.5)
        .with_legend_position(position)
        .with_legend_box(false);
    if !legend.is_empty() {
        layout = layout
            .with_legend_entries(legend)
            .with_legend_wrap(LEGEND_CHARS);
    }
    if !figure.title.is_empty() {
        layout = layout
            .with_title(clean(&figure.title))
            .with_title_size(16)
            .with_title_wrap(64);
    }
    layout
}

fn range(curves: &[Vec<(f64, f64)>], of: fn(&(f64, f64)) -> f64) -> Option<(f64, f64)> {
    let values = || curves.iter().flatten().map(of);
    let min = values().reduce(f64::min)?;
    let max = values().reduce(f64::max)?;
    Some((min, max))
}

/// A short dash for a curve that is a single point.
fn dash_of_a_point(point: (f64, f64), x: &AxisRange) -> Vec<(f64, f64)> {
    let half = 0.01 * (x.high - x.low);
    vec![(point.0 - half, point.1), (point.0 + half, point.1)]
}

/// A thin grey line at zero, if zero is on the axis.
fn zero_line(x: &AxisRange, y: &AxisRange) -> Option<Drawn> {
    let zero = y.show(0.0);
    (y.has_zero() && zero > y.low && zero < y.high).then(|| {
        let line = LinePlot::new().with_data([(x.low, zero), (x.high, zero)]);
        Drawn::Line(line.with_color("#888888").with_stroke_width(0.8))
    })
}

fn line(points: &[(f64, f64)], look: &Look, x: &AxisRange, y: &AxisRange) -> LinePlot {
    let mut points: Vec<(f64, f64)> = points
        .iter()
        .map(|&(px, py)| (x.show(px), y.show(py)))
        .collect();
    if let [point] = points[..] {
        points = dash_of_a_point(point, x);
    }
    let style = if look.dashes.is_empty() {
        LineStyle::Solid
    } else {
        LineStyle::Custom(look.dashes.to_owned())
    };
    LinePlot::new()
        .with_data(points)
        .with_color(look.colour)
        .with_stroke_width(look.width)
        .with_line_style(style)
}

/// Curves that fill areas, such as chatter, come first and so below the others.
fn drawing_order(curves: &[Vec<(f64, f64)>], span: f64) -> Vec<usize> {
    let fills = |curve: &Vec<(f64, f64)>| {
        let travel: f64 = curve
            .windows(2)
            .map(|pair| (pair[1].1 - pair[0].1).abs())
            .sum();
        travel > FILLING * span
    };
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by_key(|&i| !fills(&curves[i]));
    order
}

fn points(points: &[(f64, f64)], look: &Look, x: &AxisRange, y: &AxisRange) -> ScatterPlot {
    let shown: Vec<(f64, f64)> = points
        .iter()
        .map(|&(px, py)| (x.show(px), y.show(py)))
        .collect();
    ScatterPlot::new()
        .with_data(shown)
        .with_color(look.colour)
        .with_size(POINT)
}

/// How a curve is drawn.
struct Look {
    colour: &'static str,
    dashes: &'static str,
    width: f64,
}

/// Solid for the first round of colours and dashed for later ones; of curves on each other, the
/// lowest is wide and the others are dashed.
fn looks(figure: &Figure, span: f64) -> Vec<Look> {
    let look = |((curve, entry), Overlap { on, covered }): ((&FigureCurve, usize), Overlap)| {
        let dashes = match (curve.style, on) {
            (CurveStyle::Dashed, _) => DASHED,
            (_, 0) => ROUNDS[(entry / COLOURS.len()) % ROUNDS.len()],
            (_, n) => COVERING[n.min(COVERING.len()) - 1],
        };
        let width = match (curve.style, covered) {
            (CurveStyle::Thin, _) => THIN_WIDTH,
            (_, true) => 2.0 * LINE_WIDTH,
            (_, false) => LINE_WIDTH,
        };
        Look {
            colour: COLOURS[entry % COLOURS.len()],
            dashes,
            width,
        }
    };
    let numbered = figure.curves.iter().zip(figure.entries());
    let seen = numbered.zip(overlaps(&figure.curves, span));
    seen.map(look).collect()
}

/// One entry for each curve with a label, none where there is one curve alone.
fn legend(figure: &Figure, looks: &[Look]) -> Vec<LegendEntry> {
    if figure.curves.len() < 2 {
        return Vec::new();
    }
    let entry = |(curve, look): (&FigureCurve, &Look)| LegendEntry {
        label: clean(&curve.label),
        color: look.colour.to_owned(),
        shape: match curve.style {
            CurveStyle::Points => LegendShape::Circle,
            CurveStyle::Line | CurveStyle::Thin | CurveStyle::Dashed => LegendShape::Line,
        },
        dasharray: (!look.dashes.is_empty()).then(|| look.dashes.to_owned()),
    };
    let labelled = figure.curves.iter().zip(looks);
    let labelled = labelled.filter(|(curve, _)| !curve.label.is_empty());
    labelled.map(entry).collect()
}

/// Text without control characters, which XML does not allow.
pub(super) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// Adds what lets the picture scale, be read aloud and be recognised as ours.
pub(super) fn dressed(svg: &str, title: &str, width: f64, height: f64) -> String {
    let title = clean(title)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let frame = format!("<svg viewBox=\"0 0 {width:.2} {height:.2}\" role=\"img\" ");
    let Some((head, body)) = svg.split_once('>') else {
        return svg.to_owned();
    };
    let head = head.replacen("<svg ", &frame, 1);
    format!("{head}><title>{title}</title>{MARK}{body}")
}
