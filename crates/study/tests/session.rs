//! A scenario step by step: the same physics as one run, the same bits after a restore.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    reason = "a test fails by a panic; bits are compared"
)]

use std::path::{Path, PathBuf};

use bristle_integrate::Flow;
use bristle_results::{Status, Summary};
use bristle_scenario::{Changes, Scenario, ScenarioText, SourceMap, Template, load};
use bristle_study::{Held, RunObserver, Session, SessionError, execute};

fn example(name: &str, overrides: &[&str]) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    load(&path.join(name), &overrides, &mut SourceMap::new()).unwrap()
}

fn of_text(text: &str) -> Scenario {
    let text = ScenarioText {
        name: "text",
        text,
        folder: Path::new(""),
    };
    let mut sources = SourceMap::new();
    let template = Template::of_text(&text, &[], &mut sources).unwrap();
    template.build(&Changes::NONE, &mut sources).unwrap()
}

/// Scenarios with friction of all kinds: bristles, modes, joints, beams, a driven belt.
const SEVERAL: &[(&str, &[&str])] = &[
    ("cube-30deg.toml", &["simulation.end_time=3.6"]),
    ("stick-slip.toml", &["simulation.end_time=9"]),
    ("belt.toml", &["simulation.end_time=0.5"]),
    ("pulse-adams-stick-slip.toml", &[]),
    ("slider.toml", &[]),
    ("rolling-ball.toml", &[]),
    ("pendulum.toml", &["simulation.end_time=1"]),
    ("blade.toml", &["simulation.end_time=0.01"]),
];

/// Keeps all rows.
#[derive(Default)]
struct Rows(Vec<Vec<f64>>);

impl RunObserver for Rows {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.0.push(values.to_vec());
        Ok(())
    }
}

fn without_wall_time(summary: Summary) -> Summary {
    Summary {
        wall_s: 0.0,
        ..summary
    }
}

#[test]
fn one_step_to_the_end_has_the_bits_of_a_run() {
    for (name, overrides) in SEVERAL {
        let mut run = Rows::default();
        let summary = execute(&example(name, overrides), &mut run);
        assert_eq!(summary.status, Status::Complete, "{name}");
        let mut session = Session::start(example(name, overrides)).unwrap();
        let mut rows = Rows::default();
        session.step_to_with(session.end_time(), &mut rows).unwrap();
        assert!(session.is_at_end());
        assert_eq!(rows.0, run.0, "{name}");
        let own = without_wall_time(session.summary());
        assert_eq!(own, without_wall_time(summary), "{name}");
    }
}

#[test]
fn a_restored_session_goes_on_with_the_same_bits() {
    for (name, overrides) in SEVERAL {
        let mut session = Session::start(example(name, overrides)).unwrap();
        let end = session.end_time();
        let mut states = vec![(session.time(), session.save().unwrap())];
        for k in 1..=7 {
            session.step_to(end * f64::from(k) / 10.0).unwrap();
            states.push((session.time(), session.save().unwrap()));
        }
        session.step_to(end).unwrap();
        let values = session.values().unwrap().to_vec();
        let summary = without_wall_time(session.summary());
        for (t, state) in &states {
            let mut other = Session::start(example(name, overrides)).unwrap();
            other.restore(state).unwrap();
            assert_eq!(other.time(), *t, "{name}");
            for k in 1..=7 {
                let next = end * f64::from(k) / 10.0;
                if next > *t {
                    other.step_to(next).unwrap();
                }
            }
            other.step_to(end).unwrap();
            assert_eq!(other.values().unwrap(), values, "{name} from {t}");
            let own = without_wall_time(other.summary());
            assert_eq!(own, summary, "{name} from {t}");
        }
        // and back to the start within the same session
        session.restore(&states[0].1).unwrap();
        for k in 1..=3 {
            session.step_to(end * f64::from(k) / 10.0).unwrap();
        }
        assert!(session.save().unwrap() == states[3].1, "{name}");
    }
}

