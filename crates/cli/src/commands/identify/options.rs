//! What the command line asks for.

use bristle_identify::{Loss, Model, Options, Terms};
use bristle_laws::Value;
use bristle_scenario::{parse_any_quantity, suggest};

use super::columns::{Quantity, quantity};
use super::data::{Lowpass, Plan};
use crate::args::{FitTarget, IdentifyArguments, RobustLoss};
use crate::motion::Problem;

/// `name=value`.
fn pair<'a>(option: &str, text: &'a str, example: &str) -> Result<(&'a str, &'a str), Problem> {
    text.split_once('=')
        .map(|(name, value)| (name.trim(), value.trim()))
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| {
            let message = format!("--{option} {text}: expected NAME=VALUE");
            Problem::with(message, format!("as in --{option} {example}"))
        })
}

fn number(option: &str, text: &str) -> Result<f64, Problem> {
    parse_any_quantity(text).map(|q| q.si()).ok_or_else(|| {
        Problem::new(format!(
            "--{option}: \"{text}\" is not a number, with a unit or in SI"
        ))
    })
}

/// How records are read and prepared.
pub(super) fn plan(arguments: &IdentifyArguments) -> Result<Plan, Problem> {
    let mut plan = Plan::default();
    if let Some(path) = &arguments.columns {
        map_file(path, &mut plan)?;
    }
    for text in &arguments.column {
        let (name, column) = pair("column", text, "force=Torque")?;
        put(&mut plan.wishes.columns, quantity(name)?, column.to_owned());
    }
    for text in &arguments.unit {
        let (name, unit) = pair("unit", text, "velocity=mm/s")?;
        put(&mut plan.wishes.units, quantity(name)?, unit.to_owned());
    }
    for text in &arguments.gain {
        let (name, gain) = pair("gain", text, "force=35.15")?;
        put(
            &mut plan.wishes.gains,
            quantity(name)?,
            number("gain", gain)?,
        );
    }
    plan.mean_load = arguments.normal_force.as_deref() == Some("mean");
    if let Some(text) = arguments.normal_force.as_deref().filter(|t| *t != "mean") {
        let load = number("normal-force", text)?;
        if load <= 0.0 {
            return Err(Problem::new(format!(
                "--normal-force = {load} N, must be above 0"
            )));
        }
        plan.load = Some(load);
    }
    plan.lowpass = match arguments.lowpass.as_deref() {
        None | Some("auto") => Lowpass::Automatic,
        Some("off" | "none") => Lowpass::Off,
        Some(text) => {
            let cutoff = number("lowpass", text)?;
            if cutoff <= 0.0 {
                return Err(Problem::with(
                    format!("--lowpass = {cutoff} Hz, must be above 0"),
                    "give a frequency, `auto` or `off`",
                ));
            }
            Lowpass::At(cutoff)
        }
    };
    if arguments.profile && !matches!(arguments.loss, None | Some(RobustLoss::Squares)) {
        return Err(Problem::with(
            "--profile compares sums of squares, which --loss does not make small".to_owned(),
            "leave out --loss or --profile",
        ));
    }
    driven(arguments, &mut plan)?;
    preparation(arguments, &mut plan)?;
    Ok(plan)
}

/// What is computed, and what drives.
fn driven(arguments: &IdentifyArguments, plan: &mut Plan) -> Result<(), Problem> {
    if let Some(text) = &arguments.servo {
        let gains: Result<Vec<f64>, Problem> = text
            .split(',')
            .map(|gain| number("servo", gain.trim()))
            .collect();
        plan.servo = gains?;
    }
    plan.free = arguments.target == Some(FitTarget::Position) || !plan.servo.is_empty();
    if plan.free && arguments.target == Some(FitTarget::Force) {
        return Err(Problem::new(
            "--servo makes the force from the position: the target is the position".to_owned(),
        ));
    }
    Ok(())
}

/// Resampling, delay and trimming.
fn preparation(arguments: &IdentifyArguments, plan: &mut Plan) -> Result<(), Problem> {
    if let Some(text) = &arguments.resample {
        let rate = number("resample", text)?;
        if rate <= 0.0 {
            return Err(Problem::new(format!(
                "--resample = {rate} Hz, must be above 0"
            )));
        }
        plan.rate = Some(rate);
    }
    if let Some(text) = &arguments.delay {
        plan.delay = number("delay", text)?;
    }
    if let Some(text) = &arguments.trim {
        let ends = text
            .split_once(':')
            .map(|(a, b)| (number("trim", a), number("trim", b)));
        plan.trim = match ends {
            Some((Ok(from), Ok(to))) if from < to => Some((from, to)),
            _ => {
                let message = format!("--trim {text}: expected FROM:TO in seconds");
                return Err(Problem::with(message, "as in --trim 0.5:20"));
            }
        };
    }
    Ok(())
}

fn put<T>(list: &mut Vec<(Quantity, T)>, quantity: Quantity, value: T) {
    list.retain(|(q, _)| *q != quantity);
    list.push((quantity, value));
}

