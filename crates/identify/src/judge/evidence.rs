//! What verdicts rest on.

use bristle_recordings::Baseline;

use crate::coverage::Coverage;
use crate::fit::Objective;

/// Everything that verdicts rest on.
pub(crate) struct Evidence<'a> {
    pub(crate) objective: &'a Objective<'a>,
    pub(crate) theta: &'a [f64],
    /// Standard deviation of the residuals, N.
    pub(crate) sigma: f64,
    pub(crate) correlation_time: f64,
    pub(crate) coverage: &'a Coverage,
    pub(crate) line: Option<Baseline>,
    pub(crate) explained: f64,
}
