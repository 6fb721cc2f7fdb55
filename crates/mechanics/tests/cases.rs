//! Problems that users of other tools reported, and closed forms, as whole models.
//!
//! Values were computed apart from this project with SciPy (Radau, DOP853, rtol 1e-10) unless a
//! closed form is given.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

mod common;

use bristle_integrate::{Control, Plan};
use bristle_laws::Friction;
use bristle_mechanics::element::{
    Attachment, Contact, ContactPoint, NormalForceSource, Spring, Surface,
};
use bristle_mechanics::record::{Outcome, Start};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, Model, ModelBuilder, Vec3};
use bristle_signals::Signal;
use common::{Rows, block, lugre, lugre_classical, plan, record, stick_slip, table, values};

const X: &str = "body.block.position.x";
const V: &str = "body.block.velocity.x";

fn formula(text: &str) -> Signal {
    Signal::expression(text).unwrap()
}

fn constant(x: f64) -> Signal {
    Signal::constant(x).unwrap()
}

fn law(name: &str, parameters: &[(&str, f64)]) -> Friction {
    Friction::build(name, &values(parameters)).unwrap()
}

fn run(model: &Model, end: f64, tolerance: f64, output: f64) -> (Outcome, Rows) {
    let plan = Plan {
        control: Control::Adaptive {
            min_step: 1e-12,
            max_step: 0.05,
            first_step: 1e-6,
        },
        ..plan(end, tolerance)
    };
    let (outcome, rows) = record(model, &plan, Start::AsGiven, output);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    (outcome, rows)
}

fn close(name: &str, value: f64, wanted: f64, tolerance: f64) {
    assert!(
        (value - wanted).abs() <= tolerance,
        "{name}: {value}, wanted {wanted} within {tolerance:e}"
    );
}

/// Karnopp's law as Coulomb's, with a dead zone that nothing here can see.
fn coulomb(mu_s: f64, mu_k: f64) -> Friction {
    let p = [
        ("static_coefficient", mu_s),
        ("kinetic_coefficient", mu_k),
        ("stribeck_velocity", 1e-7),
        ("stiction_velocity", 1e-6),
    ];
    law("karnopp", &p)
}

/// A block on a spring to the ground, at `start`.
fn oscillator(stiffness: f64, start: f64, friction: Friction, normal: f64, load: Signal) -> Model {
    let mut builder = ModelBuilder::new();
    let inertia = Inertia {
        mass: 1.0,
        ..Inertia::NONE
    };
    let joint = Joint::Prismatic { axis: Vec3::x() };
    let mut body = Body::new("block", joint, inertia);
    body.position = Vec3::new(start, 0.0, 0.0);
    let body = builder.body(body).unwrap();
    let slip_speed = friction.slip_speed();
    builder
        .element(Box::new(Contact {
            name: "base".into(),
            body,
            points: vec![ContactPoint::new(Vec3::zeros())],
            surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()),
            normal: NormalForceSource::Prescribed(constant(normal)),
            friction: friction.into(),
            slip_speed,
            resistance: None,
        }))
        .unwrap();
    let end = |body| Attachment {
        body,
        point: Vec3::zeros(),
    };
    builder
        .element(Box::new(Spring {
            name: "spring".into(),
            from: end(body),
            to: end(BodyId::GROUND),
            stiffness,
            cubic: 0.0,
            damping: 0.0,
            length: 0.0,
        }))
        .unwrap();
    builder
        .element(Box::new(bristle_mechanics::element::Force {
            name: "load".into(),
            body,
            point: Vec3::zeros(),
            direction: Vec3::x(),
            follows: false,
            magnitude: load,
        }))
        .unwrap();
    builder.build()
}

