//! Fewer points with the same picture.

/// Buckets per curve; with four points or six each, about 2000 points remain.
const BUCKETS: usize = 500;
/// A path may leave out points that lie within this part of the picture from it: a tenth of a
/// line's width.
const NEAR: f64 = 2e-4;
/// A path that needs more corners than this is noise and is cut into buckets.
const CORNERS: usize = 8000;
/// Points of a path that are looked at together.
const PIECE: usize = 1000;

/// The finite points of a curve, thinned so that its picture stays the same.
pub(crate) fn decimate(x: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    let kept = thin(x, y, BUCKETS);
    kept.into_iter().map(|i| (x[i], y[i])).collect()
}

/// The indices of the finite points of a curve that are enough to draw it `strips` strips wide.
///
/// Curves over a variable that never decreases are cut into strips; of each strip remain the
/// first, the smallest, the largest and the last point: four times `strips` points at most. Other
/// curves are reduced to the corners of a polygon that stays within a tenth of a line's width, or,
/// where that takes very many, to the extremes of pieces. Indices come in ascending order.
pub fn thin(x: &[f64], y: &[f64], strips: usize) -> Vec<usize> {
    let strips = strips.max(1);
    let points: Vec<CurvePoint> = x
        .iter()
        .zip(y)
        .enumerate()
        .filter(|(_, (x, y))| x.is_finite() && y.is_finite())
        .map(|(index, (&x, &y))| CurvePoint { x, y, index })
        .collect();
    let kept = if points.len() <= 4 * strips {
        points
    } else if points.windows(2).all(|pair| pair[0].x <= pair[1].x) {
        by_strips(&points, strips)
    } else {
        let corners = corners(&points);
        if corners.len() <= CORNERS {
            corners
        } else {
            let length = corners.len().div_ceil(strips);
            corners
                .chunks(length)
                .flat_map(|bucket| keep(bucket, true))
                .collect()
        }
    };
    kept.into_iter().map(|point| point.index).collect()
}

/// A point of a curve and its place in the data.
#[derive(Clone, Copy, Debug)]
struct CurvePoint {
    x: f64,
    y: f64,
    index: usize,
}

/// The points of a path that a polygon needs to stay near all of them: Douglas and Peucker's
/// method (1973), in pieces, so that its cost stays bounded for any path.
fn corners(points: &[CurvePoint]) -> Vec<CurvePoint> {
    let size = (extent(points, |p| p.x), extent(points, |p| p.y));
    let mut kept = vec![false; points.len()];
    let mut open = Vec::new();
    for start in (0..points.len()).step_by(PIECE) {
        let end = (start + PIECE).min(points.len() - 1);
        (kept[start], kept[end]) = (true, true);
        open.push((start, end));
        while let Some((from, to)) = open.pop() {
            let mut far = (NEAR, from);
            for i in from + 1..to {
                let distance = from_chord(points[i], points[from], points[to], size);
                if distance > far.0 {
                    far = (distance, i);
                }
            }
            if far.1 > from {
                kept[far.1] = true;
                open.extend([(from, far.1), (far.1, to)]);
            }
        }
    }
    points
        .iter()
        .zip(kept)
        .filter_map(|(&point, kept)| kept.then_some(point))
        .collect()
}

fn extent(points: &[CurvePoint], of: fn(&CurvePoint) -> f64) -> f64 {
    let values = || points.iter().map(of);
    let span = values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min);
    if span > 0.0 { span } else { 1.0 }
}

/// Distance of `p` from the line piece from `a` to `b`, in parts of the picture.
fn from_chord(p: CurvePoint, a: CurvePoint, b: CurvePoint, size: (f64, f64)) -> f64 {
    let along = ((b.x - a.x) / size.0, (b.y - a.y) / size.1);
    let to = ((p.x - a.x) / size.0, (p.y - a.y) / size.1);
    let length = along.0 * along.0 + along.1 * along.1;
    let part = if length > 0.0 {
        (to.0 * along.0 + to.1 * along.1) / length
    } else {
        0.0
    };
    let part = part.clamp(0.0, 1.0);
    (to.0 - part * along.0).hypot(to.1 - part * along.1)
}

fn by_strips(points: &[CurvePoint], strips: usize) -> Vec<CurvePoint> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let width = (last.x - first.x) / strips as f64;
    let mut kept = Vec::with_capacity(4 * strips);
    let mut rest = points;
    for strip in 1..=strips {
        let edge = first.x + width * strip as f64;
        let inside = if strip == strips {
            rest.len()
        } else {
            rest.partition_point(|p| p.x <= edge)
        };
        let (bucket, following) = rest.split_at(inside);
        kept.extend(keep(bucket, false));
        rest = following;
    }
    kept
}

/// First, last and extreme points of a bucket in their order, each once.
fn keep(bucket: &[CurvePoint], both: bool) -> Vec<CurvePoint> {
    if bucket.len() <= 4 {
        return bucket.to_vec();
    }
    let extreme = |value: fn(&CurvePoint) -> f64, better: fn(f64, f64) -> bool| {
        let mut best = 0;
        for (i, point) in bucket.iter().enumerate() {
            if better(value(point), value(&bucket[best])) {
                best = i;
            }
        }
        best
    };
    let mut indices = vec![0, bucket.len() - 1];
    indices.push(extreme(|p| p.y, |a, b| a < b));
    indices.push(extreme(|p| p.y, |a, b| a > b));
    if both {
        indices.push(extreme(|p| p.x, |a, b| a < b));
        indices.push(extreme(|p| p.x, |a, b| a > b));
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
        assert!(kept.len() <= 3000, "{}", kept.len());
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
