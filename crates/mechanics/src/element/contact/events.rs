//! What happens to a point within a step: modes that end, a slip that turns back.

use super::{Contact, ContactPoint, OWN, hold};
use crate::element::within::turn;
use crate::frame::Frame;
use bristle_laws::Slip;

/// Points whose margins are this close to their end switch with the first one.
pub(super) const TOGETHER: f64 = 1e-9;

impl Contact {
    /// Slip velocity and normal force of a point at a committed moment.
    pub(super) fn slip_at(
        &self,
        t: f64,
        point: &ContactPoint,
        frames: &[Frame],
        memory: &[f64],
    ) -> Slip<f64, 2> {
        let relative = self.relative(point, frames);
        let normal = self.normal_force(t, &relative, memory[self.states() + 3]);
        Slip::new([relative.u.x, relative.u.y], normal.force)
    }

    /// The fraction of a step at which the slip turns back, if the law would miss the way to and fro.
    ///
    /// The law sees the displacement of the step. If the slip goes forth by a and back by b within
    /// it, the law misses the smaller one twice; it may be a small part of the deflection at
    /// break-away.
    pub(super) fn point_turn(&self, h: f64, from: &[f64], to: &[f64]) -> Option<f64> {
        // without load there is nothing to miss
        if from[2] <= 0.0 || to[2] <= 0.0 {
            return None;
        }
        let (u, v) = ([from[4], from[5]], [to[4], to[5]]);
        let forth = u[0].hypot(u[1]);
        let back = -(u[0] * v[0] + u[1] * v[1]) / forth;
        // 0/0 where it was at rest
        if back.is_nan() || back <= 0.0 {
            return None;
        }
        turn(&self.friction, h, (forth, back), to[2])
    }

    pub(super) fn point_margin(&self, slip: &Slip<f64, 2>, memory: &[f64]) -> f64 {
        let states = self.states();
        match self.friction.stiction() {
            Some(law) => hold::margin(law, slip.velocity, &memory[states + OWN..]),
            None => self.friction.mode_margin(slip, &memory[..states]),
        }
    }

    /// Static over kinetic level: the break-away deflection belongs to the first, Dymore's rate
    /// σ₀ v_s/μ_k to the second.
    pub(super) fn kinetic_share(&self, speed: f64) -> f64 {
        let level = |speed| self.friction.steady(speed, 1.0);
        match (level(1e-9 * speed), level(20.0 * speed)) {
            (Some(low), Some(high)) if high > 0.0 => (low / high).max(1.0),
            _ => 1.0,
        }
    }
}
