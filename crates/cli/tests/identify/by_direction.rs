//! A fit of both directions, and the law file that it leaves.

use std::fmt::Write as _;

use crate::support::Place;
use crate::{identify, json, value};

/// Coulomb friction with a ramp of 5 mm/s, 3 N forwards and 4 N backwards under 10 N, along a sine.
fn tanh_of_both() -> String {
    let mut text = String::from("t,v,F,N\n");
    for i in 0..600 {
        let t = f64::from(i) * 0.01;
        let v = 0.05 * (2.0 * t).sin();
        let level = if v < 0.0 { 4.0 } else { 3.0 };
        let force = level * (v / 5e-3).tanh();
        let _ = writeln!(text, "{t},{v},{force},10");
    }
    text
}

/// `drive` and a second fit read the file back, and the force is that of the closed form.
#[test]
fn the_law_file_has_both_directions() {
    let place = Place::new();
    let data = tanh_of_both();
    let arguments = [
        "--law",
        "coulomb_tanh",
        "--with",
        "asymmetric",
        "--json",
        "--out",
        "fit",
    ];
    let fit = json(&identify(&place, &data, &arguments));
    let near = |x: f64, wanted: f64| assert!((x / wanted - 1.0).abs() < 1e-6, "{x} {wanted}");
    near(value(&fit, "kinetic_coefficient"), 0.3);
    near(value(&fit, "kinetic_coefficient_negative"), 0.4);

    let law = std::fs::read_to_string(place.path("fit/coulomb_tanh.toml")).expect("a law file");
    assert!(law.contains("kinetic_coefficient_negative = 0."), "{law}");
    let driven = place.bristle(&["drive", "data.csv", "--law", "fit/coulomb_tanh.toml"]);
    assert_eq!(driven.code, Some(0), "{}", driven.err);
    let number = |cell: Option<&str>| cell.and_then(|x| x.parse::<f64>().ok()).expect("a number");
    for (line, wanted) in driven.out.lines().zip(data.lines()).skip(1) {
        let force = number(line.split(',').nth(1));
        let wanted = number(wanted.split(',').nth(2));
        assert!((force - wanted).abs() < 1e-5, "{line}: {wanted}");
    }

    // the file says that there are two directions
    let again = ["--law", "fit/coulomb_tanh.toml", "--json"];
    let again = json(&identify(&place, &data, &again));
    near(value(&again, "kinetic_coefficient_negative"), 0.4);
}

#[test]
fn a_law_that_is_the_same_both_ways_is_refused() {
    let place = Place::new();
    let arguments = ["--law", "iwan", "--with", "asymmetric"];
    let ran = identify(&place, &tanh_of_both(), &arguments);
    assert_ne!(ran.code, Some(0));
    assert!(ran.err.contains("both directions"), "{}", ran.err);
}
