//! What a sweep is of, kept beside its runs.

use std::fs;
use std::path::Path;

use bristle_results::{Error, Result};
use serde::{Deserialize, Serialize};

use super::journal::write_shared;

/// The file of the manifest; it also marks a folder as that of a sweep.
pub(super) const MANIFEST: &str = "study.json";

/// Everything that the runs of a sweep have in common, and the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// Version of Bristle.
    pub(super) version: String,
    /// The scenario's file as it was given.
    pub(super) scenario: String,
    /// Every text that was read, and its hash.
    pub(super) files: Vec<HashedFile>,
    /// `--set`.
    pub(super) set: Vec<String>,
    /// Names of the measures.
    pub(super) measures: Vec<String>,
    /// Names of the channels whose rows are kept.
    #[serde(default)]
    pub(super) channels: Vec<String>,
    /// Hash of everything that was read, with data files.
    pub(super) fingerprint: String,
    /// How the values are combined.
    #[serde(default)]
    pub(super) design: String,
    /// The axes.
    pub(super) axes: Vec<AxisText>,
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct HashedFile {
    /// Its name as it was given.
    pub(super) name: String,
    /// Its hash.
    pub(super) hash: String,
}

/// An axis as it was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct AxisText {
    /// The path.
    pub(super) path: String,
    /// The values; of a table or a sample none, since there may be a million.
    pub(super) values: Vec<String>,
}

impl Manifest {
    /// The manifest in a folder; nothing if there is none that can be read.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(MANIFEST)).ok()?).ok()
    }

    /// Writes it.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(MANIFEST);
        let text = serde_json::to_string_pretty(self).map_err(|source| Error::Json {
            path: path.clone(),
            source,
        })?;
        write_shared(&path, format!("{text}\n").as_bytes())
    }

    /// What is different now, in words; other axes are no difference, since the runs that both have
    /// stay valid.
    pub(super) fn changes(&self, now: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        if self.version != now.version {
            let (then, now) = (&self.version, &now.version);
            changes.push(format!("it was begun with bristle {then}, this is {now}"));
        }
        changes.extend(self.changed_files(now));
        if self.set != now.set {
            let words = |set: &[String]| match set {
                [] => "none".to_owned(),
                set => set.join(", "),
            };
            let (then, now) = (words(&self.set), words(&now.set));
            changes.push(format!("--set was {then}, and is {now}"));
        }
        if self.measures != now.measures {
            changes.push("the list of --measure is another one".to_owned());
        }
        if self.channels != now.channels {
            changes.push("the list of --channel is another one".to_owned());
        }
        if changes.is_empty() && self.fingerprint != now.fingerprint {
            changes.push("a data file that the scenario names changed".to_owned());
        }
        changes
    }

    fn changed_files(&self, now: &Self) -> Vec<String> {
        let count = self.files.len().max(now.files.len());
        let change = |i: usize| match (self.files.get(i), now.files.get(i)) {
            (Some(then), Some(now)) if then.hash != now.hash => {
                Some(format!("{} changed since", now.name))
            }
            (None, Some(now)) => Some(format!("{} was not read then", now.name)),
            (Some(then), None) => Some(format!("{} is not read any more", then.name)),
            _ => None,
        };
        (0..count).filter_map(change).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let file = |name: &str| HashedFile {
            name: name.to_owned(),
            hash: "1".to_owned(),
        };
        Manifest {
            version: "1".to_owned(),
            scenario: "a.toml".to_owned(),
            files: vec![file("a.toml"), file("b.toml")],
            set: Vec::new(),
            measures: Vec::new(),
            channels: Vec::new(),
            fingerprint: "f".to_owned(),
            design: String::new(),
            axes: Vec::new(),
        }
    }

    #[test]
    fn every_change_has_its_words() {
        let then = manifest();
        assert!(then.changes(&then).is_empty());
        let mut now = manifest();
        now.version = "2".to_owned();
        now.files[1].hash = "2".to_owned();
        now.set = vec!["x=1".to_owned()];
        now.measures = vec!["y:max".to_owned()];
        now.channels = vec!["y".to_owned()];
        let changes = then.changes(&now);
        assert_eq!(
            changes,
            [
                "it was begun with bristle 1, this is 2",
                "b.toml changed since",
                "--set was none, and is x=1",
                "the list of --measure is another one",
                "the list of --channel is another one",
            ]
        );
        let mut data = manifest();
        data.fingerprint = "g".to_owned();
        assert_eq!(
            then.changes(&data),
            ["a data file that the scenario names changed"]
        );
        let mut axes = manifest();
        axes.axes.push(AxisText {
            path: "p".to_owned(),
            values: vec!["1".to_owned()],
        });
        assert!(then.changes(&axes).is_empty());
    }
}
