//! The parts of a picture one by one, for the formats that are drawn here.

use kuva::render::color::Color;
use kuva::render::render::{Primitive, Scene, TextAnchor};

/// Red, green and blue.
pub(super) type Rgb = [u8; 3];

const BLACK: Rgb = [0; 3];
const WHITE: Rgb = [255; 3];

/// How a line is drawn.
pub(super) struct PlotPen {
    pub(super) colour: Rgb,
    pub(super) width: f32,
    pub(super) dashes: Vec<f32>,
}

/// A text at a place, turned by an angle in degrees (clockwise, as the y axis points down).
pub(super) struct PlacedText<'t> {
    pub(super) text: &'t str,
    pub(super) place: [f32; 2],
    pub(super) angle: f32,
    pub(super) size: f32,
    /// The part of its width that is left of the place.
    pub(super) before: f32,
    pub(super) colour: Rgb,
}

/// What a format can draw. Lengths are those of the scene; its y axis points down.
pub(super) trait Painter {
    /// Restricts what follows to a rectangle: left, top, width, height.
    fn clip(&mut self, area: [f32; 4]);
    /// Takes the last restriction back.
    fn unclip(&mut self);
    fn polyline(&mut self, points: &[[f32; 2]], pen: &PlotPen);
    /// Path data as SVG has it.
    fn path(&mut self, data: &str, fill: Option<Rgb>, pen: Option<&PlotPen>);
    fn rectangle(&mut self, area: [f32; 4], fill: Option<Rgb>, pen: Option<&PlotPen>);
    /// Centre and radius.
    fn circle(&mut self, circle: [f32; 3], fill: Rgb);
    fn text(&mut self, text: &PlacedText<'_>);
}

/// Draws all of a scene.
pub(super) fn paint(scene: &Scene, painter: &mut dyn Painter) {
    let ground = Color::from(scene.background_color.as_deref().unwrap_or("white"));
    let whole = [0.0, 0.0, short(scene.width), short(scene.height)];
    painter.rectangle(whole, Some(rgb(&ground).unwrap_or(WHITE)), None);
    for element in &scene.elements {
        one(element, painter);
    }
}

fn one(element: &Primitive, painter: &mut dyn Painter) {
    match element {
        Primitive::Text { .. } | Primitive::RichText { .. } => letters(element, painter),
        Primitive::Line { .. } | Primitive::PolyLine { .. } | Primitive::Path(_) => {
            curve(element, painter);
        }
        Primitive::ClipStart {
            x,
            y,
            width,
            height,
            ..
        } => painter.clip([*x, *y, *width, *height].map(short)),
        Primitive::ClipEnd => painter.unclip(),
        _ => area(element, painter),
    }
}

fn letters(element: &Primitive, painter: &mut dyn Painter) {
    let before = |anchor: &TextAnchor| match anchor {
        TextAnchor::Start => 0.0,
        TextAnchor::Middle => 0.5,
        TextAnchor::End => 1.0,
    };
    let ink = |colour: &Option<Color>| colour.as_ref().and_then(rgb).unwrap_or(BLACK);
    match element {
        Primitive::Text {
            x,
            y,
            content,
            size,
            anchor,
            rotate,
            color,
            ..
        } => painter.text(&PlacedText {
            text: content,
            place: [*x, *y].map(short),
            angle: short(rotate.unwrap_or(0.0)),
            size: short(f64::from(*size)),
            before: before(anchor),
            colour: ink(color),
        }),
        Primitive::RichText {
            x,
            y,
            spans,
            size,
            anchor,
            color,
        } => {
            let text: String = spans.iter().map(|span| &*span.text).collect();
            painter.text(&PlacedText {
                text: &text,
                place: [*x, *y].map(short),
                angle: 0.0,
                size: short(f64::from(*size)),
                before: before(anchor),
                colour: ink(color),
            });
        }
        _ => {}
    }
}

fn curve(element: &Primitive, painter: &mut dyn Painter) {
    match element {
        Primitive::Line {
            x1,
            y1,
            x2,
            y2,
            stroke,
            stroke_width,
            stroke_dasharray,
        } => {
            let ends = [[*x1, *y1], [*x2, *y2]].map(|end| end.map(short));
            painter.polyline(
                &ends,
                &pen(stroke, *stroke_width, stroke_dasharray.as_deref()),
            );
        }
        Primitive::PolyLine {
            points,
            stroke,
            stroke_width,
            stroke_dasharray,
        } => {
            let points = points.iter().map(|(x, y)| [*x, *y].map(short));
            let pen = pen(stroke, *stroke_width, stroke_dasharray.as_deref());
            painter.polyline(&points.collect::<Vec<_>>(), &pen);
        }
        Primitive::Path(path) => {
            let pen = pen(
                &path.stroke,
                path.stroke_width,
                path.stroke_dasharray.as_deref(),
            );
            let drawn = rgb(&path.stroke).is_some();
            let fill = path.fill.as_ref().and_then(rgb);
            painter.path(&path.d, fill, drawn.then_some(&pen));
        }
        _ => {}
    }
}

fn area(element: &Primitive, painter: &mut dyn Painter) {
    match element {
        Primitive::Rect {
            x,
            y,
            width,
            height,
            fill,
            stroke,
            stroke_width,
            ..
        } => {
            let drawn = stroke.as_ref().filter(|colour| rgb(colour).is_some());
            let pen = drawn.map(|colour| pen(colour, stroke_width.unwrap_or(1.0), None));
            let area = [*x, *y, *width, *height].map(short);
            painter.rectangle(area, rgb(fill), pen.as_ref());
        }
        Primitive::RectBatch { x, y, w, h, fills } => {
            let places = x.iter().zip(y).zip(w.iter().zip(h));
            for (((x, y), (w, h)), fill) in places.zip(fills) {
                painter.rectangle([*x, *y, *w, *h].map(short), rgb(fill), None);
            }
        }
        Primitive::Circle {
            cx, cy, r, fill, ..
        } => painter.circle([*cx, *cy, *r].map(short), rgb(fill).unwrap_or(BLACK)),
        Primitive::CircleBatch {
            cx, cy, r, fill, ..
        } => {
            let fill = rgb(fill).unwrap_or(BLACK);
            for (cx, cy) in cx.iter().zip(cy) {
                painter.circle([*cx, *cy, *r].map(short), fill);
            }
        }
        _ => {}
    }
}

fn pen(colour: &Color, width: f64, dashes: Option<&str>) -> PlotPen {
    let lengths = dashes.unwrap_or_default().split([' ', ',']);
    PlotPen {
        colour: rgb(colour).unwrap_or(BLACK),
        width: short(width),
        dashes: lengths.filter_map(|part| part.parse().ok()).collect(),
    }
}

/// Nothing for no colour.
fn rgb(colour: &Color) -> Option<Rgb> {
    match colour {
        Color::Rgb(r, g, b) => Some([*r, *g, *b]),
        Color::None => None,
        Color::Css(_) => Some(BLACK),
    }
}

/// A length on the page, to the precision that its formats have.
#[allow(
    clippy::cast_possible_truncation,
    reason = "lengths of a page are small"
)]
pub(super) fn short(x: f64) -> f32 {
    x as f32
}
