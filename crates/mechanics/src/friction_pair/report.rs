//! What a pair reports of its states.

use std::borrow::Cow;

use super::FrictionPair;

/// A state of a law, as a channel has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateChannel {
    /// `state`, `state2`, … for vectors, `mode1`, `mode2`, … for scalars.
    pub name: String,
    /// SI unit, from the card of the law.
    pub unit: Cow<'static, str>,
    /// What it is, from the card of the law.
    pub meaning: String,
    /// Whether it is a vector with D entries.
    pub is_vector: bool,
}

impl<const D: usize> FrictionPair<D> {
    /// The states of the law in the order of the history, with the units of its card.
    pub fn state_channels(&self) -> Vec<StateChannel> {
        let Some(law) = &self.law else {
            return Vec::new();
        };
        let (layout, states) = (law.layout(), law.card().states);
        let count = layout.vectors + layout.scalars;
        // a law of elements has each state of its card once for every element
        let elements = count / states.len().max(1);
        let channel = |i: usize| {
            let card = states.get(i / elements.max(1))?;
            let is_vector = i < layout.vectors;
            let name = match i {
                0 if is_vector => "state".to_owned(),
                _ if is_vector => format!("state{}", i + 1),
                _ => format!("mode{}", i + 1 - layout.vectors),
            };
            let meaning = if card.is_per_element && elements > 1 {
                format!("{}, element {}", card.meaning, i % elements + 1)
            } else {
                card.meaning.to_string()
            };
            Some(StateChannel {
                name,
                unit: card.unit.clone(),
                meaning,
                is_vector,
            })
        };
        (0..count).filter_map(channel).collect()
    }

    /// States of a law as vectors and scalars.
    pub fn vectors_and_scalars<'a>(
        &self,
        states: &'a [f64],
    ) -> (impl Iterator<Item = &'a [f64]> + use<'a, D>, &'a [f64]) {
        let (vectors, scalars) = states.split_at(self.vectors);
        (vectors.chunks_exact(D), scalars)
    }
}
