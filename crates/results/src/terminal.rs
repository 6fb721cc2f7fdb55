//! The summary as text for a terminal.

use crate::page::{GLUE, Style, TextPage};
use crate::pair::{ContactSummary, PairKind, StickSummary};
use crate::summary::{Expectation, Status, Summary};
use bristle_units::{exponent, format_quantity, pretty_unit, scale_for, significant};

/// Stick intervals that are listed one by one.
const LISTED: usize = 4;

impl Summary {
    /// The summary as lines of text: warnings first, then what ran, the energy, the contacts and
    /// the expectations.
    ///
    /// Lines are broken at `width` columns, and never below 20. Without `colour` the text is plain.
    pub fn text(&self, width: usize, colour: bool) -> String {
        let mut page = TextPage::new(width, colour);
        let title = if self.title.is_empty() {
            &self.scenario
        } else {
            &self.title
        };
        page.styled_paragraph(Style::Bold, "", 0, title);
        for warning in &self.warnings {
            page.styled_paragraph(Style::Caution, "warning: ", 2, warning);
        }
        self.ending(&mut page);
        page.pair("scenario", &self.origin());
        page.pair("model", &self.model);
        self.effort(&mut page);
        self.ledger(&mut page);
        for kind in [PairKind::Contact, PairKind::Joint] {
            let mut pairs = self.pairs().filter(|(of, ..)| *of == kind).peekable();
            if pairs.peek().is_some() {
                page.heading(kind.group());
            }
            for (_, name, pair) in pairs {
                page.pair_of_faces(name, pair);
            }
        }
        self.list_events(&mut page);
        if !self.expectations.is_empty() {
            page.expectations(&self.expectations);
        }
        page.into_text()
    }

    fn ending(&self, page: &mut TextPage) {
        let reached = quantity(self.end_time, "s");
        let wanted = self
            .planned_end_time
            .map(|t| format!(" of {}", quantity(t, "s")));
        let wanted = wanted.unwrap_or_default();
        match self.status {
            Status::Complete => {}
            Status::Interrupted => {
                let text = format!("at {reached}{wanted}; the results up to there are kept");
                page.styled_paragraph(Style::Caution, "interrupted ", 2, &text);
            }
            Status::Failed => {
                let text = format!("at {reached}{wanted}; the results up to there are kept");
                page.styled_paragraph(Style::Bad, "failed ", 2, &text);
                if let Some(error) = &self.error {
                    page.styled_paragraph(Style::Bad, "  ", 2, &error.message);
                    if let Some(help) = &error.help {
                        page.styled_paragraph(Style::Plain, "  help: ", 2, help);
                    }
                }
            }
        }
    }

    fn list_events(&self, page: &mut TextPage) {
        if self.events.iter().next().is_none() {
            return;
        }
        page.heading("events");
        for (name, event) in self.events.iter() {
            let shown = event.times.iter().take(LISTED);
            let mut times: Vec<String> = shown.map(|t| quantity(*t, "s")).collect();
            if event.times.len() > LISTED {
                times.push(format!("… ({} in all)", event.times.len()));
            }
            let text = match (times.is_empty(), event.stopped) {
                (true, _) => "did not happen".to_owned(),
                (false, false) => format!("at {}", times.join(", ")),
                (false, true) => format!("at {}, where the run ends", times.join(", ")),
            };
            page.pair(name, &text);
        }
    }

    fn origin(&self) -> String {
        if self.version.is_empty() {
            return self.scenario.clone();
        }
        format!("{} with bristle {}", self.scenario, self.version)
    }

    fn effort(&self, page: &mut TextPage) {
        let mut time = quantity(self.end_time, "s");
        if self.wall_s > 0.0 {
            let rate = significant(self.end_time / self.wall_s, 2);
            let wall = glued(&format!("{} s", significant(self.wall_s, 3)));
            time = format!("{time} of model time in {wall}, {rate} times real time");
        }
        page.pair("simulated", &time);
        page.pair(
            "steps",
            &format!("{}, and {} rejected", self.steps, self.rejected_steps),
        );
        let mut iterations = self.iterations.to_string();
        let tried = self.steps + self.rejected_steps;
        if tried > 0 {
            let each = significant(self.iterations as f64 / tried as f64, 3);
            iterations = format!("{iterations}, {each} per step");
        }
        page.pair("iterations", &iterations);
    }

