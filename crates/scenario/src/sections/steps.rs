//! The lengths of the steps, from `[simulation.integrator]`.

use super::values::refuse_unused;
use crate::Fields;
use bristle_integrate::{Control, SlipRule};
use bristle_laws::Shortest;

/// Fills in the steps that are not given: smallest, largest, first.
pub(super) fn adaptive(end_time: f64, [min, max, first]: [Option<f64>; 3]) -> Control {
    let longest = first.or(min).unwrap_or(0.0);
    let max_step = max.unwrap_or(longest.max(end_time / 50.0));
    let usual = 1e-5_f64.min(end_time / 1000.0).min(max_step);
    let first_step = first.unwrap_or(usual.max(min.unwrap_or(0.0)));
    let min_step = min.unwrap_or((1e-10 * end_time).min(first_step));
    Control::Adaptive {
        min_step,
        max_step,
        first_step,
    }
}

/// What `step`, `step_control` and the three lengths say; `None` where they are wrong, which is
/// reported.
pub(super) fn control(fields: &Fields<'_>, end_time: Option<f64>) -> Option<Control> {
    const NAMES: [&str; 3] = ["min_step", "max_step", "first_step"];
    let steps = NAMES.map(|name| fields.number(name));
    if NAMES
        .iter()
        .zip(&steps)
        .any(|(name, step)| step.is_none() && fields.has(name))
    {
        return None;
    }
    let least = [f64::EPSILON, SAME_TIME, f64::EPSILON];
    for ((name, step), share) in NAMES.iter().zip(&steps).zip(least) {
        advances(fields, name, step.zip(end_time), share)?;
    }
    if fields.has("step") {
        for name in NAMES {
            let reason = "with \"step\" all steps have that length; give either of them";
            refuse_unused(fields, name, reason);
        }
        for name in ["step_control"].iter().chain(&RULE_FIELDS) {
            refuse_unused(fields, name, "with \"step\" all steps have that length");
        }
        let (step, end) = (fields.number("step")?, end_time?);
        if step > end {
            let message = format!(
                "{} s is longer than end_time = {} s",
                Shortest(step),
                Shortest(end)
            );
            fields.error("step", message);
            return None;
        }
        advances(fields, "step", Some((step, end)), SAME_TIME)?;
        return Some(Control::Fixed { step });
    }
    let mut ordered = true;
    for (shorter, longer) in [(0, 1), (2, 1), (0, 2)] {
        if let (Some(short), Some(long)) = (steps[shorter], steps[longer])
            && short > long
        {
            let message = format!(
                "{} s is longer than {} = {} s",
                Shortest(short),
                NAMES[longer],
                Shortest(long)
            );
            fields.error(NAMES[shorter], message);
            ordered = false;
        }
    }
    let control = strategy(fields, end_time?, steps);
    control.filter(|_| ordered)
}

/// Times closer than this share of `end_time` are one to the integrator.
const SAME_TIME: f64 = 1e-12;

/// Refuses a step that is given (with `end_time`) and shorter than a share of it: it would not move
/// the time.
fn advances(fields: &Fields<'_>, name: &str, given: Option<(f64, f64)>, share: f64) -> Option<()> {
    let Some((step, end)) = given.filter(|(step, end)| *step < share * end) else {
        return Some(());
    };
    let message = format!(
        "{} s does not move the time on; must be in [{}, {}] s, from {share:.1e} of end_time",
        Shortest(step),
        Shortest(share * end),
        Shortest(end)
    );
    fields.error(name, message);
    None
}

/// Fields of Dymore's rules.
const RULE_FIELDS: [&str; 3] = ["reference_ratio", "reduced_step", "step_exponent"];

/// The control that `step_control` names.
fn strategy(fields: &Fields<'_>, end_time: f64, steps: [Option<f64>; 3]) -> Option<Control> {
    let word = fields.choice("step_control")?;
    let used = match word {
        "dymore_coulomb" => 1,
        "dymore_lugre" => 3,
        _ => 0,
    };
    for name in &RULE_FIELDS[used..] {
        let reason = format!("step_control = \"{word}\" does not use it");
        refuse_unused(fields, name, &reason);
    }
    let [min, max, _] = steps;
    match word {
        "error" => Some(adaptive(end_time, steps)),
        "easydyn" => {
            let Control::Adaptive {
                min_step,
                max_step,
                first_step,
            } = adaptive(end_time, steps)
            else {
                return None;
            };
            Some(Control::Halving {
                min_step,
                max_step,
                first_step,
            })
        }
        _ => {
            let reason = format!("step_control = \"{word}\" begins with the step of its rule");
            refuse_unused(fields, "first_step", &reason);
            let reference = fields.number("reference_ratio")?;
            let coulomb = word == "dymore_coulomb";
            // the manual's defaults for Coulomb friction; the other rule has its own smallest step
            let min_step = min.unwrap_or(if coulomb { 1e-4 } else { 1e-10 * end_time });
            let max_step = max.unwrap_or(if coulomb { 1e-3 } else { end_time / 50.0 });
            if min_step > max_step {
                let message = format!("{max_step} s is shorter than min_step = {min_step} s");
                fields.error(
                    if max.is_some() {
                        "max_step"
                    } else {
                        "min_step"
                    },
                    message,
                );
                return None;
            }
            let rule = if coulomb {
                SlipRule::Tanh { reference }
            } else {
                SlipRule::Power {
                    reduced_step: fields.number("reduced_step")?,
                    reference,
                    exponent: fields.number("step_exponent")?,
                }
            };
            Some(Control::Slip {
                rule,
                min_step,
                max_step,
            })
        }
    }
}
