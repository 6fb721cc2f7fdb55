//! `--measure`: a number that is taken of a channel in every run.

use bristle_results::{Channel, Samples, Statistic, Window, format_number};
use bristle_scenario::{parse_any_quantity, suggest};

use super::record::{self, CaseNumber};

/// The words for statistics.
/// Where the names of channels stand.
pub(crate) const CHANNELS: &str = "`bristle check SCENARIO.toml --channels` lists them";

const STATISTICS: &[(&str, Statistic)] = &[
    ("min", Statistic::Min),
    ("max", Statistic::Max),
    ("mean", Statistic::Mean),
    ("rms", Statistic::Rms),
    ("range", Statistic::Range),
    ("drift", Statistic::Drift),
    ("initial", Statistic::Initial),
    ("final", Statistic::Final),
];

/// A statistic of a channel, over the whole run or a window of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelMeasure {
    /// The channel.
    pub channel: String,
    /// Name of the statistic.
    pub word: &'static str,
    statistic: Statistic,
    window: Option<Window>,
}

/// Why a `--measure` cannot be understood.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("--measure {text}: {reason}")]
pub struct MeasureError {
    /// As it was given.
    pub text: String,
    /// What is wrong.
    pub reason: String,
}

impl ChannelMeasure {
    /// Reads `CHANNEL:STATISTIC` or `CHANNEL:STATISTIC:FROM:TO`.
    ///
    /// # Errors
    /// [`MeasureError`].
    pub fn parse(text: &str) -> Result<Self, MeasureError> {
        let refuse = |reason: String| MeasureError {
            text: text.to_owned(),
            reason,
        };
        let parts: Vec<&str> = text.split(':').map(str::trim).collect();
        let (channel, word, window) = match parts[..] {
            [channel, word] => (channel, word, None),
            [channel, word, from, to] => (channel, word, Some((from, to))),
            _ => {
                let form = "it has the form CHANNEL:STATISTIC or CHANNEL:STATISTIC:FROM:TO";
                return Err(refuse(form.to_owned()));
            }
        };
        let words = || STATISTICS.iter().map(|(word, _)| *word);
        let found = STATISTICS.iter().find(|(known, _)| *known == word);
        let (word, statistic) = *found.ok_or_else(|| {
            let all: Vec<&str> = words().collect();
            let meant = suggest::did_you_mean(word, words());
            let meant = meant.map_or_else(String::new, |meant| format!("{meant} "));
            refuse(format!(
                "there is no statistic \"{word}\"; {meant}it is one of {}",
                all.join(", ")
            ))
        })?;
        let time = |text: &str| {
            let quantity = parse_any_quantity(text).filter(|q| {
                let unit = q.si_unit();
                unit == "1" || unit == "s"
            });
            quantity
                .map(|q| q.si())
                .filter(|t| *t >= 0.0)
                .ok_or_else(|| refuse(format!("\"{text}\" is not a time, 0 s or later")))
        };
        let window = match window {
            None => None,
            Some((from, to)) => {
                let (start, end) = (time(from)?, time(to)?);
                if start >= end {
                    return Err(refuse(format!("{from} is not before {to}")));
                }
                Some(Window { start, end })
            }
        };
        Ok(Self {
            channel: channel.to_owned(),
            word,
            statistic,
            window,
        })
    }

    /// The name of the number in the table.
    pub fn name(&self) -> String {
        let Self { channel, word, .. } = self;
        match self.window {
            None => format!("measured.{channel}.{word}"),
            Some(Window { start, end }) => {
                let (start, end) = (format_number(start), format_number(end));
                format!("measured.{channel}.{word}[{start}:{end}]")
            }
        }
    }

