//! What a machine asks of a friction law.

use super::branches::Branches;
use super::derivatives::{Jacobian, Tangent, dual_tangent, jacobian_by_dual};
use super::formulas::Law;
use super::sides::Sides;
use super::slip::{Slip, StageStep, Step};
use super::staged::{LONGEST, stage_by_newton};
use super::states::{StateLayout, StictionLimit};
use crate::card::{Behaviour, LawCard};
use crate::kind::{Kind, KindVisitor};
use crate::notice::Notice;

/// A friction law: an immutable set of parameters, with all that a machine asks of it.
pub trait FrictionLaw: Law<Kind: Kind<Self>> + Send + Sync + 'static {
    /// The declaration; of a law of your own what all of them share.
    const CARD: LawCard<'static>;

    /// How the directions of motion may differ; as the kind has it unless the law says otherwise.
    const SIDES: Sides = <Self::Kind as Kind<Self>>::SIDES;

    /// The declaration of this law.
    fn card(&self) -> LawCard<'_> {
        Self::CARD
    }

    /// The states; those of the kind unless the law says otherwise.
    #[inline]
    fn layout(&self) -> StateLayout {
        <Self::Kind as Kind<Self>>::layout(self)
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

    /// Whether the states have smooth rates, so that [`Self::stage`] answers: a law that writes down
    /// both views itself says so.
    fn has_stage(&self) -> bool {
        <Self::Kind as Kind<Self>>::HAS_STAGE
    }

    /// Force and states at a stage of an implicit Runge–Kutta step, with the derivatives by the
    /// conditions there if they are wanted; `None` where states follow the path of the slip.
    #[inline]
    fn stage<const D: usize>(
        &self,
        stage: &StageStep<D>,
        base: &[f64],
        new: &mut [f64],
        wants_tangent: bool,
    ) -> Option<([f64; D], Tangent<D>)> {
        let of_kind = <Self::Kind as Kind<Self>>::stage(self, stage, base, new, wants_tangent);
        if of_kind.is_some() || !self.has_stage() || base.len() > LONGEST {
            return of_kind;
        }
        Some(stage_by_newton(self, stage, base, new, wants_tangent))
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
    /// second. Returns `false` if the law has no rule for it; the caller then uses a
    /// zero-length step.
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
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        <Self::Kind as Kind<Self>>::branches(self, slip, change, state)
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
    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        <Self::Kind as Kind<Self>>::stored_energy::<D>(self, normal_force, state)
    }

    /// The speed from which a pair counts as slipping, m/s.
    fn slip_speed(&self) -> f64;

    /// Whether the direction of the load that passes through ([`Slip::applied`]) changes the force.
    fn has_load_direction(&self) -> bool {
        false
    }

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

/// Something to do with a law of known type.
pub trait LawVisitor {
    /// The results.
    type Output;
    /// Called with the law's own type, so that inner loops are monomorphic.
    fn visit<L: FrictionLaw>(self, law: &L) -> Self::Output;
}
