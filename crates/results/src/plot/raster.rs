//! Figures as PNG: the same lines and texts as the SVG, in pixels.

use super::canvas::{Canvas, SOFTWARE};
use super::paint::paint;
use super::sheet::PlotSheet;
use crate::error::{Error, Result};

/// Pixels for each unit of the SVG: sharp on a screen of high density and on a slide.
const SCALE: f64 = 2.0;

/// A sheet as PNG, of twice the size of the SVG.
pub(super) fn png_of(sheet: &PlotSheet) -> Result<Vec<u8>> {
    let undrawn = || Error::EmptyPlot {
        file: sheet.title.clone(),
    };
    let mut canvas = Canvas::new(sheet.width, sheet.height, SCALE).ok_or_else(undrawn)?;
    for panel in &sheet.panels {
        canvas.move_to(panel.at);
        paint(&panel.scene, &mut canvas);
    }
    canvas.png().ok_or_else(undrawn)
}

/// Whether a PNG is of Bristle.
pub(super) fn is_own(content: &[u8]) -> bool {
    let mark = format!("Software\0{SOFTWARE}");
    let mut parts = content.windows(mark.len());
    content.starts_with(b"\x89PNG") && parts.any(|part| part == mark.as_bytes())
}
