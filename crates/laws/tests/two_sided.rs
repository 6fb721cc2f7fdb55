//! Laws with numbers of their own for negative velocities.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what fails by panicking"
)]

use bristle_laws::friction::typical;
use bristle_laws::{Friction, ParameterError, Slip, Step, Value, Values};

const LOAD: f64 = 10.0;

/// Laws that differ by direction as their users ask for it.
const SIDED: [&str; 10] = [
    "lugre",
    "lugre_classical",
    "elastoplastic",
    "dahl",
    "coulomb_tanh",
    "coulomb_linear",
    "karnopp",
    "jenkins",
    "gms",
    "leuven",
];

/// The typical set, with limits of elements that carry higher levels too.
fn set(name: &str) -> Values {
    let mut values = typical(Friction::card_of(name).expect("a law of the catalogue"));
    for (field, value) in &mut values {
        if let ("element_limits", Value::List(list)) = (field.as_str(), value) {
            for x in list {
                *x *= 3.0;
            }
        }
    }
    values
}

/// That set with some numbers changed or added.
fn values(name: &str, changes: &[(&str, f64)]) -> Values {
    let mut values = set(name);
    for (field, x) in changes {
        values.retain(|(name, _)| name != field);
        values.push(((*field).to_owned(), Value::Number(*x)));
    }
    values
}

fn build(name: &str, changes: &[(&str, f64)]) -> Friction {
    Friction::build(name, &values(name, changes)).unwrap_or_else(|error| panic!("{error}"))
}

/// The same law with every number that may differ given twice, times a factor for negative
/// velocities.
fn doubled(name: &str, factor: f64) -> Result<[Friction; 2], ParameterError> {
    let card = Friction::card_of(name).expect("a law of the catalogue");
    let one = set(name);
    let (mut both, mut other) = (one.clone(), one.clone());
    for (i, (field, value)) in one.iter().enumerate() {
        let parameter = card.parameters.iter().find(|p| p.name == *field).unwrap();
        if let (Value::Number(x), true) = (value, parameter.differs_by_direction()) {
            let x = Value::Number(x * factor);
            both.push((format!("{field}_negative"), x.clone()));
            other[i].1 = x;
        }
    }
    Ok([
        Friction::build(name, &both)?,
        Friction::build(name, &other)?,
    ])
}

/// The laws of the catalogue that have two sides.
fn all_sided(factor: f64) -> Vec<(&'static str, [Friction; 2])> {
    let cards = Friction::CARDS.iter();
    let laws: Vec<_> = cards
        .filter_map(|card| match doubled(card.name, factor) {
            Ok(laws) => laws[0].is_two_sided().then_some((card.name, laws)),
            Err(ParameterError::SameBothWays { .. }) => None,
            Err(error) => panic!("{error}"),
        })
        .collect();
    for name in SIDED {
        assert!(laws.iter().any(|(known, _)| *known == name), "{name}");
    }
    laws
}

/// A number in [−1, 1), the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Steps of a motion that turns often, sometimes within a step, under a load that changes.
fn walk(count: usize) -> Vec<Step<f64, 1>> {
    let mut random = Random(7);
    let mut v = 0.0_f64;
    let mut load = LOAD;
    let mut next = || {
        let (last, before) = (v, load);
        v = 0.9 * v + 3e-3 * random.next();
        load = LOAD * (1.0 + 0.2 * random.next());
        let slip = |v: f64, n: f64| Slip {
            applied: [0.3 * LOAD * v.signum()],
            ..Slip::new([v], n)
        };
        Step {
            mean: slip(0.5 * (last + v), 0.5 * (before + load)),
            end: slip(v, load),
            duration: 1e-3,
        }
    };
    (0..count).map(|_| next()).collect()
}

/// Force and states along a walk.
fn along(law: &Friction, steps: &[Step<f64, 1>]) -> Vec<(f64, Vec<f64>)> {
    let mut old = vec![0.0; law.layout().len(1)];
    law.start(&steps[0].mean, &mut old);
    let mut out = Vec::new();
    for step in steps {
        let mut new = old.clone();
        let [force] = law.update(step, &old, &mut new);
        out.push((force, new.clone()));
        old = new;
    }
    out
}

