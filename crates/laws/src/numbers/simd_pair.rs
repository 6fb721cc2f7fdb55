//! Two numbers in one register.
//!
//! What a law needs twice, at the mean and at the end of a step, costs little more than once. Both
//! numbers have the bits that each would have alone.

#![allow(
    clippy::inline_always,
    reason = "a pair stays in its register only if all goes into the caller"
)]

use crate::numbers::powers::{POWERS, ROWS};
use std::ops::{Add, Div, Mul, Sub};

#[cfg(target_arch = "x86_64")]
pub(crate) use sse2::SimdPair;

/// One number, or several that are computed with at once.
pub(crate) trait Word:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The constant `x`.
    fn constant(self, x: f64) -> Self;
    /// This number, but not above `most`; NaN stays.
    fn at_most(self, most: f64) -> Self;
    /// This number, but not below `least`; NaN stays.
    fn at_least(self, least: f64) -> Self;
    /// 2^(n/128), and what is lost by its rounding, over it; n is in the low bits.
    fn power(self) -> (Self, Self);
}

/// n in the exponent and in the first bits of the fraction.
const SHIFT: u32 = 52 - ROWS.ilog2();

/// The row of a number in the table of powers.
#[inline(always)]
#[allow(
    clippy::cast_possible_truncation,
    reason = "the row is in the lowest bits"
)]
fn row(x: f64) -> (u64, f64) {
    POWERS[x.to_bits() as usize % ROWS]
}

impl Word for f64 {
    #[inline(always)]
    fn constant(self, x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn at_most(self, most: f64) -> Self {
        if most < self { most } else { self }
    }
    #[inline(always)]
    fn at_least(self, least: f64) -> Self {
        if least > self { least } else { self }
    }
    #[inline(always)]
    fn power(self) -> (Self, Self) {
        let (power, lost) = row(self);
        let n = self.to_bits() << SHIFT;
        (f64::from_bits(power.wrapping_add(n)), lost)
    }
}

/// A function of several numbers: two by two where the processor has pairs, else one by one.
#[inline(always)]
pub(crate) fn in_pairs<R: Copy + Default, const N: usize>(
    x: [f64; N],
    two: impl Fn(SimdPair) -> [R; 2],
    one: impl Fn(f64) -> R,
) -> [R; N] {
    let mut results = [R::default(); N];
    // arrays of two, not slices: a compiler unrolls them without any help
    let (pairs, last) = x.as_chunks::<2>();
    let (pair_results, last_result) = results.as_chunks_mut::<2>();
    for (results, x) in pair_results.iter_mut().zip(pairs) {
        *results = match SimdPair::new(*x) {
            Some(pair) => two(pair),
            None => [one(x[0]), one(x[1])],
        };
    }
    for (result, x) in last_result.iter_mut().zip(last) {
        *result = one(*x);
    }
    results
}

/// The pairs of every x86-64. Compilers do not find them by themselves in a text that looks up a
/// table.
#[cfg(target_arch = "x86_64")]
mod sse2 {
    use super::{SHIFT, Word, row};
    use pulp::core_arch::x86::Sse2;
    use std::arch::x86_64::__m128d;
    use std::ops::{Add, Div, Mul, Sub};

    /// Two numbers.
    #[derive(Clone, Copy)]
    pub(crate) struct SimdPair {
        by: Sse2,
        two: __m128d,
    }

    impl SimdPair {
        /// The pair, if the processor has them.
        #[inline(always)]
        pub(crate) fn new([a, b]: [f64; 2]) -> Option<Self> {
            let by = Sse2::try_new()?;
            let two = by._mm_set_pd(b, a);
            Some(Self { by, two })
        }

        /// Both numbers.
        #[inline(always)]
        pub(crate) fn numbers(self) -> [f64; 2] {
            let Self { by, two } = self;
            [two, by._mm_unpackhi_pd(two, two)].map(|x| by._mm_cvtsd_f64(x))
        }

        #[inline(always)]
        fn with(self, two: __m128d) -> Self {
            Self { two, ..self }
        }
    }

    /// The operators of pairs.
    macro_rules! operators {
        ($($Trait:ident::$method:ident by $instruction:ident),*) => {$(
            impl $Trait for SimdPair {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    self.with(self.by.$instruction(self.two, other.two))
                }
            }
        )*};
    }

    operators!(
        Add::add by _mm_add_pd,
        Sub::sub by _mm_sub_pd,
        Mul::mul by _mm_mul_pd,
        Div::div by _mm_div_pd
    );

    impl Word for SimdPair {
        #[inline(always)]
        fn constant(self, x: f64) -> Self {
            self.with(self.by._mm_set1_pd(x))
        }
        #[inline(always)]
        fn at_most(self, most: f64) -> Self {
            // the second one where there is a NaN
            self.with(self.by._mm_min_pd(self.constant(most).two, self.two))
        }
        #[inline(always)]
        fn at_least(self, least: f64) -> Self {
            self.with(self.by._mm_max_pd(self.constant(least).two, self.two))
        }
        #[inline(always)]
        fn power(self) -> (Self, Self) {
            let Self { by, two } = self;
            let [(power, lost), (power_2, lost_2)] = self.numbers().map(row);
            let powers = by._mm_set_epi64x(power_2.cast_signed(), power.cast_signed());
            let n = by._mm_slli_epi64::<{ SHIFT.cast_signed() }>(by._mm_castpd_si128(two));
            (
                self.with(by._mm_castsi128_pd(by._mm_add_epi64(powers, n))),
                self.with(by._mm_set_pd(lost_2, lost)),
            )
        }
    }
}

/// On other processors there are none.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(crate) enum SimdPair {}

#[cfg(not(target_arch = "x86_64"))]
mod none {
    use super::{Add, Div, Mul, SimdPair, Sub, Word};

    impl SimdPair {
        pub(crate) fn new(_: [f64; 2]) -> Option<Self> {
            None
        }
        pub(crate) fn numbers(self) -> [f64; 2] {
            match self {}
        }
    }

    macro_rules! operators {
        ($($Trait:ident::$method:ident),*) => {$(
            impl $Trait for SimdPair {
                type Output = Self;
                fn $method(self, _: Self) -> Self {
                    self
                }
            }
        )*};
    }

    operators!(Add::add, Sub::sub, Mul::mul, Div::div);

    impl Word for SimdPair {
        fn constant(self, _: f64) -> Self {
            self
        }
        fn at_most(self, _: f64) -> Self {
            self
        }
        fn at_least(self, _: f64) -> Self {
            self
        }
        fn power(self) -> (Self, Self) {
            (self, self)
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::numbers::functions::{fall, parts, relaxation};

    #[test]
    fn both_have_the_bits_of_one_alone() {
        let numbers = [
            0.0,
            5e-324,
            1e-200,
            3e-9,
            0.1,
            1.0,
            37.5,
            707.9,
            1e120,
            f64::INFINITY,
            f64::NAN,
        ];
        let same = |a: f64, b: f64| {
            assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
        };
        for a in numbers {
            for b in numbers {
                let pair = SimdPair::new([a, b]).expect("every x86-64 has them");
                let (decays, means) = relaxation(pair, parts);
                for (i, x) in [a, b].into_iter().enumerate() {
                    let (alone, mean) = relaxation(x, parts);
                    same(decays.numbers()[i], alone);
                    same(means.numbers()[i], mean);
                    let falls = fall(pair, pair.constant(0.05), pair.constant(0.1));
                    same(falls.numbers()[i], fall(x, 0.05, 0.1));
                }
            }
        }
    }
}
