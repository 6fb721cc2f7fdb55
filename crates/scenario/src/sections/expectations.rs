//! `[[expect]]`: what a run must give.

use super::quantities::{NamedQuantity, Quantities};
use super::values::refuse_unused;
use crate::{Diagnostic, Field, FieldKind, FieldRange, Fields, Section, Unit};
use bristle_laws::Shortest;

/// An expectation: a quantity of the run, its value and how far it may be off.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Name shown to the user.
    pub name: String,
    /// A channel such as `body.cube.velocity.x`, or a number of the summary such as
    /// `contact.base.first_slip_time`.
    pub target: String,
    /// What is taken of it.
    pub measure: Measure,
    /// Expected value, in `unit`.
    pub expected: f64,
    /// Largest admissible distance from it, in `unit`.
    pub tolerance: f64,
    /// SI unit of the quantity; `1` for a pure number.
    pub unit: String,
    /// Where the expected value comes from; may be empty.
    pub source: String,
}

/// What is taken of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// The number of the summary.
    Summary,
    /// The channel's value at a time (s).
    At(f64),
    /// A number made of the channel's values.
    Over {
        /// Which number.
        statistic: ExpectedStatistic,
        /// From and to (s); the whole run without it.
        window: Option<[f64; 2]>,
    },
}

/// How the values of a channel become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedStatistic {
    /// Every value: the one farthest from the expected value counts.
    All,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The mean over time.
    Mean,
    /// The root of the mean square over time.
    Rms,
    /// The value at the end minus that at the start.
    Drift,
    /// The largest value minus the smallest.
    Range,
    /// The value at the end.
    Final,
    /// The value at the start.
    Initial,
}

const STATISTICS: &[&str] = &[
    "all", "min", "max", "mean", "rms", "drift", "range", "final", "initial",
];

impl ExpectedStatistic {
    fn named(word: &str) -> Self {
        match word {
            "min" => Self::Min,
            "max" => Self::Max,
            "mean" => Self::Mean,
            "rms" => Self::Rms,
            "drift" => Self::Drift,
            "range" => Self::Range,
            "final" => Self::Final,
            "initial" => Self::Initial,
            _ => Self::All,
        }
    }
}

pub(super) const EXPECT: Section = Section {
    name: "expect",
    doc: "What the run must give.",
    fields: &[
        Field::optional(
            "name",
            FieldKind::Text,
            "A name for it; the value's if not given",
        ),
        Field::required(
            "value",
            FieldKind::Text,
            "A channel such as body.cube.velocity.x, or a number of the summary such as \
             contact.base.first_slip_time",
        ),
        Field::required(
            "expected",
            FieldKind::Any("a number or a text with the unit of the value"),
            "The expected value",
        ),
        Field::required(
            "tolerance",
            FieldKind::Any("a number or a text with the unit of the value, not negative"),
            "Largest admissible distance from it",
        ),
        Field::optional(
            "source",
            FieldKind::Text,
            "Where the expected value comes from",
        )
        .default(""),
        Field::optional(
            "at",
            FieldKind::Number {
                unit: Unit::SECOND,
                range: FieldRange::NonNegative,
            },
            "Time at which a channel is looked at",
        ),
        Field::optional(
            "during",
            FieldKind::List {
                unit: Unit::SECOND,
                range: FieldRange::NonNegative,
            },
            "From when to when a channel is looked at",
        ),
        Field::optional(
            "statistic",
            FieldKind::Choice(STATISTICS),
            "How the values of the channel during that time, or the whole run, become one number; \
             all means that every value must be within the tolerance",
        )
        .default("all"),
    ],
};

/// Reads all expectations. Without the quantities, because the model is not sound, names and units
/// are not checked. `end_time` is that of the file where the command line cuts the run short.
pub(super) fn read(
    root: &Fields<'_>,
    quantities: Option<&Quantities>,
    end_time: Option<f64>,
) -> Vec<Expect> {
    let tables = root.tables("expect").into_iter();
    tables
        .filter_map(|fields| expect(&fields, quantities, end_time))
        .collect()
}

