//! Static equilibrium by steps of pseudo-time, each solved by Newton's method.
//!
//! A step from q₀ of length τ solves r(q) + M (q − q₀)/τ² = 0. Where r is the slope of an energy,
//! its solution is a place of less energy, whatever the residual is on the way: a slender beam that
//! bends is stretched by every correction, and its residual grows before it falls. A long step
//! leaves Newton's method alone; what nothing holds falls, further with every step.

use crate::state::State;
use crate::system::{Instant, Renew, RunError, System, TangentRequest, Weights};

/// A static step has this length: it only turns displacements into mean slip velocities.
const STEP: f64 = 1.0;
/// Corrections in all, and those of one step of pseudo-time.
const MAX_ITERATIONS: usize = 4000;
const MAX_CORRECTIONS: usize = 15;
/// A step is solved when the next correction is this part of its displacement: the steps to come
/// do the rest.
const SOLVED: f64 = 1e-2;
/// Shortest part of a correction that is tried.
const SHORTEST: f64 = 1.0 / 16.0;
/// The residual counts as zero at this fraction of the forces at the start.
const RELATIVE: f64 = 1e-12;
/// So often a step may leave the residual as it is: a part falls until something holds it. Each
/// such step is four times as far as the one before; so many more than cross any machine.
const MAX_FALLS: usize = 24;
/// What has moved by so many times the reach of the machine falls: rounding may blur its residual.
const FAR: f64 = 1e3;
/// A residual within this fraction of the one before is the same: rounding of a constant load.
const SAME: f64 = 1e-9;
/// Weight of the mass matrix, 1/s², with which multipliers are found at the start: that of the
/// first step of pseudo-time.
const STIFF: f64 = 1.0 / (FIRST_TIME * FIRST_TIME);
/// The first pseudo-time and its bounds, s.
const FIRST_TIME: f64 = 1e-4;
const TIMES: (f64, f64) = (1e-9, 1e6);

const SUPPORT: &str =
    "Support or load it so that it can rest, or start as given (start = \"as_given\")";
const CLOSER: &str =
    "Place the bodies closer to their rest, or start as given (start = \"as_given\")";

/// Moves `state` to static equilibrium: r(t, q, 0, 0) = 0.
///
/// Bristles take up the displacement as they would under slow loading, so that parts held by
/// friction rest. A direction without stiffness stays where it is if nothing pushes along it; if
/// something does, as a weight on a slack cable, the part falls until it is held.
/// Returns the number of iterations.
///
/// # Errors
/// [`RunError::NoEquilibrium`] names the coordinate that is not held, and
/// [`RunError::EquilibriumNotFound`] the one where the search ended without a result.
pub fn equilibrium<S: System>(system: &S, state: &mut State) -> Result<usize, RunError> {
    let mut search = EquilibriumSearch::new(system, state);
    // the forces at work: without what holds the constraints
    let first = search.evaluate(state);
    // at the start: far from there, rounding would hide the weight of what fell
    let rounding = search.rounding(state);
    search.balance_multipliers(state);
    let end = search.descend(state, first);
    let left = search.evaluate(state);
    // a millionth of the loads is far above rounding and far below a load that is not held
    let least = (1e-6 * first).max(1e-12).max(rounding);
    if left <= least {
        state.a.copy_from_slice(&search.multipliers);
        return Ok(search.iterations);
    }
    let dof = match end {
        // what hangs on a falling body falls with it, and further if it turns
        SearchEnd::Falls => largest(&search.moved, &search.scales, 100.0),
        SearchEnd::Rests | SearchEnd::GivesUp => largest(&search.residual, &[], 1.0),
    };
    let residual = search.residual[dof].abs();
    let element = search.blame(state, dof);
    Err(match end {
        SearchEnd::Falls => RunError::NoEquilibrium {
            element,
            residual,
            advice: SUPPORT,
        },
        SearchEnd::Rests | SearchEnd::GivesUp => RunError::EquilibriumNotFound {
            element,
            residual,
            advice: CLOSER,
        },
    })
}

/// A force that does not balance.
#[derive(Clone, Debug, PartialEq)]
pub struct Unbalanced {
    /// The largest residual, N or N m.
    pub residual: f64,
    /// Element or coordinate.
    pub element: String,
}

/// What is left of the forces at rest in the positions of `state`; `None` if that is rounding.
pub fn unbalanced<S: System>(system: &S, state: &State) -> Option<Unbalanced> {
    let mut state = state.clone();
    let mut search = EquilibriumSearch::new(system, &mut state);
    search.balance_multipliers(&mut state);
    let left = search.evaluate(&mut state);
    if left <= search.rounding(&mut state) {
        return None;
    }
    let dof = largest(&search.residual, &[], 1.0);
    Some(Unbalanced {
        residual: search.residual[dof].abs(),
        element: search.blame(&state, dof),
    })
}

/// How a search ended.
#[derive(Clone, Copy)]
enum SearchEnd {
    /// As near to rest as it gets.
    Rests,
    /// Something falls without end.
    Falls,
    GivesUp,
}

