//! A law without branches over many points: blocks of points that a compiler turns into
//! vector instructions.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use super::{Points, Steps};
use crate::lanes::Lanes;
use crate::law::{FrictionLaw, MAX_STATES};
use crate::scalar::Real;
use crate::slip::{Slip, Step, dot};

/// Number of points of a block: enough for loops that fill the widest registers, few
/// enough for the first cache.
pub(super) const BLOCK: usize = 64;

/// A component at the points of a block.
type Block = [f64; BLOCK];

/// Vector states of a point.
pub(super) type States<T, const D: usize, const S: usize> = [[T; D]; S];

/// Conditions at one point.
#[derive(Clone, Copy)]
pub(super) struct At<T, const D: usize> {
    pub(super) velocity: [T; D],
    pub(super) speed: T,
    pub(super) normal_force: T,
}

/// The text of a law with `S` vector states, without branches; `Self` holds its numbers.
pub(super) trait OnLanes<const S: usize>: Copy {
    /// The continuous view: rates and force.
    fn rates<T: Real, const D: usize>(
        self,
        at: &At<T, D>,
        z: &States<T, D, S>,
    ) -> (States<T, D, S>, [T; D]);

    /// The update over a step of h: new states and force.
    fn update<T: Real, const D: usize>(
        self,
        mean: &At<T, D>,
        end: &At<T, D>,
        h: f64,
        z: &States<T, D, S>,
    ) -> (States<T, D, S>, [T; D]);
}

/// Squares outside this range lose digits: such points are evaluated one by one.
const SAFE_SQUARE: std::ops::Range<f64> = 1e-280..1e280;

/// Speed from which a point on a line is evaluated alone, m/s: products beyond might overflow.
const FASTEST: f64 = 1e100;

/// Conditions at point `i` of a block as a lane, and whether |v|² leaves the safe range (0 or 1);
/// exact rest is safe.
#[inline(always)]
#[allow(
    clippy::needless_bitwise_bool,
    clippy::manual_range_contains,
    reason = "lazy operators are branches, and branches keep the loop from vectors"
)]
fn at<const D: usize>(v: &[&Block; D], n: &Block, i: usize) -> (At<Lanes<1>, D>, u64) {
    let velocity = v.map(|block| Lanes([block[i]]));
    if D == 1 {
        // no square, no root
        let speed = Real::abs(velocity[0]);
        let Lanes([s]) = speed;
        let at = At {
            velocity,
            speed,
            normal_force: Lanes([n[i]]),
        };
        // NaN is outside
        let inside = s < FASTEST;
        return (at, u64::from(!inside));
    }
    let square = dot(&velocity, &velocity);
    let mut sum = Real::abs(velocity[0]);
    for component in &velocity[1..] {
        sum = sum + Real::abs(*component);
    }
    let Lanes([s]) = square;
    // NaN is outside
    let inside = (s >= SAFE_SQUARE.start) & (s < SAFE_SQUARE.end) | (sum.0[0] == 0.0);
    let at = At {
        velocity,
        speed: square.sqrt(),
        normal_force: Lanes([n[i]]),
    };
    (at, u64::from(!inside))
}

#[inline(always)]
fn states_at<const D: usize, const S: usize>(
    z: &States<&Block, D, S>,
    i: usize,
) -> States<Lanes<1>, D, S> {
    z.map(|z| z.map(|block| Lanes([block[i]])))
}

#[inline(always)]
fn set<const D: usize>(vector: &mut [Block; D], i: usize, values: [Lanes<1>; D]) {
    for (block, Lanes([x])) in vector.iter_mut().zip(values) {
        block[i] = x;
    }
}

#[inline(always)]
fn any(mask: &[u64; BLOCK]) -> bool {
    mask.iter().fold(0, |all, m| all | m) != 0
}

/// A block of a column; the last one is filled up with zeros in `spare`.
#[inline(always)]
fn load<'a>(column: &'a [f64], from: usize, spare: &'a mut Block) -> &'a Block {
    let rest = &column[from..];
    if let Some(full) = rest.first_chunk::<BLOCK>() {
        return full;
    }
    spare[..rest.len()].copy_from_slice(rest);
    spare
}

