//! Cubic springs against the closed forms of the Duffing oscillator; loads and motions whose
//! frequency is given later.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]
mod common;

use std::f64::consts::{PI, TAU};

use bristle_mechanics::element::{
    Attachment, Contact, ContactPoint, Force, JointFriction, JointLoad, JointSpring,
    NormalForceSource, Spring, Surface,
};
use bristle_mechanics::record::Start;
use bristle_mechanics::{
    Body, BodyId, FrictionPair, Inertia, Joint, JointOwner, Model, ModelBuilder, Prescribed, Vec3,
};
use bristle_signals::{Harmonic, Signal};
use common::{Rows, plan, record};

const MASS: f64 = 2.0;
const STIFFNESS: f64 = 50.0;

fn block(amplitude: f64) -> (ModelBuilder, BodyId) {
    let mut builder = ModelBuilder::new();
    let inertia = Inertia {
        mass: MASS,
        ..Inertia::NONE
    };
    let mut body = Body::new("block", Joint::Prismatic { axis: Vec3::x() }, inertia);
    body.coordinates = vec![amplitude];
    let body = builder.body(body).unwrap();
    (builder, body)
}

/// On a spring along the line of motion, of the natural length up to its point.
fn on_a_line(amplitude: f64, cubic: f64) -> Model {
    let (mut builder, body) = block(amplitude);
    let spring = Spring {
        name: "line".into(),
        from: Attachment {
            body: BodyId::GROUND,
            point: Vec3::new(-1.0, 0.0, 0.0),
        },
        to: Attachment {
            body,
            point: Vec3::zeros(),
        },
        stiffness: STIFFNESS,
        cubic,
        damping: 0.0,
        length: 1.0,
    };
    builder.element(Box::new(spring)).unwrap();
    builder.build()
}

/// On a spring without natural length.
fn about_a_point(amplitude: f64, cubic: f64) -> Model {
    let (mut builder, body) = block(amplitude);
    let end = |body| Attachment {
        body,
        point: Vec3::zeros(),
    };
    let spring = Spring {
        name: "line".into(),
        from: end(BodyId::GROUND),
        to: end(body),
        stiffness: STIFFNESS,
        cubic,
        damping: 0.0,
        length: 0.0,
    };
    builder.element(Box::new(spring)).unwrap();
    builder.build()
}

fn in_a_joint(amplitude: f64, cubic: f64) -> Model {
    let (mut builder, body) = block(amplitude);
    let spring = JointSpring {
        name: "own".into(),
        joint: JointOwner::Body(body),
        place: 0,
        stiffness: STIFFNESS,
        cubic,
        damping: 0.0,
        rest: 0.0,
        turns: false,
    };
    builder.joint_element(Box::new(spring)).unwrap();
    builder.build()
}

/// The period of m x'' + k x + k₃ x³ = 0 from rest at A: 4 K(m)/√(α + β A²) with α = k/m, β = k₃/m and
/// the parameter m = β A²/(2 (α + β A²)); K(m) = π/(2 agm(1, √(1 − m))).
fn duffing_period(amplitude: f64, cubic: f64) -> f64 {
    let (alpha, beta) = (STIFFNESS / MASS, cubic * amplitude.powi(2) / MASS);
    let parameter = beta / (2.0 * (alpha + beta));
    let (mut a, mut g) = (1.0_f64, (1.0 - parameter).sqrt());
    for _ in 0..8 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    4.0 * PI / (2.0 * a) / (alpha + beta).sqrt()
}

/// Time of the second downward passage through 0 less that of the first; there the curve has no
/// curvature, so that a line between two rows will do.
fn period(rows: &Rows) -> f64 {
    let (t, x) = (rows.column("t"), rows.column("joint.block.coordinate"));
    let passages: Vec<f64> = (1..t.len())
        .filter(|&i| x[i - 1] > 0.0 && x[i] <= 0.0)
        .map(|i| t[i - 1] + (t[i] - t[i - 1]) * x[i - 1] / (x[i - 1] - x[i]))
        .collect();
    passages[1] - passages[0]
}

#[test]
fn the_period_is_that_of_duffing() {
    // hardening to twice the stiffness in the mean, and softening to a third less
    for (amplitude, cubic) in [(0.2, 4000.0), (0.2, -800.0)] {
        let expected = duffing_period(amplitude, cubic);
        for model in [
            on_a_line(amplitude, cubic),
            about_a_point(amplitude, cubic),
            in_a_joint(amplitude, cubic),
        ] {
            let (outcome, rows) = record(&model, &plan(3.2, 1e-9), Start::AsGiven, 1e-3);
            assert!(outcome.error.is_none(), "{:?}", outcome.error);
            let found = period(&rows);
            // second order: steps of about a thousandth of the period
            assert!(
                (found / expected - 1.0).abs() < 1e-5,
                "{cubic}: {found} {expected}"
            );
            assert!(outcome.energies.relative_imbalance().abs() < 1e-6);
        }
    }
}

