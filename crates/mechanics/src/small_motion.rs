//! Small motions about a rest: the linear machine, and the places of what is not linear in it.
//!
//! A frequency-domain solver sees M ẍ + C ẋ + K x + Σ Bᵀ f(B x) = p(t), where M, C, K are the tangent
//! of everything but friction pairs, and the rows of B are the slip (and the gap) of each pair.

use crate::element::{Contact, Force, JointEffort, JointFriction, JointSpring, Spring, Torque};
use crate::frame::Vec3;
pub use crate::friction_pair::PairInstant;
use crate::friction_pair::PairMotion;
use crate::kinematics::Motion;
use crate::model::Model;
use crate::modes::Linearised;
use crate::record::values;
use crate::scratch::Scratch;
use bristle_integrate::{Instant, State, System};
use bristle_laws::Slip;
use nalgebra::{DMatrix, DVector, RowDVector};

/// Which of the pairs a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKindAt {
    /// A point of a contact: rows are both slips and the gap, in the axes of the plane.
    ContactPoint(usize),
    /// Friction of a joint: one row, the slip.
    Joint,
}

/// A friction pair of the machine at rest, and how the coordinates move it.
#[derive(Clone, Debug)]
pub struct PairPlace {
    /// Its element in [`Model::elements`].
    pub element: usize,
    /// Which pair of the element.
    pub kind: PairKindAt,
    /// B: displacements of the pair by the degrees of freedom.
    pub by_dofs: DMatrix<f64>,
    /// The same by the driven coordinates.
    pub by_drives: DMatrix<f64>,
    /// Height of a contact point above its plane at rest, m; 0 of a joint.
    pub gap: f64,
    /// Slip displacement at rest, m.
    pub displacement: [f64; 2],
    /// States of the law at rest.
    pub states: Vec<f64>,
    /// Normal force at rest, N.
    pub normal_force: f64,
}

/// A spring with a cubic part, and how the coordinates stretch it.
#[derive(Clone, Debug)]
pub struct CubicPlace {
    /// Its element in [`Model::elements`].
    pub element: usize,
    /// k₃, N/m³ or N m/rad³.
    pub cubic: f64,
    /// Stretch at rest, m or rad.
    pub at_rest: f64,
    /// Stretch by the degrees of freedom.
    pub by_dofs: DMatrix<f64>,
    /// The same by the driven coordinates.
    pub by_drives: DMatrix<f64>,
}

impl Model {
    /// The linear equations about a state at rest without contacts and joint friction.
    pub fn linearise_without_friction(&self, state: &State) -> Linearised {
        let mut scratch = self.scratch();
        scratch.leaves_contacts_out = true;
        scratch.leaves_joint_friction_out = true;
        self.linearise_with(&mut scratch, state)
    }

    /// The friction pairs with their motions, for a state at rest: contact points and joints.
    pub fn pair_places(&self, state: &State) -> Vec<PairPlace> {
        let mut scratch = self.scratch();
        self.evaluate(state, state.t, &mut scratch);
        let mut places = Vec::new();
        for (i, element) in self.elements.iter().enumerate() {
            let history = &state.history[self.history_range(i)];
            if let Some(contact) = element.downcast::<Contact>() {
                for point in 0..contact.points.len() {
                    places.push(self.point_place(i, contact, point, history, &scratch));
                }
            } else if let Some(joint) = element.downcast::<JointFriction>() {
                places.push(self.joint_place(i, joint, state, &scratch));
            }
        }
        places
    }

    fn point_place(
        &self,
        element: usize,
        contact: &Contact,
        point: usize,
        history: &[f64],
        scratch: &Scratch,
    ) -> PairPlace {
        let touch = contact.touch(point, &scratch.frames, history);
        let mut rows = DMatrix::zeros(3, self.motions());
        for (body, sign) in [(contact.body.0, 1.0), (contact.surface.body.0, -1.0)] {
            for column in self.columns_of(body) {
                let (moved, _) = scratch.motions[column].of(&touch.place);
                let local = touch.axes.tr_mul(&moved) * sign;
                for k in 0..3 {
                    rows[(k, column)] += local[k];
                }
            }
        }
        PairPlace {
            element,
            kind: PairKindAt::ContactPoint(point),
            by_dofs: rows.columns(0, self.dofs).into(),
            by_drives: rows.columns_range(self.dofs..).into(),
            gap: touch.gap,
            displacement: touch.displacement,
            states: touch.states,
            normal_force: touch.normal_force,
        }
    }

