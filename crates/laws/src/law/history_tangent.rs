//! Derivatives of an update through the history: by the step *and* by the state before it.

use super::states::MAX_STATES;
use crate::friction::Friction;
use crate::law::slip::{Slip, Step};
use crate::numbers::scalar::Real;
use crate::numbers::seeded::{AT_ONCE, SeededDual, seeded};
use crate::parameters::ParameterError;

/// The derivatives of force and new state by the conditions of a step and by the old state.
///
/// Rows are outputs: the force (`D`), then the new states. Columns are inputs: mean slip velocity
/// (`D`), slip velocity at the end (`D`), mean normal force, normal force at the end, then the old
/// states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryTangent {
    columns: usize,
    entries: Vec<f64>,
}

impl HistoryTangent {
    /// The derivatives of output `row` by all inputs.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.columns..(row + 1) * self.columns]
    }

    fn reset(&mut self, rows: usize, columns: usize) {
        self.columns = columns;
        self.entries.clear();
        self.entries.resize(rows * columns, 0.0);
    }
}

/// A law whose updates are differentiated by the old state too: what a chain of steps needs to
/// hand derivatives on from one step to the next.
#[derive(Clone, Debug)]
pub struct HistoryLaw {
    law: Friction<SeededDual>,
}

impl HistoryLaw {
    /// Of a law.
    ///
    /// # Errors
    /// None for a law that was built; the constructor checks its parameters again.
    pub fn new(law: &Friction) -> Result<Self, ParameterError> {
        let law = law.with_parameters(&mut |_, _, x| SeededDual::from_f64(x))?;
        Ok(Self { law })
    }

    /// The update with its derivatives by the step and by the old state.
    pub fn update<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
        tangent: &mut HistoryTangent,
    ) -> [f64; D] {
        let columns = 2 * D + 2 + old.len();
        tangent.reset(D + old.len(), columns);
        let mut force = [0.0; D];
        for first in (0..columns).step_by(AT_ONCE) {
            force = self.pass(step, old, new, first, tangent);
        }
        force
    }

    /// One pass: the derivatives by the inputs from `first` on.
    fn pass<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
        first: usize,
        tangent: &mut HistoryTangent,
    ) -> [f64; D] {
        let seed = |x: f64, input: usize| seeded(x, input, first);
        let vector = |v: &[f64; D], place: usize| std::array::from_fn(|i| seed(v[i], place + i));
        let slip = |slip: &Slip<f64, D>, place: usize, load: usize| Slip {
            velocity: vector(&slip.velocity, place),
            normal_force: seed(slip.normal_force, load),
            applied: slip.applied.map(SeededDual::from_f64),
        };
        let dual_step = Step {
            mean: slip(&step.mean, 0, 2 * D),
            end: slip(&step.end, D, 2 * D + 1),
            duration: step.duration,
        };
        let zero = SeededDual::from_f64(0.0);
        let (mut before, mut after) = ([zero; MAX_STATES], [zero; MAX_STATES]);
        for (i, (dual, x)) in before.iter_mut().zip(old).enumerate() {
            *dual = seed(*x, 2 * D + 2 + i);
        }
        let states = old.len();
        let force = self
            .law
            .update(&dual_step, &before[..states], &mut after[..states]);
        for (x, dual) in new.iter_mut().zip(&after) {
            *x = dual.re;
        }
        let outputs = force.iter().chain(&after[..states]);
        let count = AT_ONCE.min(tangent.columns - first);
        for (row, output) in outputs.enumerate() {
            let Some(eps) = &output.eps.0 else { continue };
            let start = row * tangent.columns + first;
            for (entry, eps) in tangent.entries[start..start + count]
                .iter_mut()
                .zip(eps.iter())
            {
                *entry = *eps;
            }
        }
        force.map(|f| f.re)
    }
}
