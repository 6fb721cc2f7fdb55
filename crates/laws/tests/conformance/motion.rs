//! Motions that bring a law into every state it can reach, scaled by the law itself.

use bristle_laws::card::{Default, ParameterKind};
use bristle_laws::curve::{Shape, TableCurve};
use bristle_laws::friction::{typical, typical_value};
use bristle_laws::{Friction, LawCard, Slip, Step, Value, Values};
use std::sync::Arc;

/// The normal force around which the motions vary, N.
pub(crate) const LOAD: f64 = 10.0;

/// The law of a card with its typical parameters.
pub(crate) fn build(card: &LawCard) -> Friction {
    Friction::build(card.name, &typical(card)).expect("the typical parameters are admissible")
}

/// Every law of the catalogue with its typical parameters, and in the variants of its options.
pub(crate) fn laws() -> impl Iterator<Item = (&'static str, Friction)> {
    let typical = Friction::CARDS.iter().map(|card| (card.name, build(card)));
    typical.chain(variants())
}

/// Laws with a Stribeck curve that is not the default one, or with what is absent by default.
pub(crate) fn variants() -> Vec<(&'static str, Friction)> {
    let mut variants = Vec::new();
    for card in Friction::CARDS {
        let mut add = |name: &str, value: Value| {
            let mut values: Values = typical(card);
            let table = matches!(value, Value::Curve(Shape::Table(_)));
            let levels = [
                "static_coefficient",
                "kinetic_coefficient",
                "stribeck_velocity",
            ];
            values.retain(|(n, _)| n != name && !(table && levels.contains(&n.as_str())));
            values.push((name.to_owned(), value));
            let law = Friction::build(card.name, &values).expect("an admissible variant");
            variants.push((card.name, law));
        };
        for parameter in card.parameters {
            if parameter.default == Default::Absent {
                add(&parameter.name, typical_value(parameter));
            } else if parameter.kind == ParameterKind::Curve {
                let points = [(0.0, 0.15), (5e-4, 0.14), (2e-3, 0.1), (1e-2, 0.101)];
                let table = TableCurve::new(&points).expect("sound points");
                for shape in [
                    Shape::Gaussian,
                    Shape::Rational,
                    Shape::Step5(None),
                    Shape::Sine(Some(3e-3)),
                    Shape::Table(Arc::new(table)),
                ] {
                    add(&parameter.name, Value::Curve(shape));
                }
            }
        }
    }
    variants
}

/// The natural deflection of a law, m; 10 µm for a law without presliding.
pub(crate) fn deflection(law: &Friction) -> f64 {
    law.breakaway_deflection(LOAD).unwrap_or(1e-5)
}

/// |v|.
pub(crate) fn length(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A law, its state, and the last step.
#[derive(Clone, Debug)]
pub(crate) struct Pair<const D: usize> {
    pub(crate) law: Friction,
    pub(crate) state: Vec<f64>,
}

impl<const D: usize> Pair<D> {
    pub(crate) fn at_start(law: &Friction, slip: &Slip<f64, D>) -> Self {
        let mut state = vec![0.0; law.layout().len(D)];
        law.start(slip, &mut state);
        let law = law.clone();
        Self { law, state }
    }

    /// Moves the state over a step and returns the force at its end.
    pub(crate) fn advance(&mut self, step: &Step<f64, D>) -> [f64; D] {
        let mut new = self.state.clone();
        let force = self.law.update(step, &self.state, &mut new);
        self.state = new;
        force
    }

    /// Slides at constant conditions for `steps` steps of `duration`; the last force.
    pub(crate) fn slide(&mut self, slip: Slip<f64, D>, duration: f64, steps: usize) -> [f64; D] {
        let mut force = [0.0; D];
        for _ in 0..steps {
            force = self.advance(&Step::constant(slip, duration));
        }
        force
    }
}

/// A curved motion with varying load and applied force: presliding, break-away, sliding
/// and reversal. Speeds reach four times the law's slip speed, a step covers up to a
/// third of its deflection. Vectors have the first `D` of three components.
pub(crate) fn wiggle<const D: usize>(law: &Friction, steps: usize) -> Vec<Step<f64, D>> {
    let (v, h) = (law.slip_speed(), 0.08 * deflection(law) / law.slip_speed());
    let slip = |t: f64| {
        // incommensurable frequencies: no instant repeats, none is special
        let envelope = v * (0.05 + 4.0 * (0.043 * t).sin().powi(2));
        let path = [
            (0.19 * t + 0.3).cos(),
            0.7 * (0.13 * t + 0.2).sin(),
            0.5 * (0.29 * t + 1.1).sin(),
        ];
        let applied = [
            0.8 * (0.07 * t).cos(),
            0.6 * (0.11 * t).sin(),
            0.3 * (0.17 * t).cos(),
        ];
        Slip {
            velocity: std::array::from_fn(|i| envelope * path[i]),
            normal_force: LOAD * (1.0 + 0.3 * (0.1 * t).sin()),
            applied: std::array::from_fn(|i| applied[i]),
        }
    };
    (0..steps)
        .map(|k| {
            let t = k as f64;
            let (mean, end) = (slip(t + 0.5), slip(t + 1.0));
            Step {
                mean,
                end,
                duration: h,
            }
        })
        .collect()
}

/// A straight motion that stops: out, hold at v = 0 while the load falls and rises, back, hold, out.
pub(crate) fn stop_and_go(law: &Friction) -> Vec<Step<f64, 1>> {
    let (v, h) = (law.slip_speed(), 0.2 * deflection(law) / law.slip_speed());
    let phases = [
        (0.01, 1.0, 20),
        (0.5, 1.0, 20),
        (3.0, 1.0, 40),
        (0.0, 1.0, 5),
        (0.0, 0.4, 5),
        (0.0, 1.3, 5),
        (0.02, 1.3, 10),
        (-0.3, 1.0, 20),
        (-5.0, 0.9, 30),
        (0.0, 1.0, 3),
        (0.1, 1.0, 30),
        (1.2, 1.0, 30),
    ];
    let mut steps = Vec::new();
    for (speed, load, count) in phases {
        let mut slip = Slip::new([speed * v], load * LOAD);
        slip.applied = [0.9];
        steps.extend(std::iter::repeat_n(Step::constant(slip, h), count));
    }
    steps
}

/// The slip with every vector mapped and the load kept.
pub(crate) fn map_slip<const D: usize, const E: usize>(
    slip: &Slip<f64, D>,
    map: &impl Fn(&[f64; D]) -> [f64; E],
) -> Slip<f64, E> {
    Slip {
        velocity: map(&slip.velocity),
        normal_force: slip.normal_force,
        applied: map(&slip.applied),
    }
}

/// The step with every vector mapped and the loads kept.
pub(crate) fn map_step<const D: usize, const E: usize>(
    step: &Step<f64, D>,
    map: &impl Fn(&[f64; D]) -> [f64; E],
) -> Step<f64, E> {
    Step {
        mean: map_slip(&step.mean, map),
        end: map_slip(&step.end, map),
        duration: step.duration,
    }
}

/// The state with every vector mapped and the scalars kept.
pub(crate) fn map_state<const D: usize, const E: usize>(
    law: &Friction,
    state: &[f64],
    map: &impl Fn(&[f64; D]) -> [f64; E],
) -> Vec<f64> {
    let (vectors, scalars) = state.split_at(law.layout().vectors * D);
    let (chunks, _) = vectors.as_chunks::<D>();
    let mut mapped: Vec<f64> = chunks.iter().flat_map(map).collect();
    mapped.extend_from_slice(scalars);
    mapped
}