/// A map of columns: tables such as `[force]` with `column`, `unit`, `gain`.
fn map_file(path: &std::path::Path, plan: &mut Plan) -> Result<(), Problem> {
    let place = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Problem::new(format!("cannot read {place}: {error}")))?;
    let map: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| Problem::new(format!("{place}: {error}")))?;
    for (name, entry) in map {
        let of = |problem: Problem| Problem {
            message: format!("{place}: {}", problem.message),
            help: problem.help,
        };
        let quantity = quantity(&name).map_err(of)?;
        let entries = match entry {
            toml::Value::String(column) => {
                put(&mut plan.wishes.columns, quantity, column);
                continue;
            }
            toml::Value::Table(entries) => entries,
            _ => {
                let message = format!("{place}: {name} must be the name of a column or a table");
                return Err(Problem::with(
                    message,
                    "as in [force] with column = \"Torque\"",
                ));
            }
        };
        for (key, value) in entries {
            let as_number = value.as_float().or(value.as_integer().map(|i| i as f64));
            match (key.as_str(), value.as_str(), as_number) {
                ("column", Some(column), _) => {
                    put(&mut plan.wishes.columns, quantity, column.to_owned());
                }
                ("unit", Some(unit), _) => put(&mut plan.wishes.units, quantity, unit.to_owned()),
                ("gain", _, Some(gain)) => put(&mut plan.wishes.gains, quantity, gain),
                _ => {
                    let message = format!("{place}: {name}.{key} is not understood");
                    let help = "a column has column = \"NAME\", unit = \"UNIT\", gain = NUMBER";
                    return Err(Problem::with(message, help));
                }
            }
        }
    }
    Ok(())
}

/// The terms of `--with`.
pub(super) fn terms(arguments: &IdentifyArguments) -> Result<Terms, Problem> {
    const KNOWN: [&str; 9] = [
        "mass",
        "offset",
        "gravity",
        "drag",
        "asymmetric",
        "preload",
        "transmitted",
        "start",
        "backlash",
    ];
    let mut terms = Terms {
        elements: arguments.elements.unwrap_or(0),
        // what is computed is the motion of a mass
        mass: arguments.target == Some(FitTarget::Position) || arguments.servo.is_some(),
        motor: arguments.servo.is_some(),
        ..Terms::default()
    };
    for name in arguments.with.iter().flat_map(|text| text.split(',')) {
        match name.trim().to_lowercase().as_str() {
            "mass" | "inertia" => terms.mass = true,
            "offset" => terms.offset = true,
            "gravity" => terms.gravity = true,
            "drag" | "viscous" => terms.drag = true,
            "asymmetric" | "asymmetry" => terms.asymmetric = true,
            "preload" => terms.preload = true,
            "start" | "start_velocity" => terms.starts = arguments.data.len(),
            "transmitted" | "load_dependent" => terms.transmitted = true,
            "backlash" | "play" | "gap" => terms.backlash = true,
            other => {
                let known = format!("the terms are {}", KNOWN.join(", "));
                let help = suggest::did_you_mean(other, KNOWN);
                return Err(Problem::with(
                    format!("--with {other}: there is no such term"),
                    help.map_or(known.clone(), |meant| format!("{meant} {known}")),
                ));
            }
        }
    }
    Ok(terms)
}

/// Fixed, freed, started and bounded parameters.
pub(super) fn apply(model: &mut Model, arguments: &IdentifyArguments) -> Result<(), Problem> {
    let refuse = |option: &str, error: &bristle_identify::Error| {
        Problem::new(format!("--{option}: {error}"))
    };
    for name in arguments.free.iter().flat_map(|text| text.split(',')) {
        model.free_up(name.trim()).map_err(|e| refuse("free", &e))?;
    }
    for text in &arguments.bound {
        let (name, range) = pair("bound", text, "mu_k=0.05:0.3")?;
        let Some((low, high)) = range.split_once(':') else {
            let message = format!("--bound {text}: expected NAME=LOW:HIGH");
            return Err(Problem::with(message, "as in --bound mu_k=0.05:0.3"));
        };
        let (low, high) = (number("bound", low)?, number("bound", high)?);
        model
            .bound(name, low, high)
            .map_err(|e| refuse("bound", &e))?;
    }
    for text in &arguments.start {
        let (name, value) = pair("start", text, "sigma_0=1e5")?;
        model
            .start_at(name, number("start", value)?)
            .map_err(|e| refuse("start", &e))?;
    }
    for text in &arguments.fix {
        let (name, value) = pair("fix", text, "sigma_2=0")?;
        model
            .fix(name, number("fix", value)?)
            .map_err(|e| refuse("fix", &e))?;
    }
    Ok(())
}

/// How the fit is done.
pub(super) fn settings(arguments: &IdentifyArguments) -> Options {
    let default = Options::default();
    Options {
        loss: match arguments.loss {
            None | Some(RobustLoss::Squares) => Loss::Squares,
            Some(RobustLoss::Huber) => Loss::Huber,
            Some(RobustLoss::SoftL1) => Loss::SoftL1,
            Some(RobustLoss::Cauchy) => Loss::Cauchy,
        },
        starts: arguments.starts.unwrap_or(default.starts).max(1),
        draws: default.draws
            * u32::try_from(arguments.starts.unwrap_or(0) / default.starts)
                .unwrap_or(1)
                .max(1),
        global: arguments.global,
        profile: arguments.profile,
        ..default
    }
}

/// A value of a law as TOML.
pub(super) fn toml_value(value: &Value) -> String {
    // seventeen digits give the same number back
    let text = |x: f64| {
        let plain = format!("{x:?}");
        plain
    };
    match value {
        Value::Number(x) => text(*x),
        Value::List(list) => {
            let entries: Vec<String> = list.iter().map(|x| text(*x)).collect();
            format!("[{}]", entries.join(", "))
        }
        other => format!("{other:?}"),
    }
}
