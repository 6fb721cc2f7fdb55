//! Contacts on curved surfaces: the tangent against differences, bristles round closed tracks.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod common;

use bristle_integrate::{Instant, Renew, System, TangentRequest, Weights};
use bristle_laws::Normal;
use bristle_mechanics::element::{
    Assembly, CamProfile, Contact, ContactPoint, ElementInput, FrameElement, NormalForceSource,
    Surface, SurfaceShape, TangentWeights, TriangleMesh,
};
use bristle_mechanics::modes::Contacts;
use bristle_mechanics::{Body, BodyId, Frame, Inertia, Joint, Model, ModelBuilder, Vec3};
use bristle_signals::Signal;
use common::{lugre, numbers, values};
use std::f64::consts::TAU;

const RADIUS: f64 = 0.03;
const DEPTH: f64 = 2e-5;

/// A cam without hollow.
fn egg() -> CamProfile {
    let point = |k: u32| {
        let a = TAU * f64::from(k) / 48.0;
        let r = 0.2 + 0.05 * a.cos();
        [r * a.cos(), r * a.sin()]
    };
    let points: Vec<[f64; 2]> = (0..48).map(point).collect();
    CamProfile::new(&points).unwrap()
}

fn surfaces(body: BodyId) -> Vec<Surface> {
    let shapes = [
        SurfaceShape::Sphere { radius: 0.2 },
        SurfaceShape::Cylinder { radius: 0.2 },
        SurfaceShape::Capsule {
            radius: 0.2,
            half_length: 0.05,
        },
        SurfaceShape::Cone { half_angle: 0.6 },
        SurfaceShape::Cam(std::sync::Arc::new(egg())),
    ];
    let axis = Vec3::new(0.2, -0.3, 0.9);
    let origin = Vec3::new(0.1, 0.0, 0.05);
    let outside = shapes.map(|shape| Surface::curved(body, origin, axis, shape));
    let both = |surface: Surface| [surface.clone(), surface.turned_inside()];
    let axes = outside[0].axes;
    // the ball of `pressed` is over a face, an edge and a corner, and in the hollow of an edge
    let [low, high] = [-0.1, 0.1].map(Vec3::repeat);
    let boxes = [
        (low, Vec3::new(0.2, 0.3, 0.1), false),
        (low, Vec3::new(0.2, 0.0, 0.1), false),
        (low, high - Vec3::new(0.1, 0.0, 0.0), false),
        (-Vec3::repeat(0.5), Vec3::new(0.5, 0.5, 0.25), true),
    ];
    let boxes = boxes.map(|(low, high, inside)| {
        let mesh = std::sync::Arc::new(block(low, high, inside));
        Surface::mesh(body, origin, axes, mesh)
    });
    outside.into_iter().flat_map(both).chain(boxes).collect()
}

/// A box of triangles.
fn block(low: Vec3, high: Vec3, inside: bool) -> TriangleMesh {
    let corner = |k: usize| {
        let pick = |i: usize| if k >> i & 1 == 1 { high[i] } else { low[i] };
        Vec3::new(pick(0), pick(1), pick(2))
    };
    let corners: Vec<Vec3> = (0..8).map(corner).collect();
    let sides = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles: Vec<[u32; 3]> = sides
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
        .collect();
    TriangleMesh::new(&corners, &triangles, inside).unwrap().0
}

/// A ball on a free body that presses on a surface of another.
fn pressed(surface: impl Fn(BodyId) -> Surface) -> Model {
    let mut builder = ModelBuilder::new();
    let lower = Inertia::solid_box(2.0, [0.3, 0.2, 0.1]);
    let carrier = builder
        .body(Body::new("carrier", Joint::Free, lower))
        .unwrap();
    let surface = surface(carrier);
    let x = Vec3::new(0.05, 0.12, 0.21);
    let place = surface.nearest(&x);
    let centre = x + place.normal * (RADIUS - DEPTH - place.distance);
    // the ball is off the origin of its body
    let off = Vec3::new(0.01, -0.02, 0.015);
    let at = surface.point + surface.axes * centre - off;
    let ball = Body::new("ball", Joint::Free, Inertia::solid_sphere(0.7, RADIUS)).at(at);
    let ball = builder.body(ball).unwrap();
    let normal = values(&[("stiffness", 1e8), ("exponent", 1.5), ("dissipation", 0.5)]);
    let friction = lugre();
    builder
        .element(Box::new(Contact {
            name: "touch".into(),
            body: ball,
            points: vec![ContactPoint::ball(off, RADIUS)],
            surface,
            normal: NormalForceSource::Law(Normal::build("hunt_crossley_1975", &normal).unwrap()),
            slip_speed: friction.slip_speed(),
            friction: friction.into(),
            resistance: None,
        }))
        .unwrap();
    builder.build()
}

