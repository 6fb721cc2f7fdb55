//! The FMU of a law.

use bristle_fmu::{FmuContents, FmuKind, FmuMachine, FmuRequest, LawMachine};
use bristle_scenario::units::Unit;
use bristle_scenario::{SourceMap, load_law, packed_law, parse_quantity};

use super::{FmuModel, FmuRefusal};
use crate::args::FmuArguments;
use crate::render;

/// Normal force at the start, N, where none is given.
const UNIT_LOAD: f64 = 1.0;

/// The law with its parameters.
pub(super) fn model(arguments: &FmuArguments, name: &str) -> Result<FmuModel, FmuRefusal> {
    for (option, given) in [
        ("--input", &arguments.inputs),
        ("--output", &arguments.outputs),
        ("--parameter", &arguments.parameters),
        ("--set", &arguments.overrides),
    ] {
        if !given.is_empty() {
            return Err(FmuRefusal::with(
                format!(
                    "{option} is of scenarios, and {} is a law",
                    arguments.model.display()
                ),
                "the FMU of a law has all of its inputs, outputs and parameters; --param changes a \
                 value",
            ));
        }
    }
    let law = arguments.model.to_string_lossy();
    let mut sources = SourceMap::new();
    let loaded = load_law(&law, &arguments.law_parameters, &mut sources);
    let (_, warnings) = loaded.map_err(|all| FmuRefusal::Diagnosed(all, sources.clone()))?;
    for warning in &warnings {
        render::print_one(warning, &sources);
    }
    let mut sources = SourceMap::new();
    let packed = packed_law(&law, &arguments.law_parameters, &mut sources)
        .map_err(|all| FmuRefusal::Diagnosed(all, sources.clone()))?;
    let request = FmuRequest {
        kind: FmuKind::Law {
            dimension: arguments.dimension.unwrap_or(1).into(),
            normal_force: normal_force(arguments)?,
        },
        model: name.to_owned(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        parameters: Vec::new(),
    };
    let plain = |error: bristle_fmu::FmuError| FmuRefusal::plain(error.text);
    let contents = FmuContents::new(request, packed).map_err(plain)?;
    let machine = LawMachine::new(&contents).map_err(plain)?;
    Ok(FmuModel {
        contents,
        machine: FmuMachine::Law(Box::new(machine)),
    })
}

fn normal_force(arguments: &FmuArguments) -> Result<f64, FmuRefusal> {
    let Some(text) = &arguments.normal_force else {
        return Ok(UNIT_LOAD);
    };
    let force = parse_quantity(text, Unit::NEWTON)
        .map_err(|error| FmuRefusal::Plain(format!("--normal-force: {error}"), error.help()))?;
    if force > 0.0 {
        return Ok(force);
    }
    Err(FmuRefusal::with(
        format!("--normal-force = {force} N: expected a force in (0, ∞) N"),
        "states are scaled at this force; N itself may be 0 in the simulation",
    ))
}
