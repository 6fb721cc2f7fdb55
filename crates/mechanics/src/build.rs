//! Building and checking a model.

use crate::body::{Body, BodyId, Inertia, Joint};
use crate::element::Element;
use crate::frame::{Mat3, Vec3};
use crate::model::Model;

/// What is wrong with a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Two bodies or two elements share a name.
    #[error("the name `{0}` is given twice")]
    DuplicateName(String),
    /// A body that can move has no mass.
    #[error(
        "body `{body}` can move but has mass = {mass} kg; a moving body needs a mass in (0, ∞) kg"
    )]
    NoMass {
        /// The body.
        body: String,
        /// Its mass, kg.
        mass: f64,
    },
    /// A body that can turn has an inertia that no mass distribution has.
    #[error(
        "body `{body}` has principal moments of inertia {moments:?} kg m^2: all must be in (0, ∞), and none may exceed the sum of the others"
    )]
    BadInertia {
        /// The body.
        body: String,
        /// Principal moments, kg m².
        moments: [f64; 3],
    },
    /// The parent comes after the child, or is the body itself.
    #[error("body `{0}` must come after its parent")]
    Order(String),
}

/// Collects bodies and elements.
#[derive(Debug)]
pub struct ModelBuilder {
    bodies: Vec<Body>,
    elements: Vec<Box<dyn Element>>,
    gravity: Vec3,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// A model with the ground alone.
    pub fn new() -> Self {
        let ground = Body::new("ground", Joint::Fixed, Inertia::NONE);
        Self {
            bodies: vec![ground],
            elements: Vec::new(),
            gravity: Vec3::zeros(),
        }
    }

    /// Sets the acceleration of gravity, m/s².
    pub fn gravity(&mut self, gravity: Vec3) -> &mut Self {
        self.gravity = gravity;
        self
    }

    /// Adds a body; its parent must have been added before.
    ///
    /// # Errors
    /// Names the body and what is wrong with it.
    pub fn body(&mut self, body: Body) -> Result<BodyId, ModelError> {
        if self.bodies.iter().any(|b| b.name == body.name) {
            return Err(ModelError::DuplicateName(body.name));
        }
        if body.parent.0 >= self.bodies.len() {
            return Err(ModelError::Order(body.name));
        }
        check_inertia(&body)?;
        self.bodies.push(body);
        Ok(BodyId(self.bodies.len() - 1))
    }

    /// Adds a force element.
    ///
    /// # Errors
    /// If an element of this name exists.
    pub fn element(&mut self, element: Box<dyn Element>) -> Result<usize, ModelError> {
        if self
            .elements
            .iter()
            .any(|e| e.kind() == element.kind() && e.name() == element.name())
        {
            return Err(ModelError::DuplicateName(element.name().to_owned()));
        }
        self.elements.push(element);
        Ok(self.elements.len() - 1)
    }

    /// The model.
    pub fn build(mut self) -> Model {
        for element in &mut self.elements {
            element.set_gravity(self.gravity);
        }
        let (mut dof_of, mut coordinate_of) = (Vec::new(), Vec::new());
        let (mut chains, mut owner) = (Vec::<Vec<usize>>::new(), Vec::new());
        let (mut dofs, mut coordinates) = (0, 0);
        for (i, body) in self.bodies.iter().enumerate() {
            dof_of.push(dofs);
            coordinate_of.push(coordinates);
            let mut chain = if i == 0 {
                Vec::new()
            } else {
                chains[body.parent.0].clone()
            };
            chain.extend(dofs..dofs + body.joint.dofs());
            chains.push(chain);
            owner.extend(std::iter::repeat_n(BodyId(i), body.joint.dofs()));
            dofs += body.joint.dofs();
            coordinates += body.joint.coordinates();
        }
        let mounts = self.bodies.iter().map(mount).collect();
        let mut memory_of = Vec::new();
        let mut memory = 0;
        for element in &self.elements {
            memory_of.push(memory);
            memory += element.memory();
        }
        Model {
            bodies: self.bodies,
            dof_of,
            coordinate_of,
            dofs,
            coordinates,
            mounts,
            chains,
            owner,
            gravity: self.gravity,
            elements: self.elements,
            memory_of,
            memory,
        }
    }
}

/// The rotation of a joint frame, if it is not the identity.
fn mount(body: &Body) -> Option<Mat3> {
    let turned = body.orientation != nalgebra::UnitQuaternion::identity();
    turned.then(|| *body.orientation.to_rotation_matrix().matrix())
}

fn check_inertia(body: &Body) -> Result<(), ModelError> {
    let mass = body.inertia.mass;
    let moves = body.joint.dofs() > 0;
    if !mass.is_finite() || mass < 0.0 || (moves && mass == 0.0) {
        return Err(ModelError::NoMass {
            body: body.name.clone(),
            mass,
        });
    }
    if matches!(body.joint, Joint::Free) {
        if !body.inertia.tensor.iter().all(|x| x.is_finite()) {
            return Err(ModelError::BadInertia {
                body: body.name.clone(),
                moments: [f64::NAN; 3],
            });
        }
        let moments = body.inertia.tensor.symmetric_eigenvalues();
        let (sum, largest) = (moments.sum(), moments.max());
        // a flat body has equality; leave room for rounding
        let lawful = moments.min() > 0.0 && largest <= (sum - largest) * (1.0 + 1e-9);
        if !lawful {
            return Err(ModelError::BadInertia {
                body: body.name.clone(),
                moments: moments.into(),
            });
        }
    }
    Ok(())
}
