//! What a formula gives: a number or a vector, and of which dimension.

use super::code::Code;
use super::dimension::OwnDimension;
use bristle_formula::{Binary, Unary};

/// A number, or a vector in the tangent plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    Scalar,
    Vector,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sort {
    /// None while it is not known.
    pub(super) kind: Option<Rank>,
    /// None if any will do, as for the number 0.
    pub(super) dimension: Option<OwnDimension>,
    /// The value, if it is a number that stands in the formula.
    pub(super) number: Option<f64>,
}

impl Sort {
    pub(super) const UNKNOWN: Self = Self {
        kind: None,
        dimension: None,
        number: None,
    };

    pub(super) const fn scalar(dimension: OwnDimension) -> Self {
        Self::of(Rank::Scalar, Some(dimension))
    }

    pub(super) const fn vector(dimension: OwnDimension) -> Self {
        Self::of(Rank::Vector, Some(dimension))
    }

    pub(super) const fn of(kind: Rank, dimension: Option<OwnDimension>) -> Self {
        Self {
            kind: Some(kind),
            dimension,
            number: None,
        }
    }

    pub(super) fn number(x: f64) -> Self {
        Self {
            kind: Some(Rank::Scalar),
            dimension: (x != 0.0).then_some(OwnDimension::ONE),
            number: Some(x),
        }
    }

    pub(super) fn is_vector(self) -> bool {
        self.kind == Some(Rank::Vector)
    }

    /// The unit in words.
    pub(super) fn unit(self) -> String {
        self.dimension
            .map_or_else(|| "1".to_owned(), |dimension| dimension.to_string())
    }
}

/// What a function of one argument makes of its sort, and how it is computed.
pub(super) fn unary(function: Unary, x: Sort) -> Result<(Code, Sort), String> {
    let vector = x.is_vector();
    let kept = |code: Code| {
        let number = match function {
            Unary::Negate => x.number.map(|x| -x),
            _ => None,
        };
        (code, Sort { number, ..x })
    };
    match function {
        Unary::Negate if vector => return Ok(kept(Code::NegateVector)),
        Unary::Negate => return Ok(kept(Code::Unary(function))),
        Unary::Abs => {
            let code = if vector {
                Code::Norm
            } else {
                Code::Unary(function)
            };
            return Ok((code, Sort::of(Rank::Scalar, x.dimension)));
        }
        _ => {}
    }
    let code = match (vector, function) {
        (false, _) => Code::Unary(function),
        (true, f) if is_odd(f) => Code::Radial(f),
        (true, _) => {
            return Err(
                "of a vector there are |x| and the odd functions: sin, tan, asin, atan, \
                        sinh, tanh, cbrt, sign; write |v| for the speed"
                    .to_owned(),
            );
        }
    };
    let dimension = match function {
        Unary::Sqrt => x.dimension.map(|d| d.power(0.5)),
        Unary::Cbrt => x.dimension.map(|d| d.power(1.0 / 3.0)),
        Unary::Sign | Unary::Step => Some(OwnDimension::ONE),
        _ if x.dimension.is_some_and(|d| !d.is(OwnDimension::ONE)) => {
            return Err(format!(
                "the argument of this function must be a pure number, it is in {}",
                x.unit()
            ));
        }
        _ => Some(OwnDimension::ONE),
    };
    Ok((
        code,
        Sort {
            kind: x.kind,
            dimension,
            number: None,
        },
    ))
}

/// Whether f(−x) = −f(x): of a vector it is f(|x|) x/|x|.
fn is_odd(function: Unary) -> bool {
    matches!(
        function,
        Unary::Sin
            | Unary::Tan
            | Unary::Asin
            | Unary::Atan
            | Unary::Sinh
            | Unary::Tanh
            | Unary::Cbrt
            | Unary::Sign
    )
}

