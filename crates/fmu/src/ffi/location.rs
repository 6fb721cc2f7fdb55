//! Where an importer has unpacked the resources of an FMU.

use std::path::PathBuf;

use crate::error::FmuError;

/// The folder of a `file:` URI, as FMI 2.0 has it; a plain path is taken as it is.
pub(super) fn folder_of_uri(uri: &str) -> Result<PathBuf, FmuError> {
    let Some(rest) = uri.strip_prefix("file:") else {
        if uri.contains("://") {
            return Err(FmuError::wrong(format!(
                "the resources are at {uri}; expected a file: URI"
            )));
        }
        return Ok(PathBuf::from(uri));
    };
    let path = match rest.strip_prefix("//") {
        // behind the name of this machine, which may be empty
        Some(rest) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => rest,
    };
    let path = percent_decoded(path);
    // /C:/folder of Windows
    let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    let path = if drive { path[1..].to_owned() } else { path };
    if path.is_empty() {
        return Err(FmuError::wrong(format!("{uri} names no folder")));
    }
    Ok(PathBuf::from(path))
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| {
        let byte = bytes.get(at).copied().unwrap_or(b' ');
        char::from(byte).to_digit(16)
    };
    let (mut out, mut i) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(i) {
        if *byte == b'%'
            && let (Some(high), Some(low)) = (digit(i + 1), digit(i + 2))
            && let Ok(code) = u8::try_from(16 * high + low)
        {
            out.push(code);
            i += 3;
        } else {
            out.push(*byte);
            i += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_and_paths_name_folders() {
        for (uri, path) in [
            ("file:///tmp/a%20b/resources", "/tmp/a b/resources"),
            ("file://localhost/tmp/r", "/tmp/r"),
            ("file:/tmp/r/", "/tmp/r/"),
            ("/tmp/100%/r", "/tmp/100%/r"),
            ("file:///tmp/%C3%A4", "/tmp/ä"),
            ("file:///tmp/%zz", "/tmp/%zz"),
        ] {
            assert_eq!(folder_of_uri(uri), Ok(PathBuf::from(path)), "{uri}");
        }
        for uri in ["http://example.org/r", "file://", "file:"] {
            assert!(folder_of_uri(uri).is_err(), "{uri}");
        }
    }
}
