//! Residual and energies of the tree, by recursion over the bodies (Newton–Euler).

use crate::body::BodyId;
use crate::element::{Assembly, Contact, JointFriction, JointInput, TangentWeights};
use crate::frame::{Frame, Mat6, Vec3, Vec6, joined, split};
use crate::joint::JointStep;
use crate::kinematics::Motion;
use crate::model::{JointPlacement, Model};
use crate::scratch::{BodyBlock, JointSlope, ReactionSlope, Scratch, TangentBlocks};
use bristle_integrate::{Instant, State, System as _, TangentRequest};

/// Rounds in which loads and accelerations at the start are found.
const START_ROUNDS: usize = 30;

impl Model {
    /// Residual: inertia forces less applied forces, projected on the degrees of freedom.
    ///
    /// Leaves frames, and the loads on the joints, in `scratch`.
    pub(crate) fn residual_into(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        history: &mut [f64],
        residual: &mut [f64],
    ) {
        self.place(at, &mut scratch.frames, &mut scratch.motions);
        self.collect(scratch, at, history, residual);
        self.apply_joint_elements(scratch, at, history, residual);
    }

    /// The residual without the elements on joint coordinates, for the frames in `scratch`.
    pub(crate) fn collect(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        history: &mut [f64],
        residual: &mut [f64],
    ) {
        for (i, body) in self.bodies.iter().enumerate() {
            scratch.wrenches[i] = if body.inertia.is_none() {
                Vec6::zeros()
            } else {
                -self.inertia_wrench(i, &scratch.frames[i])
            };
        }
        self.apply_elements(scratch, at, history);
        self.apply_loops(scratch, at);
        self.apply_loop_elements(scratch, at, history);
        self.apply_loop_balls(scratch, at, history);
        if scratch.weights.is_some() {
            scratch.own_wrenches.copy_from_slice(&scratch.wrenches);
        }
        // leaf to root: what hangs on a body loads its joint
        for i in (1..self.bodies.len()).rev() {
            let wrench = scratch.wrenches[i];
            let p = scratch.frames[i].p;
            let own = self.own_dofs(i);
            for (r, motion) in residual[own.clone()].iter_mut().zip(&scratch.motions[own]) {
                *r = -motion.force(&p, &wrench);
            }
            let parent = self.bodies[i].parent.0;
            if parent > 0 {
                let (force, moment) = split(&wrench);
                let arm = p - scratch.frames[parent].p;
                scratch.wrenches[parent] += joined(&force, &(moment + arm.cross(&force)));
            }
        }
        scratch.drive_forces.fill(0.0);
        self.constraint_residual(scratch, at, residual);
    }

    /// Friction in joints: a force on a coordinate alone, which may depend on the joint's load. That
    /// on a driven coordinate its drive has to overcome.
    fn apply_joint_elements(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        history: &mut [f64],
        residual: &mut [f64],
    ) {
        scratch.joint_slopes.clear();
        scratch.reaction_slopes.clear();
        for placement in &self.joint_elements {
            let element = &self.elements[placement.element];
            if scratch.leaves_joint_friction_out && element.downcast::<JointFriction>().is_some() {
                continue;
            }
            let friction = element.downcast::<JointFriction>();
            let Some(element) = element.on_joint() else {
                continue;
            };
            let input = self.joint_input(scratch, at, placement);
            let history = &mut history[self.history_range(placement.element)];
            let answer = element.apply(&input, history, scratch.weights);
            let own = placement.motion;
            if let Some(drive) = own.checked_sub(self.dofs) {
                scratch.drive_forces[drive] += answer.force;
                continue;
            }
            residual[own] += answer.force;
            let slope = answer.slope;
            if let Some(friction) = friction.filter(|_| answer.by_reaction != 0.0) {
                scratch.reaction_slopes.push(ReactionSlope {
                    row: own,
                    body: placement.body,
                    by_reaction: friction.load_slope(&input) * answer.by_reaction,
                });
            }
            scratch.joint_slopes.push(JointSlope {
                row: own,
                column: own,
                slope,
            });
        }
        self.apply_balls(scratch, at, history, residual);
        self.apply_coupling_elements(scratch, at, history, residual);
    }

