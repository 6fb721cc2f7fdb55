//! The command line: one file for the arguments of each command.

mod calibrate;
mod characterise;
mod check;
mod compare;
mod drive;
mod examples;
mod fmu;
mod identify;
mod import;
mod laws;
mod modes;
mod report;
mod response;
mod run;
mod sensitivity;
mod sweep;

use std::path::{Path, PathBuf};

use bristle_results::PlotFormat;
use clap::{Parser, Subcommand};

pub(crate) use calibrate::CalibrateArguments;
pub(crate) use characterise::CharacteriseArguments;
pub(crate) use check::CheckArguments;
pub(crate) use compare::CompareArguments;
pub(crate) use drive::DriveArguments;
pub(crate) use examples::ExamplesArguments;
pub(crate) use fmu::FmuArguments;
pub(crate) use identify::{FitTarget, IdentifyArguments, RobustLoss};
pub(crate) use import::ImportArguments;
pub(crate) use laws::LawsArguments;
pub(crate) use modes::{ContactState, ModesArguments};
pub(crate) use report::ReportArguments;
pub(crate) use response::{ResponseArguments, ResponseMethod};
pub(crate) use run::RunArguments;
pub(crate) use sensitivity::SensitivityArguments;
pub(crate) use sweep::SweepArguments;

/// Dry friction in machines: simulate it, and see when parts stick and slip.
#[derive(Debug, Parser)]
#[command(
    name = "bristle",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Examples:
  bristle examples cube-30deg --out .     a scenario to start from
  bristle check cube-30deg.toml           is it sound, and what would be simulated?
  bristle run cube-30deg.toml             simulate; results in results/cube-30deg
  bristle laws lugre                      equations and parameters of a friction law

Exit codes: 0 done, 1 the run failed or was interrupted, 2 bad input, 3 an expectation was missed."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
#[allow(
    clippy::large_enum_variant,
    reason = "made once; boxed arguments would be read through a pointer for nothing"
)]
pub(crate) enum Command {
    /// Simulate a scenario and write a folder of results.
    Run(RunArguments),
    /// Run a scenario under several friction laws and show what differs.
    Compare(CompareArguments),
    /// Run a scenario over combinations of values, a table of cases or a random sample, on all cores.
    Sweep(SweepArguments),
    /// Rank the numbers of a scenario by their effect on the run.
    Sensitivity(SensitivityArguments),
    /// Natural frequencies, damping ratios and mode shapes about the static equilibrium.
    Modes(ModesArguments),
    /// The steady motion under harmonic loads over their frequency: amplitudes, losses, stability.
    Response(ResponseArguments),
    /// Write a page of a run: plots, an animation, tables, in one HTML file.
    Report(ReportArguments),
    /// Validate a scenario without running it.
    Check(CheckArguments),
    /// Compute the friction force of a law for a prescribed motion.
    Drive(DriveArguments),
    /// Put a friction law on the virtual test bench and measure what it can and cannot do.
    Characterise(CharacteriseArguments),
    /// Fit friction laws to measurements, and report which parameters the data can identify.
    Identify(IdentifyArguments),
    /// Find unknown fields of a scenario in measurements of the whole machine.
    Calibrate(CalibrateArguments),
    /// Make an FMU of a friction law or a scenario, for Simulink, Dymola and other programs.
    Fmu(FmuArguments),
    /// Make a scenario from a robot model (URDF or MJCF), and report assumptions and losses.
    Import(ImportArguments),
    /// Show the friction and normal-force laws, or one of them in full.
    Laws(LawsArguments),
    /// List the scenarios that come with Bristle, show one, or copy them.
    Examples(ExamplesArguments),
    /// Print the JSON Schema of scenario files, for completion and checks in an editor.
    #[command(after_help = "Example:
  bristle schema > bristle.schema.json    then begin a scenario with
                                          #:schema ./bristle.schema.json")]
    Schema,
    /// Print the manual page of Bristle or of a command, or write all of them to a folder.
    #[command(after_help = "Examples:
  bristle man | man -l -
  bristle man sweep | man -l -
  bristle man --dir ~/.local/share/man/man1")]
    Man {
        /// The command; Bristle as a whole if not given.
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
        /// Folder for the pages of all commands.
        #[arg(long, value_name = "DIR", conflicts_with = "command")]
        dir: Option<PathBuf>,
        /// Write into a folder that this command did not make; files of the same names are
        /// replaced.
        #[arg(long, requires = "dir")]
        force: bool,
    },
    /// Print the completions of a shell.
    #[command(after_help = "Example:
  bristle completions bash > ~/.local/share/bash-completion/completions/bristle")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// The scenario that it reads, a file or an example.
    pub(crate) fn scenario(&self) -> Option<&Path> {
        let given = match self {
            Self::Run(given) => &given.scenario,
            Self::Compare(given) => &given.scenario,
            Self::Sweep(given) => &given.scenario,
            Self::Sensitivity(given) => &given.scenario,
            Self::Modes(given) => &given.scenario,
            Self::Response(given) => &given.scenario,
            Self::Check(given) => &given.scenario,
            Self::Calibrate(given) => return Some(&given.scenario),
            _ => return None,
        };
        Some(&given.scenario)
    }
}

