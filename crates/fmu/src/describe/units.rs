//! The units of the variables in base units.

use bristle_units::parse_any_quantity;

use super::xml::{Attributes, XmlText, with};
use crate::variable::FmuVariable;

/// The unit of a variable, if it is not a pure number.
pub(super) fn unit_of(variable: &FmuVariable) -> Option<String> {
    (variable.unit != "1").then(|| variable.unit.clone())
}

/// The definitions of all units that variables have, each once.
pub(super) fn define(xml: &mut XmlText, variables: &[FmuVariable]) {
    let mut units: Vec<&str> = Vec::new();
    for variable in variables {
        if variable.unit != "1" && !units.contains(&variable.unit.as_str()) {
            units.push(&variable.unit);
        }
    }
    if units.is_empty() {
        return;
    }
    xml.begin("UnitDefinitions", &[]);
    for unit in units {
        let Some(base) = base_units(unit) else {
            xml.element("Unit", &[with("name", unit)]);
            continue;
        };
        xml.begin("Unit", &[with("name", unit)]);
        let attributes: Vec<_> = base.iter().map(|(name, x)| with(name, x)).collect();
        let attributes: Attributes<'_> = &attributes;
        xml.element("BaseUnit", attributes);
        xml.end();
    }
    xml.end();
}

/// The exponents of a unit; none where one is no whole number, which FMI cannot say.
fn base_units(unit: &str) -> Option<Vec<(&'static str, i8)>> {
    let quantity = format!("1 {unit}");
    let dimension = parse_any_quantity(&quantity)
        .filter(|quantity| quantity.factor.to_bits() == 1.0_f64.to_bits())?
        .dimension;
    let halves = [
        ("kg", dimension.mass),
        ("m", dimension.length),
        ("s", dimension.time),
        ("rad", dimension.angle),
    ];
    if halves.iter().any(|(_, halves)| halves % 2 != 0) {
        return None;
    }
    let whole = halves.map(|(name, halves)| (name, halves / 2));
    Some(whole.into_iter().filter(|(_, power)| *power != 0).collect())
}
