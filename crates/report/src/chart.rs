//! Charts: curves over time, and paths such as friction loops.

use bristle_results::{ChannelTable, Figure, FigureAxis, PairKind, Plot, PlotSeries, thin};
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
}

#[derive(Debug, Serialize)]
struct ShownCurve {
    label: String,
    unit: String,
    x: usize,
    y: usize,
    /// The time of each point of a path.
    t: Option<usize>,
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

    /// A chart of channels. `Err` names a channel that is not there.
    pub(crate) fn of_plot(
        plot: &Plot,
        shared: &Shared<'_>,
        store: &mut Store,
    ) -> Result<Self, String> {
        let over_time = plot.series.iter().all(|series| series.x == "t");
        let mut curves = Vec::with_capacity(plot.series.len());
        for series in &plot.series {
            let curve = if over_time {
                time_curve(series, shared)
            } else {
                path_curve(plot, series, shared, store)
            };
            curves.push(curve?);
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
        Ok(Self {
            kind: if over_time {
                ChartKind::Time
            } else {
                ChartKind::Path
            },
            title: plot.title.clone(),
            x: ShownAxis {
                label: plot.x_label.clone(),
                unit: unit(|s| &s.x),
            },
            y: ShownAxis {
                label: plot.y_label.clone(),
                unit: unit(|s| &s.y),
            },
            pair: plot.series.iter().find_map(|s| pair_of(&s.y)),
            curves,
        })
    }

    /// A chart of paths.
    pub(crate) fn of_loops(loops: &Loops, store: &mut Store) -> Self {
        let curves = loops.paths.iter().map(|path| {
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
            }
        });
        Self {
            kind: ChartKind::Path,
            title: loops.title.clone(),
            curves: curves.collect(),
            x: shown(&loops.x),
            y: shown(&loops.y),
            pair: None,
        }
    }

    /// A chart of curves that bring their own numbers.
    pub(crate) fn of_figure(figure: &Figure, store: &mut Store) -> Self {
        let ascending = |x: &[f64]| x.windows(2).all(|pair| pair[0] <= pair[1]);
        let over_time = figure.curves.iter().all(|curve| ascending(&curve.x));
        let curves = figure.curves.iter().map(|curve| {
            let kept = thin(&curve.x, &curve.y, STRIPS);
            let pick = |values: &[f64]| -> Vec<f64> { kept.iter().map(|&i| values[i]).collect() };
            ShownCurve {
                label: curve.label.clone(),
                unit: figure.y.unit.clone(),
                x: store.add_exact(label(&figure.x.label, &figure.x.unit), &pick(&curve.x)),
                y: store.add(label(&curve.label, &figure.y.unit), &pick(&curve.y)),
                t: None,
            }
        });
        let curves = curves.collect();
        Self {
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
        }
    }
}

fn shown(axis: &FigureAxis) -> ShownAxis {
    ShownAxis {
        label: axis.label.clone(),
        unit: axis.unit.clone(),
    }
}

fn time_curve(series: &PlotSeries, shared: &Shared<'_>) -> Result<ShownCurve, String> {
    let find = |name: &str| shared.column(name).ok_or_else(|| name.to_owned());
    Ok(ShownCurve {
        label: series.label.clone(),
        unit: unit_of(shared, &series.y),
        x: find("t")?,
        y: find(&series.y)?,
        t: None,
    })
}

fn path_curve(
    plot: &Plot,
    series: &PlotSeries,
    shared: &Shared<'_>,
    store: &mut Store,
) -> Result<ShownCurve, String> {
    let find = |name: &str| shared.whole.column(name).ok_or_else(|| name.to_owned());
    let times = shared.whole.time();
    let drawn = plot.window(times);
    let part = |values: &[f64]| values.get(drawn.clone()).unwrap_or_default().to_vec();
    let (t, x, y) = (part(times), part(find(&series.x)?), part(find(&series.y)?));
    let kept = thin(&x, &y, STRIPS);
    let pick = |values: &[f64]| -> Vec<f64> { kept.iter().map(|&i| values[i]).collect() };
    let (x_unit, y_unit) = (unit_of(shared, &series.x), unit_of(shared, &series.y));
    Ok(ShownCurve {
        label: series.label.clone(),
        x: store.add(label(&series.x, &x_unit), &pick(&x)),
        y: store.add(label(&series.y, &y_unit), &pick(&y)),
        t: Some(store.add_exact(label("t", "s"), &pick(&t))),
        unit: y_unit,
    })
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
