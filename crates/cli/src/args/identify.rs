//! Arguments of `bristle identify`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{ColumnArguments, OutputArguments};

/// `bristle identify`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle identify bench.csv --law lugre --out bench-lugre
  bristle identify bench.csv --law lugre --law coulomb_tanh --test other.csv
  bristle identify axis.csv --law coulomb_tanh --with mass,offset,drag \\
      --column position=q_meas --column force=u --gain force=35.15 --lowpass 40Hz
  bristle identify arm.csv --law dahl --fix mu_k=0.2 --bound sigma_0=1e3:1e6 --json
  bristle identify fit.toml --starts 12

A fit file holds what the options say, with units:
  data = \"bench.csv\"
  law = \"lugre\"
  column.force = { name = \"Torque\", unit = \"N m\", gain = 2.5 }
  parameter.stribeck_velocity = { start = \"1 mm/s\", bounds = [\"0.1 mm/s\", \"10 mm/s\"] }
  prepare = { lowpass = \"40 Hz\", trim = [\"0.5 s\", \"20 s\"] }

DATA is a text file whose first line names the columns, in any order: t, v or x, F (the force that
drives the motion, along v), and, if measured, N, a, T. Names with units such as v_mm_s or
\"Force [kN]\" are understood; --column, --unit, --gain or a file of --columns say what else is meant:
  [force]
  column = \"Torque\"
  unit = \"N m\"
  gain = 2.5
Without a header, --columns t,v,F names the columns in order, and --rate 1kHz stands for t.
Without t, rows are points of a steady curve. Several DATA are fitted together, those of --test are
only predicted. Without N, coefficients are forces in N.

The folder of --out holds identify.json, the law as LAW.toml for `bristle drive` and scenarios,
the residuals and plots, and for a controller the steady curve with its 95 % band (steady.csv,
curve.svg) and a function F(v, a) in C, Structured Text, MATLAB and Python (feedforward.c, .st, .m,
.py). Every parameter has an interval and a verdict: identified, weakly
identified, or not identifiable, with the reason and the experiment that would decide.

Exit codes: 0 done (whatever the verdicts), 1 no fit was found, 2 bad input (nothing is written).")]
pub(crate) struct IdentifyArguments {
    /// The measurements, or a fit file FIT.toml that names them.
    #[arg(value_name = "DATA.csv")]
    pub(crate) data: Vec<PathBuf>,
    /// A fit file; options take precedence over it.
    #[arg(long, value_name = "FIT.toml")]
    pub(crate) fit: Option<PathBuf>,
    /// The law to fit: a name, `none`, or a file LAW.toml whose values are one start of several;
    /// several laws are compared.
    #[arg(short, long, value_name = "LAW")]
    pub(crate) law: Vec<String>,
    /// Moved to `bristle calibrate`; says how to call it.
    #[arg(long, value_name = "SCENARIO.toml", hide = true)]
    pub(crate) scenario: Option<PathBuf>,
    #[arg(long, hide = true)]
    pub(crate) input: Vec<String>,
    #[arg(long, hide = true)]
    pub(crate) output: Vec<String>,
    #[arg(long, hide = true)]
    pub(crate) set: Vec<String>,
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
    #[command(flatten)]
    pub(crate) column_options: ColumnArguments,
    /// A constant normal force, N, instead of a column; `mean` for the mean of the column in each
    /// file.
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
    /// Weight of large residuals; squares if not given.
    #[arg(long, value_name = "LOSS")]
    pub(crate) loss: Option<RobustLoss>,
    /// Starting points that are followed. [default: 6]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) starts: Option<usize>,
    /// Search between the starting points too, by populations (differential evolution): for cases
    /// where starts end at different optima.
    #[arg(long)]
    pub(crate) global: bool,
    /// Intervals by profile likelihood beside those of the covariance: each parameter is moved and
    /// all others are fitted again.
    #[arg(long)]
    pub(crate) profile: bool,
    #[command(flatten)]
    pub(crate) output_to: OutputArguments,
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
