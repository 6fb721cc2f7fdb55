//! Into how many steps of the law each segment between samples is cut.

use super::condition::Condition;
use super::forward_model::ForwardModel;
use crate::model::{Acting, ActingOver};
use crate::{Record, RecordKind};

/// Steps of the law in each segment between samples, and where the law starts again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mesh {
    pub(crate) steps: Vec<u8>,
}

/// More steps than this do not help: the motion is too coarse for the law.
const MOST_STEPS: u8 = 64;

impl Mesh {
    /// One step per segment.
    pub(crate) fn coarse(record: &Record) -> Self {
        Self {
            steps: vec![1; record.len()],
        }
    }

    /// The same number of steps in every segment.
    pub(crate) fn even(record: &Record, steps: u8) -> Self {
        Self {
            steps: vec![steps; record.len()],
        }
    }

    /// The number of steps of a mesh with the same number in every segment.
    pub(crate) fn uniform(&self) -> u8 {
        self.steps.first().copied().unwrap_or(1)
    }

    /// As many steps as keep the force within `tolerance` (N) of that with twice as many.
    pub(crate) fn fine(record: &Record, acting: &Acting, tolerance: f64) -> Self {
        let mut mesh = Self::coarse(record);
        let plain = ActingOver::of(acting);
        let Some(law) = plain
            .law
            .as_ref()
            .filter(|_| record.kind != RecordKind::Steady)
        else {
            return mesh;
        };
        if plain.count == 0 && acting.gap <= 0.0 {
            return mesh;
        }
        let longest = record.longest_step();
        let mut forward = ForwardModel::start(&plain, law, Condition::at(record, &plain, 0));
        let mut guess = 1;
        for i in 1..record.len() {
            let (from, to) = (
                Condition::at(record, &plain, i - 1),
                Condition::at(record, &plain, i),
            );
            if record.gap_before(i, longest) {
                forward = ForwardModel::start(&plain, law, to);
                continue;
            }
            let h = record.t[i] - record.t[i - 1];
            let mut steps: u8 = guess;
            let mut once = forward.clone();
            once.segment(from, to, h, steps);
            loop {
                let mut twice = forward.clone();
                twice.segment(from, to, h, 2 * steps);
                let error = (twice.force - once.force).abs();
                let done = error.is_nan() || error <= tolerance || 2 * steps >= MOST_STEPS;
                once = twice;
                if done {
                    break;
                }
                steps *= 2;
            }
            mesh.steps[i] = steps;
            // the next segment is much like this one, or easier
            guess = (steps / 2).max(1);
            forward = once;
        }
        mesh
    }
}
