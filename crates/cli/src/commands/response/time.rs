//! The steady motion by integration in time: a curve of its own, and a check of one by harmonic
//! balance.

use std::f64::consts::TAU;

use bristle_response::{
    CurveControl, CurveEnd, CurveError, MarkedPoint, PointMarks, PointResult, ResponseCurve,
    ResponseRequest, TimePoint, TimeRequest, steady_in_time,
};
use bristle_scenario::Scenario;
use bristle_units::significant;

use super::reading::leading_amplitude;
use super::reading::stable;

/// Harmonics and samples that are reported where none are asked for.
const HARMONICS: usize = 5;
const SAMPLES: usize = 256;
/// Points of a curve that are checked, at most.
const CHECKED: usize = 5;

/// A point of a curve beside the same by integration in time.
pub(super) struct TimeCheck {
    pub(super) balance: MarkedPoint,
    pub(super) in_time: TimePoint,
}

fn asked(request: &ResponseRequest) -> TimeRequest {
    let grid = request.options.grid;
    let harmonics = grid.harmonics.unwrap_or(HARMONICS);
    TimeRequest {
        channels: request.channels.clone(),
        harmonics,
        samples: grid.samples.unwrap_or(SAMPLES).max(4 * harmonics + 4),
        tolerance: grid.tolerance,
        ..TimeRequest::default()
    }
}

/// The motion at each of the angular frequencies, from rest until it repeats.
pub(super) fn curve(
    scenario: &mut Scenario,
    request: &ResponseRequest,
    frequencies: &[f64],
    control: &mut CurveControl<'_>,
) -> Result<ResponseCurve, CurveError> {
    let time = asked(request);
    let mut out = ResponseCurve::default();
    for &omega in frequencies {
        let frequency = omega / TAU;
        let found = steady_in_time(&mut scenario.model, &scenario.plan, frequency, &time);
        let point = match found {
            Ok(point) => point,
            Err(CurveError::Response(error)) if !out.points.is_empty() => {
                (out.end, out.error) = (CurveEnd::Failed, Some(error));
                break;
            }
            Err(error) => return Err(error),
        };
        out.warnings.extend(unsteady(&point));
        out.points.push(marked(point, &time));
        (control.found)(omega);
        if (control.stops)() && frequencies.last() != Some(&omega) {
            out.end = CurveEnd::Stopped;
            break;
        }
    }
    mark_peaks(&mut out.points);
    Ok(out)
}

/// What to say of a motion that does not repeat.
pub(super) fn unsteady(point: &TimePoint) -> Option<String> {
    let at = significant(point.frequency, 6);
    if let Some(reason) = &point.failure {
        return Some(format!("at {at} Hz the run in time ended early: {reason}"));
    }
    (!point.is_steady).then(|| {
        format!(
            "at {at} Hz the motion does not repeat within {} periods: the last two differ by {:.1e} \
             of its size",
            point.periods, point.change
        )
    })
}

fn marked(point: TimePoint, time: &TimeRequest) -> MarkedPoint {
    MarkedPoint {
        result: PointResult {
            frequency: point.frequency,
            channels: point.channels,
            pairs: point.pairs,
            multipliers: None,
            not_unique: Vec::new(),
            residual: point.change,
            harmonics: time.harmonics,
            samples: time.samples,
        },
        marks: PointMarks {
            asked: true,
            fold: false,
        },
        peak: false,
        bifurcation: None,
    }
}

fn mark_peaks(points: &mut [MarkedPoint]) {
    let sizes: Vec<f64> = points.iter().map(leading_amplitude).collect();
    for (point, sizes) in points.iter_mut().skip(1).zip(sizes.windows(3)) {
        point.peak = sizes[1] > sizes[0] && sizes[1] >= sizes[2];
    }
}

/// Integrates in time at a few points of a curve. Only stable motions that are alone at their
/// frequency can be expected there.
pub(super) fn checks(
    scenario: &mut Scenario,
    request: &ResponseRequest,
    curve: &ResponseCurve,
) -> Result<Vec<TimeCheck>, CurveError> {
    let points = &curve.points;
    let fit: Vec<usize> = (0..points.len())
        .filter(|&i| stable(&points[i]) != Some(false) && is_alone(points, i))
        .collect();
    let mut chosen: Vec<usize> = (0..CHECKED)
        .filter_map(|k| fit.get(k * fit.len().saturating_sub(1) / (CHECKED - 1)))
        .copied()
        .collect();
    chosen.extend(fit.iter().copied().filter(|&i| points[i].peak));
    chosen.sort_unstable();
    chosen.dedup();
    let time = asked(request);
    let check = |i: usize| {
        let balance = points[i].clone();
        let frequency = balance.result.frequency;
        let in_time = steady_in_time(&mut scenario.model, &scenario.plan, frequency, &time)?;
        Ok(TimeCheck { balance, in_time })
    };
    chosen.into_iter().map(check).collect()
}

/// Whether the curve passes the frequency of a point nowhere else.
fn is_alone(points: &[MarkedPoint], i: usize) -> bool {
    let own = points[i].result.frequency;
    let side = |k: usize| points[k].result.frequency - own;
    (1..points.len())
        .filter(|&k| k != i && k - 1 != i)
        .all(|k| side(k - 1) * side(k) > 0.0)
}

impl TimeCheck {
    /// Amplitudes of the first channel: by harmonic balance and in time.
    pub(super) fn amplitudes(&self) -> [f64; 2] {
        let in_time = self.in_time.channels.first();
        [
            leading_amplitude(&self.balance),
            in_time.map_or(f64::NAN, |read| read.amplitude),
        ]
    }

    /// Energies lost in a cycle, by both.
    pub(super) fn losses(&self) -> [f64; 2] {
        [&self.balance.result.pairs, &self.in_time.pairs].map(|pairs| {
            let losses = pairs.iter().map(|pair| pair.dissipated_per_cycle);
            losses.sum()
        })
    }
}
