//! A motion as an animated GIF, for slides.

use std::collections::HashMap;

use bristle_results::{Canvas, ChannelTable, format_quantity};
use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::framing::Framing;
use crate::scene::Scene;
use crate::sketch::{Sketch, rgb};
use crate::sketches::{legend, rows, sketches};

/// Pictures of a film, at least and at most.
pub const FILM_FRAMES: std::ops::RangeInclusive<usize> = 2..=300;

/// Width of the picture, in pixels.
const WIDTH: f64 = 640.0;
const HEIGHTS: [f64; 2] = [240.0, 480.0];
const MARGIN: f64 = 24.0;
/// Room below for time and legend.
const FOOT: f64 = 34.0;
/// Room for an entry of the legend.
const ENTRY: f64 = 76.0;
const INK: [u8; 3] = [0x16, 0x20, 0x2c];
/// A run is shown as long as it is, within these times (s).
const SHOWN: [f64; 2] = [3.0, 12.0];
/// Hundredths of a second between two pictures at least: programs show shorter ones slowly.
const LEAST_DELAY: f64 = 2.0;
/// Colours of the picture at most.
const COLOURS: usize = 256;

/// A scene in motion as a GIF that is repeated: pictures at times that are evenly spaced over the run, each
/// with its time.
///
/// A run of 3 s to 12 s is shown at its own speed, others slower or faster. Scale, camera and arrows are those of
/// [`strip`](crate::strip).
///
/// # Errors
/// A channel that the table lacks, too few rows, or a picture that cannot be written, in words.
pub fn film(scene: &Scene, table: &ChannelTable, frames: usize) -> Result<Vec<u8>, String> {
    let rows = rows(
        table,
        frames.clamp(*FILM_FRAMES.start(), *FILM_FRAMES.end()),
    )?;
    let pictures = sketches(scene, table, &rows)?;
    let framing = Framing::of(&pictures, WIDTH - 2.0 * MARGIN, HEIGHTS);
    let legend = legend(scene);
    let lasts = table.time()[rows[rows.len() - 1]] - table.time()[rows[0]];
    let step = lasts / (rows.len() - 1) as f64;
    let mut drawn = Vec::with_capacity(pictures.len());
    for (picture, &row) in pictures.iter().zip(&rows) {
        let time = clock(table.time()[row], step);
        drawn.push(canvas(picture, &framing, &time, &legend).ok_or("the picture has no size")?);
    }
    let shown = 100.0 * lasts.clamp(SHOWN[0], SHOWN[1]) / rows.len() as f64;
    written(&drawn, shown.max(LEAST_DELAY).round()).map_err(|error| error.to_string())
}

fn canvas(
    picture: &Sketch,
    framing: &Framing,
    time: &str,
    legend: &[(&str, &str)],
) -> Option<Canvas> {
    let height = framing.height + 2.0 * MARGIN + FOOT;
    let mut canvas = Canvas::new(WIDTH, height, 1.0)?;
    let middle = [0.5 * WIDTH, MARGIN + 0.5 * framing.height];
    picture.paint(&framing.place(picture, middle), &mut canvas);
    let foot = height - 0.4 * FOOT;
    canvas.letters(time, [WIDTH - MARGIN, foot], 15.0, 1.0, INK);
    for (i, (paint, text)) in legend.iter().enumerate() {
        let x = MARGIN + ENTRY * i as f64;
        let square = [
            [x, foot - 11.0],
            [x + 12.0, foot - 11.0],
            [x + 12.0, foot + 1.0],
            [x, foot + 1.0],
        ];
        canvas.area(&square, rgb(paint), 1.0);
        canvas.letters(text, [x + 18.0, foot], 14.0, 0.0, INK);
    }
    Some(canvas)
}

/// A time with as many decimals as its step has, so that no digit comes and goes.
fn clock(t: f64, step: f64) -> String {
    /// Beyond that many a prefix reads better.
    const MOST: f64 = 6.0;
    let decimals = (1.0 - step.log10()).floor().max(0.0);
    if decimals <= MOST {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to 6"
        )]
        let decimals = decimals as usize;
        format!("t = {t:.decimals$} s")
    } else {
        format!("t = {}", format_quantity(t, "s"))
    }
}

/// The file, with `delay` hundredths of a second between pictures.
fn written(pictures: &[Canvas], delay: f64) -> Result<Vec<u8>, gif::EncodingError> {
    let [width, height] = pictures.first().map_or([1, 1], Canvas::size);
    let mut colours = FilmColours::of(pictures);
    let mut bytes = Vec::new();
    // edges are far below the 65 535 of the format
    let [wide, tall] = [width, height].map(|edge| u16::try_from(edge).unwrap_or(u16::MAX));
    let mut encoder = Encoder::new(&mut bytes, wide, tall, &colours.palette.concat())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Vec<u8> = Vec::new();
    for picture in pictures {
        let now: Vec<u8> = pixels(picture)
            .map(|colour| colours.place(colour))
            .collect();
        let mut frame = changed(&before, &now, usize::from(wide), usize::from(tall));
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a hundredth of some seconds"
        )]
        let delay = delay as u16;
        frame.delay = delay;
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame)?;
        before = now;
    }
    drop(encoder);
    Ok(bytes)
}

