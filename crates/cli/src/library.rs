//! What other front ends take from the command, so that a run has the same warnings, words, plots and
//! page wherever it is made.

use std::path::Path;

use bristle_report::Report;
use bristle_results::{ChannelTable, Error, Foreign, Plot, RunFolder, Summary};
use bristle_scenario::{Scenario, SourceMap};

use crate::commands::{notices, report};
use crate::{model, plots};

/// Adds the warnings that the loads of the scenario deserve to those of its parameters.
pub fn add_notices(scenario: &mut Scenario) {
    notices::add(scenario);
}

/// What a scenario simulates, in one phrase.
pub fn phrase(scenario: &Scenario) -> String {
    model::phrase(&scenario.model, &scenario.plan)
}

/// The plots of a run.
pub fn plots_of(scenario: &Scenario, table: &ChannelTable) -> Vec<Plot> {
    plots::of_scenario(scenario, table)
}

/// A run that is over.
#[derive(Clone, Copy, Debug)]
pub struct FinishedRun<'a> {
    /// What was run.
    pub scenario: &'a Scenario,
    /// Its texts.
    pub sources: &'a SourceMap,
    /// Its rows.
    pub table: &'a ChannelTable,
    /// The outcome.
    pub summary: &'a Summary,
}

impl FinishedRun<'_> {
    /// The page of the run.
    pub fn report(&self) -> Report {
        report::of_run(self.scenario, self.sources, self.table, self.summary)
    }

    /// Writes the folder that `bristle run` writes.
    ///
    /// # Errors
    /// If a file cannot be written, or the folder holds files that no run made.
    pub fn save(&self, path: &Path, foreign: Foreign) -> Result<(), Error> {
        let channels = self.table.channels().to_vec();
        let mut folder = RunFolder::create(path, channels, foreign)?;
        let columns: Vec<&[f64]> = self
            .table
            .channels()
            .iter()
            .map(|channel| self.table.column(&channel.name).unwrap_or_default())
            .collect();
        let mut row = Vec::with_capacity(columns.len());
        for i in 0..self.table.rows() {
            row.clear();
            row.extend(columns.iter().map(|column| column[i]));
            folder.append(&row)?;
        }
        let plots = if self.table.rows() < 2 {
            Vec::new()
        } else {
            plots_of(self.scenario, folder.table())
        };
        report::keep(&mut folder, self.scenario, self.sources)?;
        folder.finish(self.summary, &plots).map(|_| ())
    }
}
