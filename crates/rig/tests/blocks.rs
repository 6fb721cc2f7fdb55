//! Blocks on every law: cases from practice with closed forms and independent solutions.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by a panic")]

mod common;

use bristle_integrate::Control;
use common::block::{Block, constant, formula, near, table};
use common::{canudas, colantonio, coulomb_like, law};

#[test]
fn every_law_stops_a_thrown_block_and_keeps_it() {
    // 10 m/s, mu 0.3, g 9.8: at rest after 3.401361 s and 17.006803 m, whatever the step
    for (name, law) in coulomb_like(0.3) {
        for (step, output) in [(0.02, 0.02), (0.002, 0.01)] {
            let block = Block::new(1.0, 0.0, 10.0).on("base", &law, constant(9.8));
            let run = block.run(4.0, output, Control::Fixed { step }, 1e-6);
            let (v, x) = (run.v(), run.x());
            // the bristle that unloads pushes by its energy, F z/2 at most
            let deflection = law.breakaway_deflection(9.8).unwrap_or(0.0);
            // and bristles without damping, much faster than a step, keep up to half of what a
            // step takes off (the method conserves energy); by the sign of v it is
            // a whole one for ever. A law that sticks when v has turned takes that step once
            let rebound = (0.3 * 9.8 * deflection).sqrt() + 0.5 * 0.3 * 9.8 * step;
            let fastest = run.at(&v, 3.6).abs();
            assert!(
                fastest < rebound,
                "{name} {step}: {fastest} m/s after the stop"
            );
            let slowest = v.iter().copied().fold(0.0, f64::min);
            assert!(
                slowest > -2.0 * rebound,
                "{name} {step}: reversed to {slowest} m/s"
            );
            // a bristle is unloaded at the start and takes its first step to load: half a step
            // without friction, at 10 m/s
            let end = *x.last().unwrap();
            let half = 10.0 * step / 2.0 + 0.3 * 9.8 * step * step + 3e-3;
            assert!((end - 17.006_803).abs() < half, "{name} {step}: {end} m");
            // the time of the stop is right to a step: 2.94 m/s² times 0.021361 s are left
            let late = run.at(&v, 3.38);
            assert!(
                (late - 0.0628).abs() < 2.94 * step + 2e-3,
                "{name} {step}: {late} m/s"
            );
        }
    }
}

#[test]
fn a_thrown_block_slides_as_far_as_theory_has_it() {
    // 5 m/s, mu 0.5, g 9.81: v²/(2 mu g)
    for (name, law) in coulomb_like(0.5) {
        let run = Block::new(1.0, 0.0, 5.0)
            .on("base", &law, constant(9.81))
            .adaptive(1.2, 0.01);
        let end = *run.x().last().unwrap();
        // bristles take up to 0.1 mm of the way; vendor and tanh laws end with a creep
        assert!((end - 2.548_420).abs() < 5e-4, "{name}: {end}");
    }
}

#[test]
fn a_light_block_on_stiff_bristles() {
    // 10 g under a step of 0.5 N, SciPy at tight tolerances; the bristle holds 0.5 N
    let block = Block::new(0.01, 0.0, 0.0)
        .on("base", &canudas(), constant(10.0))
        .pulled(constant(0.5));
    let run = block.adaptive(0.2, 0.01);
    // printed with four digits
    near(*run.x().last().unwrap(), 6.277e-6, 3e-9);
    near(*run.friction("base").last().unwrap(), 0.5, 1e-6);
    // and in steps of 1 ms, thirty times the limit of explicit methods
    let block = Block::new(0.01, 0.0, 0.0)
        .on("base", &canudas(), constant(10.0))
        .pulled(constant(0.5));
    let run = block.run(0.2, 0.01, Control::Fixed { step: 1e-3 }, 1e-6);
    near(*run.friction("base").last().unwrap(), 0.5, 1e-3);
}

#[test]
fn a_load_that_leaves() {
    // pull 0.75 N from 2 s on, the normal force falls from 10 N at 3 s to 0 at 4 s
    let normal = table(&[(0.0, 10.0), (3.0, 10.0), (4.0, 0.0)]);
    let pull = table(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.75), (4.0, 0.75)]);
    let block = Block::new(1.0194, 0.0, 0.0)
        .on("base", &colantonio(), normal)
        .pulled(pull);
    let run = block.adaptive(4.0, 0.01);
    // independent solution, printed with four digits
    near(run.at(&run.x(), 3.0), 1.042e-5, 1e-8);
    near(run.at(&run.v(), 3.95), 0.2103, 2e-4);
    near(run.at(&run.x(), 3.95), 0.040_86, 5e-5);
    assert!(run.v().iter().chain(&run.x()).all(|x| x.is_finite()));
}

