//! Derivatives at many points: by the conditions, by the states, by the parameters of the law.
//!
//! The formulas run over dual numbers that carry a few derivatives at a time, as often as there are
//! inputs. The derivatives are those of the branch in which a point is: a law that jumps has none
//! across its jump.

use std::ops::Range;

use super::{Points, PoolError, Steps, check_lengths, check_states};
use crate::friction::Friction;
use crate::law::MAX_STATES;
use crate::law::slip::{Slip, Step};
use crate::numbers::scalar::Real;
use crate::numbers::seeded::{AT_ONCE, SeededDual, seeded};
use crate::parameters::ParameterError;

/// Of what derivatives are taken.
#[derive(Clone, Copy, Debug)]
pub enum BatchView<'a, const D: usize> {
    /// Of force and rates.
    Rates(Points<'a, D>),
    /// Of force and state after a step under constant conditions.
    Constant {
        /// The conditions.
        points: Points<'a, D>,
        /// Δt, s.
        duration: f64,
    },
    /// Of force and state after a step whose mean and end conditions are inputs of their own.
    Steps(Steps<'a, D>),
}

impl<'a, const D: usize> BatchView<'a, D> {
    fn has_mean(&self) -> bool {
        matches!(self, Self::Steps(_))
    }

    /// The conditions at the end.
    fn end(&self) -> &Points<'a, D> {
        match self {
            Self::Rates(points) | Self::Constant { points, .. } => points,
            Self::Steps(steps) => &steps.end,
        }
    }
}

/// The inputs by which derivatives are taken, and their order: slip velocity and normal force, the
/// mean of both where it is an input of its own, the states, the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputOrder {
    dimension: usize,
    has_mean: bool,
    states: usize,
    parameters: Vec<(String, usize)>,
}

impl InputOrder {
    /// The inputs of a law in `dimension` dimensions.
    pub fn new(law: &Friction, dimension: usize, has_mean: bool) -> Self {
        let mut parameters = Vec::new();
        let named = law.with_parameters(&mut |name, index, value| {
            parameters.push((name.to_owned(), index));
            value
        });
        // the values are those of a law that there is
        debug_assert!(named.is_ok());
        Self {
            dimension,
            has_mean,
            states: law.layout().len(dimension),
            parameters,
        }
    }

    /// The slip velocity.
    pub fn velocity(&self) -> Range<usize> {
        0..self.dimension
    }

    /// The normal force.
    pub fn normal_force(&self) -> usize {
        self.dimension
    }

    /// The mean slip velocity, where it is an input of its own.
    pub fn mean_velocity(&self) -> Option<Range<usize>> {
        let first = self.dimension + 1;
        self.has_mean.then(|| first..first + self.dimension)
    }

    /// The mean normal force, where it is an input of its own.
    pub fn mean_normal_force(&self) -> Option<usize> {
        self.has_mean.then_some(2 * self.dimension + 1)
    }

    /// The states.
    pub fn states(&self) -> Range<usize> {
        let conditions = if self.has_mean { 2 } else { 1 };
        let first = conditions * (self.dimension + 1);
        first..first + self.states
    }

    /// The parameters: field, and index in a list.
    pub fn parameters(&self) -> &[(String, usize)] {
        &self.parameters
    }

    /// Number of inputs that every point has: all but the parameters.
    pub fn of_point(&self) -> usize {
        self.states().end
    }

    /// Number of outputs: force, and rates or states.
    pub fn outputs(&self) -> usize {
        self.dimension + self.states
    }

    /// Number of inputs.
    pub fn len(&self) -> usize {
        self.of_point() + self.parameters.len()
    }

    /// Whether there are none, which is never so.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The law with the parameters that are inputs of a pass as dual numbers.
struct Pass {
    /// The first input.
    first: usize,
    law: Friction<SeededDual>,
}

impl Pass {
    fn new(law: &Friction, order: &InputOrder, first: usize) -> Result<Self, ParameterError> {
        let mut input = order.of_point();
        let law = law.with_parameters(&mut |_, _, value| {
            input += 1;
            seeded(value, input - 1, first)
        })?;
        Ok(Self { first, law })
    }

    fn slip<const D: usize>(
        &self,
        points: &Points<'_, D>,
        i: usize,
        input: usize,
    ) -> Slip<SeededDual, D> {
        let component = |k: usize| seeded(points.velocity[k][i], input + k, self.first);
        let normal_force = seeded(points.normal_force[i], input + D, self.first);
        Slip::new(std::array::from_fn(component), normal_force)
    }

    /// The force at a point; the rates or the new states go to `out`.
    fn evaluate<const D: usize>(
        &self,
        view: &BatchView<'_, D>,
        old: &[SeededDual],
        out: &mut [SeededDual],
        i: usize,
    ) -> [SeededDual; D] {
        let end = self.slip(view.end(), i, 0);
        match view {
            BatchView::Rates(_) => self.law.rates(&end, old, out),
            BatchView::Constant { duration, .. } => {
                self.law.update(&Step::constant(end, *duration), old, out)
            }
            BatchView::Steps(steps) => {
                let (mean, duration) = (self.slip(&steps.mean, i, D + 1), steps.duration);
                self.law.update(
                    &Step {
                        mean,
                        end,
                        duration,
                    },
                    old,
                    out,
                )
            }
        }
    }

