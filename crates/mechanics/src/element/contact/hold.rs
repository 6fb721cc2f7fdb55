//! The applied force that a law without displacement is told at rest.
//!
//! Karnopp's law balances the applied force inside a dead zone |u| ≤ D_v. In a mechanism that
//! force is known only from the balance of all bodies, and the pair shall not move. Both are
//! had by a clamp: a damper and a spring that give way by D_v and D_v τ at the static level,
//!
//! F_e = μ_s N (s/(D_v τ) + u/D_v),   ds/dt = u,   |s| ≤ D_v τ,
//!
//! as the unknown of the implicit step. The law cuts it at its level. At the edge of the zone
//! the clamp carries μ_s N, so nothing is gained by going in and out. A held pair moves by
//! less than D_v τ = 0.1 µm (D_v = 0.1 mm/s); it comes to rest, does not creep and does not ring,
//! since the damper is critical for a load of the order of the static level on the mass.
//! Outside of the zone the law is as printed. The force jumps at D_v, so the modes (held,
//! sliding) stay during a step and change at times that the integrator locates.

use super::{Contact, PLANE};
use bristle_laws::{Slip, Step, StictionLimit, Tangent};

/// τ, s: far below the times of a machine, and far above those of a stop inside the dead zone.
pub(super) const GIVE: f64 = 1e-3;
/// The zone is left this much, relative to D_v, above the speed at which it is entered.
const BAND: f64 = 1e-3;
/// A sliding pair inside the zone (before its step is cut) has the force of this speed.
const OUTSIDE: f64 = 1.0 + 1e-12;

/// Memory: s (m) while held, the direction of the last slip while sliding; then the mode.
pub(super) const MEMORY: usize = PLANE + 1;
const HELD: f64 = 0.0;
const SLIDING: f64 = 1.0;

/// The part of the memory that says whether the pair slides.
pub(super) fn slides(memory: &[f64]) -> bool {
    memory[PLANE] > 0.5
}

/// The memory at the start of a run.
pub(super) fn start(hold: StictionLimit, velocity: [f64; 2], memory: &mut [f64]) {
    memory.fill(0.0);
    if speed(velocity) > hold.speed {
        slide(velocity, memory);
    }
}

/// 1 well inside the mode, below 0 beyond its end.
pub(super) fn margin(hold: StictionLimit, velocity: [f64; 2], memory: &[f64]) -> f64 {
    let own = speed(velocity) / hold.speed;
    if !slides(memory) {
        return 1.0 + BAND - own;
    }
    // reversed: the zone was passed within the step
    let along = velocity[0] * memory[0] + velocity[1] * memory[1];
    if along < 0.0 { -own - 1.0 } else { own - 1.0 }
}

/// The other mode, if this one has ended.
pub(super) fn switch(hold: StictionLimit, velocity: [f64; 2], memory: &mut [f64]) {
    if !slides(memory) || speed(velocity) > hold.speed {
        slide(velocity, memory);
    } else {
        memory.fill(0.0);
        memory[PLANE] = HELD;
    }
}

fn slide(velocity: [f64; 2], memory: &mut [f64]) {
    let size = speed(velocity);
    memory[..PLANE].copy_from_slice(&velocity.map(|v| v / size));
    memory[PLANE] = SLIDING;
}

fn speed(velocity: [f64; 2]) -> f64 {
    velocity[0].hypot(velocity[1])
}

impl Contact {
    /// The force at once, with the memory as it is.
    pub(super) fn force_now(
        &self,
        hold: StictionLimit,
        end: &Slip<f64, 2>,
        memory: &[f64],
    ) -> [f64; 2] {
        let mut new = [0.0; MEMORY];
        let step = Step {
            mean: Slip::new([0.0; 2], end.normal_force),
            end: *end,
            duration: 0.0,
        };
        self.advance_hold(hold, &step, memory, &mut new).0
    }

    /// The force at the end of a step in its mode, with the tangent and the memory.
    pub(super) fn advance_hold(
        &self,
        hold: StictionLimit,
        step: &Step<f64, 2>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; 2], Tangent<2>) {
        new.copy_from_slice(old);
        if slides(old) {
            self.slid(hold, step, old, new)
        } else {
            self.clamped(hold, step, old, new)
        }
    }

    fn slid(
        &self,
        hold: StictionLimit,
        step: &Step<f64, 2>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; 2], Tangent<2>) {
        let v = step.end.velocity;
        let size = speed(v);
        let along = v[0] * old[0] + v[1] * old[1];
        let keeps = along > 0.1 * size;
        let direction = if keeps {
            v.map(|v| v / size)
        } else {
            [old[0], old[1]]
        };
        new[..PLANE].copy_from_slice(&direction);
        let outside = hold.speed * OUTSIDE;
        if keeps && size > outside {
            return self.friction.update_with_tangent(step, &[], &mut []);
        }
        let edge = Step {
            end: Slip {
                velocity: direction.map(|e| e * outside),
                ..step.end
            },
            ..*step
        };
        let (force, mut tangent) = self.friction.update_with_tangent(&edge, &[], &mut []);
        tangent.velocity = [[0.0; 2]; 2];
        (force, tangent)
    }

    fn clamped(
        &self,
        hold: StictionLimit,
        step: &Step<f64, 2>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; 2], Tangent<2>) {
        let n = step.end.normal_force;
        let level = hold.coefficient * n;
        // a law whose force grows with speed may carry more at the edge of the zone
        let edge = self.friction.steady(hold.speed * OUTSIDE, n).unwrap_or(0.0);
        let limit = if level > 0.0 {
            (edge / level).max(1.0)
        } else {
            1.0
        };
        let give = hold.speed * GIVE;
        let moved =
            std::array::from_fn(|i| (old[i] + step.mean.velocity[i] * step.duration) / give);
        let (s, by_s) = cut(moved, 1.0);
        let (w, by_w) = cut(
            std::array::from_fn(|i| s[i] + step.end.velocity[i] / hold.speed),
            limit,
        );
        for i in 0..PLANE {
            new[i] = s[i] * give;
        }
        let mut tangent = Tangent::ZERO;
        for i in 0..PLANE {
            for j in 0..PLANE {
                tangent.velocity[i][j] = level * by_w[i][j] / hold.speed;
                tangent.mean_velocity[i][j] = (0..PLANE)
                    .map(|k| level * by_w[i][k] * by_s[k][j] * step.duration / give)
                    .sum();
            }
            tangent.normal_force[i] = hold.coefficient * w[i];
        }
        (w.map(|w| level * w), tangent)
    }
}

/// x shortened to |x| ≤ limit, and its derivative.
fn cut(x: [f64; 2], limit: f64) -> ([f64; 2], [[f64; 2]; 2]) {
    let size = speed(x);
    if size <= limit {
        return (x, [[1.0, 0.0], [0.0, 1.0]]);
    }
    let e = x.map(|x| x / size);
    let scale = limit / size;
    let slope = |i: usize, j: usize| {
        let unit = if i == j { 1.0 } else { 0.0 };
        scale * (unit - e[i] * e[j])
    };
    (
        e.map(|e| limit * e),
        [[slope(0, 0), slope(0, 1)], [slope(1, 0), slope(1, 1)]],
    )
}
