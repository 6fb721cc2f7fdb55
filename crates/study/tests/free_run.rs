//! A run without inputs that is looked at: the bits of one run, and of one that was saved.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test fails by a panic; bits are compared"
)]

use std::path::Path;

use bristle_scenario::{Scenario, SourceMap, load};
use bristle_study::{FreeRun, RunObserver, SessionError, execute};

fn example(name: &str, overrides: &[&str]) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    load(&path.join(name), &overrides, &mut SourceMap::new()).unwrap()
}

/// Friction of all kinds: bristles, modes that jump, joints, a driven belt, corners of loads.
const SEVERAL: &[(&str, &[&str])] = &[
    ("cube-30deg.toml", &["simulation.end_time=3.6"]),
    ("stick-slip.toml", &["simulation.end_time=9"]),
    ("belt.toml", &["simulation.end_time=0.5"]),
    ("pulse-adams-stick-slip.toml", &[]),
    ("slider.toml", &[]),
    ("rolling-ball.toml", &[]),
    ("pendulum.toml", &["simulation.end_time=1"]),
];

#[derive(Default)]
struct AllRows(Vec<Vec<f64>>);

impl RunObserver for AllRows {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.0.push(values.to_vec());
        Ok(())
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| (x + 0.0).to_bits()).collect()
}

/// Times that add up, as a co-simulation has them, and so differ from the output times by rounding.
#[test]
fn at_the_output_times_it_has_the_rows_of_one_run() {
    for (name, overrides) in SEVERAL {
        let scenario = example(name, overrides);
        let step = scenario.output_step;
        let mut rows = AllRows::default();
        execute(&scenario, &mut rows);
        let mut run = FreeRun::start(scenario).unwrap();
        let mut t = 0.0;
        for (i, row) in rows.0.iter().enumerate() {
            if i > 0 {
                t += step;
                run.step_to(t).unwrap();
            }
            assert_eq!(bits(run.values().unwrap()), bits(row), "{name}: row {i}");
        }
    }
}

/// Looking more or less often changes nothing.
#[test]
fn it_does_not_matter_where_it_is_looked_at() {
    let (name, overrides) = SEVERAL[1];
    let mut often = FreeRun::start(example(name, overrides)).unwrap();
    let mut rarely = FreeRun::start(example(name, overrides)).unwrap();
    for i in 1..=900 {
        often.step_to(0.01 * f64::from(i) - 0.003).unwrap();
        if i % 100 == 0 {
            rarely.step_to(0.01 * f64::from(i) - 0.003).unwrap();
            let values = bits(rarely.values().unwrap());
            assert_eq!(bits(often.values().unwrap()), values, "{i}");
        }
    }
}

#[test]
fn a_restored_run_has_the_bits_of_the_one_that_was_saved() {
    for (name, overrides) in SEVERAL {
        let scenario = || example(name, overrides);
        let mut run = FreeRun::start(scenario()).unwrap();
        let end = run.end_time();
        run.step_to(0.313 * end).unwrap();
        let before = bits(run.values().unwrap());
        let saved = run.save().unwrap();
        run.step_to(0.87 * end).unwrap();
        let later = bits(run.values().unwrap());
        let mut other = FreeRun::start(scenario()).unwrap();
        for run in [&mut run, &mut other] {
            run.restore(&saved).unwrap();
            assert_eq!(bits(run.values().unwrap()), before, "{name}");
            run.step_to(0.87 * end).unwrap();
            assert_eq!(bits(run.values().unwrap()), later, "{name}");
        }
    }
}

#[test]
fn bad_times_and_states_are_refused() {
    let (name, overrides) = SEVERAL[1];
    let mut run = FreeRun::start(example(name, overrides)).unwrap();
    run.step_to(0.5).unwrap();
    let backwards = run.step_to(0.4).unwrap_err();
    assert_eq!(backwards, SessionError::Backwards { t: 0.4, now: 0.5 });
    let beyond = run.step_to(10.0).unwrap_err();
    assert_eq!(beyond, SessionError::BeyondEnd { t: 10.0, end: 9.0 });
    let mut saved = run.save().unwrap();
    assert!(matches!(run.restore(&[]), Err(SessionError::State(_))));
    saved[40] ^= 1;
    assert!(matches!(run.restore(&saved), Err(SessionError::State(_))));
    run.step_to(0.6).unwrap();
}
