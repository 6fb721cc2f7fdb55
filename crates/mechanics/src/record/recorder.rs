//! Runs a model and records it.

use super::balance::{Balance, Energies};
use super::channel_watch::ChannelWatch;
use super::channels;
use super::contacts::{ContactRecord, Monitor};
use super::last_step::LastStep;
use super::ledger::Ledger;
use super::run_course::RunCourse;
use crate::element::{Contact, ElementInput, Frictional, SlipPlaces};
use crate::frame::Frame;
use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::{
    Flow, Observer, PathWork, RunError, Segment, State, StateArchive, Statistics, System as _,
};

/// How a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the given positions and velocities.
    AsGiven,
    /// At the static equilibrium under the loads of the start.
    Equilibrium,
}

/// Takes the rows of a run as they come, and may end it.
pub trait RowObserver {
    /// The values of all channels at an output time.
    fn row(&mut self, values: &[f64]) -> Flow;
    /// The state at an output time, before its row.
    fn state(&mut self, _state: &State) {}
    /// Whether it takes the values at the end of every accepted step as well.
    fn takes_steps(&self) -> bool {
        false
    }
    /// The values of all channels at the end of an accepted step, if it takes them: they show peaks
    /// that fall between two output times.
    fn step_row(&mut self, _values: &[f64]) -> Flow {
        Flow::Continue
    }
    /// A watched channel, number `watch` of the course, has crossed its level at the time `t` (s). May
    /// end the run there.
    fn crossed(&mut self, _watch: usize, _t: f64) -> Flow {
        Flow::Continue
    }
    /// After every accepted step.
    fn step(&mut self, _t: f64) -> Flow {
        Flow::Continue
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Steps, rejections, iterations.
    pub statistics: Statistics,
    /// Why it ended early, if it failed.
    pub error: Option<RunError>,
    /// The time reached, s.
    pub end_time: f64,
    /// Energies at the end.
    pub energies: Energies,
    /// How well the energies added up over the run.
    pub balance: Balance,
    /// Stick and slip of every contact.
    pub contacts: Vec<ContactRecord>,
    /// Stick and slip of every joint with friction.
    pub joints: Vec<ContactRecord>,
    /// The last state.
    pub state: State,
}

/// Takes what happens in a run, and books it.
#[derive(Debug)]
pub(super) struct Recorder {
    pub(super) scratch: Scratch,
    pub(super) ledger: Ledger,
    pub(super) monitors: Vec<Monitor>,
    output_step: f64,
    end_time: f64,
    /// Number of the next output time.
    pub(super) next: usize,
    pub(super) row: Vec<f64>,
    /// Interpolated state, and what is kept from one of a step to the next.
    between: State,
    path: PathWork,
    pub(super) watches: Vec<ChannelWatch>,
    /// The row at the end of the last step, if channels are watched; empty where it is not known.
    pub(super) watched: Vec<f64>,
    /// The last step, where it is asked for.
    last: Option<LastStep>,
}

/// A recorder, and who takes its rows.
pub(super) struct Recording<'r> {
    pub(super) recorder: &'r mut Recorder,
    pub(super) rows: &'r mut dyn RowObserver,
}

/// Halvings of a step to find a change of stick: a millionth of a step, well within its error.
const HALVINGS: usize = 20;

impl Recorder {
    pub(super) fn new(course: &RunCourse<'_>, state: &State) -> Self {
        let RunCourse {
            model,
            plan,
            output_step,
            watches,
        } = *course;
        let mut scratch = model.scratch();
        let ledger = Ledger::new(model, state, &mut scratch, plan.tolerance);
        let monitors = model
            .elements
            .iter()
            .enumerate()
            .filter_map(|(i, e)| Some(Monitor::of(i, e.frictional()?)))
            .collect();
        Self {
            scratch,
            ledger,
            monitors,
            output_step,
            end_time: plan.end_time,
            next: 0,
            row: Vec::new(),
            between: state.clone(),
            path: PathWork::new(model),
            watches: watches.to_vec(),
            watched: Vec::new(),
            last: None,
        }
    }

    /// Keeps the last step from now on.
    pub(super) fn keep_last_step(&mut self, model: &Model, state: &State) {
        if self.last.is_none() {
            self.last = Some(LastStep::new(model, state, &self.ledger));
        }
    }

    /// How far a time may be off that is meant to be another one, s.
    fn close(&self) -> f64 {
        1e-9 * self.output_step
    }

