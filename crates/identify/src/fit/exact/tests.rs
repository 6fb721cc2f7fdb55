//! Exact columns against central differences, for every law of the catalogue.

use super::*;
use crate::MachineTerms;
use crate::model::FitModel;
use crate::optimise::LeastSquares;
use crate::predict::Mesh;
use bristle_laws::friction::typical;
use bristle_laws::{Friction, Sides, Value};

/// What surrounds the law, how many steps the mesh has, the cut-off of the record, and the
/// agreement that may be asked for, as a share of the largest entry of a column.
struct Case {
    name: &'static str,
    terms: MachineTerms,
    steps: u8,
    cutoff: Option<f64>,
    steady: bool,
    tolerance: f64,
}

fn cases() -> Vec<Case> {
    let terms = MachineTerms {
        elements: 4,
        ..MachineTerms::default()
    };
    let plain = Case {
        name: "alone",
        terms,
        steps: 1,
        cutoff: None,
        steady: false,
        // differences: rounding 1e-16/1e-5 and what Richardson leaves; sums over the memory of a
        // law of some ten steps
        tolerance: 1e-7,
    };
    vec![
        Case {
            name: "terms of machines, by direction",
            terms: MachineTerms {
                mass: true,
                gravity: true,
                drag: true,
                asymmetric: true,
                preload: true,
                transmitted: true,
                ..terms
            },
            steps: 3,
            ..plain
        },
        Case {
            name: "offset through a low-pass",
            terms: MachineTerms {
                offset: true,
                ..terms
            },
            cutoff: Some(60.0),
            ..plain
        },
        Case {
            name: "play",
            terms: MachineTerms {
                backlash: true,
                preload: true,
                ..terms
            },
            steps: 2,
            // the play is closed within 1e-10 of its width: over a step of 1e-5, some 1e-5
            tolerance: 1e-4,
            ..plain
        },
        Case {
            name: "steady curve",
            terms: MachineTerms {
                preload: true,
                ..terms
            },
            steady: true,
            ..plain
        },
        plain,
    ]
}

/// A motion of 1 s that loads, breaks away, slides and turns, in the units of the law; a load that
/// varies.
fn record(law: &Friction, case: &Case) -> Record {
    const SAMPLES: u32 = 240;
    let dt = 1.0 / f64::from(SAMPLES);
    let speed = law.slip_speed();
    let deflection = law.breakaway_deflection(10.0).unwrap_or(1e-5);
    // a step covers a fifth of the deflection at most, so that loading is seen
    let fast = (0.2 * deflection / dt).min(4.0 * speed).max(2.0 * speed);
    let t: Vec<f64> = (0..SAMPLES).map(|i| f64::from(i) * dt).collect();
    let wave = |t: f64, a: f64| (a * t + 0.3).sin() * (0.1 + (2.3 * t).sin().powi(2));
    let velocity: Vec<f64> = t.iter().map(|t| fast * wave(*t, 9.7)).collect();
    let force: Vec<f64> = t.iter().map(|t| 3.0 * (8.1 * t).sin() + 1.0).collect();
    let load = t.iter().map(|t| 10.0 + 3.0 * (5.3 * t).sin()).collect();
    if case.steady {
        let record = Record::steady("curve", velocity, force).unwrap();
        return record.with_load(load).unwrap();
    }
    let position = t.iter().map(|t| (3.1 * t).sin()).collect();
    let acceleration = t.iter().map(|t| 40.0 * (4.4 * t).cos()).collect();
    let applied = t.iter().map(|t| 2.0 * (21.0 * t).sin()).collect();
    let record = Record::motion("wave", t, velocity, force).unwrap();
    let record = record.with_load(load).unwrap();
    let record = record.with_position(position).unwrap();
    let record = record.with_acceleration(acceleration).unwrap();
    Record {
        cutoff: case.cutoff,
        ..record.with_applied(applied).unwrap()
    }
}

