//! Small statistics of signals.

/// The value below which the share `q` of the finite samples lies.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    if finite.is_empty() {
        return None;
    }
    let place = q.clamp(0.0, 1.0) * (finite.len() - 1) as f64;
    let low = place.floor();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the last index"
    )]
    let (_, at, above) = finite.select_nth_unstable_by(low as usize, f64::total_cmp);
    let next = above.iter().copied().min_by(f64::total_cmp).unwrap_or(*at);
    Some(*at + (place - low) * (next - *at))
}

/// The median.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Root mean square.
pub fn rms(values: &[f64]) -> f64 {
    (values.iter().map(|x| x * x).sum::<f64>() / values.len().max(1) as f64).sqrt()
}

/// Mean.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Standard deviation of the fast noise of a signal, from third differences (white noise has a
/// variance 20 times larger in them); what is smooth drops out.
pub fn noise(values: &[f64]) -> f64 {
    let differences: Vec<f64> = values
        .windows(4)
        .map(|w| (w[3] - 3.0 * w[2] + 3.0 * w[1] - w[0]).abs())
        .collect();
    // the median of |x| is 0.6745 standard deviations for normal noise
    median(&differences).unwrap_or(0.0) / (0.6745 * 20.0_f64.sqrt())
}

/// −1, 0 or 1.
pub fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_a_short_list() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(quantile(&[0.0, 1.0], 0.25), Some(0.25));
        assert_eq!(median(&[]), None);
    }
}
