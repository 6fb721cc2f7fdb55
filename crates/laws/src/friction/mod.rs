//! The catalogue of friction laws. A new law is one file here and one line in the list below.

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them: sqrtsd writes half of a register, so a \
              law that is called waits for what the call before left in the other half"
)]

use crate::branches::Branches;
use crate::card::{Behaviour, Default, LawCard, ParameterCard, Typical};
use crate::curve::Shape;
use crate::law::{FrictionLaw, Jacobian, Notice, StateLayout, StictionLimit, Tangent};
use crate::over::{self, Exchange as _};
use crate::parameters::{ParameterError, Value, Values, same_name};
use crate::scalar::{Over, Scalar};
use crate::slip::{Slip, Step};

/// Registers the laws: module, type, one line each, in the order of the catalogue.
macro_rules! friction_laws {
    ($($module:ident::$Law:ident),* $(,)?) => {
        $(mod $module; pub use $module::$Law;)*

        /// Any law of the catalogue.
        #[non_exhaustive]
        #[derive(Clone, Debug)]
        pub enum Friction {
            $(
                #[doc = concat!("See [`", stringify!($Law), "`].")]
                $Law($Law),
            )*
        }

        /// Any law of the catalogue, with parameters of the type `P`.
        #[non_exhaustive]
        #[derive(Clone, Debug)]
        pub enum FrictionOver<P> {
            $(
                #[doc = concat!("See [`", stringify!($Law), "`].")]
                $Law($Law<P>),
            )*
        }

        impl<P: Scalar> FrictionOver<P> {
            /// See [`FrictionLaw::start`].
            pub fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
                match self { $(Self::$Law(law) => over::LawOver::start(law, slip, state)),* }
            }

            /// See [`FrictionLaw::rates`].
            #[inline]
            pub fn rates<T: Scalar + Over<P>, const D: usize>(
                &self, slip: &Slip<T, D>, state: &[T], rates: &mut [T],
            ) -> [T; D] {
                match self { $(Self::$Law(law) => over::LawOver::rates(law, slip, state, rates)),* }
            }

            /// See [`FrictionLaw::update`].
            #[inline]
            pub fn update<T: Scalar + Over<P>, const D: usize>(
                &self, step: &Step<T, D>, old: &[P], new: &mut [T],
            ) -> [T; D] {
                match self { $(Self::$Law(law) => over::LawOver::update(law, step, old, new)),* }
            }

            /// See [`FrictionLaw::steady`].
            pub fn steady(&self, speed: P, normal_force: P) -> Option<P> {
                match self { $(Self::$Law(law) => over::LawOver::steady(law, speed, normal_force)),* }
            }
        }

        /// Something to do with a law of known type.
        pub trait LawVisitor {
            /// What comes out.
            type Output;
            /// Called with the law's own type, so that inner loops are monomorphic.
            fn visit<L: FrictionLaw>(self, law: &L) -> Self::Output;
        }

        impl Friction {
            /// The card of every law.
            pub const CARDS: &'static [LawCard] = &[$($Law::CARD),*];

            /// Builds a law by catalogue name from named values (SI).
            ///
            /// # Errors
            /// Names the law or the parameter that is refused, and what is allowed.
            pub fn build(name: &str, values: &Values) -> Result<Self, ParameterError> {
                $(if same_name(name, $Law::CARD.name) {
                    return <$Law as FrictionLaw>::from_values(values).map(Self::$Law);
                })*
                let known: Vec<_> = Self::CARDS.iter().map(|c| c.name).collect();
                Err(ParameterError::UnknownLaw {
                    kind: "friction", name: name.to_owned(), known: known.join(", "),
                })
            }

            /// The same law with parameters of another type: `number` is told the field, the
            /// element in a list, and the value. Over dual numbers the text of the law then gives
            /// the derivatives by its parameters.
            ///
            /// # Errors
            /// If the new values contradict each other.
            pub fn over<P: Scalar>(
                &self,
                number: &mut dyn FnMut(&'static str, usize, f64) -> P,
            ) -> Result<FrictionOver<P>, ParameterError> {
                match self { $(
                    Self::$Law(law) => law.exchange(number).map(FrictionOver::$Law),
                )* }
            }

            /// The law's card.
            pub fn card(&self) -> LawCard {
                match self { $(Self::$Law(_) => $Law::CARD),* }
            }

            /// Calls the visitor with the law's own type.
            #[inline]
            pub fn visit<V: LawVisitor>(&self, visitor: V) -> V::Output {
                match self { $(Self::$Law(law) => visitor.visit(law)),* }
            }

            /// See [`FrictionLaw::to_values`].
            pub fn to_values(&self) -> Values {
                match self { $(Self::$Law(law) => law.to_values()),* }
            }

            /// See [`FrictionLaw::layout`].
            #[inline]
            pub fn layout(&self) -> StateLayout {
                match self { $(Self::$Law(law) => law.layout()),* }
            }

            /// See [`FrictionLaw::start`].
            pub fn start<const D: usize>(&self, slip: &Slip<f64, D>, state: &mut [f64]) {
                match self { $(Self::$Law(law) => law.start(slip, state)),* }
            }

            /// See [`FrictionLaw::rates`].
            #[inline]
            pub fn rates<const D: usize>(
                &self, slip: &Slip<f64, D>, state: &[f64], rates: &mut [f64],
            ) -> [f64; D] {
                match self { $(Self::$Law(law) => law.rates(slip, state, rates)),* }
            }

            /// See [`FrictionLaw::update`].
            #[inline]
            pub fn update<const D: usize>(
                &self, step: &Step<f64, D>, old: &[f64], new: &mut [f64],
            ) -> [f64; D] {
                match self { $(Self::$Law(law) => law.update(step, old, new)),* }
            }

            /// See [`FrictionLaw::update_with_tangent`].
            #[inline]
            pub fn update_with_tangent<const D: usize>(
                &self, step: &Step<f64, D>, old: &[f64], new: &mut [f64],
            ) -> ([f64; D], Tangent<D>) {
                match self { $(Self::$Law(law) => law.update_with_tangent(step, old, new)),* }
            }

            /// Whether the law [jumps](Behaviour::Jumps) where its mode changes.
            #[inline]
            pub fn jumps(&self) -> bool {
                match self { $(Self::$Law(_) => const { $Law::CARD.does(Behaviour::Jumps) }),* }
            }

            /// See [`FrictionLaw::update_in_mode`].
            pub fn update_in_mode<const D: usize>(
                &self, step: &Step<f64, D>, old: &[f64], new: &mut [f64],
            ) -> [f64; D] {
                match self { $(Self::$Law(law) => law.update_in_mode(step, old, new)),* }
            }

            /// See [`FrictionLaw::update_in_mode_with_tangent`].
            pub fn update_in_mode_with_tangent<const D: usize>(
                &self, step: &Step<f64, D>, old: &[f64], new: &mut [f64],
            ) -> ([f64; D], Tangent<D>) {
                match self { $(Self::$Law(law) => law.update_in_mode_with_tangent(step, old, new)),* }
            }

            /// See [`FrictionLaw::margin`].
            pub fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
                match self { $(Self::$Law(law) => law.mode_margin(slip, state)),* }
            }

            /// See [`FrictionLaw::switch`].
            pub fn change_mode<const D: usize>(&self, slip: &Slip<f64, D>, state: &mut [f64]) {
                match self { $(Self::$Law(law) => law.change_mode(slip, state)),* }
            }

            /// See [`FrictionLaw::settle`].
            pub fn set_modes_after_event<const D: usize>(
                &self, slip: &Slip<f64, D>, change: &Slip<f64, D>, state: &mut [f64],
            ) -> bool {
                match self { $(Self::$Law(law) => law.set_modes_after_event(slip, change, state)),* }
            }

            /// See [`FrictionLaw::branches`].
            pub fn branches<const D: usize>(
                &self, slip: &Slip<f64, D>, change: &Slip<f64, D>, state: &[f64],
            ) -> Branches {
                match self { $(Self::$Law(law) => law.branches(slip, change, state)),* }
            }

            /// See [`FrictionLaw::hold`].
            #[inline]
            pub fn stiction(&self) -> Option<StictionLimit> {
                match self { $(Self::$Law(law) => law.stiction()),* }
            }

            /// See [`FrictionLaw::jacobian`].
            pub fn jacobian<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> Jacobian<D> {
                match self { $(Self::$Law(law) => law.jacobian(slip, state)),* }
            }

            /// See [`FrictionLaw::steady`].
            pub fn steady(&self, speed: f64, normal_force: f64) -> Option<f64> {
                match self { $(Self::$Law(law) => law.steady(speed, normal_force)),* }
            }

            /// See [`FrictionLaw::stored_energy`].
            pub fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
                match self { $(Self::$Law(law) => law.stored_energy::<D>(normal_force, state)),* }
            }

            /// See [`FrictionLaw::slip_speed`].
            pub fn slip_speed(&self) -> f64 {
                match self { $(Self::$Law(law) => law.slip_speed()),* }
            }

            /// See [`FrictionLaw::breakaway_deflection`].
            pub fn breakaway_deflection(&self, normal_force: f64) -> Option<f64> {
                match self { $(Self::$Law(law) => law.breakaway_deflection(normal_force)),* }
            }

            /// See [`FrictionLaw::state_size`].
            pub fn state_size(&self, normal_force: f64) -> Option<f64> {
                match self { $(Self::$Law(law) => law.state_size(normal_force)),* }
            }

            /// See [`FrictionLaw::notices`].
            pub fn notices(&self) -> Vec<Notice> {
                let own = match self { $(Self::$Law(law) => law.notices()),* };
                own.into_iter().chain(unused_exponent(self)).collect()
            }
        }
    };
}

