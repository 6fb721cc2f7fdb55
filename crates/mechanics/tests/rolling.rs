//! Balls on planes against closed forms.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

mod common;

use bristle_laws::{Friction, Normal};
use bristle_mechanics::element::{Contact, ContactPoint, NormalForceSource, Resistance, Surface};
use bristle_mechanics::record::{Outcome, Start};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, Model, ModelBuilder, Vec3};
use common::{Rows, plan, record, values};

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;

/// A law without viscous part and Stribeck effect.
fn dry(mu: f64) -> Friction {
    let p = [
        ("bristle_stiffness", 1e5),
        ("bristle_damping", 3.0),
        ("stribeck_velocity", 1e-3),
        ("kinetic_coefficient", mu),
        ("static_coefficient", mu),
    ];
    Friction::build("lugre", &values(&p)).unwrap()
}

/// A ball of 1 kg on the ground, tilted about x and y so that nothing lies along an axis.
fn ball(friction: Friction, resistance: Option<Resistance>, v: Vec3, w: Vec3, tilt: Vec3) -> Model {
    let turn = nalgebra::UnitQuaternion::from_scaled_axis(tilt);
    let mut builder = ModelBuilder::new();
    let stiffness = 1e8_f64;
    // it starts where the normal law carries its weight
    let sunk = (G / stiffness).powf(1.0 / 1.5);
    let inertia = Inertia::solid_sphere(1.0, RADIUS);
    let mut body =
        Body::new("ball", Joint::Free, inertia).at(turn * Vec3::new(0.0, 0.0, RADIUS - sunk));
    let (v, w) = (turn * v, turn * w);
    body.velocity = v.iter().chain(w.iter()).copied().collect();
    let ball = builder.body(body).unwrap();
    let normal = [
        ("stiffness", stiffness),
        ("exponent", 1.5),
        ("dissipation", 0.5),
    ];
    builder
        .element(Box::new(Contact {
            name: "floor".into(),
            body: ball,
            points: vec![ContactPoint::ball(Vec3::zeros(), RADIUS)],
            surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), turn * Vec3::z()),
            normal: NormalForceSource::Law(
                Normal::build("hunt_crossley_1975", &values(&normal)).unwrap(),
            ),
            slip_speed: friction.slip_speed(),
            friction: friction.into(),
            resistance,
        }))
        .unwrap();
    builder.gravity(turn * Vec3::new(0.0, 0.0, -G));
    builder.build()
}

fn run(model: &Model, end: f64) -> (Outcome, Rows) {
    let (outcome, rows) = record(model, &plan(end, 1e-7), Start::AsGiven, end / 1000.0);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    (outcome, rows)
}

fn speed(rows: &Rows, t: f64) -> f64 {
    let v = ["x", "y", "z"].map(|axis| rows.at(&format!("body.ball.velocity.{axis}"), t));
    Vec3::from(v).norm()
}

/// Thrown without spin at v0 it slides for 2 v0/(7 mu g) and then rolls at 5/7 v0.
#[test]
fn a_sliding_ball_begins_to_roll() {
    let (v0, mu) = (1.0, 0.3);
    for tilt in [Vec3::zeros(), Vec3::new(0.4, -0.7, 0.3)] {
        let model = ball(dry(mu), None, Vec3::new(v0, 0.0, 0.0), Vec3::zeros(), tilt);
        let (outcome, rows) = run(&model, 0.5);
        let start = outcome.contacts[0].stick_intervals[0][0];
        let wanted = 2.0 * v0 / (7.0 * mu * G);
        // the lever is shorter by half of the 21 um that the ball sinks in (1e-4), and the contact
        // counts as stuck from 1 mm/s on, 0.1 ms before
        assert!((start - wanted).abs() < 3e-4, "{start} instead of {wanted}");
        let v = speed(&rows, 0.5);
        assert!((v - 5.0 / 7.0 * v0).abs() < 2e-4, "{v}");
        // friction alone never stops a rolling ball
        let later = speed(&rows, 0.3);
        assert!((v - later).abs() < 1e-6, "{later} {v}");
        // the energy lost is 2/7 of that of the throw
        let lost = outcome.energies.dissipated;
        assert!((lost - 0.5 * v0 * v0 * 2.0 / 7.0).abs() < 2e-4, "{lost}");
        // the rotation has no coordinate: its work is integrated from rates, to the order of the method
        assert!(outcome.energies.relative_imbalance() < 1e-5);
    }
}

