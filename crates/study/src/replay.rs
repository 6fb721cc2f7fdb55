//! A scenario as a function of some of its numbers: what a fit needs of it.
//!
//! The scenario is read once; measured columns become its functions of time. Each call puts values
//! in the place of the fields that are free, runs the scenario and gives chosen channels at the
//! times of the measurement, linear between the rows of the results.

use std::fmt::Write as _;
use std::path::Path;

use bristle_integrate::Flow;
use bristle_results::{Result, Status};
use bristle_scenario::{
    Changes, Diagnostics, Node, NodeValue, Scenario, SourceMap, Template, parse_any_quantity,
    suggest,
};

use crate::differences::{self, DifferenceRuns};
use crate::engine::{RunObserver, channels_of, execute};
use crate::schedule::in_parallel;

/// The option that values come from, for diagnostics.
const FREE: &str = "--free";

/// Rows of a run at most.
const MOST_ROWS: f64 = 1e6;

/// A measured column that drives the scenario: a field that takes a function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayInput {
    /// As in `force.pull.magnitude`.
    pub path: String,
    /// Values in SI at the times of the measurement.
    pub values: Vec<f64>,
}

/// A field that is free.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeField {
    /// As in `contact.base.friction.bristle_stiffness`.
    pub path: String,
    /// SI unit; `1` for pure numbers.
    pub unit: String,
    /// The value that the scenario gives, SI.
    pub value: f64,
}

/// Why a scenario cannot be fitted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The scenario is not sound.
    #[error("the scenario is not sound")]
    Scenario {
        /// What is wrong.
        diagnostics: Diagnostics,
        /// Where.
        sources: Box<SourceMap>,
    },
    /// A field that is no number, or that the scenario does not read.
    #[error("{option} {path}: the scenario has no number there{suggestion}")]
    NoNumber {
        /// The option that names it.
        option: &'static str,
        /// The path.
        path: String,
        /// Perhaps what was meant.
        suggestion: String,
    },
    /// A channel that the scenario does not have.
    #[error("--output {name}: the scenario has no such channel{suggestion}")]
    NoChannel {
        /// The channel.
        name: String,
        /// Perhaps what was meant.
        suggestion: String,
    },
    /// Times that a run cannot give.
    #[error("the times of the measurement go from {from} s to {to} s; a run begins at 0 s")]
    Times {
        /// The first.
        from: f64,
        /// The last.
        to: f64,
    },
}

/// A scenario that is run again and again with other values.
#[derive(Debug)]
pub struct Replay {
    template: Template,
    sources: SourceMap,
    free: Vec<FreeField>,
    /// Names, units and places of the channels that are compared.
    channels: Vec<(String, String, usize)>,
    times: Vec<f64>,
    step: f64,
}

impl Replay {
    /// Reads a scenario. `times` (s) rise.
    ///
    /// # Errors
    /// [`ReplayError`].
    pub fn read(
        scenario: &Path,
        overrides: &[String],
        inputs: &[ReplayInput],
        free: &[String],
        outputs: &[String],
        times: Vec<f64>,
    ) -> std::result::Result<Self, ReplayError> {
        let (from, to) = (
            times.first().copied().unwrap_or(0.0),
            times.last().copied().unwrap_or(0.0),
        );
        if from < 0.0 || to <= from {
            return Err(ReplayError::Times { from, to });
        }
        let mut texts = overrides.to_vec();
        texts.extend(inputs.iter().map(|input| as_text(input, &times)));
        let mut sources = SourceMap::new();
        let read = Template::read(scenario, &texts, &mut sources);
        let built = read.and_then(|template| {
            let scenario = template.build(&Changes::NONE, &mut sources.clone())?;
            Ok((template, scenario))
        });
        let (template, built) = built.map_err(|diagnostics| ReplayError::Scenario {
            diagnostics,
            sources: Box::new(sources.clone()),
        })?;
        let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
        let step = steps.fold(f64::INFINITY, f64::min).min(built.output_step);
        Ok(Self {
            free: fields(&template, &built, free, FREE)?,
            channels: places(&built, outputs)?,
            template,
            sources,
            times,
            // one long gap must not make the rows endless
            step: step.max(to / MOST_ROWS),
        })
    }

