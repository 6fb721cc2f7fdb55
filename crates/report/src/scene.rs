//! What moves on the stage: shapes, contacts, arrows, and the channels that move them.
//!
//! A scene names channels; the report finds their values in the table that it is given. Lengths
//! are in m, vectors in the axes of the body they belong to unless it says otherwise.

use serde::{Deserialize, Serialize};

use crate::scene_surface::SceneSurface;

/// The stage of an animation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// The bodies without the ground; indices below point into this list.
    pub bodies: Vec<SceneBody>,
    /// The contacts.
    #[serde(default)]
    pub contacts: Vec<SceneContact>,
    /// Loads, and the friction of joints.
    #[serde(default)]
    pub arrows: Vec<SceneArrow>,
    /// Springs, dampers and cables between two points.
    #[serde(default)]
    pub springs: Vec<SceneSpring>,
    /// Lines through points of bodies, such as beams.
    #[serde(default)]
    pub chains: Vec<SceneChain>,
    /// Times from which the stage has a title of its own in the place of the time, s.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub captions: Vec<(f64, String)>,
}

/// A body and how it moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneBody {
    /// Name.
    pub name: String,
    /// Its shapes; a body without any is drawn as a marker of no particular size.
    #[serde(default)]
    pub shapes: Vec<SceneShape>,
    /// Where it is.
    pub pose: ScenePose,
}

/// A solid in the axes of its body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneShape {
    /// A box about `centre`.
    Box {
        /// Edge lengths along x, y and z, m.
        edges: [f64; 3],
        /// Centre, m.
        centre: [f64; 3],
    },
    /// A sphere about `centre`.
    Sphere {
        /// Radius, m.
        radius: f64,
        /// Centre, m.
        centre: [f64; 3],
    },
    /// A cylinder along the z axis about `centre`.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Length along z, m.
        length: f64,
        /// Centre, m.
        centre: [f64; 3],
    },
    /// The box of even density that has the inertia of a body without a shape of its own.
    Inertia {
        /// Edge lengths along its axes, m.
        edges: [f64; 3],
        /// Centre, m.
        centre: [f64; 3],
        /// Its axes in those of the body: a unit quaternion w, x, y, z.
        orientation: [f64; 4],
    },
}

/// Where a body is, in the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenePose {
    /// Its origin.
    pub position: ScenePosition,
    /// Its axes.
    pub orientation: SceneOrientation,
}

/// Where the origin of a body is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScenePosition {
    /// At one place, m.
    Fixed([f64; 3]),
    /// As the channels x, y and z say.
    Channels([String; 3]),
}

/// How the axes of a body are turned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneOrientation {
    /// Always the same unit quaternion w, x, y, z.
    Fixed([f64; 4]),
    /// As the channels w, x, y and z say.
    Channels([String; 4]),
}

/// A plane of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenePlane {
    /// Index of its body; nothing for the ground.
    pub body: Option<usize>,
    /// A point of the plane, m.
    pub point: [f64; 3],
    /// Unit normal out of the plane.
    pub normal: [f64; 3],
    /// Unit vector in the plane.
    pub tangent: [f64; 3],
}

/// Points of a body on a plane or a curved surface of another.
///
/// The channels of point i (from 1) are `PREFIX.point{i}.friction.x`, `.normal_force` and
/// `.slip_speed`, with the prefix `contact.NAME`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneContact {
    /// Name.
    pub name: String,
    /// Index of the body with the points; nothing for the ground.
    pub body: Option<usize>,
    /// The points in the axes of that body, m.
    pub points: Vec<[f64; 3]>,
    /// Radii of the balls about the points, m, which touch the plane below them; none of mere points.
    #[serde(default)]
    pub radii: Vec<f64>,
    /// The plane; of a curved surface its origin, its z axis and its x axis.
    pub plane: ScenePlane,
    /// The surface, if it is curved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<SceneSurface>,
    /// Speed from which a point counts as slipping, m/s.
    pub slip_speed: f64,
    /// Whether the normal force pushes the bodies apart and is drawn.
    pub pushes: bool,
    /// What the contact is made of: laws, for the legend.
    #[serde(default)]
    pub note: String,
}

/// A force or a moment that a channel gives the size of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneArrow {
    /// Name.
    pub name: String,
    /// Index of the body it acts on.
    pub body: Option<usize>,
    /// Where it acts, in body axes, m.
    pub point: [f64; 3],
    /// Unit direction.
    pub direction: [f64; 3],
    /// Whether the direction turns with the body.
    pub turns: bool,
    /// Channel of its size, N or N m.
    pub channel: String,
    /// Whether it is a moment about the direction, drawn as an arc.
    #[serde(default)]
    pub moment: bool,
    /// The joint whose friction it is; nothing for a load.
    #[serde(default)]
    pub friction: Option<SceneSlip>,
}

/// The slip of a joint, which colours its friction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneSlip {
    /// Channel of the load on the faces, N.
    pub load: String,
    /// Channel of the slip velocity, m/s.
    pub velocity: String,
    /// Speed from which it counts as slipping, m/s.
    pub slip_speed: f64,
}

/// A spring, damper or cable between points of two bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneSpring {
    /// Name.
    pub name: String,
    /// Index of one body; nothing for the ground.
    pub from_body: Option<usize>,
    /// Its point, in body axes, m.
    pub from: [f64; 3],
    /// Index of the other body; nothing for the ground.
    pub to_body: Option<usize>,
    /// Its point, in body axes, m.
    pub to: [f64; 3],
    /// Whether it is drawn as a line and not as a coil.
    #[serde(default)]
    pub is_cable: bool,
}

/// A line through points of bodies, such as a beam through its nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneChain {
    /// Name.
    pub name: String,
    /// The points in the order of the line. A body without a shape that carries one is not drawn.
    pub points: Vec<SceneChainPoint>,
    /// Corners of the section that is drawn along the line, in its own two axes, m; a mere line if
    /// there are none.
    #[serde(default)]
    pub outline: Vec<[f64; 2]>,
}

/// A point of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneChainPoint {
    /// Index of its body; nothing for the ground.
    pub body: Option<usize>,
    /// The point, in body axes, m.
    pub point: [f64; 3],
    /// Unit vector along the line there, in body axes.
    #[serde(default)]
    pub along: [f64; 3],
    /// Unit vector of the first axis of the section, in body axes.
    #[serde(default)]
    pub across: [f64; 3],
}

impl Scene {
    /// The names of all channels that the animation needs, each once.
    pub fn channels(&self) -> Vec<String> {
        let mut names = Vec::new();
        for body in &self.bodies {
            if let ScenePosition::Channels(channels) = &body.pose.position {
                names.extend(channels.iter().cloned());
            }
            if let SceneOrientation::Channels(channels) = &body.pose.orientation {
                names.extend(channels.iter().cloned());
            }
        }
        for arrow in &self.arrows {
            names.push(arrow.channel.clone());
            if let Some(slip) = &arrow.friction {
                names.extend([slip.load.clone(), slip.velocity.clone()]);
            }
        }
        for contact in &self.contacts {
            for point in 1..=contact.points.len() {
                let parts = [
                    "friction.x",
                    "friction.y",
                    "friction.z",
                    "normal_force",
                    "slip_speed",
                ];
                let prefix = format!("contact.{}.point{point}", contact.name);
                names.extend(parts.map(|part| format!("{prefix}.{part}")));
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    }
}
