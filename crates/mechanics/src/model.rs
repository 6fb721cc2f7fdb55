//! The model: a tree of bodies and the elements between them.

use crate::body::{Body, BodyId, Joint};
use crate::element::Element;
use crate::frame::{Mat3, Vec3};
use bristle_integrate::State;

/// An immutable model.
#[derive(Debug)]
pub struct Model {
    pub(crate) bodies: Vec<Body>,
    /// First degree of freedom and first coordinate of every body.
    pub(crate) dof_of: Vec<usize>,
    pub(crate) coordinate_of: Vec<usize>,
    pub(crate) dofs: usize,
    pub(crate) coordinates: usize,
    /// Rotation of every joint frame in its parent; `None` where the axes are parallel.
    pub(crate) mounts: Vec<Option<Mat3>>,
    /// Degrees of freedom that move a body, root first.
    pub(crate) chains: Vec<Vec<usize>>,
    /// The body that owns a degree of freedom.
    pub(crate) owner: Vec<BodyId>,
    pub(crate) gravity: Vec3,
    pub(crate) elements: Vec<Box<dyn Element>>,
    /// First memory entry of every element.
    pub(crate) memory_of: Vec<usize>,
    pub(crate) memory: usize,
}

impl Model {
    /// The bodies; the first one is the ground.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The force elements.
    pub fn elements(&self) -> &[Box<dyn Element>] {
        &self.elements
    }

    /// Acceleration of gravity, m/s².
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// A body by name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|b| b.name == name).map(BodyId)
    }

    /// The memory range of an element.
    pub(crate) fn memory_range(&self, element: usize) -> std::ops::Range<usize> {
        let end = self
            .memory_of
            .get(element + 1)
            .copied()
            .unwrap_or(self.memory);
        self.memory_of[element]..end
    }

    /// The state at the start, with the memory of the elements set up for it.
    pub fn start(&self) -> State {
        let mut state = State::zeros(self);
        for (i, body) in self.bodies.iter().enumerate() {
            let q = &mut state.q[self.coordinate_of[i]..];
            match body.joint {
                Joint::Fixed | Joint::Prescribed(_) => {}
                Joint::Prismatic { .. } => q[0] = body.coordinate,
                Joint::Free => {
                    q[..3].copy_from_slice(body.position.as_slice());
                    let o = body.orientation.quaternion();
                    q[3..7].copy_from_slice(&[o.w, o.i, o.j, o.k]);
                }
            }
            let first = self.dof_of[i];
            state.v[first..first + body.velocity.len()].copy_from_slice(&body.velocity);
        }
        self.reset_memory(&mut state);
        state
    }

    /// Sets the memory of every element up for the coordinates and velocities of `state`.
    pub fn reset_memory(&self, state: &mut State) {
        let frames = self.frames(state.t, &state.q, &state.v, &state.a);
        for (i, element) in self.elements.iter().enumerate() {
            element.start(state.t, &frames, &mut state.memory[self.memory_range(i)]);
        }
    }
}
