//! `bristle drive` as a user meets it.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod support;

use std::fmt::Write as _;

use support::{Place, Ran};

/// A Dahl law of 2 N at 10 N and 10 000 N/m.
const DAHL: [&str; 6] = [
    "--law",
    "dahl",
    "--param",
    "sigma_0=1e3",
    "--param",
    "mu_k=0.2",
];

fn drive(place: &Place, motion: &str, arguments: &[&str]) -> Ran {
    place.write("motion.csv", motion);
    let mut all = vec!["drive", "motion.csv"];
    all.extend(arguments);
    place.bristle(&all)
}

/// Header and rows of a table.
fn table(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut lines = text.lines();
    let header = lines
        .next()
        .expect("a header")
        .split(',')
        .map(str::to_owned)
        .collect();
    let number = |cell: &str| cell.parse::<f64>().expect("a number");
    let rows = lines
        .map(|line| line.split(',').map(number).collect())
        .collect();
    (header, rows)
}

/// Refused with these words, and nothing is written.
fn refused(ran: &Ran, place: &Place, words: &[&str]) {
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.out, "", "{ran:?}");
    // lines are broken to the width of the page
    let text = ran
        .err
        .split_whitespace()
        .filter(|w| *w != "│")
        .collect::<Vec<_>>()
        .join(" ");
    for word in words {
        assert!(text.contains(word), "\"{word}\" is missing in: {text}");
    }
    let outputs: Vec<_> = place
        .entries()
        .into_iter()
        .filter(|name| name.contains("force"))
        .collect();
    assert!(outputs.is_empty(), "{outputs:?}");
}

#[test]
fn the_force_stands_beside_its_coefficient_and_its_states() {
    let place = Place::new();
    // columns in another order, Windows line ends, a byte order mark
    let motion = "\u{feff}N,t,v\r\n10,0,0.01\r\n10,0.02,0.01\r\n0,1,0.01\r\n";
    let ran = drive(&place, motion, &DAHL);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    let (header, rows) = table(&ran.out);
    assert_eq!(header, ["t", "F", "mu", "z"]);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0], [0.0, 0.0, 0.0, 0.0]);
    // closed form: after 200 um, the length mu_k/sigma_0, the force is 2 N (1 - 1/e)
    let force = 2.0 * (1.0 - (-1.0_f64).exp());
    assert!((rows[1][1] - force).abs() < 1e-9, "{rows:?}");
    assert!((rows[1][2] - force / 10.0).abs() < 1e-10, "{rows:?}");
    // no force and no coefficient where nothing presses
    assert_eq!(rows[2][1..3], [0.0, 0.0]);
}

#[test]
fn two_and_three_directions_follow_the_velocity() {
    let place = Place::new();
    let tanh = [
        "--law",
        "coulomb-tanh",
        "--param",
        "mu_k=0.5",
        "--param",
        "v_r=100 mm/s",
    ];
    let ran = drive(&place, "t,vx,vy,N\n0,0,0,10\n1,0.03,0.04,10\n", &tanh);
    let (header, rows) = table(&ran.out);
    assert_eq!(header, ["t", "Fx", "Fy", "mu"]);
    // 5 N tanh(0.5), shared three to four; the digits are those of the printed value
    assert!((rows[1][1] - 1.386_351).abs() < 5e-7 && (rows[1][2] - 1.848_469).abs() < 5e-7);
    let ran = drive(&place, "t,vx,vy,vz,N\n0,1,2,2,10\n1,1,2,2,10\n", &DAHL);
    let (header, rows) = table(&ran.out);
    assert_eq!(header, ["t", "Fx", "Fy", "Fz", "mu", "z.x", "z.y", "z.z"]);
    // 3 m of path: steady, along the velocity
    assert!((rows[1][1] - 2.0 / 3.0).abs() < 1e-12 && (rows[1][4] - 0.2).abs() < 1e-12);
}

#[test]
fn an_applied_force_is_held_at_rest() {
    let place = Place::new();
    let karnopp = [
        "--law",
        "karnopp",
        "--param",
        "mu_k=0.1",
        "--param",
        "mu_s=0.15",
        "--param",
        "v_s=1e-3",
        "--param",
        "Dv=1e-6",
    ];
    let ran = drive(
        &place,
        "t,v,N,Fe\n0,0,10,0\n1,0,10,1.2\n2,0,10,3\n",
        &karnopp,
    );
    let (_, rows) = table(&ran.out);
    let forces: Vec<f64> = rows.iter().map(|row| row[1]).collect();
    assert_eq!(forces, [0.0, 1.2, 1.5]);
}

