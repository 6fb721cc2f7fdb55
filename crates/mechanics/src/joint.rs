//! Joints as sequences of elementary steps from the joint frame to the body's frame.
//!
//! A step slides along an axis, turns about one, turns freely (a ball: three rotations on the
//! group) or moves freely. The coordinate of a slide or a turn is free or driven: a function of
//! time. All the recursion of [`crate::dynamics`] and [`crate::tangent`] knows are steps.

use crate::body::{Body, Joint};
use crate::frame::Vec3;
use bristle_integrate::{DofGroup, FastModes, Instant};
use bristle_signals::Signal;

/// An elementary step.
#[derive(Clone, Debug)]
pub(crate) enum JointStep {
    /// A translation along a unit axis.
    Slide(Vec3, Coordinate),
    /// A rotation about a unit axis.
    Turn(Vec3, Coordinate),
    /// Three rotations on the group: a quaternion at `q`, the angular velocity at `v`.
    Ball { q: usize, v: usize },
    /// Three translations and three rotations.
    Float { q: usize, v: usize },
}

/// The coordinate of a slide or a turn.
#[derive(Clone, Debug)]
pub(crate) enum Coordinate {
    /// A degree of freedom: places of coordinate and velocity.
    Free { q: usize, v: usize },
    /// A function of time; the place of its motion behind those of the degrees of freedom.
    Driven { signal: Signal, place: usize },
}

impl Coordinate {
    /// Value, rate and acceleration.
    pub(crate) fn jet(&self, at: &Instant<'_>) -> [f64; 3] {
        match self {
            Self::Free { q, v } => [at.q[*q], at.v[*v], at.a[*v]],
            Self::Driven { signal, .. } => {
                let jet = signal.jet(at.t);
                [jet.value, jet.rate, jet.acceleration]
            }
        }
    }

    /// Place of its motion.
    pub(crate) fn place(&self) -> usize {
        match self {
            Self::Free { v, .. } => *v,
            Self::Driven { place, .. } => *place,
        }
    }
}

/// What a degree of freedom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoordinateKind {
    /// The coordinate of a slide or a turn.
    Single,
    /// A translation of a free body, along an axis of its parent.
    Translation,
    /// A rotation of a free or a ball joint, about an axis of its parent.
    Rotation,
}

/// A degree of freedom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dof {
    /// The body whose joint it belongs to.
    pub(crate) body: usize,
    /// Its step, counted over all bodies: a smaller number on the same chain carries a larger one.
    pub(crate) step: usize,
    pub(crate) kind: CoordinateKind,
    pub(crate) turns: bool,
}

/// A driven coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    pub(crate) body: usize,
    /// Step of the body.
    pub(crate) step: usize,
}

impl Joint {
    /// The single coordinates of the joint in their order: the axis in the axes of the body, and
    /// whether it turns.
    pub fn singles(&self) -> Vec<(Vec3, bool)> {
        match self {
            Self::Fixed | Self::Spherical | Self::Free => Vec::new(),
            Self::Revolute { axis } => vec![(*axis, true)],
            Self::Prismatic { axis } => vec![(*axis, false)],
            Self::Cylindrical { axis } => vec![(*axis, false), (*axis, true)],
            Self::Planar { normal } => {
                let [first, second] = tangents(normal);
                vec![(first, false), (second, false), (*normal, true)]
            }
            Self::Translational => [Vec3::x(), Vec3::y(), Vec3::z()]
                .map(|axis| (axis, false))
                .to_vec(),
            Self::Universal { first, second } => vec![(*first, true), (*second, true)],
            Self::Prescribed(motion) => vec![(motion.direction, false), (motion.axis, true)],
        }
    }
}

/// Two unit vectors that make a right-handed triad with `normal`: the first one is the projection
/// of x (of y where x is the normal).
pub fn tangents(normal: &Vec3) -> [Vec3; 2] {
    let guide = if normal.x.abs() < 0.9 {
        Vec3::x()
    } else {
        Vec3::y()
    };
    let first = (guide - normal * normal.dot(&guide)).normalize();
    [first, normal.cross(&first)]
}

