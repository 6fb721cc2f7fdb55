//! Figures as PDF: the same lines and texts as the SVG, with the font embedded, for papers.

mod font;
mod path;

use kuva::render::color::Color;
use kuva::render::render::{Primitive, Scene, TextAnchor};
use pdf_writer::{Content, Finish as _, Name, Pdf, Rect, Ref, Str};

use self::font::Font;
use super::curve::Figure;
use super::figure::scene;
use crate::error::{Error, Result};

/// Part of a radius by which the handles of a Bézier curve make a circle.
const CIRCLE: f32 = 0.552_284_8;
/// What a PDF names as the program that made it.
pub(super) const CREATOR: &str = "Bristle";

/// Draws figures beside each other as a page of PDF, in the size of the SVG.
///
/// # Errors
/// [`Error::EmptyPlot`] if one of them has no finite point, or the font does not hold a text.
pub fn draw_pdf(title: &str, figures: &[Figure]) -> Result<Vec<u8>> {
    let scenes: Vec<Scene> = figures.iter().map(scene).collect::<Result<_>>()?;
    page_of(title, &scenes)
}

/// Scenes beside each other as a page of PDF.
pub(super) fn page_of(title: &str, scenes: &[Scene]) -> Result<Vec<u8>> {
    let unreadable = || Error::EmptyPlot {
        file: title.to_owned(),
    };
    let mut page = PdfPage::new(scenes, Font::load().ok_or_else(unreadable)?);
    let mut left = 0.0;
    for scene in scenes {
        page.scene(scene, left);
        left += scene.width;
    }
    page.finish(title).ok_or_else(unreadable)
}

/// A page that is being drawn.
struct PdfPage {
    content: Content,
    font: Font,
    width: f32,
    height: f32,
}

impl PdfPage {
    fn new(scenes: &[Scene], font: Font) -> Self {
        let width: f64 = scenes.iter().map(|scene| scene.width).sum();
        let height = scenes.iter().map(|scene| scene.height).fold(0.0, f64::max);
        Self {
            content: Content::new(),
            font,
            width: short(width),
            height: short(height),
        }
    }

    /// Draws a scene at a distance from the left edge. Its y axis points down.
    fn scene(&mut self, scene: &Scene, left: f64) {
        self.content.save_state();
        let flip = [1.0, 0.0, 0.0, -1.0, short(left), self.height];
        self.content.transform(flip);
        let white = Color::from(scene.background_color.as_deref().unwrap_or("white"));
        self.fill(&white);
        self.content
            .rect(0.0, 0.0, short(scene.width), short(scene.height));
        self.content.fill_nonzero();
        for element in &scene.elements {
            self.element(element);
        }
        self.content.restore_state();
    }

    fn element(&mut self, element: &Primitive) {
        match element {
            Primitive::Text { .. } | Primitive::RichText { .. } => self.letters(element),
            Primitive::Line { .. } | Primitive::PolyLine { .. } | Primitive::Path(_) => {
                self.curve(element);
            }
            Primitive::ClipStart {
                x,
                y,
                width,
                height,
                ..
            } => {
                self.content.save_state();
                let [x, y, width, height] = [*x, *y, *width, *height].map(short);
                self.content.rect(x, y, width, height);
                self.content.clip_nonzero().end_path();
            }
            Primitive::ClipEnd => {
                self.content.restore_state();
            }
            _ => self.area(element),
        }
    }

