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
