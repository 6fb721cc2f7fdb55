//! Tables of cases and samples, and what is wrong with them.

use super::{DAMPING, MU, table};
use crate::support::{BLOCK, Place, Ran, entries};

/// The words of standard error without the frame, which may break its lines.
fn words(ran: &Ran) -> String {
    let words = ran
        .err
        .split_whitespace()
        .filter(|word| !matches!(*word, "│" | "×" | "help:"));
    words.collect::<Vec<_>>().join(" ")
}

fn sweep(place: &Place, arguments: &[&str]) -> Ran {
    place.bristle(&[&["sweep", "block.toml", "--out", "out"][..], arguments].concat())
}

#[test]
fn rows_of_a_table_are_runs() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.write(
        "cases.csv",
        &format!("# three blocks\nbody.block.mass;{MU}\n500 g;0.12\n1;0.15\n\n\"1.5 kg\";0.2\n"),
    );
    let ran = sweep(&place, &["--cases", "cases.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("3 runs: the rows of cases.csv"),
        "{}",
        ran.err
    );
    let rows = table(&place.path("out/sweep.csv"));
    let column = |name: &str| -> Vec<String> { rows.iter().map(|row| row[name].clone()).collect() };
    assert_eq!(column("body.block.mass"), ["0.5", "1", "1.5"]);
    assert_eq!(
        column("body.block.mass (as given)"),
        ["500 g", "1", "1.5 kg"]
    );
    assert_eq!(column(MU), ["0.12", "0.15", "0.2"]);
    // the same numbers as those of a grid
    let one = format!("{MU}=0.15");
    let grid = [
        "sweep",
        "block.toml",
        "--vary",
        &one,
        "--set",
        "body.block.mass=1",
        "--out",
        "grid",
    ];
    assert_eq!(place.bristle(&grid).code, Some(0));
    let grid = table(&place.path("grid/sweep.csv"));
    assert_eq!(grid[0]["energy.dissipated"], rows[1]["energy.dissipated"]);
}

#[test]
fn mistakes_in_a_table_have_their_place_and_nothing_is_written() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let mass = "body.block.mass";
    for (text, parts) in [
        (
            format!("{mass},body.block.mas\n1,2\n"),
            &["cases.csv, line 2", "body.block.mas=2", "mass"][..],
        ),
        (
            format!("{mass},body.blok.mass\n1,2\n"),
            &["cases.csv, line 1", "no body.blok", "\"block\""],
        ),
        (
            format!("{mass},{mass}\n1,2\n"),
            &["cases.csv:1", mass, "twice"],
        ),
        (
            format!("{MU},contact.base.friction.static-coefficient\n1,2\n"),
            &["cases.csv, line 1", "twice"],
        ),
        (
            format!("{mass},{MU}\n1,0.1\n1,\n"),
            &["cases.csv:3", MU, "is empty"],
        ),
        (
            format!("{mass},{MU}\n1,0.1\n1\n"),
            &["cases.csv:3", "found 1 cell, expected 2"],
        ),
        (
            format!("{mass}\n1\n2 mm\n3\n"),
            &["cases.csv, line 3", "body.block.mass=2 mm", "kg"],
        ),
        (
            format!("{mass}\n1\nheavy\n3\n"),
            &["cases.csv, line 3", "body.block.mass=heavy", "kg"],
        ),
        (
            format!("{mass}\n1\n-2\n-3\n"),
            &[
                "cases.csv, line 3",
                "body.block.mass=-2",
                "line 4 is not sound either",
            ],
        ),
        (format!("{mass}\n"), &["cases.csv has no cases"]),
        (
            format!("{mass},\n1,2\n"),
            &["cases.csv:1", "column 2 has no name"],
        ),
        (
            "1,2\n3,4\n".to_owned(),
            &["cases.csv:1", "must name the columns"],
        ),
        (String::new(), &["cases.csv is empty"]),
        (
            format!("{mass} [g],{MU}\n1000,0.2\n"),
            &["cases.csv:1", "body.block.mass [g]", "unit into the cells"],
        ),
        (
            format!("{mass} [g]\n1000\n"),
            &["cases.csv:1", "[g]", "unit into the cells"],
        ),
        (
            format!("{mass},{MU}\n1,0.1\n2,\"0.2\n3,0.3\n"),
            &["cases.csv:3:3", "a quote is opened here and never closed"],
        ),
        (
            format!("{mass}\n1\n\"2 \"\"kg\"\"\"\n"),
            &["cases.csv, line 3", "body.block.mass=2 \"kg\""],
        ),
    ] {
        place.write("cases.csv", &text);
        let ran = sweep(&place, &["--cases", "cases.csv"]);
        assert_eq!(ran.code, Some(2), "{text}: {}", ran.err);
        for part in parts {
            assert!(
                words(&ran).contains(part),
                "{text}: {part} is not in {}",
                ran.err
            );
        }
    }
    let ran = sweep(&place, &["--cases", "nowhere.csv"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("nowhere.csv"),
        "{}",
        ran.err
    );
    assert_eq!(place.entries(), ["block.toml", "cases.csv"]);
}

