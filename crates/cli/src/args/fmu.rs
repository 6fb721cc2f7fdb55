//! Arguments of `bristle fmu`.

use std::path::PathBuf;

/// `bristle fmu`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle fmu lugre.toml                         a law with its parameters: lugre.fmu
  bristle fmu lugre.toml -o joint.fmu --dim 2 --param mu_s=0.2
  bristle fmu cube-30deg.toml --fmi 3            a scenario, for FMI 3.0
  bristle fmu belt.toml --input force.load.magnitude=F --output body.block.position.x=x \\
              --parameter contact.base.friction.static_coefficient=mu_s
  bristle fmu cube.toml --binary linux64=libbristle_fmu.so --binary win64=bristle_fmu.dll

A law becomes an FMU for model exchange: inputs v (or vx, vy, vz) in m/s and N in N, outputs F and
power, states without dimension, all parameters of the law. A scenario becomes one for
co-simulation: loads and speeds of prescribed motions as inputs, channels as outputs, fields as
parameters. Without --input nothing acts on it from outside, and it has the numbers of
`bristle run`.

The library in the FMU, libbristle_fmu.so, comes with Bristle and is looked for beside it (and in
the folder that BRISTLE_LIB names); --binary names it, or adds those of other systems: linux64,
win64, darwin64, aarch64-linux, aarch64-darwin.

Exit codes: 0 done, 1 the file cannot be written, 2 bad input (nothing is written).")]
pub(crate) struct FmuArguments {
    /// A law (a file LAW.toml or a name of `bristle laws`), or a scenario (a file or an example).
    #[arg(value_name = "LAW|SCENARIO.toml")]
    pub(crate) model: PathBuf,
    /// The FMU. [default: the name of the model with .fmu]
    #[arg(short, long, value_name = "NAME.fmu")]
    pub(crate) out: Option<PathBuf>,
    /// Version of FMI.
    #[arg(long, value_name = "VERSION", value_parser = ["2", "2.0", "3", "3.0"], default_value = "2")]
    pub(crate) fmi: String,
    /// An input of a scenario and its name in the FMU, as in force.pull.magnitude=F; may be repeated.
    #[arg(long = "input", value_name = "PATH=NAME")]
    pub(crate) inputs: Vec<String>,
    /// An output of a scenario, as in body.cube.position.x or body.cube.position.x=x; may be
    /// repeated. [default: all channels]
    #[arg(long = "output", value_name = "CHANNEL")]
    pub(crate) outputs: Vec<String>,
    /// A field of a scenario that can be set before a simulation, as in body.cube.mass or
    /// body.cube.mass=m; may be repeated.
    #[arg(long = "parameter", value_name = "PATH")]
    pub(crate) parameters: Vec<String>,
    /// Change a value of the scenario, such as body.cube.mass="2 kg"; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) overrides: Vec<String>,
    /// A parameter of the law, with a unit or in SI, as in "v_s=1 mm/s"; may be repeated.
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    pub(crate) law_parameters: Vec<String>,
    /// Dimension of the slip of a law, 1 to 3. [default: 1]
    #[arg(long = "dim", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    pub(crate) dimension: Option<u8>,
    /// Normal force of a law at the start, at which its states are scaled, as in "10 N". [default: 1 N]
    #[arg(long, value_name = "FORCE", allow_hyphen_values = true)]
    pub(crate) normal_force: Option<String>,
    /// The library of a platform, as in linux64=libbristle_fmu.so; may be repeated.
    #[arg(long = "binary", value_name = "PLATFORM=FILE")]
    pub(crate) binaries: Vec<String>,
    /// Show nothing; errors and warnings are still shown.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
