//! What can go wrong when results are written or read.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The result of an operation on results.
pub type Result<T> = std::result::Result<T, Error>;

/// What was being done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Creating a folder and its parents.
    CreateFolder,
    /// Creating or opening a file for writing.
    Create,
    /// Writing to a file, or having its bytes reach the disk.
    Write,
    /// Giving a finished file its final name.
    Rename,
    /// Removing a file of an earlier run.
    Remove,
    /// Reading a file or listing a folder.
    Read,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CreateFolder => "create the folder",
            Self::Create => "create",
            Self::Write => "write",
            Self::Rename => "give its final name to",
            Self::Remove => "remove the earlier run's",
            Self::Read => "read",
        })
    }
}

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused an operation on a file.
    #[error("cannot {operation} {}: {source}", path.display())]
    File {
        /// What was being done.
        operation: Operation,
        /// The file or folder.
        path: PathBuf,
        /// The reason of the operating system.
        source: io::Error,
    },
    /// The results cannot go on after an earlier write failed.
    #[error("cannot write {}: {source}; its complete rows are kept", path.display())]
    CutOff {
        /// The table's file.
        path: PathBuf,
        /// Why that write failed.
        source: io::Error,
    },
    /// The folder holds a file with one of our names that Bristle did not write.
    #[error(
        "{} exists and was not written by bristle; choose another folder or move it away",
        path.display()
    )]
    ForeignFile {
        /// The file that would have been replaced.
        path: PathBuf,
    },
    /// The folder holds files, and this command did not make it.
    #[error(
        "{} {}; choose another folder, or write into it with --force",
        path.display(),
        by.as_ref().map_or_else(
            || "holds files and was not made by this command".to_owned(),
            |by| format!("was made by `bristle {by}`")
        )
    )]
    ForeignFolder {
        /// The folder.
        path: PathBuf,
        /// The command that made it, if it was one of Bristle.
        by: Option<String>,
    },
    /// Another process writes to this folder now.
    #[error("{} is being written by another process; wait for it, or choose another place", path.display())]
    InUse {
        /// The table's file.
        path: PathBuf,
    },
    /// A value that is not a finite number was to be written.
    #[error("{channel} is {value} at t = {time} s; only finite values may enter the results")]
    NotFinite {
        /// The channel's name.
        channel: String,
        /// Model time of the row, or of the last good row if the time itself is not finite (s).
        time: f64,
        /// NaN or an infinity.
        value: f64,
    },
    /// A row has another number of values than there are channels.
    #[error("a row has {found} values, the table has {expected} channels")]
    RowLength {
        /// Number of values given.
        found: usize,
        /// Number of channels.
        expected: usize,
    },
    /// The first channel is not the time, or two channels have the same name.
    #[error("channel {index} may not be called {name:?}: the first is t, and names are unique")]
    ChannelName {
        /// Position in the list, from 0.
        index: usize,
        /// The name that was given, empty if there was no channel at all.
        name: String,
    },
    /// A channel is asked for that the table does not have.
    #[error("there is no channel {name:?} in the results")]
    UnknownChannel {
        /// The name that was asked for.
        name: String,
    },
    /// A statistic is asked for outside the time that the results cover.
    #[error("{start} s to {end} s is not inside the results, which cover {first} s to {last} s")]
    OutsideResults {
        /// Start of what was asked for (s).
        start: f64,
        /// End of what was asked for (s).
        end: f64,
        /// Time of the first row (s).
        first: f64,
        /// Time of the last row (s).
        last: f64,
    },
    /// The results have no rows.
    #[error("the results have no rows")]
    NoRows,
    /// The file name of a plot is not a plain `NAME.svg`.
    #[error("the plot {file:?} has no plain name NAME.svg")]
    PlotName {
        /// The name.
        file: String,
    },
    /// A plot has no curve with finite points.
    #[error("the plot {file:?} has nothing to draw: no finite value in what it shows of the run")]
    EmptyPlot {
        /// The plot's file name or title.
        file: String,
    },
    /// A folder holds no results.
    #[error(
        "{} holds no results of bristle: there is neither results.csv nor results.csv.partial",
        path.display()
    )]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// A table is damaged.
    #[error("{}, line {line}: {reason}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A value could not be written as JSON.
    #[error("cannot write {} as JSON: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
}

impl Error {
    pub(crate) fn file(operation: Operation, path: &Path, source: io::Error) -> Self {
        Self::File {
            operation,
            path: path.to_path_buf(),
            source,
        }
    }
}
