//! What a scenario expects of its run, and what came of it.

use bristle_integrate::StateArchive;
use bristle_results::{
    Channel, Expectation, Result, Samples, Statistic as Taken, Summary, Window, summary_value,
};
use bristle_scenario::{Expect, ExpectedStatistic, Measure};

/// Keeps every value of the channels that expectations ask for; the table of a long run keeps
/// peaks only.
#[derive(Debug)]
pub struct ExpectationRecorder {
    times: Vec<f64>,
    channels: Vec<ExpectedChannel>,
}

#[derive(Debug)]
struct ExpectedChannel {
    name: String,
    /// Position in a row.
    index: usize,
    values: Vec<f64>,
}

impl ExpectationRecorder {
    /// A recorder for the channels that `expectations` name.
    pub fn new(expectations: &[Expect], channels: &[Channel]) -> Self {
        let named = |name: &str| {
            let measured = |e: &Expect| e.target == name && e.measure != Measure::Summary;
            expectations.iter().any(measured)
        };
        let kept = |(index, channel): (usize, &Channel)| {
            named(&channel.name).then(|| ExpectedChannel {
                name: channel.name.clone(),
                index,
                values: Vec::new(),
            })
        };
        Self {
            times: Vec::new(),
            channels: channels.iter().enumerate().filter_map(kept).collect(),
        }
    }

    /// Takes a row, the time first.
    pub fn row(&mut self, row: &[f64]) {
        if self.channels.is_empty() {
            return;
        }
        self.times.extend(row.first());
        for kept in &mut self.channels {
            kept.values.extend(row.get(kept.index));
        }
    }

    /// Puts the values into an archive, or takes them from there.
    pub(crate) fn archive(&mut self, archive: &mut StateArchive) {
        archive.list(&mut self.times);
        for kept in &mut self.channels {
            archive.list(&mut kept.values);
        }
    }

    fn samples(&self, name: &str) -> Option<Samples<'_>> {
        let kept = self.channels.iter().find(|kept| kept.name == name)?;
        Some(Samples::new(&self.times, &kept.values))
    }
}

/// Holds a complete run against its expectations.
pub fn evaluate(
    expectations: &[Expect],
    recorder: &ExpectationRecorder,
    summary: &Summary,
) -> Vec<Expectation> {
    let judge = |expect: &Expect| {
        let not_reached = is_later(expect.measure, summary.end_time);
        let value = match expect.measure {
            Measure::Summary => summary_value(summary, &expect.target),
            _ if not_reached => None,
            measure => recorder
                .samples(&expect.target)
                .and_then(|samples| taken(&samples, measure, expect.expected).ok()),
        };
        let met = value.is_some_and(|v| (v - expect.expected).abs() <= expect.tolerance);
        Expectation {
            name: expect.name.clone(),
            value,
            expected: expect.expected,
            tolerance: expect.tolerance,
            source: expect.source.clone(),
            met,
            not_reached,
            unit: expect.unit.clone(),
        }
    };
    expectations.iter().map(judge).collect()
}

/// Whether a measure looks later than a run went; its end is that of a sum of steps.
fn is_later(measure: Measure, end_time: f64) -> bool {
    let last = match measure {
        Measure::At(time) => time,
        Measure::Over { window, .. } => window.map_or(0.0, |[_, to]| to),
        Measure::Summary => 0.0,
    };
    last > end_time * (1.0 + 1e-9)
}

fn taken(samples: &Samples<'_>, measure: Measure, expected: f64) -> Result<f64> {
    let (statistic, window) = match measure {
        Measure::At(time) => return samples.at(time),
        Measure::Over { statistic, window } => (statistic, window),
        Measure::Summary => return samples.evaluate(Taken::Final, None),
    };
    let window = window.map(|[start, end]| Window { start, end });
    let take = |statistic| samples.evaluate(statistic, window);
    match statistic {
        ExpectedStatistic::All => {
            // the value that is farthest from the expected one
            let (min, max) = (take(Taken::Min)?, take(Taken::Max)?);
            Ok(if expected - min > max - expected {
                min
            } else {
                max
            })
        }
        ExpectedStatistic::Min => take(Taken::Min),
        ExpectedStatistic::Max => take(Taken::Max),
        ExpectedStatistic::Mean => take(Taken::Mean),
        ExpectedStatistic::Rms => take(Taken::Rms),
        ExpectedStatistic::Drift => take(Taken::Drift),
        ExpectedStatistic::Range => take(Taken::Range),
        ExpectedStatistic::Final => take(Taken::Final),
        ExpectedStatistic::Initial => take(Taken::Initial),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expect(measure: Measure, expected: f64) -> Expect {
        Expect {
            name: "n".to_owned(),
            target: "y".to_owned(),
            measure,
            expected,
            tolerance: 0.1,
            unit: "1".to_owned(),
            source: String::new(),
        }
    }

    fn judged(measure: Measure, expected: f64) -> Expectation {
        let expectations = [expect(measure, expected)];
        let channels = [Channel::time(), Channel::new("y", "1", "a sawtooth")];
        let mut recorder = ExpectationRecorder::new(&expectations, &channels);
        for row in [[0.0, 0.0], [1.0, 2.0], [2.0, -1.0], [3.0, 0.5]] {
            recorder.row(&row);
        }
        let summary = Summary {
            end_time: 3.0,
            ..Summary::default()
        };
        let mut judged = evaluate(&expectations, &recorder, &summary);
        judged.remove(0)
    }

    #[test]
    fn all_gives_the_value_farthest_from_the_expected_one() {
        let all = |window| Measure::Over {
            statistic: ExpectedStatistic::All,
            window,
        };
        assert_eq!(judged(all(None), 0.0).value, Some(2.0));
        assert_eq!(judged(all(None), 1.0).value, Some(-1.0));
        assert!(!judged(all(None), 1.0).met);
        assert!(judged(all(Some([0.99, 1.0])), 2.0).met);
    }

    #[test]
    fn times_between_rows_are_interpolated_and_later_ones_are_not_reached() {
        assert_eq!(judged(Measure::At(0.5), 1.0).value, Some(1.0));
        let last = judged(Measure::At(3.0), 0.5);
        assert!(last.met && !last.not_reached);
        let window = Measure::Over {
            statistic: ExpectedStatistic::Max,
            window: Some([2.0, 4.0]),
        };
        for later in [judged(Measure::At(9.0), 1.0), judged(window, 0.5)] {
            assert_eq!((later.value, later.met), (None, false));
            assert!(later.not_reached);
        }
    }
}
