//! Bodies that fall on a floor with friction, against momentum.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use bristle_mechanics::record::Outcome;
use machine::{Rows, close, run};

/// A particle thrown along a floor from a height: `simulation`, mass (kg), height (m), speed (m/s),
/// and the laws of the contact.
fn thrown(simulation: &str, of: [f64; 3], normal: &str, friction: &str) -> (Outcome, Rows) {
    let [mass, height, speed] = of;
    run(&format!(
        r#"
title = "A particle thrown onto a floor"
[simulation]
{simulation}
gravity = [0, 0, -9.81]
[body.p]
joint = "point"
mass = {mass}
position = [0, 0, {height}]
velocity = [{speed}, 0, 0]
[contact.floor]
points = {{ body = "p", at = [[0, 0, 0]] }}
normal = {{ {normal} }}
friction = {{ {friction} }}
"#
    ))
}

/// In all, the floor gives the momentum m g t, whatever it does in the impacts, and friction μ times
/// that against the motion: the particle stops after v/(μ g).
#[test]
fn a_thrown_particle_stops_when_the_floor_has_taken_its_momentum() {
    let normal = r#"law = "kelvin_voigt", stiffness = 1e7, damping = 9000"#;
    let landed = (2.0 * 0.5 / 9.81_f64).sqrt();
    let left = 3.0 - 0.3 * 9.81 * landed;
    let way = 3.0 * landed + left * left / (2.0 * 0.3 * 9.81);
    for friction in [
        r#"law = "simpack_stick_slip", stick_stiffness = 1e6, stick_damping = 500, static_coefficient = 0.3, kinetic_coefficient = 0.3"#,
        r#"law = "karnopp", stiction_velocity = 1e-3, stribeck_velocity = 1e-2, static_coefficient = 0.3, kinetic_coefficient = 0.3"#,
        r#"law = "gkf", regularisation_velocity = 1e-3, stribeck_velocity = 1e-2, static_coefficient = 0.3, kinetic_coefficient = 0.3"#,
    ] {
        let (outcome, rows) = thrown("end_time = 1.4", [1.0, 0.5, 3.0], normal, friction);
        // the ends of their steep ramps and springs: micrometres, and the error of 1000 steps
        close(friction, rows.last("body.p.position.x"), way, 5e-6);
        assert!(outcome.balance.relative() < 1e-4, "{:?}", outcome.balance);
    }
    // the spring of a Jenkins element must be stiff to take part in an impact of 0.1 ms
    let friction = r#"law = "jenkins", tangential_stiffness = 1e12, kinetic_coefficient = 0.3"#;
    let (_, rows) = thrown("end_time = 1", [1.0, 0.5, 3.0], normal, friction);
    close(
        "jenkins",
        rows.last("body.p.velocity.x"),
        3.0 - 0.3 * 9.81,
        1e-4,
    );
}

