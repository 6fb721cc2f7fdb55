//! Sound scenarios become the model and the plan that they describe.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]
#![allow(
    clippy::float_cmp,
    reason = "values that are not computed are equal to the last bit"
)]

use std::path::{Path, PathBuf};

use bristle_integrate::{Control, Method};
use bristle_mechanics::element::{Contact, NormalForceSource};
use bristle_scenario::{
    ExpectedStatistic, Measure, Scenario, SourceMap, StartState, load, load_law,
};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/scenarios")
        .join(name)
}

fn loaded(name: &str, overrides: &[&str]) -> Scenario {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    let mut sources = SourceMap::new();
    load(&file(name), &overrides, &mut sources)
        .unwrap_or_else(|problems| panic!("{}", problems.render_plain(&sources)))
}

fn contact<'a>(scenario: &'a Scenario, name: &str) -> &'a Contact {
    let contacts = scenario.model.contacts();
    contacts.into_iter().find(|c| c.name == name).unwrap()
}

#[test]
fn the_mass_is_among_the_values_that_are_used() {
    let cube = loaded("cube.toml", &["body.cube.mass=400 g"]);
    let mass = cube.parameters.iter().find(|p| p.path == "body.cube.mass");
    let mass = mass.unwrap();
    assert_eq!(mass.value.as_number(), Some(0.4));
    assert_eq!((mass.unit.to_string().as_str(), mass.given), ("kg", true));
}

#[test]
fn the_cube_is_as_it_is_written() {
    let cube = loaded("cube.toml", &[]);
    assert_eq!(
        cube.title,
        "Cube on six contact points, pulled at 30 degrees"
    );
    assert_eq!((cube.start, cube.output_step), (StartState::AsGiven, 1e-3));
    assert_eq!(cube.plan.method, Method::NEWMARK);
    assert_eq!((cube.plan.end_time, cube.plan.tolerance), (4.0, 1e-6));
    let Control::Adaptive {
        max_step,
        first_step,
        min_step,
    } = cube.plan.control
    else {
        panic!("{:?}", cube.plan.control);
    };
    assert!(max_step == 1e-4 && min_step <= first_step && first_step <= max_step);

    let body = &cube.model.bodies()[1];
    // m (b² + c²)/12 of a cube of 1 kg and 0.1 m; the products round once or twice
    let moment = 1.0 / 600.0;
    assert!((body.inertia.tensor[(0, 0)] - moment).abs() < 1e-15);
    assert_eq!((body.inertia.mass, body.position.z), (1.0, 0.05));

    let base = contact(&cube, "base");
    assert_eq!(base.points.len(), 6);
    let second = base.points[1].position;
    // 50 mm at 60 degrees; rounding of sine and cosine
    assert!((second.x - 0.025).abs() < 1e-15 && (second.y - 0.05 * 0.75_f64.sqrt()).abs() < 1e-15);
    assert_eq!(second.z, -0.05);
    let NormalForceSource::Law(normal) = &base.normal else {
        panic!()
    };
    // K = A/σ² and N = K δ² at rest: 1083e-6/(3e-9)² · (1e-7)²; a few roundings
    let still = bristle_laws::Indentation {
        depth: 1e-7,
        rate: 0.0,
        impact_rate: 0.0,
    };
    let force = 1083e-6 / 9e-18 * 1e-14;
    assert!((normal.evaluate(&still).force / force - 1.0).abs() < 1e-12);
    // at high speed the Stribeck curve ends at μk + σ2 v, N = 1; the peak is gone to the last bit
    assert!((base.friction.law().unwrap().steady(1.0, 1.0).unwrap() - 0.14).abs() < 1e-12);

    let forces = cube.model.elements().iter().filter(|e| e.kind() == "force");
    assert_eq!(
        forces.map(|f| f.name()).collect::<Vec<_>>(),
        ["press", "pull"]
    );
    let [expect] = cube.expectations.as_slice() else {
        panic!()
    };
    assert_eq!(expect.target, "contact.base.first_slip_time");
    assert_eq!((expect.expected, expect.tolerance), (3.5, 5e-3));
    assert_eq!(
        (expect.measure, expect.unit.as_str()),
        (Measure::Summary, "s")
    );
    assert_eq!(expect.source, "Colantonio et al. 2022, section 3");
}

