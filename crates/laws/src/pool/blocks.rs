//! A law without branches over many points: blocks of points that a compiler turns into
//! vector instructions.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use super::block::{BLOCK, BlockColumn, ZERO, full, lanes_at, rest, set, store};
use super::passes::{self, At, OnLanes, Relaxed, SpeedsAndLevels, States};
use super::{Points, Steps};
use crate::law::slip::{Slip, Step};
use crate::law::{FrictionLaw, MAX_STATES};
use crate::numbers::lanes::Lanes;

#[inline(always)]
fn store_states<const D: usize, const S: usize>(
    states: &States<BlockColumn, D, S>,
    columns: &mut [&mut [f64]],
    from: usize,
) {
    let blocks = states.iter().flatten();
    for (block, column) in blocks.zip(columns.iter_mut()) {
        store(block, column, from);
    }
}

/// The last points of every column, filled up with zeros to a block.
#[repr(align(64))]
struct Last<const D: usize, const S: usize> {
    velocity: [BlockColumn; D],
    normal_force: BlockColumn,
    states: States<BlockColumn, D, S>,
}

impl<const D: usize, const S: usize> Last<D, S> {
    const ZERO: Self = Self {
        velocity: [ZERO; D],
        normal_force: ZERO,
        states: [[ZERO; D]; S],
    };

    /// Copies the points from `from` on.
    #[cold]
    #[inline(never)]
    fn copy<C: AsRef<[f64]>>(&mut self, points: &Points<'_, D>, states: &[C], from: usize) {
        self.velocity = points.velocity.map(|column| rest(column, from));
        self.normal_force = rest(points.normal_force, from);
        for (block, column) in self.states.iter_mut().flatten().zip(states) {
            *block = rest(column.as_ref(), from);
        }
    }

    /// Conditions and states of the block that starts at `from`.
    #[inline(always)]
    fn load<'a, C: AsRef<[f64]>>(
        &'a mut self,
        points: &Points<'a, D>,
        states: &'a [C],
        from: usize,
    ) -> Inputs<'a, D, S> {
        if points.normal_force.len() - from < BLOCK {
            self.copy(points, states, from);
            return Inputs {
                velocity: self.velocity.each_ref(),
                normal_force: &self.normal_force,
                states: self.states.each_ref().map(<[BlockColumn; D]>::each_ref),
            };
        }
        let state = |k: usize| full(states[k].as_ref(), from);
        Inputs {
            velocity: points.velocity.map(|column| full(column, from)),
            normal_force: full(points.normal_force, from),
            states: std::array::from_fn(|s| std::array::from_fn(|i| state(s * D + i))),
        }
    }
}

/// Conditions and states of a block.
#[derive(Clone, Copy)]
struct Inputs<'a, const D: usize, const S: usize> {
    velocity: [&'a BlockColumn; D],
    normal_force: &'a BlockColumn,
    states: States<&'a BlockColumn, D, S>,
}

impl<const D: usize, const S: usize> Inputs<'_, D, S> {
    #[inline(always)]
    fn at(&self, known: &SpeedsAndLevels, i: usize) -> At<Lanes<1>, D> {
        At {
            velocity: lanes_at(&self.velocity, i),
            speed: Lanes([known.speed[i]]),
            level: Lanes([known.level[i]]),
            normal_force: Lanes([self.normal_force[i]]),
        }
    }

    #[inline(always)]
    fn states_at(&self, i: usize) -> States<Lanes<1>, D, S> {
        self.states.each_ref().map(|z| lanes_at(z, i))
    }

    /// Whether a point must be evaluated alone.
    fn is_outside(&self, i: usize) -> bool {
        passes::speed(&self.velocity, i).1 != 0
    }

    fn slip(&self, i: usize) -> Slip<f64, D> {
        Slip::new(self.velocity.map(|block| block[i]), self.normal_force[i])
    }

    /// The states of point `i` in a row.
    fn row(&self, i: usize) -> [f64; MAX_STATES] {
        let mut row = [0.0; MAX_STATES];
        for (x, block) in row.iter_mut().zip(self.states.iter().flatten()) {
            *x = block[i];
        }
        row
    }
}

