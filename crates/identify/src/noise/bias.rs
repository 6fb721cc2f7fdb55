//! The bias of every parameter by the noise of the motion.

use super::draw::{disturbed, drawn, refitted, with_records};
use super::steady;
use crate::Error;
use crate::estimate::{Estimate, Verdict};
use crate::fit::Objective;
use crate::options::Options;
use crate::part::{FitTask, NoiseDraw, PartDesk, PartOutcome};
use crate::predict::predict;
use crate::prediction::{Prediction, ResidualSums, counted, filtered};
use crate::statistics::{mean, noise, rms};
use crate::{MotionUnits, Record};

/// Samples over all draws of the noise: short records need more draws. Each is taken with both signs:
/// what is odd in it drops out.
const SAMPLES: usize = 16_000;
const DRAWS: (usize, usize) = (2, 8);

/// A bias below this share of a standard error is not looked for.
const NOTHING: f64 = 0.1;

/// A bias below this share of half the interval does not widen it.
const LITTLE: f64 = 0.25;

/// A bias up to this share of a value leaves it identified, within an interval that contains it.
const SMALL: f64 = 0.01;

/// A bias beyond this share of a value is no longer extrapolated reliably, nor are those of the
/// parameters that go with it.
const HEAVY: f64 = 0.25;
const GOES_WITH: f64 = 0.3;

/// An extrapolation is trusted within this share of it.
const TRUSTED: f64 = 0.25;

/// How far a law of powers, bias ~ variance^γ, may be extrapolated: 2^γ − 1.
const POWERS: (f64, f64) = (0.3, 1.5);

/// The bias of one parameter.
struct Bias {
    name: String,
    /// Fitted value less the one without noise.
    value: f64,
    /// How far it may be off.
    error: f64,
}

/// What the noise of the motion does to the parameters of a fit.
pub(crate) struct NoiseBias {
    /// For each parameter of the model.
    biases: Vec<Bias>,
    /// Size of the noise of the velocity, m/s.
    velocity_noise: f64,
    /// Units of the motions.
    units: MotionUnits,
}

/// Where a fit ended, and how large its residuals are.
pub(crate) struct Ended<'a> {
    pub(crate) objective: &'a Objective<'a>,
    pub(crate) theta: &'a [f64],
    pub(crate) predictions: &'a [Prediction],
    pub(crate) sums: &'a ResidualSums,
}

impl<'a> Ended<'a> {
    pub(crate) fn at(
        objective: &'a Objective<'a>,
        theta: &'a [f64],
        predictions: &'a [Prediction],
        sums: &'a ResidualSums,
    ) -> Self {
        Self {
            objective,
            theta,
            predictions,
            sums,
        }
    }
}

impl NoiseBias {
    /// By simulation; none where the motion has no noise that matters.
    ///
    /// # Errors
    /// If the fit is stopped, or an executor fails.
    pub(crate) fn of(
        ended: &Ended<'_>,
        options: &Options,
        desk: &PartDesk<'_>,
    ) -> Result<Option<Self>, Error> {
        let objective = ended.objective;
        let Ok(acting) = objective.model.acting(&objective.unpack(ended.theta)) else {
            return Ok(None);
        };
        let records = objective.records;
        let sizes: Vec<f64> = ended
            .predictions
            .iter()
            .map(|p| steady::velocity_noise(p, &acting))
            .collect();
        let first = drawn(records, &sizes, 0);
        let scales: Vec<f64> = (0..records.len())
            .map(|k| {
                let disturbance = first[k].as_ref()?;
                let noisy = disturbance.added_to(&records[k], 1.0);
                let force = predict(&noisy, &acting, &objective.meshes[k]);
                room(&ended.predictions[k], &force)
            })
            .map(|scale| scale.unwrap_or(0.0))
            .collect();
        if scales.iter().all(|s| *s == 0.0) {
            return Ok(None);
        }
        let once = disturbed(records, &first, &scales, 1.0);
        if !matters(ended, &once) {
            return Ok(None);
        }
        let total: usize = records.iter().map(Record::len).sum();
        let moved = MovedFits {
            objective,
            options,
            desk,
            draws: (SAMPLES / total.max(1)).clamp(DRAWS.0, DRAWS.1) as u64,
            scales,
            sizes,
        };
        let Some(biases) = biases(ended, &moved)? else {
            return Ok(None);
        };
        let velocity_noise = records
            .iter()
            .zip(&once)
            .map(|(a, b)| {
                let each = a.velocity.iter().zip(&b.velocity);
                rms(&each.map(|(a, b)| b - a).collect::<Vec<_>>())
            })
            .fold(0.0, f64::max);
        Ok(Some(Self {
            biases,
            velocity_noise,
            units: records.first().map_or(MotionUnits::Linear, |r| r.units),
        }))
    }

