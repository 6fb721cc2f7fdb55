//! Wrong calls of the C functions: a status and a text, and no crash.

#![allow(
    unsafe_code,
    clippy::unwrap_used,
    reason = "a test fails by a panic; C functions are called"
)]

mod support;

use std::ffi::CString;
use std::ptr::{null, null_mut};

use bristle_fmu::{fmi2, fmi3};
use support::{LAW, Unpacked, messages};

#[test]
fn null_pointers_are_answered() {
    let fmu = Unpacked::law(LAW, 1);
    let instance = fmu.instance();
    unsafe {
        assert_eq!(fmi3::fmi3Reset(null_mut()), 3);
        assert_eq!(fmi2::fmi2Reset(null_mut()), 3);
        fmi3::fmi3FreeInstance(null_mut());
        fmi2::fmi2FreeInstance(null_mut());
        assert_eq!(
            fmi3::fmi3GetFloat64(instance.0, null(), 1, null_mut(), 1),
            3
        );
        assert_eq!(fmi3::fmi3SetFloat64(instance.0, &1, 1, null(), 1), 3);
        assert_eq!(fmi3::fmi3GetFMUState(instance.0, null_mut()), 3);
        assert_eq!(fmi3::fmi3SetFMUState(instance.0, null_mut()), 3);
        assert_eq!(fmi3::fmi3FreeFMUState(instance.0, null_mut()), 0);
        assert_eq!(
            fmi3::fmi3SerializedFMUStateSize(instance.0, null_mut(), &mut 0),
            3
        );
        assert_eq!(
            fmi3::fmi3GetNumberOfContinuousStates(instance.0, null_mut()),
            3
        );
        assert!(messages().contains("is NULL"));
        let token = CString::new(fmu.contents.token.as_str()).unwrap();
        // neither name, nor resources, nor callbacks
        let none = fmi2::fmi2Instantiate(null(), 0, token.as_ptr(), null(), null(), 0, 0);
        assert!(none.is_null());
        let none = fmi2::fmi2Instantiate(null(), 0, null(), null(), null(), 0, 0);
        assert!(none.is_null());
    }
}

/// FMI 2.0 without callbacks, by a URI.
#[test]
fn callbacks_may_be_missing() {
    let fmu = Unpacked::law(LAW, 1);
    let text = |text: &str| CString::new(text).unwrap();
    let token = text(&fmu.contents.token);
    let uri = text(&format!("file://{}", fmu.folder.path().display()));
    unsafe {
        let c = fmi2::fmi2Instantiate(null(), 0, token.as_ptr(), uri.as_ptr(), null(), 0, 1);
        assert!(!c.is_null());
        assert_eq!(fmi2::fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0), 0);
        assert_eq!(fmi2::fmi2EnterInitializationMode(c), 0);
        assert_eq!(fmi2::fmi2ExitInitializationMode(c), 0);
        assert_eq!(fmi2::fmi2GetReal(c, &99, 1, &mut 0.0), 3);
        assert_eq!(fmi2::fmi2GetInteger(c, &1, 1, &mut 0), 3);
        assert_eq!(fmi2::fmi2GetInteger(c, null(), 0, null_mut()), 0);
        assert_eq!(fmi2::fmi2Terminate(c), 0);
        fmi2::fmi2FreeInstance(c);
    }
}

#[test]
fn wrong_values_and_lengths_are_refused() {
    let fmu = Unpacked::law(LAW, 1);
    let instance = fmu.instance();
    let v = fmu.reference("v");
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(instance.set(v, bad), 3);
        assert!(messages().contains("m/s: expected a finite number"));
    }
    for unknown in [0, 1000, u32::MAX] {
        assert_eq!(instance.set(unknown, 1.0), 3);
        assert!(messages().contains("no variable with the value reference"));
    }
    assert_eq!(instance.set(fmu.reference("F"), 1.0), 3);
    assert!(messages().contains("F is computed"));
    unsafe {
        assert_eq!(
            fmi3::fmi3SetFloat64(instance.0, &raw const v, 1, &1.0, 2),
            3
        );
        assert_eq!(fmi3::fmi3GetContinuousStates(instance.0, &mut 0.0, 2), 3);
        assert!(messages().contains("the FMU has 1"));
        assert_eq!(
            fmi3::fmi3GetContinuousStateDerivatives(instance.0, &mut 0.0, 1),
            3
        );
        assert!(messages().contains("while instantiated"));
    }
    assert_eq!(instance.initialise(), 0);
    assert_eq!(instance.set_states(&[0.0]), 3, "in event mode");
    instance.go_on();
    assert_eq!(instance.set_states(&[f64::NAN]), 2);
    assert_eq!(instance.step(0.0, 0.1).0, 3);
    assert!(messages().contains("step"));
}

