//! What a law of your own costs beside the same law of the catalogue: `cargo bench -p bristle-laws
//! --bench own`.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a bench may panic and has no interface"
)]

use bristle_laws::card::{Default, ParameterCard, ParameterKind, Range, Relation, Role, Typical};
use bristle_laws::own::{OwnDimension, OwnEquations, OwnParameter, OwnSource};
use bristle_laws::{Declaration, Friction, Slip, Step, Value, Values};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

const NUMBERS: [(&str, f64, OwnDimension); 3] = [
    ("sigma_0", 1e4, OwnDimension::new(0.0, -1.0, 0.0)),
    ("sigma_1", 31.6228, OwnDimension::new(0.0, -1.0, 1.0)),
    ("sigma_2", 0.04, OwnDimension::new(0.0, -1.0, 1.0)),
];

fn law(name: &str) -> Friction {
    let levels = [("mu_s", 0.15), ("mu_k", 0.1), ("v_s", 1e-3)];
    let own = NUMBERS.iter().map(|(name, x, _)| (*name, *x));
    let values: Values = own
        .chain(levels)
        .map(|(name, x)| (name.to_owned(), Value::Number(x)))
        .collect();
    if name == "lugre" {
        return Friction::build(name, &values).unwrap();
    }
    let parameter = |(name, x, dimension): &(&'static str, f64, OwnDimension)| OwnParameter {
        card: ParameterCard {
            name: (*name).into(),
            symbol: (*name).into(),
            unit: dimension.to_string().into(),
            role: Role::Shape,
            kind: ParameterKind::Number,
            range: Range::Positive,
            typical: Typical::Number(*x),
            standard: None,
            default: Default::Required,
            relation: Relation::Free,
            fitted: true,
            meaning: (*name).into(),
        },
        dimension: *dimension,
        role: None,
    };
    let equations = OwnEquations::new(OwnSource {
        name: "own".to_owned(),
        equations: vec![
            "dz/dt = v - sigma_0*|v|/g*z".to_owned(),
            "F = N*(sigma_0*z + sigma_1*dz/dt + sigma_2*v)".to_owned(),
        ],
        parameters: NUMBERS.iter().map(parameter).collect(),
    });
    Declaration::Own(equations.unwrap()).build(&values).unwrap()
}

/// Steps of many speeds, so that nothing is known beforehand.
fn steps<const D: usize>() -> Vec<Step<f64, D>> {
    let slip = |i: u32| {
        let speed = 1e-3 * f64::from(i * 37 % 64 + 1);
        Slip::new(
            std::array::from_fn(|k| speed * (1.0 - 0.3 * k as f64)),
            10.0,
        )
    };
    (0..1000)
        .map(|i| Step {
            mean: slip(i),
            end: slip(i + 1),
            duration: 1e-4,
        })
        .collect()
}

#[divan::bench(args = ["lugre", "own"], consts = [1, 3])]
fn update_1000<const D: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let (law, steps) = (law(name), steps::<D>());
    bencher.bench_local(|| {
        let mut z = [0.0; D];
        for step in &steps {
            let mut new = [0.0; D];
            black_box(law.update(black_box(step), &z, &mut new));
            z = new;
        }
    });
}

#[divan::bench(args = ["lugre", "own"], consts = [1, 3])]
fn update_with_tangent_1000<const D: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let (law, steps) = (law(name), steps::<D>());
    bencher.bench_local(|| {
        let mut z = [0.0; D];
        for step in &steps {
            let mut new = [0.0; D];
            black_box(law.update_with_tangent(black_box(step), &z, &mut new));
            z = new;
        }
    });
}