    fn ledger(&self, page: &mut TextPage) {
        let energy = &self.energy;
        page.heading("energy");
        let entries = [
            ("input", energy.input),
            ("change of kinetic", energy.kinetic),
            ("change of stored", energy.stored),
            ("dissipated", energy.dissipated),
        ];
        // one unit and one number of decimals, so that the sum can be followed by eye
        let largest = entries
            .iter()
            .map(|(_, value)| value.abs())
            .fold(0.0, f64::max);
        let scale = scale_for(largest, "J");
        let digits = 4 - exponent(largest * scale.factor);
        let decimals = usize::try_from(digits).unwrap_or(0).min(8);
        let room = if page.is_wide() { 10 } else { 0 };
        for (name, value) in entries {
            let number = glued(&format!("{:>room$.decimals$}", value * scale.factor));
            page.pair(name, &format!("{number}{GLUE}{}", scale.unit));
        }
        let part = energy.relative_imbalance_text();
        let text = format!(
            "{}, {part} of the energy exchanged",
            quantity(energy.imbalance, "J")
        );
        page.pair("imbalance", &text);
    }
}

impl TextPage {
    fn pair_of_faces(&mut self, name: &str, contact: &ContactSummary) {
        let begin = match contact.first_slip_time {
            Some(t) => format!("first slips at {}", quantity(t, "s")),
            None => "never slips".to_owned(),
        };
        let (speed, unit) = contact.speed(contact.max_slip_speed);
        let speed = quantity(speed, unit);
        let lost = quantity(contact.dissipated, "J");
        self.pair(
            name,
            &format!("{begin}; fastest slip {speed}; dissipates {lost}"),
        );
        let hang = self.value_column();
        let lead = " ".repeat(hang);
        if let Some(remark) = &contact.remark {
            self.styled_paragraph(Style::Plain, &lead, hang, remark);
        }
        let intervals = &contact.stick_intervals;
        if intervals.is_empty() {
            return;
        }
        let mut listed: Vec<String> = intervals
            .iter()
            .take(LISTED)
            .map(|[from, to]| format!("{} to {}", quantity(*from, "s"), quantity(*to, "s")))
            .collect();
        let mut often = String::new();
        if intervals.len() > LISTED {
            let total = quantity(contact.stuck_time(), "s");
            often = format!("{} times, {total} in all: ", intervals.len());
            listed.push("…".to_owned());
        }
        self.styled_paragraph(
            Style::Plain,
            &lead,
            hang,
            &format!("sticks {often}{}", listed.join(", ")),
        );
        if let Some(text) = contact.longest_stick.and_then(|hold| moved(contact, &hold)) {
            self.styled_paragraph(Style::Plain, &lead, hang, &text);
        }
    }

    fn expectations(&mut self, all: &[Expectation]) {
        let met = all.iter().filter(|e| e.met).count();
        let later = all.iter().filter(|e| e.not_reached).count();
        let later = match later {
            0 => String::new(),
            _ => format!(", {later} not reached"),
        };
        self.heading(&format!("expectations: {met} of {} met{later}", all.len()));
        let rows: Vec<[String; 3]> = all.iter().map(cells).collect();
        let widest = |column: usize| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths = [widest(0), widest(1), widest(2)];
        let table = widths.iter().sum::<usize>() + 8 <= self.width();
        for (expectation, [name, value, expected]) in all.iter().zip(&rows) {
            let (mark, style) = if expectation.met {
                ("✓", Style::Good)
            } else if expectation.not_reached {
                ("–", Style::Dim)
            } else {
                ("✗", Style::Bad)
            };
            if table {
                let [a, b, _] = widths;
                self.styled_line(
                    style,
                    &format!("  {mark} {name:<a$}  {value:>b$}  {expected}"),
                );
            } else {
                self.styled_paragraph(style, &format!("  {mark} "), 4, name);
                self.styled_paragraph(style, "    ", 4, &format!("{value}, {expected}"));
            }
            self.styled_paragraph(Style::Dim, "    ", 4, &expectation.source);
        }
    }
}

/// What moved in a hold, if anything did.
fn moved(pair: &ContactSummary, hold: &StickSummary) -> Option<String> {
    let time = quantity(hold.time(), "s");
    let Some(slip) = hold.slip else {
        return Some(format!(
            "longest hold {time}, its slip is not known: it rolls, or no point bears load all along"
        ));
    };
    let (mean, mean_unit) = pair.speed(slip / hold.time());
    let mean = quantity(mean, mean_unit);
    let (moved, unit) = pair.displacement(slip);
    let slip_text = quantity(moved, unit);
    (slip > 0.0).then(|| format!("longest hold {time}: moved {slip_text}, {mean} on average"))
}

/// Name, value and what was expected, in one unit and to the digits that the tolerance asks for.
fn cells(expectation: &Expectation) -> [String; 3] {
    let Expectation {
        expected,
        tolerance,
        ..
    } = *expectation;
    let mut scale = scale_for(expected.abs().max(tolerance.abs()), &expectation.unit);
    if scale.unit.starts_with("10") {
        scale.factor = 1.0;
        scale.unit = pretty_unit(&expectation.unit);
    }
    let unit = if scale.unit.is_empty() {
        String::new()
    } else {
        format!(" {}", scale.unit)
    };
    let number = |value: f64| {
        let shown = value * scale.factor;
        let plain = shown.abs() < f64::MIN_POSITIVE || (1e-4..1e7).contains(&shown.abs());
        if plain {
            significant(shown, 6)
        } else {
            format!("{shown:.4e}")
        }
    };
    let value = match expectation.value {
        Some(value) => format!("{}{unit}", number(value)),
        None if expectation.not_reached => "not reached".to_owned(),
        None => "did not happen".to_owned(),
    };
    let expected = format!(
        "expected {} ± {}{unit}",
        number(expected),
        number(tolerance)
    );
    [expectation.name.clone(), value, expected]
}

