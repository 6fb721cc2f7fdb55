//! Any law of the catalogue, as one of its own.

use crate::card::{Behaviour, LawCard};
use crate::friction::{Friction, of_each_law};
use crate::law::branches::Branches;
use crate::law::slip::{Slip, StageStep, Step};
use crate::law::{FrictionLaw, Jacobian, Law, LawVisitor, StateLayout, StictionLimit, Tangent};
use crate::notice::{Notice, Topic};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters::{ParameterSet, Value, Values};

impl<P: Scalar> Friction<P> {
    /// See [`Law::start`].
    pub fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
        of_each_law!(self, law => law.start(slip, state));
    }

    /// See [`Law::rates`].
    #[inline]
    pub fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        of_each_law!(self, law => law.rates(slip, state, rates))
    }

    /// See [`Law::update`].
    #[inline]
    pub fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        of_each_law!(self, law => law.update(step, old, new))
    }

    /// See [`Law::update_in_mode`].
    pub fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        of_each_law!(self, law => law.update_in_mode(step, old, new))
    }

    /// See [`Law::steady`].
    pub fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        of_each_law!(self, law => law.steady(speed, normal_force))
    }
}

impl Friction {
    /// Calls the visitor with the law's own type.
    #[inline]
    pub fn visit<V: LawVisitor>(&self, visitor: V) -> V::Output {
        of_each_law!(self, law => visitor.visit(law))
    }

    /// The law's card.
    pub fn card(&self) -> LawCard<'_> {
        of_each_law!(self, law => law.card())
    }

    /// The parameters by field name; the law built from them is the same.
    pub fn to_values(&self) -> Values {
        of_each_law!(self, law => law.parameters().to_values())
    }

    /// See [`FrictionLaw::layout`].
    #[inline]
    pub fn layout(&self) -> StateLayout {
        of_each_law!(self, law => law.layout())
    }

    /// See [`FrictionLaw::update_with_tangent`].
    #[inline]
    pub fn update_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        of_each_law!(self, law => law.update_with_tangent(step, old, new))
    }

    /// See [`FrictionLaw::has_stage`].
    pub fn has_stage(&self) -> bool {
        of_each_law!(self, law => law.has_stage())
    }

    /// See [`FrictionLaw::stage`].
    #[inline]
    pub fn stage<const D: usize>(
        &self,
        stage: &StageStep<D>,
        base: &[f64],
        new: &mut [f64],
        wants_tangent: bool,
    ) -> Option<([f64; D], Tangent<D>)> {
        of_each_law!(self, law => law.stage(stage, base, new, wants_tangent))
    }

    /// Whether the law [jumps](Behaviour::Jumps) where its mode changes.
    #[inline]
    pub fn jumps(&self) -> bool {
        fn jumps<L: FrictionLaw>(_: &L) -> bool {
            const { L::CARD.does(Behaviour::Jumps) }
        }
        of_each_law!(self, law => jumps(law))
    }

    /// See [`FrictionLaw::update_in_mode_with_tangent`].
    pub fn update_in_mode_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        of_each_law!(self, law => law.update_in_mode_with_tangent(step, old, new))
    }

    /// See [`FrictionLaw::mode_margin`].
    pub fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        of_each_law!(self, law => law.mode_margin(slip, state))
    }

    /// See [`FrictionLaw::change_mode`].
    pub fn change_mode<const D: usize>(&self, slip: &Slip<f64, D>, state: &mut [f64]) {
        of_each_law!(self, law => law.change_mode(slip, state));
    }

    /// See [`FrictionLaw::set_modes_after_event`].
    pub fn set_modes_after_event<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &mut [f64],
    ) -> bool {
        of_each_law!(self, law => law.set_modes_after_event(slip, change, state))
    }

    /// See [`FrictionLaw::branches`].
    pub fn branches<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        of_each_law!(self, law => law.branches(slip, change, state))
    }

    /// See [`FrictionLaw::stiction`].
    pub fn stiction(&self) -> Option<StictionLimit> {
        of_each_law!(self, law => law.stiction())
    }

    /// See [`FrictionLaw::jacobian`].
    pub fn jacobian<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> Jacobian<D> {
        of_each_law!(self, law => law.jacobian(slip, state))
    }

    /// See [`FrictionLaw::stored_energy`].
    pub fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        of_each_law!(self, law => law.stored_energy::<D>(normal_force, state))
    }

    /// See [`FrictionLaw::slip_speed`].
    pub fn slip_speed(&self) -> f64 {
        of_each_law!(self, law => law.slip_speed())
    }

    /// See [`FrictionLaw::has_load_direction`].
    pub fn has_load_direction(&self) -> bool {
        of_each_law!(self, law => law.has_load_direction())
    }

    /// See [`FrictionLaw::breakaway_deflection`].
    pub fn breakaway_deflection(&self, normal_force: f64) -> Option<f64> {
        of_each_law!(self, law => law.breakaway_deflection(normal_force))
    }

    /// See [`FrictionLaw::state_size`].
    pub fn state_size(&self, normal_force: f64) -> Option<f64> {
        of_each_law!(self, law => law.state_size(normal_force))
    }

    /// The natural size of a vector state, in its own unit: of a direction of slip 1, of all others
    /// that of [`Self::state_size`].
    pub fn vector_size(&self, index: usize, normal_force: f64) -> Option<f64> {
        if self.is_direction(index) {
            return Some(1.0);
        }
        self.state_size(normal_force)
    }

    /// Whether a vector state is a pure number beside a first one with a unit: a direction of slip.
    pub fn is_direction(&self, index: usize) -> bool {
        let states = self.card().states;
        let is_number = |i: usize| states.get(i).is_some_and(|state| state.unit == "1");
        index > 0 && is_number(index) && !is_number(0)
    }

    /// Whether it has states that an update takes along the path of the slip, with kinks on the way: their rates
    /// are not smooth, and no change of a mode is located.
    pub fn follows_path(&self) -> bool {
        self.layout().len(1) > 0 && !self.has_stage() && !self.jumps()
    }

    /// See [`FrictionLaw::notices`].
    pub fn notices(&self) -> Vec<Notice> {
        if let Self::TwoSided(law) = self {
            return law.notices();
        }
        let own = of_each_law!(self, law => law.notices());
        own.into_iter().chain(unused_exponent(self)).collect()
    }
}

/// A Stribeck exponent that the curve of the law does not know.
fn unused_exponent(law: &Friction) -> Option<Notice> {
    let values = law.to_values();
    let shape = values.iter().find_map(|(_, value)| match value {
        Value::Curve(shape) => Some(shape.name()).filter(|_| !shape.uses_exponent()),
        _ => None,
    })?;
    let alpha = values.iter().find_map(|(name, value)| match value {
        Value::Number(x) if name == "stribeck_exponent" => Some(*x),
        _ => None,
    })?;
    // 2 is the default
    ((alpha - 2.0).abs() > f64::EPSILON).then(|| {
        let text = format!(
            "{}: stribeck_exponent = {alpha} is not used by the Stribeck curve {shape}; \
             leave it out, or choose stribeck = exponential or rational",
            law.card().name
        );
        Notice::new(Topic::Unused, text).value("exponent", alpha, "1")
    })
}
