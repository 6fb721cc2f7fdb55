//! The functions of formulas.

/// A function of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// −x.
    Negate,
    /// sin x.
    Sin,
    /// cos x.
    Cos,
    /// tan x.
    Tan,
    /// arcsin x.
    Asin,
    /// arccos x.
    Acos,
    /// arctan x.
    Atan,
    /// sinh x.
    Sinh,
    /// cosh x.
    Cosh,
    /// tanh x.
    Tanh,
    /// eˣ.
    Exp,
    /// ln x.
    Ln,
    /// The logarithm to base 10.
    Log10,
    /// The logarithm to base 2.
    Log2,
    /// √x.
    Sqrt,
    /// The cube root.
    Cbrt,
    /// |x|; of a vector its length.
    Abs,
    /// −1, 0 or 1.
    Sign,
    /// 0 for x < 0, 1 from 0 on.
    Step,
    /// The whole number below.
    Floor,
    /// The whole number above.
    Ceil,
}

/// A function of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// x + y.
    Add,
    /// x − y.
    Subtract,
    /// x y.
    Multiply,
    /// x/y.
    Divide,
    /// xʸ.
    Power,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// The angle of (y, x) with the ordinate first.
    Atan2,
    /// The scalar product; of two numbers their product.
    Dot,
}

/// Names and functions of one argument.
pub const UNARY: &[(&str, Unary)] = &[
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
pub const BINARY: &[(&str, Binary)] = &[
    ("min", Binary::Min),
    ("max", Binary::Max),
    ("atan2", Binary::Atan2),
    ("pow", Binary::Power),
    ("dot", Binary::Dot),
];
