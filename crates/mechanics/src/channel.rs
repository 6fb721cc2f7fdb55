//! Quantities that a run records.

/// A channel: a quantity that a run records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelInfo {
    /// Dotted name.
    pub name: String,
    /// SI unit.
    pub unit: &'static str,
    /// What it is.
    pub meaning: String,
}

impl ChannelInfo {
    /// A channel.
    pub fn new(name: String, unit: &'static str, meaning: &str) -> Self {
        Self {
            name,
            unit,
            meaning: meaning.to_owned(),
        }
    }

    /// The components of a vector.
    pub fn vector(path: &str, unit: &'static str, meaning: &str) -> [Self; 3] {
        ["x", "y", "z"].map(|axis| Self::new(format!("{path}.{axis}"), unit, meaning))
    }
}
