//! A slide whose direction turns.
//!
//! A law that follows a path sees a step as a straight way, and its springs end along the chord. On a way of
//! length x z₀ whose direction turns evenly by Δ they end in
//!
//! $$ \int_0^x e^{-w}\,\mathbf u(x - w)\,\mathrm dw = (1 - e^{-x})\,(\mathbf u_1 - g\,\Delta), \qquad
//!    g = \frac{1 - (1 + x)\,e^{-x}}{x\,(1 - e^{-x})} $$
//!
//! with the direction u₁ at the end and the deflection z₀ at break-away, beside what is left of the start. So a straight way
//! along u₁ − g Δ ends as the bent one does; the chord is g = 1/2.

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
        let gain = mean * from_chord(mean * step.duration / deflection);
        let velocity = std::array::from_fn(|i| step.mean.velocity[i] + gain * (end[i] - first[i]));
        Some(Bend {
            step: Step {
                mean: Slip::new(velocity, step.mean.normal_force),
                ..*step
            },
            end,
            gain: gain / size(&step.end.velocity),
        })
    }
}

impl<const D: usize> Bend<D> {
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
