//! The applied force that a law without displacement needs at rest.
//!
//! Karnopp's law balances the applied force inside a dead zone |u| ≤ D_v. In a mechanism that
//! force is known only from the balance of all bodies, and the pair must not move. A clamp gives
//! both: a damper and a spring that yield by D_v and D_v τ at the static level,
//!
//! F_e = μ_s N (s/(D_v τ) + u/D_v),   ds/dt = u,   |s| ≤ D_v τ,
//!
//! as the unknown of the implicit step. The law limits it to its level. At the edge of the zone
//! the clamp carries μ_s N, so nothing is gained by entering and leaving it. A stuck pair moves by
//! less than D_v τ = 0.1 µm (D_v = 0.1 mm/s); it comes to rest, does not creep and does not ring,
//! since the damper is critical for a load of the order of the static level on the mass.
//! Outside of the zone the law is as printed. The force jumps at D_v, so the modes (stuck,
//! sliding) stay during a step and change at times that the integrator locates.

use super::size;
use crate::natural_sizes::NaturalSizes;
use bristle_laws::{Friction, Slip, Step, StictionLimit, Tangent};

/// τ, s: far below the times of a machine, and far above those of a stop inside the dead zone.
const YIELD_TIME: f64 = 1e-3;
/// Errors are not judged against a slower zone, m/s: a tolerance of 1e-6 of it is what the rounding
/// of coordinates of metres leaves.
const SLOWEST: f64 = 1e-6;
/// The zone is left this much, relative to D_v, above the speed at which it is entered.
const BAND: f64 = 1e-3;
/// A sliding pair inside the zone (before its step is cut) has the force of this speed.
const OUTSIDE: f64 = 1.0 + 1e-12;

const STUCK: f64 = 0.0;
const SLIDING: f64 = 1.0;

/// Stands for the applied force at rest. Its history: s (m) in stick, the direction of the latest
/// slip in sliding; then the mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct StictionClamp {
    /// D_v, m/s.
    speed: f64,
    /// μ_s, and that of negative velocities.
    coefficients: [f64; 2],
}

impl StictionClamp {
    /// That of a law, if it answers the applied force.
    pub(super) fn of(law: &Friction) -> Option<Self> {
        let side = |velocity: f64| law.side(velocity).stiction();
        let [one, other]: [StictionLimit; 2] = [side(1.0)?, side(-1.0)?];
        Some(Self {
            speed: one.speed,
            coefficients: [one.coefficient, other.coefficient],
        })
    }

    /// D_v, m/s: the pair slides above it.
    pub(super) fn speed(&self) -> f64 {
        self.speed
    }

    /// Length of its history.
    pub(super) const fn len(dimension: usize) -> usize {
        dimension + 1
    }

    pub(super) fn natural_sizes(&self) -> NaturalSizes {
        let speed = self.speed.max(SLOWEST);
        NaturalSizes {
            length: speed * YIELD_TIME,
            speed,
        }
    }

    /// The history at the start of a run.
    pub(super) fn start<const D: usize>(&self, velocity: [f64; D], history: &mut [f64]) {
        history.fill(0.0);
        if size(&velocity) > self.speed {
            slide(velocity, history);
        }
    }

    /// 1 well inside the mode, below 0 beyond its end.
    pub(super) fn mode_margin<const D: usize>(&self, velocity: [f64; D], history: &[f64]) -> f64 {
        let own = size(&velocity) / self.speed;
        if !slides::<D>(history) {
            return 1.0 + BAND - own;
        }
        // reversed: the zone was passed within the step
        if along(&velocity, history) < 0.0 {
            -own - 1.0
        } else {
            own - 1.0
        }
    }

    /// The other mode.
    pub(super) fn change_mode<const D: usize>(&self, velocity: [f64; D], history: &mut [f64]) {
        if !slides::<D>(history) || size(&velocity) > self.speed {
            slide(velocity, history);
        } else {
            history.fill(0.0);
            history[D] = STUCK;
        }
    }

    /// The force with the history as it is.
    pub(super) fn force<const D: usize>(
        &self,
        law: &Friction,
        end: &Slip<f64, D>,
        history: &[f64],
    ) -> [f64; D] {
        let step = Step {
            mean: Slip::new([0.0; D], end.normal_force),
            end: *end,
            duration: 0.0,
        };
        self.in_mode(law, &step, history).force
    }

    /// The force at the end of a step in its mode, with the tangent and the history.
    pub(super) fn advance<const D: usize>(
        &self,
        law: &Friction,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        let end = self.in_mode(law, step, old);
        new[..D].copy_from_slice(&end.latest);
        new[D] = old[D];
        (end.force, end.tangent)
    }

