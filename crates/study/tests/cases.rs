//! Cases of a sweep that other processes compute.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use bristle_results::Foreign;
use bristle_scenario::ScenarioSource;
use bristle_study::sweep::{
    Axis, CaseEnd, Design, Study, SweepOptions, SweepRequest, fail_case, missing_cases, run,
    run_cases,
};

fn study() -> Study {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let axis = Axis::parse("body.cube.mass=1,1.5,2,-1,2.5").unwrap();
    let request = SweepRequest {
        scenario: ScenarioSource::File(examples.join("cube-30deg.toml")),
        overrides: vec!["simulation.end_time=0.1".to_owned()],
        design: Design::grid(vec![axis]).unwrap(),
        measures: Vec::new(),
        channels: vec!["body.cube.position.x".to_owned()],
    };
    Study::read(request).unwrap()
}

fn options<'s>(out: &Path, stop: &'s AtomicBool, resume: bool) -> SweepOptions<'s> {
    SweepOptions {
        out: out.to_owned(),
        foreign: Foreign::Refuse,
        jobs: 1,
        resume,
        arrays: false,
        shard: None,
        stop,
    }
}

#[test]
fn runs_of_other_processes_count_as_those_of_the_sweep() {
    let place = tempfile::tempdir().unwrap();
    let (stop, study) = (AtomicBool::new(false), study());
    let out = place.path().join("out");
    let missing = missing_cases(&study, &options(&out, &stop, false)).unwrap();
    assert_eq!(missing, [0, 1, 2, 3, 4]);
    for (name, cases) in [("a", &missing[..2]), ("b", &missing[2..4])] {
        let folder = place.path().join(name);
        assert_eq!(run_cases(&study, cases, &folder, &stop).unwrap(), 2);
        for file in fs::read_dir(folder.join("runs")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), out.join("runs").join(file.file_name())).unwrap();
        }
    }
    let left = missing_cases(&study, &options(&out, &stop, true)).unwrap();
    assert_eq!(left, [4]);
    fail_case(&study, 4, "its worker died", &out).unwrap();
    let swept = run(&study, &options(&out, &stop, true), &mut |_| ()).unwrap();
    assert_eq!((swept.computed, swept.found), (0, 5));
    let here = place.path().join("here");
    let direct = run(&study, &options(&here, &stop, false), &mut |_| ()).unwrap();
    for case in 0..4 {
        let (a, b) = (
            swept.table.row(case).unwrap(),
            direct.table.row(case).unwrap(),
        );
        assert_eq!(a.end, b.end);
        assert_eq!(a.reason, b.reason);
        for (name, _) in direct.table.columns() {
            assert_eq!(a.value(name), b.value(name), "{case}: {name}");
        }
    }
    assert_eq!(swept.table.row(3).unwrap().end, CaseEnd::Refused);
    let lost = swept.table.row(4).unwrap();
    assert_eq!(lost.end, CaseEnd::Failed);
    assert_eq!(lost.reason.as_deref(), Some("its worker died"));
}