#[inline(always)]
fn store(block: &Block, column: &mut [f64], from: usize) {
    if let Some(full) = column[from..].first_chunk_mut::<BLOCK>() {
        *full = *block;
    } else {
        let rest = &mut column[from..];
        rest.copy_from_slice(&block[..rest.len()]);
    }
}

#[inline(always)]
fn store_states<const D: usize, const S: usize>(
    states: &States<Block, D, S>,
    columns: &mut [&mut [f64]],
    from: usize,
) {
    let blocks = states.iter().flatten();
    for (block, column) in blocks.zip(columns.iter_mut()) {
        store(block, column, from);
    }
}

/// Room for the last block of every column.
#[repr(align(64))]
struct Spare<const D: usize, const S: usize> {
    velocity: [Block; D],
    normal_force: Block,
    states: States<Block, D, S>,
}

impl<const D: usize, const S: usize> Spare<D, S> {
    const ZERO: Self = Self {
        velocity: [[0.0; BLOCK]; D],
        normal_force: [0.0; BLOCK],
        states: [[[0.0; BLOCK]; D]; S],
    };

    /// Conditions and states of a block.
    #[inline(always)]
    fn load<'a, C: AsRef<[f64]>>(
        &'a mut self,
        points: &Points<'a, D>,
        states: &'a [C],
        from: usize,
    ) -> Inputs<'a, D, S> {
        let mut inputs = Inputs {
            velocity: [&ZERO; D],
            normal_force: load(points.normal_force, from, &mut self.normal_force),
            states: [[&ZERO; D]; S],
        };
        let spares = points.velocity.iter().zip(&mut self.velocity);
        for (block, (column, spare)) in inputs.velocity.iter_mut().zip(spares) {
            *block = load(column, from, spare);
        }
        let spares = states.iter().zip(self.states.iter_mut().flatten());
        let blocks = inputs.states.iter_mut().flatten();
        for (block, (column, spare)) in blocks.zip(spares) {
            *block = load(column.as_ref(), from, spare);
        }
        inputs
    }
}

/// A block that is never read.
const ZERO: Block = [0.0; BLOCK];

/// Conditions and states of a block.
#[derive(Clone, Copy)]
struct Inputs<'a, const D: usize, const S: usize> {
    velocity: [&'a Block; D],
    normal_force: &'a Block,
    states: States<&'a Block, D, S>,
}

impl<const D: usize, const S: usize> Inputs<'_, D, S> {
    #[inline(always)]
    fn at(&self, i: usize) -> (At<Lanes<1>, D>, u64) {
        at(&self.velocity, self.normal_force, i)
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
    states: States<Block, D, S>,
    force: [Block; D],
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
pub(super) struct Continuous<'a, 'b, 'c, L, X, const D: usize> {
    pub(super) law: &'a L,
    pub(super) text: X,
    pub(super) points: &'a Points<'a, D>,
    pub(super) states: &'a [&'a [f64]],
    pub(super) rates: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

impl<L: FrictionLaw, X, const D: usize> Continuous<'_, '_, '_, L, X, D> {
    /// All blocks, in the instruction set of the caller.
    #[inline(always)]
    pub(super) fn run<const S: usize>(self)
    where
        X: OnLanes<S>,
    {
        let Self { law, text, .. } = self;
        let (mut out, mut spare) = (Outputs::<D, S>::ZERO, Spare::<D, S>::ZERO);
        for from in (0..self.points.normal_force.len()).step_by(BLOCK) {
            let inputs = spare.load(self.points, self.states, from);
            let mut outside = [0; BLOCK];
            rates_of_block(
                text,
                &inputs,
                (&mut out.states, &mut out.force),
                &mut outside,
            );
            if any(&outside) {
                rates_one_by_one(law, &outside, &inputs, &mut out);
            }
            store_states(&out.states, self.rates, from);
            for (block, column) in out.force.iter().zip(self.force.iter_mut()) {
                store(block, column, from);
            }
        }
    }
}

