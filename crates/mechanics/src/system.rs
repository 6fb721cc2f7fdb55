//! The model as a system of equations for the integrators.

use crate::element::{Moment, TangentWeights};
use crate::frame::{Frame, Mat6, Vec3, Vec6};
use crate::joint::{Coordinate, Kind, Step};
use crate::kinematics::Motion;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::tangent::Slow;
use bristle_integrate::{Instant, Renew, SlipState, State, System, Weights};
use nalgebra::{Quaternion, UnitQuaternion};

/// Working storage of an evaluation: one per thread, nothing is allocated inside a step.
#[derive(Debug)]
pub struct Scratch {
    pub(crate) frames: Vec<Frame>,
    pub(crate) other_frames: Vec<Frame>,
    pub(crate) motions: Vec<Motion>,
    /// Sum of forces and moments on every body, about its origin.
    pub(crate) wrenches: Vec<Vec6>,
    /// The wrenches without what hangs on the body; only where a tangent is wanted.
    pub(crate) own_wrenches: Vec<Vec6>,
    /// Frames before the single steps of the joints; only where a tangent is wanted.
    pub(crate) carriers: Vec<Frame>,
    /// Tangent blocks handed over by the elements.
    pub(crate) blocks: Blocks,
    /// Slopes of the friction in joints, by degree of freedom.
    pub(crate) joint_slopes: Vec<(usize, f64)>,
    pub(crate) weights: Option<TangentWeights>,
    /// Whether the slow part of the tangent is wanted, too.
    pub(crate) wants_slow: bool,
    /// Whether contacts count as open.
    pub(crate) leaves_contacts_out: bool,
    pub(crate) slow: Slow,
    pub(crate) matrix: Matrix,
    /// Memory and residual of evaluations whose result is not kept.
    memory: Vec<f64>,
    residual: Vec<f64>,
}

/// Tangent blocks of elements: row, column, block.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// c ∂W/∂V + k ∂W/∂x.
    pub(crate) combined: Vec<(crate::BodyId, crate::BodyId, Mat6)>,
    /// ∂W/∂x, ∂W/∂V and ∂W/∂A of what changes slowly.
    pub(crate) slow: Vec<(crate::BodyId, crate::BodyId, [Mat6; 3])>,
    /// ∂W/∂V, only where it is needed beside the combined ones.
    pub(crate) rate: Vec<(crate::BodyId, crate::BodyId, Mat6)>,
}

impl Blocks {
    pub(crate) fn clear(&mut self) {
        self.combined.clear();
        self.slow.clear();
        self.rate.clear();
    }
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

    /// Places the frames of a state, in `scratch`; drives are at their places of time `t`.
    pub(crate) fn place_state(&self, state: &State, t: f64, scratch: &mut Scratch) {
        let Scratch {
            frames, motions, ..
        } = scratch;
        self.place(t, (&state.q, &state.v, &state.a), frames, motions);
    }