/// The steps of all bodies, their degrees of freedom and driven coordinates.
#[derive(Debug, Default)]
pub(crate) struct JointSteps {
    pub(crate) of_body: Vec<Vec<JointStep>>,
    pub(crate) dofs: Vec<Dof>,
    pub(crate) drives: Vec<Drive>,
    /// First degree of freedom and first coordinate of every body.
    pub(crate) dof_of: Vec<usize>,
    pub(crate) coordinate_of: Vec<usize>,
    pub(crate) coordinates: usize,
}

impl JointSteps {
    /// Degrees of freedom whose errors are judged together: of one kind in one joint.
    pub(crate) fn groups(&self, fast_modes: impl Fn(usize) -> FastModes) -> Vec<DofGroup> {
        let alike = |a: &Dof, b: &Dof| {
            a.kind != CoordinateKind::Single && (a.body, a.kind) == (b.body, b.kind)
        };
        let mut first = 0;
        let group = |dofs: &[Dof]| {
            let start = first;
            first += dofs.len();
            DofGroup {
                dofs: start..first,
                turns: dofs[0].kind == CoordinateKind::Rotation,
                fast_modes: fast_modes(dofs[0].body),
            }
        };
        self.dofs.chunk_by(alike).map(group).collect()
    }

    pub(crate) fn of(bodies: &[Body]) -> Self {
        let mut all = Self::default();
        let mut step = 0;
        for (i, body) in bodies.iter().enumerate() {
            all.dof_of.push(all.dofs.len());
            all.coordinate_of.push(all.coordinates);
            let steps = match body.joint {
                Joint::Free => vec![all.group(i, &mut step, true)],
                Joint::Spherical => vec![all.group(i, &mut step, false)],
                _ => all.singles(i, body, &mut step),
            };
            all.of_body.push(steps);
        }
        // the motions of driven coordinates lie behind those of the degrees of freedom
        let dofs = all.dofs.len();
        for step in all.of_body.iter_mut().flatten() {
            if let JointStep::Slide(_, Coordinate::Driven { place, .. })
            | JointStep::Turn(_, Coordinate::Driven { place, .. }) = step
            {
                *place += dofs;
            }
        }
        all
    }

    fn group(&mut self, body: usize, step: &mut usize, floats: bool) -> JointStep {
        let (q, v) = (self.coordinates, self.dofs.len());
        let mut add = |kind, turns| {
            let step = *step;
            self.dofs.extend(
                [Dof {
                    body,
                    step,
                    kind,
                    turns,
                }; 3],
            );
        };
        if floats {
            add(CoordinateKind::Translation, false);
        }
        add(CoordinateKind::Rotation, true);
        *step += 1;
        self.coordinates += if floats { 7 } else { 4 };
        if floats {
            JointStep::Float { q, v }
        } else {
            JointStep::Ball { q, v }
        }
    }

    fn singles(&mut self, body: usize, of: &Body, step: &mut usize) -> Vec<JointStep> {
        let mut steps = Vec::new();
        for (k, (axis, turns)) in of.joint.singles().into_iter().enumerate() {
            let coordinate = if let Some(signal) = of.driven(k) {
                let place = self.drives.len();
                self.drives.push(Drive { body, step: k });
                let signal = signal.clone();
                Coordinate::Driven { signal, place }
            } else {
                let (q, v) = (self.coordinates, self.dofs.len());
                let kind = CoordinateKind::Single;
                self.dofs.push(Dof {
                    body,
                    step: *step,
                    kind,
                    turns,
                });
                self.coordinates += 1;
                Coordinate::Free { q, v }
            };
            *step += 1;
            steps.push(if turns {
                JointStep::Turn(axis, coordinate)
            } else {
                JointStep::Slide(axis, coordinate)
            });
        }
        steps
    }
}
