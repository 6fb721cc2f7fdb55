//! Plots of results as SVG, PDF and PNG.

mod axis;
mod canvas;
mod curve;
mod decimate;
mod drawing;
mod figure;
mod letters;
mod map;
mod overlap;
mod paint;
mod path;
mod pdf;
mod raster;
mod sheet;

pub use canvas::Canvas;
pub use curve::{AxisScale, CurveStyle, Figure, FigureAxis, FigureCurve};
pub use decimate::thin;
pub(crate) use drawing::remove_beside;
pub use drawing::{Drawing, PlotFormat};
pub use figure::MARK as PLOT_MARK;
pub(crate) use figure::MARK;
pub use map::{Map, draw_map};
pub use overlap::{Overlap, overlaps};
pub use pdf::draw_pdf;
pub use sheet::{draw, draw_beside};

use bristle_units::measured_by;
use serde::{Deserialize, Serialize};
use std::ops::Range;

use crate::error::{Error, Result};
use crate::table::ChannelTable;

/// One curve of a plot, by the names of its channels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlotSeries {
    /// What the legend says.
    pub label: String,
    /// The channel along the horizontal axis, most often `t`.
    pub x: String,
    /// The channel along the vertical axis.
    pub y: String,
}

/// A plot of channels of one table. Units come from the channels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Plain file name that ends in `.svg`.
    pub file: String,
    /// Title.
    pub title: String,
    /// What the horizontal axis shows, without unit.
    pub x_label: String,
    /// What the vertical axis shows, without unit.
    pub y_label: String,
    /// The curves, in the order of the legend.
    pub series: Vec<PlotSeries>,
    /// Whether every curve begins at zero: values less the first of the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_start: bool,
    /// From when to when, s; the whole run if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub during: Option<[f64; 2]>,
}

impl Plot {
    /// A plot over time, without curves yet.
    pub fn over_time(
        file: impl Into<String>,
        title: impl Into<String>,
        y_label: impl Into<String>,
    ) -> Self {
        Self::against(file, title, "time", y_label)
    }

