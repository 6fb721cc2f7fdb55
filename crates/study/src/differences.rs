//! Differences of runs along the same steps: derivatives by a field of a scenario.
//!
//! A run is made once with error control. Runs with a changed field take the steps of the first
//! one, with Newton's method nearly to rounding: their differences are derivatives of the same
//! sequence of steps, smooth where the motion is (internal numerical differentiation; Bock 1981).
//! Each of them locates its own changes of mode, so that the transition at an event is in them.

use bristle_results::Summary;
use bristle_scenario::Scenario;

use crate::engine::RunObserver;
use crate::execution::Execution;

/// Change of a field, over its value, and of a field that is 0, in its SI unit.
const CHANGE: f64 = 1e-4;
const CHANGE_OF_ZERO: f64 = 1e-6;
/// The run has this part of the tolerance: derivatives lose about a digit.
const FINER: f64 = 0.1;

/// A run for derivatives; it takes steps that end at `follow` where they are given.
pub(crate) fn run(
    scenario: &Scenario,
    follow: Option<&[f64]>,
    observer: &mut impl RunObserver,
) -> Summary {
    let mut plan = scenario.plan;
    plan.tolerance *= FINER;
    let mut execution = Execution::with(scenario, plan);
    if let Some(ends) = follow {
        execution.follow(ends.to_vec());
    }
    execution.advance(scenario, plan.end_time, observer);
    execution.summary(scenario)
}

/// Runs whose weighted sum over `span` is the derivative by a field.
pub(crate) struct DifferenceRuns<R> {
    runs: Vec<(f64, R)>,
    span: f64,
}

impl<R> DifferenceRuns<R> {
    /// The runs at both sides of `value`. Where one side is refused, at the edge of the range of a
    /// field, the value itself and two at the other side: of second order too.
    ///
    /// # Errors
    /// That of the run, if both sides are refused or a run fails for another reason.
    pub(crate) fn around<E>(
        value: f64,
        at: impl Fn(f64) -> Result<R, E>,
        is_refusal: impl Fn(&E) -> bool,
    ) -> Result<Self, E> {
        let change = change_of(value);
        let [above, below] = [1.0, -1.0].map(|side| at(value + side * change));
        let (side, near) = match (above, below) {
            (Ok(above), Ok(below)) => {
                return Ok(Self {
                    runs: vec![(1.0, above), (-1.0, below)],
                    span: (value + change) - (value - change),
                });
            }
            (Ok(near), Err(error)) if is_refusal(&error) => (1.0, near),
            (Err(error), Ok(near)) if is_refusal(&error) => (-1.0, near),
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let far = at(value + 2.0 * side * change)?;
        Ok(Self {
            runs: vec![(-3.0, at(value)?), (4.0, near), (-1.0, far)],
            span: 2.0 * ((value + side * change) - value),
        })
    }

    /// The runs.
    pub(crate) fn runs(&self) -> impl Iterator<Item = &R> {
        self.runs.iter().map(|(_, run)| run)
    }

    /// The derivative of a number of the runs; none if one of them lacks it.
    pub(crate) fn slope(&self, number: impl Fn(&R) -> Option<f64>) -> Option<f64> {
        let weighted = |(weight, run): &(f64, R)| number(run).map(|x| weight * x);
        let sum: Option<f64> = self.runs.iter().map(weighted).sum();
        sum.map(|sum| sum / self.span)
    }
}

/// By how much a field is moved.
pub(crate) fn change_of(value: f64) -> f64 {
    if value == 0.0 {
        CHANGE_OF_ZERO
    } else {
        CHANGE * value.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::DifferenceRuns;

    /// Both forms are exact for a parabola: 3 x² has the slope 6 x.
    #[test]
    fn a_parabola_has_its_slope_at_an_edge_too() {
        for (lowest, highest, x) in [
            (f64::NEG_INFINITY, f64::INFINITY, 2.0),
            (2.0, f64::INFINITY, 2.0),
            (f64::NEG_INFINITY, 2.0, 2.0),
            (0.0, f64::INFINITY, 0.0),
        ] {
            let at = |x: f64| {
                if (lowest..=highest).contains(&x) {
                    Ok(3.0 * x * x)
                } else {
                    Err(())
                }
            };
            let runs = DifferenceRuns::around(x, at, |()| true);
            let slope = runs.ok().and_then(|runs| runs.slope(|y| Some(*y)));
            // 12 ± 1e-15 over a change of 2e-4
            let error = slope.map_or(f64::NAN, |slope| (slope - 6.0 * x).abs());
            assert!(error < 1e-10, "{lowest} {highest}: {slope:?}");
        }
    }
}
