//! Starting values from the data.
//!
//! Levels come from the Stribeck map of the samples that slide. What only shows in the transients
//! (stiffness, damping, speeds, times) is searched over the range that the record can show: points
//! of a Halton sequence, whose force levels are adjusted linearly, are compared on a thinned
//! record, and the best, different ones are handed on.

use bristle_laws::ParameterCard;
use bristle_laws::card::Role as Meaning;
use rayon::prelude::*;

use crate::Kind;
use crate::fit::Objective;
use crate::model::{Model, Role, Slot};
use crate::predict::friction;
use crate::scales::Scales;
use crate::stribeck::{Curve, stribeck};
use bristle_recordings::{Baseline, baseline, least_squares};

/// The radical inverse of `i` in a prime base: Halton's sequence.
fn halton(mut i: u32, base: u32) -> f64 {
    let (mut f, mut x) = (1.0, 0.0);
    while i > 0 {
        f /= f64::from(base);
        x += f * f64::from(i % base);
        i /= base;
    }
    x
}

const PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

/// What is drawn for one candidate, each in (0, 1).
struct Draw {
    length: f64,
    damping: f64,
    speed: f64,
    excess: f64,
    time: f64,
    spread: f64,
    gap: f64,
    closing: f64,
}

impl Draw {
    fn number(i: u32) -> Self {
        let u = |k: usize| halton(i + 1, PRIMES[k]);
        Self {
            length: u(0),
            damping: u(1),
            speed: u(2),
            excess: u(3),
            time: u(4),
            spread: u(5),
            gap: u(6),
            closing: u(7),
        }
    }
}

fn logarithmic(low: f64, high: f64, u: f64) -> f64 {
    let low = low.max(f64::MIN_POSITIVE);
    low * (high / low).max(1.0).powf(u)
}

