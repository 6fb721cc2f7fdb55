//! The model as a system of equations for the integrators.

use crate::body::Joint;
use crate::dynamics::Motion;
use crate::element::{Moment, TangentWeights};
use crate::frame::{Frame, Mat6, Vec3, Vec6};
use crate::linear::Dense;
use crate::model::Model;
use bristle_integrate::{Instant, SlipState, State, System, Weights};
use nalgebra::{Quaternion, UnitQuaternion};

/// Working storage of an evaluation: one per thread, nothing is allocated inside a step.
#[derive(Debug)]
pub struct Scratch {
    pub(crate) frames: Vec<Frame>,
    pub(crate) other_frames: Vec<Frame>,
    pub(crate) motions: Vec<Motion>,
    /// Sum of forces and moments on every body, about its origin.
    pub(crate) wrenches: Vec<Vec6>,
    /// Tangent blocks handed over by the elements.
    pub(crate) blocks: Vec<(crate::BodyId, crate::BodyId, Mat6)>,
    pub(crate) weights: Option<TangentWeights>,
    pub(crate) mass: Dense,
    pub(crate) matrix: Dense,
    /// Memory and residual of evaluations whose result is not kept.
    memory: Vec<f64>,
    residual: Vec<f64>,
}

/// Natural length and speed where no element knows better.
const LENGTH: f64 = 1e-3;
const SPEED: f64 = 1e-2;

impl Model {
    /// Natural length (m) and speed (m/s): the smallest that an element asks for.
    pub(crate) fn natural_sizes(&self) -> (f64, f64) {
        self.elements
            .iter()
            .filter_map(|e| e.natural_sizes())
            .fold((LENGTH, SPEED), |(l, s), (length, speed)| {
                (l.min(length), s.min(speed))
            })
    }

    /// Frames and joint loads of a committed state, left in `scratch`.
    pub(crate) fn evaluate(&self, state: &State, t: f64, scratch: &mut Scratch) {
        let at = Instant {
            t,
            q: &state.q,
            v: &state.v,
            a: &state.a,
            memory: &state.memory,
            step: 0.0,
        };
        scratch.weights = None;
        let mut memory = std::mem::take(&mut scratch.memory);
        let mut residual = std::mem::take(&mut scratch.residual);
        self.residual_into(scratch, &at, &mut memory, &mut residual);
        (scratch.memory, scratch.residual) = (memory, residual);
    }

    /// Places the frames of a state, in `scratch`.
    fn place_state(&self, state: &State, scratch: &mut Scratch) {
        let Scratch {
            frames, motions, ..
        } = scratch;
        self.place(state.t, (&state.q, &state.v, &state.a), frames, motions);
    }

    /// The name of a degree of freedom for people.
    pub(crate) fn dof_name(&self, dof: usize) -> String {
        let Some(owner) = self.owner.get(dof) else {
            return "a friction state".to_owned();
        };
        let body = &self.bodies[owner.0];
        let own = dof - self.dof_of[owner.0];
        match body.joint {
            Joint::Free => {
                let what = [
                    "x",
                    "y",
                    "z",
                    "rotation about x",
                    "rotation about y",
                    "rotation about z",
                ];
                format!("body `{}` ({})", body.name, what[own.min(5)])
            }
            _ => format!("body `{}` (joint coordinate)", body.name),
        }
    }
}

