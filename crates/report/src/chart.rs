//! Charts: curves over time, and paths such as friction loops.

use bristle_results::{
    AxisScale, ChannelTable, CurveStyle, Figure, FigureAxis, FigureCurve, Overlap, PairKind, Plot,
    PlotSeries, overlaps, thin,
};
use serde::Serialize;

use crate::series::{ColumnLabel, Store};

/// Strips into which a curve with data of its own is cut: four points each.
const STRIPS: usize = 1500;

/// Paths in the plane with the time along them, such as friction loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Loops {
    /// Title.
    pub title: String,
    /// The horizontal axis.
    pub x: FigureAxis,
    /// The vertical axis.
    pub y: FigureAxis,
    /// The paths.
    pub paths: Vec<Loop>,
}

/// One path.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// What the legend says.
    pub label: String,
    /// The time of each point, s.
    pub t: Vec<f64>,
    /// Along the horizontal axis.
    pub x: Vec<f64>,
    /// Along the vertical axis.
    pub y: Vec<f64>,
}

/// A chart as the page draws it; `x`, `y` and `t` are indices of columns.
#[derive(Debug, Serialize)]
pub(crate) struct Chart {
    kind: ChartKind,
    title: String,
    x: ShownAxis,
    y: ShownAxis,
    curves: Vec<ShownCurve>,
    /// The contact or joint whose stick and slip stands behind the curves.
    pair: Option<String>,
    /// What a reader would else take for a fault: that nothing varies.
    note: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum ChartKind {
    /// Over a variable that never decreases.
    Time,
    /// Any path in the plane.
    Path,
}

#[derive(Debug, Serialize)]
struct ShownAxis {
    label: String,
    unit: String,
    scale: ShownScale,
    /// Whether its ticks are whole numbers.
    whole: bool,
}

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum ShownScale {
    Linear,
    /// By decades.
    Log,
    /// By decades on either side of zero.
    Signed,
}

#[derive(Debug, Serialize)]
struct ShownCurve {
    label: String,
    unit: String,
    x: usize,
    y: usize,
    /// The time of each point of a path.
    t: Option<usize>,
    /// Its place in the legend; curves that share one share their colour.
    entry: usize,
    style: ShownStyle,
    /// Number of curves before it that it lies on: it is dashed.
    on: usize,
    /// Whether a later one lies on it: it is wide.
    covered: bool,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum ShownStyle {
    Line,
    Thin,
    Dashed,
    Points,
}

impl From<CurveStyle> for ShownStyle {
    fn from(style: CurveStyle) -> Self {
        match style {
            CurveStyle::Line => Self::Line,
            CurveStyle::Thin => Self::Thin,
            CurveStyle::Dashed => Self::Dashed,
            CurveStyle::Points => Self::Points,
        }
    }
}

/// The channels of a run as the page has them.
#[derive(Debug)]
pub(crate) struct Shared<'r> {
    /// Condensed so that every peak is there, with its columns in the store.
    pub(crate) peaks: ChannelTable,
    /// Rows whose values belong together.
    pub(crate) whole: &'r ChannelTable,
    /// Column of every channel of `peaks`, where it is in the page.
    pub(crate) columns: Vec<Option<usize>>,
}

impl Shared<'_> {
    fn column(&self, name: &str) -> Option<usize> {
        let index = self.peaks.channels().iter().position(|c| c.name == name)?;
        self.columns.get(index).copied().flatten()
    }
}

