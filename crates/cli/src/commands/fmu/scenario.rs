//! The FMU of a scenario.

use bristle_fmu::{FmuContents, FmuKind, FmuMachine, FmuRequest, ScenarioMachine};
use bristle_scenario::{Changes, SourceMap, Template};

use super::{FmuModel, FmuRefusal, names};
use crate::args::FmuArguments;
use crate::commands::notices;
use crate::render;

/// The scenario with what was chosen of it.
pub(super) fn model(arguments: &FmuArguments, name: &str) -> Result<FmuModel, FmuRefusal> {
    for (option, is_given) in [
        ("--param", !arguments.law_parameters.is_empty()),
        ("--dim", arguments.dimension.is_some()),
        ("--normal-force", arguments.normal_force.is_some()),
    ] {
        if is_given {
            return Err(FmuRefusal::with(
                format!(
                    "{option} is of laws, and {} is a scenario",
                    arguments.model.display()
                ),
                "--set changes a value of a scenario",
            ));
        }
    }
    let mut sources = SourceMap::new();
    let template = Template::read(&arguments.model, &arguments.overrides, &mut sources);
    let template = template.map_err(|all| FmuRefusal::Diagnosed(all, sources.clone()))?;
    let built = template.build(&Changes::NONE, &mut sources);
    let mut scenario = built.map_err(|all| FmuRefusal::Diagnosed(all, sources.clone()))?;
    notices::add(&mut scenario);
    for warning in &scenario.warnings {
        render::print_one(warning, &sources);
    }
    let packed = template.packed(&Changes::NONE, &mut sources);
    let packed = packed.map_err(|all| FmuRefusal::Diagnosed(all, sources.clone()))?;
    let request = FmuRequest {
        kind: FmuKind::Scenario,
        model: name.to_owned(),
        inputs: names(&arguments.inputs),
        outputs: names(&arguments.outputs),
        parameters: names(&arguments.parameters),
    };
    let plain = |error: bristle_fmu::FmuError| {
        let help = error
            .text
            .contains("channel")
            .then(|| "`bristle check --channels` lists the channels of a scenario".to_owned());
        FmuRefusal::Plain(error.text, help)
    };
    let contents = FmuContents::new(request, packed).map_err(plain)?;
    let machine = ScenarioMachine::of_template(&contents, template, sources).map_err(plain)?;
    Ok(FmuModel {
        contents,
        machine: FmuMachine::Scenario(Box::new(machine)),
    })
}
