//! Arguments of `bristle sweep`.

use std::path::PathBuf;

use bristle_study::sweep::Shard;

use super::{FormatArguments, ResultsArguments, ScenarioArguments};

/// `bristle sweep`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle sweep cube-30deg.toml --vary contact.base.friction.static_coefficient=0.12,0.15,0.2
  bristle sweep cube-30deg.toml --vary \"body.cube.mass=0.5 kg:2 kg:7\"
  bristle sweep cube-30deg.toml --vary contact.base.friction.bristle_stiffness=1e3:1e5:5:log \\
      --vary contact.base.friction.bristle_damping=10,30,100 --out damping
  bristle sweep cube-30deg.toml --vary contact.base.friction.law=lugre,gkf,dahl
  bristle sweep cube-30deg.toml --vary force.press.magnitude=8,10 --measure body.cube.position.x:max
  bristle sweep cube-30deg.toml --cases cases.csv                       a run for each row
  bristle sweep cube-30deg.toml --sample lhs:1000 --range \"body.cube.mass=0.5 kg:2 kg\" \\
      --range contact.base.friction.bristle_stiffness=1e3:1e5:log       a random design
  bristle sweep cube-30deg.toml --vary ... --out damping --resume       resume after a kill
  bristle sweep cube-30deg.toml --vary ... --out damping --shard 3/8    one part of a sweep
  bristle sweep cube-30deg.toml --vary ... --out damping --slurm 8      a job script of 8 shards

Values are numbers in SI, quantities with a unit, names or files. from:to:count has count values
with both ends, evenly spaced, or with :log at the end with equal ratios. Several --vary make all
combinations. A table of cases has paths in its first line and values in all others. Samples are
lhs:N (Latin hypercube), sobol:N (Sobol' points, best with N = 2^m) and saltelli:N (Sobol' points
for sensitivity indices, N times as many runs as there are parameters and two). Where friction
laws have different fields, values are converted where possible (docs/guide/compare.md).

The folder holds sweep.csv, one row for each case: the parameters in SI and as they were given, how
the run ended and why, and all numbers of its summary; columns.json has units and meanings. With
one or two parameters there are plots. Tables and samples have sensitivities.csv: correlations and
indices of Sobol' of every number with every parameter (docs/guide/sweep.md). Completed runs are
kept in runs/: after a kill the same command with --resume computes only what is missing. The
numbers do not depend on --jobs.

Exit codes: 0 done, 1 a run failed or the sweep was interrupted, 2 bad input.")]
pub(crate) struct SweepArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// A field of the scenario and its values: path=a,b,c or path=from:to:count or path=from:to:count:log; may be
    /// repeated.
    #[arg(long, value_name = "PATH=VALUES")]
    pub(crate) vary: Vec<String>,
    /// A table of runs: its columns are fields of the scenario, its rows are cases.
    #[arg(long, value_name = "TABLE.csv")]
    pub(crate) cases: Option<PathBuf>,
    /// Draw values from the ranges: lhs:N, sobol:N or saltelli:N.
    #[arg(long, value_name = "METHOD:N")]
    pub(crate) sample: Option<String>,
    /// A field of the scenario and the range from which its values are drawn: path=from:to or path=from:to:log; may
    /// be repeated.
    #[arg(long, value_name = "PATH=FROM:TO")]
    pub(crate) range: Vec<String>,
    /// The seed of the random numbers of --sample: the same seed gives the same values. [default: 0]
    #[arg(long, value_name = "NUMBER", value_parser = seed, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// A statistic of a channel in every run: CHANNEL:STATISTIC or CHANNEL:STATISTIC:FROM:TO;
    /// min, max, mean, rms, range, drift, initial or final. Or a number of its summary, such as
    /// contact.base.stick_count. They come first in table and plots.
    #[arg(long = "measure", value_name = "CHANNEL:STATISTIC|NUMBER")]
    pub(crate) measures: Vec<String>,
    /// Keep the rows of this channel of every run, in channels/*.npz with about a thousand runs in a
    /// file; may be repeated.
    #[arg(long = "channel", value_name = "CHANNEL")]
    pub(crate) channels: Vec<String>,
    #[command(flatten)]
    pub(crate) formats: FormatArguments,
    /// Runs at the same time. [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<usize>,
    /// Resume the sweep in the folder: completed runs are skipped.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Run only every n-th case, the i-th of each n; i counts from 1, and auto takes both from a Slurm
    /// job array. The last shard writes the table.
    #[arg(long, value_name = "I/N|auto", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
    /// Run nothing, and write a Slurm job script of so many shards into the folder.
    #[arg(long, value_name = "N", value_parser = shards, conflicts_with = "shard")]
    pub(crate) slurm: Option<usize>,
    /// Allow more than 100 000 runs.
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) results: ResultsArguments,
}

