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

/// How a body moves relative to its parent.
#[derive(Clone, Debug)]
pub enum Joint {
    /// Not at all.
    Fixed,
    /// Along one axis, given in the joint frame.
    Prismatic {
        /// Unit axis.
        axis: Vec3,
    },
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

impl Joint {
    /// Degrees of freedom.
    pub fn dofs(&self) -> usize {
        match self {
            Self::Fixed | Self::Prescribed(_) => 0,
            Self::Prismatic { .. } => 1,
            Self::Free => 6,
        }
    }

    /// Length of the coordinate vector: a free joint has a position and a quaternion.
    pub fn coordinates(&self) -> usize {
        match self {
            Self::Free => 7,
            _ => self.dofs(),
        }
    }
}

/// A rigid body.
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
    /// Orientation of the joint frame in the parent's frame. A free body starts so.
    pub orientation: UnitQuaternion<f64>,
    /// Generalised velocities at the start (m/s, rad/s).
    pub velocity: Vec<f64>,
    /// Coordinate of a prismatic joint at the start, m.
    pub coordinate: f64,
}

impl Body {
    /// A body at the origin of its parent, at rest.
    pub fn new(name: &str, joint: Joint, inertia: Inertia) -> Self {
        let velocity = vec![0.0; joint.dofs()];
        Self {
            name: name.to_owned(),
            parent: BodyId::GROUND,
            joint,
            inertia,
            position: Vec3::zeros(),
            orientation: UnitQuaternion::identity(),
            velocity,
            coordinate: 0.0,
        }
    }

    /// Places the joint frame in the parent.
    #[must_use]
    pub fn at(mut self, position: Vec3) -> Self {
        self.position = position;
        self
    }
}
