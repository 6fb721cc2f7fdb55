//! The catalogue is complete and every entry says what it must.

use bristle_laws::{Friction, friction};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_law_file_is_registered_under_its_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/friction");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of the laws") {
        let path = entry.expect("a readable entry").path();
        let stem = path.file_stem().and_then(|s| s.to_str()).expect("a name");
        if stem == "mod" {
            continue;
        }
        assert!(
            Friction::card_of(stem).is_some_and(|card| card.name == stem),
            "src/friction/{stem} is not registered under its name in friction/mod.rs"
        );
        found += 1;
    }
    assert_eq!(
        found,
        Friction::CARDS.len(),
        "one law file per registered law"
    );
}

#[test]
fn names_and_symbols_are_unique() {
    let mut names = BTreeSet::new();
    for card in Friction::CARDS {
        assert!(names.insert(card.name), "{} is registered twice", card.name);
        let mut known = BTreeSet::new();
        for parameter in card.parameters {
            for word in BTreeSet::from([&*parameter.name, &*parameter.symbol]) {
                assert!(
                    known.insert(word),
                    "{}: `{word}` means two things",
                    card.name
                );
            }
        }
    }
}

#[test]
fn the_states_of_a_card_are_those_of_the_layout() {
    for card in Friction::CARDS {
        let law = Friction::build(card.name, &friction::typical(card)).expect("typical values");
        let layout = law.layout();
        let states = layout.vectors + layout.scalars;
        let elements = states / card.states.len().max(1);
        let count = |vector: bool| {
            let those = card.states.iter().filter(|state| state.is_vector == vector);
            those
                .map(|state| if state.is_per_element { elements } else { 1 })
                .sum::<usize>()
        };
        assert_eq!(count(true), layout.vectors, "{}", card.name);
        assert_eq!(count(false), layout.scalars, "{}", card.name);
        assert!(
            card.states.is_sorted_by_key(|state| !state.is_vector),
            "{}: vectors first",
            card.name
        );
    }
}

#[test]
fn cards_are_filled_in() {
    for card in Friction::CARDS {
        let texts = [card.title, card.summary, card.source];
        assert!(
            texts.iter().all(|t| !t.is_empty()),
            "{}: title, summary, source",
            card.name
        );
        assert!(!card.equations.is_empty(), "{}: equations", card.name);
        assert!(
            !card.reproduces.is_empty() && !card.cannot.is_empty(),
            "{}",
            card.name
        );
        for parameter in card.parameters {
            let texts = [
                &*parameter.symbol,
                &*parameter.unit,
                parameter.meaning.trim(),
            ];
            assert!(
                texts.iter().all(|t| !t.is_empty()),
                "{}.{}",
                card.name,
                parameter.name
            );
        }
    }
}
