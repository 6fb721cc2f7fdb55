//! A law at a point, with the dimension chosen at run time.

use bristle_laws::{Friction, MAX_STATES, MixesWith, Scalar, Slip};
use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64};

/// A number with its derivative along one direction.
type DirectionDual = DualSVec64<1>;

/// The conditions of a law in up to three dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LawInput<T> {
    pub(super) velocity: [T; 3],
    pub(super) normal_force: T,
    pub(super) applied: [T; 3],
}

/// Calls a function with the dimension as a constant.
macro_rules! in_dimension {
    ($dimension:expr, $function:ident $(::<$T:ty>)?, $($argument:expr),*) => {
        match $dimension {
            1 => $function::<$($T,)? 1>($($argument),*),
            2 => $function::<$($T,)? 2>($($argument),*),
            _ => $function::<$($T,)? 3>($($argument),*),
        }
    };
}

fn slip<T: Scalar, const D: usize>(input: &LawInput<T>) -> Slip<T, D> {
    Slip {
        velocity: std::array::from_fn(|i| input.velocity[i]),
        normal_force: input.normal_force,
        applied: std::array::from_fn(|i| input.applied[i]),
    }
}

fn rates_in<T: Scalar + MixesWith<f64>, const D: usize>(
    law: &Friction,
    input: &LawInput<T>,
    state: &[T],
    rates: &mut [T],
) -> [T; 3] {
    let force = law.rates::<T, D>(&slip(input), state, rates);
    std::array::from_fn(|i| force.get(i).copied().unwrap_or(T::zero()))
}

/// Force and rates.
pub(super) fn rates(
    law: &Friction,
    dimension: usize,
    input: &LawInput<f64>,
    state: &[f64],
    rates: &mut [f64],
) -> [f64; 3] {
    in_dimension!(dimension, rates_in::<f64>, law, input, state, rates)
}

/// The derivatives of force and rates along a direction of conditions and states.
pub(super) fn derivative(
    law: &Friction,
    dimension: usize,
    at: (&LawInput<f64>, &[f64]),
    direction: (&LawInput<f64>, &[f64]),
    rates: &mut [f64],
) -> [f64; 3] {
    let seeded =
        |x: f64, along: f64| DirectionDual::new(x, Derivative::some(SVector::<f64, 1>::new(along)));
    let along = |x: &DirectionDual| x.eps.0.map_or(0.0, |eps| eps[0]);
    let each = |x: &[f64; 3], d: &[f64; 3]| std::array::from_fn(|i| seeded(x[i], d[i]));
    let (input, seed) = (at.0, direction.0);
    let input = LawInput {
        velocity: each(&input.velocity, &seed.velocity),
        normal_force: seeded(input.normal_force, seed.normal_force),
        applied: each(&input.applied, &seed.applied),
    };
    let mut state = [seeded(0.0, 0.0); MAX_STATES];
    let mut duals = [seeded(0.0, 0.0); MAX_STATES];
    let count = at.1.len().min(MAX_STATES);
    for (dual, (x, d)) in state.iter_mut().zip(at.1.iter().zip(direction.1)) {
        *dual = seeded(*x, *d);
    }
    let (state, duals) = (&state[..count], &mut duals[..count]);
    let force = in_dimension!(
        dimension,
        rates_in::<DirectionDual>,
        law,
        &input,
        state,
        duals
    );
    for (rate, dual) in rates.iter_mut().zip(duals.iter()) {
        *rate = along(dual);
    }
    force.map(|f| along(&f))
}

fn start_in<const D: usize>(law: &Friction, input: &LawInput<f64>, state: &mut [f64]) {
    law.start::<D>(&slip(input), state);
}

/// Sets the state of the start.
pub(super) fn start(law: &Friction, dimension: usize, input: &LawInput<f64>, state: &mut [f64]) {
    in_dimension!(dimension, start_in, law, input, state);
}

fn margin_in<const D: usize>(law: &Friction, input: &LawInput<f64>, state: &[f64]) -> f64 {
    law.mode_margin::<D>(&slip(input), state)
}

/// How far the mode is from its end, within [−1, 1].
pub(super) fn margin(
    law: &Friction,
    dimension: usize,
    input: &LawInput<f64>,
    state: &[f64],
) -> f64 {
    let margin = in_dimension!(dimension, margin_in, law, input, state);
    margin.clamp(-1.0, 1.0)
}

fn change_in<const D: usize>(law: &Friction, input: &LawInput<f64>, state: &mut [f64]) {
    law.change_mode::<D>(&slip(input), state);
}

/// Changes the mode.
pub(super) fn change_mode(
    law: &Friction,
    dimension: usize,
    input: &LawInput<f64>,
    state: &mut [f64],
) {
    in_dimension!(dimension, change_in, law, input, state);
}
