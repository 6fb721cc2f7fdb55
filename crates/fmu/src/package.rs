//! An FMU as a file: a zip archive of description, libraries and resources.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::contents::FmuContents;
use crate::describe::{FmiVersion, describe};
use crate::error::FmuError;
use crate::machine::FmuMachine;

/// A platform in the names of both versions, and what its libraries end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FmuPlatform {
    /// FMI 2.0, as in `linux64`.
    pub two: &'static str,
    /// FMI 3.0, as in `x86_64-linux`.
    pub three: &'static str,
    /// As in `so`.
    pub extension: &'static str,
}

/// The platforms for which an FMU may have a library.
pub const PLATFORMS: &[FmuPlatform] = &[
    FmuPlatform {
        two: "linux64",
        three: "x86_64-linux",
        extension: "so",
    },
    FmuPlatform {
        two: "win64",
        three: "x86_64-windows",
        extension: "dll",
    },
    FmuPlatform {
        two: "darwin64",
        three: "x86_64-darwin",
        extension: "dylib",
    },
    FmuPlatform {
        two: "aarch64-linux",
        three: "aarch64-linux",
        extension: "so",
    },
    FmuPlatform {
        two: "aarch64-darwin",
        three: "aarch64-darwin",
        extension: "dylib",
    },
];

impl FmuPlatform {
    /// The platform with a name of either version.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = PLATFORMS.iter();
        all.find(|own| own.two == name || own.three == name)
            .copied()
    }

    /// The platform that this program runs on.
    pub fn of_this_machine() -> Option<Self> {
        let system = match std::env::consts::OS {
            "macos" => "darwin",
            system => system,
        };
        Self::named(&format!("{}-{system}", std::env::consts::ARCH))
    }

    /// Name of the folder of its library.
    pub fn folder(self, version: FmiVersion) -> &'static str {
        match version {
            FmiVersion::Two => self.two,
            FmiVersion::Three => self.three,
        }
    }
}

/// The library of a platform.
#[derive(Clone, Debug)]
pub struct FmuBinary {
    /// The platform.
    pub platform: FmuPlatform,
    /// The bytes of the library.
    pub bytes: Vec<u8>,
}

/// The bytes of an FMU; the same request gives the same bytes.
///
/// # Errors
/// If the contents are not sound.
pub fn fmu_file(
    contents: &FmuContents,
    machine: &FmuMachine,
    version: FmiVersion,
    binaries: &[FmuBinary],
) -> Result<Vec<u8>, FmuError> {
    let identifier = identifier(&contents.choices.model);
    let description = describe(contents, machine, &identifier, version);
    let mut files: Vec<(String, &[u8])> =
        vec![("modelDescription.xml".to_owned(), description.as_bytes())];
    for FmuBinary { platform, bytes } in binaries {
        let (folder, extension) = (platform.folder(version), platform.extension);
        let name = format!("binaries/{folder}/{identifier}.{extension}");
        files.push((name, bytes));
    }
    for (name, bytes) in &contents.files {
        files.push((format!("resources/{name}"), bytes));
    }
    let refused = |error: &dyn std::fmt::Display| {
        FmuError::wrong(format!("the FMU cannot be packed: {error}"))
    };
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // a time of its own would give other bytes every time
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for (name, bytes) in files {
        zip.start_file(name, options)
            .map_err(|error| refused(&error))?;
        zip.write_all(bytes).map_err(|error| refused(&error))?;
    }
    let written = zip.finish().map_err(|error| refused(&error))?;
    Ok(written.into_inner())
}

/// The name of a model as an identifier of C, which the libraries are called by.
fn identifier(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let identifier: String = name.chars().map(letter).collect();
    if identifier.starts_with(|c: char| c.is_ascii_alphabetic()) {
        identifier
    } else {
        format!("model_{identifier}")
    }
}
