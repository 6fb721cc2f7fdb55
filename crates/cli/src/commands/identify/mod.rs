//! `bristle identify`: friction parameters from measurements.

mod files;
mod fit_file;
mod json;
mod moved;
mod options;
mod page;
mod stages;
mod text_report;

use std::path::{Path, PathBuf};

use bristle_identify::{
    Error, Fit, FitControl, FitModel, FitNotice, FitTopic, Progress, Record, StopFlag, compare,
    identify_watched,
};
use bristle_laws::{Declaration, Friction};
use bristle_recordings::{Prepared, Problem, prepare};
use bristle_scenario::{SourceMap, suggest};

use self::options::PreparationOptions;
use super::fits::failed;
use super::{print_json, refuse, unwritten};
use crate::args::{ColumnArguments, IdentifyArguments};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::progress::Fitting;
use crate::render;

/// A fitted law beside the data it was fitted to.
struct FitOutcome {
    fits: Vec<Fit>,
    comparison: Vec<bristle_identify::Comparison>,
    notices: Vec<FitNotice>,
    train: Vec<Prepared>,
    test: Vec<Prepared>,
}

impl FitOutcome {
    /// The warnings of all fits, each once, with the laws that it is about.
    fn warnings(&self) -> Vec<String> {
        let mut warnings: Vec<(&FitNotice, Vec<&str>)> = Vec::new();
        for fit in &self.fits {
            for warning in &fit.warnings {
                let known = warnings
                    .iter_mut()
                    .find(|(own, _)| own.text == warning.text);
                match known {
                    Some((_, laws)) => laws.push(&fit.law),
                    None => warnings.push((warning, vec![&fit.law])),
                }
            }
        }
        let all = self.fits.len();
        let named = |(warning, laws): (&FitNotice, Vec<&str>)| {
            // what a law says of itself begins with its name
            let of_law = matches!(warning.topic, FitTopic::Law(_));
            if of_law || laws.len() == all && all > 1 {
                warning.text.clone()
            } else {
                format!("{}: {}", laws.join(", "), warning.text)
            }
        };
        warnings.into_iter().map(named).collect()
    }
}

/// Identifies.
pub(crate) fn run(arguments: &IdentifyArguments) -> Exit {
    if let Some(scenario) = &arguments.scenario {
        return moved::to_calibrate(scenario, arguments);
    }
    let mut filled;
    let arguments = match fit_file::of(arguments) {
        None => arguments,
        Some(path) => {
            filled = arguments.clone();
            if let Err(exit) = fit_file::fill(&path, &mut filled) {
                return exit;
            }
            &filled
        }
    };
    if let Err(exit) = complete(arguments) {
        return exit;
    }
    let interrupt = Interrupt::ends_with("the fit was interrupted; nothing was written");
    let ended = outcome(arguments);
    let outcome = match ended {
        Ok(outcome) => outcome,
        Err(exit) => return exit,
    };
    // what is being written is written to its end
    interrupt.wait();
    if let Some(folder) = &arguments.output_to.out
        && let Err(error) = files::write(folder, &outcome, &arguments.output_to)
    {
        return unwritten(&error);
    }
    if let Some(folder) = arguments
        .output_to
        .out
        .as_deref()
        .filter(|_| arguments.output_to.report)
        && let Err(error) = page::write(&outcome, folder)
    {
        render::error(error.to_string(), None);
        return Exit::RunFailed;
    }
    if arguments.output_to.json {
        print_json(&json::outcome(&outcome));
    } else {
        text_report::print(&outcome, &arguments.output_to);
    }
    Exit::Done
}

/// Asks for what neither the command line nor a fit file says.
fn complete(arguments: &IdentifyArguments) -> Result<(), Exit> {
    if arguments.data.is_empty() {
        let help = "name a file: bristle identify DATA.csv --law LAW, or bristle identify FIT.toml";
        return Err(refuse("there are no data", Some(help.to_owned())));
    }
    if arguments.law.is_empty() {
        let help = "say which with --law, or `law` in a fit file; `bristle laws` lists all of them";
        return Err(refuse("there is no law to fit", Some(help.to_owned())));
    }
    Ok(())
}

