//! Pictures in pixels, for slides and whatever takes no vectors.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, Rect, Stroke,
    StrokeDash, Transform,
};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::letters::dejavu;
use super::paint::{Painter, PlacedText, PlotPen, Rgb, short};
use super::path::{PathPen, trace};

/// What a PNG names as the program that made it.
pub(super) const SOFTWARE: &str = "Bristle";
/// Pixels along an edge at most: a picture takes 4 bytes for each.
const MOST: f64 = 16_000.0;

/// A picture in pixels on white, in which lengths are those of the SVG; y points down.
#[derive(Debug)]
pub struct Canvas {
    pixels: Pixmap,
    scale: f32,
    /// The corner of the part that is drawn.
    corner: [f32; 2],
    clips: Vec<Option<Mask>>,
}

impl Canvas {
    /// A white picture with `scale` pixels for each unit; nothing if it would have none or too many.
    pub fn new(width: f64, height: f64, scale: f64) -> Option<Self> {
        let edge = |length: f64| {
            let pixels = (length * scale).ceil();
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is within the range"
            )]
            (1.0..=MOST).contains(&pixels).then_some(pixels as u32)
        };
        let mut pixels = Pixmap::new(edge(width)?, edge(height)?)?;
        pixels.fill(Color::WHITE);
        Some(Self {
            pixels,
            scale: short(scale),
            corner: [0.0; 2],
            clips: Vec::new(),
        })
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.pixels.width(), self.pixels.height()]
    }

    /// The colours of the pixels, row by row: red, green, blue and 255.
    pub fn rgba(&self) -> &[u8] {
        // on white everything is opaque, so that nothing is to be divided
        self.pixels.data()
    }

    /// Fills an outline.
    pub fn area(&mut self, outline: &[[f64; 2]], colour: [u8; 3], opacity: f64) {
        if let Some(path) = polygon(outline, true) {
            self.fill(&path, colour, short(opacity));
        }
    }

    /// Draws a line.
    pub fn line(&mut self, points: &[[f64; 2]], colour: [u8; 3], width: f64) {
        if let Some(path) = polygon(points, false) {
            let pen = PlotPen {
                colour,
                width: short(width),
                dashes: Vec::new(),
            };
            self.stroke(&path, &pen);
        }
    }

    /// Fills a disk.
    pub fn disk(&mut self, centre: [f64; 2], radius: f64, colour: [u8; 3]) {
        let [x, y] = centre;
        self.circle([x, y, radius].map(short), colour);
    }

    /// Writes a text that ends (1), begins (0) or has its middle (0.5) at a place; `before` is the part of it to
    /// the left of there.
    pub fn letters(&mut self, text: &str, at: [f64; 2], size: f64, before: f64, colour: [u8; 3]) {
        self.text(&PlacedText {
            text,
            place: at.map(short),
            angle: 0.0,
            size: short(size),
            before: short(before),
            colour,
        });
    }

    /// What follows is drawn with its upper left corner there.
    pub(super) fn move_to(&mut self, corner: [f64; 2]) {
        self.corner = corner.map(short);
    }

    /// The picture as PNG; nothing if it cannot be written.
    pub fn png(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let [width, height] = self.size();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder
            .add_text_chunk("Software".to_owned(), SOFTWARE.to_owned())
            .ok()?;
        let mut writer = encoder.write_header().ok()?;
        let pixels = self.rgba().as_chunks::<4>().0.iter();
        let colours: Vec<u8> = pixels.flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        writer.write_image_data(&colours).ok()?;
        writer.finish().ok()?;
        Some(bytes)
    }

    fn transform(&self) -> Transform {
        let [x, y] = self.corner;
        Transform::from_translate(x, y).post_scale(self.scale, self.scale)
    }

    fn mask(&self) -> Option<&Mask> {
        self.clips.last()?.as_ref()
    }

    fn fill(&mut self, path: &Path, colour: Rgb, opacity: f32) {
        let (paint, transform) = (paint(colour, opacity), self.transform());
        let mask = self.clips.last().and_then(Option::as_ref);
        self.pixels
            .fill_path(path, &paint, FillRule::Winding, transform, mask);
    }

    fn stroke(&mut self, path: &Path, pen: &PlotPen) {
        let stroke = Stroke {
            width: pen.width,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Miter,
            dash: StrokeDash::new(pen.dashes.clone(), 0.0),
            ..Stroke::default()
        };
        let (paint, transform) = (paint(pen.colour, 1.0), self.transform());
        let mask = self.clips.last().and_then(Option::as_ref);
        self.pixels
            .stroke_path(path, &paint, &stroke, transform, mask);
    }
}

