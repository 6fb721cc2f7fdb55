//! Friction that the reaction of its joint loads: what accelerations do to it.
//!
//! The reaction of a joint is the inertia of all that hangs on it less the forces there. Where
//! friction makes the reaction that loads it, Newton's iteration without this part contracts by
//! the gain μ ∂N/∂F alone, and not at all towards jamming.

use crate::frame::split;
use crate::model::Model;
use crate::scratch::{ReactionSlope, Scratch};

impl Model {
    /// Adds ∂(generalised friction)/∂q̈ by way of the reaction, with the weight of accelerations.
    pub(super) fn add_reaction_slope(
        &self,
        scratch: &mut Scratch,
        slope: &ReactionSlope,
        weight: f64,
    ) {
        let Scratch {
            frames,
            motions,
            matrix,
            ..
        } = scratch;
        let (by_force, by_moment) = split(&slope.by_reaction);
        let p = frames[slope.body].p;
        for (k, body) in self.bodies.iter().enumerate().skip(slope.body) {
            if body.inertia.is_none() || !self.chains[k].contains(&slope.row) {
                continue;
            }
            let frame = &frames[k];
            let inertia = &body.inertia;
            let centre = frame.r * inertia.centre;
            let tensor = frame.r * inertia.tensor * frame.r.transpose();
            // of a force at the origin of the body: its moment about the joint counts too
            let by_own_force = by_force + by_moment.cross(&(frame.p - p));
            for &j in &self.chains[k] {
                let (along, about) = motions[j].of(&frame.p);
                let force = (along + about.cross(&centre)) * inertia.mass;
                let moment = tensor * about + centre.cross(&force);
                let changed = by_own_force.dot(&force) + by_moment.dot(&moment);
                matrix.add(slope.row, j, weight * changed);
            }
        }
    }
}
