//! What the command line asks for.

use bristle_identify::{FitModel, Loss, MachineTerms, Options};
use bristle_laws::Value;
use bristle_recordings::{Lowpass, PreparationPlan, Problem};
use bristle_units::suggest;

use super::super::fits::{names, number, pair};
use crate::args::{FitTarget, IdentifyArguments, RobustLoss};

/// How all files are prepared.
pub(super) struct PreparationOptions {
    plan: PreparationPlan,
    /// Gains of a position controller that makes the force: one, or one for each file.
    servo: Vec<f64>,
}

impl PreparationOptions {
    /// How the `number`-th of all files is prepared.
    pub(super) fn plan(&self, file: &str, number: usize) -> Result<PreparationPlan, Problem> {
        let servo = match (&self.servo[..], self.servo.get(number)) {
            ([], _) => None,
            ([one], _) => Some(*one),
            (_, Some(gain)) => Some(*gain),
            (all, None) => {
                let message = format!(
                    "{file}: --servo has {} gains, but this is file {}",
                    all.len(),
                    number + 1
                );
                let help = "give one gain for all files, or one for each, data before tests";
                return Err(Problem::with(message, help));
            }
        };
        Ok(PreparationPlan {
            servo,
            ..self.plan.clone()
        })
    }
}

/// How records are prepared.
pub(super) fn preparation(arguments: &IdentifyArguments) -> Result<PreparationOptions, Problem> {
    let mut plan = PreparationPlan {
        map: arguments.column_options.map()?,
        ..PreparationPlan::default()
    };
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
    counts(arguments)?;
    let servo = servo(arguments)?;
    plan.accelerates = terms(arguments)?.mass;
    plan.free = arguments.target == Some(FitTarget::Position) || !servo.is_empty();
    sampling(arguments, &mut plan)?;
    Ok(PreparationOptions { plan, servo })
}

/// Numbers of starts and elements.
fn counts(arguments: &IdentifyArguments) -> Result<(), Problem> {
    let given = [
        ("starts", arguments.starts, MOST_STARTS),
        ("elements", arguments.elements, MachineTerms::MOST_ELEMENTS),
    ];
    for (option, value, most) in given {
        if let Some(value) = value.filter(|value| !(1..=most).contains(value)) {
            return Err(Problem::new(format!(
                "--{option} {value}, must be in [1, {most}]"
            )));
        }
    }
    Ok(())
}

/// Gains of a position controller.
fn servo(arguments: &IdentifyArguments) -> Result<Vec<f64>, Problem> {
    let Some(text) = &arguments.servo else {
        return Ok(Vec::new());
    };
    if arguments.target == Some(FitTarget::Force) {
        return Err(Problem::new(
            "--servo makes the force from the position: the target is the position",
        ));
    }
    let gains = text.split(',').map(|gain| number("servo", gain.trim()));
    gains.collect()
}

/// Resampling, delay and trimming.
fn sampling(arguments: &IdentifyArguments, plan: &mut PreparationPlan) -> Result<(), Problem> {
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

/// Most starts that are followed.
const MOST_STARTS: usize = 1000;

/// The terms of `--with`.
const TERMS: [&str; 9] = [
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

/// Other names that people have for them.
const MEANT: [(&str, &str); 9] = [
    ("inertia", "mass"),
    ("viscous", "drag"),
    ("damping", "drag"),
    ("asymmetry", "asymmetric"),
    ("start_velocity", "start"),
    ("load_dependent", "transmitted"),
    ("play", "backlash"),
    ("gap", "backlash"),
    ("weight", "gravity"),
];

/// What a machine adds, as `--with` says.
pub(super) fn terms(arguments: &IdentifyArguments) -> Result<MachineTerms, Problem> {
    let mut terms = MachineTerms {
        elements: arguments.elements.unwrap_or(0),
        // what is computed is the motion of a mass
        mass: arguments.target == Some(FitTarget::Position) || arguments.servo.is_some(),
        motor: arguments.servo.is_some(),
        ..MachineTerms::default()
    };
    for name in names(&arguments.with) {
        match name.to_lowercase().as_str() {
            "mass" => terms.mass = true,
            "offset" => terms.offset = true,
            "gravity" => terms.gravity = true,
            "drag" => terms.drag = true,
            "asymmetric" => terms.asymmetric = true,
            "preload" => terms.preload = true,
            "start" => terms.starts = arguments.data.len(),
            "transmitted" => terms.transmitted = true,
            "backlash" => terms.backlash = true,
            other => return Err(unknown_term(other)),
        }
    }
    idle_terms(&terms, arguments)?;
    Ok(terms)
}

fn unknown_term(name: &str) -> Problem {
    let known = format!("the terms are {}", TERMS.join(", "));
    let meant = MEANT.iter().find(|(other, _)| *other == name);
    let help = match meant {
        Some((_, term)) => Some(format!("that is `{term}`:")),
        None => suggest::did_you_mean(name, TERMS),
    };
    Problem::with(
        format!("--with {name}: there is no such term"),
        help.map_or(known.clone(), |meant| format!("{meant} {known}")),
    )
}

/// Refuses terms that do nothing without a law, where there is none.
fn idle_terms(terms: &MachineTerms, arguments: &IdentifyArguments) -> Result<(), Problem> {
    let is_none = |law: &String| law == "none";
    if !arguments.law.iter().any(is_none) {
        return Ok(());
    }
    let idle = [
        ("preload", terms.preload, "adds to the load of a law"),
        (
            "transmitted",
            terms.transmitted,
            "is a load of the law that the force itself makes",
        ),
        ("backlash", terms.backlash, "is play in series with a law"),
        (
            "asymmetric",
            terms.asymmetric && !terms.drag,
            "gives a law, or the drag, other values for negative velocities",
        ),
    ];
    match idle.into_iter().find(|(_, given, _)| *given) {
        None => Ok(()),
        Some((name, _, does)) => Err(Problem::with(
            format!("--with {name} {does}, and `none` has no law"),
            "leave the term out, or fit `none` apart",
        )),
    }
}

/// Fixed, freed, started and bounded parameters.
pub(super) fn apply(model: &mut FitModel, arguments: &IdentifyArguments) -> Result<(), Problem> {
    let refuse = |option: &str, error: &bristle_identify::Error| {
        Problem::new(format!("--{option}: {error}"))
    };
    for name in names(&arguments.free) {
        model.free_up(name).map_err(|e| refuse("free", &e))?;
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
        starts: arguments.starts.unwrap_or(default.starts),
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
