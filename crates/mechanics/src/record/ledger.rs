//! The energy ledger.
//!
//! Work is force times displacement, by the trapezoidal rule over the accepted steps: for the
//! average-acceleration method this is the work that changes the discrete kinetic energy exactly,
//! so what is left over (the imbalance) is the error of the time integration, not of the booking.
//! A step by stages has the power at every stage, with the weights of the method.

use super::balance::{Balance, Energies};
use super::step_work::StepWork;
use crate::body::{Body, Joint};
use crate::element::{EnergyAccount, WorkPair};
use crate::frame::Frame;
use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::{Segment, StagePoint, State, StateArchive};

/// The forces and coordinates of one instant.
#[derive(Clone, Debug, Default)]
struct Reading {
    t: f64,
    pairs: Vec<WorkPair>,
    /// Energy in the friction states of every element.
    bristles: Vec<f64>,
}

/// What is read at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Work, as at a stage of a step.
    WorkAlone,
    /// Work, and the energy in the friction states.
    Work,
    /// The loads on the joints too, as far as a row shows them.
    Loads,
    /// The same without the work, which is known from the stages of the step.
    LoadsAlone,
}

/// Whether rows show loads on joints: a body that is free has none.
fn shows_loads(model: &Model) -> bool {
    let has_joint = |body: &Body| !matches!(body.joint, Joint::Free);
    model.constraints() > 0 || model.bodies.iter().skip(1).any(has_joint)
}

/// Books work over the accepted steps.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    last: Reading,
    next: Reading,
    /// Work of the step that comes next, where it has stages.
    step: StepWork,
    /// First pair of every element; the pairs of the prescribed joints come last.
    first: Vec<usize>,
    /// Work per element, without the energy in its friction states.
    work: Vec<f64>,
    bristles_at_start: Vec<f64>,
    input: f64,
    start: f64,
    balance: Balance,
    tolerance: f64,
}

impl Ledger {
    pub(super) fn new(model: &Model, state: &State, scratch: &mut Scratch, tolerance: f64) -> Self {
        let mut ledger = Self {
            last: Reading::default(),
            next: Reading::default(),
            step: StepWork::default(),
            first: Vec::new(),
            work: vec![0.0; model.elements.len()],
            bristles_at_start: Vec::new(),
            input: 0.0,
            start: 0.0,
            balance: Balance::new(model, state, scratch, tolerance),
            tolerance,
        };
        ledger.read(model, state, state.t, scratch, Depth::Work);
        std::mem::swap(&mut ledger.last, &mut ledger.next);
        ledger.bristles_at_start.clone_from(&ledger.last.bristles);
        ledger.start =
            model.kinetic_energy(&scratch.frames) + model.stored_energy(state, &scratch.frames);
        ledger
    }

    /// Reads forces and coordinates of an instant into `self.next`; leaves its frames in `scratch`.
    fn read(&mut self, model: &Model, state: &State, t: f64, scratch: &mut Scratch, depth: Depth) {
        // what drives a joint is known from the dynamics alone
        let shown = matches!(depth, Depth::Loads | Depth::LoadsAlone) && shows_loads(model);
        if shown || !model.joints.drives.is_empty() {
            model.evaluate(state, t, scratch);
        } else {
            model.place_state(state, t, scratch);
        }
        let Reading {
            t: time,
            pairs,
            bristles,
        } = &mut self.next;
        *time = t;
        pairs.clear();
        self.first.clear();
        for (i, element) in model.elements.iter().enumerate() {
            self.first.push(pairs.len());
            let mut at = model.input(i, state, &scratch.frames);
            at.t = t;
            if depth != Depth::LoadsAlone {
                element.work_pairs(&at, &mut |pair| pairs.push(pair));
            }
        }
        if depth != Depth::WorkAlone {
            model.bristle_energies(state, t, &scratch.frames, bristles);
        }
        self.first.push(pairs.len());
        prescribed(model, t, scratch, pairs);
    }

    /// Integrates the work of the step that is observed, where it has stages.
    pub(super) fn look_ahead(&mut self, segment: &Segment<'_, Model>, scratch: &mut Scratch) {
        self.step.clear();
        let Some(quadrature) = segment.quadrature else {
            return;
        };
        self.step.begin(&self.last.pairs, quadrature.start_weight);
        let mut step = std::mem::take(&mut self.step);
        for StagePoint { state, weight } in quadrature.points {
            self.read(segment.system, state, state.t, scratch, Depth::WorkAlone);
            step.add(&self.next.pairs, *weight);
        }
        step.end(&self.next.pairs, segment.closing_time - segment.before.t);
        self.step = step;
    }

    /// Work of a pair over the step that ends in the reading `next`.
    fn work_of(&self, pair: usize) -> f64 {
        let h = self.next.t - self.last.t;
        self.step
            .of(pair)
            .unwrap_or_else(|| self.next.pairs[pair].work_since(&self.last.pairs[pair], h))
    }

