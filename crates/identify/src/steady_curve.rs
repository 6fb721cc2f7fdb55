//! The friction of a fitted machine in steady motion, with its confidence band, for controllers.
//!
//! F(v) is the steady force of the law under the mean load of the records, with the constant
//! force and the viscous force beside it; inertia and weight are left out. The band is
//! F ± t √(∇F Σ ∇Fᵀ), with the covariance Σ of the fitted parameters and Student's t for 95 %.

use crate::Record;
use crate::estimate::Estimate;
use crate::judge::ErrorAxis;
use crate::model::{Acting, FitModel};
use crate::predict::{Mesh, predict};
use crate::statistics::{mean, quantile, student95};

/// Speeds in each direction, and the decades over which they are spread below the fastest.
const SPEEDS: u32 = 60;
const DECADES: f64 = 4.0;
/// Bins of the measured force in each direction.
const BINS: usize = 40;
/// Slower than this part of the fastest speed, a sample does not slide.
const SLIDING: f64 = 1e-3;
/// Step of the differences by a parameter, as a part of it.
const DIFFERENCE: f64 = 1e-6;
/// A parameter that is not known matters where a tenth of it changes the force by this part.
const MATTERS: f64 = 1e-4;

/// Terms of a sum cancel each other if this part of them is left: slopes are differences.
const CANCELLED: f64 = 1e-4;

/// Friction over velocity of a fitted machine, and the data behind it. SI.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SteadyCurve {
    /// Velocities, ascending, of both signs; none is zero.
    pub velocity: Vec<f64>,
    /// The force at each.
    pub force: Vec<f64>,
    /// Half the width of the 95 % band at each; nothing where the data do not determine the force.
    pub band: Vec<Option<f64>>,
    /// Slowest (or most negative) and fastest velocity of the records.
    pub measured: [f64; 2],
    /// The normal force for which it holds, N; 1 where none was measured.
    pub load: f64,
    /// Velocity and force in bins of the measured samples, less inertia and weight.
    pub binned: [Vec<f64>; 2],
}

/// What the curve is drawn from.
pub(crate) struct SteadyFit<'a> {
    pub(crate) model: &'a FitModel,
    pub(crate) records: &'a [Record],
    pub(crate) estimates: &'a [Estimate],
    /// Names of the fitted parameters, and their correlations.
    pub(crate) fitted: &'a [String],
    pub(crate) correlations: &'a [Vec<f64>],
    /// Axes of the ellipsoid of their errors.
    pub(crate) axes: &'a [ErrorAxis],
    /// Independent samples less fitted numbers.
    pub(crate) freedom: f64,
}

