//! Arguments of `bristle sensitivity`.

use std::path::PathBuf;

use super::ScenarioArguments;

/// `bristle sensitivity`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle sensitivity stick-slip.toml
  bristle sensitivity stick-slip.toml --by spring.drive.stiffness,body.block.mass
  bristle sensitivity cube-30deg.toml --of energy.dissipated,body.cube.position.x
  bristle sensitivity slider.toml --out slider-sensitivity.csv

Every number of the scenario is changed slightly up and down, and the run is repeated with the
same steps. The effect of a number is the relative change of an output over its own relative change:
1 where the output is proportional to it; an energy counts over the largest of them. Outputs are
numbers of the summary, and channels by their root mean square without the rows in which they jump.
`bristle run --gradient` gives the derivatives themselves.

Exit codes: 0 done, 1 a run ended early, 2 bad input (nothing is written).")]
pub(crate) struct SensitivityArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// Fields to move, separated by commas. [default: all numbers of the file that act on the motion]
    #[arg(long, value_name = "PATH,…", value_delimiter = ',')]
    pub(crate) by: Vec<String>,
    /// Numbers of the summary as in energy.dissipated, or channels, separated by commas.
    /// [default: energies put in and lost, times and largest slip speeds of contacts and joints]
    #[arg(long, value_name = "OUTPUT,…", value_delimiter = ',')]
    pub(crate) of: Vec<String>,
    /// File of the table, as CSV.
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) out: Option<PathBuf>,
    /// Print the table as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show nothing (except JSON if requested); errors and warnings are still shown.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
