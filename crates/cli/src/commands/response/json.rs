//! Curves for programs.

use bristle_response::{ChannelResult, MarkedPoint, PairResult};
use bristle_results::Channel;
use serde_json::{Map, Value, json};

use super::reading::stable;
use super::time::TimeCheck;
use super::{CaseCurve, CaseEnding, ResponseOutcome, optimise};

/// One curve, or with `--vary` a list of them; with `--optimise` the optimum and the list.
pub(super) fn of(outcome: &ResponseOutcome, optimised: bool) -> Value {
    let curves = curves(outcome);
    if !optimised {
        return curves;
    }
    let optimum = optimise::of(outcome).map(|best| {
        let highest = best.case.highest();
        let mut optimum = highest.map_or(Value::Null, |p| landmark(&outcome.channels, p));
        optimum["path"] = json!(outcome.varied.first());
        optimum["value"] = json!(best.value.si);
        optimum
    });
    json!({ "optimum": optimum, "curves": curves })
}

fn curves(outcome: &ResponseOutcome) -> Value {
    let curves = outcome.cases.iter().map(|case| curve(outcome, case));
    let mut curves: Vec<Value> = curves.collect();
    if outcome.varied.is_empty() && curves.len() == 1 {
        let mut curve = curves.remove(0);
        if !outcome.checks.is_empty() {
            curve["verification"] = outcome.checks.iter().map(check).collect();
        }
        return curve;
    }
    Value::Array(curves)
}

fn curve(outcome: &ResponseOutcome, case: &CaseCurve) -> Value {
    let channels = &outcome.channels;
    let found = &case.curve;
    let points = found.points.iter();
    let peaks = points.clone().filter(|point| point.peak);
    let folds = points.clone().filter(|point| point.marks.fold);
    let changes = points.clone().filter_map(|point| {
        let kind = point.bifurcation?;
        let mut change = landmark(channels, point);
        change["kind"] = json!(kind.name());
        Some(change)
    });
    let ended = match &case.end {
        CaseEnding::Complete => None,
        CaseEnding::Early { reason, .. } => Some(reason),
    };
    let mut out = json!({
        "title": outcome.title,
        "complete": ended.is_none(),
        "ended": ended,
        "points": points.map(|p| point(channels, p)).collect::<Vec<_>>(),
        "peaks": peaks.map(|p| landmark(channels, p)).collect::<Vec<_>>(),
        "folds": folds.map(|p| landmark(channels, p)).collect::<Vec<_>>(),
        "bifurcations": changes.collect::<Vec<_>>(),
        "warnings": found.warnings,
    });
    if !outcome.varied.is_empty() {
        let values = outcome.varied.iter().zip(&case.values);
        let values = values.map(|(path, value)| {
            let shown = value.si.map_or_else(|| json!(value.text), |si| json!(si));
            (path.clone(), shown)
        });
        out["values"] = Value::Object(values.collect());
    }
    out
}

/// A peak, a fold or a change of stability.
fn landmark(channels: &[Channel], point: &MarkedPoint) -> Value {
    let result = &point.result;
    let first = channels.first().zip(result.channels.first());
    json!({
        "frequency": result.frequency,
        "channel": first.map(|(channel, _)| &channel.name),
        "amplitude": first.map(|(_, read)| read.amplitude),
        "stable": stable(point),
    })
}

fn point(channels: &[Channel], point: &MarkedPoint) -> Value {
    let result = &point.result;
    let read = channels.iter().zip(&result.channels);
    let read = read.map(|(channel, read)| (channel.name.clone(), channel_of(read)));
    let of_kind = |is_contact: bool| -> Map<String, Value> {
        let pairs = result.pairs.iter().filter(|p| p.is_contact == is_contact);
        pairs.map(|p| (p.name.clone(), pair(p))).collect()
    };
    let multipliers = result.multipliers.as_ref().map(|multipliers| {
        let values = multipliers.values.iter();
        values.map(|m| json!([m.re, m.im])).collect::<Vec<_>>()
    });
    json!({
        "frequency": result.frequency,
        "stable": stable(point),
        "channels": read.collect::<Map<_, _>>(),
        "contacts": of_kind(true),
        "joints": of_kind(false),
        "multipliers": multipliers,
        "residual": result.residual,
        "harmonics_used": result.harmonics,
        "samples_used": result.samples,
    })
}

fn check(check: &TimeCheck) -> Value {
    let ([amplitude, amplitude_in_time], [lost, lost_in_time]) =
        (check.amplitudes(), check.losses());
    json!({
        "frequency": check.in_time.frequency,
        "amplitude": amplitude,
        "amplitude_in_time": amplitude_in_time,
        "dissipated_per_cycle": lost,
        "dissipated_per_cycle_in_time": lost_in_time,
        "periods": check.in_time.periods,
        "steady": check.in_time.is_steady,
    })
}

fn channel_of(read: &ChannelResult) -> Value {
    let harmonics = read.harmonics.iter().map(|x| json!([x.re, x.im]));
    json!({
        "mean": read.mean,
        "amplitude": read.amplitude,
        "rms": read.rms,
        "harmonics": harmonics.collect::<Vec<_>>(),
    })
}

fn pair(pair: &PairResult) -> Value {
    json!({
        "dissipated_per_cycle": pair.dissipated_per_cycle,
        "max_slip_speed": pair.max_slip_speed,
        "stuck_fraction": pair.stuck_fraction,
        "max_coefficient": pair.max_coefficient,
    })
}
