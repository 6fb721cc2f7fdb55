//! Cases that users of other tools reported in public, with the answers computed elsewhere.
//!
//! P1 is the set of Canudas de Wit et al. 1995 (forces), P2 the cube of Colantonio et al.
//! 2022, Table 2 (per unit of normal force). Numbers are printed with the digits they have.

#![allow(clippy::expect_used, reason = "a test says what fails by panicking")]

use bristle_laws::{Friction, Slip, Step, Topic, Value, Values};

fn numbers(list: &[(&str, f64)]) -> Values {
    let named = |&(name, x): &(&str, f64)| (name.to_owned(), Value::Number(x));
    list.iter().map(named).collect()
}

fn lugre_like(name: &str, scale: f64, mu_s: f64, v_s: f64, alpha: f64) -> Friction {
    let values = numbers(&[
        ("sigma_0", 1e4 * scale),
        ("sigma_1", 31.622_776_601_683_793 * scale),
        ("sigma_2", 0.04 * scale),
        ("v_s", v_s),
        ("alpha", alpha),
        ("mu_k", 0.1),
        ("mu_s", mu_s),
    ]);
    Friction::build(name, &values).expect("admissible")
}

/// P1 at N = 10 N: Fc = 1 N, Fs = 1.5 N.
fn p1() -> Friction {
    lugre_like("lugre_classical", 10.0, 0.15, 1e-3, 2.0)
}

fn p2() -> Friction {
    lugre_like("lugre", 1.0, 0.15, 1e-3, 2.0)
}

const N: f64 = 10.0;

fn force(law: &Friction, v: f64, z: f64) -> f64 {
    law.rates(&Slip::new([v], N), &[z], &mut [0.0])[0]
}

/// State and force after `steps` steps at constant speed.
fn after(law: &Friction, v: f64, z: f64, duration: f64, steps: usize) -> (f64, f64) {
    let (mut z, mut f) = ([z], 0.0);
    for _ in 0..steps {
        let old = z;
        f = law.update(&Step::constant(Slip::new([v], N), duration), &old, &mut z)[0];
    }
    (z[0], f)
}

#[track_caller]
fn near(value: f64, wanted: f64, tolerance: f64) {
    let error = (value - wanted).abs();
    assert!(
        error <= tolerance,
        "{value} instead of {wanted}, off by {error:e}"
    );
}

#[test]
fn c01_stiff_bristles_at_a_coarse_step() {
    let law = p1();
    let (z, f) = after(&law, 0.1, 0.0, 1e-3, 1);
    // exp(-10) in closed form: rounding only
    near(z, 9.999_546_000_702_376e-6, 1e-18);
    near(f, 1.041_390_271_906_848_6, 1e-12);
    near(force(&law, 0.1, 0.0), 31.662_776_601_683_795, 1e-12);
    // the steady state, also after steps that ruin explicit methods
    for duration in [1e-3, 1.0, 1e12] {
        let (z, f) = after(&law, 0.1, 0.0, duration, 20);
        near(z, 1e-5, 1e-17);
        near(f, 1.04, 1e-11);
    }
}

#[test]
fn c03_a_jump_of_the_speed_makes_constant_bristle_damping_push() {
    let law = p1();
    // five digits are printed
    near(force(&law, 0.02, 1.5e-5), -1.654_28, 1e-5);
    // the sign changes at 9.511e-3 m/s
    assert!(force(&law, 9.505e-3, 1.5e-5) > 0.0 && force(&law, 9.517e-3, 1.5e-5) < 0.0);
    // with sigma_1 that falls with the speed nothing pushes: sigma_1(20 v_s) = 0
    let mut values = law.to_values();
    values.push(("damping_velocity".to_owned(), Value::Number(1e-3)));
    let falling = Friction::build("lugre_classical", &values).expect("admissible");
    near(force(&falling, 0.02, 1.5e-5), 1.508, 1e-12);
    // sigma_2 would have to be 158.1: the user is told so
    let told = law.notices();
    assert!(
        told.iter()
            .any(|n| n.topic == Topic::Passivity && n.text.contains("158.1")),
        "{told:?}"
    );
}

#[test]
fn c05_no_stribeck_velocity_is_refused() {
    for name in ["lugre", "lugre_classical", "gkf"] {
        let card = Friction::card_of(name).expect("in the catalogue");
        let mut values = bristle_laws::friction::typical(card);
        for (parameter, value) in &mut values {
            if parameter == "stribeck_velocity" {
                *value = Value::Number(0.0);
            }
        }
        let error = Friction::build(name, &values).expect_err("v_s = 0");
        assert_eq!(error.parameter(), Some("stribeck_velocity"));
    }
}

