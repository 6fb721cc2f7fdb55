//! `[simulation]`: how long, how exactly, from which start.

use bristle_integrate::{Control, Method, Plan};
use bristle_laws::{Shortest, Topic};
use bristle_mechanics::Vec3;

use super::StartState;
use super::steps::{adaptive, control};
use super::values::{refuse_unused, vector};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Span, Unit};

const DURATION: FieldKind = FieldKind::Number {
    unit: Unit::SECOND,
    range: FieldRange::Positive,
};

/// Rows of results beyond which a scenario is taken for a mistake.
const MAX_ROWS: f64 = 1e8;

const INTEGRATOR: Section = Section {
    name: "integrator",
    doc: "The time integration.",
    fields: &[
        Field::optional(
            "method",
            FieldKind::Choice(&[
                "esdirk4",
                "newmark",
                "hht",
                "generalised_alpha",
                "generalized_alpha",
            ]),
            "Kennedy and Carpenter's ESDIRK4(3)6L[2]SA of fourth order, Newmark's average \
             acceleration, Hilber-Hughes-Taylor, or Chung and Hulbert's generalised-alpha method; \
             with step or the step_control of another code, newmark is the default",
        )
        .default("esdirk4"),
        Field::optional(
            "spectral_radius",
            FieldKind::Number {
                unit: Unit::ONE,
                range: FieldRange::closed(0.0, 1.0),
            },
            "Spectral radius at infinite frequency, of generalised_alpha: 1 damps nothing, 0 most",
        )
        .symbol("rho_inf")
        .default("0.8"),
        Field::optional(
            "alpha",
            FieldKind::Number {
                unit: Unit::ONE,
                range: FieldRange::closed(0.0, 1.0 / 3.0),
            },
            "Numerical damping of hht: 0 damps nothing",
        )
        .default("0.05"),
        Field::optional(
            "tolerance",
            FieldKind::Number {
                unit: Unit::ONE,
                range: FieldRange::Between {
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
            FieldKind::Choice(&["error", "easydyn", "dymore_coulomb", "dymore_lugre"]),
            "What sets the step: the error of every step (error), EasyDyn's error in powers of two, \
             or the slip speed by one of Dymore's rules (eqs. 4 and 8 of its friction manual), \
             which look at no error",
        )
        .default("error"),
        Field::optional(
            "reference_ratio",
            FieldKind::Number {
                unit: Unit::ONE,
                range: FieldRange::Positive,
            },
            "Of Dymore's rules: slip speed over Stribeck velocity up to which steps are small",
        )
        .default("5"),
        Field::optional(
            "reduced_step",
            FieldKind::Number {
                unit: Unit::ONE,
                range: FieldRange::Positive,
            },
            "Of dymore_lugre: smallest step times the rate of the bristles, sigma_0 v_s/mu_k",
        )
        .default("0.02"),
        Field::optional(
            "step_exponent",
            FieldKind::Number {
                unit: Unit::ONE,
                range: FieldRange::Positive,
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
            FieldKind::Vector3 {
                unit: Unit::METRE_PER_SECOND_SQUARED,
            },
            "Acceleration of gravity in the world",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "start",
            FieldKind::Choice(&["as_given", "equilibrium"]),
            "Start from the positions as given, or from the static equilibrium near them",
        )
        .default("as_given"),
        Field::optional(
            "accepted_warnings",
            FieldKind::Any("a list of topics of warnings"),
            "Topics of warnings that are known and not shown again, such as [\"passivity\"]",
        ),
        Field::optional(
            "integrator",
            FieldKind::Table(&INTEGRATOR),
            "The time integration",
        ),
    ],
};

/// What `[simulation]` says.
pub(super) struct Simulation {
    pub(super) plan: Plan,
    pub(super) start: StartState,
    pub(super) output_step: f64,
    pub(super) gravity: Vec3,
    pub(super) accepted_warnings: Vec<Topic>,
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
        "equilibrium" => StartState::Equilibrium,
        _ => StartState::AsGiven,
    });
    let plan = if fields.has("integrator") {
        fields
            .section("integrator")
            .and_then(|integrator| plan(&integrator, end_time))
    } else {
        end_time.map(default_plan)
    };
    let accepted_warnings = accepted_warnings(&fields);
    let simulation = (|| {
        Some(Simulation {
            accepted_warnings: accepted_warnings?,
            plan: plan?,
            start: start?,
            output_step: output_step?,
            gravity: gravity?,
        })
    })();
    (simulation, end_time)
}

/// The topics that are known.
fn accepted_warnings(fields: &Fields<'_>) -> Option<Vec<Topic>> {
    if !fields.has("accepted_warnings") {
        return Some(Vec::new());
    }
    let texts = fields.texts("accepted_warnings")?;
    let topic = |(text, span): (&str, Span)| {
        let topic = Topic::of_key(text);
        if let Some(topic) = topic {
            fields.reader().accept(topic);
        } else {
            let all = Topic::ALL.map(|topic| format!("\"{topic}\"")).join(", ");
            let message = format!("\"{text}\" is no topic of warnings; they are {all}");
            fields.reader().error(span, message);
        }
        topic
    };
    // all of them, also those behind an unknown one
    let topics: Vec<Option<Topic>> = texts.into_iter().map(topic).collect();
    topics.into_iter().collect()
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
        method: Method::Esdirk4,
        end_time,
        tolerance: 1e-6,
        control: adaptive(end_time, [None; 3]),
    }
}

fn plan(fields: &Fields<'_>, end_time: Option<f64>) -> Option<Plan> {
    let tolerance = fields.number("tolerance");
    let control = control(fields, end_time);
    let method = method(fields, control.as_ref());
    Some(Plan {
        method: method?,
        end_time: end_time?,
        tolerance: tolerance?,
        control: control?,
    })
}

fn method(fields: &Fields<'_>, control: Option<&Control>) -> Option<Method> {
    // steps without error control, or with that of another code
    let is_plain = control.is_some_and(|control| !matches!(control, Control::Adaptive { .. }));
    let word = if is_plain && !fields.has("method") {
        "newmark"
    } else {
        fields.choice("method")?
    };
    if word == "esdirk4"
        && matches!(
            control,
            Some(Control::Halving { .. } | Control::Slip { .. })
        )
    {
        let message = "esdirk4 has the steps of its own error estimate; with this step_control the \
                       method is newmark, hht or generalised_alpha";
        fields.error("method", message);
        return None;
    }
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
        "esdirk4" => Some(Method::Esdirk4),
        "newmark" => Some(Method::NEWMARK),
        "hht" => alpha.map(Method::hht),
        _ => radius.map(Method::generalised_alpha),
    }
}
