//! `bristle report --strip` and `--gif`: the motion as pictures side by side, or one after the other.

use std::path::Path;

use bristle_report::{FILM_FRAMES, FRAMES, Scene, film, strip};
use bristle_results::{Archive, ChannelTable, write_atomically};

use super::kept::KeptModel;
use super::start_of;
use crate::args::ReportArguments;
use crate::commands::refuse;
use crate::exit::Exit;
use crate::render;
use crate::terminal::Stream;

/// Pictures of a GIF and of a strip where the number is not given.
const FILM: usize = 60;
const STRIP: usize = 6;

/// A format of the motion.
struct MotionPicture {
    option: &'static str,
    word: &'static str,
    /// What a file of the format begins with, in lower case, or has near its start.
    mark: &'static str,
    draw: fn(&Scene, &ChannelTable, usize) -> Result<Vec<u8>, String>,
    frames: usize,
    most: usize,
}

const GIF: MotionPicture = MotionPicture {
    option: "--gif FILE.gif",
    word: "GIF",
    mark: "gif8",
    draw: film,
    frames: FILM,
    most: *FILM_FRAMES.end(),
};
const SVG: MotionPicture = MotionPicture {
    option: "--strip FILE.svg",
    word: "SVG",
    mark: "<svg",
    draw: |scene, table, frames| Ok(strip(scene, table, frames)?.into_bytes()),
    frames: STRIP,
    most: *FRAMES.end(),
};

/// Draws what is asked for; nothing if it is the page.
pub(super) fn write(archive: &Archive, arguments: &ReportArguments) -> Option<Exit> {
    let asked: Vec<(&MotionPicture, &Path)> = [(&GIF, &arguments.gif), (&SVG, &arguments.strip)]
        .into_iter()
        .filter_map(|(picture, path)| Some((picture, path.as_deref()?)))
        .collect();
    if asked.is_empty() {
        return arguments.frames.map(|_| {
            let help = "they give the number of their pictures by it".to_owned();
            refuse("--frames goes with --gif or --strip", Some(help))
        });
    }
    for (picture, path) in &asked {
        let refused = refusal(picture, path, arguments.frames);
        if let Some(reason) = refused {
            return Some(refuse(reason, Some(elsewhere(picture))));
        }
    }
    let again = || Some("run the scenario again with this version".to_owned());
    let kept = match archive.model.as_ref().map(KeptModel::from_json) {
        Some(Ok(kept)) => kept,
        Some(Err(reason)) => return Some(refuse(reason, again())),
        None => {
            let reason = "the folder does not say what moved, so there is nothing to draw";
            return Some(refuse(reason, again()));
        }
    };
    for (picture, path) in asked {
        let frames = arguments.frames.unwrap_or(picture.frames);
        let bytes = match (picture.draw)(&kept.scene, &archive.table, frames) {
            Ok(bytes) => bytes,
            Err(reason) => {
                let reason = format!("the motion cannot be drawn: {reason}");
                return Some(refuse(reason, again()));
            }
        };
        if let Err(error) = write_atomically(path, &bytes) {
            render::error(error.to_string(), Some(elsewhere(picture)));
            return Some(Exit::RunFailed);
        }
        if !arguments.quiet {
            Stream::Out.print(&format!("motion in {}\n", path.display()));
        }
    }
    Some(Exit::Done)
}

fn elsewhere(picture: &MotionPicture) -> String {
    format!("choose another place with {}", picture.option)
}

/// Why a picture may not be written to a path, where a file may be replaced if it is such a picture, or has
/// too many parts.
fn refusal(picture: &MotionPicture, path: &Path, frames: Option<usize>) -> Option<String> {
    if let Some(frames) = frames.filter(|frames| *frames > picture.most) {
        let (option, most) = (picture.option, picture.most);
        return Some(format!(
            "{frames} pictures are more than the {most} of {option}"
        ));
    }
    if path.is_dir() {
        let folder = path.display();
        return Some(format!("{folder} is a folder; the picture is one file"));
    }
    let start = start_of(path)?;
    let own = start.contains(picture.mark) || start.trim().is_empty();
    (!own).then(|| format!("{} exists and is no {}", path.display(), picture.word))
}
