//! Arguments of `bristle report`.

use std::path::PathBuf;

/// `bristle report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle report results/cube-30deg
  bristle report results/cube-30deg --out cube.html

The page is one file that opens in any browser without network. A run that failed, was interrupted
or died is shown as far as it went, marked as such. bristle run --report writes the page at once.

Exit codes: 0 done, 1 the page could not be written, 2 bad input (nothing is written).")]
pub(crate) struct ReportArguments {
    /// Folder that bristle run wrote.
    #[arg(value_name = "RUN_DIR")]
    pub(crate) folder: PathBuf,
    /// The page. [default: report.html in the folder]
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) out: Option<PathBuf>,
    /// Do not show where the page is; errors and warnings are shown all the same.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
