//! The shape of F over x between rest and sliding, and how freely it can be chosen.

use super::{Bench, Card, Feature, MeasurementFailure, Picture, PictureAxis, presliding};
use crate::drive::{Driver, Sample};
use bristle_laws::{Friction, Value, Values};

const CARD: Card = Card {
    key: "transition_curve",
    title: "Transition curve in presliding",
    quantity: "independent freedoms of the shape",
    unit: "1",
    criterion: "as the law's parameters change, F over x from rest, in units of its own level and initial stiffness, has three or more independent freedoms of its shape",
};

const PICTURE: Picture = Picture {
    key: "transition",
    title: "Friction force over displacement from rest, quasi-static",
    about: "From rest the force rises with displacement, first along the stiffness of the \
            contact, then towards the limit. A law whose parameters bend this curve in three \
            independent ways or more can follow a measured one.",
    x: PictureAxis::linear("displacement", "m"),
    y: PictureAxis::linear("friction force", "N"),
};

/// Displacements in units of level/stiffness at which shapes are compared.
const STATIONS: [f64; 8] = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0];
/// Factor on a parameter.
const FACTOR: f64 = 1.5;
/// Changes of a shape below this are none.
const VISIBLE: f64 = 0.01;
/// Displacement at which the initial stiffness is read, and at which the level is, m.
const FIRST: f64 = 1e-8;
const FAR: f64 = 2e-3;
const SPEED: f64 = presliding::SPEED;

/// Stiffness at rest (N/m), level (N), and F at the stations over the level.
struct TransitionShape {
    stiffness: f64,
    level: f64,
    stations: Vec<f64>,
}

/// F at ascending displacements from rest.
fn virgin(
    law: &Friction,
    normal_force: f64,
    places: &[f64],
) -> Result<Vec<f64>, MeasurementFailure> {
    let sample = |t, v| Sample {
        t,
        velocity: [v],
        normal_force,
        applied: [0.0],
    };
    let mut driver = Driver::new(law, &sample(0.0, 0.0), super::ACCURACY);
    let begin = 1e-9 * FIRST / SPEED;
    driver.advance(&sample(begin, SPEED))?;
    let mut forces = Vec::new();
    for place in places {
        forces.push(driver.advance(&sample(begin + place / SPEED, SPEED))?[0]);
    }
    Ok(forces)
}

/// The shape of the curve, if the law has one: F at once is no curve.
fn shape(law: &Friction, normal_force: f64) -> Result<Option<TransitionShape>, MeasurementFailure> {
    let ends = virgin(law, normal_force, &[FIRST, FAR])?;
    let (first, level) = (ends[0], ends[1]);
    if level <= 0.0 || first > 0.5 * level || first <= 0.0 {
        return Ok(None);
    }
    let stiffness = first / FIRST;
    let places = STATIONS.map(|s| s * level / stiffness);
    let forces = virgin(law, normal_force, &places)?;
    Ok(Some(TransitionShape {
        stiffness,
        level,
        stations: forces.iter().map(|f| f / level).collect(),
    }))
}

/// The law with one number of its parameters changed; every number once.
fn neighbours(law: &Friction) -> Vec<Friction> {
    let values = law.to_values();
    let mut laws = Vec::new();
    let mut push = |changed: Values| laws.extend(Friction::build(law.card().name, &changed).ok());
    for (i, (_, value)) in values.iter().enumerate() {
        let mut changed = values.clone();
        match value {
            Value::Number(x) => {
                changed[i].1 = Value::Number(x * FACTOR);
                push(changed);
            }
            Value::List(list) => {
                for j in 0..list.len() {
                    // the sum is kept: shares of one whole stay that
                    let sum: f64 = list.iter().sum();
                    let scale = sum / (sum + (FACTOR - 1.0) * list[j]);
                    let tilted = list.iter().enumerate().map(|(k, x)| {
                        if k == j {
                            x * FACTOR * scale
                        } else {
                            x * scale
                        }
                    });
                    changed[i].1 = Value::List(tilted.collect());
                    push(changed.clone());
                }
            }
            Value::Flag(_) | Value::Curve(_) => {}
        }
    }
    laws
}

/// Number of independent directions among the changes (Gram and Schmidt).
fn independent(changes: Vec<Vec<f64>>) -> usize {
    let size = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut left = changes;
    let mut count = 0;
    loop {
        left.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let Some(first) = left.first().cloned() else {
            return count;
        };
        let length = size(&first);
        if length < VISIBLE {
            return count;
        }
        count += 1;
        for v in &mut left {
            let along = v.iter().zip(&first).map(|(a, b)| a * b).sum::<f64>() / (length * length);
            for (x, y) in v.iter_mut().zip(&first) {
                *x -= along * y;
            }
        }
    }
}

pub(super) fn measure(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&CARD, |bench, feature| {
        let normal_force = bench.options.normal_force;
        let Some(own) = shape(bench.law, normal_force)? else {
            feature.value = Some(0.0);
            feature.verdict = false.into();
            feature.note("no curve: F does not grow with the displacement");
            return Ok(());
        };
        feature.push("stiffness at rest", own.stiffness, "N/m");
        feature.push("level of slow sliding", own.level, "N");
        let mut changes = Vec::new();
        for law in neighbours(bench.law) {
            // a neighbour that cannot be measured says nothing
            if let Ok(Some(other)) = shape(&law, normal_force) {
                let pairs = other.stations.iter().zip(&own.stations);
                changes.push(pairs.map(|(a, b)| a - b).collect());
            }
        }
        let freedoms = independent(changes);
        feature.value = Some(freedoms as f64);
        feature.verdict = (freedoms >= 3).into();
        let reach = 4.0 * own.level / own.stiffness;
        let x: Vec<f64> = (1..=120).map(|i| reach * f64::from(i) / 120.0).collect();
        let f = virgin(bench.law, normal_force, &x)?;
        let half = f.iter().position(|f| *f >= 0.5 * own.level);
        if let Some(i) = half.filter(|i| *i > 0 && i + 1 < x.len()) {
            let slope = (f[i + 1] - f[i - 1]) / (x[i + 1] - x[i - 1]);
            feature.push(
                "stiffness at half the level over that at rest",
                slope / own.stiffness,
                "1",
            );
        }
        let from_rest = |values: Vec<f64>| std::iter::once(0.0).chain(values).collect();
        bench.curve(&PICTURE, "from rest", from_rest(x), from_rest(f));
        Ok(())
    })
}
