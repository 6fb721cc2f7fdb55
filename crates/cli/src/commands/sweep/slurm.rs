//! `--slurm`: a job script in place of the runs.

use std::path::{Path, PathBuf};

use bristle_results::{Result, claim, write_atomically};

use crate::args::SweepArguments;
use crate::commands::escape::shell_word;

/// The script's name in the folder of the sweep.
const SCRIPT: &str = "sweep.slurm";

/// Writes the script; where.
pub(super) fn write(arguments: &SweepArguments, shards: usize, out: &Path) -> Result<PathBuf> {
    claim(out, "sweep", arguments.results.force.into())?;
    let given: Vec<String> = std::env::args_os()
        .map(|text| text.to_string_lossy().into_owned())
        .collect();
    let here = std::env::current_dir().unwrap_or_default();
    let path = out.join(SCRIPT);
    write_atomically(&path, script(&given, shards, &here, out).as_bytes())?;
    Ok(path)
}

/// A job array whose jobs are the shards of the command.
fn script(given: &[String], shards: usize, here: &Path, out: &Path) -> String {
    let mut command = Vec::new();
    let mut words = given.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--slurm" => {
                words.next();
            }
            word if word.starts_with("--slurm=") => {}
            word => command.push(shell_word(word)),
        }
    }
    let name = out.file_name().unwrap_or(out.as_os_str()).to_string_lossy();
    // a line of a comment must end where it ends
    let name: String = name
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control())
        .collect();
    format!(
        "#!/bin/sh
#SBATCH --job-name={name}
#SBATCH --array=1-{shards}
#SBATCH --output=/dev/null
# Each job makes its part of the runs on the cores that it is given; the last one writes the table.
# What a cluster asks for belongs here: time, memory, account, and the cores of a job.
#SBATCH --cpus-per-task=4
cd {} || exit 1
exec {} --shard auto >> {}/shard-\"$SLURM_ARRAY_TASK_ID\".log 2>&1
",
        shell_word(&here.to_string_lossy()),
        command.join(" "),
        shell_word(&out.to_string_lossy()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_the_command_with_its_words() {
        let given = [
            "bristle",
            "sweep",
            "a b.toml",
            "--slurm",
            "4",
            "--range",
            "m=1 kg:2 kg",
            "--set",
            "t=it's",
        ];
        let script = script(
            &given.map(str::to_owned),
            4,
            Path::new("/home/x"),
            Path::new("out"),
        );
        assert!(script.contains("#SBATCH --array=1-4\n"), "{script}");
        let command =
            "exec bristle sweep 'a b.toml' --range 'm=1 kg:2 kg' --set 't=it'\\''s' --shard auto ";
        assert!(script.contains(command), "{script}");
        assert!(script.contains("cd /home/x || exit 1\n"), "{script}");
    }
}
