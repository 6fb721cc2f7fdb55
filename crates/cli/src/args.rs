//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

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
    /// Run a scenario over all combinations of parameter values, on all cores.
    Sweep(SweepArguments),
    /// Natural frequencies, damping ratios and mode shapes about the static equilibrium.
    Modes(ModesArguments),
    /// Write a page of a run: plots, an animation, tables, in one HTML file.
    Report(ReportArguments),
    /// Read and judge a scenario without running it.
    Check(CheckArguments),
    /// Compute the friction force of a law for a prescribed motion.
    Drive(DriveArguments),
    /// Put a friction law on the virtual test bench and measure what it can and cannot do.
    Characterise(CharacteriseArguments),
    /// Find friction parameters in measurements, and say which of them these data tell.
    Identify(IdentifyArguments),
    /// Show the friction and normal-force laws, or one of them in full.
    Laws(LawsArguments),
    /// List the scenarios that come with Bristle, show one, or copy them.
    Examples(ExamplesArguments),
    /// Print the JSON Schema of scenario files, for completion and checks in an editor.
    #[command(after_help = "Example:
  bristle schema > bristle.schema.json    then begin a scenario with
                                          #:schema ./bristle.schema.json")]
    Schema,
    /// Print the completions of a shell.
    #[command(after_help = "Example:
  bristle completions bash > ~/.local/share/bash-completion/completions/bristle")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// `bristle run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle run cube-30deg.toml
  bristle run cube-30deg.toml --report
  bristle run cube-30deg.toml --out short --set simulation.end_time=2
  bristle run cube-30deg.toml --set contact.base.friction.static_coefficient=0.2
  bristle run cube-30deg.toml --json | jq .contacts.base.first_slip_time

The folder holds results.csv, channels.json (units and meaning of every column), plots as SVG, and
summary.json, which is written last. Ctrl-C keeps what was computed.

Exit codes: 0 done, 1 the run failed or was interrupted, 2 bad input (nothing is written),
3 an expectation of the scenario was missed.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// Folder of the results; what an earlier run left there is replaced.
    /// [default: results/ and the name of the scenario]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Format of the table; csv if not given.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Vec<Format>,
    /// Write no plots.
    #[arg(long)]
    pub(crate) no_plots: bool,
    /// Write report.html too: a page with plots, an animation and tables that opens offline.
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show neither progress nor summary (but JSON if asked for); errors and warnings are shown all
    /// the same.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// `bristle compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle compare cube-30deg.toml --law lugre --law gkf --law simpack_stick_slip
  bristle compare cube-30deg.toml --law gkf             the scenario's own law beside gkf
  bristle compare cube-30deg.toml --law gkf --law dahl --param gkf:v_r=1e-5
  bristle compare cube-30deg.toml --law lugre --law stiff.toml --out stiffness
  bristle compare cube-30deg.toml --law gkf --json | jq '.laws[] | {law, contacts}'

Parameters that a law shares with that of the scenario are taken over. Others are derived from it, as
docs/compare.md says, and every one of them is told in a note; --param gives them instead. A file
LAW.toml has law = \"NAME\" and the parameters as fields. All laws are judged with the slip speed of the
scenario's own.

The folder holds compare.csv, compare.json and overlaid plots of each contact: friction over time, over
slip and over slip velocity, slip and slip velocity over time.