/// Numbers in (0, 1), always the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Admissible parameters about the typical ones, all fitted but what is left out for good.
fn draw(model: &mut FitModel, law: &Friction, random: &mut Random) -> Vec<f64> {
    let own = law.to_values();
    for p in &mut model.parameters {
        if p.fixed.is_some_and(f64::is_finite) || p.name == "dynamic_velocity" {
            p.fixed = None;
        }
    }
    let gap = 0.5 * law.breakaway_deflection(10.0).unwrap_or(1e-5);
    let mut p: Vec<f64> = Vec::new();
    for q in &model.parameters {
        let factor = (0.3 * (random.next() - 0.5)).exp();
        let field = q.name.trim_end_matches("_negative");
        let (field, element) = match field.split_once('[') {
            Some((field, rest)) => (field, rest[..1].parse::<usize>().unwrap() - 1),
            None => (field, 0),
        };
        let typical = match own.iter().find(|(name, _)| name == field) {
            Some((_, Value::Number(x))) if q.field.is_some() => Some(*x),
            Some((_, Value::List(list))) => Some(list[element]),
            _ => None,
        };
        p.push(match (typical, q.name.as_str()) {
            // well above both static levels
            (Some(x), name) if name.starts_with("element_limits") => 1.3 * x * factor,
            // little, so that levels and speeds keep their order
            (Some(x), _) => x * (1.0 + 0.1 * (factor - 1.0)),
            (None, "mass") => 0.02 * factor,
            (None, "gap") => gap * factor,
            (None, "load_share") => 0.4 * factor,
            (None, "closing_force") => 0.8 * factor,
            (None, _) if q.fixed.is_some() => f64::NAN,
            (None, _) => 0.7 * factor,
        });
    }
    p
}

/// Entries of a column that were compared.
fn compare(
    problem: &LeastSquares<'_>,
    theta: &[f64],
    k: usize,
    exact: &[f64],
    case: (&Case, &str),
) -> usize {
    let h = 2e-5 * theta[k].abs().max(1.0);
    let at = |by: f64| {
        let mut moved = theta.to_vec();
        moved[k] += by;
        (problem.residual)(&moved)
    };
    let (low, middle, high) = (at(-h), at(0.0), at(h));
    let (lower, upper) = (at(-2.0 * h), at(2.0 * h));
    // a column of nothing has the rounding of a residual of order 1
    let largest = exact.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let mut compared = 0;
    for i in 0..exact.len() {
        let (left, right) = ((middle[i] - low[i]) / h, (high[i] - middle[i]) / h);
        let inner = (high[i] - low[i]) / (2.0 * h);
        let outer = (upper[i] - lower[i]) / (4.0 * h);
        // of a smooth function these differ by h and by its square; a kink or a jump, where a
        // mode begins at another sample, shows
        let kink = (left - right).abs() > 1e-2 * largest.max(inner.abs());
        if kink || (inner - outer).abs() > 0.3 * case.0.tolerance * largest {
            continue;
        }
        let difference = inner + (inner - outer) / 3.0;
        assert!(
            (difference - exact[i]).abs() <= case.0.tolerance * largest.max(1e-2),
            "{} {}: column {k}, sample {i}: exact {:e}, difference {difference:e}, largest {largest:e}",
            case.1,
            case.0.name,
            exact[i]
        );
        compared += 1;
    }
    compared
}

#[test]
fn columns_against_differences() {
    let mut random = Random(7);
    for card in Friction::CARDS {
        let law = Friction::build(card.name, &typical(card)).unwrap();
        // play stands where a law jumps, and then nothing balances; elements of gms relax in time
        // as soon as they slide, however slowly
        let jumps = law.jumps() || ["karnopp", "gms"].contains(&card.name);
        for case in cases() {
            if jumps && case.terms.backlash {
                continue;
            }
            let one_sided = Friction::sides_of(card.name) == Sides::Same;
            let terms = MachineTerms {
                asymmetric: case.terms.asymmetric && !one_sided,
                ..case.terms
            };
            let mut model = FitModel::of(card.name, &terms).unwrap();
            let records = [record(&law, &case)];
            let p = draw(&mut model, &law, &mut random);
            let meshes = records.iter().map(|r| Mesh::even(r, case.steps)).collect();
            let objective = Objective::with_meshes(&model, &records, meshes);
            let theta = objective.pack(&p);
            let columns = objective.exact_columns(&theta);
            let columns = columns.unwrap_or_else(|| {
                panic!(
                    "{} {}: {:?}",
                    card.name,
                    case.name,
                    model.acting(&objective.unpack(&theta)).map(|_| ())
                )
            });
            let (lower, upper) = model.limits(&p, &objective.sizes);
            let residual = |theta: &[f64]| objective.residual(theta);
            let problem = LeastSquares {
                residual: &residual,
                exact: &|_| None,
                lower,
                upper,
                precision: crate::optimise::Precision::LAW,
            };
            let mut compared = 0;
            for (k, exact) in columns.iter().enumerate() {
                compared += compare(&problem, &theta, k, exact, (&case, card.name));
            }
            let all = columns.len() * records[0].len();
            // what is left out are changes of mode, few but where a law jumps
            eprintln!("{} {}: {compared} of {all}", card.name, case.name);
            assert!(
                2 * compared >= all,
                "{} {}: {compared} of {all}",
                card.name,
                case.name
            );
        }
    }
}
