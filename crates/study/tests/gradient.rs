//! Derivatives of runs against closed forms, and digits that hold.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use std::path::PathBuf;

use bristle_integrate::Flow;
use bristle_results::ChannelTable;
use bristle_scenario::{SourceMap, load};
use bristle_study::gradient::{Gradient, GradientError, GradientRequest, gradient};
use bristle_study::verify::verify;
use bristle_study::{RunObserver, channels_of, execute};

fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scenario.toml");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn differentiated(text: &str, paths: &[&str]) -> Result<Gradient, GradientError> {
    let (_folder, scenario) = written(text);
    let request = GradientRequest {
        scenario,
        overrides: Vec::new(),
        option: "--gradient",
        outputs: Vec::new(),
        paths: paths.iter().map(|&path| path.to_owned()).collect(),
    };
    gradient(&request, &|| true)
}

const OSCILLATOR: &str = r#"
title = "A damped oscillator"
[simulation]
end_time = "2 s"
[body.m]
joint = "prismatic"
axis = [1, 0, 0]
mass = "2 kg"
rate = 1
[spring.k]
from = { point = [-1, 0, 0] }
to = { body = "m" }
length = "1 m"
stiffness = "50 N/m"
damping = "1 N s/m"
"#;

/// x = e^(−ct/2m) sin(ωt)/ω, ω² = k/m − c²/4m².
fn oscillation(t: f64, [mass, stiffness, damping]: [f64; 3]) -> f64 {
    let decay = 0.5 * damping / mass;
    let w = (stiffness / mass - decay * decay).sqrt();
    (-decay * t).exp() * (w * t).sin() / w
}

#[test]
fn derivatives_of_an_oscillator_are_those_of_its_closed_form() {
    let paths = ["body.m.mass", "spring.k.stiffness", "spring.k.damping"];
    let run = differentiated(OSCILLATOR, &paths).unwrap();
    let place = run
        .channels
        .iter()
        .position(|channel| channel.name == "body.m.position.x")
        .unwrap();
    let values = [2.0, 50.0, 1.0];
    for (field, value) in values.iter().enumerate() {
        let exact = |t: f64| {
            let moved = |sign: f64| {
                let mut values = values;
                values[field] += sign * 1e-5 * value;
                oscillation(t, values)
            };
            (moved(1.0) - moved(-1.0)) / (2e-5 * value)
        };
        let largest = run
            .rows
            .iter()
            .fold(0.0_f64, |m, row| m.max(exact(row[0]).abs()));
        for (row, slopes) in run.rows.iter().zip(&run.slopes[field]) {
            let off = (slopes[place - 1] - exact(row[0])).abs();
            assert!(off < 1e-5 * largest, "{field} at {}: {off}", row[0]);
        }
    }
}

/// A block thrown on a rough plane stops after v²/(2 μ g): the event at the stop is in the derivative.
#[test]
fn the_way_to_a_stop_has_the_derivatives_of_coulomb() {
    for law in [
        "law = \"karnopp\", stiction_velocity = 1e-4, stribeck_velocity = 1e-3, static_coefficient = 0.2, kinetic_coefficient = 0.2",
        "law = \"lugre\", bristle_stiffness = 1e6, bristle_damping = 1e3, damping_velocity = 0.001, stribeck_velocity = 1e-3, static_coefficient = 0.2, kinetic_coefficient = 0.2",
    ] {
        let text = format!(
            r#"
title = "Thrown"
[simulation]
end_time = "2 s"
[body.b]
joint = "prismatic"
axis = [1, 0, 0]
mass = "2 kg"
rate = 1.5
[contact.c]
points = {{ body = "b", at = [[0, 0, 0]] }}
normal = {{ prescribed = "20 N" }}
friction = {{ {law} }}
"#
        );
        let run = differentiated(
            &text,
            &["body.b.rate", "body.b.mass", "contact.c.normal.prescribed"],
        )
        .unwrap();
        let place = run
            .channels
            .iter()
            .position(|channel| channel.name == "body.b.position.x")
            .unwrap();
        // x = m v²/(2 μ N)
        let (v, m, mu, n) = (1.5, 2.0, 0.2, 20.0);
        let exact = [
            m * v / (mu * n),
            v * v / (2.0 * mu * n),
            -m * v * v / (2.0 * mu * n * n),
        ];
        for (field, exact) in exact.into_iter().enumerate() {
            let slope = run.slopes[field].last().unwrap()[place - 1];
            // the ramp of the stop, 1e-4 m/s, is a part of 1e-4 of the way's derivative
            assert!(
                (slope - exact).abs() < 3e-4 * exact.abs(),
                "{law} {field}: {slope}, {exact}"
            );
        }
    }
}

