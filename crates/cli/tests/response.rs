//! `bristle response` against closed forms, time integration by another code, and bad input.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may panic")]
#![allow(
    clippy::unreadable_literal,
    reason = "numbers as their sources have them"
)]

mod support;

use std::f64::consts::TAU;

use serde_json::Value;
use support::{Place, Ran, entries};

/// A mass on a spring with a slider behind a spring.
struct SlidingMass {
    tangential_stiffness: f64,
    coefficient: f64,
    cubic: f64,
    pull: &'static str,
}

const PULLED: &str = "{ harmonic = { amplitude = 3 } }";

const SLIDER: SlidingMass = SlidingMass {
    tangential_stiffness: 5000.0,
    coefficient: 0.3,
    cubic: 0.0,
    pull: PULLED,
};

impl SlidingMass {
    fn text(&self) -> String {
        let Self {
            tangential_stiffness,
            coefficient,
            cubic,
            pull,
        } = self;
        format!(
            "title = \"Slider\"\n[simulation]\nend_time = 1\n\
             [body.mass]\njoint = \"prismatic\"\naxis = [1, 0, 0]\nmass = 1\n\
             [joint_spring.spring]\nbody = \"mass\"\nstiffness = 1e4\ncubic = {cubic}\ndamping = 2\n\
             [joint_friction.damper]\nbody = \"mass\"\nload = 10\n\
             friction = {{ law = \"jenkins\", tangential_stiffness = {tangential_stiffness}, \
             kinetic_coefficient = {coefficient} }}\n\
             [force.pull]\nbody = \"mass\"\ndirection = [1, 0, 0]\nmagnitude = {pull}\n"
        )
    }

    fn place(&self) -> Place {
        let place = Place::new();
        place.write("mass.toml", &self.text());
        place
    }
}

/// Enough for the tolerances below, and quick.
const GRID: [&str; 4] = ["--harmonics", "15", "--samples", "512"];
/// Enough to hold one output against another.
const ROUGH: [&str; 4] = ["--harmonics", "5", "--samples", "128"];
const RANGE: [&str; 4] = ["--from", "80 rad/s", "--to", "140 rad/s"];