fn instant<'a>([q, v, a]: [&'a [f64]; 3], history: &'a [f64]) -> Instant<'a> {
    Instant {
        t: 0.0,
        q,
        v,
        a,
        history,
        step: 1e-4,
        stage: None,
    }
}

/// The tangent, and what differences of the residual give.
fn tangents(model: &Model, weights: Weights) -> [nalgebra::DMatrix<f64>; 2] {
    let n = model.dofs();
    let start = model.start();
    let scaled = |seed, size: f64| -> Vec<f64> {
        let numbers = numbers(n, seed);
        numbers.iter().map(|x| x * size).collect()
    };
    let mut q = start.q.clone();
    model.displace(&start.q, &scaled(1, 2e-6), &mut q);
    let (v, a) = (scaled(2, 0.3), scaled(3, 2.0));
    let mut scratch = model.scratch();
    let (mut out, mut history) = (vec![0.0; n], vec![0.0; model.history_len()]);
    let request = TangentRequest {
        weights,
        renew: Renew::All,
    };
    model
        .factorise(
            &mut scratch,
            &instant([&q, &v, &a], &start.history),
            request,
            &mut out,
            &mut history,
        )
        .unwrap();
    // the matrix is seen through its inverse only
    let mut inverse = nalgebra::DMatrix::identity(n, n);
    for mut column in inverse.column_iter_mut() {
        let mut x: Vec<f64> = column.iter().copied().collect();
        model.solve(&mut scratch, &mut x);
        column.copy_from_slice(&x);
    }
    let mut differences = nalgebra::DMatrix::zeros(n, n);
    for j in 0..n {
        let mut residual = |e: f64| {
            let shifted = |x: &[f64], w: f64| -> Vec<f64> {
                let mut x = x.to_vec();
                x[j] += e * w;
                x
            };
            let mut moved = q.clone();
            let turned = shifted(&vec![0.0; n], weights.stiffness);
            model.displace(&q, &turned, &mut moved);
            let (v, a) = (shifted(&v, weights.damping), shifted(&a, weights.mass));
            model.residual(
                &mut scratch,
                &instant([&moved, &v, &a], &start.history),
                &mut out,
                &mut history,
            );
            nalgebra::DVector::from_column_slice(&out)
        };
        let e = 1e-5;
        differences.set_column(j, &((residual(e) - residual(-e)) / (2.0 * e)));
    }
    [inverse.try_inverse().unwrap(), differences]
}

#[test]
fn tangents_on_curved_surfaces_agree_with_differences() {
    // nearly of displacements and of velocities alone: with a weight of 0 it would be the tangent about a rest
    let by_place = Weights {
        mass: 1.0,
        damping: 1e-12,
        stiffness: 1e-3,
    };
    let by_velocity = Weights {
        mass: 1.0,
        damping: 1e-3,
        stiffness: 1e-12,
    };
    // velocities do not move by themselves here: quaternions are rounded, by 1e-16 of 1e6 N/m over 1e-5
    for (weights, tolerance) in [(by_place, 1e-7), (by_velocity, 1e-5)] {
        for k in 0..surfaces(BodyId::GROUND).len() {
            let model = pressed(|body| surfaces(body)[k].clone());
            let [tangent, differences] = tangents(&model, weights);
            let off = (&tangent - &differences).amax() / tangent.amax();
            // what comes of the curvature is 1e-4 of the largest entry, that of the normal stiffness;
            // differences are good to 1e-8 of it
            assert!(
                off < tolerance,
                "surface {k}: {off:e} of {}",
                tangent.amax()
            );
        }
    }
}

