//! What an FMU holds in its folder `resources`: what was chosen when it was made, and the files.

use std::fs;
use std::path::Path;

use bristle_scenario::PackedText;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::FmuError;

/// Version of the format of [`CHOICES`]; a library refuses another one.
const FORMAT: u64 = 1;
/// The file that says what was chosen.
pub const CHOICES: &str = "bristle.json";

/// What an FMU is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FmuKind {
    /// A friction law, for the solver of the importer: model exchange.
    Law {
        /// Dimension of the slip, 1 to 3.
        dimension: usize,
        /// The normal force at the start, N, at which states are scaled.
        normal_force: f64,
    },
    /// A scenario with its own integrator: co-simulation.
    Scenario,
}

/// A quantity of a scenario under the name that it has in the FMU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FmuName {
    /// Its path in the scenario, or its channel.
    pub path: String,
    /// Its name.
    pub name: String,
}

/// What was chosen when an FMU was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FmuChoices {
    format: u64,
    /// Law or scenario.
    pub kind: FmuKind,
    /// Name of the model.
    pub model: String,
    /// Inputs of a scenario.
    pub inputs: Vec<FmuName>,
    /// Outputs of a scenario; all channels if there are none.
    pub outputs: Vec<FmuName>,
    /// Parameters of a scenario.
    pub parameters: Vec<FmuName>,
    /// Changes `path=value` of the scenario.
    #[serde(default)]
    pub changes: Vec<String>,
    /// The file of the law or the scenario, then those with its data.
    files: Vec<FmuFile>,
}

/// A file and what its bytes must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FmuFile {
    name: String,
    sha256: String,
}

/// What is chosen for a new FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct FmuRequest {
    /// Law or scenario.
    pub kind: FmuKind,
    /// Name of the model.
    pub model: String,
    /// Inputs of a scenario.
    pub inputs: Vec<FmuName>,
    /// Outputs of a scenario; all channels if there are none.
    pub outputs: Vec<FmuName>,
    /// Parameters of a scenario.
    pub parameters: Vec<FmuName>,
}

/// The folder `resources` of an FMU, in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct FmuContents {
    /// What was chosen.
    pub choices: FmuChoices,
    /// Identifies the FMU: `guid` of FMI 2.0, `instantiationToken` of FMI 3.0.
    pub token: String,
    /// The law or the scenario.
    pub text: String,
    /// All files by name.
    pub files: Vec<(String, Vec<u8>)>,
}

impl FmuContents {
    /// The folder of a new FMU.
    ///
    /// # Errors
    /// None that is known: writing JSON could refuse.
    pub fn new(request: FmuRequest, packed: PackedText) -> Result<Self, FmuError> {
        let main = match request.kind {
            FmuKind::Law { .. } => "law.toml",
            FmuKind::Scenario => "scenario.toml",
        };
        let text = packed.text;
        let mut files = vec![(main.to_owned(), text.clone().into_bytes())];
        files.extend(packed.data);
        let listed = files.iter().map(|(name, bytes)| FmuFile {
            name: name.clone(),
            sha256: hex(&Sha256::digest(bytes)),
        });
        let choices = FmuChoices {
            format: FORMAT,
            kind: request.kind,
            model: request.model,
            inputs: request.inputs,
            outputs: request.outputs,
            parameters: request.parameters,
            changes: packed.changes,
            files: listed.collect(),
        };
        let json = serde_json::to_string_pretty(&choices)
            .map_err(|error| FmuError::wrong(error.to_string()))?;
        let json = json + "\n";
        let token = token_of(json.as_bytes());
        files.push((CHOICES.to_owned(), json.into_bytes()));
        Ok(Self {
            choices,
            token,
            text,
            files,
        })
    }

    /// Reads the folder of an FMU that was unpacked.
    ///
    /// # Errors
    /// If a file is missing, was changed, or is of another version.
    pub fn read(folder: &Path) -> Result<Self, FmuError> {
        let bytes_of = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(|error| {
                FmuError::wrong(format!("cannot read {}: {error}", path.display()))
            })
        };
        let json = bytes_of(CHOICES)?;
        let damaged =
            |reason: String| FmuError::wrong(format!("resources/{CHOICES} is damaged: {reason}"));
        let value: serde_json::Value =
            serde_json::from_slice(&json).map_err(|error| damaged(error.to_string()))?;
        let format = value.get("format").and_then(serde_json::Value::as_u64);
        if format != Some(FORMAT) {
            let found = format.map_or("none".to_owned(), |format| format.to_string());
            return Err(FmuError::wrong(format!(
                "resources/{CHOICES} has the format {found}, this library reads {FORMAT}; make the \
                 FMU again"
            )));
        }
        let choices: FmuChoices =
            serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
        let mut files = Vec::new();
        for FmuFile { name, sha256 } in &choices.files {
            if name.contains(['/', '\\']) {
                return Err(damaged(format!("{name} is no name of a file")));
            }
            let bytes = bytes_of(name)?;
            if hex(&Sha256::digest(&bytes)) != *sha256 {
                return Err(FmuError::wrong(format!(
                    "resources/{name} was changed after the FMU was made; make the FMU again with \
                     `bristle fmu`"
                )));
            }
            files.push((name.clone(), bytes));
        }
        let main = files.first().map(|(_, bytes)| bytes.clone());
        let main = main.ok_or_else(|| damaged("it names no file".to_owned()))?;
        let text = String::from_utf8(main).map_err(|error| damaged(error.to_string()))?;
        Ok(Self {
            choices,
            token: token_of(&json),
            text,
            files,
        })
    }
}

/// The token of an FMU with these choices, which name the sums of all other files.
fn token_of(choices: &[u8]) -> String {
    let mut hasher = Sha256::new();
    // another version may compute other bits
    hasher.update(env!("CARGO_PKG_VERSION"));
    hasher.update(choices);
    let digits = hex(&hasher.finalize());
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default().to_owned();
    format!(
        "{{{}-{}-{}-{}-{}}}",
        part(0, 8),
        part(8, 12),
        part(12, 16),
        part(16, 20),
        part(20, 32)
    )
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}
