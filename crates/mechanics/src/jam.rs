//! Friction in a joint that feeds itself.
//!
//! The reaction of a joint is linear in the friction F on its coordinate, so that the load N(F) is
//! convex, and in sliding F = μ N(F), with the larger of the steady μ and that of the moment. Where μ dN/dF
//! reaches 1 for large F, that may have no solution: the joint jams, however small the steps are.

use crate::element::{JointElement as _, JointFriction};
use crate::frame::Vec3;
use crate::model::{JointPlacement, Model};
use crate::scratch::Scratch;
use bristle_integrate::{Instant, Jam, State, System as _, TangentRequest};

/// Steps of the search for the least excess of friction: each leaves two thirds of the interval.
const SEARCHES: usize = 100;

impl Model {
    /// The first joint that slides and jams.
    pub(crate) fn find_jam(&self, scratch: &mut Scratch, state: &State) -> Option<Jam> {
        let mut all = self.joint_elements.iter();
        all.find_map(|placement| self.jam_of(scratch, state, placement))
    }

    fn jam_of(
        &self,
        scratch: &mut Scratch,
        state: &State,
        placement: &JointPlacement,
    ) -> Option<Jam> {
        let element = &self.elements[placement.element];
        let joint: &JointFriction = element.downcast()?;
        // a drive overcomes any friction
        let dof = (placement.motion < self.dofs).then_some(placement.motion)?;
        let speed = joint.lever() * state.v[dof];
        if !joint.has_reaction_load() || speed.abs() <= joint.least_sliding_speed() {
            return None;
        }
        let range = self.history_range(placement.element);
        // bristles and dampers may be far above their steady force for a moment
        let present = joint.present_coefficient(speed, &state.history[range.clone()]);
        let coefficient = joint.sliding_coefficient(speed.abs())?.max(present);
        let rest = vec![0.0; self.unknowns()];
        let (mut history, mut own) = (state.history.clone(), rest.clone());
        let mut without = rest.clone();
        let at = Instant {
            a: &rest,
            ..Instant::of(state, 0.0)
        };
        let request = TangentRequest::MASS;
        self.factorise(scratch, &at, request, &mut without, &mut history)
            .ok()?;
        let input = self.joint_input(scratch, &at, placement);
        without[dof] -= joint.apply(&input, &mut history[range], None).force;
        self.solve(scratch, &mut without);
        own[dof] = joint.lever() * speed.signum();
        self.solve(scratch, &mut own);
        scratch.weights = None;
        let mut reaction = |friction: f64| {
            let accelerations = without.iter().zip(&own);
            let a: Vec<f64> = accelerations.map(|(x, own)| -x - friction * own).collect();
            let at = Instant {
                a: &a,
                ..Instant::of(state, 0.0)
            };
            let mut residual = vec![0.0; self.unknowns()];
            self.place(&at, &mut scratch.frames, &mut scratch.motions);
            self.collect(scratch, &at, &mut history, &mut residual);
            let input = self.joint_input(scratch, &at, placement);
            [input.axis, input.reaction_force, input.reaction_moment]
        };
        let ([axis, force, moment], [_, next_force, next_moment]) = (reaction(0.0), reaction(1.0));
        let load = LoadByFriction {
            joint,
            axis,
            at_none: [force, moment],
            by_friction: [next_force - force, next_moment - moment],
        };
        let gain = coefficient * load.slope();
        (gain >= 1.0 && load.least_excess(coefficient) > 0.0).then(|| Jam {
            element: format!("{} `{}`", element.kind(), element.name()),
            gain,
        })
    }
}

/// The load on a joint as a function of the friction in it.
struct LoadByFriction<'a> {
    joint: &'a JointFriction,
    axis: Vec3,
    /// Force and moment of the joint without its friction.
    at_none: [Vec3; 2],
    /// What a friction of 1 N adds to them.
    by_friction: [Vec3; 2],
}

impl LoadByFriction<'_> {
    fn of(&self, [force, moment]: &[Vec3; 2]) -> f64 {
        let load = self.joint.reaction(&self.axis, force, moment);
        load.unwrap_or(0.0)
    }

    /// dN/dF for large F.
    fn slope(&self) -> f64 {
        self.of(&self.by_friction) - self.of(&[Vec3::zeros(); 2])
    }

    /// The least μ N(F) − F.
    fn least_excess(&self, coefficient: f64) -> f64 {
        let excess = |friction: f64| {
            let parts = [0, 1].map(|k| self.at_none[k] + self.by_friction[k] * friction);
            coefficient * self.of(&parts) - friction
        };
        // the parts of the load have their minima below this
        let bound = (0..2).fold(0.0, |sum, k| {
            let slope = self.by_friction[k].norm();
            sum + if slope > 0.0 {
                self.at_none[k].norm() / slope
            } else {
                0.0
            }
        });
        let (mut low, mut high) = (0.0, bound);
        for _ in 0..SEARCHES {
            let third = (high - low) / 3.0;
            if excess(low + third) <= excess(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        excess(0.5 * (low + high)).min(excess(bound))
    }
}
