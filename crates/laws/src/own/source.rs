//! What a law of your own is given as.

use super::dimension::OwnDimension;
use crate::card::{ParameterCard, Role};

/// A parameter of a law of your own.
#[derive(Clone, Debug)]
pub struct OwnParameter {
    /// Its card; formulas have it by name or by symbol.
    pub card: ParameterCard,
    /// The dimension of its unit.
    pub dimension: OwnDimension,
    /// What it means; if it is not given, that follows from the unit and from what it does.
    pub role: Option<Role>,
}

/// The text of a law of your own.
#[derive(Clone, Debug, Default)]
pub struct OwnSource {
    /// Its name.
    pub name: String,
    /// Its equations, one per line; the lines may stand in several texts.
    pub equations: Vec<String>,
    /// Its parameters, without those of the Stribeck curve.
    pub parameters: Vec<OwnParameter>,
}
