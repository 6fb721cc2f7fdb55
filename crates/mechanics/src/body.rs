//! Bodies and the joints that hang them on their parents.

use crate::frame::{Mat3, Vec3};
use bristle_signals::Signal;
use nalgebra::UnitQuaternion;

/// A body's place in the model; 0 is the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) usize);

impl BodyId {
    /// The ground: the world frame.
    pub const GROUND: Self = Self(0);

    /// Position in the list of bodies.
    pub fn index(self) -> usize {
        self.0
    }
}

/// Mass, centre of mass and inertia of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in body axes, m.
    pub centre: Vec3,
    /// Inertia about the centre of mass in body axes, kg m².
    pub tensor: Mat3,
}

impl Inertia {
    /// No mass.
    pub const NONE: Self = Self {
        mass: 0.0,
        centre: Vec3::new(0.0, 0.0, 0.0),
        tensor: ZERO,
    };

    /// Whether there is neither mass nor moment of inertia; a moment may be given without a mass.
    pub fn is_none(&self) -> bool {
        self.mass == 0.0 && self.tensor == ZERO
    }

    /// A box of edge lengths (m) about its centre: I_x = m (b² + c²)/12.
    pub fn solid_box(mass: f64, edges: [f64; 3]) -> Self {
        let [a, b, c] = edges.map(|e| mass * e * e / 12.0);
        Self {
            mass,
            centre: Vec3::zeros(),
            tensor: Mat3::from_diagonal(&Vec3::new(b + c, a + c, a + b)),
        }
    }

    /// A solid sphere: I = 2 m r²/5.
    pub fn solid_sphere(mass: f64, radius: f64) -> Self {
        let moment = 0.4 * mass * radius * radius;
        Self {
            mass,
            centre: Vec3::zeros(),
            tensor: Mat3::from_diagonal_element(moment),
        }
    }

    /// A solid cylinder along the body's z axis.
    pub fn solid_cylinder(mass: f64, radius: f64, length: f64) -> Self {
        let across = mass * (3.0 * radius * radius + length * length) / 12.0;
        let along = 0.5 * mass * radius * radius;
        Self {
            mass,
            centre: Vec3::zeros(),
            tensor: Mat3::from_diagonal(&Vec3::new(across, across, along)),
        }
    }
}

const ZERO: Mat3 = Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

/// How a body moves relative to its parent. Axes are unit vectors of the joint frame, which is
/// fixed in the parent; the body's frame lies in it where all joint coordinates are zero.
#[derive(Clone, Debug)]
pub enum Joint {
    /// Not at all.
    Fixed,
    /// About one axis.
    Revolute {
        /// Unit axis.
        axis: Vec3,
    },
    /// Along one axis.
    Prismatic {
        /// Unit axis.
        axis: Vec3,
    },
    /// Along and about one axis: displacement, angle.
    Cylindrical {
        /// Unit axis.
        axis: Vec3,
    },
    /// In a plane: two displacements along the tangents of the plane, the angle about the normal.
    Planar {
        /// Unit normal.
        normal: Vec3,
    },
    /// About two axes, the second one carried by the first rotation (a Cardan joint).
    Universal {
        /// Unit axis in the parent.
        first: Vec3,
        /// Unit axis in the body.
        second: Vec3,
    },
    /// Along x, y and z without turning: a point mass.
    Translational,
    /// About a point: a rotation on the group, without a singular position.
    Spherical,
    /// Freely: three translations and a rotation on the group.
    Free,
    /// As a function of time.
    Prescribed(Prescribed),
}

/// A motion given as a function of time, relative to the joint frame.
#[derive(Clone, Debug)]
pub struct Prescribed {
    /// Unit direction of the translation.
    pub direction: Vec3,
    /// Translation along it, m.
    pub displacement: Signal,
    /// Unit axis of the rotation.
    pub axis: Vec3,
    /// Angle about it, rad.
    pub angle: Signal,
}

/// What of a start is given, and not merely zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenStart {
    /// The coordinates of the joint, or the position of a free body.
    pub coordinates: bool,
    /// Their rates.
    pub rates: bool,
}

/// A rigid body, or a node of a beam.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name.
    pub name: String,
    /// The body it is joined to.
    pub parent: BodyId,
    /// The joint.
    pub joint: Joint,
    /// Mass and inertia.
    pub inertia: Inertia,
    /// Origin of the joint frame in the parent's frame, m. A free body starts here.
    pub position: Vec3,
    /// Orientation of the joint frame in the parent's frame. A free or spherical body starts so.
    pub orientation: UnitQuaternion<f64>,
    /// Generalised velocities at the start (m/s, rad/s), one per degree of freedom.
    pub velocity: Vec<f64>,
    /// Single joint coordinates at the start (m, rad); missing ones are 0.
    pub coordinates: Vec<f64>,
    /// Which of both are given: where loops have to be closed, the others move first.
    pub given: GivenStart,
    /// Driven joint coordinates: their place among the single coordinates, and the motion.
    pub drives: Vec<(usize, Signal)>,
    /// Length that turns an angle into a displacement, m; 0 takes the radius of gyration.
    pub size: f64,
    /// Whether it has no mass of its own and gets it from elements: a node of a beam.
    pub is_node: bool,
}

impl Body {
    /// A body at the origin of its parent, at rest.
    pub fn new(name: &str, joint: Joint, inertia: Inertia) -> Self {
        Self {
            name: name.to_owned(),
            parent: BodyId::GROUND,
            joint,
            inertia,
            position: Vec3::zeros(),
            orientation: UnitQuaternion::identity(),
            velocity: Vec::new(),
            coordinates: Vec::new(),
            given: GivenStart::default(),
            drives: Vec::new(),
            size: 0.0,
            is_node: false,
        }
    }

    /// A free node, which gets its mass from beams; `size` (m) is about the distance to its
    /// neighbours.
    pub fn node(name: &str, size: f64) -> Self {
        Self {
            size,
            is_node: true,
            ..Self::new(name, Joint::Free, Inertia::NONE)
        }
    }

    /// Places the joint frame in the parent.
    #[must_use]
    pub fn at(mut self, position: Vec3) -> Self {
        self.position = position;
        self
    }

    /// Joins it to another body than the ground.
    #[must_use]
    pub fn on(mut self, parent: BodyId) -> Self {
        self.parent = parent;
        self
    }

    /// The motion of a single joint coordinate, if it is driven.
    pub(crate) fn driven(&self, coordinate: usize) -> Option<&Signal> {
        if let Joint::Prescribed(motion) = &self.joint {
            return Some(if coordinate == 0 {
                &motion.displacement
            } else {
                &motion.angle
            });
        }
        let found = self.drives.iter().find(|(place, _)| *place == coordinate);
        found.map(|(_, signal)| signal)
    }

    /// Degrees of freedom of its joint.
    pub fn dofs(&self) -> usize {
        match self.joint {
            Joint::Free => 6,
            Joint::Spherical => 3,
            _ => {
                let all = self.joint.singles().len();
                (0..all).filter(|&k| self.driven(k).is_none()).count()
            }
        }
    }
}
