//! Programs of a law: a list of instructions over registers of numbers and of vectors.

use super::code::Code;
use super::functions::{apply_unary, atan2, power, radial, whole_power};
use crate::curve::Curve;
use crate::law::slip::{Slip, dot, norm};
use crate::numbers::scalar::{MixesWith, Scalar};

/// Registers of numbers, and of vectors, that a program may use at once.
pub(super) const SCALARS: usize = 32;
pub(super) const VECTORS: usize = 16;

/// One instruction: `out` = `code`(`a`, `b`), registers of numbers or vectors as the code has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Instruction {
    pub(super) code: Code,
    pub(super) out: u8,
    pub(super) a: u8,
    pub(super) b: u8,
}

/// A value that is copied into a register before a program runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Copied {
    /// The constant, or the state.
    pub(super) from: u8,
    pub(super) register: u8,
}

/// A program: what goes into registers, the instructions, and where the results are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Program {
    pub(super) constants: Vec<Copied>,
    pub(super) scalar_states: Vec<Copied>,
    pub(super) vector_states: Vec<Copied>,
    /// Register of the normal force.
    pub(super) normal_force: Option<u8>,
    /// Register of the slip velocity.
    pub(super) velocity: Option<u8>,
    pub(super) instructions: Vec<Instruction>,
    /// Registers of the results, in the order in which they were asked for.
    pub(super) results: Vec<u8>,
}

/// The registers of a run.
#[derive(Debug)]
pub(super) struct Registers<T, const D: usize> {
    pub(super) scalars: [T; SCALARS],
    pub(super) vectors: [[T; D]; VECTORS],
}

impl<T: Scalar, const D: usize> Registers<T, D> {
    #[inline]
    pub(super) fn new() -> Self {
        Self {
            scalars: [T::zero(); SCALARS],
            vectors: [[T::zero(); D]; VECTORS],
        }
    }

    /// The value of a result that is a number.
    #[inline]
    pub(super) fn scalar(&self, register: u8) -> T {
        self.scalars[usize::from(register) % SCALARS]
    }

    /// The value of a result that is a vector.
    #[inline]
    pub(super) fn vector(&self, register: u8) -> [T; D] {
        self.vectors[usize::from(register) % VECTORS]
    }
}

/// What a program runs on beside the motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProgramInputs<'a, P> {
    /// What follows from the parameters alone.
    pub(super) constants: &'a [P],
    /// The Stribeck curve, if the law has one.
    pub(super) curve: Option<&'a Curve<P>>,
}

impl Program {
    /// Runs the program at a slip and a state, the vectors of which come first.
    #[inline]
    pub(super) fn run<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        numbers: ProgramInputs<'_, P>,
        slip: &Slip<T, D>,
        state: &[T],
        scalars_from: usize,
        registers: &mut Registers<T, D>,
    ) {
        let Registers { scalars, vectors } = registers;
        for Copied { from, register } in &self.constants {
            scalars[usize::from(*register) % SCALARS] =
                T::of(numbers.constants[usize::from(*from)]);
        }
        for Copied { from, register } in &self.scalar_states {
            scalars[usize::from(*register) % SCALARS] = state[scalars_from + usize::from(*from)];
        }
        for Copied { from, register } in &self.vector_states {
            let first = usize::from(*from) * D;
            vectors[usize::from(*register) % VECTORS] = std::array::from_fn(|i| state[first + i]);
        }
        if let Some(register) = self.normal_force {
            scalars[usize::from(register) % SCALARS] = slip.normal_force;
        }
        if let Some(register) = self.velocity {
            vectors[usize::from(register) % VECTORS] = slip.velocity;
        }
        for instruction in &self.instructions {
            execute(*instruction, numbers.curve, scalars, vectors);
        }
    }
}

#[inline]
fn execute<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    instruction: Instruction,
    curve: Option<&Curve<P>>,
    scalars: &mut [T; SCALARS],
    vectors: &mut [[T; D]; VECTORS],
) {
    let Instruction { code, out, a, b } = instruction;
    // registers are in bounds by construction; the remainder tells the compiler so
    let (s, v) = (
        |register: u8| usize::from(register) % SCALARS,
        |register: u8| usize::from(register) % VECTORS,
    );
    match code {
        Code::Unary(function) => scalars[s(out)] = apply_unary(function, scalars[s(a)]),
        Code::Add => scalars[s(out)] = scalars[s(a)] + scalars[s(b)],
        Code::Subtract => scalars[s(out)] = scalars[s(a)] - scalars[s(b)],
        Code::Multiply => scalars[s(out)] = scalars[s(a)] * scalars[s(b)],
        Code::Divide => scalars[s(out)] = scalars[s(a)] / scalars[s(b)],
        Code::Minimum => scalars[s(out)] = scalars[s(a)].min(scalars[s(b)]),
        Code::Maximum => scalars[s(out)] = scalars[s(a)].max(scalars[s(b)]),
        Code::Atan2 => scalars[s(out)] = atan2(scalars[s(a)], scalars[s(b)]),
        Code::Power => scalars[s(out)] = power(scalars[s(a)], scalars[s(b)]),
        Code::WholePower(n) => scalars[s(out)] = whole_power(scalars[s(a)], n),
        Code::Norm => scalars[s(out)] = norm(&vectors[v(a)]),
        Code::Dot => scalars[s(out)] = dot(&vectors[v(a)], &vectors[v(b)]),
        Code::Level => {
            let speed = scalars[s(a)];
            scalars[s(out)] = curve.map_or(speed, |curve| curve.value(speed));
        }
        Code::AddVectors => {
            let (x, y) = (vectors[v(a)], vectors[v(b)]);
            vectors[v(out)] = std::array::from_fn(|i| x[i] + y[i]);
        }
        Code::SubtractVectors => {
            let (x, y) = (vectors[v(a)], vectors[v(b)]);
            vectors[v(out)] = std::array::from_fn(|i| x[i] - y[i]);
        }
        Code::NegateVector => vectors[v(out)] = vectors[v(a)].map(|x| -x),
        Code::Scale => {
            let factor = scalars[s(b)];
            vectors[v(out)] = vectors[v(a)].map(|x| x * factor);
        }
        Code::ScaleBy => {
            let factor = scalars[s(a)];
            vectors[v(out)] = vectors[v(b)].map(|x| factor * x);
        }
        Code::DivideVector => {
            let divisor = scalars[s(b)];
            vectors[v(out)] = vectors[v(a)].map(|x| x / divisor);
        }
        Code::Radial(function) => vectors[v(out)] = radial(function, &vectors[v(a)]),
    }
}
