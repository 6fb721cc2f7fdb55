//! Arguments of `bristle characterise`.

use std::path::PathBuf;

use super::OutputArguments;

/// `bristle characterise`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle characterise lugre
  bristle characterise leuven --param leuven_exponent=8
  bristle characterise lugre --param \"v_s=3 mm/s\" --out lugre-features
  bristle characterise my-law.toml --json | jq '.features[] | {key, verdict, value}'
  bristle characterise gms --out gms-features --report
  bristle characterise lugre dahl gms --out three-laws --report
  bristle characterise --all

A law by its name has the standard parameters (mu_s 0.15, mu_k 0.1, sigma_0 1e4 1/m, v_s 1 mm/s,
where it has them); --param changes them, by name or by symbol, in each law that has the parameter.
A file LAW.toml has its own, and its name is that of the file where there are several laws. The
bench presses with 10 N on a block of 1 kg. Every verdict has a written criterion, which is shown.

The folder of --out holds features.json, features.csv and plots as SVG: force over speed and over
displacement, break-away over the rate of the load, stick-slip, drift. Several laws have a folder
each; beside these, one table and one plot a measurement show all of them. With --report there is a
page of all of it too, report.html, which opens in a browser without network.

Exit codes: 0 done, 1 the files could not be written, 2 bad input.")]
pub(crate) struct CharacteriseArguments {
    /// The law, or several to see side by side: names or files LAW.toml.
    #[arg(value_name = "LAW", required_unless_present = "all")]
    pub(crate) laws: Vec<String>,
    /// All laws of the catalogue, beside what the literature prints of them.
    #[arg(long, conflicts_with_all = ["laws", "parameters"])]
    pub(crate) all: bool,
    /// A parameter of the law, with a unit or in SI, as in "v_s=1 mm/s"; may be repeated.
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Write the overview of all laws as a page instead.
    #[arg(
        long,
        value_name = "PAGE.md",
        requires = "all",
        conflicts_with_all = ["json", "laws"]
    )]
    pub(crate) markdown: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output_to: OutputArguments,
}
