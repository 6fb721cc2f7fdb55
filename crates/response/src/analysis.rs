//! What a point of a curve means: channels, energy lost in the pairs, stability.

mod channels;

use channels::ChannelReader;
pub use channels::ChannelResult;
pub(crate) use channels::from_samples as channel_from_samples;

use crate::balance::HarmonicBalance;
use crate::error::Result;
use crate::follow::FollowedPoint;
use crate::machine::Machine;
use crate::pair::{Pair, PairSample};
use crate::site::SiteWork;
use crate::stability::{Multipliers, StabilityBasis, multipliers};
use bristle_integrate::State;
use bristle_mechanics::Model;
use std::f64::consts::TAU;

/// A point of a response curve.
#[derive(Clone, Debug)]
pub struct PointResult {
    /// Hz.
    pub frequency: f64,
    /// The channels asked for, in their order.
    pub channels: Vec<ChannelResult>,
    /// Contacts and joints with friction.
    pub pairs: Vec<PairResult>,
    /// Floquet multipliers, if they were wanted and found.
    pub multipliers: Option<Multipliers>,
    /// Elements whose mean force depends on the history: they never slip both ways.
    pub not_unique: Vec<String>,
    /// Residual over the size of the motion.
    pub residual: f64,
    /// Highest harmonic.
    pub harmonics: usize,
    /// Samples of a period.
    pub samples: usize,
}

/// A periodic motion of the machine.
#[derive(Clone, Debug)]
pub struct PeriodMotion {
    /// Hz.
    pub frequency: f64,
    /// At even times over a period, from t = 0 on.
    pub states: Vec<State>,
}

/// Friction of a contact or a joint over a period.
#[derive(Clone, Debug, PartialEq)]
pub struct PairResult {
    /// Name of the contact or the joint friction.
    pub name: String,
    /// Whether it is a contact.
    pub is_contact: bool,
    /// Energy lost in friction in a period, J; all points of a contact.
    pub dissipated_per_cycle: f64,
    /// Largest slip speed under load, m/s.
    pub max_slip_speed: f64,
    /// Part of the period in which every loaded point sticks: of a law with one bristle or slider
    /// the elastic motion does not count as slip.
    pub stuck_fraction: f64,
    /// Largest friction over normal force.
    pub max_coefficient: f64,
}

/// Reads points of the curves of one machine.
#[derive(Debug)]
pub struct Analyser<'m> {
    machine: &'m Machine,
    reader: ChannelReader,
    basis: Option<StabilityBasis>,
    work: Vec<SiteWork>,
}

impl<'m> Analyser<'m> {
    /// For channels by name; `highest` is the highest angular frequency of the curve (rad/s), or
    /// `None` without stability.
    ///
    /// # Errors
    /// The name of a channel that does not exist.
    pub fn new(
        machine: &'m Machine,
        model: &mut Model,
        channels: &[String],
        highest: Option<f64>,
    ) -> std::result::Result<Self, String> {
        let reader = ChannelReader::new(machine, model, channels)?;
        let basis = highest.and_then(|w| StabilityBasis::of(&machine.balance, w));
        let mut work = vec![SiteWork::default(); machine.balance.sites.len()];
        for site in &mut work {
            site.keep_trace();
        }
        Ok(Self {
            machine,
            reader,
            basis,
            work,
        })
    }

    /// Points are read without their stability from now on.
    pub(crate) fn leave_stability(&mut self) {
        self.basis = None;
    }

    /// Half peak to peak of the first channel.
    ///
    /// # Errors
    /// If a pair has no periodic state.
    pub fn amplitude(&mut self, model: &mut Model, point: &FollowedPoint) -> Result<f64> {
        if !self.reader.first_is_linear() {
            self.march(point)?;
        }
        let all = self
            .reader
            .read(self.machine, model, point, &self.work, Some(1));
        Ok(all.first().map_or(0.0, |channel| channel.amplitude))
    }

    /// The states of the machine over a period.
    ///
    /// # Errors
    /// If a pair has no periodic state.
    pub fn motion(&mut self, model: &mut Model, point: &FollowedPoint) -> Result<PeriodMotion> {
        self.march(point)?;
        Ok(PeriodMotion {
            frequency: point.omega() / TAU,
            states: channels::states(self.machine, model, point, &self.work),
        })
    }

    fn march(&mut self, point: &FollowedPoint) -> Result<()> {
        let balance = &self.machine.balance;
        let drive = point.solution.drive;
        for (i, site) in balance.sites.iter().enumerate() {
            let motion = balance.site_motion(i, &point.solution.w, drive.level, &point.grid);
            self.work[i].wants_slopes(false);
            site.force(&motion, &point.grid, drive.omega, &mut self.work[i])?;
        }
        Ok(())
    }

    /// Everything about a point.
    ///
    /// # Errors
    /// If a pair has no periodic state.
    pub fn read(&mut self, model: &mut Model, point: &FollowedPoint) -> Result<PointResult> {
        self.march(point)?;
        let balance = &self.machine.balance;
        let multipliers = self
            .basis
            .as_ref()
            .and_then(|basis| multipliers(balance, basis, point, &self.work));
        let channels = self
            .reader
            .read(self.machine, model, point, &self.work, None);
        let solution = &point.solution;
        let name = |&i: &usize| balance.sites[i].name().to_owned();
        Ok(PointResult {
            frequency: point.omega() / TAU,
            channels,
            pairs: pairs(balance, model, point, &self.work),
            multipliers,
            not_unique: solution.equations.not_unique.iter().map(name).collect(),
            residual: solution.equations.residual.amax() / solution.w.amax().max(f64::MIN_POSITIVE),
            harmonics: point.grid.harmonics(),
            samples: point.grid.samples(),
        })
    }
}

