//! The functions of formulas and their derivatives.

use crate::Jet;

/// A function of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Negate,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Log10,
    Log2,
    Sqrt,
    Cbrt,
    Abs,
    Sign,
    Step,
    Floor,
    Ceil,
}

/// A function of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
    Atan2,
}

/// Names and functions of one argument.
pub(super) const UNARY: &[(&str, Unary)] = &[
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("asin", Unary::Asin),
    ("acos", Unary::Acos),
    ("atan", Unary::Atan),
    ("sinh", Unary::Sinh),
    ("cosh", Unary::Cosh),
    ("tanh", Unary::Tanh),
    ("exp", Unary::Exp),
    ("ln", Unary::Ln),
    ("log", Unary::Ln),
    ("log10", Unary::Log10),
    ("log2", Unary::Log2),
    ("sqrt", Unary::Sqrt),
    ("cbrt", Unary::Cbrt),
    ("abs", Unary::Abs),
    ("sign", Unary::Sign),
    ("signum", Unary::Sign),
    ("step", Unary::Step),
    ("floor", Unary::Floor),
    ("ceil", Unary::Ceil),
];

/// Names and functions of two arguments.
pub(super) const BINARY: &[(&str, Binary)] = &[
    ("min", Binary::Min),
    ("max", Binary::Max),
    ("atan2", Binary::Atan2),
    ("pow", Binary::Power),
];

impl Unary {
    pub(super) fn apply(self, x: Jet) -> Jet {
        let v = x.value;
        match self {
            Self::Negate => -x,
            Self::Sin => x.map(v.sin(), v.cos(), -v.sin()),
            Self::Cos => x.map(v.cos(), -v.sin(), -v.cos()),
            Self::Tan => {
                let tan = v.tan();
                let first = 1.0 + tan * tan;
                x.map(tan, first, 2.0 * tan * first)
            }
            Self::Asin | Self::Acos => {
                let first = 1.0 / ((1.0 - v) * (1.0 + v)).sqrt();
                let second = v * first * first * first;
                if self == Self::Asin {
                    x.map(v.asin(), first, second)
                } else {
                    x.map(v.acos(), -first, -second)
                }
            }
            Self::Atan => {
                let first = 1.0 / (1.0 + v * v);
                x.map(v.atan(), first, -2.0 * v * first * first)
            }
            Self::Sinh => x.map(v.sinh(), v.cosh(), v.sinh()),
            Self::Cosh => x.map(v.cosh(), v.sinh(), v.cosh()),
            Self::Tanh => {
                let tanh = v.tanh();
                let first = (1.0 - tanh) * (1.0 + tanh);
                x.map(tanh, first, -2.0 * tanh * first)
            }
            Self::Exp => x.map(v.exp(), v.exp(), v.exp()),
            Self::Ln => x.map(v.ln(), v.recip(), -(v * v).recip()),
            Self::Log10 => Self::Ln.apply(x) * Jet::constant(std::f64::consts::LOG10_E),
            Self::Log2 => Self::Ln.apply(x) * Jet::constant(std::f64::consts::LOG2_E),
            Self::Sqrt => {
                let root = v.sqrt();
                x.map(root, 0.5 / root, -0.25 / (root * v))
            }
            Self::Cbrt => {
                let root = v.cbrt();
                let first = (3.0 * root * root).recip();
                x.map(root, first, -2.0 / 3.0 * first / v)
            }
            Self::Abs if leaves_downwards(x) => -x,
            Self::Abs => x,
            Self::Sign => Jet::constant(if v == 0.0 { 0.0 } else { v.signum() }),
            Self::Step => Jet::constant(if v >= 0.0 { 1.0 } else { 0.0 }),
            Self::Floor => Jet::constant(v.floor()),
            Self::Ceil => Jet::constant(v.ceil()),
        }
    }

    /// Which piece of a piecewise function the argument is in; none for smooth functions.
    pub(super) fn branch(self, x: Jet) -> Option<f64> {
        match self {
            Self::Abs | Self::Step => Some(if x.value >= 0.0 { 1.0 } else { 0.0 }),
            Self::Sign | Self::Floor | Self::Ceil => Some(self.apply(x).value),
            _ => None,
        }
    }
}

/// Negative now, or zero and about to become negative.
fn leaves_downwards(x: Jet) -> bool {
    [x.value, x.rate, x.acceleration]
        .into_iter()
        .find(|&part| part != 0.0)
        .is_some_and(|p| p < 0.0)
}

impl Binary {
    pub(super) fn apply(self, x: Jet, y: Jet) -> Jet {
        match self {
            Self::Add => x + y,
            Self::Subtract => x - y,
            Self::Multiply => x * y,
            Self::Divide => {
                let r = y.value.recip();
                let inverse = y.map(r, -r * r, 2.0 * r * r * r);
                Jet {
                    value: x.value / y.value,
                    ..x * inverse
                }
            }
            Self::Power => power(x, y),
            Self::Min | Self::Max => {
                let first_is_less = leaves_downwards(x - y);
                if first_is_less == (self == Self::Min) {
                    x
                } else {
                    y
                }
            }
            Self::Atan2 => atan2(x, y),
        }
    }

    pub(super) fn branch(self, x: Jet, y: Jet) -> Option<f64> {
        match self {
            Self::Min | Self::Max => Some(if x.value < y.value { 1.0 } else { 0.0 }),
            _ => None,
        }
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
    let exponent = y * Unary::Ln.apply(x);
    Jet {
        value: base.powf(n),
        ..Unary::Exp.apply(exponent)
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
