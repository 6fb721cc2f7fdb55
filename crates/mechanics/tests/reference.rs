//! The cube and the stick-slip block against independent solutions (SciPy, two methods at tight
//! tolerances). The series lie outside the repository; without them the tests say so and pass.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod common;

use bristle_integrate::{Control, Method, Plan};
use bristle_mechanics::record::Start;
use common::{Rows, cube, plan, record, stick_slip};
use std::path::PathBuf;

/// Columns of a reference series by name, or `None` with a message where it is absent.
fn series(name: &str) -> Option<Vec<(String, Vec<f64>)>> {
    let folder = std::env::var_os("BRISTLE_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = folder.join("bench/ref").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no reference series {}", path.display());
        return None;
    };
    let mut lines = text.lines();
    let mut columns: Vec<(String, Vec<f64>)> = lines
        .next()?
        .split(',')
        .map(|n| (n.to_owned(), Vec::new()))
        .collect();
    for line in lines {
        for (column, cell) in columns.iter_mut().zip(line.split(',')) {
            column.1.push(cell.parse().unwrap());
        }
    }
    Some(columns)
}

fn column<'a>(columns: &'a [(String, Vec<f64>)], name: &str) -> &'a [f64] {
    &columns.iter().find(|c| c.0 == name).unwrap().1
}

/// The largest difference of a channel from the reference, over `allowed(reference)`.
fn worst(
    rows: &Rows,
    channel: &[f64],
    t: &[f64],
    y: &[f64],
    allowed: impl Fn(f64) -> f64,
) -> (f64, f64) {
    let step = rows.rows[1][0];
    let mut worst = (0.0, 0.0);
    for (t, y) in t.iter().zip(y) {
        // every reference time is a multiple of the output step
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "t >= 0"
        )]
        let i = (t / step).round() as usize;
        assert!((rows.rows[i][0] - t).abs() < 1e-9);
        let share = (channel[i] - y).abs() / allowed(*y);
        if share > worst.0 {
            worst = (share, *t);
        }
    }
    worst
}

fn compare(angle: f64, pull: &str, height: f64) {
    let Some(reference) = series(&format!("b2_{angle}_{pull}.csv")) else {
        return;
    };
    let model = cube(angle, height);
    let (outcome, rows) = record(&model, &plan(3.99, 1e-6), Start::Equilibrium, 2e-4);
    assert_eq!(outcome.error, None);
    let t = column(&reference, "t");
    let check = |what: &str, channel: &[f64], y: &[f64], allowed: &dyn Fn(f64) -> f64| {
        let (share, time) = worst(&rows, channel, t, y, allowed);
        assert!(
            share < 1.0,
            "{angle} {pull}: {what} off by {share} of the tolerance at {time} s"
        );
    };
    // 1e-3 N as required; the reference is printed with six digits
    let total = rows.column("contact.base.friction.magnitude");
    check(
        "total friction",
        &total,
        column(&reference, "F_total"),
        &|_| 1e-3,
    );
    for i in 1..=6 {
        let channel = rows.column(&format!("contact.base.point{i}.friction.magnitude"));
        check(
            "point friction",
            &channel,
            column(&reference, &format!("F{i}")),
            &|_| 1e-3,
        );
    }
    let (x, y) = (
        rows.column("body.cube.position.x"),
        rows.column("body.cube.position.y"),
    );
    let a = angle.to_radians();
    let along: Vec<f64> = x
        .iter()
        .zip(&y)
        .map(|(x, y)| x * a.cos() + y * a.sin())
        .collect();
    // 1 %; below 1e-10 m the reference still moves with the ringing of its start
    check("displacement", &along, column(&reference, "s_pull"), &|s| {
        0.01 * s.abs() + 1e-10
    });
    let slip = outcome.contacts[0].first_slip_time.unwrap();
    assert!((slip - 3.4856).abs() < 1e-3, "slip starts at {slip}");
}

#[test]
fn cube_pulled_at_its_centre() {
    for angle in [0.0, 30.0, 60.0, 90.0] {
        compare(angle, "centre", 0.0);
    }
}

#[test]
fn cube_pulled_in_the_contact_plane() {
    for angle in [0.0, 30.0, 60.0, 90.0] {
        compare(angle, "plane", -0.05);
    }
}

#[test]
fn stick_slip_block() {
    let model = stick_slip();
    let control = Control::Adaptive {
        min_step: 1e-11,
        max_step: 0.2,
        first_step: 1e-6,
    };
    let plan = Plan {
        method: Method::NEWMARK,
        end_time: 20.0,
        tolerance: 1e-7,
        control,
    };
    let (outcome, rows) = record(&model, &plan, Start::AsGiven, 0.01);
    assert_eq!(outcome.error, None);
    let x = rows.at("body.block.position.x", 20.0);
    // Radau and LSODA at 1e-12 agree on this value; the run errs by 1e-7 per step and metre
    assert!((x - 1.272_596_412_3).abs() < 2e-5, "x(20) = {x}");
    // Exudyn's and SciPy's peak speed, seen at 10 ms samples around a smooth maximum
    assert!((outcome.contacts[0].max_slip_speed - 0.369_816).abs() < 1e-5);
    let Some(reference) = series("b1.csv") else {
        return;
    };
    let position = rows.column("body.block.position.x");
    let t = column(&reference, "t");
    let (share, time) = worst(&rows, &position, t, column(&reference, "x"), |_| 2e-5);
    assert!(share < 1.0, "x off by {share} of 2e-5 m at {time} s");
}

#[test]
fn six_points_repeat_every_sixty_degrees() {
    // turning the pull by 60 degrees renumbers the points (Colantonio et al. 2022, figs. 6 to 9)
    let runs = [0.0, 60.0, 30.0, 90.0].map(|angle| {
        let (outcome, rows) = record(
            &cube(angle, 0.0),
            &plan(4.0, 1e-6),
            Start::Equilibrium,
            1e-2,
        );
        assert_eq!(outcome.error, None);
        let slip = outcome.contacts[0].first_slip_time.unwrap();
        let points = (1..=6)
            .map(|i| rows.column(&format!("contact.base.point{i}.friction.magnitude")))
            .collect::<Vec<_>>();
        (slip, points)
    });
    for pair in [[0, 1], [2, 3]] {
        let [a, b] = pair.map(|i| &runs[i].1);
        for i in 0..6 {
            for (x, y) in a[i].iter().zip(&b[(i + 1) % 6]) {
                // two runs with their own steps: the tolerance of the published point forces
                assert!((x - y).abs() < 1e-4, "point {}: {x} against {y}", i + 1);
            }
        }
    }
    for (slip, _) in &runs {
        assert!(
            (slip - runs[0].0).abs() < 1e-4,
            "slip at {slip} and {}",
            runs[0].0
        );
    }
}
