//! Building and checking a model.

use crate::body::{Body, BodyId, Inertia, Joint};
use crate::constraint::{Constraints, Coupling, CouplingId, JointOwner, LoopId, LoopJoint};
use crate::element::{FrameElement, JointElement, ModelElement};
use crate::fast_modes;
use crate::frame::{Mat3, Vec3};
use crate::joint::{CoordinateKind, JointStep, JointSteps};
use crate::model::{
    BallJoint, BallPlacement, CouplingPlacement, JointPlacement, LoopPlacement, Model,
};
use crate::model_error::ModelError;
use std::collections::HashSet;
use std::sync::OnceLock;

/// Collects bodies and elements.
#[derive(Debug)]
pub struct ModelBuilder {
    bodies: Vec<Body>,
    elements: Vec<ModelElement>,
    loops: Vec<LoopJoint>,
    couplings: Vec<Coupling>,
    gravity: Vec3,
    /// Names of the bodies, and kinds and names of the elements.
    body_names: HashSet<String>,
    element_names: HashSet<(&'static str, String)>,
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
            body_names: HashSet::from([ground.name.clone()]),
            bodies: vec![ground],
            elements: Vec::new(),
            loops: Vec::new(),
            couplings: Vec::new(),
            gravity: Vec3::zeros(),
            element_names: HashSet::new(),
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
        if self.body_names.contains(&body.name) {
            return Err(ModelError::DuplicateName(body.name));
        }
        if body.parent.0 >= self.bodies.len() {
            return Err(ModelError::Order(body.name));
        }
        check_inertia(&body)?;
        self.body_names.insert(body.name.clone());
        self.bodies.push(body);
        Ok(BodyId(self.bodies.len() - 1))
    }

    /// Closes a loop of the tree by a joint.
    ///
    /// # Errors
    /// If the name is taken, or the joint closes nothing.
    pub fn close_loop(&mut self, joint: LoopJoint) -> Result<LoopId, ModelError> {
        if self.loops.iter().any(|other| other.name == joint.name) {
            return Err(ModelError::DuplicateName(joint.name));
        }
        if matches!(joint.joint, Joint::Free | Joint::Prescribed(_)) {
            return Err(ModelError::OpenLoop(joint.name));
        }
        if joint.from.body == joint.to.body {
            return Err(ModelError::OneBody(joint.name));
        }
        self.loops.push(joint);
        Ok(LoopId(self.loops.len() - 1))
    }

    /// Couples joint coordinates.
    ///
    /// # Errors
    /// If the name is taken.
    pub fn couple(&mut self, coupling: Coupling) -> Result<CouplingId, ModelError> {
        let named = |other: &Coupling| other.name == coupling.name;
        let mut alike = self.couplings.iter();
        if alike.any(|other| named(other) && other.is_rigid == coupling.is_rigid) {
            return Err(ModelError::DuplicateName(coupling.name));
        }
        self.couplings.push(coupling);
        Ok(CouplingId(self.couplings.len() - 1))
    }

    /// The bodies so far; the first one is the ground.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The bodies and their constraints alone: where they are, without what acts on them.
    #[must_use]
    pub fn bones(&self) -> Self {
        Self {
            bodies: self.bodies.clone(),
            elements: Vec::new(),
            loops: self.loops.clone(),
            couplings: self.couplings.clone(),
            gravity: self.gravity,
            body_names: self.body_names.clone(),
            element_names: HashSet::new(),
        }
    }

    /// Adds a force element between frames of bodies.
    ///
    /// # Errors
    /// If an element of this kind and name exists.
    pub fn element(&mut self, element: Box<dyn FrameElement>) -> Result<usize, ModelError> {
        self.add(ModelElement::Frames(element))
    }

    /// Adds a force element on a joint coordinate.
    ///
    /// # Errors
    /// If an element of this kind and name exists.
    pub fn joint_element(&mut self, element: Box<dyn JointElement>) -> Result<usize, ModelError> {
        self.add(ModelElement::Joint(element))
    }

    /// Adds a force element.
    ///
    /// # Errors
    /// If an element of this kind and name exists.
    pub fn add(&mut self, element: ModelElement) -> Result<usize, ModelError> {
        let name = (element.kind(), element.name().to_owned());
        if !self.element_names.insert(name) {
            return Err(ModelError::DuplicateName(element.name().to_owned()));
        }
        self.elements.push(element);
        Ok(self.elements.len() - 1)
    }

    /// The model.
    pub fn build(self) -> Model {
        let joints = JointSteps::of(&self.bodies);
        let dofs = joints.dofs.len();
        let mut chains: Vec<Vec<usize>> = vec![Vec::new()];
        for (i, body) in self.bodies.iter().enumerate().skip(1) {
            let end = joints.dof_of.get(i + 1).copied().unwrap_or(dofs);
            let own = joints.dof_of[i]..end;
            chains.push(chains[body.parent.0].iter().copied().chain(own).collect());
        }
        let is_simple = simple(&self.bodies, &joints);
        let has_chains = is_simple.iter().any(|simple| !simple);
        let joint_elements = joint_elements(&self.elements, &joints);
        let ball_elements = ball_elements(&self.elements, &joints);
        let loop_elements = loop_elements(&self.elements);
        let coupling_elements = coupling_elements(&self.elements);
        let mounts = self.bodies.iter().map(mount).collect();
        let fast_modes = fast_modes::of_bodies(&self.bodies, &self.elements);
        let mut history_of = Vec::new();
        let mut history = 0;
        for element in &self.elements {
            history_of.push(history);
            history += element.history_len();
        }
        let mut model = Model {
            bodies: self.bodies,
            dofs,
            coordinates: joints.coordinates,
            groups: joints.groups(|body| fast_modes[body]),
            joints,
            mounts,
            chains,
            is_simple,
            has_configuration_tangent: self
                .elements
                .iter()
                .filter_map(|e| e.on_frames())
                .any(FrameElement::has_configuration_tangent),
            has_chains,
            order: OnceLock::new(),
            joint_elements,
            loop_elements,
            ball_elements,
            coupling_elements,
            constraints: Constraints::new(self.loops, self.couplings),
            gravity: self.gravity,
            elements: self.elements,
            elements_of_body: OnceLock::new(),
            history_of,
            history,
        };
        model.leave_out_dependent_rows();
        model
    }
}