#[test]
fn the_file_of_forces_appears_whole() {
    let place = Place::new();
    let motion = "t,v,N,F\n0,0.01,10,1\n0.02,0.01,10,1\n";
    let ran = drive(
        &place,
        motion,
        &[&DAHL[..], &["--out", "force.csv"]].concat(),
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.err.contains("not used: F"), "{}", ran.err);
    assert_eq!(place.entries(), ["force.csv", "motion.csv"]);
    let text = std::fs::read_to_string(place.path("force.csv")).expect("read");
    assert_eq!(table(&text).1.len(), 2);
    // numbers are the shortest that read back to the same bits
    for cell in text.lines().skip(1).flat_map(|line| line.split(',')) {
        let x: f64 = cell.parse().expect("a number");
        assert!(cell.len() <= format!("{x}").len(), "{cell}");
    }
    // a folder that is not there, and one where the file should be
    for (out, words) in [
        ("none/force.csv", "none/force.csv"),
        (".", "cannot create ."),
    ] {
        let ran = place.bristle(&[&["drive", "motion.csv", "--out", out], &DAHL[..]].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.err.contains(words) && !ran.err.contains("partial"),
            "{}",
            ran.err
        );
    }
    let itself =
        place.bristle(&[&["drive", "motion.csv", "--out", "motion.csv"], &DAHL[..]].concat());
    assert_eq!(itself.code, Some(2));
    assert_eq!(
        std::fs::read_to_string(place.path("motion.csv")).expect("read"),
        motion
    );
}

/// By a link, so that a fault spares the device.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_a_device_is_no_file() {
    let place = Place::new();
    std::os::unix::fs::symlink("/dev/full", place.path("full.csv")).expect("a link");
    let motion = "t,v,N\n0,0.01,10\n0.02,0.01,10\n";
    let ran = drive(
        &place,
        motion,
        &[&DAHL[..], &["--out", "full.csv"]].concat(),
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("cannot write"), "{}", ran.err);
    assert_eq!(place.entries(), ["full.csv", "motion.csv"]);
    let device = std::fs::metadata(place.path("full.csv")).expect("there");
    assert!(!device.is_file());
}

#[test]
fn a_law_comes_from_a_file_and_its_parameters_from_anywhere() {
    let place = Place::new();
    place.write("gms.toml", "law = \"gms\"\nelement_stiffnesses = [\"10 1/mm\", 5e3]\nelement_fractions = [0.4, 0.6]\n\
        attraction = 5\nkinetic_coefficient = 0.1\nstatic_coefficient = 0.1\nstribeck_velocity = \"1 mm/s\"\n");
    // 1 um in all
    let motion = "t,v,N\n0,0,10\n1,2e-6,10\n";
    let ran = drive(&place, motion, &["--law", "gms.toml"]);
    let (header, rows) = table(&ran.out);
    assert_eq!(header, ["t", "F", "mu", "f1", "f2", "mode1", "mode2"]);
    assert!((rows[1][1] - 0.15).abs() < 1e-12, "{rows:?}");
    // by symbol what the file gives by name, a list without brackets, with and without units
    let changed = [
        "--law",
        "gms.toml",
        "--param",
        "k_i=20 1/mm, 5e3",
        "--param",
        "mu_k=0.1",
    ];
    let (_, rows) = table(&drive(&place, motion, &changed).out);
    assert!((rows[1][1] - 0.25).abs() < 1e-12, "{rows:?}");
    let flag = [
        "--law",
        "simpack_stick_slip",
        "--param",
        "preloaded=true",
        "--param",
        "mu_s=0.15",
        "--param",
        "mu_k=0.1",
        "--param",
        "c_f=1 kN/mm",
        "--param",
        "d_f=0",
    ];
    assert_eq!(drive(&place, motion, &flag).code, Some(0));
}

/// Case C29: numbers of a model in millimetres.
#[test]
fn parameters_come_with_their_units() {
    let place = Place::new();
    let motion = "t,v,N\n0,1e-3,1\n1,1e-3,1\n";
    let with = |values: [&str; 4]| {
        let names = ["sigma_0", "sigma_1", "sigma_2", "v_s"];
        let pairs = names.iter().zip(values);
        let own: Vec<String> = pairs
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let mut arguments = vec!["--law", "lugre", "--param", "mu_k=1", "--param", "mu_s=1.5"];
        arguments.extend(own.iter().flat_map(|pair| ["--param", pair]));
        drive(&place, motion, &arguments).out
    };
    let si = with(["1e5", "316", "0.4", "1e-4"]);
    let (_, rows) = table(&si);
    // σ₁ v + σ₂ v at first, then G + σ₂ v: the curve has fallen at 10 v_s
    assert!((rows[0][1] - 0.3164).abs() < 1e-9, "{si}");
    assert!((rows[1][1] - 1.0004).abs() < 1e-6, "{si}");
    let mm = with(["100/mm", "0.316 s/mm", "0.0004 s/mm", "0.1 mm/s"]);
    let (_, other) = table(&mm);
    for (a, b) in rows.iter().flatten().zip(other.iter().flatten()) {
        // 0.316e3 is rounded
        assert!((a - b).abs() <= 1e-15 * a.abs(), "{a} {b}");
    }
}

