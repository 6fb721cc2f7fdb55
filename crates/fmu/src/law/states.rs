//! The states of a law, and in what they are measured.

use bristle_laws::Friction;

use super::evaluate::{self, LawInput};

/// What the states of a law are.
#[derive(Clone, Debug)]
pub(super) struct LawStates {
    /// The normal force at which they are scaled, N.
    pub(super) normal_force: f64,
    /// What one unit of each state of the FMU is in its own unit.
    pub(super) scale: Vec<f64>,
    pub(super) unit: Vec<String>,
    pub(super) meaning: Vec<String>,
    /// The values of the start, where they do not depend on the conditions.
    pub(super) start: Option<Vec<f64>>,
}

/// The states of a law with their scales.
pub(super) fn states_of(law: &Friction, dimension: usize, normal_force: f64) -> LawStates {
    let (layout, card) = (law.layout(), law.card());
    let each = |is_vector: bool, count: usize| {
        let cards: Vec<_> = card
            .states
            .iter()
            .filter(|state| state.is_vector == is_vector)
            .collect();
        let share = (count / cards.len().max(1)).max(1);
        (0..count).map(move |i| cards.get(i / share).copied())
    };
    let (mut scale, mut unit, mut meaning) = (Vec::new(), Vec::new(), Vec::new());
    for (index, card) in each(true, layout.vectors).enumerate() {
        let size = law.vector_size(index, normal_force);
        let size = size.filter(|size| size.is_finite() && *size > 0.0);
        for _ in 0..dimension {
            scale.push(size.unwrap_or(1.0));
            unit.push(card.map_or("1".to_owned(), |card| card.unit.to_string()));
            meaning.push(card.map_or(String::new(), |card| card.meaning.to_string()));
        }
    }
    for card in each(false, layout.scalars) {
        scale.push(1.0);
        unit.push(card.map_or("1".to_owned(), |card| card.unit.to_string()));
        meaning.push(card.map_or(String::new(), |card| card.meaning.to_string()));
    }
    LawStates {
        normal_force,
        start: fixed_start(law, dimension, normal_force),
        scale,
        unit,
        meaning,
    }
}

/// The state of the start, if it is the same under all conditions.
fn fixed_start(law: &Friction, dimension: usize, normal_force: f64) -> Option<Vec<f64>> {
    let mut starts = [[0.0; 3], [0.1; 3], [-1e-4; 3]].map(|velocity| {
        let input = LawInput {
            velocity,
            normal_force,
            applied: [0.0; 3],
        };
        let mut state = vec![0.0; law.layout().len(dimension)];
        evaluate::start(law, dimension, &input, &mut state);
        state
    });
    let first = std::mem::take(&mut starts[0]);
    (starts[1..].iter().all(|start| *start == first)).then_some(first)
}