#[test]
fn wrong_designs_say_what_is_allowed_and_nothing_is_written() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.write("cases.csv", "body.block.mass\n1\n");
    let range = ["--range", "body.block.mass=1:2"];
    let ranged = |range: &'static str| vec!["--sample", "lhs:10", "--range", range];
    let sampled = |sample: &'static str| [&["--sample", sample][..], &range].concat();
    for (arguments, part) in [
        (vec![], "--vary"),
        (
            vec!["--cases", "cases.csv", "--vary", "body.block.mass=1,2"],
            "--vary and --cases cannot be combined",
        ),
        (
            [&["--cases", "cases.csv", "--sample", "lhs:9"][..], &range].concat(),
            "--cases and --sample cannot",
        ),
        (
            vec!["--vary", "body.block.mass=1,2", "--seed", "3"],
            "--range and --seed belong to --sample",
        ),
        (range.to_vec(), "--range and --seed belong to --sample"),
        (vec!["--sample", "lhs:10"], "there is no --range"),
        (ranged("body.block.mass=2:1"), "smaller end first"),
        (ranged("body.block.mass=0:1:log"), "same sign"),
        (ranged("body.block.mass=1 kg:2 m"), "different kinds"),
        (ranged("body.block.mass=1 mm:2 mm"), "kg"),
        (ranged("body.block.mas=1:2"), "mass"),
        (
            ranged("body.block.mass=-1:1"),
            "body.block.mass = -1 kg, must be in (0, ∞) kg",
        ),
        (
            ranged("body.blok.mass=1:2"),
            "--range body.blok.mass: the scenario has no body.blok",
        ),
        (
            [&range[..], &sampled("lhs:10")].concat(),
            "--range body.block.mass is given twice",
        ),
        (sampled("lhs:0"), "whole number from 2 to 1000000"),
        (sampled("lhs:1000000000"), "whole number from 2 to 1000000"),
        (
            sampled("monte_carlo:10"),
            "there are lhs, sobol and saltelli",
        ),
        (
            [&sampled("lhs:10")[..], &["--seed", "x"]].concat(),
            "whole number from 0 to",
        ),
        ([&sampled("lhs:10")[..], &["--seed", "-1"]].concat(), ""),
        (
            [
                &sampled("lhs:10")[..],
                &["--channel", "body.block.positio.x"],
            ]
            .concat(),
            "body.block.position.x",
        ),
        (
            [&sampled("lhs:10")[..], &["--slurm", "11"]].concat(),
            "from 1 to 10",
        ),
        (
            [&sampled("lhs:10")[..], &["--slurm", "0"]].concat(),
            "from 1 to",
        ),
        (
            [&sampled("lhs:10")[..], &["--format", "parquet"]].concat(),
            "csv, npz",
        ),
    ] {
        let ran = sweep(&place, &arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(
            words(&ran).contains(part),
            "{arguments:?}: {part} is not in {}",
            ran.err
        );
    }
    assert_eq!(place.entries(), ["block.toml", "cases.csv"]);
}

