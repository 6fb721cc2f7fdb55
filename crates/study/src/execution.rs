//! A run of a scenario that may be stopped at any time, and goes on from there.

use std::time::{Duration, Instant};

use bristle_integrate::{Flow, Plan, StateArchive};
use bristle_mechanics::record::{ModelRun, RunCourse, Start};
use bristle_results::{Channel, Status, Summary};
use bristle_scenario::{Scenario, StartState};

use crate::expect;
use crate::outcome_summary::{failure, results_failure, summarise};
use crate::row_book::{RowBook, RowRelay};
use crate::run_observer::RunObserver;
use crate::session_error::SessionError;

/// A run of a scenario; the same scenario is given every time.
#[derive(Debug)]
pub(crate) struct Execution {
    run: ModelRun,
    plan: Plan,
    book: RowBook,
    /// Wall time so far.
    spent: Duration,
}

/// The values, if all are numbers.
fn finite<'v>(book: &RowBook, values: &'v [f64], t: f64) -> Result<&'v [f64], SessionError> {
    book.check(values)
        .map_err(|error| SessionError::Failed(Box::new(results_failure(&error, t))))?;
    Ok(values)
}

fn course<'a>(scenario: &'a Scenario, plan: &'a Plan) -> RunCourse<'a> {
    RunCourse {
        model: &scenario.model,
        plan,
        output_step: scenario.output_step,
        watches: &scenario.events,
    }
}

impl Execution {
    /// At the start of a scenario. One that fails there is kept: its summary says why.
    pub(crate) fn begin(scenario: &Scenario) -> Self {
        Self::with(scenario, scenario.plan)
    }

    /// The same with another plan of the integration.
    pub(crate) fn with(scenario: &Scenario, plan: Plan) -> Self {
        let clock = Instant::now();
        let start = match scenario.start {
            StartState::AsGiven => Start::AsGiven,
            StartState::Equilibrium => Start::Equilibrium,
        };
        let mut run = ModelRun::new(&course(scenario, &plan));
        run.begin(&course(scenario, &plan), start);
        Self {
            run,
            plan,
            book: RowBook::of(scenario),
            spent: clock.elapsed(),
        }
    }

    /// Runs to the time `until` (s), at most to the end of the scenario.
    pub(crate) fn advance(
        &mut self,
        scenario: &Scenario,
        until: f64,
        observer: &mut dyn RunObserver,
    ) -> Flow {
        let plan = self.plan;
        self.go_on(observer, |run, relay| {
            run.advance(&course(scenario, &plan), until, relay)
        })
    }

    /// Runs on until the steps give the values at the time `t` (s): [`ModelRun::advance_past`].
    pub(crate) fn advance_past(
        &mut self,
        scenario: &Scenario,
        t: f64,
        observer: &mut dyn RunObserver,
    ) -> Flow {
        let plan = self.plan;
        self.go_on(observer, |run, relay| {
            run.advance_past(&course(scenario, &plan), t, relay)
        })
    }

    /// See [`ModelRun::follow`].
    pub(crate) fn follow(&mut self, ends: Vec<f64>) {
        self.run.follow(ends);
    }

    /// Lets the run go on, unless its rows cannot be kept, and counts the time.
    fn go_on(
        &mut self,
        observer: &mut dyn RunObserver,
        on: impl FnOnce(&mut ModelRun, &mut RowRelay<'_>) -> Flow,
    ) -> Flow {
        if self.book.error.is_some() {
            return Flow::Stop;
        }
        let clock = Instant::now();
        let book = &mut self.book;
        let flow = on(&mut self.run, &mut RowRelay { observer, book });
        self.spent += clock.elapsed();
        flow
    }

    /// Takes over loads and motions that were changed at the present time.
    pub(crate) fn loads_changed(&mut self, scenario: &Scenario) -> Flow {
        let plan = self.plan;
        self.run.loads_changed(&course(scenario, &plan))
    }

    /// The time that was reached, s.
    pub(crate) fn time(&self) -> f64 {
        self.run.time()
    }

    /// Rows that were handed on so far.
    pub(crate) fn rows(&self) -> usize {
        self.run.rows()
    }

    /// Whether it can go on.
    ///
    /// # Errors
    /// [`SessionError::Failed`] with the reason.
    pub(crate) fn sound(&self) -> Result<(), SessionError> {
        let failed = self.run.error().map(failure).or_else(|| {
            let error = self.book.error.as_ref()?;
            Some(results_failure(error, self.time()))
        });
        failed.map_or(Ok(()), |failed| Err(SessionError::Failed(Box::new(failed))))
    }

    pub(crate) fn channels(&self) -> &[Channel] {
        &self.book.channels
    }

    /// The values of all channels at the present time.
    ///
    /// # Errors
    /// If one is not a number.
    pub(crate) fn values(&mut self, scenario: &Scenario) -> Result<&[f64], SessionError> {
        let plan = self.plan;
        let at = self.time();
        let values = self.run.values(&course(scenario, &plan));
        finite(&self.book, values, at)
    }

    /// The values of all channels at a time that [`Self::advance_past`] has reached last.
    ///
    /// # Errors
    /// If one is not a number.
    pub(crate) fn values_at(
        &mut self,
        scenario: &Scenario,
        t: f64,
    ) -> Result<&[f64], SessionError> {
        let plan = self.plan;
        let values = self.run.values_at(&course(scenario, &plan), t);
        finite(&self.book, values, t)
    }

    /// See [`ModelRun::keep_last_step`].
    pub(crate) fn keep_last_step(&mut self, scenario: &Scenario) {
        let plan = self.plan;
        self.run.keep_last_step(&course(scenario, &plan));
    }

    /// See [`ModelRun::rest`].
    pub(crate) fn rest(&mut self, scenario: &Scenario) {
        let plan = self.plan;
        self.run.rest(&course(scenario, &plan));
    }

    /// See [`ModelRun::archive`].
    pub(crate) fn archive(&mut self, scenario: &Scenario, archive: &mut StateArchive) {
        let plan = self.plan;
        self.run.archive(&course(scenario, &plan), archive);
        self.book.archive(archive);
    }

    /// Sums up what was run so far.
    pub(crate) fn summary(&mut self, scenario: &Scenario) -> Summary {
        let plan = self.plan;
        let outcome = self.run.outcome(&course(scenario, &plan));
        let mut summary = summarise(scenario, &outcome, &self.book);
        summary.wall_s = self.spent.as_secs_f64();
        if summary.status == Status::Complete {
            let recorder = &self.book.expected;
            summary.expectations = expect::evaluate(&scenario.expectations, recorder, &summary);
        }
        summary
    }
}
