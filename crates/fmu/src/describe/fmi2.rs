//! The description for FMI 2.0.

use super::facts::{CATEGORIES, ModelFacts, TOOL, causality, initial, variability};
use super::units;
use super::xml::{XmlText, number, with};
use crate::variable::{FmuVariable, VariableRole};

pub(super) fn description(facts: &ModelFacts<'_>) -> String {
    let mut xml = XmlText::new();
    xml.begin(
        "fmiModelDescription",
        &[
            with("fmiVersion", "2.0"),
            with("modelName", facts.name),
            with("guid", facts.token),
            with("description", &facts.title),
            with("version", env!("CARGO_PKG_VERSION")),
            with("generationTool", TOOL),
            with("variableNamingConvention", "flat"),
            with("numberOfEventIndicators", facts.indicators),
        ],
    );
    interface(&mut xml, facts);
    units::define(&mut xml, facts.variables);
    xml.begin("LogCategories", &[]);
    for (name, meaning) in CATEGORIES {
        xml.element(
            "Category",
            &[with("name", name), with("description", meaning)],
        );
    }
    xml.end();
    let (end, step) = facts.experiment;
    xml.element(
        "DefaultExperiment",
        &[
            with("startTime", "0.0"),
            with("stopTime", number(end)),
            with("stepSize", number(step)),
        ],
    );
    xml.begin("ModelVariables", &[]);
    for (place, variable) in facts.variables.iter().enumerate() {
        scalar_variable(&mut xml, facts, place, variable);
    }
    xml.end();
    structure(&mut xml, facts);
    xml.finish()
}

fn interface(xml: &mut XmlText, facts: &ModelFacts<'_>) {
    let mut attributes = vec![
        with("modelIdentifier", facts.identifier),
        with("needsExecutionTool", false),
    ];
    if facts.is_co_simulation {
        attributes.push(with("canHandleVariableCommunicationStepSize", true));
        attributes.push(with("canInterpolateInputs", true));
        attributes.push(with("maxOutputDerivativeOrder", 0));
        attributes.push(with("canRunAsynchronuously", false));
    } else {
        attributes.push(with(
            "completedIntegratorStepNotNeeded",
            facts.indicators == 0,
        ));
    }
    attributes.push(with("canBeInstantiatedOnlyOncePerProcess", false));
    attributes.push(with("canNotUseMemoryManagementFunctions", true));
    attributes.push(with("canGetAndSetFMUstate", true));
    attributes.push(with("canSerializeFMUstate", true));
    attributes.push(with(
        "providesDirectionalDerivative",
        !facts.is_co_simulation,
    ));
    let name = if facts.is_co_simulation {
        "CoSimulation"
    } else {
        "ModelExchange"
    };
    xml.element(name, &attributes);
}

fn scalar_variable(xml: &mut XmlText, facts: &ModelFacts<'_>, place: usize, own: &FmuVariable) {
    xml.begin(
        "ScalarVariable",
        &[
            with("name", &own.name),
            with("valueReference", FmuVariable::reference_at(place)),
            with("description", &own.description),
            with("causality", causality(own)),
            with("variability", variability(own)),
            ("initial", initial(own).map(str::to_owned)),
        ],
    );
    let derivative = match own.role {
        VariableRole::Rate(i) => Some((facts.state(i) + 1).to_string()),
        _ => None,
    };
    xml.element(
        "Real",
        &[
            ("unit", units::unit_of(own)),
            ("min", own.min.map(number)),
            ("max", own.max.map(number)),
            ("nominal", own.nominal.map(number)),
            ("start", own.start.map(number)),
            ("derivative", derivative),
        ],
    );
    xml.end();
}

/// Indices from 1, separated by spaces.
fn indices(places: &[usize]) -> String {
    let indices: Vec<String> = places.iter().map(|place| (place + 1).to_string()).collect();
    indices.join(" ")
}

fn structure(xml: &mut XmlText, facts: &ModelFacts<'_>) {
    let knowns = indices(&facts.knowns());
    let list =
        |xml: &mut XmlText, name: &'static str, places: &[usize], knowns: Option<&String>| {
            if places.is_empty() {
                return;
            }
            xml.begin(name, &[]);
            for place in places {
                xml.element(
                    "Unknown",
                    &[with("index", place + 1), ("dependencies", knowns.cloned())],
                );
            }
            xml.end();
        };
    xml.begin("ModelStructure", &[]);
    list(xml, "Outputs", &facts.outputs(), Some(&knowns));
    list(xml, "Derivatives", &facts.rates(), Some(&knowns));
    list(xml, "InitialUnknowns", &facts.initial_unknowns(), None);
    xml.end();
}
