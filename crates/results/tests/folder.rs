//! What a run's folder holds before, during and after a run.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read its folder has failed"
)]
#![allow(clippy::float_cmp, reason = "values pass through unchanged")]

use std::fs;
use std::path::Path;

use bristle_results::{
    Channel, Error, Foreign, Plot, PlotFormat, RunFailure, RunFolder, Status, Summary,
};

fn channels() -> Vec<Channel> {
    vec![
        Channel::time(),
        Channel::new("body.cube.position.x", "m", "position of the cube along x"),
        Channel::new(
            "contact.base.friction.x",
            "N",
            "friction force on the cube along x",
        ),
    ]
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".bristle")
        .collect();
    names.sort();
    names
}

fn plots() -> Vec<Plot> {
    let y = "contact.base.friction.x";
    vec![
        Plot::over_time("friction.svg", "Friction", "friction force").with("base", y),
        Plot::against("loop.svg", "Loop", "position", "friction force").with_path(
            "base",
            "body.cube.position.x",
            y,
        ),
    ]
}

#[test]
fn plots_as_pdf_go_with_the_run_that_wrote_them() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("run");
    let create = || RunFolder::create(&path, channels(), Foreign::Refuse).unwrap();
    let pdf = PlotFormat {
        pdf: true,
        ..PlotFormat::SVG
    };
    let mut folder = create().with_plots(pdf);
    folder.append(&[0.0, 0.0, 1.0]).unwrap();
    folder.append(&[1e-3, 1e-6, 2.0]).unwrap();
    let done = folder.finish(&Summary::default(), &plots()).unwrap();
    assert!(done.plot_errors.is_empty());
    for name in ["friction.svg", "friction.pdf", "loop.svg", "loop.pdf"] {
        assert!(done.files.contains(&path.join(name)), "{name}");
    }
    assert!(
        fs::read(path.join("loop.pdf"))
            .unwrap()
            .starts_with(b"%PDF-")
    );
    fs::write(path.join("friction.pdf"), "%PDF-1.4 of somebody else").unwrap();
    drop(create());
    assert_eq!(names(&path), ["friction.pdf", "results.csv.partial"]);
}

#[test]
fn nothing_looks_complete_before_the_end() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("deep/er/run");
    let mut folder = RunFolder::create(&path, channels(), Foreign::Refuse).unwrap();
    folder.append(&[0.0, 0.0, 1.0]).unwrap();
    folder.append(&[1e-3, 1e-6, 2.0]).unwrap();
    assert_eq!(names(&path), ["results.csv.partial"]);
    let done = folder.finish(&Summary::default(), &plots()).unwrap();
    assert!(done.plot_errors.is_empty());
    let expected = [
        "channels.json",
        "friction.svg",
        "loop.svg",
        "results.csv",
        "summary.json",
    ];
    assert_eq!(names(&path), expected);
    assert!(done.files.last().unwrap().ends_with("summary.json"));
    let channels = fs::read_to_string(path.join("channels.json")).unwrap();
    assert!(channels.find("\"t\"").unwrap() < channels.find("\"body.cube").unwrap());
}

#[test]
fn a_run_that_dies_leaves_a_partial_table_only() {
    let place = tempfile::tempdir().unwrap();
    let mut folder = RunFolder::create(place.path(), channels(), Foreign::Refuse).unwrap();
    folder.append(&[0.0, 0.5, 1.0]).unwrap();
    drop(folder);
    assert_eq!(names(place.path()), ["results.csv.partial"]);
    let text = fs::read_to_string(place.path().join("results.csv.partial")).unwrap();
    assert!(text.ends_with("\n0,0.5,1\n"), "{text}");
    // and the next run takes its place
    let folder = RunFolder::create(place.path(), channels(), Foreign::Refuse).unwrap();
    folder.finish(&Summary::default(), &[]).unwrap();
    assert_eq!(
        names(place.path()),
        ["channels.json", "results.csv", "summary.json"]
    );
}

#[test]
fn an_earlier_run_goes_and_everything_else_stays() {
    let place = tempfile::tempdir().unwrap();
    let mut folder = RunFolder::create(place.path(), channels(), Foreign::Refuse).unwrap();
    folder.append(&[0.0, 0.5, 1.0]).unwrap();
    folder.append(&[1.0, 0.5, 1.0]).unwrap();
    folder.finish(&Summary::default(), &plots()).unwrap();
    fs::write(place.path().join("sketch.svg"), "<svg xmlns='x'/>").unwrap();
    fs::write(place.path().join("notes.txt"), "mine").unwrap();
    let folder = RunFolder::create(place.path(), channels(), Foreign::Refuse).unwrap();
    assert_eq!(
        names(place.path()),
        ["notes.txt", "results.csv.partial", "sketch.svg"]
    );
    let second = RunFolder::create(place.path(), channels(), Foreign::Refuse).unwrap_err();
    assert!(matches!(second, Error::InUse { .. }), "{second}");
    drop(folder);
}

