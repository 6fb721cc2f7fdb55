//! The functions of formulas over values with two derivatives.

use bristle_formula::{Binary, Unary};

use crate::Jet;

/// A function of one argument of a value with two derivatives.
pub(super) fn unary(function: Unary, x: Jet) -> Jet {
    let v = x.value;
    match function {
        Unary::Negate => -x,
        Unary::Sin => x.map(v.sin(), v.cos(), -v.sin()),
        Unary::Cos => x.map(v.cos(), -v.sin(), -v.cos()),
        Unary::Tan => {
            let tan = v.tan();
            let first = 1.0 + tan * tan;
            x.map(tan, first, 2.0 * tan * first)
        }
        Unary::Asin | Unary::Acos => {
            let first = 1.0 / ((1.0 - v) * (1.0 + v)).sqrt();
            let second = v * first * first * first;
            if function == Unary::Asin {
                x.map(v.asin(), first, second)
            } else {
                x.map(v.acos(), -first, -second)
            }
        }
        Unary::Atan => {
            let first = 1.0 / (1.0 + v * v);
            x.map(v.atan(), first, -2.0 * v * first * first)
        }
        Unary::Sinh => x.map(v.sinh(), v.cosh(), v.sinh()),
        Unary::Cosh => x.map(v.cosh(), v.sinh(), v.cosh()),
        Unary::Tanh => {
            let tanh = v.tanh();
            let first = (1.0 - tanh) * (1.0 + tanh);
            x.map(tanh, first, -2.0 * tanh * first)
        }
        Unary::Exp => x.map(v.exp(), v.exp(), v.exp()),
        Unary::Ln => x.map(v.ln(), v.recip(), -(v * v).recip()),
        Unary::Log10 => unary(Unary::Ln, x) * Jet::constant(std::f64::consts::LOG10_E),
        Unary::Log2 => unary(Unary::Ln, x) * Jet::constant(std::f64::consts::LOG2_E),
        Unary::Sqrt => {
            let root = v.sqrt();
            x.map(root, 0.5 / root, -0.25 / (root * v))
        }
        Unary::Cbrt => {
            let root = v.cbrt();
            let first = (3.0 * root * root).recip();
            x.map(root, first, -2.0 / 3.0 * first / v)
        }
        Unary::Abs if leaves_downwards(x) => -x,
        Unary::Abs => x,
        Unary::Sign => Jet::constant(if v == 0.0 { 0.0 } else { v.signum() }),
        Unary::Step => Jet::constant(if v >= 0.0 { 1.0 } else { 0.0 }),
        Unary::Floor => Jet::constant(v.floor()),
        Unary::Ceil => Jet::constant(v.ceil()),
    }
}

/// Which piece of a piecewise function the argument is in; none for smooth functions.
pub(super) fn unary_branch(function: Unary, x: Jet) -> Option<f64> {
    match function {
        Unary::Abs | Unary::Step => Some(if x.value >= 0.0 { 1.0 } else { 0.0 }),
        Unary::Sign | Unary::Floor | Unary::Ceil => Some(unary(function, x).value),
        _ => None,
    }
}

/// Negative now, or zero and about to become negative.
fn leaves_downwards(x: Jet) -> bool {
    [x.value, x.rate, x.acceleration]
        .into_iter()
        .find(|&part| part != 0.0)
        .is_some_and(|p| p < 0.0)
}

/// A function of two arguments of values with two derivatives.
pub(super) fn binary(function: Binary, x: Jet, y: Jet) -> Jet {
    match function {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply | Binary::Dot => x * y,
        Binary::Divide => {
            let r = y.value.recip();
            let inverse = y.map(r, -r * r, 2.0 * r * r * r);
            Jet {
                value: x.value / y.value,
                ..x * inverse
            }
        }
        Binary::Power => power(x, y),
        Binary::Min | Binary::Max => {
            let first_is_less = leaves_downwards(x - y);
            if first_is_less == (function == Binary::Min) {
                x
            } else {
                y
            }
        }
        Binary::Atan2 => atan2(x, y),
    }
}

/// Which of both the smaller and the larger one takes.
pub(super) fn binary_branch(function: Binary, x: Jet, y: Jet) -> Option<f64> {
    match function {
        Binary::Min | Binary::Max => Some(if x.value < y.value { 1.0 } else { 0.0 }),
        _ => None,
    }
}

/// x^y; an exponent that rests keeps negative bases and zero admissible.
fn power(x: Jet, y: Jet) -> Jet {
    let (base, n) = (x.value, y.value);
    if y.is_resting() {
        let term = |factor: f64, exponent: f64| {
            if factor == 0.0 {
                0.0
            } else {
                factor * base.powf(exponent)
            }
        };
        return x.map(base.powf(n), term(n, n - 1.0), term(n * (n - 1.0), n - 2.0));
    }
    let exponent = y * unary(Unary::Ln, x);
    Jet {
        value: base.powf(n),
        ..unary(Unary::Exp, exponent)
    }
}

/// The angle of (x, y) with ordinate `y` first: θ' = (x y' − y x')/(x² + y²).
fn atan2(y: Jet, x: Jet) -> Jet {
    let square = x.value * x.value + y.value * y.value;
    let turn = x.value * y.rate - y.value * x.rate;
    let radial = x.value * x.rate + y.value * y.rate;
    let rate = turn / square;
    Jet {
        value: y.value.atan2(x.value),
        rate,
        acceleration: (x.value * y.acceleration - y.value * x.acceleration) / square
            - 2.0 * rate * radial / square,
    }
}
