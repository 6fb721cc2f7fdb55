//! Motions that are prescribed, from a text table, row by row.

mod columns;
mod rows;

pub use columns::MotionColumns;
pub use rows::{MotionReader, MotionRow};
