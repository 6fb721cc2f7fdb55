//! Solids, lines and arrows in parallel projection, as SVG and in pixels.

use std::fmt::Write as _;

use bristle_results::Canvas;

use crate::scene::SceneShape;
use crate::space::{BodyPose, SpaceVector, across, add, cross, dot, scaled, unit};

/// Sides of a circle.
const SIDES: u32 = 36;
const INK: &str = "#16202c";
const FILL: &str = "#c7dff0";
/// Of areas.
const OPACITY: f64 = 0.75;
/// Radius of a dot, in the units of the picture.
const DOT: f64 = 3.0;

/// A camera far away, with z upwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    right: SpaceVector,
    up: SpaceVector,
    towards: SpaceVector,
}

impl View {
    /// From a direction.
    pub(crate) fn from(direction: SpaceVector) -> Self {
        let towards = unit(direction);
        let right = unit(cross([0.0, 0.0, 1.0], towards));
        Self {
            right,
            up: cross(towards, right),
            towards,
        }
    }

    fn seen(&self, point: SpaceVector) -> [f64; 2] {
        [dot(point, self.right), dot(point, self.up)]
    }
}

/// A part of a picture.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SketchBounds {
    low: [f64; 2],
    high: [f64; 2],
}

impl SketchBounds {
    /// Both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            low: [0, 1].map(|k| self.low[k].min(other.low[k])),
            high: [0, 1].map(|k| self.high[k].max(other.high[k])),
        }
    }

    /// Both, each moved to the origin.
    pub(crate) fn at_origin(self, other: Self) -> Self {
        let (a, b) = (self.sides(), other.sides());
        Self {
            low: [0, 1].map(|k| -0.5 * a[k].max(b[k])),
            high: [0, 1].map(|k| 0.5 * a[k].max(b[k])),
        }
    }

    /// Width and height, above zero.
    pub(crate) fn sides(self) -> [f64; 2] {
        [0, 1].map(|k| (self.high[k] - self.low[k]).max(f64::MIN_POSITIVE))
    }

    pub(crate) fn size(self) -> f64 {
        let [width, height] = self.sides();
        width.hypot(height)
    }

    pub(crate) fn centre(self) -> [f64; 2] {
        [0, 1].map(|k| 0.5 * (self.low[k] + self.high[k]))
    }
}

/// What is drawn, from the back to the front.
#[derive(Debug)]
enum Mark {
    /// An outline that is filled.
    Area(Vec<[f64; 2]>, &'static str),
    /// A line, its colour and its width.
    Line(Vec<[f64; 2]>, String, f64),
    Dot([f64; 2], String),
    /// The head of an arrow along a direction.
    Head([f64; 2], [f64; 2], String),
}

/// One picture.
#[derive(Debug)]
pub(crate) struct Sketch {
    view: View,
    /// Sheets of planes.
    sheets: Vec<Mark>,
    /// Solids with their distance towards the camera.
    solids: Vec<(f64, Vec<Mark>)>,
    /// Seen through everything.
    signs: Vec<Mark>,
}

impl Sketch {
    pub(crate) fn new(view: &View) -> Self {
        Self {
            view: *view,
            sheets: Vec::new(),
            solids: Vec::new(),
            signs: Vec::new(),
        }
    }

    /// A part of a plane.
    pub(crate) fn sheet(&mut self, corners: &[SpaceVector]) {
        let outline = self.path(corners);
        self.sheets.push(Mark::Area(outline, "#eef1f4"));
    }

    /// A line on a curved surface, behind all solids.
    pub(crate) fn net(&mut self, points: &[SpaceVector]) {
        let path = self.path(points);
        self.sheets
            .push(Mark::Line(path, "#d3dae1".to_owned(), 0.8));
    }

    /// A solid of a body.
    pub(crate) fn solid(&mut self, pose: &BodyPose, shape: &SceneShape) {
        let lines = edges(shape);
        let mut points: Vec<[f64; 2]> = Vec::new();
        let mut marks = Vec::new();
        for line in &lines {
            let placed: Vec<SpaceVector> = line.iter().map(|point| pose.place(*point)).collect();
            let path = self.path(&placed);
            // a line between two points has the corners of faces, or stands out of the solid
            if path.len() > 2 {
                points.extend_from_slice(&path);
            }
            marks.push(Mark::Line(path, INK.to_owned(), 0.8));
        }
        let centre = match shape {
            SceneShape::Box { centre, .. }
            | SceneShape::Sphere { centre, .. }
            | SceneShape::Cylinder { centre, .. }
            | SceneShape::Inertia { centre, .. } => pose.place(*centre),
        };
        if let SceneShape::Sphere { radius, .. } = shape {
            let rim = circle(self.view.right, self.view.up, *radius);
            let rim: Vec<SpaceVector> = rim.iter().map(|point| add(centre, *point)).collect();
            let path = self.path(&rim);
            points.extend_from_slice(&path);
            marks.push(Mark::Line(path, INK.to_owned(), 0.8));
        }
        marks.insert(0, Mark::Area(hull(points), FILL));
        self.solids.push((dot(centre, self.view.towards), marks));
    }

