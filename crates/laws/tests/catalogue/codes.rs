//! The laws of the multibody codes, Karnopp's and Gonthier's.

use crate::rig::{Rig, build, build_typical, close};
use bristle_laws::friction::typical;
use bristle_laws::{Friction, Slip, Value};

#[test]
fn regularised_curves_of_the_codes() {
    // mu at the corners, and where 0.8 mu_s is met: 0.506727 (STEP5) and 0.590334 (sine) of v_s
    let set = [
        ("static_coefficient", 0.5),
        ("kinetic_coefficient", 0.3),
        ("stiction_velocity", 1e-4),
        ("dynamic_velocity", 3e-4),
    ];
    for (name, at) in [
        ("adams_regularised", 0.506_727),
        ("recurdyn_regularised", 0.506_727),
        ("simpack_regularised", 0.590_334),
    ] {
        let law = build(name, &set);
        let mu = |s: f64| law.rates(&Slip::new([1e-4 * s], 1.0), &[], &mut [])[0];
        for (s, expected) in [(1.0, 0.5), (2.0, 0.4), (3.0, 0.3), (1e9, 0.3), (0.0, 0.0)] {
            // exact fractions: rounding only
            close(mu(s), expected, 1e-14);
        }
        // the reference has six digits; the slope of mu is about 0.6 there
        close(mu(at), 0.4, 1e-6);
        close(mu(-at), -0.4, 1e-6);
    }
    // v_d is 1.5 v_s if left out
    let law = build(
        "adams_regularised",
        &[("mu_s", 0.5), ("mu_k", 0.3), ("v_s", 1e-4)],
    );
    close(law.steady(1.5e-4, 10.0).unwrap_or_default(), 3.0, 1e-14);
}

#[test]
fn stick_zone_of_adams_and_recurdyn() {
    let (mut adams, mut recurdyn) = (
        Rig::<1>::new(build_typical("adams_stick_slip")),
        Rig::<1>::new(build_typical("recurdyn_stick_slip")),
    );
    // 0.506727 x_s carries 0.8 mu_s N at rest: published deflection 5.07 um for x_s 10 um
    for rig in [&mut adams, &mut recurdyn] {
        rig.slide([1e-6], 10.0, 5.067_27, 7);
        // six digits of the reference
        close(rig.slide([0.0], 10.0, 1.0, 1)[0], 0.8 * 1.5, 1e-5);
        // a slow slide winds x up to x_s and no further
        rig.slide([1e-5], 10.0, 100.0, 3);
        close(rig.state[0], 1e-5, 1e-20);
        close(rig.slide([0.0], 10.0, 1.0, 1)[0], 1.5, 1e-14);
        // and it is forgotten in sliding
        close(rig.slide([1e-2], 10.0, 1.0, 1)[0], 1.0, 1e-14);
        assert!(rig.state[0] == 0.0);
    }
}

#[test]
fn karnopp_holds_the_applied_force() {
    // levels 1 and 0.5 N; case C26: 0.3 N is held, 1.2 N is not
    let law = build(
        "karnopp",
        &[
            ("static_coefficient", 0.1),
            ("kinetic_coefficient", 0.05),
            ("stribeck_velocity", 1e-3),
            ("stiction_velocity", 1e-4),
            ("viscous_coefficient", 2.0),
        ],
    );
    let force = |v: f64, applied: f64| {
        let mut slip = Slip::new([v], 10.0);
        slip.applied = [applied];
        law.rates(&slip, &[], &mut [])[0]
    };
    close(force(0.0, 0.3), 0.3, 0.0);
    close(force(1e-4, -0.3), -0.3, 0.0);
    close(force(0.0, 1.2), 1.0, 1e-15);
    close(force(0.0, 0.0), 0.0, 0.0);
    // outside: N (g + sigma_2 v), g(v_s) = mu_k + (mu_s - mu_k)/e
    let expected = 10.0 * (0.05 + 0.05 * (-1.0_f64).exp() + 2e-3);
    close(force(1e-3, 99.0), expected, 1e-14);
}

#[test]
fn gonthier_strengthens_with_the_dwell() {
    let mut rig = Rig::<1>::new(build_typical("gonthier"));
    rig.slide([0.05], 10.0, 1.0, 3);
    close(rig.state[1], 0.0, 1e-15);
    rig.slide([0.0], 10.0, 0.5, 4);
    // one time constant of 0.5 s at rest
    close(rig.state[1], 1.0 - (-1.0_f64).exp(), 1e-12);
    // steady force at v_s: z at its limit, mu_k + min(sigma_1 v s/(1 - s), (mu_s - mu_k) s)
    let s = (-1.0_f64).exp();
    let expected = 0.1 + (31.6228e-3 * s / (1.0 - s)).min(0.05 * s) + 0.04e-3;
    close(rig.slide([1e-3], 10.0, 10.0, 3)[0], 10.0 * expected, 1e-12);
}

#[test]
fn simpack_switches() {
    for (preloaded, kept) in [(false, 0.0), (true, 1.0)] {
        let card = Friction::card_of("simpack_stick_slip").expect("a law of the catalogue");
        let mut values = typical(card);
        for value in &mut values {
            if value.0 == "preloaded" {
                value.1 = Value::Flag(preloaded);
            }
        }
        let law = Friction::build("simpack_stick_slip", &values).expect("admissible parameters");
        let mut rig = Rig::<1>::new(law);
        // 14 um in stick: c_f x + d_f v, then 2 um more: released at 15 um
        let force = rig.move_by(14e-6, 10.0, 3);
        close(force, 1.4 + 0.316_228, 1e-12);
        close(rig.move_by(2e-6, 10.0, 1), 1.0, 1e-15);
        // back to stick at v = 0, unloaded or at the kinetic level
        close(rig.slide([0.0], 10.0, 1.0, 1)[0], kept, 1e-12);
        // a load that falls away releases
        rig.move_by(3e-6, 10.0, 1);
        assert!(rig.slide([0.0], 1.0, 1.0, 1)[0] <= 0.1 + 1e-15 && rig.state[2] > 0.5);
    }
}