    /// Checks it against the channels of a scenario, and the end of its run (s).
    ///
    /// # Errors
    /// [`MeasureError`].
    pub fn check(&self, channels: &[Channel], end_time: f64) -> Result<(), MeasureError> {
        let refuse = |reason: String| MeasureError {
            text: format!("{}:{}", self.channel, self.word),
            reason,
        };
        if channels.iter().all(|c| c.name != self.channel) {
            let names = channels.iter().map(|c| c.name.as_str());
            let meant = suggest::did_you_mean(&self.channel, names);
            let meant = meant.unwrap_or_else(|| CHANNELS.to_owned());
            return Err(refuse(format!("there is no such channel; {meant}")));
        }
        match self.window {
            Some(window) if window.end > end_time => Err(refuse(format!(
                "{} s is after the end of the run at {end_time} s",
                window.end
            ))),
            _ => Ok(()),
        }
    }
}

/// Keeps the values that measures are taken of.
#[derive(Debug)]
pub(super) struct Measuring<'m> {
    measures: &'m [ChannelMeasure],
    /// Position of each measure's channel in a row.
    places: Vec<Option<usize>>,
    units: Vec<String>,
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl<'m> Measuring<'m> {
    pub(super) fn new(measures: &'m [ChannelMeasure], channels: &[Channel]) -> Self {
        let place = |m: &ChannelMeasure| channels.iter().position(|c| c.name == m.channel);
        let places: Vec<Option<usize>> = measures.iter().map(place).collect();
        let unit = |place: &Option<usize>| place.map_or("1", |i| channels[i].unit.as_str());
        Self {
            measures,
            units: places.iter().map(|place| unit(place).to_owned()).collect(),
            places,
            times: Vec::new(),
            values: vec![Vec::new(); measures.len()],
        }
    }

    pub(super) fn row(&mut self, row: &[f64]) {
        if self.measures.is_empty() {
            return;
        }
        self.times.extend(row.first());
        for (place, values) in self.places.iter().zip(&mut self.values) {
            if let Some(place) = place {
                values.extend(row.get(*place));
            }
        }
    }

    /// The numbers; none for a window that the run did not reach.
    pub(super) fn numbers(&self) -> Vec<CaseNumber> {
        let measured = self.measures.iter().zip(&self.values).zip(&self.units);
        measured
            .map(|((measure, values), unit)| {
                let samples = Samples::new(&self.times, values);
                let value = samples.evaluate(measure.statistic, measure.window).ok();
                record::measured(measure.name(), unit, value)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_taken_over_their_window() {
        let channels = [Channel::time(), Channel::new("y", "m", "a ramp")];
        let measures =
            ["y:max", "y:mean:1 s:3 s", "y:final"].map(|text| ChannelMeasure::parse(text).unwrap());
        let mut measuring = Measuring::new(&measures, &channels);
        for t in 0..5 {
            measuring.row(&[f64::from(t), 2.0 * f64::from(t)]);
        }
        let numbers = measuring.numbers();
        let all: Vec<(&str, Option<f64>)> = numbers
            .iter()
            .map(|n| (n.name.as_str(), n.value()))
            .collect();
        // y = 2 t: the mean from 1 s to 3 s is y(2 s)
        let expected = [
            ("measured.y.max", Some(8.0)),
            ("measured.y.mean[1:3]", Some(4.0)),
            ("measured.y.final", Some(8.0)),
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn bad_texts_are_refused_with_their_reason() {
        for (text, part) in [
            ("y", "has the form"),
            ("y:maximum", "max, mean"),
            ("y:max:3:1", "not before"),
            ("y:max:a:1", "not a time"),
            ("y:max:1 m:2 m", "not a time"),
        ] {
            let error = ChannelMeasure::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let channels = [Channel::time(), Channel::new("body.cube.x", "m", "")];
        let near = ChannelMeasure::parse("body.cubee.x:max")
            .unwrap()
            .check(&channels, 1.0);
        assert!(near.unwrap_err().to_string().contains("body.cube.x"));
        let late = ChannelMeasure::parse("body.cube.x:max:0:2")
            .unwrap()
            .check(&channels, 1.0);
        assert!(late.unwrap_err().to_string().contains("after the end"));
    }
}