Exit codes: 0 done, 1 a law failed or the comparison was interrupted, 2 bad input (nothing is written).")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// A law: a name or a file LAW.toml; may be repeated.
    #[arg(short, long = "law", value_name = "LAW", required = true)]
    pub(crate) laws: Vec<String>,
    /// A parameter of one of the laws, as in "gkf:v_r=0.1 mm/s"; may be repeated.
    #[arg(short, long = "param", value_name = "LAW:NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Change the law of this contact only; may be repeated. [default: all contacts]
    #[arg(long = "contact", value_name = "NAME")]
    pub(crate) contacts: Vec<String>,
    /// Folder of the results. [default: results/ and the name of the scenario with -compare]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write no plots.
    #[arg(long)]
    pub(crate) no_plots: bool,
    /// Write report.html too, one page that opens without network.
    #[arg(long)]
    pub(crate) report: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show neither progress nor tables (but JSON if asked for); errors are shown all the same.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// `bristle sweep`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle sweep cube-30deg.toml --vary contact.base.friction.static_coefficient=0.12,0.15,0.2
  bristle sweep cube-30deg.toml --vary \"body.cube.mass=0.5 kg:2 kg:7\"
  bristle sweep cube-30deg.toml --vary contact.base.friction.bristle_stiffness=1e3:1e5:5:log \\
      --vary contact.base.friction.bristle_damping=10,30,100 --out damping
  bristle sweep cube-30deg.toml --vary contact.base.friction.law=lugre,gkf,dahl
  bristle sweep cube-30deg.toml --vary force.press.magnitude=8,10 --measure body.cube.position.x:max
  bristle sweep cube-30deg.toml --vary ... --out damping --resume       go on after a kill
  bristle sweep cube-30deg.toml --vary ... --out damping --shard 3/8    one part of a job array

Values are numbers in SI, quantities with a unit, names or files. from:to:count has count values with
both ends, evenly spaced, or with :log at the end with equal ratios. Several --vary make all
combinations. With friction laws that have other fields, what can be is translated (docs/compare.md).

The folder holds sweep.csv, one row for each case: the parameters in SI and as they were given, how the
run ended and why, and all numbers of its summary; columns.json tells units and meanings. With one or
two parameters there are plots. Every run that is done has a file in runs/, so that a sweep that was
killed loses nothing: the same command with --resume goes on. The numbers do not depend on --jobs.

Exit codes: 0 done, 1 a run failed or the sweep was interrupted, 2 bad input.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct SweepArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// A field of the scenario and its values: path=a,b,c or path=from:to:count or path=from:to:count:log; may be
    /// repeated.
    #[arg(long, value_name = "PATH=VALUES", required = true)]
    pub(crate) vary: Vec<String>,
    /// A number to take of a channel in every run: CHANNEL:STATISTIC or CHANNEL:STATISTIC:FROM:TO;
    /// min, max, mean, rms, range, drift, initial or final.
    #[arg(long = "measure", value_name = "CHANNEL:STATISTIC")]
    pub(crate) measures: Vec<String>,
    /// Runs at the same time. [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<usize>,
    /// Folder of the results. [default: results/ and the name of the scenario with -sweep]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the sweep in the folder: runs that are done are not made again.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Make every n-th run only, the i-th of each n; i counts from 1. The last shard writes the
    /// table.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<bristle_study::sweep::Shard>,
    /// Begin also if there are more than 100 000 runs.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Write no plots.
    #[arg(long)]
    pub(crate) no_plots: bool,
    /// Write report.html too, one page that opens without network.
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the table as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show neither progress nor table (but JSON if asked for); errors and warnings are shown all
    /// the same.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// A number of threads.
fn jobs(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err("must be a whole number from 1 to 1024".to_owned()),
    }
}

/// A shard as `3/8`.
fn shard(text: &str) -> Result<bristle_study::sweep::Shard, String> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let parts = text.split_once('/');
    let (index, count) = parts
        .and_then(|(index, count)| Some((number(index)?, number(count)?)))
        .ok_or("must be of the form 3/8")?;
    if index == 0 || index > count {
        return Err(format!(
            "shards count from 1 to {count}; begin a job array at 1"
        ));
    }
    Ok(bristle_study::sweep::Shard { index, count })
}

/// `bristle report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle report results/cube-30deg
  bristle report results/cube-30deg --out cube.html

The page is one file that opens in any browser without network. A run that failed, was interrupted or
died is shown as far as it went, marked as such. bristle run --report writes the page at once.

Exit codes: 0 done, 1 the page could not be written, 2 bad input (nothing is written).")]
pub(crate) struct ReportArguments {
    /// Folder that bristle run wrote.
    #[arg(value_name = "RUN_DIR")]
    pub(crate) folder: PathBuf,
    /// The page. [default: report.html in the folder]
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) out: Option<PathBuf>,
}

