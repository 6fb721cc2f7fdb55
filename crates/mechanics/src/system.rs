//! The model as a system of equations for the integrators.

use crate::body::BodyId;
use crate::constraint::ConstraintLevel;
use crate::element::{Assembly, Frictional, TangentWeights};
use crate::frame::{Mat6, Vec3};
use crate::friction_pair::{HistoryEnd, StepFraction};
use crate::joint::{Coordinate, CoordinateKind, JointStep};
use crate::model::Model;
use crate::natural_sizes::NaturalSizes;
use crate::scratch::Scratch;
use bristle_integrate::{
    DofGroup, Instant, Jam, Renew, SlipState, State, System, TangentRequest, Weights,
};
use nalgebra::{Quaternion, UnitQuaternion};
use std::ops::Range;

/// Natural sizes where no element knows better.
const USUAL: NaturalSizes = NaturalSizes {
    length: 1e-3,
    speed: 1e-2,
};

impl Model {
    /// Elements with friction, with their places.
    fn frictional(&self) -> impl Iterator<Item = (usize, &dyn Frictional)> {
        let elements = self.elements.iter().enumerate();
        elements.filter_map(|(i, element)| Some((i, element.frictional()?)))
    }

    /// The smallest natural sizes that an element asks for.
    pub(crate) fn natural_sizes(&self) -> NaturalSizes {
        self.frictional()
            .filter_map(|(_, element)| element.natural_sizes())
            .fold(USUAL, NaturalSizes::min)
    }

    /// Frames and joint loads of a committed state, left in `scratch`.
    pub(crate) fn evaluate(&self, state: &State, t: f64, scratch: &mut Scratch) {
        let at = Instant {
            t,
            ..Instant::of(state, 0.0)
        };
        scratch.weights = None;
        let mut history = std::mem::take(&mut scratch.history);
        let mut residual = std::mem::take(&mut scratch.residual);
        self.residual_into(scratch, &at, &mut history, &mut residual);
        (scratch.history, scratch.residual) = (history, residual);
    }

    /// Places the frames of a state, in `scratch`; drives are at their places of time `t`.
    pub(crate) fn place_state(&self, state: &State, t: f64, scratch: &mut Scratch) {
        let Scratch {
            frames, motions, ..
        } = scratch;
        let at = Instant {
            t,
            ..Instant::of(state, 0.0)
        };
        self.place(&at, frames, motions);
    }

    /// The name of a degree of freedom for people.
    pub(crate) fn dof_name(&self, dof: usize) -> String {
        let Some(at) = self.joints.dofs.get(dof) else {
            return if dof < self.unknowns() {
                self.constraints.name_of(dof - self.dofs)
            } else {
                "a friction state".to_owned()
            };
        };
        let name = &self.bodies[at.body].name;
        let own = dof - self.joints.dof_of[at.body];
        let axis = ["x", "y", "z"][own % 3];
        match at.kind {
            CoordinateKind::Translation => format!("body `{name}` ({axis})"),
            CoordinateKind::Rotation => format!("body `{name}` (rotation about {axis})"),
            CoordinateKind::Single if self.own_dofs(at.body).len() == 1 => {
                format!("body `{name}` (joint coordinate)")
            }
            CoordinateKind::Single => format!("body `{name}` (joint coordinate {})", own + 1),
        }
    }
}

