//! The profile of a cam: a closed cubic spline in a plane.

/// Fewest points of a profile.
const FEWEST: usize = 4;
/// Sweeps over the equations of the spline: each halves the error, so that they are exact to double
/// precision.
const SWEEPS: usize = 60;
/// Places between two points at which the search for the nearest one begins.
const STARTS: usize = 4;
/// Steps of Newton's method to the nearest place, and the step at which it is found, in the parameter.
const NEWTON: usize = 30;
const FOUND: f64 = 1e-14;

/// Why points make no profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// Too few points.
    #[error("the profile has {0} points; it needs 4 or more")]
    TooFew(usize),
    /// Two neighbours (numbers from 1) are at the same place.
    #[error("points {0} and {1} of the profile are the same; it is closed without that")]
    Equal(usize, usize),
    /// Two sides (numbers from 1) cross.
    #[error("the profile crosses itself: the sides after points {0} and {1}")]
    Crosses(usize, usize),
}

/// A closed curve through points, twice continuously differentiable.
///
/// It is a cubic in each coordinate over the length of the chords. It runs counter-clockwise,
/// whatever the order of the points.
#[derive(Clone, Debug, PartialEq)]
pub struct CamProfile {
    points: Vec<[f64; 2]>,
    /// Second derivatives at the points.
    bends: Vec<[f64; 2]>,
    /// Lengths of the chords from each point to the next.
    chords: Vec<f64>,
}

/// A place of the curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct CamPlace {
    /// Signed distance of the point, m; positive outside.
    pub(super) distance: f64,
    /// Unit normal outwards.
    pub(super) normal: [f64; 2],
    /// Curvature, 1/m; positive where the cam is convex.
    pub(super) curvature: f64,
}

/// Value and derivatives by the parameter.
struct SplinePoint {
    c: [f64; 2],
    first: [f64; 2],
    second: [f64; 2],
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn wedge(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

impl CamProfile {
    /// The curve through points (m) in their order; the last one is joined to the first.
    ///
    /// # Errors
    /// [`ProfileError`] for fewer than four points, two equal neighbours, or sides that cross.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, ProfileError> {
        let mut points = points.to_vec();
        let n = points.len();
        if n < FEWEST {
            return Err(ProfileError::TooFew(n));
        }
        let side = |k: usize| [points[k], points[(k + 1) % n]];
        let length = |k: usize| dot_length(minus(side(k)[1], side(k)[0]));
        if let Some(k) = (0..n).find(|&k| length(k) <= 0.0) {
            return Err(ProfileError::Equal(k + 1, (k + 1) % n + 1));
        }
        for i in 0..n {
            for j in i + 2..n {
                if (i, j) != (0, n - 1) && cross(side(i), side(j)) {
                    return Err(ProfileError::Crosses(i + 1, j + 1));
                }
            }
        }
        let area: f64 = (0..n).map(|k| wedge(side(k)[0], side(k)[1])).sum();
        if area < 0.0 {
            points.reverse();
        }
        let chord = |k: usize| dot_length(minus(points[(k + 1) % n], points[k]));
        let chords: Vec<f64> = (0..n).map(chord).collect();
        let bends = bends(&points, &chords);
        Ok(Self {
            points,
            bends,
            chords,
        })
    }

    /// The smallest radius of a hollow, m; none of a convex profile.
    pub fn hollow(&self) -> Option<f64> {
        let all = self.starts().map(|(k, u)| curvature(&self.at(k, u)));
        let most = all.fold(0.0, f64::min);
        (most < 0.0).then(|| -1.0 / most)
    }

    /// Points along the curve, closed, for pictures.
    pub fn outline(&self) -> Vec<[f64; 2]> {
        let mut all: Vec<[f64; 2]> = self.starts().map(|(k, u)| self.at(k, u).c).collect();
        all.extend(all.first().copied());
        all
    }

    /// Piece and part of it.
    fn starts(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.points.len() * STARTS).map(|i| (i / STARTS, (i % STARTS) as f64 / STARTS as f64))
    }

    /// The place on piece `k` at the part `u` of it.
    fn at(&self, k: usize, u: f64) -> SplinePoint {
        let next = (k + 1) % self.points.len();
        let (h, v) = (self.chords[k], 1.0 - u);
        let (a, b) = (self.points[k], self.points[next]);
        let (p, q) = (self.bends[k], self.bends[next]);
        let each = |f: &dyn Fn(usize) -> f64| [f(0), f(1)];
        let sixth = h * h / 6.0;
        SplinePoint {
            c: each(&|i| {
                v * a[i] + u * b[i] + sixth * ((v * v * v - v) * p[i] + (u * u * u - u) * q[i])
            }),
            first: each(&|i| {
                (b[i] - a[i]) / h
                    + h / 6.0 * ((1.0 - 3.0 * v * v) * p[i] + (3.0 * u * u - 1.0) * q[i])
            }),
            second: each(&|i| v * p[i] + u * q[i]),
        }
    }

