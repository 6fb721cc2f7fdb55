//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{Error, Operation, Result};

/// Writes `content` to `path` so that no reader ever sees a part of it.
///
/// The bytes go to `path` with `.partial` appended, reach the disk, and only then get the final
/// name.
///
/// # Errors
/// [`Error::File`] if the file cannot be created, written or renamed; an earlier file of that name
/// is then untouched.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<()> {
    let partial = partial_name(path);
    let mut file =
        File::create(&partial).map_err(|e| Error::file(Operation::Create, &partial, e))?;
    let written = file.write_all(content).and_then(|()| file.sync_all());
    if let Err(source) = written {
        // a truncated copy helps nobody; the error below is the one that matters
        let _ = fs::remove_file(&partial);
        return Err(Error::file(Operation::Write, path, source));
    }
    fs::rename(&partial, path).map_err(|e| Error::file(Operation::Rename, path, e))
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
