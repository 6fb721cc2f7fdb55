//! `bristle modes`: natural frequencies, damping ratios and mode shapes about the equilibrium.

mod page;
mod shapes;

use bristle_integrate::{State, equilibrium, unbalanced};
use bristle_mechanics::modes::{Contacts, Mode};
use bristle_mechanics::{Body, Model, Vec3};
use bristle_results::format_quantity;
use bristle_scenario::{Scenario, SourceMap};
use serde_json::{Value, json};

use super::print_json;
use crate::args::{ContactState, ModesArguments, plot_format};
use crate::exit::Exit;
use crate::page as text;
use crate::render;

/// The modes of a scenario, with the motion of every body in them.
struct ModeTable {
    scenario: Scenario,
    state: State,
    iterations: usize,
    modes: Vec<Mode>,
    /// Displacement and rotation of every body, by mode.
    motions: Vec<Vec<[Vec3; 2]>>,
}

/// Finds the modes, prints them, and draws them if a folder is given.
pub(crate) fn modes(arguments: &ModesArguments) -> Exit {
    let mut sources = SourceMap::new();
    let place = &arguments.scenario;
    let scenario = match bristle_scenario::load_any(&place.scenario, &place.overrides, &mut sources)
    {
        Ok(scenario) => scenario,
        Err(diagnostics) => {
            render::print(&diagnostics, &sources);
            return Exit::BadInput;
        }
    };
    if !arguments.json {
        for warning in &scenario.warnings {
            render::print_one(warning, &sources);
        }
    }
    let found = match find(scenario, arguments) {
        Ok(found) => found,
        Err((message, help)) => {
            render::error(message, help);
            return Exit::RunFailed;
        }
    };
    if arguments.json {
        print_json(&as_json(&found));
    } else if !arguments.quiet {
        tell(&found);
    }
    let Some(out) = &arguments.out else {
        return Exit::Done;
    };
    let place = shapes::PictureFolder {
        folder: out,
        foreign: arguments.force.into(),
        format: plot_format(arguments.pdf, arguments.png),
    };
    let drawn = shapes::draw(&found, &place);
    let folder = match drawn {
        Ok(folder) => folder,
        Err(error) => return super::unwritten(&error),
    };
    if arguments.report
        && let Err(error) = page::write(&found, out)
    {
        render::error(error.to_string(), None);
        return Exit::RunFailed;
    }
    let json = format!("{:#}\n", as_json(&found));
    match folder.finish(json.as_bytes()) {
        Ok(()) => Exit::Done,
        Err(error) => super::unwritten(&error),
    }
}

fn find(
    scenario: Scenario,
    arguments: &ModesArguments,
) -> Result<ModeTable, (String, Option<String>)> {
    let model = &scenario.model;
    let mut state = model.start();
    let mut iterations = 0;
    if arguments.as_given {
        warn_of_loads(model, &state);
    } else {
        iterations = equilibrium(model, &mut state).map_err(|error| {
            let help = "with --as-given the modes are those about the positions of the file";
            (error.to_string(), Some(help.to_owned()))
        })?;
    }
    warn_of_drives(model, &state);
    let contacts = match arguments.contacts {
        None => Contacts::AsTheyStand,
        Some(ContactState::Stuck) => Contacts::Stuck,
        Some(ContactState::Free) => Contacts::Free,
    };
    let modes = model
        .modes(&state, contacts, arguments.count)
        .map_err(|error| (error.to_string(), None))?;
    let motions = modes
        .iter()
        .map(|mode| {
            let real: Vec<f64> = mode.shape.iter().map(|z| z.re).collect();
            model.motions_of(&state, &real).1
        })
        .collect();
    Ok(ModeTable {
        scenario,
        state,
        iterations,
        modes,
        motions,
    })
}

/// What the loads strain, and so stiffen or soften, is not in modes about the positions given.
fn warn_of_loads(model: &Model, state: &State) {
    let Some(left) = unbalanced(model, state) else {
        return;
    };
    let residual = format_quantity(left.residual, "N or N m");
    let message = format!(
        "the forces do not balance at the positions given ({residual} is left at {})",
        left.element
    );
    let help = "stiffening by loads and by spin is left out; without --as-given the modes are \
                those about the equilibrium";
    render::warning(message, Some(help.to_owned()));
}

/// What does not turn with a hub that spins is beside its beam at one instant alone.
fn warn_of_drives(model: &Model, state: &State) {
    let Some(beam) = model.beam_driven_apart(state) else {
        return;
    };
    let message =
        format!("the drives move the ends of {beam} apart: the modes are those of one instant");
    let help = "give beams and bodies that move with a driven body that body as their parent, free bodies too";
    render::warning(message, Some(help.to_owned()));
}