/// The scenario of a command.
#[derive(Debug, clap::Args)]
pub(crate) struct ScenarioArguments {
    /// The scenario file.
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
    /// Change a value of the scenario, such as body.cube.mass="2 kg"; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) overrides: Vec<String>,
}

/// Formats of the table of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text with commas.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// `bristle modes`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle modes blade.toml
  bristle modes blades.toml --contacts stuck --count 6
  bristle modes blade.toml --out shapes          one picture for each mode
  bristle modes blade.toml --json | jq '.modes[].frequency'

The scenario is brought to static equilibrium and linearised there. Contacts resist with the stiffness
and damping that their laws have in that state; --contacts stuck glues all contact points to their
planes, --contacts free leaves the contacts out.

Exit codes: 0 done, 1 there is no equilibrium or no mode, 2 bad input.")]
pub(crate) struct ModesArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// Number of modes, the lowest first.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub(crate) count: usize,
    /// What becomes of the contacts. [default: as they stand in equilibrium]
    #[arg(long, value_name = "STATE")]
    pub(crate) contacts: Option<ContactState>,
    /// Linearise about the positions of the file instead of the equilibrium.
    #[arg(long)]
    pub(crate) as_given: bool,
    /// Folder for one picture of each mode shape.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON, with the motion of every body in every mode.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What becomes of the contacts in `bristle modes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContactState {
    /// Glued: no relative motion at any contact point.
    Stuck,
    /// Without any force.
    Free,
}

/// `bristle check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle check cube-30deg.toml
  bristle check cube-30deg.toml --set body.cube.mass=\"0 kg\"
  bristle check cube-30deg.toml --json

Exit codes: 0 the scenario can run (with warnings or without), 2 it cannot.")]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// Print errors, warnings and what would be simulated as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `bristle drive`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle drive motion.csv --law coulomb_tanh --param mu_k=0.3 --param \"v_r=1 mm/s\"
  bristle drive motion.csv --law lugre.toml --param mu_s=0.2 --out force.csv
  bristle drive motion.csv --law gms.toml --param k_i=4e3,3e3,2e3 --param alpha_i=0.2,0.3,0.5

MOTION.csv begins with a line of names, in any order: t (s); v, or vx,vy, or vx,vy,vz (m/s); N (N),
0 or more; and, if wanted, Fe, or Fex,Fey and so on (N), the applied force, for laws that hold it at
rest. Everything is linear between samples. Columns of other names are not used. For example:
  t,v,N
  0,0,10
  0.1,2e-3,10

What comes out: t, F (or Fx,Fy and so on, along the velocity, N), mu = |F|/N, and the states of the
law, at the same times, however the motion is cut into samples: the force is within 1e-6 of the
largest one of the exact answer.

LAW is the name of a law (`bristle laws`), or a file such as
  law = \"lugre\"
  bristle_stiffness = 1e4
with the parameters as fields; --param changes or adds one, by name or by symbol.

Exit codes: 0 done, 1 the motion could not be followed, 2 bad input (nothing is written).")]
pub(crate) struct DriveArguments {
    /// The motion.
    #[arg(value_name = "MOTION.csv")]
    pub(crate) motion: PathBuf,
    /// The law: a name or a file LAW.toml.
    #[arg(short, long, value_name = "LAW")]
    pub(crate) law: String,
    /// A parameter of the law, with a unit or in SI, as in "v_s=1 mm/s"; may be repeated.
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// File of the forces; to standard output if not given.
    #[arg(short, long, value_name = "FORCE.csv")]
    pub(crate) out: Option<PathBuf>,
    /// Error of a step, relative to the largest force.
    #[arg(long, value_name = "NUMBER", default_value = "1e-8", value_parser = tolerance)]
    pub(crate) rtol: f64,
}

/// The accuracies that can be had.
fn tolerance(text: &str) -> Result<f64, String> {
    let (least, most) = (1e-13, 1e-3);
    let number = text
        .parse::<f64>()
        .map_err(|_| "must be a number such as 1e-8".to_owned())?;
    if (least..=most).contains(&number) {
        Ok(number)
    } else {
        Err(format!("must be in [{least:e}, {most:e}]"))
    }
}

