//! Friction in a joint that feeds itself.
//!
//! The reaction of a joint is linear in the friction F on its coordinate, so that the load N(F) is
//! convex, and in sliding F = μ N(F), with the larger of the steady μ and that of the moment. Where μ dN/dF
//! reaches 1 for large F, that may have no solution: the joint jams, however small the steps are.

use crate::element::{BallFriction, Element, JointElement as _, JointFriction};
use crate::frame::Vec3;
use crate::model::{BallJoint, BallPlacement, JointPlacement, Model};
use crate::scratch::Scratch;
use bristle_integrate::{Instant, Jam, State, System as _, TangentRequest};

/// Steps of the search for the least excess of friction: each leaves two thirds of the interval.
const SEARCHES: usize = 100;

impl Model {
    /// The first joint that slides and jams.
    pub(crate) fn find_jam(&self, scratch: &mut Scratch, state: &State) -> Option<Jam> {
        let mut all = self.joint_elements.iter();
        let single = all.find_map(|placement| self.jam_of(scratch, state, placement));
        single.or_else(|| {
            let mut balls = self.ball_elements.iter();
            balls.find_map(|placement| self.jam_of_ball(scratch, state, placement))
        })
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
        let coefficient = joint.sliding_coefficient(speed)?.max(present);
        let mut jammed = AtRest::of(self, scratch, state)?;
        let rest = vec![0.0; self.unknowns()];
        let input = self.joint_input(scratch, &jammed.instant(&rest), placement);
        let own = joint.apply(&input, &mut jammed.history[range], None);
        jammed.without[dof] -= own.force;
        jammed.by_friction[dof] = joint.lever() * speed.signum();
        let axis = input.axis;
        let reactions = jammed.reactions(self, scratch, |scratch, at| {
            let input = self.joint_input(scratch, at, placement);
            [input.reaction_force, input.reaction_moment]
        });
        let load = LoadByFriction {
            load: &|[force, moment]| joint.reaction(&axis, force, moment).unwrap_or(0.0),
            reactions,
        };
        load.jam(coefficient, &**element)
    }

    fn jam_of_ball(
        &self,
        scratch: &mut Scratch,
        state: &State,
        placement: &BallPlacement,
    ) -> Option<Jam> {
        let BallJoint::Tree { v, .. } = placement.joint else {
            return None;
        };
        let element = &self.elements[placement.element];
        let ball: &BallFriction = element.downcast()?;
        let velocity = Vec3::new(state.v[v], state.v[v + 1], state.v[v + 2]) * ball.radius;
        let speed = velocity.norm();
        if !ball.has_reaction_load() || speed <= ball.least_sliding_speed() {
            return None;
        }
        let range = self.history_range(placement.element);
        let present = ball.present_coefficient(&velocity, &state.history[range.clone()]);
        let coefficient = ball.sliding_coefficient(speed)?.max(present);
        let mut jammed = AtRest::of(self, scratch, state)?;
        let rest = vec![0.0; self.unknowns()];
        let (_, input) = self.ball_input(scratch, &jammed.instant(&rest), placement)?;
        let own = ball.apply(&input, &mut jammed.history[range], false);
        for k in 0..3 {
            jammed.without[v + k] -= own.torque[k];
            jammed.by_friction[v + k] = ball.radius * velocity[k] / speed;
        }
        let reactions = jammed.reactions(self, scratch, |scratch, at| {
            let input = self.ball_input(scratch, at, placement);
            let force = input.map_or_else(Vec3::zeros, |(_, input)| input.reaction_force);
            [force, Vec3::zeros()]
        });
        let load = LoadByFriction {
            load: &|[force, _]| ball.reaction(force).unwrap_or(0.0),
            reactions,
        };
        load.jam(coefficient, &**element)
    }
}

/// The equations of a state for accelerations, of which a joint's friction is taken out.
struct AtRest<'s> {
    state: &'s State,
    history: Vec<f64>,
    /// The residual without accelerations and without the friction.
    without: Vec<f64>,
    /// The generalised forces of a friction of 1 N.
    by_friction: Vec<f64>,
}

impl<'s> AtRest<'s> {
    /// With the friction still in it, and the mass matrix in `scratch`.
    fn of(model: &Model, scratch: &mut Scratch, state: &'s State) -> Option<Self> {
        let rest = vec![0.0; model.unknowns()];
        let mut own = Self {
            state,
            history: state.history.clone(),
            without: rest.clone(),
            by_friction: rest.clone(),
        };
        let at = Instant {
            a: &rest,
            ..Instant::of(state, 0.0)
        };
        let request = TangentRequest::MASS;
        let (without, history) = (&mut own.without, &mut own.history);
        let factored = model.factorise(scratch, &at, request, without, history);
        factored.ok().map(|()| own)
    }

    fn instant<'a>(&self, a: &'a [f64]) -> Instant<'a>
    where
        's: 'a,
    {
        Instant {
            a,
            ..Instant::of(self.state, 0.0)
        }
    }

    /// Force and moment of the joint without its friction, and what a friction of 1 N adds to them.
    fn reactions(
        &mut self,
        model: &Model,
        scratch: &mut Scratch,
        read: impl Fn(&Scratch, &Instant<'_>) -> [Vec3; 2],
    ) -> [[Vec3; 2]; 2] {
        model.solve(scratch, &mut self.without);
        model.solve(scratch, &mut self.by_friction);
        scratch.weights = None;
        let [none, one] = [0.0, 1.0].map(|friction| {
            let accelerations = self.without.iter().zip(&self.by_friction);
            let a: Vec<f64> = accelerations.map(|(x, own)| -x - friction * own).collect();
            let at = Instant {
                a: &a,
                ..Instant::of(self.state, 0.0)
            };
            let mut residual = vec![0.0; model.unknowns()];
            model.place(&at, &mut scratch.frames, &mut scratch.motions);
            model.collect(scratch, &at, &mut self.history, &mut residual);
            read(scratch, &at)
        });
        [none, [one[0] - none[0], one[1] - none[1]]]
    }
}

/// The load on a joint as a function of the friction in it.
struct LoadByFriction<'a> {
    /// Of force and moment of the joint.
    load: &'a dyn Fn(&[Vec3; 2]) -> f64,
    /// Force and moment of the joint without its friction, and what a friction of 1 N adds to them.
    reactions: [[Vec3; 2]; 2],
}

impl LoadByFriction<'_> {
    /// The jam, if a coefficient leads to one.
    fn jam(&self, coefficient: f64, element: &dyn Element) -> Option<Jam> {
        let gain = coefficient * self.slope();
        (gain >= 1.0 && self.least_excess(coefficient) > 0.0).then(|| Jam {
            element: format!("{} `{}`", element.kind(), element.name()),
            gain,
        })
    }

    /// dN/dF for large F.
    fn slope(&self) -> f64 {
        let [_, by_friction] = &self.reactions;
        (self.load)(by_friction) - (self.load)(&[Vec3::zeros(); 2])
    }

    /// The least μ N(F) − F.
    fn least_excess(&self, coefficient: f64) -> f64 {
        let [at_none, by_friction] = &self.reactions;
        let excess = |friction: f64| {
            let parts = [0, 1].map(|k| at_none[k] + by_friction[k] * friction);
            coefficient * (self.load)(&parts) - friction
        };
        // the parts of the load have their minima below this
        let bound = (0..2).fold(0.0, |sum, k| {
            let slope = by_friction[k].norm();
            sum + if slope > 0.0 {
                at_none[k].norm() / slope
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
