//! How sketches stand in a picture: one scale, and a camera that follows what travels far.

use crate::sketch::{Sketch, SketchBounds};

/// A way this much longer than the machine is followed.
const FAR: f64 = 3.0;

/// One scale for many sketches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framing {
    all: SketchBounds,
    follows: bool,
    scale: f64,
    /// Height of what is shown, in the units of the picture.
    pub(crate) height: f64,
}

impl Framing {
    /// For pictures of a width, of a height within a range.
    pub(crate) fn of(sketches: &[Sketch], width: f64, heights: [f64; 2]) -> Self {
        let bounds: Vec<SketchBounds> = sketches.iter().map(Sketch::bounds).collect();
        let all = bounds
            .iter()
            .copied()
            .reduce(SketchBounds::with)
            .unwrap_or_default();
        let largest = bounds
            .iter()
            .copied()
            .reduce(SketchBounds::at_origin)
            .unwrap_or_default();
        // a machine that travels far is followed, else it would be a dot
        let follows = all.size() > FAR * largest.size();
        let [wide, tall] = if follows { largest } else { all }.sides();
        let height = (width * tall / wide).clamp(heights[0], heights[1]);
        Self {
            all,
            follows,
            scale: (width / wide).min(height / tall),
            height,
        }
    }

    /// Where a sketch has its points in a picture whose middle is given; y points down there.
    pub(crate) fn place(&self, sketch: &Sketch, middle: [f64; 2]) -> impl Fn([f64; 2]) -> [f64; 2] {
        let own = if self.follows {
            sketch.bounds()
        } else {
            self.all
        };
        let (centre, scale) = (own.centre(), self.scale);
        move |p| {
            [
                middle[0] + scale * (p[0] - centre[0]),
                middle[1] - scale * (p[1] - centre[1]),
            ]
        }
    }
}