/// What a function of two arguments makes of their sorts, and how it is computed.
pub(super) fn binary(function: Binary, x: Sort, y: Sort) -> Result<(Code, Sort), String> {
    let both = (x.is_vector(), y.is_vector());
    match function {
        Binary::Add => same(x, y, "added", (Code::Add, Code::AddVectors)),
        Binary::Subtract => same(x, y, "subtracted", (Code::Subtract, Code::SubtractVectors)),
        Binary::Min | Binary::Max if both == (false, false) => {
            let code = if function == Binary::Min {
                Code::Minimum
            } else {
                Code::Maximum
            };
            same(x, y, "compared", (code, code))
        }
        Binary::Multiply | Binary::Divide => product(function, x, y),
        Binary::Dot => {
            let code = match both {
                (true, true) => Code::Dot,
                (false, false) => Code::Multiply,
                _ => return Err("dot takes two vectors".to_owned()),
            };
            let dimension = both_known(x, y).map(|(x, y)| x.times(y, 1.0));
            Ok((code, Sort::of(Rank::Scalar, dimension)))
        }
        _ if both != (false, false) => Err(match function {
            Binary::Power => "a vector has no power; write |v|^2 or dot(v, v)".to_owned(),
            _ => "this function takes numbers; write |v| for the speed".to_owned(),
        }),
        Binary::Power => power(x, y),
        _ => {
            let (_, _) = same(x, y, "compared", (Code::Atan2, Code::Atan2))?;
            Ok((Code::Atan2, Sort::scalar(OwnDimension::ONE)))
        }
    }
}

fn both_known(x: Sort, y: Sort) -> Option<(OwnDimension, OwnDimension)> {
    x.dimension.zip(y.dimension)
}

/// Two values of one sort; what is not known of one is that of the other.
fn same(x: Sort, y: Sort, what: &str, codes: (Code, Code)) -> Result<(Code, Sort), String> {
    let kind = match (x.kind, y.kind) {
        (Some(a), Some(b)) if a != b => {
            return Err(format!(
                "a number and a vector cannot be {what}: v and what is made of it are vectors, \
                 |v| is a number"
            ));
        }
        (a, b) => a.or(b),
    };
    if let Some((a, b)) = both_known(x, y)
        && !a.is(b)
    {
        let number = x.number.or(y.number).is_some();
        let remedy = if number {
            "; make a number with a unit a parameter"
        } else {
            ""
        };
        return Err(format!("{a} and {b} cannot be {what}{remedy}"));
    }
    let code = if kind == Some(Rank::Vector) {
        codes.1
    } else {
        codes.0
    };
    let dimension = x.dimension.or(y.dimension);
    Ok((
        code,
        Sort {
            kind,
            dimension,
            number: None,
        },
    ))
}

fn product(function: Binary, x: Sort, y: Sort) -> Result<(Code, Sort), String> {
    let divided = function == Binary::Divide;
    let exponent = if divided { -1.0 } else { 1.0 };
    let dimension = both_known(x, y).map(|(x, y)| x.times(y, exponent));
    let (code, kind) = match (x.kind, y.kind) {
        (_, Some(Rank::Vector)) if divided => {
            return Err("a vector cannot divide; write |v| for the speed".to_owned());
        }
        (Some(Rank::Vector), Some(Rank::Vector)) => {
            return Err("the product of two vectors is dot(a, b)".to_owned());
        }
        (Some(Rank::Vector), _) if divided => (Code::DivideVector, Some(Rank::Vector)),
        (Some(Rank::Vector), _) => (Code::Scale, Some(Rank::Vector)),
        (_, Some(Rank::Vector)) => (Code::ScaleBy, Some(Rank::Vector)),
        (a, b) => {
            let code = if divided {
                Code::Divide
            } else {
                Code::Multiply
            };
            (code, a.and(b))
        }
    };
    let number = x.number.zip(y.number);
    Ok((
        code,
        Sort {
            kind,
            dimension,
            number: number.map(|(x, y)| if divided { x / y } else { x * y }),
        },
    ))
}

fn power(x: Sort, y: Sort) -> Result<(Code, Sort), String> {
    if y.dimension.is_some_and(|d| !d.is(OwnDimension::ONE)) {
        return Err(format!(
            "an exponent must be a pure number, it is in {}",
            y.unit()
        ));
    }
    let dimension = match (x.dimension, y.number) {
        (Some(base), Some(exponent)) => Some(base.power(exponent)),
        (Some(base), None) if !base.is(OwnDimension::ONE) => {
            return Err(format!(
                "the power of a quantity in {base} needs an exponent that is a number; divide it \
                 by a parameter first, as in (|v|/v_s)^alpha"
            ));
        }
        (base, _) => base,
    };
    let whole = y
        .number
        .filter(|n| n.fract() == 0.0 && (1.0..=8.0).contains(&n.abs()));
    #[allow(clippy::cast_possible_truncation, reason = "a whole number up to 8")]
    let code = whole.map_or(Code::Power, |n| Code::WholePower(n as i8));
    Ok((code, Sort::of(Rank::Scalar, dimension)))
}
