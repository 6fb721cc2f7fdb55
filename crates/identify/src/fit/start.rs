//! Starting values from the data.
//!
//! Levels come from the Stribeck map of the samples that slide. What only shows in the transients
//! (stiffness, damping, speeds, times) is searched over the range that the record can show: points
//! of a Halton sequence, whose force levels are adjusted linearly, are compared on a thinned
//! record, and the best, different ones are handed on.

use bristle_laws::ParameterCard;
use bristle_laws::card::Role as Meaning;
use rayon::prelude::*;

use crate::RecordKind;
use crate::fit::Objective;
use crate::model::{FitModel, FitParameter, FitRole, Slot};
use crate::predict::friction;
use crate::scales::RecordScales;
use crate::stribeck::{SlidingLevels, stribeck};
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
    /// Whether values that are known from elsewhere count more than drawn ones.
    is_of_file: bool,
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
            is_of_file: false,
        }
    }
}

fn logarithmic(low: f64, high: f64, u: f64) -> f64 {
    let low = low.max(f64::MIN_POSITIVE);
    low * (high / low).max(1.0).powf(u)
}

/// A candidate from a draw.
fn candidate(
    model: &FitModel,
    scales: &RecordScales,
    curve: &SlidingLevels,
    draw: &Draw,
    line: Option<&Baseline>,
) -> Vec<f64> {
    let drawn = Drawn::new(model, scales, curve, draw);
    let value = |q: &FitParameter| {
        let known = q.known.filter(|_| draw.is_of_file);
        let given = q.fixed.or(q.start).or(known);
        let x = given.unwrap_or_else(|| drawn.of_law(q).unwrap_or_else(|| drawn.around(q, line)));
        q.bounds.map_or(x, |(low, high)| x.clamp(low, high))
    };
    model.parameters.iter().map(value).collect()
}

/// What a draw makes of the scales and the curve of the data.
struct Drawn<'a> {
    model: &'a FitModel,
    scales: &'a RecordScales,
    curve: &'a SlidingLevels,
    draw: &'a Draw,
    /// A deflection, m.
    length: f64,
    /// The static level over the kinetic one.
    excess: f64,
    /// The Stribeck speed, m/s.
    speed: f64,
    /// Elements of the law.
    elements: f64,
    /// Whether the law has the drop of its level as a parameter.
    has_drop: bool,
}

impl<'a> Drawn<'a> {
    fn new(
        model: &'a FitModel,
        scales: &'a RecordScales,
        curve: &'a SlidingLevels,
        draw: &'a Draw,
    ) -> Self {
        // the first draws take the Stribeck curve as it was found
        let found = draw.excess < 0.5;
        let is_drop = |q: &FitParameter| Self::meaning(model, q) == Some(Meaning::Drop);
        Self {
            model,
            scales,
            curve,
            draw,
            length: logarithmic(
                (0.3 * scales.step).max(1e-5 * scales.range),
                0.5 * scales.range,
                draw.length,
            ),
            excess: if found {
                curve.excess
            } else {
                curve.kinetic * (draw.excess - 0.5)
            },
            speed: if found && curve.excess > 0.0 {
                curve.speed
            } else {
                logarithmic(scales.slow, scales.fast, draw.speed)
            },
            elements: model.elements() as f64,
            has_drop: model.parameters.iter().any(is_drop),
        }
    }

    fn meaning(model: &FitModel, q: &FitParameter) -> Option<Meaning> {
        model.card_of(q).map(|card: &ParameterCard| card.role)
    }