impl SteadyFit<'_> {
    /// The curve; nothing without a law or a motion.
    pub(crate) fn curve(&self, acting: &Acting) -> Option<SteadyCurve> {
        acting.law.as_ref()?;
        let moving = self.records.iter().flat_map(|record| {
            let weighed = record.velocity.iter().zip(&record.weight);
            weighed
                .filter(|(_, weight)| **weight > 0.0)
                .map(|(v, _)| *v)
        });
        let (low, high) = moving.fold((0.0_f64, 0.0_f64), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        let fastest = high.max(-low);
        if fastest <= 0.0 || !fastest.is_finite() {
            return None;
        }
        let loads: Vec<f64> = self.records.iter().flat_map(|r| r.load.clone()).collect();
        let load = mean(&loads);
        let velocity = speeds(fastest);
        let force = self.forces(&self.values(&[]), &velocity, load)?;
        Some(SteadyCurve {
            band: self.band(&velocity, &force, load),
            binned: self.binned(acting, load, SLIDING * fastest),
            velocity,
            force,
            measured: [low, high],
            load,
        })
    }

    /// The parameters of the model, with some of them changed.
    fn values(&self, changed: &[(usize, f64)]) -> Vec<f64> {
        let value = |p: &crate::FitParameter| {
            let own = self.estimates.iter().find(|e| e.name == p.name);
            let fitted = p.fixed.is_none();
            p.fixed
                .or(own.filter(|_| fitted).map(|e| e.value))
                .unwrap_or(f64::NAN)
        };
        let mut p: Vec<f64> = self.model.parameters.iter().map(value).collect();
        for &(i, x) in changed {
            p[i] = x;
        }
        self.model.tie(&mut p);
        p
    }

    fn forces(&self, p: &[f64], velocity: &[f64], load: f64) -> Option<Vec<f64>> {
        let mut acting = self.model.acting(p).ok()?;
        acting.gravity = 0.0;
        let zeros = vec![0.0; velocity.len()];
        let steady = Record::steady("steady", velocity.to_vec(), zeros).ok()?;
        let steady = Record {
            load: vec![load; velocity.len()],
            ..steady
        };
        Some(predict(&steady, &acting, &Mesh::even(&steady, 1)))
    }

    /// Half the width of the band at each velocity.
    fn band(&self, velocity: &[f64], force: &[f64], load: f64) -> Vec<Option<f64>> {
        let slopes: Vec<Option<Vec<f64>>> = self
            .fitted
            .iter()
            .map(|name| self.slope(name, velocity, force, load))
            .collect();
        let errors: Vec<Option<f64>> = self.fitted.iter().map(|name| self.error(name)).collect();
        let quantile = student95(self.freedom);
        let at = |k: usize| {
            let mut variance = 0.0;
            for (a, slope) in slopes.iter().enumerate() {
                let slope = slope.as_ref()?[k];
                let Some(error) = errors[a] else {
                    let size = self.value(&self.fitted[a]).abs();
                    if (0.1 * slope * size).abs() > MATTERS * force[k].abs() {
                        return None;
                    }
                    continue;
                };
                for (b, other) in slopes.iter().enumerate() {
                    let Some(other_error) = errors[b] else {
                        continue;
                    };
                    let other = other.as_ref()?[k];
                    variance += slope * error * self.correlations[a][b] * other * other_error;
                }
            }
            Some(quantile * variance.max(0.0).sqrt())
        };
        let along = |k: usize| {
            let slopes: Option<Vec<f64>> = slopes.iter().map(|s| Some(s.as_ref()?[k])).collect();
            let half = quantile * self.error_of_sum(&slopes?)?;
            (half <= force[k].abs()).then_some(half)
        };
        (0..velocity.len())
            .map(|k| at(k).or_else(|| along(k)))
            .collect()
    }

    /// The standard error of a force with these slopes, although single parameters are not known:
    /// their sum may be, as that of a level and an offset is in motion of one direction.
    fn error_of_sum(&self, slopes: &[f64]) -> Option<f64> {
        let mut variance = 0.0;
        for axis in self.axes {
            let parts = || axis.change.iter().zip(slopes).map(|(c, s)| c * s);
            let (sum, largest) = (
                parts().sum::<f64>(),
                parts().fold(0.0, |m: f64, x| m.max(x.abs())),
            );
            if !axis.is_blind {
                variance += sum * sum;
            } else if sum.abs() > CANCELLED * largest {
                return None;
            }
        }
        (!self.axes.is_empty() && variance.is_finite()).then(|| variance.sqrt())
    }

    fn value(&self, name: &str) -> f64 {
        let own = self.estimates.iter().find(|e| e.name == name);
        own.map_or(0.0, |e| e.value)
    }

    fn error(&self, name: &str) -> Option<f64> {
        let own = self.estimates.iter().find(|e| e.name == name);
        own.and_then(|e| e.standard_error)
    }

    /// ∂F/∂p at each velocity; from one side where the law refuses the other.
    fn slope(&self, name: &str, velocity: &[f64], force: &[f64], load: f64) -> Option<Vec<f64>> {
        let i = self.model.index(name)?;
        let p = self.value(name);
        let error = self.error(name).unwrap_or(0.0);
        let h = DIFFERENCE * p.abs().max(error).max(f64::MIN_POSITIVE.sqrt());
        let at = |x: f64| self.forces(&self.values(&[(i, x)]), velocity, load);
        let (up, down) = (at(p + h), at(p - h));
        let (up, down, width) = match (&up, &down) {
            (Some(up), Some(down)) => (&up[..], &down[..], 2.0 * h),
            (Some(up), None) => (&up[..], force, h),
            (None, Some(down)) => (force, &down[..], h),
            (None, None) => return None,
        };
        Some(up.iter().zip(down).map(|(a, b)| (a - b) / width).collect())
    }

    /// Medians of velocity and force over bins of equally many samples.
    fn binned(&self, acting: &Acting, load: f64, slowest: f64) -> [Vec<f64>; 2] {
        // inertia and weight alone
        let rest = Acting {
            law: None,
            offset: 0.0,
            drag: (0.0, 0.0),
            ..acting.clone()
        };
        let mut samples: Vec<(f64, f64)> = Vec::new();
        for record in self.records {
            if record.kind == crate::RecordKind::Free {
                continue;
            }
            let rest = predict(record, &rest, &Mesh::even(record, 1));
            for i in (0..record.len()).filter(|&i| record.weight[i] > 0.0) {
                let v = record.velocity[i];
                let share = if record.load_known && record.load[i] > 0.0 {
                    load / record.load[i]
                } else {
                    1.0
                };
                let friction = record.force[i] - rest[i] - acting.offset;
                if v.abs() > slowest {
                    samples.push((v, share * friction + acting.offset));
                }
            }
        }
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        let zero = samples.partition_point(|(v, _)| *v < 0.0);
        let (mut velocity, mut force) = (Vec::new(), Vec::new());
        for side in [&samples[..zero], &samples[zero..]] {
            for bin in side.chunks(side.len().div_ceil(BINS).max(1)) {
                let middle = |of: fn(&(f64, f64)) -> f64| {
                    let values: Vec<f64> = bin.iter().map(of).collect();
                    quantile(&values, 0.5).unwrap_or(f64::NAN)
                };
                velocity.push(middle(|s| s.0));
                force.push(middle(|s| s.1));
            }
        }
        [velocity, force]
    }
}

