//! The font of the pictures, embedded with the letters that are used.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Finish as _, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;
use ttf_parser::{Face, GlyphId};

use crate::plot::letters::dejavu;

const NAME: Name<'_> = Name(b"BRSTLE+DejaVuSans");
const IDENTITY: SystemInfo<'_> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// DejaVu Sans, and the glyphs that a page has used so far.
pub(super) struct Font {
    bytes: &'static [u8],
    glyphs: GlyphRemapper,
    /// Letter and width, in ems, of each glyph of the page.
    used: BTreeMap<u16, (char, f32)>,
}

impl Font {
    /// The font with which the pictures are laid out.
    pub(super) fn load() -> Option<Self> {
        Some(Self {
            bytes: dejavu()?,
            glyphs: GlyphRemapper::new(),
            used: BTreeMap::new(),
        })
    }

    /// A text as glyphs of two bytes each, and its width in ems.
    pub(super) fn set(&mut self, text: &str) -> (Vec<u8>, f32) {
        let Ok(face) = Face::parse(self.bytes, 0) else {
            return (Vec::new(), 0.0);
        };
        let em = f32::from(face.units_per_em());
        let (mut glyphs, mut width) = (Vec::new(), 0.0);
        for letter in text.chars() {
            let glyph = face.glyph_index(letter).unwrap_or(GlyphId(0));
            let advance = f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) / em;
            let own = self.glyphs.remap(glyph.0);
            self.used.insert(own, (letter, advance));
            glyphs.extend(own.to_be_bytes());
            width += advance;
        }
        (glyphs, width)
    }

    /// Writes the font under `reference` and the numbers behind it.
    pub(super) fn write(&self, pdf: &mut Pdf, reference: Ref) -> Option<()> {
        let face = Face::parse(self.bytes, 0).ok()?;
        let subset = subsetter::subset(self.bytes, 0, &self.glyphs).ok()?;
        let [cid, descriptor, map, data] = [1, 2, 3, 4].map(|i| Ref::new(reference.get() + i));
        pdf.type0_font(reference)
            .base_font(NAME)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(map);
        let mut own = pdf.cid_font(cid);
        own.subtype(CidFontType::Type2).base_font(NAME);
        own.system_info(IDENTITY).font_descriptor(descriptor);
        own.default_width(0.0);
        own.cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = own.widths();
        for (glyph, (_, width)) in &self.used {
            widths.consecutive(*glyph, [1000.0 * width]);
        }
        widths.finish();
        own.finish();
        let per_mille = |x: i16| 1000.0 * f32::from(x) / f32::from(face.units_per_em());
        let bounds = face.global_bounding_box();
        pdf.font_descriptor(descriptor)
            .name(NAME)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(
                per_mille(bounds.x_min),
                per_mille(bounds.y_min),
                per_mille(bounds.x_max),
                per_mille(bounds.y_max),
            ))
            .italic_angle(0.0)
            .ascent(per_mille(face.ascender()))
            .descent(per_mille(face.descender()))
            .cap_height(per_mille(face.capital_height().unwrap_or(face.ascender())))
            .stem_v(80.0)
            .font_file2(data);
        let mut letters = UnicodeCmap::new(Name(b"Letters"), IDENTITY);
        for (glyph, (letter, _)) in &self.used {
            letters.pair(*glyph, *letter);
        }
        pdf.cmap(map, &letters.finish());
        pdf.stream(data, &subset);
        Some(())
    }
}
