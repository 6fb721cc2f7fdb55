//! What the instructions of a program do.

use bristle_formula::Unary;

/// What an instruction does. Those on vectors have names of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Code {
    Unary(Unary),
    Add,
    Subtract,
    Multiply,
    Divide,
    Minimum,
    Maximum,
    Atan2,
    Power,
    /// A power with a whole number, which may have any base.
    WholePower(i8),
    /// The length of a vector.
    Norm,
    /// The scalar product of two vectors.
    Dot,
    /// The Stribeck curve at a speed.
    Level,
    AddVectors,
    SubtractVectors,
    NegateVector,
    /// A vector times a number.
    Scale,
    /// A number times a vector.
    ScaleBy,
    /// A vector divided by a number.
    DivideVector,
    /// An odd function f of a vector: f(|x|) x/|x|.
    Radial(Unary),
}

impl Code {
    /// Whether the result is a vector.
    pub(super) fn gives_vector(self) -> bool {
        matches!(
            self,
            Self::AddVectors
                | Self::SubtractVectors
                | Self::NegateVector
                | Self::Scale
                | Self::ScaleBy
                | Self::DivideVector
                | Self::Radial(_)
        )
    }
}
