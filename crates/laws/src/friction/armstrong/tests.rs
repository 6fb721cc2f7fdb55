//! `armstrong` against results by hand.

use super::*;

#[test]
fn stiction_comes_back_with_the_time_at_rest() {
    let law = Armstrong {
        stick_stiffness: 1e4,
        kinetic_coefficient: 0.1,
        stribeck_excess: 0.05,
        stribeck_velocity: 1e-3,
        viscous_coefficient: 0.0,
        memory_time: 1e-6,
        dwell_time: 0.2,
    };
    // a slide at 2 v_s keeps a fifth of the excess: 0.01; the spring then carries 1.1 N of 10 N
    let step = |v: f64, h: f64| Step::constant(Slip::new([v], 10.0), h);
    let (mut old, mut new) = ([0.0; 6], [0.0; 6]);
    law.start(&Slip::new([2e-3], 10.0), &mut old);
    let [f] = law.update(&step(2e-3, 1.0), &old, &mut new);
    assert!((f - 1.1).abs() < 1e-12);
    // after 0.2 s at rest half of what was lost is back: 0.01 + 0.04/2
    let [f] = law.update(&step(0.0, 0.2), &new, &mut old);
    assert!((f - 1.1).abs() < 1e-12);
    let level = law.risen(&ArmstrongState::<f64, 1>::at(&old));
    assert!((level - 0.03).abs() < 1e-12);
    // it breaks away at 1.3 N: 1.9 um more hold, 2.1 um more do not
    let mode = |d: f64| {
        let mut new = [0.0; 6];
        law.update(&step(d / 1e-9, 1e-9), &old, &mut new);
        new[2]
    };
    assert!(mode(1.9e-6) < 0.5 && mode(2.1e-6) > 0.5);
}