/// Takes nothing.
struct Nowhere;

impl Assembly for Nowhere {
    fn weights(&self) -> Option<TangentWeights> {
        None
    }
    fn wrench(&mut self, _body: BodyId, _force: &Vec3, _moment: &Vec3) {}
    fn block(&mut self, _row: BodyId, _column: BodyId, _block: &nalgebra::Matrix6<f64>) {}
    fn moves(&self, _body: BodyId) -> bool {
        false
    }
}

fn input<'a>(t: f64, step: f64, frames: &'a [Frame], history: &'a [f64]) -> ElementInput<'a> {
    ElementInput {
        t,
        step,
        stage: None,
        gravity: Vec3::zeros(),
        frames,
        history,
    }
}

/// A ball that rolls without slip and without spin round a circle of latitude, `polar` from the
/// pole, on or in a sphere that turns as a whole about a skew axis.
struct Round {
    sphere: f64,
    inside: bool,
    polar: f64,
    /// Turn of the sphere in one round, rad.
    carried: f64,
}

impl Round {
    fn carrier(&self, t: f64) -> Frame {
        let spin = Vec3::new(0.6, 0.0, 0.8) * self.carried;
        Frame {
            r: *nalgebra::Rotation3::new(spin * t).matrix(),
            w: spin,
            ..Frame::WORLD
        }
    }

    fn ball(&self, t: f64) -> Frame {
        let side = if self.inside { -1.0 } else { 1.0 };
        let (s, c) = self.polar.sin_cos();
        let (sin, cos) = (TAU * t).sin_cos();
        // from the centre of the sphere, in its axes, with its rate
        let out = Vec3::new(s * cos, s * sin, c);
        let rate = Vec3::new(-s * sin, s * cos, 0.0) * TAU;
        let way = self.sphere + side * RADIUS;
        // the contact, −side r out from the centre of the ball, rests on the sphere:
        // way ṙ + ω × (−side r out) = 0 with ω at right angles to out
        let rolling = out.cross(&rate) * (way / (side * RADIUS));
        let base = self.carrier(t);
        let p = base.r * out * way;
        Frame {
            p,
            v: base.r * rate * way + base.w.cross(&p),
            w: base.r * rolling + base.w,
            ..Frame::WORLD
        }
    }

    /// The turn of a bristle about the outward normal in the axes of the sphere, and its change of
    /// length over the length.
    fn turn(&self, steps: u32) -> [f64; 2] {
        let carrier = Body::new(
            "carrier",
            Joint::Free,
            Inertia::solid_sphere(1.0, self.sphere),
        );
        let mut builder = ModelBuilder::new();
        let carrier = builder.body(carrier).unwrap();
        let ball = Body::new("ball", Joint::Free, Inertia::solid_sphere(1.0, RADIUS));
        let ball = builder.body(ball).unwrap();
        let radius = self.sphere;
        let shape = SurfaceShape::Sphere { radius };
        let surface = Surface::curved(carrier, Vec3::zeros(), Vec3::z(), shape);
        let friction = lugre();
        let contact = Contact {
            name: "touch".into(),
            body: ball,
            points: vec![ContactPoint::ball(Vec3::zeros(), RADIUS)],
            surface: if self.inside {
                surface.turned_inside()
            } else {
                surface
            },
            normal: NormalForceSource::Prescribed(Signal::Constant(5.0)),
            slip_speed: friction.slip_speed(),
            friction: friction.into(),
            resistance: None,
        };
        let frames = |t| [Frame::WORLD, self.carrier(t), self.ball(t)];
        let len = bristle_mechanics::element::Element::history_len(&contact);
        let mut old = vec![0.0; len];
        let at = frames(0.0);
        contact.start(&input(0.0, 0.0, &at, &[]), &mut old);
        // the bristle comes first in the history of a point
        old[..2].copy_from_slice(&[3e-6, -1e-6]);
        let bristle = |t, history: &[f64]| -> Vec3 {
            // friction at rest is that of the bristle alone
            let at = frames(t);
            let sample = contact
                .samples(&input(t, 0.0, &at, history))
                .next()
                .unwrap();
            self.carrier(t).r.transpose() * sample.friction
        };
        let first = bristle(0.0, &old);
        let mut new = old.clone();
        for k in 1..=steps {
            let t = f64::from(k) / f64::from(steps);
            let at = frames(t);
            let step = 1.0 / f64::from(steps);
            contact.apply(&input(t, step, &at, &old), &mut new, &mut Nowhere);
            old.copy_from_slice(&new);
        }
        let last = bristle(1.0, &old);
        let (s, c) = self.polar.sin_cos();
        let out = Vec3::new(s, 0.0, c);
        let turn = out.dot(&first.cross(&last)).atan2(first.dot(&last));
        [turn, last.norm() / first.norm() - 1.0]
    }
}

