//! One trial step: globalised, modified Newton on the accelerations.
//!
//! Factors are kept while they serve. Where they do not, what changes fast is renewed first, and
//! all of the tangent where that does not help.

use crate::method::GeneralisedAlpha;
use crate::reach::Reach;
use crate::renewal::{FactorOrigin, Renewal};
use crate::state::State;
use crate::system::{Instant, System, TangentRequest};

/// Why a trial step failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepFailure {
    /// No convergence; the degree of freedom with the largest correction.
    Diverged(usize),
    /// Singular iteration matrix at a degree of freedom.
    Singular(usize),
    /// A residual that is not a number.
    NotFinite(usize),
}

/// Corrections of this size, in units of the error tolerance, end the iteration.
///
/// Well below 1, so that the iteration error does not disturb the error estimate.
const CONVERGED: f64 = 0.02;
/// The same at a stage, whose tolerance is smaller already.
const STAGE_CONVERGED: f64 = 0.1;
/// Where differences of runs are taken, corrections are so much smaller.
const CLOSELY: f64 = 1e-5;
/// A contraction slower than this renews the factors.
const SLOW: f64 = 0.2;
const MAX_ITERATIONS: usize = 25;
/// Shortest fraction of a correction that is tried before giving up.
const SHORTEST: f64 = 1.0 / 64.0;

/// Storage and result of trial steps.
#[derive(Debug)]
pub(crate) struct NewtonTrial {
    /// The state at the end of the step.
    pub(crate) state: State,
    /// The displacement over the step.
    pub(crate) displacement: Vec<f64>,
    /// Iterations (residual evaluations) so far in the run.
    pub(crate) iterations: usize,
    /// Where accelerations lead.
    pub(crate) reach: Reach,
    correction: Vec<f64>,
    candidate: Vec<f64>,
    first_guess: Vec<f64>,
    /// Factor on the size of a correction that ends the iteration.
    closeness: f64,
    /// Weight of the velocities that the factors belong to, s.
    factors_of: Option<f64>,
    /// What touched where the factors were made.
    factors_touching: u64,
    renewal: Renewal,
    tolerance_scales: ErrorScales,
}

/// Accelerations at a time before the committed state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PastAccelerations<'a> {
    pub(crate) t: f64,
    pub(crate) a: &'a [f64],
}

/// Allowed sizes of displacement and velocity errors, per degree of freedom.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErrorScales {
    pub(crate) displacement: Vec<f64>,
    pub(crate) velocity: Vec<f64>,
}

/// A step of generalised-α to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrialStep<'a> {
    /// The committed state.
    pub(crate) from: &'a State,
    /// Length of the step, s.
    pub(crate) h: f64,
    pub(crate) method: GeneralisedAlpha,
    /// Tolerated errors.
    pub(crate) allowed: &'a ErrorScales,
    /// The last state before the committed one since the loads jumped: the iteration starts where
    /// the accelerations would go on as they went.
    pub(crate) before: Option<PastAccelerations<'a>>,
}

/// A point at which the equations are solved: the end of a step, or a stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrialPoint<'a> {
    /// The committed state.
    pub(crate) from: &'a State,
    /// The history that the elements are given.
    pub(crate) history: &'a [f64],
    /// Tolerated errors.
    pub(crate) allowed: &'a ErrorScales,
}

impl NewtonTrial {
    pub(crate) fn new<S: System>(system: &S) -> Self {
        let n = system.dofs();
        Self {
            state: State::zeros(system),
            displacement: vec![0.0; n],
            iterations: 0,
            reach: Reach::new(system),
            correction: vec![0.0; n],
            candidate: vec![0.0; n],
            first_guess: vec![0.0; n],
            closeness: 1.0,
            factors_of: None,
            factors_touching: 0,
            renewal: Renewal::default(),
            tolerance_scales: ErrorScales {
                displacement: vec![0.0; n],
                velocity: vec![0.0; n],
            },
        }
    }

    /// Solves the equations nearly to rounding from now on.
    pub(crate) fn solve_closely(&mut self) {
        self.closeness = CLOSELY;
    }

    /// Forgets the factors, after a jump of the loads.
    pub(crate) fn forget(&mut self) {
        self.factors_of = None;
        self.renewal.forget();
    }