/// The loop that becomes vector instructions.
#[inline(always)]
fn rates_of_block<X: OnLanes<S>, const D: usize, const S: usize>(
    text: X,
    inputs: &Inputs<'_, D, S>,
    (states, force): (&mut States<Block, D, S>, &mut [Block; D]),
    outside: &mut [u64; BLOCK],
) {
    for (i, outside) in outside.iter_mut().enumerate() {
        let (at, beyond) = inputs.at(i);
        let (rates, f) = text.rates(&at, &states_at(&inputs.states, i));
        for (block, rate) in states.iter_mut().zip(rates) {
            set(block, i, rate);
        }
        set(force, i, f);
        *outside = beyond;
    }
}

#[cold]
#[inline(never)]
fn rates_one_by_one<L: FrictionLaw, const D: usize, const S: usize>(
    law: &L,
    outside: &[u64; BLOCK],
    inputs: &Inputs<'_, D, S>,
    out: &mut Outputs<D, S>,
) {
    for i in (0..BLOCK).filter(|i| outside[*i] != 0) {
        let mut rates = [0.0; MAX_STATES];
        let state = inputs.row(i);
        let force = law.rates(&inputs.slip(i), &state[..S * D], &mut rates[..S * D]);
        out.set_row(i, &rates[..S * D], force);
    }
}

/// The update at all points, in place.
pub(super) struct Constitutive<'a, 'b, 'c, L, X, const D: usize> {
    pub(super) law: &'a L,
    pub(super) text: X,
    pub(super) steps: &'a Steps<'a, D>,
    pub(super) states: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

impl<L: FrictionLaw, X, const D: usize> Constitutive<'_, '_, '_, L, X, D> {
    /// All blocks, in the instruction set of the caller.
    #[inline(always)]
    pub(super) fn run<const S: usize>(self)
    where
        X: OnLanes<S>,
    {
        let Self { law, text, .. } = self;
        let h = self.steps.duration;
        let (mut out, mut spare) = (Outputs::<D, S>::ZERO, Spare::<D, S>::ZERO);
        let mut spare_end = Spare::<D, 0>::ZERO;
        for from in (0..self.steps.end.normal_force.len()).step_by(BLOCK) {
            let mean = spare.load(&self.steps.mean, &*self.states, from);
            let end = spare_end.load::<&[f64]>(&self.steps.end, &[], from);
            let mut outside = [0; BLOCK];
            let results = (&mut out.states, &mut out.force);
            update_of_block((text, h), (&mean, &end), results, &mut outside);
            if any(&outside) {
                update_one_by_one((law, h), &outside, (&mean, &end), &mut out);
            }
            store_states(&out.states, self.states, from);
            for (block, column) in out.force.iter().zip(self.force.iter_mut()) {
                store(block, column, from);
            }
        }
    }
}

/// The loop that becomes vector instructions.
#[inline(always)]
fn update_of_block<X: OnLanes<S>, const D: usize, const S: usize>(
    (text, h): (X, f64),
    (mean, end): (&Inputs<'_, D, S>, &Inputs<'_, D, 0>),
    (states, force): (&mut States<Block, D, S>, &mut [Block; D]),
    outside: &mut [u64; BLOCK],
) {
    for (i, outside) in outside.iter_mut().enumerate() {
        let ((w, a), (v, b)) = (mean.at(i), end.at(i));
        let (z, f) = text.update(&w, &v, h, &states_at(&mean.states, i));
        for (block, z) in states.iter_mut().zip(z) {
            set(block, i, z);
        }
        set(force, i, f);
        *outside = a | b;
    }
}

#[cold]
#[inline(never)]
fn update_one_by_one<L: FrictionLaw, const D: usize, const S: usize>(
    (law, duration): (&L, f64),
    outside: &[u64; BLOCK],
    (mean, end): (&Inputs<'_, D, S>, &Inputs<'_, D, 0>),
    out: &mut Outputs<D, S>,
) {
    for i in (0..BLOCK).filter(|i| outside[*i] != 0) {
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
