//! Mode shapes as pictures: where the bodies are, and where a mode takes them.

use std::path::Path;

use bristle_integrate::State;
use bristle_mechanics::modes::Mode;
use bristle_mechanics::{Body, BodyId, Frame, Joint, Model, Vec3};
use bristle_report::edges;
use bristle_results::{
    CurveStyle, Drawing, Error, Figure, FigureAxis, FigureCurve, FolderMaker, Foreign,
    OutputFolder, PlotFormat,
};
use bristle_scenario::Scenario;
use bristle_units::significant;
use nalgebra::{Rotation3, UnitQuaternion};

use super::{ModeTable, length};
use crate::commands::report::scene_of;

/// Largest displacement in a picture, as a part of the extent of the machine.
pub(super) const AMPLITUDE: f64 = 0.12;

/// Below this part of the extent of the machine a displacement is rounding.
const ROUNDING: f64 = 1e-6;

/// The folder of the pictures; the numbers come last.
const MAKER: FolderMaker = FolderMaker {
    command: "modes",
    last: "modes.json",
};

/// Where the pictures go.
pub(super) struct PictureFolder<'a> {
    pub(super) folder: &'a Path,
    pub(super) foreign: Foreign,
    pub(super) format: PlotFormat,
}

/// One picture for each mode: two views of the machine, at rest and in the mode.
pub(super) fn draw(found: &ModeTable, place: &PictureFolder<'_>) -> Result<OutputFolder, Error> {
    let (model, state) = (&found.scenario.model, &found.state);
    let outlines = outlines(&found.scenario);
    let folder = OutputFolder::open(place.folder, MAKER, place.foreign)?;
    for (i, mode) in found.modes.iter().enumerate().rev() {
        let title = title(i, mode);
        let figures = ModeShape::of(model, state, mode, &outlines).views(model, &title);
        let views = Drawing::Figures {
            title,
            figures: figures.into(),
        };
        folder.write_drawing(&format!("mode_{:02}", i + 1), &views, place.format)?;
    }
    Ok(folder)
}

/// `Mode 1: 132.5 Hz`, of the mode in place `i`.
pub(super) fn title(i: usize, mode: &Mode) -> String {
    let frequency = match mode.frequency() {
        0.0 => "rigid".to_owned(),
        f => format!("{} Hz", significant(f, 4)),
    };
    format!("Mode {}: {frequency}", i + 1)
}

/// Where the bodies are, and where they go in a mode.
pub(super) struct ModeShape {
    /// Centres of mass at rest, m.
    rest: Vec<Vec3>,
    /// Their displacements in the picture, m.
    moved: Vec<Vec3>,
    /// Lines on the bodies and along them, at rest and in the mode.
    lines: Vec<[Vec<Vec3>; 2]>,
}

/// By how much a mode is multiplied to be seen: its largest displacement, or the way that a turn
/// makes at the radius of a body, is a part of the machine.
pub(super) fn magnification(bodies: &[Body], places: &[Vec3], motions: &[[Vec3; 2]]) -> f64 {
    let sizes = bodies.iter().skip(1).map(length);
    let extent = (0..3).map(|k| spread(places, k)).chain(sizes);
    let extent = extent.fold(1e-3, f64::max);
    let ways = bodies.iter().zip(motions).skip(1);
    let ways = ways.map(|(body, [along, about])| along.norm().max(about.norm() * length(body)));
    let largest = ways.fold(0.0, f64::max);
    if largest > 0.0 {
        AMPLITUDE * extent / largest
    } else {
        0.0
    }
}

fn spread(points: &[Vec3], k: usize) -> f64 {
    let values = || points.iter().map(|p| p[k]);
    values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
}

impl ModeShape {
    pub(super) fn of(
        model: &Model,
        state: &State,
        mode: &Mode,
        outlines: &[Vec<BodyPoint>],
    ) -> Self {
        let real: Vec<f64> = mode.shape.iter().map(|z| z.re).collect();
        let (frames, motions) = model.motions_of(state, &real);
        let bodies = model.bodies().iter().zip(&frames).zip(&motions).skip(1);
        let (rest, moved): (Vec<Vec3>, Vec<Vec3>) = bodies
            .map(|((body, frame), [along, about])| {
                let arm = frame.r * body.inertia.centre;
                (frame.p + arm, along + about.cross(&arm))
            })
            .unzip();
        let factor = magnification(model.bodies(), &rest, &motions);
        // what is left by rounding is no motion, and no place of its own
        let extent = (0..3).map(|k| spread(&rest, k)).fold(1e-3, f64::max);
        let clear = |x: Vec3| x.map(|x| if x.abs() < ROUNDING * extent { 0.0 } else { x });
        let placed = |point: &BodyPoint, size: f64| {
            let (frame, motion) = (&frames[point.body], &motions[point.body]);
            let (position, turned) = pose(frame, motion, size);
            clear(position + turned * point.point)
        };
        let lines = outlines.iter().map(|line| {
            [0.0, factor].map(|size| line.iter().map(|point| placed(point, size)).collect())
        });
        Self {
            lines: lines.collect(),
            rest: rest.into_iter().map(clear).collect(),
            moved: moved.into_iter().map(|x| clear(x * factor)).collect(),
        }
    }

