//! What an integrator knows of a system.

use crate::group::DofGroup;
use crate::state::State;
use std::ops::Range;

/// One evaluation point: an instant, reached by a step of length `step` from the old history.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// Accelerations.
    pub a: &'a [f64],
    /// Memory at the start of the step.
    pub history: &'a [f64],
    /// Length of the step, s; 0 evaluates at once, with the history as it is.
    pub step: f64,
    /// Weight of the rates of the [`System::staged`] history, s, if this is a stage of an implicit
    /// Runge–Kutta step: that history then holds what the stages before sum up to. `None` where all of it
    /// follows the path of the step.
    pub stage: Option<f64>,
}

/// Weights of the iteration matrix S = m M + c C + k K.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Of M = ∂r/∂q̈.
    pub mass: f64,
    /// Of C = ∂r/∂q̇.
    pub damping: f64,
    /// Of K = ∂r/∂q.
    pub stiffness: f64,
}

impl<'a> Instant<'a> {
    /// A state, reached by a step of length `step` (s) from its history.
    pub fn of(state: &'a State, step: f64) -> Self {
        Self {
            t: state.t,
            q: &state.q,
            v: &state.v,
            a: &state.a,
            history: &state.history,
            step,
            stage: None,
        }
    }
}

/// How much of the tangent is renewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renew {
    /// All of it.
    All,
    /// What can change fast, such as friction. The rest may be as old as the last [`Renew::All`]:
    /// inertia and elasticity change with large motions only.
    Changing,
}

/// The tangent that a factorisation needs.
#[derive(Clone, Copy, Debug)]
pub struct TangentRequest {
    /// Weights of its parts.
    pub weights: Weights,
    /// What is renewed.
    pub renew: Renew,
}

impl TangentRequest {
    /// The mass matrix alone, renewed.
    pub const MASS: Self = Self {
        weights: Weights {
            mass: 1.0,
            damping: 0.0,
            stiffness: 0.0,
        },
        renew: Renew::All,
    };
}

/// The slip of a pair, in units of its law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipState {
    /// Slip speed over the speed at which the law changes fastest (its Stribeck velocity).
    pub ratio: f64,
    /// Rate of the law's state at that speed, 1/s (σ₀ v_s/μ_k); 0 without state.
    pub rate: f64,
}

/// Friction that feeds itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Jam {
    /// The element.
    pub element: String,
    /// Growth of the friction with the force that it makes.
    pub gain: f64,
}

/// A second-order system `r(t, q, q̇, q̈; history) = 0`.
pub trait System {
    /// Working storage: frames, matrix, factors. Owned by the caller, one per thread.
    type Scratch;

