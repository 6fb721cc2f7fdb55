//! Scenarios through the C functions: the bits of a run, of a restored state, inputs, early returns.

#![allow(
    unsafe_code,
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test fails by a panic; bits are compared; C functions are called"
)]

mod support;

use std::path::Path;

use bristle_fmu::{FmuInstance, VariableRole};
use bristle_scenario::{SourceMap, load};
use bristle_study::{RunObserver, channels_of, execute};
use support::{Instance, Unpacked, messages};

struct AllRows(Vec<Vec<f64>>);

impl RunObserver for AllRows {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.0.push(values.to_vec());
        Ok(())
    }
}

/// Names of the channels and the rows of a run.
fn run(name: &str, set: &[&str]) -> (Vec<String>, Vec<Vec<f64>>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let overrides: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
    let scenario = load(&path.join(name), &overrides, &mut SourceMap::new()).unwrap();
    let names = channels_of(&scenario).into_iter().map(|c| c.name).collect();
    let mut rows = AllRows(Vec::new());
    execute(&scenario, &mut rows);
    (names, rows.0)
}

fn all(fmu: &Unpacked, instance: &Instance) -> Vec<u64> {
    let variables = fmu.machine.variables().iter().enumerate();
    let outputs = variables.filter(|(_, own)| matches!(own.role, VariableRole::ScenarioOutput(_)));
    let value = |place: usize| instance.get(u32::try_from(place).unwrap() + 1);
    outputs.map(|(i, _)| (value(i) + 0.0).to_bits()).collect()
}

/// Through the packed text, with times that add up as those of a master.
#[test]
fn without_inputs_a_scenario_has_the_bits_of_a_run() {
    for (name, set) in [
        ("cube-30deg.toml", &["simulation.end_time=0.4"][..]),
        ("stick-slip.toml", &["simulation.end_time=4"]),
        ("festoon.toml", &["simulation.end_time=0.2"]),
    ] {
        let (_, rows) = run(name, set);
        let fmu = Unpacked::scenario(name, &[], &[], set);
        let instance = fmu.instance();
        assert_eq!(instance.initialise(), 0, "{name}: {}", messages());
        let step = rows[1][0] - rows[0][0];
        let mut t = 0.0;
        for (i, row) in rows.iter().enumerate() {
            if i > 0 {
                assert_eq!(instance.step(t, step).0, 0, "{name} at {t}: {}", messages());
                t += step;
            }
            let row: Vec<u64> = row[1..].iter().map(|x| (x + 0.0).to_bits()).collect();
            assert_eq!(all(&fmu, &instance), row, "{name}: row {i}");
        }
    }
}

const BELT: &[&str] = &["force.pull.magnitude"];

#[test]
fn a_restored_state_goes_on_with_the_same_bits() {
    for inputs in [&[][..], BELT] {
        let fmu = Unpacked::scenario("cube-30deg.toml", inputs, &[], &["simulation.end_time=2"]);
        let instance = fmu.instance();
        assert_eq!(instance.initialise(), 0, "{}", messages());
        let push = |instance: &Instance, force: f64| {
            for name in inputs {
                assert_eq!(instance.set(fmu.reference(name), force), 0);
            }
        };
        push(&instance, 0.4);
        for i in 0..5 {
            assert_eq!(
                instance.step(0.01 * f64::from(i), 0.01).0,
                0,
                "{}",
                messages()
            );
        }
        let saved = instance.save();
        let here = all(&fmu, &instance);
        let go_on = |instance: &Instance| {
            push(instance, 0.6);
            for i in 5..9 {
                assert_eq!(
                    instance.step(0.01 * f64::from(i), 0.01).0,
                    0,
                    "{}",
                    messages()
                );
            }
            all(&fmu, instance)
        };
        let there = go_on(&instance);
        let other = fmu.instance();
        for instance in [&instance, &other] {
            assert_eq!(instance.restore(&saved), 0, "{}", messages());
            assert_eq!(all(&fmu, instance), here);
            assert_eq!(go_on(instance), there);
        }
    }
}

/// A block of 2 kg that a force pushes along a line.
fn mass() -> Unpacked {
    let text = "title = \"mass\"
[simulation]
end_time = 1
[body.block]
joint = \"prismatic\"
axis = [1, 0, 0]
mass = 2
[force.push]
body = \"block\"
direction = [1, 0, 0]
magnitude = 0
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mass.toml");
    std::fs::write(&path, text).unwrap();
    let name = path.to_str().unwrap();
    Unpacked::scenario(name, &["force.push.magnitude"], &["body.block.mass"], &[])
}

