//! Pictures beside or above each other, in every format.

use kuva::backend::svg::SvgBackend;
use kuva::render::render::Scene;

use super::curve::Figure;
use super::figure::{dressed, scene};
use crate::error::Result;

/// Draws a figure as SVG.
///
/// Curves are thinned without loss of peaks; a curve that lies on an earlier one is dashed, so
/// that both are seen.
///
/// # Errors
/// [`Error::EmptyPlot`](crate::Error::EmptyPlot) if no curve has a finite point.
pub fn draw(figure: &Figure) -> Result<String> {
    draw_beside(&figure.title, std::slice::from_ref(figure))
}

/// Draws figures beside each other as one SVG, such as two views of a machine.
///
/// # Errors
/// [`Error::EmptyPlot`](crate::Error::EmptyPlot) if one of them has no finite point.
pub fn draw_beside(title: &str, figures: &[Figure]) -> Result<String> {
    Ok(PlotSheet::of_figures(title, figures, Arrangement::Beside)?.svg())
}

/// How pictures stand on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// From left to right.
    Beside,
    /// From top to bottom.
    Stacked,
}

/// A picture and where its upper left corner is.
pub(super) struct PlotPanel {
    pub(super) scene: Scene,
    pub(super) at: [f64; 2],
}

/// Pictures that are one file.
pub(super) struct PlotSheet {
    pub(super) title: String,
    pub(super) panels: Vec<PlotPanel>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl PlotSheet {
    pub(super) fn new(title: &str, scenes: Vec<Scene>, arrangement: Arrangement) -> Self {
        let mut sheet = Self {
            title: title.to_owned(),
            panels: Vec::with_capacity(scenes.len()),
            width: 0.0,
            height: 0.0,
        };
        for scene in scenes {
            let (width, height) = (scene.width, scene.height);
            let at = match arrangement {
                Arrangement::Beside => [sheet.width, 0.0],
                Arrangement::Stacked => [0.0, sheet.height],
            };
            sheet.width = sheet.width.max(at[0] + width);
            sheet.height = sheet.height.max(at[1] + height);
            sheet.panels.push(PlotPanel { scene, at });
        }
        sheet
    }

    /// # Errors
    /// [`Error::EmptyPlot`](crate::Error::EmptyPlot) if one of the figures has no finite point.
    pub(super) fn of_figures(
        title: &str,
        figures: &[Figure],
        arrangement: Arrangement,
    ) -> Result<Self> {
        let scenes = figures.iter().map(scene).collect::<Result<_>>()?;
        Ok(Self::new(title, scenes, arrangement))
    }

    pub(super) fn svg(&self) -> String {
        if let [PlotPanel { scene, .. }] = &self.panels[..] {
            let svg = SvgBackend::new().render_scene(scene);
            return dressed(&svg, &self.title, scene.width, scene.height);
        }
        let mut panels = String::new();
        for PlotPanel { scene, at: [x, y] } in &self.panels {
            let svg = SvgBackend::new().render_scene(scene);
            let at = format!("<svg x=\"{x:.2}\" y=\"{y:.2}\" ");
            panels.push_str(&svg.replacen("<svg ", &at, 1));
        }
        let (width, height) = (self.width, self.height);
        let frame = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.2}\" height=\"{height:.2}\">\
             {panels}</svg>"
        );
        dressed(&frame, &self.title, width, height)
    }
}
