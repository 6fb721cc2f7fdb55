//! Why data do not identify a parameter, and which experiment would.

use super::evidence::Evidence;
use crate::model::{FitParameter, FitRole};

/// Why these data do not identify a parameter, and which experiment would.
#[allow(
    clippy::too_many_lines,
    reason = "one list of cases, read from top to bottom"
)]
pub(super) fn cause(
    parameter: &FitParameter,
    value: f64,
    evidence: &Evidence<'_>,
) -> Option<(String, String)> {
    let c = evidence.coverage;
    let say = |a: String, b: &str| Some((a, b.to_owned()));
    let slow = "slide at constant speeds from a tenth to ten times the Stribeck velocity, in both directions";
    let presliding =
        "move back and forth by some break-away deflections, slowly, with many samples per loop";
    match parameter.role {
        FitRole::Stiffness | FitRole::Damping | FitRole::Length | FitRole::Share if c.steady => {
            say(
                "a steady curve holds nothing of what comes before sliding".to_owned(),
                presliding,
            )
        }
        FitRole::Stiffness | FitRole::Length | FitRole::Damping | FitRole::Share
            if c.breakaway.is_some_and(|d| c.step > 0.5 * d) || c.presliding < 5 =>
        {
            say(
                format!(
                    "the pair moves {:.1e} {} between samples, too far to see presliding ({} samples in it)",
                    c.step,
                    c.units.of("m"),
                    c.presliding
                ),
                presliding,
            )
        }
        FitRole::Stiffness | FitRole::Share if evidence.objective.model.elements() > 1 => say(
            "one element never reaches its limit in these data, or two of them do the same"
                .to_owned(),
            "slide slowly past break-away, where the force reaches the static level, or fit fewer \
             --elements",
        ),
        FitRole::Damping => say(
            "bristle damping shows in fast presliding only".to_owned(),
            "oscillate within the break-away deflection at rising frequencies, with a fast force sensor",
        ),
        FitRole::Level | FitRole::StaticLevel | FitRole::LevelDifference | FitRole::Speed
            if c.longest_slide < 2.0 =>
        {
            say(
                format!(
                    "the pair never slid: {:.1} break-away deflections at most",
                    c.longest_slide
                ),
                "slide over many break-away deflections, slowly and fast",
            )
        }
        FitRole::Viscous => say(
            format!(
                "speeds from {:.1e} to {:.1e} {} are too few or too slow",
                c.speeds.0,
                c.speeds.1,
                c.units.of("m/s")
            ),
            "slide at speeds up to where the viscous part is a tenth of the force",
        ),
        FitRole::StaticLevel => say(
            format!(
                "never slid slowly enough: the slowest sliding was {:.1e} {}",
                c.speeds.0,
                c.units.of("m/s")
            ),
            slow,
        ),
        FitRole::Speed if value < c.speeds.0.max(2.0 * c.velocity_noise) => say(
            format!(
                "it is below the slowest speed ({:.1e} {unit}) or the noise ({:.1e} {unit}) of these data",
                c.speeds.0,
                c.velocity_noise,
                unit = c.units.of("m/s")
            ),
            slow,
        ),
        FitRole::Speed => say("few samples slide at such speeds".to_owned(), slow),
        FitRole::Time => say(
            format!("{} stops, the longest of {:.2e} s", c.stops, c.longest_stop),
            "stop for times from a tenth to ten times the expected one, then break away",
        ),
        FitRole::Preload if c.one_load() => say(
            "one load only".to_owned(),
            "repeat the motion at three loads or more",
        ),
        FitRole::Mass => say(
            "the motion hardly accelerates".to_owned(),
            "add faster motion, so that the inertia is a tenth of the force",
        ),
        FitRole::Gravity => say(
            "the position hardly changes".to_owned(),
            "move through a large angle",
        ),
        FitRole::Offset if evidence.line.is_some() && !c.both_directions => say(
            "the motion has one direction only".to_owned(),
            "move in both directions",
        ),
        FitRole::Transmitted => say(
            "the transmitted force hardly changes".to_owned(),
            "drive the machine against different loads, fast and slow",
        ),
        FitRole::Gap | FitRole::Closing => say(
            "few reversals pass through the play".to_owned(),
            "reverse slowly, with many samples while the force passes zero",
        ),
        FitRole::LevelDifference => say(
            "the load hardly changes its direction, or no column Fe gives it".to_owned(),
            "drive the machine, and let it be driven back, with the applied force in a column Fe",
        ),
        FitRole::Level => say("few samples slide steadily".to_owned(), slow),
        FitRole::Shape => say("other parameters do nearly the same".to_owned(), slow),
        _ => None,
    }
}