    /// Widens intervals by the bias, and takes back "identified" where the bias is what is known
    /// worst. `correlated` says how two parameters are correlated. Returns a sentence about what was
    /// found.
    pub(crate) fn judge(
        &self,
        estimates: &mut [Estimate],
        correlated: &dyn Fn(&str, &str) -> f64,
    ) -> Option<String> {
        let (mut found, mut heavy) = (Vec::new(), Vec::new());
        for e in estimates.iter_mut() {
            let Some(bias) = self.biases.iter().find(|b| b.name == e.name) else {
                continue;
            };
            let Some(text) = widen(e, bias) else {
                continue;
            };
            if bias.value.abs() > HEAVY * e.value.abs() {
                heavy.push(e.name.clone());
            }
            found.push(text);
        }
        for e in estimates
            .iter_mut()
            .filter(|e| e.verdict == Verdict::Identified)
        {
            let with = heavy
                .iter()
                .find(|name| correlated(name, &e.name).abs() > GOES_WITH);
            if let Some(name) = with {
                e.verdict = Verdict::Weak;
                e.reason = format!("biased with {name} by the noise of the motion");
                e.experiment = Some(QUIETER.to_owned());
            }
        }
        (!found.is_empty()).then(|| {
            format!(
                "the noise of the motion ({:.1e} {} in the velocity) biases {}; the intervals are \
                 widened by that",
                self.velocity_noise,
                self.units.of("m/s"),
                found.join(", ")
            )
        })
    }
}

const QUIETER: &str = "measure the motion with less noise, or move faster, so that noise is a small \
                       share of the speed";

/// Widens an interval by the bias; the bias in words where it is more than the interval had.
fn widen(e: &mut Estimate, bias: &Bias) -> Option<String> {
    let (low, high) = e.interval?;
    let half = 0.5 * (high - low);
    let most = bias.value.abs() + bias.error;
    if !most.is_finite() || most <= LITTLE * half {
        return None;
    }
    e.interval = Some(if bias.value > 0.0 {
        (low - most, high)
    } else {
        (low, high + most)
    });
    if most <= half {
        return None;
    }
    let share = 100.0 * bias.value / e.value.abs().max(f64::MIN_POSITIVE);
    let size = format!("about {:+.1e} {} ({share:+.1} %)", bias.value, e.unit);
    let small = most <= SMALL * e.value.abs();
    if !small {
        if e.verdict == Verdict::Identified {
            e.verdict = Verdict::Weak;
        }
        e.experiment = Some(QUIETER.to_owned());
    }
    e.reason = format!(
        "biased by the noise of the motion, by {size}, which is more than its statistical error; the \
         interval is widened by that"
    );
    Some(format!("{} by {size}", e.name))
}

/// By what the noise of a record must be multiplied, 1 at most: the residuals hold at least what it
/// makes of the force, beside the noise of the force itself. `force` is that with noise added.
fn room(prediction: &Prediction, force: &[f64]) -> Option<f64> {
    let record = &prediction.record;
    let with_noise = filtered(record, force);
    let kept = |i: &usize| record.weight[*i] > 0.0;
    let change: Vec<f64> = (0..record.len())
        .filter(kept)
        .map(|i| with_noise[i] - prediction.residual[i])
        .collect();
    let (made, left) = (rms(&change), rms(&counted(prediction)));
    let passed = record
        .cutoff
        .map_or(1.0, |f| (2.0 * f * record.interval()).min(1.0));
    let own = if steady::is_unordered(record) {
        0.0
    } else {
        noise(&record.force).powi(2) * passed
    };
    let free = (left.powi(2) - 0.8 * own).max(0.0).sqrt();
    (made > 0.0 && made.is_finite()).then(|| (free / made).min(1.0))
}

/// Whether the noise can shift a parameter by a part of its standard error.
fn matters(ended: &Ended<'_>, noisy: &[Record]) -> bool {
    let objective = ended.objective;
    let other = with_records(objective, noisy);
    let (here, there) = (objective.residual(ended.theta), other.residual(ended.theta));
    let change: Vec<f64> = here.iter().zip(&there).map(|(a, b)| b - a).collect();
    let (made, left) = (rms(&change), rms(&here));
    // residuals are in units of the force
    left > 0.0 && made / left * made * ended.sums.effective().sqrt() > NOTHING
}

/// Fits to records with noise.
struct MovedFits<'a> {
    objective: &'a Objective<'a>,
    options: &'a Options,
    desk: &'a PartDesk<'a>,
    /// Seeds; each is drawn with both signs.
    draws: u64,
    /// What noise of factor 1 is multiplied with, by record.
    scales: Vec<f64>,
    /// Noise of the velocity of each steady curve, m/s.
    sizes: Vec<f64>,
}

