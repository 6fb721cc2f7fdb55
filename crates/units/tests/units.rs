//! Quantities with units, and what is said about wrong ones.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]
#![allow(clippy::too_many_lines, reason = "a table of cases is read like data")]

use std::f64::consts::PI;

use bristle_units::{Dimension, QuantityError, Unit, parse_any_quantity, parse_quantity};

#[test]
fn quantities_become_si() {
    // Definitions of the units; a few roundings each, hence 4 ε.
    for (text, unit, value) in [
        ("100 mm", Unit::METRE, 0.1),
        ("5 mm/s", Unit::METRE_PER_SECOND, 0.005),
        ("36 km/h", Unit::METRE_PER_SECOND, 10.0),
        ("30 deg", Unit::RADIAN, PI / 6.0),
        ("-90°", Unit::RADIAN, -PI / 2.0),
        ("53 Hz", Unit::HERTZ, 53.0),
        ("10 rpm", Unit::HERTZ, 1.0 / 6.0),
        ("30 rpm", Unit::RADIAN_PER_SECOND, PI),
        ("180 deg/s", Unit::RADIAN_PER_SECOND, PI),
        ("1083 mm^2", Unit::SQUARE_METRE, 1.083e-3),
        ("1083 mm²", Unit::SQUARE_METRE, 1.083e-3),
        ("0.1 1/mm", Unit::PER_METRE, 100.0),
        ("100/mm", Unit::PER_METRE, 1e5),
        ("0.4 s/mm", Unit::SECOND_PER_METRE, 400.0),
        ("2 kN", Unit::NEWTON, 2000.0),
        ("1 N*m", Unit::NEWTON_METRE, 1.0),
        ("5 Nmm", Unit::NEWTON_METRE, 0.005),
        ("1 N m/deg", Unit::NEWTON_METRE_PER_RADIAN, 180.0 / PI),
        ("3 N·m·s/rad", Unit::NEWTON_METRE_SECOND_PER_RADIAN, 3.0),
        (
            "4.88e5 N s/m^1.5",
            Unit::NEWTON_SECOND_PER_METRE_1_5,
            4.88e5,
        ),
        (
            "1 N/mm^(3/2)",
            Unit::NEWTON_PER_METRE_1_5,
            1e3_f64.powf(1.5),
        ),
        ("2 kg m^2/s^2", Unit::JOULE, 2.0),
        ("2 kg/(m s^2)", Unit::PASCAL, 2.0),
        ("210 GPa", Unit::NEWTON_PER_SQUARE_METRE, 2.1e11),
        ("7.85 g/cm^3", Unit::KILOGRAM_PER_CUBIC_METRE, 7850.0),
        ("1 lbf", Unit::NEWTON, 4.448_221_615_260_5),
        ("1 in", Unit::METRE, 0.0254),
        ("2 h", Unit::SECOND, 7200.0),
        ("3 min", Unit::SECOND, 180.0),
        ("5 %", Unit::ONE, 0.05),
        ("1e-3", Unit::ONE, 1e-3),
        ("-2", Unit::METRE, -2.0),
        (".5", Unit::ONE, 0.5),
        ("1_000 N", Unit::NEWTON, 1000.0),
        ("1e3N", Unit::NEWTON, 1000.0),
        ("  7 m  ", Unit::METRE, 7.0),
        ("2 m^-1", Unit::PER_METRE, 2.0),
    ] {
        let parsed = parse_quantity(text, unit).unwrap_or_else(|error| panic!("{text}: {error}"));
        let tolerance = 4.0 * f64::EPSILON * value.abs();
        assert!(
            (parsed - value).abs() <= tolerance,
            "{text}: {parsed} instead of {value}"
        );
    }
}

fn complaint(text: &str, unit: Unit) -> (String, String) {
    let error = parse_quantity(text, unit).unwrap_err();
    (error.to_string(), error.help().unwrap_or_default())
}