impl Chart {
    pub(crate) fn is_path(&self) -> bool {
        self.kind == ChartKind::Path
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Looks at the curves as they are drawn: those that lie on each other, and those that do not
    /// vary. `Err` says why there is nothing to draw.
    fn seen(mut self, drawn: &[FigureCurve]) -> Result<Self, String> {
        let values = || drawn.iter().flat_map(|curve| &curve.y);
        let finite = || values().copied().filter(|value| value.is_finite());
        let (low, high) = (
            finite().fold(f64::INFINITY, f64::min),
            finite().fold(f64::NEG_INFINITY, f64::max),
        );
        if low > high {
            let why = if values().next().is_some() {
                "none of its values is a number"
            } else {
                "it has no values"
            };
            return Err(why.to_owned());
        }
        for (curve, Overlap { on, covered }) in
            self.curves.iter_mut().zip(overlaps(drawn, high - low))
        {
            (curve.on, curve.covered) = (on, covered);
        }
        let missing = values().count() - finite().count();
        let still = |curve: &FigureCurve| {
            let mut pairs = curve.y.windows(2);
            pairs.all(|pair| pair[0].to_bits() == pair[1].to_bits())
        };
        self.note = if missing > 0 {
            Some(format!("{missing} values are not numbers and are left out"))
        } else if drawn.iter().all(still) {
            let what = if drawn.len() > 1 { "every curve" } else { "it" };
            Some(format!("{what} is constant"))
        } else {
            None
        };
        Ok(self)
    }

    /// A chart of channels. `Err` says why it cannot be drawn.
    pub(crate) fn of_plot(
        plot: &Plot,
        shared: &Shared<'_>,
        store: &mut Store,
    ) -> Result<Self, String> {
        let over_time = plot.series.iter().all(|series| series.x == "t");
        let mut curves = Vec::with_capacity(plot.series.len());
        let mut drawn = Vec::with_capacity(plot.series.len());
        for (entry, series) in plot.series.iter().enumerate() {
            let (curve, points) = if over_time {
                time_curve(plot, series, shared, store)
            } else {
                path_curve(plot, series, shared, store)
            }
            .map_err(|channel| format!("there is no channel {channel}"))?;
            curves.push(ShownCurve { entry, ..curve });
            drawn.push(points);
        }
        let unit = |of: fn(&PlotSeries) -> &str| {
            let mut units = plot.series.iter().map(|series| {
                let channel = shared.peaks.channel(of(series));
                channel.map(|c| c.unit.clone()).unwrap_or_default()
            });
            let first = units.next().unwrap_or_default();
            if units.all(|unit| unit == first) {
                first
            } else {
                String::new()
            }
        };
        let chart = Self {
            kind: if over_time {
                ChartKind::Time
            } else {
                ChartKind::Path
            },
            title: plot.title.clone(),
            x: shown(&FigureAxis::new(&*plot.x_label, unit(|s| &s.x))),
            y: shown(&FigureAxis::new(&*plot.y_label, unit(|s| &s.y))),
            pair: plot.series.iter().find_map(|s| pair_of(&s.y)),
            curves,
            note: None,
        };
        chart.seen(&drawn)
    }

    /// The same curves, not over time.
    pub(crate) fn into_path(mut self) -> Self {
        self.kind = ChartKind::Path;
        self
    }

    /// A chart of paths. `Err` says why it cannot be drawn.
    pub(crate) fn of_loops(loops: &Loops, store: &mut Store) -> Result<Self, String> {
        let curves = loops.paths.iter().enumerate().map(|(entry, path)| {
            let kept = thin(&path.x, &path.y, STRIPS);
            let pick = |values: &[f64]| -> Vec<f64> {
                kept.iter()
                    .filter_map(|&i| values.get(i).copied())
                    .collect()
            };
            ShownCurve {
                label: path.label.clone(),
                unit: loops.y.unit.clone(),
                x: store.add(label(&loops.x.label, &loops.x.unit), &pick(&path.x)),
                y: store.add(label(&path.label, &loops.y.unit), &pick(&path.y)),
                t: Some(store.add_exact(label("t", "s"), &pick(&path.t))),
                entry,
                style: ShownStyle::Line,
                on: 0,
                covered: false,
            }
        });
        let drawn: Vec<FigureCurve> = loops.paths.iter().map(Loop::curve).collect();
        let chart = Self {
            kind: ChartKind::Path,
            title: loops.title.clone(),
            curves: curves.collect(),
            x: shown(&loops.x),
            y: shown(&loops.y),
            pair: None,
            note: None,
        };
        chart.seen(&drawn)
    }

    /// A chart of curves that bring their own numbers. `Err` says why it cannot be drawn.
    pub(crate) fn of_figure(figure: &Figure, store: &mut Store) -> Result<Self, String> {
        let ascending = |x: &[f64]| x.windows(2).all(|pair| pair[0] <= pair[1]);
        let over_time = figure.curves.iter().all(|curve| ascending(&curve.x));
        let curves = figure.curves.iter().zip(figure.entries());
        let curves = curves.map(|(curve, entry)| {
            let kept = thin(&curve.x, &curve.y, STRIPS);
            let pick = |values: &[f64]| -> Vec<f64> { kept.iter().map(|&i| values[i]).collect() };
            ShownCurve {
                label: curve.label.clone(),
                unit: figure.y.unit.clone(),
                x: store.add_exact(label(&figure.x.label, &figure.x.unit), &pick(&curve.x)),
                y: store.add(label(&curve.label, &figure.y.unit), &pick(&curve.y)),
                t: None,
                entry,
                style: curve.style.into(),
                on: 0,
                covered: false,
            }
        });
        let curves = curves.collect();
        let chart = Self {
            kind: if over_time {
                ChartKind::Time
            } else {
                ChartKind::Path
            },
            title: figure.title.clone(),
            x: shown(&figure.x),
            y: shown(&figure.y),
            curves,
            pair: None,
            note: None,
        };
        chart.seen(&figure.curves)
    }
}

impl Loop {
    fn curve(&self) -> FigureCurve {
        FigureCurve::new("", &*self.x, &*self.y)
    }
}

fn shown(axis: &FigureAxis) -> ShownAxis {
    ShownAxis {
        label: axis.label.clone(),
        unit: axis.unit.clone(),
        scale: match axis.scale {
            AxisScale::Linear => ShownScale::Linear,
            AxisScale::Logarithmic => ShownScale::Log,
            AxisScale::SignedLogarithmic => ShownScale::Signed,
        },
        whole: axis.whole,
    }
}

/// A curve with its points. `Err` names a channel that is not there.
type DrawnCurve = Result<(ShownCurve, FigureCurve), String>;

fn time_curve(
    plot: &Plot,
    series: &PlotSeries,
    shared: &Shared<'_>,
    store: &mut Store,
) -> DrawnCurve {
    let find = |name: &str| shared.column(name).ok_or_else(|| name.to_owned());
    let unit = unit_of(shared, &series.y);
    let values = shared.peaks.column(&series.y).unwrap_or_default();
    let origin = plot.origin(values);
    let values: Vec<f64> = values.iter().map(|value| value - origin).collect();
    let (x, mut y) = (find("t")?, find(&series.y)?);
    if plot.from_start {
        y = store.add(label(&series.label, &unit), &values);
    }
    let points = FigureCurve::new("", shared.peaks.time(), values);
    let curve = ShownCurve {
        label: series.label.clone(),
        unit,
        x,
        y,
        t: None,
        entry: 0,
        style: ShownStyle::Line,
        on: 0,
        covered: false,
    };
    Ok((curve, points))
}

fn path_curve(
    plot: &Plot,
    series: &PlotSeries,
    shared: &Shared<'_>,
    store: &mut Store,
) -> DrawnCurve {
    let find = |name: &str| shared.whole.column(name).ok_or_else(|| name.to_owned());
    let times = shared.whole.time();
    let drawn = plot.window(times);
    let part = |values: &[f64]| values.get(drawn.clone()).unwrap_or_default().to_vec();
    let (t, x, y) = (part(times), part(find(&series.x)?), part(find(&series.y)?));
    let kept = thin(&x, &y, STRIPS);
    let pick = |values: &[f64]| -> Vec<f64> { kept.iter().map(|&i| values[i]).collect() };
    let (x_unit, y_unit) = (unit_of(shared, &series.x), unit_of(shared, &series.y));
    let curve = ShownCurve {
        label: series.label.clone(),
        x: store.add(label(&series.x, &x_unit), &pick(&x)),
        y: store.add(label(&series.y, &y_unit), &pick(&y)),
        t: Some(store.add_exact(label("t", "s"), &pick(&t))),
        unit: y_unit,
        entry: 0,
        style: ShownStyle::Line,
        on: 0,
        covered: false,
    };
    let points = FigureCurve::new("", x, y);
    Ok((curve, points))
}

fn label<'a>(name: &'a str, unit: &'a str) -> ColumnLabel<'a> {
    ColumnLabel {
        name,
        unit,
        meaning: "",
    }
}

fn unit_of(shared: &Shared<'_>, name: &str) -> String {
    let channel = shared.peaks.channel(name);
    channel.map(|c| c.unit.clone()).unwrap_or_default()
}

/// The contact or joint with friction that a channel belongs to, as `contact.base`.
fn pair_of(channel: &str) -> Option<String> {
    let (section, rest) = channel.split_once('.')?;
    let (name, _) = rest.split_once('.')?;
    let kinds = [PairKind::Contact, PairKind::Joint];
    let is_pair = kinds.iter().any(|kind| kind.section() == section);
    is_pair.then(|| format!("{section}.{name}"))
}