friction_laws! {
    coulomb_tanh::CoulombTanh,
    coulomb_linear::CoulombLinear,
    threlfall::Threlfall,
    ambrosio::Ambrosio,
    gkf::Gkf,
    bengisu_akay::BengisuAkay,
    andersson::Andersson,
    brown_mcphee::BrownMcPhee,
    adams_regularised::AdamsRegularised,
    recurdyn_regularised::RecurDynRegularised,
    simpack_regularised::SimpackRegularised,
    karnopp::Karnopp,
    dahl::Dahl,
    gear::Gear,
    bliman_sorine::BlimanSorine,
    lugre_classical::LuGreClassical,
    lugre::LuGre,
    elastoplastic::ElastoPlastic,
    leuven::Leuven,
    gms::Gms,
    adams_stick_slip::AdamsStickSlip,
    recurdyn_stick_slip::RecurDynStickSlip,
    simpack_stick_slip::SimpackStickSlip,
    gonthier::Gonthier,
    jenkins::Jenkins,
    iwan::Iwan,
}

pub(crate) use lugre_classical::NO_LOAD;

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
    ((alpha - 2.0).abs() > f64::EPSILON).then(|| Notice {
        topic: "unused",
        text: format!(
            "{}: stribeck_exponent = {alpha} is not used by the Stribeck curve {shape}; \
             leave it out, or choose stribeck = exponential or rational",
            law.card().name
        ),
    })
}

