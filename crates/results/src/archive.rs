//! The folder of a run that was written before, read back.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::atomic::partial_name;
use crate::channel::{CHANNELS, Channel, Description};
use crate::error::{Error, Operation, Result};
use crate::folder::{MODEL, PLOT_ROWS, PLOT_VALUES};
use crate::ordered::Ordered;
use crate::summary::Summary;
use crate::table::ChannelTable;

/// A run's folder as it was found.
///
/// A folder that is not complete is read as far as it goes; `notes` say what is missing.
#[derive(Debug)]
pub struct Archive {
    /// The folder.
    pub path: PathBuf,
    /// The summary, if the run came to write one that this version can read.
    pub summary: Option<Summary>,
    /// The table, condensed if it is very long.
    pub table: ChannelTable,
    /// What the run kept of its model, if it did.
    pub model: Option<Value>,
    /// What is missing or could not be read, and why.
    pub notes: Vec<String>,
}

impl Archive {
    /// Reads the folder of a run.
    ///
    /// # Errors
    /// [`Error::NotARun`] if there are no results in it, [`Error::Row`] if the table is damaged,
    /// and [`Error::File`] if a file cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        if !path.is_dir() {
            let reason = match path.metadata() {
                Ok(_) => io::ErrorKind::NotADirectory.into(),
                Err(error) => error,
            };
            return Err(Error::file(Operation::Read, &path, reason));
        }
        let mut notes = Vec::new();
        let results = path.join("results.csv");
        let partial = partial_name(&results);
        let whole = results.is_file();
        if !whole && !partial.is_file() {
            return Err(Error::NotARun { path });
        }
        if !whole {
            notes.push(
                "the run never finished: its process ended, or is still at work; the table goes \
                 as far as it was written"
                    .to_owned(),
            );
        }
        let channels = read_channels(&path, &mut notes)?;
        let file = if whole { results } else { partial };
        let table = read_table(&file, &channels, !whole)?;
        if table.rows() == 0 {
            notes.push("the table has no rows: the run ended before its first output".to_owned());
        }
        Ok(Self {
            summary: read_summary(&path, whole, &mut notes)?,
            model: read_json(&path.join(MODEL), &mut notes)?,
            table,
            path,
            notes,
        })
    }
}

/// The text of a file; nothing if there is no such file.
fn read_text(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file(Operation::Read, path, error)),
    }
}

fn read_json(path: &Path, notes: &mut Vec<String>) -> Result<Option<Value>> {
    let Some(text) = read_text(path)? else {
        return Ok(None);
    };
    match serde_json::from_str(&text) {
        Ok(value) => Ok(Some(value)),
        Err(error) => {
            notes.push(format!("{} is no JSON: {error}", name_of(path)));
            Ok(None)
        }
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

fn read_channels(folder: &Path, notes: &mut Vec<String>) -> Result<Vec<Channel>> {
    let Some(text) = read_text(&folder.join(CHANNELS))? else {
        notes.push(format!(
            "there is no {CHANNELS}, so units and meanings of the channels are not known"
        ));
        return Ok(Vec::new());
    };
    match serde_json::from_str::<Ordered<Description>>(&text) {
        Ok(known) => Ok(known
            .iter()
            .map(|(name, d)| Channel::new(name, d.unit.as_str(), d.meaning.as_str()))
            .collect()),
        Err(error) => {
            notes.push(format!("{CHANNELS} cannot be read: {error}"));
            Ok(Vec::new())
        }
    }
}

fn read_summary(folder: &Path, whole: bool, notes: &mut Vec<String>) -> Result<Option<Summary>> {
    let path = folder.join("summary.json");
    let Some(value) = read_json(&path, notes)? else {
        if whole && !path.exists() {
            notes.push("there is no summary.json: the run did not come to write it".to_owned());
        }
        return Ok(None);
    };
    let version = value.get("version").and_then(Value::as_str);
    let by = version.map_or("another program".to_owned(), |v| format!("bristle {v}"));
    match serde_json::from_value::<Summary>(value) {
        Ok(summary) => Ok(Some(summary)),
        Err(error) => {
            let own = env!("CARGO_PKG_VERSION");
            notes.push(format!(
                "summary.json was written by {by}, and bristle {own} cannot read it: {error}"
            ));
            Ok(None)
        }
    }
}

/// Reads the table. `torn`: its last line may be cut off.
fn read_table(path: &Path, known: &[Channel], torn: bool) -> Result<ChannelTable> {
    let fail = |error| Error::file(Operation::Read, path, error);
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path).map_err(fail)?);
    let mut line = String::new();
    reader.read_line(&mut line).map_err(fail)?;
    let names: Vec<String> = line.trim_end().split(',').map(unquoted).collect();
    let wrong = |line, reason: String| Error::Row {
        path: path.to_path_buf(),
        line,
        reason,
    };
    if names.first().is_none_or(|name| name != "t") {
        let reason = "the first column must be t, the time in s".to_owned();
        return Err(wrong(1, reason));
    }
    let describe = |name: &String| {
        let channel = known.iter().position(|channel| channel.name == *name);
        channel.map_or_else(|| Channel::new(name, "", ""), |i| known[i].clone())
    };
    let mut channels: Vec<Channel> = names.iter().map(describe).collect();
    if let Some(time) = channels.first_mut() {
        *time = Channel::time();
    }
    let limit = (PLOT_VALUES / channels.len()).clamp(2000, PLOT_ROWS);
    let mut table = ChannelTable::bounded(channels, limit);
    let mut row = Vec::with_capacity(names.len());
    for number in 2.. {
        line.clear();
        if reader.read_line(&mut line).map_err(fail)? == 0 {
            break;
        }
        row.clear();
        let cut = torn && !line.ends_with('\n');
        match numbers(line.trim_end(), &names, &mut row) {
            Ok(()) if !cut => table.push_row(&row)?,
            // the last line of a process that died
            _ if cut => break,
            Ok(()) => {}
            Err(reason) => return Err(wrong(number, reason)),
        }
    }
    Ok(table)
}