    /// What an element on a joint coordinate is given, with the loads that the recursion left.
    pub(crate) fn joint_input<'a>(
        &self,
        scratch: &Scratch,
        at: &Instant<'a>,
        placement: &JointPlacement,
    ) -> JointInput<'a> {
        let JointPlacement {
            element,
            body,
            motion,
            step,
        } = *placement;
        let (force, moment) = split(&scratch.wrenches[body]);
        let jet = match &self.joints.of_body[body][step] {
            JointStep::Slide(_, by) | JointStep::Turn(_, by) => by.jet(at),
            JointStep::Ball { .. } | JointStep::Float { .. } => [0.0; 3],
        };
        JointInput {
            t: at.t,
            step: at.step,
            stage: at.stage,
            coordinate: jet[0],
            rate: jet[1],
            axis: scratch.motions[motion].axis(),
            reaction_force: -force,
            reaction_moment: -moment,
            history: &at.history[self.history_range(element)],
        }
    }

    /// Sets the history of the elements on joint coordinates up.
    ///
    /// The load of a joint and the accelerations depend on each other: both are found in turns,
    /// which converges by about the friction coefficient each time.
    pub(crate) fn start_joint_elements(&self, state: &mut State) {
        let elements = [
            self.loop_elements.len(),
            self.ball_elements.len(),
            self.coupling_elements.len(),
        ];
        if self.joint_elements.is_empty() && elements == [0; 3] {
            return;
        }
        let mut scratch = self.scratch();
        let mut a = vec![0.0; self.unknowns()];
        for _ in 0..START_ROUNDS {
            let old = state.history.clone();
            let at = Instant {
                t: state.t,
                q: &state.q,
                v: &state.v,
                a: &a,
                history: &old,
                step: 0.0,
                stage: None,
            };
            let (mut history, mut residual) = (old.clone(), vec![0.0; self.unknowns()]);
            let request = TangentRequest::MASS;
            let regular = self.factorise(&mut scratch, &at, request, &mut residual, &mut history);
            for placement in &self.joint_elements {
                let input = self.joint_input(&scratch, &at, placement);
                let range = self.history_range(placement.element);
                if let Some(element) = self.elements[placement.element].on_joint() {
                    element.start(&input, &mut state.history[range]);
                }
            }
            self.start_loop_elements(&scratch.frames, &at, &mut state.history);
            self.start_balls(&scratch, &at, &mut state.history);
            self.start_coupling_elements(&at, &mut state.history);
            if regular.is_err() {
                return;
            }
            self.solve(&mut scratch, &mut residual);
            let size = residual.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (a, r) in a.iter_mut().zip(&residual) {
                *a -= r;
            }
            let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            // the load of a loop is known one round after the accelerations that make it
            let is_settled = size <= 1e-14 * largest && state.history == old;
            if size.is_nan() || is_settled {
                return;
            }
        }
    }

    /// m (a − g) at the centre of mass and I α + ω × I ω, as a wrench about the body's origin.
    pub(crate) fn inertia_wrench(&self, body: usize, frame: &Frame) -> Vec6 {
        let inertia = &self.bodies[body].inertia;
        let still = Vec3::zeros();
        if frame.w == still && frame.alpha == still {
            let force = (frame.a - self.gravity) * inertia.mass;
            return joined(&force, &(frame.r * inertia.centre).cross(&force));
        }
        let arm = frame.r * inertia.centre;
        let tensor = frame.r * inertia.tensor * frame.r.transpose();
        let acceleration = frame.a + frame.alpha.cross(&arm) + frame.w.cross(&frame.w.cross(&arm));
        let force = (acceleration - self.gravity) * inertia.mass;
        let moment = tensor * frame.alpha + frame.w.cross(&(tensor * frame.w));
        joined(&force, &(moment + arm.cross(&force)))
    }

    fn apply_elements(&self, scratch: &mut Scratch, at: &Instant<'_>, history: &mut [f64]) {
        let Scratch {
            frames,
            wrenches,
            blocks,
            weights,
            wants_configuration_tangent,
            leaves_contacts_out,
            ..
        } = scratch;
        blocks.clear();
        let mut assembly = Collected {
            model: self,
            wrenches,
            blocks,
            weights: *weights,
            wants_configuration_tangent: *wants_configuration_tangent && weights.is_some(),
        };
        for (i, element) in self.elements.iter().enumerate() {
            if *leaves_contacts_out && element.downcast::<Contact>().is_some() {
                continue;
            }
            if let Some(element) = element.on_frames() {
                let input = self.input_at(i, at, frames);
                element.apply(&input, &mut history[self.history_range(i)], &mut assembly);
            }
        }
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self, frames: &[Frame]) -> f64 {
        let rigid = self
            .bodies
            .iter()
            .zip(frames)
            .skip(1)
            .fold(0.0, |sum, (body, frame)| {
                let inertia = &body.inertia;
                let velocity = frame.velocity_at(&(frame.r * inertia.centre));
                let w = frame.r.tr_mul(&frame.w);
                sum + 0.5 * (inertia.mass * velocity.norm_squared() + w.dot(&(inertia.tensor * w)))
            });
        let elements = self.elements.iter().filter_map(|e| e.on_frames());
        rigid + elements.map(|e| e.kinetic_energy(frames)).sum::<f64>()
    }

    /// Potential energy of gravity and energy stored in the elements, J.
    pub fn stored_energy(&self, state: &State, frames: &[Frame]) -> f64 {
        let mut bristles = Vec::with_capacity(self.elements.len());
        self.bristle_energies(state, state.t, frames, &mut bristles);
        self.stored_energy_with(&bristles, state, state.t, frames)
    }

    /// Energy in the friction states of every element under the loads of the time `t` (s), J.
    pub(crate) fn bristle_energies(
        &self,
        state: &State,
        t: f64,
        frames: &[Frame],
        out: &mut Vec<f64>,
    ) {
        out.clear();
        out.extend(self.elements.iter().enumerate().map(|(i, element)| {
            let mut at = self.input(i, state, frames);
            at.t = t;
            let frictional = element.frictional();
            frictional.map_or(0.0, |element| element.bristle_energy(&at))
        }));
    }

    /// [`Model::stored_energy`] under the loads of the time `t` (s), as that just before they jump, where the
    /// energies in friction states are known.
    pub(crate) fn stored_energy_with(
        &self,
        bristles: &[f64],
        state: &State,
        t: f64,
        frames: &[Frame],
    ) -> f64 {
        let weight = self
            .bodies
            .iter()
            .zip(frames)
            .skip(1)
            .fold(0.0, |sum, (body, frame)| {
                let centre = frame.p + frame.r * body.inertia.centre;
                sum - body.inertia.mass * self.gravity.dot(&centre)
            });
        self.elements.iter().enumerate().zip(bristles).fold(
            weight,
            |sum, ((i, element), bristles)| {
                let mut at = self.input(i, state, frames);
                at.t = t;
                sum + (element.stored_energy(&at) + bristles)
            },
        )
    }
}