    /// A plot of one quantity against another, such as a friction loop, without curves yet.
    pub fn against(
        file: impl Into<String>,
        title: impl Into<String>,
        x_label: impl Into<String>,
        y_label: impl Into<String>,
    ) -> Self {
        Self {
            file: file.into(),
            title: title.into(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            series: Vec::new(),
            from_start: false,
            during: None,
        }
    }

    /// Draws values less the first of the run: a displacement in place of a position.
    #[must_use]
    pub fn from_start(mut self) -> Self {
        self.from_start = true;
        self
    }

    /// What is taken off the values of a curve that has these over the run.
    pub fn origin(&self, values: &[f64]) -> f64 {
        let first = values.first().copied().filter(|_| self.from_start);
        first.unwrap_or(0.0)
    }

    /// Restricts the plot to a part of the run, s.
    #[must_use]
    pub fn during(mut self, window: Option<[f64; 2]>) -> Self {
        self.during = window;
        self
    }

    /// The samples that are drawn, of those at `times`, which ascend.
    pub fn window(&self, times: &[f64]) -> Range<usize> {
        self.during.map_or(0..times.len(), |[from, to]| {
            let first = times.partition_point(|t| *t < from);
            first..times.partition_point(|t| *t <= to).max(first)
        })
    }

    /// The plot, or one for each unit of its vertical axis, in the order in which units first occur. Where
    /// there are several, each axis says what its unit measures.
    pub fn by_unit(&self, unit_of: impl Fn(&str) -> Option<String>) -> Vec<Self> {
        let mut parts: Vec<(Option<String>, Self)> = Vec::new();
        for series in &self.series {
            let unit = unit_of(&series.y);
            if let Some((_, part)) = parts.iter_mut().find(|(known, _)| *known == unit) {
                part.series.push(series.clone());
            } else {
                let series = vec![series.clone()];
                parts.push((
                    unit,
                    Self {
                        series,
                        ..self.clone()
                    },
                ));
            }
        }
        if parts.len() < 2 {
            return vec![self.clone()];
        }
        let labelled = |(unit, part): (Option<String>, Self)| {
            let quantity = unit.as_deref().and_then(measured_by).unwrap_or_default();
            // one curve has no legend that names it
            let y_label = match &part.series[..] {
                [one] => one.label.clone(),
                _ => quantity.to_owned(),
            };
            Self { y_label, ..part }
        };
        parts.into_iter().map(labelled).collect()
    }

    /// Adds the channel `y` over time.
    #[must_use]
    pub fn with(self, label: impl Into<String>, y: impl Into<String>) -> Self {
        self.with_path(label, "t", y)
    }

    /// Adds the channel `y` against the channel `x`.
    #[must_use]
    pub fn with_path(
        mut self,
        label: impl Into<String>,
        x: impl Into<String>,
        y: impl Into<String>,
    ) -> Self {
        self.series.push(PlotSeries {
            label: label.into(),
            x: x.into(),
            y: y.into(),
        });
        self
    }
}

/// Whether `name` is a plain file name that ends in `.svg`.
pub(crate) fn is_svg_name(name: &str) -> bool {
    let stem = name.strip_suffix(".svg").unwrap_or_default();
    !stem.is_empty() && !stem.starts_with('.') && !stem.contains(['/', '\\', ':'])
}

/// Draws a plot of `table` as SVG.
///
/// # Errors
/// [`Error::UnknownChannel`], or [`Error::EmptyPlot`] if there is no finite point to draw.
pub fn render(plot: &Plot, table: &ChannelTable) -> Result<String> {
    let drawing = drawing_of(plot, table)?;
    drawing.svg().map_err(|error| named(error, plot))
}

/// What shows a plot of `table`: a figure, or one for each unit above each other.
pub(crate) fn drawing_of(plot: &Plot, table: &ChannelTable) -> Result<Drawing> {
    let mut figures = Vec::new();
    for part in plot.by_unit(|name| table.channel(name).map(|channel| channel.unit.clone())) {
        let mut figure = figure_of(&part, table)?;
        if !figures.is_empty() {
            // the title of the whole stands above the first
            figure.title.clear();
        }
        figures.push(figure);
    }
    Ok(match figures.len() {
        1 => Drawing::from(figures.remove(0)),
        _ => Drawing::Stacked {
            title: plot.title.clone(),
            figures,
        },
    })
}

/// An error that names the file of a plot.
pub(crate) fn named(error: Error, plot: &Plot) -> Error {
    match error {
        Error::EmptyPlot { .. } => Error::EmptyPlot {
            file: plot.file.clone(),
        },
        other => other,
    }
}

/// The figure that shows a plot of `table`.
fn figure_of(plot: &Plot, table: &ChannelTable) -> Result<Figure> {
    // a path needs values that belong together; over time, peaks matter more
    let path = plot.during.is_some() || plot.series.iter().any(|series| series.x != "t");
    let whole = (path && !table.is_complete()).then(|| table.whole_rows(usize::MAX));
    let table = whole.as_ref().unwrap_or(table);
    let mut curves = Vec::with_capacity(plot.series.len());
    for series in &plot.series {
        let (x, y) = (table.samples(&series.x)?, table.samples(&series.y)?);
        let drawn = if path {
            plot.window(table.time())
        } else {
            0..usize::MAX
        };
        let part = |values: &[f64]| values.get(drawn.clone()).unwrap_or(values).to_vec();
        let x = part(x.values());
        let y = shifted(part(y.values()), plot.origin(y.values()));
        curves.push(FigureCurve::new(&*series.label, x, y));
    }
    let unit = |name: fn(&PlotSeries) -> &str| common_unit(plot.series.iter().map(name), table);
    let (x_unit, y_unit) = (unit(|s| &s.x), unit(|s| &s.y));
    Ok(Figure {
        title: plot.title.clone(),
        x: FigureAxis::new(&*plot.x_label, x_unit.unwrap_or_default()),
        y: FigureAxis::new(&*plot.y_label, y_unit.unwrap_or_default()),
        curves,
    })
}

/// Values less what is taken off.
fn shifted(mut values: Vec<f64>, origin: f64) -> Vec<f64> {
    for value in &mut values {
        *value -= origin;
    }
    values
}

fn common_unit<'a>(
    mut names: impl Iterator<Item = &'a str>,
    table: &ChannelTable,
) -> Option<String> {
    let unit_of = |name: &str| table.channel(name).map(|c| c.unit.clone());
    let first = unit_of(names.next()?)?;
    names
        .all(|name| unit_of(name).as_ref() == Some(&first))
        .then_some(first)
}
