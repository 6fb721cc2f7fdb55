//! Curves that lie on each other.

use super::curve::{CurveStyle, FigureCurve};

/// Curves on each other to within this part of the axis cannot be distinguished.
const SAME: f64 = 0.004;
/// Places at which curves with points of their own are held against each other.
const PLACES: u32 = 400;
/// Part of the axis by which their ends may differ.
const ENDS: f64 = 0.01;

/// Where a curve lies among the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlap {
    /// Number of curves before it that it lies on.
    pub on: usize,
    /// Whether it is the lowest of several.
    pub covered: bool,
}

/// The overlaps of curves on an axis of the length `span`.
pub fn overlaps(curves: &[FigureCurve], span: f64) -> Vec<Overlap> {
    let of = |(i, curve): (usize, &FigureCurve)| {
        let on = curves[..i].iter().filter(|other| same(other, curve, span));
        let on = on.count();
        let covered = on == 0 && curves[i + 1..].iter().any(|other| same(other, curve, span));
        Overlap { on, covered }
    };
    curves.iter().enumerate().map(of).collect()
}

fn same(a: &FigureCurve, b: &FigureCurve, span: f64) -> bool {
    // points and thin bounds hide nothing
    if a.style != CurveStyle::Line || b.style != CurveStyle::Line {
        return false;
    }
    let close = |a: f64, b: f64| (a - b).abs() <= SAME * span;
    if a.x == b.x {
        let mut pairs = a.y.iter().zip(&b.y);
        return a.y.len() == b.y.len() && pairs.all(|(a, b)| close(*a, *b));
    }
    // each law has steps of its own
    let (Some([from, to]), Some([other_from, other_to])) = (ends(a), ends(b)) else {
        return false;
    };
    let length = (to - from).max(other_to - other_from);
    let apart = (from - other_from).abs().max((to - other_to).abs());
    if apart > ENDS * length {
        return false;
    }
    let (from, to) = (from.max(other_from), to.min(other_to));
    (0..=PLACES).all(|i| {
        let x = from + (to - from) * f64::from(i) / f64::from(PLACES);
        close(at(a, x), at(b, x))
    })
}

/// First and last place of a curve that goes from left to right.
fn ends(curve: &FigureCurve) -> Option<[f64; 2]> {
    let rises = curve.x.windows(2).all(|pair| pair[0] <= pair[1]);
    let ends = [*curve.x.first()?, *curve.x.last()?];
    (rises && ends[0] < ends[1] && curve.x.len() == curve.y.len()).then_some(ends)
}

/// The value of a curve at a place between its ends.
fn at(curve: &FigureCurve, x: f64) -> f64 {
    let next = curve.x.partition_point(|at| *at < x);
    let (next, before) = (next.min(curve.x.len() - 1), next.saturating_sub(1));
    let (x0, x1) = (curve.x[before], curve.x[next]);
    let part = if x1 > x0 { (x - x0) / (x1 - x0) } else { 1.0 };
    curve.y[before] + part * (curve.y[next] - curve.y[before])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: u32, height: f64) -> FigureCurve {
        let x = (0..=points).map(|i| f64::from(i) / f64::from(points));
        let y: Vec<f64> = x.clone().map(|x| x + height).collect();
        FigureCurve::new("", x.collect::<Vec<f64>>(), y)
    }

    #[test]
    fn curves_coincide_whatever_their_points() {
        let curves = [line(10, 0.0), line(10, 1e-3), line(17, 0.0), line(17, 0.1)];
        let found = overlaps(&curves, 1.0);
        let on: Vec<usize> = found.iter().map(|overlap| overlap.on).collect();
        assert_eq!(on, [0, 1, 2, 0]);
        assert!(found[0].covered && !found[3].covered);
        // a shorter one is another one
        let mut short = line(17, 0.0);
        short.x.truncate(9);
        short.y.truncate(9);
        assert_eq!(overlaps(&[line(10, 0.0), short], 1.0)[1].on, 0);
    }
}
