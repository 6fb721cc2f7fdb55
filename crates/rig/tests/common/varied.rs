//! A motion that sticks, reverses, slides, turns and is unloaded, scaled by the law.

use super::between;
use bristle_laws::Friction;
use bristle_rig::Sample;

/// Knots: time and speeds in units of the law, normal force in units of 10 N.
const KNOTS: [(f64, f64, f64, f64); 16] = [
    (0.0, 0.0, 0.0, 1.0),
    (1.0, 0.02, 0.01, 1.0),
    (2.0, 0.02, 0.03, 0.9),
    (3.0, -0.04, 0.02, 1.0),
    (4.0, 0.3, -0.1, 1.0),
    (5.0, 1.4, 0.2, 1.2),
    (6.0, 0.7, 0.8, 1.2),
    (7.0, 3.0, 0.5, 1.0),
    (8.0, -2.0, 1.5, 1.0),
    (9.0, -0.5, -0.4, 0.6),
    (10.0, 0.0, 0.0, 0.6),
    (11.0, 0.0, 0.0, 0.5),
    (12.0, -0.6, 0.3, 0.7),
    (13.0, 0.6, -0.3, 0.7),
    (14.0, 30.0, 5.0, 0.7),
    (15.0, -0.01, 0.1, 1.0),
];

fn scales(law: &Friction) -> (f64, f64) {
    let speed = law.slip_speed();
    let length = law.breakaway_deflection(10.0).unwrap_or(1e-5);
    (speed, 2.0 * length / speed)
}

/// The motion in `D` dimensions.
pub(crate) fn motion<const D: usize>(law: &Friction) -> Vec<Sample<D>> {
    let (speed, time) = scales(law);
    let knot = |&(t, x, y, n): &(f64, f64, f64, f64)| {
        let components = [x, y, 0.5 * x - 0.25 * y];
        Sample {
            t: t * time,
            velocity: std::array::from_fn(|i| speed * components[i]),
            normal_force: 10.0 * n,
            applied: [0.4; D],
        }
    };
    KNOTS.iter().map(knot).collect()
}

/// The largest difference over the largest force.
pub(crate) fn misfit<const D: usize>(a: &[[f64; D]], b: &[[f64; D]]) -> f64 {
    let largest = b.iter().flatten().fold(0.0_f64, |m, f| m.max(f.abs()));
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / largest
}

/// The motion with knots where the first component passes zero.
pub(crate) fn with_rest_knots(motion: &[Sample<1>]) -> Vec<Sample<1>> {
    let mut knots = vec![motion[0]];
    for pair in motion.windows(2) {
        let (a, b) = (pair[0].velocity[0], pair[1].velocity[0]);
        if a * b < 0.0 {
            let mut rest = between(&pair[0], &pair[1], a / (a - b));
            rest.velocity = [0.0];
            knots.push(rest);
        }
        knots.push(pair[1]);
    }
    knots
}
