//! Stages of implicit Runge–Kutta steps: every law with smooth rates.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what fails by panicking"
)]

use bristle_laws::friction::standard;
use bristle_laws::{Friction, Slip, StageStep};

/// Numbers in [−1, 1) from a linear congruence: the same on every machine.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn laws() -> impl Iterator<Item = Friction> {
    let all = Friction::CARDS.iter().map(|card| {
        let values = standard(card);
        Friction::build(card.name, &values).unwrap_or_else(|error| panic!("{error}"))
    });
    all.filter(Friction::has_stage)
}

struct Case<const D: usize> {
    stage: StageStep<D>,
    base: Vec<f64>,
}

fn case<const D: usize>(law: &Friction, draws: &mut Draws) -> Case<D> {
    let speed = law.slip_speed() * 10.0_f64.powf(2.0 * draws.next());
    let load = 50.0 * (1.1 + draws.next());
    let size = law.state_size(load).unwrap_or(1.0);
    let vectors = law.layout().vectors * D;
    Case {
        stage: StageStep {
            end: Slip::new(std::array::from_fn(|_| speed * draws.next()), load),
            weight: 1e-3 * 10.0_f64.powf(3.0 * draws.next()),
        },
        base: (0..law.layout().len(D))
            .map(|i| {
                if i < vectors {
                    0.6 * size * draws.next()
                } else {
                    0.5 + 0.4 * draws.next()
                }
            })
            .collect(),
    }
}

fn solved<const D: usize>(law: &Friction, case: &Case<D>) -> ([f64; D], Vec<f64>) {
    let mut new = case.base.clone();
    let (force, _) = law
        .stage(&case.stage, &case.base, &mut new, false)
        .expect("a law with stages");
    (force, new)
}

fn equation_holds<const D: usize>() {
    let mut draws = Draws(7);
    for law in laws() {
        for _ in 0..300 {
            let case = case::<D>(&law, &mut draws);
            let (force, new) = solved(&law, &case);
            let mut rates = vec![0.0; new.len()];
            let continuous = law.rates(&case.stage.end, &new, &mut rates);
            let size = new
                .iter()
                .chain(&case.base)
                .fold(1e-12_f64, |m, x| m.max(x.abs()));
            for i in 0..new.len() {
                let left = case.base[i] + case.stage.weight * rates[i] - new[i];
                // rounding of z is multiplied by the stiffness of the stage, up to 1e4
                assert!(
                    left.abs() <= 1e-10 * size,
                    "{} {i}: {left}",
                    law.card().name
                );
            }
            for (f, expected) in force.iter().zip(continuous) {
                let scale = expected.abs().max(case.stage.end.normal_force);
                assert!((f - expected).abs() <= 1e-8 * scale, "{}", law.card().name);
            }
        }
    }
}

#[test]
fn states_and_force_are_those_of_the_continuous_view() {
    equation_holds::<1>();
    equation_holds::<2>();
    equation_holds::<3>();
}

/// Central differences; a few of the draws lie at a bend of the law, where they say nothing.
#[test]
fn tangents_are_the_slopes_of_the_force() {
    let mut draws = Draws(11);
    for law in laws() {
        let mut wrong = 0;
        for _ in 0..200 {
            let case = case::<2>(&law, &mut draws);
            let mut new = case.base.clone();
            let (_, tangent) = law
                .stage(&case.stage, &case.base, &mut new, true)
                .expect("a law with stages");
            let force = |velocity: [f64; 2], load: f64| {
                let stage = StageStep {
                    end: Slip::new(velocity, load),
                    ..case.stage
                };
                let (force, _) = solved(
                    &law,
                    &Case {
                        stage,
                        base: case.base.clone(),
                    },
                );
                force
            };
            let (v, n) = (case.stage.end.velocity, case.stage.end.normal_force);
            let step = 1e-5 * v[0].hypot(v[1]);
            for j in 0..2 {
                let moved = |sign: f64| {
                    let mut v = v;
                    v[j] += sign * step;
                    force(v, n)
                };
                let (up, down) = (moved(1.0), moved(-1.0));
                for i in 0..2 {
                    let slope = (up[i] - down[i]) / (2.0 * step);
                    let size = tangent
                        .velocity
                        .as_flattened()
                        .iter()
                        .fold(0.0_f64, |m, x| m.max(x.abs()));
                    wrong += usize::from((slope - tangent.velocity[i][j]).abs() > 1e-5 * size);
                }
            }
            let (up, down) = (force(v, n * (1.0 + 1e-5)), force(v, n * (1.0 - 1e-5)));
            for i in 0..2 {
                let slope = (up[i] - down[i]) / (2e-5 * n);
                let size = (up[0].hypot(up[1]) / n).max(1e-3);
                wrong += usize::from((slope - tangent.normal_force[i]).abs() > 1e-5 * size);
            }
        }
        assert!(wrong <= 12, "{}: {wrong} of 1200 differ", law.card().name);
    }
}

#[test]
fn bristle_laws_have_stages_and_sliders_do_not() {
    let names: Vec<_> = laws().map(|law| law.card().name.to_owned()).collect();
    for name in [
        "lugre",
        "lugre_classical",
        "dahl",
        "elastoplastic",
        "bliman_sorine",
        "gonthier",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
    for name in ["jenkins", "iwan", "gms", "karnopp", "leuven"] {
        assert!(!names.iter().any(|known| known == name), "{name}");
    }
}