#[test]
fn a_long_slide_leaves_one_deflection_only() {
    // 2 N for 0.3 s; independent solution: x_max 0.0805537 m, back by 7.4e-6 m. The first is good to
    // the tolerance of the run (1e-4 of 80 mm is 8e-6 m), twice over; the second to its last digit
    let pull = table(&[(0.0, 2.0), (0.3, 2.0), (0.3 + 1e-9, 0.0), (1.0, 0.0)]);
    let block = Block::new(1.0, 0.0, 0.0)
        .on("base", &canudas(), constant(10.0))
        .pulled(pull.clone());
    let run = block.adaptive(1.0, 0.001);
    let (x, highest) = (run.x(), run.x().iter().copied().fold(0.0, f64::max));
    near(highest, 0.080_553_7, 2e-5);
    near(highest - x.last().unwrap(), 7.4e-6, 5e-7);
    // no law springs back by more than it can hold, and its own energy
    for (name, law) in coulomb_like(0.1) {
        let block = Block::new(1.0, 0.0, 0.0)
            .on("base", &law, constant(10.0))
            .pulled(pull.clone());
        let run = block.adaptive(1.0, 0.001);
        let highest = run.x().iter().copied().fold(0.0, f64::max);
        let back = highest - run.x().last().unwrap();
        let most = law.breakaway_deflection(10.0).unwrap_or(0.0);
        // a dry spring swings about its new rest: twice its deflection
        assert!(
            back < 2.1 * most + 1e-6,
            "{name}: back by {back} m of {most} m"
        );
    }
}

#[test]
fn a_block_on_a_spring_stops_where_it_must() {
    // m 1, k 100, mu 0.2, N 9.81: turning points and the place of rest in closed form, followed to
    // 2e-4 of the amplitude of 0.1 m
    let law = law(
        "karnopp",
        &[("mu_s", 0.2), ("mu_k", 0.2), ("v_s", 1e-3), ("Dv", 1e-6)],
    );
    let block = Block::new(1.0, 0.1, 0.0)
        .on("base", &law, constant(9.81))
        .sprung(100.0);
    let run = block.adaptive(1.5, 0.001);
    let x = run.x();
    near(x.iter().copied().fold(0.0, f64::min), -0.060_76, 2e-5);
    // three half periods, each 2 x 0.01962 m shorter: 0.06076, 0.02152, 0.01772
    near(*x.last().unwrap(), 0.017_72, 2e-5);
    near(*run.friction("base").last().unwrap(), 1.772, 2e-3);
    // the free decay of the same kind: m 1, k 100, 2 N from 0.1 m
    let block = Block::new(1.0, 0.1, 0.0)
        .on("base", &law, constant(10.0))
        .sprung(100.0);
    let run = block.adaptive(1.2, 0.001);
    let lowest = run.x().iter().copied().fold(0.0, f64::min);
    near(lowest, -0.06, 2e-5);
    near(*run.x().last().unwrap(), 0.02, 2e-5);
}

#[test]
fn two_contacts_share_by_their_stiffness() {
    let stiff = |sigma_0: f64| {
        law(
            "lugre_classical",
            &[
                ("sigma_0", sigma_0),
                ("sigma_1", 300.0),
                ("mu_k", 1.0),
                ("v_s", 1e-3),
            ],
        )
    };
    let block = Block::new(1.0, 0.0, 0.0)
        .on("soft", &stiff(1e5), constant(1e4))
        .on("hard", &stiff(3e5), constant(1e4))
        .pulled(table(&[(0.0, 0.0), (0.2, 5.0), (1.0, 5.0)]));
    let run = block.adaptive(1.0, 0.01);
    // far below the limits of 1e4 N: stiffness decides, to 5/1e4
    near(*run.friction("soft").last().unwrap(), 1.25, 1e-3);
    near(*run.friction("hard").last().unwrap(), 3.75, 1e-3);
}