/// Velocities of both signs, by decades.
fn speeds(fastest: f64) -> Vec<f64> {
    let last = SPEEDS - 1;
    let speed = |k: u32| {
        let below = DECADES * (1.0 - f64::from(k) / f64::from(last));
        fastest * 10.0_f64.powf(-below)
    };
    let backward = (0..SPEEDS).rev().map(|k| -speed(k));
    backward.chain((0..SPEEDS).map(speed)).collect()
}

#[cfg(test)]
mod tests {
    use crate::{FitModel, MachineTerms, Options, Record, identify};

    /// Motion in one direction: an offset and a level are not known apart, their sum is. There the
    /// band is that of F = (a + c) + b v, and the other direction has none.
    #[test]
    fn one_direction_has_its_band_where_it_was_measured() {
        let velocity: Vec<f64> = (1..=100).map(|i| f64::from(i) * 0.01).collect();
        let noise = |i: usize| 0.02 * (2.399_963 * i as f64).sin();
        let each = velocity.iter().enumerate();
        let force: Vec<f64> = each.map(|(i, v)| 2.4 + 3.0 * v + noise(i)).collect();
        let record = Record::steady("s", velocity.clone(), force).unwrap();
        let terms = MachineTerms {
            offset: true,
            drag: true,
            ..MachineTerms::default()
        };
        let mut model = FitModel::of("coulomb_tanh", &terms).unwrap();
        model.fix("regularisation_velocity", 1e-9).unwrap();
        let fit = identify(&model, &[record], &[], &Options::default()).unwrap();
        let curve = fit.steady.unwrap();
        // Σ 1/n + (v − v̄)²/Σ(v − v̄)² of a line, v̄ = 0.505 and Σ(v − v̄)² = n (n² − 1)/12 · 1e-4
        let half = |v: f64| (0.01 + (v - 0.505_f64).powi(2) / 8.3325).sqrt();
        let (first, last) = (60, curve.velocity.len() - 1);
        let ratio = |k: usize| curve.band[k].unwrap() / half(curve.velocity[k]);
        assert!((ratio(first) / ratio(last) - 1.0).abs() < 1e-3);
        // Student's t of 98 degrees of freedom, and a correlation time of one sample or more
        assert!(ratio(last) > 1.9 * fit.sigma, "{}", ratio(last));
        assert!(curve.band[..60].iter().all(Option::is_none));
    }

