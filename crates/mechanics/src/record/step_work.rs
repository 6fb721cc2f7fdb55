//! The work of a step by stages: the power at every stage, with the weights of the method.

use crate::element::{EnergyAccount, WorkPair};
use bristle_integrate::StateArchive;

/// Work of a pair over one step, J.
#[derive(Clone, Copy, Debug, Default)]
struct PairStepWork {
    /// Of the whole force.
    whole: f64,
    /// Without the part that stores energy.
    beyond: f64,
    /// The energy that is stored at the start.
    stored: f64,
    /// Whether the force is held at 0 somewhere: then the stored energy goes by its exact change.
    held: bool,
}

/// Work of every pair over one step, and of all of them within it.
#[derive(Clone, Debug, Default)]
pub(super) struct StepWork {
    sums: Vec<PairStepWork>,
    /// Of every pair, J; empty where the step has no stages.
    pairs: Vec<f64>,
    /// Put in and dissipated over the step, J.
    total: [f64; 2],
    /// The power of both accounts at the ends of the step, W.
    start: [f64; 2],
    end: [f64; 2],
    /// Length of the step, s.
    h: f64,
}

fn place(account: EnergyAccount) -> usize {
    match account {
        EnergyAccount::Input => 0,
        EnergyAccount::Dissipated => 1,
    }
}

fn power(pairs: &[WorkPair]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for pair in pairs {
        sums[place(pair.account)] += pair.beyond() * pair.rate;
    }
    sums
}

fn stored(pair: &WorkPair) -> f64 {
    pair.elastic.map_or(0.0, |part| part.energy)
}

impl StepWork {
    /// Forgets the step.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
    }

    /// The start of a step.
    pub(super) fn begin(&mut self, pairs: &[WorkPair], weight: f64) {
        self.sums.clear();
        self.sums.extend(pairs.iter().map(|pair| PairStepWork {
            whole: weight * pair.force * pair.rate,
            beyond: weight * pair.beyond() * pair.rate,
            stored: stored(pair),
            held: pair.is_held(),
        }));
        self.start = power(pairs);
    }

    /// A stage of the step.
    pub(super) fn add(&mut self, pairs: &[WorkPair], weight: f64) {
        for (sum, pair) in self.sums.iter_mut().zip(pairs) {
            sum.whole += weight * pair.force * pair.rate;
            sum.beyond += weight * pair.beyond() * pair.rate;
            sum.held |= pair.is_held();
        }
    }

    /// The end of a step of `h` s, whose last stage was added.
    pub(super) fn end(&mut self, pairs: &[WorkPair], h: f64) {
        self.end = power(pairs);
        self.h = h;
        self.total = [0.0; 2];
        for (sum, pair) in self.sums.iter().zip(pairs) {
            let work = if sum.held {
                sum.whole - (stored(pair) - sum.stored)
            } else {
                sum.beyond
            };
            self.pairs.push(work);
            self.total[place(pair.account)] += work;
        }
    }

    /// The work of a pair, J.
    pub(super) fn of(&self, pair: usize) -> Option<f64> {
        self.pairs.get(pair).copied()
    }

    /// What was put in and dissipated up to the time `t` of the step, s: a cubic with the power at
    /// both ends.
    pub(super) fn within(&self, t: f64) -> Option<[f64; 2]> {
        if self.pairs.is_empty() {
            return None;
        }
        let (h, s) = (self.h, t / self.h);
        Some(std::array::from_fn(|k| {
            let (start, end, total) = (h * self.start[k], h * self.end[k], self.total[k]);
            let (c2, c3) = (3.0 * total - 2.0 * start - end, start + end - 2.0 * total);
            s * (start + s * (c2 + s * c3))
        }))
    }

    /// Puts the step into an archive, or takes it from there.
    pub(super) fn archive(&mut self, archive: &mut StateArchive) {
        archive.list(&mut self.pairs);
        for numbers in [&mut self.total, &mut self.start, &mut self.end] {
            archive.numbers(numbers);
        }
        archive.number(&mut self.h);
    }
}