/// A number of threads.
pub(super) fn jobs(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err("must be a whole number from 1 to 1024".to_owned()),
    }
}

/// The seed of random numbers.
fn seed(text: &str) -> Result<u64, String> {
    let most = u64::MAX;
    text.parse()
        .map_err(|_| format!("must be a whole number from 0 to {most}"))
}

/// A number of shards.
fn shards(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(number @ 1..=100_000) => Ok(number),
        _ => Err("must be a whole number from 1 to 100000".to_owned()),
    }
}

/// A shard as `3/8`, or that of the job.
fn shard(text: &str) -> Result<Shard, String> {
    if text == "auto" {
        return of_job(&|name| std::env::var(name).ok());
    }
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let parts = text.split_once('/');
    let (index, count) = parts
        .and_then(|(index, count)| Some((number(index)?, number(count)?)))
        .ok_or("must be of the form 3/8, or auto")?;
    if index == 0 || index > count {
        return Err(format!(
            "shards count from 1 to {count}; begin a job array at 1"
        ));
    }
    Ok(Shard { index, count })
}

/// The shard of a job of a Slurm array, whose numbers may begin anywhere and have gaps.
fn of_job(variable: &dyn Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let read = |name: &str| {
        let text = variable(&format!("SLURM_ARRAY_TASK_{name}"));
        let number = text.as_ref().map(|text| text.trim().parse::<usize>());
        match (text.as_deref(), number) {
            (_, None) => Ok(None),
            (_, Some(Ok(number))) => Ok(Some(number)),
            (text, Some(Err(_))) => Err(format!(
                "SLURM_ARRAY_TASK_{name} is \"{}\", and must be a whole number",
                text.unwrap_or_default()
            )),
        }
    };
    let needed = |name: &str| {
        read(name)?.ok_or_else(|| {
            format!("SLURM_ARRAY_TASK_{name} is not set: this is no job of a Slurm array; give I/N")
        })
    };
    let (id, count) = (needed("ID")?, needed("COUNT")?);
    let (first, step) = (read("MIN")?.unwrap_or(1), read("STEP")?.unwrap_or(1));
    let index = id.checked_sub(first).map(|beyond| beyond / step.max(1) + 1);
    match index {
        Some(index) if index <= count => Ok(Shard { index, count }),
        _ => Err(format!(
            "SLURM_ARRAY_TASK_ID is {id}, which is none of {count} jobs from {first} in steps of {step}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<Shard, String> {
        of_job(&|name| {
            let known = variables
                .iter()
                .find(|(known, _)| name == format!("SLURM_ARRAY_TASK_{known}"));
            known.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn jobs_of_an_array_are_shards() {
        let shard = |index, count| Ok(Shard { index, count });
        assert_eq!(of(&[("ID", "3"), ("COUNT", "8")]), shard(3, 8));
        assert_eq!(
            of(&[("ID", "0"), ("COUNT", "8"), ("MIN", "0")]),
            shard(1, 8)
        );
        let gaps = [("ID", "9"), ("COUNT", "3"), ("MIN", "1"), ("STEP", "4")];
        assert_eq!(of(&gaps), shard(3, 3));
        for (variables, part) in [
            (&[][..], "SLURM_ARRAY_TASK_ID is not set"),
            (&[("ID", "3")], "SLURM_ARRAY_TASK_COUNT is not set"),
            (&[("ID", "x"), ("COUNT", "8")], "must be a whole number"),
            (&[("ID", "9"), ("COUNT", "8")], "none of 8 jobs"),
            (&[("ID", "0"), ("COUNT", "8")], "none of 8 jobs"),
        ] {
            let error = of(variables).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