/// A candidate from a draw.
#[allow(
    clippy::too_many_lines,
    reason = "one list of cases, read from top to bottom"
)]
fn candidate(
    model: &Model,
    scales: &Scales,
    curve: &Curve,
    draw: &Draw,
    line: Option<&Baseline>,
) -> Vec<f64> {
    let mu = curve.kinetic;
    let length = logarithmic(
        (0.3 * scales.step).max(1e-5 * scales.range),
        0.5 * scales.range,
        draw.length,
    );
    // the first draws take the Stribeck curve as it was found
    let found = draw.excess < 0.5;
    let excess = if found {
        curve.excess
    } else {
        mu * (draw.excess - 0.5)
    };
    let speed = if found && curve.excess > 0.0 {
        curve.speed
    } else {
        logarithmic(scales.slow, scales.fast, draw.speed)
    };
    // the drop of a law that has it as a parameter is more than the curve shows
    let drop = (excess + 0.3 * mu).max(1e-3 * mu);
    let meaning = |q| model.card_of(q).map(|card: &ParameterCard| card.role);
    let drops = model
        .parameters
        .iter()
        .any(|q| meaning(q) == Some(Meaning::Drop));
    let elements = model.elements();
    let mut p: Vec<f64> = model
        .parameters
        .iter()
        .map(|q| {
            let element = q.field.map_or(0, |(_, e)| e);
            let per_force = if q.unit.starts_with('N') {
                scales.load
            } else {
                1.0
            };
            let stiffness = mu * per_force / length;
            // lengths of the elements of a list, in geometric steps about the drawn one
            let step = 1.5 + 4.0 * draw.spread;
            let place = element as f64 - 0.5 * (elements as f64 - 1.0);
            let share = 1.0 / elements as f64;
            match q.role {
                Role::Level if meaning(q) == Some(Meaning::Drop) => drop,
                Role::Level => mu,
                // of either sign, below the level
                Role::LevelDifference => mu * (draw.spread - 0.5),
                Role::StaticLevel if drops => drop + mu,
                Role::StaticLevel => mu + excess,
                Role::Viscous if q.field.is_some() => curve.viscous * per_force,
                Role::Viscous => line.map_or(0.0, |b| b.viscous.max(0.0)),
                Role::Stiffness if elements > 1 => share * stiffness * step.powf(-place),
                Role::Stiffness => stiffness,
                Role::Damping => {
                    let time =
                        logarithmic(0.05 * scales.interval, 0.05 * scales.duration, draw.damping);
                    stiffness * time.min(0.3 * length / scales.slow)
                }
                Role::Speed if meaning(q) == Some(Meaning::StribeckSpeed) => speed,
                Role::Speed => {
                    let slow = logarithmic(0.1 * scales.slow, 0.5 * scales.fast, draw.speed);
                    match q.slot {
                        Slot::Above { .. } => slow * (1.5 + 4.0 * draw.spread),
                        _ => slow,
                    }
                }
                // the reciprocal of a speed
                Role::Shape if q.unit == "s/m" => {
                    let rate = 1.0 / logarithmic(0.1 * scales.slow, 0.5 * scales.fast, draw.speed);
                    match q.slot {
                        Slot::Above { .. } => rate * (2.0 + 18.0 * draw.spread),
                        _ => rate,
                    }
                }
                Role::Length if matches!(q.slot, Slot::Below { .. }) => {
                    length * (0.2 + 0.7 * draw.spread)
                }
                Role::Length => length,
                Role::Time if q.unit == "s" => {
                    logarithmic(2.0 * scales.interval, scales.duration, draw.time)
                }
                Role::Time => logarithmic(1.0 / scales.duration, 1.0 / scales.interval, draw.time),
                Role::Shape => 0.1 + 0.4 * draw.spread,
                Role::Share if matches!(q.slot, Slot::Limit { .. }) => 1.1 * (mu + excess) * share,
                Role::Share => share,
                Role::Mass => line.map_or(0.0, |b| b.mass.max(0.0)),
                Role::Offset if q.unit == "rad" => 0.0,
                Role::Offset => line.map_or(0.0, |b| b.offset),
                Role::Gravity => 0.5 * scales.force,
                Role::Preload => 0.1 * scales.load,
                Role::Transmitted => 0.5 * draw.gap * scales.load / scales.force,
                Role::Motor => 1.0,
                Role::Start => 0.0,
                Role::Gap => logarithmic(0.5 * length, 2.0 * length, draw.gap),
                Role::Closing => scales.force * logarithmic(0.02, 0.8, draw.closing),
            }
        })
        .collect();
    for (x, q) in p.iter_mut().zip(&model.parameters) {
        if let Some(given) = q.fixed.or(q.start) {
            *x = given;
        }
        if let Some((low, high)) = q.bounds {
            *x = x.clamp(low, high);
        }
    }
    p
}

/// Scales the force levels of a candidate, and the terms around it, to the data.
fn adjust(objective: &Objective<'_>, p: &[f64]) -> Option<Vec<f64>> {
    let model = objective.model;
    let acting = model.acting(&objective.tied(p)).ok()?;
    let mut columns: Vec<Vec<f64>> = vec![Vec::new()];
    let mut target = Vec::new();
    let terms: Vec<usize> = model
        .free()
        .filter(|(_, q)| q.field.is_none() && q.start.is_none())
        .filter(|(_, q)| {
            matches!(
                q.name.as_str(),
                "mass" | "offset" | "drag" | "drag_negative" | "gravity"
            )
        })
        .map(|(i, _)| i)
        .collect();
    columns.resize(1 + terms.len(), Vec::new());
    for (record, mesh) in objective.records.iter().zip(&objective.meshes) {
        let along = friction(record, &acting, mesh);
        for i in 0..record.len() {
            let w = record.weight[i];
            columns[0].push(w * along[i]);
            for (column, &k) in columns[1..].iter_mut().zip(&terms) {
                column.push(match model.parameters[k].name.as_str() {
                    "mass" => w * record.acceleration[i],
                    "drag" if model.terms.asymmetric => w * record.velocity[i].max(0.0),
                    "drag" => w * record.velocity[i],
                    "drag_negative" => w * record.velocity[i].min(0.0),
                    "gravity" => {
                        w * record
                            .position
                            .as_ref()
                            .map_or(0.0, |x| (x[i] + acting.phase).sin())
                    }
                    _ => w,
                });
            }
            target.push(w * record.force[i]);
        }
    }
    let x = least_squares(&columns, &target)?;
    let factor = x[0].clamp(0.2, 5.0);
    let mut p = p.to_vec();
    for (i, q) in model.free() {
        let forced = matches!(
            q.role,
            Role::Level
                | Role::StaticLevel
                | Role::LevelDifference
                | Role::Stiffness
                | Role::Damping
                | Role::Viscous
        );
        let limit = matches!(q.slot, Slot::Limit { .. });
        if q.field.is_some() && q.start.is_none() && (forced || limit) {
            p[i] *= factor;
        }
    }
    for (k, x) in terms.iter().zip(&x[1..]) {
        let positive = matches!(model.parameters[*k].slot, Slot::Linear { positive: true });
        p[*k] = if positive { x.max(0.0) } else { *x };
    }
    Some(p)
}

