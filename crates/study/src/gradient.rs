//! Derivatives of a run by fields of its scenario.
//!
//! The run is made once with error control. Each field is then moved a little up and down, and both
//! runs take the steps of the first one (`differences.rs`).

use std::path::PathBuf;

use bristle_integrate::Flow;
use bristle_results::{Channel, Result, Status, Summary};
use bristle_scenario::{Changes, Diagnostics, Scenario, SourceMap, Template, suggest};

use crate::differences::{self, DifferenceRuns, change_of};
use crate::engine::{RunObserver, channels_of};
use crate::law_place::LawPlace;
use crate::numbers::numbers_of;
use crate::replay::{FreeField, ReplayError, fields, number_paths};
use crate::schedule::in_parallel;
use crate::sweep::CHANNELS;
use crate::verify::vector_of;

/// The numbers that count where none are named: energies that go in or are lost, and of every pair
/// its times and its largest slip speed. Others are often errors or creep, which are near 0.
const USUAL: [&str; 5] = [
    "input",
    "dissipated",
    "stuck_time",
    "first_slip_time",
    "max_slip_speed",
];

/// What is differentiated.
#[derive(Clone, Debug)]
pub struct GradientRequest {
    /// The scenario.
    pub scenario: PathBuf,
    /// `--set` values.
    pub overrides: Vec<String>,
    /// The option that the fields come from, for messages.
    pub option: &'static str,
    /// The fields; none for all numbers of the file that act on the motion.
    pub paths: Vec<String>,
    /// Numbers of the summary or channels that there must be; [`Gradient::ranked`] takes them.
    pub outputs: Vec<String>,
}

/// A number of the summary and its derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberSlopes {
    /// As in `energy.dissipated`.
    pub name: String,
    /// The number.
    pub value: f64,
    /// Its derivative by every field, in SI units; NaN where a run with the changed field has no
    /// such number.
    pub by: Vec<f64>,
}

/// A run and its derivatives.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// The fields.
    pub fields: Vec<FreeField>,
    /// The channels; the first is the time.
    pub channels: Vec<Channel>,
    /// The rows of the run.
    pub rows: Vec<Vec<f64>>,
    /// For every field the derivatives of the rows, without the time.
    pub slopes: Vec<Vec<Vec<f64>>>,
    /// The numbers of the summary.
    pub numbers: Vec<NumberSlopes>,
    /// Pairs, as `contact.base`, whose law has kinks along its path that no step ends at: the
    /// error of a step that holds one depends on its place there, and derivatives have fewer digits.
    pub doubtful: Vec<String>,
}

/// Why there are no derivatives.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GradientError {
    /// A field that is no number, or a scenario that is not sound.
    #[error(transparent)]
    Fields(#[from] ReplayError),
    /// An output that the run does not have.
    #[error("--of {name}: the run has no such output")]
    NoOutput {
        /// The output.
        name: String,
        /// Perhaps what was meant.
        help: String,
    },
    /// A run with a changed field is refused.
    #[error("{path} = {value:e} is refused: the field cannot be moved by {change:.1e}")]
    Refused {
        /// The field.
        path: String,
        /// The value.
        value: f64,
        /// By how much it was moved.
        change: f64,
        /// What was wrong.
        diagnostics: Box<Diagnostics>,
        /// Where.
        sources: Box<SourceMap>,
    },
    /// A run did not reach its end.
    #[error("the run with {what} ended early: {reason}")]
    Ended {
        /// The field and its value, or `the values of the scenario`.
        what: String,
        /// Why.
        reason: String,
    },
}

/// What a run leaves.
struct RunTrace {
    rows: Vec<Vec<f64>>,
    ends: Vec<f64>,
    numbers: Vec<(String, f64)>,
    status: Status,
    reason: String,
}

/// Keeps rows and ends of steps.
struct TraceRows<'a> {
    rows: Vec<Vec<f64>>,
    ends: Vec<f64>,
    may_go_on: &'a (dyn Fn() -> bool + Sync),
}

impl RunObserver for TraceRows<'_> {
    fn row(&mut self, values: &[f64]) -> Result<()> {
        self.rows.push(values.to_vec());
        Ok(())
    }

    fn step(&mut self, t: f64) -> Flow {
        self.ends.push(t);
        if (self.may_go_on)() {
            Flow::Continue
        } else {
            Flow::Stop
        }
    }
}