#[test]
fn wrong_laws_and_parameters_are_refused() {
    let place = Place::new();
    let motion = "t,v,N\n0,0,10\n1,1e-6,10\n";
    for (arguments, words) in [
        (
            &["--law", "dhal"][..],
            &["no law \"dhal\"", "did you mean \"dahl\"?"][..],
        ),
        (&["--law", "missing.toml"], &["cannot read missing.toml"]),
        (
            &["--law", "dahl", "--param", "sigma0=1"],
            &["sigma0", "did you mean \"sigma_0\"?"],
        ),
        (
            &["--law", "dahl", "--param", "sigma_0=5 mm"],
            &["5 mm is a length", "--param:1:11"],
        ),
        (
            &["--law", "dahl", "--param", "sigma_0=-1"],
            &["bristle_stiffness", "-1"],
        ),
        (
            &["--law", "dahl", "--param", "sigma_0"],
            &["has no value", "write name=value"],
        ),
        (
            &["--law", "dahl", "--param", "mu_k=0.1"],
            &["missing", "bristle_stiffness"],
        ),
        (
            &["--law", "dahl", "--rtol", "1"],
            &["must be in [1e-13, 1e-3]"],
        ),
    ] {
        let all = [arguments, &["--out", "force.csv"]].concat();
        refused(&drive(&place, motion, &all), &place, words);
    }
}

#[test]
fn bad_motions_are_refused_and_nothing_is_written() {
    let place = Place::new();
    let mut late = "t,v,N\n".to_owned();
    for i in 0..5000 {
        writeln!(late, "{i},0.001,10").expect("a text");
    }
    late.push_str("5000,oops,10\n");
    for (motion, words) in [
        (
            "t,v\n0,1\n",
            &["motion.csv:1: there is no column N", "\"t\", \"v\""][..],
        ),
        (
            "t,v,N\n0,1,1\n0,1,1\n",
            &["motion.csv:3: t = 0 s stands in line 2 already"],
        ),
        (
            "t,v,N\n1,1,1\n0.5,1,1\n",
            &["motion.csv:3: t = 0.5 s comes after t = 1 s in line 2"],
        ),
        (
            "t,v,N\n0,1,-2\n1,1,1\n",
            &["motion.csv:2: N = -2 N, must be 0 or more"],
        ),
        (
            "t,v,N\n0,1,nan\n1,1,1\n",
            &["motion.csv:2: \"nan\" in column \"N\""],
        ),
        ("t,v,N\n0,1,1\n", &["has one row only", "two samples"]),
        ("t,v,N\n", &["has no rows"]),
        ("", &["is empty"]),
        (
            "t;v;N\n0;0,5;1\n1;1;1\n",
            &["\"0,5\"", "write decimals with a point: 0.5"],
        ),
        ("t,v,n\n0,1,1\n1,1,1\n", &["no column N", "is it \"n\"?"]),
        (&late, &["motion.csv:5002: \"oops\" in column \"v\""]),
    ] {
        refused(&drive(&place, motion, &DAHL), &place, words);
        let all = [&DAHL[..], &["--out", "force.csv"]].concat();
        refused(&drive(&place, motion, &all), &place, words);
    }
    refused(
        &place.bristle(&[&["drive", "none.csv"], &DAHL[..]].concat()),
        &place,
        &["cannot read none.csv"],
    );
    refused(
        &place.bristle(&[&["drive", "."], &DAHL[..]].concat()),
        &place,
        &["it is a folder"],
    );
}

#[test]
fn a_motion_may_be_cut_anywhere() {
    let place = Place::new();
    let lugre = [
        "--law",
        "lugre",
        "--param",
        "sigma_0=1e4",
        "--param",
        "sigma_1=31.6",
        "--param",
        "sigma_2=20",
        "--param",
        "mu_k=0.1",
        "--param",
        "mu_s=0.15",
        "--param",
        "v_s=1 mm/s",
    ];
    let few = drive(&place, "t,v,N\n0,0,10\n1,0.01,10\n2,-0.01,12\n", &lugre);
    let mut motion = "t,v,N\n".to_owned();
    for i in 0..=2000 {
        let t = f64::from(i) / 1000.0;
        let (v, n) = if t <= 1.0 {
            (0.01 * t, 10.0)
        } else {
            (0.01 - 0.02 * (t - 1.0), 8.0 + 2.0 * t)
        };
        writeln!(motion, "{t},{v},{n}").expect("a text");
    }
    let many = drive(&place, &motion, &lugre);
    let ((_, few), (_, many)) = (table(&few.out), table(&many.out));
    for (i, j) in [(1, 1000), (2, 2000)] {
        // both are within 1e-6 of the largest force, 1.7 N
        assert!(
            (few[i][1] - many[j][1]).abs() < 2e-6,
            "{:?} {:?}",
            few[i],
            many[j]
        );
    }
}
