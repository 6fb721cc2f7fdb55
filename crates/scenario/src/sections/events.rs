//! `[[event]]`: a channel that crosses a value.

use bristle_mechanics::record::ChannelWatch;

use super::quantities::Quantities;
use super::values::check_name;
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

const DIRECTIONS: &[&str] = &["both", "rising", "falling"];

pub(super) const EVENT: Section = Section {
    name: "event",
    doc: "A channel that crosses a value: the time is noted, and the run may end there.",
    fields: &[
        Field::required(
            "name",
            FieldKind::Text,
            "A name for it: the summary has it under events",
        ),
        Field::required(
            "channel",
            FieldKind::Text,
            "The channel, such as body.cube.position.z",
        ),
        Field::optional(
            "value",
            FieldKind::Any("a number or a text with the unit of the channel"),
            "The value that it crosses",
        )
        .default("0"),
        Field::optional(
            "direction",
            FieldKind::Choice(DIRECTIONS),
            "Which crossings count",
        )
        .default("both"),
        Field::optional(
            "stop",
            FieldKind::Flag,
            "Whether the run ends at the first one",
        )
        .default("false"),
    ],
};

/// Reads all events. Without the quantities, because the model is not sound, channels are not checked.
pub(super) fn read(root: &Fields<'_>, quantities: Option<&Quantities>) -> Vec<ChannelWatch> {
    let mut events: Vec<ChannelWatch> = Vec::new();
    for fields in root.tables("event") {
        let Some(event) = event(&fields, quantities) else {
            continue;
        };
        if events.iter().any(|other| other.name == event.name) {
            fields.error("name", "there is an event of this name already");
            continue;
        }
        events.push(event);
    }
    events
}

fn event(fields: &Fields<'_>, quantities: Option<&Quantities>) -> Option<ChannelWatch> {
    let name = fields.text("name");
    let sound =
        name.map(|name| check_name(fields.reader(), fields.span("name"), fields.path(), name));
    let (direction, stops) = (fields.choice("direction"), fields.flag("stop"));
    let (text, place) = fields.text_spanned("channel")?;
    let quantities = quantities?;
    let mut channels = quantities.channels().iter().enumerate();
    let Some((channel, info)) = channels.find(|(_, info)| info.name == text) else {
        quantities.report_unknown(fields, &fields.path_of("channel"), text, place);
        return None;
    };
    let unit = Unit::from_symbol(super::law::unit_text(&info.unit)).ok()?;
    let level = match fields.node("value") {
        Some(node) => {
            let path = fields.path_of("value");
            fields.reader().number(node, &path, unit, FieldRange::Any)?
        }
        None => 0.0,
    };
    let direction = direction?;
    Some(ChannelWatch {
        name: name.filter(|_| sound == Some(true))?.to_owned(),
        channel,
        level,
        rises: direction != "falling",
        falls: direction != "rising",
        stops: stops?,
    })
}