impl Painter for Canvas {
    fn clip(&mut self, [x, y, width, height]: [f32; 4]) {
        let transform = self.transform();
        let area = Rect::from_xywh(x, y, width, height).map(PathBuilder::from_rect);
        let mask = area.and_then(|path| {
            let [wide, tall] = self.size();
            let mut mask = self.mask().cloned();
            if let Some(outer) = &mut mask {
                outer.intersect_path(&path, FillRule::Winding, false, transform);
            } else {
                mask = Mask::new(wide, tall);
                let new = mask.as_mut()?;
                new.fill_path(&path, FillRule::Winding, false, transform);
            }
            mask
        });
        self.clips.push(mask);
    }

    fn unclip(&mut self) {
        self.clips.pop();
    }

    fn polyline(&mut self, points: &[[f32; 2]], pen: &PlotPen) {
        let mut builder = PathBuilder::new();
        for (i, [x, y]) in points.iter().enumerate() {
            match i {
                0 => builder.move_to(*x, *y),
                _ => builder.line_to(*x, *y),
            }
        }
        if let Some(path) = builder.finish() {
            self.stroke(&path, pen);
        }
    }

    fn path(&mut self, data: &str, fill: Option<Rgb>, pen: Option<&PlotPen>) {
        let mut traced = TracedPath(PathBuilder::new());
        trace(&mut traced, data);
        let Some(path) = traced.0.finish() else {
            return;
        };
        if let Some(fill) = fill {
            self.fill(&path, fill, 1.0);
        }
        if let Some(pen) = pen {
            self.stroke(&path, pen);
        }
    }

    fn rectangle(
        &mut self,
        [x, y, width, height]: [f32; 4],
        fill: Option<Rgb>,
        pen: Option<&PlotPen>,
    ) {
        let Some(area) = Rect::from_xywh(x, y, width, height) else {
            return;
        };
        let path = PathBuilder::from_rect(area);
        if let Some(fill) = fill {
            self.fill(&path, fill, 1.0);
        }
        if let Some(pen) = pen {
            self.stroke(&path, pen);
        }
    }

    fn circle(&mut self, [x, y, r]: [f32; 3], fill: Rgb) {
        if let Some(path) = PathBuilder::from_circle(x, y, r) {
            self.fill(&path, fill, 1.0);
        }
    }

    fn text(&mut self, text: &PlacedText<'_>) {
        let Some(face) = dejavu().and_then(|bytes| Face::parse(bytes, 0).ok()) else {
            return;
        };
        let mut line = TextLine {
            path: PathBuilder::new(),
            at: 0.0,
        };
        for letter in text.text.chars() {
            let glyph = face.glyph_index(letter).unwrap_or(GlyphId(0));
            face.outline_glyph(glyph, &mut line);
            line.at += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        }
        let width = line.at;
        let Some(path) = line.path.finish() else {
            return;
        };
        let [x, y] = text.place;
        let scale = text.size / f32::from(face.units_per_em());
        // letters stand upright where y points up
        let place = Transform::from_translate(-text.before * width, 0.0)
            .post_scale(scale, -scale)
            .post_rotate(text.angle)
            .post_translate(x, y);
        if let Some(path) = path.transform(place) {
            self.fill(&path, text.colour, 1.0);
        }
    }
}

/// A path of SVG.
struct TracedPath(PathBuilder);

