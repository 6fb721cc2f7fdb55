//! The laws that the command line names.

use std::path::Path;

use bristle_laws::{Friction, LawCard, Normal, Value, Values};
use bristle_rig::characterise::standard;
use bristle_scenario::{SourceMap, suggest};

use crate::args::CharacteriseArguments;
use crate::commands::refuse;
use crate::exit::Exit;
use crate::render;

/// The laws to measure, each under the name by which it is shown.
pub(super) fn laws(arguments: &CharacteriseArguments) -> Result<Vec<(String, Friction)>, Exit> {
    if arguments.all {
        return all();
    }
    let parameters = &arguments.parameters;
    if let [name] = &arguments.laws[..] {
        let law = one(name, parameters)?;
        return Ok(vec![(law.card().name.to_owned(), law)]);
    }
    let mut plain = Vec::new();
    for name in &arguments.laws {
        let shown = shown_name(name);
        if plain.iter().any(|(known, _)| *known == shown) {
            let message = format!("two laws are called \"{shown}\"");
            let help = "name each law once; law files with other parameters need other file names";
            return Err(refuse(message, Some(help.to_owned())));
        }
        plain.push((shown, one(name, &[])?));
    }
    for parameter in parameters {
        known(parameter, &plain)?;
    }
    let mut laws = Vec::new();
    for ((shown, law), name) in plain.into_iter().zip(&arguments.laws) {
        let own = parameters.iter().filter(|p| has(&law.card(), p));
        let own: Vec<String> = own.cloned().collect();
        let law = if own.is_empty() {
            law
        } else {
            one(name, &own)?
        };
        laws.push((shown, law));
    }
    Ok(laws)
}

/// A law of the catalogue by its name, one of a file by that of the file.
fn shown_name(name: &str) -> String {
    let stem = Path::new(name).file_stem().filter(|_| is_file(name));
    stem.map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into())
}

fn is_file(name: &str) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
}

/// The name that a setting `NAME=VALUE` begins with.
fn name_of(setting: &str) -> &str {
    setting.split('=').next().unwrap_or(setting).trim()
}

/// Whether a law has the parameter of a setting, by name or by symbol.
fn has(card: &LawCard, setting: &str) -> bool {
    let name = name_of(setting);
    let mut all = card.parameters.iter();
    all.any(|p| p.name == name || p.symbol == name)
}

/// Refuses a setting that none of several laws can take.
fn known(setting: &str, laws: &[(String, Friction)]) -> Result<(), Exit> {
    if laws.iter().any(|(_, law)| has(&law.card(), setting)) {
        return Ok(());
    }
    let name = name_of(setting);
    let names = laws.iter().flat_map(|(_, law)| law.card().parameters);
    let help = suggest::did_you_mean(name, names.map(|p| &*p.name));
    let given: Vec<&str> = laws.iter().map(|(shown, _)| &**shown).collect();
    let message = format!("--param {setting}: none of {} has it", given.join(", "));
    let list = "`bristle laws LAW` lists the parameters of a law".to_owned();
    let help = help.map_or(list.clone(), |meant| format!("{meant} {list}"));
    Err(refuse(message, Some(help)))
}

/// The standard set of a law as options of the command line; those given come after and win.
fn as_options(values: &Values) -> Vec<String> {
    let option = |(name, value): &(String, Value)| match value {
        Value::Number(x) => format!("{name}={x}"),
        Value::List(list) => {
            let entries: Vec<String> = list.iter().map(f64::to_string).collect();
            format!("{name}=[{}]", entries.join(", "))
        }
        Value::Flag(flag) => format!("{name}={flag}"),
        Value::Curve(shape) => format!("{name}={}", shape.name()),
    };
    values.iter().map(option).collect()
}

/// The law of the command line: a name with the standard set, or a file.
fn one(name: &str, given: &[String]) -> Result<Friction, Exit> {
    let mut parameters = match standard(name) {
        Some(values) => as_options(&values),
        None if is_file(name) => Vec::new(),
        None => {
            let names = Friction::CARDS.iter().map(|card| card.name);
            let list = "`bristle laws` lists all of them".to_owned();
            let help = if Normal::card_of(name).is_some() {
                Some(format!(
                    "{name} is a law of normal force, which the bench does not measure; {list}"
                ))
            } else {
                suggest::did_you_mean(name, names).map(|meant| format!("{meant} {list}"))
            };
            let help = help.unwrap_or(list);
            let message = format!("there is no friction law called \"{name}\"");
            return Err(refuse(message, Some(help)));
        }
    };
    parameters.extend_from_slice(given);
    let mut sources = SourceMap::new();
    match bristle_scenario::load_law(name, &parameters, &mut sources) {
        // what the warnings say is measured
        Ok((law, _)) => Ok(law),
        Err(diagnostics) => {
            render::print(&diagnostics, &sources);
            Err(Exit::BadInput)
        }
    }
}

fn all() -> Result<Vec<(String, Friction)>, Exit> {
    let build = |card: &LawCard| {
        let values = standard(card.name).unwrap_or_default();
        let law = Friction::build(card.name, &values).map_err(|error| refuse(error, None))?;
        Ok((card.name.to_owned(), law))
    };
    Friction::CARDS.iter().map(build).collect()
}
