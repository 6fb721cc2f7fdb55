//! `bristle characterise`: measure what friction laws can and cannot do.

mod chosen;
mod files;
mod markdown;
mod overlay;
mod page;
mod tables;

pub(super) use overlay::axis;

use std::hint::black_box;
use std::time::Instant;

use bristle_laws::{Friction, MAX_STATES, Slip, Step};
use bristle_results::format_number;
use bristle_rig::characterise::{
    BenchOptions, Characterisation, Feature, FeatureVerdict, characterise,
};
use serde_json::json;

use super::print_json;
use crate::args::CharacteriseArguments;
use crate::exit::Exit;
use crate::render;

/// Measures one law, or all of them.
pub(crate) fn run(arguments: &CharacteriseArguments) -> Exit {
    let chosen = match chosen::laws(arguments) {
        Ok(chosen) => chosen,
        Err(exit) => return exit,
    };
    let options = BenchOptions::default();
    let (mut laws, mut reports) = (Vec::new(), Vec::new());
    for (name, law) in chosen {
        let measured = characterise(&law, &options);
        reports.push(Characterisation {
            law: name,
            ..measured
        });
        laws.push(law);
    }
    let several = arguments.all || laws.len() > 1;
    if let Some(folder) = &arguments.output_to.out
        && let Err(error) = files::write(folder, &reports, &laws, &arguments.output_to)
    {
        return super::unwritten(&error);
    }
    if let Some(folder) = arguments
        .output_to
        .out
        .as_deref()
        .filter(|_| arguments.output_to.report)
        && let Err(error) = page::write(folder, &reports, &laws)
    {
        render::error(error.to_string(), None);
        return Exit::RunFailed;
    }
    if let Some(page) = &arguments.markdown {
        let text = markdown::page(&reports);
        if let Err(error) = bristle_results::write_atomically(page, text.as_bytes()) {
            render::error(error.to_string(), None);
            return Exit::RunFailed;
        }
        return Exit::Done;
    }
    match (&reports[..], &laws[..]) {
        ([report], [law]) if !several => {
            if arguments.output_to.json {
                print_json(&files::report(report));
            } else if !arguments.output_to.quiet {
                tables::sheet(report, law, nanoseconds(law));
            }
        }
        _ if arguments.output_to.json => print_json(&json!(
            reports.iter().map(files::report).collect::<Vec<_>>()
        )),
        _ if arguments.output_to.quiet => {}
        _ => tables::overview(&reports),
    }
    Exit::Done
}

/// Time of one update of the law in one dimension on this machine, ns: the best of some rounds.
fn nanoseconds(law: &Friction) -> f64 {
    const ROUNDS: usize = 20;
    const CALLS: u32 = 5000;
    let states = law.layout().len(1);
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mut old = [0.0; MAX_STATES];
        let mut new = [0.0; MAX_STATES];
        let clock = Instant::now();
        for i in 0..CALLS {
            let v = 1e-3 * f64::from(i % 64);
            let step = Step::constant(Slip::new([v], 10.0), 1e-4);
            black_box(law.update(black_box(&step), &old[..states], &mut new[..states]));
            std::mem::swap(&mut old, &mut new);
        }
        best = best.min(clock.elapsed().as_secs_f64() / f64::from(CALLS));
    }
    best * 1e9
}

/// `yes`, `–` or `n/a`.
fn word(verdict: FeatureVerdict) -> &'static str {
    match verdict {
        FeatureVerdict::Yes => "yes",
        FeatureVerdict::No => "–",
        FeatureVerdict::NotApplicable => "n/a",
    }
}

/// Whether a measurement contradicts the printed table.
fn disagrees(feature: &Feature) -> bool {
    feature
        .printed
        .is_some_and(|printed| FeatureVerdict::from(printed) != feature.verdict)
}

/// A number to four digits.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    format_number(rounded)
}
