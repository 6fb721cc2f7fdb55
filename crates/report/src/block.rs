//! The small parts of a report: facts, notices, bands over time.

use serde::Serialize;

/// How something is meant, which gives it its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Neither good nor bad.
    #[default]
    Neutral,
    /// As it should be.
    Good,
    /// Deserves a look.
    Caution,
    /// Wrong.
    Bad,
}

/// One number at the head of a report, with a label and perhaps a note below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is.
    pub label: String,
    /// The value with its unit.
    pub value: String,
    /// What belongs to it.
    pub note: String,
    /// How it is meant.
    pub tone: Tone,
}

impl Fact {
    /// A neutral fact without a note.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            note: String::new(),
            tone: Tone::Neutral,
        }
    }

    /// The same with a note below the value.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// The same in another tone.
    #[must_use]
    pub fn tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }
}

/// A message at the head of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageNotice {
    /// How it is meant.
    pub tone: Tone,
    /// What it says.
    pub text: String,
    /// What can be done.
    pub help: String,
}

impl PageNotice {
    /// A warning.
    pub fn warning(text: impl Into<String>) -> Self {
        Self::new(Tone::Caution, text)
    }

    /// An error.
    pub fn error(text: impl Into<String>) -> Self {
        Self::new(Tone::Bad, text)
    }

    /// Something to know.
    pub fn info(text: impl Into<String>) -> Self {
        Self::new(Tone::Neutral, text)
    }

    fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self {
            tone,
            text: text.into(),
            help: String::new(),
        }
    }

    /// The same with what can be done.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// What a contact does for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BandKind {
    /// It sticks.
    Stick,
    /// It slips.
    Slip,
    /// The bodies do not touch.
    Open,
}

/// A piece of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Band {
    /// From, s.
    pub from: f64,
    /// To, s.
    pub to: f64,
    /// What happens.
    pub kind: BandKind,
}

/// One row of a timeline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimelineRow {
    /// What the row is about: a contact, a point, a law.
    pub label: String,
    /// Its bands in the order of time.
    pub bands: Vec<Band>,
}

/// Stick and slip as bands over time, one row below the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    /// Title.
    pub title: String,
    /// Start of the axis, s.
    pub start: f64,
    /// End of the axis, s.
    pub end: f64,
    /// The rows.
    pub rows: Vec<TimelineRow>,
}

impl TimelineRow {
    /// Slip between `start` and `end` (s), broken by the intervals in which the contact sticks.
    pub fn of_stick_intervals(
        label: impl Into<String>,
        span: (f64, f64),
        stick: &[[f64; 2]],
    ) -> Self {
        let (start, end) = span;
        let mut bands = Vec::with_capacity(2 * stick.len() + 1);
        let mut reached = start;
        let mut add = |from: f64, to: f64, kind| {
            if to > from {
                bands.push(Band { from, to, kind });
            }
        };
        for &[from, to] in stick {
            add(reached, from, BandKind::Slip);
            add(from, to, BandKind::Stick);
            reached = to;
        }
        add(reached, end, BandKind::Slip);
        Self {
            label: label.into(),
            bands,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slip_fills_what_stick_leaves() {
        let row = TimelineRow::of_stick_intervals("base", (0.0, 4.0), &[[0.0, 1.0], [2.0, 3.0]]);
        let bands: Vec<(f64, f64, BandKind)> =
            row.bands.iter().map(|b| (b.from, b.to, b.kind)).collect();
        assert_eq!(
            bands,
            [
                (0.0, 1.0, BandKind::Stick),
                (1.0, 2.0, BandKind::Slip),
                (2.0, 3.0, BandKind::Stick),
                (3.0, 4.0, BandKind::Slip),
            ]
        );
    }
}
