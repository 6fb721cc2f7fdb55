//! `[simulation]`: how long, how exactly, from which start.

use bristle_integrate::{Control, Method, Plan, SlipRule};
use bristle_laws::Shortest;
use bristle_mechanics::Vec3;

use super::Start;
use super::values::{refuse_unused, vector};
use crate::{Field, Fields, Kind, Range, Section, Unit};

const DURATION: Kind = Kind::Number {
    unit: Unit::SECOND,
    range: Range::Positive,
};

/// Rows of results beyond which a scenario is taken for a mistake.
const MAX_ROWS: f64 = 1e8;

const INTEGRATOR: Section = Section {
    name: "integrator",
    doc: "The time integration.",
    fields: &[
        Field::optional(
            "method",
            Kind::Choice(&["newmark", "hht", "generalised_alpha", "generalized_alpha"]),
            "Newmark's average acceleration, Hilber-Hughes-Taylor, or Chung and Hulbert's \
             generalised-alpha method",
        )
        .default("newmark"),
        Field::optional(
            "spectral_radius",
            Kind::Number {
                unit: Unit::ONE,
                range: Range::closed(0.0, 1.0),
            },
            "Spectral radius at infinite frequency, of generalised_alpha: 1 damps nothing, 0 most",
        )
        .symbol("rho_inf")
        .default("0.8"),
        Field::optional(
            "alpha",
            Kind::Number {
                unit: Unit::ONE,
                range: Range::closed(0.0, 1.0 / 3.0),
            },
            "Numerical damping of hht: 0 damps nothing",
        )
        .default("0.05"),
        Field::optional(
            "tolerance",
            Kind::Number {
                unit: Unit::ONE,
                range: Range::Between {
                    low: 0.0,
                    low_open: true,
                    high: 0.1,
                    high_open: false,
                },
            },
            "Relative error that one step may make",
        )
        .default("1e-6"),
        Field::optional(
            "step",
            DURATION,
            "Length of all steps; without it step_control decides",
        ),
        Field::optional(
            "step_control",
            Kind::Choice(&["error", "easydyn", "dymore_coulomb", "dymore_lugre"]),
            "What sets the step: the error of every step (error), EasyDyn's error in powers of two, \
             or the slip speed by one of Dymore's rules (eqs. 4 and 8 of its friction manual), \
             which look at no error",
        )
        .default("error"),
        Field::optional(
            "reference_ratio",
            Kind::Number {
                unit: Unit::ONE,
                range: Range::Positive,
            },
            "Of Dymore's rules: slip speed over Stribeck velocity up to which steps are small",
        )
        .default("5"),
        Field::optional(
            "reduced_step",
            Kind::Number {
                unit: Unit::ONE,
                range: Range::Positive,
            },
            "Of dymore_lugre: smallest step times the rate of the bristles, sigma_0 v_s/mu_k",
        )
        .default("0.02"),
        Field::optional(
            "step_exponent",
            Kind::Number {
                unit: Unit::ONE,
                range: Range::Positive,
            },
            "Of dymore_lugre: growth of the step with the slip speed",
        )
        .default("1.2"),
        Field::optional(
            "max_step",
            DURATION,
            "Longest step; a fiftieth of end_time if not given",
        ),
        Field::optional(
            "min_step",
            DURATION,
            "Shortest step; 1e-10 of end_time if not given",
        ),
        Field::optional(
            "first_step",
            DURATION,
            "First step; 10 us, or less in a short run, if not given",
        ),
    ],
};

pub(super) const SIMULATION: Section = Section {
    name: "simulation",
    doc: "How long, how exactly, from which start.",
    fields: &[
        Field::required("end_time", DURATION, "Time at which the simulation ends"),
        Field::optional(
            "output_step",
            DURATION,
            "Time between two rows of the results; a thousandth of end_time if not given",
        ),
        Field::optional(
            "gravity",
            Kind::Vector3 {
                unit: Unit::METRE_PER_SECOND_SQUARED,
            },
            "Acceleration of gravity in the world",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "start",
            Kind::Choice(&["as_given", "equilibrium"]),
            "Start from the positions as given, or from the static equilibrium near them",
        )
        .default("as_given"),
        Field::optional(
            "integrator",
            Kind::Table(&INTEGRATOR),
            "The time integration",
        ),
    ],
};

