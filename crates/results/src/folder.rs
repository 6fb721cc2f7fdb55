//! The folder of one run.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::atomic::{Drafts, partial_name, sync_folder};
use crate::channel::{CHANNELS, Channel, descriptions};
use crate::error::{Error, Operation, Result};
use crate::npz;
use crate::output::{FolderMaker, Foreign, OutputFolder, PAGE_MARK};
use crate::plot::{MARK, Plot, PlotFormat, drawing_of, is_svg_name, named, remove_beside};
use crate::row_pipe::RowPipe;
use crate::summary::Summary;
use crate::table::ChannelTable;

/// Rows kept in memory for plots, at most …
pub(crate) const PLOT_ROWS: usize = 200_000;
/// … and values, at most (160 MB).
pub(crate) const PLOT_VALUES: usize = 20_000_000;

const RUN: FolderMaker = FolderMaker {
    command: "run",
    last: "summary.json",
};
/// Names that a run writes beside plots and pages.
const TABLES: [&str; 7] = [
    "summary.json",
    "results.csv",
    NPZ,
    MODEL,
    VERIFICATION,
    GRADIENT_ROWS,
    GRADIENT_NUMBERS,
];
/// The digits of a run that hold.
pub const VERIFICATION: &str = "verify.json";
/// Derivatives of a run: of its rows, and of the numbers of its summary.
pub const GRADIENT_ROWS: &str = "gradient.csv";
/// See [`GRADIENT_ROWS`].
pub const GRADIENT_NUMBERS: &str = "gradient.json";
/// What a run keeps of its model, for whoever reads the folder later.
pub const MODEL: &str = "model.json";
const NPZ: &str = "results.npz";

/// What a finished run left in its folder.
#[derive(Debug)]
pub struct Finished {
    /// The files, in the order in which they were written.
    pub files: Vec<PathBuf>,
    /// Plots that could not be drawn, each with its reason; everything else is in place.
    pub plot_errors: Vec<Error>,
}

/// The folder of a run that is being written.
#[derive(Debug)]
pub struct RunFolder {
    folder: OutputFolder,
    rows: RowPipe,
    /// Further files, until the run is finished.
    drafts: Drafts,
    table: ChannelTable,
    /// Why a row could not be written.
    cut_off: Option<(io::ErrorKind, String)>,
    npz: bool,
    plot_format: PlotFormat,
}

impl RunFolder {
    /// Creates the folder with its parents, removes what an earlier run left, and opens
    /// `results.csv.partial`.
    ///
    /// # Errors
    /// [`Error::ChannelName`] if the first channel is not `t` or a name is repeated;
    /// [`Error::File`] if the folder cannot be created or written; [`Error::InUse`] if another run
    /// writes there; [`Error::ForeignFolder`] if the folder holds files and no run made it.
    pub fn create(
        path: impl AsRef<Path>,
        channels: Vec<Channel>,
        foreign: Foreign,
    ) -> Result<Self> {
        let path = path.as_ref();
        check_names(&channels)?;
        let folder = OutputFolder::open(path, RUN, foreign)?;
        let file = open_partial(path)?;
        remove_earlier_run(path)?;
        let limit = (PLOT_VALUES / channels.len()).clamp(2000, PLOT_ROWS);
        let rows = RowPipe::new(file, &channels).map_err(|e| {
            Error::file(
                Operation::Write,
                &partial_name(&path.join("results.csv")),
                e,
            )
        })?;
        let table = ChannelTable::bounded(channels, limit);
        Ok(Self {
            folder,
            rows,
            drafts: Drafts::default(),
            table,
            cut_off: None,
            npz: false,
            plot_format: PlotFormat::SVG,
        })
    }

    /// Asks for the columns as `results.npz` too, which is written when the run is finished.
    #[must_use]
    pub fn with_npz(mut self) -> Self {
        self.npz = true;
        self
    }

    /// Says how many rows will come, about: their memory is then asked for once.
    #[must_use]
    pub fn expecting(mut self, rows: usize) -> Self {
        self.table.reserve(rows);
        self
    }

    /// Asks for files of every plot beside the SVG.
    #[must_use]
    pub fn with_plots(mut self, format: PlotFormat) -> Self {
        self.plot_format = format;
        self
    }

    /// Appends one row: the time and one value for each further channel.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::RowLength`] refuse this row, and the next may follow.
    /// [`Error::File`] means that this row or one before it could not be written: the table ends with its last
    /// complete row.
    pub fn append(&mut self, row: &[f64]) -> Result<()> {
        self.refuse_cut_off()?;
        self.rows.check(row)?;
        let pushed = self.rows.push(row);
        self.keep_whole_rows(pushed)?;
        self.table.push_row(row)
    }

    /// Hands all rows to the operating system now.
    ///
    /// # Errors
    /// [`Error::File`], as for [`Self::append`].
    pub fn flush(&mut self) -> Result<()> {
        self.refuse_cut_off()?;
        let flushed = self.rows.flush();
        self.keep_whole_rows(flushed)
    }

