//! A quantity over two parameters, drawn as a grid of colours.

use std::sync::Arc;

use kuva::TickFormat;
use kuva::plot::heatmap::{ColorMap, Heatmap};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot as Drawn;
use kuva::render::render::{Primitive, Scene, render_multiple};

use super::curve::FigureAxis;
use super::figure::clean;
use super::sheet::{Arrangement, PlotSheet};
use crate::error::{Error, Result};
use bristle_units::{scale_for, significant};

/// Cells without a value.
const NO_VALUE: &str = "#d9d9d9";
/// Grids with more cells along a side have no numbers in their cells.
const WRITTEN: usize = 12;
/// Labels along an axis, at most.
const LABELS: usize = 24;

/// A quantity over a grid of two parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// Title.
    pub title: String,
    /// What changes from left to right, and what stands at each column.
    pub x: (String, Vec<String>),
    /// What changes from bottom to top, and what stands at each row.
    pub y: (String, Vec<String>),
    /// The quantity and its SI unit; a prefix is chosen to suit, and stands behind the title.
    pub quantity: FigureAxis,
    /// Rows from bottom to top, each with its columns; nothing where there is no value.
    pub cells: Vec<Vec<Option<f64>>>,
}

/// Draws a map as SVG.
///
/// # Errors
/// [`Error::EmptyPlot`] if no cell has a finite value.
pub fn draw_map(map: &Map) -> Result<String> {
    Ok(sheet(map)?.svg())
}

/// A map as a sheet of its own.
pub(super) fn sheet(map: &Map) -> Result<PlotSheet> {
    let (title, scene) = scene(map)?;
    Ok(PlotSheet::new(&title, vec![scene], Arrangement::Beside))
}

/// The title with the unit, and the parts of the picture.
fn scene(map: &Map) -> Result<(String, Scene)> {
    let finite = |cell: &Option<f64>| cell.filter(|value| value.is_finite());
    let values = || map.cells.iter().flatten().filter_map(finite);
    let (min, max) = (values().reduce(f64::min), values().reduce(f64::max));
    let (Some(min), Some(max)) = (min, max) else {
        return Err(Error::EmptyPlot {
            file: map.title.clone(),
        });
    };
    let scale = scale_for(min.abs().max(max.abs()), &map.quantity.unit);
    let shown = |cell: &Option<f64>| finite(cell).map_or(f64::NAN, |value| value * scale.factor);
    let cells: Vec<Vec<f64>> = map
        .cells
        .iter()
        .map(|row| row.iter().map(shown).collect())
        .collect();
    // a constant has the colour of the middle, and room around it in the bar
    let (low, high) = (min * scale.factor, max * scale.factor);
    let colours = ColorMap::Custom(Arc::new(move |part: f64| match part {
        part if part.is_nan() => NO_VALUE.to_owned(),
        // the darkest part of the colours would hide the numbers in the cells
        part => ColorMap::Viridis.map(0.35 + 0.65 * if high > low { part } else { 0.5 }),
    }));
    let title = if scale.unit.is_empty() {
        map.title.clone()
    } else {
        format!("{} ({})", map.title, scale.unit)
    };
    let mut heatmap = Heatmap::new().with_data(cells).with_color_map(colours);
    if map.cells.len() <= WRITTEN && map.x.1.len() <= WRITTEN {
        heatmap = heatmap.with_values();
    }
    let plots = vec![Drawn::Heatmap(heatmap)];
    let layout = Layout::auto_from_plots(&plots)
        .with_title(clean(&title))
        .with_title_size(16)
        .with_title_wrap(64)
        .with_x_label(clean(&map.x.0))
        .with_y_label(clean(&map.y.0))
        .with_x_categories(thinned(&map.x.1))
        .with_y_categories(thinned(&map.y.1))
        .with_colorbar_tick_format(TickFormat::Custom(Arc::new(|v| significant(v, 4))));
    let mut scene = render_multiple(plots, layout);
    if map.quantity.whole {
        scene.elements.iter_mut().for_each(without_decimals);
    }
    Ok((title, scene))
}

/// Cells are written with two decimals, which a count has none of.
fn without_decimals(element: &mut Primitive) {
    if let Primitive::Text { content, .. } = element
        && let Some(whole) = content.strip_suffix(".00")
    {
        *content = whole.to_owned();
    }
}

/// At most [`LABELS`] labels, the others empty.
fn thinned(labels: &[String]) -> Vec<String> {
    let step = labels.len().div_ceil(LABELS).max(1);
    let label = |(i, label): (usize, &String)| match i % step {
        0 => clean(label),
        _ => String::new(),
    };
    labels.iter().enumerate().map(label).collect()
}
