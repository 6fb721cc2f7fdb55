//! Parameters: one declaration gives the struct, its cards, its validation.

mod arrange;
mod error;
mod kinds;

pub use arrange::{arrange, static_not_below_kinetic};
pub use error::{ParameterError, same_name};
pub use kinds::{KindOf, ParameterType, WithNumbers};

use crate::curve::Shape;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, SI.
    Number(f64),
    /// A list of numbers, SI.
    List(Vec<f64>),
    /// A flag.
    Flag(bool),
    /// A Stribeck curve.
    Curve(Shape),
}

/// Named parameter values, in the order given.
pub type Values = Vec<(String, Value)>;

/// Parameters that can be read from named values, as [`parameters!`](crate::parameters!) declares them.
pub trait ParameterSet: Sized {
    /// Reads named values (field names or symbols) for `law`, fills defaults, checks ranges.
    ///
    /// # Errors
    /// Names the parameter that is unknown, missing or out of range.
    fn from_values(law: &'static str, values: &Values) -> Result<Self, ParameterError>;

    /// The values by field name.
    fn to_values(&self) -> Values;
}

/// Declares a parameter struct: fields with symbol, unit, range, typical value and default.
///
/// Generates the struct with public fields, its `CARDS`, and [`ParameterSet`]. A struct with a type
/// of its numbers, `Name<P>` with fields `P`, `Option<P>` and `Vec<P>`, is that for `Name<f64>`, and
/// also has `with_numbers`, which makes one with other numbers. One declared `with stribeck` has the
/// levels, velocity, exponent and shape of a Stribeck curve after its own fields, and gives that
/// `curve`. A `law` in place of a `struct` is a law that is its parameters.
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $Name:ident<$P:ident> for $law:literal with stribeck { $($fields:tt)* }
    ) => {
        $crate::parameters! {
            $(#[$meta])*
            pub struct $Name<$P> for $law {
                $($fields)*
                /// Stribeck velocity.
                stribeck_velocity: $P = {
                    symbol: "v_s", unit: "m/s", role: StribeckSpeed, range: $crate::card::Range::Positive,
                    typical: $crate::card::Typical::Number(1e-3),
                },
                /// Exponent of the Stribeck curve.
                stribeck_exponent: $P = {
                    symbol: "alpha", unit: "1", role: Shape, range: $crate::card::Range::Positive,
                    typical: $crate::card::Typical::Number(2.0),
                    default: $crate::card::Default::Number(2.0),
                },
                /// Stribeck curve: how the friction falls from the static to the kinetic level.
                stribeck: $crate::curve::Shape = {
                    symbol: "stribeck", unit: "1", role: Shape, range: $crate::card::Range::Finite,
                    typical: $crate::card::Typical::Curve("exponential"),
                    default: $crate::card::Default::Curve("exponential"),
                },
                /// Kinetic friction coefficient.
                kinetic_coefficient: $P = {
                    symbol: "mu_k", unit: "1", role: Level, range: $crate::card::Range::Positive,
                    typical: $crate::card::Typical::Number(0.1),
                },
                /// Static friction coefficient.
                static_coefficient: $P = {
                    symbol: "mu_s", unit: "1", role: StaticLevel, range: $crate::card::Range::Positive,
                    typical: $crate::card::Typical::Number(0.15),
                    default: $crate::card::Default::Scaled("kinetic_coefficient", 1.0),
                    relation: $crate::card::Relation::NotBelow("kinetic_coefficient"),
                },
            }
        }

        impl<$P: $crate::Scalar> $Name<$P> {
            /// The Stribeck curve of these parameters.
            ///
            /// # Errors
            /// If `static_coefficient` is below `kinetic_coefficient`, or the curve refuses.
            pub fn curve(&self) -> Result<$crate::curve::Curve<$P>, $crate::ParameterError> {
                let (mu_s, mu_k) = (self.static_coefficient, self.kinetic_coefficient);
                $crate::parameters::static_not_below_kinetic($law, mu_s, mu_k)?;
                let levels = $crate::curve::Levels {
                    mu_s,
                    mu_k,
                    v_s: self.stribeck_velocity,
                    alpha: self.stribeck_exponent,
                };
                $crate::curve::Curve::new($law, &self.stribeck, levels)
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub law $Name:ident for $law:literal { $($fields:tt)* }
    ) => {
        $crate::parameters! {
            $(#[$meta])*
            pub struct $Name for $law { $($fields)* }
        }

        impl $Name {
            /// The law, which is its parameters.
            ///
            /// # Errors
            /// None: they cannot contradict each other.
            pub fn new(parameters: Self) -> Result<Self, $crate::ParameterError> {
                Ok(parameters)
            }

            /// The parameters, which are the law.
            pub fn parameters(&self) -> &Self {
                self
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub law $Name:ident<$P:ident> for $law:literal { $($fields:tt)* }
    ) => {
        $crate::parameters! {
            $(#[$meta])*
            pub struct $Name<$P> for $law { $($fields)* }
        }

        impl<$P: $crate::Scalar> $Name<$P> {
            /// The law, which is its parameters.
            ///
            /// # Errors
            /// None: they cannot contradict each other.
            pub fn new(parameters: Self) -> Result<Self, $crate::ParameterError> {
                Ok(parameters)
            }

            /// The parameters, which are the law.
            pub fn parameters(&self) -> &Self {
                self
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $Name:ident for $law:literal {
            $(
                $(#[doc = $doc:literal])+
                $field:ident : $type:ty = {
                    symbol: $symbol:literal, unit: $unit:literal, role: $role:ident, range: $range:expr,
                    typical: $typical:expr $(, standard: $standard:literal)?
                    $(, default: $default:expr)?
                    $(, relation: $relation:expr)? $(, fitted: $fitted:literal)? $(,)?
                }
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Name {
            $( $(#[doc = $doc])+ pub $field: $type, )*
        }

        $crate::parameters! { @functions $Name, $law;
            $(
                [$($doc),+] $field: $type = $symbol, $unit, $role, $range, $typical,
                [$($standard)?], [$($default)?], [$($relation)?], [$($fitted)?];
            )*
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $Name:ident<$P:ident> for $law:literal {
            $(
                $(#[doc = $doc:literal])+
                $field:ident : $type:ty = {
                    symbol: $symbol:literal, unit: $unit:literal, role: $role:ident, range: $range:expr,
                    typical: $typical:expr $(, standard: $standard:literal)?
                    $(, default: $default:expr)?
                    $(, relation: $relation:expr)? $(, fitted: $fitted:literal)? $(,)?
                }
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Name<$P = f64> {
            $( $(#[doc = $doc])+ pub $field: $type, )*
        }

        const _: () = {
            type $P = f64;

            $crate::parameters! { @functions $Name<f64>, $law;
            $(
                [$($doc),+] $field: $type = $symbol, $unit, $role, $range, $typical,
                [$($standard)?], [$($default)?], [$($relation)?], [$($fitted)?];
            )*
            }

            impl $Name<f64> {
                /// The same with numbers of another type: `number` gets the field, the element in a
                /// list, and the value.
                pub fn with_numbers<Q>(
                    &self,
                    number: &mut dyn FnMut(&str, usize, f64) -> Q,
                ) -> $Name<Q> {
                    $Name { $( $field: <$type as $crate::parameters::WithNumbers>::with_numbers(
                        &self.$field,
                        &mut |element, x| number(stringify!($field), element, x),
                    ) ),* }
                }
            }
        };
    };
    (
        @functions $Self:ty, $law:literal; $(
            [$($doc:literal),+] $field:ident: $type:ty =
            $symbol:literal, $unit:literal, $role:ident, $range:expr, $typical:expr,
            [$($standard:literal)?], [$($default:expr)?], [$($relation:expr)?],
            [$($fitted:literal)?];
        )*
    ) => {
        impl $Self {
            /// The card of every field, in order.
            pub const CARDS: &'static [$crate::card::ParameterCard] = &[
                $( $crate::card::ParameterCard {
                    name: std::borrow::Cow::Borrowed(stringify!($field)),
                    symbol: std::borrow::Cow::Borrowed($symbol),
                    unit: std::borrow::Cow::Borrowed($unit),
                    role: $crate::card::Role::$role,
                    kind: <$type as $crate::parameters::KindOf>::KIND,
                    range: $range,
                    typical: $typical,
                    standard: $crate::parameters!(@standard $($standard)?),
                    default: $crate::parameters!(@default $($default)?),
                    relation: $crate::parameters!(@relation $($relation)?),
                    fitted: $crate::parameters!(@fitted $role [$($default)?] $($fitted)?),
                    meaning: std::borrow::Cow::Borrowed(concat!($($doc),+)),
                } ),*
            ];
        }

        impl $crate::parameters::ParameterSet for $Self {
            fn from_values(
                law: &'static str,
                values: &$crate::parameters::Values,
            ) -> Result<Self, $crate::parameters::ParameterError> {
                let sorted = $crate::parameters::arrange(law, Self::CARDS, values)?;
                let mut cards = Self::CARDS.iter();
                let mut sorted = sorted.into_iter();
                Ok(Self { $( $field: {
                    // one card and one value per field, in the order of declaration
                    match (cards.next(), sorted.next()) {
                        (Some(card), Some(value)) => {
                            <$type as $crate::parameters::ParameterType>::take(law, card, value)?
                        }
                        _ => return Err($crate::parameters::ParameterError::WrongKind {
                            law: law.into(), name: stringify!($field).into(), expected: "declared",
                        }),
                    }
                } ),* })
            }

            fn to_values(&self) -> $crate::parameters::Values {
                let all = vec![ $( (
                    stringify!($field).to_owned(),
                    $crate::parameters::ParameterType::to_value(&self.$field),
                ) ),* ];
                all.into_iter()
                    .filter(|(_, v)| !matches!(v, $crate::Value::Number(x) if x.is_nan()))
                    .collect()
            }
        }
    };
    (@standard) => { None };
    (@standard $standard:literal) => { Some($standard) };
    (@default) => { $crate::card::Default::Required };
    (@default $default:expr) => { $default };
    (@relation) => { $crate::card::Relation::Free };
    (@relation $relation:expr) => { $relation };
    (@fitted $role:ident []) => { true };
    // no value of it is more usual than another
    (@fitted Viscous [$default:expr]) => { true };
    // a level that follows another one by default is a parameter all the same
    (@fitted StaticLevel [$default:expr]) => { true };
    (@fitted $role:ident [$default:expr]) => { false };
    (@fitted $role:ident [$($default:expr)?] $fitted:literal) => { $fitted };
}
