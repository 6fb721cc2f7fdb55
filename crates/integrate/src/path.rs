//! Polynomials within a step.

/// A displacement at both ends of a step of length `h`, s: 0 at its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathEnds {
    pub(crate) h: f64,
    pub(crate) displacement: f64,
    pub(crate) velocities: [f64; 2],
    pub(crate) accelerations: [f64; 2],
}

/// A point of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PolynomialPoint {
    pub(crate) displacement: f64,
    pub(crate) velocity: f64,
    pub(crate) acceleration: f64,
}

/// Accelerations at the ends bend a path by at most this part of its size; those of a mode that
/// rings through the step say nothing of it.
const BEND: f64 = 0.5;

impl PathEnds {
    /// Whether the accelerations at the ends go with the places and velocities.
    pub(crate) fn is_smooth(&self) -> bool {
        let Self {
            h,
            displacement,
            velocities: [v0, v1],
            accelerations: [a0, a1],
        } = *self;
        let (c2, c3) = self.bends();
        let differences = [h * h * a0 - 2.0 * c2, h * h * a1 - 2.0 * c2 - 6.0 * c3];
        let size = displacement.abs() + h * (v0.abs() + v1.abs());
        differences.iter().all(|x| x.abs() <= BEND * size)
    }

    /// Factors of s² and s³ of the cubic.
    fn bends(&self) -> (f64, f64) {
        let Self {
            h,
            displacement: d,
            velocities: [v0, v1],
            ..
        } = *self;
        (3.0 * d - h * (2.0 * v0 + v1), h * (v0 + v1) - 2.0 * d)
    }

    /// At the part s of the step: cubic, with linear accelerations.
    pub(crate) fn cubic(&self, s: f64) -> PolynomialPoint {
        let Self {
            h,
            velocities: [v0, _],
            accelerations: [a0, a1],
            ..
        } = *self;
        let (c2, c3) = self.bends();
        PolynomialPoint {
            displacement: s * (h * v0 + s * (c2 + s * c3)),
            velocity: v0 + s * (2.0 * c2 + s * 3.0 * c3) / h,
            acceleration: a0 + s * (a1 - a0),
        }
    }

    /// At the part s of the step: the quintic through accelerations too.
    pub(crate) fn quintic(&self, s: f64) -> PolynomialPoint {
        let Self {
            h,
            displacement,
            velocities: [v0, v1],
            accelerations: [a0, a1],
        } = *self;
        let (first, second) = (h * v0, 0.5 * h * h * a0);
        // what is left at the end of place, slope and bend
        let place = displacement - first - second;
        let slope = h * v1 - first - 2.0 * second;
        let bend = h * h * a1 - 2.0 * second;
        let c3 = 10.0 * place - 4.0 * slope + 0.5 * bend;
        let c4 = -15.0 * place + 7.0 * slope - bend;
        let c5 = 6.0 * place - 3.0 * slope + 0.5 * bend;
        PolynomialPoint {
            displacement: s * (first + s * (second + s * (c3 + s * (c4 + s * c5)))),
            velocity: (first + s * (2.0 * second + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5))))
                / h,
            acceleration: (2.0 * second + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5)))
                / (h * h),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_their_degree_are_exact() {
        // x = t - 2 t² + 3 t³ - t⁴ + 0.5 t⁵ from 0 to h
        let x = |t: f64| t - 2.0 * t.powi(2) + 3.0 * t.powi(3) - t.powi(4) + 0.5 * t.powi(5);
        let v = |t: f64| 1.0 - 4.0 * t + 9.0 * t.powi(2) - 4.0 * t.powi(3) + 2.5 * t.powi(4);
        let a = |t: f64| -4.0 + 18.0 * t - 12.0 * t.powi(2) + 10.0 * t.powi(3);
        let h = 0.7;
        let ends = PathEnds {
            h,
            displacement: x(h),
            velocities: [v(0.0), v(h)],
            accelerations: [a(0.0), a(h)],
        };
        for s in [0.0, 0.3, 0.8, 1.0] {
            let at = ends.quintic(s);
            let t = s * h;
            assert!((at.displacement - x(t)).abs() < 1e-14);
            assert!((at.velocity - v(t)).abs() < 1e-13);
            assert!((at.acceleration - a(t)).abs() < 1e-12);
        }
    }
}
