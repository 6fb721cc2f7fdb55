//! Curved surfaces on the stage: a net of lines, and the normal at a place.

use std::f64::consts::{PI, TAU};

use serde::{Deserialize, Serialize};

use crate::space::{SpaceVector, dot, scaled, unit};

/// Sides of a ring.
const SIDES: u32 = 48;
/// Lines from one end to the other.
const MERIDIANS: u32 = 12;

/// A curved surface in its own axes: about the origin, or the z axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneSurfaceShape {
    /// A sphere about the origin.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder about the z axis; `length` of it is drawn.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Length, m.
        length: f64,
    },
    /// A cylinder of a length about the z axis, with half balls at both ends.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Distance of the centres of the half balls, m.
        length: f64,
    },
    /// A cone from its apex at the origin along the z axis; `length` of it is drawn.
    Cone {
        /// Angle between axis and surface, rad.
        half_angle: f64,
        /// Length along the axis, m.
        length: f64,
    },
    /// A cylinder along the z axis over a closed curve; `length` of it is drawn.
    Cam {
        /// The curve, counter-clockwise, with its first point again at the end, m.
        outline: Vec<[f64; 2]>,
        /// Length, m.
        length: f64,
    },
    /// Triangles.
    Mesh {
        /// The middle (m) and the unit normal of each, or of some where there are many.
        faces: Vec<[SpaceVector; 2]>,
    },
}

/// A curved surface of a body in the place of a plane, whose axes it has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneSurface {
    /// Its shape.
    pub shape: SceneSurfaceShape,
    /// Whether what presses on it is in the shape.
    pub inside: bool,
    /// The net that is drawn, in the axes of the surface, m.
    pub lines: Vec<Vec<SpaceVector>>,
}

impl SceneSurface {
    /// A surface with its net.
    pub fn new(shape: SceneSurfaceShape, inside: bool) -> Self {
        let lines = net(&shape);
        Self {
            shape,
            inside,
            lines,
        }
    }

    /// Triangles: the middle (m) and the unit normal of each out of the material, and the edges that are drawn, m.
    pub fn mesh(faces: Vec<[SpaceVector; 2]>, edges: Vec<Vec<SpaceVector>>) -> Self {
        Self {
            shape: SceneSurfaceShape::Mesh { faces },
            inside: false,
            lines: edges,
        }
    }

    /// The unit normal out of the material at a place near the surface, in its axes.
    pub(crate) fn normal(&self, [x, y, z]: SpaceVector) -> SpaceVector {
        let out = match &self.shape {
            SceneSurfaceShape::Sphere { .. } => unit([x, y, z]),
            SceneSurfaceShape::Cylinder { .. } => unit([x, y, 0.0]),
            SceneSurfaceShape::Capsule { length, .. } => {
                unit([x, y, z - z.max(-0.5 * length).min(0.5 * length)])
            }
            SceneSurfaceShape::Cone { half_angle, .. } => {
                let (sin, cos) = half_angle.sin_cos();
                let [x, y, _] = unit([x, y, 0.0]);
                [x * cos, y * cos, -sin]
            }
            SceneSurfaceShape::Cam { outline, .. } => normal_of(outline, [x, y]),
            SceneSurfaceShape::Mesh { faces } => normal_of_nearest(faces, [x, y, z]),
        };
        scaled(out, if self.inside { -1.0 } else { 1.0 })
    }
}

/// Rings about the z axis and lines from end to end, over a profile of places [distance, height].
fn net(shape: &SceneSurfaceShape) -> Vec<Vec<SpaceVector>> {
    if let SceneSurfaceShape::Cam { outline, length } = shape {
        return net_of_cam(outline, *length);
    }
    let profile = profile(shape);
    let at = |[r, z]: [f64; 2], part: f64| [r * (TAU * part).cos(), r * (TAU * part).sin(), z];
    let rings = profile.iter().filter(|[r, _]| *r > 0.0).map(|&place| {
        let side = |i| at(place, f64::from(i) / f64::from(SIDES));
        (0..=SIDES).map(side).collect()
    });
    let meridians = (0..MERIDIANS).map(|k| {
        let part = f64::from(k) / f64::from(MERIDIANS);
        profile.iter().map(|&place| at(place, part)).collect()
    });
    rings.chain(meridians).collect()
}

