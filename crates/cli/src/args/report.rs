//! Arguments of `bristle report`.

use std::path::PathBuf;

use bristle_report::{FILM_FRAMES, FRAMES};

/// `bristle report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle report results/cube-30deg
  bristle report results/cube-30deg --out cube.html
  bristle report results/cube-30deg --gif motion.gif
  bristle report results/cube-30deg --strip motion.svg --frames 5
  bristle report pendulum          an example of that name, run if results/pendulum is not there

The page is one file that opens in any browser without network. A run that failed, was interrupted
or died is shown as far as it went, marked as such. bristle run --report writes the page at once.
For slides and papers --gif draws the motion as an animation that repeats, and --strip as pictures
side by side; they write no page.

Exit codes: 0 done, 1 the page could not be written, 2 bad input (nothing is written).")]
pub(crate) struct ReportArguments {
    /// Folder that bristle run wrote, or the name of an example (`bristle examples`).
    #[arg(value_name = "RUN_DIR")]
    pub(crate) folder: PathBuf,
    /// The page. [default: report.html in the folder]
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) out: Option<PathBuf>,
    /// Draw the motion as an animated GIF, in place of the page.
    #[arg(long, value_name = "FILE.gif", conflicts_with = "out")]
    pub(crate) gif: Option<PathBuf>,
    /// Draw the motion as pictures side by side in one SVG, in place of the page.
    #[arg(long, value_name = "FILE.svg", conflicts_with = "out")]
    pub(crate) strip: Option<PathBuf>,
    /// Pictures, evenly spaced in time: of a GIF 2 to 300, of a strip 2 to 60. [default: 60, and 6]
    #[arg(long, value_name = "N", value_parser = frames)]
    pub(crate) frames: Option<usize>,
    /// Do not show where the page is; errors and warnings are still shown.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// A number of pictures.
fn frames(text: &str) -> Result<usize, String> {
    let range = format!(
        "it is from {} to {}, and for a strip to {}",
        FILM_FRAMES.start(),
        FILM_FRAMES.end(),
        FRAMES.end()
    );
    let number: usize = text
        .parse()
        .map_err(|_| format!("not a whole number; {range}"))?;
    FILM_FRAMES.contains(&number).then_some(number).ok_or(range)
}
