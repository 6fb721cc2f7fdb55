//! Bristle laws under loads below break-away, against SciPy at tight tolerances.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by a panic")]

mod common;

use common::block::{Block, constant, formula, near, table};
use common::{canudas, colantonio, law};

/// Benchmark B5: 0.5 N in 1 s, then 0.5 + 0.4 sin(10 pi (t − 1)): 34.4 µm/s for ever.
#[test]
fn bristles_drift_and_elastic_ones_do_not() {
    let load = || formula("0.5*min(t,1) + 0.4*sin(10*pi*max(t-1,0))");
    let run = Block::new(1.0, 0.0, 0.0)
        .on("base", &canudas(), constant(10.0))
        .pulled(load())
        .adaptive(11.0, 0.01);
    let x = run.x();
    // printed with five and six digits; the drift is integrated to 1e-4 of it
    near(run.at(&x, 1.0), 6.0582e-6, 2e-9);
    near(run.at(&x, 6.0), 1.775_62e-4, 2e-8);
    near(run.at(&x, 11.0), 3.496_59e-4, 4e-8);
    // z_ba = 0.7 Fs/sigma_0: x(6) = x(11) = 4.59820e-6 m
    let elastic = law(
        "elastoplastic",
        &[
            ("sigma_0", 1e4),
            ("sigma_1", 1e5_f64.sqrt() / 10.0),
            ("sigma_2", 0.04),
            ("mu_k", 0.12),
            ("mu_s", 0.15),
            ("v_s", 1e-3),
            ("z_ba", 1.05e-5),
        ],
    );
    let run = Block::new(1.0, 0.0, 0.0)
        .on("base", &elastic, constant(10.0))
        .pulled(load())
        .adaptive(11.0, 0.01);
    let x = run.x();
    // elastic: the place is that of the load at every full period, so mu_k counts for nothing
    near(run.at(&x, 6.0), 4.598_20e-6, 2e-9);
    near(run.at(&x, 11.0), run.at(&x, 6.0), 1e-9);
}

/// Benchmark B7, one point: the load leaves a block of 1 kg that is pulled with 0.75 N.
#[test]
fn a_load_leaves_a_pulled_block() {
    let normal = table(&[(0.0, 10.0), (3.0, 10.0), (4.0, 0.0)]);
    let pull = table(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.75), (4.0, 0.75)]);
    let run = Block::new(1.0, 0.0, 0.0)
        .on("base", &colantonio(), normal)
        .pulled(pull)
        .adaptive(3.6, 0.001);
    let (x, v, t) = (run.x(), run.v(), run.column("t"));
    // printed with seven digits; the integration keeps 1e-4 of them
    near(run.at(&x, 2.0), 1.034_967e-5, 1e-9);
    near(run.at(&x, 3.0), 1.042_139e-5, 1e-9);
    near(run.at(&x, 3.4), 2.646_705e-5, 3e-9);
    let fast = v.iter().position(|v| *v > 0.01).unwrap();
    // rows every millisecond
    near(t[fast], 3.523_77, 1e-3);
    // the total friction is the pull while it sticks
    near(run.at(&run.friction("base"), 3.0), 0.75, 1e-6);
}

/// Benchmark B7: steady coefficients of the curve.
#[test]
fn steady_coefficients() {
    let law = colantonio();
    for (v, mu) in [
        (1e-4, 0.149_506_492),
        (1e-3, 0.118_433_972),
        (5e-3, 0.100_200_000),
        (1e-2, 0.100_400_000),
    ] {
        // printed with nine digits
        near(law.steady(v, 1.0).unwrap(), mu, 1e-9);
    }
}

/// Case C28: 25 N at rest, 20 N sliding, 0.1 m/s, 100 N s/m. A Stribeck law with v_s = 0.1 m/s gives
/// 31.8394 N at 0.1 m/s. A block of Simscape, whose "breakaway velocity" of 0.1 m/s is where its curve
/// has its peak, gives 35 N there: v_s must be sqrt(2) times as much and the rest is another curve.
#[test]
fn a_break_away_velocity_is_no_stribeck_velocity() {
    let numbers = |v_s: f64| {
        [
            ("sigma_0", 1e6),
            ("sigma_1", 0.0),
            ("sigma_2", 100.0),
            ("mu_k", 20.0),
            ("mu_s", 25.0),
            ("v_s", v_s),
        ]
    };
    let steady = |v_s: f64, v: f64| {
        law("lugre_classical", &numbers(v_s))
            .steady(v, 1.0)
            .unwrap()
    };
    // printed with six digits
    near(steady(0.1, 0.1), 31.8394, 1e-4);
    // by hand 20 + 5 exp(-1/2) + 10
    near(steady(0.1 * 2.0_f64.sqrt(), 0.1), 33.0327, 1e-4);
}
