//! Arguments of `bristle check`.

use super::ScenarioArguments;

/// `bristle check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle check cube-30deg.toml
  bristle check cube-30deg.toml --set body.cube.mass=\"0 kg\"
  bristle check cube-30deg.toml --json
  bristle check cube-30deg.toml --channels

Exit codes: 0 the scenario can run (with warnings or without), 2 it cannot.")]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// Print errors, warnings and what would be simulated as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// List the channels that a run would write: name, unit and meaning.
    #[arg(long)]
    pub(crate) channels: bool,
    /// Show nothing (except JSON if requested); errors and warnings are still shown.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
