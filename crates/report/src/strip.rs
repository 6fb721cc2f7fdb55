//! A motion as pictures side by side, for slides and papers: one SVG.

use std::fmt::Write as _;

use bristle_results::{ChannelTable, PLOT_MARK, format_quantity};

use crate::framing::Framing;
use crate::scene::Scene;
use crate::sketch::Sketch;
use crate::sketches::{legend, rows, sketches};

/// Pictures of a strip, at least and at most.
pub const FRAMES: std::ops::RangeInclusive<usize> = 2..=60;

/// Pictures in a row.
const IN_A_ROW: usize = 12;
/// Width of a picture, in the units of the file.
const WIDTH: f64 = 240.0;
const LEAST_HEIGHT: f64 = 110.0;
const MOST_HEIGHT: f64 = 420.0;
const MARGIN: f64 = 14.0;
/// Room below a picture for its time.
const FOOT: f64 = 24.0;
/// Room for an entry of the legend.
const LEGEND: f64 = 72.0;

/// Pictures of a scene at moments that are evenly spaced over the run, in rows of twelve at most.
///
/// All have one scale and one camera, which looks at the machine as the page does, and follows one that
/// travels far. Friction, loads and
/// moments are drawn to a scale each.
///
/// # Errors
/// A channel that the table lacks, or too few rows, in words.
pub fn strip(scene: &Scene, table: &ChannelTable, frames: usize) -> Result<String, String> {
    let rows = rows(table, frames.clamp(*FRAMES.start(), *FRAMES.end()))?;
    let pictures = sketches(scene, table, &rows)?;
    let times: Vec<f64> = rows.iter().map(|&row| table.time()[row]).collect();
    Ok(laid_out(&pictures, &times, &legend(scene)))
}

/// Pictures side by side, each with its time.
fn laid_out(pictures: &[Sketch], times: &[f64], legend: &[(&str, &str)]) -> String {
    let framing = Framing::of(pictures, WIDTH - 2.0 * MARGIN, [LEAST_HEIGHT, MOST_HEIGHT]);
    let shown = framing.height;
    // rows of about the same length
    let lines = pictures.len().div_ceil(IN_A_ROW).max(1);
    let in_a_row = pictures.len().div_ceil(lines);
    let below = if legend.is_empty() { 0.0 } else { FOOT };
    let line_height = shown + 2.0 * MARGIN + FOOT;
    let (wide, tall) = (WIDTH * in_a_row as f64, line_height * lines as f64 + below);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {tall:.0}\" width=\"{wide:.0}\" \
         height=\"{tall:.0}\" role=\"img\" font-family=\"DejaVu Sans, sans-serif\"><title>Motion</title>{PLOT_MARK}\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (i, (picture, t)) in pictures.iter().zip(times).enumerate() {
        let top = line_height * (i / in_a_row) as f64;
        let middle = WIDTH * ((i % in_a_row) as f64 + 0.5);
        let at = framing.place(picture, [middle, top + MARGIN + 0.5 * shown]);
        picture.write(&at, &mut svg);
        let time = format_quantity(*t, "s");
        let foot = top + line_height - 0.5 * FOOT;
        // writing to a string cannot fail
        let _ = writeln!(
            svg,
            "<text x=\"{middle:.1}\" y=\"{foot:.1}\" font-size=\"13\" text-anchor=\"middle\" fill=\"#16202c\">t = {time}</text>"
        );
    }
    for (i, (paint, text)) in legend.iter().enumerate() {
        let (x, y) = (MARGIN + LEGEND * i as f64, tall - 0.5 * FOOT);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.0}\" y=\"{:.0}\" width=\"10\" height=\"10\" fill=\"{paint}\"/>\
             <text x=\"{:.0}\" y=\"{y:.0}\" font-size=\"12\" fill=\"#16202c\">{text}</text>",
            y - 10.0,
            x + 15.0
        );
    }
    svg + "</svg>\n"
}
