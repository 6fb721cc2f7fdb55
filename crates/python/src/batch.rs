//! A law over many points, in parts: on several threads, with the interpreter let go.

use std::ops::Range;

use bristle_laws::Friction;
use bristle_laws::pool::{
    BatchDerivatives, BatchView, Points, PoolError, Steps, rates_batch, update_batch,
};

use crate::columns::{CHUNK, Numbers, parts};

/// Conditions at all points.
#[derive(Clone, Copy)]
pub(crate) struct Conditions<'a, const D: usize> {
    pub(crate) velocity: [&'a [f64]; D],
    pub(crate) normal_force: Numbers<'a>,
}

/// A step of all points.
#[derive(Clone, Copy)]
pub(crate) struct StepOf<'a, const D: usize> {
    pub(crate) end: Conditions<'a, D>,
    /// Where it is not the end.
    pub(crate) mean: Option<Conditions<'a, D>>,
    pub(crate) duration: Numbers<'a>,
}

/// Points of which the numbers that all share are written out.
struct Constants {
    end: Vec<f64>,
    mean: Vec<f64>,
}

impl<const D: usize> Conditions<'_, D> {
    pub(crate) fn len(&self) -> usize {
        self.velocity.first().map_or(0, |column| column.len())
    }

    fn points<'b>(&'b self, range: &Range<usize>, constant: &'b [f64]) -> Points<'b, D> {
        Points {
            velocity: self.velocity.map(|column| &column[range.clone()]),
            normal_force: self.normal_force.part(range.clone(), constant),
        }
    }
}

impl<const D: usize> StepOf<'_, D> {
    fn constants(&self) -> Constants {
        let n = self.end.len();
        Constants {
            end: self.end.normal_force.constant(n),
            mean: self
                .mean
                .map_or(Vec::new(), |mean| mean.normal_force.constant(n)),
        }
    }

    fn steps<'b>(&'b self, range: &Range<usize>, constants: &'b Constants) -> Steps<'b, D> {
        let end = self.end.points(range, &constants.end);
        let mean = self.mean.as_ref();
        Steps {
            mean: mean.map_or(end, |mean| mean.points(range, &constants.mean)),
            end,
            duration: self.duration.at(range.start),
        }
    }

    fn view<'b>(&'b self, range: &Range<usize>, constants: &'b Constants) -> BatchView<'b, D> {
        let steps = self.steps(range, constants);
        match self.mean {
            Some(_) => BatchView::Steps(steps),
            None => BatchView::Constant {
                points: steps.end,
                duration: steps.duration,
            },
        }
    }

    /// Parts of a range in which steps have one duration.
    fn runs(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let Numbers::Each(durations) = self.duration else {
            return vec![range];
        };
        let mut runs: Vec<Range<usize>> = Vec::new();
        for i in range {
            match runs.last_mut() {
                Some(run) if durations[i].to_bits() == durations[run.start].to_bits() => {
                    run.end = i + 1;
                }
                _ => runs.push(i..i + 1),
            }
        }
        runs
    }
}

/// Chunks of a range.
fn chunks(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range
        .step_by(CHUNK)
        .map(move |from| from..end.min(from + CHUNK))
}

/// A part of every column, from `first`.
fn window<'a>(
    columns: &'a mut [&mut [f64]],
    range: &Range<usize>,
    first: usize,
) -> Vec<&'a mut [f64]> {
    let within = range.start - first..range.end - first;
    columns
        .iter_mut()
        .map(|column| &mut column[within.clone()])
        .collect()
}

/// The first `D` columns, and the others.
fn force_first<const D: usize>(columns: Vec<&mut [f64]>) -> ([&mut [f64]; D], Vec<&mut [f64]>) {
    let mut columns = columns.into_iter();
    let force = std::array::from_fn(|_| columns.next().unwrap_or_default());
    (force, columns.collect())
}

