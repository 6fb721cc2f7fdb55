//! A scenario that is ready to run.

use std::path::PathBuf;

use bristle_integrate::Plan;
use bristle_laws::Topic;
use bristle_mechanics::Model;
use bristle_mechanics::record::ChannelWatch;

use super::expectations::Expect;
use super::plots::PlotSpec;
use super::quantities::Quantities;
use crate::{Diagnostic, OpenHarmonic, Parameter};

/// A scenario that is ready to run.
#[derive(Debug)]
pub struct Scenario {
    /// Its title.
    pub title: String,
    /// Its file.
    pub path: PathBuf,
    /// Identifies everything that was read: the first 16 digits of a SHA-256.
    pub hash: String,
    /// What moves.
    pub model: Model,
    /// How it is integrated.
    pub plan: Plan,
    /// From where.
    pub start: StartState,
    /// Time between two rows of the results, s.
    pub output_step: f64,
    /// What the run must give.
    pub expectations: Vec<Expect>,
    /// Channels that are watched for crossing a value.
    pub events: Vec<ChannelWatch>,
    /// Plots that the user asks for.
    pub plots: Vec<PlotSpec>,
    /// What deserves a second look, without the topics that are accepted.
    pub warnings: Vec<Diagnostic>,
    /// Topics of warnings that the scenario accepts.
    pub accepted_warnings: Vec<Topic>,
    /// Every field that was read, with the value that was used.
    pub parameters: Vec<Parameter>,
    /// Harmonics without a frequency: a run in time cannot take them.
    pub open_harmonics: Vec<OpenHarmonic>,
}

impl Scenario {
    /// The numbers that the summary of a run has, and their units; those of contacts are named after their
    /// section, as in `contact.base.stick_count`. Extremes of channels are left out.
    pub fn numbers(&self) -> Vec<(String, &'static str)> {
        let mut quantities = Quantities::of(&self.model);
        quantities.add_events(&self.events);
        quantities.into_numbers()
    }
}

/// The state in which a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartState {
    /// Positions and velocities as they are given.
    AsGiven,
    /// The static equilibrium near the given positions.
    Equilibrium,
}
