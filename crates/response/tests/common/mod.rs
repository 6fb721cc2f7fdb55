//! Scenarios and their responses.
#![allow(
    dead_code,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "shared by tests"
)]

use bristle_integrate::equilibrium;
use bristle_response::{
    CurveControl, CurveOptions, CurveRange, GridChoice, Machine, MarkedPoint, ResponseCurve,
    ResponseRequest, response_curve,
};
use bristle_scenario::{Changes, SourceMap, Template};
use std::f64::consts::TAU;

/// What is computed; frequencies in rad/s.
pub(crate) struct Asked<'a> {
    pub(crate) channels: &'a [&'a str],
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) at: &'a [f64],
    pub(crate) grid: GridChoice,
    pub(crate) stability: bool,
}

impl Asked<'_> {
    /// The displacement of [`mass`].
    pub(crate) const MASS: Self = Self {
        channels: &["joint.mass.coordinate"],
        from: 0.0,
        to: 0.0,
        at: &[],
        grid: AUTO,
        stability: false,
    };
}

/// A slider of 5000 N/m; with 10 N it holds 3 N.
pub(crate) const JENKINS: &str =
    "{ law = \"jenkins\", tangential_stiffness = 5000, kinetic_coefficient = 0.3 }";

/// 1 kg on a spring of 1e4 N/m with a damper (N s/m) under `push` cos Ωt (N), and friction.
pub(crate) fn mass(damping: &str, push: f64, load: &str, law: &str, more: &str) -> String {
    format!(
        r#"
title = "a mass"
[simulation]
end_time = 1.0
gravity = [0, 0, 0]
[body.mass]
joint = "prismatic"
axis = [1, 0, 0]
mass = 1
[joint_spring.spring]
body = "mass"
stiffness = 1e4
damping = {damping}
[joint_friction.slider]
body = "mass"
load = {load}
friction = {law}
[force.push]
body = "mass"
direction = [1, 0, 0]
magnitude = {{ harmonic = {{ amplitude = {push} }} }}
{more}
"#
    )
}

/// The only point at a frequency.
pub(crate) fn one(curve: &ResponseCurve, omega: f64) -> &MarkedPoint {
    let all = at(curve, omega);
    assert_eq!(all.len(), 1, "one point at {omega} rad/s");
    all[0]
}

/// Within a part of the value.
pub(crate) fn close(found: f64, right: f64, part: f64) {
    assert!(
        (found / right - 1.0).abs() <= part,
        "{found:e} for {right:e}"
    );
}

pub(crate) const AUTO: GridChoice = GridChoice {
    harmonics: None,
    samples: None,
    tolerance: 1e-4,
};

pub(crate) fn fixed(harmonics: usize, samples: usize) -> GridChoice {
    GridChoice {
        harmonics: Some(harmonics),
        samples: Some(samples),
        tolerance: 1e-4,
    }
}

pub(crate) fn scenario(text: &str) -> bristle_scenario::Scenario {
    let folder = std::env::temp_dir().join(format!(
        "bristle-response-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let mut sources = SourceMap::new();
    let template = Template::read(&path, &[], &mut sources).unwrap();
    let scenario = template.build_any(&Changes::NONE, &mut sources);
    std::fs::remove_dir_all(&folder).unwrap();
    match scenario {
        Ok(scenario) => scenario,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

pub(crate) fn response(text: &str, asked: &Asked<'_>) -> ResponseCurve {
    let mut model = scenario(text).model;
    model.set_frequency(None);
    let mut rest = model.start();
    equilibrium(&model, &mut rest).unwrap();
    let machine = Machine::new(&mut model, rest).unwrap();
    let request = ResponseRequest {
        channels: asked.channels.iter().map(|c| (*c).to_owned()).collect(),
        range: CurveRange {
            from: asked.from,
            to: asked.to,
            at: asked.at.to_vec(),
        },
        options: CurveOptions {
            grid: asked.grid,
            ..CurveOptions::default()
        },
        stability: asked.stability,
        motion: false,
    };
    let mut control = CurveControl {
        found: &mut |_| {},
        stops: &|| false,
    };
    response_curve(&machine, &mut model, &request, &mut control).unwrap()
}

/// The points at a frequency (rad/s), in the order of the curve.
pub(crate) fn at(curve: &ResponseCurve, omega: f64) -> Vec<&MarkedPoint> {
    let near = |p: &&MarkedPoint| (p.result.frequency * TAU / omega - 1.0).abs() < 1e-9;
    let mut all: Vec<&MarkedPoint> = curve.points.iter().filter(near).collect();
    all.dedup_by(|a, b| {
        (a.result.channels[0].amplitude / b.result.channels[0].amplitude - 1.0).abs() < 1e-9
    });
    all
}
