//! `lugre_anisotropic` against its ellipse.

use super::*;
use crate::curve::Shape;

#[test]
fn sliding_ends_on_the_ellipse() {
    let law = LuGreAnisotropic::new(LuGreAnisotropicParameters {
        bristle_stiffness: 1e4,
        bristle_damping: 10.0,
        viscous_coefficient: 0.0,
        transverse_ratio: 0.5,
        stribeck_velocity: 1e-3,
        stribeck_exponent: 2.0,
        stribeck: Shape::Exponential,
        kinetic_coefficient: 0.1,
        static_coefficient: 0.15,
    })
    .expect("admissible");
    // v = (0.4, 0.6) m/s, far beyond v_s: |Mv| = 0.5, F = N mu_k (0.4, 0.25 0.6)/0.5 = (0.8, 0.3) N
    let step = Step::constant(Slip::new([0.4, 0.6], 10.0), 1.0);
    let mut z = [0.0; 2];
    let f = law.update(&step, &[0.0; 2], &mut z);
    // rounding
    assert!((f[0] - 0.8).abs() < 1e-13 && (f[1] - 0.3).abs() < 1e-13);
    // on the ellipse (F_x/1 N)^2 + (F_y/0.5 N)^2 = 1
    let on = f[0] * f[0] + 4.0 * f[1] * f[1];
    assert!((on - 1.0).abs() < 1e-12);
}
