//! `[plot.NAME]`: pictures of channels, over time or over another channel.

use super::expectations::window;
use super::law::unit_text;
use super::quantities::Quantities;
use super::values::check_name;
use crate::{Field, FieldKind, FieldRange, Fields, Section, Span, Unit};
use bristle_laws::Shortest;

/// A plot of channels over time, or over another channel.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotSpec {
    /// File name within the run's folder.
    pub file: String,
    /// Title.
    pub title: String,
    /// Label of the vertical axis, with the unit; empty where channels have several units, which have an axis each.
    pub label: String,
    /// Names of the channels; patterns are resolved.
    pub channels: Vec<String>,
    /// The channel along the horizontal axis, and its label; time if not given.
    pub against: Option<(String, String)>,
    /// From when to when, s; the whole run if not given.
    pub during: Option<[f64; 2]>,
}

pub(super) const PLOT: Section = Section {
    name: "plot.NAME",
    doc: "A plot of channels over time or over another channel, written as NAME.svg.",
    fields: &[
        Field::optional("title", FieldKind::Text, "Title; the name if not given"),
        Field::required(
            "channels",
            FieldKind::Any("a list of channel names; * stands for any part of a name"),
            "The channels, such as \"contact.base.point*.normal_force\"; each unit has an axis of its own",
        ),
        Field::optional(
            "label",
            FieldKind::Text,
            "Label of the vertical axis; quantity and unit if not given",
        ),
        Field::optional(
            "against",
            FieldKind::Text,
            "The channel along the horizontal axis, such as \"contact.base.slip_speed\"; time if not given",
        ),
        Field::optional(
            "during",
            FieldKind::List {
                unit: Unit::SECOND,
                range: FieldRange::NonNegative,
            },
            "From when to when the run is drawn; all of it if not given",
        ),
    ],
};

/// Reads all plots. Without the quantities, because the model is not sound, names are not checked.
/// `end_time` is that of the file where the command line cuts the run short.
pub(super) fn read(
    root: &Fields<'_>,
    quantities: Option<&Quantities>,
    end_time: Option<f64>,
) -> Vec<PlotSpec> {
    let plots = root.named("plot").into_iter();
    plots
        .filter_map(|(name, fields)| plot(&name, &fields, quantities, end_time))
        .collect()
}

/// The part of the run that is drawn. A run that is cut short draws what there is of it.
fn drawn(fields: &Fields<'_>, end_time: Option<f64>) -> Result<Option<[f64; 2]>, ()> {
    let during = window(fields, None)?;
    match (during, end_time) {
        (Some([from, _]), Some(end)) if from >= end => {
            let (from, end) = (Shortest(from), Shortest(end));
            let message = format!("begins at {from} s, when the run has ended: end_time = {end} s");
            fields.error("during", message);
            Err(())
        }
        _ => Ok(during),
    }
}

fn plot(
    name: &str,
    fields: &Fields<'_>,
    quantities: Option<&Quantities>,
    end_time: Option<f64>,
) -> Option<PlotSpec> {
    let during = drawn(fields, end_time);
    let over = fields.text_spanned("against");
    let sound = check_name(fields.reader(), fields.name_span(), fields.path(), name);
    let (title, label) = (fields.text("title"), fields.text("label"));
    let patterns = fields.texts("channels")?;
    if patterns.is_empty() {
        fields.error("channels", "expected one or more names of channels");
        return None;
    }
    let quantities = quantities?;
    let against = over.map(|(name, place)| horizontal(fields, quantities, name, place));
    let mut chosen: Vec<(&str, &'static str, Span)> = Vec::new();
    let mut known = true;
    for (pattern, place) in patterns {
        let before = chosen.len();
        let mut matched = false;
        for channel in quantities.channels() {
            if matches(pattern, &channel.name) {
                matched = true;
                if chosen.iter().all(|(name, ..)| *name != channel.name) {
                    chosen.push((&channel.name, unit_text(&channel.unit), place));
                }
            }
        }
        if !matched && chosen.len() == before {
            quantities.report_unknown(fields, &fields.path_of("channels"), pattern, place);
            known = false;
        }
    }
    let (first, unit, _) = *chosen.first()?;
    let other = chosen.iter().find(|(_, own, _)| *own != unit);
    if let (Some((other, other_unit, _)), Some(_)) = (other, label) {
        let message = format!(
            "names one axis, but {first} ({unit}) and {other} ({other_unit}) have axes of their own; leave it out"
        );
        fields.error("label", message);
        return None;
    }
    // each unit has an axis of its own, with a label of its own
    let unit = if other.is_some() { "1" } else { unit };
    let (against, during) = (against.map_or(Some(None), |x| x.map(Some))?, during.ok()?);
    (known && sound).then(|| PlotSpec {
        file: format!("{name}.svg"),
        title: title.unwrap_or(name).to_owned(),
        label: label.map_or_else(|| axis_label(unit), str::to_owned),
        channels: chosen.iter().map(|(name, ..)| (*name).to_owned()).collect(),
        against,
        during,
    })
}

/// The channel along the horizontal axis, and its label.
fn horizontal(
    fields: &Fields<'_>,
    quantities: &Quantities,
    name: &str,
    place: Span,
) -> Option<(String, String)> {
    let mut channels = quantities.channels().iter();
    let Some(channel) = channels.find(|channel| channel.name == name) else {
        quantities.report_unknown(fields, &fields.path_of("against"), name, place);
        return None;
    };
    Some((name.to_owned(), axis_label(unit_text(&channel.unit))))
}

fn axis_label(unit: &'static str) -> String {
    match Unit::from_symbol(unit) {
        Ok(known) if !known.is_one() => format!("{} ({unit})", known.quantity()),
        _ => String::new(),
    }
}

/// Whether `name` fits a pattern in which `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|start| name.strip_prefix(start)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(end) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, name, fits) in [
            ("a.b", "a.b", true),
            ("a.b", "a.bc", false),
            ("a.*", "a.b.c", true),
            ("*.x", "a.x", true),
            ("*.x", "a.y", false),
            ("a.p*.f", "a.p12.f", true),
            ("a.p*.f", "a.q12.f", false),
            ("*a*a*", "aa", true),
            ("*a*a*", "ba", false),
            ("a*a", "a", false),
            ("*", "", true),
            ("", "", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
