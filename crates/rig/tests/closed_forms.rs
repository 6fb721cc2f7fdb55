//! Motions whose answer is known.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by a panic")]

mod common;

use bristle_rig::{DriveError, Driver, Sample};
use common::{canudas, colantonio, drive, forces, law, sample, samples};
use std::f64::consts::{FRAC_PI_4, TAU};

/// Two samples per displacement: the speed rises to a peak and falls to rest.
fn strokes(normal_force: f64, displacements: &[f64]) -> Vec<Sample<1>> {
    let mut points = vec![(0.0, 0.0)];
    for (i, d) in displacements.iter().enumerate() {
        // a triangle of one second
        points.push((i as f64 + 0.5, 2.0 * d));
        points.push((i as f64 + 1.0, 0.0));
    }
    samples(normal_force, &points)
}

/// Forces at the ends of the strokes.
fn at_ends(forces: &[f64]) -> Vec<f64> {
    forces.iter().copied().step_by(2).collect()
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!(
        (a - b).abs() <= tolerance,
        "{a} is not {b} within {tolerance}"
    );
}

#[test]
fn frictional_lag() {
    // SciPy at tight tolerances: v = 1e-3 (1.5 + cos wt), force at 1.5e-3 m/s rising and falling
    for (w, rising, falling) in [
        (1.0, 1.053_923, 1.052_703),
        (10.0, 1.061_088, 1.048_307),
        (25.0, 1.079_564, 1.043_470),
    ] {
        let count = 2000;
        let point = |i: usize| {
            let angle = TAU * i as f64 / f64::from(count);
            (angle / w, 1e-3 * (1.5 + angle.cos()))
        };
        let points: Vec<_> = (0..=4000).map(point).collect();
        let f = forces(&canudas(), &samples(10.0, &points));
        // the last digit printed, and the chords of 2000 samples per period
        close(f[2500], falling, 2e-6);
        close(f[3500], rising, 2e-6);
    }
}

#[test]
fn c42_a_gear_forwards_and_driven_back() {
    let gear = law("gear", &[("mu_a", 0.1), ("mu_d", 0.03), ("h", 1e-3)]);
    let point = |t: f64, v: f64, fe: f64| Sample {
        applied: [fe],
        ..sample(t, [v], 20.0)
    };
    let motion = [
        point(0.0, 0.0, 20.0),
        point(1.0, 1.0, 20.0),
        point(2.0, -1.0, 20.0),
        point(3.0, -1.0, 20.0),
        point(4.0, -1.0, -20.0),
    ];
    let f = forces(&gear, &motion);
    // at rest; then after hundreds of lengths h: rounding
    for (f, wanted) in f.iter().zip([0.0, 2.6, -1.4, -1.4, -2.6]) {
        close(*f, wanted, 1e-13);
    }
}

#[test]
fn elastic_plastic_element() {
    let jenkins = law("jenkins", &[("k_t", 1e6), ("mu_k", 0.1)]);
    let motion = strokes(10.0, &[5e-6, -1.5e-6]);
    let f = at_ends(&forces(&jenkins, &motion));
    // closed form: rounding, and the location of the switch to rounding
    close(f[1], 1.0, 1e-9);
    close(f[2], -0.5, 1e-9);
}

#[test]
fn jenkins_path() {
    let (k, limit, u) = (2.0, 3.0, 5.0);
    let jenkins = law("jenkins", &[("k_t", k), ("mu_k", 0.3)]);
    let places = [
        0.0,
        u,
        u - limit / k,
        u - 2.0 * limit / k,
        -u,
        -u + limit / k,
        -u + 2.0 * limit / k,
        u,
    ];
    let steps: Vec<f64> = places.windows(2).map(|w| w[1] - w[0]).collect();
    let f = at_ends(&forces(&jenkins, &strokes(10.0, &steps)));
    for (f, expected) in f.iter().zip([0.0, 3.0, 0.0, -3.0, -3.0, 0.0, 3.0, 3.0]) {
        // closed form: rounding, and the location of the switch to rounding
        close(*f, expected, 1e-8);
    }
}

