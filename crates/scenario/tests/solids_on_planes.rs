//! Capsules and boxes on planes, from scenario files, against closed forms.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_mechanics::element::ContactPoint;
use bristle_scenario::{SourceMap, load};
use machine::{Rows, close, read, run};

const G: f64 = 9.81;

/// A body of 2 kg on a slope in x that leans by `degrees`.
struct OnSlope<'a> {
    degrees: f64,
    inertia: &'a str,
    points: &'a str,
    /// Points that carry it, and the height at which they begin to.
    carried: (f64, f64),
    coefficient: f64,
    /// Stiffness and damping of the bristles.
    bristles: [f64; 2],
    start: &'a str,
}

impl OnSlope<'_> {
    fn run(&self) -> Rows {
        let Self {
            degrees,
            inertia,
            points,
            carried: (count, height),
            coefficient,
            bristles: [stiffness, damping],
            start,
        } = *self;
        let (sin, cos) = degrees.to_radians().sin_cos();
        // K δ^1.5 is the load of each
        let height = height - (2.0 * G * cos / (count * 2e8)).powf(2.0 / 3.0);
        let (_, rows) = run(&format!(
            r#"
title = "On a slope"
[simulation]
end_time = 1
output_step = 0.01
gravity = [{}, 0, {}]
start = "{start}"
integrator = {{ tolerance = 1e-7, max_step = "10 ms" }}
[body.solid]
joint = "free"
mass = "2 kg"
{inertia}
position = [0, 0, {height}]
[contact.floor]
points = {{ body = "solid", {points} }}
normal = {{ law = "hunt_crossley_1975", stiffness = 2e8, exponent = 1.5, dissipation = 0.3 }}
friction = {{ law = "lugre", bristle_stiffness = {stiffness}, bristle_damping = {damping}, stribeck_velocity = "1 mm/s", kinetic_coefficient = {coefficient}, static_coefficient = {coefficient} }}
"#,
            G * sin,
            -G * cos
        ));
        rows
    }
}

/// SF05: a solid capsule, a cylinder of 0.1 m with half balls of 0.1 m, its axis across the slope:
/// κ = 0.4428571 from its volumes; way and spin at 1 s in closed form, the loss of LuGre by an independent
/// integration (2e4 1/m, 40 s/m).
#[test]
fn a_capsule_rolls_or_slides_down_a_slope() {
    for (coefficient, way, spin, lost) in [
        (0.1, 2.027_715, 19.183_86, 1.814_135),
        (0.15, 1.815_322, 28.775_79, 0.963_601_3),
        (0.2, 1.699_752, 33.995_05, 9.376_633e-5),
        (0.35, 1.699_752, 33.995_05, 3.997_914e-5),
    ] {
        // κ m r² about the axis; across it anything
        let slope = OnSlope {
            degrees: 30.0,
            inertia: "inertia = [0.011, 0.008857142, 0.011]",
            points: "capsule = { from = [0, -0.05, 0], to = [0, 0.05, 0], radius = 0.1 }",
            carried: (2.0, 0.1),
            coefficient,
            bristles: [2e4, 40.0],
            start: "as_given",
        };
        let rows = slope.run();
        // the tolerance of the table
        let close_to = |what: &str, value: f64, wanted: f64| {
            close(what, value, wanted, 5e-4 * wanted);
        };
        close_to("way", rows.last("body.solid.position.x"), way);
        // a bristle more or less: 0.017 rad/s by the two routes of the table
        let turning = rows.last("body.solid.angular_velocity.y");
        close("spin", turning, spin, 1e-3 * spin);
        let loss = rows.last("energy.dissipated");
        // the loss with bristles, in the normal direction 20 µJ more
        close("loss", loss, lost, 5e-4 * lost + 2e-5);
        let both = [1, 2].map(|i| rows.last(&format!("contact.floor.point{i}.normal_force")));
        let carried = G * 30_f64.to_radians().cos();
        for load in both {
            close("load", load, carried, 1e-4 * carried);
        }
    }
}

/// A box of 0.1 m along the slope and `height` across its plane.
fn box_on_slope(degrees: f64, coefficient: f64, height: f64, start: &str) -> Rows {
    let size = format!("box = [0.1, 0.06, {height}]");
    OnSlope {
        degrees,
        inertia: &format!("shape = {{ {size} }}"),
        points: &format!("box = {{ size = [0.1, 0.06, {height}] }}"),
        carried: (4.0, 0.5 * height),
        coefficient,
        bristles: [1e7, 30.0],
        start,
    }
    .run()
}

