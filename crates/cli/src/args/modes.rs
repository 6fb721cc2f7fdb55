//! Arguments of `bristle modes`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::ScenarioArguments;

/// `bristle modes`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle modes blade.toml
  bristle modes blades.toml --contacts stuck --count 6
  bristle modes blade.toml --out shapes          two views of each mode, and modes.json
  bristle modes blade.toml --out shapes --report   the machine moving in its modes
  bristle modes blade.toml --json | jq '.modes[].frequency'

The scenario is brought to static equilibrium and linearised there. Contacts resist with the
stiffness and damping that their laws have in that state; --contacts stuck glues all contact
points to their planes, --contacts free leaves the contacts out.

The frequency is |λ|/2π and the damping ratio −Re λ/|λ|, of eigenvalues λ. Undamped is ω₀/2π of
the same mode without its damping: the two differ where dampers or bristles tie the modes together.

Exit codes: 0 done, 1 there is no equilibrium or no mode, 2 bad input.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct ModesArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// Number of modes, the lowest first.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub(crate) count: usize,
    /// State of the contacts. [default: as they stand in equilibrium]
    #[arg(long, value_name = "STATE")]
    pub(crate) contacts: Option<ContactState>,
    /// Linearise about the positions of the file instead of the equilibrium.
    #[arg(long)]
    pub(crate) as_given: bool,
    /// Folder for one picture of each mode shape, and modes.json.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write into a folder that this command did not make; files of the same names are replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// Write every plot as PDF beside the SVG.
    #[arg(long, requires = "out")]
    pub(crate) pdf: bool,
    /// Write every plot as PNG beside the SVG, with two pixels for each of its units.
    #[arg(long, requires = "out")]
    pub(crate) png: bool,
    /// Write report.html into the folder too: a page on which the machine moves in its modes.
    #[arg(long, requires = "out")]
    pub(crate) report: bool,
    /// Print JSON, with the motion of every body in every mode.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show nothing (except JSON if requested); errors and warnings are still shown.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// What becomes of the contacts in `bristle modes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContactState {
    /// Glued: no relative motion at any contact point.
    Stuck,
    /// Without any force.
    Free,
}
