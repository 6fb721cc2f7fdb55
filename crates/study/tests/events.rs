//! Events, markers and changed copies of parts, from texts of scenarios, against closed forms.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use bristle_results::{Status, Summary};
use bristle_scenario::{Changes, ScenarioText, SourceMap, Template};
use bristle_study::{RunObserver, channels_of, execute};
use std::path::Path;

/// Rows of a run by channel.
struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl RunObserver for Table {
    fn row(&mut self, values: &[f64]) -> bristle_results::Result<()> {
        self.rows.push(values.to_vec());
        Ok(())
    }
}

impl Table {
    fn last(&self, name: &str) -> f64 {
        let place = self.names.iter().position(|n| n == name);
        let place = place.unwrap_or_else(|| panic!("no channel {name}: {:?}", self.names));
        self.rows.last().unwrap()[place]
    }
}

fn run_text(text: &str) -> (Summary, Table) {
    let mut sources = SourceMap::new();
    let text = ScenarioText {
        name: "machine.toml",
        text,
        folder: Path::new("."),
    };
    let template = Template::of_text(&text, &[], &mut sources).unwrap();
    let scenario = match template.build(&Changes::NONE, &mut sources) {
        Ok(scenario) => scenario,
        Err(diagnostics) => panic!("{}", diagnostics.render_plain(&sources)),
    };
    let names = channels_of(&scenario).into_iter().map(|c| c.name).collect();
    let mut table = Table {
        names,
        rows: Vec::new(),
    };
    let summary = execute(&scenario, &mut table);
    (summary, table)
}

/// Thrown up at 3 m/s from the ground: at 0.4 m on the way up and down, 0 again after 2 v/g.
const THROWN: &str = r#"
title = "Thrown"
[simulation]
end_time = 2
output_step = "10 ms"
gravity = [0, 0, -9.81]
start = "as_given"
[body.stone]
joint = "free"
mass = 2
shape = { box = [0.1, 0.2, 0.3] }
velocity = [1, 0, 3]
angular_velocity = [0, 0, 2]
[marker.tip]
body = "stone"
point = [0.5, 0, 0]
axis = [1, 0, 0]
to = "post"
[marker.post]
point = [0, 0, 0]
axis = [1, 0, 0]
[[event]]
name = "high"
channel = "body.stone.position.z"
value = "40 cm"
[[event]]
name = "top"
channel = "marker.tip.velocity.z"
direction = "falling"
[[event]]
name = "landed"
channel = "body.stone.position.z"
direction = "falling"
stop = true
"#;

#[test]
fn events_are_found_within_a_step_and_end_the_run() {
    let (summary, table) = run_text(THROWN);
    let (v, g) = (3.0_f64, 9.81_f64);
    let root = (v * v - 2.0 * g * 0.4).sqrt();
    let high = &summary.events.get("high").unwrap().times;
    // a parabola is exact in every method of second order
    for (found, wanted) in high.iter().zip([(v - root) / g, (v + root) / g]) {
        assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
    }
    assert_eq!(high.len(), 2);
    let top = &summary.events.get("top").unwrap().times;
    assert!((top[0] - v / g).abs() < 1e-9 && top.len() == 1, "{top:?}");
    let landed = summary.events.get("landed").unwrap();
    assert!(landed.stopped && landed.times.len() == 1);
    assert!((landed.times[0] - 2.0 * v / g).abs() < 1e-9);
    assert_eq!(summary.status, Status::Complete);
    assert!((summary.end_time - 2.0 * v / g).abs() < 1e-9);
    assert_eq!(summary.planned_end_time, Some(2.0));
    // the last row is at the event, and none after it
    assert!((table.last("t") - 2.0 * v / g).abs() < 1e-9);
    assert!(table.last("body.stone.position.z").abs() < 1e-8);
}

#[test]
fn a_marker_moves_with_its_body() {
    let (_, table) = run_text(THROWN);
    let t = table.last("t");
    // turns about z at 2 rad/s: a point at 0.5 m is drawn inwards with 2 m/s^2
    let (sin, cos) = (2.0 * t).sin_cos();
    let wanted = [
        ("position.x", t + 0.5 * cos),
        ("position.y", 0.5 * sin),
        ("velocity.x", 1.0 - sin),
        ("velocity.y", cos),
        ("acceleration.x", -2.0 * cos),
        ("acceleration.y", -2.0 * sin),
        ("acceleration.z", -9.81),
        ("distance.post", (t + 0.5 * cos).hypot(0.5 * sin)),
        ("angle.post", (2.0 * t).min(std::f64::consts::TAU - 2.0 * t)),
    ];
    for (name, wanted) in wanted {
        let found = table.last(&format!("marker.tip.{name}"));
        // the turning is integrated to the tolerance of the run
        assert!((found - wanted).abs() < 1e-5, "{name}: {found} {wanted}");
    }
    let away = ((t + 0.5 * cos) * (1.0 - sin) + 0.5 * sin * cos) / (t + 0.5 * cos).hypot(0.5 * sin);
    let rate = table.last("marker.tip.distance_rate.post");
    assert!((rate - away).abs() < 1e-5, "{rate} {away}");
}