impl Friction {
    /// A resistance of `level` times the normal force that builds up over `length` of travel and
    /// holds at rest, damped there by `time`: ż = v − |v| z/length, F = N level (z + time ż)/length.
    /// The damping fades above length/time, so that sliding does not feel it.
    ///
    /// # Errors
    /// If a number is not positive and finite.
    pub fn resistance(level: f64, length: f64, time: f64) -> Result<Self, ParameterError> {
        let bristle_stiffness = level / length;
        let values = [
            ("bristle_stiffness", bristle_stiffness),
            ("bristle_damping", bristle_stiffness * time),
            ("damping_velocity", length / time),
            ("stribeck_velocity", 1.0),
            ("kinetic_coefficient", level),
            ("static_coefficient", level),
        ];
        let values = values.map(|(name, x)| (name.to_owned(), Value::Number(x)));
        Self::build("lugre", &values.to_vec())
    }

    /// The card of a law by catalogue name.
    pub fn card_of(name: &str) -> Option<&'static LawCard> {
        Self::CARDS.iter().find(|c| same_name(c.name, name))
    }
}

/// The typical value of a parameter.
pub fn typical_value(parameter: &ParameterCard) -> Value {
    match parameter.typical {
        Typical::Number(x) => Value::Number(x),
        Typical::List(list) => Value::List(list.to_vec()),
        Typical::Flag(x) => Value::Flag(x),
        Typical::Curve(name) => Value::Curve(Shape::named(name).unwrap_or_default()),
    }
}

/// The typical parameter set of a card, without what may be left out for good.
pub fn typical(card: &LawCard) -> Values {
    let needed = card
        .parameters
        .iter()
        .filter(|p| p.default != Default::Absent);
    needed
        .map(|p| (p.name.to_owned(), typical_value(p)))
        .collect()
}

/// The set of the test bench: the typical one with the standard values of the cards, μs 0.15,
/// μk 0.1, σ₀ 10⁴ 1/m, v_s 1 mm/s, where the law has them.
pub fn standard(card: &LawCard) -> Values {
    let mut values = typical(card);
    for (name, value) in &mut values {
        let parameter = card.parameters.iter().find(|p| p.name == *name);
        if let Some(x) = parameter.and_then(|p| p.standard) {
            *value = Value::Number(x);
        }
    }
    values
}