impl MovedFits<'_> {
    /// The parameters by draw, each the mean over both signs: of fits from `theta` to the measured
    /// forces, or to those that are made with `made_with`, with `factor` times the noise.
    fn from(
        &self,
        made_with: Option<&[f64]>,
        theta: &[f64],
        factor: f64,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let Objective { model, records, .. } = *self.objective;
        let task = |seed: u64, sign: f64| {
            FitTask::Draw(NoiseDraw {
                made_with: made_with.unwrap_or_default().to_vec(),
                theta: theta.to_vec(),
                meshes: self.objective.meshes.clone(),
                seed,
                factor: sign * factor,
                scales: self.scales.clone(),
                sizes: self.sizes.clone(),
            })
        };
        let both = |seed: u64| [task(seed, 1.0), task(seed, -1.0)];
        let tasks = (0..self.draws).flat_map(both).collect();
        let here = |task: &FitTask| match task {
            FitTask::Draw(draw) => refitted(model, records, self.options, draw),
            _ => PartOutcome::default(),
        };
        let outcomes = self
            .desk
            .each("noise of the motion", tasks, &here, &|_| false)?;
        let fits: Vec<Vec<f64>> = outcomes.into_iter().flat_map(|o| o.points).collect();
        let mean_of = |pair: &[Vec<f64>]| {
            let each = pair[0].iter().zip(&pair[1]);
            each.map(|(a, b)| 0.5 * (a + b)).collect()
        };
        Ok(fits.chunks_exact(2).map(mean_of).collect())
    }
}

fn means(all: &[Vec<f64>]) -> Vec<f64> {
    let count = all.first().map_or(0, Vec::len);
    let of = |i: usize| mean(&all.iter().map(|p| p[i]).collect::<Vec<f64>>());
    (0..count).map(of).collect()
}

/// The bias of every parameter: what is fitted to forces that the model makes itself, over a motion
/// with noise, less what they were made with. The model is then moved against the bias and tried once
/// more, as the bias of what was fitted is not that of the truth.
fn biases(ended: &Ended<'_>, moved: &MovedFits<'_>) -> Result<Option<Vec<Bias>>, Error> {
    let objective = ended.objective;
    let model = objective.model;
    let here = objective.unpack(ended.theta);
    if model.acting(&here).is_err() {
        return Ok(None);
    }
    let once = moved.from(Some(&here), ended.theta, 1.0)?;
    let mut truth: Vec<f64> = here
        .iter()
        .zip(means(&once))
        .map(|(p, q)| 2.0 * p - q)
        .collect();
    let theta = objective.pack(&truth);
    let tied = objective.unpack(&theta);
    if model.acting(&tied).is_ok() {
        let found = means(&moved.from(Some(&tied), &theta, 1.0)?);
        for (i, p) in truth.iter_mut().enumerate() {
            *p = tied[i] + here[i] - found[i];
        }
    }
    let heavy = |i: usize| (here[i] - truth[i]).abs() > HEAVY * here[i].abs();
    // noise as large as the motion shows in noise that is added to what was measured
    let added = if (0..here.len()).any(heavy) {
        let at = |factor: f64| Ok::<_, Error>(means(&moved.from(None, ended.theta, factor)?));
        // variances 2 and 4 times that of the record
        Some((at(1.0)?, at(3.0_f64.sqrt())?))
    } else {
        None
    };
    let each = objective.model.parameters.iter().enumerate().map(|(i, p)| {
        let own: Vec<f64> = once.iter().map(|p| p[i]).collect();
        let middle = mean(&own);
        let spread = rms(&own.iter().map(|x| x - middle).collect::<Vec<_>>());
        let random = spread / (own.len() as f64 - 1.0).max(1.0).sqrt();
        let mut value = here[i] - truth[i];
        if let Some((two, four)) = &added {
            let other = extrapolated(here[i], two[i], four[i]);
            if other.abs() > value.abs() {
                value = other;
            }
        }
        Bias {
            name: p.name.clone(),
            value,
            error: TRUSTED * value.abs() + 2.0 * random,
        }
    });
    Ok(Some(each.collect()))
}

/// What a noise of variance 1 has done to a value, from those at variances of 1, 2 and 4: a power of
/// the variance. A jump is smeared in proportion to the deviation, a slope to the variance.
fn extrapolated(one: f64, two: f64, four: f64) -> f64 {
    let (first, both) = (two - one, four - one);
    if first == 0.0 || first * both <= 0.0 {
        return first;
    }
    first / (both / first - 2.0).clamp(POWERS.0, POWERS.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_the_variance_are_extrapolated() {
        for power in [0.5, 0.8, 1.0] {
            let at = |variance: f64| 2.0 - 0.3 * f64::powf(variance, power);
            let found = extrapolated(at(1.0), at(2.0), at(4.0));
            assert!((found + 0.3).abs() < 1e-12, "{power}: {found}");
        }
    }
}
