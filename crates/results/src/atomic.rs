//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::{Error, Operation, Result};

/// Writes `content` to `path` so that no reader ever sees a part of it.
///
/// # Errors
/// Those of [`AtomicFile`].
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(content)
        .map_err(|e| Error::file(Operation::Write, path, e))?;
    file.finish()
}

/// A file that gets its name when it is finished.
///
/// The bytes go to a draft beside it, under a hidden name that no other file has, reach the disk,
/// and only then get the final name; if it is dropped unfinished, an earlier file of that name is
/// untouched. While the draft is open nobody else can write a file of that name through this type.
/// A name that leads to another place (a symbolic link) keeps leading there. What is no file but a
/// device or a pipe is written to as it stands: a file must not take its place.
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    path: PathBuf,
    /// The name until it is finished; none for a device.
    draft: Option<PathBuf>,
}

impl AtomicFile {
    /// Opens the file.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be created: its folder is not there or closed to writing, the
    /// name is that of a folder, or of a pipe that nobody reads; [`Error::InUse`] if another
    /// process writes it now.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = |e| Error::file(Operation::Create, path, e);
        // a name that does not exist yet leads nowhere else
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(found) if !found.is_file() => {
                let file = open_special(&path).map_err(failed)?;
                let draft = None;
                return Ok(Self { file, path, draft });
            }
            _ => {}
        }
        let (file, draft) = DraftNames::of(&path)?.create(&path)?;
        let draft = Some(draft);
        Ok(Self { file, path, draft })
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// [`Error::File`] if its bytes cannot reach the disk, or it cannot be renamed.
    pub fn finish(self) -> Result<()> {
        self.sync()?;
        self.rename()
    }

    fn sync(&self) -> Result<()> {
        if self.draft.is_none() {
            return Ok(());
        }
        let synced = self.file.sync_all();
        synced.map_err(|e| Error::file(Operation::Write, &self.path, e))
    }

    fn rename(mut self) -> Result<()> {
        let Some(draft) = &self.draft else {
            return Ok(());
        };
        fs::rename(draft, &self.path).map_err(|e| Error::file(Operation::Rename, &self.path, e))?;
        self.draft = None;
        Ok(())
    }
}

/// Files that get their names together.
///
/// A file system that keeps a journal takes about as long to put many files on the disk as one, as long as
/// all are written before the first one has to be there.
#[derive(Debug, Default)]
pub(crate) struct Drafts(Vec<AtomicFile>);

impl Drafts {
    /// Writes the draft of one more file of the folder; it takes the place of an earlier one of its name.
    pub(crate) fn add(&mut self, path: &Path, content: &[u8]) -> Result<()> {
        self.0
            .retain(|file| file.path.file_name() != path.file_name());
        let mut file = AtomicFile::create(path)?;
        file.write_all(content)
            .map_err(|e| Error::file(Operation::Write, path, e))?;
        self.0.push(file);
        Ok(())
    }

    /// Waits until the bytes of all are on the disk.
    pub(crate) fn sync(&self) -> Result<()> {
        self.0.iter().try_for_each(AtomicFile::sync)
    }

    /// Gives all of them their names, once their bytes are on the disk.
    pub(crate) fn rename(self) -> Result<()> {
        self.0.into_iter().try_for_each(AtomicFile::rename)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.file.seek(place)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            // a truncated copy helps nobody; the error that led here is the one that matters
            let _ = fs::remove_file(draft);
        }
    }
}

/// Opens a device or a pipe. A named pipe without a reader is an error at once and not a wait
/// without end.
#[cfg(unix)]
fn open_special(path: &Path) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::OpenOptionsExt as _;

    let nonblocking = OFlags::NONBLOCK;
    // the flags are a few low bits on every system
    let bits = i32::try_from(nonblocking.bits()).unwrap_or(0);
    let file = File::options().write(true).custom_flags(bits).open(path)?;
    // from here on a slow reader is waited for
    let flags = fcntl_getfl(&file)?;
    fcntl_setfl(&file, flags - nonblocking)?;
    Ok(file)
}

#[cfg(not(unix))]
fn open_special(path: &Path) -> io::Result<File> {
    File::options().write(true).open(path)
}

/// The names of the drafts of one file: `.NAME-HASH-TOKEN.draft` beside it.
struct DraftNames {
    folder: PathBuf,
    prefix: String,
}

/// Letters of a file's name in that of its draft: names may have 255 bytes in all.
const READABLE: usize = 40;
const SUFFIX: &str = ".draft";

impl DraftNames {
    fn of(path: &Path) -> Result<Self> {
        let name = path.file_name().ok_or_else(|| {
            let reason = io::ErrorKind::InvalidFilename.into();
            Error::file(Operation::Create, path, reason)
        })?;
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let readable: String = name.to_string_lossy().chars().take(READABLE).collect();
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let prefix = format!(".{readable}-{:016x}-", hasher.finish());
        Ok(Self { folder, prefix })
    }

