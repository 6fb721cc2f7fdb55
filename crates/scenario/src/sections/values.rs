//! What several sections read alike: names, vectors, directions, functions of time.

use bristle_laws::Shortest;
use bristle_mechanics::Vec3;
use bristle_signals::Signal;

use crate::{FieldRange, Fields, Node, Reader, Span, Unit};

/// Evenly spaced times at which a function of time is looked at, beside its corners.
const SAMPLES: u32 = 1000;

/// A name of the user's choice becomes a part of channel names and of file names.
pub(super) fn check_name(reader: &Reader<'_>, span: Span, path: &str, name: &str) -> bool {
    let lawful = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if !lawful {
        let message =
            format!("{path}: the name \"{name}\" may hold letters, digits, \"_\" and \"-\" only");
        reader.error(span, message);
    }
    lawful
}

/// Three numbers.
pub(super) fn vector_at(reader: &Reader<'_>, node: &Node, path: &str, unit: Unit) -> Option<Vec3> {
    let list = node.as_list().filter(|list| list.len() == 3);
    let Some(list) = list else {
        let found = match node.as_list() {
            Some(list) => format!("{} of them", list.len()),
            None => node.kind_name().to_owned(),
        };
        let message = format!("{path}: expected three numbers [x, y, z], found {found}");
        reader.error(node.span, message);
        return None;
    };
    let numbers: Vec<Option<f64>> = list
        .iter()
        .enumerate()
        .map(|(i, item)| reader.number(item, &format!("{path}.{i}"), unit, FieldRange::Any))
        .collect();
    let numbers: Option<Vec<f64>> = numbers.into_iter().collect();
    numbers.map(|numbers| Vec3::from_row_slice(&numbers))
}

/// A vector field.
pub(super) fn vector(fields: &Fields<'_>, name: &str) -> Option<Vec3> {
    fields.vector(name).map(Vec3::from)
}

/// A vector made a unit vector.
pub(super) fn unit_vector(fields: &Fields<'_>, name: &str, vector: Vec3) -> Option<Vec3> {
    // scaled first, so that the square of a tiny or a huge vector neither vanishes nor overflows
    let largest = vector.amax();
    if largest > 0.0 {
        return Some((vector / largest).normalize());
    }
    fields.error(name, "a direction cannot be the vector [0, 0, 0]");
    None
}

/// A vector field that gives a direction.
pub(super) fn direction(fields: &Fields<'_>, name: &str) -> Option<Vec3> {
    unit_vector(fields, name, vector(fields, name)?)
}

/// The unit of the values of a function of time, and their range in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    pub(super) unit: Unit,
    pub(super) range: FieldRange,
}

/// A function of time whose values stay finite and in `range` until `end_time` (s).
pub(super) fn signal(
    fields: &Fields<'_>,
    name: &str,
    allowed: Allowed,
    end_time: Option<f64>,
) -> Option<Signal> {
    within(fields, name, fields.signal(name)?, allowed, end_time)
}

/// The same for a field whose unit depends on other fields.
pub(super) fn signal_as(
    fields: &Fields<'_>,
    name: &str,
    allowed: Allowed,
    end_time: Option<f64>,
) -> Option<Signal> {
    let signal = fields.signal_as(name, allowed.unit)?;
    within(fields, name, signal, allowed, end_time)
}

fn within(
    fields: &Fields<'_>,
    name: &str,
    signal: Signal,
    allowed: Allowed,
    end_time: Option<f64>,
) -> Option<Signal> {
    let Allowed { unit, range } = allowed;
    let Some(end) = end_time else {
        return Some(signal);
    };
    // a force that swings about its mean may go below zero: the faces part there
    if range == FieldRange::NonNegative && signal.harmonics().is_ok() && signal.has_harmonic() {
        return Some(signal);
    }
    let corners = signal.breakpoints(end);
    // of a corner both sides count
    let before = corners.iter().map(|t| t - 1e-9 * end);
    let even = (0..=SAMPLES).map(|i| end * f64::from(i) / f64::from(SAMPLES));
    let times = corners.iter().copied().chain(before).chain(even);
    let bad = times
        .map(|t| (t, signal.value(t)))
        .filter(|(_, value)| !range.contains(*value))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((t, value)) = bad {
        let suffix = unit.suffix();
        let path = fields.path_of(name);
        let message = format!(
            "{path} = {}{suffix} at t = {} s, must be in {range}{suffix}",
            Shortest(value),
            Shortest(t)
        );
        fields.reader().error(fields.span(name), message);
        return None;
    }
    Some(signal)
}

/// Says that a field is given where nothing uses it.
pub(super) fn refuse_unused(fields: &Fields<'_>, name: &str, reason: &str) {
    if let Some(entry) = fields.entry(name) {
        let message = format!("{}: {reason}", fields.path_of(name));
        fields.reader().error(entry.key_span, message);
    }
}
