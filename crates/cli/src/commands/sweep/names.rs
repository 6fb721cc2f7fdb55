//! Names of numbers and parameters as they are shown, and the room that a table of them needs.

use bristle_results::PairKind;

/// The names of the numbers that matter most, and their units.
pub(super) fn principal(outcome: &[(String, String)]) -> Vec<(String, String)> {
    const ORDER: [fn(&str) -> bool; 5] = [
        |name| name.starts_with("measured."),
        |name| of_pair(name) && name.ends_with(".first_slip_time"),
        |name| of_pair(name) && name.ends_with(".max_slip_speed"),
        |name| of_pair(name) && name.ends_with(".dissipated"),
        |name| of_pair(name) && name.ends_with(".stick_count"),
    ];
    let angular = |name: &str| {
        let speed = name.strip_suffix(".max_slip_speed")?;
        let of_angle = format!("{speed}.max_angular_speed");
        outcome.iter().find(|(name, _)| *name == of_angle)
    };
    let all = outcome.iter();
    ORDER
        .iter()
        .flat_map(|suits| all.clone().filter(|(name, _)| suits(name)))
        // of a rotation people read the angular speed
        .map(|number| angular(&number.0).unwrap_or(number).clone())
        .collect()
}

/// The last word of a path, and before it the first word in which it differs from others that end so:
/// `shoulder.kinetic_coefficient`.
pub(super) fn distinct(path: &str, all: &[&str]) -> String {
    let last = short(path);
    let mut alike = all
        .iter()
        .filter(|other| short(other) == last && **other != path);
    let Some(other) = alike.next() else {
        return last.to_owned();
    };
    let mut pairs = path.split('.').zip(other.split('.'));
    let differs = pairs.find(|(own, other)| own != other);
    match (differs, alike.next()) {
        (Some((own, _)), None) if own != last => format!("{own}.{last}"),
        // with a third one a word may not be enough
        _ => path.to_owned(),
    }
}

/// A name without the group of contacts, or of joints, that it begins with.
fn in_group(name: &str) -> Option<&str> {
    let mut kinds = [PairKind::Contact, PairKind::Joint].into_iter();
    kinds.find_map(|kind| name.strip_prefix(kind.group())?.strip_prefix('.'))
}

fn of_pair(name: &str) -> bool {
    in_group(name).is_some()
}

/// The last word of a path.
fn short(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, last)| last)
}

/// The last word of a name, or more of it where another name ends with the same word.
pub(super) fn shorter<'n>(name: &'n str, all: &[&str]) -> &'n str {
    let last = short(name);
    let alike = all.iter().filter(|other| short(other) == last).count();
    if alike < 2 && !name.starts_with("measured.") {
        return last;
    }
    in_group(name)
        .or_else(|| name.strip_prefix("measured."))
        .unwrap_or(name)
}

/// Columns of a terminal that a table needs; its last column can be broken into lines.
pub(super) fn needed(heads: &[String], rows: &[Vec<String>]) -> usize {
    const LAST: usize = 26;
    let last = heads.len().saturating_sub(1);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let texts = cells.chain(heads.get(column));
        texts.map(|text| text.chars().count()).max().unwrap_or(0) + 2
    };
    (0..last).map(width).sum::<usize>() + 2 + width(last).min(LAST)
}