#[test]
fn equal_sides_are_the_law_itself() {
    let steps = walk(2000);
    for (name, [both, one]) in all_sided(1.0) {
        let (both, one) = (along(&both, &steps), along(&one, &steps));
        for (i, (a, b)) in both.iter().zip(&one).enumerate() {
            // a step that turns takes its force from the rates: rounding
            let same = |x: f64, y: f64| (x - y).abs() <= 1e-12 * y.abs().max(1e-3);
            assert!(same(a.0, b.0), "{name}, step {i}: {} {}", a.0, b.0);
            assert_eq!(a.1, b.1, "{name}, step {i}");
        }
    }
}

#[test]
fn the_negative_side_is_the_mirror_of_a_law_with_its_numbers() {
    // forwards only: the other side never acts
    let steps: Vec<_> = walk(300)
        .into_iter()
        .map(|mut step| {
            for slip in [&mut step.mean, &mut step.end] {
                slip.velocity = slip.velocity.map(f64::abs);
                slip.applied = slip.applied.map(f64::abs);
            }
            step
        })
        .collect();
    let mirrored: Vec<_> = steps
        .iter()
        .map(|step| {
            let mut step = *step;
            for slip in [&mut step.mean, &mut step.end] {
                slip.velocity = slip.velocity.map(|v| -v);
                slip.applied = slip.applied.map(|f| -f);
            }
            step
        })
        .collect();
    for (name, [both, other]) in all_sided(1.3) {
        let one = build(name, &[]);
        let forces = |law: &Friction, steps: &[Step<f64, 1>]| -> Vec<f64> {
            along(law, steps).iter().map(|(force, _)| *force).collect()
        };
        assert_eq!(forces(&both, &steps), forces(&one, &steps), "{name}");
        let negative = forces(&both, &mirrored);
        for (a, b) in negative.iter().zip(forces(&other, &steps)) {
            assert!(
                (a + b).abs() <= 1e-12 * b.abs().max(1e-3),
                "{name}: {a} {b}"
            );
        }
    }
}

/// The numbers of the closed forms: levels, Stribeck velocity and viscous coefficient.
#[derive(Clone, Copy)]
struct Side {
    mu_k: f64,
    mu_s: f64,
    v_s: f64,
    sigma_2: f64,
}

const PLUS: Side = Side {
    mu_k: 0.1,
    mu_s: 0.15,
    v_s: 1e-3,
    sigma_2: 0.04,
};
const MINUS: Side = Side {
    mu_k: 0.14,
    mu_s: 0.25,
    v_s: 3e-3,
    sigma_2: 0.3,
};

impl Side {
    /// N (g(v) + σ₂ v) of a Gaussian Stribeck curve.
    fn steady(&self, v: f64) -> f64 {
        let fall = (-(v / self.v_s).powi(2)).exp();
        LOAD * (self.mu_k + (self.mu_s - self.mu_k) * fall + self.sigma_2 * v)
    }
}

/// The law with those numbers where it has them.
fn of_sides(name: &str) -> Friction {
    let card = Friction::card_of(name).unwrap();
    let of_contact = name == "lugre_classical";
    let load = if of_contact { LOAD } else { 1.0 };
    let mut changes = Vec::new();
    for (suffix, side) in [("", PLUS), ("_negative", MINUS)] {
        for (field, x) in [
            ("kinetic_coefficient", side.mu_k),
            ("static_coefficient", side.mu_s),
            ("stribeck_velocity", side.v_s),
            ("viscous_coefficient", load * side.sigma_2),
        ] {
            if card.parameters.iter().any(|p| p.name == field) {
                changes.push((format!("{field}{suffix}"), x));
            }
        }
    }
    let mut all = values(name, &[]);
    for (field, x) in changes {
        all.retain(|(known, _)| *known != field);
        all.push((field, Value::Number(x)));
    }
    Friction::build(name, &all).unwrap_or_else(|error| panic!("{error}"))
}

