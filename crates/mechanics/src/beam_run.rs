//! A straight run of beam elements between two bodies.

use crate::body::{Body, BodyId};
use crate::element::{BeamElement, BeamEnd, BeamError, BeamProperties};
use crate::frame::{Mat3, Vec3};
use crate::model_builder::ModelBuilder;
use crate::model_error::ModelError;
use nalgebra::{Isometry3, Rotation3, UnitQuaternion};

/// Below this sine of the angle between beam and section axis the axis has no direction.
const PARALLEL: f64 = 1e-6;

/// A body that holds an end of the beam.
#[derive(Clone, Copy, Debug)]
pub struct BeamSupport {
    /// The body.
    pub body: BodyId,
    /// The end of the beam in body axes, m.
    pub point: Vec3,
    /// Pose of the body in the axes of the nodes' parent, where the beam is undeformed.
    pub pose: Isometry3<f64>,
}

/// A straight uniform beam, divided into equal elements.
///
/// Its ends are clamped to two bodies. The nodes between the elements are free bodies named
/// `NAME.node1`, `NAME.node2`, …, the elements `NAME.element1`, …, or `NAME` if there is one only.
#[derive(Clone, Debug)]
pub struct Beam {
    /// Name.
    pub name: String,
    /// The bodies that hold the ends.
    pub supports: [BeamSupport; 2],
    /// A direction in the axes of the nodes' parent: its part across the beam is the section's y.
    pub section_y: Vec3,
    /// What it is made of.
    pub properties: BeamProperties,
    /// Number of elements.
    pub elements: usize,
}

impl Beam {
    /// Adds nodes and elements to a model; the nodes are free bodies on `parent`, at rest in it.
    /// Returns the nodes from start to end.
    ///
    /// # Errors
    /// Names the beam and what is wrong with it.
    pub fn add_to(
        &self,
        builder: &mut ModelBuilder,
        parent: BodyId,
    ) -> Result<Vec<BodyId>, BeamError> {
        let ends = self
            .supports
            .map(|s| s.pose * nalgebra::Point3::from(s.point));
        let (start, along) = (ends[0].coords, ends[1] - ends[0]);
        let length = along.norm();
        if length == 0.0 {
            return Err(BeamError::ZeroLength {
                beam: self.name.clone(),
                at: start.into(),
            });
        }
        let material = &self.properties.material;
        self.properties.check(&self.name, length)?;
        if self.elements == 0 {
            return Err(BeamError::NoElements(self.name.clone()));
        }
        if self.elements > 1 && material.density == 0.0 {
            return Err(BeamError::MasslessNodes(self.name.clone()));
        }
        let axes = self.axes(&along)?;
        let size = length / self.elements as f64;
        let refused = |error: ModelError| BeamError::Model {
            beam: self.name.clone(),
            error,
        };
        let mut nodes = Vec::with_capacity(self.elements - 1);
        for k in 1..self.elements {
            let place = start + along * (k as f64 / self.elements as f64);
            let mut body = Body::node(&format!("{}.node{k}", self.name), size)
                .on(parent)
                .at(place);
            body.orientation = axes;
            nodes.push(builder.body(body).map_err(refused)?);
        }
        let outer = self.supports.map(|s| BeamEnd {
            body: s.body,
            point: s.point,
            orientation: s.pose.rotation.inverse() * axes,
        });
        let inner = nodes.iter().map(|&body| BeamEnd {
            body,
            point: Vec3::zeros(),
            orientation: UnitQuaternion::identity(),
        });
        let stations: Vec<_> = std::iter::once(outer[0])
            .chain(inner)
            .chain([outer[1]])
            .collect();
        for (k, pair) in stations.windows(2).enumerate() {
            let name = if self.elements == 1 {
                self.name.clone()
            } else {
                format!("{}.element{}", self.name, k + 1)
            };
            let element = BeamElement::new(&name, [pair[0], pair[1]], size, &self.properties)?;
            builder.element(Box::new(element)).map_err(refused)?;
        }
        Ok(nodes)
    }

    /// Axes of the sections: x along the beam.
    fn axes(&self, along: &Vec3) -> Result<UnitQuaternion<f64>, BeamError> {
        let x = along.normalize();
        let across = x.cross(&self.section_y);
        let size = across.norm();
        if !(size > PARALLEL * self.section_y.norm() && size.is_finite()) {
            return Err(BeamError::SectionAxis {
                beam: self.name.clone(),
                section_y: self.section_y.into(),
                axis: x.into(),
            });
        }
        let z = across / size;
        let axes = Mat3::from_columns(&[x, z.cross(&x), z]);
        let rotation = Rotation3::from_matrix_unchecked(axes);
        Ok(UnitQuaternion::from_rotation_matrix(&rotation))
    }
}
