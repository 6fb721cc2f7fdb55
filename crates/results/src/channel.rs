//! What a column of the results means.

use serde::{Deserialize, Serialize};

use crate::ordered::Ordered;

/// One column of the results: its dotted name, its unit and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Dotted name, such as `contact.base.point1.normal_force`.
    pub name: String,
    /// SI unit, such as `m/s`; `1` for a number without dimension.
    pub unit: String,
    /// One phrase: what is measured, where, and with which sign.
    pub meaning: String,
}

impl Channel {
    /// A channel from its three texts.
    pub fn new(
        name: impl Into<String>,
        unit: impl Into<String>,
        meaning: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            meaning: meaning.into(),
        }
    }

    /// The first column of every table: the model time `t` in s.
    pub fn time() -> Self {
        Self::new("t", "s", "model time")
    }
}

/// What the channels of a run are.
pub(crate) const CHANNELS: &str = "channels.json";

/// What `channels.json` says of one channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Description {
    pub(crate) unit: String,
    pub(crate) meaning: String,
}

/// The content of `channels.json`, in the order of the columns.
pub(crate) fn descriptions(channels: &[Channel]) -> Ordered<Description> {
    channels
        .iter()
        .map(|c| {
            let description = Description {
                unit: c.unit.clone(),
                meaning: c.meaning.clone(),
            };
            (c.name.clone(), description)
        })
        .collect()
}