/// What `[simulation]` says.
pub(super) struct Simulation {
    pub(super) plan: Plan,
    pub(super) start: Start,
    pub(super) output_step: f64,
    pub(super) gravity: Vec3,
}

/// Reads `[simulation]`; also returns the end time alone, which others need even if something
/// else is wrong.
pub(super) fn read(root: &Fields<'_>) -> (Option<Simulation>, Option<f64>) {
    let Some(fields) = root.section("simulation") else {
        return (None, None);
    };
    let end_time = fields.number("end_time");
    let output_step = output_step(&fields, end_time);
    let gravity = vector(&fields, "gravity");
    let start = fields.choice("start").map(|word| match word {
        "equilibrium" => Start::Equilibrium,
        _ => Start::AsGiven,
    });
    let plan = if fields.has("integrator") {
        fields
            .section("integrator")
            .and_then(|integrator| plan(&integrator, end_time))
    } else {
        end_time.map(default_plan)
    };
    let simulation = (|| {
        Some(Simulation {
            plan: plan?,
            start: start?,
            output_step: output_step?,
            gravity: gravity?,
        })
    })();
    (simulation, end_time)
}

fn output_step(fields: &Fields<'_>, end_time: Option<f64>) -> Option<f64> {
    if !fields.has("output_step") {
        return end_time.map(|end| end / 1000.0);
    }
    let (step, end) = (fields.number("output_step")?, end_time?);
    if step > end {
        let message = format!(
            "{} s is longer than end_time = {} s",
            Shortest(step),
            Shortest(end)
        );
        fields.error("output_step", message);
        return None;
    }
    if end / step > MAX_ROWS {
        let rows = end / step;
        fields.error(
            "output_step",
            format!(
                "{} s gives {rows:.1e} rows of results, more than {MAX_ROWS:.0e}",
                Shortest(step)
            ),
        );
        return None;
    }
    Some(step)
}

fn default_plan(end_time: f64) -> Plan {
    Plan {
        method: Method::NEWMARK,
        end_time,
        tolerance: 1e-6,
        control: adaptive(end_time, [None; 3]),
    }
}

/// Fills in the steps that are not given: smallest, largest, first.
fn adaptive(end_time: f64, [min, max, first]: [Option<f64>; 3]) -> Control {
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

fn plan(fields: &Fields<'_>, end_time: Option<f64>) -> Option<Plan> {
    let method = method(fields);
    let tolerance = fields.number("tolerance");
    let control = control(fields, end_time);
    Some(Plan {
        method: method?,
        end_time: end_time?,
        tolerance: tolerance?,
        control: control?,
    })
}

fn method(fields: &Fields<'_>) -> Option<Method> {
    let word = fields.choice("method")?;
    let (radius, alpha) = (fields.number("spectral_radius"), fields.number("alpha"));
    let generalised = matches!(word, "generalised_alpha" | "generalized_alpha");
    if !generalised {
        let reason = format!("the method {word} has no spectral radius; generalised_alpha has one");
        refuse_unused(fields, "spectral_radius", &reason);
    }
    if word != "hht" {
        let other = if generalised {
            "its damping is set by spectral_radius"
        } else {
            "hht has it"
        };
        let reason = format!("the method {word} has no alpha; {other}");
        refuse_unused(fields, "alpha", &reason);
    }
    match word {
        "newmark" => Some(Method::NEWMARK),
        "hht" => alpha.map(Method::hht),
        _ => radius.map(Method::generalised_alpha),
    }
}

fn control(fields: &Fields<'_>, end_time: Option<f64>) -> Option<Control> {
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
