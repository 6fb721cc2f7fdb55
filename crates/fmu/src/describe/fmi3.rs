//! The description for FMI 3.0.

use super::facts::{CATEGORIES, ModelFacts, TOOL, causality, initial, variability};
use super::units;
use super::xml::{XmlText, number, with};
use crate::variable::{FmuVariable, VariableRole};

pub(super) fn description(facts: &ModelFacts<'_>) -> String {
    let mut xml = XmlText::new();
    xml.begin(
        "fmiModelDescription",
        &[
            with("fmiVersion", "3.0"),
            with("modelName", facts.name),
            with("instantiationToken", facts.token),
            with("description", &facts.title),
            with("version", env!("CARGO_PKG_VERSION")),
            with("generationTool", TOOL),
            with("variableNamingConvention", "flat"),
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
    xml.element(
        "Float64",
        &[
            with("name", "time"),
            with("valueReference", 0),
            with("description", "time in s"),
            with("causality", "independent"),
            with("variability", "continuous"),
        ],
    );
    for (place, variable) in facts.variables.iter().enumerate() {
        float64(&mut xml, facts, place, variable);
    }
    xml.end();
    structure(&mut xml, facts);
    xml.finish()
}

fn interface(xml: &mut XmlText, facts: &ModelFacts<'_>) {
    let mut attributes = vec![
        with("modelIdentifier", facts.identifier),
        with("needsExecutionTool", false),
        with("canBeInstantiatedOnlyOncePerProcess", false),
        with("canGetAndSetFMUState", true),
        with("canSerializeFMUState", true),
    ];
    if facts.is_co_simulation {
        attributes.push(with("canHandleVariableCommunicationStepSize", true));
        attributes.push(with("hasEventMode", false));
        xml.element("CoSimulation", &attributes);
    } else {
        attributes.push(with("providesDirectionalDerivatives", true));
        attributes.push(with("providesAdjointDerivatives", true));
        attributes.push(with("needsCompletedIntegratorStep", facts.indicators > 0));
        xml.element("ModelExchange", &attributes);
    }
}

fn float64(xml: &mut XmlText, facts: &ModelFacts<'_>, place: usize, own: &FmuVariable) {
    let derivative = match own.role {
        VariableRole::Rate(i) => Some(FmuVariable::reference_at(facts.state(i)).to_string()),
        _ => None,
    };
    xml.element(
        "Float64",
        &[
            with("name", &own.name),
            with("valueReference", FmuVariable::reference_at(place)),
            with("description", &own.description),
            with("causality", causality(own)),
            with("variability", variability(own)),
            ("initial", initial(own).map(str::to_owned)),
            ("unit", units::unit_of(own)),
            ("min", own.min.map(number)),
            ("max", own.max.map(number)),
            ("nominal", own.nominal.map(number)),
            ("start", own.start.map(number)),
            ("derivative", derivative),
        ],
    );
}

fn structure(xml: &mut XmlText, facts: &ModelFacts<'_>) {
    let reference = |place: &usize| FmuVariable::reference_at(*place).to_string();
    let knowns: Vec<String> = facts.knowns().iter().map(reference).collect();
    let knowns = knowns.join(" ");
    xml.begin("ModelStructure", &[]);
    let mut list = |name: &str, places: &[usize], knowns: Option<&String>| {
        for place in places {
            xml.element(
                name,
                &[
                    with("valueReference", reference(place)),
                    ("dependencies", knowns.cloned()),
                ],
            );
        }
    };
    list("Output", &facts.outputs(), Some(&knowns));
    list("ContinuousStateDerivative", &facts.rates(), Some(&knowns));
    list("InitialUnknown", &facts.initial_unknowns(), None);
    list("EventIndicator", &facts.margins(), Some(&knowns));
    xml.end();
}
