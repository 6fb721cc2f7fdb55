//! Models that several tests share.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "each test uses its own part, and a test fails by a panic"
)]

use bristle_integrate::{Control, Flow, Method, Plan};
use bristle_laws::{Friction, Normal, Value, Values};
use bristle_mechanics::element::{
    Attachment, Contact, ContactPoint, Force, NormalForceSource, Spring, Surface,
};
use bristle_mechanics::record::{Outcome, RowObserver, Start, channels, simulate};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, Model, ModelBuilder, Prescribed, Vec3};
use bristle_signals::Signal;

pub fn values(list: &[(&str, f64)]) -> Values {
    list.iter()
        .map(|(n, x)| ((*n).to_owned(), Value::Number(*x)))
        .collect()
}

/// The parameters of the paper's table 2, per unit of normal force.
pub fn lugre() -> Friction {
    let p = [
        ("sigma_0", 1e4),
        ("sigma_1", 1e5_f64.sqrt() / 10.0),
        ("sigma_2", 0.04),
        ("v_s", 1e-3),
        ("mu_k", 0.1),
        ("mu_s", 0.15),
    ];
    Friction::build("lugre", &values(&p)).unwrap()
}

/// The set of Canudas de Wit et al. 1995 at 10 N of normal force.
pub fn lugre_classical() -> Friction {
    let p = [
        ("sigma_0", 1e5),
        ("sigma_1", 1e5_f64.sqrt()),
        ("sigma_2", 0.4),
        ("v_s", 1e-3),
        ("mu_k", 0.1),
        ("mu_s", 0.15),
    ];
    Friction::build("lugre_classical", &values(&p)).unwrap()
}

pub fn table(points: &[(f64, f64)]) -> Signal {
    Signal::table(
        points.iter().map(|p| p.0).collect(),
        points.iter().map(|p| p.1).collect(),
    )
    .unwrap()
}

/// The cube of Colantonio et al., section 3; `height` of the pull above the centre.
pub fn cube(angle_deg: f64, height: f64) -> Model {
    cube_with(lugre(), angle_deg, height)
}

/// The cube with another law.
pub fn cube_with(friction: Friction, angle_deg: f64, height: f64) -> Model {
    let mut builder = ModelBuilder::new();
    let body = Body::new("cube", Joint::Free, Inertia::solid_box(1.0, [0.1; 3]))
        .at(Vec3::new(0.0, 0.0, 0.05));
    let cube = builder.body(body).unwrap();
    let area = 3.0 * 3.0_f64.sqrt() / 2.0 * 0.05 * 0.05 / 6.0;
    let normal = [
        ("area", area),
        ("surface_constant", 3e-9),
        ("damping", 4.88e5),
    ];
    let points = (0..6)
        .map(|i| {
            let a = f64::from(i) * std::f64::consts::PI / 3.0;
            ContactPoint::new(Vec3::new(0.05 * a.cos(), 0.05 * a.sin(), -0.05))
        })
        .collect();
    builder
        .element(Box::new(Contact {
            name: "base".into(),
            body: cube,
            points,
            surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()),
            normal: NormalForceSource::Law(
                Normal::build("hunt_crossley", &values(&normal)).unwrap(),
            ),
            friction: friction.into(),
            slip_speed: 1e-3,
            resistance: None,
        }))
        .unwrap();
    let a = angle_deg.to_radians();
    let force = |name: &str, direction, point, magnitude| Force {
        name: name.into(),
        body: cube,
        point,
        direction,
        follows: false,
        magnitude,
    };
    let press = table(&[(0.0, 10.0), (3.0, 10.0), (4.0, 0.0)]);
    builder
        .element(Box::new(force("press", -Vec3::z(), Vec3::zeros(), press)))
        .unwrap();
    let pull = table(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.75), (4.0, 0.75)]);
    let direction = Vec3::new(a.cos(), a.sin(), 0.0);
    builder
        .element(Box::new(force(
            "pull",
            direction,
            Vec3::new(0.0, 0.0, height),
            pull,
        )))
        .unwrap();
    builder.build()
}

/// A block on one point with a prescribed normal force, on a slider along x.
pub fn block(mass: f64, friction: Friction, normal: Signal, loads: Vec<Signal>) -> ModelBuilder {
    let mut builder = ModelBuilder::new();
    let inertia = Inertia {
        mass,
        ..Inertia::NONE
    };
    let body = builder
        .body(Body::new(
            "block",
            Joint::Prismatic { axis: Vec3::x() },
            inertia,
        ))
        .unwrap();
    let slip_speed = friction.slip_speed();
    builder
        .element(Box::new(Contact {
            name: "base".into(),
            body,
            points: vec![ContactPoint::new(Vec3::zeros())],
            surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()),
            normal: NormalForceSource::Prescribed(normal),
            friction: friction.into(),
            slip_speed,
            resistance: None,
        }))
        .unwrap();
    for (i, magnitude) in loads.into_iter().enumerate() {
        builder
            .element(Box::new(Force {
                name: format!("load{i}"),
                body,
                point: Vec3::zeros(),
                direction: Vec3::x(),
                follows: false,
                magnitude,
            }))
            .unwrap();
    }
    builder
}

