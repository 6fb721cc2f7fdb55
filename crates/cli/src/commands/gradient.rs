//! Derivatives of a run: `bristle run --gradient`, and `bristle sensitivity`.

use std::fmt::Write as _;

use bristle_results::{GRADIENT_NUMBERS, GRADIENT_ROWS, RunFolder, write_atomically};
use bristle_study::gradient::{FieldEffect, Gradient, GradientError, GradientRequest, gradient};
use bristle_study::replay::ReplayError;
use serde_json::json;

use super::refuse;
use crate::args::{RunArguments, SensitivityArguments};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render;
use crate::terminal::Stream;

/// The derivatives that `bristle run --gradient` asks for; `None` where it does not.
pub(super) fn of_run(
    arguments: &RunArguments,
    interrupt: Interrupt,
) -> Result<Option<Gradient>, Exit> {
    if arguments.gradient.is_empty() {
        return Ok(None);
    }
    let request = GradientRequest {
        scenario: arguments.scenario.scenario.clone(),
        overrides: arguments.scenario.overrides.clone(),
        option: "--gradient",
        paths: arguments.gradient.clone(),
        outputs: Vec::new(),
    };
    let gradient = gradient(&request, &|| !interrupt.requested()).map_err(tell)?;
    warn_of_kinks(&gradient);
    Ok(Some(gradient))
}

/// Says which laws leave derivatives fewer digits.
fn warn_of_kinks(gradient: &Gradient) {
    if gradient.doubtful.is_empty() {
        return;
    }
    render::warning(
        format!(
            "derivatives are uncertain: the law of {} has kinks along its path, within steps",
            gradient.doubtful.join(", ")
        ),
        Some(
            "they hold to about 1e-3, with several elements in parallel to some percent; a tighter \
             simulation.integrator.tolerance shows by how much they move"
                .to_owned(),
        ),
    );
}

/// Writes the derivatives beside the results.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn attach(folder: &mut RunFolder, gradient: &Gradient) -> bristle_results::Result<()> {
    folder.attach(GRADIENT_ROWS, rows_text(gradient).as_bytes())?;
    let text = serde_json::to_string_pretty(&numbers_json(gradient)).unwrap_or_default();
    folder.attach(GRADIENT_NUMBERS, text.as_bytes())
}

/// One column for every channel and field: `CHANNEL by PATH`, in SI units.
fn rows_text(gradient: &Gradient) -> String {
    let mut text = "t".to_owned();
    for field in &gradient.fields {
        for channel in gradient.channels.iter().skip(1) {
            let _ = write!(text, ",{} by {}", channel.name, field.path);
        }
    }
    text.push('\n');
    for (i, row) in gradient.rows.iter().enumerate() {
        let _ = write!(text, "{}", row.first().copied().unwrap_or(f64::NAN));
        for slopes in &gradient.slopes {
            // a run that an event ends earlier has no row here
            for place in 0..gradient.channels.len().saturating_sub(1) {
                match slopes.get(i).and_then(|row| row.get(place)) {
                    Some(slope) => {
                        let _ = write!(text, ",{slope:e}");
                    }
                    None => text.push(','),
                }
            }
        }
        text.push('\n');
    }
    text
}

fn numbers_json(gradient: &Gradient) -> serde_json::Value {
    let fields: Vec<_> = gradient
        .fields
        .iter()
        .map(|field| json!({"path": field.path, "unit": field.unit, "value": field.value}))
        .collect();
    let numbers: serde_json::Map<_, _> = gradient
        .numbers
        .iter()
        .map(|number| {
            let by: serde_json::Map<_, _> = gradient
                .fields
                .iter()
                .zip(&number.by)
                .map(|(field, slope)| (field.path.clone(), json!(slope)))
                .collect();
            (
                number.name.clone(),
                json!({"value": number.value, "by": by}),
            )
        })
        .collect();
    json!({"fields": fields, "numbers": numbers, "uncertain_by": gradient.doubtful})
}