fn respond(place: &Place, arguments: &[&str]) -> Ran {
    let ran = place.bristle(&[&["response", "mass.toml"], arguments].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

/// Points at an angular frequency.
fn at(curve: &Value, omega: f64) -> Vec<&Value> {
    let points = curve["points"].as_array().expect("points").iter();
    let own = |p: &&Value| (number(&p["frequency"]) * TAU / omega - 1.0).abs() < 1e-9;
    points.filter(own).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn close(found: f64, expected: f64, relative: f64) {
    assert!(
        (found - expected).abs() <= relative * expected.abs(),
        "{found} and not {expected}"
    );
}

/// Half peak to peak and loss by a Verlet march of 16000 steps a period whose period map is closed
/// by Newton's method, the phase of the first harmonic by another code of harmonic balance, all for
/// 3 N. It differs from the march by up to 3e-6.
#[test]
fn the_slider_moves_and_loses_what_a_march_gives() {
    let place = SLIDER.place();
    let wanted = "80 rad/s,105 rad/s,110 rad/s,120 rad/s,140 rad/s";
    let arguments = [
        &RANGE[..],
        &GRID,
        &["--at", wanted, "--no-stability", "--json"],
    ]
    .concat();
    let curve = respond(&place, &arguments).json();
    for (omega, amplitude, phase, lost) in [
        (80.0, 0.0003487768, -1.065845, 0.0),
        (105.0, 0.001725504, -72.44123, 0.01350605),
        (110.0, 0.001709603, -107.5218, 0.01331524),
        (120.0, 0.001167355, -134.5887, 0.006808266),
        (140.0, 0.0006329038, -172.8042, 0.0003948459),
    ] {
        let points = at(&curve, omega);
        let [point] = points[..] else {
            panic!("{} points at {omega} rad/s", points.len());
        };
        let channel = &point["channels"]["body.mass.position.x"];
        close(number(&channel["amplitude"]), amplitude, 2e-4);
        let first = &channel["harmonics"][1];
        let angle = number(&first[1]).atan2(number(&first[0])).to_degrees();
        assert!((angle - phase).abs() < 0.02, "{angle}° at {omega} rad/s");
        let found = number(&point["joints"]["damper"]["dissipated_per_cycle"]);
        // the least loss is that of a slip of 0.4 mm in a motion of 0.6 mm
        assert!((found - lost).abs() <= 1e-3 * lost + 1e-9, "{found} J");
        assert!(point["stable"].is_null());
    }
    let [peak] = &curve["peaks"].as_array().expect("peaks")[..] else {
        panic!("{}", curve["peaks"]);
    };
    // flat at its top, so that the frequency is known less well than the size
    close(number(&peak["frequency"]) * TAU, 106.6503, 1e-3);
    close(number(&peak["amplitude"]), 0.001869861, 2e-4);
    assert_eq!(curve["complete"], true);
}

/// A march whose period map is closed by Newton's method: folds where a multiplier passes +1, three
/// motions between them, the middle one unstable.
#[test]
fn a_hardening_spring_bends_the_curve_over() {
    let place = SlidingMass {
        tangential_stiffness: 2000.0,
        coefficient: 0.1,
        cubic: 5e8,
        pull: "{ harmonic = { amplitude = 2.5 } }",
    }
    .place();
    let arguments = [
        "--from",
        "90 rad/s",
        "--to",
        "160 rad/s",
        "--at",
        "120 rad/s",
        "--harmonics",
        "9",
        "--samples",
        "256",
        "--json",
    ];
    let curve = respond(&place, &arguments).json();
    let folds = curve["folds"].as_array().expect("folds");
    assert_eq!(folds.len(), 2, "{folds:?}");
    for (fold, omega, amplitude) in [
        (&folds[0], 137.7927, 0.004915391),
        (&folds[1], 113.2929, 0.001716941),
    ] {
        close(number(&fold["frequency"]) * TAU, omega, 2e-4);
        close(number(&fold["amplitude"]), amplitude, 2e-3);
    }
    let kinds = curve["bifurcations"].as_array().expect("a list");
    assert!(
        kinds.iter().all(|change| change["kind"] == "fold"),
        "{kinds:?}"
    );
    let points = at(&curve, 120.0);
    assert_eq!(points.len(), 3);
    for (point, amplitude, stable) in [
        (points[0], 0.00355843, true),
        (points[1], 0.003137553, false),
        (points[2], 0.0008316585, true),
    ] {
        let channel = &point["channels"]["body.mass.position.x"];
        close(number(&channel["amplitude"]), amplitude, 2e-3);
        assert_eq!(point["stable"], stable);
    }
}

#[test]
fn one_frequency_is_one_point_and_units_do_not_matter() {
    let place = SLIDER.place();
    let one = |arguments: &[&str]| {
        let arguments = [&GRID[..], &["--json"], arguments].concat();
        let curve = respond(&place, &arguments).json();
        assert_eq!(curve["points"].as_array().map(Vec::len), Some(1));
        number(&curve["points"][0]["channels"]["body.mass.position.x"]["amplitude"])
    };
    let hertz = one(&["--from", "15Hz", "--to", "15Hz"]);
    close(one(&["--at", "900 rpm"]), hertz, 1e-12);
    close(one(&["--at", "15"]), hertz, 1e-12);
    // the velocity of a motion that is almost a cosine
    let speed = |name: &str| {
        let arguments = [
            "--at",
            "15Hz",
            "--json",
            "--channel",
            name,
            "--harmonics",
            "1",
        ];
        let curve = respond(&place, &arguments).json();
        number(&curve["points"][0]["channels"][name]["amplitude"])
    };
    let displacement = speed("joint.mass.coordinate");
    close(speed("joint.mass.rate"), TAU * 15.0 * displacement, 1e-9);
}

/// Runs with each of the arguments: refused with a part of a message, and nothing written.
fn refused(cases: &[(&[&str], &str)]) {
    let place = SLIDER.place();
    for (arguments, part) in cases {
        let start = ["response", "mass.toml", "--out", "curve"];
        let ran = place.bristle(&[&start[..], arguments].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}\n{ran:?}");
        let shown = ran.err.replace(['│', '\n'], " ");
        let words: Vec<&str> = shown.split_whitespace().collect();
        assert!(words.join(" ").contains(part), "{arguments:?}\n{}", ran.err);
    }
    assert_eq!(place.entries(), ["mass.toml"]);
}

#[test]
fn bad_arguments_are_refused_with_what_is_allowed_and_write_nothing() {
    refused(&[
        (&[], "--from and --to are both needed"),
        (&["--from", "9Hz"], "--from and --to are both needed"),
        (&["--from", "20Hz", "--to", "10Hz"], "from 20 Hz to 10 Hz"),
        (&["--from", "0Hz", "--to", "10Hz"], "above 0"),
        (&["--from=-5Hz", "--to", "10Hz"], "above 0"),
        (&["--from", "5 m", "--to", "10Hz"], "30Hz"),
        (
            &["--from", "5Hz", "--to", "10Hz", "--at", "25Hz"],
            "outside",
        ),
        (&["--at", "9Hz", "--harmonics", "0"], "1 to 1000"),
        (&["--at", "9Hz", "--samples", "3"], "from 16"),
        (&["--at", "9Hz", "--tolerance", "2"], "1e-12 to 0.1"),
        (&["--at", "9Hz", "--max-amplitude", "0 mm"], "above 0"),
        (
            &["--at", "9Hz", "--channel", "body.mas.position.x"],
            "did you mean \"body.mass.position.x\"?",
        ),
        (
            &["--at", "9Hz", "--vary", "body.mass.mass"],
            "expected path=",
        ),
        (
            &["--at", "9Hz", "--vary", "body.mas.mass=1,2"],
            "did you mean \"mass\"?",
        ),
    ]);
}

#[test]
fn what_has_no_response_is_refused_by_its_name() {
    let own = "force.pull.magnitude={ sine = { amplitude = 3, frequency = 10 } }";
    let jumping = "joint_friction.damper.friction={ law = \"karnopp\", static_coefficient = 0.3, \
                   kinetic_coefficient = 0.2, stribeck_velocity = 1e-2, stiction_velocity = 1e-3 }";
    let three = "joint_friction.damper.load={ harmonic = { amplitude = 1, frequency = 3 } }";
    let five = "force.pull.magnitude.harmonic.frequency=5";
    refused(&[
        (
            &["--at", "9Hz", "--set", "force.pull.magnitude=3"],
            "nothing excites",
        ),
        (&["--at", "9Hz", "--set", own], "force.pull.magnitude"),
        (&["--at", "9Hz", "--set", three, "--set", five], "order = 2"),
        (&["--at", "9Hz", "--set", jumping], "--method time"),
    ]);
}

#[test]
fn a_curve_that_ends_early_is_kept_and_says_why() {
    let place = SLIDER.place();
    let arguments = [
        &RANGE[..],
        &GRID,
        &["--max-amplitude", "1 mm", "--out", "curve"],
    ]
    .concat();
    let ran = place.bristle(&[&["response", "mass.toml"], &arguments[..]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("--max-amplitude 1 mm"), "{}", ran.err);
    let text = std::fs::read_to_string(place.path("curve/response.json")).expect("written");
    let curve: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(curve["complete"], false);
    assert!(
        curve["points"]
            .as_array()
            .is_some_and(|points| points.len() > 10)
    );

    // a constant force that nothing holds
    let loose = SLIDER.text().replace("stiffness = 1e4", "stiffness = 0")
        + "[force.wind]\nbody = \"mass\"\ndirection = [1, 0, 0]\nmagnitude = 5\n";
    place.write("loose.toml", &loose);
    let ran = place.bristle(&["response", "loose.toml", "--from", "10Hz", "--to", "20Hz"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("no equilibrium"), "{}", ran.err);
}

#[test]
fn curves_of_many_values_are_those_of_each_whatever_the_number_of_threads() {
    let place = SLIDER.place();
    let vary = [
        "--vary",
        "joint_friction.*.load=5,20",
        "--json",
        "--no-stability",
    ];
    let common = [&["--from", "14Hz", "--to", "18Hz"], &ROUGH[..]].concat();
    let run = |more: &[&str]| respond(&place, &[&common[..], more].concat());
    let one = run(&[&vary[..], &["--jobs", "1"]].concat());
    let two = run(&[&vary[..], &["--jobs", "2"]].concat());
    assert_eq!(one.out, two.out);
    let curves = one.json();
    let curves = curves.as_array().expect("a list");
    for (curve, load) in curves.iter().zip([5.0, 20.0]) {
        assert_eq!(curve["values"]["joint_friction.*.load"], load);
        let set = format!("joint_friction.damper.load={load}");
        let alone = run(&["--set", &set, "--json", "--no-stability"]).json();
        assert_eq!(curve["points"], alone["points"]);
    }
}

#[test]
fn the_folder_has_a_table_pictures_and_a_page() {
    let place = SLIDER.place();
    let more = ["--out", "curve", "--report", "--pdf", "--no-stability"];
    let arguments = [&RANGE[..], &ROUGH, &more].concat();
    let ran = respond(&place, &arguments);
    assert!(ran.out.contains("1.87"), "{}", ran.out);
    let files = entries(&place.path("curve"));
    for name in [
        "amplitude_body.mass.position.x.pdf",
        "amplitude_body.mass.position.x.svg",
        "columns.json",
        "dissipated_joint_friction.damper.svg",
        "nyquist_body.mass.position.x.svg",
        "phase_body.mass.position.x.svg",
        "report.html",
        "response.csv",
        "response.json",
        "stuck_joint_friction.damper.svg",
    ] {
        assert!(files.iter().any(|file| file == name), "{name}: {files:?}");
    }
    let read = |name: &str| std::fs::read_to_string(place.path("curve").join(name)).expect("read");
    let json: Value = serde_json::from_str(&read("response.json")).expect("JSON");
    let points = json["points"].as_array().expect("points");
    let csv = read("response.csv");
    let mut lines = csv.lines();
    let heads: Vec<&str> = lines.next().expect("heads").split(',').collect();
    let columns: Value = serde_json::from_str(&read("columns.json")).expect("JSON");
    assert!(heads.iter().all(|head| columns[head]["unit"].is_string()));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), points.len());
    let column = |name: &str| heads.iter().position(|head| *head == name).expect(name);
    for (row, point) in rows.iter().zip(points) {
        assert_eq!(row.len(), heads.len());
        let cell = |name: &str| row[column(name)].parse::<f64>().expect("a number");
        close(cell("frequency"), number(&point["frequency"]), 1e-15);
        let channel = &point["channels"]["body.mass.position.x"];
        let amplitude = cell("body.mass.position.x.amplitude");
        close(amplitude, number(&channel["amplitude"]), 1e-15);
        let lost = cell("joint_friction.damper.dissipated_per_cycle");
        close(
            lost,
            number(&point["joints"]["damper"]["dissipated_per_cycle"]),
            1e-15,
        );
    }
    assert_eq!(
        rows.iter().filter(|row| row[column("peak")] == "1").count(),
        1
    );

    // its own folder is replaced, that of another command is not touched
    respond(
        &place,
        &[&RANGE[..], &ROUGH, &["--out", "curve", "--no-plots"]].concat(),
    );
    assert_eq!(
        entries(&place.path("curve")),
        ["columns.json", "response.csv", "response.json"]
    );
    std::fs::create_dir(place.path("mine")).expect("made");
    place.write("mine/thesis.tex", "x");
    let mine = [&RANGE[..], &["--out", "mine"]].concat();
    let ran = place.bristle(&[&["response", "mass.toml"], &mine[..]].concat());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(entries(&place.path("mine")), ["thesis.tex"]);
}

/// Laws that jump have no harmonic balance; those that do not give the same in time.
#[test]
fn integration_in_time_gives_the_same() {
    let place = SLIDER.place();
    let more = [
        "--from",
        "16.5Hz",
        "--to",
        "18Hz",
        "--no-stability",
        "--json",
        "--verify",
    ];
    let curve = respond(&place, &[&more[..], &GRID].concat()).json();
    let checks = curve["verification"].as_array().expect("checks");
    assert!(checks.len() >= 5, "{checks:?}");
    for check in checks {
        assert_eq!(check["steady"], true);
        // the period repeats to 1e-4 of its size
        close(
            number(&check["amplitude_in_time"]),
            number(&check["amplitude"]),
            2e-3,
        );
        let lost = number(&check["dissipated_per_cycle"]);
        close(number(&check["dissipated_per_cycle_in_time"]), lost, 1e-2);
    }
    let more = ["--at", "105 rad/s,110 rad/s", "--method", "time", "--json"];
    let curve = respond(&place, &more).json();
    assert_eq!(curve["points"].as_array().map(Vec::len), Some(2));
    for (omega, amplitude) in [(105.0, 0.001725504), (110.0, 0.001709603)] {
        let point = at(&curve, omega)[0];
        let channel = &point["channels"]["body.mass.position.x"];
        close(number(&channel["amplitude"]), amplitude, 2e-3);
    }
}

/// A ball in its socket is marched in time: a slider of friction μN behind a spring k_t loses
/// 4 μN (X − μN/k_t) in a cycle of the amplitude X.
#[test]
fn a_spherical_joint_is_followed_in_time() {
    let place = Place::new();
    let text = "title = \"Ball\"\n[simulation]\nend_time = 1\ngravity = [0, 0, 0]\n\
        [body.ball]\njoint = \"spherical\"\nmass = 1\ninertia = [0.02, 0.02, 0.02]\n\
        [bushing.spring]\nto = { body = \"ball\" }\nrotational_stiffness = [20, 20, 20]\n\
        [torque.shake]\nbody = \"ball\"\naxis = [1, 0, 0]\nmagnitude = { harmonic = { amplitude = 1 } }\n\
        [joint_friction.socket]\nbody = \"ball\"\nradius = 0.1\nload = 10\n\
        friction = { law = \"jenkins\", tangential_stiffness = 1e4, kinetic_coefficient = 0.3 }\n";
    place.write("mass.toml", text);
    let channel = "joint_friction.socket.slip.x";
    let asked = [
        "response",
        "mass.toml",
        "--at",
        "6 Hz",
        "--channel",
        channel,
    ];
    let refused = place.bristle(&asked);
    assert!(refused.code != Some(0), "{refused:?}");
    assert!(
        refused
            .err
            .contains("friction in a spherical joint is not part of harmonic balance"),
        "{refused:?}"
    );
    let ran = place.bristle(&[&asked[..], &["--method", "time", "--json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let curve = ran.json();
    let point = &curve["points"][0];
    let amplitude = number(&point["channels"][channel]["amplitude"]);
    let expected = 4.0 * 3.0 * (amplitude - 3.0 / 1e4);
    let pair = &point["joints"]["socket"];
    // the period repeats to 1e-4 of its size, and the power is summed over samples of it
    close(number(&pair["dissipated_per_cycle"]), expected, 2e-3);
}

/// Whether a motion repeats is a matter of the machine: the origin of a ball that turns stays at 0, and the
/// channel that is shown without `--channel` is its position. Den Hartog's amplitude of an oscillator with Coulomb
/// friction that never sticks (Trans. ASME 53, 1931) is Φ = (M/k) √(V² − (μNr U/M)²) with β = Ω/ω₀,
/// V = 1/(1 − β²), U = sin(π/β)/(β (1 + cos(π/β))), and friction takes 4 μN r Φ in a cycle.
#[test]
fn a_ball_is_steady_when_its_rotation_is() {
    let place = Place::new();
    // the formula has no bristles: a march of this oscillator by the semi-implicit Euler method loses 0.62 % less
    // at k_t = 1e6 N/m, 0.19 % less at 1e7
    let text = "title = \"Ball\"\n[simulation]\nend_time = 1\ngravity = [0, 0, 0]\n\
        [body.ball]\njoint = \"spherical\"\nmass = 1\ninertia = [0.02, 0.02, 0.02]\n\
        [bushing.spring]\nto = { body = \"ball\" }\nrotational_stiffness = [20, 20, 20]\n\
        [torque.shake]\nbody = \"ball\"\naxis = [1, 0, 0]\nmagnitude = { harmonic = { amplitude = 1 } }\n\
        [joint_friction.socket]\nbody = \"ball\"\nradius = 0.1\nload = 10\n\
        friction = { law = \"jenkins\", tangential_stiffness = 1e8, kinetic_coefficient = 0.3 }\n";
    place.write("mass.toml", text);
    let ran = respond(&place, &["--at", "4.5 Hz", "--method", "time", "--json"]);
    let curve = ran.json();
    let point = &curve["points"][0];
    let still = number(&point["channels"]["body.ball.position.x"]["amplitude"]);
    assert!(still.abs() < 1e-12, "{still}");
    let (push, stiffness, friction) = (1.0, 20.0, 0.3);
    let beta = 4.5 * TAU / (stiffness / 0.02_f64).sqrt();
    let (v, angle) = (1.0 / (1.0 - beta * beta), std::f64::consts::PI / beta);
    let u = angle.sin() / (beta * (1.0 + angle.cos()));
    let ratio = friction * u / push;
    let amplitude = push / stiffness * (v * v - ratio * ratio).sqrt();
    let lost = number(&point["joints"]["socket"]["dissipated_per_cycle"]);
    // as in the test before: a period repeats to 1e-4 of its size, and the power is summed over samples
    close(lost, 4.0 * friction * amplitude, 2e-3);
}

/// First harmonic in closed form, without damper: ω² = (k + k_eq)/m with k_eq = k_t (θ − sin 2θ/2)/π,
/// cos θ = 1 − 2 x_s/A, and ζ = D/(2π m ω² A²) with D = 4 μN (A − x_s).
#[test]
fn a_mode_softens_and_is_damped_by_slip() {
    let place = Place::new();
    place.write(
        "mass.toml",
        &SLIDER.text().replace("damping = 2", "damping = 0"),
    );
    let arguments = [
        "--mode",
        "1",
        "--harmonics",
        "1",
        "--samples",
        "4096",
        "--json",
    ];
    let curve = respond(&place, &arguments).json();
    let points = curve["points"].as_array().expect("points");
    assert!(points.len() > 20);
    let slip = 6e-4;
    for point in points {
        let a = number(&point["amplitude"]);
        let (stiffness, lost) = if a > slip {
            let theta = (1.0 - 2.0 * slip / a).acos();
            let own = 5000.0 / std::f64::consts::PI * (theta - 0.5 * (2.0 * theta).sin());
            (1e4 + own, 12.0 * (a - slip))
        } else {
            (1.5e4, 0.0)
        };
        close(number(&point["frequency"]) * TAU, stiffness.sqrt(), 1e-4);
        let zeta = lost / (TAU * stiffness * a * a);
        let found = number(&point["damping_ratio"]);
        assert!(
            (found - zeta).abs() < 1e-3 * zeta + 1e-6,
            "{found} and not {zeta}"
        );
    }
}

/// The best load is where its curve over the load turns.
#[test]
fn the_optimum_is_less_than_its_neighbours() {
    let place = SLIDER.place();
    let load = ["--optimise", "joint_friction.damper.load=2:60", "--json"];
    let common = [
        &["--from", "14Hz", "--to", "21Hz", "--no-stability"],
        &ROUGH[..],
    ]
    .concat();
    let found = respond(&place, &[&common[..], &load].concat()).json();
    let best = number(&found["optimum"]["amplitude"]);
    let value = number(&found["optimum"]["value"]);
    assert_eq!(found["optimum"]["path"], "joint_friction.damper.load");
    for factor in [0.9, 1.1] {
        let set = format!("joint_friction.damper.load={}", factor * value);
        let more = ["--set", &set, "--json"];
        let curve = respond(&place, &[&common[..], &more].concat()).json();
        let peaks = curve["peaks"].as_array().expect("peaks").iter();
        let peak = peaks.map(|p| number(&p["amplitude"])).fold(0.0, f64::max);
        assert!(
            peak > best,
            "{peak} at {factor} of the best load, {best} there"
        );
    }
}
