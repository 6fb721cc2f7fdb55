//! The functions of formulas over any scalar.

use super::code::Code;
use crate::law::slip::{REST, norm};
use crate::numbers::scalar::Scalar;
use bristle_formula::Unary;
use std::f64::consts::{FRAC_PI_2, LOG2_E, LOG10_E, PI};

/// A function of one number.
#[inline]
pub(super) fn apply_unary<T: Scalar>(function: Unary, x: T) -> T {
    match function {
        Unary::Negate => -x,
        Unary::Abs => x.abs(),
        Unary::Exp => x.exp(),
        Unary::Sqrt => root(x),
        Unary::Tanh => x.tanh(),
        Unary::Ln => x.ln(),
        _ => rare(function, x),
    }
}

#[inline(never)]
fn rare<T: Scalar>(function: Unary, x: T) -> T {
    let one = T::from_f64(1.0);
    let constant = |value: f64| T::from_f64(value);
    match function {
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.sin() / x.cos(),
        Unary::Asin => (x / ((one - x) * (one + x)).sqrt()).atan(),
        Unary::Acos => -(x / ((one - x) * (one + x)).sqrt()).atan() + FRAC_PI_2,
        Unary::Atan => x.atan(),
        // without cancellation at small x
        Unary::Sinh => (x.exp_m1() - (-x).exp_m1()) * 0.5,
        Unary::Cosh => (x.exp() + (-x).exp()) * 0.5,
        Unary::Log10 => x.ln() * LOG10_E,
        Unary::Log2 => x.ln() * LOG2_E,
        // the slope of the cube root, which is infinite, is taken as 0
        Unary::Cbrt | Unary::Sign if x.value() == 0.0 => T::zero(),
        Unary::Cbrt => {
            let root = x.abs().powf(1.0 / 3.0);
            if x.value() < 0.0 { -root } else { root }
        }
        Unary::Sign => constant(x.value().signum()),
        Unary::Step => constant(if x.value() >= 0.0 { 1.0 } else { 0.0 }),
        Unary::Floor => constant(x.value().floor()),
        Unary::Ceil => constant(x.value().ceil()),
        Unary::Negate | Unary::Abs | Unary::Exp | Unary::Sqrt | Unary::Tanh | Unary::Ln => {
            apply_unary(function, x)
        }
    }
}

/// √x; its slope at 0, which is infinite, is taken as 0, as that of |v|.
#[inline]
fn root<T: Scalar>(x: T) -> T {
    if x.value() == 0.0 {
        T::zero()
    } else {
        x.sqrt()
    }
}

/// An odd function of a vector: f(|x|) x/|x|.
#[inline]
pub(super) fn radial<T: Scalar, const D: usize>(function: Unary, x: &[T; D]) -> [T; D] {
    if D == 1 {
        return x.map(|x| apply_unary(function, x));
    }
    let size = norm(x);
    if size.value() > REST {
        let share = apply_unary(function, size) / size;
        return x.map(|x| x * share);
    }
    match function {
        // a jump at 0, and a slope that is infinite
        Unary::Sign | Unary::Cbrt => [T::zero(); D],
        _ => *x,
    }
}

/// x^n.
#[inline]
pub(super) fn whole_power<T: Scalar>(x: T, n: i8) -> T {
    let mut product = x;
    for _ in 1..n.unsigned_abs() {
        product = product * x;
    }
    if n < 0 {
        T::from_f64(1.0) / product
    } else {
        product
    }
}

/// x^y for x ≥ 0; at x = 0 a slope that is infinite is taken as 0.
#[inline]
pub(super) fn power<T: Scalar>(x: T, y: T) -> T {
    if x.value() == 0.0 {
        return T::from_f64(0.0_f64.powf(y.value()));
    }
    if y.is_constant() {
        x.powf(y.value())
    } else {
        (y * x.ln()).exp()
    }
}

/// The angle of (x, y), ordinate first.
#[inline(never)]
pub(super) fn atan2<T: Scalar>(y: T, x: T) -> T {
    let (a, b) = (y.value(), x.value());
    if a == 0.0 && b == 0.0 {
        return T::zero();
    }
    if b.abs() >= a.abs() {
        let angle = (y / x).atan();
        return match (b < 0.0, a < 0.0) {
            (false, _) => angle,
            (true, false) => angle + PI,
            (true, true) => angle - PI,
        };
    }
    -(x / y).atan() + if a < 0.0 { -FRAC_PI_2 } else { FRAC_PI_2 }
}

/// What a code makes of numbers; those on vectors give the first of them.
pub(super) fn of_numbers<T: Scalar>(code: Code, a: T, b: T) -> T {
    match code {
        Code::Unary(function) => apply_unary(function, a),
        Code::Add => a + b,
        Code::Subtract => a - b,
        Code::Multiply => a * b,
        Code::Divide => a / b,
        Code::Minimum => a.min(b),
        Code::Maximum => a.max(b),
        Code::Atan2 => atan2(a, b),
        Code::Power => power(a, b),
        Code::WholePower(n) => whole_power(a, n),
        _ => a,
    }
}
