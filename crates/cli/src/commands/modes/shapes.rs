//! Mode shapes as pictures: where the bodies are, and where a mode takes them.

use std::path::Path;

use bristle_integrate::State;
use bristle_mechanics::modes::Mode;
use bristle_mechanics::{BodyId, Model, Vec3};
use bristle_results::{
    Error, Figure, FigureAxis, FigureCurve, FolderMaker, Foreign, OutputFolder, draw as picture,
};

/// Largest displacement in a picture, as a part of the extent of the machine.
const AMPLITUDE: f64 = 0.12;

/// The folder of the pictures; the one of the first mode comes last.
const MAKER: FolderMaker = FolderMaker {
    command: "modes",
    last: "mode_01.svg",
};

/// Where the pictures go.
pub(super) struct PictureFolder<'a> {
    pub(super) folder: &'a Path,
    pub(super) foreign: Foreign,
}

/// One picture for each mode, in the plane that shows most of it.
pub(super) fn draw(
    model: &Model,
    state: &State,
    modes: &[Mode],
    place: &PictureFolder<'_>,
) -> Result<(), Error> {
    let folder = OutputFolder::open(place.folder, MAKER, place.foreign)?;
    let mut first = None;
    for (i, mode) in modes.iter().enumerate() {
        let real: Vec<f64> = mode.shape.iter().map(|z| z.re).collect();
        let picture = picture(&figure(model, state, &real, i + 1, mode))?;
        if i == 0 {
            first = Some(picture);
        } else {
            folder.write(&format!("mode_{:02}.svg", i + 1), picture.as_bytes())?;
        }
    }
    first.map_or(Ok(()), |picture| folder.finish(picture.as_bytes()))
}

fn figure(model: &Model, state: &State, shape: &[f64], number: usize, mode: &Mode) -> Figure {
    let (frames, motions) = model.motions_of(state, shape);
    let places: Vec<Vec3> = frames.iter().map(|frame| frame.p).collect();
    let moved: Vec<Vec3> = motions.iter().map(|[x, _]| *x).collect();
    let spread = |points: &[Vec3], k: usize| {
        let range = points.iter().fold((f64::MAX, f64::MIN), |(low, high), p| {
            (low.min(p[k]), high.max(p[k]))
        });
        range.1 - range.0
    };
    let extent = (0..3).map(|k| spread(&places, k)).fold(1e-3, f64::max);
    let largest = moved.iter().map(Vec3::norm).fold(0.0, f64::max);
    let factor = if largest > 0.0 {
        AMPLITUDE * extent / largest
    } else {
        0.0
    };
    let deformed: Vec<Vec3> = places
        .iter()
        .zip(&moved)
        .map(|(p, x)| p + x * factor)
        .collect();
    // the axis that shows the motion across, and the one along which the machine extends
    let sum = |k: usize| moved.iter().map(|x| x[k] * x[k]).sum::<f64>();
    let across = (0..3)
        .max_by(|&a, &b| sum(a).total_cmp(&sum(b)))
        .unwrap_or(0);
    let along = (0..3)
        .filter(|&k| k != across)
        .max_by(|&a, &b| spread(&places, a).total_cmp(&spread(&places, b)))
        .unwrap_or(2);
    let axis = |k: usize| FigureAxis {
        label: ["x", "y", "z"][k].to_owned(),
        unit: "m".to_owned(),
    };
    let mut curves = Vec::new();
    for (label, points) in [("at rest", &places), ("in the mode", &deformed)] {
        for (j, path) in paths(model).iter().enumerate() {
            curves.push(FigureCurve {
                label: if j == 0 {
                    label.to_owned()
                } else {
                    String::new()
                },
                x: path.iter().map(|&i| points[i][across]).collect(),
                y: path.iter().map(|&i| points[i][along]).collect(),
            });
        }
    }
    Figure {
        title: format!("Mode {number}: {:.5} Hz", mode.frequency()),
        x: axis(across),
        y: axis(along),
        curves,
    }
}

/// Bodies that follow each other in the tree or along beams, as lines.
fn paths(model: &Model) -> Vec<Vec<usize>> {
    let mut lines = Vec::new();
    for element in model.elements() {
        if matches!(element.kind(), "beam" | "spring") {
            lines.push(element.bodies().map(BodyId::index).to_vec());
        }
    }
    for (i, body) in model.bodies().iter().enumerate().skip(1) {
        if body.parent.index() > 0 {
            lines.push(vec![body.parent.index(), i]);
        }
    }
    if lines.is_empty() {
        lines.push((1..model.bodies().len()).collect());
    }
    lines
}