#[test]
fn changed_files_and_foreign_tokens_are_refused() {
    let fmu = Unpacked::law(LAW, 1);
    assert!(fmu.instance_as("{foreign}").0.is_null());
    assert!(messages().contains("{foreign}"));
    let law = fmu.folder.path().join("law.toml");
    std::fs::write(&law, LAW.replace("0.15", "0.25")).unwrap();
    assert!(fmu.instance().0.is_null());
    assert!(messages().contains("law.toml was changed"));
    std::fs::remove_file(&law).unwrap();
    assert!(fmu.instance().0.is_null());
    assert!(messages().contains("cannot read"));
    let choices = fmu.folder.path().join("bristle.json");
    std::fs::write(&choices, "{ \"format\": 99 }").unwrap();
    assert!(fmu.instance().0.is_null());
    assert!(messages().contains("the format 99"));
    std::fs::write(&choices, "{").unwrap();
    assert!(fmu.instance().0.is_null());
    assert!(messages().contains("is damaged"));
}

#[test]
fn states_of_others_and_damaged_ones_are_refused() {
    let fmu = Unpacked::law(LAW, 1);
    let instance = fmu.instance();
    assert_eq!(instance.initialise(), 0);
    instance.go_on();
    assert_eq!(instance.set_states(&[0.5]), 0);
    let saved = instance.save();
    assert_eq!(instance.set_states(&[0.7]), 0);
    for length in 0..saved.len() {
        assert_eq!(instance.restore(&saved[..length]), 3, "{length}");
    }
    let mut other_version = saved.clone();
    other_version[8] ^= 0xff;
    assert_eq!(instance.restore(&other_version), 3);
    assert!(messages().contains("version"));
    let mut longer = saved.clone();
    longer.push(0);
    assert_eq!(instance.restore(&longer), 3);
    let foreign = Unpacked::law(LAW, 2);
    let other = foreign.instance();
    assert_eq!(other.initialise(), 0);
    assert_eq!(instance.restore(&other.save()), 3);
    assert!(messages().contains("belongs to the FMU"));
    // it is as it was
    assert!((instance.states()[0] - 0.7).abs() < 1e-15);
    assert_eq!(instance.restore(&saved), 0);
    assert!((instance.states()[0] - 0.5).abs() < 1e-15);
}

#[test]
fn a_scenario_that_cannot_start_is_refused_with_the_reason() {
    let fmu = Unpacked::scenario("stick-slip.toml", &[], &["simulation.end_time"], &[]);
    let instance = fmu.instance();
    assert_eq!(instance.set(fmu.reference("simulation.end_time"), -1.0), 0);
    assert_eq!(instance.initialise(), 3);
    assert!(messages().contains("end_time"));
    unsafe {
        assert_eq!(fmi3::fmi3Reset(instance.0), 0);
        let wrong = fmi3::fmi3EnterInitializationMode(instance.0, false, 0.0, 1.0, false, 0.0);
        assert_eq!(wrong, 3);
        assert!(messages().contains("starts at 0 s"));
    }
    assert_eq!(instance.initialise(), 0, "{}", messages());
    for (from, length) in [
        (0.5, 0.1),
        (f64::NAN, 0.1),
        (0.0, -0.1),
        (0.0, f64::INFINITY),
    ] {
        assert_eq!(instance.step(from, length).0, 3, "{from} {length}");
    }
    let slow = fmu.instance();
    assert_eq!(slow.enter(), 0);
    assert_eq!(slow.enter(), 3);
}
