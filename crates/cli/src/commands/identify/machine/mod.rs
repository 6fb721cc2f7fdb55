//! `bristle identify --scenario`: numbers of a whole machine.
//!
//! Measured columns drive the scenario, channels of its results are compared with other columns,
//! and fields of the scenario are free.

mod data;
mod files;
mod json;
mod sheet;

use bristle_identify::Error;
use bristle_identify::machine::{Found, Measured, Unknown, find};
use bristle_scenario::{parse_any_quantity, suggest};
use bristle_study::replay::{Replay, ReplayError};

use self::data::Data;
use super::{print_json, refuse};
use crate::args::IdentifyArguments;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::motion::Problem;
use crate::progress::Fitting;
use crate::render;

/// What was found, beside the data.
struct Outcome<'a> {
    arguments: &'a IdentifyArguments,
    scenario: String,
    data: Data,
    measured: Vec<Measured>,
    found: Found,
}

impl Outcome<'_> {
    /// `path=value` for `--set`.
    fn changes(&self) -> Vec<String> {
        let all = self.found.unknowns.iter();
        all.map(|u| format!("{}={:?}", u.name, u.value)).collect()
    }
}

/// Identifies.
pub(super) fn run(arguments: &IdentifyArguments) -> Exit {
    let interrupt = Interrupt::ends_with("the fit was interrupted; nothing was written");
    let outcome = match outcome(arguments) {
        Ok(outcome) => outcome,
        Err(exit) => return exit,
    };
    interrupt.wait();
    if let Some(folder) = &arguments.out
        && let Err(problem) = files::write(folder, &outcome)
    {
        render::error(problem.message, problem.help);
        return Exit::RunFailed;
    }
    if arguments.json {
        print_json(&json::outcome(&outcome));
    } else {
        sheet::print(&outcome);
    }
    Exit::Done
}

fn outcome(arguments: &IdentifyArguments) -> Result<Outcome<'_>, Exit> {
    let refused = |problem: Problem| refuse(problem.message, problem.help);
    only_what_fits(arguments).map_err(refused)?;
    let data = data::read(arguments).map_err(refused)?;
    let path = arguments.scenario.clone().unwrap_or_default();
    let free: Vec<String> = arguments
        .free
        .iter()
        .flat_map(|text| text.split(','))
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    let channels: Vec<String> = data.outputs.iter().map(|o| o.name.clone()).collect();
    let replay = Replay::read(
        &path,
        &arguments.set,
        &data.inputs,
        &free,
        &channels,
        data.times.clone(),
    )
    .map_err(|error| match error {
        ReplayError::Scenario {
            diagnostics,
            sources,
        } => {
            render::print(&diagnostics, &sources);
            Exit::BadInput
        }
        error => refuse(error, None),
    })?;
    let unknowns = unknowns(&replay, arguments).map_err(refused)?;
    let measured: Vec<Measured> = replay
        .channels()
        .zip(&data.outputs)
        .map(|((name, unit), column)| Measured {
            name: name.to_owned(),
            unit: unit.to_owned(),
            values: column.values.clone(),
        })
        .collect();
    let bar = Fitting::new("scenario", arguments.quiet || arguments.json);
    let found = find(
        &unknowns,
        &measured,
        &|values| replay.outputs(values),
        &|progress| bar.reached(progress.stage, progress.done, progress.of),
    );
    bar.clear();
    let found = found.map_err(|error| {
        let help = error.help().map(str::to_owned);
        if matches!(error, Error::Diverged { .. }) {
            render::error(error.to_string(), help);
            Exit::RunFailed
        } else {
            refuse(error, help)
        }
    })?;
    Ok(Outcome {
        arguments,
        scenario: path.display().to_string(),
        data,
        measured,
        found,
    })
}

/// Options that mean something for a law only.
fn only_what_fits(arguments: &IdentifyArguments) -> Result<(), Problem> {
    let a = arguments;
    let given = [
        ("fix", !a.fix.is_empty()),
        ("with", !a.with.is_empty()),
        ("target", a.target.is_some()),
        ("servo", a.servo.is_some()),
        ("elements", a.elements.is_some()),
        ("test", !a.test.is_empty()),
        ("columns", a.columns.is_some()),
        ("normal-force", a.normal_force.is_some()),
        ("lowpass", a.lowpass.is_some()),
        ("delay", a.delay.is_some()),
        ("resample", a.resample.is_some()),
        ("trim", a.trim.is_some()),
        ("loss", a.loss.is_some()),
        ("starts", a.starts.is_some()),
        ("global", a.global),
        ("profile", a.profile),
    ];
    if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Problem::with(
            format!("--{name} belongs to the fit of a law, not to --scenario"),
            "fields of the scenario are held with --set, freed with --free, started with --start",
        ));
    }
    for (name, empty, example) in [
        ("free", a.free.is_empty(), "--free body.cart.mass"),
        (
            "output",
            a.output.is_empty(),
            "--output body.cart.position.x=x",
        ),
    ] {
        if empty {
            return Err(Problem::with(
                format!("--scenario needs --{name}"),
                format!("as in {example}"),
            ));
        }
    }
    if a.data.len() > 1 {
        return Err(Problem::new(
            "--scenario is fitted to one file: a run has one beginning".to_owned(),
        ));
    }
    Ok(())
}

/// The free fields with their starts and bounds.
fn unknowns(replay: &Replay, arguments: &IdentifyArguments) -> Result<Vec<Unknown>, Problem> {
    let mut all: Vec<Unknown> = replay
        .free()
        .iter()
        .map(|field| Unknown {
            name: field.path.clone(),
            unit: field.unit.clone(),
            start: field.value,
            bounds: None,
        })
        .collect();
    let names: Vec<String> = all.iter().map(|u| u.name.clone()).collect();
    let find = |option: &str, name: &str| {
        names.iter().position(|known| known == name).ok_or_else(|| {
            let help = suggest::did_you_mean(name, names.iter().map(String::as_str));
            Problem {
                message: format!("--{option} {name}: it is not among the free fields"),
                help: Some(help.unwrap_or_else(|| format!("free are {}", names.join(", ")))),
            }
        })
    };
    for text in &arguments.start {
        let (name, value) = split("start", text)?;
        all[find("start", name)?].start = number("start", value)?;
    }
    for text in &arguments.bound {
        let (name, range) = split("bound", text)?;
        let ends = range.split_once(':');
        let Some((low, high)) = ends else {
            let message = format!("--bound {text}: expected PATH=LOW:HIGH");
            return Err(Problem::new(message));
        };
        let (low, high) = (number("bound", low)?, number("bound", high)?);
        if low >= high {
            let message = format!("--bound {text}: the lower bound must be below the upper one");
            return Err(Problem::new(message));
        }
        all[find("bound", name)?].bounds = Some((low, high));
    }
    Ok(all)
}

/// `path=value`.
fn split<'a>(option: &str, text: &'a str) -> Result<(&'a str, &'a str), Problem> {
    text.split_once('=')
        .map(|(name, value)| (name.trim(), value.trim()))
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| Problem::new(format!("--{option} {text}: expected PATH=VALUE")))
}

fn number(option: &str, text: &str) -> Result<f64, Problem> {
    parse_any_quantity(text).map(|q| q.si()).ok_or_else(|| {
        Problem::new(format!(
            "--{option}: \"{text}\" is not a number, with a unit or in SI"
        ))
    })
}
