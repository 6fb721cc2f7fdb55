//! The continuous view of a model, y' = f(t, y), for any ODE solver.
//!
//! The integrators of this project use the constitutive update of the friction laws; this view
//! uses their rate equations instead. Two solutions that agree come from two formulations.
//! Friction in joints has the load of the start here if it comes from the reaction.

use crate::element::{WithinStep, quaternion_rate};
use crate::frame::Vec3;
use crate::joint::{Coordinate, JointStep};
use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::{Instant, State, System, TangentRequest};

/// A model as a system of first-order equations, y = (q, q̇, history).
#[derive(Debug)]
pub struct Continuous<'m> {
    model: &'m Model,
}

/// Working storage of an evaluation.
#[derive(Debug)]
pub struct ContinuousScratch {
    scratch: Scratch,
    rest: Vec<f64>,
    a: Vec<f64>,
    history: Vec<f64>,
}

impl<'m> Continuous<'m> {
    /// The continuous view of a model.
    pub fn new(model: &'m Model) -> Self {
        Self { model }
    }

    /// Working storage.
    pub fn scratch(&self) -> ContinuousScratch {
        let n = self.model.unknowns();
        ContinuousScratch {
            scratch: self.model.scratch(),
            rest: vec![0.0; n],
            a: vec![0.0; n],
            history: vec![0.0; self.model.history],
        }
    }

    /// Length of y.
    pub fn len(&self) -> usize {
        self.model.coordinates + self.model.unknowns() + self.model.history
    }

    /// Whether nothing moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// y of a state.
    pub fn pack(&self, state: &State) -> Vec<f64> {
        [&state.q[..], &state.v, &state.history].concat()
    }

    /// y' at t. A singular mass matrix gives NaN, which every solver refuses.
    pub fn rates(&self, work: &mut ContinuousScratch, t: f64, y: &[f64], dy: &mut [f64]) {
        let model = self.model;
        let (q, rest) = y.split_at(model.coordinates);
        let (v, history) = rest.split_at(model.unknowns());
        let (dq, rest) = dy.split_at_mut(model.coordinates);
        let (dv, dhistory) = rest.split_at_mut(model.unknowns());
        let ContinuousScratch {
            scratch,
            rest,
            a,
            history: unused,
        } = work;
        let at = Instant {
            t,
            q,
            v,
            a: rest,
            history,
            step: 0.0,
            stage: None,
        };
        let request = TangentRequest::MASS;
        if model.factorise(scratch, &at, request, a, unused).is_err() {
            dy.fill(f64::NAN);
            return;
        }
        model.solve(scratch, a);
        for (to, a) in dv.iter_mut().zip(&*a) {
            *to = -a;
        }
        let spin = |d: usize| Vec3::new(v[d], v[d + 1], v[d + 2]);
        for step in model.joints.of_body.iter().flatten() {
            match step {
                JointStep::Slide(_, by) | JointStep::Turn(_, by) => {
                    if let Coordinate::Free { q: c, v: d } = by {
                        dq[*c] = v[*d];
                    }
                }
                JointStep::Ball { q: c, v: d } => {
                    let rate = quaternion_rate(&q[*c..c + 4], &spin(*d));
                    dq[*c..c + 4].copy_from_slice(&rate);
                }
                JointStep::Float { q: c, v: d } => {
                    dq[*c..c + 3].copy_from_slice(&v[*d..d + 3]);
                    let rate = quaternion_rate(&q[c + 3..c + 7], &spin(d + 3));
                    dq[c + 3..c + 7].copy_from_slice(&rate);
                }
            }
        }
        model.rates_of_history(scratch, &at, dhistory);
    }
}

impl Model {
    /// Rates of the history of every element, with the frames and loads that an evaluation left.
    pub(crate) fn rates_of_history(&self, scratch: &Scratch, at: &Instant<'_>, out: &mut [f64]) {
        for (i, element) in self.elements.iter().enumerate() {
            let rates = &mut out[self.history_range(i)];
            match element.on_frames() {
                Some(element) => {
                    element.history_rates(&self.input_at(i, at, &scratch.frames), rates);
                }
                None => rates.fill(0.0),
            }
        }
        for placement in &self.coupling_elements {
            let rates = &mut out[self.history_range(placement.element)];
            let element = self.elements[placement.element].on_joint();
            if let Some((element, input)) = element.zip(self.coupling_input(at, placement)) {
                element.history_rates(&input, rates);
            }
        }
        for placement in &self.loop_elements {
            let rates = &mut out[self.history_range(placement.element)];
            let input = self.loop_input(&scratch.frames, at, placement);
            if let Some((element, input)) = self.elements[placement.element].on_joint().zip(input) {
                element.history_rates(&input, rates);
            }
        }
        for placement in &self.joint_elements {
            let input = self.joint_input(scratch, at, placement);
            let rates = &mut out[self.history_range(placement.element)];
            if let Some(element) = self.elements[placement.element].on_joint() {
                element.history_rates(&input, rates);
            }
        }
        for placement in &self.ball_elements {
            let rates = &mut out[self.history_range(placement.element)];
            if let Some((element, input)) = self.ball_input(scratch, at, placement) {
                element.history_rates(&input, rates);
            }
        }
    }

    /// Gives the elements on joint coordinates the motion of a state within a step; those with friction
    /// have a path of their own.
    pub(crate) fn follow_coordinates(
        &self,
        scratch: &mut Scratch,
        ends: [&State; 2],
        fraction: f64,
        state: &mut State,
    ) {
        let follow = |i: usize, coordinate: f64, rate: f64, history: &mut [f64]| {
            let range = self.history_range(i);
            let at = WithinStep {
                coordinate,
                rate,
                times: ends.map(|end| end.t),
                fraction,
                ends: ends.map(|end| &end.history[range.clone()]),
            };
            if let Some(element) = self.elements[i].on_joint() {
                element.follow(&at, &mut history[range]);
            }
        };
        for placement in &self.joint_elements {
            let step = &self.joints.of_body[placement.body][placement.step];
            let (JointStep::Slide(_, by) | JointStep::Turn(_, by)) = step else {
                continue;
            };
            let [coordinate, rate, _] = by.jet(&Instant::of(state, 0.0));
            follow(placement.element, coordinate, rate, &mut state.history);
        }
        let loops = self.loop_elements.iter();
        let mut loops = loops
            .filter(|placement| self.elements[placement.element].frictional().is_none())
            .peekable();
        if loops.peek().is_none() {
            return;
        }
        self.place_state(state, state.t, scratch);
        for placement in loops {
            let at = Instant::of(state, 0.0);
            let input = self.loop_input(&scratch.frames, &at, placement);
            if let Some((coordinate, rate)) = input.map(|input| (input.coordinate, input.rate)) {
                follow(placement.element, coordinate, rate, &mut state.history);
            }
        }
    }
}
