//! Both views of a law against each other, and their derivatives against differences.

use crate::common::{METRE, ONE, PER_METRE, law, lugre};
use bristle_laws::own::OwnLaw;
use bristle_laws::{FrictionLaw, Law, Slip, Step};

/// Dahl's law with a stiffness that rises with the deflection: not linear in z.
fn hardening() -> OwnLaw {
    law(
        "
        k     = sigma_0*(1 + |z|^2/l^2)
        dz/dt = v - k/mu*|v|*z
        F     = N*k*z
        ",
        &[("sigma_0", PER_METRE), ("l", METRE), ("mu", ONE)],
        &[("sigma_0", 1e3), ("l", 1e-4), ("mu", 0.3)],
    )
}

/// A smooth path in the plane: slip velocity and normal force.
fn path(t: f64) -> Slip<f64, 2> {
    Slip::new(
        [2e-3 + 1e-3 * (40.0 * t).sin(), 1e-3 * (30.0 * t).cos()],
        10.0 + (20.0 * t).sin(),
    )
}

/// The force at the end of 0.1 s in `count` steps.
fn end(law: &OwnLaw, count: u32) -> [f64; 2] {
    let h = 0.1 / f64::from(count);
    let mut z = [0.0; 2];
    let mut force = [0.0; 2];
    for k in 0..count {
        let t = h * f64::from(k);
        let (mean, end) = (path(t + 0.5 * h), path(t + h));
        let step = Step {
            mean,
            end,
            duration: h,
        };
        let mut new = [0.0; 2];
        force = law.update(&step, &z, &mut new);
        z = new;
    }
    force
}

/// The same by the continuous view and the classical method of Runge and Kutta.
fn reference(law: &OwnLaw) -> [f64; 2] {
    let count = 20_000;
    let h = 0.1 / f64::from(count);
    let mut z = [0.0; 2];
    let rate = |t: f64, z: [f64; 2]| {
        let mut rates = [0.0; 2];
        let force = law.rates(&path(t), &z, &mut rates);
        (rates, force)
    };
    let ahead = |z: [f64; 2], k: [f64; 2], h: f64| [z[0] + h * k[0], z[1] + h * k[1]];
    for i in 0..count {
        let t = h * f64::from(i);
        let k1 = rate(t, z).0;
        let k2 = rate(t + 0.5 * h, ahead(z, k1, 0.5 * h)).0;
        let k3 = rate(t + 0.5 * h, ahead(z, k2, 0.5 * h)).0;
        let k4 = rate(t + h, ahead(z, k3, h)).0;
        for j in 0..2 {
            z[j] += h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]);
        }
    }
    rate(0.1, z).1
}

#[test]
fn the_views_agree_to_second_order() {
    for (name, law) in [("lugre", lugre()), ("hardening", hardening())] {
        let exact = reference(&law);
        let error = |count: u32| {
            let force = end(&law, count);
            (force[0] - exact[0]).hypot(force[1] - exact[1])
        };
        let (coarse, fine) = (error(400), error(1600));
        // four times shorter steps: sixteen times less, with some room
        assert!(fine < coarse / 12.0, "{name}: {coarse:e} {fine:e}");
        assert!(fine < 1e-3, "{name}: {fine:e}");
    }
}

#[test]
fn tangents_are_those_of_the_forces() {
    for (name, law) in [("lugre", lugre()), ("hardening", hardening())] {
        for duration in [1e-4, 1e-2, 1.0] {
            let old = [4e-5, -3e-5];
            let force = |shift: [f64; 6]| {
                let step = Step {
                    mean: Slip::new([1e-3 + shift[0], -2e-3 + shift[1]], 10.0 + shift[2]),
                    end: Slip::new([3e-3 + shift[3], 1e-3 + shift[4]], 12.0 + shift[5]),
                    duration,
                };
                (step, law.update(&step, &old, &mut [0.0; 2]))
            };
            let (_, tangent) = law.update_with_tangent(&force([0.0; 6]).0, &old, &mut [0.0; 2]);
            for (input, by) in [
                (0, 1e-8),
                (1, 1e-8),
                (2, 1e-4),
                (3, 1e-8),
                (4, 1e-8),
                (5, 1e-4),
            ] {
                let shifted = |sign: f64| {
                    let mut shift = [0.0; 6];
                    shift[input] = sign * by;
                    force(shift).1
                };
                let (up, down) = (shifted(1.0), shifted(-1.0));
                for i in 0..2 {
                    let slope = (up[i] - down[i]) / (2.0 * by);
                    let exact = match input {
                        0 | 1 => tangent.mean_velocity[i][input],
                        2 => tangent.mean_normal_force[i],
                        3 | 4 => tangent.velocity[i][input - 3],
                        _ => tangent.normal_force[i],
                    };
                    // differences of forces of some N, which substeps hold to 1e-8
                    let scale = if input % 3 == 2 { 1.0 } else { 1e3 };
                    assert!(
                        (slope - exact).abs() < 1e-3 * exact.abs() + 2e-3 * scale,
                        "{name}, {duration} s, input {input}: {slope} {exact}"
                    );
                }
            }
        }
    }
}

#[test]
fn one_dimension_is_part_of_three_and_nothing_presses_without_load() {
    for (name, law) in [("lugre", lugre()), ("hardening", hardening())] {
        for duration in [1e-4, 0.1, 1e6] {
            let (one, three) = (Slip::new([2e-3], 10.0), Slip::new([0.0, 2e-3, 0.0], 10.0));
            let (mut a, mut b) = ([1e-5], [0.0, 1e-5, 0.0]);
            let [f] = law.update(&Step::constant(one, duration), &[1e-5], &mut a);
            let g = law.update(&Step::constant(three, duration), &[0.0, 1e-5, 0.0], &mut b);
            assert!(
                (f - g[1]).abs() < 1e-12 * f.abs() && g[0] == 0.0 && g[2] == 0.0,
                "{name}"
            );
            let idle = Step::constant(Slip::new([2e-3], 0.0), duration);
            let [force] = law.update(&idle, &[1e-5], &mut a);
            assert!(force.abs() <= 0.0, "{name}: {force}");
        }
        // a long slide ends at the steady force, and one huge step does
        let steady = law.steady(2e-3, 10.0).unwrap();
        let step = Step::constant(Slip::new([2e-3], 10.0), 1e9);
        let [force] = law.update(&step, &[1e-5], &mut [0.0]);
        assert!(
            (force - steady).abs() < 1e-9 * steady,
            "{name}: {force} {steady}"
        );
    }
}

#[test]
fn the_energy_of_bristles_is_that_of_springs() {
    // N sigma_0 z²/2, and for the stiffness that hardens N sigma_0 (z²/2 + z⁴/(4 l²))
    let z = [3e-5, 4e-5];
    let square: f64 = 25e-10;
    let plain = lugre().stored_energy::<2>(10.0, &z);
    assert!((plain - 0.5 * 10.0 * 1e4 * square).abs() < 1e-12 * plain);
    let hard = hardening().stored_energy::<2>(10.0, &z);
    let exact = 10.0 * 1e3 * (0.5 * square + 0.25 * square * square / 1e-8);
    assert!((hard - exact).abs() < 1e-12 * exact, "{hard} {exact}");
}
