//! Recorded data: read, recognised, prepared.
//!
//! The way of the data: [`DataTable::read`] takes a file of a test bench, text or arrays, as it is;
//! [`recognise`] finds out which column is which quantity in which unit; [`prepare`] makes a
//! [`Record`] in SI of it by a [`PreparationPlan`] (trimming, resampling, filters, outliers), and keeps account
//! of every stage. A motion that is prescribed is read row by row by a [`MotionReader`], columns of
//! known names by [`read_columns`]. All three share one reader of text, [`TextReader`].
//!
//! ```
//! use bristle_recordings::{DataTable, PreparationPlan, prepare};
//!
//! # fn main() -> Result<(), bristle_recordings::Problem> {
//! let text = "t [ms];v [mm/s];F\n0;0;0\n10;1;2,5\n20;2;2,5\n30;1;2,5\n40;0;0\n";
//! let table = DataTable::parse(text.as_bytes(), "bench.csv".as_ref())?;
//! let prepared = prepare(&table, &PreparationPlan::default())?;
//! assert_eq!(prepared.record.velocity[2], 2e-3);
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here knows a friction law, and nothing prints.

#![allow(
    clippy::float_cmp,
    reason = "at rest a velocity is zero exactly, and signs are whole numbers"
)]

mod arrays;
mod baseline;
mod clocks;
mod column_noise;
mod column_units;
mod columns;
mod doubts;
mod error;
mod filter;
mod motion;
mod motion_units;
mod moving;
mod named;
mod prepare;
mod prepared;
mod problem;
mod quality;
mod quantity;
mod read;
mod record;
mod series;
mod signals;
mod stages;
pub mod statistics;
mod table;
mod text;
mod text_table;

pub use baseline::{Baseline, baseline, least_squares};
pub use bristle_units::number_of;
pub use column_noise::{ColumnNoise, MotionNoise, MotionSource};
pub use column_units::split;
pub use columns::{ColumnMap, DataColumn, recognise, recognise_one};
pub use error::RecordError;
pub use filter::{
    derivative, distorted, lowpass, resample, suggested_cutoff, suggested_cutoff_of_velocity,
};
pub use motion::{MotionColumns, MotionReader, MotionRow};
pub use motion_units::MotionUnits;
pub use named::{read_columns, read_columns_of};
pub use prepare::prepare;
pub use prepared::{Lowpass, PreparationPlan, Prepared, Raw, UsedColumn};
pub use problem::Problem;
pub use quality::{Preparation, delay};
pub use quantity::Quantity;
pub use read::read_bytes;
pub use record::{Record, RecordKind, Servo};
pub use series::Series;
pub use stages::{Stage, outliers};
pub use table::DataTable;
pub use text::{TextReader, TextRow, Wanted};
