//! What a friction law is: its formulas ([`Law`]), and what a machine asks of it ([`FrictionLaw`]).

mod derivatives;

pub use derivatives::{Jacobian, Tangent, jacobian_by_dual, tangent_by_dual};

use crate::branches::Branches;
use crate::card::{Behaviour, LawCard};
use crate::kind::{Kind, KindVisitor};
use crate::notice::Notice;
use crate::scalar::{MixesWith, Scalar};
use crate::slip::{Slip, Step};
use derivatives::dual_tangent;
use std::fmt::Debug;

/// The states of a law. Vectors turn with the contact's frame, scalars do not.
///
/// A state slice holds the vectors first, each of `D` entries, then the scalars. Modes
/// (stick, slip) are scalars that hold small whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateLayout {
    /// Number of vector states.
    pub vectors: usize,
    /// Number of scalar states.
    pub scalars: usize,
}

impl StateLayout {
    /// No state.
    pub const NONE: Self = Self {
        vectors: 0,
        scalars: 0,
    };

    /// Length of the state slice in `dimension` dimensions.
    pub const fn len(self, dimension: usize) -> usize {
        self.vectors * dimension + self.scalars
    }

    /// Whether there is no state.
    pub const fn is_empty(self) -> bool {
        self.vectors == 0 && self.scalars == 0
    }
}

/// The largest state slice a law may have (ten elements in three dimensions, with their modes).
pub const MAX_STATES: usize = 48;

/// What a law that answers the applied force at rest can hold: slower than `speed` (m/s) the pair
/// is at rest, and friction balances a force up to `coefficient` times the normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StictionLimit {
    /// Half width of the dead zone, m/s.
    pub speed: f64,
    /// Static friction coefficient.
    pub coefficient: f64,
}

/// The formulas of a law with parameters of the type `P`; the state is an argument.
///
/// Over numbers they are those of a simulation. Over dual parameters they give the derivatives by
/// the parameters, for a fit.
pub trait Law<P: Scalar = f64>: Clone + Debug {
    /// The kind of law: what follows from its formulas. [`General`](crate::kind::General) for a law
    /// that writes down both views itself.
    type Kind;

    /// Sets the state at the start of a motion; zero unless the law says otherwise.
    fn start<const D: usize>(&self, _slip: &Slip<P, D>, state: &mut [P]) {
        state.fill(P::zero());
    }

    /// The continuous view: force along v (N), and the rates of the states.
    ///
    /// Modes have rate 0: they change in [`Self::update`] only.
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D];

    /// The constitutive update: the state after the step, and the force at its end.
    ///
    /// Unconditionally stable: bounded for any duration. A law without state may keep the default.
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        _old: &[P],
        _new: &mut [T],
    ) -> [T; D] {
        self.rates(&step.end, &[], &mut [])
    }

    /// The update with the mode that `old` has, whatever the conditions at the end of the step.
    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        self.update(step, old, new)
    }

    /// Magnitude of the steady sliding force at a speed, N, if the law has one.
    fn steady(&self, speed: P, normal_force: P) -> Option<P>;
}

/// A friction law: an immutable set of parameters, with all that a machine asks of it.
pub trait FrictionLaw: Law<Kind: Kind<Self>> + Send + Sync + 'static {
    /// The declaration; of a law of your own what all of them share.
    const CARD: LawCard<'static>;

    /// The declaration of this law.
    fn card(&self) -> LawCard<'_> {
        Self::CARD
    }

    /// The states.
    fn layout(&self) -> StateLayout {
        StateLayout::NONE
    }

    /// Calls the visitor with the formulas that hold without an applied force, if they are those of
    /// a kind.
    #[inline]
    fn visit_kind<V: KindVisitor>(&self, visitor: V) -> V::Output {
        <Self::Kind as Kind<Self>>::visit(self, visitor)
    }

    /// The update with its consistent tangent: exact, by the chain rule of the kind, or else by dual
    /// numbers.
    #[inline]
    fn update_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        <Self::Kind as Kind<Self>>::update_with_tangent(self, step, old, new)
    }

    /// [`Law::update_in_mode`] with its consistent tangent.
    fn update_in_mode_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        if const { Self::CARD.does(Behaviour::Jumps) } {
            dual_tangent(step, new, |step, new| self.update_in_mode(step, old, new))
        } else {
            self.update_with_tangent(step, old, new)
        }
    }

    /// How far the mode of `state` is from its end: 1 is far, below 0 it has ended.
    ///
    /// A solver keeps the mode of a law that [jumps](Behaviour::Jumps) during a step
    /// ([`Law::update_in_mode`]), finds the time at which it ends, and changes it between two steps
    /// ([`Self::change_mode`]). Laws whose force is continuous change their modes in
    /// [`Law::update`], on the path of the step.
    fn mode_margin<const D: usize>(&self, _slip: &Slip<f64, D>, _state: &[f64]) -> f64 {
        f64::INFINITY
    }

    /// Changes the mode of `state`, and what jumps with it.
    fn change_mode<const D: usize>(&self, _slip: &Slip<f64, D>, _state: &mut [f64]) {}

    /// Sets the modes that hold just after an event, while the conditions change by `change` per
    /// second. Returns `false` if the law has no rule for it; the caller then uses a step of no
    /// length.
    fn set_modes_after_event<const D: usize>(
        &self,
        _slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        _state: &mut [f64],
    ) -> bool {
        false
    }

    /// The branches of the rates that hold at an instant while the conditions change by `change`
    /// per second, where the states do not say so.
    fn branches<const D: usize>(
        &self,
        _slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        _state: &[f64],
    ) -> Branches {
        Branches::NONE
    }

    /// What a law that answers the applied force at rest can hold.
    fn stiction(&self) -> Option<StictionLimit> {
        None
    }

    /// The exact Jacobian of the continuous view, by dual numbers.
    fn jacobian<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> Jacobian<D> {
        jacobian_by_dual(self, slip, state)
    }

    /// Elastic energy held in the state, J, where the law defines it.
    fn stored_energy<const D: usize>(&self, _normal_force: f64, _state: &[f64]) -> f64 {
        0.0
    }

    /// The speed from which a pair counts as slipping, m/s.
    fn slip_speed(&self) -> f64;

    /// The deflection at break-away, m: the natural length of the contact, for error weights.
    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        None
    }

    /// The natural size of the vector states, in their own unit, for error weights.
    fn state_size(&self, normal_force: f64) -> Option<f64> {
        self.breakaway_deflection(normal_force)
    }

    /// What the user should know about this parameter set.
    fn notices(&self) -> Vec<Notice> {
        Vec::new()
    }
}
