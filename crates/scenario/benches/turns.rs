//! A free rigid body over 1e5 turns: what energy and momentum lose.
//!
//! `cargo bench -p bristle-scenario --bench turns`

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints, and says what fails by panicking"
)]

#[path = "clock/mod.rs"]
mod clock;

use bristle_integrate::Flow;
use bristle_mechanics::record::{RowObserver, Start, channels, simulate};
use bristle_scenario::{SourceMap, load};
use clock::Clock;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

const INERTIA: [f64; 3] = [0.01, 0.02, 0.025];

const BODY: &str = r#"
title = "Free rotation"
[simulation]
end_time = 62832
output_step = 62.832
integrator = { step = 0.0125, tolerance = 1e-9 }
[body.wing]
joint = "free"
mass = 1
inertia = [0.01, 0.02, 0.025]
angular_velocity = [0.3, 0.2, 10]
"#;

/// Angular momentum and energy of every row.
struct Momentum {
    orientation: usize,
    rate: usize,
    rows: Vec<([f64; 3], f64)>,
}

impl RowObserver for Momentum {
    fn row(&mut self, values: &[f64]) -> Flow {
        let o = &values[self.orientation..self.orientation + 4];
        let quaternion = Quaternion::new(o[0], o[1], o[2], o[3]);
        let turned = UnitQuaternion::from_quaternion(quaternion);
        let rate = Vector3::from_column_slice(&values[self.rate..self.rate + 3]);
        let own: Vector3<f64> = turned.inverse() * rate;
        let momentum = own.component_mul(&Vector3::from(INERTIA));
        let energy = 0.5 * own.dot(&momentum);
        let world: Vector3<f64> = turned * momentum;
        self.rows.push((world.into(), energy));
        Flow::Continue
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("body.toml");
    std::fs::write(&path, BODY).expect("it can be written");
    let scenario = load(&path, &[], &mut SourceMap::new()).expect("the scenario is right");
    let names = channels(&scenario.model);
    let place = |name: &str| {
        names
            .iter()
            .position(|c| c.name == name)
            .expect("a channel")
    };
    let mut watch = Momentum {
        orientation: place("body.wing.orientation.w"),
        rate: place("body.wing.angular_velocity.x"),
        rows: Vec::new(),
    };
    let clock = Clock::start();
    let (plan, step) = (&scenario.plan, scenario.output_step);
    let outcome = simulate(&scenario.model, plan, Start::AsGiven, step, &mut watch);
    let (start, energy) = watch.rows[0];
    let size = start.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (mut turned, mut grown) = (0.0_f64, 0.0_f64);
    for (momentum, now) in &watch.rows {
        let off = momentum
            .iter()
            .zip(start)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>();
        turned = turned.max(off.sqrt() / size);
        grown = grown.max((now / energy - 1.0).abs());
    }
    println!(
        "{} steps, {:.1} s: angular momentum off by {turned:.1e}, energy by {grown:.1e} at most",
        outcome.statistics.steps,
        clock.seconds()
    );
}