    fn in_mode<const D: usize>(
        &self,
        law: &Friction,
        step: &Step<f64, D>,
        old: &[f64],
    ) -> ClampEnd<D> {
        let latest = std::array::from_fn(|i| old[i]);
        if slides::<D>(old) {
            self.sliding(law, step, latest)
        } else {
            self.stuck(law, step, latest)
        }
    }

    /// Sliding since the latest direction of slip, which is followed.
    fn sliding<const D: usize>(
        &self,
        law: &Friction,
        step: &Step<f64, D>,
        old: [f64; D],
    ) -> ClampEnd<D> {
        let v = step.end.velocity;
        let speed = size(&v);
        let keeps = along(&v, &old) > 0.1 * speed;
        let direction = if keeps { v.map(|v| v / speed) } else { old };
        let outside = self.speed * OUTSIDE;
        if keeps && speed > outside {
            let (force, tangent) = law.update_with_tangent(step, &[], &mut []);
            return ClampEnd {
                force,
                tangent,
                latest: direction,
            };
        }
        let edge = Step {
            end: Slip {
                velocity: direction.map(|e| e * outside),
                ..step.end
            },
            ..*step
        };
        let (force, mut tangent) = law.update_with_tangent(&edge, &[], &mut []);
        tangent.velocity = [[0.0; D]; D];
        ClampEnd {
            force,
            tangent,
            latest: direction,
        }
    }

    /// Stuck with the deflection `old` at the start of the step, m.
    fn stuck<const D: usize>(
        &self,
        law: &Friction,
        step: &Step<f64, D>,
        old: [f64; D],
    ) -> ClampEnd<D> {
        let n = step.end.normal_force;
        let length = self.speed * YIELD_TIME;
        let moved =
            std::array::from_fn(|i| (old[i] + step.mean.velocity[i] * step.duration) / length);
        let (s, by_s) = shortened(moved, 1.0);
        let w: [f64; D] = std::array::from_fn(|i| s[i] + step.end.velocity[i] / self.speed);
        // both sides carry nothing at w = 0
        let law = law.side(w[0]);
        let coefficient = self.coefficients[usize::from(w[0] < 0.0)];
        let level = coefficient * n;
        // a law whose force grows with speed may carry more at the edge of the zone
        let edge = law.steady(self.speed * OUTSIDE, n).unwrap_or(0.0);
        let limit = if level > 0.0 {
            (edge / level).max(1.0)
        } else {
            1.0
        };
        let (w, by_w) = shortened(w, limit);
        let mut tangent = Tangent::ZERO;
        for i in 0..D {
            for j in 0..D {
                tangent.velocity[i][j] = level * by_w[i][j] / self.speed;
                tangent.mean_velocity[i][j] = (0..D)
                    .map(|k| level * by_w[i][k] * by_s[k][j] * step.duration / length)
                    .sum();
            }
            tangent.normal_force[i] = coefficient * w[i];
        }
        ClampEnd {
            force: w.map(|w| level * w),
            tangent,
            latest: s.map(|s| s * length),
        }
    }
}

/// The clamp at the end of a step.
struct ClampEnd<const D: usize> {
    force: [f64; D],
    tangent: Tangent<D>,
    /// Deflection in stick (m), direction of the slip in sliding.
    latest: [f64; D],
}

fn slides<const D: usize>(history: &[f64]) -> bool {
    history[D] > 0.5
}

fn slide<const D: usize>(velocity: [f64; D], history: &mut [f64]) {
    let speed = size(&velocity);
    history[..D].copy_from_slice(&velocity.map(|v| v / speed));
    history[D] = SLIDING;
}

/// The part of a velocity along the latest direction.
fn along<const D: usize>(velocity: &[f64; D], direction: &[f64]) -> f64 {
    velocity.iter().zip(direction).map(|(v, e)| v * e).sum()
}

/// x shortened to |x| ≤ limit, and its derivative.
fn shortened<const D: usize>(x: [f64; D], limit: f64) -> ([f64; D], [[f64; D]; D]) {
    let length = size(&x);
    let unit = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    if length <= limit {
        return (
            x,
            std::array::from_fn(|i| std::array::from_fn(|j| unit(i, j))),
        );
    }
    let e = x.map(|x| x / length);
    let scale = limit / length;
    let slope = |i: usize, j: usize| scale * (unit(i, j) - e[i] * e[j]);
    (
        e.map(|e| limit * e),
        std::array::from_fn(|i| std::array::from_fn(|j| slope(i, j))),
    )
}
