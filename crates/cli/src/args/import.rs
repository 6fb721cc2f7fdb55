//! Arguments of `bristle import`.

use std::path::PathBuf;

/// `bristle import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle import arm.urdf --out arm.toml            then: bristle check arm.toml
  bristle import arm.urdf --law coulomb_tanh        the scenario to standard output
  bristle import dog.urdf --floating --out dog.toml
  bristle import model.xml --out model.toml         MJCF, plain or compiled
  bristle import arm.urdf --json                    scenario, remarks and counts

The report lists what was assumed, changed, lost or is doubtful, each with the line of the file.
Friction of URDF and MJCF is a level and nothing else: the level becomes the constant load of
--law, whose other parameters are stated in the scenario and are there to be changed.

Exit codes: 0 done, 2 the file cannot be imported (nothing is written).")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct ImportArguments {
    /// The model of the robot, URDF or MJCF.
    #[arg(value_name = "ROBOT.urdf|MODEL.xml")]
    pub(crate) model: PathBuf,
    /// File of the scenario; to standard output if not given.
    #[arg(short, long, value_name = "SCENARIO.toml")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file of the scenario if it exists.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// The friction law of the joints, by its name in `bristle laws`.
    #[arg(short, long, value_name = "NAME", default_value = "lugre")]
    pub(crate) law: String,
    /// Let the root of a URDF move freely; it stands on the ground if not given.
    #[arg(long)]
    pub(crate) floating: bool,
    /// Replace masses and inertias that no body can have instead of refusing them; each is reported.
    #[arg(long)]
    pub(crate) repair: bool,
    /// Print scenario and report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no report; errors are still shown.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
