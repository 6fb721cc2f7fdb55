//! Channels of a run over a period of the response.
//!
//! Places, velocities and accelerations follow the coordinates linearly about the rest, and their
//! harmonics come from those of the motion. All others (forces, friction, magnitudes) are read from
//! the states of the machine at the samples.

use crate::balance::harmonic;
use crate::follow::FollowedPoint;
use crate::grid::PeriodGrid;
use crate::machine::{Machine, drive_slopes};
use crate::site::{Site, SiteWork};
use bristle_integrate::{State, System};
use bristle_mechanics::Model;
use bristle_mechanics::record::channels;
use bristle_mechanics::small_motion::PairInstant;
use nalgebra::{Complex, DMatrix, DVector};
use std::f64::consts::TAU;

type ModelScratch = <Model as System>::Scratch;

/// Displacement with which a channel is differenced, m or rad; the same for rates.
const DIFFERENCE: f64 = 1e-5;
/// Samples at which the extremes of a sum of harmonics are looked for.
const LOOKS: usize = 512;

/// A channel over a period.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChannelResult {
    /// Mean.
    pub mean: f64,
    /// Half of peak to peak.
    pub amplitude: f64,
    /// Root mean square, the mean included.
    pub rms: f64,
    /// q = Re Σ X_h e^(ihΩt), from order 0.
    pub harmonics: Vec<Complex<f64>>,
}

/// Reads channels.
#[derive(Debug)]
pub(super) struct ChannelReader {
    /// Places among all channels.
    places: Vec<usize>,
    linear: Vec<Option<LinearChannel>>,
}

/// A channel that follows the coordinates.
#[derive(Debug)]
struct LinearChannel {
    at_rest: f64,
    /// By coordinates, velocities, accelerations.
    by: [DVector<f64>; 3],
    /// By the drives: place, and the same three.
    by_drives: Vec<[f64; 3]>,
}

impl ChannelReader {
    pub(super) fn new(
        machine: &Machine,
        model: &mut Model,
        names: &[String],
    ) -> Result<Self, String> {
        let all = channels(model);
        let mut places = Vec::new();
        for name in names {
            let place = all.iter().position(|c| c.name == *name);
            places.push(place.ok_or_else(|| name.clone())?);
        }
        let wanted: Vec<bool> = places.iter().map(|&p| is_linear(&all[p].name)).collect();
        let linear = slopes(machine, model, &places)
            .into_iter()
            .zip(wanted)
            .map(|(channel, wanted)| wanted.then_some(channel));
        Ok(Self {
            linear: linear.collect(),
            places,
        })
    }

    pub(super) fn first_is_linear(&self) -> bool {
        matches!(self.linear.first(), Some(Some(_)) | None)
    }

    /// The channels, or the first `count` of them.
    pub(super) fn read(
        &self,
        machine: &Machine,
        model: &mut Model,
        point: &FollowedPoint,
        work: &[SiteWork],
        count: Option<usize>,
    ) -> Vec<ChannelResult> {
        let motion = PeriodicMotion::of(machine, point);
        let count = count.unwrap_or(self.places.len()).min(self.places.len());
        let sampled = if self.linear[..count].iter().any(Option::is_none) {
            motion.sampled(machine, model, work, &self.places[..count])
        } else {
            Vec::new()
        };
        let channel = |i: usize| match &self.linear[i] {
            Some(channel) => from_harmonics(channel.harmonics(machine, &motion)),
            None => from_samples(&sampled[i], &point.grid),
        };
        (0..count).map(channel).collect()
    }
}

/// The states of the machine at the samples of a period.
pub(super) fn states(
    machine: &Machine,
    model: &mut Model,
    point: &FollowedPoint,
    work: &[SiteWork],
) -> Vec<State> {
    let motion = PeriodicMotion::of(machine, point);
    model.set_frequency(Some(motion.omega / TAU));
    let mut scratch = model.scratch();
    let samples = 0..motion.grid.samples();
    let states = samples
        .map(|k| motion.state(machine, model, work, k, &mut scratch))
        .collect();
    model.set_frequency(None);
    states
}

/// Whether a channel is a place, a velocity or an angle of a body or a joint.
fn is_linear(name: &str) -> bool {
    let mut parts = name.split('.');
    match parts.next() {
        Some("body") => !parts.any(|part| part == "orientation"),
        Some("joint") => !parts.any(|part| ["reaction", "force", "torque"].contains(&part)),
        _ => false,
    }
}

