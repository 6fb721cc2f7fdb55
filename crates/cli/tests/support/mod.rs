//! Runs the command as a user does.

#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::expect_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for a test, and the command in it.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// A new folder.
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("written");
        path
    }

    /// The command with arguments, in this folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bristle"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Runs the command.
    pub(crate) fn bristle(&self, arguments: &[&str]) -> Ran {
        Ran::new(self.command(arguments).output().expect("started"))
    }

    /// Names of the files and folders here.
    pub(crate) fn entries(&self) -> Vec<String> {
        entries(self.folder.path())
    }
}

/// Names in a folder without its mark and its list, sorted; none if there is no such folder.
pub(crate) fn entries(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry
            .expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned()
    };
    let mut names: Vec<String> = entries
        .map(name)
        .filter(|name| !name.starts_with(".bristle"))
        .collect();
    names.sort();
    names
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit code.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    /// From an output.
    pub(crate) fn new(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Standard output as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).expect("JSON")
    }
}

/// A block on one point that runs in no time: it is pushed with 2 N and slips.
pub(crate) const BLOCK: &str = r#"title = "Block"

[simulation]
end_time    = 0.2
output_step = "1 ms"

[body.block]
joint = "prismatic"
axis  = [1, 0, 0]
mass  = "1 kg"

[contact.base]
points   = { body = "block", at = [[0, 0, 0]] }
normal   = { prescribed = "10 N" }
friction = { law = "lugre", bristle_stiffness = 1e4, bristle_damping = 31.6, viscous_coefficient = 20, stribeck_velocity = "1 mm/s", kinetic_coefficient = 0.1, static_coefficient = 0.15 }

[force.push]
body      = "block"
direction = [1, 0, 0]
magnitude = "2 N"
"#;

/// An expectation of [`BLOCK`]: the time of the end.
pub(crate) fn expecting(end_time: f64) -> String {
    format!(
        "{BLOCK}\n[[expect]]\nname = \"end\"\nvalue = \"end_time\"\nexpected = {end_time}\n\
         tolerance = 1e-9\nsource = \"the file itself\"\n"
    )
}
