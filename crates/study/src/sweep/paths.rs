//! Whether the paths of the axes can be varied: each once, and only in parts that exist.

use bristle_scenario::{Template, suggest};

use super::design::Design;
use super::error::StudyError;

/// A path with the spelling of names that does not matter taken out.
fn plain(path: &str) -> String {
    let parts: Vec<String> = path
        .split('.')
        .map(|part| suggest::canonical(part.trim()))
        .collect();
    parts.join(".")
}

/// No path is varied twice, or set as well.
pub(super) fn check_paths(design: &Design, overrides: &[String]) -> Result<(), StudyError> {
    let axes = design.axes();
    for (i, axis) in axes.iter().enumerate() {
        let path = axis.path.clone();
        if axes[..i]
            .iter()
            .any(|other| plain(&other.path) == plain(&path))
        {
            let origin = design.origin();
            return Err(StudyError::Twice { origin, path });
        }
        let same = |set: &&String| {
            set.split_once('=')
                .is_some_and(|(other, _)| plain(other) == plain(&path))
        };
        if let Some(set) = overrides.iter().find(same) {
            let set = set.clone();
            return Err(StudyError::SetAndVaried { path, set });
        }
    }
    Ok(())
}

/// A body, contact or force that is not there would be created with one field only, and the
/// errors would be about all the others.
pub(super) fn check_parts(design: &Design, template: &Template) -> Result<(), StudyError> {
    for axis in design.axes() {
        let parts: Vec<&str> = axis.path.split('.').map(str::trim).collect();
        let &[kind, name, _, ..] = parts.as_slice() else {
            continue;
        };
        let Some(table) = template.root().find(kind).and_then(|node| node.as_table()) else {
            continue;
        };
        // * stands for all that there are
        if kind == "simulation" || name == "*" || table.get(name.trim_matches('"')).is_some() {
            continue;
        }
        let names: Vec<&str> = table
            .entries
            .iter()
            .map(|entry| entry.key.as_str())
            .collect();
        let suggestion = match suggest::did_you_mean(name, names.iter().copied()) {
            Some(meant) => format!("; {meant}"),
            None if names.is_empty() => String::new(),
            None => format!("; it has {}", names.join(", ")),
        };
        return Err(StudyError::NoSuchPart {
            origin: design.origin(),
            path: axis.path.clone(),
            missing: format!("{kind}.{name}"),
            suggestion,
        });
    }
    Ok(())
}