impl System for Model {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        let bodies = self.bodies.len();
        Scratch {
            frames: vec![Frame::WORLD; bodies],
            other_frames: vec![Frame::WORLD; bodies],
            motions: vec![Motion::Along(Vec3::zeros()); self.dofs],
            wrenches: vec![Vec6::zeros(); bodies],
            blocks: Vec::with_capacity(4 * self.elements.len()),
            weights: None,
            mass: Dense::new(self.dofs),
            matrix: Dense::new(self.dofs),
            memory: vec![0.0; self.memory],
            residual: vec![0.0; self.dofs],
        }
    }

    fn dofs(&self) -> usize {
        self.dofs
    }

    fn coordinates(&self) -> usize {
        self.coordinates
    }

    fn memory(&self) -> usize {
        self.memory
    }

    fn displace(&self, q: &[f64], displacement: &[f64], out: &mut [f64]) {
        for (i, body) in self.bodies.iter().enumerate() {
            let (c, d) = (self.coordinate_of[i], self.dof_of[i]);
            match body.joint {
                Joint::Fixed | Joint::Prescribed(_) => {}
                Joint::Prismatic { .. } => out[c] = q[c] + displacement[d],
                Joint::Free => {
                    for k in 0..3 {
                        out[c + k] = q[c + k] + displacement[d + k];
                    }
                    let turn = Vec3::new(
                        displacement[d + 3],
                        displacement[d + 4],
                        displacement[d + 5],
                    );
                    let old = Quaternion::new(q[c + 3], q[c + 4], q[c + 5], q[c + 6]);
                    // unit to rounding: the norm is restored at every step
                    let new =
                        (UnitQuaternion::from_scaled_axis(turn).quaternion() * old).normalize();
                    out[c + 3..c + 7].copy_from_slice(&[new.w, new.i, new.j, new.k]);
                }
            }
        }
    }

    fn residual(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        residual: &mut [f64],
        memory: &mut [f64],
    ) {
        scratch.weights = None;
        self.residual_into(scratch, at, memory, residual);
    }

    fn factorise(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        weights: Weights,
        residual: &mut [f64],
        memory: &mut [f64],
    ) -> Result<(), usize> {
        let Weights {
            damping, stiffness, ..
        } = weights;
        scratch.weights = Some(TangentWeights { damping, stiffness });
        self.residual_into(scratch, at, memory, residual);
        self.tangent_into(scratch, weights);
        scratch.matrix.factorise()
    }

    fn solve(&self, scratch: &mut Scratch, b: &mut [f64]) {
        scratch.matrix.solve(b);
    }

    fn apply_mass(&self, scratch: &Scratch, x: &[f64], out: &mut [f64]) {
        scratch.mass.multiply(x, out);
    }

    fn scales(&self, displacement: &mut [f64], velocity: &mut [f64]) {
        let (length, speed) = self.natural_sizes();
        displacement.fill(length);
        velocity.fill(speed);
        // an angle moves points at about the radius of gyration
        for (i, body) in self.bodies.iter().enumerate() {
            if matches!(body.joint, Joint::Free) && body.inertia.mass > 0.0 {
                let gyration = (body.inertia.tensor.trace() / (2.0 * body.inertia.mass)).sqrt();
                for k in self.dof_of[i] + 3..self.dof_of[i] + 6 {
                    displacement[k] = length / gyration;
                    velocity[k] = speed / gyration;
                }
            }
        }
    }

    fn memory_scales(&self, scales: &mut [f64]) {
        for (i, element) in self.elements.iter().enumerate() {
            element.memory_scales(&mut scales[self.memory_range(i)]);
        }
    }

    fn memory_between(
        &self,
        scratch: &mut Scratch,
        (before, after): (&State, &State),
        theta: f64,
        memory: &mut [f64],
    ) {
        let Scratch {
            frames,
            other_frames,
            motions,
            ..
        } = scratch;
        self.place(before.t, (&before.q, &before.v, &before.a), frames, motions);
        self.place(
            after.t,
            (&after.q, &after.v, &after.a),
            other_frames,
            motions,
        );
        for (i, element) in self.elements.iter().enumerate() {
            let range = self.memory_range(i);
            if range.is_empty() {
                continue;
            }
            let moment = |state: &'_ State| (state.t, range.clone());
            let ((t0, r0), (t1, r1)) = (moment(before), moment(after));
            let ends = (
                &Moment {
                    t: t0,
                    step: 0.0,
                    frames,
                    memory: &before.memory[r0],
                },
                &Moment {
                    t: t1,
                    step: 0.0,
                    frames: other_frames,
                    memory: &after.memory[r1],
                },
            );
            element.memory_between(ends, theta, &mut memory[range]);
        }
    }

    fn switches(&self) -> bool {
        self.elements.iter().any(|e| e.switches())
    }

    fn margin(&self, scratch: &mut Scratch, state: &State) -> f64 {
        self.place_state(state, scratch);
        let mut margin = f64::INFINITY;
        for (i, element) in self.elements.iter().enumerate() {
            if element.switches() {
                let memory = &state.memory[self.memory_range(i)];
                margin = margin.min(element.margin(state.t, &scratch.frames, memory));
            }
        }
        margin
    }

    fn switch(&self, scratch: &mut Scratch, state: &mut State) {
        self.place_state(state, scratch);
        for (i, element) in self.elements.iter().enumerate() {
            if element.switches() {
                let memory = &mut state.memory[self.memory_range(i)];
                element.switch(state.t, &scratch.frames, memory);
            }
        }
    }

    fn slips(&self, scratch: &mut Scratch, state: &State, each: &mut dyn FnMut(SlipState)) {
        self.place_state(state, scratch);
        for (i, element) in self.elements.iter().enumerate() {
            let memory = &state.memory[self.memory_range(i)];
            element.slips(state.t, &scratch.frames, memory, each);
        }
    }

    fn breakpoints(&self, end_time: f64) -> Vec<f64> {
        let mut all: Vec<f64> = self
            .elements
            .iter()
            .flat_map(|e| e.breakpoints(end_time))
            .collect();
        for body in &self.bodies {
            if let Joint::Prescribed(motion) = &body.joint {
                all.extend(motion.displacement.breakpoints(end_time));
                all.extend(motion.angle.breakpoints(end_time));
            }
        }
        all.retain(|t| t.is_finite());
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    fn blame(&self, scratch: &mut Scratch, at: &Instant<'_>, dof: usize) -> String {
        let name = self.dof_name(dof);
        let Some(owner) = self.owner.get(dof).copied() else {
            return name;
        };
        let mut memory = vec![0.0; self.memory];
        let mut residual = vec![0.0; self.dofs];
        scratch.weights = None;
        self.residual_into(scratch, at, &mut memory, &mut residual);
        // the element that loads this body most
        let mut worst: Option<(f64, String)> = None;
        for (i, element) in self.elements.iter().enumerate() {
            if !element.bodies().contains(&owner) {
                continue;
            }
            let mut sink = Weigh {
                body: owner,
                size: 0.0,
            };
            let range = self.memory_range(i);
            let moment = Moment {
                t: at.t,
                step: at.step,
                frames: &scratch.frames,
                memory: &at.memory[range.clone()],
            };
            element.apply(&moment, &mut memory[range], &mut sink);
            if worst
                .as_ref()
                .is_none_or(|(size, _)| sink.size > *size || sink.size.is_nan())
            {
                worst = Some((
                    sink.size,
                    format!("{} `{}`", element.kind(), element.name()),
                ));
            }
        }
        match worst {
            Some((_, element)) => format!("{name}, {element}"),
            None => name,
        }
    }
}

/// Measures the force an element puts on one body.
struct Weigh {
    body: crate::BodyId,
    size: f64,
}

impl crate::element::Sink for Weigh {
    fn weights(&self) -> Option<TangentWeights> {
        None
    }
    fn wrench(&mut self, body: crate::BodyId, force: &Vec3, _moment: &Vec3) {
        if body == self.body {
            self.size += force.norm();
        }
    }
    fn block(&mut self, _row: crate::BodyId, _column: crate::BodyId, _block: &Mat6) {}
    fn moves(&self, _body: crate::BodyId) -> bool {
        true
    }
}