fn slopes(machine: &Machine, model: &mut Model, places: &[usize]) -> Vec<LinearChannel> {
    let rest = &machine.rest;
    let n = rest.v.len();
    let read = |model: &Model, state: &State| {
        let mut out = Vec::new();
        model.channel_values(&mut model.scratch(), state, &mut out);
        DVector::from_iterator(places.len(), places.iter().map(|&p| out[p]))
    };
    let mut by = [0, 1, 2].map(|_| DMatrix::zeros(places.len(), n));
    for dof in 0..n {
        for (kind, by) in by.iter_mut().enumerate() {
            let moved = |size: f64| {
                let mut state = rest.clone();
                match kind {
                    0 => {
                        let mut step = vec![0.0; n];
                        step[dof] = size;
                        model.displace(&rest.q, &step, &mut state.q);
                    }
                    1 => state.v[dof] += size,
                    _ => state.a[dof] += size,
                }
                read(model, &state)
            };
            let slope = (moved(DIFFERENCE) - moved(-DIFFERENCE)) / (2.0 * DIFFERENCE);
            by.set_column(dof, &slope);
        }
    }
    let at_rest = read(model, rest);
    let mut drives = Vec::new();
    for drive in &machine.drives {
        let signal = model.drive_signals().find(|d| d.place == drive.place);
        let Some(signal) = signal.map(|d| d.signal.clone()) else {
            continue;
        };
        let mean = signal.harmonics().map_or(0.0, |sum| sum.mean);
        let at = State {
            t: 0.0,
            ..rest.clone()
        };
        drives.push(drive_slopes(model, drive.place, mean, &mut |m| {
            read(m, &at)
        }));
        model.set_drive_signal(drive.place, &signal);
    }
    (0..places.len())
        .map(|i| LinearChannel {
            at_rest: at_rest[i],
            by: [0, 1, 2].map(|kind| by[kind].row(i).transpose()),
            by_drives: drives.iter().map(|d| [d[0][i], d[1][i], d[2][i]]).collect(),
        })
        .collect()
}

impl LinearChannel {
    fn harmonics(&self, machine: &Machine, motion: &PeriodicMotion) -> Vec<Complex<f64>> {
        let mut out = Vec::with_capacity(motion.harmonics.len());
        for (h, x) in motion.harmonics.iter().enumerate() {
            let w = h as f64 * motion.omega;
            let factors = [
                Complex::ONE,
                Complex::new(0.0, w),
                Complex::new(-w * w, 0.0),
            ];
            let mut sum = Complex::ZERO;
            for (by, factor) in self.by.iter().zip(factors) {
                let own: Complex<f64> = by.iter().zip(x).map(|(by, x)| x * *by).sum();
                sum += own * factor;
            }
            for (drive, by) in machine.drives.iter().zip(&self.by_drives) {
                if drive.order == h {
                    for (by, factor) in by.iter().zip(factors) {
                        sum += drive.amplitude * factor * *by;
                    }
                }
            }
            out.push(sum);
        }
        if let Some(mean) = out.first_mut() {
            *mean += self.at_rest;
        }
        out
    }
}

/// The motion of all coordinates over a period.
struct PeriodicMotion {
    omega: f64,
    grid: PeriodGrid,
    /// By harmonic, from order 0.
    harmonics: Vec<DVector<Complex<f64>>>,
}

impl PeriodicMotion {
    fn of(machine: &Machine, point: &FollowedPoint) -> Self {
        let linear = &machine.balance.linear;
        let (r, omega) = (linear.size(), point.omega());
        let solution = &point.solution;
        let at = |h: usize| {
            let force = harmonic(&solution.equations.force, h, r);
            let w = harmonic(&solution.w, h, r);
            let zero = || DVector::zeros(linear.dofs());
            let own = linear.motion(h, solution.drive, &force, &w);
            machine.tree_motion(h, own.unwrap_or_else(zero))
        };
        Self {
            omega,
            grid: point.grid.clone(),
            harmonics: (0..=point.grid.harmonics()).map(at).collect(),
        }
    }

    /// Displacements, velocities and accelerations at a sample.
    fn at(&self, sample: usize) -> [Vec<f64>; 3] {
        let n = self.harmonics.first().map_or(0, DVector::len);
        let mut out = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        let theta = TAU * sample as f64 / self.grid.samples() as f64;
        for (h, x) in self.harmonics.iter().enumerate() {
            let turn = Complex::from_polar(1.0, h as f64 * theta);
            let rate = Complex::new(0.0, h as f64 * self.omega);
            for (i, x) in x.iter().enumerate() {
                let moved = x * turn;
                out[0][i] += moved.re;
                out[1][i] += (moved * rate).re;
                out[2][i] += (moved * rate * rate).re;
            }
        }
        out
    }