#[test]
fn dahl_loop() {
    let dahl = law("dahl", &[("sigma_0", 1e3), ("mu_k", 0.2)]);
    let half = 2.0 * 2e-4 * 2.0_f64.ln() / 2.0;
    // from rest half the limit at 1.386294e-4 m
    let f = at_ends(&forces(&dahl, &strokes(10.0, &[half])));
    close(half, 1.386_294e-4, 1e-10);
    close(f[1], 1.0, 1e-9);
    // a loop of ±1 mm, closed after two cycles: at the turn, and half way
    let mut steps = vec![1e-3];
    steps.extend([-1e-3, -1e-3, 1e-3, 1e-3].repeat(3));
    let motion = strokes(10.0, &steps);
    let f = at_ends(&forces(&dahl, &motion));
    // the digits printed
    close(f[13], 1.999_818, 5e-7);
    close(f[12], 1.973_049, 5e-7);
    // the work over the last cycle, by the trapezium rule on fine samples
    let mut driver = Driver::new(&dahl, &motion[0], 1e-8);
    let mut work = 0.0;
    let count = 1000;
    for (i, pair) in motion.windows(2).enumerate() {
        for j in 0..count {
            let (f0, v0) = (driver.force()[0], driver.last().velocity[0]);
            let dt = driver.last().t;
            let to = common::between(&pair[0], &pair[1], f64::from(j + 1) / f64::from(count));
            let [f1] = driver.advance(&to).unwrap();
            if i >= 18 {
                work += 0.5 * (f0 * v0 + f1 * to.velocity[0]) * (to.t - dt);
            }
        }
    }
    // the trapezium rule with 8000 points over the cycle
    close(work, 6.400_145e-3, 2e-8);
}

#[test]
fn friction_is_along_the_velocity() {
    let tanh = law("coulomb_tanh", &[("mu_k", 0.5), ("v_r", 0.1)]);
    let motion = [
        sample(0.0, [0.0, 0.0], 10.0),
        sample(1.0, [0.03, 0.04], 10.0),
    ];
    let [x, y] = drive(&tanh, &motion, 1e-8).unwrap()[1];
    // 5 N tanh(0.5), shared 3 to 4; digits printed
    close(x, 1.386_351, 5e-7);
    close(y, 1.848_469, 5e-7);
}

#[test]
fn sliding_has_one_size_in_every_direction() {
    let lugre = colantonio();
    let mut sizes = Vec::new();
    for i in 0..7 {
        let angle = FRAC_PI_4 / 3.0 * f64::from(i);
        let v = [0.01 * angle.cos(), 0.01 * angle.sin()];
        let motion = [sample(0.0, v, 10.0), sample(1.0, v, 10.0)];
        let [x, y] = drive(&lugre, &motion, 1e-8).unwrap()[1];
        sizes.push(x.hypot(y));
        // parallel to v
        close(x * v[1] - y * v[0], 0.0, 1e-15);
    }
    for size in sizes {
        // mu_k N + sigma_2 |v| N, and exp(-100) of the Stribeck term
        close(size, 1.004, 1e-12);
    }
}

#[test]
fn unloading_in_stick() {
    // held at about 0.75 N, then the normal force falls from 10 N to 1 N at once
    let motion = [
        sample(0.0, [0.0], 10.0),
        sample(1.0, [2e-5], 10.0),
        sample(2.0, [0.0], 10.0),
        sample(3.0, [0.0], 10.0),
        sample(3.000_001, [0.0], 1.0),
    ];
    let loaded = forces(&colantonio(), &motion);
    // per unit of normal force: the tenth part
    close(loaded[4], 0.1 * loaded[3], 1e-14);
    let classical = forces(&canudas(), &motion);
    // the classical law does not notice
    close(classical[4], classical[3], 1e-14);
    assert!(classical[3] > 0.5);
}

#[test]
fn prescribed_motion_through_rest() {
    // x = 0.01 cos(2 pi t), 5 N: 4 Fc A a cycle. Karnopp's dead zone is narrow, Jenkins' stiff
    let numbers = [("mu_k", 0.5), ("v_s", 1e-3), ("Dv", 1e-9)];
    let karnopp = law("karnopp", &numbers);
    let jenkins = law("jenkins", &[("k_t", 1e9), ("mu_k", 0.5)]);
    let count = 1000;
    let point = |i: u32| {
        let t = f64::from(i) / f64::from(count);
        // exactly at rest at the turning points
        let v = if i.is_multiple_of(500) {
            0.0
        } else {
            -0.01 * TAU * (TAU * t).sin()
        };
        (t, v)
    };
    let motion = samples(10.0, &(0..=2 * count).map(point).collect::<Vec<_>>());
    for law in [karnopp, jenkins] {
        let f = forces(&law, &motion);
        // the level, but for rounding
        assert!(f.iter().all(|f| f.abs() <= 5.0 + 1e-12));
        let work: f64 = (1000..2000)
            .map(|i| {
                0.5 * (f[i] * motion[i].velocity[0] + f[i + 1] * motion[i + 1].velocity[0]) * 1e-3
            })
            .sum();
        // the trapezium rule on a sine of 1000 points, and 5e-9 m of elastic travel
        close(work, 0.2, 2e-6);
        assert!(f[1250] > -5.0 - 1e-12 && f[1250] < -4.9);
        assert!(f[1750] > 4.9);
    }
}