    /// The value of a parameter of the law; none for the terms around it.
    fn of_law(&self, q: &FitParameter) -> Option<f64> {
        let (scales, draw, mu) = (self.scales, self.draw, self.curve.kinetic);
        let meaning = Self::meaning(self.model, q);
        let element = q.field.map_or(0, |(_, e)| e);
        let per_force = if q.unit.starts_with('N') {
            scales.load
        } else {
            1.0
        };
        let stiffness = mu * per_force / self.length;
        // the drop of a law that has it as a parameter is more than the curve shows
        let drop = (self.excess + 0.3 * mu).max(1e-3 * mu);
        // lengths of the elements of a list, in geometric steps about the drawn one
        let step = 1.5 + 4.0 * draw.spread;
        let place = element as f64 - 0.5 * (self.elements - 1.0);
        let share = 1.0 / self.elements;
        Some(match q.role {
            FitRole::Level if meaning == Some(Meaning::Drop) => drop,
            FitRole::Level => mu,
            // of either sign, below the level
            FitRole::LevelDifference => mu * (draw.spread - 0.5),
            FitRole::StaticLevel if self.has_drop => drop + mu,
            FitRole::StaticLevel => mu + self.excess,
            FitRole::Viscous if q.field.is_some() => self.curve.viscous * per_force,
            FitRole::Stiffness if self.elements > 1.0 => share * stiffness * step.powf(-place),
            FitRole::Stiffness => stiffness,
            FitRole::Damping => {
                let time =
                    logarithmic(0.05 * scales.interval, 0.05 * scales.duration, draw.damping);
                stiffness * time.min(0.3 * self.length / scales.slow)
            }
            FitRole::Speed if meaning == Some(Meaning::StribeckSpeed) => self.speed,
            FitRole::Speed => self.slow_speed() * self.above(q, 1.5, 4.0),
            // the reciprocal of a speed
            FitRole::Shape if q.unit == "s/m" => 1.0 / self.slow_speed() * self.above(q, 2.0, 18.0),
            FitRole::Length if matches!(q.slot, Slot::Below { .. }) => {
                self.length * (0.2 + 0.7 * draw.spread)
            }
            FitRole::Length => self.length,
            FitRole::Time if q.unit == "s" => {
                logarithmic(2.0 * scales.interval, scales.duration, draw.time)
            }
            FitRole::Time => logarithmic(1.0 / scales.duration, 1.0 / scales.interval, draw.time),
            FitRole::Shape => 0.1 + 0.4 * draw.spread,
            FitRole::Share if matches!(q.slot, Slot::Limit { .. }) => {
                1.1 * (mu + self.excess) * share
            }
            FitRole::Share => share,
            FitRole::Viscous
            | FitRole::Mass
            | FitRole::Offset
            | FitRole::Gravity
            | FitRole::Preload
            | FitRole::Gap
            | FitRole::Closing
            | FitRole::Transmitted
            | FitRole::Motor
            | FitRole::Start => return None,
        })
    }

    /// A speed that is not that of the Stribeck curve.
    fn slow_speed(&self) -> f64 {
        let scales = self.scales;
        logarithmic(0.1 * scales.slow, 0.5 * scales.fast, self.draw.speed)
    }

    /// A factor from `least` on for a parameter that lies above another one; else 1.
    fn above(&self, q: &FitParameter, least: f64, spread: f64) -> f64 {
        match q.slot {
            Slot::Above { .. } => least + spread * self.draw.spread,
            _ => 1.0,
        }
    }

    /// The value of a term around the law; `line` is the fit of these terms alone.
    fn around(&self, q: &FitParameter, line: Option<&Baseline>) -> f64 {
        let (scales, draw) = (self.scales, self.draw);
        match q.role {
            FitRole::Viscous => line.map_or(0.0, |b| b.viscous.max(0.0)),
            FitRole::Mass => line.map_or(0.0, |b| b.mass.max(0.0)),
            FitRole::Offset if q.unit == "rad" => 0.0,
            FitRole::Offset => line.map_or(0.0, |b| b.offset),
            FitRole::Gravity => 0.5 * scales.force,
            FitRole::Preload => 0.1 * scales.load,
            FitRole::Transmitted => 0.5 * draw.gap * scales.load / scales.force,
            FitRole::Motor => 1.0,
            FitRole::Gap => logarithmic(0.5 * self.length, 2.0 * self.length, draw.gap),
            FitRole::Closing => scales.force * logarithmic(0.02, 0.8, draw.closing),
            // the place at the start; the other roles are those of a law
            _ => 0.0,
        }
    }
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
            FitRole::Level
                | FitRole::StaticLevel
                | FitRole::LevelDifference
                | FitRole::Stiffness
                | FitRole::Damping
                | FitRole::Viscous
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
fn look(objective: &Objective<'_>, scales: &RecordScales) -> (Option<Baseline>, SlidingLevels) {
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
    let curve = stribeck(records, &without_terms).unwrap_or(SlidingLevels {
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
    let scales = RecordScales::of(objective.records);
    let (line, curve) = look(objective, &scales);
    let at = |draw: &Draw| candidate(objective.model, &scales, &curve, draw, line.as_ref());
    let going = (0..draws)
        .into_par_iter()
        .filter(|_| !objective.model.stop.is_set());
    let drawn = going.map(|i| {
        let raw = at(&Draw::number(i));
        let p = adjust(objective, &raw).unwrap_or(raw);
        objective.pack(&p)
    });
    let mut all: Vec<Vec<f64>> = drawn.collect();
    if objective.model.parameters.iter().any(|q| q.known.is_some()) {
        let draw = Draw {
            is_of_file: true,
            ..Draw::number(0)
        };
        all.push(objective.pack(&at(&draw)));
    }
    all
}

/// The best starting points, at most `most`, each different from the ones before.
pub(crate) fn starts(objective: &Objective<'_>, most: usize, draws: u32) -> Vec<Vec<f64>> {
    let model = objective.model;
    let steady = objective
        .records
        .iter()
        .all(|r| r.kind == RecordKind::Steady);
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
