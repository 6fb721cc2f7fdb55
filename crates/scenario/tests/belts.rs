//! A belt of points on a drum that turns under it, against the polygon and the capstan equation.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use machine::run;
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write as _;

/// A belt of `count` points that lies round `wrap` (rad) of a drum of 0.1 m.
struct Belt {
    count: u32,
    wrap: f64,
    mu: f64,
}

/// Pull on one end, N, under which the belt is at rest on the drum.
const PULL: f64 = 20.0;
/// Of a piece of the belt, N/m: it gives by 2e-7 m, which changes the wrap by 1e-8 rad.
const STIFFNESS: f64 = 1e9;
/// Of the faces, N/m.
const FACE: f64 = 1e9;

impl Belt {
    /// The angle at a point.
    fn each(&self) -> f64 {
        self.wrap / f64::from(self.count)
    }

    /// Every point turns the belt by β/n between two forces, and N is that of both together:
    /// T₂/T₁ = ((1 + μ tan β/2n)/(1 − μ tan β/2n))ⁿ.
    fn polygon(&self) -> f64 {
        let drag = self.mu * (0.5 * self.each()).tan();
        ((1.0 + drag) / (1.0 - drag)).powf(f64::from(self.count))
    }

    /// The points in the order of the belt, from the anchored end; the anchor, and the direction of the pull.
    fn places(&self) -> (Vec<[f64; 2]>, [[f64; 2]; 2]) {
        let half = 0.5 * self.each();
        let radius = 0.1 - 2.0 * PULL * half.sin() / FACE;
        let start = FRAC_PI_2 + 0.5 * self.wrap;
        let at = |k: u32| {
            let angle = start - (f64::from(2 * k) + 1.0) * half;
            [radius * angle.cos(), radius * angle.sin()]
        };
        let places: Vec<[f64; 2]> = (0..self.count).map(at).collect();
        let along = |angle: f64| [angle.sin(), -angle.cos()];
        let [first, last] = [along(start), along(start - self.wrap)];
        let from = places[0];
        let anchor = [from[0] - 10.0 * first[0], from[1] - 10.0 * first[1]];
        (places, [anchor, last])
    }

    fn scenario(&self) -> String {
        let (places, [anchor, pull]) = self.places();
        let mut text = format!(
            r#"
title = "Belt"
[simulation]
end_time = 0.3
output_step = "50 ms"
gravity = [0, 0, 0]
start = "as_given"
integrator = {{ method = "generalised_alpha", spectral_radius = 0, tolerance = 1e-3, max_step = "20 ms" }}
[body.drum]
joint = "revolute"
axis = [0, 0, 1]
drive = {{ angle = {{ velocity = {{ table = [[0, 0], [0.02, 2], [1, 2]] }} }} }}
[part.node.body.p]
joint = "point"
mass = "10 g"
[part.node.contact.p]
points = {{ body = "p", at = [[0, 0, 0]] }}
surface = {{ body = "drum", cylinder = {{ radius = "100 mm" }} }}
normal = {{ law = "hunt_crossley_1975", stiffness = {FACE}, exponent = 1, dissipation = 1 }}
friction = {{ law = "lugre", kinetic_coefficient = {mu}, static_coefficient = {mu}, stribeck_velocity = "1 mm/s", bristle_stiffness = 1e5, bristle_damping = 30, damping_velocity = "10 mm/s" }}
[force.pull]
body = "n{last}_p"
direction = [{}, {}, 0]
magnitude = {PULL}
[place]
"#,
            pull[0],
            pull[1],
            mu = self.mu,
            last = places.len() - 1,
        );
        for (k, [x, y]) in places.iter().enumerate() {
            writeln!(
                text,
                "n{k} = {{ part = \"node\", position = [{x}, {y}, 0] }}"
            )
            .unwrap();
        }
        writeln!(text, "[cable]").unwrap();
        let stretch = PULL / STIFFNESS;
        let piece = (places[1][0] - places[0][0]).hypot(places[1][1] - places[0][1]) - stretch;
        writeln!(
            text,
            "anchor = {{ from = {{ body = \"n0_p\" }}, to = {{ body = \"ground\", point = [{}, {}, 0] }}, stiffness = {STIFFNESS}, damping = 1000, length = {} }}",
            anchor[0], anchor[1], 10.0 - stretch
        )
        .unwrap();
        for k in 1..places.len() {
            writeln!(
                text,
                "c{k} = {{ from = {{ body = \"n{}_p\" }}, to = {{ body = \"n{k}_p\" }}, stiffness = {STIFFNESS}, damping = 1000, length = {piece} }}",
                k - 1
            )
            .unwrap();
        }
        text
    }

    /// Tension at the pulled end over that at the anchored one.
    fn ratio(&self) -> f64 {
        let (_, rows) = run(&self.scenario());
        PULL / rows.last("cable.anchor.tension")
    }
}

#[test]
fn a_belt_of_points_has_the_tensions_of_its_polygon() {
    for (count, wrap, mu) in [
        (9, 2.0 * FRAC_PI_2, 0.3),
        (18, 2.0 * FRAC_PI_2, 0.1),
        (9, FRAC_PI_2, 0.3),
    ] {
        let belt = Belt { count, wrap, mu };
        let (ratio, wanted) = (belt.ratio(), belt.polygon());
        assert!(
            (ratio / wanted - 1.0).abs() < 1e-6,
            "{count} points, {wrap} rad, {mu}: {ratio} instead of {wanted}"
        );
    }
}

/// At 72 points the polygon is within 2e-4 of e^(μβ).
#[test]
fn at_72_points_it_is_a_capstan() {
    let belt = Belt {
        count: 72,
        wrap: 2.0 * FRAC_PI_2,
        mu: 0.3,
    };
    let (ratio, wanted) = (belt.ratio(), (0.3 * std::f64::consts::PI).exp());
    assert!((ratio / wanted - 1.0).abs() < 1e-3, "{ratio}");
}
