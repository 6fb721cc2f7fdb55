//! Rotation vectors: logarithm, the map from spins to their rates, and its derivative.

use crate::frame::{Mat3, Vec3, cross};
use nalgebra::{Rotation3, UnitQuaternion};

/// Below this squared angle (0.2 rad) the series are exact to double precision.
const SMALL: f64 = 0.04;

/// Below this squared sine the series of the arc sine is exact to double precision.
const SMALL_SINE: f64 = 0.02;
/// Coefficients of asin(s)/s in powers of s²: (2k)!/(4^k (k!)² (2k + 1)), highest first.
const ARC_SINE: [f64; 10] = [
    12_155.0 / 1_245_184.0,
    6_435.0 / 557_056.0,
    143.0 / 10_240.0,
    231.0 / 13_312.0,
    63.0 / 2_816.0,
    35.0 / 1_152.0,
    5.0 / 112.0,
    3.0 / 40.0,
    1.0 / 6.0,
    1.0,
];

/// The rotation vector of a rotation, of length at most π: finite for every rotation.
pub(super) fn log(r: &Mat3) -> Vec3 {
    // half of the skew part is sin ϑ about the axis
    let sine = Vec3::new(
        r[(2, 1)] - r[(1, 2)],
        r[(0, 2)] - r[(2, 0)],
        r[(1, 0)] - r[(0, 1)],
    ) * 0.5;
    let squared = sine.norm_squared();
    if squared < SMALL_SINE && r.trace() > 1.0 {
        return sine * ARC_SINE.iter().fold(0.0, |sum, c| sum * squared + c);
    }
    let rotation = Rotation3::from_matrix_unchecked(*r);
    UnitQuaternion::from_rotation_matrix(&rotation).scaled_axis()
}

/// T⁻¹(ϑ) a.
pub(super) fn rate(theta: &Vec3, a: &Vec3) -> Vec3 {
    let across = theta.cross(a);
    a - across * 0.5 + theta.cross(&across) * curvature(theta.norm_squared()).0
}

/// T⁻¹(ϑ) with ϑ̇ = T⁻¹(ϑ) ω for Ṙ = ω̂ R, R = exp ϑ.
///
/// $$ \mathbf T^{-1} = \mathbf 1 - \tfrac12\hat\vartheta + \eta\,\hat\vartheta^2, \qquad
///    \eta = \frac{1 - (\vartheta/2)\cot(\vartheta/2)}{\vartheta^2} $$
pub(super) fn rate_map(theta: &Vec3) -> Mat3 {
    let hat = cross(theta);
    Mat3::identity() - hat * 0.5 + hat * hat * curvature(theta.norm_squared()).0
}

/// ∂(T⁻¹(ϑ) a)/∂ϑ at fixed a.
pub(super) fn rate_map_slope(theta: &Vec3, a: &Vec3) -> Mat3 {
    let (eta, mu) = curvature(theta.norm_squared());
    let twice = theta.cross(&theta.cross(a));
    // θ × (θ × a) = θ (θ·a) − a θ²
    let inner = Mat3::from_diagonal_element(theta.dot(a)) + theta * a.transpose()
        - a * theta.transpose() * 2.0;
    cross(a) * 0.5 + inner * eta + twice * theta.transpose() * mu
}

/// η of the squared angle, and (dη/dϑ)/ϑ.
fn curvature(squared: f64) -> (f64, f64) {
    let s = squared;
    if s < SMALL {
        let eta = 1.0 / 12.0 + s * (1.0 / 720.0 + s * (1.0 / 30_240.0 + s / 1_209_600.0));
        let mu = 1.0 / 360.0 + s * (1.0 / 7_560.0 + s * (1.0 / 201_600.0 + s / 5_987_520.0));
        return (eta, mu);
    }
    let angle = s.sqrt();
    let (sin, cos) = (0.5 * angle).sin_cos();
    let eta = (1.0 - 0.5 * angle * cos / sin) / s;
    let slope = 0.5 * cos / sin - 0.25 * angle / (sin * sin);
    (eta, -(slope / angle + 2.0 * eta) / s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Euler–Rodrigues through nalgebra: an implementation of its own.
    fn exp(theta: &Vec3) -> Mat3 {
        *Rotation3::new(*theta).matrix()
    }

    #[test]
    fn the_logarithm_inverts_the_exponential() {
        let axis = Vec3::new(0.48, -0.6, 0.64);
        for angle in [0.0, 1e-12, 1e-4, 0.3, 1.7, 3.0, PI - 1e-6] {
            let theta = axis * angle;
            // near π the sine of half the angle is flat: 1e-9 rad
            assert!((log(&exp(&theta)) - theta).norm() < 1e-9, "{angle}");
        }
        let half_turn = Mat3::from_diagonal(&Vec3::new(-1.0, -1.0, 1.0));
        assert!((log(&half_turn).norm() - PI).abs() < 1e-12);
    }

    #[test]
    fn rates_follow_spins() {
        // exp(ε ω) R: difference of the logarithm against the map, on both sides of the series
        let (axis, spin) = (Vec3::new(0.6, 0.0, -0.8), Vec3::new(0.3, -0.5, 0.7));
        for angle in [1e-6, 0.1, 0.199, 0.201, 1.0, 2.5, 3.0] {
            let theta = axis * angle;
            let e = 1e-5;
            let at = |e: f64| log(&(exp(&(spin * e)) * exp(&theta)));
            let difference = (at(e) - at(-e)) / (2.0 * e);
            // central differences: e² and rounding / e
            assert!(
                (rate_map(&theta) * spin - difference).norm() < 1e-8,
                "{angle}"
            );
            let direction = Vec3::new(-0.2, 0.9, 0.4);
            let map = |e: f64| rate_map(&(theta + direction * e)) * spin;
            let difference = (map(e) - map(-e)) / (2.0 * e);
            let slope = rate_map_slope(&theta, &spin) * direction;
            assert!((slope - difference).norm() < 1e-8, "{angle}");
        }
    }
}