#[test]
fn many_steps_are_as_exact_as_one_run() {
    // the independent solution of the scenario itself, with its tolerance
    let mut session = Session::start(example("stick-slip.toml", &[])).unwrap();
    for k in 1..=2000 {
        let t = 0.01 * f64::from(k);
        session.step_to(t).unwrap();
        assert!((session.time() - t).abs() <= 25e-12, "{t}");
    }
    let x = session.value("body.block.position.x").unwrap();
    assert!((x - 1.272_596_4).abs() < 5e-6, "{x}");
    let summary = session.summary();
    assert_eq!(summary.status, Status::Interrupted);
    assert_eq!(
        summary.contacts.get("base").unwrap().stick_intervals.len(),
        3
    );
    assert!(summary.energy.relative_imbalance < 1e-4);
}

const CART: &str = r#"
title = "A mass on a rail"

[simulation]
end_time = 1
output_step = "10 ms"
gravity = [0, 0, 0]

[body.cart]
joint = "prismatic"
axis = [1, 0, 0]
mass = "2 kg"

[force.motor]
body = "cart"
direction = [1, 0, 0]
magnitude = "1 N"
"#;

#[test]
fn held_forces_move_a_mass_as_the_closed_form_says() {
    let mut session = Session::start(of_text(CART)).unwrap();
    let (mut x, mut v) = (0.0, 0.0);
    let h = 0.01;
    for k in 0..100_i32 {
        // any sequence: the motion under each force is a parabola, which the method has exactly
        let force = f64::from((7 * k) % 11) - 4.0;
        session
            .hold("force.motor.magnitude", Held::constant(force))
            .unwrap();
        session.step_to(h * f64::from(k + 1)).unwrap();
        let a = force / 2.0;
        x += h * (v + 0.5 * h * a);
        v += h * a;
        let own = session.value("body.cart.position.x").unwrap();
        // rounding of some thousand sums
        assert!((own - x).abs() < 1e-13, "{k}: {own} {x}");
        assert_eq!(session.value("force.motor.magnitude").unwrap(), force);
    }
    let summary = session.summary();
    assert_eq!(summary.status, Status::Complete);
    // all the work of the motor is kinetic energy, jumps of the force or not
    let kinetic = v * v;
    assert!((summary.energy.input - kinetic).abs() < 1e-12);
    assert!((summary.energy.kinetic - kinetic).abs() < 1e-12);
}

#[test]
fn a_force_with_a_slope_is_a_line() {
    let mut session = Session::start(of_text(CART)).unwrap();
    let ramp = Held {
        value: 0.0,
        slope: 3.0,
    };
    session.hold("force.motor.magnitude", ramp).unwrap();
    session.step_to(1.0).unwrap();
    // x = s t^3 / (6 m); the default tolerance is 1e-6
    let x = session.value("body.cart.position.x").unwrap();
    assert!((x - 0.25).abs() < 1e-5, "{x}");
    assert_eq!(session.value("force.motor.magnitude").unwrap(), 3.0);
}

#[test]
fn a_held_speed_drives_a_motion_and_its_jump_does_work() {
    let text = r#"
title = "A mass that hangs on a driven cart by a joint"

[simulation]
end_time = 1
output_step = "10 ms"
gravity = [0, 0, 0]

[body.cart]
joint = "prescribed"
mass = "3 kg"
motion = { direction = [1, 0, 0], displacement = "0.1 * t" }
"#;
    let mut session = Session::start(of_text(text)).unwrap();
    let name = "joint.cart.speed";
    assert_eq!(session.input_value(name).unwrap(), 0.1);
    session.step_to(0.5).unwrap();
    session.hold(name, Held::constant(0.4)).unwrap();
    session.step_to(0.8).unwrap();
    session.hold(name, Held::constant(-0.2)).unwrap();
    session.step_to(1.0).unwrap();
    let x = session.value("joint.cart.displacement").unwrap();
    assert!((x - (0.05 + 0.12 - 0.04)).abs() < 1e-14, "{x}");
    assert_eq!(session.value(name).unwrap(), -0.2);
    // m (v1^2 - v0^2) / 2, by impulses alone
    let input = session.summary().energy.input;
    assert!((input - 1.5 * (0.04 - 0.01)).abs() < 1e-12, "{input}");
}