/// Collects wrenches and blocks of the elements.
struct Collected<'a> {
    model: &'a Model,
    wrenches: &'a mut [Vec6],
    blocks: &'a mut TangentBlocks,
    weights: Option<TangentWeights>,
    wants_configuration_tangent: bool,
}

impl Assembly for Collected<'_> {
    fn weights(&self) -> Option<TangentWeights> {
        self.weights
    }

    fn wants_configuration_tangent(&self) -> bool {
        self.wants_configuration_tangent
    }

    fn wrench(&mut self, body: BodyId, force: &Vec3, moment: &Vec3) {
        self.wrenches[body.0] += joined(force, moment);
    }

    fn block(&mut self, row: BodyId, column: BodyId, block: &Mat6) {
        if self.moves(row) && self.moves(column) {
            self.blocks.combined.push(BodyBlock {
                row,
                column,
                entries: *block,
            });
        }
    }

    fn configuration_block(&mut self, row: BodyId, column: BodyId, blocks: &[Mat6; 3]) {
        if self.moves(row) && self.moves(column) {
            self.blocks.configuration.push(BodyBlock {
                row,
                column,
                entries: *blocks,
            });
        }
    }

    fn rate_block(&mut self, row: BodyId, column: BodyId, block: &Mat6) {
        // only a chain of joints has velocities that change with the coordinates
        if self.moves(row) && self.moves(column) && !self.model.is_simple[column.0] {
            self.blocks.rate.push(BodyBlock {
                row,
                column,
                entries: *block,
            });
        }
    }

    fn moves(&self, body: BodyId) -> bool {
        !self.model.chains[body.0].is_empty()
    }
}

impl Motion {
    /// The generalised force of a wrench about `p`.
    #[inline]
    pub(crate) fn force(&self, p: &Vec3, wrench: &Vec6) -> f64 {
        let ((along, about), (force, moment)) = (self.of(p), split(wrench));
        along.dot(&force) + about.dot(&moment)
    }
}