    /// The plane that shows most of the mode, and the one across it.
    pub(super) fn views(&self, model: &Model, title: &str) -> [Figure; 2] {
        let motion = |k: usize| self.moved.iter().map(|x| x[k] * x[k]).sum::<f64>();
        let across = (0..3)
            .max_by(|&a, &b| motion(a).total_cmp(&motion(b)))
            .unwrap_or(0);
        let [a, b] = [(across + 1) % 3, (across + 2) % 3];
        let longer = spread(&self.rest, a) >= spread(&self.rest, b);
        let (along, third) = if longer { (a, b) } else { (b, a) };
        [
            self.view(model, title, along, across),
            self.view(model, title, along, third),
        ]
    }

    fn view(&self, model: &Model, title: &str, x: usize, y: usize) -> Figure {
        let mode: Vec<Vec3> = self
            .rest
            .iter()
            .zip(&self.moved)
            .map(|(p, x)| p + x)
            .collect();
        let axis = |k: usize| FigureAxis::new(["x", "y", "z"][k], "m");
        let mut curves = Vec::new();
        for (side, (label, points)) in [("at rest", &self.rest), ("in the mode", &mode)]
            .into_iter()
            .enumerate()
        {
            let along = |path: &[usize], k: usize| -> Vec<f64> {
                path.iter().map(|&i| points[i][k]).collect()
            };
            let bodies: Vec<usize> = (0..points.len()).collect();
            let dots = FigureCurve::new(label, along(&bodies, x), along(&bodies, y));
            curves.push(dots.styled(CurveStyle::Points));
            // lines go on under the entry of their points
            let lines = paths(model).into_iter();
            curves.extend(lines.map(|line| FigureCurve::new("", along(&line, x), along(&line, y))));
            let seen =
                |line: &[Vec3], k: usize| -> Vec<f64> { line.iter().map(|p| p[k]).collect() };
            let drawn = self.lines.iter().map(|line| &line[side]);
            curves.extend(drawn.map(|line| FigureCurve::new("", seen(line, x), seen(line, y))));
        }
        Figure {
            title: title.to_owned(),
            x: axis(x),
            y: axis(y),
            curves,
        }
    }
}

/// Bodies that follow each other in the tree or along beams, as lines; without the ground.
fn paths(model: &Model) -> Vec<[usize; 2]> {
    let mut lines = Vec::new();
    for element in model.elements() {
        if matches!(element.kind(), "beam" | "spring") {
            lines.push(element.bodies().map(BodyId::index));
        }
    }
    for (i, body) in model.bodies().iter().enumerate().skip(1) {
        // a free body is joined to nothing
        if !matches!(body.joint, Joint::Free) {
            lines.push([body.parent.index(), i]);
        }
    }
    lines.retain(|line| !line.contains(&0));
    lines.into_iter().map(|line| line.map(|i| i - 1)).collect()
}

/// Where a body is when the mode has the size given.
pub(super) fn pose(
    frame: &Frame,
    [along, about]: &[Vec3; 2],
    size: f64,
) -> (Vec3, UnitQuaternion<f64>) {
    let rest = Rotation3::from_matrix_unchecked(frame.r);
    let turn = Rotation3::new(about * size);
    (
        frame.p + along * size,
        UnitQuaternion::from_rotation_matrix(&(turn * rest)),
    )
}

/// A point of a body.
pub(super) struct BodyPoint {
    body: usize,
    point: Vec3,
}

/// Lines that show how bodies are turned: the edges of their solids, and bars from joint to joint.
fn outlines(scenario: &Scenario) -> Vec<Vec<BodyPoint>> {
    let scene = scene_of(scenario);
    let on = |body: usize| {
        move |point: [f64; 3]| BodyPoint {
            body,
            point: point.into(),
        }
    };
    let mut lines = Vec::new();
    for chain in &scene.chains {
        let points = chain.points.iter();
        let placed = points.map(|p| on(p.body.map_or(0, |body| body + 1))(p.point));
        lines.push(placed.collect());
    }
    for (i, shown) in scene.bodies.iter().enumerate() {
        let own = shown.shapes.iter().flat_map(edges);
        let placed = |line: Vec<[f64; 3]>| line.into_iter().map(on(i + 1)).collect();
        lines.extend(own.map(placed));
    }
    lines
}
