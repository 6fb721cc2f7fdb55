//! How a sweep is run.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use bristle_results::Foreign;

/// A part of a sweep, for job arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub index: usize,
    /// Of how many.
    pub count: usize,
}

/// How a sweep is run.
#[derive(Debug)]
pub struct SweepOptions<'a> {
    /// Folder of the results.
    pub out: PathBuf,
    /// What to do if the folder was not made by a sweep.
    pub foreign: Foreign,
    /// Threads.
    pub jobs: usize,
    /// Go on with what is in the folder.
    pub resume: bool,
    /// Write the table as arrays too.
    pub arrays: bool,
    /// Only a part.
    pub shard: Option<Shard>,
    /// Set when the sweep shall stop.
    pub stop: &'a AtomicBool,
}
