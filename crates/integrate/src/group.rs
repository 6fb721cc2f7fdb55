//! Degrees of freedom that belong together, and rotation vectors among them.

use std::ops::Range;

/// Degrees of freedom whose errors are judged by their norm: the translations or the rotations of
/// one joint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DofGroup {
    /// The degrees of freedom.
    pub dofs: Range<usize>,
    /// Whether they are the three components of an angular velocity ω in fixed axes, whose integral
    /// is no rotation vector.
    pub turns: bool,
    /// How the fast modes of what they belong to are followed.
    pub fast_modes: FastModes,
}

/// How closely a motion about a place is followed that is too fast to move the place by more than
/// its tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FastModes {
    /// As everything else.
    Exact,
    /// To the whole tolerance of a velocity, of which each step else has a part only: a spring of friction
    /// rings without damping, and for ever.
    Ringing,
    /// As far as places show it: in an elastic structure a load that jumps wakes many modes
    /// that are of no interest.
    Structure,
}

impl DofGroup {
    /// The norm of the entries of the group.
    pub(crate) fn norm(&self, x: &[f64]) -> f64 {
        match &x[self.dofs.clone()] {
            [x] => x.abs(),
            all => all.iter().fold(0.0, |sum: f64, x| sum + x * x).sqrt(),
        }
    }

    /// The smallest of the entries of the group.
    pub(crate) fn least(&self, x: &[f64]) -> f64 {
        let own = x[self.dofs.clone()].iter();
        own.fold(f64::INFINITY, |least, x| least.min(*x))
    }

    /// The rotation vector or angular velocity in these places.
    pub(crate) fn vector(&self, x: &[f64]) -> [f64; 3] {
        let first = self.dofs.start;
        [x[first], x[first + 1], x[first + 2]]
    }

    /// Writes a vector into these places.
    pub(crate) fn write(&self, vector: [f64; 3], x: &mut [f64]) {
        x[self.dofs.clone()].copy_from_slice(&vector);
    }
}

/// a × b.
pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The rate of the rotation vector Θ of a turn exp(Θ) q under the angular velocity ω in fixed axes:
///
/// $$ \dot\Theta = \omega - \tfrac12\Theta\times\omega + k\,\Theta\times(\Theta\times\omega),
///    \qquad k = \frac{1 - \tfrac\theta2\cot\tfrac\theta2}{\theta^2} $$
pub(crate) fn rotation_rate(theta: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let square = theta.iter().fold(0.0, |sum, x| sum + x * x);
    let k = if square < 1e-4 {
        // the next term of the series is θ⁴/30240
        1.0 / 12.0 + square / 720.0
    } else {
        let half = 0.5 * square.sqrt();
        (1.0 - half / half.tan()) / square
    };
    let once = cross(theta, omega);
    let twice = cross(theta, once);
    std::array::from_fn(|i| omega[i] - 0.5 * once[i] + k * twice[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// d/dt exp(Θ(t)) = [ω] exp(Θ): rotating a vector by both ways agrees to the second order of a
    /// small time.
    #[test]
    fn the_rate_of_a_rotation_vector_makes_its_angular_velocity() {
        let turned = |theta: [f64; 3], x: [f64; 3]| {
            let angle = theta.iter().map(|x| x * x).sum::<f64>().sqrt();
            let axis = theta.map(|x| x / angle);
            let along = (0..3).map(|i| axis[i] * x[i]).sum::<f64>();
            let across = cross(axis, x);
            let (sin, cos) = angle.sin_cos();
            let out: [f64; 3] = std::array::from_fn(|i| {
                cos * x[i] + sin * across[i] + (1.0 - cos) * along * axis[i]
            });
            out
        };
        let (theta, omega, x) = ([0.4, -1.1, 0.7], [2.0, 0.3, -1.5], [0.2, 0.9, -0.5]);
        let h = 1e-5;
        let rate = rotation_rate(theta, omega);
        let moved = |s: f64| turned(std::array::from_fn(|i| theta[i] + s * rate[i]), x);
        let (before, after) = (moved(-h), moved(h));
        let expected = cross(omega, turned(theta, x));
        for i in 0..3 {
            let slope = (after[i] - before[i]) / (2.0 * h);
            // central difference: error h² of third derivatives of order 10
            assert!(
                (slope - expected[i]).abs() < 1e-8,
                "{slope} {}",
                expected[i]
            );
        }
    }
}