impl PathPen for TracedPath {
    fn move_to(&mut self, [x, y]: [f32; 2]) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, [x, y]: [f32; 2]) {
        self.0.line_to(x, y);
    }

    fn cubic_to(&mut self, [a, b, to]: [[f32; 2]; 3]) {
        self.0.cubic_to(a[0], a[1], b[0], b[1], to[0], to[1]);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

/// Outlines of letters one behind the other, in units of the font.
struct TextLine {
    path: PathBuilder,
    at: f32,
}

impl OutlineBuilder for TextLine {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.at + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.at + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.at + x1, y1, self.at + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let at = self.at;
        self.path.cubic_to(at + x1, y1, at + x2, y2, at + x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

fn paint([r, g, b]: Rgb, opacity: f32) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    let part = |x: u8| f32::from(x) / 255.0;
    let colour = Color::from_rgba(part(r), part(g), part(b), opacity.clamp(0.0, 1.0));
    paint.set_color(colour.unwrap_or(Color::BLACK));
    paint
}

fn polygon(points: &[[f64; 2]], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (i, point) in points.iter().enumerate() {
        let [x, y] = point.map(short);
        match i {
            0 => builder.move_to(x, y),
            _ => builder.line_to(x, y),
        }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel(canvas: &Canvas, x: u32, y: u32) -> [u8; 3] {
        let at = 4 * (y * canvas.size()[0] + x) as usize;
        canvas.rgba()[at..at + 3].try_into().unwrap()
    }

    #[test]
    fn shapes_are_where_they_were_put_in_their_colours() {
        let mut canvas = Canvas::new(20.0, 10.0, 2.0).unwrap();
        assert_eq!(canvas.size(), [40, 20]);
        let square = [[2.0, 2.0], [8.0, 2.0], [8.0, 8.0], [2.0, 8.0]];
        canvas.area(&square, [200, 0, 0], 1.0);
        canvas.disk([15.0, 5.0], 3.0, [0, 0, 200]);
        assert_eq!(pixel(&canvas, 10, 10), [200, 0, 0]);
        assert_eq!(pixel(&canvas, 30, 10), [0, 0, 200]);
        assert_eq!(pixel(&canvas, 1, 1), [255; 3]);
        // half of red over white
        canvas.area(
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            [255, 0, 0],
            0.5,
        );
        let [r, g, b] = pixel(&canvas, 0, 0);
        assert!(
            r == 255 && g.abs_diff(128) < 2 && b.abs_diff(128) < 2,
            "{g} {b}"
        );
    }

    #[test]
    fn what_is_clipped_is_not_drawn_and_letters_stand_before_their_place() {
        let mut canvas = Canvas::new(40.0, 20.0, 1.0).unwrap();
        canvas.clip([0.0, 0.0, 10.0, 20.0]);
        canvas.rectangle([5.0, 0.0, 20.0, 20.0], Some([0, 90, 0]), None);
        canvas.unclip();
        assert_eq!(pixel(&canvas, 7, 5), [0, 90, 0]);
        assert_eq!(pixel(&canvas, 15, 5), [255; 3]);
        let mut canvas = Canvas::new(40.0, 20.0, 1.0).unwrap();
        canvas.letters("MM", [20.0, 15.0], 12.0, 1.0, [0; 3]);
        let ink = |from: u32, to: u32| {
            let places = (from..to).flat_map(|x| (0..20).map(move |y| (x, y)));
            places
                .filter(|(x, y)| pixel(&canvas, *x, *y)[0] < 128)
                .count()
        };
        assert!(ink(0, 20) > 30 && ink(20, 40) == 0, "{}", ink(0, 20));
    }

    #[test]
    fn a_png_has_its_size_and_the_name_of_the_program() {
        let canvas = Canvas::new(7.0, 3.0, 2.0).unwrap();
        let bytes = canvas.png().unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(&bytes))
            .read_info()
            .unwrap();
        let info = reader.info();
        assert_eq!((info.width, info.height), (14, 6));
        let text = &info.uncompressed_latin1_text[0];
        assert_eq!((&*text.keyword, &*text.text), ("Software", "Bristle"));
        assert!(Canvas::new(0.0, 3.0, 1.0).is_none() && Canvas::new(1e9, 3.0, 1.0).is_none());
    }
}
