//! The force of a law and its exact slope by the slip velocity, by a dual number.

use bristle_laws::friction::LawVisitor;
use bristle_laws::{Friction, FrictionLaw, MAX_STATES, Real, Slip, Step};
use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64};

/// A number with its derivative by one velocity.
type SlopeDual = DualSVec64<1>;

/// One update, asked for with its slope.
struct SlopedUpdate<'a> {
    step: &'a Step<f64, 1>,
    /// Derivative of the mean velocity of the step by the velocity at its end.
    mean: f64,
    old: &'a [f64],
    new: &'a mut [f64],
}

impl LawVisitor for SlopedUpdate<'_> {
    type Output = (f64, f64);

    fn visit<L: FrictionLaw>(self, law: &L) -> (f64, f64) {
        let seed = |x: f64, d: f64| SlopeDual::new(x, Derivative::some(SVector::<f64, 1>::new(d)));
        let slip = |slip: &Slip<f64, 1>, d: f64| Slip {
            velocity: [seed(slip.velocity[0], d)],
            normal_force: SlopeDual::from_f64(slip.normal_force),
            applied: [SlopeDual::from_f64(slip.applied[0])],
        };
        let step = Step {
            mean: slip(&self.step.mean, self.mean),
            end: slip(&self.step.end, 1.0),
            duration: self.step.duration,
        };
        let mut scratch = [SlopeDual::from_f64(0.0); MAX_STATES];
        let states = &mut scratch[..self.old.len()];
        let [force] = law.update(&step, self.old, states);
        for (x, dual) in self.new.iter_mut().zip(states.iter()) {
            *x = dual.re;
        }
        (force.re, force.eps.0.map_or(0.0, |e| e[0]))
    }
}

/// The force at the end of a step (N), and its derivative by the velocity there (N s/m) when the
/// mean velocity moves `mean` times as much. The states after the step are put into `new`.
pub(crate) fn force_and_slope(
    law: &Friction,
    step: &Step<f64, 1>,
    mean: f64,
    old: &[f64],
    new: &mut [f64],
) -> (f64, f64) {
    law.visit(SlopedUpdate {
        step,
        mean,
        old,
        new,
    })
}
