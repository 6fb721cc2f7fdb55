//! What errors of velocities are at the frictional pairs.

use crate::element::{Contact, JointFriction};
use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::{Instant, State};

impl Model {
    /// The largest error of a slip velocity of a loaded pair, in units of the natural speed of its
    /// law and of the slip speed, where velocities are off by `error`.
    pub(crate) fn largest_slip_error(
        &self,
        scratch: &mut Scratch,
        state: &State,
        error: &[f64],
    ) -> f64 {
        let mut largest = 0.0_f64;
        for placement in &self.joint_elements {
            let element = &self.elements[placement.element];
            if let Some(friction) = element.downcast::<JointFriction>()
                && placement.motion < self.dofs
            {
                let history = &state.history[self.history_range(placement.element)];
                largest = largest.max(friction.slip_error(history, error[placement.motion]));
            }
        }
        for placement in &self.coupling_elements {
            let own = &self.constraints.couplings[placement.coupling];
            let element = &self.elements[placement.element];
            let (Some(friction), Some(slip)) = (element.downcast::<JointFriction>(), &own.slip)
            else {
                continue;
            };
            let terms = own.terms.iter().zip(&slip.by_terms);
            let off: f64 = terms
                .filter_map(|(term, b)| Some(b * error[self.free_dof(term)?]))
                .sum();
            let history = &state.history[self.history_range(placement.element)];
            largest = largest.max(friction.slip_error(history, off));
        }
        for placement in &self.ball_elements {
            if let Some(friction) = self.elements[placement.element].on_ball() {
                let off = self.ball_velocity(scratch, state, error, placement);
                let history = &state.history[self.history_range(placement.element)];
                largest = largest.max(friction.slip_error(history, &off));
            }
        }
        let mut contacts = (0..self.elements.len())
            .filter_map(|i| Some((i, self.elements[i].downcast::<Contact>()?)))
            .peekable();
        if contacts.peek().is_none() {
            return largest;
        }
        let Scratch {
            frames,
            other_frames,
            motions,
            other_velocities,
            ..
        } = scratch;
        for ((to, v), error) in other_velocities.iter_mut().zip(&state.v).zip(error) {
            *to = v + error;
        }
        let at = Instant::of(state, 0.0);
        let off = Instant {
            v: other_velocities,
            ..at
        };
        self.place(&at, frames, motions);
        self.place(&off, other_frames, motions);
        for (i, contact) in contacts {
            let input = self.input_at(i, &at, frames);
            let other = self.input_at(i, &off, other_frames);
            largest = largest.max(contact.slip_error([&input, &other]));
        }
        largest
    }
}