/// x = F t^2 / 2 m, which a method of second order has exactly; m is a parameter that was set.
#[test]
fn a_force_from_outside_moves_a_mass() {
    let fmu = mass();
    let instance = fmu.instance();
    assert_eq!(instance.set(fmu.reference("body.block.mass"), 4.0), 0);
    assert_eq!(instance.initialise(), 0, "{}", messages());
    assert_eq!(instance.set(fmu.reference("force.push.magnitude"), 8.0), 0);
    for i in 0..10 {
        assert_eq!(
            instance.step(0.05 * f64::from(i), 0.05).0,
            0,
            "{}",
            messages()
        );
    }
    let x = instance.get(fmu.reference("body.block.position.x"));
    assert!((x - 0.5 * 2.0 * 0.25).abs() < 1e-12, "{x}");
    // to the end of the scenario, and beyond it
    let (status, early, last) = instance.step(0.5, 1.0);
    assert_eq!((status, early), (0, true), "{}", messages());
    assert!((last - 1.0).abs() < 1e-12);
    let (status, early, _) = instance.step(last, 0.5);
    assert_eq!((status, early), (2, false));
    assert!(messages().contains("the scenario ends at t = 1 s"));
}

/// F = c t gives v = c t^2 / 2 m, which the trapezoidal rule has exactly.
#[test]
fn derivatives_of_inputs_are_ramps() {
    let fmu = mass();
    let mut instance = FmuInstance::new(fmu.folder.path(), &fmu.contents.token).unwrap();
    let force = fmu.reference("force.push.magnitude");
    let speed = fmu.reference("body.block.velocity.x");
    instance.enter_initialization().unwrap();
    instance.exit_initialization().unwrap();
    for i in 0..4 {
        let t = 0.1 * f64::from(i);
        instance.set(&[force], &[3.0 * t]).unwrap();
        assert!(instance.set_slope(force, 1, 3.0).unwrap());
        assert_eq!(instance.do_step(t, 0.1).unwrap().short, None);
    }
    let mut v = [0.0];
    instance.get(&[speed], &mut v).unwrap();
    assert!((v[0] - 3.0 * 0.16 / 4.0).abs() < 1e-12, "{v:?}");
    let refused = instance.set_slope(speed, 1, 1.0).unwrap_err();
    assert!(refused.text.contains("is no input"), "{refused}");
    assert!(instance.set_slope(force, 1, f64::NAN).is_err());
    assert!(!instance.set_slope(force, 2, 1.0).unwrap());
}

#[test]
fn a_hundred_instances_are_independent() {
    let fmu = Unpacked::scenario("stick-slip.toml", &[], &[], &["simulation.end_time=1"]);
    let instances: Vec<Instance> = (0..100).map(|_| fmu.instance()).collect();
    for instance in &instances {
        assert_eq!(instance.initialise(), 0, "{}", messages());
    }
    for i in 0..10 {
        for instance in &instances {
            assert_eq!(
                instance.step(0.1 * f64::from(i), 0.1).0,
                0,
                "{}",
                messages()
            );
        }
    }
    let first = all(&fmu, &instances[0]);
    assert!(
        instances
            .iter()
            .all(|instance| all(&fmu, instance) == first)
    );
}

#[test]
fn instances_in_threads_have_the_same_bits() {
    let fmu = Unpacked::scenario("stick-slip.toml", &[], &[], &["simulation.end_time=1"]);
    let of_thread = || {
        let instance = fmu.instance();
        assert_eq!(instance.initialise(), 0, "{}", messages());
        assert_eq!(instance.step(0.0, 1.0).0, 0, "{}", messages());
        all(&fmu, &instance)
    };
    let first = of_thread();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(of_thread)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), first);
        }
    });
}

/// All scenarios that come with Bristle survive the packing.
#[test]
fn every_example_can_be_packed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_toml = path.extension().is_some_and(|end| end == "toml");
        if !is_toml || load(&path, &[], &mut SourceMap::new()).is_err() {
            continue;
        }
        let fmu = Unpacked::scenario(&name, &[], &[], &[]);
        assert!(!fmu.machine.variables().is_empty(), "{name}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}
