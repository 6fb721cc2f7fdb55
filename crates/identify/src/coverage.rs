//! What the data cover: speeds, loads, displacements; and whether a fit can learn from them at all.

use bristle_laws::Sides;
use bristle_recordings::{MotionUnits, baseline, least_squares, number_of};

use crate::Error;
use crate::model::{Acting, FitModel};
use crate::prediction::Prediction;
use crate::statistics::{mean, noise, quantile, sign};
use crate::stribeck::sliding;
use crate::{Record, RecordKind};

/// What a set of records covers. SI.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Coverage {
    /// All records are steady curves.
    pub(crate) steady: bool,
    /// Units of the motions.
    pub(crate) units: MotionUnits,
    /// Smallest and largest load.
    pub(crate) loads: (f64, f64),
    /// Slowest (2 %) and fastest (98 %) speed while sliding.
    pub(crate) speeds: (f64, f64),
    /// Fast noise of the velocity.
    pub(crate) velocity_noise: f64,
    /// Median displacement between samples while moving.
    pub(crate) step: f64,
    /// Range of the motion.
    pub(crate) range: f64,
    /// Reversals of the motion.
    pub(crate) reversals: usize,
    /// Whether it goes both ways.
    pub(crate) both_directions: bool,
    /// Samples within the deflection of break-away after a reversal or a start.
    pub(crate) presliding: usize,
    /// Longest way without a reversal, over the deflection of break-away.
    pub(crate) longest_slide: f64,
    /// Deflection at break-away of the fitted law.
    pub(crate) breakaway: Option<f64>,
    /// Share of samples at which a moving pair has changed direction since the last one.
    pub(crate) flips: f64,
    /// Stops: stretches at rest, and the longest, s.
    pub(crate) stops: usize,
    pub(crate) longest_stop: f64,
    /// Share of the variance of the force that is explained, per record the least.
    pub(crate) least_explained: f64,
}

impl Coverage {
    pub(crate) fn of(records: &[Record], acting: &Acting, predictions: &[Prediction]) -> Self {
        let loads: Vec<f64> = records.iter().flat_map(|r| r.load.clone()).collect();
        let load = mean(&loads);
        let law = acting.law.as_ref();
        let breakaway = law.and_then(|law| law.breakaway_deflection(load));
        let mut tally = Tally::default();
        for record in records {
            tally.add(record, breakaway);
        }
        let least = predictions.iter().map(|p| p.errors.explained);
        let noises = records.iter().map(|r| noise(&r.velocity));
        Self {
            steady: records.iter().all(|r| r.kind == RecordKind::Steady),
            units: records.first().map_or(MotionUnits::Linear, |r| r.units),
            loads: ends(&loads),
            speeds: (
                quantile(&tally.slide_speeds, 0.02).unwrap_or(0.0),
                quantile(&tally.slide_speeds, 0.98).unwrap_or(0.0),
            ),
            velocity_noise: noises.fold(0.0, f64::max),
            step: quantile(&tally.steps, 0.5).unwrap_or(0.0),
            range: tally.range,
            reversals: tally.reversals,
            both_directions: tally.forward && tally.backward,
            presliding: tally.presliding,
            longest_slide: breakaway.map_or(f64::INFINITY, |d| tally.longest_way / d),
            breakaway,
            flips: tally.flips as f64 / tally.moving.max(1) as f64,
            stops: tally.stops,
            longest_stop: tally.longest_stop,
            least_explained: least.fold(1.0, f64::min),
        }
    }

    /// Whether the load is the same throughout, within 2 %.
    pub(crate) fn one_load(&self) -> bool {
        self.loads.1 - self.loads.0 <= 0.02 * self.loads.1.abs()
    }

    /// Whether the motion between samples is unknown: it turns around within a few samples.
    pub(crate) fn unresolved(&self) -> bool {
        !self.steady && self.flips > 0.15
    }
}