/// `bristle characterise`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle characterise lugre
  bristle characterise leuven --param leuven_exponent=8
  bristle characterise lugre --param \"v_s=3 mm/s\" --out lugre-features
  bristle characterise my-law.toml --json | jq '.features[] | {key, verdict, value}'
  bristle characterise --all

A law by its name has the standard parameters (mu_s 0.15, mu_k 0.1, sigma_0 1e4 1/m, v_s 1 mm/s, where
it has them); --param changes them, by name or by symbol. A file LAW.toml has its own. The bench
presses with 10 N on a block of 1 kg. Every verdict has a written criterion, which is shown.

The folder of --out holds features.json, features.csv and plots as SVG: force over speed and over
displacement, break-away over the rate of the load, stick-slip, drift.

Exit codes: 0 done, 1 the files could not be written, 2 bad input.")]
pub(crate) struct CharacteriseArguments {
    /// The law: a name or a file LAW.toml.
    #[arg(value_name = "LAW", required_unless_present = "all")]
    pub(crate) law: Option<String>,
    /// All laws of the catalogue, beside what the literature prints of them.
    #[arg(long, conflicts_with_all = ["law", "parameters"])]
    pub(crate) all: bool,
    /// A parameter of the law, with a unit or in SI, as in "v_s=1 mm/s"; may be repeated.
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Folder of the files; with --all, one folder in it for each law.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the overview of all laws as a page instead.
    #[arg(
        long,
        value_name = "PAGE.md",
        requires = "all",
        conflicts_with_all = ["json", "law"]
    )]
    pub(crate) markdown: Option<PathBuf>,
}

/// `bristle identify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle identify bench.csv --law lugre --out bench-lugre
  bristle identify bench.csv --law lugre --law coulomb_tanh --test other.csv
  bristle identify axis.csv --law coulomb_tanh --with mass,offset,drag \\
      --column position=q_meas --column force=u --gain force=35.15 --lowpass 40Hz
  bristle identify arm.csv --law dahl --fix mu_k=0.2 --bound sigma_0=1e3:1e6 --json

DATA is a text file whose first line names the columns, in any order: t, v or x, F (the force that
drives the motion, along v), and, if measured, N, a, T. Names with units such as v_mm_s or
\"Force [kN]\" are understood; --column, --unit, --gain or a file of --columns say what else is meant:
  [force]
  column = \"Torque\"
  unit = \"N m\"
  gain = 2.5
Without t, rows are points of a steady curve. Several DATA are fitted together, those of --test are
only predicted. Without N, coefficients are forces in N.

The folder of --out holds identify.json, the law as LAW.toml for `bristle drive` and scenarios, the
residuals and plots. Every parameter has an interval and a verdict: identified, weakly identified, or
not identifiable, with the reason and the experiment that would tell.