    pub(crate) fn line(&mut self, points: &[SpaceVector], paint: &str) {
        let path = self.path(points);
        self.signs.push(Mark::Line(path, paint.to_owned(), 2.0));
    }

    pub(crate) fn dot(&mut self, at: SpaceVector, paint: &str) {
        let at = self.view.seen(at);
        self.signs.push(Mark::Dot(at, paint.to_owned()));
    }

    pub(crate) fn arrow(&mut self, at: SpaceVector, vector: SpaceVector, paint: &str) {
        if across(vector) > 0.0 {
            let end = add(at, vector);
            self.line(&[at, end], paint);
            self.head(at, end, paint);
        }
    }

    /// The head of an arrow that comes from a point.
    pub(crate) fn head(&mut self, from: SpaceVector, to: SpaceVector, paint: &str) {
        let (from, to) = (self.view.seen(from), self.view.seen(to));
        self.signs.push(Mark::Head(from, to, paint.to_owned()));
    }

    fn path(&self, points: &[SpaceVector]) -> Vec<[f64; 2]> {
        points.iter().map(|point| self.view.seen(*point)).collect()
    }

    fn marks(&self) -> impl Iterator<Item = &Mark> {
        let mut order: Vec<usize> = (0..self.solids.len()).collect();
        order.sort_by(|&a, &b| self.solids[a].0.total_cmp(&self.solids[b].0));
        let solids = order.into_iter().flat_map(|i| &self.solids[i].1);
        self.sheets.iter().chain(solids).chain(&self.signs)
    }

    /// What it covers.
    pub(crate) fn bounds(&self) -> SketchBounds {
        let points = self.marks().flat_map(|mark| match mark {
            Mark::Area(path, _) | Mark::Line(path, ..) => path.as_slice(),
            Mark::Dot(at, _) | Mark::Head(_, at, _) => std::slice::from_ref(at),
        });
        points
            .filter(|point| point.iter().all(|x| x.is_finite()))
            .map(|&point| SketchBounds {
                low: point,
                high: point,
            })
            .reduce(SketchBounds::with)
            .unwrap_or_default()
    }

    /// Writes it, with every point where `at` puts it.
    pub(crate) fn write(&self, at: &dyn Fn([f64; 2]) -> [f64; 2], svg: &mut String) {
        let text = |path: &[[f64; 2]]| {
            let points = path.iter().map(|point| {
                let [x, y] = at(*point);
                format!("{x:.1},{y:.1}")
            });
            points.collect::<Vec<_>>().join(" ")
        };
        for mark in self.marks() {
            // writing to a string cannot fail
            let _ = match mark {
                Mark::Area(path, fill) => writeln!(
                    svg,
                    "<polygon points=\"{}\" fill=\"{fill}\" fill-opacity=\"{OPACITY}\"/>",
                    text(path)
                ),
                Mark::Line(path, paint, width) => writeln!(
                    svg,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{paint}\" stroke-width=\"{width}\"/>",
                    text(path)
                ),
                Mark::Dot(point, paint) => {
                    let [x, y] = at(*point);
                    writeln!(
                        svg,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{DOT}\" fill=\"{paint}\"/>"
                    )
                }
                Mark::Head(from, to, paint) => {
                    let corners = head(at(*from), at(*to)).map(|[x, y]| format!("{x:.1},{y:.1}"));
                    let corners = corners.join(" ");
                    writeln!(svg, "<polygon points=\"{corners}\" fill=\"{paint}\"/>")
                }
            };
        }
    }

    /// Draws it in pixels, with every point where `at` puts it.
    pub(crate) fn paint(&self, at: &dyn Fn([f64; 2]) -> [f64; 2], canvas: &mut Canvas) {
        let placed = |path: &[[f64; 2]]| path.iter().map(|p| at(*p)).collect::<Vec<_>>();
        for mark in self.marks() {
            match mark {
                Mark::Area(path, fill) => canvas.area(&placed(path), rgb(fill), OPACITY),
                Mark::Line(path, paint, width) => canvas.line(&placed(path), rgb(paint), *width),
                Mark::Dot(point, paint) => canvas.disk(at(*point), DOT, rgb(paint)),
                Mark::Head(from, to, paint) => {
                    canvas.area(&head(at(*from), at(*to)), rgb(paint), 1.0);
                }
            }
        }
    }
}

/// The corners of a triangle at the end of a line, first its tip.
fn head(from: [f64; 2], to: [f64; 2]) -> [[f64; 2]; 3] {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy).max(1e-9);
    // a short arrow has a small head
    let size = length.min(7.0);
    let (x, y) = (size * dx / length, size * dy / length);
    let side = |sign: f64| [to[0] - x - 0.45 * sign * y, to[1] - y + 0.45 * sign * x];
    [to, side(1.0), side(-1.0)]
}