/// The holonomy of a sphere: round a cap of the solid angle Ω a stuck bristle turns by Ω in the
/// frame of the sphere, however the sphere itself is carried.
#[test]
fn a_stuck_bristle_turns_by_the_solid_angle() {
    for (inside, polar, carried) in [
        (false, 0.5, 0.0),
        (false, 1.2, 0.0),
        (true, 0.8, 0.0),
        (true, 1.0, 1.3),
        (false, 0.7, -0.4),
    ] {
        let sphere = 0.2;
        let round = Round {
            sphere,
            inside,
            polar,
            carried,
        };
        let wanted = TAU * (1.0 - polar.cos());
        let [turn, stretch] = round.turn(1000);
        let off = turn - wanted;
        let off = off - TAU * (off / TAU).round();
        // of the fourth order in the step: 1e-9 at 1000 steps
        assert!(off.abs() < 1e-7, "{inside} {polar} {carried}: {off:e} rad");
        // the slip is zero to rounding
        assert!(stretch.abs() < 1e-6, "{stretch:e}");
    }
}

/// A ball at the bottom of a groove rolls to and fro with ω² = (5/7) g/(R − r), about its rest.
#[test]
fn the_mode_of_a_ball_in_a_groove_is_that_of_rolling() {
    let (groove, mass, g) = (0.2, 0.8, 9.81);
    let stiffness = 1e8_f64;
    let sunk = (mass * g / stiffness).powf(1.0 / 1.5);
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -g));
    let at = Vec3::new(0.0, 0.0, -(groove - RADIUS + sunk));
    let ball = Body::new("ball", Joint::Free, Inertia::solid_sphere(mass, RADIUS)).at(at);
    let ball = builder.body(ball).unwrap();
    let normal = values(&[
        ("stiffness", stiffness),
        ("exponent", 1.5),
        ("dissipation", 0.5),
    ]);
    let shape = SurfaceShape::Cylinder { radius: groove };
    let friction = lugre();
    builder
        .element(Box::new(Contact {
            name: "groove".into(),
            body: ball,
            points: vec![ContactPoint::ball(Vec3::zeros(), RADIUS)],
            surface: Surface::curved(BodyId::GROUND, Vec3::zeros(), Vec3::y(), shape)
                .turned_inside(),
            normal: NormalForceSource::Law(Normal::build("hunt_crossley_1975", &normal).unwrap()),
            slip_speed: friction.slip_speed(),
            friction: friction.into(),
            resistance: None,
        }))
        .unwrap();
    let model = builder.build();
    let modes = model
        .modes(&model.start(), Contacts::AsTheyStand, 12)
        .unwrap();
    let wanted = (5.0 / 7.0 * g / (groove - RADIUS)).sqrt();
    // the bristles, 8e4 N/m, are 1700 times as stiff as the weight in the groove
    let found = modes
        .iter()
        .any(|mode| (mode.eigenvalue.im.abs() / wanted - 1.0).abs() < 2e-3);
    let all: Vec<_> = modes.iter().map(|mode| mode.eigenvalue).collect();
    assert!(found, "{wanted} rad/s in {all:?}");
}