fn trace(
    scenario: &Scenario,
    follow: Option<&[f64]>,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> RunTrace {
    let mut kept = TraceRows {
        rows: Vec::new(),
        ends: Vec::new(),
        may_go_on,
    };
    let summary: Summary = differences::run(scenario, follow, &mut kept);
    let reason = summary.error.as_ref().map(|error| error.message.clone());
    RunTrace {
        numbers: numbers_of(&summary),
        status: summary.status,
        reason: reason.unwrap_or_else(|| "it was interrupted".to_owned()),
        rows: kept.rows,
        ends: kept.ends,
    }
}

/// Runs a scenario and differentiates it by fields. `may_go_on` is asked after every step.
///
/// # Errors
/// [`GradientError`].
pub fn gradient(
    request: &GradientRequest,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> std::result::Result<Gradient, GradientError> {
    let mut sources = SourceMap::new();
    let read = Template::read(&request.scenario, &request.overrides, &mut sources);
    let built = read.and_then(|template| {
        let scenario = template.build(&Changes::NONE, &mut sources.clone())?;
        Ok((template, scenario))
    });
    let (template, scenario) = built.map_err(|diagnostics| ReplayError::Scenario {
        diagnostics,
        sources: Box::new(sources.clone()),
    })?;
    let paths = if request.paths.is_empty() {
        acting(&template)
    } else {
        request.paths.clone()
    };
    let fields = fields(&template, &scenario, &paths, request.option)?;
    let base = trace(&scenario, None, may_go_on);
    if base.status != Status::Complete {
        return Err(GradientError::Ended {
            what: "the values of the scenario".to_owned(),
            reason: base.reason,
        });
    }
    let channels = channels_of(&scenario);
    known(&request.outputs, &channels, &base.numbers)?;
    let moved = FieldChange {
        template: &template,
        sources: &sources,
        option: request.option,
        ends: &base.ends,
        may_go_on,
    };
    let results = in_parallel(fields.len(), &|i| moved.runs(&fields[i]));
    let (mut kept, mut runs) = (Vec::new(), Vec::new());
    for (field, result) in fields.into_iter().zip(results) {
        match result {
            Ok(changed) => {
                kept.push(field);
                runs.push(changed);
            }
            // a count, or a number at the edge of its range, that nobody named
            Err(GradientError::Refused { .. }) if request.paths.is_empty() => {}
            Err(error) => return Err(error),
        }
    }
    let places = LawPlace::all(&scenario.model);
    let kinked = places.iter().filter(|place| place.law.follows_path());
    Ok(Gradient {
        doubtful: kinked.map(LawPlace::path).collect(),
        ..assemble(kept, channels, base, &runs)
    })
}

/// Runs with one field changed.
struct FieldChange<'a> {
    template: &'a Template,
    sources: &'a SourceMap,
    option: &'static str,
    ends: &'a [f64],
    may_go_on: &'a (dyn Fn() -> bool + Sync),
}

impl FieldChange<'_> {
    fn runs(
        &self,
        field: &FreeField,
    ) -> std::result::Result<DifferenceRuns<RunTrace>, GradientError> {
        DifferenceRuns::around(
            field.value,
            |value| self.run(field, value),
            |error| matches!(error, GradientError::Refused { .. }),
        )
    }

    fn run(&self, field: &FreeField, value: f64) -> std::result::Result<RunTrace, GradientError> {
        let texts = [format!("{}={value:e}", field.path)];
        let changes = Changes {
            option: self.option,
            removed: &[],
            texts: &texts,
        };
        let mut sources = self.sources.clone();
        let scenario = self
            .template
            .build(&changes, &mut sources)
            .map_err(|diagnostics| GradientError::Refused {
                path: field.path.clone(),
                value,
                change: change_of(field.value),
                diagnostics: Box::new(diagnostics),
                sources: Box::new(sources.clone()),
            })?;
        let run = trace(&scenario, Some(self.ends), self.may_go_on);
        if run.status != Status::Complete {
            return Err(GradientError::Ended {
                what: format!("{} = {value:e}", field.path),
                reason: run.reason,
            });
        }
        Ok(run)
    }
}

/// Numbers of the file that act on the motion: not how it is integrated or judged.
fn acting(template: &Template) -> Vec<String> {
    const OTHERS: [&str; 4] = ["simulation", "expect", "event", "marker"];
    let mut paths = Vec::new();
    number_paths("", template.root(), &mut paths);
    paths.retain(|path| {
        let section = path.split('.').next().unwrap_or_default();
        !OTHERS.contains(&section)
    });
    paths
}

fn assemble(
    fields: Vec<FreeField>,
    channels: Vec<Channel>,
    base: RunTrace,
    changed: &[DifferenceRuns<RunTrace>],
) -> Gradient {
    let slopes = changed.iter().map(|runs| {
        // a run that an event ends earlier has fewer rows
        let rows = runs.runs().map(|run| run.rows.len()).min().unwrap_or(0);
        let slope = |row: usize, place: usize| {
            let value = |run: &RunTrace| Some(run.rows[row][place]);
            runs.slope(value).unwrap_or(f64::NAN)
        };
        let of_row = |row| (1..channels.len()).map(|place| slope(row, place)).collect();
        (0..rows).map(of_row).collect()
    });
    let slopes = slopes.collect();
    let numbers = base.numbers.into_iter().map(|(name, value)| {
        let of_run = |run: &RunTrace| {
            let same = run.numbers.iter().find(|(other, _)| *other == name);
            same.map(|(_, x)| *x)
        };
        let by = changed.iter().map(|runs| runs.slope(of_run));
        let by = by.map(|slope| slope.unwrap_or(f64::NAN)).collect();
        NumberSlopes { name, value, by }
    });
    let numbers = numbers.collect();
    Gradient {
        slopes,
        numbers,
        fields,
        channels,
        rows: base.rows,
        doubtful: Vec::new(),
    }
}

