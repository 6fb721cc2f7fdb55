//! Arguments of `bristle sweep`.

use super::{ResultsArguments, ScenarioArguments};

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

Values are numbers in SI, quantities with a unit, names or files. from:to:count has count values
with both ends, evenly spaced, or with :log at the end with equal ratios. Several --vary make all
combinations. With friction laws that have other fields, what can be is translated
(docs/compare.md).

The folder holds sweep.csv, one row for each case: the parameters in SI and as they were given,
how the run ended and why, and all numbers of its summary; columns.json has units and meanings.
With one or two parameters there are plots. Every run that is done has a file in runs/, so that a
sweep that was killed loses nothing: the same command with --resume goes on. The numbers do not
depend on --jobs.

Exit codes: 0 done, 1 a run failed or the sweep was interrupted, 2 bad input.")]
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
    #[command(flatten)]
    pub(crate) results: ResultsArguments,
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