/// A quantity that is not torn apart at the end of a line.
fn quantity(value: f64, unit: &str) -> String {
    glued(&format_quantity(value, unit))
}

fn glued(text: &str) -> String {
    text.replace(' ', GLUE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{Energy, RunFailure};

    fn summary() -> Summary {
        let mut summary = Summary {
            scenario: "cube.toml".into(),
            title: "Cube on six contact points, pulled at 30 degrees".into(),
            model: "1 body, 6 degrees of freedom, 6 contact points with lugre; newmark".into(),
            version: "0.1.0".into(),
            end_time: 4.0,
            steps: 40_321,
            rejected_steps: 12,
            iterations: 121_000,
            wall_s: 1.234,
            warnings: vec!["contact.base: the bristles are not passive above 2.1 mm/s".into()],
            ..Summary::default()
        };
        summary.energy = Energy {
            input: 0.123_456,
            kinetic: 0.02,
            stored: 1e-6,
            dissipated: 0.103_455,
            imbalance: 3.2e-10,
            relative_imbalance: 2.6e-9,
        };
        let contact = ContactSummary {
            stick_intervals: vec![[0.0, 3.4998]],
            longest_stick: Some(StickSummary {
                from: 0.0,
                to: 3.4998,
                slip: Some(2.64e-5),
            }),
            first_slip_time: Some(3.4998),
            break_away_coefficient: None,
            remark: None,
            max_slip_speed: 0.0123,
            dissipated: 0.103,
            friction_radius: None,
        };
        summary.contacts.insert("base", contact);
        summary.contacts.insert("side", ContactSummary::default());
        summary
            .contacts
            .insert("blade.platform_with_a_long_name", ContactSummary::default());
        summary.expectations = vec![
            Expectation {
                name: "slip starts".into(),
                value: Some(3.4998),
                expected: 3.5,
                tolerance: 0.005,
                source: "Colantonio et al. 2022, section 3".into(),
                met: true,
                unit: "s".into(),
                ..Expectation::default()
            },
            Expectation {
                name: "later".into(),
                not_reached: true,
                ..Expectation::default()
            },
            Expectation {
                name: "drift".into(),
                value: None,
                expected: 1e-6,
                tolerance: 1e-8,
                met: false,
                unit: "m".into(),
                ..Expectation::default()
            },
        ];
        summary
    }

    #[test]
    fn every_line_fits_and_nothing_is_lost() {
        for width in [0, 20, 21, 33, 48, 80, 200] {
            let text = summary().text(width, false);
            assert!(!text.contains('\x1b'));
            for line in text.lines() {
                assert!(line.chars().count() <= width.max(20), "{width}: {line}");
            }
            let words: Vec<&str> = text.split_whitespace().collect();
            for word in [
                "3.4998", "lugre;", "121000,", "✓", "✗", "–", "reached", "0.12346", "passive",
            ] {
                assert!(words.contains(&word), "{width}: {word}\n{text}");
            }
        }
    }

    #[test]
    fn warnings_come_before_numbers_and_failures_tell_what_to_do() {
        let mut failed = summary();
        failed.status = Status::Failed;
        failed.end_time = 0.8123;
        failed.planned_end_time = Some(4.0);
        failed.error = Some(RunFailure {
            message: "step below 1e-14 s in contact.base".into(),
            help: Some("raise regularisation_velocity".into()),
            ..RunFailure::default()
        });
        let text = failed.text(80, true);
        let place = |needle: &str| text.find(needle).unwrap();
        assert!(place("warning:") < place("failed at 0.8123 s of 4 s"));
        assert!(place("failed at") < place("help: raise") && place("help:") < place("steps"));
        assert!(text.contains("\x1b[31m"));
    }

    #[test]
    fn long_words_are_cut_and_empty_summaries_are_fine() {
        let mut long = Summary {
            title: "ü".repeat(53),
            ..Summary::default()
        };
        long.warnings.push("q".repeat(41));
        let text = long.text(20, false);
        assert_eq!(text.matches('ü').count(), 53);
        assert_eq!(text.matches('q').count(), 41);
        assert!(
            text.lines().all(|line| line.chars().count() <= 20),
            "{text}"
        );
        assert!(!Summary::default().text(80, true).is_empty());
    }
}