/// The force after sliding for so long that nothing is left of the start.
fn slid(law: &Friction, v: f64) -> f64 {
    let step = Step::constant(Slip::new([v], LOAD), 1e-2 / v.abs());
    let mut old = vec![0.0; law.layout().len(1)];
    law.start(&step.mean, &mut old);
    let mut force = 0.0;
    for _ in 0..100 {
        let mut new = old.clone();
        force = law.update(&step, &old, &mut new)[0];
        old = new;
    }
    force
}

#[test]
fn both_directions_slide_at_the_closed_form_of_their_side() {
    for v in [2e-4, 1e-3, 4e-3, 0.1] {
        for name in [
            "lugre",
            "lugre_classical",
            "elastoplastic",
            "gms",
            "leuven",
            "karnopp",
        ] {
            let law = of_sides(name);
            for (sign, side) in [(1.0, PLUS), (-1.0, MINUS)] {
                let (force, expected) = (slid(&law, sign * v), sign * side.steady(v));
                // a metre of sliding is 10³ and more relaxations; leuven substeps to 1e-6
                assert!(
                    (force - expected).abs() <= 1e-5 * expected.abs(),
                    "{name} at {v}: {force} {expected}"
                );
                let told = law.side(sign * v).steady(v, LOAD).unwrap();
                assert!(
                    (sign * told - expected).abs() <= 1e-12 * expected.abs(),
                    "{name}"
                );
            }
        }
        for name in ["dahl", "jenkins"] {
            let law = of_sides(name);
            assert!((slid(&law, v) - LOAD * PLUS.mu_k).abs() < 1e-9, "{name}");
            assert!((slid(&law, -v) + LOAD * MINUS.mu_k).abs() < 1e-9, "{name}");
        }
        let tanh = of_sides("coulomb_tanh");
        let linear = of_sides("coulomb_linear");
        let width = |law: &Friction| {
            let values = law.to_values();
            let found = values.iter().find(|(n, _)| n == "regularisation_velocity");
            match found {
                Some((_, Value::Number(x))) => *x,
                _ => panic!("a width"),
            }
        };
        for (sign, side) in [(1.0, PLUS), (-1.0, MINUS)] {
            let expected = sign * LOAD * side.mu_k * (v / width(&tanh)).tanh();
            assert!((slid(&tanh, sign * v) - expected).abs() < 1e-12);
            let expected = sign * LOAD * side.mu_k * (v / width(&linear)).min(1.0);
            assert!((slid(&linear, sign * v) - expected).abs() < 1e-12);
        }
    }
}

#[test]
fn bristles_break_away_at_the_static_level_of_their_direction() {
    // so slowly that g is the static level within (v/v_s)² = 1e-8
    for name in ["lugre", "lugre_classical", "elastoplastic"] {
        let law = of_sides(name);
        for (sign, side) in [(1.0, PLUS), (-1.0, MINUS)] {
            let slow = sign * 1e-4 * PLUS.v_s;
            let step = Step::constant(Slip::new([slow], LOAD), 1e-6 / slow.abs());
            let mut old = vec![0.0; 1];
            let mut largest = 0.0_f64;
            for _ in 0..2000 {
                let mut new = old.clone();
                largest = largest.max(sign * law.update(&step, &old, &mut new)[0]);
                old = new;
            }
            let expected = LOAD * side.mu_s;
            // viscous and damping forces are below σ v N = 3e-5 N
            assert!(
                (largest - expected).abs() <= 5e-5,
                "{name}: {largest} {expected}"
            );
        }
    }
}

