//! Machines of several coordinates against NLvib 1.3, and a nonlinear mode.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod common;
use bristle_integrate::{System as _, equilibrium};
use bristle_mechanics::modes::Contacts;
use bristle_response::{Machine, ModeRequest, nonlinear_mode};
use common::{AUTO, Asked, JENKINS, close, fixed, mass, response, scenario};

/// NLvib's example 07: a chain with sliders, cubic springs and a spring that acts on one side. Ω, and
/// its norm of the three displacements, sqrt(Σ of all squared coefficients / 2), at H = 7.
#[test]
fn chain_of_nlvib() {
    let text = include_str!("machines/chain.toml");
    let rows = [
        [1.2, 0.155_379_9, 0.190_539_7, 0.281_482],
        [1.3, 0.164_335_5, 0.204_445_3, 0.390_663_8],
        [1.5, 0.116_578_4, 0.160_859_7, 0.606_261_2],
        [1.95, 0.115_595_7, 0.162_395, 0.105_939_5],
    ];
    let channels = [
        "body.first.position.x",
        "body.second.position.x",
        "body.third.position.x",
    ];
    for row in rows {
        let asked = Asked {
            channels: &channels,
            from: row[0],
            to: row[0],
            at: &[],
            grid: fixed(7, 1024),
            stability: false,
        };
        let curve = response(text, &asked);
        for (x, norm) in curve.points[0].result.channels.iter().zip(&row[1..]) {
            let squares: f64 = x.harmonics.iter().map(nalgebra::Complex::norm_sqr).sum();
            close((0.5 * squares).sqrt(), *norm, 1e-3);
        }
    }
}

/// NLvib's example 08: a beam of eight elements with regularised friction at a node. Ω, and the root
/// mean square of the tip at H = 7 with 128 samples, as NLvib 1.3 prints it.
#[test]
fn beam_of_nlvib() {
    let text = include_str!("machines/beam.toml");
    let rows = [
        [370.0, 2.185_585e-8],
        [290.0, 4.959_087e-8],
        [250.0, 5.618_148e-8],
        [195.0, 6.714_992e-8],
        [110.0, 3.799_827e-8],
    ];
    for [omega, rms] in rows {
        let asked = Asked {
            channels: &["body.tip.position.y"],
            from: omega,
            to: omega,
            at: &[],
            grid: fixed(7, 128),
            stability: false,
        };
        let curve = response(text, &asked);
        // the same elements and samples: the digits that are printed
        close(curve.points[0].result.channels[0].rms, rms, 1e-6);
    }
}

/// The mode of the mass with a Jenkins element, without its damper: a (m), ω (rad/s), ζ.
#[test]
fn nonlinear_mode_of_a_jenkins_mass() {
    let rows = [
        [0.0005, 122.4745, 0.0],
        [0.000_61, 122.403, 0.003_381_694],
        [0.0007, 120.7018, 0.026_320_7],
        [0.0012, 111.8427, 0.063_583_03],
        [0.003, 103.4752, 0.047_778_93],
        [0.012, 100.4601, 0.015_001_31],
    ];
    let mut model = scenario(&mass("0", 3.0, "10", JENKINS, "")).model;
    model.set_frequency(None);
    let mut rest = model.start();
    equilibrium(&model, &mut rest).unwrap();
    let linear = model
        .modes(&rest, Contacts::AsTheyStand, 1)
        .unwrap()
        .remove(0);
    let machine = Machine::new(&mut model, rest).unwrap();
    let request = ModeRequest {
        range: [1e-4, 2e-2],
        points: 8,
        at: rows.iter().map(|row| row[0]).collect(),
        grid: AUTO,
    };
    let curve = nonlinear_mode(&machine.balance, &linear, &request, &mut |_| true).unwrap();
    for [amplitude, omega, damping] in rows {
        let near = |a: f64| (a / amplitude - 1.0).abs() < 1e-8;
        let point = curve
            .points
            .iter()
            .find(|point| near(point.amplitude))
            .unwrap();
        // the tolerances of the table
        close(point.omega, omega, 1e-4);
        assert!((point.damping_ratio - damping).abs() <= 1e-3 * damping.max(1e-6));
    }
}

/// `separation` undoes `displace`, rotations of free bodies included.
#[test]
fn a_separation_is_the_displacement_that_was_made() {
    let scenario = scenario(include_str!("machines/beam.toml"));
    let model = &scenario.model;
    let mut from = model.start().q;
    let dofs = model.dofs();
    let displacement: Vec<f64> = (0..dofs).map(|i| (1.7 * i as f64).sin()).collect();
    for _ in 0..3 {
        let mut to = from.clone();
        model.displace(&from, &displacement, &mut to);
        let mut apart = vec![0.0; dofs];
        model.separation(&from, &to, &mut apart);
        for (apart, made) in apart.iter().zip(&displacement) {
            // rounding of unit quaternions and of a sum of a few numbers of the size of 1
            assert!((apart - made).abs() < 1e-13, "{apart} for {made}");
        }
        from = to;
    }
}
