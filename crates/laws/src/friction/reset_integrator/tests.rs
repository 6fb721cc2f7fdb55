//! `reset_integrator` against results by hand.

use super::*;

#[test]
fn drops_as_it_breaks_away_and_rises_as_it_turns() {
    let law = ResetIntegrator::new(ResetIntegratorParameters {
        bristle_stiffness: 1e4,
        bristle_damping: 0.0,
        static_coefficient: 0.15,
        kinetic_coefficient: 0.1,
    })
    .expect("admissible");
    // z_0 = 10 um at 10 N: 1.5e4 z below it, 1 N at it, by hand
    let mut state = [0.0; 3];
    for (d, wanted) in [
        (9e-6, 1.35),
        (2e-6, 1.0),
        (5e-6, 1.0),
        (-1e-6, 1.35),
        (-9e-6, 0.0),
    ] {
        let old = state;
        let slip = Slip::new([f64::signum(d)], 10.0);
        let [f] = law.update(&Step::constant(slip, f64::abs(d)), &old, &mut state);
        // rounding of lengths
        assert!((f - wanted).abs() < 1e-13, "{d}: {f}");
    }
}
