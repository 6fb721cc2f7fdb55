//! Folders that a command fills: its own, and complete only where the last file stands.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::atomic::write_atomically;
use crate::error::{Error, Operation, Result};
use crate::plot::{Drawing, PlotFormat};

/// Stands near the start of every report page.
pub const PAGE_MARK: &str = "<meta name=\"generator\" content=\"Bristle";

/// Says which command made a folder.
const MARK: &str = ".bristle";
/// The report page of every command.
const PAGE: &str = "report.html";
/// Names of the files of the result in a folder, a line each, so that the next one can remove them.
const FILES: &str = ".bristle-files";
/// How often to look at a mark that is still empty.
const PATIENCE: usize = 50;

/// A command and the file with which it completes a folder.
#[derive(Clone, Copy, Debug)]
pub struct FolderMaker {
    /// The command, such as `compare`.
    pub command: &'static str,
    /// The file that is written last: where it is, the folder is complete.
    pub last: &'static str,
}

/// What to do with a folder that was not made by the same command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// Leave it alone; an empty folder belongs to nobody.
    Refuse,
    /// Write into it, and replace files of the same name.
    Accept,
}

/// A folder that one command fills.
///
/// It is marked when it is made, by a file `.bristle` with the name of the command, so that no
/// command writes into a folder of somebody else. While it is open, nobody else can open it.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    maker: FolderMaker,
    /// Names of the files written so far.
    written: RefCell<BTreeSet<String>>,
    /// Held as long as the folder is open; none where the folder is not ours.
    lock: Option<File>,
}

impl From<bool> for Foreign {
    /// `true` asks to write there all the same (`--force`).
    fn from(force: bool) -> Self {
        if force { Self::Accept } else { Self::Refuse }
    }
}

impl OutputFolder {
    /// Creates the folder with its parents, or opens one that the same command made; an earlier
    /// result in it is not complete from now on.
    ///
    /// # Errors
    /// [`Error::ForeignFolder`] if it holds files and was not made by this command;
    /// [`Error::InUse`] if another process fills it now; [`Error::File`] if it cannot be created.
    pub fn open(path: &Path, maker: FolderMaker, foreign: Foreign) -> Result<Self> {
        let ours = claim(path, maker.command, foreign)?;
        let lock = if ours { lock(&path.join(MARK))? } else { None };
        let folder = Self {
            path: path.to_path_buf(),
            maker,
            written: RefCell::default(),
            lock,
        };
        folder.remove(maker.last)?;
        if ours {
            folder.remove_earlier()?;
        }
        Ok(folder)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn write(&self, name: &str, content: &[u8]) -> Result<()> {
        write_atomically(&self.path.join(name), content)?;
        self.written.borrow_mut().insert(name.to_owned());
        Ok(())
    }

    /// Opens a folder inside of this one for a part of the result, such as one law of several.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn part(&self, name: &str, foreign: Foreign) -> Result<Self> {
        let part = Self::open(&self.path.join(name), self.maker, foreign)?;
        self.written.borrow_mut().insert(format!("{name}/"));
        Ok(part)
    }

    /// Ends a part of a result, which has no last file of its own.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn close(self) -> Result<()> {
        if self.lock.is_some() {
            self.list()?;
        }
        Ok(())
    }

    /// Removes what the earlier result left: files, parts and the page.
    fn remove_earlier(&self) -> Result<()> {
        let list = fs::read_to_string(self.path.join(FILES)).unwrap_or_default();
        let parts = list.lines().filter_map(|name| name.strip_suffix('/'));
        for name in parts.filter(|name| is_plain(name)) {
            self.remove_part(name)?;
        }
        remove_listed(&self.path)
    }

    /// Removes a part of an earlier result: its files, and its folder if nothing else is in it.
    fn remove_part(&self, name: &str) -> Result<()> {
        let path = self.path.join(name);
        let mark = path.join(MARK);
        let is_folder = fs::symlink_metadata(&path).is_ok_and(|m| m.is_dir());
        if !is_folder || made_by(&mark).as_deref() != Some(self.maker.command) {
            return Ok(());
        }
        drop(Self::open(&path, self.maker, Foreign::Refuse)?);
        let entries = fs::read_dir(&path).map_err(|e| Error::file(Operation::Read, &path, e))?;
        if entries.count() > 1 {
            return Ok(());
        }
        let removed = fs::remove_file(&mark).and_then(|()| fs::remove_dir(&path));
        removed.map_err(|e| Error::file(Operation::Remove, &path, e))
    }

    /// Lists the files of a result for the next one.
    fn list(&self) -> Result<()> {
        let names = self.written.borrow();
        list_files(&self.path, names.iter().map(String::as_str))
    }

    /// Writes a plot as `STEM.svg`, and as `STEM.pdf` if asked for.
    ///
    /// # Errors
    /// [`Error::EmptyPlot`] if there is no finite value to draw, and nothing is written then;
    /// [`Error::File`].
    pub fn write_drawing(&self, stem: &str, drawing: &Drawing, format: PlotFormat) -> Result<()> {
        let files = drawing.write(&self.path, stem, format)?;
        let names = files.iter().filter_map(|path| path.file_name()?.to_str());
        let mut written = self.written.borrow_mut();
        written.extend(names.map(str::to_owned));
        Ok(())
    }

    /// Writes the last file; the folder is complete.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn finish(self, content: &[u8]) -> Result<()> {
        if self.lock.is_some() {
            self.list()?;
        }
        self.write(self.maker.last, content)
    }

    /// Removes a file of an earlier result, if there is one.
    ///
    /// # Errors
    /// [`Error::File`] if it is there and cannot be removed.
    pub fn remove(&self, name: &str) -> Result<()> {
        remove(&self.path.join(name))
    }
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(Error::file(Operation::Remove, path, e))
        }
        _ => Ok(()),
    }
}

