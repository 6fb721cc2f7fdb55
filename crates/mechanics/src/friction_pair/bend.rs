//! A slide whose direction turns.
//!
//! A law that follows a path sees a step as a straight way, and its springs end along the chord. On a way of
//! length x z₀ whose direction turns evenly by Δ they end in
//!
//! $$ \int_0^x e^{-w}\,\mathbf u(x - w)\,\mathrm dw = (1 - e^{-x})\,(\mathbf u_1 - g\,\Delta), \qquad
//!    g = \frac{1 - (1 + x)\,e^{-x}}{x\,(1 - e^{-x})} $$
//!
//! with the direction u₁ at the end and the deflection z₀ at break-away, beside what is left of the start. So a straight way
//! along u₁ − g Δ ends as the bent one does; the chord is g = 1/2. Springs side by side have a z₀ each, and so a straight way
//! each.

use super::history::PairHistory;
use super::{FrictionPair, PairForce, dot, size};
use bristle_laws::{Friction, Slip, Step, Tangent};

/// A pair slides if its friction along the slip is this part of that of a steady slide.
const SLIDES: f64 = 0.999;
/// It slides all the way if its velocity at either end goes this part of its mean speed along the way.
const ALONG: f64 = 0.5;

/// A bent way.
pub(super) struct Bend<const D: usize> {
    /// The straight way that ends as it does.
    pub(super) step: Step<f64, D>,
    /// The mean velocity of the way, and by what its direction turns.
    mean: [f64; D],
    turn: [f64; D],
    /// The deflection at break-away, m.
    deflection: f64,
    /// Directions at the end, and what of a turn there enters the mean velocity.
    end: [f64; D],
    gain: f64,
}

impl<const D: usize> FrictionPair<D> {
    /// The bend of a step in which the pair slides all the way.
    pub(super) fn bend(
        &self,
        law: &Friction,
        step: &Step<f64, D>,
        old: &PairHistory<'_, D>,
    ) -> Option<Bend<D>> {
        if D < 2 || !(self.path.alone && self.path.forgets) {
            return None;
        }
        let start = old.motion.slip();
        let mean = size(&step.mean.velocity);
        let goes_along =
            |velocity: &[f64; D]| dot(velocity, &step.mean.velocity) >= ALONG * mean * mean;
        let deflection = law.breakaway_deflection(step.mean.normal_force)?;
        if !(mean * deflection > 0.0
            && goes_along(&start.velocity)
            && goes_along(&step.end.velocity))
        {
            return None;
        }
        let mut rates = [0.0; bristle_laws::MAX_STATES];
        let force = law.rates(&start, old.law, &mut rates[..self.states]);
        let steady = law.steady(mean, start.normal_force)?;
        if dot(&force, &step.mean.velocity) < SLIDES * steady * mean {
            return None;
        }
        let [first, end] = [&start.velocity, &step.end.velocity].map(|v| {
            let speed = size(v);
            v.map(|x| x / speed)
        });
        let bend = Bend {
            step: *step,
            mean: step.mean.velocity,
            turn: std::array::from_fn(|i| end[i] - first[i]),
            deflection,
            end,
            gain: 0.0,
        };
        // the tangent of springs side by side is that of their mean
        let all = &self.lengths;
        let gain = if all.is_empty() {
            bend.gain(1.0)
        } else {
            all.iter()
                .map(|length| length.share * bend.gain(length.part))
                .sum()
        };
        Some(Bend {
            step: bend.way(1.0),
            gain: gain / size(&step.end.velocity),
            ..bend
        })
    }

    /// Springs side by side, each at the end of its own straight way, and their force.
    pub(super) fn along_own_ways(
        &self,
        law: &Friction,
        bend: &Bend<D>,
        old: &[f64],
        new: &mut [f64],
    ) -> [f64; D] {
        let mut states = [0.0; bristle_laws::MAX_STATES];
        for (i, length) in self.lengths.iter().enumerate() {
            law.update(&bend.way(length.part), old, &mut states[..self.states]);
            let own = i * D..(i + 1) * D;
            new[own.clone()].copy_from_slice(&states[own]);
        }
        law.rates(&bend.step.end, new, &mut states[..self.states])
    }
}

impl<const D: usize> Bend<D> {
    /// What the turn adds to the mean velocity for a spring whose deflection at break-away is a part of that of the law, m/s.
    fn gain(&self, part: f64) -> f64 {
        let mean = size(&self.mean);
        mean * from_chord(mean * self.step.duration / (part * self.deflection))
    }

    /// The straight way that ends such a spring as the bent one does.
    fn way(&self, part: f64) -> Step<f64, D> {
        let gain = self.gain(part);
        let velocity = std::array::from_fn(|i| self.mean[i] + gain * self.turn[i]);
        Step {
            mean: Slip::new(velocity, self.step.mean.normal_force),
            ..self.step
        }
    }

    /// Adds what the direction at the end does to the force.
    pub(super) fn add_to(&self, tangent: &Tangent<D>, force: &mut PairForce<D>) {
        for i in 0..D {
            let row = &tangent.mean_velocity[i];
            let along = dot(row, &self.end);
            for (j, x) in row.iter().enumerate() {
                force.by_velocity[i][j] += self.gain * (x - along * self.end[j]);
            }
        }
    }
}

/// 1/2 − g on a way of x deflections.
fn from_chord(x: f64) -> f64 {
    if x < 1e-2 {
        return x / 12.0;
    }
    let left = (-x).exp();
    0.5 - (1.0 - (1.0 + x) * left) / (x * (1.0 - left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_bend_is_that_of_the_integral() {
        // Simpson's rule with 2000 intervals: ∫ w e^-w dw/(x ∫ e^-w dw)
        for x in [5e-3, 0.02, 0.7, 3.0, 40.0] {
            let integral = |f: &dyn Fn(f64) -> f64| {
                let h = x / 2000.0;
                (0..=2000_u32).fold(0.0, |sum, i| {
                    let weight = match i {
                        0 | 2000 => 1.0,
                        i if i % 2 == 1 => 4.0,
                        _ => 2.0,
                    };
                    sum + weight * h / 3.0 * f(f64::from(i) * h)
                })
            };
            let g = integral(&|w| w * (-w).exp()) / (x * integral(&|w| (-w).exp()));
            // the first term of the series is off by x³/720 where it is taken
            assert!((from_chord(x) - (0.5 - g)).abs() < 1e-8, "{x}");
        }
    }
}
