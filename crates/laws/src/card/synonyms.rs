//! What other programs and books call the parameters of friction laws.

use crate::card::{LawCard, Role};
use crate::parameters::same_name;

/// Words for a role, and what the role is called where a law lacks it.
struct RoleSynonyms {
    role: Role,
    noun: &'static str,
    words: &'static [&'static str],
}

const SYNONYMS: &[RoleSynonyms] = &[
    RoleSynonyms {
        role: Role::Level,
        noun: "kinetic level",
        words: &[
            "mu",
            "mu_d",
            "mu_c",
            "mu_dynamic",
            "mu_kinetic",
            "mu_slide",
            "coefficient",
            "friction",
            "friction_coefficient",
            "coefficient_of_friction",
            "coulomb",
            "coulomb_friction",
            "coulomb_coefficient",
            "dynamic_coefficient",
            "dynamic_friction",
            "dynamic_friction_coefficient",
            "kinetic_friction",
            "kinetic_friction_coefficient",
            "sliding_friction",
        ],
    },
    RoleSynonyms {
        role: Role::StaticLevel,
        noun: "static level",
        words: &[
            "mu_static",
            "mu_stick",
            "mu_stiction",
            "stiction",
            "stiction_coefficient",
            "static_friction",
            "static_friction_coefficient",
            "coefficient_of_static_friction",
            "breakaway",
            "breakaway_coefficient",
            "breakaway_friction",
            "break_away",
        ],
    },
    RoleSynonyms {
        role: Role::Viscous,
        noun: "viscous part",
        words: &[
            "viscous",
            "viscous_friction",
            "viscous_damping",
            "viscous_friction_coefficient",
            "damping_coefficient",
            "viscosity",
        ],
    },
    RoleSynonyms {
        role: Role::Stiffness,
        noun: "stiffness",
        words: &[
            "stiffness",
            "contact_stiffness",
            "presliding_stiffness",
            "stiction_stiffness",
        ],
    },
    RoleSynonyms {
        role: Role::Damping,
        noun: "damping of a deflection",
        words: &["damping", "micro_damping", "contact_damping"],
    },
    RoleSynonyms {
        role: Role::StribeckSpeed,
        noun: "Stribeck speed",
        words: &["stribeck_speed", "v_stribeck", "v_str", "stribeck_constant"],
    },
    RoleSynonyms {
        role: Role::StickSpeed,
        noun: "stick speed",
        words: &[
            "transition_velocity",
            "stiction_transition_velocity",
            "threshold_velocity",
            "regularization_velocity",
            "velocity_tolerance",
            "slip_tolerance",
            "stick_velocity",
            "v_tol",
        ],
    },
];

/// What a law has instead of a word of other programs, as the end of a sentence; `None` if the word
/// is not known. Where it has nothing, those of `cards` are named that have.
pub fn instead_of(law: &LawCard<'_>, word: &str, cards: &[LawCard<'_>]) -> Option<String> {
    let lower = word.to_lowercase();
    let known = |one: &&RoleSynonyms| one.words.iter().any(|known| same_name(known, &lower));
    let one = SYNONYMS.iter().find(known)?;
    let of_role = |card: &LawCard<'_>| -> Vec<String> {
        let own = card.parameters.iter().filter(|p| p.role == one.role);
        own.map(|p| format!("\"{}\"", p.name)).collect()
    };
    let own = of_role(law);
    if !own.is_empty() {
        return Some(format!("{} has {}", law.name, own.join(" and ")));
    }
    let have = cards.iter().filter(|card| !of_role(card).is_empty());
    let have: Vec<&str> = have.map(|card| card.name).collect();
    let others = if have.is_empty() {
        String::new()
    } else {
        format!("; laws with one: {}", have.join(", "))
    };
    Some(format!("{} has no {}{others}", law.name, one.noun))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::Friction;
    use std::collections::BTreeSet;

    fn instead(law: &str, word: &str) -> String {
        let card = Friction::CARDS.iter().find(|card| card.name == law);
        instead_of(card.expect("a law"), word, Friction::CARDS).expect("a word")
    }

    #[test]
    fn words_lead_to_the_parameter_of_their_meaning() {
        for (law, word, field) in [
            ("lugre", "mu", "kinetic_coefficient"),
            ("lugre", "Friction-Coefficient", "kinetic_coefficient"),
            ("lugre", "stiction", "static_coefficient"),
            ("lugre", "static_friction", "static_coefficient"),
            ("lugre", "viscous_friction", "viscous_coefficient"),
            ("lugre", "stiffness", "bristle_stiffness"),
            ("karnopp", "transition_velocity", "stiction_velocity"),
        ] {
            assert_eq!(instead(law, word), format!("{law} has \"{field}\""));
        }
    }

    #[test]
    fn a_law_without_one_names_laws_that_have_one() {
        let said = instead("coulomb_tanh", "stiction");
        assert!(said.starts_with("coulomb_tanh has no static level; laws with one: "));
        assert!(
            said.contains("lugre") && !said.contains("coulomb_linear"),
            "{said}"
        );
    }

    #[test]
    fn every_word_means_one_thing_and_every_role_has_a_law() {
        let mut seen = BTreeSet::new();
        for one in SYNONYMS {
            for word in one.words {
                assert!(seen.insert(word), "{word} stands twice");
            }
            let has = |card: &&LawCard| card.parameters.iter().any(|p| p.role == one.role);
            assert!(
                Friction::CARDS.iter().any(|card| has(&card)),
                "{}",
                one.noun
            );
        }
    }
}
