//! Arguments of `bristle drive`.

use std::path::PathBuf;

/// `bristle drive`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle drive motion.csv --law coulomb_tanh --param mu_k=0.3 --param \"v_r=1 mm/s\"
  bristle drive motion.csv --law lugre.toml --param mu_s=0.2 --out force.csv
  bristle drive motion.csv --law gms.toml --param k_i=4e3,3e3,2e3 --param alpha_i=0.2,0.3,0.5

MOTION.csv begins with a line of names, in any order: t (s); v, or vx,vy, or vx,vy,vz (m/s); N (N),
0 or more; and, if wanted, Fe, or Fex,Fey and so on (N), the applied force, for laws that hold it at
rest (karnopp) or take the direction of a load from it (gear). Everything is linear between samples.
Columns of other names are not used. For example:
  t,v,N
  0,0,10
  0.1,2e-3,10

The output has t, F (or Fx,Fy and so on, along the velocity, N), mu = |F|/N, and the states of the
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
    /// The names of all columns in order, for a motion without a header, as in t,v,N; - stands for
    /// one that is not used.
    #[arg(long, value_name = "NAME,…", allow_hyphen_values = true)]
    pub(crate) columns: Option<String>,
    /// The sampling rate, as in 1kHz, where no column is the time.
    #[arg(long, value_name = "FREQUENCY")]
    pub(crate) rate: Option<String>,
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
