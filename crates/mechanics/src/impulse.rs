//! Velocities that jump where a prescribed motion changes its speed at once.
//!
//! The joints pass the impulse on through the tree. Along a free coordinate there is none, which
//! gives its jump Δq̇ from the jumps Δẋ of the prescribed rates:
//!
//! M_ff Δq̇ + M_fd Δẋ = 0
//!
//! Springs, contacts and friction have finite forces: they do nothing in no time. The impulse p of
//! a drive does the work p (ẋ⁻ + ẋ⁺)/2, which is exactly what the kinetic energy changes by.

use crate::frame::Frame;
use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::{Instant, State, System as _, TangentRequest};

/// A jump of a rate above this part of it is none of rounding.
const ROUNDING: f64 = 1e-12;

impl Model {
    /// Lets the velocities of a state jump, if a prescribed rate has jumped since the time `before`,
    /// and returns the work of the impulse, J.
    pub(crate) fn jump_velocities(
        &self,
        scratch: &mut Scratch,
        before: f64,
        state: &mut State,
    ) -> Option<f64> {
        let jumps = self.rate_jumps(before, state.t)?;
        let rest = vec![0.0; self.unknowns()];
        let (mut history, mut still) = (state.history.clone(), rest.clone());
        let at = Instant {
            a: &rest,
            ..Instant::of(state, 0.0)
        };
        let request = TangentRequest::MASS;
        // what is singular is said where the accelerations are sought
        self.factorise(scratch, &at, request, &mut still, &mut history)
            .ok()?;
        scratch.weights = None;
        let frames = scratch.frames.clone();
        self.collect(scratch, &at, &mut history, &mut still);
        let loads = scratch.wrenches.clone();
        // forces are linear in accelerations: the jump in the place of one leaves the impulse
        let mut change = [&rest[..self.dofs], &jumps].concat();
        let mut moved = rest.clone();
        self.accelerate(scratch, &frames, &change);
        self.collect(scratch, &at, &mut history, &mut moved);
        for (moved, still) in moved.iter_mut().zip(&still) {
            *moved = still - *moved;
        }
        self.solve(scratch, &mut moved);
        change[..self.dofs].copy_from_slice(&moved[..self.dofs]);
        self.accelerate(scratch, &frames, &change);
        let mut left = rest.clone();
        // the impulses of loops stand in the place of their forces
        let struck = Instant { a: &moved, ..at };
        self.collect(scratch, &struck, &mut history, &mut left);
        let mut work = 0.0;
        for (place, drive) in self.joints.drives.iter().enumerate() {
            let signal = self.drive_signal(place);
            let mean = 0.5 * (signal.rate(before) + signal.rate(state.t));
            let wrench = scratch.wrenches[drive.body] - loads[drive.body];
            let motion = &scratch.motions[self.dofs + place];
            work -= motion.force(&frames[drive.body].p, &wrench) * mean;
        }
        for (v, change) in state.v.iter_mut().zip(&moved) {
            *v += change;
        }
        self.renew_motions(scratch, state);
        self.change_mode(scratch, state);
        Some(work)
    }

    /// By how much the rates of the driven coordinates have jumped since `before`; `None` if no one
    /// has.
    fn rate_jumps(&self, before: f64, t: f64) -> Option<Vec<f64>> {
        let jump = |place: usize| {
            let signal = self.drive_signal(place);
            let (old, new) = (signal.jet(before), signal.jet(t));
            let bend = old.acceleration.abs() + new.acceleration.abs();
            let smooth = 2.0 * (t - before) * bend + ROUNDING * old.rate.abs().max(new.rate.abs());
            let jump = new.rate - old.rate;
            if jump.abs() > smooth { jump } else { 0.0 }
        };
        let jumps: Vec<f64> = (0..self.joints.drives.len()).map(jump).collect();
        jumps.iter().any(|jump| jump.abs() > 0.0).then_some(jumps)
    }

    /// Frames in `scratch` as `frames`, with `change` of all coordinates, free ones first, added to
    /// the accelerations.
    fn accelerate(&self, scratch: &mut Scratch, frames: &[Frame], change: &[f64]) {
        scratch.frames.copy_from_slice(frames);
        for (i, Frame { p, .. }) in frames.iter().enumerate().skip(1) {
            let free = self.chains[i].iter().copied();
            let drives = self.joints.drives.iter().enumerate();
            let driven = drives.filter(|(_, drive)| self.carries(drive.body, i));
            let all = free.chain(driven.map(|(place, _)| self.dofs + place));
            for motion in all {
                let (along, about) = scratch.motions[motion].of(p);
                scratch.frames[i].a += along * change[motion];
                scratch.frames[i].alpha += about * change[motion];
            }
        }
    }

    /// Whether a body is another one, or carries it.
    fn carries(&self, carrier: usize, body: usize) -> bool {
        let up = |&i: &usize| (i > 0).then(|| self.bodies[i].parent.0);
        std::iter::successors(Some(body), up).any(|i| i == carrier)
    }

    /// Takes the velocities of a state over into the histories.
    fn renew_motions(&self, scratch: &mut Scratch, state: &mut State) {
        self.place_state(state, state.t, scratch);
        let mut history = state.history.clone();
        for (i, element) in self.elements.iter().enumerate() {
            if let Some(element) = element.on_frames() {
                let at = self.input(i, state, &scratch.frames);
                element.renew_motion(&at, &mut history[self.history_range(i)]);
            }
        }
        for placement in &self.joint_elements {
            if let Some(element) = self.elements[placement.element].on_joint() {
                let range = self.history_range(placement.element);
                let at = Instant::of(state, 0.0);
                let rate = self.joint_input(scratch, &at, placement).rate;
                element.renew_motion(rate, &mut history[range]);
            }
        }
        let at = Instant::of(state, 0.0);
        for placement in &self.coupling_elements {
            let element = self.elements[placement.element].on_joint();
            if let Some((element, input)) = element.zip(self.coupling_input(&at, placement)) {
                let range = self.history_range(placement.element);
                element.renew_motion(input.rate, &mut history[range]);
            }
        }
        for placement in &self.loop_elements {
            let Some(input) = self.loop_input(&scratch.frames, &at, placement) else {
                continue;
            };
            if let Some(element) = self.elements[placement.element].on_joint() {
                let range = self.history_range(placement.element);
                element.renew_motion(input.rate, &mut history[range]);
            }
        }
        for placement in &self.ball_elements {
            if let Some((element, input)) = self.ball_input(scratch, &at, placement) {
                element.renew_motion(&input, &mut history[self.history_range(placement.element)]);
            }
        }
        state.history = history;
    }
}