#[test]
fn a_reversed_bristle_relaxes_to_the_other_level() {
    // dz/dx = 1 − σ₀ z/μ₊ from z = −μ₋/σ₀: F = N (μ₊ − (μ₊ + μ₋) e^(−σ₀ x/μ₊)), no damping
    let stiffness = 1e4;
    let law = build(
        "dahl",
        &[
            ("bristle_stiffness", stiffness),
            ("kinetic_coefficient", PLUS.mu_k),
            ("kinetic_coefficient_negative", MINUS.mu_k),
        ],
    );
    let mut old = vec![-MINUS.mu_k / stiffness];
    let part = Step::constant(Slip::new([1e-3], LOAD), 1e-3);
    for i in 1..=60 {
        let mut new = old.clone();
        let [force] = law.update(&part, &old, &mut new);
        old = new;
        let x = 1e-6 * f64::from(i);
        let (mu, other) = (PLUS.mu_k, MINUS.mu_k);
        let expected = LOAD * (mu - (mu + other) * (-stiffness * x / mu).exp());
        assert!((force - expected).abs() < 1e-12, "{x}: {force} {expected}");
    }
}

#[test]
fn a_slider_leaves_its_limit_along_its_spring() {
    let stiffness = 1e6;
    let law = build(
        "jenkins",
        &[
            ("tangential_stiffness", stiffness),
            ("kinetic_coefficient", 0.1),
            ("kinetic_coefficient_negative", 0.15),
        ],
    );
    let mut state = vec![0.0];
    let mut moved = |x: f64| {
        let step = Step::constant(Slip::new([x], LOAD), 1.0);
        let mut new = state.clone();
        let [force] = law.update(&step, &state, &mut new);
        state = new;
        force
    };
    // to the limit of −1.5 N and back: −1.5 N + k x until +1 N
    let near = |force: f64, expected: f64| assert!((force - expected).abs() < 1e-12);
    near(moved(-1e-5), -1.5);
    near(moved(2e-7), -1.3);
    near(moved(2e-7), -1.1);
    near(moved(1.6e-6), 0.5);
    near(moved(1e-6), 1.0);
    near(moved(-1e-7), 0.9);
    near(moved(-2.2e-6), -1.3);
    near(moved(-1e-6), -1.5);
}