/// How much the run depends on a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldEffect {
    /// The field, by its place in [`Gradient::fields`].
    pub field: usize,
    /// Relative change of the output over that of the field, of the output where it is largest.
    pub effect: f64,
    /// That output: a channel or a number of the summary.
    pub output: String,
}

impl Gradient {
    /// The fields, the one with the largest effect first. `outputs` are the numbers of the summary
    /// that count, or channels by names that no such number has; without any the usual ones: energies that
    /// go in or are lost, times and largest slip speeds of the pairs.
    pub fn ranked(&self, outputs: &[String]) -> Vec<FieldEffect> {
        let mut all: Vec<FieldEffect> = (0..self.fields.len())
            .map(|field| self.largest_effect(field, outputs))
            .collect();
        all.sort_by(|a, b| b.effect.total_cmp(&a.effect));
        all
    }

    fn largest_effect(&self, field: usize, outputs: &[String]) -> FieldEffect {
        let counts = |name: &str| outputs.iter().any(|output| output == name);
        let mut best = FieldEffect {
            field,
            effect: 0.0,
            output: String::new(),
        };
        let mut note = |effect: f64, output: &str| {
            if effect > best.effect {
                (best.effect, best.output) = (effect, output.to_owned());
            }
        };
        let size = self.fields[field].value.abs();
        let is_number = |name: &str| self.numbers.iter().any(|number| number.name == name);
        for (place, channel) in self.channels.iter().enumerate().skip(1) {
            if counts(&channel.name) && !is_number(&channel.name) {
                note(size * self.channel_effect(field, place), &channel.name);
            }
        }
        for number in &self.numbers {
            let scale = self.scale_of(number);
            let what = number.name.rsplit('.').next().unwrap_or_default();
            let is_usual = outputs.is_empty() && USUAL.contains(&what);
            if (is_usual || counts(&number.name)) && scale > 0.0 {
                note(size * number.by[field].abs() / scale, &number.name);
            }
        }
        best
    }

    /// What a number of the summary is compared with: an energy with the largest of them, since one
    /// that ends near 0 says nothing; any other with itself.
    fn scale_of(&self, number: &NumberSlopes) -> f64 {
        const ENERGIES: &str = "energy.";
        if !number.name.starts_with(ENERGIES) {
            return number.value.abs();
        }
        let all = self.numbers.iter();
        let energies = all.filter(|other| other.name.starts_with(ENERGIES));
        energies.fold(0.0, |most, other| most.max(other.value.abs()))
    }

    /// Root mean square of the derivative of a channel over that of its vector. The hundredth of the
    /// rows with the largest ones is left out: where a channel jumps and its jump moves in time, it
    /// has no derivative, and the difference is as large as the change of the field is small.
    fn channel_effect(&self, field: usize, place: usize) -> f64 {
        let vector = vector_of(&self.channels[place].name);
        let alike = self.channels.iter().enumerate();
        let places: Vec<usize> = alike
            .filter(|(_, channel)| vector_of(&channel.name) == vector)
            .map(|(place, _)| place)
            .collect();
        let square = |row: &Vec<f64>| places.iter().map(|&p| row[p] * row[p]).sum::<f64>();
        let size: f64 = self.rows.iter().map(square).sum();
        let slopes = self.slopes[field].iter();
        let mut squares: Vec<f64> = slopes.map(|row| row[place - 1] * row[place - 1]).collect();
        squares.sort_by(f64::total_cmp);
        let smooth = squares.len() - squares.len().div_ceil(100);
        let slope: f64 = squares[..smooth].iter().sum();
        if size > 0.0 {
            (slope / size).sqrt()
        } else {
            0.0
        }
    }
}

/// Refuses an output that the run does not have, before any field is moved.
fn known(
    outputs: &[String],
    channels: &[Channel],
    numbers: &[(String, f64)],
) -> std::result::Result<(), GradientError> {
    let channels = channels.iter().map(|channel| channel.name.as_str());
    let names: Vec<&str> = channels
        .chain(numbers.iter().map(|(name, _)| name.as_str()))
        .collect();
    let Some(name) = outputs.iter().find(|name| !names.contains(&name.as_str())) else {
        return Ok(());
    };
    let meant = suggest::did_you_mean(name, names);
    Err(GradientError::NoOutput {
        name: name.clone(),
        help: meant.unwrap_or_else(|| CHANNELS.to_owned()),
    })
}