/// The scenario of a command.
#[derive(Debug, clap::Args)]
pub(crate) struct ScenarioArguments {
    /// The scenario file, or the name of an example (`bristle examples`) where no such file exists.
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
    /// Change a value of the scenario, such as body.cube.mass="2 kg"; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) overrides: Vec<String>,
}

/// Where the results of a fit or of the bench go.
#[derive(Clone, Debug, clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct OutputArguments {
    /// Folder of the files; nothing is written without it.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write into a folder that this command did not make; files of the same names are replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// Write no plots.
    #[arg(long)]
    pub(crate) no_plots: bool,
    /// Write every plot as PDF beside the SVG.
    #[arg(long, requires = "out", conflicts_with = "no_plots")]
    pub(crate) pdf: bool,
    /// Write every plot as PNG beside the SVG, with two pixels for each of its units.
    #[arg(long, requires = "out", conflicts_with = "no_plots")]
    pub(crate) png: bool,
    /// Write report.html into the folder too, one page that opens without network.
    #[arg(long, requires = "out")]
    pub(crate) report: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show nothing (except JSON if requested); errors and warnings are still shown.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl OutputArguments {
    /// The files of each plot; none with `--no-plots`.
    pub(crate) fn plots(&self) -> Option<PlotFormat> {
        (!self.no_plots).then(|| plot_format(self.pdf, self.png))
    }
}

/// Where the results of runs go.
#[derive(Clone, Debug, clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct ResultsArguments {
    /// Folder of the results; what the same command left there is replaced. [default: results/ and
    /// the name of the scenario, with -compare or -sweep behind it for these commands]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write into a folder that this command did not make; files of the same names are replaced.
    #[arg(long)]
    pub(crate) force: bool,
    /// Write no plots.
    #[arg(long)]
    pub(crate) no_plots: bool,
    /// Write every plot as PDF beside the SVG.
    #[arg(long, conflicts_with = "no_plots")]
    pub(crate) pdf: bool,
    /// Write every plot as PNG beside the SVG, with two pixels for each of its units.
    #[arg(long, conflicts_with = "no_plots")]
    pub(crate) png: bool,
    /// Write report.html too, one page that opens without network.
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the summary or the table as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show neither progress nor results (except JSON if requested); errors and warnings are still shown.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl ResultsArguments {
    /// The files of each plot; none with `--no-plots`.
    pub(crate) fn plots(&self) -> Option<PlotFormat> {
        (!self.no_plots).then(|| plot_format(self.pdf, self.png))
    }
}

/// The files of a plot, with and without `--pdf` and `--png`.
pub(crate) fn plot_format(pdf: bool, png: bool) -> PlotFormat {
    PlotFormat { pdf, png }
}

/// The formats of a table.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FormatArguments {
    /// Write the table as NumPy arrays too, an .npz file beside the .csv file, which is always
    /// written.
    #[arg(long, value_name = "FORMAT", value_parser = ["csv", "npz"], default_value = "csv")]
    format: Vec<String>,
}

impl Default for FormatArguments {
    fn default() -> Self {
        Self {
            format: vec!["csv".to_owned()],
        }
    }
}

impl FormatArguments {
    /// Whether arrays are asked for.
    pub(crate) fn npz(&self) -> bool {
        self.format.iter().any(|format| format == "npz")
    }
}

/// What the columns of measurements are.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ColumnArguments {
    /// The column of a quantity, as in force=Torque or time=Clock; may be repeated.
    #[arg(long, value_name = "QUANTITY=COLUMN")]
    pub(crate) column: Vec<String>,
    /// The unit of a column, as in velocity=mm/s; may be repeated.
    #[arg(long, value_name = "QUANTITY=UNIT")]
    pub(crate) unit: Vec<String>,
    /// A factor for a column, after its unit, as in force=35.15; may be repeated.
    #[arg(long, value_name = "QUANTITY=NUMBER", allow_hyphen_values = true)]
    pub(crate) gain: Vec<String>,
    /// The names of all columns in order, for text without a header, as in t,v,F; - stands for one
    /// that is not used. Or columns, units and gains from a file MAP.toml.
    #[arg(long, value_name = "NAME,…|MAP.toml", allow_hyphen_values = true)]
    pub(crate) columns: Option<String>,
    /// The sampling rate, as in 1kHz, where no column is the time.
    #[arg(long, value_name = "FREQUENCY")]
    pub(crate) rate: Option<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }

    /// A longer line would be broken in the middle of a paragraph.
    #[test]
    fn what_stands_below_a_help_fits_its_width() {
        for command in super::Arguments::command().get_subcommands() {
            let below = command.get_after_help().map(ToString::to_string);
            for line in below.unwrap_or_default().lines() {
                assert!(
                    line.chars().count() <= 100,
                    "{}: {line}",
                    command.get_name()
                );
            }
        }
    }
}