/// Red, green and blue of a colour such as `#0072b2`.
pub(crate) fn rgb(paint: &str) -> [u8; 3] {
    [1, 3, 5].map(|at| {
        let digits = paint.get(at..at + 2);
        digits
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
            .unwrap_or(0)
    })
}

/// A circle about the origin in the plane of two unit vectors, closed.
fn circle(first: SpaceVector, second: SpaceVector, radius: f64) -> Vec<SpaceVector> {
    let point = |i: u32| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(SIDES);
        let (x, y) = (radius * angle.cos(), radius * angle.sin());
        add(scaled(first, x), scaled(second, y))
    };
    (0..=SIDES).map(point).collect()
}

/// The twelve edges of a box about the origin, as two faces and four lines between them.
fn box_edges(sides: [f64; 3]) -> Vec<Vec<SpaceVector>> {
    let corner =
        |a: f64, b: f64, c: f64| [0.5 * a * sides[0], 0.5 * b * sides[1], 0.5 * c * sides[2]];
    let round = [
        (1.0, 1.0),
        (-1.0, 1.0),
        (-1.0, -1.0),
        (1.0, -1.0),
        (1.0, 1.0),
    ];
    let face = |c: f64| round.map(|(a, b)| corner(a, b, c)).to_vec();
    let mut lines = vec![face(-1.0), face(1.0)];
    for (a, b) in &round[..4] {
        lines.push(vec![corner(*a, *b, -1.0), corner(*a, *b, 1.0)]);
    }
    lines
}

/// Lines on a solid, in body axes, m: the edges of a box, the ends of a cylinder, great circles of a ball.
pub fn edges(shape: &SceneShape) -> Vec<Vec<SpaceVector>> {
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let moved = |lines: Vec<Vec<SpaceVector>>, by: SpaceVector| -> Vec<Vec<SpaceVector>> {
        let line = |line: Vec<SpaceVector>| line.into_iter().map(|point| add(point, by)).collect();
        lines.into_iter().map(line).collect()
    };
    match *shape {
        SceneShape::Box { edges, centre } => moved(box_edges(edges), centre),
        SceneShape::Inertia {
            edges,
            centre,
            orientation,
        } => {
            let pose = BodyPose {
                position: centre,
                orientation,
            };
            let line = |line: Vec<SpaceVector>| line.into_iter().map(|p| pose.place(p)).collect();
            let mut lines: Vec<Vec<SpaceVector>> = box_edges(edges).into_iter().map(line).collect();
            // to the origin of the body, where its joint is
            if across(centre) > 0.0 {
                lines.push(vec![[0.0; 3], centre]);
            }
            lines
        }
        SceneShape::Sphere { radius, centre } => {
            let rings = [(x, y), (y, z), (z, x)];
            let rings = rings.map(|(a, b)| circle(a, b, radius));
            moved(rings.to_vec(), centre)
        }
        SceneShape::Cylinder {
            radius,
            length,
            centre,
        } => {
            let end = |side: f64| {
                let ring = circle(x, y, radius).into_iter();
                ring.map(|point| add(point, scaled(z, side * length)))
                    .collect()
            };
            moved(vec![end(-0.5), end(0.5)], centre)
        }
    }
}

/// The convex hull of points, counter-clockwise.
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turns_left = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
    };
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && !turns_left(a, b, point)
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_square_is_its_corners() {
        let inside = [[0.5, 0.5], [0.2, 0.7], [0.5, 0.0]];
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let points = [&inside[..], &corners[..]].concat();
        assert_eq!(hull(points), corners);
    }

    #[test]
    fn the_camera_looks_down_on_what_is_in_front_of_it() {
        // from −y: x to the right, z upwards
        let view = View::from([0.0, -1.0, 0.0]);
        let near = |seen: [f64; 2], [x, y]: [f64; 2]| {
            // rounding
            assert!((seen[0] - x).hypot(seen[1] - y) < 1e-15, "{seen:?}");
        };
        near(view.seen([1.0, 5.0, 0.0]), [1.0, 0.0]);
        near(view.seen([0.0, 5.0, 1.0]), [0.0, 1.0]);
    }
}
