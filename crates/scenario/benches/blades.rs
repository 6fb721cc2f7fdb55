//! The three turbine blades: steps, time, peak and energy over the method and its tolerance.
//!
//! `cargo bench -p bristle-scenario --bench blades` prints the table; behind `--`, `--quick` takes
//! the first tenth of the sweep, and any other word keeps the rows that contain it.

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
use std::path::Path;

/// Rows of the table: a name, and what the scenario's integrator becomes.
const ROWS: &[(&str, &str)] = &[
    (
        "adaptive 3e-2, rho 1",
        "tolerance = 3e-2, max_step = 5e-4, spectral_radius = 1",
    ),
    (
        "adaptive 1e-2, rho 1",
        "tolerance = 1e-2, max_step = 5e-4, spectral_radius = 1",
    ),
    (
        "adaptive 1e-2, rho 0.8",
        "tolerance = 1e-2, max_step = 5e-4, spectral_radius = 0.8",
    ),
    (
        "adaptive 1e-3, rho 1",
        "tolerance = 1e-3, max_step = 5e-4, spectral_radius = 1",
    ),
    (
        "adaptive 1e-3, rho 0",
        "tolerance = 1e-3, max_step = 5e-4, spectral_radius = 0",
    ),
    (
        "fixed 1e-5 s, rho 0",
        "step = \"10 us\", spectral_radius = 0",
    ),
    (
        "fixed 1e-5 s, rho 1",
        "step = \"10 us\", spectral_radius = 1",
    ),
    (
        "adaptive 1e-4, rho 1",
        "tolerance = 1e-4, max_step = 5e-4, spectral_radius = 1",
    ),
    (
        "adaptive 1e-4, rho 0.8",
        "tolerance = 1e-4, max_step = 5e-4, spectral_radius = 0.8",
    ),
    (
        "adaptive 1e-3, rho 0.8",
        "tolerance = 1e-3, max_step = 5e-4, spectral_radius = 0.8",
    ),
    (
        "fixed 1e-6 s, rho 1",
        "step = \"1 us\", spectral_radius = 1",
    ),
    (
        "gkf 1e-2, rho 1",
        "tolerance = 1e-2, max_step = 5e-4, spectral_radius = 1",
    ),
];

const GKF: &str = "{ law = \"gkf\", static_coefficient = 0.5, kinetic_coefficient = 0.3, stribeck_velocity = 3e-3, regularisation_velocity = 3e-4 }";

/// Time between the samples of the peak, s: 90 in a period, so that it is met within 0.1 %.
const SAMPLES: f64 = 2e-4;

/// Keeps the largest value of one channel.
struct Peak {
    channel: usize,
    largest: f64,
}

impl RowObserver for Peak {
    fn row(&mut self, values: &[f64]) -> Flow {
        self.largest = self.largest.max(values[self.channel]);
        Flow::Continue
    }
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let quick = words.iter().any(|word| word == "--quick");
    let wanted = |name: &str| {
        let mut names = words
            .iter()
            .filter(|word| !word.starts_with("--"))
            .peekable();
        names.peek().is_none() || names.any(|word| name.contains(word.as_str()))
    };
    println!(
        "{:<24} {:>8} {:>8} {:>9} {:>8} {:>8} {:>9} {:>8} {:>9}",
        "blades-sim2.toml",
        "steps",
        "rejected",
        "iter/step",
        "time s",
        "us/step",
        "peak um",
        "loss J",
        "imbalance"
    );
    for (name, integrator) in ROWS.iter().filter(|(name, _)| wanted(name)) {
        measure(name, integrator, quick);
    }
}

fn measure(name: &str, integrator: &str, quick: bool) {
    let path = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/blades-sim2.toml"
    ));
    let method = "generalised_alpha";
    let overrides = [format!(
        "simulation.integrator={{ method = \"{method}\", {integrator} }}"
    )];
    let mut overrides = Vec::from(overrides);
    if name.starts_with("gkf") {
        overrides.extend(["left", "right"].map(|side| format!("contact.{side}.friction={GKF}")));
    }
    let scenario = load(path, &overrides, &mut SourceMap::default()).expect("the example is right");
    let mut plan = scenario.plan;
    if quick {
        plan.end_time *= 0.1;
    }
    let channel = channels(&scenario.model)
        .iter()
        .position(|channel| channel.name == "body.centre_tip.position.x")
        .expect("the central blade has a tip");
    let mut peak = Peak {
        channel,
        largest: 0.0,
    };
    let clock = Clock::start();
    let outcome = simulate(&scenario.model, &plan, Start::AsGiven, SAMPLES, &mut peak);
    let time = clock.seconds();
    if let Some(error) = &outcome.error {
        println!("{name:<24} {error}");
        return;
    }
    let of = &outcome.statistics;
    let steps = of.steps as f64;
    println!(
        "{name:<24} {:>8} {:>8} {:>9.2} {time:>8.2} {:>8.1} {:>9.1} {:>8.4} {:>9.1e}",
        of.steps,
        of.rejected,
        of.iterations as f64 / steps,
        1e6 * time / steps,
        1e6 * peak.largest,
        outcome.energies.dissipated,
        outcome.energies.relative_imbalance()
    );
}