fn as_json(found: &ModeTable) -> Value {
    let bodies = found.scenario.model.bodies();
    let modes = found.modes.iter().zip(&found.motions).enumerate();
    let modes = modes.map(|(i, (mode, motions))| {
        let shape = bodies.iter().zip(motions).skip(1).map(|(body, [x, turn])| {
            json!({
                "body": body.name,
                "displacement": x.as_slice(),
                "rotation": turn.as_slice(),
            })
        });
        json!({
            "number": i + 1,
            "frequency": mode.frequency(),
            "undamped_frequency": mode.undamped_frequency(),
            "damped_frequency": mode.damped_frequency(),
            "damping_ratio": mode.damping_ratio(),
            "eigenvalue": { "re": mode.eigenvalue.re, "im": mode.eigenvalue.im },
            "mostly": mostly(found, motions),
            "shape": shape.collect::<Vec<_>>(),
        })
    });
    json!({
        "scenario": found.scenario.path.display().to_string(),
        "title": found.scenario.title,
        "degrees_of_freedom": crate::model::degrees_of_freedom(&found.scenario.model),
        "equilibrium_iterations": found.iterations,
        "modes": modes.collect::<Vec<_>>(),
    })
}

/// Below this part of the way that turning makes, a displacement does not describe a mode.
const TURNS: f64 = 0.1;

/// The length that turns the angle of a body into a way, m.
fn length(body: &Body) -> f64 {
    if body.size > 0.0 {
        return body.size;
    }
    let inertia = body.inertia.tensor.trace() / 2.0;
    if body.inertia.mass > 0.0 {
        (inertia / body.inertia.mass).sqrt()
    } else {
        0.0
    }
}

/// The body that moves most, and how.
fn mostly(found: &ModeTable, motions: &[[Vec3; 2]]) -> String {
    let bodies = found.scenario.model.bodies();
    let all = bodies.iter().zip(motions).skip(1);
    let largest = |k: usize| {
        let size = |m: &[Vec3; 2]| m[k].norm();
        all.clone()
            .max_by(|a, b| size(a.1).total_cmp(&size(b.1)))
            .map(|(body, m)| (body.name.clone(), m[k]))
    };
    let describe = |(name, v): (String, Vec3), what: &str| {
        let axis = v.iamax();
        let letter = ["x", "y", "z"][axis];
        let share = 100.0 * v[axis].abs() / v.norm();
        if share > 99.5 {
            format!("{name} {what} {letter}")
        } else {
            format!("{name} mostly {what} {letter} ({share:.0} %)")
        }
    };
    // a body that only turns is displaced by roundings
    let turning = all.clone().map(|(body, m)| m[1].norm() * length(body));
    let turning = turning.fold(0.0, f64::max);
    match (largest(0), largest(1)) {
        (Some(moved), _) if moved.1.norm() > TURNS * turning => describe(moved, "along"),
        (_, Some(turned)) if turned.1.norm() > 0.0 => describe(turned, "about"),
        _ => "nothing".to_owned(),
    }
}

/// Damping in percent, or what a mode without vibration does.
fn damping_percent(mode: &Mode) -> String {
    if mode.frequency() == 0.0 {
        return "rigid".to_owned();
    }
    if mode.eigenvalue.im == 0.0 && mode.eigenvalue.re > 0.0 {
        return "unstable".to_owned();
    }
    let text = format!("{:.4}", 100.0 * mode.damping_ratio());
    // a rounding below zero is none
    text.strip_prefix("-0.0000")
        .map_or(text.clone(), |_| "0.0000".to_owned())
}

fn tell(found: &ModeTable) {
    let mut page = text::new();
    page.bold(&found.scenario.title);
    let rows: Vec<Vec<String>> = found
        .modes
        .iter()
        .zip(&found.motions)
        .enumerate()
        .map(|(i, (mode, motions))| {
            vec![
                (i + 1).to_string(),
                format!("{:.4}", mode.frequency()),
                mode.undamped_frequency()
                    .map_or_else(|| "–".to_owned(), |f| format!("{f:.4}")),
                damping_percent(mode),
                mostly(found, motions),
            ]
        })
        .collect();
    page.table(
        &[
            "mode",
            "frequency [Hz]",
            "undamped [Hz]",
            "damping [%]",
            "largest motion",
        ],
        &rows,
    );
    text::print(page);
}