#[test]
fn a_sample_is_the_same_at_any_number_of_jobs_and_another_with_another_seed() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    let damping = format!("{DAMPING}=1:100:log");
    let run = |out: &str, more: &[&str]| {
        let ranges = [
            "--range",
            "body.block.mass=500 g:1.5 kg",
            "--range",
            &damping,
        ];
        let fixed = [
            "sweep",
            "block.toml",
            "--sample",
            "lhs:24",
            "--no-plots",
            "--out",
            out,
        ];
        let ran = place.bristle(&[&fixed[..], &ranges, more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        std::fs::read_to_string(place.path(out).join("sweep.csv")).expect("a table")
    };
    let first = run("a", &["--jobs", "1"]);
    assert_eq!(first, run("b", &["--jobs", "7"]));
    assert_eq!(first, run("c", &["--seed", "0"]));
    assert_ne!(first, run("d", &["--seed", "1"]));
    let rows = table(&place.path("a/sweep.csv"));
    let mut parts: Vec<f64> = rows
        .iter()
        .map(|row| row["body.block.mass"].parse::<f64>().expect("a number"))
        .map(|mass| ((mass - 0.5) * 24.0).floor())
        .collect();
    parts.sort_by(f64::total_cmp);
    // one mass in each of 24 equal parts
    assert!(parts.into_iter().eq((0..24).map(f64::from)));
    // a table, and how much its numbers depend on the parameters
    assert!(
        entries(&place.path("a"))
            .iter()
            .any(|name| name == "sensitivities.csv")
    );
}

/// A block on a spring: its amplitude follows from the load and the stiffness in closed form.
const SPRING: &str = r#"
title = "a block on a spring"

[simulation]
end_time = 0.02
output_step = 0.02

[body.block]
joint = "prismatic"
axis = [1, 0, 0]
mass = 1

[force.push]
body = "block"
direction = [1, 0, 0]
magnitude = 2

[force.pull]
body = "block"
direction = [1, 0, 0]
magnitude = 1
"#;

#[test]
fn too_few_points_for_indices_are_told() {
    let place = Place::new();
    place.write("block.toml", SPRING);
    for (sample, least) in [
        ("saltelli:16", "need 40 points"),
        ("lhs:16", "need 100 runs"),
    ] {
        let drawn = [
            "--sample",
            sample,
            "--range",
            "force.push.magnitude=1:3",
            "--measure",
            "body.block.velocity.x:final",
            "--force",
        ];
        let ran = sweep(&place, &drawn);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains(least), "{}", ran.out);
    }
}

/// The velocity is (F₁ + F₂) t/m. With F₁ from 0 to 3 and F₂ from 0 to 4 the shares of the variance
/// are 9/25 and 16/25, and the mass has none.
#[test]
fn indices_of_a_sum_of_forces_are_those_of_its_variances() {
    let place = Place::new();
    place.write("block.toml", SPRING);
    let ran = sweep(
        &place,
        &[
            "--sample",
            "saltelli:128",
            "--range",
            "force.push.magnitude=0:3",
            "--range",
            "force.pull.magnitude=0:4",
            "--measure",
            "body.block.velocity.x:final",
            "--json",
            "--report",
        ],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("512 runs"), "{}", ran.err);
    let json = ran.json();
    let rows = json["sensitivities"]["rows"].as_array().expect("rows");
    for (parameter, share) in [
        ("force.push.magnitude", 0.36),
        ("force.pull.magnitude", 0.64),
    ] {
        let found = rows.iter().find(|row| {
            row["parameter"] == parameter && row["number"] == "measured.body.block.velocity.x.final"
        });
        let found = found.expect("a row");
        for index in ["first_order", "total_order"] {
            let value = found[index]["value"].as_f64().expect("a number");
            // 128 shifted Sobol' points: 0.02 over 20 seeds
            assert!((value - share).abs() < 0.05, "{parameter} {index}: {value}");
        }
        // the correlation of a sum with a part of it is the root of its share
        let correlation = found["pearson"].as_f64().expect("a number");
        assert!(
            (correlation - share.sqrt()).abs() < 0.05,
            "{parameter}: {correlation}"
        );
    }
    for file in [
        "sensitivities.svg",
        "measured.body.block.velocity.x.final.svg",
    ] {
        assert!(
            entries(&place.path("out")).iter().any(|name| name == file),
            "{file}"
        );
    }
    let page = std::fs::read_to_string(place.path("out/report.html")).expect("a page");
    let picture = "aria-label=\"What the numbers depend on: total index of Sobol";
    assert!(page.contains(picture), "the picture of the indices");
}