impl System for Model {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::new(self)
    }

    fn forget(&self, scratch: &mut Scratch) {
        scratch.configuration.known = false;
    }

    fn dofs(&self) -> usize {
        self.unknowns()
    }

    fn multipliers(&self) -> Range<usize> {
        self.dofs..self.unknowns()
    }

    fn constraints(&self, scratch: &mut Scratch, at: &Instant<'_>, out: &mut [f64]) {
        self.place(at, &mut scratch.frames, &mut scratch.motions);
        self.constraint_values(&scratch.frames, at, ConstraintLevel::Position, out);
    }

    fn constraint_rates(&self, scratch: &mut Scratch, at: &Instant<'_>, out: &mut [f64]) {
        self.place(at, &mut scratch.frames, &mut scratch.motions);
        self.constraint_values(&scratch.frames, at, ConstraintLevel::Velocity, out);
    }

    fn coordinates(&self) -> usize {
        self.coordinates
    }

    fn history_len(&self) -> usize {
        self.history
    }

    fn groups(&self) -> &[DofGroup] {
        &self.groups
    }

    fn staged(&self) -> Vec<Range<usize>> {
        let elements = self.elements.iter().enumerate();
        let ranges = elements.flat_map(|(i, element)| {
            let first = self.history_of[i];
            let own = element.staged().into_iter();
            own.map(move |range| first + range.start..first + range.end)
        });
        ranges.collect()
    }

    fn history_rates(&self, scratch: &mut Scratch, state: &State, rates: &mut [f64]) {
        self.place_state(state, state.t, scratch);
        self.rates_of_history(scratch, &Instant::of(state, 0.0), rates);
    }

    fn displace(&self, q: &[f64], displacement: &[f64], out: &mut [f64]) {
        for step in self.joints.of_body.iter().flatten() {
            match step {
                JointStep::Slide(_, by) | JointStep::Turn(_, by) => {
                    if let Coordinate::Free { q: c, v: d } = by {
                        out[*c] = q[*c] + displacement[*d];
                    }
                }
                JointStep::Ball { q: c, v: d } => {
                    turn(&q[*c..], &displacement[*d..], &mut out[*c..*c + 4]);
                }
                JointStep::Float { q: c, v: d } => {
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
        history: &mut [f64],
    ) {
        scratch.weights = None;
        self.residual_into(scratch, at, history, residual);
    }

    fn factorise(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        request: TangentRequest,
        residual: &mut [f64],
        history: &mut [f64],
    ) -> Result<(), usize> {
        let Weights {
            damping, stiffness, ..
        } = request.weights;
        scratch.weights = Some(TangentWeights { damping, stiffness });
        // inertia alone is cheap, and worth renewing with every step
        scratch.wants_configuration_tangent = request.renew == Renew::All
            || !scratch.configuration.known
            || !self.has_configuration_tangent;
        self.residual_into(scratch, at, history, residual);
        self.tangent_into(scratch, at, request.weights);
        scratch.matrix.factorise()
    }

    fn solve(&self, scratch: &mut Scratch, b: &mut [f64]) {
        scratch.matrix.solve(b);
    }

    fn apply_mass(&self, scratch: &Scratch, x: &[f64], out: &mut [f64]) {
        scratch.configuration.mass.multiply(x, out);
    }

    fn scales(&self, displacement: &mut [f64], velocity: &mut [f64]) {
        let NaturalSizes { length, speed } = self.natural_sizes();
        // multipliers are neither
        displacement.fill(f64::INFINITY);
        velocity.fill(f64::INFINITY);
        displacement[..self.dofs].fill(length);
        velocity[..self.dofs].fill(speed);
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

    fn history_scales(&self, state: &State, scales: &mut [f64]) {
        scales.fill(0.0);
        for (i, element) in self.frictional() {
            let range = self.history_range(i);
            element.history_scales(&state.history[range.clone()], &mut scales[range]);
        }
    }

    fn history_end(&self, scratch: &mut Scratch, state: &State, end: &mut [f64]) {
        self.place_state(state, state.t, scratch);
        end.fill(0.0);
        for (i, element) in self.frictional() {
            let at = self.input(i, state, &scratch.frames);
            element.history_end(&at, &mut end[self.history_range(i)]);
        }
    }

    fn history_between(
        &self,
        scratch: &mut Scratch,
        ends: [(&State, &[f64]); 2],
        theta: f64,
        state: &mut State,
    ) {
        let [(before, _), (after, _)] = ends;
        let history = &mut state.history;
        for (x, (a, b)) in history
            .iter_mut()
            .zip(before.history.iter().zip(&after.history))
        {
            *x = a + theta * (b - a);
        }
        let at = StepFraction {
            duration: after.t - before.t,
            fraction: theta,
        };
        for (i, element) in self.frictional() {
            let range = self.history_range(i);
            let ends = ends.map(|(state, end)| HistoryEnd {
                history: &state.history[range.clone()],
                rates: &end[range.clone()],
            });
            element.history_between(&ends, at, &mut history[range]);
        }
        self.follow_coordinates(scratch, [before, after], theta, state);
    }

    fn has_modes(&self) -> bool {
        self.frictional().any(|(_, element)| element.has_modes())
    }

    fn mode_margin(&self, scratch: &mut Scratch, state: &State) -> f64 {
        self.place_state(state, state.t, scratch);
        let mut margin = f64::INFINITY;
        for (i, element) in self.frictional().filter(|(_, e)| e.has_modes()) {
            let at = self.input(i, state, &scratch.frames);
            margin = margin.min(element.mode_margin(&at));
        }
        margin
    }

    fn change_mode(&self, scratch: &mut Scratch, state: &mut State) {
        self.place_state(state, state.t, scratch);
        let Scratch {
            frames, history, ..
        } = scratch;
        history.copy_from_slice(&state.history);
        for (i, element) in self.frictional().filter(|(_, e)| e.has_modes()) {
            let at = self.input(i, state, frames);
            element.change_mode(&at, &mut history[self.history_range(i)]);
        }
        state.history.copy_from_slice(history);
    }

    fn reversal(&self, tolerated: f64, before: &State, after: &State) -> Option<f64> {
        let duration = after.t - before.t;
        let reversals = self.frictional().filter_map(|(i, element)| {
            let range = self.history_range(i);
            let (from, to) = (&before.history[range.clone()], &after.history[range]);
            element.reversal(duration, tolerated, from, to)
        });
        reversals.reduce(f64::min)
    }

    fn touching(&self, history: &[f64]) -> u64 {
        let elements = self.frictional();
        let ranges = elements.map(|(i, element)| (element, self.history_range(i)));
        let contacts = ranges.fold(0, |sum, (element, range)| {
            element.touching(&history[range], sum)
        });
        let elements = self.elements.iter().enumerate();
        elements.fold(contacts, |sum, (i, element)| {
            element.touching_stops(&history[self.history_range(i)], sum)
        })
    }

    fn load_begins(&self, before: &State, after: &State) -> bool {
        let ends = |i: usize| {
            let range = self.history_range(i);
            (&before.history[range.clone()], &after.history[range])
        };
        let mut elements = self.elements.iter().enumerate();
        self.frictional().any(|(i, element)| {
            let (before, after) = ends(i);
            element.load_begins(before, after)
        }) || elements.any(|(i, element)| {
            let (before, after) = ends(i);
            element.stop_begins(before, after)
        })
    }

    fn jump(&self, scratch: &mut Scratch, before: f64, state: &mut State) -> Option<f64> {
        self.jump_velocities(scratch, before, state)
    }

    fn jam(&self, scratch: &mut Scratch, state: &State) -> Option<Jam> {
        self.find_jam(scratch, state)
    }

    fn slip_states(&self, scratch: &mut Scratch, state: &State, each: &mut dyn FnMut(SlipState)) {
        self.place_state(state, state.t, scratch);
        for (i, element) in self.frictional() {
            element.slip_states(&self.input(i, state, &scratch.frames), each);
        }
    }

    fn slip_error(&self, scratch: &mut Scratch, state: &State, error: &[f64]) -> f64 {
        self.largest_slip_error(scratch, state, error)
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
        let owner = BodyId(dof.body);
        let mut history = vec![0.0; self.history];
        let mut residual = vec![0.0; self.unknowns()];
        scratch.weights = None;
        self.residual_into(scratch, at, &mut history, &mut residual);
        // the element that loads this body most
        let mut worst: Option<(f64, String)> = None;
        for (i, element) in self.elements.iter().enumerate() {
            if !element.bodies().contains(&owner) {
                continue;
            }
            let mut own = ForceOn {
                body: owner,
                size: 0.0,
            };
            let input = self.input_at(i, at, &scratch.frames);
            if let Some(element) = element.on_frames() {
                element.apply(&input, &mut history[self.history_range(i)], &mut own);
            }
            if worst
                .as_ref()
                .is_none_or(|(size, _)| own.size > *size || own.size.is_nan())
            {
                worst = Some((own.size, format!("{} `{}`", element.kind(), element.name())));
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
struct ForceOn {
    body: BodyId,
    size: f64,
}

impl Assembly for ForceOn {
    fn weights(&self) -> Option<TangentWeights> {
        None
    }
    fn wrench(&mut self, body: BodyId, force: &Vec3, _moment: &Vec3) {
        if body == self.body {
            self.size += force.norm();
        }
    }
    fn block(&mut self, _row: BodyId, _column: BodyId, _block: &Mat6) {}
    fn moves(&self, _body: BodyId) -> bool {
        true
    }
}