/// Does something with every part of the points, on several threads.
fn on_threads<'a, W>(
    n: usize,
    jobs: usize,
    columns: Vec<&'a mut [f64]>,
    work: W,
) -> Result<(), PoolError>
where
    W: Fn(Range<usize>, Vec<&'a mut [f64]>) -> Result<(), PoolError> + Sync,
{
    let share = n.div_ceil(jobs.max(1)).next_multiple_of(CHUNK).max(CHUNK);
    let mut parts = parts(columns, n, share).into_iter().enumerate();
    let range = |k: usize| k * share..n.min((k + 1) * share);
    let Some((_, own)) = parts.next() else {
        return Ok(());
    };
    std::thread::scope(|scope| {
        let work = &work;
        let started: Vec<_> = parts
            .map(|(k, part)| scope.spawn(move || work(range(k), part)))
            .collect();
        let mut ended = work(range(0), own);
        for thread in started {
            let joined = thread.join();
            let joined = joined.unwrap_or_else(|cause| std::panic::resume_unwind(cause));
            ended = ended.and(joined);
        }
        ended
    })
}

/// The continuous view: `columns` are those of the force, then those of the rates.
pub(crate) fn rates<const D: usize>(
    law: &Friction,
    at: &Conditions<'_, D>,
    states: &[&[f64]],
    columns: Vec<&mut [f64]>,
    jobs: usize,
) -> Result<(), PoolError> {
    let constant = at.normal_force.constant(at.len());
    on_threads(at.len(), jobs, columns, |part, mut columns| {
        let first = part.start;
        for range in chunks(part) {
            let (mut force, mut rates) = force_first::<D>(window(&mut columns, &range, first));
            let states: Vec<&[f64]> = states.iter().map(|z| &z[range.clone()]).collect();
            let points = at.points(&range, &constant);
            rates_batch(law, &points, &states, &mut rates, &mut force)?;
        }
        Ok(())
    })
}

/// The update: `columns` are those of the force, then those of the states, which are moved.
pub(crate) fn update<const D: usize>(
    law: &Friction,
    step: &StepOf<'_, D>,
    columns: Vec<&mut [f64]>,
    jobs: usize,
) -> Result<(), PoolError> {
    let constants = step.constants();
    on_threads(step.end.len(), jobs, columns, |part, mut columns| {
        let first = part.start;
        for range in chunks(part).flat_map(|chunk| step.runs(chunk)) {
            let (mut force, mut states) = force_first::<D>(window(&mut columns, &range, first));
            let steps = step.steps(&range, &constants);
            update_batch(law, &steps, &mut states, &mut force)?;
        }
        Ok(())
    })
}

/// Of what derivatives are taken.
pub(crate) enum Differentiated<'a, const D: usize> {
    Rates(Conditions<'a, D>),
    Update(StepOf<'a, D>),
}

impl<const D: usize> Differentiated<'_, D> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Rates(at) => at.len(),
            Self::Update(step) => step.end.len(),
        }
    }

    pub(crate) fn has_mean(&self) -> bool {
        matches!(self, Self::Update(step) if step.mean.is_some())
    }

    fn constants(&self) -> Constants {
        match self {
            Self::Rates(at) => Constants {
                end: at.normal_force.constant(at.len()),
                mean: Vec::new(),
            },
            Self::Update(step) => step.constants(),
        }
    }

    fn runs(&self, chunk: Range<usize>) -> Vec<Range<usize>> {
        match self {
            Self::Rates(_) => vec![chunk],
            Self::Update(step) => step.runs(chunk),
        }
    }

    fn view<'b>(&'b self, range: &Range<usize>, constants: &'b Constants) -> BatchView<'b, D> {
        match self {
            Self::Rates(at) => BatchView::Rates(at.points(range, &constants.end)),
            Self::Update(step) => step.view(range, constants),
        }
    }
}

/// Results in rows, one for each point, and sums, one row for each chunk.
struct Rows<'a> {
    points: &'a mut [f64],
    width: usize,
    sums: &'a mut [f64],
    count: usize,
}

impl<'a> Rows<'a> {
    /// Those of the first `n` points, which are whole chunks, and the others.
    fn split(self, n: usize) -> (Self, Self) {
        let Self { width, count, .. } = self;
        let chunks = n.div_ceil(CHUNK).min(self.sums.len() / count.max(1));
        let (points, later) = self.points.split_at_mut(n * width);
        let (sums, later_sums) = self.sums.split_at_mut(chunks * count);
        let with = |points: &'a mut [f64], sums: &'a mut [f64]| Self {
            points,
            width,
            sums,
            count,
        };
        (with(points, sums), with(later, later_sums))
    }