    /// The free fields.
    pub fn free(&self) -> &[FreeField] {
        &self.free
    }

    /// Names and units of the channels.
    pub fn channels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.channels
            .iter()
            .map(|(name, unit, _)| (&**name, &**unit))
    }

    /// The channels at the times of the measurement, SI, for values of the free fields; none if
    /// the scenario is not sound with them or the run fails.
    pub fn outputs(&self, values: &[f64]) -> Option<Vec<Vec<f64>>> {
        let mut rows = self.chosen();
        let summary = execute(&self.scenario(values)?, &mut rows);
        (summary.status == Status::Complete).then(|| self.at_times(&rows))
    }

    /// The derivatives of the channels by every free field, field after field, from runs along the
    /// same steps (see [`crate::gradient`]); none if one of the runs fails.
    pub fn slopes(&self, values: &[f64]) -> Option<Vec<Vec<Vec<f64>>>> {
        let (mut rows, base) = (self.chosen(), self.scenario(values)?);
        let summary = differences::run(&base, None, &mut rows);
        if summary.status != Status::Complete {
            return None;
        }
        let ends = rows.ends;
        let by_field = in_parallel(values.len(), &|j| self.slope(values, j, &ends));
        by_field.into_iter().collect()
    }

    /// The derivatives of the channels by the field `j`.
    fn slope(&self, values: &[f64], j: usize, ends: &[f64]) -> Option<Vec<Vec<f64>>> {
        let at = |value: f64| {
            let mut changed = values.to_vec();
            changed[j] = value;
            let scenario = self.scenario(&changed).ok_or(ReplayFailure::Refused)?;
            let mut rows = self.chosen();
            let summary = differences::run(&scenario, Some(ends), &mut rows);
            if summary.status == Status::Complete {
                Ok(self.at_times(&rows))
            } else {
                Err(ReplayFailure::Ended)
            }
        };
        let is_refusal = |failure: &ReplayFailure| matches!(failure, ReplayFailure::Refused);
        let runs = DifferenceRuns::around(values[j], at, is_refusal).ok()?;
        let channel = |k: usize| {
            let each = 0..self.times.len();
            each.map(|i| runs.slope(|columns| Some(columns[k][i])))
                .collect()
        };
        (0..self.channels.len()).map(channel).collect()
    }

    /// The scenario with values of the free fields; none if it is not sound.
    fn scenario(&self, values: &[f64]) -> Option<Scenario> {
        let texts: Vec<String> = self
            .free
            .iter()
            .zip(values)
            .map(|(field, value)| format!("{}={value:e}", field.path))
            .collect();
        let changes = Changes {
            option: FREE,
            removed: &[],
            texts: &texts,
        };
        let mut sources = self.sources.clone();
        let mut scenario = self.template.build(&changes, &mut sources).ok()?;
        scenario.output_step = self.step;
        scenario.plan.end_time = self.times.last().copied()?;
        scenario.expectations.clear();
        Some(scenario)
    }

    fn chosen(&self) -> ChosenRows {
        ChosenRows {
            places: self.channels.iter().map(|(.., place)| *place).collect(),
            times: Vec::new(),
            columns: vec![Vec::new(); self.channels.len()],
            ends: Vec::new(),
        }
    }

    /// The chosen channels at the times of the measurement.
    fn at_times(&self, rows: &ChosenRows) -> Vec<Vec<f64>> {
        let at = |column: &Vec<f64>| {
            let times = self.times.iter();
            times.map(|&t| between(&rows.times, column, t)).collect()
        };
        rows.columns.iter().map(at).collect()
    }
}

/// Why there is no run with a changed field.
enum ReplayFailure {
    Refused,
    Ended,
}

/// A column as a function of time of the scenario.
fn as_text(input: &ReplayInput, times: &[f64]) -> String {
    let mut text = format!("{}={{ table = [", input.path);
    for (i, (t, value)) in times.iter().zip(&input.values).enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        let _ = write!(text, "{comma}[{t:e}, {value:e}]");
    }
    text.push_str("] }");
    text
}

