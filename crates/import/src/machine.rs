//! The machine that a file describes, in the terms of a scenario.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// A place in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Origin, m.
    pub position: Vector3<f64>,
    /// Rotation from the placed axes to those of the frame.
    pub rotation: UnitQuaternion<f64>,
}

impl Default for Placement {
    fn default() -> Self {
        Self {
            position: Vector3::zeros(),
            rotation: UnitQuaternion::identity(),
        }
    }
}

impl From<Vector3<f64>> for Placement {
    /// Moved and not turned.
    fn from(position: Vector3<f64>) -> Self {
        Self {
            position,
            ..Self::default()
        }
    }
}

impl Placement {
    /// A point of the placed frame, in the frame.
    pub fn point(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.rotation * point
    }

    /// A placement within this one.
    #[must_use]
    pub fn then(&self, inner: &Self) -> Self {
        Self {
            position: self.point(&inner.position),
            rotation: self.rotation * inner.rotation,
        }
    }

    /// The frame, seen from the placed one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self {
            position: -(rotation * self.position),
            rotation,
        }
    }
}

/// Mass, centre and moments of inertia of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in body axes, m.
    pub centre: Vector3<f64>,
    /// Moments of inertia about the centre of mass in body axes, kg m².
    pub tensor: Matrix3<f64>,
}

impl MassProperties {
    /// Nothing.
    pub const NONE: Self = Self {
        mass: 0.0,
        centre: Vector3::new(0.0, 0.0, 0.0),
        tensor: Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// A body in the frame that `place` is in: R I Rᵀ, R c + p.
    #[must_use]
    pub fn placed(&self, place: &Placement) -> Self {
        let tensor = if place.rotation == UnitQuaternion::identity() {
            self.tensor
        } else {
            let r = place.rotation.to_rotation_matrix();
            symmetric(&(r.matrix() * self.tensor * r.matrix().transpose()))
        };
        Self {
            mass: self.mass,
            centre: place.point(&self.centre),
            tensor,
        }
    }

    /// Two bodies that are one, in the same axes, by Steiner's theorem.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass <= 0.0 {
            return Self {
                tensor: self.tensor + other.tensor,
                ..*self
            };
        }
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let about = |own: &Self| {
            let d = own.centre - centre;
            own.tensor + (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * own.mass
        };
        Self {
            mass,
            centre,
            tensor: symmetric(&(about(self) + about(other))),
        }
    }
}

/// The symmetric part: a rotated tensor is symmetric but for rounding.
pub(crate) fn symmetric(tensor: &Matrix3<f64>) -> Matrix3<f64> {
    (tensor + tensor.transpose()) * 0.5
}

/// A solid that a scenario can draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawnSolid {
    /// Edge lengths, m.
    Box([f64; 3]),
    /// Radius, m.
    Sphere(f64),
    /// Along z, m.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Length, m.
        length: f64,
    },
}

/// A joint, in the axes of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MachineJoint {
    /// Does not move.
    Fixed,
    /// Moves in all directions.
    Free,
    /// Turns about an axis.
    Revolute(Vector3<f64>),
    /// Moves along an axis.
    Prismatic(Vector3<f64>),
    /// Both, of one axis.
    Cylindrical(Vector3<f64>),
    /// Moves in the plane with this normal.
    Planar(Vector3<f64>),
    /// Turns about the first axis, then about the second.
    Universal(Vector3<f64>, Vector3<f64>),
    /// Turns about a point.
    Spherical,
}

impl MachineJoint {
    /// The word of the scenario.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Free => "free",
            Self::Revolute(_) => "revolute",
            Self::Prismatic(_) => "prismatic",
            Self::Cylindrical(_) => "cylindrical",
            Self::Planar(_) => "planar",
            Self::Universal(..) => "universal",
            Self::Spherical => "spherical",
        }
    }

    /// Degrees of freedom.
    pub fn freedoms(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute(_) | Self::Prismatic(_) => 1,
            Self::Cylindrical(_) | Self::Universal(..) => 2,
            Self::Planar(_) | Self::Spherical => 3,
            Self::Free => 6,
        }
    }
}

/// A coordinate of a body's joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordinateName {
    /// Position of the body in the machine.
    pub body: usize,
    /// Its name, where the joint has several.
    pub name: Option<&'static str>,
    /// Whether it is an angle.
    pub turns: bool,
}

