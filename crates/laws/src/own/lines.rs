//! The lines of a law: what each defines, and where.

use super::error::{EquationError, Place};
use std::ops::Range;

/// What a line defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// The force.
    Force,
    /// The rate of a state.
    Rate(String),
    /// A quantity of its own.
    Quantity(String),
}

/// One line: `left = formula`.
#[derive(Clone, Debug)]
pub(super) struct SourceLine {
    pub(super) left: Left,
    pub(super) left_place: Place,
    /// The formula, and where it starts in the text.
    pub(super) formula: String,
    pub(super) start: usize,
    pub(super) text: usize,
}

impl SourceLine {
    /// A place in the formula, as one in the equations.
    pub(super) fn place(&self, range: &Range<usize>) -> Place {
        Place {
            text: self.text,
            range: self.start + range.start..self.start + range.end,
        }
    }
}

/// Name of the force.
pub(super) const FORCE: &str = "F";

/// Names that equations use and cannot define.
const TAKEN: [&str; 2] = ["v", "N"];

/// Reads the lines of all texts; empty lines and what follows `#` are skipped.
pub(super) fn read(texts: &[String]) -> Result<Vec<SourceLine>, EquationError> {
    let mut lines: Vec<SourceLine> = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let mut start = 0;
        for raw in text.split('\n') {
            let here = start;
            start += raw.len() + 1;
            let written = raw.split('#').next().unwrap_or_default();
            if written.trim().is_empty() {
                continue;
            }
            let line = line(written, here, number)?;
            if let Some(first) = lines.iter().find(|other| other.left == line.left) {
                let name = &texts[first.left_place.text][first.left_place.range.clone()];
                let reason = format!("{name} is defined twice");
                return Err(EquationError::at(&line.left_place, reason));
            }
            lines.push(line);
        }
    }
    Ok(lines)
}

/// The equations as they were written, one by one and without comments.
pub(super) fn written(texts: &[String]) -> Vec<String> {
    let lines = texts.iter().flat_map(|text| text.split('\n'));
    lines
        .map(|line| line.split('#').next().unwrap_or_default().trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

fn line(written: &str, start: usize, text: usize) -> Result<SourceLine, EquationError> {
    let at = |range: Range<usize>| Place { text, range };
    let Some(sign) = written.find('=') else {
        let trimmed = written.trim();
        let first = start + written.len() - written.trim_start().len();
        return Err(EquationError::at(
            &at(first..first + trimmed.len()),
            "an equation is written as NAME = formula: F = … for the force, dz/dt = … for the \
             rate of a state z",
        ));
    };
    let name = written[..sign].trim();
    let first = start + written[..sign].len() - written[..sign].trim_start().len();
    let left_place = at(first..first + name.len().max(1));
    let left = left(name).map_err(|reason| EquationError::at(&left_place, reason))?;
    Ok(SourceLine {
        left,
        left_place,
        formula: written[sign + 1..].to_owned(),
        start: start + sign + 1,
        text,
    })
}

fn left(name: &str) -> Result<Left, String> {
    if name == FORCE {
        return Ok(Left::Force);
    }
    if let Some(state) = name
        .strip_prefix('d')
        .and_then(|name| name.strip_suffix("/dt"))
    {
        if TAKEN.contains(&state) || !is_name(state) {
            return Err(format!("\"{state}\" cannot be the name of a state"));
        }
        return Ok(Left::Rate(state.to_owned()));
    }
    if TAKEN.contains(&name) {
        let meaning = if name == "v" {
            "the slip velocity"
        } else {
            "the normal force"
        };
        return Err(format!("{name} is {meaning}; it cannot be defined"));
    }
    if is_name(name) {
        return Ok(Left::Quantity(name.to_owned()));
    }
    Err(
        "the left side of an equation is F, dNAME/dt, or a name of letters, digits and _"
            .to_owned(),
    )
}

/// Whether a text is a name: letters, digits and underscores.
pub fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '_')
}
