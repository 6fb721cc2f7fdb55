//! The parameters of the standard set, and the printed table.

use bristle_laws::{Friction, Values, friction};

/// The standard parameters of a law: μs 0.15, μk 0.1, σ₀ 10⁴ 1/m, v_s 1 mm/s, where it has them.
pub fn standard(name: &str) -> Option<Values> {
    Friction::card_of(name).map(friction::standard)
}

/// What Colantonio et al. 2022, table 1, print for a law and a feature (by its key).
pub fn printed(law: &str, feature: &str) -> Option<bool> {
    Friction::card_of(law)?.printed?.has(feature)
}