/// Block on a spring whose other end is drawn at 0.1 m/s (benchmark of Canudas de Wit et al.).
pub fn stick_slip() -> Model {
    pulled(lugre_classical())
}

/// The same block with another law.
pub fn pulled(friction: Friction) -> Model {
    let normal = Signal::constant(10.0).unwrap();
    let mut builder = block(1.0, friction, normal, vec![]);
    let motion = Prescribed {
        direction: Vec3::x(),
        displacement: Signal::expression("0.1*t").unwrap(),
        axis: Vec3::z(),
        angle: Signal::Constant(0.0),
    };
    let cart = builder
        .body(Body::new("cart", Joint::Prescribed(motion), Inertia::NONE))
        .unwrap();
    let end = |body| Attachment {
        body,
        point: Vec3::zeros(),
    };
    builder
        .element(Box::new(Spring {
            name: "spring".into(),
            from: end(builder_block()),
            to: end(cart),
            stiffness: 2.0,
            cubic: 0.0,
            damping: 0.0,
            length: 0.0,
        }))
        .unwrap();
    builder.build()
}

/// The first body added to a builder.
fn builder_block() -> BodyId {
    let mut other = ModelBuilder::new();
    other
        .body(Body::new(
            "block",
            Joint::Prismatic { axis: Vec3::x() },
            Inertia {
                mass: 1.0,
                ..Inertia::NONE
            },
        ))
        .unwrap()
}

/// All rows of a run.
pub struct Rows {
    pub names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl RowObserver for Rows {
    fn row(&mut self, values: &[f64]) -> Flow {
        self.rows.push(values.to_vec());
        Flow::Continue
    }
}

impl Rows {
    pub fn column(&self, name: &str) -> Vec<f64> {
        let i = self
            .names
            .iter()
            .position(|n| n == name)
            .unwrap_or_else(|| panic!("{name}"));
        self.rows.iter().map(|r| r[i]).collect()
    }

    pub fn at(&self, name: &str, t: f64) -> f64 {
        let i = self
            .names
            .iter()
            .position(|n| n == name)
            .unwrap_or_else(|| panic!("{name}"));
        let row = self
            .rows
            .iter()
            .min_by(|a, b| (a[0] - t).abs().total_cmp(&(b[0] - t).abs()));
        row.unwrap()[i]
    }
}

pub fn plan(end_time: f64, tolerance: f64) -> Plan {
    let control = Control::Adaptive {
        min_step: 1e-11,
        max_step: 0.05,
        first_step: 1e-6,
    };
    Plan {
        method: Method::NEWMARK,
        end_time,
        tolerance,
        control,
    }
}

pub fn fixed(end_time: f64, step: f64) -> Plan {
    let control = Control::Fixed { step };
    Plan {
        method: Method::NEWMARK,
        end_time,
        tolerance: 1e-8,
        control,
    }
}

pub fn record(model: &Model, plan: &Plan, start: Start, output_step: f64) -> (Outcome, Rows) {
    let names = channels(model).into_iter().map(|c| c.name).collect();
    let mut rows = Rows {
        names,
        rows: Vec::new(),
    };
    let outcome = simulate(model, plan, start, output_step, &mut rows);
    (outcome, rows)
}

/// A reproducible sequence of numbers in [-1, 1].
pub fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut x = seed;
    (0..n)
        .map(|_| {
            x = x
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((x >> 33) as f64) / f64::from(u32::MAX >> 1) * 2.0 - 1.0
        })
        .map(|y| y.clamp(-1.0, 1.0))
        .collect()
}

/// Runs a model as given with error control; the state at the end.
pub fn run_to(model: &Model, end_time: f64, tolerance: f64) -> bristle_integrate::State {
    let (outcome, _) = record(model, &plan(end_time, tolerance), Start::AsGiven, end_time);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    outcome.state
}

/// A law with its typical parameters, some of them replaced.
pub fn law(name: &str, replaced: &[(&str, f64)]) -> Friction {
    let mut values = bristle_laws::friction::typical(Friction::card_of(name).unwrap());
    for (field, x) in replaced {
        values.retain(|(known, _)| known != field);
        values.push(((*field).to_owned(), Value::Number(*x)));
    }
    Friction::build(name, &values).unwrap()
}

pub fn with_steps(plan: Plan, max_step: f64) -> Plan {
    Plan {
        control: Control::Adaptive {
            min_step: 1e-11,
            max_step,
            first_step: 1e-6,
        },
        ..plan
    }
}

pub fn run(model: &Model, end: f64, tolerance: f64, max_step: f64) -> (Outcome, Rows) {
    let plan = with_steps(plan(end, tolerance), max_step);
    let (outcome, rows) = record(model, &plan, Start::AsGiven, end / 1000.0);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    (outcome, rows)
}

/// A point of a block that is pressed on a plane with a force.
pub fn base(block: BodyId, plane: BodyId, normal: f64, friction: Friction) -> Contact {
    Contact {
        name: "base".into(),
        body: block,
        points: vec![ContactPoint::new(Vec3::zeros())],
        surface: Surface::plane(plane, Vec3::zeros(), Vec3::z()),
        normal: NormalForceSource::Prescribed(Signal::constant(normal).unwrap()),
        slip_speed: friction.slip_speed(),
        friction: friction.into(),
        resistance: None,
    }
}
