//! A run that may be stopped at any time, and goes on from there.

use super::balance::Energies;
use super::recorder::{Outcome, Recorder, Recording, RowObserver, Start};
use super::run_course::RunCourse;
use crate::model::Model;
use bristle_integrate::{Flow, Integration, Plan, RunError, State, StateArchive, equilibrium};

/// A run of a model: [`ModelRun::begin`], then [`ModelRun::advance`] to later and later times;
/// [`ModelRun::outcome`] sums up. The same course is given every time; between two advances its loads may be
/// changed, if [`ModelRun::loads_changed`] is called after that.
#[derive(Debug)]
pub struct ModelRun {
    state: State,
    integration: Integration<Model>,
    recorder: Recorder,
    error: Option<RunError>,
    /// Whether there was a start to record.
    has_begun: bool,
}

/// Takes no rows.
struct NoRows;

impl RowObserver for NoRows {
    fn row(&mut self, _values: &[f64]) -> Flow {
        Flow::Continue
    }
}

impl ModelRun {
    /// A run that has not begun.
    pub fn new(course: &RunCourse<'_>) -> Self {
        let state = course.model.start();
        Self {
            integration: Integration::new(course.model, course.plan),
            recorder: Recorder::new(course, &state),
            state,
            error: None,
            has_begun: false,
        }
    }

    /// Finds the state at the start, with its accelerations. A stop means that it failed.
    pub fn begin(&mut self, course: &RunCourse<'_>, start: Start) -> Flow {
        if start == Start::Equilibrium {
            if let Err(error) = equilibrium(course.model, &mut self.state) {
                self.error = Some(error);
                return Flow::Stop;
            }
            self.recorder = Recorder::new(course, &self.state);
        }
        self.has_begun = true;
        let mut recording = Recording {
            recorder: &mut self.recorder,
            rows: &mut NoRows,
        };
        let begun = self
            .integration
            .begin(&course.on(), &mut self.state, &mut recording);
        self.note(begun)
    }

    /// Runs to the time `until` (s), at most to the end of the plan.
    pub fn advance(
        &mut self,
        course: &RunCourse<'_>,
        until: f64,
        rows: &mut dyn RowObserver,
    ) -> Flow {
        if self.error.is_some() {
            return Flow::Stop;
        }
        let mut recording = Recording {
            recorder: &mut self.recorder,
            rows,
        };
        let on = course.on();
        let advanced = self
            .integration
            .advance(&on, &mut self.state, &mut recording, until);
        self.note(advanced)
    }

    /// Takes the steps of another run: see [`Integration::follow`].
    pub fn follow(&mut self, ends: Vec<f64>) {
        self.integration.follow(ends);
    }

    /// Keeps the last step from now on, which an archive then holds too.
    pub fn keep_last_step(&mut self, course: &RunCourse<'_>) {
        self.recorder.keep_last_step(course.model, &self.state);
    }

    /// Runs on with the steps of a run that is not interrupted until they give the values at the
    /// time `t` (s), which [`ModelRun::values_at`] then has.
    pub fn advance_past(
        &mut self,
        course: &RunCourse<'_>,
        t: f64,
        rows: &mut dyn RowObserver,
    ) -> Flow {
        if self.error.is_some() {
            return Flow::Stop;
        }
        self.keep_last_step(course);
        let (t, mut reached) = self.recorder.reaches(t, self.state.t);
        let mut flow = Flow::Continue;
        // a step may end so close to that time that the values are those of the next one
        while !reached && flow == Flow::Continue {
            let mut recording = Recording {
                recorder: &mut self.recorder,
                rows: &mut *rows,
            };
            let enough = t.max(self.state.t).next_up();
            let on = course.on();
            let advanced =
                self.integration
                    .advance_past(&on, &mut self.state, &mut recording, enough);
            flow = self.note(advanced);
            reached = self.recorder.reaches(t, self.state.t).1;
        }
        flow
    }

    /// The values of all channels at a time that [`ModelRun::advance_past`] has reached last: at an
    /// output time those of its row.
    pub fn values_at(&mut self, course: &RunCourse<'_>, t: f64) -> &[f64] {
        let (t, _) = self.recorder.reaches(t, self.state.t);
        if self.state.t > 0.0 && self.recorder.sample_last_step(course.model, t).is_some() {
            return &self.recorder.row;
        }
        self.values(course)
    }

    /// Takes over loads and motions that were changed at the present time.
    pub fn loads_changed(&mut self, course: &RunCourse<'_>) -> Flow {
        let mut recording = Recording {
            recorder: &mut self.recorder,
            rows: &mut NoRows,
        };
        let on = course.on();
        let changed = self
            .integration
            .loads_changed(&on, &mut self.state, &mut recording);
        self.note(changed.map(|()| Flow::Continue))
    }

    fn note(&mut self, outcome: Result<Flow, RunError>) -> Flow {
        match outcome {
            Ok(flow) => flow,
            Err(error) => {
                self.error = Some(error);
                Flow::Stop
            }
        }
    }

    /// The time that was reached, s.
    pub fn time(&self) -> f64 {
        self.state.t
    }

    /// Rows that were handed on so far.
    pub fn rows(&self) -> usize {
        self.recorder.next
    }

    /// Why it cannot go on.
    pub fn error(&self) -> Option<&RunError> {
        self.error.as_ref()
    }

    /// The values of all channels at the present time. Where a load jumps there, it is the one after.
    pub fn values(&mut self, course: &RunCourse<'_>) -> &[f64] {
        self.recorder.sample_at(course.model, &self.state)
    }

    /// Makes the rest of the run independent of what was computed on the way to the present state,
    /// as it is after [`ModelRun::archive`] in another process.
    pub fn rest(&mut self, course: &RunCourse<'_>) {
        self.integration.rest(course.model);
    }

    /// Puts all that the rest of the run depends on into an archive, or takes it from there; after
    /// [`ModelRun::rest`] only. It is then a run of the same course without an error.
    pub fn archive(&mut self, course: &RunCourse<'_>, archive: &mut StateArchive) {
        self.state.archive(archive);
        self.integration.archive(&course.on(), &self.state, archive);
        self.recorder.archive(archive);
        archive.flag(&mut self.has_begun);
        if archive.reads() {
            self.error = None;
        }
    }

    /// Sums up what was run so far.
    pub fn outcome(&mut self, course: &RunCourse<'_>) -> Outcome {
        let (energies, contacts, joints) = if self.has_begun {
            self.recorder.sum_up(course.model, &self.state)
        } else {
            (Energies::default(), Vec::new(), Vec::new())
        };
        Outcome {
            statistics: self.integration.statistics(),
            error: self.error.clone(),
            end_time: self.state.t,
            energies,
            balance: self.recorder.ledger.balance(),
            contacts,
            joints,
            state: self.state.clone(),
        }
    }
}

/// Runs `model` from its start; the values of all channels go to `rows` every `output_step` seconds.
///
/// A failed run is an [`Outcome`] with an error: what was computed before is kept.
pub fn simulate(
    model: &Model,
    plan: &Plan,
    start: Start,
    output_step: f64,
    rows: &mut dyn RowObserver,
) -> Outcome {
    let course = RunCourse {
        model,
        plan,
        output_step,
        watches: &[],
    };
    let mut run = ModelRun::new(&course);
    if run.begin(&course, start) == Flow::Continue {
        run.advance(&course, plan.end_time, rows);
    }
    run.outcome(&course)
}
