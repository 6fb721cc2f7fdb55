//! The model: a tree of bodies and the elements between them.

use crate::body::{Body, BodyId};
use crate::constraint::{Constraints, Coupling, LoopJoint};
use crate::coupling::{self, CoupledParts};
use crate::element::{Contact, Element, ElementInput, JointFriction, ModelElement, RubbingJoint};
use crate::frame::{Frame, Mat3, Vec3};
use crate::joint::{Coordinate, JointStep, JointSteps};
use crate::matrix::Order;
use bristle_integrate::{DofGroup, Instant, State};
use bristle_signals::Signal;
use std::sync::OnceLock;

/// Where an element on a joint coordinate acts, by indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointPlacement {
    pub(crate) element: usize,
    pub(crate) body: usize,
    /// The coordinate among the motions: of a degree of freedom, or behind those of a drive.
    pub(crate) motion: usize,
    /// Its step of the joint.
    pub(crate) step: usize,
}

/// Where an element on the joint of a loop acts, by indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopPlacement {
    pub(crate) element: usize,
    pub(crate) of_loop: usize,
    pub(crate) place: usize,
}

/// Which coupling an element slides on, by indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CouplingPlacement {
    pub(crate) element: usize,
    pub(crate) coupling: usize,
}

/// A spherical joint with friction, by indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BallPlacement {
    pub(crate) element: usize,
    pub(crate) joint: BallJoint,
}

/// Which spherical joint.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BallJoint {
    /// That of a body, with its coordinates at `q` and its angular velocity at `v`.
    Tree { body: usize, q: usize, v: usize },
    /// That of a loop.
    Loop(usize),
}

/// An immutable model.
#[derive(Debug)]
pub struct Model {
    pub(crate) bodies: Vec<Body>,
    /// Steps of the joints, degrees of freedom and driven coordinates.
    pub(crate) joints: JointSteps,
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
    pub(crate) has_configuration_tangent: bool,
    /// Whether there is a body that is not simple.
    pub(crate) has_chains: bool,
    /// Order of the degrees of freedom in the matrices, once it is asked for: in long chains it is
    /// the largest part of a model, which reading alone does not need.
    pub(crate) order: OnceLock<Order>,
    /// Elements on joint coordinates.
    pub(crate) joint_elements: Vec<JointPlacement>,
    /// Elements on the joints of loops.
    pub(crate) loop_elements: Vec<LoopPlacement>,
    /// Friction in spherical joints.
    pub(crate) ball_elements: Vec<BallPlacement>,
    /// Elements on couplings.
    pub(crate) coupling_elements: Vec<CouplingPlacement>,
    /// Loops and couplings.
    pub(crate) constraints: Constraints,
    pub(crate) gravity: Vec3,
    pub(crate) elements: Vec<ModelElement>,
    /// Elements of every body, once they are asked for.
    pub(crate) elements_of_body: OnceLock<Vec<Vec<usize>>>,
    /// First history entry of every element.
    pub(crate) history_of: Vec<usize>,
    pub(crate) history: usize,
    /// Degrees of freedom whose errors are judged together.
    pub(crate) groups: Vec<DofGroup>,
}

impl Model {
    /// The bodies; the first one is the ground.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The force elements.
    pub fn elements(&self) -> &[ModelElement] {
        &self.elements
    }

    /// The force elements on a body or on its joint.
    pub fn elements_on(&self, body: BodyId) -> impl Iterator<Item = &ModelElement> {
        let all = self.elements_of_body.get_or_init(|| {
            let mut all = vec![Vec::new(); self.bodies.len()];
            for (i, element) in self.elements.iter().enumerate() {
                let joint = element.on_joint().map(|joint| joint.joint().0.moving());
                let mut bodies: Vec<BodyId> = element.bodies().into_iter().chain(joint).collect();
                bodies.sort_unstable();
                bodies.dedup();
                for body in bodies {
                    all[body.0].push(i);
                }
            }
            all
        });
        let own = all.get(body.0).map_or(&[][..], Vec::as_slice);
        own.iter().map(|&i| &self.elements[i])
    }

    /// The contacts.
    pub fn contacts(&self) -> impl Iterator<Item = &Contact> {
        self.elements_of()
    }