#[test]
fn a_held_bristle_keeps_its_force() {
    // slowly to z = 5 um, i.e. 15 um ln 1.5 of travel, then 10 ms at rest and 10 ms at 0.1 um/s
    let v = 1e-7;
    let time = 15e-6 * 1.5_f64.ln() / v;
    let motion = samples(
        10.0,
        &[
            (0.0, v),
            (time, v),
            (time + 1e-9, 0.0),
            (time + 0.01, 0.0),
            (time + 0.01 + 1e-9, v),
            (time + 0.02, v),
        ],
    );
    let law = canudas();
    let mut driver = Driver::new(&law, &motion[0], 1e-8);
    let f: Vec<f64> = motion[1..]
        .iter()
        .map(|s| driver.advance(s).unwrap()[0])
        .collect();
    close(f[1], 0.5, 1e-7);
    // nothing happens at rest
    close(f[2], f[1], 1e-15);
    // the digits printed
    close(driver.state()[0], 5.000_667e-6, 1e-12);
    close(f[4], 0.500_088, 1e-6);
}

#[test]
fn simpack_sticks_again_where_the_motion_turns() {
    // slides, comes to rest, and is pushed back by 1 um: a fresh spring
    let numbers = [("mu_s", 0.15), ("mu_k", 0.1), ("c_f", 1e5), ("d_f", 0.0)];
    let simpack = law("simpack_stick_slip", &numbers);
    let f = at_ends(&forces(
        &simpack,
        &strokes(10.0, &[1e-3, -1e-6, -20e-6, -1e-3]),
    ));
    // sliding ends at rest, spring unloaded; rounding of the place of rest
    close(f[1], 0.0, 1e-9);
    close(f[2], -0.1, 1e-9);
}

#[test]
fn gms_elements_slide_one_after_the_other() {
    use bristle_laws::{Friction, Value};
    // no Stribeck effect: Maxwell slip, elements of 1 N/um and 0.5 N/um, limits 0.4 and 0.6 N
    let values = vec![
        ("k_i".to_owned(), Value::List(vec![1e5, 5e4])),
        ("alpha_i".to_owned(), Value::List(vec![0.4, 0.6])),
        ("C".to_owned(), Value::Number(5.0)),
        ("mu_k".to_owned(), Value::Number(0.1)),
        ("mu_s".to_owned(), Value::Number(0.1)),
        ("v_s".to_owned(), Value::Number(1e-3)),
    ];
    let gms = Friction::build("gms", &values).unwrap();
    let f = at_ends(&forces(
        &gms,
        &strokes(10.0, &[0.3e-6, 0.3e-6, 1e-6, -0.4e-6, -0.6e-6]),
    ));
    let expected = [0.0, 0.45, 0.7, 1.0, 0.4, -0.3];
    for (f, expected) in f.iter().zip(expected) {
        // closed form: the location of the switches to rounding
        close(*f, expected, 1e-7);
    }
}

#[test]
fn bad_samples_are_refused() {
    let law = colantonio();
    let first = sample(0.0, [0.0], 10.0);
    let mut driver = Driver::new(&law, &first, 1e-8);
    assert!(matches!(
        driver.advance(&first),
        Err(DriveError::Order { .. })
    ));
    let pushed = sample(1.0, [0.0], -1.0);
    assert!(matches!(
        driver.advance(&pushed),
        Err(DriveError::NegativeNormalForce { .. })
    ));
    let lost = sample(1.0, [f64::NAN], 1.0);
    assert!(matches!(
        driver.advance(&lost),
        Err(DriveError::NotFinite { .. })
    ));
    let message = driver.advance(&pushed).unwrap_err().to_string();
    assert!(message.contains("-1 N at t = 1 s"), "{message}");
}

#[test]
fn extreme_motions_end() {
    // a slow ramp, and one beyond every speed: an answer or an error, in bounded time
    let law = colantonio();
    for (time, v) in [(1e3, 1.0), (1e-9, 1e6), (1e300, 1e300), (1.0, 1e-300)] {
        let motion = [sample(0.0, [0.0], 10.0), sample(time, [v], 10.0)];
        match drive(&law, &motion, 1e-8) {
            Ok(forces) => assert!(forces[1][0].is_finite()),
            Err(error) => assert!(error.to_string().contains("t = "), "{error}"),
        }
    }
}

#[test]
fn every_state_has_a_name() {
    use bristle_laws::Friction;
    use bristle_rig::state_names;
    for card in Friction::CARDS {
        let law = common::of_card(card);
        let layout = law.layout();
        assert_eq!(state_names::<1>(&law).len(), layout.len(1), "{}", card.name);
        assert_eq!(state_names::<3>(&law).len(), layout.len(3), "{}", card.name);
    }
    let names = |name: &str| common::of_card(Friction::card_of(name).unwrap());
    assert_eq!(state_names::<2>(&names("lugre")), ["z.x", "z.y"]);
    assert_eq!(state_names::<1>(&names("gonthier")), ["z", "s_dw"]);
    assert_eq!(state_names::<1>(&names("gms"))[3..5], ["f4", "mode1"]);
}