/// States (or their rates) and force of a block. They cannot overlap the columns, which loops in
/// vectors need to know. Aligned, so that no vector straddles two lines of the cache.
#[repr(align(64))]
struct Outputs<const D: usize, const S: usize> {
    states: States<BlockColumn, D, S>,
    force: [BlockColumn; D],
}

impl<const D: usize, const S: usize> Outputs<D, S> {
    const ZERO: Self = Self {
        states: [[[0.0; BLOCK]; D]; S],
        force: [[0.0; BLOCK]; D],
    };

    fn set_row(&mut self, i: usize, row: &[f64], force: [f64; D]) {
        for (x, block) in row.iter().zip(self.states.iter_mut().flatten()) {
            block[i] = *x;
        }
        set(&mut self.force, i, force.map(|x| Lanes([x])));
    }
}

/// The continuous view at all points.
pub(super) struct ContinuousKernel<'a, 'b, 'c, L, X, const D: usize> {
    pub(super) law: &'a L,
    pub(super) kernel: X,
    pub(super) points: &'a Points<'a, D>,
    pub(super) states: &'a [&'a [f64]],
    pub(super) rates: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

impl<L: FrictionLaw, X, const D: usize> ContinuousKernel<'_, '_, '_, L, X, D> {
    /// All blocks, in the instruction set of the caller.
    #[inline(always)]
    pub(super) fn run<const S: usize>(self)
    where
        X: OnLanes<S>,
    {
        let Self { law, kernel, .. } = self;
        let (mut out, mut last) = (Outputs::<D, S>::ZERO, Last::<D, S>::ZERO);
        let mut known = SpeedsAndLevels::ZERO;
        for from in (0..self.points.normal_force.len()).step_by(BLOCK) {
            let inputs = last.load(self.points, self.states, from);
            let outside = known.speeds(&inputs.velocity);
            known.levels(kernel);
            rates_of_block(kernel, &inputs, &known, &mut out);
            if outside {
                rates_one_by_one(law, &inputs, &mut out);
            }
            store_states(&out.states, self.rates, from);
            for (block, column) in out.force.iter().zip(self.force.iter_mut()) {
                store(block, column, from);
            }
        }
    }
}

/// The last pass of the continuous view.
#[inline(always)]
fn rates_of_block<X: OnLanes<S>, const D: usize, const S: usize>(
    kernel: X,
    inputs: &Inputs<'_, D, S>,
    known: &SpeedsAndLevels,
    out: &mut Outputs<D, S>,
) {
    let Outputs { states, force } = out;
    for i in 0..BLOCK {
        let (rates, f) = kernel.rates(&inputs.at(known, i), &inputs.states_at(i));
        for (block, rate) in states.iter_mut().zip(rates) {
            set(block, i, rate);
        }
        set(force, i, f);
    }
}

#[cold]
#[inline(never)]
fn rates_one_by_one<L: FrictionLaw, const D: usize, const S: usize>(
    law: &L,
    inputs: &Inputs<'_, D, S>,
    out: &mut Outputs<D, S>,
) {
    for i in (0..BLOCK).filter(|i| inputs.is_outside(*i)) {
        let mut rates = [0.0; MAX_STATES];
        let state = inputs.row(i);
        let force = law.rates(&inputs.slip(i), &state[..S * D], &mut rates[..S * D]);
        out.set_row(i, &rates[..S * D], force);
    }
}

/// The update at all points, in place.
pub(super) struct ConstitutiveKernel<'a, 'b, 'c, L, X, const D: usize> {
    pub(super) law: &'a L,
    pub(super) kernel: X,
    pub(super) steps: &'a Steps<'a, D>,
    pub(super) states: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