    fn joint_place(
        &self,
        element: usize,
        joint: &JointFriction,
        state: &State,
        scratch: &Scratch,
    ) -> PairPlace {
        let row = self.element_row(element, scratch);
        let row = row.unwrap_or_else(|| RowDVector::zeros(self.motions())) * joint.lever();
        let (by_dofs, by_drives) = self.split_row(&row);
        let load = self.reaction_load(element, joint, state, scratch);
        let pair = joint
            .friction
            .split(&state.history[self.history_range(element)]);
        let [displacement] = pair.motion.displacement;
        PairPlace {
            element,
            kind: PairKindAt::Joint,
            by_dofs,
            by_drives,
            gap: 0.0,
            displacement: [displacement, 0.0],
            states: pair.law.to_vec(),
            normal_force: load.unwrap_or(0.0),
        }
    }

    /// The load that the reaction at rest puts on the sliding faces of a joint, N; `None` where it is given.
    fn reaction_load(
        &self,
        element: usize,
        joint: &JointFriction,
        state: &State,
        scratch: &Scratch,
    ) -> Option<f64> {
        let of_tree = self.joint_elements.iter().find(|p| p.element == element);
        if let Some(placement) = of_tree {
            let wrench = &scratch.wrenches[placement.body];
            let force = Vec3::new(-wrench[0], -wrench[1], -wrench[2]);
            let moment = Vec3::new(-wrench[3], -wrench[4], -wrench[5]);
            let axis = scratch.motions[placement.motion].axis();
            return joint.reaction(&axis, &force, &moment);
        }
        let at = Instant::of(state, 0.0);
        let of_loop = self.loop_elements.iter().find(|p| p.element == element);
        let of_coupling = self.coupling_elements.iter();
        let input = match of_loop {
            Some(placement) => self.loop_input(&scratch.frames, &at, placement),
            None => of_coupling
                .into_iter()
                .find(|p| p.element == element)
                .and_then(|placement| self.coupling_input(&at, placement)),
        }?;
        joint.reaction(&input.axis, &input.reaction_force, &input.reaction_moment)
    }

    /// A row by the degrees of freedom, and by the drives.
    fn split_row(&self, row: &RowDVector<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
        let part = |part: RowDVector<f64>| DMatrix::from_row_slice(1, part.len(), part.as_slice());
        (
            part(row.columns(0, self.dofs).into()),
            part(row.columns_range(self.dofs..).into()),
        )
    }

    /// Motions that move a body: degrees of freedom and drives of its chain.
    pub(crate) fn columns_of(&self, body: usize) -> Vec<usize> {
        let up = |&i: &usize| (i > 0).then(|| self.bodies[i].parent.0);
        let mut columns = self.chains[body].clone();
        for b in std::iter::successors(Some(body), up) {
            let own = self.joints.drives.iter().enumerate();
            columns.extend(own.filter(|(_, d)| d.body == b).map(|(k, _)| self.dofs + k));
        }
        columns
    }

    /// The generalised force of an applied force or torque, at a point or in a joint, of magnitude 1, for a state at rest;
    /// `None` of other elements.
    pub fn unit_load(&self, element: usize, state: &State) -> Option<DVector<f64>> {
        let mut scratch = self.scratch();
        self.place_state(state, state.t, &mut scratch);
        let frames = &scratch.frames;
        let mut out = DVector::zeros(self.dofs);
        let place = element;
        let element = &self.elements[element];
        if element.downcast::<JointEffort>().is_some() {
            // on a driven coordinate the drive bears it
            let row = self.element_row(place, &scratch)?;
            return Some(row.columns(0, self.dofs).transpose());
        }
        let (body, place, force, moment) = if let Some(force) = element.downcast::<Force>() {
            let frame = &frames[force.body.0];
            let place = frame.p + frame.r * force.point;
            (force.body, place, force.direction_now(frame), Vec3::zeros())
        } else {
            let torque = element.downcast::<Torque>()?;
            let place = frames[torque.body.0].p;
            (torque.body, place, Vec3::zeros(), torque.axis)
        };
        for &dof in &self.chains[body.0] {
            let motion: &Motion = &scratch.motions[dof];
            let (along, about) = motion.of(&place);
            out[dof] = along.dot(&force) + about.dot(&moment);
        }
        Some(out)
    }

