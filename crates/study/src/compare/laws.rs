//! Which laws are compared: names of the catalogue, and files of parameters.

use bristle_laws::card::Role;
use bristle_laws::parameters::same_name;
use bristle_laws::{Declaration, Friction, friction};
use bristle_scenario::{Diagnostics, SourceMap, suggest};

use crate::adapt::full_name;
use crate::candidate::{Candidate, NoLaw, is_file};

/// Why laws cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LawError {
    /// Not in the catalogue.
    #[error("--law {name}: there is no law \"{name}\"{suggestion}")]
    Unknown {
        /// As it was given.
        name: String,
        /// What was perhaps meant.
        suggestion: String,
    },
    /// A file that cannot be read, is not TOML, or names no law.
    #[error("--law {file} cannot be read")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        diagnostics: Diagnostics,
        /// Where.
        sources: Box<SourceMap>,
    },
    /// A file without the name of a law.
    #[error("--law {file}: the file has no field law = \"NAME\"")]
    Nameless {
        /// The file.
        file: String,
    },
    /// Two laws with one name.
    #[error("--law {label} is given twice")]
    Twice {
        /// The name.
        label: String,
    },
    /// `--param` that is not `LAW:name=value`, or of a law that is not compared.
    #[error("--param {text}: {reason}")]
    Parameter {
        /// As it was given.
        text: String,
        /// What is wrong.
        reason: String,
    },
}

fn read(text: &str) -> Result<Candidate, LawError> {
    if !is_file(text) {
        return Ok(Candidate::own(named(text)?));
    }
    Candidate::from_file(text).map_err(|no_law| match no_law {
        NoLaw::Unsound(diagnostics, sources) => LawError::File {
            file: text.to_owned(),
            diagnostics,
            sources,
        },
        NoLaw::Nameless => LawError::Nameless {
            file: text.to_owned(),
        },
        NoLaw::Unknown(name) => unknown(&name),
    })
}

fn named(name: &str) -> Result<Declaration, LawError> {
    Declaration::named(name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> LawError {
    let names = Friction::CARDS.iter().map(|card| card.name);
    let suggestion = match suggest::did_you_mean(name, names.clone()) {
        Some(meant) => format!("; {meant}"),
        None => format!("; the laws are {}", names.collect::<Vec<_>>().join(", ")),
    };
    LawError::Unknown {
        name: name.to_owned(),
        suggestion,
    }
}

/// Reads `--law` and `--param LAW:name=value`.
pub(super) fn candidates(
    laws: &[String],
    parameters: &[String],
) -> Result<Vec<Candidate>, LawError> {
    let mut all: Vec<Candidate> = Vec::new();
    for text in laws {
        let candidate = read(text)?;
        if all
            .iter()
            .any(|other| same_name(&other.label, &candidate.label))
        {
            return Err(LawError::Twice {
                label: candidate.label,
            });
        }
        all.push(candidate);
    }
    for text in parameters {
        let refuse = |reason: String| LawError::Parameter {
            text: text.clone(),
            reason,
        };
        let parts = text.split_once(':').and_then(|(law, rest)| {
            let (name, value) = rest.split_once('=')?;
            Some((law.trim(), name.trim(), value.trim()))
        });
        let Some((law, name, value)) = parts else {
            let law = friction::EXAMPLE;
            let speed = law.with_role(Role::StribeckSpeed);
            let symbol = speed.map_or("", |p| &*p.symbol);
            let name = law.name;
            return Err(refuse(format!(
                "expected LAW:name=value, as in {name}:{symbol}=1 mm/s"
            )));
        };
        let labels: Vec<String> = all
            .iter()
            .map(|candidate| candidate.label.clone())
            .collect();
        let found = all
            .iter_mut()
            .find(|c| same_name(&c.label, law) || same_name(c.law.card().name, law));
        let Some(candidate) = found else {
            let reason = format!("\"{law}\" is none of the laws {}", labels.join(", "));
            return Err(refuse(reason));
        };
        let law = candidate.law.clone();
        let card = law.card();
        let full = full_name(&card, name);
        let mut known = card.parameters.iter().map(|p| &*p.name);
        let is_known = known.clone().any(|p| same_name(p, &full))
            || card.at_negative_velocities(&full).is_some();
        if !is_known {
            let meant = suggest::did_you_mean(name, known.clone());
            let all: Vec<&str> = known.by_ref().collect();
            let meant = meant.unwrap_or_else(|| format!("it has {}", all.join(", ")));
            let law = card.name;
            return Err(refuse(format!(
                "{law} has no parameter \"{name}\"; {meant}"
            )));
        }
        candidate
            .given
            .retain(|(key, _)| full_name(&card, key) != full);
        candidate.given.push((full, value.to_owned()));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn parameters_find_their_law() {
        let laws = texts(&["lugre", "coulomb-tanh"]);
        let given = texts(&[
            "lugre:mu_s=0.2",
            "coulomb_tanh:v_r=1 mm/s",
            "lugre:mu_s=0.3",
        ]);
        let all = candidates(&laws, &given).unwrap();
        assert_eq!(
            all[0].given,
            [("static_coefficient".to_owned(), "0.3".to_owned())]
        );
        let tanh = ("regularisation_velocity".to_owned(), "1 mm/s".to_owned());
        assert_eq!(
            (all[1].label.as_str(), &all[1].given[..]),
            ("coulomb_tanh", &[tanh][..])
        );
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_reason() {
        let laws = texts(&["lugre"]);
        for (laws, parameters, part) in [
            (texts(&["lugree"]), vec![], "did you mean \"lugre\""),
            (texts(&["lugre", "lugre"]), vec![], "twice"),
            (texts(&["none.toml"]), vec![], "cannot be read"),
            (
                laws.clone(),
                texts(&["mu_s=0.2"]),
                "expected LAW:name=value",
            ),
            (
                laws.clone(),
                texts(&["gkf:mu_s=0.2"]),
                "none of the laws lugre",
            ),
            (laws, texts(&["lugre:mu_x=0.2"]), "no parameter \"mu_x\""),
        ] {
            let error = candidates(&laws, &parameters).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