    /// Adds a further file to the folder, which is there when the run is finished.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn attach(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let path = self.path().join(name);
        self.drafts.add(&path, content)
    }

    /// Completes the folder: `channels.json`, the plots, `results.npz` if asked for, `results.csv`, and `summary.json` last.
    ///
    /// A run that was interrupted or failed is completed in the same way; its summary says so.
    ///
    /// # Errors
    /// [`Error::File`] if a file cannot be written: there is then no `summary.json`, and the table
    /// keeps the name `results.csv.partial` unless it was complete.
    pub fn finish(mut self, summary: &Summary, plots: &[Plot]) -> Result<Finished> {
        self.flush()?;
        let results = self.path().join("results.csv");
        let partial = partial_name(&results);
        let channels = self.path().join(CHANNELS);
        let described = json(&channels, &descriptions(self.table.channels()))?;
        self.drafts.add(&channels, &described)?;
        let mut done = Finished {
            files: vec![channels],
            plot_errors: Vec::new(),
        };
        for plot in plots {
            self.draft_plot(plot, &mut done)?;
        }
        let last = self.path().join("summary.json");
        let mut summary_draft = Drafts::default();
        summary_draft.add(&last, &json(&last, summary)?)?;
        // all is written by now: what follows waits for the disk
        self.rows
            .file()
            .sync_all()
            .map_err(|e| Error::file(Operation::Write, &partial, e))?;
        self.drafts.sync()?;
        summary_draft.sync()?;
        std::mem::take(&mut self.drafts).rename()?;
        if self.npz {
            let path = self.path().join(NPZ);
            npz::write_run(&path, &self.table, &partial, self.rows.rows(), PLOT_VALUES)?;
            done.files.push(path);
        }
        fs::rename(&partial, &results).map_err(|e| Error::file(Operation::Rename, &results, e))?;
        done.files.push(results);
        summary_draft.rename()?;
        sync_folder(self.path());
        done.files.push(last);
        Ok(done)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The rows so far, condensed if they are very many.
    pub fn table(&self) -> &ChannelTable {
        &self.table
    }

    fn draft_plot(&mut self, plot: &Plot, done: &mut Finished) -> Result<()> {
        if !is_svg_name(&plot.file) {
            done.plot_errors.push(Error::PlotName {
                file: plot.file.clone(),
            });
            return Ok(());
        }
        let stem = plot.file.strip_suffix(".svg").unwrap_or(&plot.file);
        let stem = self.path().join(stem);
        let format = self.plot_format;
        let written = drawing_of(plot, &self.table)
            .and_then(|drawing| drawing.draft(&stem, format, &mut self.drafts));
        match written {
            Ok(files) => done.files.extend(files),
            Err(error @ Error::File { .. }) => return Err(error),
            Err(error) => done.plot_errors.push(named(error, plot)),
        }
        Ok(())
    }

    fn partial(&self) -> PathBuf {
        partial_name(&self.path().join("results.csv"))
    }

    fn refuse_cut_off(&self) -> Result<()> {
        match &self.cut_off {
            Some((kind, reason)) => Err(Error::CutOff {
                path: self.partial(),
                source: io::Error::new(*kind, reason.clone()),
            }),
            None => Ok(()),
        }
    }

    /// After a failed write the table ends with the last row that is complete.
    fn keep_whole_rows(&mut self, written: io::Result<()>) -> Result<()> {
        written.map_err(|source| {
            self.cut_off = Some((source.kind(), source.to_string()));
            Error::file(Operation::Write, &self.partial(), source)
        })
    }
}

fn check_names(channels: &[Channel]) -> Result<()> {
    if channels.is_empty() {
        return Err(Error::ChannelName {
            index: 0,
            name: String::new(),
        });
    }
    let mut seen = std::collections::BTreeSet::new();
    for (index, channel) in channels.iter().enumerate() {
        if (index == 0) != (channel.name == "t") || !seen.insert(channel.name.as_str()) {
            return Err(Error::ChannelName {
                index,
                name: channel.name.clone(),
            });
        }
    }
    Ok(())
}

/// Opens `results.csv.partial` for this run alone.
fn open_partial(folder: &Path) -> Result<File> {
    let path = partial_name(&folder.join("results.csv"));
    // a pipe would wait for a reader, a link would lead to a file of somebody else
    if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
        return Err(Error::ForeignFile { path });
    }
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|e| Error::file(Operation::Create, &path, e))?;
    // a file system without locks is no reason not to run
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(Error::InUse { path });
    }
    file.set_len(0)
        .map_err(|e| Error::file(Operation::Write, &path, e))?;
    Ok(file)
}

fn remove_earlier_run(folder: &Path) -> Result<()> {
    let remove = |path: &Path| match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(Error::file(Operation::Remove, path, e))
        }
        _ => Ok(()),
    };
    for name in TABLES {
        remove(&folder.join(name))?;
    }
    let entries = fs::read_dir(folder).map_err(|e| Error::file(Operation::Read, folder, e))?;
    for entry in entries {
        let path = entry
            .map_err(|e| Error::file(Operation::Read, folder, e))?
            .path();
        if is_ours(&path) {
            remove(&path)?;
            remove_beside(&path)?;
        }
    }
    remove(&folder.join(CHANNELS))
}

/// Whether a plot or a report page was written by Bristle.
fn is_ours(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    let mark = match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => MARK,
        Some("html") => PAGE_MARK,
        _ => return false,
    };
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1024).read_to_end(&mut start));
    path.is_file() && read.is_ok() && String::from_utf8_lossy(&start).contains(mark)
}

fn json<T: serde::Serialize>(path: &Path, value: &T) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|source| Error::Json {
        path: path.to_path_buf(),
        source,
    })?;
    text.push(b'\n');
    Ok(text)
}
