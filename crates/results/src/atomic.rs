//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
/// The bytes go to the name with `.partial` appended, reach the disk, and only then get the final
/// name; if it is dropped unfinished, an earlier file of that name is untouched. A name that leads
/// to another place (a symbolic link) keeps leading there. What is no file but a device or a pipe
/// is written to as it stands: a file must not take its place.
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    path: PathBuf,
    /// The name until it is finished; none for a device.
    partial: Option<PathBuf>,
}

impl AtomicFile {
    /// Opens the file.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be created: its folder is not there or closed to writing, or
    /// the name is that of a folder.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = |e| Error::file(Operation::Create, path, e);
        // a name that does not exist yet leads nowhere else
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(&path).map_err(failed)?;
                let partial = None;
                return Ok(Self {
                    file,
                    path,
                    partial,
                });
            }
            _ => {}
        }
        let partial = partial_name(&path);
        let file = File::create(&partial).map_err(failed)?;
        let partial = Some(partial);
        Ok(Self {
            file,
            path,
            partial,
        })
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// [`Error::File`] if its bytes cannot reach the disk, or it cannot be renamed.
    pub fn finish(mut self) -> Result<()> {
        let Some(partial) = &self.partial else {
            return Ok(());
        };
        self.file
            .sync_all()
            .map_err(|e| Error::file(Operation::Write, &self.path, e))?;
        fs::rename(partial, &self.path)
            .map_err(|e| Error::file(Operation::Rename, &self.path, e))?;
        self.partial = None;
        Ok(())
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

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // a truncated copy helps nobody; the error that led here is the one that matters
            let _ = fs::remove_file(partial);
        }
    }
}

/// The name that a file has while it is being written.
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