fn expect(
    fields: &Fields<'_>,
    quantities: Option<&Quantities>,
    end_time: Option<f64>,
) -> Option<Expect> {
    let value = fields.text_spanned("value");
    let times = times(fields, end_time);
    let (name, source) = (fields.text("name"), fields.text("source"));
    let (text, place) = value?;
    // the summary groups them under "contacts"
    let target = match text.strip_prefix("contacts.") {
        Some(rest) => format!("contact.{rest}"),
        None => text.to_owned(),
    };
    let quantities = quantities?;
    let Some(quantity) = quantities.find(&target) else {
        quantities.report_unknown(fields, &fields.path_of("value"), text, place);
        return None;
    };
    let unit = Unit::from_symbol(quantity.unit).ok()?;
    let number = |name: &str, range| {
        let node = fields.node(name)?;
        fields
            .reader()
            .number(node, &fields.path_of(name), unit, range)
    };
    let expected = number("expected", FieldRange::Any);
    let tolerance = number("tolerance", FieldRange::NonNegative);
    let measure = measure(fields, quantity, times?);
    let nameless = || !fields.has("name");
    Some(Expect {
        name: name
            .map(str::to_owned)
            .or_else(|| nameless().then(|| target.clone()))?,
        measure: measure?,
        expected: expected?,
        tolerance: tolerance?,
        unit: quantity.unit.to_owned(),
        source: source?.to_owned(),
        target,
    })
}

/// The time, the window and the statistic that are given.
#[derive(Clone, Copy)]
struct Times {
    at: Option<f64>,
    window: Option<[f64; 2]>,
    statistic: ExpectedStatistic,
}

fn times(fields: &Fields<'_>, end_time: Option<f64>) -> Option<Times> {
    let at = fields.number("at");
    let window = window(fields, end_time);
    let statistic = fields.choice("statistic").map(ExpectedStatistic::named);
    if at.is_none() && fields.has("at") {
        return None;
    }
    let end = end_time.unwrap_or(f64::INFINITY);
    if let Some(at) = at.filter(|at| *at > end) {
        fields.error(
            "at",
            format!("{} s is after end_time = {} s", Shortest(at), Shortest(end)),
        );
        return None;
    }
    Some(Times {
        at,
        window: window.ok()?,
        statistic: statistic?,
    })
}

/// `during`, a part of the run; `Err` where it is wrong, which has been reported.
pub(super) fn window(fields: &Fields<'_>, end_time: Option<f64>) -> Result<Option<[f64; 2]>, ()> {
    let Some(during) = fields.list("during") else {
        return if fields.has("during") {
            Err(())
        } else {
            Ok(None)
        };
    };
    match during.as_slice() {
        &[from, to] if from < to && to <= end_time.unwrap_or(f64::INFINITY) => Ok(Some([from, to])),
        _ => {
            let limit = match end_time {
                Some(end) => format!(" ≤ end_time = {} s", Shortest(end)),
                None => String::new(),
            };
            let message = format!("expected two times [from, to] with 0 ≤ from < to{limit}");
            fields.error("during", message);
            Err(())
        }
    }
}

fn measure(fields: &Fields<'_>, quantity: NamedQuantity, times: Times) -> Option<Measure> {
    const TIMED: [&str; 3] = ["at", "during", "statistic"];
    let timed = TIMED.iter().any(|name| fields.has(name));
    if !timed && quantity.summary {
        return Some(Measure::Summary);
    }
    if !quantity.channel {
        let reason = "the value is one number of the summary, not a function of time";
        for name in TIMED {
            refuse_unused(fields, name, reason);
        }
        return None;
    }
    if !timed {
        let message = format!(
            "{}: the value is a function of time: say when with \"at\" or \"during\", or how with \
             \"statistic\"",
            fields.path()
        );
        let help = "for example at = \"1 s\", or statistic = \"max\"";
        fields.reader().report(
            Diagnostic::error(message)
                .at(fields.span("value"))
                .help(help),
        );
        return None;
    }
    if let Some(at) = times.at {
        let mut sound = true;
        for name in ["during", "statistic"] {
            sound &= !fields.has(name);
            refuse_unused(fields, name, "\"at\" is given already; give either of them");
        }
        return sound.then_some(Measure::At(at));
    }
    Some(Measure::Over {
        statistic: times.statistic,
        window: times.window,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_names_its_own_statistic() {
        let mut named: Vec<ExpectedStatistic> = Vec::new();
        for word in STATISTICS {
            let statistic = ExpectedStatistic::named(word);
            assert!(!named.contains(&statistic), "{word}");
            named.push(statistic);
        }
    }
}
