//! Batches on several threads, with the same bits.

use super::block::BLOCK;
use super::{Points, PoolError, Steps, check_lengths, rates_batch, update_batch};
use crate::friction::Friction;
use std::num::NonZero;
use std::thread::ScopedJoinHandle;

/// The part of `n` points that the first of some threads takes: whole blocks.
fn share(n: usize, threads: NonZero<usize>) -> usize {
    n.div_ceil(threads.get()).next_multiple_of(BLOCK).min(n)
}

/// One thread less.
fn others(threads: NonZero<usize>) -> NonZero<usize> {
    NonZero::new(threads.get() - 1).unwrap_or(NonZero::<usize>::MIN)
}

/// What a thread ended with; a panic of it is passed on.
fn joined(handle: ScopedJoinHandle<'_, Result<(), PoolError>>) -> Result<(), PoolError> {
    handle
        .join()
        .unwrap_or_else(|cause| std::panic::resume_unwind(cause))
}

/// Both parts of every column.
fn split<'a, const D: usize>(
    columns: &'a mut [&mut [f64]; D],
    at: usize,
) -> ([&'a mut [f64]; D], [&'a mut [f64]; D]) {
    let mut later: [&mut [f64]; D] = std::array::from_fn(|_| <&mut [f64]>::default());
    let mut slots = later.iter_mut();
    let now = columns.each_mut().map(|column| {
        let (first, second) = column.split_at_mut(at);
        if let Some(slot) = slots.next() {
            *slot = second;
        }
        first
    });
    (now, later)
}

/// [`rates_batch`] on several threads, with the same bits.
///
/// # Errors
/// If the columns do not fit together.
pub fn rates_batch_on<const D: usize>(
    threads: NonZero<usize>,
    law: &Friction,
    points: &Points<'_, D>,
    states: &[&[f64]],
    rates: &mut [&mut [f64]],
    force: &mut [&mut [f64]; D],
) -> Result<(), PoolError> {
    let n = points.normal_force.len();
    if threads.get() == 1 || n <= BLOCK {
        return rates_batch(law, points, states, rates, force);
    }
    // the split needs columns of one length
    points.check(n)?;
    check_lengths("states", states, n)?;
    check_lengths("rates", rates, n)?;
    check_lengths("force", force, n)?;
    let at = share(n, threads);
    let (now, later) = points.split_at(at);
    let (head, tail): (Vec<_>, Vec<_>) = states.iter().map(|column| column.split_at(at)).unzip();
    let (mut first, mut rest): (Vec<_>, Vec<_>) = rates
        .iter_mut()
        .map(|column| column.split_at_mut(at))
        .unzip();
    let (mut now_force, mut later_force) = split(force, at);
    std::thread::scope(|scope| {
        let handle = scope.spawn(|| {
            let threads = others(threads);
            rates_batch_on(threads, law, &later, &tail, &mut rest, &mut later_force)
        });
        rates_batch(law, &now, &head, &mut first, &mut now_force)?;
        joined(handle)
    })
}

/// [`update_batch`] on several threads, with the same bits.
///
/// # Errors
/// If the columns do not fit together.
pub fn update_batch_on<const D: usize>(
    threads: NonZero<usize>,
    law: &Friction,
    steps: &Steps<'_, D>,
    states: &mut [&mut [f64]],
    force: &mut [&mut [f64]; D],
) -> Result<(), PoolError> {
    let n = steps.end.normal_force.len();
    if threads.get() == 1 || n <= BLOCK {
        return update_batch(law, steps, states, force);
    }
    // the split needs columns of one length
    steps.end.check(n)?;
    steps.mean.check(n)?;
    check_lengths("states", states, n)?;
    check_lengths("force", force, n)?;
    let at = share(n, threads);
    let (mean, later_mean) = steps.mean.split_at(at);
    let (end, later_end) = steps.end.split_at(at);
    let now = Steps {
        mean,
        end,
        ..*steps
    };
    let later = Steps {
        mean: later_mean,
        end: later_end,
        ..*steps
    };
    let (mut head, mut tail): (Vec<_>, Vec<_>) = states
        .iter_mut()
        .map(|column| column.split_at_mut(at))
        .unzip();
    let (mut now_force, mut later_force) = split(force, at);
    std::thread::scope(|scope| {
        let handle = scope
            .spawn(|| update_batch_on(others(threads), law, &later, &mut tail, &mut later_force));
        update_batch(law, &now, &mut head, &mut now_force)?;
        joined(handle)
    })
}