    /// Books the step that ends in `state`; `t` is its time, just before a jump of the loads.
    pub(super) fn book(&mut self, model: &Model, state: &State, t: f64, scratch: &mut Scratch) {
        self.read(model, state, t, scratch, Depth::Work);
        for i in 0..self.work.len() {
            for k in self.first[i]..self.first[i + 1] {
                let work = self.work_of(k);
                match self.next.pairs[k].account {
                    EnergyAccount::Input => self.input += work,
                    EnergyAccount::Dissipated => self.work[i] += work,
                }
            }
        }
        for k in self.first[self.work.len()]..self.next.pairs.len() {
            self.input += self.work_of(k);
        }
        self.step.clear();
        std::mem::swap(&mut self.last, &mut self.next);
        let energies = self.energies(model, state, &scratch.frames);
        self.balance.include(state.t, &energies);
    }

    /// Puts what was booked into an archive, or takes it from there; the model says what the forces
    /// and coordinates belong to.
    pub(super) fn archive(&mut self, archive: &mut StateArchive) {
        archive.number(&mut self.last.t);
        for pair in &mut self.last.pairs {
            for number in [&mut pair.force, &mut pair.coordinate, &mut pair.rate] {
                archive.number(number);
            }
            if let Some(part) = &mut pair.elastic {
                archive.number(&mut part.force);
                archive.number(&mut part.energy);
            }
        }
        archive.numbers(&mut self.last.bristles);
        self.step.archive(archive);
        archive.numbers(&mut self.work);
        archive.numbers(&mut self.bristles_at_start);
        self.balance.archive(archive);
        archive.number(&mut self.input);
        archive.number(&mut self.start);
    }

    /// The tolerance of the run.
    pub(super) fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// The time of the last booking, s.
    pub(super) fn time(&self) -> f64 {
        self.last.t
    }

    /// How well the energies added up so far.
    pub(super) fn balance(&self) -> Balance {
        self.balance
    }

    /// Books the work of an impulse, J.
    pub(super) fn put_in(&mut self, work: f64) {
        self.input += work;
    }

    /// Reads the forces again after a jump of the loads.
    pub(super) fn jump(&mut self, model: &Model, state: &State, scratch: &mut Scratch) {
        self.read(model, state, state.t, scratch, Depth::Work);
        std::mem::swap(&mut self.last, &mut self.next);
    }

    /// Energy lost in an element up to the last booking.
    pub(super) fn dissipated_in(&self, element: usize) -> f64 {
        self.work[element] - (self.last.bristles[element] - self.bristles_at_start[element])
    }

    /// The energies at the last booking; `frames` belong to `state`.
    pub(super) fn energies(&self, model: &Model, state: &State, frames: &[Frame]) -> Energies {
        Energies {
            input: self.input,
            kinetic: model.kinetic_energy(frames),
            stored: model.stored_energy_with(&self.last.bristles, state, self.last.t, frames),
            dissipated: (0..self.work.len()).map(|i| self.dissipated_in(i)).sum(),
            start: self.start,
        }
    }

    /// The energies at an instant inside the step that starts at the last booking; leaves the
    /// frames and the loads on the joints in `scratch`.
    pub(super) fn energies_within(
        &mut self,
        model: &Model,
        state: &State,
        scratch: &mut Scratch,
    ) -> Energies {
        let h = state.t - self.last.t;
        let booked = self.step.within(h);
        let depth = if booked.is_some() {
            Depth::LoadsAlone
        } else {
            Depth::Loads
        };
        self.read(model, state, state.t, scratch, depth);
        let (mut input, mut dissipated) = (self.input, 0.0);
        if let Some([put_in, lost]) = booked {
            input += put_in;
            dissipated += lost;
        } else {
            for (last, next) in self.last.pairs.iter().zip(&self.next.pairs) {
                let work = next.work_since(last, h);
                match next.account {
                    EnergyAccount::Input => input += work,
                    EnergyAccount::Dissipated => dissipated += work,
                }
            }
        }
        for i in 0..self.work.len() {
            dissipated += self.work[i] - (self.next.bristles[i] - self.bristles_at_start[i]);
        }
        Energies {
            input,
            kinetic: model.kinetic_energy(&scratch.frames),
            stored: model.stored_energy_with(&self.next.bristles, state, state.t, &scratch.frames),
            dissipated,
            start: self.start,
        }
    }
}

/// The prescribed motions and the forces that drive them.
fn prescribed(model: &Model, t: f64, scratch: &Scratch, out: &mut Vec<WorkPair>) {
    for (place, drive) in model.joints.drives.iter().enumerate() {
        let motion = &scratch.motions[model.dofs + place];
        let p = &scratch.frames[drive.body].p;
        let jet = model.drive_signal(place).jet(t);
        out.push(WorkPair {
            force: scratch.drive_forces[place] - motion.force(p, &scratch.wrenches[drive.body]),
            coordinate: jet.value,
            rate: jet.rate,
            rate_only: false,
            elastic: None,
            account: EnergyAccount::Input,
        });
    }
}