impl<L: FrictionLaw, X, const D: usize> ConstitutiveKernel<'_, '_, '_, L, X, D> {
    /// All blocks, in the instruction set of the caller.
    #[inline(always)]
    pub(super) fn run<const S: usize>(self)
    where
        X: OnLanes<S>,
    {
        let Self { law, kernel, .. } = self;
        let (mut out, mut last) = (Outputs::<D, S>::ZERO, Last::<D, S>::ZERO);
        let mut last_end = Last::<D, 0>::ZERO;
        let (mut at_mean, mut at_end) = (SpeedsAndLevels::ZERO, SpeedsAndLevels::ZERO);
        let mut relaxed = Relaxed::<S>::ZERO;
        for from in (0..self.steps.end.normal_force.len()).step_by(BLOCK) {
            let mean = last.load(&self.steps.mean, &*self.states, from);
            let end = last_end.load::<&[f64]>(&self.steps.end, &[], from);
            let mut outside = at_end.speeds(&end.velocity);
            at_end.levels(kernel);
            // the past of a law without states does not matter
            if S > 0 {
                outside |= at_mean.speeds(&mean.velocity);
                at_mean.levels(kernel);
            }
            let step = StepOfBlock {
                mean: &mean,
                at_mean: &at_mean,
                end: &end,
                at_end: &at_end,
                duration: self.steps.duration,
            };
            relax_block(kernel, step, &mut relaxed);
            update_of_block(kernel, step, &relaxed, &mut out);
            if outside {
                update_one_by_one(law, &mean, &end, self.steps.duration, &mut out);
            }
            store_states(&out.states, self.states, from);
            for (block, column) in out.force.iter().zip(self.force.iter_mut()) {
                store(block, column, from);
            }
        }
    }
}

/// A step of a block: the inputs, and what the first passes found there. It goes to nothing that is not
/// inlined: the loops would have to look for it in memory.
#[derive(Clone, Copy)]
struct StepOfBlock<'a, const D: usize, const S: usize> {
    mean: &'a Inputs<'a, D, S>,
    at_mean: &'a SpeedsAndLevels,
    end: &'a Inputs<'a, D, 0>,
    at_end: &'a SpeedsAndLevels,
    duration: f64,
}

impl<const D: usize, const S: usize> StepOfBlock<'_, D, S> {
    /// The mean conditions at point `i`.
    #[inline(always)]
    fn mean(self, i: usize) -> At<Lanes<1>, D> {
        self.mean.at(self.at_mean, i)
    }

    /// The conditions at the end at point `i`.
    #[inline(always)]
    fn end(self, i: usize) -> At<Lanes<1>, D> {
        self.end.at(self.at_end, i)
    }
}

/// How the states relax over the step, each in a pass of its own.
#[inline(always)]
fn relax_block<X: OnLanes<S>, const D: usize, const S: usize>(
    kernel: X,
    step: StepOfBlock<'_, D, S>,
    relaxed: &mut Relaxed<S>,
) {
    for (s, (decay, phi)) in relaxed.decay.iter_mut().zip(&mut relaxed.phi).enumerate() {
        for i in 0..BLOCK {
            let (w, v) = (step.mean(i), step.end(i));
            let (Lanes([d]), Lanes([p])) = kernel.relaxation(s, &w, &v, step.duration);
            (decay[i], phi[i]) = (d, p);
        }
    }
}

/// The last pass of the update.
#[inline(always)]
fn update_of_block<X: OnLanes<S>, const D: usize, const S: usize>(
    kernel: X,
    step: StepOfBlock<'_, D, S>,
    relaxed: &Relaxed<S>,
    out: &mut Outputs<D, S>,
) {
    let Outputs { states, force } = out;
    for i in 0..BLOCK {
        let (w, v, old) = (step.mean(i), step.end(i), step.mean.states_at(i));
        let (z, f) = kernel.update(&w, &v, step.duration, relaxed.at(i), &old);
        for (block, z) in states.iter_mut().zip(z) {
            set(block, i, z);
        }
        set(force, i, f);
    }
}

#[cold]
#[inline(never)]
fn update_one_by_one<L: FrictionLaw, const D: usize, const S: usize>(
    law: &L,
    mean: &Inputs<'_, D, S>,
    end: &Inputs<'_, D, 0>,
    duration: f64,
    out: &mut Outputs<D, S>,
) {
    for i in 0..BLOCK {
        if !mean.is_outside(i) && !end.is_outside(i) {
            continue;
        }
        let step = Step {
            mean: mean.slip(i),
            end: end.slip(i),
            duration,
        };
        let (old, mut new) = (mean.row(i), [0.0; MAX_STATES]);
        let force = law.update(&step, &old[..S * D], &mut new[..S * D]);
        out.set_row(i, &new[..S * D], force);
    }
}
