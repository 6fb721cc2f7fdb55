//! What the tests of the import share.

#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::expect_used, reason = "a test may panic")]

use std::path::Path;

use bristle_import::{ImportOptions, ImportProblem, Imported, MachineBody, import};
use bristle_laws::{Friction, REFERENCE};
use bristle_mechanics::Model;
use bristle_scenario::{Changes, Scenario, ScenarioText, SourceMap, Template};

/// The import with default options.
pub(crate) fn read(text: &str) -> Imported {
    import(text, &options(false, false)).expect("a file that imports")
}

/// What is wrong with a file.
pub(crate) fn problems(text: &str) -> Vec<ImportProblem> {
    import(text, &options(false, false)).expect_err("a file that does not import")
}

/// The options of the command.
pub(crate) fn options(floating: bool, repair: bool) -> ImportOptions<'static> {
    ImportOptions {
        file: "robot.urdf",
        law: Friction::card_of(REFERENCE).expect("a law of the catalogue"),
        floating,
        repair,
    }
}

/// A body by its name.
pub(crate) fn body<'i>(imported: &'i Imported, name: &str) -> &'i MachineBody {
    let mut bodies = imported.machine.bodies.iter();
    bodies.find(|body| body.name == name).expect("the body")
}

/// The model of a scenario, as `bristle check` reads it.
pub(crate) fn model(toml: &str) -> Result<Model, String> {
    scenario(toml).map(|scenario| scenario.model)
}

/// A scenario, as `bristle check` reads it.
pub(crate) fn scenario(toml: &str) -> Result<Scenario, String> {
    let mut sources = SourceMap::new();
    let text = ScenarioText {
        name: "robot.toml",
        text: toml,
        folder: Path::new("."),
    };
    let scenario = Template::of_text(&text, &[], &mut sources)
        .and_then(|template| template.build(&Changes::NONE, &mut sources));
    match scenario {
        Ok(scenario) => Ok(scenario),
        Err(diagnostics) => {
            let all = diagnostics.iter().map(|d| d.message.clone());
            Err(all.collect::<Vec<_>>().join("\n"))
        }
    }
}

/// Mass matrix and force of gravity at the coordinates, by the residual of the model without friction.
pub(crate) fn dynamics(model: &Model, q: &[(usize, f64)]) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut state = model.start();
    for &(place, x) in q {
        state.q[place] = x;
    }
    state.v.fill(0.0);
    state.a.fill(0.0);
    let rest = model.residual_without_friction(&state);
    let gravity = q.iter().map(|(i, _)| rest[*i]).collect();
    let columns = q.iter().map(|(j, _)| {
        state.a[*j] = 1.0;
        let pushed = model.residual_without_friction(&state);
        state.a[*j] = 0.0;
        q.iter().map(|(i, _)| pushed[*i] - rest[*i]).collect()
    });
    (columns.collect(), gravity)
}