    /// The output time that `t` is meant to be, if it is one, and whether the steps that were taken
    /// up to `reached` give its values, as they give those of a row.
    pub(super) fn reaches(&self, t: f64, reached: f64) -> (f64, bool) {
        let close = self.close();
        let near = (t / self.output_step).round() * self.output_step;
        let t = if (near - t).abs() <= close { near } else { t };
        let last = self.end_time - reached <= close;
        (t, t < reached - close || last)
    }

    /// The values at a time of the last step that was kept; `None` without one.
    pub(super) fn sample_last_step(&mut self, model: &Model, t: f64) -> Option<&[f64]> {
        let mut last = self.last.take()?;
        self.path.renew();
        std::mem::swap(&mut self.ledger, &mut last.ledger);
        self.sample(&last.segment(model), t.min(last.end()));
        std::mem::swap(&mut self.ledger, &mut last.ledger);
        self.last = Some(last);
        Some(&self.row)
    }

    fn output_time(&self) -> f64 {
        self.next as f64 * self.output_step
    }

    /// The monitored element with its input in a state, whose frames are given.
    fn watched<'a>(
        model: &'a Model,
        monitor: &Monitor,
        state: &'a State,
        frames: &'a [Frame],
    ) -> Option<(&'a dyn Frictional, ElementInput<'a>)> {
        let element = model.elements[monitor.element].frictional()?;
        Some((element, model.input(monitor.element, state, frames)))
    }

    /// The largest slip speed of its loaded pairs in a state, whose frames are given.
    fn speed(model: &Model, monitor: &Monitor, state: &State, frames: &[Frame]) -> Option<f64> {
        let (element, at) = Self::watched(model, monitor, state, frames)?;
        element.slip_speed(&at)
    }

    /// Where its pairs are in a state, whose frames are given.
    fn places(model: &Model, monitor: &Monitor, state: &State, frames: &[Frame]) -> SlipPlaces {
        Self::watched(model, monitor, state, frames)
            .map_or_else(SlipPlaces::new, |(element, at)| element.slip_places(&at))
    }

    fn monitor(&mut self, segment: &Segment<'_, Model>) {
        if self.monitors.is_empty() {
            return;
        }
        let (model, after) = (segment.system, segment.after);
        model.place_state(after, after.t, &mut self.scratch);
        for i in 0..self.monitors.len() {
            let speed = Self::speed(model, &self.monitors[i], after, &self.scratch.frames);
            let sticks = self.monitors[i].sticks(speed);
            let (mut changed, mut places) = (after.t, SlipPlaces::new());
            if sticks != self.monitors[i].is_stuck() {
                changed = self.change(segment, i, sticks);
                // the last one that was looked at is a millionth of a step away
                let (between, frames) = (&self.between, &self.scratch.frames);
                places = Self::places(model, &self.monitors[i], between, frames);
                model.place_state(after, after.t, &mut self.scratch);
            } else if self.monitors[i].is_swinging() {
                places = Self::places(model, &self.monitors[i], after, &self.scratch.frames);
            }
            self.monitors[i].book(speed, changed, &places);
            if self.monitors[i].is_rising() {
                let (monitor, frames) = (&self.monitors[i], &self.scratch.frames);
                let of = Self::watched(model, monitor, after, frames);
                let coefficient = of.and_then(|(element, at)| element.coefficient(&at));
                self.monitors[i].book_coefficient(coefficient);
            }
        }
    }

    /// When a contact began to stick, or to slip, inside a step.
    fn change(&mut self, segment: &Segment<'_, Model>, monitor: usize, sticks: bool) -> f64 {
        let (model, monitor) = (segment.system, &self.monitors[monitor]);
        let (mut low, mut high) = (segment.before.t, segment.after.t);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let (scratch, between) = (&mut self.scratch, &mut self.between);
            segment.interpolate(scratch, middle, &mut self.path, between);
            model.place_state(between, middle, scratch);
            let speed = Self::speed(model, monitor, between, &scratch.frames);
            if monitor.sticks(speed) == sticks {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// Rows for the output times inside a step, and at its end if it is the last one. One that ends
    /// at the time `stop` has its last row there.
    fn outputs(
        &mut self,
        segment: &Segment<'_, Model>,
        stop: Option<f64>,
        rows: &mut dyn RowObserver,
    ) -> Flow {
        // the last output time may differ from the end by the rounding of a product
        let close = self.close();
        let end = stop.unwrap_or(segment.after.t);
        let last = self.end_time - end <= close;
        loop {
            let t = self.output_time();
            let inside = t < end - close || (last && t <= end + close);
            if !inside {
                break;
            }
            let t = t.min(end);
            self.sample(segment, t);
            self.next += 1;
            rows.state(&self.between);
            if rows.row(&self.row) == Flow::Stop {
                return Flow::Stop;
            }
        }
        let Some(stop) = stop.filter(|_| !last) else {
            return Flow::Continue;
        };
        self.sample(segment, stop);
        self.next += 1;
        rows.state(&self.between);
        rows.row(&self.row)
    }

    /// The values in a committed state, with the loads from its time on.
    pub(super) fn sample_at(&mut self, model: &Model, state: &State) -> &[f64] {
        let energies = self.ledger.energies_within(model, state, &mut self.scratch);
        channels::sample(model, state, &self.scratch, &energies, &mut self.row);
        &self.row
    }

    /// Puts what it has booked into an archive, or takes it from there.
    pub(super) fn archive(&mut self, archive: &mut StateArchive) {
        archive.count(&mut self.next);
        self.ledger.archive(archive);
        for monitor in &mut self.monitors {
            monitor.archive(archive);
        }
        archive.list(&mut self.watched);
        if let Some(last) = &mut self.last {
            last.archive(archive);
        }
    }

    /// The values at a time of a step.
    pub(super) fn sample(&mut self, segment: &Segment<'_, Model>, t: f64) {
        let model = segment.system;
        // the loads are those of the step, also where they jump at the end
        let closing = t.min(segment.closing_time);
        segment.interpolate(
            &mut self.scratch,
            closing,
            &mut self.path,
            &mut self.between,
        );
        model.settle(&mut self.scratch, &mut self.between);
        let energies = self
            .ledger
            .energies_within(model, &self.between, &mut self.scratch);
        let (between, row) = (&self.between, &mut self.row);
        channels::sample(model, between, &self.scratch, &energies, row);
        row[0] = t;
    }

    /// Energies, contacts and joints up to a committed state.
    pub(super) fn sum_up(
        &mut self,
        model: &Model,
        state: &State,
    ) -> (Energies, Vec<ContactRecord>, Vec<ContactRecord>) {
        let closing = self.ledger.time();
        model.place_state(state, closing, &mut self.scratch);
        let energies = self.ledger.energies(model, state, &self.scratch.frames);
        let ledger = &self.ledger;
        let (mut contacts, mut joints) = (Vec::new(), Vec::new());
        for monitor in self.monitors.iter().cloned() {
            let dissipated = ledger.dissipated_in(monitor.element);
            let places = Self::places(model, &monitor, state, &self.scratch.frames);
            let is_contact = model.elements[monitor.element]
                .downcast::<Contact>()
                .is_some();
            let record = ContactRecord {
                dissipated,
                ..monitor.finish(state.t, &places)
            };
            if is_contact {
                contacts.push(record);
            } else {
                joints.push(record);
            }
        }
        (energies, contacts, joints)
    }
}

impl Observer<Model> for Recording<'_> {
    fn start(&mut self, model: &Model, state: &State) -> Flow {
        let recorder = &mut *self.recorder;
        model.place_state(state, state.t, &mut recorder.scratch);
        for monitor in &mut recorder.monitors {
            let frames = &recorder.scratch.frames;
            let speed = Recorder::speed(model, monitor, state, frames);
            let places = Recorder::places(model, monitor, state, frames);
            monitor.book(speed, state.t, &places);
        }
        // the accelerations are consistent only now
        let tolerance = recorder.ledger.tolerance();
        recorder.ledger = Ledger::new(model, state, &mut recorder.scratch, tolerance);
        Flow::Continue
    }

    fn accepted(&mut self, segment: &Segment<'_, Model>) -> Flow {
        let recorder = &mut *self.recorder;
        recorder.path.renew();
        recorder.ledger.look_ahead(segment, &mut recorder.scratch);
        recorder.monitor(segment);
        let stop = recorder.crossings(segment, self.rows);
        if recorder.outputs(segment, stop, self.rows) == Flow::Stop {
            return Flow::Stop;
        }
        if self.rows.takes_steps() {
            recorder.sample(segment, segment.after.t);
            if self.rows.step_row(&recorder.row) == Flow::Stop {
                return Flow::Stop;
            }
        }
        if let Some(last) = &mut recorder.last {
            last.keep(segment, &recorder.ledger);
        }
        let model = segment.system;
        recorder.ledger.book(
            model,
            segment.after,
            segment.closing_time,
            &mut recorder.scratch,
        );
        if stop.is_some() {
            return Flow::Stop;
        }
        self.rows.step(segment.after.t)
    }

    fn jumped(&mut self, _model: &Model, work: f64) {
        self.recorder.ledger.put_in(work);
    }

    fn restarted(&mut self, model: &Model, state: &State) {
        let recorder = &mut *self.recorder;
        recorder.watched.clear();
        recorder.ledger.jump(model, state, &mut recorder.scratch);
    }
}
