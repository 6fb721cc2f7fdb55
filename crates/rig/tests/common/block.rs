//! A block on a slider, with friction, a load and a spring.

#![allow(dead_code, reason = "every test file takes a part of it")]

use bristle_integrate::{Control, Flow, Method, Plan};
use bristle_laws::Friction;
use bristle_mechanics::element::{
    Attachment, Contact, ContactPoint, Force, NormalForceSource, Spring, Surface,
};
use bristle_mechanics::record::{Outcome, RowObserver, Start, channels, simulate};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, ModelBuilder, Vec3};
use bristle_signals::Signal;

/// A block on a slider along x.
pub(crate) struct Block {
    builder: ModelBuilder,
    body: BodyId,
}

impl Block {
    pub(crate) fn new(mass: f64, position: f64, velocity: f64) -> Self {
        let mut builder = ModelBuilder::new();
        let inertia = Inertia {
            mass,
            ..Inertia::NONE
        };
        let slider = Joint::Prismatic { axis: Vec3::x() };
        let mut body = Body::new("block", slider, inertia);
        body.velocity = vec![velocity];
        body.coordinates = vec![position];
        let body = builder.body(body).unwrap();
        Self { builder, body }
    }

    pub(crate) fn on(mut self, name: &str, friction: &Friction, normal: Signal) -> Self {
        let contact = Contact {
            name: name.into(),
            body: self.body,
            points: vec![ContactPoint::new(Vec3::zeros())],
            surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()),
            normal: NormalForceSource::Prescribed(normal),
            friction: friction.clone().into(),
            slip_speed: friction.slip_speed().min(1e-6),
            resistance: None,
        };
        self.builder.element(Box::new(contact)).unwrap();
        self
    }

    pub(crate) fn pulled(mut self, magnitude: Signal) -> Self {
        let force = Force {
            name: "pull".into(),
            body: self.body,
            point: Vec3::zeros(),
            direction: Vec3::x(),
            follows: false,
            magnitude,
        };
        self.builder.element(Box::new(force)).unwrap();
        self
    }

    pub(crate) fn sprung(mut self, stiffness: f64) -> Self {
        let end = |body| Attachment {
            body,
            point: Vec3::zeros(),
        };
        let spring = Spring {
            name: "spring".into(),
            from: end(BodyId::GROUND),
            to: end(self.body),
            stiffness,
            cubic: 0.0,
            damping: 0.0,
            length: 0.0,
        };
        self.builder.element(Box::new(spring)).unwrap();
        self
    }

    pub(crate) fn run(
        self,
        end_time: f64,
        output_step: f64,
        control: Control,
        tolerance: f64,
    ) -> Run {
        let model = self.builder.build();
        let plan = Plan {
            method: Method::NEWMARK,
            end_time,
            tolerance,
            control,
        };
        let mut rows = Rows(Vec::new());
        let outcome = simulate(&model, &plan, Start::AsGiven, output_step, &mut rows);
        assert_eq!(outcome.error, None);
        Run {
            names: channels(&model).into_iter().map(|c| c.name).collect(),
            rows: rows.0,
            outcome,
        }
    }

    pub(crate) fn adaptive(self, end_time: f64, output_step: f64) -> Run {
        let control = Control::Adaptive {
            min_step: 1e-12,
            max_step: 0.01,
            first_step: 1e-6,
        };
        self.run(end_time, output_step, control, 1e-7)
    }
}

struct Rows(Vec<Vec<f64>>);

impl RowObserver for Rows {
    fn row(&mut self, values: &[f64]) -> Flow {
        self.0.push(values.to_vec());
        Flow::Continue
    }
}

pub(crate) struct Run {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
    pub(crate) outcome: Outcome,
}

impl Run {
    pub(crate) fn column(&self, name: &str) -> Vec<f64> {
        let index = self.names.iter().position(|n| n == name).unwrap();
        self.rows.iter().map(|row| row[index]).collect()
    }
    pub(crate) fn x(&self) -> Vec<f64> {
        self.column("body.block.position.x")
    }
    pub(crate) fn v(&self) -> Vec<f64> {
        self.column("body.block.velocity.x")
    }
    /// Size of the friction of a contact.
    pub(crate) fn friction(&self, contact: &str) -> Vec<f64> {
        let name = format!("contact.{contact}.friction.x");
        self.column(&name).iter().map(|f| f.abs()).collect()
    }
    /// The value of a column at a time, which must be a row.
    pub(crate) fn at(&self, column: &[f64], t: f64) -> f64 {
        let times = self.column("t");
        let i = times.iter().position(|x| (x - t).abs() < 1e-9).unwrap();
        column[i]
    }
}

#[track_caller]
pub(crate) fn near(value: f64, wanted: f64, tolerance: f64) {
    assert!(
        (value - wanted).abs() <= tolerance,
        "{value} is not {wanted} within {tolerance}"
    );
}

pub(crate) fn table(points: &[(f64, f64)]) -> Signal {
    let (times, values) = points.iter().copied().unzip();
    Signal::table(times, values).unwrap()
}

pub(crate) fn constant(x: f64) -> Signal {
    Signal::constant(x).unwrap()
}

pub(crate) fn formula(text: &str) -> Signal {
    Signal::expression(text).unwrap()
}