fn unquoted(name: &str) -> String {
    name.trim_matches('"').to_owned()
}

fn numbers(line: &str, names: &[String], row: &mut Vec<f64>) -> std::result::Result<(), String> {
    for field in line.split(',') {
        let value: f64 = field.parse().map_err(|_| {
            let column = names
                .get(row.len())
                .map_or("a further column", String::as_str);
            format!("{column}: expected a number, found {field:?}")
        })?;
        row.push(value);
    }
    if row.len() == names.len() {
        Ok(())
    } else {
        Err(format!(
            "found {} values for {} columns",
            row.len(),
            names.len()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::RunFolder;

    fn channels() -> Vec<Channel> {
        vec![Channel::time(), Channel::new("f", "N", "force")]
    }

    #[test]
    fn a_folder_is_read_as_it_was_written() {
        let place = tempfile::tempdir().unwrap();
        let mut folder =
            RunFolder::create(place.path(), channels(), crate::Foreign::Refuse).unwrap();
        for i in 0..10 {
            folder.append(&[f64::from(i) * 0.1, 1.0 / 3.0]).unwrap();
        }
        folder.attach(MODEL, b"{\"format\": 1}").unwrap();
        let summary = Summary {
            title: "Cube".into(),
            ..Summary::default()
        };
        let written = folder.table().clone();
        folder.finish(&summary, &[]).unwrap();
        let archive = Archive::open(place.path()).unwrap();
        assert_eq!(archive.table.channels(), written.channels());
        assert_eq!(archive.table.column("f"), written.column("f"));
        assert_eq!(archive.summary.unwrap().title, "Cube");
        assert_eq!(archive.model.unwrap()["format"], 1);
        assert!(archive.notes.is_empty());
    }

    #[test]
    fn a_run_that_died_is_read_up_to_its_last_whole_row() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("results.csv.partial");
        fs::write(file, "t,f\n0,1\n0.1,2\n0.2,2.5e").unwrap();
        let archive = Archive::open(place.path()).unwrap();
        assert_eq!(archive.table.rows(), 2);
        assert!(archive.summary.is_none());
        assert!(
            archive
                .notes
                .iter()
                .any(|note| note.contains("never finished"))
        );
    }

    #[test]
    fn other_versions_are_named_and_damage_has_its_place() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
        assert!(matches!(
            Archive::open(place.path()),
            Err(Error::NotARun { .. })
        ));
        write("results.csv", "t,f\n0,1\n");
        write("summary.json", "{\"version\": \"9.1.0\"}");
        let archive = Archive::open(place.path()).unwrap();
        assert!(
            archive
                .notes
                .iter()
                .any(|note| note.contains("bristle 9.1.0"))
        );
        write("results.csv", "t,f\n0,1\n1,x\n");
        let error = Archive::open(place.path()).unwrap_err().to_string();
        assert!(
            error.contains("line 3") && error.contains("f: expected a number"),
            "{error}"
        );
        write("results.csv", "t,f\n");
        let archive = Archive::open(place.path()).unwrap();
        assert!(archive.notes.iter().any(|note| note.contains("no rows")));
        assert!(Archive::open(place.path().join("nowhere")).is_err());
    }
}