/// x = x0 + v t + a t^2/2, which the method has exactly; the mass takes m a all the time.
#[test]
fn a_held_speed_may_grow() {
    let text = r#"
title = "A driven cart"

[simulation]
end_time = 1
output_step = "10 ms"
gravity = [0, 0, 0]

[body.cart]
joint = "prescribed"
mass = "3 kg"
motion = { direction = [1, 0, 0], displacement = "0.1 * t" }
"#;
    let mut session = Session::start(of_text(text)).unwrap();
    let name = "joint.cart.speed";
    session.step_to(0.5).unwrap();
    let ramp = |value, slope| Held { value, slope };
    session.hold(name, ramp(0.1, 0.8)).unwrap();
    session.step_to(0.7).unwrap();
    let saved = session.save().unwrap();
    session.hold(name, ramp(0.0, -0.5)).unwrap();
    session.step_to(1.0).unwrap();
    let x = session.value("joint.cart.displacement").unwrap();
    let expected = 0.05 + 0.1 * 0.2 + 0.4 * 0.04 - 0.25 * 0.09;
    // roundings of places of that size
    assert!((x - expected).abs() < 1e-14, "{x} {expected}");
    assert!((session.value(name).unwrap() + 0.15).abs() < 1e-14);
    let input = session.summary().energy.input;
    assert!(
        (input - 1.5 * (0.15 * 0.15 - 0.01)).abs() < 1e-12,
        "{input}"
    );
    // a restored session has the ramp that was held
    session.restore(&saved).unwrap();
    session.step_to(1.0).unwrap();
    let x = session.value("joint.cart.displacement").unwrap();
    assert!((x - (0.05 + 0.05 + 0.4 * 0.25)).abs() < 1e-14, "{x}");
}

#[test]
fn what_is_held_already_ends_no_step() {
    let name = "force.motor.magnitude";
    let mut quiet = Session::start(of_text(CART)).unwrap();
    let mut busy = Session::start(of_text(CART)).unwrap();
    for session in [&mut quiet, &mut busy] {
        session.hold(name, Held::constant(0.7)).unwrap();
        session.step_to(0.1).unwrap();
    }
    busy.hold(name, Held::constant(0.7)).unwrap();
    for session in [&mut quiet, &mut busy] {
        session.step_to(1.0).unwrap();
    }
    assert!(quiet.save().unwrap() == busy.save().unwrap());
}

#[test]
fn bad_requests_are_refused_and_change_nothing() {
    let mut session = Session::start(of_text(CART)).unwrap();
    session.step_to(0.2).unwrap();
    let before = session.save().unwrap();
    let message = |error: SessionError| error.to_string();
    assert_eq!(
        message(
            session
                .hold("force.motr.magnitude", Held::constant(1.0))
                .unwrap_err()
        ),
        "there is no input \"force.motr.magnitude\"; did you mean \"force.motor.magnitude\"?"
    );
    let unknown = message(session.value("body.cart.position.w").unwrap_err());
    assert!(unknown.starts_with("there is no channel"), "{unknown}");
    let name = "force.motor.magnitude";
    assert_eq!(
        message(session.hold(name, Held::constant(f64::NAN)).unwrap_err()),
        "force.motor.magnitude = NaN N: expected a finite number"
    );
    assert!(matches!(
        session.step_to(0.1).unwrap_err(),
        SessionError::Backwards { .. }
    ));
    assert!(matches!(
        session.step_to(f64::NAN).unwrap_err(),
        SessionError::Backwards { .. }
    ));
    assert!(matches!(
        session.step(1.0).unwrap_err(),
        SessionError::BeyondEnd { .. }
    ));
    assert!(session.save().unwrap() == before);
}

#[test]
fn foreign_and_damaged_states_are_refused() {
    let mut session = Session::start(of_text(CART)).unwrap();
    let state = session.save().unwrap();
    for length in 0..state.len() {
        assert!(session.restore(&state[..length]).is_err(), "{length}");
    }
    for place in (0..state.len()).step_by(7) {
        let mut damaged = state.clone();
        damaged[place] ^= 4;
        assert!(session.restore(&damaged).is_err(), "{place}");
    }
    let other = of_text(&CART.replace("2 kg", "3 kg"));
    let foreign = Session::start(other).unwrap().save().unwrap();
    assert_eq!(
        session.restore(&foreign).unwrap_err(),
        SessionError::State("it belongs to another scenario")
    );
    session.restore(&state).unwrap();
    session.step_to(1.0).unwrap();
}

