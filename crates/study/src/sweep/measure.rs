//! `--measure`: a number that is taken of every run.

use bristle_results::{Channel, Samples, Statistic, Summary, Window, format_number, summary_value};
use bristle_scenario::{Scenario, parse_any_quantity, suggest};

use super::record::{self, CaseNumber};

/// Where the names of channels stand.
pub(crate) const CHANNELS: &str = "`bristle check SCENARIO.toml --channels` lists them";

/// The words for statistics.
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

/// A statistic of a channel, over the whole run or a window of it, or a number of its summary.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseMeasure {
    /// The channel or the number.
    name: String,
    /// What is taken of a channel; nothing for a number.
    statistic: Option<ChannelStatistic>,
    /// The unit of a number, which the scenario gives.
    unit: &'static str,
}

/// What is taken of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ChannelStatistic {
    word: &'static str,
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

impl CaseMeasure {
    /// Reads `CHANNEL:STATISTIC`, `CHANNEL:STATISTIC:FROM:TO`, or the name of a number of the summary.
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
            [number] if !number.is_empty() => {
                return Ok(Self {
                    name: singular(number),
                    statistic: None,
                    unit: "1",
                });
            }
            [channel, word] => (channel, word, None),
            [channel, word, from, to] => (channel, word, Some((from, to))),
            _ => {
                let form = "it has the form CHANNEL:STATISTIC or CHANNEL:STATISTIC:FROM:TO, or is a \
                            number of the summary such as contact.NAME.stick_count";
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
            name: channel.to_owned(),
            statistic: Some(ChannelStatistic {
                word,
                statistic,
                window,
            }),
            unit: "1",
        })
    }

    /// The name of the number in the table.
    pub fn name(&self) -> String {
        let name = &self.name;
        let Some(ChannelStatistic { word, window, .. }) = self.statistic else {
            return format!("measured.{name}");
        };
        match window {
            None => format!("measured.{name}.{word}"),
            Some(Window { start, end }) => {
                let (start, end) = (format_number(start), format_number(end));
                format!("measured.{name}.{word}[{start}:{end}]")
            }
        }
    }

    /// Checks it against the channels of a scenario, its numbers, and the end of its run.
    ///
    /// # Errors
    /// [`MeasureError`].
    pub fn check(&mut self, channels: &[Channel], scenario: &Scenario) -> Result<(), MeasureError> {
        match self.statistic {
            Some(statistic) => self.check_channel(statistic, channels, scenario.plan.end_time),
            None => self.check_number(channels, &scenario.numbers()),
        }
    }

    fn refused(&self, reason: String) -> MeasureError {
        let word = self.statistic.map(|statistic| statistic.word);
        MeasureError {
            text: word.map_or_else(|| self.name.clone(), |word| format!("{}:{word}", self.name)),
            reason,
        }
    }

    fn check_channel(
        &self,
        statistic: ChannelStatistic,
        channels: &[Channel],
        end_time: f64,
    ) -> Result<(), MeasureError> {
        if channels.iter().all(|c| c.name != self.name) {
            let names = channels.iter().map(|c| c.name.as_str());
            let meant = suggest::did_you_mean(&self.name, names);
            let meant = meant.unwrap_or_else(|| CHANNELS.to_owned());
            return Err(self.refused(format!("there is no such channel; {meant}")));
        }
        match statistic.window {
            Some(window) if window.end > end_time => Err(self.refused(format!(
                "{} s is after the end of the run at {end_time} s",
                window.end
            ))),
            _ => Ok(()),
        }
    }

    fn check_number(
        &mut self,
        channels: &[Channel],
        numbers: &[(String, &'static str)],
    ) -> Result<(), MeasureError> {
        if self.name == "wall_s" {
            let reason = "the time on the clock differs from run to run; the table holds only what \
                          does not";
            return Err(self.refused(reason.to_owned()));
        }
        if let Some((_, unit)) = numbers.iter().find(|(name, _)| *name == self.name) {
            self.unit = unit;
            return Ok(());
        }
        if channels.iter().any(|channel| channel.name == self.name) {
            let words: Vec<&str> = STATISTICS.iter().map(|(word, _)| *word).collect();
            let reason = format!(
                "a channel needs a statistic, as in {}:max; it is one of {}",
                self.name,
                words.join(", ")
            );
            return Err(self.refused(reason));
        }
        let names = numbers.iter().map(|(name, _)| name.as_str());
        let meant = suggest::did_you_mean(&self.name, names).unwrap_or_else(|| {
            "a number is such as contact.NAME.stick_count (docs/guide/scenario.md lists them), \
             and of a channel it has the form CHANNEL:STATISTIC"
                .to_owned()
        });
        Err(self.refused(format!("the summary has no such number; {meant}")))
    }
}

/// The name of a number as expectations have it: that of a summary or a table begins with a plural.
fn singular(name: &str) -> String {
    for (group, section) in [("contacts.", "contact."), ("joints.", "joint_friction.")] {
        if let Some(rest) = name.strip_prefix(group) {
            return format!("{section}{rest}");
        }
    }
    name.to_owned()
}

/// Keeps the values that measures are taken of.
#[derive(Debug)]
pub(super) struct Measuring<'m> {
    measures: &'m [CaseMeasure],
    /// Position of each measure's channel in a row.
    places: Vec<Option<usize>>,
    units: Vec<String>,
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl<'m> Measuring<'m> {
    pub(super) fn new(measures: &'m [CaseMeasure], channels: &[Channel]) -> Self {
        let place = |m: &CaseMeasure| {
            m.statistic?;
            channels.iter().position(|c| c.name == m.name)
        };
        let places: Vec<Option<usize>> = measures.iter().map(place).collect();
        let units = measures.iter().zip(&places);
        let units = units.map(|(m, place)| {
            place
                .map_or(m.unit, |i| channels[i].unit.as_str())
                .to_owned()
        });
        Self {
            measures,
            units: units.collect(),
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

    /// The numbers; none for a window that the run did not reach, or an event that did not happen.
    pub(super) fn numbers(&self, summary: &Summary) -> Vec<CaseNumber> {
        let measured = self.measures.iter().zip(&self.values).zip(&self.units);
        measured
            .map(|((measure, values), unit)| {
                let value = match measure.statistic {
                    None => summary_value(summary, &measure.name),
                    Some(of) => {
                        let samples = Samples::new(&self.times, values);
                        samples.evaluate(of.statistic, of.window).ok()
                    }
                };
                record::measured(measure.name(), unit, value)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_results::ContactSummary;

    #[test]
    fn measures_are_taken_over_their_window() {
        let channels = [Channel::time(), Channel::new("y", "m", "a ramp")];
        let measures =
            ["y:max", "y:mean:1 s:3 s", "y:final"].map(|text| CaseMeasure::parse(text).unwrap());
        let mut measuring = Measuring::new(&measures, &channels);
        for t in 0..5 {
            measuring.row(&[f64::from(t), 2.0 * f64::from(t)]);
        }
        let numbers = measuring.numbers(&Summary::default());
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
            ("", "has the form"),
            ("y:max:1", "has the form"),
            ("y:maximum", "max, mean"),
            ("y:max:3:1", "not before"),
            ("y:max:a:1", "not a time"),
            ("y:max:1 m:2 m", "not a time"),
        ] {
            let error = CaseMeasure::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let channels = [Channel::time(), Channel::new("body.cube.x", "m", "")];
        let checked = |text: &str| {
            let measure = CaseMeasure::parse(text).unwrap();
            let statistic = measure.statistic.unwrap();
            let error = measure.check_channel(statistic, &channels, 1.0);
            error.unwrap_err().to_string()
        };
        assert!(checked("body.cubee.x:max").contains("body.cube.x"));
        assert!(checked("body.cube.x:max:0:2").contains("after the end"));
    }

    #[test]
    fn a_number_of_the_summary_is_taken_as_it_is() {
        let channels = [Channel::time(), Channel::new("y", "m", "")];
        let numbers = [
            ("contact.base.stick_count".to_owned(), "1"),
            ("contact.base.stuck_time".to_owned(), "s"),
        ];
        let mut given = ["contact.base.stick_count", "contacts.base.stuck_time"]
            .map(|text| CaseMeasure::parse(text).unwrap());
        for measure in &mut given {
            measure.check_number(&channels, &numbers).unwrap();
        }
        let mut summary = Summary::default();
        let contact = ContactSummary {
            stick_intervals: vec![[0.0, 1.0], [2.0, 2.5], [3.0, 3.25]],
            ..ContactSummary::default()
        };
        summary.contacts.insert("base".to_owned(), contact);
        let found = Measuring::new(&given, &channels).numbers(&summary);
        let all: Vec<(&str, &str, Option<f64>)> = found
            .iter()
            .map(|n| (n.name.as_str(), n.unit.as_str(), n.value()))
            .collect();
        let expected = [
            ("measured.contact.base.stick_count", "1", Some(3.0)),
            ("measured.contact.base.stuck_time", "s", Some(1.75)),
        ];
        assert_eq!(all, expected);
        for (text, part) in [
            ("contact.base.stick_coun", "contact.base.stick_count"),
            ("y", "needs a statistic, as in y:max"),
            ("nothing.alike", "CHANNEL:STATISTIC"),
            ("wall_s", "differs from run to run"),
        ] {
            let mut measure = CaseMeasure::parse(text).unwrap();
            let error = measure.check_number(&channels, &numbers).unwrap_err();
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }
}