Exit codes: 0 done (whatever the verdicts), 1 no fit was found, 2 bad input (nothing is written).")]
pub(crate) struct IdentifyArguments {
    /// The measurements.
    #[arg(value_name = "DATA.csv", required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// The law to fit: a name, `none`, or a file LAW.toml whose values are the start; several are
    /// compared.
    #[arg(short, long, value_name = "LAW", required = true)]
    pub(crate) law: Vec<String>,
    /// Hold a parameter, with a unit or in SI; may be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) fix: Vec<String>,
    /// Fit a parameter that is held by default, such as stribeck_exponent.
    #[arg(long, value_name = "NAME,…")]
    pub(crate) free: Vec<String>,
    /// Start the search for a parameter here; may be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) start: Vec<String>,
    /// Keep a parameter within bounds; may be repeated.
    #[arg(long, value_name = "NAME=LOW:HIGH", allow_hyphen_values = true)]
    pub(crate) bound: Vec<String>,
    /// Fit what a machine adds: mass, offset, gravity, drag, asymmetric, preload, transmitted,
    /// start (velocity), backlash.
    #[arg(long, value_name = "TERM,…")]
    pub(crate) with: Vec<String>,
    /// What the model computes and the fit compares: the force for the measured motion, or the
    /// position of the mass that the measured force drives. [default: force]
    #[arg(long, value_name = "QUANTITY")]
    pub(crate) target: Option<FitTarget>,
    /// The force is made by a position controller with a limited output, c u clip(k (goal - x), 1):
    /// the gain k in 1/rad or 1/m, one for all files or one for each, data before tests. Columns:
    /// goal and supply (u). The parameter motor is c.
    #[arg(long, value_name = "GAIN,…")]
    pub(crate) servo: Option<String>,
    /// Elements of laws of several (gms, leuven), 4 if not given.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) elements: Option<usize>,
    /// A measurement that is predicted and not fitted; may be repeated.
    #[arg(long, value_name = "DATA.csv")]
    pub(crate) test: Vec<PathBuf>,
    /// The column of a quantity, as in force=Torque; may be repeated.
    #[arg(long, value_name = "QUANTITY=COLUMN")]
    pub(crate) column: Vec<String>,
    /// The unit of a column, as in velocity=mm/s; may be repeated.
    #[arg(long, value_name = "QUANTITY=UNIT")]
    pub(crate) unit: Vec<String>,
    /// A factor for a column, after its unit, as in force=35.15; may be repeated.
    #[arg(long, value_name = "QUANTITY=NUMBER", allow_hyphen_values = true)]
    pub(crate) gain: Vec<String>,
    /// Columns, units and gains from a TOML file.
    #[arg(long, value_name = "MAP.toml")]
    pub(crate) columns: Option<PathBuf>,
    /// A constant normal force, N, instead of a column.
    #[arg(long, value_name = "FORCE")]
    pub(crate) normal_force: Option<String>,
    /// Zero-phase low-pass of motion and residual: a frequency, `auto` or `off`. [default: auto,
    /// which filters noisy positions only]
    #[arg(long, value_name = "FREQUENCY")]
    pub(crate) lowpass: Option<String>,
    /// Delay of the force behind the motion, s, to be taken out.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) delay: Option<String>,
    /// Resample to an even rate, linear between samples.
    #[arg(long, value_name = "FREQUENCY")]
    pub(crate) resample: Option<String>,
    /// Keep only these times, s.
    #[arg(long, value_name = "FROM:TO", allow_hyphen_values = true)]
    pub(crate) trim: Option<String>,
    /// How large residuals count; squares if not given.
    #[arg(long, value_name = "LOSS")]
    pub(crate) loss: Option<RobustLoss>,
    /// Starting points that are followed. [default: 6]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) starts: Option<usize>,
    /// Folder of the files; nothing is written without it.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write no plots.
    #[arg(long)]
    pub(crate) no_plots: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a fit compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FitTarget {
    /// The force that belongs to the measured motion.
    Force,
    /// The position, simulated under the measured force.
    Position,
}

/// Losses of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RobustLoss {
    /// Squares: best for normal noise.
    Squares,
    /// Linear beyond 1.5 robust standard deviations.
    Huber,
    /// A smooth form of huber.
    SoftL1,
    /// Logarithmic, for many outliers.
    Cauchy,
}

/// `bristle laws`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle laws
  bristle laws lugre
  bristle laws lugre --json | jq '.parameters[].name'
  bristle laws --markdown pages           a page per law, with equations in TeX")]
pub(crate) struct LawsArguments {
    /// The law to show; hyphens and underscores are the same.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a Markdown page per law, and an index, to this folder; pages that are there already
    /// are replaced.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "json"])]
    pub(crate) markdown: Option<PathBuf>,
}

/// `bristle examples`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle examples                        what there is
  bristle examples stick-slip             print one
  bristle examples stick-slip --out .     copy one, and what it includes
  bristle examples --out scenarios        copy all of them")]
pub(crate) struct ExamplesArguments {
    /// The example to show or copy.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Copy to this folder; files that are there already are kept.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print the list as JSON.
    #[arg(long, conflicts_with = "out")]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