/// Lists the files of a result in its folder, so that the next one can remove them.
///
/// # Errors
/// [`Error::File`].
pub fn list_files<'a>(folder: &Path, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let lines: Vec<&str> = names.collect();
    write_atomically(&folder.join(FILES), lines.join("\n").as_bytes())
}

/// Removes the files of an earlier result that its list names, the list, and its page.
///
/// # Errors
/// [`Error::File`] if one of them cannot be removed.
pub fn remove_listed(folder: &Path) -> Result<()> {
    let list = fs::read_to_string(folder.join(FILES)).unwrap_or_default();
    for name in list.lines().filter(|name| is_plain(name)) {
        remove(&folder.join(name))?;
    }
    remove(&folder.join(FILES))?;
    if is_page(&folder.join(PAGE)) {
        remove(&folder.join(PAGE))?;
    }
    Ok(())
}

/// Whether a name is that of a file in the folder itself.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name != MARK && !name.contains(['/', '\\', '\0']) && !name.starts_with("..")
}

/// Whether a file is a page of Bristle.
fn is_page(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let mut start = Vec::new();
    let read = file.take(4096).read_to_end(&mut start);
    read.is_ok() && String::from_utf8_lossy(&start).contains(PAGE_MARK)
}

/// Creates a folder with its parents and marks it as made by `command`; whether it is, or is only
/// written into because the user asks for it.
///
/// # Errors
/// [`Error::ForeignFolder`] if it holds files and was not made by this command; [`Error::File`] if
/// it cannot be created.
pub fn claim(path: &Path, command: &str, foreign: Foreign) -> Result<bool> {
    create_folder(path)?;
    let mark = path.join(MARK);
    let mut by = made_by(&mark);
    let is_being_written =
        || fs::symlink_metadata(&mark).is_ok_and(|m| m.is_file() && m.len() == 0);
    // several shards of a sweep begin at the same time
    for _ in 0..PATIENCE {
        if by.is_some() || !is_being_written() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
        by = made_by(&mark);
    }
    match &by {
        Some(by) if by == command => return Ok(true),
        None if is_empty(path)? => {
            write_mark(&mark, command)?;
            return Ok(true);
        }
        _ => {}
    }
    match foreign {
        Foreign::Accept => Ok(false),
        Foreign::Refuse => {
            let path = path.to_path_buf();
            Err(Error::ForeignFolder { path, by })
        }
    }
}

fn write_mark(mark: &Path, command: &str) -> Result<()> {
    let failed = |e| Error::file(Operation::Create, mark, e);
    match File::options().write(true).create_new(true).open(mark) {
        Ok(mut file) => {
            let text = format!("made by bristle {command}\n");
            file.write_all(text.as_bytes()).map_err(failed)
        }
        // another process was faster; the lock decides
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(failed(e)),
    }
}

/// Creates a folder with its parents.
fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|source| {
        // the system's "File exists" hides the reason
        let reason = if path.ancestors().any(Path::is_file) {
            io::ErrorKind::NotADirectory.into()
        } else {
            source
        };
        Error::file(Operation::CreateFolder, path, reason)
    })
}

/// The command that a mark names.
fn made_by(mark: &Path) -> Option<String> {
    // a mark is a short file; anything else of that name is none of ours
    fs::symlink_metadata(mark)
        .ok()
        .filter(fs::Metadata::is_file)?;
    let mut text = String::new();
    let file = File::open(mark).ok()?;
    file.take(256).read_to_string(&mut text).ok()?;
    let command = text.trim_end().strip_prefix("made by bristle ")?;
    Some(command.to_owned())
}

