//! A law over many points at once, in columns.
//!
//! One slice per component, all of one length; the law is chosen once per call. Laws whose
//! text has no branches (those of the speed alone, and those without modes and elements, with an
//! exponential Stribeck curve where they have one) are evaluated on
//! [`Lanes`](crate::numbers::lanes::Lanes) with the widest vector instructions the processor has, every
//! other law point by point. A point has the same bits whatever the number of points, its place
//! among them and the number of threads; lanes and a single call differ by a few roundings (1e-14
//! of the largest term), since exp, ln and tanh on lanes have a longer series in place of a table.

use crate::friction::Friction;
use crate::law::slip::{Slip, Step};
use each::{EachRates, EachUpdate};

mod block;
mod blocks;
mod choose;
mod derivatives;
mod each;
mod kernels;
mod passes;

mod threads;

pub use derivatives::{BatchDerivatives, BatchView, InputOrder};
pub use threads::{rates_batch_on, update_batch_on};

/// Conditions at many points, one slice per component; no applied force.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a, const D: usize> {
    /// Slip velocity, m/s.
    pub velocity: [&'a [f64]; D],
    /// Normal force, N, ≥ 0.
    pub normal_force: &'a [f64],
}

/// A step at many points, see [`Step`].
#[derive(Clone, Copy, Debug)]
pub struct Steps<'a, const D: usize> {
    /// Mean conditions over the step.
    pub mean: Points<'a, D>,
    /// Conditions at the end of the step.
    pub end: Points<'a, D>,
    /// Δt, s, > 0.
    pub duration: f64,
}

/// Columns that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// A column has another length than `normal_force`.
    #[error("a column of {column} has {found} entries, must have {expected} like normal_force")]
    Length {
        /// What the column holds.
        column: &'static str,
        /// Length of the column.
        found: usize,
        /// Length of `normal_force`.
        expected: usize,
    },
    /// The number of state columns is not that of the law.
    #[error("{found} columns of {column}, {law} has {expected} states in {dimension}D")]
    States {
        /// The law.
        law: String,
        /// What the columns hold.
        column: &'static str,
        /// Number of columns.
        found: usize,
        /// Number of states of the law.
        expected: usize,
        /// Number of components of a vector.
        dimension: usize,
    },
    /// A law with numbers of its own for negative velocities in more than one dimension.
    #[error(
        "{law} has numbers of its own for negative velocities and holds for slip along a line, not \
         in {dimension}D"
    )]
    Plane {
        /// The law.
        law: String,
        /// Number of components of a vector.
        dimension: usize,
    },
    /// Derivatives by the mean conditions are asked for where there are none, or the reverse.
    #[error("the derivatives were prepared for another view of the law")]
    View,
}

impl<'a, const D: usize> Points<'a, D> {
    fn slip(&self, i: usize) -> Slip<f64, D> {
        Slip::new(self.velocity.map(|column| column[i]), self.normal_force[i])
    }

    #[inline]
    fn check(&self, expected: usize) -> Result<(), PoolError> {
        check_lengths("normal_force", &[self.normal_force], expected)?;
        check_lengths("velocity", &self.velocity, expected)
    }

    fn split_at(&self, at: usize) -> (Self, Self) {
        let part = |cut: fn(&'a [f64], usize) -> &'a [f64]| Self {
            velocity: self.velocity.map(|column| cut(column, at)),
            normal_force: cut(self.normal_force, at),
        };
        (
            part(|column, at| &column[..at]),
            part(|column, at| &column[at..]),
        )
    }
}

impl<const D: usize> Steps<'_, D> {
    fn at(&self, i: usize) -> Step<f64, D> {
        Step {
            mean: self.mean.slip(i),
            end: self.end.slip(i),
            duration: self.duration,
        }
    }
}

fn check_lengths<C: AsRef<[f64]>>(
    column: &'static str,
    columns: &[C],
    expected: usize,
) -> Result<(), PoolError> {
    match columns
        .iter()
        .map(|c| c.as_ref().len())
        .find(|n| *n != expected)
    {
        Some(found) => Err(PoolError::Length {
            column,
            found,
            expected,
        }),
        None => Ok(()),
    }
}

fn check_states<C: AsRef<[f64]>, const D: usize>(
    law: &Friction,
    column: &'static str,
    columns: &[C],
    points: usize,
) -> Result<(), PoolError> {
    if D > 1 && law.is_two_sided() {
        let law = law.card().name.to_owned();
        return Err(PoolError::Plane { law, dimension: D });
    }
    let (found, expected) = (columns.len(), law.layout().len(D));
    if found != expected {
        let law = law.card().name.to_owned();
        return Err(PoolError::States {
            law,
            column,
            found,
            expected,
            dimension: D,
        });
    }
    check_lengths(column, columns, points)
}

/// Steps of this duration (s) and longer ones are evaluated point by point.
const LONGEST_ON_LANES: f64 = 1e60;

/// The continuous view at every point: `rates` and `force` are filled.
///
/// # Errors
/// If the columns do not fit together.
pub fn rates_batch<const D: usize>(
    law: &Friction,
    points: &Points<'_, D>,
    states: &[&[f64]],
    rates: &mut [&mut [f64]],
    force: &mut [&mut [f64]; D],
) -> Result<(), PoolError> {
    let n = points.normal_force.len();
    points.check(n)?;
    check_states::<_, D>(law, "states", states, n)?;
    check_states::<_, D>(law, "rates", rates, n)?;
    check_lengths("force", force, n)?;
    let job = choose::RatesJob {
        points,
        states,
        rates,
        force,
    };
    if let Err(job) = choose::with_kernel(law, job) {
        law.visit(EachRates {
            points: job.points,
            states: job.states,
            rates: job.rates,
            force: job.force,
        });
    }
    Ok(())
}

/// The constitutive update at every point: `states` is moved in place, `force` is filled.
///
/// # Errors
/// If the columns do not fit together.
pub fn update_batch<const D: usize>(
    law: &Friction,
    steps: &Steps<'_, D>,
    states: &mut [&mut [f64]],
    force: &mut [&mut [f64]; D],
) -> Result<(), PoolError> {
    let n = steps.end.normal_force.len();
    steps.end.check(n)?;
    steps.mean.check(n)?;
    check_states::<_, D>(law, "states", states, n)?;
    check_lengths("force", force, n)?;
    let job = choose::UpdateJob {
        steps,
        states,
        force,
    };
    // products of longer steps might overflow
    let short = steps.duration < LONGEST_ON_LANES;
    let left = if short {
        choose::with_kernel(law, job)
    } else {
        Err(job)
    };
    if let Err(job) = left {
        law.visit(EachUpdate {
            steps: job.steps,
            states: job.states,
            force: job.force,
        });
    }
    Ok(())
}