    fn letters(&mut self, element: &Primitive) {
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
            } => {
                let place = [short(*x), short(*y), short(rotate.unwrap_or(0.0))];
                self.text(content, place, *size, *anchor, color.as_ref());
            }
            Primitive::RichText {
                x,
                y,
                spans,
                size,
                anchor,
                color,
            } => {
                let text: String = spans.iter().map(|span| &*span.text).collect();
                let place = [short(*x), short(*y), 0.0];
                self.text(&text, place, *size, *anchor, color.as_ref());
            }
            _ => {}
        }
    }

    fn curve(&mut self, element: &Primitive) {
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
                self.pen(stroke, *stroke_width, stroke_dasharray.as_deref());
                self.content.move_to(short(*x1), short(*y1));
                self.content.line_to(short(*x2), short(*y2));
                self.content.stroke();
            }
            Primitive::PolyLine {
                points,
                stroke,
                stroke_width,
                stroke_dasharray,
            } => {
                self.pen(stroke, *stroke_width, stroke_dasharray.as_deref());
                for (i, (x, y)) in points.iter().enumerate() {
                    match i {
                        0 => self.content.move_to(short(*x), short(*y)),
                        _ => self.content.line_to(short(*x), short(*y)),
                    };
                }
                self.content.stroke();
            }
            Primitive::Path(path) => {
                let dashes = path.stroke_dasharray.as_deref();
                self.pen(&path.stroke, path.stroke_width, dashes);
                path::trace(&mut self.content, &path.d);
                let filled = path.fill.as_ref().filter(|fill| rgb(fill).is_some());
                match filled {
                    Some(fill) => {
                        self.fill(fill);
                        self.content.fill_nonzero_and_stroke();
                    }
                    None => {
                        self.content.stroke();
                    }
                }
            }
            _ => {}
        }
    }

    fn area(&mut self, element: &Primitive) {
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
                let corners = [*x, *y, *width, *height].map(short);
                self.rectangle(corners, fill, stroke.as_ref(), *stroke_width);
            }
            Primitive::RectBatch { x, y, w, h, fills } => {
                for (i, fill) in fills.iter().enumerate() {
                    let corners = [x[i], y[i], w[i], h[i]].map(short);
                    self.rectangle(corners, fill, None, None);
                }
            }
            Primitive::Circle {
                cx, cy, r, fill, ..
            } => self.circle([*cx, *cy, *r].map(short), fill),
            Primitive::CircleBatch {
                cx, cy, r, fill, ..
            } => {
                for (cx, cy) in cx.iter().zip(cy) {
                    self.circle([*cx, *cy, *r].map(short), fill);
                }
            }
            _ => {}
        }
    }

    fn fill(&mut self, colour: &Color) {
        let [r, g, b] = rgb(colour).unwrap_or([0.0; 3]);
        self.content.set_fill_rgb(r, g, b);
    }

    fn pen(&mut self, colour: &Color, width: f64, dashes: Option<&str>) {
        let [r, g, b] = rgb(colour).unwrap_or([0.0; 3]);
        self.content.set_stroke_rgb(r, g, b);
        self.content.set_line_width(short(width));
        let lengths = dashes.unwrap_or_default().split([' ', ',']);
        let lengths: Vec<f32> = lengths.filter_map(|part| part.parse().ok()).collect();
        self.content.set_dash_pattern(lengths, 0.0);
    }

    fn rectangle(
        &mut self,
        [x, y, width, height]: [f32; 4],
        fill: &Color,
        stroke: Option<&Color>,
        stroke_width: Option<f64>,
    ) {
        if rgb(fill).is_some() {
            self.fill(fill);
            self.content.rect(x, y, width, height);
            self.content.fill_nonzero();
        }
        if let Some(stroke) = stroke.filter(|colour| rgb(colour).is_some()) {
            self.pen(stroke, stroke_width.unwrap_or(1.0), None);
            self.content.rect(x, y, width, height);
            self.content.stroke();
        }
    }

    fn circle(&mut self, [x, y, r]: [f32; 3], fill: &Color) {
        let k = CIRCLE * r;
        self.fill(fill);
        let content = &mut self.content;
        content.move_to(x + r, y);
        content.cubic_to(x + r, y + k, x + k, y + r, x, y + r);
        content.cubic_to(x - k, y + r, x - r, y + k, x - r, y);
        content.cubic_to(x - r, y - k, x - k, y - r, x, y - r);
        content.cubic_to(x + k, y - r, x + r, y - k, x + r, y);
        content.fill_nonzero();
    }

    /// A text at a place, turned by an angle in degrees (clockwise, as the y axis points down).
    fn text(
        &mut self,
        text: &str,
        [x, y, angle]: [f32; 3],
        size: u32,
        anchor: TextAnchor,
        colour: Option<&Color>,
    ) {
        let size = short(f64::from(size));
        let (glyphs, width) = self.font.set(text);
        let back = size
            * width
            * match anchor {
                TextAnchor::Start => 0.0,
                TextAnchor::Middle => 0.5,
                TextAnchor::End => 1.0,
            };
        let black = Color::Rgb(0, 0, 0);
        self.fill(colour.unwrap_or(&black));
        let (sin, cos) = angle.to_radians().sin_cos();
        self.content.save_state();
        self.content.transform([cos, sin, -sin, cos, x, y]);
        self.content.begin_text();
        self.content.set_font(Name(b"F"), size);
        // letters stand upright again
        self.content
            .set_text_matrix([1.0, 0.0, 0.0, -1.0, -back, 0.0]);
        self.content.show(Str(&glyphs));
        self.content.end_text();
        self.content.restore_state();
    }

    fn finish(self, title: &str) -> Option<Vec<u8>> {
        let [catalog, tree, page, stream, info] = [1, 2, 3, 4, 5].map(Ref::new);
        let font = Ref::new(6);
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(tree);
        pdf.pages(tree).kids([page]).count(1);
        let mut own = pdf.page(page);
        own.media_box(Rect::new(0.0, 0.0, self.width, self.height));
        own.parent(tree).contents(stream);
        own.resources().fonts().pair(Name(b"F"), font);
        own.finish();
        pdf.stream(stream, &self.content.finish());
        self.font.write(&mut pdf, font)?;
        let mut about = pdf.document_info(info);
        about.title(pdf_writer::TextStr(title));
        about.creator(pdf_writer::TextStr(CREATOR));
        about.finish();
        Some(pdf.finish())
    }
}

/// Red, green and blue from 0 to 1; nothing for no colour.
fn rgb(colour: &Color) -> Option<[f32; 3]> {
    match colour {
        Color::Rgb(r, g, b) => Some([*r, *g, *b].map(|part| f32::from(part) / 255.0)),
        Color::None => None,
        Color::Css(_) => Some([0.0; 3]),
    }
}

/// A length on the page, to the precision that PDF has.
#[allow(
    clippy::cast_possible_truncation,
    reason = "lengths of a page are small"
)]
fn short(x: f64) -> f32 {
    x as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{CurveStyle, FigureAxis, FigureCurve};

    #[test]
    fn a_figure_is_a_page_with_its_font() {
        let figure = Figure {
            title: "Friction −10⁻³ µm".into(),
            x: FigureAxis::new("time", "s"),
            y: FigureAxis::new("σ₀ z", "N"),
            curves: vec![
                FigureCurve::new("a", [0.0, 1.0], [0.0, 1.0]),
                FigureCurve::new("b", [0.0, 1.0], [1.0, 0.0]).styled(CurveStyle::Points),
            ],
        };
        let pdf = draw_pdf("two", &[figure.clone(), figure]).unwrap();
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF"));
        assert!(text.contains("/FontFile2") && text.contains("/ToUnicode"));
        // the font holds the letters of the page alone: the whole of it has 750 kB
        assert!(pdf.len() < 60_000, "{}", pdf.len());
        assert!(draw_pdf("none", &[Figure::default()]).is_err());
    }
}
