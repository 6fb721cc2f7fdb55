//! Derivatives of ten models against differences of tight runs, each with its own steps.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use std::path::Path;

use bristle_integrate::Flow;
use bristle_scenario::{SourceMap, load};
use bristle_study::gradient::{Gradient, GradientRequest, gradient};
use bristle_study::{RunObserver, channels_of, execute};

/// Relative change of a field for the differences: the error of their formula goes with its fourth
/// power, and that of the runs is divided by it.
const CHANGE: f64 = 1e-3;
/// Tolerance of the tight runs.
const TIGHT: &str = "1e-11";

/// Rows of one channel.
#[derive(Default)]
struct ChannelRows {
    place: usize,
    values: Vec<f64>,
}

impl RunObserver for ChannelRows {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.values.push(values[self.place]);
        Ok(())
    }

    fn step(&mut self, _: f64) -> Flow {
        Flow::Continue
    }
}

/// The rows of a channel in a tight run with a field changed.
fn tight(path: &Path, channel: &str, field: &str, value: f64) -> Vec<f64> {
    let overrides = [
        format!("simulation.integrator.tolerance={TIGHT}"),
        format!("{field}={value:e}"),
    ];
    let scenario = load(path, &overrides, &mut SourceMap::new()).unwrap();
    let place = channels_of(&scenario)
        .iter()
        .position(|c| c.name == channel);
    let mut rows = ChannelRows {
        place: place.unwrap(),
        values: Vec::new(),
    };
    execute(&scenario, &mut rows);
    rows.values
}

/// The derivatives of a run by a field, and where the scenario lies.
fn differentiated(text: &str, field: &str) -> (tempfile::TempDir, Gradient) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    std::fs::write(&path, text).unwrap();
    let request = GradientRequest {
        scenario: path,
        overrides: Vec::new(),
        option: "--gradient",
        paths: vec![field.to_owned()],
        outputs: Vec::new(),
    };
    let run = gradient(&request, &|| true).unwrap();
    (folder, run)
}

/// Largest deviation over the largest derivative, over all rows.
fn deviation(text: &str, channel: &str, field: &str) -> f64 {
    let (folder, run) = differentiated(text, field);
    let path = folder.path().join("model.toml");
    let place = run.channels.iter().position(|c| c.name == channel).unwrap();
    let value = run.fields[0].value;
    let h = CHANGE * value.abs();
    let at = |k: f64| tight(&path, channel, field, value + k * h);
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(at);
    let exact = |i: usize| (a[i] - d[i] + 8.0 * (c[i] - b[i])) / (12.0 * h);
    let size = (0..a.len()).fold(0.0, |most: f64, i| most.max(exact(i).abs()));
    let off = (0..a.len()).fold(0.0, |most: f64, i| {
        most.max((run.slopes[0][i][place - 1] - exact(i)).abs())
    });
    assert!(size > 0.0, "{channel} does not depend on {field}");
    off / size
}

fn near(text: &str, channel: &str, field: &str) {
    let deviation = deviation(text, channel, field);
    assert!(deviation < 1e-5, "{channel} by {field}: {deviation:.1e}");
}

/// A block on a spring, pushed to and fro on a surface that a prescribed load presses.
fn block(friction: &str) -> String {
    format!(
        r#"
title = "A block that is pushed to and fro"
[simulation]
end_time = "1 s"
output_step = "20 ms"
integrator = {{ tolerance = 1e-8 }}
[body.m]
joint = "prismatic"
axis = [1, 0, 0]
mass = "2 kg"
[spring.k]
from = {{ point = [-1, 0, 0] }}
to = {{ body = "m" }}
length = "1 m"
stiffness = "800 N/m"
damping = "2 N s/m"
[force.f]
body = "m"
direction = [1, 0, 0]
magnitude = {{ harmonic = {{ amplitude = "12 N", frequency = "3 Hz" }} }}
[contact.c]
points = {{ body = "m", at = [[0, 0, 0]] }}
normal = {{ prescribed = "20 N" }}
friction = {{ {friction} }}
"#
    )
}

const POSITION: &str = "body.m.position.x";
const LEVELS: &str =
    "static_coefficient = 0.3, kinetic_coefficient = 0.2, stribeck_velocity = 0.05";

#[test]
fn lugre_by_its_stiffness() {
    let law = format!(
        "law = \"lugre\", bristle_stiffness = 1e3, bristle_damping = 5, viscous_coefficient = 0.4, {LEVELS}"
    );
    near(
        &block(&law),
        POSITION,
        "contact.c.friction.bristle_stiffness",
    );
}

#[test]
fn dahl_by_the_load() {
    let law = "law = \"dahl\", bristle_stiffness = 1e3, kinetic_coefficient = 0.25";
    near(&block(law), POSITION, "contact.c.normal.prescribed");
}

#[test]
fn elastoplastic_by_the_static_coefficient() {
    let law = format!(
        "law = \"elastoplastic\", bristle_stiffness = 1e3, breakaway_deflection = 1e-4, bristle_damping = 5, {LEVELS}"
    );
    near(
        &block(&law),
        POSITION,
        "contact.c.friction.static_coefficient",
    );
}

