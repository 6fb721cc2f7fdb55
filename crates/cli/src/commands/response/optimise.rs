//! `--optimise`: the value of a field for which the highest amplitude is least.

use bristle_response::CurveRange;
use bristle_results::format_number;
use bristle_study::sweep::AxisValue;

use super::reading::leading_amplitude;
use super::{CaseCurve, CaseEnding, ResponseOutcome, cases};
use crate::args::ResponseArguments;
use crate::commands::refuse;
use crate::exit::Exit;
use crate::interrupt::Interrupt;

/// Values over the whole range, before the search around the best of them.
const SCANNED: usize = 9;
/// Steps of the search: each leaves 0.618 of the logarithm of the range.
const STEPS: usize = 9;
const GOLDEN: f64 = 0.618_033_988_749_895;

/// The least of the highest amplitudes.
pub(super) struct LeastPeak<'o> {
    pub(super) case: &'o CaseCurve,
    pub(super) value: &'o AxisValue,
}

/// The optimum among curves that are complete.
pub(super) fn of(outcome: &ResponseOutcome) -> Option<LeastPeak<'_>> {
    let sized = outcome.cases.iter().filter(|case| size(case).is_finite());
    let case = sized.min_by(|a, b| size(a).total_cmp(&size(b)))?;
    let value = case.values.first()?;
    Some(LeastPeak { case, value })
}

/// Curves over the range, and ever closer to the optimum, by ascending values.
pub(super) fn search(
    arguments: &ResponseArguments,
    range: &CurveRange,
    text: &str,
    begin: &mut dyn FnMut() -> Result<(), Exit>,
) -> Result<ResponseOutcome, Exit> {
    let form = || {
        let help = "for example --optimise joint_friction.damper.load=2:60, both ends positive";
        let message = format!("--optimise {text}: expected path=from:to");
        refuse(message, Some(help.to_owned()))
    };
    let (path, span) = text.split_once('=').ok_or_else(form)?;
    if span.split(':').count() != 2 {
        return Err(form());
    }
    let scan = [format!("{path}={span}:{SCANNED}:log")];
    let mut outcome = cases::many(arguments, range, &scan, Some(begin))?;
    outcome.cases.sort_by(|a, b| value(a).total_cmp(&value(b)));
    let best = (0..outcome.cases.len())
        .min_by(|&i, &j| size(&outcome.cases[i]).total_cmp(&size(&outcome.cases[j])));
    let Some(best) = best else {
        return Ok(outcome);
    };
    let unit = outcome.cases[best].values.first().map(|v| v.unit.clone());
    let unit = unit.filter(|unit| unit != "1").unwrap_or_default();
    let last = outcome.cases.len() - 1;
    let ends = [best.saturating_sub(1), (best + 1).min(last)];
    let [mut low, mut high] = ends.map(|i| value(&outcome.cases[i]).ln());
    let at = |place: f64| -> Result<(f64, CaseCurve), Exit> {
        let vary = [format!("{path}={} {unit}", format_number(place.exp()))];
        let mut found = cases::many(arguments, range, &vary, None)?;
        let case = found.cases.remove(0);
        Ok((size(&case), case))
    };
    let interrupt = Interrupt::listen();
    let (mut a, mut b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let mut of_a = at(a)?;
    let mut of_b = at(b)?;
    for _ in 0..STEPS {
        if interrupt.requested() {
            break;
        }
        if of_a.0 < of_b.0 {
            (high, b) = (b, a);
            a = high - GOLDEN * (high - low);
            outcome.cases.push(std::mem::replace(&mut of_b, of_a).1);
            of_a = at(a)?;
        } else {
            (low, a) = (a, b);
            b = low + GOLDEN * (high - low);
            outcome.cases.push(std::mem::replace(&mut of_a, of_b).1);
            of_b = at(b)?;
        }
    }
    outcome.cases.extend([of_a.1, of_b.1]);
    outcome.cases.sort_by(|a, b| value(a).total_cmp(&value(b)));
    Ok(outcome)
}

fn value(case: &CaseCurve) -> f64 {
    let first = case.values.first();
    first.and_then(|value| value.si).unwrap_or(f64::NAN)
}

/// The highest amplitude; of a curve that is not complete nobody knows it.
fn size(case: &CaseCurve) -> f64 {
    match case.end {
        CaseEnding::Complete => case.highest().map_or(f64::INFINITY, leading_amplitude),
        CaseEnding::Early { .. } => f64::INFINITY,
    }
}