/// With a rolling length d it slows down by (5/7) g d/R.
#[test]
fn rolling_resistance_stops_a_ball() {
    let (v0, d) = (0.2, 1e-3);
    let resistance = Resistance::new(d, 0.0).unwrap();
    let spin = Vec3::new(0.0, v0 / RADIUS, 0.0);
    let model = ball(
        dry(0.3),
        Some(resistance),
        Vec3::new(v0, 0.0, 0.0),
        spin,
        Vec3::new(0.1, 0.2, 0.0),
    );
    let (outcome, rows) = run(&model, 5.0);
    let a = 5.0 / 7.0 * G * d / RADIUS;
    // the friction force acts at the lever R - δ/2, shorter by 1e-4
    for t in [1.0, 2.0] {
        let v = speed(&rows, t);
        assert!((v - (v0 - a * t)).abs() < 1e-4, "{t}: {v}");
    }
    let stop = v0 / a;
    let way = |t: f64| ["x", "y", "z"].map(|x| rows.at(&format!("body.ball.position.{x}"), t));
    let whole = (Vec3::from(way(5.0)) - Vec3::from(way(0.0))).norm();
    assert!((whole - v0 * v0 / (2.0 * a)).abs() < 3e-4, "{whole}");
    assert!(
        stop < 3.0 && speed(&rows, 5.0) < 1e-5,
        "{}",
        speed(&rows, 5.0)
    );
    assert!(
        outcome.energies.relative_imbalance() < 1e-4,
        "{}",
        outcome.energies.relative_imbalance()
    );
}

/// A spinning ball on the spot: I dw/dt = -N c.
#[test]
fn spinning_resistance_stops_a_top() {
    let c = 2e-3;
    let resistance = Resistance::new(0.0, c).unwrap();
    let model = ball(
        dry(0.3),
        Some(resistance),
        Vec3::zeros(),
        Vec3::new(0.0, 0.0, 4.0),
        Vec3::zeros(),
    );
    let (_, rows) = run(&model, 1.5);
    let slowing = G * c / (0.4 * RADIUS * RADIUS);
    for t in [0.3, 0.75] {
        let w = rows.at("body.ball.angular_velocity.z", t);
        // a closed form: rounding and the tolerance of the steps
        assert!((w - (4.0 - slowing * t)).abs() < 1e-5, "{t}: {w}");
    }
    assert!(rows.at("body.ball.angular_velocity.z", 1.5).abs() < 1e-4);
}

/// On a slope below atan(3.5 mu) a ball rolls without slip, a = (5/7) g sin(angle).
#[test]
fn a_ball_rolls_down_a_slope() {
    let angle = 0.3_f64;
    let friction = dry(0.3);
    let mut model = ModelBuilder::new();
    let inertia = Inertia::solid_sphere(1.0, RADIUS);
    let body = Body::new("ball", Joint::Free, inertia).at(Vec3::new(0.0, 0.0, RADIUS - 2e-5));
    let ball = model.body(body).unwrap();
    let normal = [("stiffness", 1e8), ("exponent", 1.5), ("dissipation", 0.5)];
    model
        .element(Box::new(Contact {
            name: "slope".into(),
            body: ball,
            points: vec![ContactPoint::ball(Vec3::zeros(), RADIUS)],
            surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()),
            normal: NormalForceSource::Law(
                Normal::build("hunt_crossley_1975", &values(&normal)).unwrap(),
            ),
            slip_speed: 1e-3,
            friction: friction.into(),
            resistance: None,
        }))
        .unwrap();
    model.gravity(Vec3::new(G * angle.sin(), 0.0, -G * angle.cos()));
    let (_, rows) = run(&model.build(), 1.0);
    let a = 5.0 / 7.0 * G * angle.sin();
    // half of the indentation of 21 um shortens the lever of 0.1 m
    let x = rows.at("body.ball.position.x", 1.0);
    assert!((x / (0.5 * a) - 1.0).abs() < 1e-3, "{x}");
    let w = rows.at("body.ball.angular_velocity.y", 1.0);
    assert!((w * RADIUS / a - 1.0).abs() < 1e-3, "{w}");
}

/// Thrown without spin and with rolling resistance: slides, rolls and stops (the example rolling-ball).
#[test]
fn a_ball_slides_rolls_and_stops() {
    let (mu, d) = (0.3, 1.5e-3);
    let p = [
        ("bristle_stiffness", 1e5),
        ("bristle_damping", 50.0),
        ("damping_velocity", 1e-2),
        ("stribeck_velocity", 1e-3),
        ("kinetic_coefficient", mu),
        ("static_coefficient", mu),
    ];
    let friction = Friction::build("lugre", &values(&p)).unwrap();
    let resistance = Resistance::new(d, 0.0).unwrap();
    let model = ball(
        friction,
        Some(resistance),
        Vec3::x(),
        Vec3::zeros(),
        Vec3::zeros(),
    );
    let (outcome, rows) = run(&model, 9.0);
    let end = 1.0 / (G * (3.5 * mu - 2.5 * d / RADIUS));
    let rolling = 5.0 / 7.0 * G * d / RADIUS;
    let v = 1.0 - mu * G * end;
    // counted as stuck from 1 mm/s on, 0.1 ms before
    let stick = &outcome.contacts[0].stick_intervals;
    assert!((stick[0][0] - end).abs() < 3e-4, "{stick:?}");
    let speed = rows.at("body.ball.velocity.x", 2.997);
    // the moment builds up within 1 mrad, which takes 5 ms of spin-up: 0.1 m/s² for some 3 ms
    assert!(
        (speed - (v - rolling * (2.997 - end))).abs() < 5e-4,
        "{speed}"
    );
    let way = rows.at("body.ball.position.x", 9.0);
    let wanted = 0.5 * (1.0 + v) * end + 0.5 * v * v / rolling;
    assert!((way - wanted).abs() < 4e-3, "{way} instead of {wanted}");
}