/// The curve at both ends and in the middle, and lines along it.
fn net_of_cam(outline: &[[f64; 2]], length: f64) -> Vec<Vec<SpaceVector>> {
    let curve = |part: f64| {
        outline
            .iter()
            .map(|[x, y]| [*x, *y, part * length])
            .collect()
    };
    let curves = [-0.5, 0.0, 0.5].map(curve);
    let every = outline.len().div_ceil(2 * MERIDIANS as usize).max(1);
    let along = outline.iter().step_by(every);
    let along = along.map(|[x, y]| vec![[*x, *y, -0.5 * length], [*x, *y, 0.5 * length]]);
    curves.into_iter().chain(along).collect()
}

/// The outward normal of the side of a curve that is nearest to a place.
fn normal_of(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> SpaceVector {
    let distance = |pair: &&[[f64; 2]]| {
        let [a, b] = [pair[0], pair[1]];
        (0.5 * (a[0] + b[0]) - x).hypot(0.5 * (a[1] + b[1]) - y)
    };
    let nearest = outline
        .windows(2)
        .min_by(|p, q| distance(p).total_cmp(&distance(q)));
    nearest.map_or([0.0, 0.0, 1.0], |pair| {
        unit([pair[1][1] - pair[0][1], pair[0][0] - pair[1][0], 0.0])
    })
}

/// The normal of the face whose middle is nearest to a place.
fn normal_of_nearest(faces: &[[SpaceVector; 2]], x: SpaceVector) -> SpaceVector {
    let distance = |[middle, _]: &&[SpaceVector; 2]| {
        let off: SpaceVector = std::array::from_fn(|k| middle[k] - x[k]);
        dot(off, off)
    };
    let nearest = faces
        .iter()
        .min_by(|p, q| distance(p).total_cmp(&distance(q)));
    nearest.map_or([0.0, 0.0, 1.0], |[_, normal]| *normal)
}

fn profile(shape: &SceneSurfaceShape) -> Vec<[f64; 2]> {
    let evenly = |count: u32| (0..=count).map(move |i| f64::from(i) / f64::from(count));
    match *shape {
        SceneSurfaceShape::Sphere { radius } => evenly(12)
            .map(|part| [radius * (PI * part).sin(), -radius * (PI * part).cos()])
            .collect(),
        SceneSurfaceShape::Cylinder { radius, length } => evenly(6)
            .map(|part| [radius, length * (part - 0.5)])
            .collect(),
        SceneSurfaceShape::Capsule { radius, length } => {
            let cap = |side: f64| {
                evenly(4).map(move |part| {
                    let angle = 0.5 * PI * part;
                    [
                        radius * angle.cos(),
                        side * (0.5 * length + radius * angle.sin()),
                    ]
                })
            };
            let mut lower: Vec<[f64; 2]> = cap(-1.0).collect();
            lower.reverse();
            lower.into_iter().chain(cap(1.0)).collect()
        }
        SceneSurfaceShape::Cone { half_angle, length } => evenly(6)
            .map(|part| [length * part * half_angle.tan(), length * part])
            .collect(),
        SceneSurfaceShape::Cam { .. } | SceneSurfaceShape::Mesh { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::across;

    #[test]
    fn the_net_lies_on_the_surface_and_the_normal_stands_on_it() {
        let shapes = [
            SceneSurfaceShape::Sphere { radius: 0.3 },
            SceneSurfaceShape::Cylinder {
                radius: 0.3,
                length: 1.0,
            },
            SceneSurfaceShape::Capsule {
                radius: 0.3,
                length: 1.0,
            },
            SceneSurfaceShape::Cone {
                half_angle: 0.4,
                length: 1.0,
            },
        ];
        for shape in shapes {
            let surface = SceneSurface::new(shape.clone(), true);
            for line in &surface.lines {
                for pair in line.windows(2) {
                    let along = crate::space::add(pair[1], scaled(pair[0], -1.0));
                    let middle = scaled(crate::space::add(pair[0], pair[1]), 0.5);
                    let normal = surface.normal(middle);
                    assert!((across(normal) - 1.0).abs() < 1e-12);
                    // a chord of a circle stands at right angles to the radius through its middle
                    assert!(dot(normal, along).abs() < 1e-12, "{shape:?}");
                }
            }
        }
    }
}
