//! What the summary of a run needs of its rows.

use bristle_integrate::{Flow, StateArchive};
use bristle_mechanics::record::RowObserver;
use bristle_results::{Channel, Error, Extreme, Extremes, Result};
use bristle_scenario::Scenario;

use crate::expect::ExpectationRecorder;
use crate::run_observer::{RunObserver, channels_of};

/// Keeps what the summary needs of the rows.
#[derive(Debug)]
pub(crate) struct RowBook {
    pub(crate) channels: Vec<Channel>,
    pub(crate) extremes: Extremes,
    pub(crate) expected: ExpectationRecorder,
    /// The row of the start.
    pub(crate) first: Option<Vec<f64>>,
    /// When each event of the scenario happened, s.
    pub(crate) events: Vec<Vec<f64>>,
    /// Why the results could not go on.
    pub(crate) error: Option<Error>,
    last_time: f64,
}

impl RowBook {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        let channels = channels_of(scenario);
        Self {
            expected: ExpectationRecorder::new(&scenario.expectations, &channels),
            channels,
            extremes: Extremes::default(),
            last_time: 0.0,
            first: None,
            events: vec![Vec::new(); scenario.events.len()],
            error: None,
        }
    }

    /// A value that is not a number ends the run: it reaches no observer.
    pub(crate) fn check(&self, values: &[f64]) -> Result<()> {
        let Some(bad) = values.iter().position(|value| !value.is_finite()) else {
            return Ok(());
        };
        let channel = self.channels.get(bad);
        let time = values.first().copied().filter(|t| t.is_finite());
        Err(Error::NotFinite {
            channel: channel.map_or_else(String::new, |c| c.name.clone()),
            time: time.unwrap_or(self.last_time),
            value: values[bad],
        })
    }

    /// Puts what it keeps into an archive, or takes it from there.
    pub(crate) fn archive(&mut self, archive: &mut StateArchive) {
        let mut extremes = self.extremes.as_slice().to_vec();
        let count = archive.length(extremes.len());
        let none = Extreme {
            min: 0.0,
            t_min: 0.0,
            max: 0.0,
            t_max: 0.0,
        };
        extremes.resize(count, none);
        for extreme in &mut extremes {
            let Extreme {
                min,
                t_min,
                max,
                t_max,
            } = extreme;
            for number in [min, t_min, max, t_max] {
                archive.number(number);
            }
        }
        self.extremes = Extremes::of(extremes);
        archive.number(&mut self.last_time);
        let mut has_begun = self.first.is_some();
        archive.flag(&mut has_begun);
        let mut first = self.first.take().unwrap_or_default();
        if has_begun {
            archive.list(&mut first);
        }
        self.first = has_begun.then_some(first);
        self.expected.archive(archive);
        for times in &mut self.events {
            archive.list(times);
        }
        if archive.reads() {
            self.error = None;
        }
    }
}

/// Hands the rows on, and books them.
pub(crate) struct RowRelay<'r> {
    pub(crate) observer: &'r mut dyn RunObserver,
    pub(crate) book: &'r mut RowBook,
}

impl RowObserver for RowRelay<'_> {
    fn row(&mut self, values: &[f64]) -> Flow {
        if let Err(error) = self
            .book
            .check(values)
            .and_then(|()| self.observer.row(values))
        {
            self.book.error = Some(error);
            return Flow::Stop;
        }
        self.book.last_time = values.first().copied().unwrap_or(self.book.last_time);
        self.book.extremes.include(values);
        self.book.expected.row(values);
        self.book.first.get_or_insert_with(|| values.to_vec());
        Flow::Continue
    }

    fn takes_steps(&self) -> bool {
        self.observer.takes_steps()
    }

    fn step_row(&mut self, values: &[f64]) -> Flow {
        if let Err(error) = self.book.check(values) {
            self.book.error = Some(error);
            return Flow::Stop;
        }
        self.observer.step_row(values);
        Flow::Continue
    }

    fn crossed(&mut self, watch: usize, t: f64) -> Flow {
        if let Some(times) = self.book.events.get_mut(watch) {
            times.push(t);
        }
        Flow::Continue
    }

    fn step(&mut self, t: f64) -> Flow {
        self.observer.step(t)
    }
}
