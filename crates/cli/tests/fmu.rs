//! `bristle fmu`: what is in the file, what is refused, and that nothing is written then.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use support::Place;
use zip::ZipArchive;

const LAW: &str = "law = \"dahl\"
bristle_stiffness = 1e4
kinetic_coefficient = 0.2
";

fn members(path: &Path) -> Vec<String> {
    let archive = ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    names.sort();
    names
}

fn member(path: &Path, name: &str) -> String {
    let mut archive = ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut text = String::new();
    archive
        .by_name(name)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    text
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn both_versions_have_the_library_where_they_look_for_it() {
    let place = Place::new();
    place.write("law.toml", LAW);
    for (version, folder) in [("2", "linux64"), ("3", "x86_64-linux")] {
        let ran = place.bristle(&["fmu", "law.toml", "-o", "my-law.fmu", "--fmi", version]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let expected = [
            format!("binaries/{folder}/my_law.so"),
            "modelDescription.xml".to_owned(),
            "resources/bristle.json".to_owned(),
            "resources/law.toml".to_owned(),
        ];
        assert_eq!(members(&place.path("my-law.fmu")), expected);
        let description = member(&place.path("my-law.fmu"), "modelDescription.xml");
        assert!(description.contains(&format!("fmiVersion=\"{version}.0\"")));
        assert!(description.contains("modelIdentifier=\"my_law\""));
    }
    // the same once more: the same bytes
    let before = std::fs::read(place.path("my-law.fmu")).unwrap();
    place.bristle(&["fmu", "law.toml", "-o", "my-law.fmu", "--fmi", "3.0"]);
    assert_eq!(std::fs::read(place.path("my-law.fmu")).unwrap(), before);
}

#[test]
fn a_scenario_is_packed_with_all_that_it_reads() {
    let place = Place::new();
    place.write("push.csv", "t,F\n0,0\n1,5\n");
    place.write("law.toml", LAW);
    place.write(
        "block.toml",
        "title = \"a block\"
[simulation]
end_time = 1
[body.block]
joint = \"prismatic\"
axis = [1, 0, 0]
mass = 1
[force.push]
body = \"block\"
direction = [1, 0, 0]
magnitude = { csv = \"push.csv\", value = \"F\" }
[contact.base]
points = { body = \"block\", at = [[0, 0, 0]] }
normal = { prescribed = 10 }
friction = \"law.toml\"
",
    );
    let ran = place.bristle(&["fmu", "block.toml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let names = members(&place.path("block.fmu"));
    assert!(
        names.contains(&"resources/data-1.csv".to_owned()),
        "{names:?}"
    );
    let packed = member(&place.path("block.fmu"), "resources/scenario.toml");
    assert!(
        packed.contains("dahl") && !packed.contains("law.toml"),
        "{packed}"
    );
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let place = Place::new();
    place.write("law.toml", LAW);
    place.write("library.so", "no library");
    for (arguments, words) in [
        (
            &["cube-30deg", "--input", "force.pul.magnitude"][..],
            "did you mean \"force.pull.magnitude\"",
        ),
        (
            &["cube-30deg", "--output", "body.cube.position.w"],
            "no channel",
        ),
        (
            &["cube-30deg", "--parameter", "body.cub.mass"],
            "no parameter",
        ),
        (
            &["cube-30deg", "--parameter", "body.cube.position"],
            "no single number",
        ),
        (
            &[
                "cube-30deg",
                "--input",
                "force.pull.magnitude=a",
                "--output",
                "body.cube.position.x=a",
            ],
            "two variables",
        ),
        (&["cube-30deg", "--dim", "2"], "--dim is of laws"),
        (&["cube-30deg", "--param", "mu=1"], "--param is of laws"),
        (&["law.toml", "--input", "v=v"], "--input is of scenarios"),
        (&["law.toml", "--normal-force", "-1 N"], "(0, ∞) N"),
        (&["law.toml", "--normal-force", "1 m"], "a force in N"),
        (&["law.toml", "--dim", "4"], "1..=3"),
        (&["law.toml", "--fmi", "1"], "--fmi"),
        (&["law.toml", "--binary", "linux64"], "PLATFORM=FILE"),
        (
            &["law.toml", "--binary", "amiga=library.so"],
            "unknown platform",
        ),
        (
            &["law.toml", "--binary", "linux64=library.so"],
            "no library of Bristle",
        ),
        (
            &["law.toml", "--binary", "linux64=nowhere.so"],
            "cannot read",
        ),
        (&["nowhere.toml"], "cannot read nowhere.toml"),
        (&["dahl"], "missing field"),
    ] {
        let given = [&["fmu"], arguments].concat();
        let given = [&given[..], &["-o", "out.fmu"]].concat();
        let ran = place.bristle(&given);
        assert_eq!(ran.code, Some(2), "{given:?}\n{}", ran.err);
        // the terminal breaks lines
        let flat: Vec<&str> = ran
            .err
            .split(['│', '\n', ' '])
            .filter(|word| !word.is_empty())
            .collect();
        assert!(
            flat.join(" ").contains(words),
            "{given:?}: {words}\n{}",
            ran.err
        );
        assert!(!place.path("out.fmu").exists(), "{given:?}");
    }
}

#[test]
fn laws_without_rates_and_missing_libraries_are_explained() {
    let place = Place::new();
    let ran = place.bristle(&[
        "fmu",
        "gms",
        "--param=k_i=4e3,3e3",
        "--param=alpha_i=0.5,0.5",
        "--param=mu_k=0.1",
        "--param=mu_s=0.1",
        "--param=v_s=1e-3",
        "--param=C=1",
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("no rate"), "{}", ran.err);
    // the command alone in a folder
    place.write("law.toml", LAW);
    let alone = place.path("bristle-alone");
    std::fs::copy(env!("CARGO_BIN_EXE_bristle"), &alone).unwrap();
    let output = std::process::Command::new(&alone)
        .args(["fmu", "law.toml"])
        .current_dir(place.path("."))
        .env_remove("BRISTLE_LIB")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("--binary"), "{text}");
    assert!(!place.path("law.fmu").exists());
}
