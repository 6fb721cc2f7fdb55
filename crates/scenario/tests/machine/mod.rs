//! Runs a scenario text and keeps its rows.
#![allow(dead_code, reason = "each test binary uses some of these")]

use bristle_integrate::Flow;
use bristle_mechanics::record::{Outcome, RowObserver, Start, channels, simulate};
use bristle_scenario::{Scenario, SourceMap, load};
use std::path::Path;

/// The rows of a run.
pub(crate) struct Rows {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl RowObserver for Rows {
    fn row(&mut self, values: &[f64]) -> Flow {
        self.rows.push(values.to_vec());
        Flow::Continue
    }
}

impl Rows {
    /// One channel over time.
    pub(crate) fn column(&self, name: &str) -> Vec<f64> {
        let place = self.names.iter().position(|n| n == name);
        let place = place.unwrap_or_else(|| panic!("no channel {name}: {:?}", self.names));
        self.rows.iter().map(|row| row[place]).collect()
    }

    /// Its last value.
    pub(crate) fn last(&self, name: &str) -> f64 {
        *self.column(name).last().unwrap()
    }
}

/// Runs a file with settings.
pub(crate) fn run_file(path: &Path, set: &[&str]) -> (Outcome, Rows) {
    let set: Vec<String> = set.iter().map(|&s| s.to_owned()).collect();
    let scenario = load(path, &set, &mut SourceMap::new()).unwrap();
    let start = match scenario.start {
        bristle_scenario::StartState::AsGiven => Start::AsGiven,
        bristle_scenario::StartState::Equilibrium => Start::Equilibrium,
    };
    let mut rows = Rows {
        names: channels(&scenario.model)
            .into_iter()
            .map(|c| c.name)
            .collect(),
        rows: Vec::new(),
    };
    let step = scenario.output_step;
    let outcome = simulate(&scenario.model, &scenario.plan, start, step, &mut rows);
    assert_eq!(outcome.error, None);
    (outcome, rows)
}

/// Reads a text.
pub(crate) fn read(text: &str) -> Scenario {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    load(&path, &[], &mut SourceMap::new()).unwrap()
}

/// Runs a text.
pub(crate) fn run(text: &str) -> (Outcome, Rows) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    run_file(&path, &[])
}

/// Asserts `value` within `tolerance` of `wanted`.
pub(crate) fn close(what: &str, value: f64, wanted: f64, tolerance: f64) {
    assert!(
        (value - wanted).abs() <= tolerance,
        "{what}: {value}, wanted {wanted} within {tolerance:e}"
    );
}
