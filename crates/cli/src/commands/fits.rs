//! What the commands that fit have in common: options with values, estimates as text and as JSON.

use bristle_identify::{Error, Estimate, Verdict};
use bristle_recordings::Problem;
use bristle_results::{Error as OutputError, Figure, OutputFolder, PlotFormat};
use bristle_units::parse_any_quantity;
use serde_json::{Value, json};

use super::refuse;
use crate::exit::Exit;
use crate::render;

/// `name=value`.
pub(super) fn pair<'a>(
    option: &str,
    text: &'a str,
    example: &str,
) -> Result<(&'a str, &'a str), Problem> {
    text.split_once('=')
        .map(|(name, value)| (name.trim(), value.trim()))
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| {
            let message = format!("--{option} {text}: expected NAME=VALUE");
            Problem::with(message, format!("as in --{option} {example}"))
        })
}

/// A number of an option, with a unit or in SI.
pub(super) fn number(option: &str, text: &str) -> Result<f64, Problem> {
    parse_any_quantity(text).map(|q| q.si()).ok_or_else(|| {
        Problem::new(format!(
            "--{option}: \"{text}\" is not a number, with a unit or in SI"
        ))
    })
}

/// Names separated by commas, of an option that may be repeated.
pub(super) fn names(texts: &[String]) -> impl Iterator<Item = &str> {
    let all = texts.iter().flat_map(|text| text.split(','));
    all.map(str::trim).filter(|name| !name.is_empty())
}

/// Reports why there is no fit.
pub(super) fn failed(error: &Error) -> Exit {
    let help = error.help().map(str::to_owned);
    match error {
        Error::Diverged { .. } => {
            render::error(error.to_string(), help);
            Exit::RunFailed
        }
        _ => refuse(error, help),
    }
}

/// An estimate as JSON.
pub(super) fn estimate(e: &Estimate) -> Value {
    json!({
        "name": e.name,
        "symbol": e.symbol,
        "value": e.value,
        "unit": e.unit,
        "standard_error": e.standard_error,
        "interval95": e.interval.map(|(low, high)| [low, high]),
        "verdict": e.verdict.words(),
        "reason": e.reason,
        "experiment": e.experiment,
        "free": e.verdict != Verdict::Fixed,
    })
}

/// Whether all parameters that were fitted are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FitStatus {
    Identified,
    PartlyIdentified,
    NotIdentifiable,
}

impl FitStatus {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Identified => "identified",
            Self::PartlyIdentified => "partly identified",
            Self::NotIdentifiable => "not identifiable",
        }
    }
}

/// Whether parameters are known.
pub(super) fn status(parameters: &[Estimate]) -> FitStatus {
    let free: Vec<&Estimate> = parameters
        .iter()
        .filter(|e| e.verdict != Verdict::Fixed)
        .collect();
    let unknown = free
        .iter()
        .filter(|e| e.verdict == Verdict::NotIdentifiable)
        .count();
    if !free.is_empty() && unknown == free.len() {
        FitStatus::NotIdentifiable
    } else if free.iter().all(|e| e.verdict == Verdict::Identified) {
        FitStatus::Identified
    } else {
        FitStatus::PartlyIdentified
    }
}

/// A value with the digits that its error leaves.
pub(super) fn with_error(e: &Estimate) -> String {
    match e.standard_error {
        Some(s) => format!("{} ± {s:.1e}", significant(e.value)),
        None => significant(e.value),
    }
}

/// A value with five significant digits.
pub(super) fn significant(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&size) {
        // five significant digits
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and 8"
        )]
        let digits = (4.0 - size.log10().floor()).clamp(0.0, 8.0) as usize;
        format!("{x:.digits$}")
    } else {
        format!("{x:.4e}")
    }
}

/// Writes a figure. One that cannot be drawn, such as a profile of one point, is left out.
pub(super) fn plot(
    place: &OutputFolder,
    name: &str,
    figure: Figure,
    format: PlotFormat,
) -> bristle_results::Result<()> {
    match place.write_drawing(name, &figure.into(), format) {
        Err(OutputError::EmptyPlot { .. }) => Ok(()),
        written => written,
    }
}