/// The first of the entries, in units of `scales`, that no other exceeds by more than a factor.
fn largest(entries: &[f64], scales: &[f64], factor: f64) -> usize {
    let size = |i: usize| entries[i].abs() / scales.get(i).copied().unwrap_or(1.0);
    let most = (0..entries.len()).map(size).fold(0.0, f64::max);
    (0..entries.len())
        .find(|&i| size(i) * factor >= most)
        .unwrap_or(0)
}

/// A static evaluation: at rest, with the displacement since the start as slip.
fn instant<'a>(t: f64, q: &'a [f64], still: &Still<'a>) -> Instant<'a> {
    Instant {
        t,
        q,
        v: still.rest,
        a: still.multipliers,
        history: still.history,
        step: STEP,
        stage: None,
    }
}

/// What a static evaluation needs beside the coordinates.
struct Still<'a> {
    /// Zeros: velocities.
    rest: &'a [f64],
    /// Accelerations: zeros, and the multipliers of constraints.
    multipliers: &'a [f64],
    history: &'a [f64],
}

struct EquilibriumSearch<'s, S: System> {
    system: &'s S,
    scratch: S::Scratch,
    /// History at the start.
    history: Vec<f64>,
    /// Displacement of the step of pseudo-time so far, and as tried.
    moved: Vec<f64>,
    tried: Vec<f64>,
    correction: Vec<f64>,
    /// The residual, and that with the inertia of a step.
    residual: Vec<f64>,
    balance: Vec<f64>,
    rest: Vec<f64>,
    /// Accelerations: zeros, and the multipliers of constraints; and those before a correction.
    multipliers: Vec<f64>,
    multipliers_before: Vec<f64>,
    /// Natural sizes of displacements.
    scales: Vec<f64>,
    iterations: usize,
}

impl<'s, S: System> EquilibriumSearch<'s, S> {
    fn new(system: &'s S, state: &mut State) -> Self {
        state.v.fill(0.0);
        state.a.fill(0.0);
        state.algorithmic.fill(0.0);
        let zeros = vec![0.0; system.dofs()];
        let (mut scales, mut speeds) = (zeros.clone(), zeros.clone());
        system.scales(&mut scales, &mut speeds);
        Self {
            system,
            scratch: system.scratch(),
            history: state.history.clone(),
            moved: zeros.clone(),
            tried: zeros.clone(),
            correction: zeros.clone(),
            residual: zeros.clone(),
            balance: zeros.clone(),
            multipliers: zeros.clone(),
            multipliers_before: zeros.clone(),
            rest: zeros,
            scales,
            iterations: 0,
        }
    }

    /// The size of the residual at the coordinates of `state`; renews its history.
    fn evaluate(&mut self, state: &mut State) -> f64 {
        let still = Still {
            rest: &self.rest,
            multipliers: &self.multipliers,
            history: &self.history,
        };
        let at = instant(state.t, &state.q, &still);
        self.system.residual(
            &mut self.scratch,
            &at,
            &mut self.residual,
            &mut state.history,
        );
        let rows = self.system.multipliers();
        self.system
            .constraints(&mut self.scratch, &at, &mut self.residual[rows]);
        self.residual.iter().map(|r| r * r).sum::<f64>().sqrt()
    }

    /// What the residual changes by as every coordinate moves by some roundings: the rounding of
    /// the stiffest force.
    fn rounding(&mut self, state: &mut State) -> f64 {
        let reach = state.q.iter().fold(0.0_f64, |most, q| most.max(q.abs()));
        let from = state.q.clone();
        self.evaluate(state);
        let before = self.residual.clone();
        // neighbours move apart in some places, and together in others
        for (i, x) in self.tried.iter_mut().enumerate() {
            let sign = if (i * i / 3 + i) % 2 == 0 { 1.0 } else { -1.0 };
            *x = sign * 2.0 * f64::EPSILON * reach;
        }
        self.system.displace(&from, &self.tried, &mut state.q);
        self.evaluate(state);
        state.q = from;
        let pairs = self.residual.iter().zip(&before);
        let change = pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        self.evaluate(state);
        2.0 * change
    }

    /// Steps of pseudo-time, which grows while Newton's method converges.
    fn descend(&mut self, state: &mut State, first: f64) -> SearchEnd {
        let (mut current, mut time, mut falls) = (self.evaluate(state), FIRST_TIME, 0);
        let start = state.q.clone();
        let far = FAR * start.iter().fold(1.0_f64, |most, q| most.max(q.abs()));
        while self.iterations < MAX_ITERATIONS && time >= TIMES.0 {
            if current <= RELATIVE * first {
                return SearchEnd::Rests;
            }
            let from = state.q.clone();
            let multipliers = self.multipliers.clone();
            let Some(corrections) = self.step(state, time) else {
                state.q = from;
                self.multipliers = multipliers;
                if current <= self.rounding(state) {
                    return SearchEnd::Rests;
                }
                time *= 0.125;
                continue;
            };
            let next = self.evaluate(state);
            if next > 0.5 * current && current <= self.rounding(state) {
                state.q = from;
                return SearchEnd::Rests;
            }
            let is_same = (next - current).abs() <= SAME * current;
            falls = if is_same { falls + 1 } else { 0 };
            let mut ways = state.q.iter().zip(&start).map(|(a, b)| (a - b).abs());
            if falls > MAX_FALLS || ways.any(|way| way > far) {
                return SearchEnd::Falls;
            }
            current = next;
            let growth = if is_same || corrections > 6 { 2.0 } else { 4.0 };
            time = (growth * time).min(TIMES.1);
        }
        SearchEnd::GivesUp
    }

