//! Report pages of Bristle: one HTML file that opens without network.
//!
//! A [`Report`] is put together block by block and written once. It shows facts and warnings
//! first, then sections of plots, tables, a 3-D animation and texts, in the order in which they
//! were added. This crate knows no physics: it is handed channels, numbers and shapes.
//!
//! ```
//! use bristle_report::{Cell, Fact, Grid, PageNotice, Report};
//! use bristle_results::{FigureAxis, FigureCurve, Figure};
//!
//! # fn main() -> bristle_report::Result<()> {
//! let curve = |label: &str, y: [f64; 3]| FigureCurve::new(label, [0.0, 1.0, 2.0], y);
//! let page = Report::new("Block under two laws")
//!     .subtitle("one block, 2 s")
//!     .fact(Fact::new("laws", "2"))
//!     .notice(PageNotice::warning("coulomb_tanh creeps: it has no stick"))
//!     .section("Friction")
//!     .figure(&Figure {
//!         title: "Friction".into(),
//!         x: FigureAxis::new("time", "s"),
//!         y: FigureAxis::new("force", "N"),
//!         curves: vec![curve("lugre", [0.0, 1.0, 0.9]), curve("gkf", [0.0, 1.0, 1.0])],
//!     })
//!     .table(
//!         Grid::new("Laws side by side", ["law", "slip starts"])
//!             .row([Cell::text("lugre"), Cell::number(0.9, "s")])
//!             .row([Cell::text("gkf"), Cell::Empty]),
//!     )
//!     // or .write("report.html")
//!     .render()?;
//! assert!(page.contains("Laws side by side"));
//! # Ok(())
//! # }
//! ```

mod block;
mod chart;
mod error;
mod film;
mod framing;
mod grid;
mod page;
mod playground;
mod report;
mod scene;
mod scene_surface;
mod series;
mod sketch;
mod sketches;
mod space;
mod stance;
mod strip;
mod summary;

pub use block::{Band, BandKind, Fact, PageNotice, Timeline, TimelineRow, Tone};
pub use chart::{Loop, Loops};
pub use error::{Error, Result};
pub use film::{FILM_FRAMES, film};
pub use grid::{Cell, Grid};
pub use playground::playground;
pub use report::Report;
pub use scene::{
    Scene, SceneArrow, SceneBody, SceneChain, SceneChainPoint, SceneContact, SceneOrientation,
    ScenePlane, ScenePose, ScenePosition, SceneShape, SceneSlip, SceneSpring,
};
pub use scene_surface::{SceneSurface, SceneSurfaceShape};
pub use sketch::edges;
pub use strip::{FRAMES, strip};
