//! Arguments of `bristle compare`.

use super::{ResultsArguments, ScenarioArguments};

/// `bristle compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle compare cube-30deg.toml --law lugre --law gkf --law simpack_stick_slip
  bristle compare cube-30deg.toml --law gkf             the scenario's own law beside gkf
  bristle compare cube-30deg.toml --law gkf --law dahl --param gkf:v_r=1e-5
  bristle compare cube-30deg.toml --law lugre --law stiff.toml --out stiffness
  bristle compare arm.toml --law lugre --law karnopp --joint shoulder
  bristle compare cube-30deg.toml --law gkf --json | jq '.laws[] | {law, contacts}'

A law takes over the parameters that it shares with the scenario's law. Others are derived from it
(docs/guide/compare.md), and a note names each; --param sets them instead. A
file LAW.toml has law = \"NAME\" and the parameters as fields. Stick and slip of all laws are
detected with the slip speed of the scenario's own law.

The folder holds compare.csv, compare.json and overlaid plots of each contact and of each joint with
friction: friction over time, over slip and over slip velocity, slip and slip velocity over time.

Exit codes: 0 done, 1 a law failed or the comparison was interrupted, 2 bad input (nothing is
written).")]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// A law: a name or a file LAW.toml; may be repeated.
    #[arg(short, long = "law", value_name = "LAW", required = true)]
    pub(crate) laws: Vec<String>,
    /// A parameter of one of the laws, as in "gkf:v_r=0.1 mm/s"; may be repeated.
    #[arg(short, long = "param", value_name = "LAW:NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Change the law of this contact only; may be repeated, also with --joint. [default: every
    /// contact and joint with friction]
    #[arg(long = "contact", value_name = "NAME")]
    pub(crate) contacts: Vec<String>,
    /// Change the law of this joint friction only; may be repeated, also with --contact.
    #[arg(long = "joint", value_name = "NAME")]
    pub(crate) joints: Vec<String>,
    /// Also write the channels of every law's run, results_LAW.csv, with the columns of `bristle run`.
    #[arg(long)]
    pub(crate) channels: bool,
    #[command(flatten)]
    pub(crate) results: ResultsArguments,
}
