//! Balls that roll, from their scenario files, against closed forms.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use machine::{Rows, close, run};

const G: f64 = 9.81;

/// A solid ball of 1 kg on a floor that sinks in by `sunk` m under its weight. Lengths are in `unit`, metres long
/// `metre` of it; `radius` and `rolling_length` are numbers in it.
struct Ball {
    radius: f64,
    speed: f64,
    spin: f64,
    rolling_length: f64,
    unit: &'static str,
    metre: f64,
}

impl Ball {
    fn run(&self, end: f64) -> Rows {
        let Self {
            radius,
            speed,
            spin,
            rolling_length,
            unit,
            metre,
        } = *self;
        // where 1e8 N/m^1.5 carry the weight
        let height = radius - (G / 1e8_f64).powf(1.0 / 1.5) * metre;
        let (speed, gravity, output) = (speed * metre, G * metre, end / 1000.0);
        let (_, rows) = run(&format!(
            r#"
title = "Ball"
[simulation]
end_time = {end}
output_step = {output}
gravity = [0, 0, "-{gravity} {unit}/s^2"]
integrator = {{ tolerance = 1e-7, max_step = "20 ms" }}
[body.ball]
joint = "free"
mass = "1 kg"
shape = {{ sphere = "{radius} {unit}" }}
position = [0, 0, "{height} {unit}"]
velocity = ["{speed} {unit}/s", 0, 0]
angular_velocity = [0, {spin}, 0]
[contact.floor]
points = {{ body = "ball", sphere = {{ radius = "{radius} {unit}" }} }}
plane = {{ body = "ground", normal = [0, 0, 1] }}
normal = {{ law = "hunt_crossley_1975", stiffness = 1e8, exponent = 1.5, dissipation = 0.5 }}
rolling_resistance = "{rolling_length} {unit}"
friction = {{ law = "lugre", bristle_stiffness = 1e5, bristle_damping = 3, stribeck_velocity = "1 mm/s", kinetic_coefficient = 0.3 }}
"#
        ));
        rows
    }
}

/// The velocity of the touching point is v + ω × r: a ball in perfect rolling feels no friction. With ω × r taken in the
/// other order it would slide at 2 m/s.
#[test]
fn c11_a_ball_that_rolls_feels_no_friction() {
    let ball = Ball {
        radius: 0.5,
        speed: 1.0,
        spin: 2.0,
        rolling_length: 0.0,
        unit: "m",
        metre: 1.0,
    };
    let rows = ball.run(0.5);
    let friction = rows.column("contact.floor.friction.magnitude");
    let largest = friction.iter().copied().fold(0.0, f64::max);
    // the lever is shorter by half of the 21 um that the ball sinks in, so that the point starts at 2.1e-5 m/s: its
    // bristles swing with at most 2.1e-5 m/s sqrt(sigma_0 N 2/7 m) = 11.2 mN; sliding would give 2.9 N
    assert!(largest < 11.2e-3, "{largest} N");
    close("speed", rows.last("body.ball.velocity.x"), 1.0, 3e-5);
}

/// a = (5/7) g d/R with d = 1 mm: stops after 14.27115 s and 7.13558 m, whether lengths are given in metres or in
/// centimetres.
#[test]
fn c30_rolling_resistance_is_a_length() {
    for (unit, metre) in [("m", 1.0), ("cm", 100.0)] {
        let ball = Ball {
            radius: 0.1 * metre,
            speed: 1.0,
            spin: 10.0,
            rolling_length: 1e-3 * metre,
            unit,
            metre,
        };
        let rows = ball.run(16.0);
        let (t, v) = (rows.column("t"), rows.column("body.ball.velocity.x"));
        // the friction acts at the lever R - 10 um, so that the deceleration is off by up to 1e-4 of itself
        let middle = t.iter().position(|t| *t >= 7.0).unwrap();
        close(unit, v[middle], 1.0 - 0.070_071_4 * t[middle], 1e-4);
        // M = N d, to the swings of the normal force
        let moment = rows.column("contact.floor.rolling_moment");
        close(unit, moment[middle], G * 1e-3, 1e-6);
        close(unit, rows.last("contact.floor.spinning_moment"), 0.0, 1e-12);
        let stop = t[v.iter().position(|v| *v < 1e-4).unwrap()];
        // 2 ms for the last 0.1 mm/s, 16 ms between samples, 1e-4 of 14 s
        close(unit, stop, 14.27115, 0.02);
        // 1e-4 of the way, and the moment that builds up within the first milliradian: 0.1 ms of speed
        close(unit, rows.last("body.ball.position.x"), 7.13558, 2e-3);
        close(unit, rows.last("body.ball.velocity.x"), 0.0, 1e-5);
    }
}

/// Without a rolling length friction alone never stops a ball that rolls.
#[test]
fn c30_friction_alone_does_not_stop_a_ball() {
    let ball = Ball {
        radius: 0.1,
        speed: 1.0,
        spin: 0.0,
        rolling_length: 0.0,
        unit: "m",
        metre: 1.0,
    };
    let rows = ball.run(2.0);
    let (t, v) = (rows.column("t"), rows.column("body.ball.velocity.x"));
    let at = |wanted: f64| v[t.iter().position(|t| *t >= wanted).unwrap()];
    // sliding until 0.0970827 s; the sample is the next of 2 ms
    close("while it slides", at(0.05), 1.0 - 0.3 * G * 0.05, 1e-3);
    for later in [0.11, 1.0, 2.0] {
        // the lever is short by 1e-4
        close("rolling", at(later), 0.714_286, 2e-4);
    }
}