pub(crate) fn fields(
    template: &Template,
    scenario: &Scenario,
    free: &[String],
    option: &'static str,
) -> std::result::Result<Vec<FreeField>, ReplayError> {
    let read = |path: &str| scenario.parameters.iter().find(|p| p.path == path);
    let one = |path: &String| {
        let unit = read(path).map(|p| p.unit.to_string());
        let written = template.root().find(path).and_then(number);
        let value = written.clone().or_else(|| {
            let value = read(path)?.value.as_number()?;
            Some((value, String::new()))
        });
        value
            .map(|(value, own)| FreeField {
                path: path.clone(),
                unit: unit.unwrap_or(own),
                value,
            })
            .ok_or_else(|| {
                let numbers = scenario.parameters.iter();
                let numbers = numbers.filter(|p| p.value.as_number().is_some());
                let mut given = Vec::new();
                number_paths("", template.root(), &mut given);
                let known = numbers.map(|p| p.path.as_str());
                let known = known.chain(given.iter().map(String::as_str));
                ReplayError::NoNumber {
                    option,
                    path: path.clone(),
                    suggestion: meant(path, known),
                }
            })
    };
    free.iter().map(one).collect()
}

/// The paths of all numbers of a file.
pub(crate) fn number_paths(path: &str, node: &Node, out: &mut Vec<String>) {
    if let NodeValue::Table(table) = &node.value {
        for entry in &table.entries {
            let dot = if path.is_empty() { "" } else { "." };
            number_paths(&format!("{path}{dot}{}", entry.key), &entry.node, out);
        }
    } else if number(node).is_some() {
        out.push(path.to_owned());
    }
}

/// A number or quantity as it stands in the file, in SI, and its unit.
fn number(node: &Node) -> Option<(f64, String)> {
    match &node.value {
        NodeValue::Float(x) => Some((*x, "1".to_owned())),
        #[allow(clippy::cast_precision_loss, reason = "nobody counts beyond 2^53 here")]
        NodeValue::Integer(i) => Some((*i as f64, "1".to_owned())),
        NodeValue::Text(text) => parse_any_quantity(text).map(|q| (q.si(), q.si_unit())),
        _ => None,
    }
}

type OutputPlaces = Vec<(String, String, usize)>;

fn places(
    scenario: &Scenario,
    outputs: &[String],
) -> std::result::Result<OutputPlaces, ReplayError> {
    let channels = channels_of(scenario);
    let one = |name: &String| {
        let place = channels.iter().position(|channel| &channel.name == name);
        place
            .map(|place| (name.clone(), channels[place].unit.clone(), place))
            .ok_or_else(|| ReplayError::NoChannel {
                name: name.clone(),
                suggestion: meant(name, channels.iter().map(|c| c.name.as_str())),
            })
    };
    outputs.iter().map(one).collect()
}

fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    suggest::did_you_mean(name, known).map_or_else(String::new, |meant| format!("; {meant}"))
}

/// Keeps chosen channels of every row, and the ends of the steps.
struct ChosenRows {
    places: Vec<usize>,
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
    ends: Vec<f64>,
}

impl RunObserver for ChosenRows {
    fn row(&mut self, values: &[f64]) -> Result<()> {
        self.times.push(values.first().copied().unwrap_or(0.0));
        for (column, &place) in self.columns.iter_mut().zip(&self.places) {
            column.push(values.get(place).copied().unwrap_or(f64::NAN));
        }
        Ok(())
    }

    fn step(&mut self, t: f64) -> Flow {
        self.ends.push(t);
        Flow::Continue
    }
}

/// Linear between rows; the first or last value beyond them.
fn between(times: &[f64], values: &[f64], t: f64) -> f64 {
    let i = times.partition_point(|known| *known < t);
    match (i.checked_sub(1), values.get(i)) {
        (None, Some(first)) => *first,
        (Some(before), Some(after)) => {
            let part = (t - times[before]) / (times[i] - times[before]);
            values[before] + part * (after - values[before])
        }
        (_, None) => values.last().copied().unwrap_or(f64::NAN),
    }
}