/// C02: 10 g on bristles of 1e5 N/m, 0.5 N at once.
#[test]
fn a_light_body_on_stiff_bristles() {
    let model = block(0.01, lugre_classical(), constant(10.0), vec![constant(0.5)]).build();
    let (outcome, rows) = run(&model, 0.2, 1e-6, 1e-3);
    close("F", rows.at("contact.base.friction.x", 0.2), 0.5, 1e-6);
    // bristles carry the load alone at rest: 0.5 N/1e5 N/m
    close(
        "z",
        rows.at("contact.base.point1.state.x", 0.2),
        5e-6,
        1e-10,
    );
    close("x", rows.at(X, 0.2), 6.277e-6, 5e-9);
    close("v", rows.at(V, 0.2), 0.0, 1e-9);
    // rates of 319 and 31344 1/s: an explicit method needs 3000 steps, this one damps them
    assert!(outcome.statistics.steps < 1000);
}

/// C13: under half the limit a regularised law creeps by W eps/Fs, bristles hold.
#[test]
fn creep_of_a_regularised_law_and_hold_of_bristles() {
    let load = || table(&[(0.0, 0.0), (0.5, 5.0), (11.0, 5.0)]);
    let gkf = [
        ("static_coefficient", 1.0),
        ("kinetic_coefficient", 1.0),
        ("stribeck_velocity", 1e-3),
        ("regularisation_velocity", 1e-3),
    ];
    let model = block(1.0, law("gkf", &gkf), constant(10.0), vec![load()]).build();
    let (_, rows) = run(&model, 11.0, 1e-6, 0.1);
    // closed form: 5 mm in 10 s
    close("creep", rows.at(X, 11.0) - rows.at(X, 1.0), 5e-3, 1e-6);
    let bristles = [
        ("bristle_stiffness", 1e4),
        ("bristle_damping", 100.0),
        ("stribeck_velocity", 1e-3),
        ("kinetic_coefficient", 1.0),
        ("static_coefficient", 1.0),
    ];
    let model = block(1.0, law("lugre", &bristles), constant(10.0), vec![load()]).build();
    let (_, rows) = run(&model, 11.0, 1e-8, 0.1);
    // slow loading: -(Fs/sigma0) ln(1 - W/Fs) = 6.93e-5 m
    close("hold", rows.at(X, 1.0), 6.93e-5, 2e-7);
    close("drift", rows.at(X, 11.0) - rows.at(X, 2.0), 0.0, 1e-12);
}

/// C14: LuGre drifts under a vibrating load below the limit; elements and dead zones do not.
#[test]
fn drift_under_vibration() {
    let loads = || {
        vec![
            table(&[(0.0, 0.0), (0.5, 0.5), (30.0, 0.5)]),
            formula("0.4*sin(2*pi*5*(t-1))*step(t-1)"),
        ]
    };
    let model = block(1.0, lugre_classical(), constant(10.0), loads()).build();
    let (_, rows) = run(&model, 21.0, 1e-7, 0.1);
    close("x(1)", rows.at(X, 1.0), 6.0956e-6, 2e-9);
    close("x(11)", rows.at(X, 11.0), 3.4967e-4, 3.5e-7);
    close("x(21)", rows.at(X, 21.0), 6.9387e-4, 7e-7);
    // no drift for |F| < N sigma0 z_ba, in elements, and where stick is stick
    let elastoplastic = [
        ("bristle_stiffness", 1e4),
        ("bristle_damping", 31.6),
        ("stribeck_velocity", 1e-3),
        ("kinetic_coefficient", 0.1),
        ("static_coefficient", 0.15),
        ("breakaway_deflection", 9.5e-6),
    ];
    let stick = [
        ("stick_stiffness", 1e5),
        ("stick_damping", 316.0),
        ("kinetic_coefficient", 0.1),
        ("static_coefficient", 0.15),
    ];
    let zone = [
        ("stiction_velocity", 1e-4),
        ("stiction_displacement", 1e-5),
        ("kinetic_coefficient", 0.1),
        ("static_coefficient", 0.15),
    ];
    for friction in [
        law("elastoplastic", &elastoplastic),
        law("simpack_stick_slip", &stick),
        law("adams_stick_slip", &zone),
        coulomb(0.15, 0.1),
    ] {
        let name = friction.card().name.to_owned();
        let model = block(1.0, friction, constant(10.0), loads()).build();
        let (_, rows) = run(&model, 21.0, 1e-7, 0.1);
        // whole periods apart, after the first ones
        close(&name, rows.at(X, 21.0) - rows.at(X, 11.0), 0.0, 1e-9);
    }
}

