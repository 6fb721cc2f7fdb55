//! The libraries that go into an FMU.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};

use bristle_fmu::{FmuBinary, FmuPlatform, LIBRARY_MARK, PLATFORMS};

use super::FmuRefusal;

/// An environment variable that names a folder with the library.
const FOLDER: &str = "BRISTLE_LIB";

/// Those that were named, and that of this machine.
pub(super) fn all(named: &[String]) -> Result<Vec<FmuBinary>, FmuRefusal> {
    let mut binaries: Vec<FmuBinary> = Vec::new();
    for text in named {
        let binary = of_option(text)?;
        if binaries
            .iter()
            .any(|other| other.platform == binary.platform)
        {
            let platform = binary.platform.two;
            return Err(FmuRefusal::plain(format!(
                "--binary names the library of {platform} twice"
            )));
        }
        binaries.push(binary);
    }
    let own = FmuPlatform::of_this_machine();
    let is_named = |own: &FmuPlatform| binaries.iter().any(|binary| binary.platform == *own);
    if let Some(own) = own.filter(|own| !is_named(own)) {
        let places = places();
        match places.iter().find(|place| place.is_file()) {
            Some(file) => binaries.insert(0, read(own, file)?),
            None if binaries.is_empty() => return Err(missing(own, &places)),
            None => {}
        }
    }
    if binaries.is_empty() {
        return Err(FmuRefusal::with(
            "there is no library for this machine",
            "name one: --binary linux64=libbristle_fmu.so",
        ));
    }
    Ok(binaries)
}

fn missing(own: FmuPlatform, places: &[PathBuf]) -> FmuRefusal {
    let library = format!("{DLL_PREFIX}bristle_fmu{DLL_SUFFIX}");
    let folders: Vec<String> = places
        .iter()
        .filter_map(|place| Some(place.parent()?.display().to_string()))
        .collect();
    FmuRefusal::with(
        format!(
            "{library}, which goes into the FMU, was found in none of: {}",
            folders.join(", ")
        ),
        format!(
            "`cargo build --release` in the folder of Bristle makes it; or name it: --binary {}={library}",
            own.two
        ),
    )
}

/// `linux64=libbristle_fmu.so`.
fn of_option(text: &str) -> Result<FmuBinary, FmuRefusal> {
    let known: Vec<&str> = PLATFORMS.iter().map(|platform| platform.two).collect();
    let help = format!("the platforms are: {}", known.join(", "));
    let Some((platform, file)) = text.split_once('=') else {
        let message = format!("--binary {text}: expected PLATFORM=FILE");
        return Err(FmuRefusal::with(message, help));
    };
    let Some(platform) = FmuPlatform::named(platform.trim()) else {
        let message = format!("--binary {text}: unknown platform \"{platform}\"");
        return Err(FmuRefusal::with(message, help));
    };
    read(platform, Path::new(file))
}

/// Reads a library and looks whether it is one.
fn read(platform: FmuPlatform, file: &Path) -> Result<FmuBinary, FmuRefusal> {
    let shown = file.display();
    let bytes = fs::read(file)
        .map_err(|error| FmuRefusal::plain(format!("cannot read the library {shown}: {error}")))?;
    let start: &[u8] = match platform.extension {
        "so" => b"\x7fELF",
        "dll" => b"MZ",
        _ => b"\xcf\xfa\xed\xfe",
    };
    let holds = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    if !bytes.starts_with(start) || !holds(b"fmi2Instantiate") {
        return Err(FmuRefusal::with(
            format!("{shown} is no library of Bristle for {}", platform.two),
            "it is made by `cargo build --release -p bristle-fmu` on that system",
        ));
    }
    if !holds(LIBRARY_MARK.as_bytes()) {
        return Err(FmuRefusal::with(
            format!("{shown} is of another version than this command, {LIBRARY_MARK}"),
            "build both from the same sources",
        ));
    }
    Ok(FmuBinary { platform, bytes })
}

/// Where the library of this machine may be: in the folder that the environment names, beside the
/// command as an installation or a build leaves it, and in folders of libraries near it.
fn places() -> Vec<PathBuf> {
    let library = format!("{DLL_PREFIX}bristle_fmu{DLL_SUFFIX}");
    let mut folders: Vec<PathBuf> = std::env::var_os(FOLDER)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
        .into_iter()
        .collect();
    let command = std::env::current_exe().ok();
    let command = command.and_then(|command| command.canonicalize().ok());
    if let Some(own) = command.as_deref().and_then(Path::parent) {
        folders.push(own.to_owned());
        folders.push(own.join("deps"));
        if let Some(above) = own.parent() {
            folders.push(above.join("lib"));
        }
    }
    folders
        .into_iter()
        .map(|folder| folder.join(&library))
        .collect()
}
