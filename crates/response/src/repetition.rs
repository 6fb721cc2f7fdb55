//! How much a period of the motion of a machine differs from the one before it.

use bristle_integrate::{State, System as _};
use bristle_mechanics::Model;

/// Works below this part of all are judged by that part.
const MINOR: f64 = 1e-3;

/// The work of friction in an element over a period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CycleWork {
    /// What is lost, J.
    pub(crate) lost: f64,
    /// The same with every power counted positive, J. What a stuck bristle takes and gives back is in it,
    /// of which the samples leave a remainder that never repeats.
    pub(crate) gross: f64,
}

/// The motion of a machine at the samples of a period, and what friction took there.
#[derive(Debug, Default)]
struct PeriodRecord {
    coordinates: Vec<Vec<f64>>,
    works: Vec<CycleWork>,
}

/// Compares each period with the one before, by all coordinates and by the losses, whichever channels are
/// shown.
///
/// Coordinates over their natural sizes are measured by the widest of them: a small one is made of
/// rounding, or of the tolerances of the run, and never repeats by its own size. Velocities are no
/// measure: the fast modes of a beam keep some motion of the size of the tolerances of the run, with
/// large velocities. Where coordinates repeat at every sample of a period, slow velocities do too.
#[derive(Debug)]
pub(crate) struct Repetition<'m> {
    model: &'m Model,
    /// Natural sizes of displacements, by degree of freedom.
    sizes: Vec<f64>,
    now: PeriodRecord,
    last: PeriodRecord,
}

impl<'m> Repetition<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let (mut sizes, mut speeds) = (vec![0.0; model.dofs()], vec![0.0; model.dofs()]);
        model.scales(&mut sizes, &mut speeds);
        // multipliers are no motion
        sizes.truncate(model.multipliers().start);
        Self {
            model,
            sizes,
            now: PeriodRecord::default(),
            last: PeriodRecord::default(),
        }
    }

    /// A sample of the period.
    pub(crate) fn sample(&mut self, state: &State) {
        self.now.coordinates.push(state.q.clone());
    }

    /// Ends the period, whose friction did these works. The largest change since the one before: of
    /// displacements as part of the widest range, of losses as part of the gross work. Without a whole
    /// period before it, that is infinite.
    pub(crate) fn close(&mut self, works: Vec<CycleWork>) -> f64 {
        self.now.works = works;
        let change = if self.last.coordinates.len() == self.now.coordinates.len() {
            self.displacement_change().max(self.loss_change())
        } else {
            f64::INFINITY
        };
        self.last = std::mem::take(&mut self.now);
        change
    }

    fn displacement_change(&self) -> f64 {
        let (now, last) = (&self.now.coordinates, &self.last.coordinates);
        let apart = |from: &[f64], to: &[f64]| {
            let mut out = vec![0.0; self.model.dofs()];
            self.model.separation(from, to, &mut out);
            out
        };
        // a rotation has no coordinates of its own to take a range of
        let course: Vec<_> = now.iter().map(|q| apart(&now[0], q)).collect();
        let moved: Vec<_> = last.iter().zip(now).map(|(a, b)| apart(a, b)).collect();
        largest_part(&course, &moved, &self.sizes)
    }

    fn loss_change(&self) -> f64 {
        let gross: f64 = self.now.works.iter().map(|work| work.gross).sum();
        let pairs = self.now.works.iter().zip(&self.last.works);
        let parts = pairs.map(|(now, last)| {
            let size = now.gross.max(MINOR * gross);
            part((now.lost - last.lost).abs(), size)
        });
        parts.fold(0.0, f64::max)
    }
}

/// The largest of the differences as part of the widest range of the course, both over natural sizes.
fn largest_part(course: &[Vec<f64>], moved: &[Vec<f64>], sizes: &[f64]) -> f64 {
    let limits = |rows: &[Vec<f64>], i: usize| {
        let column = rows.iter().map(|row| row[i] / sizes[i]);
        column.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        })
    };
    let (mut widest, mut largest) = (0.0_f64, 0.0_f64);
    for i in 0..sizes.len() {
        let (low, high) = limits(course, i);
        widest = widest.max(high - low);
        let (low, high) = limits(moved, i);
        largest = largest.max(high.max(-low));
    }
    part(largest, widest)
}

/// A part of a size that may be 0.
fn part(x: f64, size: f64) -> f64 {
    x / size.max(f64::MIN_POSITIVE)
}
