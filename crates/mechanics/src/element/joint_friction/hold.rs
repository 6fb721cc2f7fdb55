//! A law that answers the applied force at rest, on one coordinate.
//!
//! As in a contact, a clamp stands for the applied force, which a mechanism knows only from the
//! balance of all bodies: inside the dead zone |v| ≤ D_v a spring and a damper that give way by
//! D_v τ and D_v at the static level,
//!
//! F = μ_s N (s/(D_v τ) + v/D_v),   ds/dt = v,   |s| ≤ D_v τ,   |F| ≤ μ_s N.

use bristle_laws::{Friction, Slip, Step, StictionLimit, Tangent};

/// τ, s: far below the times of a machine, and far above those of a stop inside the dead zone.
pub(super) const GIVE: f64 = 1e-3;
/// The zone is left this much, relative to D_v, above the speed at which it is entered.
const BAND: f64 = 1e-3;
/// A sliding pair inside the zone (before its step is cut) has the force of this speed.
const OUTSIDE: f64 = 1.0 + 1e-12;

/// Memory: s (m) while held; the direction of the slip, ±1, or 0 while held.
pub(super) const MEMORY: usize = 2;

/// The memory at the start of a run.
pub(super) fn start(hold: StictionLimit, velocity: f64, memory: &mut [f64]) {
    memory.fill(0.0);
    if velocity.abs() > hold.speed {
        memory[1] = velocity.signum();
    }
}

/// 1 well inside the mode, below 0 beyond its end.
pub(super) fn margin(hold: StictionLimit, velocity: f64, memory: &[f64]) -> f64 {
    let way = memory[1];
    if way == 0.0 {
        1.0 + BAND - velocity.abs() / hold.speed
    } else {
        velocity * way / hold.speed - 1.0
    }
}

/// The other mode, if this one has ended.
pub(super) fn switch(hold: StictionLimit, velocity: f64, memory: &mut [f64]) {
    let leaves = memory[1] == 0.0 || velocity.abs() > hold.speed;
    memory[0] = 0.0;
    memory[1] = if leaves { velocity.signum() } else { 0.0 };
}

/// The force at the end of a step in its mode, with the tangent and the memory.
pub(super) fn advance(
    law: &Friction,
    hold: StictionLimit,
    step: &Step<f64, 1>,
    old: &[f64],
    new: &mut [f64],
) -> (f64, Tangent<1>) {
    new.copy_from_slice(old);
    let (way, v, n) = (old[1], step.end.velocity[0], step.end.normal_force);
    let outside = hold.speed * OUTSIDE;
    if way != 0.0 {
        let slides = v * way > outside;
        let end = Slip::new([if slides { v } else { way * outside }], n);
        let edge = Step { end, ..*step };
        let (force, mut tangent) = law.update_with_tangent(&edge, &[], &mut []);
        if !slides {
            tangent.velocity = [[0.0]];
        }
        return (force[0], tangent);
    }
    let level = hold.coefficient * n;
    // a law whose force grows with speed may carry more at the edge of the zone
    let edge = law.steady(outside, n).unwrap_or(0.0);
    let limit = if level > 0.0 {
        (edge / level).max(1.0)
    } else {
        1.0
    };
    let give = hold.speed * GIVE;
    let moved = (old[0] + step.mean.velocity[0] * step.duration) / give;
    let s = moved.clamp(-1.0, 1.0);
    let wanted = s + v / hold.speed;
    let w = wanted.clamp(-limit, limit);
    new[0] = s * give;
    let yields = |is: bool| if is { 1.0 } else { 0.0 };
    let (by_s, by_w) = (yields(moved.abs() <= 1.0), yields(wanted.abs() <= limit));
    let tangent = Tangent {
        velocity: [[level * by_w / hold.speed]],
        mean_velocity: [[level * by_w * by_s * step.duration / give]],
        normal_force: [hold.coefficient * w],
        ..Tangent::ZERO
    };
    (level * w, tangent)
}