    /// Solves a step of length `time` by Newton's method; `None` if it does not converge.
    ///
    /// A correction is taken if the next one, with the same factors, is shorter (Deuflhard, Newton
    /// Methods for Nonlinear Problems, section 3.3): a measure in which stiff directions count no
    /// more than soft ones.
    fn step(&mut self, state: &mut State, time: f64) -> Option<usize> {
        let mass = 1.0 / (time * time);
        self.moved.fill(0.0);
        for correction in 1..=MAX_CORRECTIONS {
            self.iterations += 1;
            self.factorise(state, mass)?;
            self.balance_of(mass);
            std::mem::swap(&mut self.correction, &mut self.balance);
            self.system.solve(&mut self.scratch, &mut self.correction);
            let size = self.size(&self.correction);
            if !size.is_finite() {
                return None;
            }
            let left = self.correct(state, mass, size)?;
            if left <= SOLVED * self.size(&self.moved) || left == 0.0 {
                return Some(correction);
            }
        }
        None
    }

    fn factorise(&mut self, state: &mut State, mass: f64) -> Option<()> {
        let weights = Weights {
            mass,
            damping: 0.0,
            stiffness: 1.0,
        };
        let still = Still {
            rest: &self.rest,
            multipliers: &self.multipliers,
            history: &self.history,
        };
        let at = instant(state.t, &state.q, &still);
        let request = TangentRequest {
            weights,
            renew: Renew::All,
        };
        let (residual, history) = (&mut self.residual, &mut state.history);
        self.system
            .factorise(&mut self.scratch, &at, request, residual, history)
            .ok()?;
        let rows = self.system.multipliers();
        self.system
            .constraints(&mut self.scratch, &at, &mut self.residual[rows]);
        Some(())
    }

    /// Multipliers that balance the forces as far as constraints can: what is left then would move.
    fn balance_multipliers(&mut self, state: &mut State) {
        let rows = self.system.multipliers();
        if rows.is_empty() || self.factorise(state, STIFF).is_none() {
            return;
        }
        self.correction.copy_from_slice(&self.residual);
        self.system.solve(&mut self.scratch, &mut self.correction);
        for i in rows {
            self.multipliers[i] -= self.correction[i];
        }
    }

    /// The element or coordinate that a residual is about.
    fn blame(&mut self, state: &State, dof: usize) -> String {
        let still = Still {
            rest: &self.rest,
            multipliers: &self.multipliers,
            history: &self.history,
        };
        let at = instant(state.t, &state.q, &still);
        self.system.blame(&mut self.scratch, &at, dof)
    }

    /// r + M (q − q₀)/τ² from the residual and the displacement tried.
    fn balance_of(&mut self, mass: f64) {
        self.tried.copy_from_slice(&self.moved);
        self.balance_tried(mass);
    }

    fn balance_tried(&mut self, mass: f64) {
        self.system
            .apply_mass(&self.scratch, &self.tried, &mut self.balance);
        for (b, r) in self.balance.iter_mut().zip(&self.residual) {
            *b = *b * mass + r;
        }
    }

    /// Takes as much of a correction as brings the next one down; returns the size of that.
    fn correct(&mut self, state: &mut State, mass: f64, size: f64) -> Option<f64> {
        let from = state.q.clone();
        self.multipliers_before.copy_from_slice(&self.multipliers);
        let mut part = 1.0;
        while part >= SHORTEST {
            for (x, c) in self.tried.iter_mut().zip(&self.correction) {
                *x = -part * c;
            }
            for i in self.system.multipliers() {
                self.multipliers[i] = self.multipliers_before[i] + self.tried[i];
            }
            self.system.displace(&from, &self.tried, &mut state.q);
            for (x, moved) in self.tried.iter_mut().zip(&self.moved) {
                *x += moved;
            }
            self.evaluate(state);
            self.balance_tried(mass);
            self.system.solve(&mut self.scratch, &mut self.balance);
            let next = self.size(&self.balance);
            if next <= (1.0 - 0.25 * part) * size {
                std::mem::swap(&mut self.moved, &mut self.tried);
                return Some(next);
            }
            part *= 0.5;
        }
        self.multipliers.copy_from_slice(&self.multipliers_before);
        None
    }

    /// The size of a displacement, in natural sizes.
    fn size(&self, displacement: &[f64]) -> f64 {
        let pairs = displacement.iter().zip(&self.scales);
        pairs
            .map(|(x, scale)| (x / scale).powi(2))
            .sum::<f64>()
            .sqrt()
    }
}