    /// The place that is nearest to a point.
    pub(super) fn nearest(&self, x: [f64; 2]) -> CamPlace {
        let n = self.points.len();
        let (mut k, mut u, mut least) = (0, 0.0, f64::INFINITY);
        for (piece, part) in self.starts() {
            let off = minus(x, self.at(piece, part).c);
            let square = dot(off, off);
            if square < least {
                (k, u, least) = (piece, part, square);
            }
        }
        let mut at = self.at(k, u);
        for _ in 0..NEWTON {
            let off = minus(x, at.c);
            // of ½ |x − c|²: slope and, where it is convex, curvature
            let slope = -dot(off, at.first);
            let speed = dot(at.first, at.first);
            let bend = speed - dot(off, at.second);
            let step = -slope / if bend > 0.1 * speed { bend } else { speed };
            let h = self.chords[k];
            u += (step / h).clamp(-0.5, 0.5);
            if u < 0.0 {
                k = (k + n - 1) % n;
                u = 1.0 + u * h / self.chords[k];
            } else if u > 1.0 {
                k = (k + 1) % n;
                u = (u - 1.0) * h / self.chords[k];
            }
            u = u.clamp(0.0, 1.0);
            at = self.at(k, u);
            if step.abs() <= FOUND * h {
                break;
            }
        }
        let size = dot_length(at.first);
        let normal = [at.first[1] / size, -at.first[0] / size];
        CamPlace {
            distance: dot(minus(x, at.c), normal),
            normal,
            curvature: curvature(&at),
        }
    }
}

fn curvature(at: &SplinePoint) -> f64 {
    let speed = dot(at.first, at.first);
    wedge(at.first, at.second) / (speed * speed.sqrt())
}

fn dot_length(a: [f64; 2]) -> f64 {
    a[0].hypot(a[1])
}

/// Whether two sides cross.
fn cross([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> bool {
    let apart = |from, to, x, y| {
        let side = |p| wedge(minus(to, from), minus(p, from));
        side(x) * side(y) < 0.0
    };
    apart(a, b, c, d) && apart(c, d, a, b)
}

/// Second derivatives of the closed spline: for every point
/// h₋ M₋ + 2 (h₋ + h) M + h M₊ = 6 ((p₊ − p)/h − (p − p₋)/h₋), by Gauss and Seidel.
fn bends(points: &[[f64; 2]], chords: &[f64]) -> Vec<[f64; 2]> {
    let n = points.len();
    let mut bends = vec![[0.0; 2]; n];
    for _ in 0..SWEEPS {
        for k in 0..n {
            let (before, next) = ((k + n - 1) % n, (k + 1) % n);
            let (low, high) = (chords[before], chords[k]);
            for i in 0..2 {
                let up = (points[next][i] - points[k][i]) / high;
                let down = (points[k][i] - points[before][i]) / low;
                let others = low * bends[before][i] + high * bends[next][i];
                bends[k][i] = (6.0 * (up - down) - others) / (2.0 * (low + high));
            }
        }
    }
    bends
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn circle(count: u32, radius: f64, centre: f64) -> Vec<[f64; 2]> {
        let at = |k| TAU * f64::from(k) / f64::from(count);
        let point = |k| [centre + radius * f64::cos(at(k)), radius * f64::sin(at(k))];
        (0..count).map(point).collect()
    }

    #[test]
    fn points_of_a_circle_give_a_circle() {
        let mut points = circle(48, 0.05, 0.02);
        for _ in 0..2 {
            let profile = CamProfile::new(&points).expect("sound");
            for x in [[0.1, 0.03], [-0.01, 0.04], [0.02, -0.2]] {
                let place = profile.nearest(x);
                let out = [x[0] - 0.02, x[1]];
                let distance = dot_length(out);
                // a cubic spline is off by h⁴/384 of the fourth derivative: 4e-8 m
                assert!((place.distance - (distance - 0.05)).abs() < 1e-7);
                let normal = minus(place.normal, out.map(|x| x / distance));
                assert!(dot_length(normal) < 1e-4);
                assert!((place.curvature * 0.05 - 1.0).abs() < 2e-3);
            }
            assert_eq!(profile.hollow(), None);
            // the other way round
            points.reverse();
        }
    }

    #[test]
    fn the_foot_is_nearest_on_a_cam_with_a_hollow() {
        let at = |k: u32| TAU * f64::from(k) / 60.0;
        let radius = |a: f64| 0.05 + 0.01 * (3.0 * a).cos();
        let points: Vec<[f64; 2]> = (0..60)
            .map(|k| [radius(at(k)) * at(k).cos(), radius(at(k)) * at(k).sin()])
            .collect();
        let profile = CamProfile::new(&points).expect("sound");
        assert!(profile.hollow().is_some());
        for x in [[0.08, 0.01], [-0.05, 0.05], [0.02, -0.06], [0.03, 0.03]] {
            let place = profile.nearest(x);
            let dense = (0..60).flat_map(|k| (0..2000).map(move |i| (k, f64::from(i) / 2000.0)));
            let all = dense.map(|(k, u)| dot_length(minus(x, profile.at(k, u).c)));
            let least = all.fold(f64::INFINITY, f64::min);
            // the samples are 2.6 um apart, and the place at least 0.5 mm off
            assert!((place.distance.abs() - least).abs() < 1e-7, "{x:?}");
        }
    }

    #[test]
    fn profiles_that_cannot_be_are_refused() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let refused = |points: &[[f64; 2]]| CamProfile::new(points).unwrap_err().to_string();
        assert!(refused(&square[..3]).contains("4 or more"));
        let closed = [&square[..], &square[..1]].concat();
        assert!(refused(&closed).contains("5 and 1 of the profile are the same"));
        let twisted = [square[0], square[2], square[1], square[3]];
        assert!(refused(&twisted).contains("points 1 and 3"));
    }
}