/// C16: the law per unit of normal force drifts under a pulsating one.
#[test]
fn drift_under_a_pulsating_normal_force() {
    let normal = formula("10 + 2*sin(2*pi*10*(t-2))*step(t-2)");
    let pull = table(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.75), (13.0, 0.75)]);
    let model = block(1.0194, lugre(), normal, vec![pull]).build();
    let (_, rows) = run(&model, 12.0, 1e-7, 0.1);
    close("x(2)", rows.at(X, 2.0), 1.035e-5, 1e-8);
    close("x(7)", rows.at(X, 7.0), 2.7167e-4, 3e-7);
    close("x(12)", rows.at(X, 12.0), 5.3276e-4, 6e-7);
}

/// C17: constant pull while the normal force falls to nothing.
#[test]
fn normal_force_to_nothing() {
    let normal = table(&[(0.0, 10.0), (3.0, 10.0), (4.0, 0.0)]);
    let pull = table(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.75), (4.0, 0.75)]);
    let model = block(1.0194, lugre(), normal, vec![pull]).build();
    let (outcome, rows) = run(&model, 4.0, 1e-7, 1e-3);
    close("x(3)", rows.at(X, 3.0), 1.042e-5, 1e-8);
    let slip = outcome.contacts[0].first_slip_time.unwrap();
    close("|v| passes 1 mm/s", slip, 3.486, 5e-4);
    close("v(3.95)", rows.at(V, 3.95), 0.2103, 1e-4);
    close("x(3.95)", rows.at(X, 3.95), 0.04086, 2e-5);
}

/// C18: after a long slide it does not spring back by more than the bristles hold.
#[test]
fn no_stored_slide() {
    let push = table(&[(0.0, 2.0), (0.3, 2.0), (0.3 + 1e-9, 0.0), (1.0, 0.0)]);
    let model = block(1.0, lugre_classical(), constant(10.0), vec![push]).build();
    let (_, rows) = run(&model, 1.0, 1e-8, 1e-4);
    let largest = rows.column(X).into_iter().fold(0.0, f64::max);
    close("x_max", largest, 0.080_553_7, 1e-6);
    let back = largest - rows.at(X, 1.0);
    close("spring-back", back, 7.4e-6, 2e-7);
}

/// C21: a mass on a spring with dry friction: turning points and where it stops.
#[test]
fn a_mass_on_a_spring_stops_in_the_dead_zone() {
    let model = oscillator(100.0, 0.1, coulomb(0.2, 0.2), 9.81, constant(0.0));
    let (outcome, rows) = run(&model, 1.5, 1e-9, 1e-4);
    // the spring's rest is at x = 0 of the world; the channel is the world's
    let x = rows.column(X);
    let lowest = x.iter().copied().fold(f64::INFINITY, f64::min);
    let stop = rows.at(X, 1.5);
    // half swings of pi/10 s, each 2 mu g/k = 0.03924 m smaller; it stops after three
    close("first turn", lowest, -0.060_76, 1e-6);
    close("second turn", rows.at(X, 0.6283), 0.021_52, 1e-6);
    close("third turn", rows.at(X, 0.9425), 0.017_72, 1e-6);
    close("stop", stop, 0.017_72, 1e-6);
    close(
        "friction",
        rows.at("contact.base.friction.x", 1.5),
        -1.772,
        1e-4,
    );
    let start = outcome.contacts[0].stick_intervals.last().unwrap()[0];
    close("time", start, 0.942_478, 1e-5);
    assert!(outcome.statistics.mode_changes <= 8);
}

