//! Arguments of `bristle report`.

use std::path::PathBuf;

use bristle_report::FRAMES;

/// `bristle report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle report results/cube-30deg
  bristle report results/cube-30deg --out cube.html
  bristle report results/cube-30deg --strip motion.svg --frames 5
  bristle report pendulum          an example of that name, run if results/pendulum is not there

The page is one file that opens in any browser without network. A run that failed, was interrupted
or died is shown as far as it went, marked as such. bristle run --report writes the page at once.
--strip draws the motion as pictures side by side, for slides and papers, and writes no page.

Exit codes: 0 done, 1 the page could not be written, 2 bad input (nothing is written).")]
pub(crate) struct ReportArguments {
    /// Folder that bristle run wrote, or the name of an example (`bristle examples`).
    #[arg(value_name = "RUN_DIR")]
    pub(crate) folder: PathBuf,
    /// The page. [default: report.html in the folder]
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) out: Option<PathBuf>,
    /// Draw the motion as pictures side by side in one SVG, in place of the page.
    #[arg(long, value_name = "FILE.svg", conflicts_with = "out")]
    pub(crate) strip: Option<PathBuf>,
    /// Pictures of the strip, 2 to 12, evenly spaced in time.
    #[arg(long, value_name = "N", default_value_t = 6, requires = "strip", value_parser = frames)]
    pub(crate) frames: usize,
    /// Do not show where the page is; errors and warnings are still shown.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// A number of pictures that fit side by side.
fn frames(text: &str) -> Result<usize, String> {
    let range = format!("it is from {} to {}", FRAMES.start(), FRAMES.end());
    let number: usize = text
        .parse()
        .map_err(|_| format!("not a whole number; {range}"))?;
    FRAMES.contains(&number).then_some(number).ok_or(range)
}