#[test]
fn a_box_stays_below_the_friction_angle_and_slides_above() {
    let friction_angle = 0.3_f64.atan().to_degrees();
    let rows = box_on_slope(friction_angle - 0.3, 0.3, 0.04, "equilibrium");
    let ways = rows.column("body.solid.position.x");
    let moved = ways.last().unwrap() - ways[0];
    assert!(moved.abs() < 1e-6, "{moved}");
    let rows = box_on_slope(friction_angle + 4.0, 0.3, 0.04, "as_given");
    let (sin, cos) = (friction_angle + 4.0).to_radians().sin_cos();
    let way = 0.5 * G * (sin - 0.3 * cos);
    // from rest the bristles bend first, by 3 · 30 nm: 0.23 ms without the 2.75 m/s² of friction, hence at most
    // 0.63 mm/s more from then on
    close("way", rows.last("body.solid.position.x"), way, 6.3e-4);
    let turned = rows.last("body.solid.angular_velocity.y");
    assert!(turned.abs() < 1e-2, "{turned}");
}

#[test]
fn a_box_tips_where_its_centre_is_beyond_its_edge() {
    // b/h = 0.1/0.2
    let limit = 0.5_f64.atan().to_degrees();
    let rows = box_on_slope(limit - 0.3, 0.9, 0.2, "equilibrium");
    let turning = rows.column("body.solid.angular_velocity.y");
    assert!(turning.iter().all(|w| w.abs() < 1e-4), "{turning:?}");
    let rows = box_on_slope(limit + 0.3, 0.9, 0.2, "as_given");
    let tips = rows.column("body.solid.angular_velocity.y");
    // over the lower edge and down: it falls on its side
    assert!(tips.iter().any(|w| *w > 3.0), "{tips:?}");
}

/// The points of the contact of a scenario.
fn points(words: &str) -> Vec<ContactPoint> {
    let text = scenario(words, "", "");
    let scenario = read(&text);
    scenario.model.contacts().next().unwrap().points.clone()
}

fn scenario(words: &str, surface: &str, normal: &str) -> String {
    let normal = if normal.is_empty() {
        "{ law = \"hunt_crossley_1975\", stiffness = 2e8, exponent = 1.5, dissipation = 0.3 }"
    } else {
        normal
    };
    format!(
        r#"
title = "Solid"
[simulation]
end_time = 1
[body.solid]
joint = "free"
mass = 2
inertia = [0.01, 0.01, 0.01]
position = [0, 0, 1]
[contact.floor]
points = {{ body = "solid", {words} }}
{surface}
normal = {normal}
friction = "none"
"#
    )
}

#[test]
fn a_box_has_its_corners_in_order_and_where_it_is_turned_to() {
    let own = points("box = { size = [2, 4, 6], centre = [1, 0, 0] }");
    let [first, second, third, fifth] = [0, 1, 2, 4].map(|i| own[i].position);
    assert_eq!(own.len(), 8);
    assert_eq!(first.as_slice(), [0.0, -2.0, -3.0]);
    assert_eq!(second.as_slice(), [2.0, -2.0, -3.0]);
    assert_eq!(third.as_slice(), [0.0, 2.0, -3.0]);
    assert_eq!(fifth.as_slice(), [0.0, -2.0, 3.0]);
    // by a quarter about z: (x, y) goes to (−y, x), about the centre
    let turned = points(
        "box = { size = [2, 4, 6], centre = [1, 0, 0], orientation = { axis = [0, 0, 1], angle = \"90 deg\" } }",
    );
    let corner = turned[0].position - bristle_mechanics::Vec3::new(1.0 + 2.0, -1.0, -3.0);
    assert!(corner.norm() < 1e-14, "{corner}");
}

/// The first error of a scenario.
fn refused(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let errors = load(&path, &[], &mut SourceMap::new()).unwrap_err();
    errors.iter().next().unwrap().message.clone()
}

#[test]
fn what_touches_otherwise_is_refused() {
    let bowl = "surface = { sphere = { radius = 5 }, inside = true }";
    let capsule = "capsule = { from = [0, 0, 0], to = [0, 1, 0], radius = 0.1 }";
    let message = refused(&scenario(capsule, bowl, ""));
    assert!(
        message.contains("a capsule touches a plane with the balls at its ends alone"),
        "{message}"
    );
    let message = refused(&scenario("box = { size = [1, 1, 1] }", bowl, ""));
    assert!(
        message.contains("a box touches a plane with its corners alone"),
        "{message}"
    );
    let message = refused(&scenario(
        "box = { size = [1, 1, 1] }",
        "",
        "{ total = \"10 N\" }",
    ));
    assert!(
        message.contains("of which some are in the air"),
        "{message}"
    );
    let message = refused(&scenario("box = { size = [1, 1] }", "", ""));
    assert!(message.contains("expected three edge lengths"), "{message}");
    let short = "capsule = { from = [0, 0, 0], to = [0, 0, 0], radius = 0.1 }";
    let message = refused(&scenario(short, "", ""));
    assert!(
        message.contains("a capsule without length is a sphere"),
        "{message}"
    );
}