/// C24: two stuck elements share a load as their stiffnesses.
#[test]
fn two_stuck_elements_share_the_load() {
    let element = |k| law("jenkins", &[("k_t", k), ("mu_k", 1.0)]);
    let load = table(&[(0.0, 0.0), (1.0, 5.0), (2.0, 5.0)]);
    let mut builder = block(1.0, element(1e5), constant(100.0), vec![load]);
    let mut same = ModelBuilder::new();
    let inertia = Inertia {
        mass: 1.0,
        ..Inertia::NONE
    };
    let joint = Joint::Prismatic { axis: Vec3::x() };
    let body = same.body(Body::new("block", joint, inertia)).unwrap();
    builder
        .element(Box::new(Contact {
            name: "second".into(),
            body,
            points: vec![ContactPoint::new(Vec3::zeros())],
            surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()),
            normal: NormalForceSource::Prescribed(constant(100.0)),
            friction: element(3e5).into(),
            slip_speed: 1e-3,
            resistance: None,
        }))
        .unwrap();
    let (_, rows) = run(&builder.build(), 2.0, 1e-7, 0.1);
    let forces = ["base", "second"].map(|name| {
        let path = format!("contact.{name}.friction.x");
        rows.at(&path, 2.0)
    });
    // they ring without damping by the rate of the load: 5 N/s over sqrt(4e5) 1/s is 8 mN
    close("sum", forces[0] + forces[1], 5.0, 0.02);
    close("ratio", forces[1] / forces[0], 3.0, 1e-9);
}

/// C38: two levels: 0.5 holds up to 5 s, then the kinetic 0.05 lets it go with 45 /s².
#[test]
fn static_and_kinetic_level_differ() {
    let load = table(&[(0.0, 0.0), (6.0, 0.6)]);
    let stick = [
        ("stick_stiffness", 1e5),
        ("stick_damping", 60.0),
        ("static_coefficient", 0.5),
        ("kinetic_coefficient", 0.05),
    ];
    for friction in [coulomb(0.5, 0.05), law("simpack_stick_slip", &stick)] {
        let name = friction.card().name.to_owned();
        let model = block(0.01, friction, constant(1.0), vec![load.clone()]).build();
        let (outcome, rows) = run(&model, 5.1, 1e-8, 1e-3);
        let slip = outcome.contacts[0].first_slip_time.unwrap();
        close(&name, slip, 5.0, 2e-3);
        assert!(rows.at(X, 4.99) < 1e-5, "{name}");
        // v = 45 s + 10/2 s² /s with the ramp of 0.1 N/s on 10 g
        let s = 5.1 - slip;
        close(&name, rows.at(V, 5.1), 45.0 * s + 5.0 * s * s, 0.05);
    }
}

/// C41: the stick-slip of 1995, as long as 100 s.
#[test]
fn a_long_stick_slip() {
    let (outcome, rows) = run(&stick_slip(), 100.0, 1e-8, 2e-3);
    // one part in 1e5 after fifteen slips
    close("x(100)", rows.at(X, 100.0), 9.544_094, 1e-4);
    let fastest = outcome.contacts[0].max_slip_speed;
    close("peak speed", fastest, 0.3698, 1e-4);
    let (t, x, v) = (rows.column("t"), rows.column(X), rows.column(V));
    let passes: Vec<f64> = (1..t.len())
        .filter(|&i| v[i - 1] < 0.05 && v[i] >= 0.05)
        .map(|i| t[i - 1] + (t[i] - t[i - 1]) * (0.05 - v[i - 1]) / (v[i] - v[i - 1]))
        .collect();
    close("first pass", passes[0], 7.540, 1e-3);
    close("period", passes[6] - passes[5], 6.362_71, 1e-4);
    let spring = t.iter().zip(&x).filter(|(t, _)| **t > 20.0);
    let forces = spring.map(|(t, x)| 2.0 * (0.1 * t - x));
    let (low, high) = forces.fold((f64::INFINITY, 0.0_f64), |(l, h), f| (l.min(f), h.max(f)));
    close("lowest", low, 0.741_24, 1e-4);
    close("highest", high, 1.507_99, 1e-4);
}

