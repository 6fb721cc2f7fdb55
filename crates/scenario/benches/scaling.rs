//! Cost of a step over the size of a model: beams of 10 to 10 000 nodes, contacts of 1 to 100 000
//! points, with the exponents of the last decade.
//!
//! `cargo bench -p bristle-scenario --bench scaling`

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints, and says what fails by panicking"
)]

#[path = "clock/mod.rs"]
mod clock;

use bristle_integrate::{Control, Flow, Observer, Plan, Segment, State, run};
use bristle_mechanics::Model;
use bristle_scenario::{SourceMap, load};
use clock::Clock;

struct Nothing;

impl Observer<Model> for Nothing {
    fn start(&mut self, _model: &Model, _state: &State) -> Flow {
        Flow::Continue
    }
    fn accepted(&mut self, _segment: &Segment<'_, Model>) -> Flow {
        Flow::Continue
    }
}

/// A cantilever in `n` elements, loaded at its tip.
fn beam(n: usize) -> String {
    format!(
        r#"
title = "Beam"
[simulation]
end_time = "1 s"
[body.tip]
joint = "free"
mass = "0.1 kg"
inertia = [1e-4, 1e-4, 1e-4]
position = ["1 m", 0, 0]
[beam.strip]
from = {{ point = [0, 0, 0] }}
to = {{ body = "tip" }}
elements = {n}
section = {{ rectangle = ["5 mm", "30 mm"] }}
section_y = [0, 1, 0]
young_modulus = "210 GPa"
poisson_ratio = 0.3
density = "7800 kg/m^3"
damping = {{ stiffness = 1e-5 }}
[force.load]
body = "tip"
direction = [0, 1, 0]
magnitude = "20*sin(2*pi*5*t)"
"#
    )
}

/// A block that slides on `n` points.
fn block(n: usize) -> String {
    let points = if n == 1 {
        "at = [[0, 0, -0.05]]".to_owned()
    } else {
        let count = n / 2;
        format!("grid = {{ centre = [0, 0, -0.05], size = [0.2, 0.1], count = [{count}, 2] }}")
    };
    format!(
        r#"
title = "Block"
[simulation]
end_time = "1 s"
gravity = [0, 0, -9.81]
[body.block]
joint = "free"
mass = "1 kg"
shape = {{ box = ["0.2 m", "0.2 m", "0.1 m"] }}
position = [0, 0, "49.999 mm"]
velocity = [0.1, 0, 0]
[contact.sole]
points = {{ body = "block", {points} }}
plane = {{ body = "ground", normal = [0, 0, 1] }}
normal = {{ law = "kelvin_voigt", stiffness = {}, damping = {} }}
friction = {{ law = "lugre", bristle_stiffness = 1e5, bristle_damping = 100, viscous_coefficient = 0, stribeck_velocity = "1 mm/s", static_coefficient = 0.5, kinetic_coefficient = 0.3 }}
"#,
        1e7 / n as f64,
        1e3 / n as f64,
    )
}

/// Seconds per step of 0.1 ms.
fn seconds_per_step(text: &str, steps: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).expect("it can be written");
    let scenario = load(&path, &[], &mut SourceMap::new()).expect("the scenario is right");
    let step = 1e-4;
    let plan = Plan {
        end_time: steps as f64 * step,
        control: Control::Fixed { step },
        tolerance: 1e-4,
        ..scenario.plan
    };
    let mut state = scenario.model.start();
    let clock = Clock::start();
    let done = run(&scenario.model, &plan, &mut state, &mut Nothing).expect("it runs");
    clock.seconds() / done.steps as f64
}

fn table(head: &str, sizes: &[usize], text: fn(usize) -> String) {
    println!(
        "{head:>16} {:>12} {:>14} {:>9}",
        "us/step", "us/step/item", "exponent"
    );
    let mut last: Option<(usize, f64)> = None;
    for &n in sizes {
        let time = seconds_per_step(&text(n), (200_000 / n).clamp(20, 2000));
        let exponent = last.map_or(String::new(), |(old, before)| {
            let ratio = (n as f64 / old as f64).ln();
            format!("{:.2}", (time / before).ln() / ratio)
        });
        println!(
            "{n:>16} {:>12.2} {:>14.3} {exponent:>9}",
            1e6 * time,
            1e6 * time / n as f64
        );
        last = Some((n, time));
    }
}

fn main() {
    table("beam nodes", &[10, 100, 1000, 10_000], beam);
    table(
        "contact points",
        &[1, 10, 100, 1000, 10_000, 100_000],
        block,
    );
}