    /// The row of a chunk, and the rows of some of its points; all counted from the first.
    fn of(&mut self, chunk: usize, points: Range<usize>) -> (&mut [f64], &mut [f64]) {
        let sums = &mut self.sums[chunk * self.count..(chunk + 1) * self.count];
        (
            &mut self.points[points.start * self.width..points.end * self.width],
            sums,
        )
    }
}

/// Calls `work` with every run of points of one duration, its rows and its sums.
fn on_rows<'a, const D: usize, W>(
    of: &Differentiated<'_, D>,
    jobs: usize,
    rows: Rows<'a>,
    work: W,
) -> Result<(), PoolError>
where
    W: Fn(Range<usize>, BatchView<'_, D>, &mut [f64], &mut [f64]) -> Result<(), PoolError> + Sync,
{
    let n = of.len();
    let share = n.div_ceil(jobs.max(1)).next_multiple_of(CHUNK).max(CHUNK);
    let constants = of.constants();
    let part = |part: Range<usize>, mut rows: Rows<'a>| {
        let first = part.start;
        for (k, chunk) in chunks(part).enumerate() {
            for run in of.runs(chunk) {
                let (rows, sums) = rows.of(k, run.start - first..run.end - first);
                work(run.clone(), of.view(&run, &constants), rows, sums)?;
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let (part, mut rest, mut started) = (&part, rows, Vec::new());
        for from in (0..n).step_by(share) {
            let to = n.min(from + share);
            let (now, later) = rest.split(to - from);
            rest = later;
            started.push(scope.spawn(move || part(from..to, now)));
        }
        started.into_iter().try_for_each(|thread| {
            let joined = thread.join();
            joined.unwrap_or_else(|cause| std::panic::resume_unwind(cause))
        })
    })
}

/// The Jacobian at every point, in rows.
pub(crate) fn jacobian<const D: usize>(
    derivatives: &BatchDerivatives<'_, D>,
    of: &Differentiated<'_, D>,
    states: &[&[f64]],
    jacobian: &mut [f64],
    jobs: usize,
) -> Result<(), PoolError> {
    let order = derivatives.order();
    let rows = Rows {
        points: jacobian,
        width: order.outputs() * order.len(),
        sums: &mut [],
        count: 0,
    };
    on_rows(of, jobs, rows, |run, view, rows, _| {
        derivatives.jacobian(&view, &of_run(states, &run), rows)
    })
}

/// The states of some points.
fn of_run<'a>(states: &[&'a [f64]], run: &Range<usize>) -> Vec<&'a [f64]> {
    states.iter().map(|z| &z[run.clone()]).collect()
}

/// Arguments and results of a vector-Jacobian product, in rows of one point each.
pub(crate) struct PullBack<'a> {
    pub(crate) weights: &'a [f64],
    pub(crate) points: &'a mut [f64],
    pub(crate) parameters: &'a mut [f64],
}

/// The vector-Jacobian product. Sums over points are made chunk by chunk, whatever the threads.
pub(crate) fn pull_back<const D: usize>(
    derivatives: &BatchDerivatives<'_, D>,
    of: &Differentiated<'_, D>,
    states: &[&[f64]],
    product: PullBack<'_>,
    jobs: usize,
) -> Result<(), PoolError> {
    let order = derivatives.order();
    let (outputs, count) = (order.outputs(), product.parameters.len());
    let mut sums = vec![0.0; of.len().div_ceil(CHUNK) * count];
    let rows = Rows {
        points: product.points,
        width: order.of_point(),
        sums: &mut sums,
        count,
    };
    on_rows(of, jobs, rows, |run, view, rows, sums| {
        let weights = &product.weights[run.start * outputs..run.end * outputs];
        derivatives.pull_back(&view, &of_run(states, &run), weights, rows, sums)
    })?;
    for chunk in sums.chunks_exact(count.max(1)) {
        for (sum, x) in product.parameters.iter_mut().zip(chunk) {
            *sum += x;
        }
    }
    Ok(())
}