/// What the records say of the Stribeck curve, and the line through them.
fn look(objective: &Objective<'_>, scales: &Scales) -> (Option<Baseline>, Curve) {
    let (records, model) = (objective.records, objective.model);
    let line = baseline(records);
    let has = |name: &str| f64::from(u8::from(model.index(name).is_some()));
    let (with_mass, with_offset) = (has("mass"), has("offset"));
    let mass = with_mass * line.map_or(0.0, |b| b.mass);
    let offset = with_offset * line.map_or(0.0, |b| b.offset);
    let without_terms: Vec<Vec<f64>> = records
        .iter()
        .map(|r| {
            (0..r.len())
                .map(|i| r.force[i] - mass * r.acceleration[i] - offset)
                .collect()
        })
        .collect();
    let level = line.map_or(0.0, |b| b.level);
    let curve = stribeck(records, &without_terms).unwrap_or(Curve {
        kinetic: if level > 0.0 {
            level
        } else {
            scales.force / scales.load
        },
        excess: 0.0,
        speed: scales.slow,
        viscous: 0.0,
    });
    (line, curve)
}

/// So many points of the search, in the numbers of the optimiser.
pub(crate) fn spread(objective: &Objective<'_>, draws: u32) -> Vec<Vec<f64>> {
    let scales = Scales::of(objective.records);
    let (line, curve) = look(objective, &scales);
    (0..draws)
        .into_par_iter()
        .map(|i| {
            let draw = Draw::number(i);
            let raw = candidate(objective.model, &scales, &curve, &draw, line.as_ref());
            let p = adjust(objective, &raw).unwrap_or(raw);
            objective.pack(&p)
        })
        .collect()
}

/// The best starting points, at most `most`, each different from the ones before.
pub(crate) fn starts(objective: &Objective<'_>, most: usize, draws: u32) -> Vec<Vec<f64>> {
    let model = objective.model;
    let steady = objective.records.iter().all(|r| r.kind == Kind::Steady);
    // play takes a solution in every step
    let draws = if model.terms.backlash {
        draws / 2
    } else {
        draws
    };
    let draws = if model.declaration.is_none() || steady && draws > 40 {
        40
    } else {
        draws
    };
    let mut tried: Vec<(f64, Vec<f64>)> = spread(objective, draws)
        .into_par_iter()
        .map(|theta| (objective.cost(&theta), theta))
        .filter(|(cost, _)| cost.is_finite())
        .collect();
    // ties keep the order of the draws
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut chosen: Vec<Vec<f64>> = Vec::new();
    for (_, theta) in tried {
        let far = |other: &Vec<f64>| other.iter().zip(&theta).any(|(a, b)| (a - b).abs() > 0.7);
        if chosen.iter().all(far) {
            chosen.push(theta);
        }
        if chosen.len() == most {
            break;
        }
    }
    chosen
}
