//! Curves on axes, drawn as SVG.

use std::sync::Arc;

use kuva::TickFormat;
use kuva::backend::svg::SvgBackend;
use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::line::{LinePlot, LineStyle};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot as Drawn;
use kuva::render::render::render_multiple;

use super::axis::AxisScale;
use super::curve::{Figure, FigureCurve};
use super::decimate::decimate;
use super::overlap::{Overlap, overlaps};
use crate::error::{Error, Result};

/// Stands near the start of every plot, so that a later run knows which ones it may remove.
pub const MARK: &str = "<!-- bristle plot -->";

/// Colours that people with any colour vision can tell apart on white: the set of Okabe and Ito
/// (2008) without its yellow, which is too pale for a thin line, and with a grey.
const COLOURS: [&str; 8] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A8A8A",
];
/// Dashes of a curve that lies on one, two, or more of the curves before it.
const COVERING: [&str; 3] = ["10 8", "4 8", "4 14"];
/// Dashes of each further round through the colours.
const ROUNDS: [&str; 4] = ["", "7 3", "2 2.5", "8 3 2 3"];
/// A curve that goes up and down the axis more often than this fills areas.
const FILLING: f64 = 60.0;
/// Legend texts are broken at this number of characters.
const LEGEND_CHARS: usize = 36;
/// Beyond this number of curves the legend moves below the axes, in columns.
const BESIDE: usize = 18;
const LINE_WIDTH: f64 = 1.6;

/// Draws a figure as SVG.
///
/// Curves are thinned without loss of peaks; a curve that lies on an earlier one is dashed, so
/// that both are seen.
///
/// # Errors
/// [`Error::EmptyPlot`] if no curve has a finite point.
pub fn draw(figure: &Figure) -> Result<String> {
    let curves: Vec<Vec<(f64, f64)>> = figure
        .curves
        .iter()
        .map(|curve| decimate(&curve.x, &curve.y))
        .collect();
    let empty = || Error::EmptyPlot {
        file: figure.title.clone(),
    };
    let x_range = range(&curves, |p| p.0).ok_or_else(empty)?;
    let y_range = range(&curves, |p| p.1).ok_or_else(empty)?;
    let rising = |curve: &Vec<(f64, f64)>| curve.windows(2).all(|pair| pair[0].0 <= pair[1].0);
    let x_margin = if curves.iter().all(rising) { 0.0 } else { 0.04 };
    let x = AxisScale::new(&clean(&figure.x.label), &figure.x.unit, x_range, x_margin);
    let y = AxisScale::new(&clean(&figure.y.label), &figure.y.unit, y_range, 0.05);
    let looks = looks(&figure.curves, y_range.1 - y_range.0);
    let mut lines: Vec<Drawn> = zero_line(&x, &y).into_iter().collect();
    for i in drawing_order(&curves, y_range.1 - y_range.0) {
        lines.push(Drawn::Line(line(&curves[i], &looks[i], &x, &y)));
    }
    let legend = if figure.curves.len() > 1 {
        legend(&figure.curves, &looks)
    } else {
        Vec::new()
    };
    let layout = layout(figure, legend, &x, &y);
    let scene = render_multiple(lines, layout);
    let svg = SvgBackend::new().render_scene(&scene);
    Ok(dressed(&svg, &figure.title, scene.width, scene.height))
}

fn layout(figure: &Figure, legend: Vec<LegendEntry>, x: &AxisScale, y: &AxisScale) -> Layout {
    let position = if legend.len() > BESIDE {
        LegendPosition::OutsideBottomColumns
    } else {
        LegendPosition::OutsideRightTop
    };
    let mut layout = Layout::new((x.low, x.high), (y.low, y.high))
        .with_x_axis_min(x.low)
        .with_x_axis_max(x.high)
        .with_x_tick_step(x.step)
        .with_x_tick_format(fixed(x.decimals))
        .with_y_axis_min(y.low)
        .with_y_axis_max(y.high)
        .with_y_tick_step(y.step)
        .with_y_tick_format(fixed(y.decimals))
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

fn fixed(decimals: usize) -> TickFormat {
    if decimals <= 6 {
        return TickFormat::Custom(Arc::new(move |value: f64| {
            let text = format!("{value:.decimals$}");
            // a tick at zero may have come out as a tiny negative number
            let zero = text.starts_with('-') && text.chars().all(|c| "-0.".contains(c));
            if zero {
                text[1..].to_owned()
            } else {
                text.replace('-', "−")
            }
        }));
    }
    TickFormat::Sci
}

fn range(curves: &[Vec<(f64, f64)>], of: fn(&(f64, f64)) -> f64) -> Option<(f64, f64)> {
    let values = || curves.iter().flatten().map(of);
    let min = values().reduce(f64::min)?;
    let max = values().reduce(f64::max)?;
    Some((min, max))
}

/// A short dash for a curve that is a single point.
fn dash_of_a_point(point: (f64, f64), x: &AxisScale) -> Vec<(f64, f64)> {
    let half = 0.01 * (x.high - x.low);
    vec![(point.0 - half, point.1), (point.0 + half, point.1)]
}

/// A thin grey line at zero, if zero is on the axis.
fn zero_line(x: &AxisScale, y: &AxisScale) -> Option<Drawn> {
    let zero = y.show(0.0);
    (zero > y.low && zero < y.high).then(|| {
        let line = LinePlot::new().with_data([(x.low, zero), (x.high, zero)]);
        Drawn::Line(line.with_color("#888888").with_stroke_width(0.8))
    })
}

fn line(points: &[(f64, f64)], look: &Look, x: &AxisScale, y: &AxisScale) -> LinePlot {
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

/// How a curve is drawn.
struct Look {
    colour: &'static str,
    dashes: &'static str,
    width: f64,
}

/// Solid for the first round of colours and dashed for later ones; of curves on each other, the
/// lowest is wide and the others are dashed.
fn looks(curves: &[FigureCurve], span: f64) -> Vec<Look> {
    let look = |(i, Overlap { on, covered }): (usize, Overlap)| {
        let dashes = match on {
            0 => ROUNDS[(i / COLOURS.len()) % ROUNDS.len()],
            n => COVERING[n.min(COVERING.len()) - 1],
        };
        let width = if covered {
            2.0 * LINE_WIDTH
        } else {
            LINE_WIDTH
        };
        Look {
            colour: COLOURS[i % COLOURS.len()],
            dashes,
            width,
        }
    };
    overlaps(curves, span)
        .into_iter()
        .enumerate()
        .map(look)
        .collect()
}

fn legend(curves: &[FigureCurve], looks: &[Look]) -> Vec<LegendEntry> {
    let entry = |(curve, look): (&FigureCurve, &Look)| LegendEntry {
        label: clean(&curve.label),
        color: look.colour.to_owned(),
        shape: LegendShape::Line,
        dasharray: (!look.dashes.is_empty()).then(|| look.dashes.to_owned()),
    };
    curves.iter().zip(looks).map(entry).collect()
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