/// Friction of every element with pairs.
fn pairs(
    balance: &HarmonicBalance,
    model: &Model,
    point: &FollowedPoint,
    work: &[SiteWork],
) -> Vec<PairResult> {
    let mut out: Vec<PairResult> = Vec::new();
    let mut stuck: Vec<Vec<bool>> = Vec::new();
    let period = TAU / point.omega();
    for (site, work) in balance.sites.iter().zip(work) {
        let Some(pair) = site.pair() else { continue };
        let samples = &work.trace().samples;
        let threshold = slip_threshold(model, pair);
        let step = period / samples.len().max(1) as f64;
        let sticks: Vec<bool> = (0..samples.len())
            .map(|k| {
                let last = &samples[(k + samples.len() - 1) % samples.len()];
                let now = &samples[k];
                now.normal_force <= 0.0 || pair.slid(last, now, step) < threshold
            })
            .collect();
        let own = PairResult {
            name: pair.element_name.clone(),
            is_contact: pair.is_contact,
            dissipated_per_cycle: dissipated(samples, period),
            max_slip_speed: largest(samples, PairSample::slip_speed),
            stuck_fraction: 0.0,
            max_coefficient: largest(samples, coefficient),
        };
        match out.last_mut() {
            Some(last) if last.name == own.name && last.is_contact == own.is_contact => {
                last.dissipated_per_cycle += own.dissipated_per_cycle;
                last.max_slip_speed = last.max_slip_speed.max(own.max_slip_speed);
                last.max_coefficient = last.max_coefficient.max(own.max_coefficient);
                if let Some(all) = stuck.last_mut() {
                    for (all, sticks) in all.iter_mut().zip(&sticks) {
                        *all &= sticks;
                    }
                }
            }
            _ => {
                out.push(own);
                stuck.push(sticks);
            }
        }
    }
    for (pair, stuck) in out.iter_mut().zip(&stuck) {
        let count = stuck.iter().filter(|x| **x).count();
        pair.stuck_fraction = count as f64 / stuck.len().max(1) as f64;
    }
    out
}

fn slip_threshold(model: &Model, pair: &Pair) -> f64 {
    let element = model.elements()[pair.place.element].frictional();
    element.map_or(0.0, bristle_mechanics::element::Frictional::slip_threshold)
}

/// ∮ F·v dt: the mean of a smooth periodic function is exact to all orders. What is left of an elastic
/// motion by the rounding of its terms is nothing.
fn dissipated(samples: &[PairSample], period: f64) -> f64 {
    let power = |s: &PairSample| s.friction[0] * s.velocity[0] + s.friction[1] * s.velocity[1];
    let count = samples.len().max(1) as f64;
    let (sum, sizes) = samples
        .iter()
        .map(power)
        .fold((0.0, 0.0), |(sum, sizes), p| (sum + p, sizes + p.abs()));
    if f64::abs(sum) <= 4.0 * count * f64::EPSILON * sizes {
        return 0.0;
    }
    sum * period / count
}

fn largest(samples: &[PairSample], of: impl Fn(&PairSample) -> f64) -> f64 {
    let loaded = samples.iter().filter(|s| s.normal_force > 0.0);
    loaded.map(of).fold(0.0, f64::max)
}

fn coefficient(sample: &PairSample) -> f64 {
    sample.friction[0].hypot(sample.friction[1]) / sample.normal_force
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loss of a spring and a damper along a line, moved by `amplitude` sin ωt.
    fn loss(stiffness: f64, damping: f64, amplitude: f64) -> f64 {
        const COUNT: u32 = 100;
        let omega = 7.0;
        let sample = |i: u32| {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(COUNT)).sin_cos();
            let (x, v) = (amplitude * sin, amplitude * omega * cos);
            PairSample {
                displacement: [x, 0.0],
                velocity: [v, 0.0],
                friction: [stiffness * x + damping * v, 0.0],
                normal_force: 1.0,
                impact_rate: 0.0,
                states: Vec::new(),
            }
        };
        let samples: Vec<PairSample> = (0..COUNT).map(sample).collect();
        dissipated(&samples, TAU / omega)
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "nothing is exactly nothing")]
    fn an_elastic_motion_loses_exactly_nothing_and_a_damper_what_it_takes() {
        for amplitude in [1e-9, 1e-4, 3.7] {
            assert_eq!(loss(1e5, 0.0, amplitude), 0.0);
            // π c ω X²; a damper of a 1e-6th of the spring is seen
            for damping in [40.0, 0.014] {
                let expected = std::f64::consts::PI * damping * 7.0 * amplitude * amplitude;
                let found = loss(1e5, damping, amplitude);
                // rounding of forces that are 1e6 times larger
                assert!((found / expected - 1.0).abs() < 1e-8, "{found} {expected}");
            }
        }
    }
}