    /// Channels at every sample, from the states of the machine there.
    fn sampled(
        &self,
        machine: &Machine,
        model: &mut Model,
        work: &[SiteWork],
        places: &[usize],
    ) -> Vec<Vec<f64>> {
        let frequency = self.omega / TAU;
        model.set_frequency(Some(frequency));
        let mut scratch = model.scratch();
        let mut out = vec![Vec::with_capacity(self.grid.samples()); places.len()];
        let mut row = Vec::new();
        for k in 0..self.grid.samples() {
            let state = self.state(machine, model, work, k, &mut scratch);
            row.clear();
            model.channel_values(&mut scratch, &state, &mut row);
            for (out, &place) in out.iter_mut().zip(places) {
                out.push(row[place]);
            }
        }
        model.set_frequency(None);
        out
    }

    /// The state of the machine at a sample.
    fn state(
        &self,
        machine: &Machine,
        model: &Model,
        work: &[SiteWork],
        sample: usize,
        scratch: &mut ModelScratch,
    ) -> State {
        let [x, v, a] = self.at(sample);
        let mut state = machine.rest.clone();
        model.displace(&machine.rest.q, &x, &mut state.q);
        (state.v, state.a) = (v, a);
        state.t = TAU / self.omega * sample as f64 / self.grid.samples() as f64;
        model.reset_history(&mut state);
        for (site, work) in machine.balance.sites.iter().zip(work) {
            let Site::Pair(pair) = site else { continue };
            let Some(at) = work.trace().samples.get(sample) else {
                continue;
            };
            let instant = PairInstant {
                displacement: at.displacement,
                velocity: at.velocity,
                normal_force: at.normal_force,
                impact_rate: at.impact_rate,
                states: &at.states,
            };
            model.write_pair(&pair.place, &instant, &mut state);
        }
        model.balance_multipliers(scratch, &mut state);
        state
    }
}

fn from_harmonics(harmonics: Vec<Complex<f64>>) -> ChannelResult {
    let top = harmonics.len().saturating_sub(1);
    let looks = LOOKS.max(32 * top);
    let value = |k: f64| {
        let theta = TAU * k / looks as f64;
        let wave =
            |(h, x): (usize, &Complex<f64>)| (x * Complex::from_polar(1.0, h as f64 * theta)).re;
        harmonics.iter().enumerate().map(wave).sum::<f64>()
    };
    let samples: Vec<f64> = (0..looks).map(|k| value(k as f64)).collect();
    let amplitude = half_range(&samples);
    let mean = harmonics.first().map_or(0.0, |x| x.re);
    let waves: f64 = harmonics.iter().skip(1).map(|x| 0.5 * x.norm_sqr()).sum();
    ChannelResult {
        mean,
        amplitude,
        rms: (mean * mean + waves).sqrt(),
        harmonics,
    }
}

/// The channel of samples of a period, from t = 0 on.
pub(crate) fn from_samples(samples: &[f64], grid: &PeriodGrid) -> ChannelResult {
    let coefficients = grid.transform(samples.iter().copied());
    let mut harmonics = vec![Complex::new(coefficients[0], 0.0)];
    harmonics.extend(
        coefficients[1..]
            .chunks_exact(2)
            .map(|x| Complex::new(x[0], -x[1])),
    );
    let square: f64 = samples.iter().map(|x| x * x).sum();
    ChannelResult {
        mean: coefficients[0],
        amplitude: half_range(samples),
        rms: (square / samples.len().max(1) as f64).sqrt(),
        harmonics,
    }
}

/// Half of the range of a periodic function, with parabolas through its extreme samples.
fn half_range(samples: &[f64]) -> f64 {
    let n = samples.len();
    let extreme = |sign: f64| {
        let best = (0..n).max_by(|&a, &b| (sign * samples[a]).total_cmp(&(sign * samples[b])));
        let Some(k) = best else { return 0.0 };
        let [a, b, c] = [(k + n - 1) % n, k, (k + 1) % n].map(|i| sign * samples[i]);
        let curvature = a - 2.0 * b + c;
        if curvature < 0.0 {
            b - 0.125 * (c - a).powi(2) / curvature
        } else {
            b
        }
    };
    0.5 * (extreme(1.0) + extreme(-1.0))
}
