//! Arguments of `bristle run`.

use std::path::Path;

use super::{FormatArguments, ResultsArguments, ScenarioArguments};

/// `bristle run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle run cube-30deg.toml
  bristle run cube-30deg.toml --report
  bristle run cube-30deg.toml --out fine --set simulation.integrator.tolerance=1e-8
  bristle run cube-30deg.toml --set contact.base.friction.static_coefficient=0.2
  bristle run cube-30deg.toml --verify         how many digits hold
  bristle run stick-slip.toml --gradient spring.drive.stiffness,body.block.mass
  bristle run cube-30deg.toml --format npz     results.npz for numpy.load, beside results.csv
  bristle run cube-30deg.toml --json | jq .contacts.base.first_slip_time

The folder holds results.csv, channels.json (units and meaning of every column), plots as SVG, and
summary.json, which is written last. Ctrl-C keeps what was computed.

Exit codes: 0 done, 1 the run failed or was interrupted, 2 bad input (nothing is written),
3 an expectation of the scenario was missed.")]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    #[command(flatten)]
    pub(crate) formats: FormatArguments,
    /// Run once more at a hundredth of the tolerance, and say how many digits of every number and
    /// channel hold
    #[arg(long)]
    pub(crate) verify: bool,
    /// Write the derivatives of all channels and of the numbers of the summary by these fields,
    /// separated by commas, as in body.cube.mass
    #[arg(long, value_name = "PATH,…", value_delimiter = ',')]
    pub(crate) gradient: Vec<String>,
    #[command(flatten)]
    pub(crate) results: ResultsArguments,
}

impl RunArguments {
    /// Runs a shipped example as it is, with its page, in the folder that is the default.
    pub(crate) fn of_example(name: &Path, quiet: bool) -> Self {
        Self {
            scenario: ScenarioArguments {
                scenario: name.to_path_buf(),
                overrides: Vec::new(),
            },
            formats: FormatArguments::default(),
            verify: false,
            gradient: Vec::new(),
            results: ResultsArguments {
                out: None,
                force: false,
                no_plots: false,
                pdf: false,
                png: false,
                report: true,
                json: false,
                quiet,
            },
        }
    }
}