    /// Tries a step of generalised-α from the committed state.
    pub(crate) fn attempt<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        step: &TrialStep<'_>,
    ) -> Result<(), StepFailure> {
        let TrialStep {
            from,
            h,
            ref method,
            allowed,
            ..
        } = *step;
        self.reach.of_step(method, from, h);
        let point = TrialPoint {
            from,
            history: &from.history,
            allowed,
        };
        self.predict(step);
        self.solve(system, scratch, &point)?;
        let state = &mut self.state;
        for (i, algorithmic) in state.algorithmic.iter_mut().enumerate() {
            *algorithmic = method.algorithmic(state.a[i], from.a[i], from.algorithmic[i]);
        }
        Ok(())
    }

    /// Solves the equations at the end that [`Self::reach`] describes, from the accelerations of the
    /// trial state.
    pub(crate) fn solve<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        point: &TrialPoint<'_>,
    ) -> Result<(), StepFailure> {
        self.state.t = self.reach.t;
        self.tolerate(point);
        self.first_guess.copy_from_slice(&self.state.a);
        self.place(system, point);
        let first = self.iterate(system, scratch, point);
        if !matches!(first, Err(StepFailure::Diverged(_))) {
            return first;
        }
        self.state.a.copy_from_slice(&self.first_guess);
        self.place(system, point);
        self.rest_at_the_end();
        self.place(system, point);
        self.iterate(system, scratch, point)
    }

    /// Newton's iteration from the accelerations of the trial state.
    fn iterate<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        point: &TrialPoint<'_>,
    ) -> Result<(), StepFailure> {
        self.renewal.begin();
        let converged = self.converged();
        let mut factors = FactorOrigin::Old;
        let mut size = if self.factors_of == Some(self.reach.velocity_gain) {
            self.evaluate(system, scratch, point)
        } else {
            self.renew(system, scratch, point, &mut factors)?
        };
        let mut fraction = 1.0;
        for _ in 0..MAX_ITERATIONS {
            if size <= converged {
                // factors with a contact that is open here make every correction small
                if factors == FactorOrigin::Old
                    && system.touching(&self.state.history) != self.factors_touching
                {
                    size = self.renew(system, scratch, point, &mut factors)?;
                    continue;
                }
                self.polish(system, point);
                return Ok(());
            }
            if !size.is_finite() {
                if factors == FactorOrigin::Fresh {
                    return Err(StepFailure::NotFinite(self.worst()));
                }
                size = self.renew(system, scratch, point, &mut factors)?;
                continue;
            }
            // try the correction; keep it if the next one is smaller (natural monotonicity)
            self.candidate.copy_from_slice(&self.state.a);
            for (a, c) in self.state.a.iter_mut().zip(&self.correction) {
                *a += fraction * c;
            }
            self.place(system, point);
            let next = self.evaluate(system, scratch, point);
            let slow = next > SLOW * size && next > converged;
            self.renewal.judge(factors, slow);
            if next <= size * (1.0 - 0.25 * fraction) || next <= converged {
                if slow {
                    size = self.renew(system, scratch, point, &mut factors)?;
                } else {
                    size = next;
                    factors = FactorOrigin::Old;
                }
                fraction = (2.0 * fraction).min(1.0);
                continue;
            }
            // go back: with old factors renew them, else shorten the correction
            self.state.a.copy_from_slice(&self.candidate);
            self.place(system, point);
            if factors == FactorOrigin::Fresh {
                fraction *= 0.5;
                if fraction < SHORTEST {
                    return Err(StepFailure::Diverged(self.worst()));
                }
            }
            size = self.renew(system, scratch, point, &mut factors)?;
        }
        Err(StepFailure::Diverged(self.worst()))
    }

    /// The size of a correction that ends the iteration.
    fn converged(&self) -> f64 {
        let usual = if self.reach.stage.is_some() {
            STAGE_CONVERGED
        } else {
            CONVERGED
        };
        self.closeness * usual
    }

    /// Takes over the tolerated errors, as far as the rounding of the coordinates leaves them.
    fn tolerate(&mut self, point: &TrialPoint<'_>) {
        let TrialPoint { from, allowed, .. } = *point;
        self.tolerance_scales
            .displacement
            .copy_from_slice(&allowed.displacement);
        // rounding of the coordinates bounds what a velocity can resolve at this step
        let largest = from.q.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let rounding = 4.0 * f64::EPSILON * largest;
        let h = self.reach.stage.unwrap_or(self.reach.path);
        let converged = self.converged();
        for (to, x) in self
            .tolerance_scales
            .velocity
            .iter_mut()
            .zip(&allowed.velocity)
        {
            *to = x + rounding / (converged * h);
        }
        for x in &mut self.tolerance_scales.displacement {
            *x += rounding / converged;
        }
    }

    /// Accelerations to start from: they go on as they went.
    fn predict(&mut self, step: &TrialStep<'_>) {
        let TrialStep {
            from, h, before, ..
        } = *step;
        self.state.a.copy_from_slice(&from.a);
        if let Some(before) = before {
            let ratio = h / (from.t - before.t);
            for (a, old) in self.state.a.iter_mut().zip(before.a) {
                *a += ratio * (*a - old);
            }
        }
    }

    /// Accelerations that bring the trial state to rest at the end of the step.
    ///
    /// A pair that comes to a hold in a long step has none of the accelerations that it had, and
    /// what holds it is far stiffer than anything on the way there.
    fn rest_at_the_end(&mut self) {
        let gain = self.reach.velocity_gain;
        for (a, v) in self.state.a.iter_mut().zip(&self.state.v) {
            *a -= v / gain;
        }
    }

    /// Applies the last, small correction without evaluating again.
    ///
    /// Elements keep the coordinates that they were evaluated at, so the next step sees this
    /// displacement too and nothing drifts; without it the corrections left out of many short
    /// steps would add up.
    fn polish<S: System>(&mut self, system: &S, point: &TrialPoint<'_>) {
        for (a, c) in self.state.a.iter_mut().zip(&self.correction) {
            *a += c;
        }
        self.place(system, point);
    }

    /// Puts the trial state where its accelerations lead.
    fn place<S: System>(&mut self, system: &S, point: &TrialPoint<'_>) {
        let (state, displacement) = (&mut self.state, &mut self.displacement);
        self.reach.place(system, point.from, state, displacement);
    }

    /// The next correction with the factors there are; returns its size.
    fn evaluate<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        point: &TrialPoint<'_>,
    ) -> f64 {
        self.iterations += 1;
        let state = &mut self.state;
        let at = Instant {
            t: state.t,
            q: &state.q,
            v: &state.v,
            a: &state.a,
            history: point.history,
            step: self.reach.path,
            stage: self.reach.stage,
        };
        system.residual(scratch, &at, &mut self.correction, &mut state.history);
        self.finish(system, scratch)
    }

    /// The next correction with newer factors than those in use; returns its size.
    fn renew<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        point: &TrialPoint<'_>,
        factors: &mut FactorOrigin,
    ) -> Result<f64, StepFailure> {
        self.iterations += 1;
        let renew = self.renewal.choose(*factors);
        let weights = self.reach.weights();
        let state = &mut self.state;
        let at = Instant {
            t: state.t,
            q: &state.q,
            v: &state.v,
            a: &state.a,
            history: point.history,
            step: self.reach.path,
            stage: self.reach.stage,
        };
        let request = TangentRequest { weights, renew };
        self.factors_of = None;
        system
            .factorise(
                scratch,
                &at,
                request,
                &mut self.correction,
                &mut state.history,
            )
            .map_err(StepFailure::Singular)?;
        self.factors_of = Some(weights.damping);
        self.factors_touching = system.touching(&self.state.history);
        *factors = self.renewal.done(renew);
        Ok(self.finish(system, scratch))
    }

    fn finish<S: System>(&mut self, system: &S, scratch: &mut S::Scratch) -> f64 {
        for c in &mut self.correction {
            *c = -*c;
        }
        system.solve(scratch, &mut self.correction);
        (0..self.correction.len()).fold(0.0, |size, i| {
            let own = self.size_of(i);
            if own > size || own.is_nan() {
                own
            } else {
                size
            }
        })
    }

    /// Size of a correction in units of the tolerated error.
    fn size_of(&self, i: usize) -> f64 {
        let c = self.correction[i].abs();
        let position = self.reach.displacement_gain * c / self.tolerance_scales.displacement[i];
        let velocity = self.reach.velocity_gain * c / self.tolerance_scales.velocity[i];
        position.max(velocity) + 0.0 * c
    }

    fn worst(&self) -> usize {
        let mut worst = (0, -1.0);
        for i in 0..self.correction.len() {
            let size = self.size_of(i);
            if size.is_nan() {
                return i;
            }
            if size > worst.1 {
                worst = (i, size);
            }
        }
        worst.0
    }
}
