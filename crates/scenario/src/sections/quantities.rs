//! The quantities of a run by name: channels, and numbers of the summary.

use bristle_mechanics::Model;
use bristle_mechanics::element::RubbingJoint;
use bristle_mechanics::record::{ChannelInfo, ChannelWatch, channels};

use crate::{Diagnostic, Fields, Span, suggest};

/// Numbers of the summary and their units.
const WHOLE: &[(&str, &str)] = &[
    ("energy.input", "J"),
    ("energy.kinetic", "J"),
    ("energy.stored", "J"),
    ("energy.dissipated", "J"),
    ("energy.imbalance", "J"),
    ("energy.relative_imbalance", "1"),
    ("steps", "1"),
    ("rejected_steps", "1"),
    ("iterations", "1"),
    ("end_time", "s"),
    ("wall_s", "s"),
];

/// Numbers of the summary that every contact has, and every joint with friction.
const OF_CONTACT: &[(&str, &str)] = &[
    ("first_slip_time", "s"),
    ("break_away_coefficient", "1"),
    ("max_slip_speed", "m/s"),
    ("dissipated", "J"),
    ("stuck_time", "s"),
    ("stick_count", "1"),
    ("hold_time", "s"),
    ("hold_slip", "m"),
];

/// Numbers that a joint with friction on an angle has too.
const OF_ANGLE: &[(&str, &str)] = &[("max_angular_speed", "rad/s"), ("hold_angle", "rad")];

/// Names that are shown when nothing is spelt alike.
const SHOWN: usize = 12;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamedQuantity {
    pub(super) unit: &'static str,
    /// It is a function of time.
    pub(super) channel: bool,
    /// It is a number of the summary.
    pub(super) summary: bool,
}

/// All quantities of a model.
pub(super) struct Quantities {
    channels: Vec<ChannelInfo>,
    summary: Vec<(String, &'static str)>,
}

impl Quantities {
    pub(super) fn of(model: &Model) -> Self {
        let mut summary: Vec<(String, &'static str)> = WHOLE
            .iter()
            .map(|&(name, unit)| (name.to_owned(), unit))
            .collect();
        for element in model.elements() {
            if element.frictional().is_some() {
                let (kind, name) = (element.kind(), element.name());
                let joint = RubbingJoint::of(&**element);
                let of_angle = joint.and_then(|joint| joint.radius).map(|_| OF_ANGLE);
                let own = OF_CONTACT
                    .iter()
                    .chain(of_angle.unwrap_or_default())
                    .map(|(field, unit)| (format!("{kind}.{name}.{field}"), *unit));
                summary.extend(own);
            }
        }
        Self {
            channels: channels(model),
            summary,
        }
    }

    /// Takes the times and counts of events in.
    pub(super) fn add_events(&mut self, events: &[ChannelWatch]) {
        for event in events {
            for (field, unit) in [("time", "s"), ("count", "1")] {
                let name = format!("event.{}.{field}", event.name);
                self.summary.push((name, unit));
            }
        }
    }

    /// The numbers of the summary but the extremes of channels, with their units.
    pub(super) fn into_numbers(self) -> Vec<(String, &'static str)> {
        self.summary
    }

    /// The channels.
    pub(super) fn channels(&self) -> &[ChannelInfo] {
        &self.channels
    }

    /// What `name` stands for.
    pub(super) fn find(&self, name: &str) -> Option<NamedQuantity> {
        let channel = self.channel_unit(name);
        let summary = self
            .summary
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, unit)| *unit)
            .or_else(|| self.extreme_unit(name));
        Some(NamedQuantity {
            unit: channel.or(summary)?,
            channel: channel.is_some(),
            summary: summary.is_some(),
        })
    }

    fn channel_unit(&self, name: &str) -> Option<&'static str> {
        let channel = self.channels.iter().find(|channel| channel.name == name);
        channel.map(|channel| super::law::unit_text(&channel.unit))
    }

    /// `extremes.CHANNEL.min`, `max`, `t_min`, `t_max`.
    fn extreme_unit(&self, name: &str) -> Option<&'static str> {
        let (channel, field) = name.strip_prefix("extremes.")?.rsplit_once('.')?;
        let unit = self.channel_unit(channel)?;
        match field {
            "min" | "max" => Some(unit),
            "t_min" | "t_max" => Some("s"),
            _ => None,
        }
    }

    /// Reports a name that stands for nothing.
    pub(super) fn report_unknown(&self, fields: &Fields<'_>, path: &str, name: &str, place: Span) {
        let names = || {
            let channels = self.channels.iter().map(|channel| channel.name.as_str());
            channels.chain(self.summary.iter().map(|(name, _)| name.as_str()))
        };
        let message = format!("{path}: there is no quantity \"{name}\"");
        let meant = suggest::did_you_mean(name, names());
        let mut diagnostic =
            Diagnostic::error(message).label(place, meant.clone().unwrap_or_default());
        if meant.is_none() {
            // names that begin alike, of the longest beginning that any has
            let ends = name.match_indices('.').map(|(at, _)| &name[..=at]);
            let ends: Vec<&str> = std::iter::once("").chain(ends).collect();
            let alike = ends
                .iter()
                .rev()
                .map(|start| names().filter(|n| n.starts_with(start)).collect::<Vec<_>>())
                .find(|alike| !alike.is_empty())
                .unwrap_or_default();
            let more = if alike.len() > SHOWN { ", …" } else { "" };
            let shown = alike.iter().take(SHOWN).copied().collect::<Vec<_>>();
            diagnostic = diagnostic.help(format!("there are {}{more}", shown.join(", ")));
        }
        fields.reader().report(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_mechanics::{Body, Inertia, Joint, ModelBuilder};

    #[test]
    fn energies_are_both_channels_and_numbers_of_the_summary() {
        let mut builder = ModelBuilder::new();
        let cube = Body::new("cube", Joint::Free, Inertia::solid_box(1.0, [0.1; 3]));
        builder.body(cube).expect("sound");
        let quantities = Quantities::of(&builder.build());
        let find = |name: &str| {
            quantities
                .find(name)
                .map(|q| (q.unit, q.channel, q.summary))
        };
        assert_eq!(find("energy.dissipated"), Some(("J", true, true)));
        assert_eq!(find("body.cube.velocity.x"), Some(("m/s", true, false)));
        assert_eq!(find("steps"), Some(("1", false, true)));
        assert_eq!(
            find("extremes.body.cube.velocity.x.max"),
            Some(("m/s", false, true))
        );
        assert_eq!(
            find("extremes.body.cube.velocity.x.t_min"),
            Some(("s", false, true))
        );
        assert_eq!(find("extremes.body.cube.velocity.x.mean"), None);
        assert_eq!(find("body.cube.velocity"), None);
    }
}