#[test]
fn c06_the_magnitude_is_taken_before_the_power() {
    let law = lugre_like("lugre_classical", 10.0, 0.15, 1e-3, 0.5);
    for v in [0.01, -0.01] {
        let (_, f) = after(&law, v, 0.0, 1.0, 2);
        // printed with seven digits; sigma_2 |v| = 0.004
        near(f, v.signum() * 1.025_165, 1e-6);
    }
    let law = p1();
    assert_eq!(law.steady(1e200, N), Some(4e199));
    // also along steps: on the level at once, the bristle at rest but for rounding
    let (z, f) = after(&law, 1e200, 0.0, 1e-3, 3);
    near(z, 1e-5, 1e-19);
    near(f / 4e199, 1.0, 1e-11);
    near(
        law.steady(1e-3, N).unwrap_or(f64::NAN),
        1.183_940 + 0.4e-3,
        1e-6,
    );
    // mu_s N, a product
    near(law.steady(0.0, N).unwrap_or(f64::NAN), 1.5, 1e-15);
}

#[test]
fn c08_the_stribeck_term_has_the_sign_of_the_speed() {
    let law = lugre_like("lugre_classical", 10.0, 0.15, 1e-3, 2.0);
    let mut values = law.to_values();
    for (name, value) in &mut values {
        match name.as_str() {
            "kinetic_coefficient" => *value = Value::Number(0.2),
            "static_coefficient" => *value = Value::Number(0.3),
            "stribeck_velocity" => *value = Value::Number(0.01),
            "viscous_coefficient" => *value = Value::Number(5.0),
            _ => {}
        }
    }
    let law = Friction::build("lugre_classical", &values).expect("admissible");
    for v in [0.005, -0.005] {
        let (_, f) = after(&law, v, 0.0, 1.0, 2);
        // printed with seven digits
        near(f, v.signum() * 2.803_801, 1e-6);
    }
}

#[test]
fn c10_friction_on_the_diagonal() {
    let slip = Slip::new([0.01 * 0.5_f64.sqrt(); 2], N);
    let mut z = [0.0; 2];
    let f = p2().update(&Step::constant(slip, 10.0), &[0.0; 2], &mut z);
    // printed with six digits; an axis-by-axis law gives 1.41821 together
    near(f[0], 0.709_935, 1e-6);
    near(f[1], 0.709_935, 1e-6);
    near(f[0].hypot(f[1]), 1.004, 1e-12);
}

#[test]
fn c13_regularised_laws_creep_and_say_so() {
    let values = numbers(&[("mu_k", 0.1), ("mu_s", 0.1), ("v_s", 1e-3), ("v_r", 1e-3)]);
    let law = Friction::build("gkf", &values).expect("admissible");
    // 5 N of 10 N are met at half the regularisation speed
    near(
        law.rates(&Slip::new([5e-4], 100.0), &[], &mut [])[0],
        5.0,
        1e-14,
    );
    assert!(law.notices().iter().any(|n| n.topic == Topic::Creep));
}

#[test]
fn c15_the_load_drops_in_stick() {
    // 0.75 N are held by z = 0.75/(N sigma_0) = 7.5e-6 m; products of given numbers: rounding only
    let (rest, z) = (Slip::new([0.0], 10.0), [7.5e-6]);
    let dropped = Slip::new([0.0], 1.0);
    for (law, kept) in [(p2(), 0.075), (p1(), 0.75)] {
        near(law.rates(&rest, &z, &mut [0.0])[0], 0.75, 1e-15);
        near(law.rates(&dropped, &z, &mut [0.0])[0], kept, 1e-15);
        let mut new = [0.0];
        let step = Step {
            mean: dropped,
            end: dropped,
            duration: 1e-3,
        };
        near(law.update(&step, &z, &mut new)[0], kept, 1e-15);
        near(new[0], 7.5e-6, 0.0);
    }
}

#[test]
fn c49_a_held_part_stays_held() {
    let law = p1();
    let (z, f) = after(&law, 0.0, 5e-6, 1e-3, 10);
    // v is exactly zero: nothing moves
    near(z, 5e-6, 0.0);
    near(f, 0.5, 1e-15);
    let (z, f) = after(&law, 1e-7, 5e-6, 1e-3, 10);
    // printed with seven digits
    near(z, 5.000_667e-6, 5e-13);
    near(f, 0.500_088, 1e-6);
}

