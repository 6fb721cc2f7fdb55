//! The model: a tree of bodies and the elements between them.

use crate::body::{Body, BodyId, Joint};
use crate::element::Element;
use crate::frame::{Mat3, Vec3};
use crate::joint::{Coordinate, Step, Steps};
use crate::matrix::Order;
use bristle_integrate::State;
use bristle_signals::Signal;

/// An immutable model.
#[derive(Debug)]
pub struct Model {
    pub(crate) bodies: Vec<Body>,
    /// Steps of the joints, degrees of freedom and driven coordinates.
    pub(crate) joints: Steps,
    pub(crate) dofs: usize,
    pub(crate) coordinates: usize,
    /// Rotation of every joint frame in its parent; `None` where the axes are parallel.
    pub(crate) mounts: Vec<Option<Mat3>>,
    /// Degrees of freedom that move a body, root first.
    pub(crate) chains: Vec<Vec<usize>>,
    /// Whether a body hangs on something at rest, freely or by a joint of one step: then its
    /// motions do not change with the coordinates.
    pub(crate) is_simple: Vec<bool>,
    /// Whether there are elements whose tangent is worth keeping.
    pub(crate) has_slow: bool,
    /// Whether there is a body that is not simple.
    pub(crate) has_chains: bool,
    /// Order of the degrees of freedom in the matrices.
    pub(crate) order: Order,
    /// Elements on joint coordinates: element, body, degree of freedom.
    pub(crate) joint_elements: Vec<(usize, usize, usize)>,
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

    /// Whether nothing moves a body: neither a degree of freedom nor a drive.
    pub fn stands(&self, body: BodyId) -> bool {
        let up = |&i: &usize| (i > 0).then(|| self.bodies[i].parent.0);
        std::iter::successors(Some(body.0), up).all(|i| self.joints.of_body[i].is_empty())
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
            for (k, step) in self.joints.of_body[i].iter().enumerate() {
                let o = body.orientation.quaternion();
                let turned = [o.w, o.i, o.j, o.k];
                match step {
                    Step::Slide(_, Coordinate::Free { q, .. })
                    | Step::Turn(_, Coordinate::Free { q, .. }) => {
                        state.q[*q] = body.coordinates.get(k).copied().unwrap_or(0.0);
                    }
                    Step::Slide(..) | Step::Turn(..) => {}
                    Step::Ball { q, .. } => state.q[*q..q + 4].copy_from_slice(&turned),
                    Step::Float { q, .. } => {
                        state.q[*q..q + 3].copy_from_slice(body.position.as_slice());
                        state.q[q + 3..q + 7].copy_from_slice(&turned);
                    }
                }
            }
            let own = self.own_dofs(i);
            for (v, start) in state.v[own].iter_mut().zip(&body.velocity) {
                *v = *start;
            }
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
        self.start_joint_elements(state);
    }

    /// Degrees of freedom of a body's joint.
    pub(crate) fn own_dofs(&self, body: usize) -> std::ops::Range<usize> {
        let first = self.joints.dof_of[body];
        let end = self.joints.dof_of.get(body + 1).copied();
        first..end.unwrap_or(self.dofs)
    }

    /// The coordinate of a single degree of freedom.
    pub(crate) fn coordinate_of_dof(&self, dof: usize) -> usize {
        let body = self.joints.dofs[dof].body;
        self.joints.coordinate_of[body] + dof - self.joints.dof_of[body]
    }

    /// The motion of a driven coordinate.
    pub(crate) fn drive_signal(&self, place: usize) -> &Signal {
        let drive = &self.joints.drives[place];
        let signal = self.bodies[drive.body].driven(drive.step);
        signal.unwrap_or(&Signal::Constant(0.0))
    }

    /// Joint of a body.
    pub fn joint(&self, body: BodyId) -> &Joint {
        &self.bodies[body.0].joint
    }
}
