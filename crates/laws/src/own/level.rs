//! The Stribeck curve g at |v| in equations, and its parameters.

use crate::curve::{Curve, Levels, Shape};
use crate::numbers::scalar::Scalar;
use crate::parameters;
use crate::parameters::{ParameterError, static_not_below_kinetic};

parameters! {
    /// The Stribeck curve that stands as `g` in equations.
    pub struct StribeckParameters<P> for "the Stribeck curve" with stribeck {}
}

/// Name of the Stribeck curve at |v| in equations.
pub(super) const LEVEL: &str = "g";

/// The Stribeck curve from the parameters in the order of its cards.
pub(super) fn curve_of<P: Scalar>(
    law: &str,
    numbers: &[P],
    shape: &Shape,
) -> Result<Curve<P>, ParameterError> {
    let of = |name: &str| {
        let place = StribeckParameters::CARDS
            .iter()
            .position(|card| card.name == name);
        place.map_or_else(P::zero, |i| numbers[i])
    };
    let levels = Levels {
        mu_s: of("static_coefficient"),
        mu_k: of("kinetic_coefficient"),
        v_s: of("stribeck_velocity"),
        alpha: of("stribeck_exponent"),
    };
    static_not_below_kinetic(law, levels.mu_s, levels.mu_k)?;
    Curve::new(law, shape, levels)
}