/// What is counted over the samples of all records.
#[derive(Default)]
struct Tally {
    slide_speeds: Vec<f64>,
    /// Ways from one moving sample to the next, m.
    steps: Vec<f64>,
    range: f64,
    reversals: usize,
    forward: bool,
    backward: bool,
    presliding: usize,
    /// The longest way since a reversal, m.
    longest_way: f64,
    flips: usize,
    moving: usize,
    stops: usize,
    longest_stop: f64,
}

impl Tally {
    fn add(&mut self, record: &Record, breakaway: Option<f64>) {
        let slides = sliding(record);
        let x = record.displacement();
        let (low, high) = ends(&x);
        self.range = self.range.max(high - low);
        let mut origin = x.first().copied().unwrap_or(0.0);
        let mut rest_since = None;
        for i in 0..record.len() {
            let v = record.velocity[i];
            self.forward |= v > 0.0;
            self.backward |= v < 0.0;
            if slides[i] && v != 0.0 {
                self.slide_speeds.push(v.abs());
            }
            if v == 0.0 {
                let since = *rest_since.get_or_insert(record.t[i]);
                self.longest_stop = self.longest_stop.max(record.t[i] - since);
            } else if rest_since.take().is_some() {
                self.stops += 1;
            }
            if i == 0 {
                continue;
            }
            let before = record.velocity[i - 1];
            if v != 0.0 && before != 0.0 {
                self.moving += 1;
                self.flips += usize::from(sign(v) != sign(before));
                self.steps.push((x[i] - x[i - 1]).abs());
            }
            if sign(v) != sign(before) {
                self.reversals += 1;
                origin = x[i - 1];
            }
            let way = (x[i] - origin).abs();
            self.longest_way = self.longest_way.max(way);
            let presliding = breakaway.is_some_and(|d| way > 0.0 && way < 2.0 * d);
            self.presliding += usize::from(presliding);
        }
    }
}

/// The smallest and the largest value.
fn ends(values: &[f64]) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    values
        .iter()
        .fold(none, |(low, high), x| (low.min(*x), high.max(*x)))
}

/// Refuses records from which nothing can be learnt.
pub(crate) fn informative(model: &FitModel, records: &[Record]) -> Result<(), Error> {
    let refuse = |record: &Record, reason: String, help: &str| {
        Err(Error::Uninformative {
            record: record.name.clone(),
            reason,
            help: help.to_owned(),
        })
    };
    let total: usize = records.iter().map(Record::counted).sum();
    let wanted = model.numbers().count();
    for record in records {
        let least = if record.kind == RecordKind::Steady {
            wanted + 2
        } else {
            3 * wanted.max(5)
        };
        if total < least {
            return refuse(
                record,
                format!(
                    "{} cannot determine {} of {}",
                    number_of(total, "sample", "samples"),
                    number_of(wanted, "parameter", "parameters"),
                    model.law
                ),
                &format!("give {least} samples or more, or hold parameters with --fix"),
            );
        }
        // friction alone may stop a mass
        if record.kind != RecordKind::Free && record.force.iter().all(|f| *f == 0.0) {
            return refuse(
                record,
                "the force is zero throughout".to_owned(),
                "is it the right column? See --column",
            );
        }
        if record.velocity.iter().all(|v| *v == 0.0) {
            return refuse(
                record,
                "the pair never moves: the velocity is zero throughout".to_owned(),
                "is it the right column? Friction shows only in motion",
            );
        }
        if model.declaration.is_some() && record.load.iter().all(|n| *n == 0.0) {
            return refuse(
                record,
                "the normal force is zero throughout, and so is friction".to_owned(),
                "is it the right column? See --column",
            );
        }
    }
    if model.terms.gravity && records.iter().any(|r| r.position.is_none()) {
        return Err(Error::Unsuited {
            law: model.law.clone(),
            reason: "gravity depends on the position, which was not measured".to_owned(),
        });
    }
    by_direction(model)?;
    suited(model, records)?;
    free(model, records)?;
    signs(records)
}