    /// What rubs in joints, single coordinates and spherical joints alike.
    pub fn rubbing_joints(&self) -> impl Iterator<Item = RubbingJoint<'_>> {
        let elements = self.elements.iter();
        elements.filter_map(|element| RubbingJoint::of(&**element))
    }

    /// Friction on the single coordinates of joints.
    pub fn joint_frictions(&self) -> impl Iterator<Item = &JointFriction> {
        self.elements_of()
    }

    fn elements_of<E: Element>(&self) -> impl Iterator<Item = &E> {
        self.elements
            .iter()
            .filter_map(|element| element.downcast())
    }

    /// What an element is evaluated with at an instant, with the frames there.
    pub fn input_at<'a>(
        &self,
        element: usize,
        at: &Instant<'a>,
        frames: &'a [Frame],
    ) -> ElementInput<'a> {
        ElementInput {
            t: at.t,
            step: at.step,
            stage: at.stage,
            gravity: self.gravity,
            frames,
            history: &at.history[self.history_range(element)],
        }
    }

    /// What an element is evaluated with in a committed state, with the frames there.
    pub fn input<'a>(
        &self,
        element: usize,
        state: &'a State,
        frames: &'a [Frame],
    ) -> ElementInput<'a> {
        self.input_at(element, &Instant::of(state, 0.0), frames)
    }

    /// The joints that close loops.
    pub fn loops(&self) -> &[LoopJoint] {
        &self.constraints.loops
    }

    /// Number of independent constraints: rows that loops and couplings add to the equations.
    pub fn constraints(&self) -> usize {
        self.constraints.len()
    }

    /// The couplings of joint coordinates.
    pub fn couplings(&self) -> &[Coupling] {
        &self.constraints.couplings
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

    /// The history range of an element.
    pub(crate) fn history_range(&self, element: usize) -> std::ops::Range<usize> {
        let end = self
            .history_of
            .get(element + 1)
            .copied()
            .unwrap_or(self.history);
        self.history_of[element]..end
    }

    /// The state at the start, with closed loops as far as they can be closed
    /// ([`Model::assembly`] says whether they are), and with the history of the elements set up for
    /// it.
    pub fn start(&self) -> State {
        let mut state = self.start_as_given();
        if !self.constraints.is_empty() {
            let given = state.clone();
            if self.assemble(&mut state).is_err() {
                state = given;
            }
        }
        self.reset_history(&mut state);
        state
    }

    /// The state at the start without history, before loops are closed.
    pub(crate) fn start_as_given(&self) -> State {
        let mut state = State::zeros(self);
        for (i, body) in self.bodies.iter().enumerate() {
            for (k, step) in self.joints.of_body[i].iter().enumerate() {
                let o = body.orientation.quaternion();
                let turned = [o.w, o.i, o.j, o.k];
                match step {
                    JointStep::Slide(_, Coordinate::Free { q, .. })
                    | JointStep::Turn(_, Coordinate::Free { q, .. }) => {
                        state.q[*q] = body.coordinates.get(k).copied().unwrap_or(0.0);
                    }
                    JointStep::Slide(..) | JointStep::Turn(..) => {}
                    JointStep::Ball { q, .. } => state.q[*q..q + 4].copy_from_slice(&turned),
                    JointStep::Float { q, .. } => {
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
        state
    }

    /// Sets the history of every element up for the coordinates and velocities of `state`.
    pub fn reset_history(&self, state: &mut State) {
        let frames = self.frames(state.t, &state.q, &state.v, &state.a);
        let at = ElementInput {
            t: state.t,
            step: 0.0,
            stage: None,
            gravity: self.gravity,
            frames: &frames,
            history: &[],
        };
        for (i, element) in self.elements.iter().enumerate() {
            if let Some(element) = element.on_frames() {
                element.start(&at, &mut state.history[self.history_range(i)]);
            }
        }
        self.start_joint_elements(state);
    }

    /// Order of the degrees of freedom in the matrices.
    pub(crate) fn order(&self) -> &Order {
        let parts = CoupledParts {
            bodies: &self.bodies,
            elements: &self.elements,
            joints: &self.joints,
            constraints: &self.constraints,
        };
        let order = || coupling::order(&parts);
        self.order.get_or_init(order)
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
}