    /// The name of a degree of freedom for people.
    pub(crate) fn dof_name(&self, dof: usize) -> String {
        let Some(at) = self.joints.dofs.get(dof) else {
            return "a friction state".to_owned();
        };
        let name = &self.bodies[at.body].name;
        let own = dof - self.joints.dof_of[at.body];
        let axis = ["x", "y", "z"][own % 3];
        match at.kind {
            Kind::Translation => format!("body `{name}` ({axis})"),
            Kind::Rotation => format!("body `{name}` (rotation about {axis})"),
            Kind::Single if self.own_dofs(at.body).len() == 1 => {
                format!("body `{name}` (joint coordinate)")
            }
            Kind::Single => format!("body `{name}` (joint coordinate {})", own + 1),
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
            motions: vec![Motion::Along(Vec3::zeros()); self.motions()],
            wrenches: vec![Vec6::zeros(); bodies],
            own_wrenches: vec![Vec6::zeros(); bodies],
            carriers: vec![Frame::WORLD; self.motions()],
            blocks: Blocks::default(),
            joint_slopes: Vec::with_capacity(self.joint_elements.len()),
            weights: None,
            wants_slow: false,
            leaves_contacts_out: false,
            slow: Slow::new(&self.order),
            matrix: Matrix::new(&self.order),
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
        for step in self.joints.of_body.iter().flatten() {
            match step {
                Step::Slide(_, by) | Step::Turn(_, by) => {
                    if let Coordinate::Free { q: c, v: d } = by {
                        out[*c] = q[*c] + displacement[*d];
                    }
                }
                Step::Ball { q: c, v: d } => {
                    turn(&q[*c..], &displacement[*d..], &mut out[*c..*c + 4]);
                }
                Step::Float { q: c, v: d } => {
                    for k in 0..3 {
                        out[c + k] = q[c + k] + displacement[d + k];
                    }
                    turn(&q[c + 3..], &displacement[d + 3..], &mut out[c + 3..c + 7]);
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
        (weights, renew): (Weights, Renew),
        residual: &mut [f64],
        memory: &mut [f64],
    ) -> Result<(), usize> {
        let Weights {
            damping, stiffness, ..
        } = weights;
        scratch.weights = Some(TangentWeights { damping, stiffness });
        scratch.wants_slow = renew == Renew::All || !scratch.slow.known;
        self.residual_into(scratch, at, memory, residual);
        self.tangent_into(scratch, at, weights);
        scratch.matrix.factorise()
    }

    fn solve(&self, scratch: &mut Scratch, b: &mut [f64]) {
        scratch.matrix.solve(b);
    }

    fn apply_mass(&self, scratch: &Scratch, x: &[f64], out: &mut [f64]) {
        scratch.slow.mass.multiply(x, out);
    }

    fn scales(&self, displacement: &mut [f64], velocity: &mut [f64]) {
        let (length, speed) = self.natural_sizes();
        displacement.fill(length);
        velocity.fill(speed);
        // an angle moves points at about the radius of gyration
        for (k, dof) in self.joints.dofs.iter().enumerate() {
            if !dof.turns {
                continue;
            }
            let radius = self.radius(dof.body);
            if radius > 0.0 {
                displacement[k] = length / radius;
                velocity[k] = speed / radius;
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
        self.place_state(state, state.t, scratch);
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
        self.place_state(state, state.t, scratch);
        for (i, element) in self.elements.iter().enumerate() {
            if element.switches() {
                let memory = &mut state.memory[self.memory_range(i)];
                element.switch(state.t, &scratch.frames, memory);
            }
        }
    }

    fn turn(&self, before: &State, after: &State) -> Option<f64> {
        let h = after.t - before.t;
        let turns = self.elements.iter().enumerate().filter_map(|(i, element)| {
            let range = self.memory_range(i);
            element.turn(h, &before.memory[range.clone()], &after.memory[range])
        });
        turns.reduce(f64::min)
    }

    fn slips(&self, scratch: &mut Scratch, state: &State, each: &mut dyn FnMut(SlipState)) {
        self.place_state(state, state.t, scratch);
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
        for drive in 0..self.joints.drives.len() {
            all.extend(self.drive_signal(drive).breakpoints(end_time));
        }
        all.retain(|t| t.is_finite());
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    fn blame(&self, scratch: &mut Scratch, at: &Instant<'_>, dof: usize) -> String {
        let name = self.dof_name(dof);
        let Some(dof) = self.joints.dofs.get(dof) else {
            return name;
        };
        let owner = crate::BodyId(dof.body);
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

impl Model {
    /// Length that turns a rotation of a body about its joint into a displacement, m.
    fn radius(&self, body: usize) -> f64 {
        let body = &self.bodies[body];
        let inertia = &body.inertia;
        if body.size > 0.0 || inertia.mass <= 0.0 {
            return body.size;
        }
        let own = inertia.tensor.trace() / (2.0 * inertia.mass);
        let carried = if matches!(body.joint, crate::Joint::Free) {
            0.0
        } else {
            inertia.centre.norm_squared()
        };
        (own + carried).sqrt()
    }
}

/// Turns a quaternion by a rotation vector of the axes before it.
fn turn(old: &[f64], by: &[f64], out: &mut [f64]) {
    let by = Vec3::new(by[0], by[1], by[2]);
    let old = Quaternion::new(old[0], old[1], old[2], old[3]);
    // unit to rounding: the norm is restored at every step
    let new = (UnitQuaternion::from_scaled_axis(by).quaternion() * old).normalize();
    out.copy_from_slice(&[new.w, new.i, new.j, new.k]);
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
