//! Fewer points with the same picture.

/// Buckets per curve; with four points or six each, about 2000 points remain.
const BUCKETS: usize = 500;

/// The finite points of a curve, thinned so that its picture stays the same.
///
/// Curves over a variable that never decreases are cut into strips narrower than a line on paper;
/// of each strip remain the first, the smallest, the largest and the last point. Other curves are
/// cut along their course, and the extremes in both directions remain.
pub(crate) fn decimate(x: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    let finite = |p: &(f64, f64)| p.0.is_finite() && p.1.is_finite();
    let points: Vec<(f64, f64)> = x
        .iter()
        .copied()
        .zip(y.iter().copied())
        .filter(finite)
        .collect();
    if points.len() <= 4 * BUCKETS {
        return points;
    }
    if points.windows(2).all(|pair| pair[0].0 <= pair[1].0) {
        by_strips(&points)
    } else {
        let length = points.len().div_ceil(BUCKETS);
        points
            .chunks(length)
            .flat_map(|bucket| keep(bucket, true))
            .collect()
    }
}

fn by_strips(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let width = (last.0 - first.0) / BUCKETS as f64;
    let mut kept = Vec::with_capacity(4 * BUCKETS);
    let mut rest = points;
    for strip in 1..=BUCKETS {
        let edge = first.0 + width * strip as f64;
        let inside = if strip == BUCKETS {
            rest.len()
        } else {
            rest.partition_point(|p| p.0 <= edge)
        };
        let (bucket, following) = rest.split_at(inside);
        kept.extend(keep(bucket, false));
        rest = following;
    }
    kept
}

/// First, last and extreme points of a bucket in their order, each once.
fn keep(bucket: &[(f64, f64)], both: bool) -> Vec<(f64, f64)> {
    if bucket.len() <= 4 {
        return bucket.to_vec();
    }
    let extreme = |value: fn(&(f64, f64)) -> f64, better: fn(f64, f64) -> bool| {
        let mut best = 0;
        for (i, point) in bucket.iter().enumerate() {
            if better(value(point), value(&bucket[best])) {
                best = i;
            }
        }
        best
    };
    let mut indices = vec![0, bucket.len() - 1];
    indices.push(extreme(|p| p.1, |a, b| a < b));
    indices.push(extreme(|p| p.1, |a, b| a > b));
    if both {
        indices.push(extreme(|p| p.0, |a, b| a < b));
        indices.push(extreme(|p| p.0, |a, b| a > b));
    }
    indices.sort_unstable();
    indices.dedup();
    indices.into_iter().map(|i| bucket[i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_series_keep_every_peak() {
        let n = 100_000;
        let t: Vec<f64> = (0..n).map(|i| f64::from(i) * 1e-3).collect();
        let mut y: Vec<f64> = t.iter().map(|t| t.sin()).collect();
        for (i, spike) in [(12_345, 5.0), (12_399, -6.0), (77_777, 8.0)] {
            y[i] = spike;
        }
        let kept = decimate(&t, &y);
        assert!(kept.len() <= 2000, "{}", kept.len());
        for i in [0, 12_345, 12_399, 77_777, 99_999] {
            assert!(kept.contains(&(t[i], y[i])), "{i}");
        }
        assert!(kept.windows(2).all(|w| w[0].0 < w[1].0));
    }

    #[test]
    fn uneven_sampling_keeps_the_sparse_part_whole() {
        // dense start, sparse end: strips are of time, so the end keeps all of its points
        let mut t: Vec<f64> = (0..50_000).map(|i| f64::from(i) * 1e-6).collect();
        t.extend((1..=20).map(f64::from));
        let y = vec![1.0; t.len()];
        let kept = decimate(&t, &y);
        for second in 1..=20 {
            assert!(kept.contains(&(f64::from(second), 1.0)));
        }
    }

    #[test]
    fn loops_keep_both_extents_and_values_that_are_not_finite_go() {
        let angle: Vec<f64> = (0..60_000).map(|i| f64::from(i) * 1e-3).collect();
        let mut x: Vec<f64> = angle.iter().map(|a| a.cos()).collect();
        let mut y: Vec<f64> = angle.iter().map(|a| a.sin()).collect();
        (x[333], y[444]) = (3.0, -4.0);
        y[555] = f64::NAN;
        let kept = decimate(&x, &y);
        assert!(kept.len() <= 3000);
        assert!(kept.contains(&(3.0, y[333])) && kept.contains(&(x[444], -4.0)));
        assert!(kept.iter().all(|p| p.0.is_finite() && p.1.is_finite()));
    }

    #[test]
    fn short_curves_stay_as_they_are() {
        assert_eq!(
            decimate(&[0.0, 1.0], &[2.0, 3.0]),
            vec![(0.0, 2.0), (1.0, 3.0)]
        );
        assert!(decimate(&[], &[]).is_empty());
    }
}
