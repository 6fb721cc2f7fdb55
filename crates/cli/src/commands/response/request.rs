//! Frequencies and options as the command line gives them.

use std::f64::consts::TAU;

use bristle_response::{CurveOptions, CurveRange, GridChoice};
use bristle_units::significant;

use crate::args::ResponseArguments;
use crate::commands::refuse;
use crate::exit::Exit;

/// The frequencies of the curve.
pub(super) fn range(arguments: &ResponseArguments) -> Result<CurveRange, Exit> {
    let at = &arguments.at;
    let least = at.iter().copied().reduce(f64::min);
    let largest = at.iter().copied().reduce(f64::max);
    let ends = arguments.from.or(least).zip(arguments.to.or(largest));
    let Some((from, to)) = ends else {
        let message = "which frequencies? --from and --to are both needed, or --at";
        let help = "for example --from 30Hz --to 80Hz";
        return Err(refuse(message, Some(help.to_owned())));
    };
    if from > to {
        let message = format!(
            "the range is the wrong way round: from {} to {}",
            words(from),
            words(to)
        );
        let help = format!(
            "--from must be at most --to: --from {} --to {}",
            short(to),
            short(from)
        );
        return Err(refuse(message, Some(help)));
    }
    let outside = at.iter().find(|omega| **omega < from || **omega > to);
    if let Some(outside) = outside {
        let message = format!(
            "--at {} is outside of the range from {} to {}",
            short(*outside),
            words(from),
            words(to)
        );
        return Err(refuse(
            message,
            Some("the curve must pass it: widen --from and --to".to_owned()),
        ));
    }
    // the ends are solved for anyway
    let inside = |omega: &f64| *omega > from * (1.0 + SAME) && *omega < to * (1.0 - SAME);
    let at = at.iter().copied().filter(inside).collect();
    Ok(CurveRange { from, to, at })
}

/// Frequencies are the same to this part.
const SAME: f64 = 1e-12;

/// `30 Hz`, of an angular frequency.
pub(super) fn words(omega: f64) -> String {
    format!("{} Hz", significant(omega / TAU, 6))
}

fn short(omega: f64) -> String {
    format!("{}Hz", significant(omega / TAU, 6))
}

/// The angular frequencies of integration in time: evenly over the range, and those of `--at`.
pub(super) fn frequencies(arguments: &ResponseArguments, range: &CurveRange) -> Vec<f64> {
    let mut all = range.at.clone();
    all.push(range.from);
    if range.to > range.from {
        all.push(range.to);
        let given = arguments.from.is_some() || arguments.to.is_some();
        let steps = if given { arguments.points - 1 } else { 1 };
        let step = (range.to - range.from) / steps as f64;
        all.extend((1..steps).map(|k| range.from + step * k as f64));
    }
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// How the curve is computed.
pub(super) fn options(arguments: &ResponseArguments) -> CurveOptions {
    CurveOptions {
        grid: GridChoice {
            harmonics: arguments.harmonics,
            samples: arguments.samples,
            tolerance: arguments.tolerance,
        },
        max_motion: arguments.max_amplitude.unwrap_or(f64::INFINITY),
        ..CurveOptions::default()
    }
}