#[test]
fn c07_the_static_level_is_the_one_at_rest() {
    // mu_s 0.3, mu_k 0.2, c = 10 s/m: every law with the exponential curve
    let mut seen = 0;
    for card in Friction::CARDS {
        if !card.parameters.iter().any(|p| p.name == "stribeck") || card.name == "gms" {
            continue;
        }
        let mut values = bristle_laws::friction::typical(card);
        for (name, value) in &mut values {
            match name.as_str() {
                "static_coefficient" => *value = Value::Number(0.3),
                "kinetic_coefficient" => *value = Value::Number(0.2),
                "stribeck_velocity" => *value = Value::Number(0.1),
                "stribeck_exponent" => *value = Value::Number(1.0),
                "viscous_coefficient" => *value = Value::Number(0.0),
                "element_limits" => *value = Value::List(vec![0.1; 4]),
                // thin, so that the curve starts at rest
                "regularisation_velocity" | "stiction_velocity" => *value = Value::Number(1e-9),
                "transition_rate" => *value = Value::Number(1e11),
                _ => {}
            }
        }
        let law = Friction::build(card.name, &values).expect("admissible");
        // printed with six digits; the thin zone shifts by 1e-9/0.1
        for (v, mu) in [(2e-9, 0.3), (0.1, 0.236_788), (1.0, 0.200_005)] {
            near(law.steady(v, 1.0).unwrap_or(f64::NAN), mu, 6e-7);
        }
        seen += 1;
    }
    assert!(seen >= 5);
}

#[test]
fn c09_the_law_takes_the_speed_and_not_its_components() {
    // mu 0.5, N 10, tanh(10 |v|), v = (0.03, 0.04): printed with seven digits
    let law = Friction::build("coulomb_tanh", &numbers(&[("mu_k", 0.5), ("v_r", 0.1)]));
    let slip = Slip::new([0.03, 0.04], N);
    let f = law.expect("admissible").rates(&slip, &[], &mut []);
    near(f[0], 1.386_351, 1e-6);
    near(f[1], 1.848_469, 1e-6);
}

#[test]
fn c27_one_name_one_curve() {
    // at half the width: linear 0.15 of 0.3; with mu_s 0.5: the quintic of the codes runs from
    // -v_s to v_s, r = 3/4, 0.5 (2 x 0.896484 - 1), exact in binary: rounding only
    let values = numbers(&[("mu_k", 0.3), ("v_r", 1.0)]);
    let linear = Friction::build("coulomb_linear", &values).expect("admissible");
    near(linear.steady(0.5, 1.0).unwrap_or(f64::NAN), 0.15, 1e-15);
    for name in ["adams_regularised", "recurdyn_regularised"] {
        let values = numbers(&[("mu_s", 0.5), ("mu_k", 0.3), ("v_s", 1.0), ("v_d", 3.0)]);
        let law = Friction::build(name, &values).expect("admissible");
        for (s, mu) in [(0.5, 0.396_484_375), (1.0, 0.5), (2.0, 0.4), (3.0, 0.3)] {
            near(law.steady(s, 1.0).unwrap_or(f64::NAN), mu, 1e-15);
        }
    }
}

#[test]
fn c33_every_parameter_changes_the_force_by_its_share() {
    // P1 at v_s/2: dF/dFc 0.221199, dF/dFs 0.778801, dF/dv_s 194.7002, dF/dsigma_2 5e-4
    let steady = |name: &str, by: f64| {
        let mut values = p1().to_values();
        for (n, value) in &mut values {
            if let Value::Number(x) = value
                && n == name
            {
                *x += by;
            }
        }
        let law = Friction::build("lugre_classical", &values).expect("admissible");
        law.steady(0.5e-3, N).unwrap_or(f64::NAN)
    };
    for (name, step, derivative) in [
        // levels of 10 N: forces are ten times the coefficients
        ("kinetic_coefficient", 1e-5, 2.211_99),
        ("static_coefficient", 1e-5, 7.788_01),
        ("stribeck_velocity", 1e-8, 194.700_2),
        ("viscous_coefficient", 1e-3, 5e-4),
    ] {
        let slope = (steady(name, step) - steady(name, -step)) / (2.0 * step);
        // printed with six digits; rounding 1e-16/1e-8 and curvature
        assert!((slope / derivative - 1.0).abs() < 1e-5, "{name}: {slope}");
    }
}

#[test]
fn c39_levels_that_are_missing_or_the_wrong_way_round() {
    for card in Friction::CARDS {
        let has = |name: &str| card.parameters.iter().any(|p| p.name == name);
        if !(has("static_coefficient") && has("kinetic_coefficient")) {
            continue;
        }
        let mut values = bristle_laws::friction::typical(card);
        values.retain(|(name, _)| name != "static_coefficient");
        let law = Friction::build(card.name, &values).expect("the kinetic level stands in");
        let level = |wanted: &str| {
            law.to_values()
                .into_iter()
                .find_map(|(name, value)| match value {
                    Value::Number(x) if name == wanted => Some(x),
                    _ => None,
                })
        };
        assert_eq!(
            level("static_coefficient"),
            level("kinetic_coefficient"),
            "{}",
            card.name
        );
        values.push(("static_coefficient".to_owned(), Value::Number(0.05)));
        let error = Friction::build(card.name, &values).expect_err("below the kinetic level");
        assert_eq!(
            error.parameter(),
            Some("static_coefficient"),
            "{}",
            card.name
        );
    }
}