/// B4: presliding hysteresis, force triangle to 1.425 N at 1 N/s.
#[test]
fn presliding_hysteresis() {
    let load = table(&[(0.0, 0.0), (1.425, 1.425), (4.275, -1.425), (7.125, 1.425)]);
    let model = block(1.0, lugre_classical(), constant(10.0), vec![load]).build();
    let (_, rows) = run(&model, 7.125, 1e-8, 0.1425);
    close("peak", rows.at(X, 1.425), 4.493_703e-5, 5e-9);
    close("back at zero", rows.at(X, 2.85), 3.780_249e-5, 5e-9);
    close("lowest", rows.at(X, 4.275), -7.166_233e-6, 5e-9);
    close("closes", rows.at(X, 7.125), 4.493_703e-5, 5e-9);
    let z = rows.at("contact.base.point1.state.x", 1.425);
    close("z at the peak", z, 1.418_304e-5, 2e-9);
}

/// B11: a forced mass with Coulomb friction (den Hartog), where it does not stop within a swing.
#[test]
fn forced_oscillation_of_den_hartog() {
    for (b, share) in [(1.2_f64, 0.5), (1.5, 0.3), (2.0, 0.2), (0.8, 0.4)] {
        let w = 10.0 * b;
        // P/k = 1 m
        let load = formula(&format!("100*cos({w}*t)"));
        let model = oscillator(100.0, 0.0, coulomb(0.1, 0.1), share * 1000.0, load);
        let end = 60.0 * std::f64::consts::TAU / w;
        let (outcome, rows) = run(&model, end, 1e-6, end / 6000.0);
        let x = rows.column(X);
        let largest = x[5000..].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        // closed form
        let v = 1.0 / (1.0 - b * b);
        let angle = std::f64::consts::PI / b;
        let u = angle.sin() / (b * (1.0 + angle.cos()));
        let wanted = (v * v - (share * u).powi(2)).sqrt();
        // what is left of the start after sixty periods, and one row in a hundred per period
        close(&format!("{b}, {share}"), largest, wanted, 3e-3 * wanted);
        // two stops a period, two changes each
        assert!(outcome.statistics.mode_changes <= 250, "{b}");
    }
}

/// B12: Coulomb, Stribeck and viscous friction under 25 sin(2 pi t/4) N: it reverses and must not stick.
#[test]
fn reversal_without_stick() {
    let p = [
        ("static_coefficient", 1.5),
        ("kinetic_coefficient", 0.5),
        ("stribeck_velocity", 0.5),
        ("stribeck_exponent", 1.0),
        ("viscous_coefficient", 0.1),
        ("stiction_velocity", 1e-7),
    ];
    let load = formula("25*sin(2*pi*0.25*t)");
    let model = block(1.0, law("karnopp", &p), constant(10.0), vec![load]).build();
    let (_, rows) = run(&model, 4.6, 1e-8, 1e-3);
    let (t, v) = (rows.column("t"), rows.column(V));
    let moves = v.iter().position(|v| *v > 1e-5).unwrap();
    // rows are 1 ms apart
    close("break-away", t[moves], 0.409_665_53, 1.5e-3);
    let x = rows.column(X);
    let largest = x.iter().copied().fold(0.0, f64::max);
    close("first reversal", largest, 13.455_588_12, 1e-4);
    let fastest = rows.column(V).into_iter().fold(0.0, f64::max);
    close("peak speed", fastest, 11.017_648_73, 1e-4);
    close("second reversal", rows.at(X, 4.442), 0.093_320_03, 1e-4);
}