/// Prints the derivatives of the summary's numbers.
pub(super) fn show(gradient: &Gradient) {
    let mut text = "\nderivatives of the numbers of the summary, in SI units\n".to_owned();
    for (i, field) in gradient.fields.iter().enumerate() {
        let _ = writeln!(
            text,
            "  by {} ({}, {:e})",
            field.path, field.unit, field.value
        );
        let width = gradient
            .numbers
            .iter()
            .map(|n| n.name.chars().count())
            .max();
        for number in &gradient.numbers {
            let pad = " ".repeat(width.unwrap_or(0) - number.name.chars().count());
            let slope = number.by[i];
            let shown = if slope.is_finite() {
                format!("{slope:>14.6e}")
            } else {
                "no such number where the field is changed".to_owned()
            };
            let _ = writeln!(text, "    {}{pad}  {shown}", number.name);
        }
    }
    let _ = writeln!(
        text,
        "  channels: {GRADIENT_ROWS}; these numbers: {GRADIENT_NUMBERS}"
    );
    Stream::Out.print(&text);
}

/// Ranks the numbers of a scenario.
pub(crate) fn sensitivity(arguments: &SensitivityArguments) -> Exit {
    let interrupt = Interrupt::listen();
    let request = GradientRequest {
        scenario: arguments.scenario.scenario.clone(),
        overrides: arguments.scenario.overrides.clone(),
        option: "--by",
        paths: arguments.by.clone(),
        outputs: arguments.of.clone(),
    };
    let gradient = match gradient(&request, &|| !interrupt.requested()) {
        Ok(gradient) => gradient,
        Err(error) => return tell(error),
    };
    warn_of_kinks(&gradient);
    let ranked = gradient.ranked(&arguments.of);
    if let Some(out) = &arguments.out
        && let Err(error) = write_atomically(out, csv_text(&gradient, &ranked).as_bytes())
    {
        render::error(error.to_string(), None);
        return Exit::RunFailed;
    }
    if arguments.json {
        let rows: Vec<_> = ranked
            .iter()
            .map(|effect| {
                let field = &gradient.fields[effect.field];
                json!({
                    "path": field.path, "unit": field.unit, "value": field.value,
                    "effect": effect.effect, "output": effect.output,
                })
            })
            .collect();
        let text = serde_json::to_string_pretty(&rows).unwrap_or_default();
        Stream::Out.print(&format!("{text}\n"));
    } else if !arguments.quiet {
        Stream::Out.print(&table(&gradient, &ranked));
    }
    Exit::Done
}

fn table(gradient: &Gradient, ranked: &[FieldEffect]) -> String {
    let path = |effect: &FieldEffect| &gradient.fields[effect.field].path;
    let width = ranked
        .iter()
        .map(|effect| path(effect).chars().count())
        .max();
    let width = width.unwrap_or(0);
    let mut text = format!("{:width$}      effect  on\n", "field");
    for effect in ranked {
        let _ = writeln!(
            text,
            "{:width$}  {:>10.3e}  {}",
            path(effect),
            effect.effect,
            if effect.output.is_empty() {
                "nothing"
            } else {
                &effect.output
            }
        );
    }
    text
}

fn csv_text(gradient: &Gradient, ranked: &[FieldEffect]) -> String {
    let mut text = "path,unit,value,effect,output\n".to_owned();
    for effect in ranked {
        let field = &gradient.fields[effect.field];
        let _ = writeln!(
            text,
            "{},{},{:e},{:e},{}",
            field.path, field.unit, field.value, effect.effect, effect.output
        );
    }
    text
}

/// Says why there are no derivatives.
fn tell(error: GradientError) -> Exit {
    match error {
        GradientError::Fields(ReplayError::Scenario {
            diagnostics,
            sources,
        }) => {
            render::print(&diagnostics, &sources);
            Exit::BadInput
        }
        GradientError::Refused {
            ref diagnostics,
            ref sources,
            ..
        } => {
            render::print(diagnostics, sources);
            refuse(
                error.to_string(),
                Some("it must have room to move, up or down, within its range".to_owned()),
            )
        }
        GradientError::Fields(error) => refuse(error.to_string(), None),
        GradientError::NoOutput { ref help, .. } => refuse(error.to_string(), Some(help.clone())),
        ended => {
            let help = "the derivative is that of runs that reach their end".to_owned();
            render::error(ended.to_string(), Some(help));
            Exit::RunFailed
        }
    }
}