#[test]
fn files_of_others_are_never_replaced() {
    for name in [
        "results.csv",
        "summary.json",
        "channels.json",
        "results.csv.partial",
        "notes.txt",
    ] {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join(name), "time,force\n0,1\n").unwrap();
        let error = RunFolder::create(place.path(), channels(), Foreign::Refuse).unwrap_err();
        assert!(matches!(error, Error::ForeignFolder { .. }), "{error}");
        assert_eq!(names(place.path()), [name]);
        assert_eq!(
            fs::read_to_string(place.path().join(name)).unwrap(),
            "time,force\n0,1\n"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_or_a_pipe_in_place_of_the_table_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let (run, other) = (place.path().join("run"), place.path().join("other.csv"));
    fs::write(&other, "mine").unwrap();
    drop(RunFolder::create(&run, channels(), Foreign::Refuse).unwrap());
    let partial = run.join("results.csv.partial");
    fs::remove_file(&partial).unwrap();
    std::os::unix::fs::symlink(&other, &partial).unwrap();
    let error = RunFolder::create(&run, channels(), Foreign::Refuse).unwrap_err();
    assert!(matches!(error, Error::ForeignFile { .. }), "{error}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let place = tempfile::tempdir().unwrap();
    let mut folder = RunFolder::create(place.path(), channels(), Foreign::Refuse).unwrap();
    let mut written = Vec::new();
    let mut bits: u64 = 42;
    for i in 0..1000 {
        let mut next = || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // exponents from 2^-400 to 2^400, every mantissa
            f64::from_bits((bits >> 12) | ((623 + bits % 800) << 52))
        };
        let row = [f64::from(i) * 0.1, next(), -next()];
        folder.append(&row).unwrap();
        written.push(row);
    }
    folder.finish(&Summary::default(), &[]).unwrap();
    let mut reader = csv::Reader::from_path(place.path().join("results.csv")).unwrap();
    let header: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(
        header,
        ["t", "body.cube.position.x", "contact.base.friction.x"]
    );
    let mut rows = 0;
    for (record, expected) in reader.records().zip(&written) {
        for (text, value) in record.unwrap().iter().zip(expected) {
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
        rows += 1;
    }
    assert_eq!(rows, 1000);
}

#[test]
fn a_value_that_is_not_finite_is_refused_and_what_came_before_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let mut folder = RunFolder::create(place.path(), channels(), Foreign::Refuse).unwrap();
    folder.append(&[0.0, 0.0, 1.0]).unwrap();
    let error = folder.append(&[0.5, 0.0, f64::NAN]).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("contact.base.friction.x is NaN at t = 0.5 s"),
        "{text}"
    );
    let summary = Summary {
        status: Status::Failed,
        error: Some(RunFailure {
            message: text,
            time: Some(0.5),
            ..RunFailure::default()
        }),
        ..Summary::default()
    };
    folder.finish(&summary, &[]).unwrap();
    let table = fs::read_to_string(place.path().join("results.csv")).unwrap();
    assert_eq!(table.lines().count(), 2);
    let json = fs::read_to_string(place.path().join("summary.json")).unwrap();
    assert!(
        json.contains("\"status\": \"failed\"") && json.contains("\"error\": {"),
        "{json}"
    );
    assert_eq!(serde_json::from_str::<Summary>(&json).unwrap(), summary);
}

#[test]
fn places_that_cannot_be_written_are_named_with_the_reason() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "x").unwrap();
    for path in [file.clone(), file.join("below")] {
        let text = RunFolder::create(&path, channels(), Foreign::Refuse)
            .unwrap_err()
            .to_string();
        assert!(
            text.starts_with("cannot create the folder") && text.contains("file"),
            "{text}"
        );
        assert!(text.to_lowercase().contains("not a directory"), "{text}");
    }
    let locked = place.path().join("locked");
    fs::create_dir(&locked).unwrap();
    let mut permissions = fs::metadata(&locked).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&locked, permissions).unwrap();
    // an administrator may write to read-only folders
    if fs::write(locked.join("probe"), "x").is_err() {
        let error = RunFolder::create(&locked, channels(), Foreign::Refuse).unwrap_err();
        assert!(error.to_string().contains(".bristle"), "{error}");
    }
}

#[test]
fn channels_start_with_the_time_and_are_unique() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("run");
    let mut double = channels();
    double.push(Channel::new("body.cube.position.x", "m", "again"));
    for bad in [Vec::new(), channels().split_off(1), double] {
        let error = RunFolder::create(&path, bad, Foreign::Refuse).unwrap_err();
        assert!(matches!(error, Error::ChannelName { .. }), "{error}");
    }
    assert!(!path.exists(), "nothing is written for a wrong input");
}

#[test]
fn a_plot_that_cannot_be_drawn_does_not_cost_the_run() {
    let place = tempfile::tempdir().unwrap();
    let mut folder = RunFolder::create(place.path(), channels(), Foreign::Refuse).unwrap();
    folder.append(&[0.0, 0.0, 1.0]).unwrap();
    let plots = [
        Plot::over_time("a.svg", "A", "a").with("a", "no.such.channel"),
        Plot::over_time("../b.svg", "B", "b").with("b", "body.cube.position.x"),
        Plot::over_time("c.svg", "C", "c"),
    ];
    let done = folder.finish(&Summary::default(), &plots).unwrap();
    assert_eq!(done.plot_errors.len(), 3);
    assert_eq!(
        names(place.path()),
        ["channels.json", "results.csv", "summary.json"]
    );
}
