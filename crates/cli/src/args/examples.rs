//! Arguments of `bristle examples`.

use std::path::PathBuf;

/// `bristle examples`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle examples                        what there is
  bristle run pendulum                    run one as it is
  bristle examples pendulum               print one
  bristle examples pendulum --out .       copy one, and what it reads
  bristle examples --out scenarios        copy all of them")]
pub(crate) struct ExamplesArguments {
    /// The example to show or copy.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Copy to this folder; files that are there already are kept.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print the list as JSON.
    #[arg(long, conflicts_with = "out")]
    pub(crate) json: bool,
}
