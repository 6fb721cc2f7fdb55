//! A law over many points at once, in columns.
//!
//! One slice per component, all of one length; the law is chosen once per call. `lugre`
//! with α = 2 is evaluated on [`Lanes`](crate::lanes::Lanes) with the widest vector
//! instructions the processor has, every other law point by point. A point has the same
//! bits whatever the number of points, its place among them and the number of threads.

use crate::friction::{Friction, LawVisitor, LuGre};
use crate::law::{FrictionLaw, MAX_STATES};
use crate::slip::{Slip, Step};
use lugre::BLOCK;
use std::num::NonZero;

mod lugre;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
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
        law: &'static str,
        /// What the columns hold.
        column: &'static str,
        /// Number of columns.
        found: usize,
        /// Number of states of the law.
        expected: usize,
        /// Number of components of a vector.
        dimension: usize,
    },
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
    let (found, expected) = (columns.len(), law.layout().len(D));
    if found != expected {
        let law = law.card().name;
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

/// `lugre` with the curve that its blocks know.
fn in_blocks(law: &Friction) -> Option<(&LuGre, lugre::Square)> {
    match law {
        Friction::LuGre(law) => Some((law, lugre::Square::of(law)?)),
        _ => None,
    }
}

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
    if let Some((law, curve)) = in_blocks(law) {
        pulp::Arch::new().dispatch(lugre::Continuous {
            curve,
            law,
            points,
            states,
            rates,
            force,
        });
    } else {
        law.visit(EachRates {
            points,
            states,
            rates,
            force,
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
    if let Some((law, curve)) = in_blocks(law) {
        pulp::Arch::new().dispatch(lugre::Constitutive {
            curve,
            law,
            steps,
            states,
            force,
        });
    } else {
        law.visit(EachUpdate {
            steps,
            states,
            force,
        });
    }
    Ok(())
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
    let share = n.div_ceil(threads.get()).next_multiple_of(BLOCK).min(n);
    let (mean, later_mean) = steps.mean.split_at(share);
    let (end, later_end) = steps.end.split_at(share);
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
        .map(|column| column.split_at_mut(share))
        .unzip();
    let mut later_force: [&mut [f64]; D] = std::array::from_fn(|_| <&mut [f64]>::default());
    let mut slots = later_force.iter_mut();
    let mut now_force = force.each_mut().map(|column| {
        let (first, second) = column.split_at_mut(share);
        if let Some(slot) = slots.next() {
            *slot = second;
        }
        first
    });
    let others = NonZero::new(threads.get() - 1).unwrap_or(NonZero::<usize>::MIN);
    std::thread::scope(|scope| {
        let job = || update_batch_on(others, law, &later, &mut tail, &mut later_force);
        let handle = scope.spawn(job);
        update_batch(law, &now, &mut head, &mut now_force)?;
        // a panic of the other thread is passed on
        handle
            .join()
            .unwrap_or_else(|cause| std::panic::resume_unwind(cause))
    })
}

/// Any law, point by point: the continuous view.
struct EachRates<'a, 'b, 'c, const D: usize> {
    points: &'a Points<'a, D>,
    states: &'a [&'a [f64]],
    rates: &'a mut [&'b mut [f64]],
    force: &'a mut [&'c mut [f64]; D],
}

impl<const D: usize> LawVisitor for EachRates<'_, '_, '_, D> {
    type Output = ();

    fn visit<L: FrictionLaw>(self, law: &L) {
        let count = self.states.len();
        let (mut state, mut rates) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
        let (state, rates) = (&mut state[..count], &mut rates[..count]);
        for i in 0..self.points.normal_force.len() {
            for (z, column) in state.iter_mut().zip(self.states) {
                *z = column[i];
            }
            let force = law.rates(&self.points.slip(i), state, rates);
            scatter(rates, self.rates, i);
            scatter(&force, self.force, i);
        }
    }
}

/// Any law, point by point: the update.
struct EachUpdate<'a, 'b, 'c, const D: usize> {
    steps: &'a Steps<'a, D>,
    states: &'a mut [&'b mut [f64]],
    force: &'a mut [&'c mut [f64]; D],
}

impl<const D: usize> LawVisitor for EachUpdate<'_, '_, '_, D> {
    type Output = ();

    fn visit<L: FrictionLaw>(self, law: &L) {
        let count = self.states.len();
        let (mut old, mut new) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
        let (old, new) = (&mut old[..count], &mut new[..count]);
        for i in 0..self.steps.end.normal_force.len() {
            for (z, column) in old.iter_mut().zip(self.states.iter()) {
                *z = column[i];
            }
            let force = law.update(&self.steps.at(i), old, new);
            scatter(new, self.states, i);
            scatter(&force, self.force, i);
        }
    }
}

fn scatter(values: &[f64], columns: &mut [&mut [f64]], i: usize) {
    for (x, column) in values.iter().zip(columns) {
        column[i] = *x;
    }
}