/// The part of a picture that differs from the one before.
fn changed(before: &[u8], now: &[u8], wide: usize, tall: usize) -> Frame<'static> {
    let differs = |x: usize, y: usize| before.get(y * wide + x) != now.get(y * wide + x);
    let row = |y: &usize| (0..wide).any(|x| differs(x, *y));
    let column = |x: &usize| (0..tall).any(|y| differs(*x, y));
    let top = (0..tall).find(row).unwrap_or(0);
    let bottom = (top..tall).rev().find(row).unwrap_or(top);
    let left = (0..wide).find(column).unwrap_or(0);
    let right = (left..wide).rev().find(column).unwrap_or(left);
    let rows = (top..=bottom).map(|y| &now[y * wide + left..=y * wide + right]);
    let buffer = rows.collect::<Vec<_>>().concat();
    let short = |x: usize| u16::try_from(x).unwrap_or(u16::MAX);
    Frame {
        left: short(left),
        top: short(top),
        width: short(right - left + 1),
        height: short(bottom - top + 1),
        buffer: buffer.into(),
        ..Frame::default()
    }
}

fn pixels(picture: &Canvas) -> impl Iterator<Item = [u8; 3]> {
    let pixels = picture.rgba().as_chunks::<4>().0.iter();
    pixels.map(|[r, g, b, _]| [*r, *g, *b])
}

/// The colours of all pictures: those that fill most, one for what is near each other.
struct FilmColours {
    palette: Vec<[u8; 3]>,
    /// Places of colours that were asked for.
    known: HashMap<[u8; 3], u8>,
}

impl FilmColours {
    fn of(pictures: &[Canvas]) -> Self {
        let mut counts: HashMap<[u8; 3], u64> = HashMap::new();
        for picture in pictures {
            for colour in pixels(picture) {
                *counts.entry(colour).or_default() += 1;
            }
        }
        let mut counts: Vec<([u8; 3], u64)> = counts.into_iter().collect();
        // the order of a hash table is none
        counts.sort_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
        let mut near = std::collections::HashSet::new();
        let mut palette: Vec<[u8; 3]> = counts
            .into_iter()
            .map(|(colour, _)| colour)
            .filter(|colour| near.insert(colour.map(|part| part >> 3)))
            .take(COLOURS)
            .collect();
        if palette.is_empty() {
            palette.push([255; 3]);
        }
        Self {
            palette,
            known: HashMap::new(),
        }
    }

    /// The place of the nearest colour.
    fn place(&mut self, colour: [u8; 3]) -> u8 {
        let palette = &self.palette;
        let apart = |other: &[u8; 3]| -> u32 {
            let parts = colour.iter().zip(other);
            parts.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
        };
        *self.known.entry(colour).or_insert_with(|| {
            let places = 0..=u8::MAX;
            let nearest = places.zip(palette).min_by_key(|(_, other)| apart(other));
            nearest.map_or(0, |(place, _)| place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(x: f64) -> Canvas {
        let mut canvas = Canvas::new(40.0, 20.0, 1.0).unwrap();
        let square = [[x, 5.0], [x + 5.0, 5.0], [x + 5.0, 10.0], [x, 10.0]];
        canvas.area(&square, [0xd5, 0x5e, 0x00], 1.0);
        canvas
    }

    #[test]
    fn the_clock_keeps_its_decimals() {
        let steps = [(0.0, 2.0), (4.0699, 0.2), (0.678, 0.034), (1.0, 3e-3)];
        let shown = steps.map(|(t, step)| clock(t, step));
        assert_eq!(shown, ["t = 0 s", "t = 4.1 s", "t = 0.68 s", "t = 1.000 s"]);
        assert_eq!(clock(2.5e-6, 1e-8), "t = 2.5 µs");
    }

    /// Decoded by the crate's own reader, which paints frames over each other.
    #[test]
    fn a_film_has_its_pictures_in_their_colours_and_stores_what_moves() {
        let drawn = [picture(5.0), picture(20.0), picture(20.0)];
        let bytes = written(&drawn, 7.0).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut reader = options.read_info(&bytes[..]).unwrap();
        assert_eq!((reader.width(), reader.height()), (40, 20));
        assert!(matches!(reader.repeat(), Repeat::Infinite));
        let mut screen = vec![0; 4 * 40 * 20];
        for (i, picture) in drawn.iter().enumerate() {
            let frame = reader.read_next_frame().unwrap().unwrap();
            assert_eq!(frame.delay, 7);
            let [left, top, wide] = [frame.left, frame.top, frame.width].map(usize::from);
            let rows = frame.buffer.chunks_exact(4 * wide).enumerate();
            for (y, row) in rows {
                let at = 4 * ((top + y) * 40 + left);
                screen[at..at + row.len()].copy_from_slice(row);
            }
            assert_eq!(screen, picture.rgba(), "{i}");
            // from the first square to the second; then nothing
            let sizes = [(40, 20), (20, 5), (1, 1)];
            assert_eq!((frame.width, frame.height), sizes[i]);
        }
        assert!(reader.read_next_frame().unwrap().is_none());
    }
}
