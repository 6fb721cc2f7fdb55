//! Arguments of `bristle run`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::ScenarioArguments;

/// `bristle run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle run cube-30deg.toml
  bristle run cube-30deg.toml --report
  bristle run cube-30deg.toml --out fine --set simulation.integrator.tolerance=1e-8
  bristle run cube-30deg.toml --set contact.base.friction.static_coefficient=0.2
  bristle run cube-30deg.toml --json | jq .contacts.base.first_slip_time

The folder holds results.csv, channels.json (units and meaning of every column), plots as SVG, and
summary.json, which is written last. Ctrl-C keeps what was computed.

Exit codes: 0 done, 1 the run failed or was interrupted, 2 bad input (nothing is written),
3 an expectation of the scenario was missed.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// Folder of the results; what an earlier run left there is replaced.
    /// [default: results/ and the name of the scenario]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write into a folder that this command did not make; files of the same names are replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// Format of the table; csv if not given.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Vec<Format>,
    /// Write no plots.
    #[arg(long)]
    pub(crate) no_plots: bool,
    /// Write report.html too: a page with plots, an animation and tables that opens offline.
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show neither progress nor summary (but JSON if asked for); errors and warnings are shown all
    /// the same.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Formats of the table of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text with commas.
    Csv,
    /// Apache Parquet.
    Parquet,
}
