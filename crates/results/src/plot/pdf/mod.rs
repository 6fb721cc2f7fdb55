//! Figures as PDF: the same lines and texts as the SVG, with the font embedded, for papers.

mod font;

use pdf_writer::{Content, Finish as _, Name, Pdf, Rect, Ref, Str};

use self::font::Font;
use super::curve::Figure;
use super::paint::{Painter, PlacedText, PlotPen, Rgb, paint, short};
use super::path::{PathPen, trace};
use super::sheet::{Arrangement, PlotPanel, PlotSheet};
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
    page_of(&PlotSheet::of_figures(title, figures, Arrangement::Beside)?)
}

/// A sheet as a page of PDF.
pub(super) fn page_of(sheet: &PlotSheet) -> Result<Vec<u8>> {
    let unreadable = || Error::EmptyPlot {
        file: sheet.title.clone(),
    };
    let mut page = PdfPage::new(sheet, Font::load().ok_or_else(unreadable)?);
    for panel in &sheet.panels {
        page.panel(panel);
    }
    page.finish(&sheet.title).ok_or_else(unreadable)
}

/// A page that is being drawn.
struct PdfPage {
    content: Content,
    font: Font,
    width: f32,
    height: f32,
}

impl PdfPage {
    fn new(sheet: &PlotSheet, font: Font) -> Self {
        Self {
            content: Content::new(),
            font,
            width: short(sheet.width),
            height: short(sheet.height),
        }
    }

    /// Draws a panel. Its y axis points down.
    fn panel(&mut self, panel: &PlotPanel) {
        self.content.save_state();
        let [left, top] = panel.at.map(short);
        let flip = [1.0, 0.0, 0.0, -1.0, left, self.height - top];
        self.content.transform(flip);
        paint(&panel.scene, self);
        self.content.restore_state();
    }

    fn fill(&mut self, colour: Rgb) {
        let [r, g, b] = parts(colour);
        self.content.set_fill_rgb(r, g, b);
    }

    fn pen(&mut self, pen: &PlotPen) {
        let [r, g, b] = parts(pen.colour);
        self.content.set_stroke_rgb(r, g, b);
        self.content.set_line_width(pen.width);
        self.content
            .set_dash_pattern(pen.dashes.iter().copied(), 0.0);
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

impl Painter for PdfPage {
    fn clip(&mut self, [x, y, width, height]: [f32; 4]) {
        self.content.save_state();
        self.content.rect(x, y, width, height);
        self.content.clip_nonzero().end_path();
    }

    fn unclip(&mut self) {
        self.content.restore_state();
    }

    fn polyline(&mut self, points: &[[f32; 2]], pen: &PlotPen) {
        self.pen(pen);
        for (i, [x, y]) in points.iter().enumerate() {
            match i {
                0 => self.content.move_to(*x, *y),
                _ => self.content.line_to(*x, *y),
            };
        }
        self.content.stroke();
    }

    fn path(&mut self, data: &str, fill: Option<Rgb>, pen: Option<&PlotPen>) {
        if let Some(pen) = pen {
            self.pen(pen);
        }
        if let Some(fill) = fill {
            self.fill(fill);
        }
        trace(&mut self.content, data);
        match (fill, pen) {
            (Some(_), Some(_)) => self.content.fill_nonzero_and_stroke(),
            (Some(_), None) => self.content.fill_nonzero(),
            (None, Some(_)) => self.content.stroke(),
            (None, None) => self.content.end_path(),
        };
    }

    fn rectangle(
        &mut self,
        [x, y, width, height]: [f32; 4],
        fill: Option<Rgb>,
        pen: Option<&PlotPen>,
    ) {
        if let Some(fill) = fill {
            self.fill(fill);
            self.content.rect(x, y, width, height);
            self.content.fill_nonzero();
        }
        if let Some(pen) = pen {
            self.pen(pen);
            self.content.rect(x, y, width, height);
            self.content.stroke();
        }
    }

    fn circle(&mut self, [x, y, r]: [f32; 3], fill: Rgb) {
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

    fn text(&mut self, text: &PlacedText<'_>) {
        let size = text.size;
        let (glyphs, width) = self.font.set(text.text);
        let back = size * width * text.before;
        self.fill(text.colour);
        let (sin, cos) = text.angle.to_radians().sin_cos();
        let [x, y] = text.place;
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
}

impl PathPen for Content {
    fn move_to(&mut self, [x, y]: [f32; 2]) {
        Content::move_to(self, x, y);
    }

    fn line_to(&mut self, [x, y]: [f32; 2]) {
        Content::line_to(self, x, y);
    }

    fn cubic_to(&mut self, [a, b, to]: [[f32; 2]; 3]) {
        Content::cubic_to(self, a[0], a[1], b[0], b[1], to[0], to[1]);
    }

    fn close(&mut self) {
        self.close_path();
    }
}

/// Red, green and blue from 0 to 1.
fn parts(colour: Rgb) -> [f32; 3] {
    colour.map(|part| f32::from(part) / 255.0)
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