/// A block that slides to its stop loses all of ½ m v²: the effects of mass and speed on what is
/// dissipated are the exponents 1 and 2, those of the friction that takes it 0.
#[test]
fn fields_are_ranked_by_their_exponents() {
    let text = r#"
title = "Thrown"
[simulation]
end_time = "2 s"
[body.b]
joint = "prismatic"
axis = [1, 0, 0]
mass = "2 kg"
rate = 1.5
[contact.c]
points = { body = "b", at = [[0, 0, 0]] }
normal = { prescribed = "20 N" }
friction = { law = "karnopp", stiction_velocity = 1e-4, stribeck_velocity = 1e-3, static_coefficient = 0.2, kinetic_coefficient = 0.2 }
"#;
    let run = differentiated(
        text,
        &["body.b.mass", "body.b.rate", "contact.c.normal.prescribed"],
    );
    let run = run.unwrap();
    let ranked = run.ranked(&["energy.dissipated".to_owned()]);
    let effects: Vec<_> = ranked
        .iter()
        .map(|effect| (effect.field, effect.effect))
        .collect();
    // the dead zone of 1e-4 m/s is 1e-8 of the energy; the difference takes 1e-4 of a field
    for ((field, effect), (wanted, exponent)) in effects.iter().zip([(1, 2.0), (0, 1.0)]) {
        assert_eq!(*field, wanted, "{effects:?}");
        assert!((effect - exponent).abs() < 1e-4, "{effects:?}");
    }
    assert!(effects[2].1 < 1e-4, "{effects:?}");
}

#[test]
fn a_field_that_is_no_number_is_named() {
    let error = differentiated(OSCILLATOR, &["body.m.maas"]).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("--gradient body.m.maas"), "{text}");
    assert!(text.contains("body.m.mass"), "{text}");
}

struct Rows(ChannelTable);

impl RunObserver for Rows {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.0.push_row(values)
    }
}

/// The digits that are said to hold do so against the closed form.
#[test]
fn digits_that_hold_are_those_of_the_closed_form() {
    let (_folder, path) = written(OSCILLATOR);
    let scenario = load(&path, &[], &mut SourceMap::new()).unwrap();
    let mut rows = Rows(ChannelTable::new(channels_of(&scenario)));
    let summary = execute(&scenario, &mut rows);
    let verification = verify(&scenario, &summary, &rows.0, &mut |_| Flow::Continue);
    assert_eq!(verification.failure, None);
    let held = verification
        .channels
        .iter()
        .find(|held| held.name == "body.m.position.x")
        .unwrap();
    let column = rows.0.column("body.m.position.x").unwrap();
    let off = rows
        .0
        .time()
        .iter()
        .zip(column)
        .fold(0.0_f64, |m, (&t, x)| {
            m.max((x - oscillation(t, [2.0, 50.0, 1.0])).abs())
        });
    assert!(held.digits > 4.0, "{held:?}");
    // the finer run is nearly exact
    assert!((held.change / off).log10().abs() < 0.1, "{held:?}, {off}");
}
