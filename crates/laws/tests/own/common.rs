//! Laws of equations for the tests.

use bristle_laws::card::{Default, ParameterCard, ParameterKind, Range, Relation, Role, Typical};
use bristle_laws::own::{
    EquationError, OwnDimension, OwnEquations, OwnLaw, OwnParameter, OwnSource,
};
use bristle_laws::{Value, Values};
use std::sync::Arc;

/// Exponents of N, m and s.
pub(crate) type Exponents = [f64; 3];

pub(crate) const ONE: Exponents = [0.0; 3];
pub(crate) const PER_METRE: Exponents = [0.0, -1.0, 0.0];
pub(crate) const METRE: Exponents = [0.0, 1.0, 0.0];
pub(crate) const SLOWNESS: Exponents = [0.0, -1.0, 1.0];
pub(crate) const SPEED: Exponents = [0.0, 1.0, -1.0];
pub(crate) const SECOND: Exponents = [0.0, 0.0, 1.0];

pub(crate) fn parameter(name: &str, [force, length, time]: Exponents) -> OwnParameter {
    let dimension = OwnDimension::new(force, length, time);
    OwnParameter {
        card: ParameterCard {
            name: name.to_owned().into(),
            symbol: name.to_owned().into(),
            unit: dimension.to_string().into(),
            role: Role::Shape,
            kind: ParameterKind::Number,
            range: Range::NonNegative,
            typical: Typical::Number(1.0),
            default: Default::Required,
            relation: Relation::Free,
            fitted: true,
            standard: None,
            meaning: String::new().into(),
        },
        dimension,
        role: None,
    }
}

pub(crate) fn equations(
    text: &str,
    parameters: &[(&str, Exponents)],
) -> Result<Arc<OwnEquations>, EquationError> {
    OwnEquations::new(OwnSource {
        name: "own".to_owned(),
        equations: vec![text.to_owned()],
        parameters: parameters
            .iter()
            .map(|(name, d)| parameter(name, *d))
            .collect(),
    })
}

pub(crate) fn values(values: &[(&str, f64)]) -> Values {
    let value = |(name, x): &(&str, f64)| ((*name).to_owned(), Value::Number(*x));
    values.iter().map(value).collect()
}

pub(crate) fn law(text: &str, parameters: &[(&str, Exponents)], numbers: &[(&str, f64)]) -> OwnLaw {
    let equations = equations(text, parameters).unwrap_or_else(|error| panic!("{error:?}"));
    OwnLaw::from_values(&equations, &values(numbers)).unwrap()
}

pub(crate) const LUGRE: &str = "
    dz/dt = v - sigma_0*|v|/g*z   # mean deflection of the bristles
    F     = N*(sigma_0*z + sigma_1*dz/dt + sigma_2*v)
";

pub(crate) fn lugre() -> OwnLaw {
    law(
        LUGRE,
        &[
            ("sigma_0", PER_METRE),
            ("sigma_1", SLOWNESS),
            ("sigma_2", SLOWNESS),
        ],
        &LUGRE_NUMBERS,
    )
}

pub(crate) const LUGRE_NUMBERS: [(&str, f64); 6] = [
    ("sigma_0", 1e4),
    ("sigma_1", 31.6228),
    ("sigma_2", 0.04),
    ("mu_s", 0.15),
    ("mu_k", 0.1),
    ("v_s", 1e-3),
];