#[test]
fn a_step_that_is_stopped_goes_on_later() {
    /// Stops after so many steps.
    struct Stopper(usize);
    impl RunObserver for Stopper {
        fn row(&mut self, _values: &[f64]) -> bristle_results::Result<()> {
            Ok(())
        }
        fn step(&mut self, _t: f64) -> Flow {
            self.0 -= 1;
            if self.0 == 0 {
                Flow::Stop
            } else {
                Flow::Continue
            }
        }
    }
    let mut session = Session::start(example("stick-slip.toml", &[])).unwrap();
    let stopped = session.step_to_with(9.0, &mut Stopper(20)).unwrap_err();
    assert!(matches!(stopped, SessionError::Stopped { t } if t > 0.0 && t < 9.0));
    session.step_to(9.0).unwrap();
    assert_eq!(session.time(), 9.0);
}

/// A carriage that sets off at 0.5 s, a mass on an oblique rail of it, and a force that begins then.
const SET_OFF: &str = r#"
title = "A carriage sets off"

[simulation]
end_time = 1
output_step = "10 ms"
gravity = [0, 0, 0]

[body.carriage]
joint = "prescribed"
motion = { direction = [1, 0, 0], displacement = { table = [[0, 0], [0.5, 0], [1, 0.5]] } }

[body.load]
parent = "carriage"
joint = "prismatic"
axis = [1, 1, 0]
mass = "1 kg"

[body.cart]
joint = "prismatic"
axis = [1, 0, 0]
mass = "2 kg"

[force.motor]
body = "cart"
direction = [1, 0, 0]
magnitude = { pulses = { amplitude = "2 N", width = "0.6 s", start = "0.5 s", count = 1 } }
"#;

#[test]
fn what_jumps_where_it_was_stopped_jumps_when_it_goes_on() {
    /// Stops at the end of the first step that reaches 0.5 s.
    struct AtJump;
    impl RunObserver for AtJump {
        fn row(&mut self, _values: &[f64]) -> bristle_results::Result<()> {
            Ok(())
        }
        fn step(&mut self, t: f64) -> Flow {
            if t >= 0.5 { Flow::Stop } else { Flow::Continue }
        }
    }
    for restored in [false, true] {
        let mut session = Session::start(of_text(SET_OFF)).unwrap();
        let stopped = session.step_to_with(1.0, &mut AtJump).unwrap_err();
        assert!(matches!(stopped, SessionError::Stopped { t: 0.5 }));
        if restored {
            let saved = session.save().unwrap();
            session = Session::start(of_text(SET_OFF)).unwrap();
            session.restore(&saved).unwrap();
        }
        session.step_to(1.0).unwrap();
        // the rail takes no impulse along itself: the mass keeps the velocity 0 in that direction
        let slid = session.value("joint.load.coordinate").unwrap();
        assert!((slid + 0.5 / 2.0_f64.sqrt()).abs() < 1e-9, "{slid}");
        // half of 1 m/s^2 over (0.5 s)^2, which the method has exactly
        let x = session.value("body.cart.position.x").unwrap();
        assert!((x - 0.125).abs() < 1e-12, "{x}");
        assert!(session.summary().energy.relative_imbalance < 1e-9);
    }
}

#[test]
fn a_text_finds_the_files_beside_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = ScenarioText {
        name: "mine",
        text: "include = [\"cube-30deg.toml\"]\ntitle = \"a cube\"\n",
        folder: &folder,
    };
    let mut sources = SourceMap::new();
    let template = Template::of_text(&text, &[], &mut sources).unwrap();
    let scenario = template.build(&Changes::NONE, &mut sources).unwrap();
    assert_eq!(
        (scenario.title.as_str(), scenario.path),
        ("a cube", PathBuf::from("mine"))
    );
    let lost = ScenarioText {
        folder: Path::new(""),
        ..text
    };
    assert!(Template::of_text(&lost, &[], &mut SourceMap::new()).is_err());
}