    /// Creates a draft that is locked, unless another process has one.
    fn create(&self, path: &Path) -> Result<(File, PathBuf)> {
        let failed = |e| Error::file(Operation::Create, path, e);
        // looking for other drafts and making an own one is one step for everybody
        let guard = File::open(&self.folder).ok();
        // without locks for folders two that begin in the same moment may both go on
        let _ = guard.as_ref().map(File::lock);
        self.refuse_second_writer(path)?;
        let mut counter = 0_u32;
        let (file, draft) = loop {
            let name = format!("{}{}-{counter}{SUFFIX}", self.prefix, token());
            let draft = self.folder.join(name);
            match File::options().write(true).create_new(true).open(&draft) {
                Ok(file) => break (file, draft),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && counter < 1000 => {
                    counter += 1;
                }
                Err(e) => return Err(failed(e)),
            }
        };
        // a file system without locks is no reason not to write
        let _ = file.try_lock();
        drop(guard);
        Ok((file, draft))
    }

    /// Another draft of the same file that is locked belongs to a process that writes now; one
    /// that is not was left by a process that died, and goes.
    fn refuse_second_writer(&self, path: &Path) -> Result<()> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let drafts = entries.filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(&self.prefix)
                && name.ends_with(SUFFIX)
                && entry.file_type().is_ok_and(|kind| kind.is_file())
        });
        for entry in drafts {
            let draft = entry.path();
            let Ok(file) = File::options().write(true).open(&draft) else {
                continue;
            };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    let path = path.to_path_buf();
                    return Err(Error::InUse { path });
                }
                Ok(()) => {
                    let _ = fs::remove_file(&draft);
                }
                // without locks there is no telling whose it is
                Err(TryLockError::Error(_)) => {}
            }
        }
        Ok(())
    }
}

/// Different for every process, also on several machines.
pub fn token() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanoseconds = now.map_or(0, |time| time.as_nanos());
    format!("{:x}-{nanoseconds:x}", std::process::id())
}

/// The name of the table of a run that is not complete.
pub(crate) fn partial_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".partial");
    PathBuf::from(name)
}

/// Makes the renames in `folder` last through a power cut, where the system can do so.
pub(crate) fn sync_folder(folder: &Path) {
    // not every system lets a folder be opened; the files themselves are already on disk
    if let Ok(handle) = File::open(folder) {
        let _ = handle.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_get_their_names_together() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let mut drafts = Drafts::default();
        for (name, text) in [("a", "first"), ("b", "other"), ("a", "second")] {
            drafts.add(&path(name), text.as_bytes()).unwrap();
        }
        assert!(!path("a").exists() && !path("b").exists());
        drafts.sync().unwrap();
        drafts.rename().unwrap();
        assert_eq!(fs::read(path("a")).unwrap(), b"second");
        assert_eq!(fs::read(path("b")).unwrap(), b"other");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
        let mut given_up = Drafts::default();
        given_up.add(&path("a"), b"third").unwrap();
        drop(given_up);
        assert_eq!(fs::read(path("a")).unwrap(), b"second");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("force.csv");
        write_atomically(&path, b"first").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"sec").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        write_atomically(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        for bad in [
            place.path().to_path_buf(),
            place.path().join("no/force.csv"),
        ] {
            let text = write_atomically(&bad, b"x").unwrap_err().to_string();
            assert!(
                text.starts_with("cannot create") && !text.contains("partial"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_file_of_a_similar_name_is_untouched() {
        let place = tempfile::tempdir().unwrap();
        let [path, other] = ["X", "X.partial"].map(|name| place.path().join(name));
        fs::write(&other, "mine").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"mine");
        // also where the name leaves no room for a longer one
        let long = place.path().join("n".repeat(255));
        write_atomically(&long, b"new").unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 3);
    }

    #[test]
    fn one_writer_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("force.csv");
        let mut first = AtomicFile::create(&path).unwrap();
        first.write_all(b"first").unwrap();
        let second = AtomicFile::create(&path).unwrap_err();
        assert!(matches!(second, Error::InUse { .. }), "{second}");
        // another file in the same folder is another matter
        write_atomically(&place.path().join("force.json"), b"{}").unwrap();
        first.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        write_atomically(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
    }

    #[test]
    fn the_draft_of_a_process_that_died_goes() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("force.csv");
        let file = AtomicFile::create(&path).unwrap();
        let draft = file.draft.clone().unwrap();
        drop(file);
        fs::write(&draft, "half").unwrap();
        write_atomically(&path, b"whole").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_without_a_reader_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("no mkfifo here");
            return;
        }
        assert!(write_atomically(&pipe, b"t,F\n").is_err());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        // until the reader has opened it
        let wrote = (0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            write_atomically(&pipe, b"t,F\n").is_ok()
        });
        assert!(wrote);
        assert_eq!(reader.join().unwrap(), b"t,F\n");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links() {
        let place = tempfile::tempdir().unwrap();
        let [path, link] = ["force.csv", "link.csv"].map(|name| place.path().join(name));
        fs::write(&path, "first").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_atomically(&link, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    /// A full disk, as far as a program can see; and a link to it, so that a fault spares the
    /// device itself.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let place = tempfile::tempdir().unwrap();
        for (device, fits) in [("/dev/full", false), ("/dev/null", true)] {
            let link = place.path().join("link.csv");
            std::os::unix::fs::symlink(device, &link).unwrap();
            assert_eq!(write_atomically(&link, b"t,F\n").is_ok(), fits, "{device}");
            assert!(!fs::metadata(&link).unwrap().is_file(), "{device}");
            fs::remove_file(&link).unwrap();
        }
    }
}