/// Bodies on something at rest whose own joint does not turn its own axes.
fn simple(bodies: &[Body], joints: &JointSteps) -> Vec<bool> {
    let mut rests = vec![true];
    let mut is_simple = vec![true];
    for (i, body) in bodies.iter().enumerate().skip(1) {
        let steps = &joints.of_body[i];
        rests.push(rests[body.parent.0] && steps.is_empty());
        // a step after a rotation moves with it
        let turns = steps.iter().position(|s| matches!(s, JointStep::Turn(..)));
        let last = turns.is_none_or(|place| place + 1 == steps.len());
        is_simple.push(rests[body.parent.0] && last);
    }
    is_simple
}

/// Elements on joint coordinates, with the degree of freedom, or the drive, that they resist.
fn joint_elements(elements: &[ModelElement], joints: &JointSteps) -> Vec<JointPlacement> {
    let mut all = Vec::new();
    for (i, element) in elements.iter().enumerate() {
        let Some((JointOwner::Body(body), place)) = element.on_joint().map(JointElement::joint)
        else {
            continue;
        };
        let step = joints
            .of_body
            .get(body.0)
            .and_then(|steps| steps.get(place));
        if let Some(JointStep::Slide(_, by) | JointStep::Turn(_, by)) = step
            && joints
                .dofs
                .get(by.place())
                .is_none_or(|dof| dof.kind == CoordinateKind::Single)
        {
            all.push(JointPlacement {
                element: i,
                body: body.0,
                motion: by.place(),
                step: place,
            });
        }
    }
    all
}

/// Elements on the joints of loops.
fn loop_elements(elements: &[ModelElement]) -> Vec<LoopPlacement> {
    let places = elements.iter().enumerate();
    places
        .filter_map(|(element, own)| {
            let (owner, place) = own.on_joint()?.joint();
            Some(LoopPlacement {
                element,
                of_loop: owner.loop_id()?.0,
                place,
            })
        })
        .collect()
}

/// Friction in spherical joints.
fn ball_elements(elements: &[ModelElement], joints: &JointSteps) -> Vec<BallPlacement> {
    let place = |(element, own): (usize, &ModelElement)| {
        let owner = own.on_ball()?.joint;
        let joint = if let Some(id) = owner.loop_id() {
            BallJoint::Loop(id.0)
        } else {
            let body = owner.moving().0;
            match joints.of_body.get(body)?[..] {
                [JointStep::Ball { q, v }] => BallJoint::Tree { body, q, v },
                _ => return None,
            }
        };
        Some(BallPlacement { element, joint })
    };
    elements.iter().enumerate().filter_map(place).collect()
}

/// Elements on couplings.
fn coupling_elements(elements: &[ModelElement]) -> Vec<CouplingPlacement> {
    let places = elements.iter().enumerate();
    places
        .filter_map(|(element, own)| {
            let coupling = own.on_joint()?.joint().0.coupling_id()?.0;
            Some(CouplingPlacement { element, coupling })
        })
        .collect()
}

/// The rotation of a joint frame, if it is not the identity; that of a free or spherical body is
/// a coordinate.
fn mount(body: &Body) -> Option<Mat3> {
    let turned = body.orientation != nalgebra::UnitQuaternion::identity()
        && !matches!(body.joint, Joint::Free | Joint::Spherical);
    turned.then(|| *body.orientation.to_rotation_matrix().matrix())
}

fn check_inertia(body: &Body) -> Result<(), ModelError> {
    let Inertia { mass, tensor, .. } = body.inertia;
    let moves = body.dofs() > 0 && !body.is_node;
    if !mass.is_finite() || mass < 0.0 || (moves && mass == 0.0) {
        return Err(ModelError::NoMass {
            body: body.name.clone(),
            mass,
        });
    }
    let turns_about_all = matches!(body.joint, Joint::Free | Joint::Spherical) && !body.is_node;
    let bad = |moments| {
        Err(ModelError::BadInertia {
            body: body.name.clone(),
            moments,
        })
    };
    if !tensor.iter().all(|x| x.is_finite()) {
        return bad([f64::NAN; 3]);
    }
    if turns_about_all || tensor.amax() > 0.0 {
        let moments = tensor.symmetric_eigenvalues();
        let (sum, largest) = (moments.sum(), moments.max());
        let least = if turns_about_all {
            moments.min() > 0.0
        } else {
            moments.min() >= -1e-9 * largest
        };
        // a flat body has equality; leave room for rounding
        if !least || largest > (sum - largest) * (1.0 + 1e-9) {
            return bad(moments.into());
        }
    }
    Ok(())
}