    /// Straight lines through noise: the band of a regression F = a sign v + b v + c has a closed
    /// form, t s √(x (XᵀX)⁻¹ xᵀ).
    #[test]
    fn the_band_is_that_of_linear_regression() {
        let velocity: Vec<f64> = (-50..=50)
            .filter(|i| *i != 0)
            .map(|i| f64::from(i) * 0.01)
            .collect();
        // a deterministic scatter of mean zero and known size
        let noise = |i: usize| 0.02 * (2.399_963 * i as f64).sin();
        let exact = |v: f64| 2.0 * v.signum() + 3.0 * v + 0.4;
        let each = velocity.iter().enumerate();
        let force: Vec<f64> = each.map(|(i, v)| exact(*v) + noise(i)).collect();
        let record = Record::steady("s", velocity.clone(), force.clone()).unwrap();
        let terms = MachineTerms {
            offset: true,
            drag: true,
            ..MachineTerms::default()
        };
        let mut model = FitModel::of("coulomb_tanh", &terms).unwrap();
        // far below all speeds: a plain sign
        model.fix("regularisation_velocity", 1e-9).unwrap();
        let fit = identify(&model, &[record], &[], &Options::default()).unwrap();
        let curve = fit.steady.unwrap();
        // regression in closed form
        let rows = nalgebra::DMatrix::from_fn(velocity.len(), 3, |i, k| {
            [velocity[i].signum(), velocity[i], 1.0][k]
        });
        let inverse = (rows.transpose() * &rows).try_inverse().unwrap();
        let y = nalgebra::DVector::from_vec(force);
        let beta = &inverse * rows.transpose() * &y;
        let fastest = curve.velocity.len() - 1;
        for k in [0, 30, 90, fastest] {
            let v = curve.velocity[k];
            let x = nalgebra::RowDVector::from_vec(vec![v.signum(), v, 1.0]);
            let expected = (&x * &beta)[0];
            // the optimiser stops within 1e-6 of the spread
            assert!((curve.force[k] - expected).abs() < 1e-5, "{v}");
            let half = fit.sigma * (&x * &inverse * x.transpose())[0].sqrt();
            let ratio = curve.band[k].unwrap() / half;
            // Student's t for about 97 degrees of freedom is 1.985; the correlation time of the
            // scatter widens it by a factor that is the same everywhere
            let at_end = curve.band[fastest].unwrap();
            let x = nalgebra::RowDVector::from_vec(vec![1.0, 0.5, 1.0]);
            let end = fit.sigma * (&x * &inverse * x.transpose())[0].sqrt();
            assert!((ratio / (at_end / end) - 1.0).abs() < 1e-3, "{v}: {ratio}");
            assert!(ratio > 1.9, "{ratio}");
        }
        assert!((curve.measured[0] + 0.5).abs() < 1e-12);
        // the bins hold the data themselves: as many samples as bins or few a bin
        let (v, f) = (&curve.binned[0], &curve.binned[1]);
        for (v, f) in v.iter().zip(f) {
            assert!((f - exact(*v)).abs() < 0.03, "{v}: {f}");
        }
    }
}
