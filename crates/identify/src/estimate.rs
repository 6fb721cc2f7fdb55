//! One fitted parameter, and how well the data identify it.

use crate::model::FitRole;

/// One parameter, as the data show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Field of the law or name of a term.
    pub name: String,
    /// Symbol.
    pub symbol: String,
    /// SI unit; of the product with the normal force if that was not measured.
    pub unit: String,
    /// What it does.
    pub role: FitRole,
    /// The value, SI.
    pub value: f64,
    /// Its standard error, if the data show it at all.
    pub standard_error: Option<f64>,
    /// The 95 % confidence interval.
    pub interval: Option<(f64, f64)>,
    /// Identified or not.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Which experiment would show it (better).
    pub experiment: Option<String>,
}

/// What the data say about a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Known within a tenth, or known to be nothing.
    Identified,
    /// Known within a half.
    Weak,
    /// Not identifiable from these data.
    NotIdentifiable,
    /// Not fitted.
    Fixed,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Identified => "identified",
            Self::Weak => "weakly identified",
            Self::NotIdentifiable => "not identifiable",
            Self::Fixed => "fixed",
        }
    }
}
