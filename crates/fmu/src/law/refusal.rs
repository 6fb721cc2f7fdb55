//! Laws that no solver of rates can follow.

use bristle_laws::Friction;

use super::evaluate::{LawInput, rates};
use crate::error::FmuError;

/// Conditions under which a state with a rate has one.
const PROBES: [(f64, f64); 3] = [(0.1, 1.0), (-1e-3, 3.0), (1e-6, 0.5)];

/// Refuses a plane of slip for a law with numbers of its own for negative velocities.
///
/// # Errors
/// With the reason.
pub(super) fn refuse_plane(law: &Friction, dimension: usize) -> Result<(), FmuError> {
    if dimension == 1 || !law.is_two_sided() {
        return Ok(());
    }
    Err(FmuError::wrong(format!(
        "{}: numbers for negative velocities need slip along a line, not in {dimension} dimensions",
        law.card().name
    )))
}

/// Refuses a law whose modes change on the path of an update and not by its rates.
///
/// # Errors
/// With the reason.
pub(super) fn refuse_path_updates(law: &Friction) -> Result<(), FmuError> {
    let layout = law.layout();
    if law.jumps() || layout.scalars == 0 {
        // a mode that jumps has a margin, which a solver can watch
        return Ok(());
    }
    let count = layout.len(1);
    let vectors = layout.vectors;
    let moves = (vectors..count).all(|scalar| {
        PROBES.iter().any(|(velocity, normal_force)| {
            let input = LawInput {
                velocity: [*velocity, 0.0, 0.0],
                normal_force: *normal_force,
                applied: [0.0; 3],
            };
            let (state, mut out) = (vec![0.3; count], vec![0.0; count]);
            rates(law, 1, &input, &state, &mut out);
            out[scalar].abs() > 0.0
        })
    });
    if moves {
        return Ok(());
    }
    let card = law.card();
    let scalars = card.states.iter().filter(|state| !state.is_vector);
    let names: Vec<String> = scalars
        .map(|state| format!("{} ({})", state.name, state.meaning))
        .collect();
    Err(FmuError::wrong(format!(
        "{}: {} changes on the path of a step and has no rate that a solver could integrate, so the \
         law has no model exchange; put it into a scenario, whose FMU has the integrator of Bristle \
         in it, or take another law",
        card.name,
        names.join(", ")
    )))
}
