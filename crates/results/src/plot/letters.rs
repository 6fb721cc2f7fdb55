//! The font of the pictures.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kuva::backend::svg::SvgBackend;
use kuva::render::render::Scene;
use ttf_parser::Face;

/// DejaVu Sans, with which the pictures are laid out, as their library embeds it.
pub(super) fn dejavu() -> Option<&'static [u8]> {
    static FONT: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    FONT.get_or_init(|| {
        let svg = SvgBackend::new()
            .with_embedded_font(true)
            .render_scene(&Scene::new(1.0, 1.0));
        let encoded = svg.split_once("base64,")?.1.split_once('\'')?.0;
        let bytes = STANDARD.decode(encoded).ok()?;
        Face::parse(&bytes, 0).ok()?;
        Some(bytes)
    })
    .as_deref()
}