fn outcome(arguments: &IdentifyArguments) -> Result<FitOutcome, Exit> {
    let refused = |problem: Problem| refuse(problem.message, problem.help);
    let preparation = options::preparation(arguments).map_err(refused)?;
    let mut models: Vec<FitModel> = Vec::new();
    for law in &arguments.law {
        let model = model(law, arguments)?;
        if models.iter().any(|other| other.law == model.law) {
            let message = format!("two laws are called \"{}\"", model.law);
            let help = "name each law once; laws of your own are fitted one at a time";
            return Err(refuse(message, Some(help.to_owned())));
        }
        models.push(model);
    }
    let read = |paths: &[PathBuf], first: usize| -> Result<Vec<Prepared>, Exit> {
        let numbered = paths.iter().enumerate();
        let all = numbered
            .map(|(i, path)| load(path, &arguments.column_options, &preparation, first + i));
        all.collect::<Result<_, _>>().map_err(refused)
    };
    let train = read(&arguments.data, 0)?;
    let test = read(&arguments.test, train.len())?;
    one_kind_of_motion(&train, &test)?;
    let settings = options::settings(arguments);
    let records = |all: &[Prepared]| {
        all.iter()
            .map(|p| p.record.clone())
            .collect::<Vec<Record>>()
    };
    let (train_records, test_records) = (records(&train), records(&test));
    let mut fits = Vec::new();
    for model in &models {
        let bar = Fitting::new(
            &model.law,
            arguments.output_to.quiet || arguments.output_to.json,
        );
        let watch = |progress: Progress| bar.reached(progress.stage, progress.done, progress.of);
        let control = FitControl {
            watch: &watch,
            stop: &StopFlag::default(),
            jobs: None,
            executor: None,
        };
        let fit = identify_watched(model, &train_records, &test_records, &settings, &control);
        bar.clear();
        fits.push(fit.map_err(|error| failed(&error))?);
    }
    let (comparison, notices) = if fits.len() > 1 {
        compare(&fits)
    } else {
        (Vec::new(), Vec::new())
    };
    // best first, as the comparison has them
    fits.sort_by_key(|fit| comparison.iter().position(|row| row.law == fit.law));
    Ok(FitOutcome {
        fits,
        comparison,
        notices,
        train,
        test,
    })
}

/// Refuses records of motions along a line beside those about an axis.
fn one_kind_of_motion(train: &[Prepared], test: &[Prepared]) -> Result<(), Exit> {
    let mut all = train.iter().chain(test).map(|p| &p.record);
    let Some(first) = all.next() else {
        return Ok(());
    };
    let Some(other) = all.find(|record| record.units != first.units) else {
        return Ok(());
    };
    let unit = |record: &Record| record.units.of("m/s").to_owned();
    let message = format!(
        "velocities of {} are in {}, those of {} in {}",
        first.name,
        unit(first),
        other.name,
        unit(other)
    );
    let help = "fit motions along a line and about an axis apart, or give the unit with --unit";
    Err(refuse(message, Some(help.to_owned())))
}

/// The model of one `--law`.
fn model(law: &str, arguments: &IdentifyArguments) -> Result<FitModel, Exit> {
    let refused = |problem: Problem| refuse(problem.message, problem.help);
    let of_error = |error: Error| refuse(error, None);
    let mut terms = options::terms(arguments).map_err(refused)?;
    let is_file = Path::new(law)
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let (declaration, starts) = if is_file {
        let mut sources = SourceMap::new();
        match bristle_scenario::load_law(law, &[], &mut sources) {
            Ok((law, _)) => {
                // the file has numbers for each direction
                terms.asymmetric |= law.is_two_sided();
                (Some(law.declaration()), law.to_values())
            }
            Err(diagnostics) => {
                render::print(&diagnostics, &sources);
                return Err(Exit::BadInput);
            }
        }
    } else {
        let canonical = law.replace('-', "_");
        let declaration = Declaration::named(&canonical);
        if canonical != "none" && declaration.is_none() {
            let names = Friction::CARDS.iter().map(|card| card.name);
            let list = "`bristle laws` lists all of them; `none` fits without friction".to_owned();
            let help = suggest::did_you_mean(law, names);
            let help = help.map_or(list.clone(), |meant| format!("{meant} {list}"));
            let message = format!("there is no friction law called \"{law}\"");
            return Err(refuse(message, Some(help)));
        }
        (declaration, Vec::new())
    };
    let mut model = FitModel::of_declared(declaration, &terms);
    for (name, value) in starts {
        if let bristle_laws::Value::Number(x) = value
            && model.index(&name).is_some()
        {
            model.know(&name, x).map_err(of_error)?;
        }
    }
    options::apply(&mut model, arguments).map_err(refused)?;
    Ok(model)
}

/// Reads and prepares a file, which is the `number`-th of all.
fn load(
    path: &Path,
    columns: &ColumnArguments,
    settings: &PreparationOptions,
    number: usize,
) -> Result<Prepared, Problem> {
    let table = columns.read(path)?;
    prepare(&table, &settings.plan(&table.file, number)?)
}