#[test]
fn everything_that_a_scenario_can_hold() {
    let machine = loaded("machine.toml", &[]);
    assert_eq!(machine.start, StartState::Equilibrium);
    assert_eq!(machine.output_step, 2e-3, "a thousandth of the end");
    assert_eq!(machine.plan.method, Method::generalised_alpha(0.6));
    let steps = Control::Adaptive {
        min_step: 1e-9,
        max_step: 5e-3,
        first_step: 1e-6,
    };
    assert_eq!(machine.plan.control, steps);
    let names: Vec<&str> = machine
        .model
        .bodies()
        .iter()
        .map(|b| b.name.as_str())
        .collect();
    assert_eq!(names.len(), 5);
    let place = |name| names.iter().position(|n| *n == name).unwrap();
    assert!(
        place("carriage") < place("hammer"),
        "parents come first: {names:?}"
    );
    assert_eq!(machine.model.gravity().z, -9.81);

    let start = machine.model.start();
    let frames = machine.model.frames(0.0, &start.q, &start.v, &start.a);
    // the carriage slid 5 mm along y, and carries the hammer; sums of two numbers round once
    let hammer = &frames[place("hammer")];
    assert!((hammer.p.y - 0.005).abs() < 1e-15 && hammer.p.x == 1.0 && hammer.p.z == 0.04);
    // a quarter turn about y takes z to x
    assert!((hammer.r.column(2)[0] - 1.0).abs() < 1e-15);
    assert!((frames[place("carriage")].v.y + 1e-3).abs() < 1e-18);
    assert_eq!(
        (frames[place("ball")].v.x, frames[place("ball")].w.z),
        (0.01, 1.0)
    );
    let ball = machine.model.bodies()[place("ball")].inertia;
    assert_eq!((ball.tensor[(0, 1)], ball.centre.z), (1e-6, 1e-3));

    let brake = contact(&machine, "brake");
    let NormalForceSource::Prescribed(force) = &brake.normal else {
        panic!()
    };
    // 30 N on six points at 1 s, after a straight rise
    assert!((force.value(1.0) - 5.0).abs() < 1e-14 && (force.value(0.5) - 2.5).abs() < 1e-14);
    let corner = brake.points[5].position;
    assert!((corner.x - 0.01).abs() < 1e-17 && (corner.y - 0.005).abs() < 1e-17);
    let ball = contact(&machine, "ball-on-table");
    assert_eq!((ball.slip_speed, ball.friction.law_name()), (1e-3, "lugre"));
}

#[test]
fn expectations_and_plots_know_their_quantities() {
    let machine = loaded("machine.toml", &[]);
    let measures: Vec<(Measure, &str)> = machine
        .expectations
        .iter()
        .map(|e| (e.measure, e.unit.as_str()))
        .collect();
    let drift = Measure::Over {
        statistic: ExpectedStatistic::Drift,
        window: Some([1.0, 2.0]),
    };
    assert_eq!(
        measures,
        [
            (Measure::Summary, "J"),
            (drift, "m"),
            (Measure::At(1.0), "J"),
            (Measure::Summary, "m/s"),
            (Measure::Summary, "s")
        ]
    );
    assert_eq!(machine.expectations[0].name, "energy.imbalance");
    assert_eq!(machine.expectations[1].tolerance, 1e-6);
    assert_eq!(
        machine.expectations[4].target,
        "contact.brake.first_slip_time"
    );
    let [pressure, energy, characteristic] = machine.plots.as_slice() else {
        panic!()
    };
    assert_eq!(
        (pressure.file.as_str(), pressure.label.as_str()),
        ("pressure.svg", "force (N)")
    );
    assert_eq!(pressure.channels.len(), 7, "six points and their sum");
    assert_eq!(
        (energy.title.as_str(), energy.label.as_str()),
        ("energy", "E in J")
    );
    assert_eq!((&energy.against, energy.during), (&None, None));
    let over = (
        "contact.brake.slip_speed".to_owned(),
        "velocity (m/s)".to_owned(),
    );
    assert_eq!(
        (&characteristic.against, characteristic.during),
        (&Some(over), Some([1.0, 2.0]))
    );
}

#[test]
fn warnings_say_what_deserves_a_second_look() {
    let machine = loaded("machine.toml", &[]);
    let all: Vec<&str> = machine
        .warnings
        .iter()
        .map(|w| w.message.as_str())
        .collect();
    // a regularised law creeps
    assert!(
        all.iter()
            .any(|w| w.starts_with("contact.brake.friction: coulomb_tanh")),
        "{all:?}"
    );
    assert!(
        !all.iter().any(|w| w.contains("jumps")),
        "a smooth ramp, {all:?}"
    );
    let corner =
        "body.table.motion={ direction = [1, 0, 0], displacement = { table = [[0, 0], [1, 1]] } }";
    let all = loaded("machine.toml", &[corner]).warnings;
    let expected = "body.table.motion.displacement: the velocity jumps from 1.000e0 to 0.000e0 m/s \
                    at t = 1 s";
    assert!(
        all.iter().any(|w| w.message.starts_with(expected)),
        "{all:?}"
    );
    let deep = loaded("cube.toml", &["body.cube.position=[0, 0, \"49 mm\"]"]);
    let all: Vec<&str> = deep.warnings.iter().map(|w| w.message.as_str()).collect();
    let expected = "contact.base: 6 of 6 points start inside the plane, the deepest by 1.000e-3 m \
                    (1.00 % of the body's size), where the normal law gives";
    assert!(all.iter().any(|w| w.starts_with(expected)), "{all:?}");
    assert!(
        !loaded("cube.toml", &[])
            .warnings
            .iter()
            .any(|w| w.message.contains("inside"))
    );
}