/// Two bodies that push each other apart: their common centre stays.
#[test]
fn the_centre_of_mass_of_all_bodies() {
    let (_, table) = run_text(
        r#"
title = "Apart"
[simulation]
end_time = 0.1
output_step = "10 ms"
gravity = [0, 0, 0]
[body.a]
joint = "free"
mass = 1
shape = { sphere = 0.1 }
centre_of_mass = [0, 0.1, 0]
[body.b]
joint = "free"
mass = 3
shape = { sphere = 0.1 }
position = [1, 0, 0]
[spring.s]
from = { body = "a" }
to = { body = "b" }
stiffness = 100
length = 2
[marker.all]
centre_of_mass = true
[marker.a]
body = "a"
centre_of_mass = true
"#,
    );
    for (axis, wanted) in [("x", 0.75), ("y", 0.025), ("z", 0.0)] {
        let found = table.last(&format!("marker.all.position.{axis}"));
        // the body that the spring turns is moved to the tolerance of the run
        assert!((found - wanted).abs() < 1e-5, "{axis}: {found}");
        let still = table.last(&format!("marker.all.velocity.{axis}"));
        assert!(still.abs() < 1e-4, "{axis}: {still}");
    }
    // the spring pushes a along -x with its own mass
    assert!(table.last("marker.a.velocity.x") < -1.0);
}

/// A part in two places, one of them heavier and with a name of its own marker.
#[test]
fn a_copy_of_a_part_may_differ() {
    let (_, table) = run_text(
        r#"
title = "Two falls"
[simulation]
end_time = 0.5
output_step = "10 ms"
gravity = [0, 0, -9.81]
[part.fall.body.stone]
joint = "prismatic"
axis = [0, 0, 1]
mass = 1
[part.fall.force.lift]
body = "stone"
direction = [0, 0, 1]
magnitude = 1
[part.fall.marker.stone]
body = "stone"
to = ["origin"]
[part.fall.marker.origin]
body = "ground"
[place.left]
part = "fall"
[place.right]
part = "fall"
position = [1, 0, 0]
[place.right.override]
body.stone.mass = 2
force.lift.magnitude = 4
"#,
    );
    for (place, a) in [("left", 1.0 - 9.81), ("right", 2.0 - 9.81)] {
        let z = table.last(&format!("body.{place}_stone.position.z"));
        assert!((z - 0.125 * a).abs() < 1e-9, "{place}: {z}");
        let name = format!("marker.{place}_stone.distance.{place}_origin");
        let way = table.last(&name);
        assert!((way + z).abs() < 1e-12, "{place}: {way}");
    }
}

/// Refusals, with what to do.
#[test]
fn what_is_not_there_is_named() {
    for (from, to, message) in [
        (
            "channel = \"body.stone.position.z\"\nvalue",
            "channel = \"body.stone.z\"\nvalue",
            "there is no quantity \"body.stone.z\"",
        ),
        (
            "value = \"40 cm\"",
            "value = \"40 s\"",
            "40 s is a time; this field is",
        ),
        (
            "name = \"top\"",
            "name = \"high\"",
            "there is an event of this name already",
        ),
        (
            "to = \"post\"",
            "to = \"pots\"",
            "marker.tip.to: there is no marker \"pots\"",
        ),
        (
            "to = \"post\"",
            "to = \"tip\"",
            "a marker has no distance to itself",
        ),
        (
            "[marker.post]",
            "[place.x]\npart = \"p\"\noverride.body.sto.mass = 1\n[part.p.body.stone]\njoint = \"fixed\"\n[marker.post]",
            "place.x.override.body.sto: the part has no \"sto\" there",
        ),
    ] {
        assert_eq!(THROWN.matches(from).count(), 1, "{from}");
        let text = THROWN.replace(from, to);
        let mut sources = SourceMap::new();
        let text = ScenarioText {
            name: "machine.toml",
            text: &text,
            folder: Path::new("."),
        };
        let template = Template::of_text(&text, &[], &mut sources).unwrap();
        let diagnostics = template.build(&Changes::NONE, &mut sources).unwrap_err();
        let all = diagnostics.render_plain(&sources);
        assert!(all.contains(message), "{to}: {all}");
    }
}
