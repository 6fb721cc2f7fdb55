//! C42: the loss of a gear, in proportion to the load that it transmits.

use crate::rig::{build, close, numbers};
use bristle_laws::{Friction, Slip, Step};

/// 10 % of the load, and μd more or less; it turns to the direction of motion within h.
fn gear(mu_d: f64, h: f64) -> Friction {
    build("gear", &[("mu_a", 0.1), ("mu_d", mu_d), ("h", h)])
}

/// A load of N m, or N, with its sign.
fn under(velocity: f64, load: f64) -> Slip<f64, 1> {
    let mut slip = Slip::new([velocity], load.abs());
    slip.applied = [load];
    slip
}

/// The loss after a long way.
fn loss(law: &Friction, direction: f64, load: f64) -> f64 {
    let step = Step::constant(under(direction, load), 1.0);
    law.update(&step, &[0.0], &mut [0.0])[0]
}

#[test]
fn c42_a_gear_loses_more_forwards_than_driven_back() {
    let law = gear(0.03, 1e-3);
    // e^(-1000) is left of the start: rounding only
    close(loss(&law, 1.0, 20.0), 2.6, 1e-14);
    close(loss(&law, -1.0, 20.0), -1.4, 1e-14);
    close(loss(&law, -1.0, -20.0), -2.6, 1e-14);
    close(loss(&law, 1.0, -20.0), 1.4, 1e-14);
    // a load whose direction is not known, and none
    let step = Step::constant(Slip::new([1.0], 20.0), 1.0);
    close(law.update(&step, &[0.0], &mut [0.0])[0], 2.0, 1e-14);
    close(loss(&law, 1.0, 0.0), 0.0, 0.0);
}

#[test]
fn c42_a_gear_that_would_drive_is_refused() {
    for mu_d in [0.1, 0.2, -0.1] {
        let values = numbers(&[("mu_a", 0.1), ("mu_d", mu_d), ("h", 1e-3)]);
        let error = Friction::build("gear", &values).expect_err("friction would drive");
        assert_eq!(error.parameter(), Some("directional_coefficient"));
    }
}

#[test]
fn c42_without_a_directional_part_a_gear_is_dahl() {
    // G = mu_a |tau|, sigma_0 = G/h: per unit of load 0.1 and 100 1/m
    let (gear, dahl) = (
        gear(0.0, 1e-3),
        build("dahl", &[("sigma_0", 100.0), ("mu_k", 0.1)]),
    );
    let (mut x, mut z) = ([0.0], [0.0]);
    for (travel, load) in [(3e-4, 20.0), (2e-3, 15.0), (-8e-4, 15.0), (-3e-3, 1.0)] {
        let step = Step::constant(under(travel, load), 1.0);
        let (a, b) = (x, z);
        let f = dahl.update(&step, &a, &mut x)[0];
        // rounding of forces of 2 N
        close(gear.update(&step, &b, &mut z)[0], f, 1e-14);
        close(z[0], x[0] / 1e-3, 1e-14);
    }
}

#[test]
fn c42_a_loop_under_a_constant_load_takes_what_dahl_takes() {
    // forth and back lose the same in all, whatever the direction of the load: C46, Fc = 2 N,
    // sigma = 1e4 N/m, +-1 mm
    for mu_d in [0.0, 0.03, -0.09] {
        let (law, mut z, mut energy) = (gear(mu_d, 2e-4), [0.0], 0.0);
        let d = 5e-7_f64;
        for (steps, way) in [(2_000, d), (4_000, -d), (4_000, d), (4_000, -d), (4_000, d)] {
            let mut work = 0.0;
            for _ in 0..steps {
                let old = z;
                // the force at mid-step: half of the travel first
                let half = Step::constant(under(0.5 * way, 20.0), 1.0);
                work += way * law.update(&half, &old, &mut z)[0];
                law.update(&Step::constant(under(way, 20.0), 1.0), &old, &mut z);
            }
            // that of the last two passes
            energy = if way < 0.0 { work } else { energy + work };
        }
        // midpoint rule: (d/h)^2/24 = 3e-7 of 6 mJ; seven digits are printed
        close(energy, 6.400_145e-3, 3e-9);
    }
}

#[test]
fn c42_friction_in_proportion_to_the_load() {
    // a gear with mu_a = 0.1 under 20 N m: 2 N m both ways, whatever bristle carries it
    let rough = [
        ("sigma_0", 1e3),
        ("sigma_1", 0.0),
        ("v_s", 1e-3),
        ("mu_k", 0.1),
    ];
    for law in [
        build("dahl", &[("sigma_0", 1e3), ("mu_k", 0.1)]),
        build("lugre", &rough),
        gear(0.0, 1e-4),
    ] {
        for direction in [1.0, -1.0] {
            // rounding
            close(loss(&law, direction, 20.0), 2.0 * direction, 1e-12);
        }
    }
}