#[test]
fn a_static_level_is_held_to_the_last() {
    // 0.5 static, 0.05 kinetic, inertia 0.01, load 0.1 t: at 5 s it starts with 45 1/s²
    let law = law(
        "karnopp",
        &[("mu_s", 0.5), ("mu_k", 0.05), ("v_s", 1e-6), ("Dv", 1e-7)],
    );
    let block = Block::new(0.01, 0.0, 0.0)
        .on("base", &law, constant(1.0))
        .pulled(formula("0.1*t"));
    let run = block.adaptive(5.02, 0.001);
    let first = run.outcome.contacts[0].first_slip_time.unwrap();
    near(first, 5.0, 1e-3);
    let v = run.v();
    // held by the law, whose mode has no speed; and 45 1/s² over the last 10 ms, in which the mean of
    // 1 ms steps and the load, which has grown by 0.2 1/s² and more, differ from it
    near(run.at(&v, 4.999), 0.0, 1e-9);
    near((run.at(&v, 5.02) - run.at(&v, 5.01)) / 0.01, 45.0, 0.3);
}

#[test]
fn presliding_loop_of_the_1995_law() {
    // load triangle to ±1.425 N at 1 N/s on 1 kg, SciPy at tight tolerances
    let pull = table(&[(0.0, 0.0), (1.425, 1.425), (4.275, -1.425), (7.125, 1.425)]);
    let block = Block::new(1.0, 0.0, 0.0)
        .on("base", &canudas(), constant(10.0))
        .pulled(pull);
    let run = block.adaptive(7.125, 0.0125);
    let x = run.x();
    // printed with seven digits; the integration is good to 1e-4 of them
    near(run.at(&x, 1.425), 4.493_703e-5, 5e-9);
    near(run.at(&x, 2.85), 3.780_249e-5, 5e-9);
    near(run.at(&x, 4.275), -7.166_233e-6, 5e-9);
    near(run.at(&x, 7.125), 4.493_703e-5, 5e-9);
}

#[test]
fn friction_with_a_falling_curve_turns_without_sticking() {
    // m 1, 5 N, 10 N more at rest, exponent 2 s/m, 1 N s/m; 25 sin(pi t/2) N; computed
    // elsewhere: break-away 0.40966553 s, first reversal 2.44269064 s at 13.45558812 m, peak
    // 11.01764873 m/s
    let law = law(
        "karnopp",
        &[
            ("mu_s", 15.0),
            ("mu_k", 5.0),
            ("v_s", 0.5),
            ("alpha", 1.0),
            ("sigma_2", 1.0),
            ("Dv", 1e-6),
        ],
    );
    let block = Block::new(1.0, 0.0, 0.0)
        .on("base", &law, constant(1.0))
        .pulled(formula("25*sin(pi*t/2)"));
    let run = block.adaptive(3.0, 0.0005);
    near(
        run.outcome.contacts[0].first_slip_time.unwrap(),
        0.409_665_53,
        2e-3,
    );
    let highest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    // 1e-4 of their size: the tolerance of the run
    near(highest(&run.x()), 13.455_588, 1e-3);
    near(highest(&run.v()), 11.017_649, 1e-3);
    // it does not stick where it turns: 16 N are applied, 15 N hold
    let (v, t) = (run.v(), run.column("t"));
    let turn = (1..v.len())
        .find(|i| v[i - 1] > 0.0 && v[*i] <= 0.0)
        .unwrap();
    near(t[turn], 2.442_690_64, 1e-3);
    assert!(v[turn + 20] < -1e-4, "it moves on at once");
}

#[test]
fn forced_vibration_with_dry_friction() {
    // Den Hartog: b = 1.2, Ff/P = 0.5: amplitude 1.657467 P/k
    let law = law(
        "karnopp",
        &[("mu_s", 0.5), ("mu_k", 0.5), ("v_s", 1e-3), ("Dv", 1e-6)],
    );
    let block = Block::new(1.0, 0.0, 0.0)
        .on("base", &law, constant(1.0))
        .sprung(1.0)
        .pulled(formula("cos(1.2*t)"));
    let run = block.adaptive(420.0, 0.05);
    let (x, t) = (run.x(), run.column("t"));
    let late = x.iter().zip(&t).filter(|(_, t)| **t > 390.0);
    let amplitude = late.fold(0.0, |m: f64, (x, _)| m.max(x.abs()));
    // sampled at 0.05 s: (0.03)²/2 of it, and what is left of the start
    near(amplitude, 1.657_467, 2e-3);
}
