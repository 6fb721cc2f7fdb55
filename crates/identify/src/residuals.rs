//! What the residuals still contain.

use crate::prediction::{Prediction, counted};
use crate::statistics::{autocorrelation, correlation_time, noise, quantile, rms};

/// How much of the residual varies with one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// The quantity: `v`, `x`, `N`, `T`.
    pub against: &'static str,
    /// Share of the variance of the residual that lies in the means of 20 bins, less what chance
    /// gives: 0 none, 1 all.
    pub share: f64,
}

/// Residuals looked at from all sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Residuals {
    /// Autocorrelation at one sample.
    pub first_autocorrelation: f64,
    /// Samples over which residuals are correlated.
    pub correlation_time: f64,
    /// Whether they pass for white noise.
    pub white: bool,
    /// Fast noise in them, N.
    pub noise: f64,
    /// Structure against each quantity that was measured.
    pub structure: Vec<Structure>,
}

impl Residuals {
    /// Looks at the residuals of fitted records.
    pub fn of(predictions: &[Prediction]) -> Self {
        let longest = predictions.iter().max_by_key(|p| p.errors.samples);
        let Some(longest) = longest else {
            return Self::default();
        };
        let own = counted(longest);
        let first = autocorrelation(&own, 1).next().unwrap_or(0.0);
        let mut structure = Vec::new();
        let mut look = |against, values: &dyn Fn(&Prediction) -> Option<Vec<f64>>| {
            let mut pairs = Vec::new();
            for p in predictions {
                let Some(x) = values(p) else { return };
                pairs.extend(
                    (0..x.len())
                        .filter(|&i| p.record.weight[i] > 0.0)
                        .map(|i| (x[i], p.residual[i])),
                );
            }
            if let Some(share) = share(&pairs) {
                structure.push(Structure { against, share });
            }
        };
        look("v", &|p| Some(p.record.velocity.clone()));
        look("x", &|p| Some(p.record.displacement()));
        look("N", &|p| p.record.load_known.then(|| p.record.load.clone()));
        look("T", &|p| p.record.temperature.clone());
        Self {
            first_autocorrelation: first,
            correlation_time: correlation_time(&own),
            white: first.abs() < 2.0 / (own.len().max(1) as f64).sqrt(),
            noise: noise(&own),
            structure,
        }
    }
}

/// Share of the variance in bin means, corrected for the share that independent values have.
fn share(pairs: &[(f64, f64)]) -> Option<f64> {
    const BINS: usize = 20;
    if pairs.len() < 5 * BINS {
        return None;
    }
    let x: Vec<f64> = pairs.iter().map(|p| p.0).collect();
    let edges: Vec<f64> = (1..BINS)
        .filter_map(|k| quantile(&x, k as f64 / BINS as f64))
        .collect();
    let (first, last) = (*edges.first()?, *edges.last()?);
    if last - first <= 1e-9 * last.abs().max(first.abs()) {
        return None;
    }
    let mut sums = [(0.0, 0.0); BINS];
    for (x, r) in pairs {
        let bin = edges.partition_point(|edge| edge < x);
        sums[bin].0 += r;
        sums[bin].1 += 1.0;
    }
    let total = rms(&pairs.iter().map(|p| p.1).collect::<Vec<_>>()).powi(2);
    let n = pairs.len() as f64;
    let between: f64 = sums
        .iter()
        .map(|(s, c)| if *c > 0.0 { s * s / c } else { 0.0 })
        .sum();
    if total <= 0.0 {
        return Some(0.0);
    }
    Some((between / n / total - BINS as f64 / n).clamp(0.0, 1.0))
}
