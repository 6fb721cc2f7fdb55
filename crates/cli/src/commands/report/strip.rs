//! `bristle report --strip`: the motion as pictures side by side.

use std::path::Path;

use bristle_report::strip;
use bristle_results::{Archive, write_atomically};

use super::kept::KeptModel;
use crate::commands::refuse;
use crate::exit::Exit;
use crate::render;

/// Draws the strip of a folder and writes it to a file.
pub(super) fn write(archive: &Archive, path: &Path, frames: usize) -> Exit {
    let elsewhere = || Some("choose another place with --strip FILE.svg".to_owned());
    if let Some(reason) = refusal(path) {
        return refuse(reason, elsewhere());
    }
    let again = || Some("run the scenario again with this version".to_owned());
    let kept = match archive.model.as_ref().map(KeptModel::from_json) {
        Some(Ok(kept)) => kept,
        Some(Err(reason)) => return refuse(reason, again()),
        None => {
            let reason = "the folder does not say what moved, so there is nothing to draw";
            return refuse(reason, again());
        }
    };
    let svg = match strip(&kept.scene, &archive.table, frames) {
        Ok(svg) => svg,
        Err(reason) => return refuse(format!("the motion cannot be drawn: {reason}"), again()),
    };
    match write_atomically(path, svg.as_bytes()) {
        Ok(()) => Exit::Done,
        Err(error) => {
            render::error(error.to_string(), elsewhere());
            Exit::RunFailed
        }
    }
}

/// Why a strip may not be written to a path: a file may be replaced if it is a picture.
fn refusal(path: &Path) -> Option<String> {
    if path.is_dir() {
        let folder = path.display();
        return Some(format!("{folder} is a folder; the strip is one file"));
    }
    let start = std::fs::read(path).ok()?;
    let start = String::from_utf8_lossy(&start[..start.len().min(1024)]).to_lowercase();
    let picture = start.contains("<svg") || start.trim().is_empty();
    (!picture).then(|| format!("{} exists and is no SVG", path.display()))
}
