//! A friction law before its parameters have values.

use crate::card::LawCard;
use crate::friction::{Friction, of_each_law};
use crate::law::{FrictionLaw, Sides};
use crate::own::{OwnEquations, OwnLaw};
use crate::parameters::{ParameterError, Values};
use crate::two_sided;
use std::sync::Arc;

/// A friction law before its parameters have values: one of the catalogue, or equations.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// A law of the catalogue.
    Catalogue(&'static LawCard<'static>),
    /// A law of your own.
    Own(Arc<OwnEquations>),
}

impl Declaration {
    /// The law of the catalogue with this name.
    pub fn named(name: &str) -> Option<Self> {
        Friction::card_of(name).map(Self::Catalogue)
    }

    /// Its card.
    pub fn card(&self) -> LawCard<'_> {
        match self {
            Self::Catalogue(card) => **card,
            Self::Own(equations) => equations.card(),
        }
    }

    /// Its equations as plain text: those of its card, or of your own as they were written.
    pub fn equations(&self) -> Vec<String> {
        match self {
            Self::Catalogue(card) => {
                let equations = card.equations.iter();
                equations.map(|e| e.text.to_owned()).collect()
            }
            Self::Own(equations) => equations.written().to_vec(),
        }
    }

    /// How the directions of motion may differ.
    pub fn sides(&self) -> Sides {
        match self {
            Self::Catalogue(card) => Friction::sides_of(card.name),
            Self::Own(_) => OwnLaw::SIDES,
        }
    }

    /// The law with these values (SI), by name or symbol.
    ///
    /// # Errors
    /// Names the parameter that is refused, and what is allowed.
    pub fn build(&self, values: &Values) -> Result<Friction, ParameterError> {
        match self {
            Self::Catalogue(card) => Friction::build(card.name, values),
            Self::Own(equations) => {
                two_sided::build(&equations.card(), self.sides(), values, |values| {
                    OwnLaw::from_values(equations, values).map(Friction::Own)
                })
            }
        }
    }
}

impl PartialEq for Declaration {
    /// Whether both are the same law; two sets of equations are, if they were read at once.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Catalogue(a), Self::Catalogue(b)) => a.name == b.name,
            (Self::Own(a), Self::Own(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Friction {
    /// The law without the values of its parameters.
    pub fn declaration(&self) -> Declaration {
        fn card<L: FrictionLaw>(_: &L) -> &'static LawCard<'static> {
            const { &L::CARD }
        }
        match self {
            Self::Own(law) => Declaration::Own(Arc::clone(law.equations())),
            Self::TwoSided(law) => law.side(0.0).declaration(),
            law => Declaration::Catalogue(of_each_law!(law, law => card(law))),
        }
    }
}