#[test]
fn a_dead_zone_holds_up_to_the_level_of_the_load() {
    let law = of_sides("karnopp");
    for (sign, side) in [(1.0, PLUS), (-1.0, MINUS)] {
        // the velocity in the zone does not matter, whatever its sign
        for v in [5e-5, -5e-5, 0.0] {
            let limit = LOAD * side.mu_s;
            for (applied, expected) in [(0.9 * limit, 0.9 * limit), (1.1 * limit, limit)] {
                let slip = Slip {
                    applied: [sign * applied],
                    ..Slip::new([v], LOAD)
                };
                let [force] = law.rates(&slip, &[], &mut []);
                assert!((force - sign * expected).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn tangents_are_those_of_differences_on_each_side_and_across() {
    let steps = walk(400);
    for (name, [law, _]) in all_sided(1.3) {
        let states = along(&law, &steps);
        for (i, step) in steps.iter().enumerate().skip(1) {
            let old = &states[i - 1].1;
            let mut new = old.clone();
            let ([force], tangent) = law.update_with_tangent(step, old, &mut new);
            assert!(
                (force - states[i].0).abs() <= 1e-12 * force.abs().max(1e-3),
                "{name}"
            );
            // kinks lie at rest and at limits: where both one-sided differences agree, there is none
            let slope = |change: &dyn Fn(&mut Step<f64, 1>, f64), h: f64| {
                let at = |h: f64| {
                    let (mut step, mut new) = (*step, old.clone());
                    change(&mut step, h);
                    law.update(&step, old, &mut new)[0]
                };
                let (up, down) = ((at(h) - force) / h, (force - at(-h)) / h);
                let near = |a: f64, b: f64| (a - b).abs() <= 1e-3 * a.abs().max(b.abs()).max(1e-2);
                near(up, down).then_some(0.5 * (up + down))
            };
            let check = |exact: f64, found: Option<f64>| {
                let Some(found) = found else { return };
                // of second order in 1e-3 of the speeds, rounding 1e-15/1e-7
                let most = 2e-3 * exact.abs().max(0.1);
                assert!(
                    (exact - found).abs() <= most,
                    "{name}, {i}: {exact} {found}"
                );
            };
            let h = 1e-7;
            let mean = |s: &mut Step<f64, 1>, h: f64| s.mean.velocity[0] += h;
            let end = |s: &mut Step<f64, 1>, h: f64| s.end.velocity[0] += h;
            let load = |s: &mut Step<f64, 1>, h: f64| s.end.normal_force += h;
            check(tangent.mean_velocity[0][0], slope(&mean, h));
            check(tangent.velocity[0][0], slope(&end, h));
            check(tangent.normal_force[0], slope(&load, 1e-5));
        }
    }
}

#[test]
fn values_make_the_same_law_again() {
    for (name, [law, _]) in all_sided(1.3) {
        let values = law.to_values();
        assert!(
            values.iter().any(|(n, _)| n.ends_with("_negative")),
            "{name}"
        );
        let again = Friction::build(name, &values).unwrap();
        assert_eq!(again.to_values(), values, "{name}");
        assert_eq!(law.card().name, name);
        // each value has its card
        let card = law.card();
        for (field, _) in &values {
            assert!(
                card.parameters.iter().any(|p| p.name == *field),
                "{name}.{field}"
            );
        }
    }
}

#[test]
fn a_number_of_one_side_moves_that_side_alone() {
    let law = of_sides("lugre");
    let changed = law.with_parameters(&mut |field, _, x| match field {
        "kinetic_coefficient_negative" => 0.5 * x,
        _ => x,
    });
    let changed: Friction = changed.unwrap();
    let v = 0.1;
    assert!((slid(&changed, v) - PLUS.steady(v)).abs() < 1e-9);
    let half = Side {
        mu_k: 0.5 * MINUS.mu_k,
        ..MINUS
    };
    assert!((slid(&changed, -v) + half.steady(v)).abs() < 1e-9);
}

#[test]
fn names_and_symbols_of_the_negative_side_are_known() {
    for name in [
        "kinetic_coefficient_negative",
        "kinetic-coefficient-negative",
        "mu_k-",
    ] {
        let law = build("dahl", &[(name, 0.3)]);
        assert!((slid(&law, -0.01) + 3.0).abs() < 1e-9, "{name}");
    }
    let twice = Friction::build(
        "dahl",
        &values(
            "dahl",
            &[("mu_k-", 0.3), ("kinetic_coefficient_negative", 0.3)],
        ),
    );
    assert!(matches!(twice, Err(ParameterError::Twice { name, .. })
        if name == "kinetic_coefficient_negative"));
}

#[test]
fn refusals_name_the_negative_side() {
    let refused = |law: &str, changes: &[(&str, f64)]| {
        let error = Friction::build(law, &values(law, changes)).unwrap_err();
        (
            error.parameter().unwrap_or_default().to_owned(),
            error.to_string(),
        )
    };
    let (name, text) = refused("lugre", &[("kinetic_coefficient_negative", 0.2)]);
    assert_eq!(name, "static_coefficient_negative");
    assert!(text.contains("at negative velocities"), "{text}");
    let (name, _) = refused("lugre", &[("viscous_coefficient_negative", -1.0)]);
    assert_eq!(name, "viscous_coefficient_negative");
    // stiffness is that of the pair
    let (_, text) = refused("lugre", &[("bristle_stiffness_negative", 2e4)]);
    assert!(text.contains("has no parameter"), "{text}");
    for law in ["iwan", "gonthier", "lugre_anisotropic"] {
        let card = Friction::card_of(law).unwrap();
        let p = card.parameters.iter().find(|p| p.differs_by_direction());
        let name = format!("{}_negative", p.unwrap().name);
        let (_, text) = refused(law, &[(name.as_str(), 0.3)]);
        assert!(text.contains("the same for both directions"), "{text}");
    }
}
