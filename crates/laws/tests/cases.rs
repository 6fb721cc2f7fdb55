//! Cases that users of other tools reported in public, with the answers computed elsewhere.
//!
//! P1 is the set of Canudas de Wit et al. 1995 (forces), P2 the cube of Colantonio et al.
//! 2022, Table 2 (per unit of normal force). Numbers are printed with the digits they have.

#![allow(clippy::expect_used, reason = "a test says what fails by panicking")]

use bristle_laws::{Friction, Slip, Step, Value, Values};

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
            .any(|n| n.topic == "passivity" && n.text.contains("158.1")),
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
    near(
        law.steady(1e-3, N).unwrap_or(f64::NAN),
        1.183_940 + 0.4e-3,
        1e-6,
    );
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
    assert!(law.notices().iter().any(|n| n.topic == "creep"));
}

#[test]
fn c15_the_load_drops_in_stick() {
    // 0.75 N are held by z = 0.75/(N sigma_0) = 7.5e-6 m
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
