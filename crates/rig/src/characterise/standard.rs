//! The parameters of the standard set, and the printed table.

use bristle_laws::friction::typical;
use bristle_laws::{Friction, Value, Values};

/// What the standard set changes of a card's typical values.
const CHANGES: &[(&str, &str, f64)] = &[
    ("coulomb_tanh", "kinetic_coefficient", 0.1),
    ("coulomb_tanh", "regularisation_velocity", 1e-4),
    ("coulomb_linear", "kinetic_coefficient", 0.1),
    ("coulomb_linear", "regularisation_velocity", 1e-4),
    ("ambrosio", "lower_velocity", 1e-5),
    ("ambrosio", "upper_velocity", 1e-4),
    ("elastoplastic", "breakaway_deflection", 9e-6),
];

/// The standard parameters of a law: μs 0.15, μk 0.1, σ₀ 10⁴ 1/m, v_s 1 mm/s, where it has them.
pub fn standard(name: &str) -> Option<Values> {
    let card = Friction::card_of(name)?;
    let mut values = typical(card);
    for (law, field, number) in CHANGES {
        for (name, value) in &mut values {
            if *law == card.name && name == field {
                *value = Value::Number(*number);
            }
        }
    }
    Some(values)
}

/// The laws of the printed table, in its order; `lugre` is held to the column of LuGre as well.
const COLUMNS: [&str; 7] = [
    "lugre_classical",
    "gkf",
    "karnopp",
    "dahl",
    "bliman_sorine",
    "leuven",
    "gms",
];

/// The rows of the printed table: a bit per column, the first one highest.
const ROWS: [(&str, u8); 8] = [
    ("steady_state", 0b111_0011),
    ("stick_slip", 0b111_0111),
    ("presliding_displacement", 0b100_1111),
    ("frictional_lag", 0b100_0011),
    ("varying_break_away", 0b100_0011),
    ("nonlocal_memory", 0b000_0011),
    ("transition_curve", 0b000_0011),
    ("computational_cost", 0b101_1101),
];

/// What Colantonio et al. 2022, table 1, print for a law and a feature (by its key).
pub fn printed(law: &str, feature: &str) -> Option<bool> {
    let name = Friction::card_of(law)?.name;
    let name = if name == "lugre" { COLUMNS[0] } else { name };
    let column = COLUMNS.iter().position(|c| *c == name)?;
    let (_, bits) = ROWS.iter().find(|(key, _)| *key == feature)?;
    Some(bits >> (COLUMNS.len() - 1 - column) & 1 == 1)
}
