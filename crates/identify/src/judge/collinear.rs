//! Parameters that do the same as others.

use crate::estimate::{Estimate, Verdict};

/// Correlations beyond this leave two parameters one freedom.
const COLLINEAR: f64 = 0.95;

/// Names the parameter that does the same as one that is not identified. The correlations are those
/// of the `fitted` parameters; `worth` says which estimates deserve the remark.
pub(crate) fn warn_collinear(
    estimates: &mut [Estimate],
    fitted: &[String],
    correlations: &[Vec<f64>],
    worth: impl Fn(&Estimate) -> bool,
) {
    for (a, name) in fitted.iter().enumerate() {
        let Some(e) = estimates.iter_mut().find(|e| &e.name == name) else {
            continue;
        };
        if matches!(e.verdict, Verdict::Identified | Verdict::Fixed) {
            continue;
        }
        let others = (0..fitted.len()).filter(|&b| b != a);
        let size = |b: usize| correlations[a][b].abs();
        let Some(b) = others.max_by(|&b, &c| size(b).total_cmp(&size(c))) else {
            continue;
        };
        if size(b) > COLLINEAR && worth(e) {
            let (twin, r) = (&fitted[b], correlations[a][b]);
            e.reason = format!("{}; correlated with {twin} ({r:.3})", e.reason);
        }
    }
}