/// The spring of a Jenkins element unloads at once where the motion turns, within a step: its derivatives
/// are said to be uncertain, and hold to 1e-3.
#[test]
fn jenkins_by_the_amplitude_is_uncertain() {
    let law = "law = \"jenkins\", tangential_stiffness = 5e3, kinetic_coefficient = 0.25";
    let (text, field) = (block(law), "force.f.magnitude.harmonic.amplitude");
    let deviation = deviation(&text, POSITION, field);
    assert!(deviation < 1e-3, "{deviation:.1e}");
    assert_eq!(differentiated(&text, field).1.doubtful, ["contact.c"]);
}

#[test]
fn gonthier_by_the_frequency() {
    let law = format!(
        "law = \"gonthier\", bristle_stiffness = 1e3, bristle_damping = 5, regularisation_velocity = 0.01, dwell_time = 0.05, {LEVELS}"
    );
    near(
        &block(&law),
        POSITION,
        "force.f.magnitude.harmonic.frequency",
    );
}

/// The load rises and falls.
#[test]
fn lugre_classical_by_the_stribeck_velocity() {
    let law = format!(
        "law = \"lugre_classical\", bristle_stiffness = 2e4, bristle_damping = 100, {LEVELS}"
    );
    let load = "normal = { prescribed = \"20 + 8 * sin(12.5 * t)\" }";
    let text = block(&law).replace("normal = { prescribed = \"20 N\" }", load);
    near(&text, POSITION, "contact.c.friction.stribeck_velocity");
}

#[test]
fn karnopp_by_the_mass_through_its_events() {
    let law = format!("law = \"karnopp\", stiction_velocity = 1e-3, {LEVELS}");
    near(&block(&law), POSITION, "body.m.mass");
}

/// A ball that bounces: no step ends where it touches, so that the error of a step across depends on the place.
/// The tolerance keeps it small.
#[test]
fn a_bouncing_ball_by_its_stiffness() {
    let text = r#"
title = "A ball that bounces"
[simulation]
end_time = "0.8 s"
output_step = "20 ms"
gravity = [0, 0, -9.81]
integrator = { tolerance = 1e-9 }
[body.ball]
joint = "prismatic"
axis = [0, 0, 1]
mass = "1 kg"
position = [0, 0, "100 mm"]
[contact.floor]
points = { body = "ball", at = [[0, 0, 0]] }
plane = { body = "ground", normal = [0, 0, 1] }
normal = { law = "hunt_crossley_1975", stiffness = 1e6, exponent = 1.5, dissipation = 0.5 }
friction = "none"
"#;
    near(
        text,
        "body.ball.position.z",
        "contact.floor.normal.stiffness",
    );
}

/// A cantilever whose tip is pushed.
#[test]
fn a_beam_by_its_modulus() {
    let text = r#"
title = "A cantilever"
[simulation]
end_time = "50 ms"
output_step = "1 ms"
integrator = { tolerance = 1e-8 }
[body.tip]
joint = "free"
mass = "0.2 kg"
inertia = [1e-4, 1e-4, 1e-4]
position = [0, 0, 0.5]
[beam.b]
from = { point = [0, 0, 0] }
to = { body = "tip" }
elements = 2
section = { rectangle = ["5 mm", "30 mm"] }
section_y = [1, 0, 0]
young_modulus = "210 GPa"
density = "7800 kg/m^3"
damping = { stiffness = 1e-4 }
[force.f]
body = "tip"
direction = [1, 0, 0]
magnitude = "20 N"
"#;
    near(text, "body.tip.position.x", "beam.b.young_modulus");
}

/// A pendulum in a bearing that rubs under a preload.
#[test]
fn a_pendulum_by_the_radius_of_its_bearing() {
    let text = r#"
title = "Pendulum with a dry bearing"
[simulation]
end_time = "2 s"
output_step = "20 ms"
gravity = [0, 0, -9.81]
integrator = { tolerance = 1e-8 }
[body.p]
joint = "revolute"
axis = [0, 1, 0]
angle = "60 deg"
mass = "2 kg"
centre_of_mass = [0, 0, -0.25]
inertia = [0.01, 0.01, 0.001]
[joint_friction.bearing]
body = "p"
radius = "10 mm"
load = "100 N"
friction = { law = "lugre", static_coefficient = 0.25, kinetic_coefficient = 0.2, stribeck_velocity = "10 mm/s", bristle_stiffness = 1e4, bristle_damping = 20 }
"#;
    near(text, "joint.p.coordinate", "joint_friction.bearing.radius");
}

/// A carriage whose friction follows from the reaction of its rail.
#[test]
fn a_carriage_by_its_mass_under_its_reaction() {
    let text = r#"
title = "A carriage pushed at an angle"
[simulation]
end_time = "1 s"
output_step = "20 ms"
gravity = [0, 0, -9.81]
integrator = { tolerance = 1e-8 }
[body.carriage]
joint = "prismatic"
axis = [1, 0, 0]
mass = "5 kg"
rate = 0.5
[joint_friction.rail]
body = "carriage"
load = { reaction = true }
friction = { law = "lugre", kinetic_coefficient = 0.2, static_coefficient = 0.3, stribeck_velocity = "10 mm/s", bristle_stiffness = 1e4, bristle_damping = 20 }
[force.push]
body = "carriage"
direction = [0.8660254037844386, 0, -0.5]
magnitude = { harmonic = { amplitude = "60 N", frequency = "2 Hz" } }
"#;
    near(text, "body.carriage.position.x", "body.carriage.mass");
}