/// Random masses, heights, stiffnesses and normal laws: no run ends early, and the sliding particle
/// has lost μ times the momentum that the floor gave.
#[test]
fn no_touch_down_ends_a_run() {
    let mut seed = 20_u64;
    let mut random = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        low + (high - low) * (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for i in 0..12 {
        let (mass, height) = (10_f64.powf(random(-1.0, 2.0)), random(0.02, 2.0));
        let mu = random(0.05, 0.8);
        let speed = random(1.3, 4.0) * mu * 9.81 * (2.0 * height / 9.81_f64).sqrt();
        let (k_n, k_t) = (10_f64.powf(random(6.0, 9.0)), 10_f64.powf(random(3.0, 6.0)));
        let normal = match i % 4 {
            0 => format!(
                "law = \"kelvin_voigt\", stiffness = {k_n}, damping = {}",
                (k_n * mass).sqrt()
            ),
            1 => format!("law = \"hertz\", stiffness = {k_n}"),
            2 => format!("law = \"flores\", stiffness = {k_n}, restitution = 0.5"),
            _ => format!("law = \"lankarani_nikravesh\", stiffness = {k_n}, restitution = 0.7"),
        };
        let end = 0.95 * speed / (mu * 9.81);
        let time = format!("end_time = {end}");
        let of = [mass, height, speed];
        let mut steps = Vec::new();
        for law in [
            format!(
                "law = \"karnopp\", stiction_velocity = 1e-3, stribeck_velocity = 1e-2, \
                 static_coefficient = {mu}, kinetic_coefficient = {mu}"
            ),
            format!(
                "law = \"simpack_stick_slip\", stick_stiffness = {k_t}, stick_damping = {}, \
                 static_coefficient = {mu}, kinetic_coefficient = {mu}",
                0.3 * (k_t * mass).sqrt()
            ),
            format!("law = \"jenkins\", tangential_stiffness = {k_t}, kinetic_coefficient = {mu}"),
        ] {
            let (outcome, rows) = thrown(&time, of, &normal, &law);
            assert!(outcome.balance.relative() < 1e-3, "{law} {normal}");
            steps.push(outcome.statistics.steps);
            if !law.contains("jenkins") {
                let fallen = rows.last("body.p.velocity.z");
                let wanted = (speed - mu * (9.81 * end + fallen)).max(0.0);
                let v = rows.last("body.p.velocity.x");
                close(&law, v, wanted, 1e-4 * speed);
            }
        }
        assert!(steps[1..].iter().all(|n| *n <= 3 * steps[0]), "{steps:?}");
    }
}

/// A particle that has stopped on a spring without damping rings on it, up to 200 Hz for the 30 to 70 % of
/// the time to the stop that follow. Steps follow that as far as velocities show it, and no finer because
/// friction ends at every turn: within 3 times those of a law that rests.
#[test]
fn a_ringing_stick_spring_takes_few_steps() {
    let mut seed = 7_u64;
    let mut random = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        low + (high - low) * (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..8 {
        let (mass, height) = (10_f64.powf(random(-0.5, 1.0)), random(0.05, 1.0));
        let (mu, k_t) = (random(0.1, 0.7), 10_f64.powf(random(4.0, 6.0)));
        let speed = random(1.5, 3.0) * mu * 9.81 * (2.0 * height / 9.81_f64).sqrt();
        let normal = format!(
            "law = \"kelvin_voigt\", stiffness = 1e7, damping = {}",
            (1e7 * mass).sqrt()
        );
        let time = format!("end_time = {}", random(1.3, 1.7) * speed / (mu * 9.81));
        let steps = [
            format!("law = \"jenkins\", tangential_stiffness = {k_t}, kinetic_coefficient = {mu}"),
            format!(
                "law = \"karnopp\", stiction_velocity = 1e-3, stribeck_velocity = 1e-2, \
                 static_coefficient = {mu}, kinetic_coefficient = {mu}"
            ),
        ]
        .map(|law| {
            let (outcome, _) = thrown(&time, [mass, height, speed], &normal, &law);
            assert!(
                outcome.balance.relative() < 1e-5,
                "{law} {:?}",
                outcome.balance
            );
            outcome.statistics.steps
        });
        assert!(steps[0] <= 3 * steps[1], "{steps:?}: k_t {k_t}, m {mass}");
    }
}

/// A block of 0.18 kg that slides to rest within 25 m and then rings with 133 Hz, ω a = 0.4 mm/s, on the spring of its
/// friction: what an iteration leaves in a place, well within its tolerance, is no error of friction, and holds no step
/// down. The fourth order would follow a swing in some six steps; an error of 1 % of it in each is tolerated, and it dies out.
#[test]
fn a_ring_far_from_the_start_takes_few_steps() {
    let (mass, k, mu, speed) = (0.182_f64, 1.28e5, 0.109, 7.33);
    let stops = speed / (mu * 9.81);
    let cycles = |end: f64| (end - stops) * (k / mass).sqrt() / std::f64::consts::TAU;
    let steps = |end: f64| {
        let (outcome, _) = run(&format!(
            r#"
title = "A block that slides to rest"
[simulation]
end_time = {end}
gravity = [0, 0, -9.81]
integrator = {{ max_step = 0.1 }}
[body.block]
joint = "point"
mass = {mass}
position = [0, 0, {}]
velocity = [{speed}, 0, 0]
[contact.base]
points = {{ body = "block", at = [[0, 0, 0]] }}
normal = {{ law = "kelvin_voigt", stiffness = 1e6, damping = 430 }}
friction = {{ law = "jenkins", tangential_stiffness = {k}, kinetic_coefficient = {mu} }}
"#,
            -9.81e-6 * mass
        ));
        outcome.statistics.steps
    };
    let (short, long) = (1.1 * stops, 1.4 * stops);
    let more = (steps(long) - steps(short)) as f64;
    let each = more / (cycles(long) - cycles(short));
    assert!(each < 8.0, "{each} steps in a cycle");
}

/// A bead so light that no step resolves its impact: the run goes on, and says so.
#[test]
fn the_impact_of_a_light_bead_does_not_end_a_run() {
    let normal = r#"law = "kelvin_voigt", stiffness = 1e6, damping = 1e3"#;
    let friction = r#"law = "gkf", regularisation_velocity = 1e-4, stribeck_velocity = 1e-2, static_coefficient = 0.2, kinetic_coefficient = 0.2"#;
    let (outcome, rows) = thrown("end_time = 0.5", [1e-3, 0.3, 2.0], normal, friction);
    let forced = outcome.statistics.forced.unwrap();
    assert!((1..20).contains(&forced.count), "{forced:?}");
    assert!(forced.element.contains("floor"), "{forced:?}");
    // v − μ g t; an impact in a step of 50 ps, and the error of the steps
    close(
        "v",
        rows.last("body.p.velocity.x"),
        2.0 - 0.2 * 9.81 * 0.5,
        1e-4,
    );
}

/// A prescribed normal force on a point behind its plane: as on the plane, without moment. The spring
/// k of the law holds up to 1 N under a pull of 2 N, then the block slides with (2 − 1) N/1 kg.
#[test]
fn depth_under_a_prescribed_force_makes_no_moment() {
    let (k, pull, limit) = (1e5_f64, 2.0_f64, 1.0_f64);
    let begins = (1.0 - limit / pull).acos() / k.sqrt();
    let speed = pull / k.sqrt() * (begins * k.sqrt()).sin() + (pull - limit) * (0.02 - begins);
    for depth in [0.0, 1e-3, 1e-2, 0.1] {
        let (outcome, rows) = run(&format!(
            r#"
title = "Pulled block"
[simulation]
end_time = "20 ms"
integrator = {{ tolerance = 1e-8 }}
[body.cube]
joint = "free"
mass = "1 kg"
shape = {{ box = [0.1, 0.1, 0.1] }}
position = [0, 0, {}]
[contact.base]
points = {{ body = "cube", at = [[0, 0, 0]] }}
normal = {{ prescribed = "10 N" }}
friction = {{ law = "jenkins", kinetic_coefficient = 0.1, tangential_stiffness = {k} }}
[force.pull]
body = "cube"
direction = [1, 0, 0]
magnitude = "{pull} N"
"#,
            -depth
        ));
        close("speed", rows.last("body.cube.velocity.x"), speed, 1e-6);
        let turning = rows.last("body.cube.angular_velocity.y");
        close("turning", turning, 0.0, 1e-15);
        assert!(outcome.balance.relative() < 1e-9, "{:?}", outcome.balance);
    }
}

/// A block that slides to rest under Karnopp's law stops after v²/(2 μ g), whatever its dead zone;
/// one that is wider than the speed holds it at once.
#[test]
fn every_dead_zone_makes_progress() {
    for zone in [1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3] {
        let (outcome, rows) = run(&format!(
            r#"
title = "Sliding block"
[simulation]
end_time = "1 s"
gravity = [0, 0, -9.81]
[body.block]
joint = "point"
velocity = [1, 0, 0]
position = [0, 0, -9.81e-6]
mass = "1 kg"
[contact.base]
points = {{ body = "block", at = [[0, 0, 0]] }}
normal = {{ law = "kelvin_voigt", stiffness = 1e6, damping = 1000 }}
friction = {{ law = "karnopp", stiction_velocity = {zone}, stribeck_velocity = 1e-2, static_coefficient = 0.3, kinetic_coefficient = 0.3 }}
"#
        ));
        if zone < 1e-2 {
            let way = 1.0 / (2.0 * 0.3 * 9.81);
            // the error of some 300 steps
            close("way", rows.last("body.block.position.x"), way, 1e-5);
        }
        let steps = outcome.statistics.steps + outcome.statistics.rejected;
        assert!(steps < 100_000, "{zone}: {steps} steps");
    }
}

/// A ladder at a wall that is smooth, and on a floor with μ = 0.6: it slips below tan θ = 1/(2 μ),
/// 39.81°. The smooth wall is imitated by a coefficient of 1e-6, whose bristles are 10 pm long.
#[test]
fn a_ladder_at_a_nearly_smooth_wall_slips_below_its_angle() {
    for law in ["lugre", "elastoplastic"] {
        for (degrees, slips) in [(40.3_f64, false), (39.3, true)] {
            let (x, z) = (
                4.0 * degrees.to_radians().cos(),
                4.0 * degrees.to_radians().sin(),
            );
            let friction = |mu: f64| {
                let own = if law == "lugre" {
                    "damping_velocity = 0.01".to_owned()
                } else {
                    format!("breakaway_deflection = {}", 0.7e-5 * mu)
                };
                format!(
                    "law = \"{law}\", bristle_stiffness = 1e5, bristle_damping = 100, \
                     stribeck_velocity = 1e-3, kinetic_coefficient = {mu}, \
                     static_coefficient = {mu}, {own}"
                )
            };
            let (outcome, rows) = run(&format!(
                r#"
title = "Ladder"
[simulation]
end_time = "0.6 s"
gravity = [0, 0, -9.81]
[body.ladder]
joint = "planar"
normal = [0, 1, 0]
mass = "12 kg"
inertia = [0.01, 16, 16]
centre_of_mass = [{}, 0, {}]
[contact.floor]
points = {{ body = "ladder", at = [[0, 0, 0]] }}
normal = {{ law = "kelvin_voigt", stiffness = 1e6, damping = 3000 }}
friction = {{ {} }}
[contact.wall]
points = {{ body = "ladder", at = [[{}, 0, {z}]] }}
plane = {{ point = [{}, 0, 0], normal = [1, 0, 0] }}
normal = {{ law = "kelvin_voigt", stiffness = 1e6, damping = 3000 }}
friction = {{ {} }}
"#,
                -0.5 * x,
                0.5 * z,
                friction(0.6),
                -x,
                -x,
                friction(1e-6)
            ));
            let moved = rows.last("body.ladder.position.x");
            assert_eq!(moved > 1e-3, slips, "{law} at {degrees} degrees: {moved} m");
            assert!(outcome.balance.relative() < 1e-3, "{:?}", outcome.balance);
        }
    }
}

/// An iteration that goes through a deep contact may not end beside it: a particle in flight has the
/// energy that friction and the damper of the floor have left.
#[test]
fn no_step_ends_beside_a_contact() {
    let normal =
        r#"law = "hunt_crossley", stiffness = 487604287692929.6, damping = 54780.49132226868"#;
    let friction = r#"law = "gkf", regularisation_velocity = 1e-3, stribeck_velocity = 1e-2, static_coefficient = 0.389, kinetic_coefficient = 0.389"#;
    let of = [
        2.801_647_238_431_906_7,
        1.260_437_845_651_462_2,
        4.077_874_461_805_464_5,
    ];
    let end = 2.109_822_354_225_774;
    let (outcome, rows) = thrown(&format!("end_time = {end}"), of, normal, friction);
    assert!(outcome.balance.relative() < 1e-3, "{:?}", outcome.balance);
    let fallen = rows.last("body.p.velocity.z");
    let wanted = (of[2] - 0.389 * (9.81 * end + fallen)).max(0.0);
    close("v", rows.last("body.p.velocity.x"), wanted, 1e-3);
}

/// A gram that comes to rest while it still bounces, in a dead zone of some µm/s: no step resolves both, the smallest ones
/// grow, and the run goes on to its end. The floor has taken all of the momentum by then.
#[test]
fn a_gram_that_bounces_to_rest_does_not_end_a_run() {
    let normal = r#"law = "lankarani_nikravesh", stiffness = 9828047912.615122, restitution = 0.7038604312917924"#;
    let friction = r#"law = "karnopp", stiction_velocity = 4.636289236456642e-6, stribeck_velocity = 1e-3, kinetic_coefficient = 0.2915448613988071, static_coefficient = 0.4373172920982106"#;
    let (mass, height, speed) = (
        1.091_775_927_649_004e-3,
        0.726_850_117_762_420_6,
        4.170_303_437_332_869,
    );
    let (outcome, rows) = thrown(
        "end_time = 1.8955559586517605",
        [mass, height, speed],
        normal,
        friction,
    );
    assert_eq!(outcome.error, None);
    // within its dead zone
    close("v", rows.last("body.p.velocity.x"), 0.0, 4.7e-6);
    assert!(outcome.balance.relative() < 1e-5, "{:?}", outcome.balance);
}

/// A box of a gram that falls on a corner, under a law whose curve falls steeply: in the impact no step down to the
/// smallest one converges, and shorter ones do. Friction has never more than μ times the momentum that the floor gave.
#[test]
fn a_light_box_that_falls_on_a_corner_does_not_end_a_run() {
    let (mass, start) = (1.0697e-3, [2.679_753, -0.381_169, 0.125_979]);
    let (gravity, mu, end) = ([1.858_963, 0.417_453, -9.81], 1.711_207, 0.519_249_455);
    let (outcome, rows) = run(&format!(
        r#"
title = "A light box"
[simulation]
end_time = {end}
gravity = {gravity:?}
[body.box]
joint = "free"
mass = {mass}
shape = {{ box = [0.04, 0.04, 0.04] }}
position = [0, 0, 0.176136]
velocity = {start:?}
angular_velocity = [-0.093214, 21.844878, -6.820583]
[contact.floor]
points = {{ body = "box", at = [
    [-0.02, -0.02, -0.02], [-0.02, -0.02, 0.02], [-0.02, 0.02, -0.02], [-0.02, 0.02, 0.02],
    [0.02, -0.02, -0.02], [0.02, -0.02, 0.02], [0.02, 0.02, -0.02], [0.02, 0.02, 0.02],
] }}
normal = {{ law = "kelvin_voigt", stiffness = 1.67693e8, damping = 323.537 }}
friction = {{ law = "gkf", regularisation_velocity = 1.0168e-6, stribeck_velocity = 1.0168e-5, static_coefficient = {mu}, kinetic_coefficient = 0.953345 }}
"#
    ));
    assert_eq!(outcome.error, None);
    let velocity = ["x", "y", "z"].map(|axis| rows.last(&format!("body.box.velocity.{axis}")));
    let given: [f64; 3] = std::array::from_fn(|i| velocity[i] - start[i] - gravity[i] * end);
    assert!(given[2] > 1.0, "{given:?}");
    assert!(given[0].hypot(given[1]) <= mu * given[2], "{given:?}");
}
