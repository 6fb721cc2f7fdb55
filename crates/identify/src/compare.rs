//! Several laws for the same data.

use bristle_recordings::number_of;

use crate::fitted::Fit;
use crate::notice::{FitNotice, FitTopic};
use crate::prediction::{aicc, pooled};

/// A row of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The law.
    pub law: String,
    /// Fitted parameters.
    pub parameters: usize,
    /// Root mean square error on the fitted records, N.
    pub train: f64,
    /// The same on the others, N, if there are any.
    pub test: Option<f64>,
    /// Akaike's criterion above that of the best law. Below 2 nothing separates the laws; above
    /// 10 the worse one has no support.
    pub delta: f64,
}

/// Compares fits to the same data, best first, and says where fewer parameters do as well.
///
/// Residuals of different laws are correlated over different times; the criterion counts
/// samples for all laws as the one with the longest correlation time does.
pub fn compare(fits: &[Fit]) -> (Vec<Comparison>, Vec<FitNotice>) {
    let effective = fits
        .iter()
        .map(|f| f.effective_samples)
        .fold(f64::INFINITY, f64::min);
    let criterion = |f: &Fit| aicc(effective, f.rms().powi(2), f.fitted.len());
    let best = fits.iter().map(criterion).fold(f64::INFINITY, f64::min);
    let mut rows: Vec<Comparison> = fits
        .iter()
        .map(|f| Comparison {
            law: f.law.clone(),
            parameters: f.fitted.len(),
            train: f.rms(),
            test: (!f.test.is_empty()).then(|| pooled(&f.test)),
            delta: criterion(f) - best,
        })
        .collect();
    rows.sort_by(|a, b| a.delta.total_cmp(&b.delta));
    let mut notices = Vec::new();
    let unit = fits
        .iter()
        .flat_map(|f| &f.train)
        .next()
        .map_or("N", |p| p.record.target_unit());
    if let Some(first) = rows.first() {
        let floor = 1e-4
            * fits
                .iter()
                .flat_map(|f| &f.train)
                .map(|p| p.record.target_rms())
                .fold(0.0, f64::max);
        let simpler = rows
            .iter()
            .filter(|r| r.parameters < first.parameters)
            .filter(|r| r.delta < 2.0 || r.train < 1.02 * first.train || r.train < floor)
            .min_by_key(|r| r.parameters);
        if let Some(r) = simpler {
            let text = format!(
                "{} does as well as {} with {} instead of {} (error {:.3e} {unit} against {:.3e} {unit})",
                r.law,
                first.law,
                number_of(r.parameters, "parameter", "parameters"),
                first.parameters,
                r.train,
                first.train
            );
            notices.push(FitNotice::new(FitTopic::SimplerLaw, text));
        }
    }
    (rows, notices)
}
