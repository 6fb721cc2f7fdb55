//! The runs of a sweep as the command line gives them.

use bristle_study::sweep::{Axis, Design, DesignError, ParameterRange, SampleMethod, Sampling};

use super::warn;
use crate::args::SweepArguments;
use crate::commands::refuse;
use crate::exit::Exit;

/// The ways to name the runs of a sweep.
const ALLOWED: &str = "a sweep takes its runs from one of them: --vary (all combinations of values), \
                       --cases (the rows of a table), or --sample with --range (values that are drawn)";

/// Reads the design.
pub(super) fn read(arguments: &SweepArguments) -> Result<Design, Exit> {
    let SweepArguments {
        vary,
        cases,
        sample,
        range,
        seed,
        ..
    } = arguments;
    let drawn = sample.is_some() || !range.is_empty() || seed.is_some();
    let ways = [
        ("--vary", !vary.is_empty()),
        ("--cases", cases.is_some()),
        ("--sample", sample.is_some()),
    ];
    let given: Vec<&str> = ways
        .iter()
        .filter(|(_, given)| *given)
        .map(|(way, _)| *way)
        .collect();
    if drawn && sample.is_none() {
        let message = "--range and --seed belong to --sample, which is not given";
        let help = "for example --sample lhs:1000";
        return Err(refuse(message, Some(help.to_owned())));
    }
    let design = match (given[..].as_ref(), cases, sample) {
        ([], ..) => return Err(refuse("which runs?", Some(ALLOWED.to_owned()))),
        ([_, _, ..], ..) => {
            let message = format!("{} cannot be combined", given.join(" and "));
            return Err(refuse(message, Some(ALLOWED.to_owned())));
        }
        (_, Some(table), _) => Design::table(table),
        (_, None, Some(sample)) => drawn_from(sample, range, seed.unwrap_or_default()),
        (_, None, None) => grid(vary),
    };
    design.map_err(|error| refused(&error))
}

/// All combinations of values.
pub(super) fn combined(vary: &[String]) -> Result<Design, Exit> {
    grid(vary).map_err(|error| refused(&error))
}

fn refused(error: &DesignError) -> Exit {
    refuse(error, error.help.clone())
}

fn drawn_from(sample: &str, ranges: &[String], seed: u64) -> Result<Design, DesignError> {
    let sampling = Sampling::parse(sample)?;
    let ranges: Vec<ParameterRange> = ranges
        .iter()
        .map(|text| ParameterRange::parse(text))
        .collect::<Result<_, _>>()?;
    let points = sampling.points;
    if sampling.method != SampleMethod::LatinHypercube && !points.is_power_of_two() {
        let better = points.next_power_of_two();
        let text =
            format!("--sample {sample}: Sobol' points keep their balance where they are 2^m");
        warn(&text, Some(&format!("such as {} or {better}", better / 2)));
    }
    if ranges.is_empty() {
        return Err(DesignError {
            message: "--sample draws values, but there is no --range to draw them from".to_owned(),
            help: Some(
                "for example --range \"body.cube.mass=1 kg:5 kg\"; may be repeated".to_owned(),
            ),
        });
    }
    Design::sample(sampling, &ranges, seed)
}

fn grid(texts: &[String]) -> Result<Design, DesignError> {
    let mut axes = Vec::new();
    for text in texts {
        let axis = Axis::parse(text).map_err(|error| DesignError {
            message: error.to_string(),
            help: Some(error.help().to_owned()),
        })?;
        if !axis.repeated.is_empty() {
            let text = format!(
                "--vary {}: {} more than once, and is taken once",
                axis.path,
                axis.repeated.join(", ")
            );
            warn(&text, None);
        }
        axes.push(axis);
    }
    Design::grid(axes)
}
