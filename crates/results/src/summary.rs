//! What a run was, and its results: the content of `summary.json`.

use serde::{Deserialize, Serialize};

use crate::finite_or_null;
use crate::ordered::Ordered;
use crate::pair::{ContactSummary, PairKind};

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The end time was reached.
    #[default]
    Complete,
    /// The user stopped it; what was computed is kept.
    Interrupted,
    /// The simulation could not go on; what was computed is kept.
    Failed,
}

/// Why a run failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFailure {
    /// What happened.
    pub message: String,
    /// Model time (s).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The element that was at fault, such as `contact.base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// What the user can do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// The energy ledger of a run, in J.
///
/// It closes when input = (kinetic and stored energy, as changes from the start) + dissipated;
/// `imbalance` is the closing error, at the worst time of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// Work that forces and prescribed motions put in (J).
    #[serde(with = "finite_or_null")]
    pub input: f64,
    /// Kinetic energy, end minus start (J).
    #[serde(with = "finite_or_null")]
    pub kinetic: f64,
    /// Energy stored in springs, bristles and height, end minus start (J).
    #[serde(with = "finite_or_null")]
    pub stored: f64,
    /// Energy lost to friction and damping (J).
    #[serde(with = "finite_or_null")]
    pub dissipated: f64,
    /// The most that was missing in the run: input − kinetic − stored − dissipated (J).
    #[serde(with = "finite_or_null")]
    pub imbalance: f64,
    /// The imbalance as a part of the energy exchanged: the largest put in, lost, or turned into another kind.
    #[serde(with = "finite_or_null")]
    pub relative_imbalance: f64,
}

impl Energy {
    /// The relative imbalance as people read it: 0 where it is rounding.
    pub fn relative_imbalance_text(&self) -> String {
        if self.relative_imbalance == 0.0 {
            "0".to_owned()
        } else {
            format!("{:.1e}", self.relative_imbalance)
        }
    }
}

/// The smallest and the largest value of a channel, and when they occurred.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extreme {
    /// Smallest value, in the channel's unit.
    #[serde(with = "finite_or_null")]
    pub min: f64,
    /// When it first occurred (s).
    #[serde(with = "finite_or_null")]
    pub t_min: f64,
    /// Largest value, in the channel's unit.
    #[serde(with = "finite_or_null")]
    pub max: f64,
    /// When it first occurred (s).
    #[serde(with = "finite_or_null")]
    pub t_max: f64,
}

impl Extreme {
    /// Takes another value into account.
    pub fn include(&mut self, t: f64, value: f64) {
        if value < self.min {
            (self.min, self.t_min) = (value, t);
        }
        if value > self.max {
            (self.max, self.t_max) = (value, t);
        }
    }
}

/// One expectation of the scenario and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The name that the scenario gives it.
    pub name: String,
    /// What the run gave; nothing if the event never happened.
    pub value: Option<f64>,
    /// What was expected.
    pub expected: f64,
    /// By how much the value may differ.
    pub tolerance: f64,
    /// Where the expected value comes from.
    pub source: String,
    /// Whether the value is within the tolerance.
    pub met: bool,
    /// Whether it looks later than the run went, which was cut short: then it is neither met nor
    /// missed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_reached: bool,
    /// The unit of value, expected and tolerance.
    pub unit: String,
}

/// An event of the scenario: a channel has crossed a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventSummary {
    /// When it happened (s).
    pub times: Vec<f64>,
    /// Whether the run ended there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// The summary of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The scenario's file.
    pub scenario: String,
    /// The scenario's title.
    #[serde(default)]
    pub title: String,
    /// What was simulated, in a phrase: bodies, degrees of freedom, contacts, law, method.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// The version of Bristle.
    pub version: String,
    /// Hash of the scenario as it was run.
    #[serde(default)]
    pub scenario_hash: String,
    /// How the run ended.
    #[serde(default)]
    pub status: Status,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RunFailure>,
    /// Model time that was reached (s).
    pub end_time: f64,
    /// Model time that was asked for (s), if the run ended before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_end_time: Option<f64>,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected_steps: u64,
    /// Newton iterations.
    pub iterations: u64,
    /// Time on the clock (s).
    pub wall_s: f64,
    /// The energy ledger.
    pub energy: Energy,
    /// Sticking and slipping by contact.
    pub contacts: Ordered<ContactSummary>,
    /// The joints with friction by name.
    #[serde(default, skip_serializing_if = "Ordered::is_empty")]
    pub joints: Ordered<ContactSummary>,
    /// The events by name.
    #[serde(default, skip_serializing_if = "Ordered::is_empty")]
    pub events: Ordered<EventSummary>,
    /// Extremes by channel.
    #[serde(default)]
    pub extremes: Ordered<Extreme>,
    /// Warnings where physics deserves one.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The scenario's expectations.
    pub expectations: Vec<Expectation>,
}

impl Summary {
    /// All that can stick and slip: contacts, then joints with friction.
    pub fn pairs(&self) -> impl Iterator<Item = (PairKind, &str, &ContactSummary)> {
        let contacts = self
            .contacts
            .iter()
            .map(|(name, pair)| (PairKind::Contact, name, pair));
        let joints = self
            .joints
            .iter()
            .map(|(name, pair)| (PairKind::Joint, name, pair));
        contacts.chain(joints)
    }

    /// Whether no expectation was missed.
    pub fn expectations_met(&self) -> bool {
        self.expectations.iter().all(|e| e.met || e.not_reached)
    }
}