#[test]
fn overrides_change_the_scenario_and_its_hash() {
    let plain = loaded("cube.toml", &[]);
    assert_eq!(plain.hash.len(), 16);
    assert_eq!(plain.hash, loaded("cube.toml", &[]).hash);
    let fixed = loaded("cube.toml", &["simulation.integrator={step = \"1 ms\"}"]);
    assert_eq!(fixed.plan.control, Control::Fixed { step: 1e-3 });
    assert_ne!(fixed.hash, plain.hash);
    let other = loaded(
        "cube.toml",
        &["contact.base.friction={law = \"coulomb_tanh\", mu_k = 0.1, v_r = 1e-3}"],
    );
    assert_eq!(contact(&other, "base").friction.law_name(), "coulomb_tanh");
}

#[test]
fn the_unit_of_a_parameter_follows_the_exponent() {
    let damping = |text: &str| {
        let normal = format!("contact.base.normal={{law = \"hunt_crossley\", {text}}}");
        let scenario = loaded("cube.toml", &[&normal]);
        let NormalForceSource::Law(law) = &contact(&scenario, "base").normal else {
            panic!()
        };
        let values = law.to_values();
        values
            .into_iter()
            .find(|(name, _)| name == "damping")
            .unwrap()
            .1
    };
    let number = |x: f64| bristle_laws::Value::Number(x);
    assert_eq!(
        damping("stiffness = 1e9, damping = \"4 kN s/m^1.5\""),
        number(4e3)
    );
    assert_eq!(
        damping("K = \"1 N/mm\", exponent = 1, D = \"2 N s/mm\""),
        number(2e3)
    );
    assert_eq!(
        damping("K = 1, p = 2, damping_exponent = 2, D = \"3 N s/m^3\""),
        number(3.0)
    );
}

#[test]
fn a_law_from_the_command_line() {
    let parameters = ["mu_k=0.2".to_owned(), "v_r=1 mm/s".to_owned()];
    let mut sources = SourceMap::new();
    let (law, warnings) = load_law("coulomb-tanh", &parameters, &mut sources).unwrap();
    // far above v_r the force is μk N
    assert!((law.steady(1.0, 10.0).unwrap() - 2.0).abs() < 1e-12);
    assert_eq!(warnings.len(), 1, "it creeps");
    let path = file("laws/dry.toml");
    let (law, _) = load_law(path.to_str().unwrap(), &[], &mut sources).unwrap();
    assert_eq!(law.card().name, "lugre");
    let wrong = ["v_r=0".to_owned(), "mu_k=0.2".to_owned()];
    let mut sources = SourceMap::new();
    let problems = load_law("coulomb_tanh", &wrong, &mut sources).unwrap_err();
    assert_eq!(
        problems.render_plain(&sources),
        "--param:1:5: error: law.regularisation_velocity = 0 m/s, must be in (0, ∞) m/s\n\
         1 | v_r=0\n  |     ^\n"
    );
}

#[test]
fn every_law_of_the_catalogue_can_be_written() {
    use bristle_laws::{Friction, Value};
    for card in Friction::CARDS {
        let typical = bristle_laws::friction::typical(card);
        let law = Friction::build(card.name, &typical).unwrap();
        let parameters: Vec<String> = typical
            .iter()
            .map(|(name, value)| match value {
                Value::Number(x) => format!("{name}={x:e}"),
                Value::List(list) => format!("{name}={list:?}"),
                Value::Flag(flag) => format!("{name}={flag}"),
                Value::Curve(shape) => format!("{name}={}", shape.name()),
            })
            .collect();
        let mut sources = SourceMap::new();
        let (read, _) = load_law(card.name, &parameters, &mut sources)
            .unwrap_or_else(|problems| panic!("{}", problems.render_plain(&sources)));
        assert_eq!(read.to_values(), law.to_values(), "{}", card.name);
    }
}