    /// What is not linear in the springs about a state at rest: those with a cubic part.
    pub fn cubic_places(&self, state: &State) -> Vec<CubicPlace> {
        let mut scratch = self.scratch();
        self.place_state(state, state.t, &mut scratch);
        let mut places = Vec::new();
        for (i, element) in self.elements.iter().enumerate() {
            let mut row = RowDVector::zeros(self.motions());
            let (cubic, at_rest) = if let Some(spring) = element.downcast::<Spring>() {
                let ends = spring.ends(&scratch.frames);
                let length = (ends[1] - ends[0]).norm();
                let along = (ends[1] - ends[0]) / length.max(f64::MIN_POSITIVE);
                let sides = [(spring.from.body.0, -1.0), (spring.to.body.0, 1.0)];
                for ((body, sign), end) in sides.into_iter().zip(&ends) {
                    for column in self.columns_of(body) {
                        row[column] += sign * along.dot(&scratch.motions[column].of(end).0);
                    }
                }
                (spring.cubic, length - spring.length)
            } else if let Some(spring) = element.downcast::<JointSpring>() {
                let Some(own) = self.element_row(i, &scratch) else {
                    continue;
                };
                row = own;
                (spring.cubic, self.sprung(i, state, &scratch) - spring.rest)
            } else {
                continue;
            };
            let (by_dofs, by_drives) = self.split_row(&row);
            // what moves nothing free is borne by the drives
            if by_dofs.iter().all(|x| *x == 0.0) {
                continue;
            }
            if cubic != 0.0 {
                places.push(CubicPlace {
                    element: i,
                    cubic,
                    at_rest,
                    by_dofs,
                    by_drives,
                });
            }
        }
        places
    }

    /// The coordinate that the spring of a joint acts on.
    fn sprung(&self, element: usize, state: &State, scratch: &Scratch) -> f64 {
        let of_loop = self.loop_elements.iter().find(|p| p.element == element);
        if let Some(placement) = of_loop {
            let at = self.loop_coordinate(placement, &scratch.frames);
            return at.map_or(0.0, |at| at.value);
        }
        let own = self.joint_elements.iter().find(|p| p.element == element);
        own.filter(|p| p.motion < self.dofs)
            .map_or(0.0, |p| state.q[self.coordinate_of_dof(p.motion)])
    }

    /// The values of all channels of a state (their order is that of
    /// [`channels`](crate::record::channels)), with its history and accelerations as they are;
    /// energies since a start are 0.
    pub fn channel_values(&self, scratch: &mut Scratch, state: &State, out: &mut Vec<f64>) {
        self.evaluate(state, state.t, scratch);
        values(self, state, scratch, out);
    }

    /// The residual of a state with its accelerations: forces that do not balance, N or N m.
    /// Contacts and joint friction are left out.
    pub fn residual_without_friction(&self, state: &State) -> DVector<f64> {
        let mut scratch = self.scratch();
        scratch.leaves_contacts_out = true;
        scratch.leaves_joint_friction_out = true;
        self.evaluate(state, state.t, &mut scratch);
        DVector::from_vec(std::mem::take(&mut scratch.residual))
    }

    /// Writes a pair into the history of a state.
    pub fn write_pair(&self, place: &PairPlace, at: &PairInstant<'_>, state: &mut State) {
        let history = &mut state.history[self.history_range(place.element)];
        let element = &self.elements[place.element];
        if let Some(joint) = element.downcast::<JointFriction>() {
            let motion = PairMotion {
                displacement: [place.displacement[0] + at.displacement[0]],
                velocity: [at.velocity[0]],
                normal_force: at.normal_force,
                applied: [0.0],
            };
            joint.friction.write(&motion, at.states, history);
        } else if let (Some(contact), PairKindAt::ContactPoint(point)) =
            (element.downcast::<Contact>(), place.kind)
        {
            let slip = Slip::new(at.velocity, at.normal_force);
            let moved = [0, 1].map(|i| place.displacement[i] + at.displacement[i]);
            let motion = PairMotion {
                displacement: moved,
                velocity: slip.velocity,
                normal_force: slip.normal_force,
                applied: [0.0; 2],
            };
            contact.write_point(point, &motion, at, history);
        }
    }
}
