//! A scene at one row of a table: where everything is, and what it does.

use bristle_results::ChannelTable;

use crate::scene::{Scene, SceneContact, SceneOrientation, ScenePosition, SceneShape, SceneSlip};
use crate::sketch::edges;
use crate::space::{BodyPose, SpaceVector};

/// A scene at one row of its results.
pub(crate) struct Stance<'s> {
    scene: &'s Scene,
    table: &'s ChannelTable,
    row: usize,
    poses: Vec<BodyPose>,
}

impl<'s> Stance<'s> {
    pub(crate) fn of(scene: &'s Scene, table: &'s ChannelTable, row: usize) -> Self {
        let mut stance = Self {
            scene,
            table,
            row,
            poses: Vec::new(),
        };
        let pose = |body: &crate::scene::SceneBody| BodyPose {
            position: match &body.pose.position {
                ScenePosition::Fixed(place) => *place,
                ScenePosition::Channels(names) => names.each_ref().map(|n| stance.value(n)),
            },
            orientation: match &body.pose.orientation {
                SceneOrientation::Fixed(q) => *q,
                SceneOrientation::Channels(names) => names.each_ref().map(|n| stance.value(n)),
            },
        };
        let poses = scene.bodies.iter().map(pose).collect();
        stance.poses = poses;
        stance
    }

    /// The value of a channel; 0 where there is none.
    pub(crate) fn value(&self, channel: &str) -> f64 {
        let column = self.table.column(channel).unwrap_or_default();
        column.get(self.row).copied().unwrap_or(0.0)
    }

    /// A point of a body, or of the ground, in the world.
    pub(crate) fn place(&self, body: Option<usize>, point: SpaceVector) -> SpaceVector {
        let pose = body.and_then(|body| self.poses.get(body));
        pose.map_or(point, |pose| pose.place(point))
    }

    /// A vector of a body in the axes of the world.
    pub(crate) fn turned(&self, body: Option<usize>, vector: SpaceVector) -> SpaceVector {
        let pose = body.and_then(|body| self.poses.get(body));
        pose.map_or(vector, |pose| pose.turned(vector))
    }

    /// The solids with the poses of their bodies.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = (BodyPose, &SceneShape)> {
        let bodies = self.scene.bodies.iter().zip(&self.poses);
        bodies.flat_map(|(body, pose)| body.shapes.iter().map(move |shape| (*pose, shape)))
    }

    /// Where the bodies are that neither a solid nor a line shows.
    pub(crate) fn unseen(&self) -> impl Iterator<Item = BodyPose> {
        let on_line = |body: usize| {
            let mut points = self.scene.chains.iter().flat_map(|chain| &chain.points);
            points.any(|point| point.body == Some(body))
        };
        let plates = |body: usize| {
            let mut planes = self.scene.contacts.iter().map(|contact| contact.plane.body);
            planes.any(|plane| plane == Some(body))
        };
        let bodies = self.scene.bodies.iter().zip(&self.poses).enumerate();
        bodies
            .filter(move |(i, (body, _))| body.shapes.is_empty() && !on_line(*i) && !plates(*i))
            .map(|(_, (_, pose))| *pose)
    }

    /// Corners of the solids, and origins of bodies that have none, in the world.
    pub(crate) fn corners(&self) -> Vec<SpaceVector> {
        let solids = self.shapes().flat_map(|(pose, shape)| {
            let corners = edges(shape).concat().into_iter();
            corners.map(move |corner| pose.place(corner))
        });
        let origins = self.poses.iter().map(|pose| pose.position);
        solids.chain(origins).collect()
    }

    /// Friction of a point of a contact along the slip, N.
    pub(crate) fn friction(&self, contact: &SceneContact, point: usize) -> SpaceVector {
        let prefix = format!("contact.{}.point{point}.friction", contact.name);
        ["x", "y", "z"].map(|axis| self.value(&format!("{prefix}.{axis}")))
    }

    /// Whether a point of a contact slips; nothing without load.
    pub(crate) fn contact_slips(&self, contact: &SceneContact, point: usize) -> Option<bool> {
        let prefix = format!("contact.{}.point{point}", contact.name);
        let loaded = self.value(&format!("{prefix}.normal_force")) > 0.0;
        loaded.then(|| self.value(&format!("{prefix}.slip_speed")) >= contact.slip_speed)
    }

    /// Whether a joint slips; nothing without load.
    pub(crate) fn slips(&self, slip: &SceneSlip) -> Option<bool> {
        let loaded = self.value(&slip.load) > 0.0;
        loaded.then(|| self.value(&slip.velocity).abs() >= slip.slip_speed)
    }
}