    /// Calls `take` with every point, output and input of this pass, and the derivative.
    fn run<const D: usize>(
        &self,
        view: &BatchView<'_, D>,
        states: &[&[f64]],
        order: &InputOrder,
        take: &mut impl FnMut(usize, usize, Range<usize>, &[f64]),
    ) {
        let inputs = self.first..order.len().min(self.first + AT_ONCE);
        let zero = <SeededDual as Real>::from_f64(0.0);
        let (mut old, mut out) = ([zero; MAX_STATES], [zero; MAX_STATES]);
        let first_state = order.states().start;
        for i in 0..view.end().normal_force.len() {
            for (k, (slot, column)) in old.iter_mut().zip(states).enumerate() {
                *slot = seeded(column[i], first_state + k, self.first);
            }
            let out = &mut out[..states.len()];
            let force = self.evaluate(view, &old[..states.len()], out, i);
            for (output, x) in force.iter().chain(out.iter()).enumerate() {
                if let Some(eps) = &x.eps.0 {
                    take(i, output, inputs.clone(), &eps.as_slice()[..inputs.len()]);
                }
            }
        }
    }
}

/// Derivatives of a law in `D` dimensions.
#[derive(Debug)]
pub struct BatchDerivatives<'l, const D: usize> {
    law: &'l Friction,
    order: InputOrder,
}

impl<'l, const D: usize> BatchDerivatives<'l, D> {
    /// Of that law; `has_mean` for those of [`BatchView::Steps`].
    pub fn new(law: &'l Friction, has_mean: bool) -> Self {
        let order = InputOrder::new(law, D, has_mean);
        Self { law, order }
    }

    /// The inputs in their order.
    pub fn order(&self) -> &InputOrder {
        &self.order
    }

    fn check(&self, view: &BatchView<'_, D>, states: &[&[f64]]) -> Result<usize, PoolError> {
        let n = view.end().normal_force.len();
        view.end().check(n)?;
        if let BatchView::Steps(steps) = view {
            steps.mean.check(n)?;
        }
        check_states::<_, D>(self.law, "states", states, n)?;
        Ok(n)
    }

    fn passes(&self) -> impl Iterator<Item = Pass> {
        let firsts = (0..self.order.len()).step_by(AT_ONCE);
        // the values are those of a law that there is, so none is refused
        firsts.filter_map(|first| Pass::new(self.law, &self.order, first).ok())
    }

    /// The whole Jacobian at every point: for each point a row for every output (force, then rates
    /// or states) with the derivatives by all inputs in their order.
    ///
    /// # Errors
    /// If the columns do not fit together, or the view is not that of [`Self::new`].
    pub fn jacobian(
        &self,
        view: &BatchView<'_, D>,
        states: &[&[f64]],
        jacobian: &mut [f64],
    ) -> Result<(), PoolError> {
        let n = self.check(view, states)?;
        let (outputs, inputs) = (self.order.outputs(), self.order.len());
        self.check_view(view)?;
        check_lengths("jacobian", &[&*jacobian], n * outputs * inputs)?;
        jacobian.fill(0.0);
        for pass in self.passes() {
            pass.run(view, states, &self.order, &mut |i, output, range, by| {
                let row = (i * outputs + output) * inputs;
                jacobian[row + range.start..row + range.end].copy_from_slice(by);
            });
        }
        Ok(())
    }

    /// The vector-Jacobian product: what a weighted sum of the outputs changes with the inputs.
    /// `weights` has for each point one number for every output; `points` gets for each point one
    /// for every input but the parameters, and to `parameters` the sum over all points is added.
    ///
    /// # Errors
    /// If the columns do not fit together, or the view is not that of [`Self::new`].
    pub fn pull_back(
        &self,
        view: &BatchView<'_, D>,
        states: &[&[f64]],
        weights: &[f64],
        points: &mut [f64],
        parameters: &mut [f64],
    ) -> Result<(), PoolError> {
        let n = self.check(view, states)?;
        let (outputs, of_point) = (self.order.outputs(), self.order.of_point());
        self.check_view(view)?;
        check_lengths("weights", &[weights], n * outputs)?;
        check_lengths("points", &[&*points], n * of_point)?;
        check_lengths("parameters", &[&*parameters], self.order.parameters.len())?;
        points.fill(0.0);
        for pass in self.passes() {
            pass.run(view, states, &self.order, &mut |i, output, range, by| {
                let weight = weights[i * outputs + output];
                if weight == 0.0 {
                    return;
                }
                for (input, slope) in range.zip(by) {
                    let sum = match input.checked_sub(of_point) {
                        None => &mut points[i * of_point + input],
                        Some(parameter) => &mut parameters[parameter],
                    };
                    *sum += weight * slope;
                }
            });
        }
        Ok(())
    }

    fn check_view(&self, view: &BatchView<'_, D>) -> Result<(), PoolError> {
        if view.has_mean() == self.order.has_mean {
            Ok(())
        } else {
            Err(PoolError::View)
        }
    }
}
