//! Arguments of `bristle calibrate`.

use std::path::PathBuf;

use super::{ColumnArguments, OutputArguments};

/// `bristle calibrate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle calibrate cart.toml run.csv --input force.motor.magnitude=F \\
      --output body.cart.position.x=x --free body.cart.mass
  bristle calibrate cart.toml slow.csv fast.csv --input force.motor.magnitude=F \\
      --output body.cart.position.x=x --free body.cart.mass,contact.rail.friction.mu_k \\
      --bound body.cart.mass=0.5:2 --out cart-fit
  bristle run cart-fit/fitted.toml

Columns of DATA become functions of time of the scenario (--input), channels of its results are
compared with other columns (--output), and the fields named by --free are sought. DATA is read as
by `bristle identify`; it needs a column of the time, and names with units such as \"x [mm]\" are
understood. A run begins at t = 0 as the scenario says and ends with the file; several DATA are
runs of the same machine, with the same columns, and are fitted together.

The folder of --out holds fitted.toml, a scenario that includes the other one with the values that
were found, calibrate.json, outputs.csv and plots; with several DATA the outputs are numbered.

Exit codes: 0 done (whatever the verdicts), 1 no fit was found, 2 bad input (nothing is written).")]
pub(crate) struct CalibrateArguments {
    /// The scenario.
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
    /// The measurements.
    #[arg(value_name = "DATA.csv", required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// An unknown field of the scenario; may be repeated.
    #[arg(long, value_name = "PATH,…", required = true)]
    pub(crate) free: Vec<String>,
    /// A channel of the scenario's results and the column that it is compared with; may be
    /// repeated.
    #[arg(long, value_name = "CHANNEL=COLUMN", required = true)]
    pub(crate) output: Vec<String>,
    /// A field of the scenario and the column that becomes its function of time; may be repeated.
    #[arg(long, value_name = "PATH=COLUMN")]
    pub(crate) input: Vec<String>,
    /// Start the search for a field here instead of at the scenario's value; may be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) start: Vec<String>,
    /// Keep a field within bounds; may be repeated.
    #[arg(long, value_name = "PATH=LOW:HIGH", allow_hyphen_values = true)]
    pub(crate) bound: Vec<String>,
    /// Change a field of the scenario; may be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) columns: ColumnArguments,
    #[command(flatten)]
    pub(crate) output_to: OutputArguments,
}
