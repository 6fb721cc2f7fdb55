//! What can be wrong with a beam.

use super::section::BeamProperties;
use crate::model_error::ModelError;
use bristle_laws::Shortest;

/// What is wrong with a beam.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BeamError {
    /// A number outside its range.
    #[error("beam `{beam}`: {field} = {} {unit}, must be in {range}", Shortest(*value))]
    Value {
        /// The beam.
        beam: String,
        /// The field.
        field: &'static str,
        /// What was given.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// What is allowed.
        range: &'static str,
    },
    /// The ends coincide.
    #[error("beam `{beam}` has zero length: both ends are at ({}, {}, {}) m", .at[0], .at[1], .at[2])]
    ZeroLength {
        /// The beam.
        beam: String,
        /// Where both ends are, m.
        at: [f64; 3],
    },
    /// The section's y axis has no part across the beam.
    #[error(
        "beam `{beam}`: section_y = {section_y:?} lies along the beam, whose direction is {axis:?}; give a direction across it"
    )]
    SectionAxis {
        /// The beam.
        beam: String,
        /// What was given.
        section_y: [f64; 3],
        /// Direction of the beam.
        axis: [f64; 3],
    },
    /// No element at all.
    #[error("beam `{0}`: elements = 0, must be at least 1")]
    NoElements(String),
    /// Nodes inside the beam would have no mass.
    #[error(
        "beam `{0}`: density = 0 kg/m^3 leaves the nodes between its elements without mass; give a density in (0, ∞) kg/m^3 or use one element"
    )]
    MasslessNodes(String),
    /// The model refused a node or an element.
    #[error("beam `{beam}`: {error}")]
    Model {
        /// The beam.
        beam: String,
        /// What the model says.
        error: ModelError,
    },
}

impl BeamProperties {
    /// Checks section, material, damping and the length of a beam or an element, m.
    pub(crate) fn check(&self, beam: &str, length: f64) -> Result<(), BeamError> {
        let Self {
            section,
            material,
            damping,
            ..
        } = self;
        let positive = [
            ("length", length, "m"),
            ("area", section.area, "m^2"),
            ("i_y", section.i_y, "m^4"),
            ("i_z", section.i_z, "m^4"),
            ("torsion_constant", section.torsion_constant, "m^4"),
            ("young", material.young, "Pa"),
            ("shear", material.shear, "Pa"),
        ];
        let others = [
            ("density", material.density, "kg/m^3"),
            ("mass_damping", damping.mass, "1/s"),
            ("stiffness_damping", damping.stiffness, "s"),
        ];
        let bad = |(field, value, unit), range| BeamError::Value {
            beam: beam.to_owned(),
            field,
            value,
            unit,
            range,
        };
        for entry in positive {
            if !(entry.1 > 0.0 && entry.1.is_finite()) {
                return Err(bad(entry, "(0, ∞)"));
            }
        }
        for entry in others {
            if !(entry.1 >= 0.0 && entry.1.is_finite()) {
                return Err(bad(entry, "[0, ∞)"));
            }
        }
        Ok(())
    }
}
