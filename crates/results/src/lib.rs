//! Result folders of Bristle: the table, the summary and the plots of a run.
//!
//! This crate is the only one that writes result files. It knows channels, rows and numbers, and
//! nothing of bodies or friction laws.
//!
//! A run's folder is written so that its files never promise more than they hold:
//!
//! 1. [`RunFolder::create`] opens `results.csv.partial` and removes what an earlier run left,
//! 2. [`RunFolder::append`] streams rows to it,
//! 3. [`RunFolder::finish`] writes `channels.json` and the plots, renames the table to
//!    `results.csv`, and writes `summary.json` last; with [`RunFolder::with_npz`] there is `results.npz`
//!    as well.
//!
//! A process that dies in between leaves `results.csv.partial`, and no summary.
//!
//! ```
//! use bristle_results::{Channel, Foreign, RunFolder, Summary};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let place = tempfile::tempdir()?;
//! # let path = place.path().join("run");
//! let channels = vec![
//!     Channel::time(),
//!     Channel::new("contact.base.friction.x", "N", "friction force on the cube along x"),
//! ];
//! let mut folder = RunFolder::create(&path, channels, Foreign::Refuse)?;
//! folder.append(&[0.0, 0.0])?;
//! folder.append(&[1e-3, 0.25])?;
//! let summary = Summary { title: "Cube".into(), end_time: 1e-3, ..Summary::default() };
//! folder.finish(&summary, &[])?;
//! assert!(path.join("results.csv").is_file());
//! # Ok(())
//! # }
//! ```

mod archive;
mod atomic;
mod channel;
mod error;
mod extremes;
mod finite_or_null;
mod folder;
mod lookup;
mod npz;
mod ordered;
mod output;
mod page;
mod pair;
mod plot;
mod row_pipe;
mod rows;
mod statistics;
mod summary;
mod table;
mod terminal;

pub use bristle_units::{format_number, format_quantity};

pub use archive::Archive;
pub use atomic::{AtomicFile, token, write_atomically};
pub use channel::Channel;
pub use error::{Error, Operation, Result};
pub use extremes::Extremes;
pub use folder::{Finished, GRADIENT_NUMBERS, GRADIENT_ROWS, MODEL, RunFolder, VERIFICATION};
pub use lookup::{summary_names, summary_value};
pub use npz::NpzFile;
pub use ordered::Ordered;
pub use output::{FolderMaker, Foreign, OutputFolder, PAGE_MARK, claim, list_files, remove_listed};
pub use page::{Style, TextPage};
pub use pair::{ContactSummary, PairKind, StickSummary};
pub use plot::{
    AxisScale, Canvas, CurveStyle, Drawing, Figure, FigureAxis, FigureCurve, Map, Overlap,
    PLOT_MARK, Plot, PlotFormat, PlotSeries, draw, draw_beside, draw_map, draw_pdf, overlaps,
    render, thin,
};
pub use statistics::{Samples, Statistic, Window};
pub use summary::{Energy, EventSummary, Expectation, Extreme, RunFailure, Status, Summary};
pub use table::ChannelTable;
