//! `bristle characterise`: measure what friction laws can and cannot do.

mod files;
mod markdown;
mod page;
mod tables;

use std::hint::black_box;
use std::time::Instant;

use bristle_laws::{Friction, MAX_STATES, Slip, Step, Value, Values};
use bristle_results::format_number;
use bristle_rig::characterise::{
    BenchOptions, Characterisation, Feature, FeatureVerdict, characterise, standard,
};
use bristle_scenario::{SourceMap, suggest};
use serde_json::json;

use super::{print_json, refuse};
use crate::args::CharacteriseArguments;
use crate::exit::Exit;
use crate::render;

/// Measures one law, or all of them.
pub(crate) fn run(arguments: &CharacteriseArguments) -> Exit {
    let laws = match &arguments.law {
        Some(name) => match one(name, &arguments.parameters) {
            Ok(law) => vec![law],
            Err(exit) => return exit,
        },
        None => match all() {
            Ok(laws) => laws,
            Err(exit) => return exit,
        },
    };
    let options = BenchOptions::default();
    let reports: Vec<Characterisation> =
        laws.iter().map(|law| characterise(law, &options)).collect();
    if let Some(folder) = &arguments.output_to.out
        && let Err(error) = files::write(folder, &reports, arguments)
    {
        return super::unwritten(&error);
    }
    if let Some(folder) = arguments
        .output_to
        .out
        .as_deref()
        .filter(|_| arguments.output_to.report)
        && let Err(error) = page::write(folder, &reports, &laws, arguments.all)
    {
        render::error(error.to_string(), None);
        return Exit::RunFailed;
    }
    if let Some(page) = &arguments.markdown {
        let text = markdown::page(&reports);
        if let Err(error) = bristle_results::write_atomically(page, text.as_bytes()) {
            render::error(error.to_string(), None);
            return Exit::RunFailed;
        }
        return Exit::Done;
    }
    match (&reports[..], &laws[..]) {
        ([report], [law]) if !arguments.all => {
            if arguments.output_to.json {
                print_json(&files::report(report));
            } else if !arguments.output_to.quiet {
                tables::sheet(report, law, nanoseconds(law));
            }
        }
        _ if arguments.output_to.json => print_json(&json!(
            reports.iter().map(files::report).collect::<Vec<_>>()
        )),
        _ if arguments.output_to.quiet => {}
        _ => tables::overview(&reports),
    }
    Exit::Done
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
    let is_file = std::path::Path::new(name)
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let mut parameters = match standard(name) {
        Some(values) => as_options(&values),
        None if is_file => Vec::new(),
        None => {
            let names = Friction::CARDS.iter().map(|card| card.name);
            let list = "`bristle laws` lists all of them".to_owned();
            let help = suggest::did_you_mean(name, names);
            let help = help.map_or(list.clone(), |meant| format!("{meant} {list}"));
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

fn all() -> Result<Vec<Friction>, Exit> {
    let build = |card: &bristle_laws::LawCard| {
        let values = standard(card.name).unwrap_or_default();
        Friction::build(card.name, &values).map_err(|error| refuse(error, None))
    };
    Friction::CARDS.iter().map(build).collect()
}

/// Time of one update of the law in one dimension on this machine, ns: the best of some rounds.
fn nanoseconds(law: &Friction) -> f64 {
    const ROUNDS: usize = 20;
    const CALLS: u32 = 5000;
    let states = law.layout().len(1);
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mut old = [0.0; MAX_STATES];
        let mut new = [0.0; MAX_STATES];
        let clock = Instant::now();
        for i in 0..CALLS {
            let v = 1e-3 * f64::from(i % 64);
            let step = Step::constant(Slip::new([v], 10.0), 1e-4);
            black_box(law.update(black_box(&step), &old[..states], &mut new[..states]));
            std::mem::swap(&mut old, &mut new);
        }
        best = best.min(clock.elapsed().as_secs_f64() / f64::from(CALLS));
    }
    best * 1e9
}

/// `yes`, `–` or `n/a`.
fn word(verdict: FeatureVerdict) -> &'static str {
    match verdict {
        FeatureVerdict::Yes => "yes",
        FeatureVerdict::No => "–",
        FeatureVerdict::NotApplicable => "n/a",
    }
}

/// Whether a measurement contradicts the printed table.
fn disagrees(feature: &Feature) -> bool {
    feature
        .printed
        .is_some_and(|printed| FeatureVerdict::from(printed) != feature.verdict)
}

/// A number to four digits.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    format_number(rounded)
}
