//! How large residuals count.

/// How large residuals count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// By their squares.
    #[default]
    Squares,
    /// Linearly beyond the scale.
    Huber,
    /// A smooth form of Huber's.
    SoftL1,
    /// Logarithmically: for many outliers.
    Cauchy,
}