/// A body and its joint.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineBody {
    /// Name in the scenario.
    pub name: String,
    /// Line of the file.
    pub line: u32,
    /// What it is in the file: the link and its joint.
    pub origin: String,
    /// What the file says of it beside.
    pub comments: Vec<String>,
    /// Position of its parent in the machine; the ground has none.
    pub parent: Option<usize>,
    /// The joint.
    pub joint: MachineJoint,
    /// Frame of the joint in the parent; of a free body its place at the start.
    pub place: Placement,
    /// Mass and inertia, if the file gives any.
    pub inertia: Option<MassProperties>,
    /// What to draw.
    pub solid: Option<DrawnSolid>,
    /// A coordinate at the start that is not 0.
    pub start: Option<f64>,
    /// A coordinate that is held at this value.
    pub held: Option<f64>,
}

impl MachineBody {
    pub(crate) fn new(name: String, line: u32, joint: MachineJoint) -> Self {
        Self {
            name,
            line,
            origin: String::new(),
            comments: Vec::new(),
            parent: None,
            joint,
            place: Placement::default(),
            inertia: None,
            solid: None,
            start: None,
            held: None,
        }
    }
}

/// Friction of constant level on a joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineFriction {
    /// Name in the scenario.
    pub name: String,
    /// Line of the file.
    pub line: u32,
    /// Where.
    pub coordinate: CoordinateName,
    /// Its level, N or N m.
    pub level: f64,
}

/// Spring and damper on a joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineSpring {
    /// Name in the scenario.
    pub name: String,
    /// Line of the file.
    pub line: u32,
    /// Where.
    pub coordinate: CoordinateName,
    /// N/m or N m/rad.
    pub stiffness: f64,
    /// N s/m or N m s/rad.
    pub damping: f64,
    /// Coordinate without force, m or rad.
    pub rest: f64,
}

/// Stops at the ends of the range of a joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineStop {
    /// Name in the scenario.
    pub name: String,
    /// Line of the file.
    pub line: u32,
    /// Where.
    pub coordinate: CoordinateName,
    /// Least coordinate, m or rad.
    pub min: f64,
    /// Largest coordinate, m or rad.
    pub max: f64,
    /// Inertia that meets the stop, kg or kg m²: that of the coordinate with all others held at 0.
    pub inertia: f64,
}

/// q_to = ratio × q_from + offset.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineCoupling {
    /// Name in the scenario.
    pub name: String,
    /// Line of the file.
    pub line: u32,
    /// What leads.
    pub from: CoordinateName,
    /// What follows.
    pub to: CoordinateName,
    /// Not 0.
    pub ratio: f64,
    /// q_to where q_from is 0, m or rad.
    pub offset: f64,
    /// What it stands for.
    pub comment: String,
}

/// A joint that closes a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineLoop {
    /// Name in the scenario.
    pub name: String,
    /// Line of the file.
    pub line: u32,
    /// The joint.
    pub joint: MachineJoint,
    /// The end with the axes: body (the ground has none) and place.
    pub from: (Option<usize>, Placement),
    /// The other end.
    pub to: (Option<usize>, Placement),
}

/// What a file describes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedMachine {
    /// Name of the robot or model.
    pub title: String,
    /// The format, "URDF" or "MJCF".
    pub format: &'static str,
    /// Acceleration of gravity, m/s².
    pub gravity: Vector3<f64>,
    /// Bodies; a parent stands before its children.
    pub bodies: Vec<MachineBody>,
    /// Friction in joints.
    pub frictions: Vec<MachineFriction>,
    /// Springs and dampers in joints.
    pub springs: Vec<MachineSpring>,
    /// Stops of joints.
    pub stops: Vec<MachineStop>,
    /// Couplings.
    pub couplings: Vec<MachineCoupling>,
    /// Loops.
    pub loops: Vec<MachineLoop>,
}

impl ImportedMachine {
    /// Starts of coordinates that follow others. A scenario keeps what coupled coordinates differ by at the
    /// start.
    pub(crate) fn start_followers(&mut self) {
        // a follower may lead another one: a chain is at most as long as the list
        for _ in 0..self.couplings.len() {
            for coupling in &self.couplings {
                let leader = self.bodies[coupling.from.body].start.unwrap_or(0.0);
                let start = coupling.ratio * leader + coupling.offset;
                self.bodies[coupling.to.body].start = (start != 0.0).then_some(start);
            }
        }
    }

    /// Places of all bodies in the world, with all coordinates at 0.
    pub fn places(&self) -> Vec<Placement> {
        let mut places: Vec<Placement> = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let parent = body.parent.and_then(|parent| places.get(parent).copied());
            places.push(parent.unwrap_or_default().then(&body.place));
        }
        places
    }
}
