//! The catalogue of friction laws. A new law is one file here and one line in the list below.

#![allow(
    clippy::inline_always,
    reason = "small laws go into the loop that calls them: sqrtsd writes half of a register, so a \
              law that is called waits for what the call before left in the other half"
)]

pub use crate::card::values::{standard, typical, typical_value};
pub use crate::law::LawVisitor;

use crate::card::LawCard;
use crate::law::{FrictionLaw, Sides};
use crate::numbers::scalar::Scalar;
use crate::own::OwnLaw;
use crate::parameters::{ParameterError, ParameterSet, Value, Values, same_name};
use crate::two_sided::{self, TwoSided};

/// The law that examples show, which is much used and has states and a Stribeck curve.
pub const EXAMPLE: LawCard<'static> = LuGre::CARD;

/// Registers the laws: module, type, one line each, in the order of the catalogue.
macro_rules! friction_laws {
    ($($module:ident::$Law:ident),* $(,)?) => {
        $(mod $module; pub use $module::$Law;)*

        /// Any law of the catalogue, or one of your own, with parameters of the type `P`.
        #[non_exhaustive]
        #[derive(Clone, Debug)]
        pub enum Friction<P = f64> {
            $(
                #[doc = concat!("See [`", stringify!($Law), "`].")]
                $Law($Law<P>),
            )*
            /// A law that is written as equations.
            Own(OwnLaw<P>),
            /// A law with numbers of its own for negative velocities.
            TwoSided(TwoSided<P>),
        }

        impl Friction {
            /// The card of every law.
            pub const CARDS: &'static [LawCard<'static>] = &[$($Law::CARD),*];

            /// How the directions of motion may differ in a law of the catalogue.
            pub fn sides_of(name: &str) -> Sides {
                $(if same_name(name, $Law::CARD.name) {
                    return <$Law as FrictionLaw>::SIDES;
                })*
                Sides::Same
            }

            /// A law that is the same for both directions.
            fn of_one_side(name: &str, values: &Values) -> Result<Self, ParameterError> {
                $(if same_name(name, $Law::CARD.name) {
                    let parameters = ParameterSet::from_values($Law::CARD.name, values)?;
                    return $Law::new(parameters).map(Self::$Law);
                })*
                let known: Vec<_> = Self::CARDS.iter().map(|c| c.name).collect();
                Err(ParameterError::UnknownLaw {
                    kind: "friction", name: name.to_owned(), known: known.join(", "),
                })
            }

            /// The same law with parameters of another type: `number` gets the field, the element
            /// in a list, and the value. With dual numbers the formulas of the law then give the
            /// derivatives by its parameters.
            ///
            /// # Errors
            /// If the new values contradict each other.
            pub fn with_parameters<P: Scalar>(
                &self,
                number: &mut dyn FnMut(&str, usize, f64) -> P,
            ) -> Result<Friction<P>, ParameterError> {
                match self { $(Self::$Law(law) => {
                    $Law::new(law.parameters().with_numbers(number)).map(Friction::$Law)
                })*
                    Self::Own(law) => law.with_numbers(number).map(Friction::Own),
                    Self::TwoSided(law) => law.with_numbers(number).map(Friction::TwoSided),
                }
            }
        }

        friction_laws! { @dispatch ($) $($Law)* }
    };
    // `$each` stands for the dollar sign of the macro that is made here
    (@dispatch ($each:tt) $($Law:ident)*) => {
        /// Evaluates an expression with the law of a [`Friction`], whichever it is.
        macro_rules! of_each_law {
            ($each friction:expr, $each law:ident => $each value:expr) => {
                match $each friction {
                    $($crate::Friction::$Law($each law) => $each value,)*
                    $crate::Friction::Own($each law) => $each value,
                    $crate::Friction::TwoSided($each law) => $each value,
                }
            };
        }
        pub(crate) use of_each_law;
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
    makkar::Makkar,
    adams_regularised::AdamsRegularised,
    recurdyn_regularised::RecurDynRegularised,
    simpack_regularised::SimpackRegularised,
    karnopp::Karnopp,
    dahl::Dahl,
    gear::Gear,
    bliman_sorine::BlimanSorine,
    lugre_classical::LuGreClassical,
    lugre::LuGre,
    lugre_anisotropic::LuGreAnisotropic,
    frbd::FrBd,
    elastoplastic::ElastoPlastic,
    leuven::Leuven,
    gms::Gms,
    adams_stick_slip::AdamsStickSlip,
    recurdyn_stick_slip::RecurDynStickSlip,
    simpack_stick_slip::SimpackStickSlip,
    reset_integrator::ResetIntegrator,
    armstrong::Armstrong,
    gonthier::Gonthier,
    jenkins::Jenkins,
    iwan::Iwan,
}

impl<P> Friction<P> {
    /// The law for this velocity (m/s): itself, unless it has numbers of its own for negative ones.
    pub fn side(&self, velocity: f64) -> &Self {
        match self {
            Self::TwoSided(law) => law.side(velocity),
            law => law,
        }
    }

    /// Whether it has numbers of its own for negative velocities: then it holds for one dimension of
    /// slip alone.
    pub fn is_two_sided(&self) -> bool {
        matches!(self, Self::TwoSided(_))
    }
}

impl Friction {
    /// Builds a law by catalogue name from named values (SI). A value under the name of a parameter
    /// with `_negative` behind it holds for negative velocities.
    ///
    /// # Errors
    /// Names the law or the parameter that is refused, and what is allowed.
    pub fn build(name: &str, values: &Values) -> Result<Self, ParameterError> {
        match Self::card_of(name) {
            Some(card) => two_sided::build(card, Self::sides_of(name), values, |values| {
                Self::of_one_side(name, values)
            }),
            None => Self::of_one_side(name, values),
        }
    }

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
    pub fn card_of(name: &str) -> Option<&'static LawCard<'static>> {
        Self::CARDS.iter().find(|c| same_name(c.name, name))
    }
}
