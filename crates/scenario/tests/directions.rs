//! Friction that differs by direction on a plane: where its first axis is.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_scenario::{SourceMap, load};
use machine::{Rows, close, run};

const G: f64 = 9.81;
const SLOPE: f64 = 0.6;
const MU: f64 = 0.3;
/// Friction across the first axis over that along it.
const RATIO: f64 = 0.5;

/// A mass on a slope down along x, released from rest.
fn scenario(plane: &str) -> String {
    let (s, c) = SLOPE.sin_cos();
    let sunk = 2.0 * G * c / 1e6;
    format!(
        r#"
title = "Slope"
[simulation]
end_time = 1
output_step = "100 ms"
gravity = [0, 0, -9.81]
integrator = {{ tolerance = 1e-7, max_step = "5 ms" }}
[body.mass]
joint = "point"
mass = 2
position = [{}, 0, {}]
[contact.slope]
points = {{ body = "mass", at = [[0, 0, 0]] }}
plane = {{ normal = [{s}, 0, {c}]{plane} }}
normal = {{ law = "kelvin_voigt", stiffness = 1e6, damping = 1000 }}
friction = {{ law = "lugre_anisotropic", bristle_stiffness = 1e5, bristle_damping = 100, stribeck_velocity = "1 mm/s", kinetic_coefficient = {MU}, static_coefficient = {MU}, transverse_ratio = {RATIO} }}
"#,
        -sunk * s,
        -sunk * c
    )
}

/// Displacement down the slope and across it, after 1 s.
fn slide(first: [f64; 3]) -> [f64; 2] {
    let (_, rows): (_, Rows) = run(&scenario(&format!(", first_direction = {first:?}")));
    let (s, c) = SLOPE.sin_cos();
    let moved = |axis: &str| {
        let column = rows.column(&format!("body.mass.position.{axis}"));
        column[column.len() - 1] - column[0]
    };
    [moved("x") * c - moved("z") * s, moved("y")]
}

/// What slides along a straight line from rest in the direction u (in the principal axes) has an acceleration along u:
/// the pull G e less the friction of most dissipation on the ellipse, g cos α μ (u₁, ρ² u₂)/√(u₁² + ρ² u₂²).
fn rigid(turned: f64) -> [f64; 2] {
    let (s, c) = SLOPE.sin_cos();
    let e = [turned.cos(), -turned.sin()];
    let left = |angle: f64| {
        let u = [angle.cos(), angle.sin()];
        let size = u[0].hypot(RATIO * u[1]);
        let f = [u[0], RATIO * RATIO * u[1]].map(|x| G * c * MU * x / size);
        let a = [G * s * e[0] - f[0], G * s * e[1] - f[1]];
        [a[0] * u[1] - a[1] * u[0], a[0] * u[0] + a[1] * u[1]]
    };
    let (mut low, mut high) = (-turned - 0.7, -turned + 0.7);
    let sign = left(low)[0].signum();
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if left(middle)[0] * sign > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let way = 0.5 * left(low)[1];
    // back to down and across
    let angle = low + turned;
    [way * angle.cos(), way * angle.sin()]
}

#[test]
fn a_mass_leaves_the_line_of_steepest_descent() {
    let (s, c) = SLOPE.sin_cos();
    for turned in [0.0, 0.4, 0.9, -1.2, std::f64::consts::FRAC_PI_2] {
        let (st, ct) = f64::sin_cos(turned);
        // in the plane, from the way down towards y; and the same with a part along the normal
        let along = [ct * c, st, -ct * s];
        let leaning = [along[0] + 0.4 * s, along[1], along[2] + 0.4 * c];
        let wanted = rigid(turned);
        for first in [along, leaning] {
            let [down, across] = slide(first);
            // bristles of μ/σ₀ = 3 um build up while the mass slides already
            close(&format!("{turned}, down"), down, wanted[0], 1e-3);
            close(&format!("{turned}, across"), across, wanted[1], 1e-3);
        }
    }
}

/// Without the field it is the projection of x: down the slope.
#[test]
fn the_first_axis_is_the_projection_of_x_if_nothing_is_said() {
    let (_, rows) = run(&scenario(""));
    let c = SLOPE.cos();
    let x = rows.column("body.mass.position.x");
    close("down", (x[x.len() - 1] - x[0]) / c, rigid(0.0)[0], 1e-3);
    close("across", rows.last("body.mass.position.y"), 0.0, 1e-9);
}

#[test]
fn a_first_direction_along_the_normal_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    let (s, c) = SLOPE.sin_cos();
    for (first, message) in [
        (
            format!("[{}, 0, {}]", 3.0 * s, 3.0 * c),
            "contact.slope.plane.first_direction: it is along the normal, and has no direction in the plane",
        ),
        (
            "[0, 0, 0]".to_owned(),
            "contact.slope.plane.first_direction: a direction cannot be the vector [0, 0, 0]",
        ),
    ] {
        std::fs::write(&path, scenario(&format!(", first_direction = {first}"))).unwrap();
        let errors = load(&path, &[], &mut SourceMap::new()).unwrap_err();
        let errors: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
        assert_eq!(errors, [message]);
    }
}
