//! Quantities that a run records.
use std::borrow::Cow;

/// A channel: a quantity that a run records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelInfo {
    /// Dotted name.
    pub name: String,
    /// SI unit.
    pub unit: Cow<'static, str>,
    /// What it is.
    pub meaning: String,
}

impl ChannelInfo {
    /// A channel.
    pub fn new(name: String, unit: impl Into<Cow<'static, str>>, meaning: &str) -> Self {
        Self {
            name,
            unit: unit.into(),
            meaning: meaning.to_owned(),
        }
    }

    /// The components of a vector.
    pub fn vector(path: &str, unit: impl Into<Cow<'static, str>>, meaning: &str) -> [Self; 3] {
        let unit = unit.into();
        ["x", "y", "z"].map(|axis| Self::new(format!("{path}.{axis}"), unit.clone(), meaning))
    }
}