/// Numbers for each direction need a law that may have them.
fn by_direction(model: &FitModel) -> Result<(), Error> {
    match &model.declaration {
        Some(law) if model.terms.asymmetric && law.sides() == Sides::Same => Err(Error::Unsuited {
            law: model.law.clone(),
            reason:
                "it is the same for both directions of motion; leave asymmetric out, or choose \
                     another law"
                    .to_owned(),
        }),
        _ => Ok(()),
    }
}

/// A steady curve needs a law with a steady force.
fn suited(model: &FitModel, records: &[Record]) -> Result<(), Error> {
    if model.declaration.is_none() || records.iter().all(|r| r.kind != RecordKind::Steady) {
        return Ok(());
    }
    if model.terms.backlash || model.terms.mass {
        return Err(Error::Unsuited {
            law: model.law.clone(),
            reason: "a steady curve has neither acceleration nor reversals, so that neither mass \
                     nor play shows in it"
                .to_owned(),
        });
    }
    Ok(())
}

/// What the simulation of a motion needs.
fn free(model: &FitModel, records: &[Record]) -> Result<(), Error> {
    if records.iter().all(|r| r.kind != RecordKind::Free) {
        return Ok(());
    }
    let refuse = |reason: &str| {
        Err(Error::Unsuited {
            law: model.law.clone(),
            reason: reason.to_owned(),
        })
    };
    if records.iter().any(|r| r.kind != RecordKind::Free) {
        return refuse(
            "forces and positions cannot be fitted together: their errors have no common unit",
        );
    }
    if !model.terms.mass {
        return refuse("a motion can be computed for a mass only: add the term mass");
    }
    if model.terms.backlash {
        return refuse("play in series is not part of the simulation of a motion");
    }
    if records.iter().any(|r| r.servo.is_some()) && !model.terms.motor {
        return refuse("a controller drives: add the term motor, its force per supply");
    }
    Ok(())
}

/// Friction takes energy: the force that drives a motion has its direction.
fn signs(records: &[Record]) -> Result<(), Error> {
    for record in records {
        let Some(line) = baseline(std::slice::from_ref(record)) else {
            continue;
        };
        let load = mean(&record.load);
        let against = line.level * load < -0.3 * record.force_rms();
        if !against || line.explained < 0.3 || line.level > -5.0 * line.level_error {
            continue;
        }
        let moving: Vec<usize> = (0..record.len())
            .filter(|&i| record.velocity[i] != 0.0)
            .collect();
        let opposed = moving
            .iter()
            .filter(|&&i| record.velocity[i] * record.force[i] < 0.0)
            .count();
        let share = opposed as f64 / moving.len().max(1) as f64;
        // a pair that only pre-slides is a spring
        if share <= 0.5 && as_a_spring(record) > line.explained {
            continue;
        }
        let reason = if share > 0.5 {
            format!(
                "the force is against the velocity at {:.0} % of the samples: friction would give \
                 energy to the motion",
                100.0 * share
            )
        } else {
            "the force begins below zero and grows with the speed, as that of no friction does"
                .to_owned()
        };
        return Err(Error::Uninformative {
            record: record.name.clone(),
            reason,
            help: "the force must be the one that drives the motion, along the velocity; if it is \
                   the friction force on the moving part, give --gain force=-1; or are columns \
                   swapped?"
                .to_owned(),
        });
    }
    Ok(())
}

/// Share of the variance of the force that a spring with Coulomb friction explains, k x + c sign v
/// + F₀; 0 if friction would give energy.
fn as_a_spring(record: &Record) -> f64 {
    let columns = [
        record.displacement(),
        record.velocity.iter().map(|v| sign(*v)).collect(),
        vec![1.0; record.len()],
    ];
    let Some(found) = least_squares(&columns, &record.force) else {
        return 0.0;
    };
    let middle = mean(&record.force);
    let (mut left, mut all) = (0.0, 0.0);
    for (i, f) in record.force.iter().enumerate() {
        let fit: f64 = columns.iter().zip(&found).map(|(c, k)| c[i] * k).sum();
        left += (f - fit).powi(2);
        all += (f - middle).powi(2);
    }
    if all > 0.0 && found[1] > 0.0 {
        1.0 - left / all
    } else {
        0.0
    }
}
