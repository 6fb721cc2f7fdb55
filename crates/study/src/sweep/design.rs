//! Which runs a sweep makes, and the values of each.

use std::path::Path;

use bristle_scenario::Parameter;
use serde_json::{Value, json};

use super::axis::{Axis, AxisValue};
use super::case::VARY;
use super::cases;
use super::error::DesignError;
use super::sample::{ParameterRange, SampleMethod, Sampling};

/// Cases that are tried before a sweep is refused because none of them is sound.
const TRIED: usize = 64;

/// The parameters of a sweep and how their values are combined.
#[derive(Clone, Debug)]
pub struct Design {
    axes: Vec<Axis>,
    count: usize,
    kind: DesignKind,
}

/// How the values of the parameters are combined.
#[derive(Clone, Debug)]
enum DesignKind {
    /// All combinations.
    Grid,
    /// One case for each row of a table: its file, and the line of each row.
    Table { file: String, lines: Vec<u64> },
    /// Drawn from ranges: what they are, by parameter.
    Sampling {
        sample: Sampling,
        seed: u64,
        ranges: Vec<ParameterRange>,
    },
}

impl Design {
    /// All combinations of the values of axes, at least one.
    ///
    /// # Errors
    /// [`DesignError`] if they cannot be counted.
    pub fn grid(axes: Vec<Axis>) -> Result<Self, DesignError> {
        let mut sizes = axes.iter().map(|axis| axis.values.len());
        let count = sizes.try_fold(1_usize, usize::checked_mul);
        let count = count.ok_or_else(|| DesignError {
            message: "the values of --vary make more runs than can be counted".to_owned(),
            help: None,
        })?;
        let kind = DesignKind::Grid;
        Ok(Self { axes, count, kind })
    }

    /// The rows of a table whose columns are paths of the scenario.
    ///
    /// # Errors
    /// [`DesignError`] with file, line and column.
    pub fn table(file: &Path) -> Result<Self, DesignError> {
        let (axes, lines) = cases::read(file)?;
        let file = file.display().to_string();
        Ok(Self {
            axes,
            count: lines.len(),
            kind: DesignKind::Table { file, lines },
        })
    }

    /// Values that are drawn from ranges.
    ///
    /// # Errors
    /// [`DesignError`] if there are too many runs or parameters.
    pub fn sample(
        sample: Sampling,
        ranges: &[ParameterRange],
        seed: u64,
    ) -> Result<Self, DesignError> {
        Ok(Self {
            axes: sample.axes(ranges, seed)?,
            count: sample.runs(ranges.len()),
            kind: DesignKind::Sampling {
                sample,
                seed,
                ranges: ranges.to_vec(),
            },
        })
    }

    /// The parameters. Of a grid they have all their values once, else one for each case.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Gives plain numbers the units of the fields that they are values of.
    pub(super) fn take_units(&mut self, fields: &[Parameter]) {
        for axis in &mut self.axes {
            let Some(field) = fields.iter().find(|field| field.path == axis.path) else {
                continue;
            };
            let plain = axis.values.iter_mut().filter(|value| value.unit == "1");
            plain.for_each(|value| value.unit = field.unit.to_string());
        }
    }

    /// Number of cases.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether it has all combinations of the values.
    pub fn is_grid(&self) -> bool {
        matches!(self.kind, DesignKind::Grid)
    }

    /// Whether it is a table of cases.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.kind, DesignKind::Table { .. })
    }

    /// The ranges from which values are drawn; none if they are not.
    pub(super) fn ranges(&self) -> &[ParameterRange] {
        match &self.kind {
            DesignKind::Sampling { ranges, .. } => ranges,
            _ => &[],
        }
    }

    /// The sample, if values are drawn.
    pub fn drawn(&self) -> Option<Sampling> {
        match self.kind {
            DesignKind::Sampling { sample, .. } => Some(sample),
            _ => None,
        }
    }

    /// The values of a case; the last axis of a grid changes fastest.
    pub fn values(&self, case: usize) -> Vec<&AxisValue> {
        if !self.is_grid() {
            return self
                .axes
                .iter()
                .filter_map(|axis| axis.values.get(case))
                .collect();
        }
        let mut rest = case;
        let mut values: Vec<&AxisValue> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            values.push(&axis.values[rest % axis.values.len()]);
            rest /= axis.values.len();
        }
        values.reverse();
        values
    }

    /// Where the values of a case come from, for messages.
    pub(super) fn place(&self, case: usize) -> String {
        match &self.kind {
            DesignKind::Grid => VARY.to_owned(),
            DesignKind::Table { file, lines } => {
                let line = lines.get(case).copied().unwrap_or_default();
                format!("{file}, line {line}")
            }
            DesignKind::Sampling { .. } => "--range".to_owned(),
        }
    }

    /// Where the paths come from, for messages.
    pub(super) fn origin(&self) -> String {
        match &self.kind {
            DesignKind::Table { file, .. } => format!("{file}, line 1, column"),
            _ => self.place(0),
        }
    }

    /// Cases by which one that is sound is looked for: of a grid the first one and those that differ
    /// from it along one axis.
    pub(super) fn tried(&self) -> Vec<usize> {
        let mut tried = vec![0];
        if self.is_grid() {
            let mut stride = self.count;
            for axis in &self.axes {
                stride /= axis.values.len();
                tried.extend((1..axis.values.len()).map(|i| i * stride));
            }
        } else {
            tried.extend(1..self.count);
        }
        tried.truncate(TRIED);
        tried
    }

    /// What it is, in a phrase.
    pub fn words(&self) -> String {
        match &self.kind {
            DesignKind::Grid => {
                let axes = self.axes.iter();
                let sizes: Vec<String> = axes
                    .map(|axis| format!("{} of {}", axis.values.len(), axis.path))
                    .collect();
                sizes.join(" × ")
            }
            DesignKind::Table { file, .. } => format!("the rows of {file}"),
            DesignKind::Sampling { sample, seed, .. } => {
                let points = sample.points;
                let name = match sample.method {
                    SampleMethod::LatinHypercube => "Latin hypercube".to_owned(),
                    SampleMethod::Sobol => "Sobol' points".to_owned(),
                    SampleMethod::Saltelli => format!("Saltelli's design of {points} points"),
                };
                let count = self.axes.len();
                let parameters = if count == 1 {
                    "parameter"
                } else {
                    "parameters"
                };
                format!("{name} over {count} {parameters}, seed {seed}")
            }
        }
    }

    /// How far the values of an axis reach, in a phrase.
    pub fn span(&self, axis: usize) -> String {
        let values = self.axes.get(axis).map_or(&[][..], |axis| &axis.values);
        match (&self.kind, values) {
            (DesignKind::Sampling { ranges, .. }, _) => ranges
                .get(axis)
                .map(ParameterRange::words)
                .unwrap_or_default(),
            (_, [only]) => only.text.clone(),
            (_, [first, .., last]) => format!("{} … {}", first.text, last.text),
            (_, []) => String::new(),
        }
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        match &self.kind {
            DesignKind::Grid => json!({ "kind": "grid" }),
            DesignKind::Table { file, .. } => json!({ "kind": "cases", "file": file }),
            DesignKind::Sampling { sample, seed, .. } => json!({
                "kind": sample.method.word(),
                "points": sample.points,
                "seed": seed,
            }),
        }
    }
}