/// Whether a folder holds nothing.
fn is_empty(path: &Path) -> Result<bool> {
    let mut entries = fs::read_dir(path).map_err(|e| Error::file(Operation::Read, path, e))?;
    Ok(entries.next().is_none())
}

/// Keeps others out of the folder.
fn lock(mark: &Path) -> Result<Option<File>> {
    let failed = |e| Error::file(Operation::Create, mark, e);
    let file = File::open(mark).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {
            let folder = mark.parent().unwrap_or(mark);
            let path = folder.to_path_buf();
            Err(Error::InUse { path })
        }
        // a file system without locks is no reason not to write
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPARE: FolderMaker = FolderMaker {
        command: "compare",
        last: "compare.json",
    };

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<_> = entries
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_of_others_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("mine");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("compare.json"), "mine").unwrap();
        let error = OutputFolder::open(&path, COMPARE, Foreign::Refuse).unwrap_err();
        assert!(matches!(error, Error::ForeignFolder { .. }), "{error}");
        assert_eq!(names(&path), ["compare.json"]);
        // asked to, it writes there, and still does not call the folder its own
        let folder = OutputFolder::open(&path, COMPARE, Foreign::Accept).unwrap();
        folder.finish(b"{}").unwrap();
        assert_eq!(names(&path), ["compare.json"]);
        assert!(OutputFolder::open(&path, COMPARE, Foreign::Refuse).is_err());
    }

    #[test]
    fn a_folder_of_another_command_is_named() {
        let place = tempfile::tempdir().unwrap();
        let sweep = FolderMaker {
            command: "sweep",
            last: "sweep.json",
        };
        drop(OutputFolder::open(place.path(), sweep, Foreign::Refuse).unwrap());
        let error = OutputFolder::open(place.path(), COMPARE, Foreign::Refuse).unwrap_err();
        assert!(error.to_string().contains("bristle sweep"), "{error}");
    }

    #[test]
    fn an_earlier_result_is_not_complete_while_it_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let folder = OutputFolder::open(place.path(), COMPARE, Foreign::Refuse).unwrap();
        folder.write("compare.csv", b"law\n").unwrap();
        folder.finish(b"{}").unwrap();
        let folder = OutputFolder::open(place.path(), COMPARE, Foreign::Refuse).unwrap();
        assert_eq!(names(place.path()), [MARK]);
        let second = OutputFolder::open(place.path(), COMPARE, Foreign::Refuse).unwrap_err();
        assert!(matches!(second, Error::InUse { .. }), "{second}");
        folder.finish(b"{}").unwrap();
        assert_eq!(names(place.path()), [MARK, FILES, "compare.json"]);
    }

    #[test]
    fn the_parts_of_an_earlier_result_go_and_those_of_others_stay() {
        let place = tempfile::tempdir().unwrap();
        let open = || OutputFolder::open(place.path(), COMPARE, Foreign::Refuse).unwrap();
        let folder = open();
        for name in ["dahl", "lugre"] {
            let part = folder.part(name, Foreign::Refuse).unwrap();
            part.write("law.toml", b"law\n").unwrap();
            part.close().unwrap();
        }
        folder.finish(b"{}").unwrap();
        fs::write(place.path().join("lugre/notes.txt"), "mine").unwrap();
        fs::create_dir(place.path().join("gms")).unwrap();
        drop(open());
        assert_eq!(names(place.path()), [MARK, "gms", "lugre"]);
        assert_eq!(names(&place.path().join("lugre")), [MARK, "notes.txt"]);
    }

    #[test]
    fn the_files_of_an_earlier_result_go_and_others_stay() {
        let place = tempfile::tempdir().unwrap();
        let open = || OutputFolder::open(place.path(), COMPARE, Foreign::Refuse).unwrap();
        let folder = open();
        folder.write("loop_base.svg", b"<svg/>").unwrap();
        folder.finish(b"{}").unwrap();
        let page = format!("<html>{PAGE_MARK} 0\">");
        fs::write(place.path().join(PAGE), page).unwrap();
        fs::write(place.path().join("notes.txt"), "mine").unwrap();
        // a list that leads elsewhere removes nothing there
        let elsewhere = place.path().join("other");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("kept"), "mine").unwrap();
        let list = place.path().join(FILES);
        fs::write(&list, "loop_base.svg\nother/kept\n../kept\n").unwrap();
        drop(open());
        assert_eq!(names(place.path()), [MARK, "notes.txt", "other"]);
        assert!(elsewhere.join("kept").is_file());
    }
}
