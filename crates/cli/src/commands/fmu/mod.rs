//! `bristle fmu`: a law or a scenario as a Functional Mock-up Unit.

mod binaries;
mod law;
mod scenario;

use std::path::{Path, PathBuf};

use bristle_fmu::{
    Causality, FmiVersion, FmuBinary, FmuContents, FmuMachine, FmuName, FmuVariable, fmu_file,
};
use bristle_laws::Declaration;
use bristle_results::write_atomically;
use bristle_scenario::{Diagnostics, SourceMap, declares_law};

use super::{refuse, unwritten};
use crate::args::FmuArguments;
use crate::exit::Exit;
use crate::render;
use crate::terminal::Stream;

/// Why nothing is written.
enum FmuRefusal {
    /// Bad input, with what helps.
    Plain(String, Option<String>),
    /// Found by the reader.
    Diagnosed(Diagnostics, SourceMap),
}

impl FmuRefusal {
    fn plain(message: impl Into<String>) -> Self {
        Self::Plain(message.into(), None)
    }

    fn with(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Plain(message.into(), Some(help.into()))
    }

    fn tell(self) -> Exit {
        match self {
            Self::Plain(message, help) => refuse(message, help),
            Self::Diagnosed(diagnostics, sources) => {
                render::print(&diagnostics, &sources);
                Exit::BadInput
            }
        }
    }
}

/// What goes into an FMU, and what computes it.
struct FmuModel {
    contents: FmuContents,
    machine: FmuMachine,
}

/// Makes an FMU.
pub(crate) fn fmu(arguments: &FmuArguments) -> Exit {
    let version = if arguments.fmi.starts_with('2') {
        FmiVersion::Two
    } else {
        FmiVersion::Three
    };
    let out = out(arguments);
    let made = model(arguments, &out).and_then(|model| {
        let binaries = binaries::all(&arguments.binaries)?;
        let bytes = fmu_file(&model.contents, &model.machine, version, &binaries)
            .map_err(|error| FmuRefusal::plain(error.text))?;
        Ok((model, binaries, bytes))
    });
    let (model, binaries, bytes) = match made {
        Ok(made) => made,
        Err(refusal) => return refusal.tell(),
    };
    if out.is_dir() {
        return refuse(
            format!("--out is the folder {}", out.display()),
            Some("name a file, as in --out model.fmu".to_owned()),
        );
    }
    if let Err(error) = write_atomically(&out, &bytes) {
        return unwritten(&error);
    }
    if !arguments.quiet {
        tell(&out, version, &model.machine, &binaries);
    }
    Exit::Done
}

/// The file of the FMU.
fn out(arguments: &FmuArguments) -> PathBuf {
    arguments.out.clone().unwrap_or_else(|| {
        let name = arguments.model.file_stem().unwrap_or_default();
        Path::new(name).with_extension("fmu")
    })
}

fn model(arguments: &FmuArguments, out: &Path) -> Result<FmuModel, FmuRefusal> {
    let name = out.file_stem().unwrap_or_default().to_string_lossy();
    let given = arguments.model.to_string_lossy();
    let is_law = if arguments.model.exists() || Declaration::named(&given).is_none() {
        declares_law(&arguments.model).map_err(|all| FmuRefusal::Diagnosed(all, SourceMap::new()))
    } else {
        Ok(true)
    };
    if is_law? {
        law::model(arguments, &name)
    } else {
        scenario::model(arguments, &name)
    }
}

/// Splits `path=name`; the name is the path where there is none.
fn names(texts: &[String]) -> Vec<FmuName> {
    let each = texts.iter().map(|text| {
        let (path, name) = text.split_once('=').unwrap_or((text, text));
        FmuName {
            path: path.trim().to_owned(),
            name: name.trim().to_owned(),
        }
    });
    each.collect()
}

/// Says what was made.
fn tell(out: &Path, version: FmiVersion, machine: &FmuMachine, binaries: &[FmuBinary]) {
    let (kind, states) = match machine {
        FmuMachine::Law(law) => ("model exchange", law.states()),
        FmuMachine::Scenario(_) => ("co-simulation", 0),
    };
    let fmi = match version {
        FmiVersion::Two => "2.0",
        FmiVersion::Three => "3.0",
    };
    let folders: Vec<&str> = binaries
        .iter()
        .map(|binary| binary.platform.folder(version))
        .collect();
    let line = |label: &str, causality: Causality| {
        let all = machine.variables().iter();
        let own: Vec<&FmuVariable> = all.filter(|own| own.causality == causality).collect();
        match &own[..] {
            [] => String::new(),
            few if few.len() <= 12 => {
                let names: Vec<&str> = few.iter().map(|own| own.name.as_str()).collect();
                format!("  {label:<11} {}\n", names.join(", "))
            }
            many => format!("  {label:<11} {} of them\n", many.len()),
        }
    };
    let states = match states {
        0 => String::new(),
        count => format!("  {:<11} {count}\n", "states"),
    };
    Stream::Out.print(&format!(
        "{}: FMI {fmi}, {kind}, for {}\n{}{}{states}{}",
        out.display(),
        folders.join(", "),
        line("inputs", Causality::Input),
        line("outputs", Causality::Output),
        line("parameters", Causality::Parameter),
    ));
}
