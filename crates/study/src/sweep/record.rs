//! What is kept of one run of a sweep.

use bristle_results::{Expectation, Summary, format_number};
use serde::{Deserialize, Serialize};

/// How one run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseEnd {
    /// The end time was reached.
    Complete,
    /// The simulation could not go on.
    Failed,
    /// The scenario was not sound with these values.
    Refused,
}

impl CaseEnd {
    /// As the table has it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::Refused => "refused",
        }
    }
}

/// The numbers that runs of one kind have: name and unit.
pub(super) type Schema = Vec<(String, String)>;

/// One number that came out of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CaseNumber {
    /// Dotted name, as in `contacts.base.first_slip_time`.
    pub(super) name: String,
    /// SI unit; `1` for a pure number.
    pub(super) unit: String,
    /// The number as text, which keeps every bit; nothing if what it describes did not happen.
    pub(super) text: Option<String>,
}

impl CaseNumber {
    fn new(name: impl Into<String>, unit: impl Into<String>, value: Option<f64>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            text: value.filter(|v| v.is_finite()).map(format_number),
        }
    }

    /// Whether it is of this name and unit.
    pub(super) fn is(&self, name: &str, unit: &str) -> bool {
        self.name == name && self.unit == unit
    }

    /// The number.
    #[cfg(test)]
    pub(super) fn value(&self) -> Option<f64> {
        self.text.as_deref()?.parse().ok()
    }
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CaseRecord {
    /// Identifies the scenario with its values, the measures and the version.
    pub(super) key: String,
    /// The values of the axes, in their order.
    pub(super) parameters: Vec<String>,
    /// How it ended.
    pub(super) end: CaseEnd,
    /// Why it did not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// What the user can do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<String>,
    /// Time on the clock (s).
    pub(super) wall_s: f64,
    /// The results; their names and units are kept once for many runs.
    #[serde(skip)]
    pub(super) numbers: Vec<CaseNumber>,
    /// Rows of the channels that are kept, one behind the other.
    #[serde(skip)]
    pub(super) kept: Vec<f64>,
}

/// All numbers of a summary but the time on the clock: that one would differ from run to run.
///
/// `measured` are further numbers, `unit_of` gives the unit of a channel. Channels of single
/// points of contacts are left out, since there may be thousands.
pub(super) fn numbers(
    summary: &Summary,
    measured: Vec<CaseNumber>,
    unit_of: &dyn Fn(&str) -> String,
) -> Vec<CaseNumber> {
    let mut all = vec![
        CaseNumber::new("end_time", "s", Some(summary.end_time)),
        CaseNumber::new("steps", "1", Some(summary.steps as f64)),
        CaseNumber::new("rejected_steps", "1", Some(summary.rejected_steps as f64)),
        CaseNumber::new("iterations", "1", Some(summary.iterations as f64)),
    ];
    let energy = &summary.energy;
    for (field, unit, value) in [
        ("input", "J", energy.input),
        ("kinetic", "J", energy.kinetic),
        ("stored", "J", energy.stored),
        ("dissipated", "J", energy.dissipated),
        ("imbalance", "J", energy.imbalance),
        ("relative_imbalance", "1", energy.relative_imbalance),
    ] {
        all.push(CaseNumber::new(
            format!("energy.{field}"),
            unit,
            Some(value),
        ));
    }
    for (kind, name, pair) in summary.pairs() {
        let group = kind.group();
        for (field, unit, value) in pair.numbers() {
            all.push(CaseNumber::new(
                format!("{group}.{name}.{field}"),
                unit,
                value,
            ));
        }
    }
    all.extend(measured);
    expectations(&summary.expectations, &mut all);
    extremes(summary, unit_of, &mut all);
    all
}

/// Smallest and largest values of the channels, and when they were taken.
fn extremes(summary: &Summary, unit_of: &dyn Fn(&str) -> String, all: &mut Vec<CaseNumber>) {
    for (channel, extreme) in summary
        .extremes
        .iter()
        .filter(|(name, _)| !of_a_point(name))
    {
        let unit = unit_of(channel);
        for (field, unit, value) in [
            ("min", unit.as_str(), extreme.min),
            ("t_min", "s", extreme.t_min),
            ("max", unit.as_str(), extreme.max),
            ("t_max", "s", extreme.t_max),
        ] {
            all.push(CaseNumber::new(
                format!("{EXTREMES}{channel}.{field}"),
                unit,
                Some(value),
            ));
        }
    }
}

/// What the names of extremes begin with.
pub(super) const EXTREMES: &str = "extremes.";

fn expectations(expectations: &[Expectation], all: &mut Vec<CaseNumber>) {
    for (i, expectation) in expectations.iter().enumerate() {
        let earlier = &expectations[..i];
        let same = earlier
            .iter()
            .filter(|e| e.name == expectation.name)
            .count();
        let name = if same == 0 {
            format!("expectations.{}", expectation.name)
        } else {
            format!("expectations.{} ({})", expectation.name, same + 1)
        };
        let met = if expectation.met { 1.0 } else { 0.0 };
        let met = (!expectation.not_reached).then_some(met);
        all.push(CaseNumber::new(
            format!("{name}.value"),
            &expectation.unit,
            expectation.value,
        ));
        all.push(CaseNumber::new(format!("{name}.met"), "1", met));
    }
}

/// Whether a channel is that of one point of a contact, as `contact.base.point1.depth`.
fn of_a_point(channel: &str) -> bool {
    channel.starts_with("contact.")
        && channel.split('.').any(|word| {
            word.strip_prefix("point")
                .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        })
}

/// A number that was measured on a channel.
pub(super) fn measured(name: String, unit: &str, value: Option<f64>) -> CaseNumber {
    CaseNumber::new(name, unit, value)
}