#[test]
fn wrong_quantities_are_explained() {
    for (text, unit, message, help) in [
        (
            "5 mm",
            Unit::METRE_PER_SECOND,
            "5 mm is a length; this field is a velocity in m/s",
            "for example \"5 mm/s\"",
        ),
        (
            "3 rad/s",
            Unit::HERTZ,
            "3 rad/s is an angular velocity; this field is a frequency in Hz",
            "for example \"53 Hz\"",
        ),
        (
            "3 Hz",
            Unit::RADIAN_PER_SECOND,
            "3 Hz is a frequency; this field is an angular velocity in rad/s",
            "for example \"3000 rpm\"",
        ),
        (
            "2 N/m",
            Unit::NEWTON_METRE_PER_RADIAN,
            "2 N/m is a stiffness; this field is a torsional stiffness in N m/rad",
            "for example \"200 N m/rad\"",
        ),
        (
            "2 kg",
            Unit::ONE,
            "2 kg is a mass; this field is a number",
            "for example \"0.15\"",
        ),
        (
            "2 kg m",
            Unit::METRE,
            "2 kg m is in kg m; this field is a length in m",
            "for example \"100 mm\"",
        ),
        (
            "5 metres",
            Unit::METRE,
            "unknown unit \"metres\"",
            "did you mean \"m\"? usual here: m, cm, mm, µm",
        ),
        (
            "5 KN",
            Unit::NEWTON,
            "unknown unit \"KN\"",
            "did you mean \"kN\"? usual here: N, kN, mN",
        ),
        (
            "5 parsec",
            Unit::SECOND,
            "unknown unit \"parsec\"",
            "usual here: s, ms, µs, min",
        ),
        (
            "fast",
            Unit::METRE_PER_SECOND,
            "\"fast\" does not start with a number; expected a velocity in m/s",
            "for example \"5 mm/s\"",
        ),
        (
            "inf N",
            Unit::NEWTON,
            "\"inf N\" is not a finite number",
            "",
        ),
        (
            "1e999 N",
            Unit::NEWTON,
            "\"1e999 N\" is not a finite number",
            "",
        ),
        (
            "5 N//m",
            Unit::NEWTON_PER_METRE,
            "cannot read the unit \"N//m\"",
            "units are written like \"N s/m\", \"kg*m^2\", \"1/mm\", \"N s/m^1.5\"",
        ),
    ] {
        assert_eq!(
            complaint(text, unit),
            (message.to_owned(), help.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn the_range_covers_the_unit() {
    let text = "4 N mtr/s";
    match parse_quantity(text, Unit::WATT) {
        Err(QuantityError::UnknownUnit { range, .. }) => assert_eq!(&text[range], "mtr"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn symbols_of_parameter_cards_are_units() {
    let unit = Unit::from_symbol("N s/m^1.5").unwrap();
    assert_eq!(unit.dimension, Dimension::new(-1, 2, -2, 0));
    assert_eq!(unit.dimension.to_string(), "kg m^-0.5 s^-1");
    assert_eq!(Unit::from_symbol("1").unwrap().dimension, Dimension::NONE);
    assert!(Unit::from_symbol("mm").is_err(), "a parameter is in SI");
    assert!(Unit::from_symbol("").is_err());
}

#[test]
fn every_si_unit_reads_its_own_symbol_and_example() {
    for unit in [
        Unit::ONE,
        Unit::METRE,
        Unit::QUARTIC_METRE,
        Unit::KILOGRAM_SQUARE_METRE,
        Unit::PER_SECOND,
        Unit::METRE_PER_SECOND_SQUARED,
        Unit::RADIAN_PER_SECOND_SQUARED,
        Unit::NEWTON_SECOND_PER_METRE,
        Unit::NEWTON_METRE_SECOND_PER_RADIAN,
        Unit::NEWTON_PER_METRE_1_5,
        Unit::NEWTON_SECOND_PER_METRE_1_5,
        Unit::PASCAL,
        Unit::WATT,
    ] {
        assert_eq!(
            Unit::from_symbol(unit.text).unwrap().dimension,
            unit.dimension,
            "{unit}"
        );
        parse_quantity(&unit.example(), unit).unwrap();
    }
}

#[test]
fn absurd_units_are_refused_calmly() {
    for text in [
        "1 m^99",
        "1 m^",
        "1 m^0.3",
        "1 (((((((((((m",
        "1 m^20^20",
        "1 /",
        "1 *m",
        "1 m)",
        "1 ²",
    ] {
        assert!(parse_quantity(text, Unit::METRE).is_err(), "{text}");
    }
    let long = format!("1 {}", "m ".repeat(100_000));
    assert!(parse_quantity(&long, Unit::METRE).is_err());
}

#[test]
fn quantities_of_any_kind_know_their_si_value_and_unit() {
    let read = |text| parse_any_quantity(text).map(|q| (q.si(), q.si_unit(), q.unit.to_owned()));
    // 1 mm is 1e-3 m and a degree is π/180 rad by definition
    assert_eq!(read("1 mm"), Some((1e-3, "m".into(), "mm".into())));
    let degree = std::f64::consts::PI / 180.0;
    assert_eq!(
        read("180 deg"),
        Some((180.0 * degree, "rad".into(), "deg".into()))
    );
    assert_eq!(read(" -2.5e3 "), Some((-2500.0, "1".into(), String::new())));
    for text in ["", "lugre", "1 furlong", "1e999", "nan", "[1, 2]"] {
        assert_eq!(read(text), None, "{text}");
    }
}