    /// New working storage.
    fn scratch(&self) -> Self::Scratch;
    /// Forgets in the storage what an earlier evaluation left there and a later one would use.
    fn forget(&self, _scratch: &mut Self::Scratch) {}
    /// Degrees of freedom, and behind them the multipliers of constraints.
    fn dofs(&self) -> usize;
    /// Which of them are multipliers of constraints: their acceleration is the multiplier itself, and
    /// their row of the residual is Φ̈. They displace nothing.
    fn multipliers(&self) -> Range<usize> {
        self.dofs()..self.dofs()
    }
    /// Φ at an instant, one value per multiplier.
    fn constraints(&self, _scratch: &mut Self::Scratch, _at: &Instant<'_>, _out: &mut [f64]) {}
    /// Φ̇ at an instant.
    fn constraint_rates(&self, _scratch: &mut Self::Scratch, _at: &Instant<'_>, _out: &mut [f64]) {}
    /// Length of the coordinate vector.
    fn coordinates(&self) -> usize;
    /// Length of the history.
    fn history_len(&self) -> usize;
    /// Degrees of freedom that belong together, in their order; without multipliers.
    fn groups(&self) -> &[DofGroup];
    /// The entries of the history that have smooth rates, which a Runge–Kutta method sums; the others
    /// follow the path of the step.
    fn staged(&self) -> Vec<Range<usize>> {
        Vec::new()
    }
    /// The rates of the [`System::staged`] entries of the history of a state; others may be anything.
    fn history_rates(&self, _scratch: &mut Self::Scratch, _state: &State, _rates: &mut [f64]) {}

    /// `out = q ⊞ displacement`, on the group.
    fn displace(&self, q: &[f64], displacement: &[f64], out: &mut [f64]);

    /// The residual, and the history at the end of the step.
    fn residual(
        &self,
        scratch: &mut Self::Scratch,
        at: &Instant<'_>,
        residual: &mut [f64],
        history: &mut [f64],
    );

    /// Assembles and factorises S = m M + c C + k K, with the residual and history of the same point;
    /// the renewed parts belong to that point.
    ///
    /// # Errors
    /// The degree of freedom whose pivot vanishes.
    fn factorise(
        &self,
        scratch: &mut Self::Scratch,
        at: &Instant<'_>,
        request: TangentRequest,
        residual: &mut [f64],
        history: &mut [f64],
    ) -> Result<(), usize>;

    /// Solves S x = b in place with the last factors.
    fn solve(&self, scratch: &mut Self::Scratch, b: &mut [f64]);

    /// `out = M x` with the mass matrix of the last factorisation.
    fn apply_mass(&self, scratch: &Self::Scratch, x: &[f64], out: &mut [f64]);

    /// Natural sizes of displacements (m or rad) and velocities of every degree of freedom.
    fn scales(&self, displacement: &mut [f64], velocity: &mut [f64]);

    /// Natural sizes of the history entries under the loads of a state; 0 for entries without error
    /// control.
    fn history_scales(&self, state: &State, scales: &mut [f64]);

    /// What the path of the history within a step needs of a committed state at one of its ends, beside the
    /// history there: as a rule the rates of its entries.
    fn history_end(&self, scratch: &mut Self::Scratch, state: &State, end: &mut [f64]);

    /// The history of a state inside a step, at the fraction `theta` between two committed states with
    /// their [`System::history_end`]; where it is and how it moves is in the state already.
    fn history_between(
        &self,
        scratch: &mut Self::Scratch,
        ends: [(&State, &[f64]); 2],
        theta: f64,
        state: &mut State,
    );

    /// Whether forces or history jump where a mode changes (stick, slip): such changes are located.
    fn has_modes(&self) -> bool {
        false
    }

    /// How far the modes of a state are from their ends: 1 is far, below 0 one has ended.
    fn mode_margin(&self, _scratch: &mut Self::Scratch, _state: &State) -> f64 {
        f64::INFINITY
    }

    /// Changes the modes that have ended (margin below 0), and what jumps with them.
    fn change_mode(&self, _scratch: &mut Self::Scratch, _state: &mut State) {}

    /// The fraction of a step at which it should be cut, because a motion reverses there and the
    /// history, which sees the displacement of the step, would miss more than `tolerated` (m) of
    /// the way forward and back.
    fn reversal(&self, _tolerated: f64, _before: &State, _after: &State) -> Option<f64> {
        None
    }

    /// A number for the set of contacts that touch, of the history at a point: where it differs, the
    /// stiffness does.
    fn touching(&self, _history: &[f64]) -> u64 {
        0
    }

    /// Whether a load begins within a step: something stiff that was not there at its start.
    fn load_begins(&self, _before: &State, _after: &State) -> bool {
        false
    }

    /// Velocities that jump at a breakpoint, where prescribed motions change their speed at once
    /// (`before` is the time just before it, s). The state takes them, with all of its history that depends on them.
    /// Returns the work of the impulse, J, if there is one.
    fn jump(&self, _scratch: &mut Self::Scratch, _before: f64, _state: &mut State) -> Option<f64> {
        None
    }

    /// Friction that grows faster than the force that overcomes it: no finite force solves the
    /// equations of motion.
    fn jam(&self, _scratch: &mut Self::Scratch, _state: &State) -> Option<Jam> {
        None
    }

    /// The slip of every loaded pair, for the step rules that look at it.
    fn slip_states(
        &self,
        _scratch: &mut Self::Scratch,
        _state: &State,
        _each: &mut dyn FnMut(SlipState),
    ) {
    }

    /// The largest error of a slip velocity of a loaded pair, in units of the speed at which its law
    /// changes fastest and of the slip speed itself, if velocities are off by `error`.
    fn slip_error(&self, _scratch: &mut Self::Scratch, _state: &State, _error: &[f64]) -> f64 {
        0.0
    }

    /// Times at which loads or their slopes jump, sorted; the integrator lands on them.
    fn breakpoints(&self, end_time: f64) -> Vec<f64>;

    /// The element or coordinate that a failure at `dof` is about, for the user.
    fn blame(&self, scratch: &mut Self::Scratch, at: &Instant<'_>, dof: usize) -> String;
}

impl State {
    /// A state of the right sizes, all zero.
    pub fn zeros<S: System>(system: &S) -> Self {
        let n = system.dofs();
        Self {
            t: 0.0,
            q: vec![0.0; system.coordinates()],
            v: vec![0.0; n],
            a: vec![0.0; n],
            algorithmic: vec![0.0; n],
            history: vec![0.0; system.history_len()],
            history_rates: vec![0.0; system.history_len()],
        }
    }
}

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Newton did not converge even at the smallest step.
    #[error(
        "the step at t = {t:.9} s did not converge down to {step:.3e} s; largest correction in {element}. {advice}"
    )]
    NotConverged {
        /// Time, s.
        t: f64,
        /// The last step tried, s.
        step: f64,
        /// Element or coordinate.
        element: String,
        /// What to do.
        advice: &'static str,
    },
    /// The error control asks for a step below the smallest one.
    #[error(
        "the error control asks for a step below {step:.3e} s at t = {t:.9} s; largest error in {element}. {advice}"
    )]
    StepTooSmall {
        /// Time, s.
        t: f64,
        /// The smallest step, s.
        step: f64,
        /// Element or coordinate.
        element: String,
        /// What to do.
        advice: &'static str,
    },
    /// The iteration matrix is singular.
    #[error("the equations are singular at t = {t:.9} s in {element}. {advice}")]
    Singular {
        /// Time, s.
        t: f64,
        /// Element or coordinate.
        element: String,
        /// What to do.
        advice: &'static str,
    },
    /// No static equilibrium was found.
    #[error(
        "no static equilibrium: {element} is not held (residual {residual:.3e} N or N m). {advice}"
    )]
    NoEquilibrium {
        /// Coordinate.
        element: String,
        /// Residual, N or N m.
        residual: f64,
        /// What to do.
        advice: &'static str,
    },
    /// The search for static equilibrium ended without a result.
    #[error(
        "static equilibrium was not found: a residual of {residual:.3e} N or N m is left at {element}. {advice}"
    )]
    EquilibriumNotFound {
        /// Coordinate.
        element: String,
        /// Residual, N or N m.
        residual: f64,
        /// What to do.
        advice: &'static str,
    },
    /// Friction grows faster than the force that overcomes it.
    #[error(
        "{element} jams at t = {t:.9} s: friction grows faster than the force that overcomes it, \
         coefficient x load per force = {gain:.3}. {advice}"
    )]
    Jams {
        /// Time, s.
        t: f64,
        /// Element.
        element: String,
        /// Growth of the friction with the force that it makes.
        gain: f64,
        /// What to do.
        advice: &'static str,
    },
    /// A force is not a number.
    #[error("a force is not finite at t = {t:.9} s in {element}. {advice}")]
    NotFinite {
        /// Time, s.
        t: f64,
        /// Element or coordinate.
        element: String,
        /// What to do.
        advice: &'static str,
    },
}