#[test]
fn the_stored_energy_is_that_of_the_cubic_force() {
    let (amplitude, cubic) = (0.2_f64, 4000.0);
    let expected = 0.5 * STIFFNESS * amplitude.powi(2) + 0.25 * cubic * amplitude.powi(4);
    for model in [
        on_a_line(amplitude, cubic),
        about_a_point(amplitude, cubic),
        in_a_joint(amplitude, cubic),
    ] {
        let (_, rows) = record(&model, &plan(0.01, 1e-9), Start::AsGiven, 0.01);
        let stored = rows.at("energy.stored", 0.0);
        assert!(
            (stored - expected).abs() < 1e-14 * expected.max(1.0),
            "{stored}"
        );
    }
}

fn wave(amplitude: f64) -> Signal {
    Signal::harmonic(Harmonic {
        amplitude,
        phase: 0.3,
        ..Harmonic::default()
    })
    .unwrap()
}

/// A block with a harmonic load, a normal force and a joint load that vary, on a plane that shakes.
fn shaken() -> Model {
    let (mut builder, body) = block(0.0);
    let motion = Prescribed {
        direction: Vec3::x(),
        displacement: wave(1e-3),
        axis: Vec3::z(),
        angle: Signal::Constant(0.0),
    };
    let mut cart = Body::new("cart", Joint::Prismatic { axis: Vec3::y() }, Inertia::NONE);
    cart.drives = vec![(0, wave(2e-3))];
    builder.body(cart).unwrap();
    let table = Body::new("table", Joint::Prescribed(motion), Inertia::NONE);
    let table = builder.body(table).unwrap();
    let pull = Force {
        name: "pull".into(),
        body,
        point: Vec3::zeros(),
        direction: Vec3::x(),
        follows: false,
        magnitude: Signal::sum(vec![Signal::Constant(1.0), wave(2.0)]),
    };
    builder.element(Box::new(pull)).unwrap();
    let rest = Contact {
        name: "rest".into(),
        body,
        points: vec![ContactPoint::new(Vec3::zeros())],
        surface: Surface::plane(table, Vec3::zeros(), Vec3::z()),
        normal: NormalForceSource::Prescribed(Signal::sum(vec![Signal::Constant(3.0), wave(1.0)])),
        friction: common::lugre().into(),
        slip_speed: 1e-3,
        resistance: None,
    };
    builder.element(Box::new(rest)).unwrap();
    let brake = JointFriction {
        name: "brake".into(),
        joint: JointOwner::Body(body),
        place: 0,
        friction: FrictionPair::from(common::lugre()),
        load: JointLoad::Given(wave(1.5)),
        radius: None,
        slip_speed: 1e-3,
    };
    builder.joint_element(Box::new(brake)).unwrap();
    builder.build()
}

#[test]
fn elements_and_drives_name_their_signals() {
    let model = shaken();
    let of = |name: &str| {
        let element = model.elements().iter().find(|e| e.name() == name).unwrap();
        let signals: Vec<&str> = element
            .signals()
            .into_iter()
            .map(|(field, _)| field)
            .collect();
        signals
    };
    assert_eq!(of("pull"), ["magnitude"]);
    assert_eq!(of("rest"), ["prescribed"]);
    assert_eq!(of("brake"), ["load"]);
    let drives: Vec<(usize, usize, bool)> = model
        .drive_signals()
        .map(|drive| (drive.body.index(), drive.coordinate, drive.turns))
        .collect();
    assert_eq!(drives, [(2, 0, false), (3, 0, false), (3, 1, true)]);
}

#[test]
fn a_frequency_reaches_all_loads_and_motions() {
    let mut model = shaken();
    let open = |model: &Model| {
        let elements = model.elements().iter();
        let loads = elements.flat_map(|element| element.signals());
        let drives = model.drive_signals().map(|drive| drive.signal);
        let all = loads.map(|(_, signal)| signal).chain(drives);
        all.filter(|signal| signal.has_open_harmonic()).count()
    };
    assert_eq!(open(&model), 5);
    model.set_frequency(Some(4.0));
    assert_eq!(open(&model), 0);
    // the frames see the motion of the drives
    let (_, rows) = record(&model, &plan(0.01, 1e-6), Start::AsGiven, 0.01);
    let moved = |t: f64| 1e-3 * (TAU * 4.0 * t + 0.3).cos();
    for t in [0.0, 0.01] {
        let place = rows.at("body.table.position.x", t);
        assert!((place - moved(t)).abs() < 1e-15, "{place}");
        let across = rows.at("body.cart.position.y", t);
        assert!((across - 2.0 * moved(t)).abs() < 1e-15, "{across}");
    }
    model.set_frequency(None);
    assert_eq!(open(&model), 5);
}

#[test]
fn a_motion_can_be_replaced() {
    let mut model = shaken();
    assert!(model.set_drive_signal(1, &Signal::Constant(0.5)));
    assert!(!model.set_drive_signal(3, &Signal::Constant(0.5)));
    let element = model.element_mut(0).unwrap();
    for (_, signal) in element.signals_mut() {
        *signal = Signal::Constant(7.0);
    }
    let (_, rows) = record(&model, &plan(0.01, 1e-6), Start::AsGiven, 0.01);
    assert!((rows.at("body.table.position.x", 0.01) - 0.5).abs() < 1e-15);
    assert!((rows.at("force.pull.magnitude", 0.01) - 7.0).abs() < 1e-15);
}
