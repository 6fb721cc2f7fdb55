//! Rate-independent laws and Maxwell slip: closed forms along the path, limits in one another.

use crate::rig::{Rig, build, build_typical, close, numbers};
use bristle_laws::{Friction, Value};

#[test]
fn dahl_loop_of_the_turning_force() {
    // case C46: sigma 1e4 N/m, Fc 2 N, +-1 mm
    let law = build(
        "dahl",
        &[("bristle_stiffness", 1e4), ("kinetic_coefficient", 2.0)],
    );
    let mut rig = Rig::<1>::new(law);
    close(rig.move_by(1.386_294e-4, 1.0, 3), 1.0, 1e-6); // seven digits of the travel
    rig.move_by(1e-3 - 1.386_294e-4, 1.0, 1);
    for _ in 0..5 {
        rig.move_by(-2e-3, 1.0, 1);
        rig.move_by(2e-3, 1.0, 1);
    }
    // the references have seven digits
    close(rig.slide([0.0], 1.0, 1.0, 1)[0], 1.999_818, 1e-6);
    let mut there = Rig::<1> {
        law: rig.law.clone(),
        state: rig.state.clone(),
    };
    close(there.move_by(-1e-3, 1.0, 1), -1.973_049, 1e-6);
    close(loop_area(&mut rig, 1e-3, 1.0), 6.400_145e-3, 1e-9);
}

/// Work of one cycle of amplitude `a` from the upper turning point, by Simpson's rule.
fn loop_area(rig: &mut Rig<1>, a: f64, n: f64) -> f64 {
    let steps = 2000;
    let dx = 2.0 * a / f64::from(steps);
    let mut work = 0.0;
    let mut before = rig.slide([0.0], n, 1.0, 1)[0];
    for direction in [-1.0, 1.0] {
        for _ in 0..steps {
            // the force is smooth between the turning points: the rule is exact to dx^4
            let middle = rig.move_by(direction * 0.5 * dx, n, 1);
            let after = rig.move_by(direction * 0.5 * dx, n, 1);
            work += direction * dx * (before + 4.0 * middle + after) / 6.0;
            before = after;
        }
    }
    work
}

#[test]
fn dahl_loop_areas() {
    // area 4 Fc U (1 - tanh(p)/p), p = sigma U/Fc: 0.1, 1, 5; computed elsewhere
    for (u, area, peak) in [
        (1e-6, 1.328_022e-8, 0.099_668),
        (1e-5, 9.536_234e-6, 0.761_594),
        (5e-5, 1.600_036e-4, 0.999_909),
    ] {
        let law = build(
            "dahl",
            &[("bristle_stiffness", 1e4), ("kinetic_coefficient", 0.1)],
        );
        let mut rig = Rig::<1>::new(law);
        rig.move_by(u, 10.0, 1);
        for _ in 0..200 {
            rig.move_by(-2.0 * u, 10.0, 1);
            rig.move_by(2.0 * u, 10.0, 1);
        }
        // six and seven digits of the references
        close(rig.slide([0.0], 10.0, 1.0, 1)[0], peak, 1e-6);
        close(loop_area(&mut rig, u, 10.0), area, 1e-6 * area);
    }
}

#[test]
fn dahl_exponents() {
    // from rest y = 1 - r: n = 1/2 gives (1 - a/2)^2, stopped at a = 2; n = 2 gives 1/(1 + a);
    // n = 0 gives 1 - a, stopped at 1 (Jenkins)
    for (n, a, r) in [
        (0.5, 1.0, 0.75),
        (0.5, 3.0, 1.0),
        (2.0, 3.0, 0.75),
        (3.0, 4.0, 2.0 / 3.0),
        (0.0, 0.25, 0.25),
        (0.0, 7.0, 1.0),
    ] {
        let law = build(
            "dahl",
            &[
                ("bristle_stiffness", 1e4),
                ("kinetic_coefficient", 0.1),
                ("dahl_exponent", n),
            ],
        );
        for steps in [1, 100] {
            let mut rig = Rig::<1>::new(law.clone());
            // exact in the travel: rounding of a hundred steps
            close(rig.move_by(a * 1e-5, 10.0, steps), r, 1e-12);
        }
    }
}

/// A curved motion in space with presliding, sliding and turns.
fn curved(k: i32) -> [f64; 3] {
    let t = f64::from(k);
    let size = 1e-3 * (0.02 + 3.0 * (0.05 * t).sin().powi(2));
    [(0.21 * t).cos(), (0.13 * t).sin(), 0.4 * (0.3 * t).cos()].map(|x| size * x)
}

/// Both laws give the same force along the curved motion.
fn same_force(a: Friction, b: Friction, tolerance: f64) {
    let (mut a, mut b) = (Rig::<3>::new(a), Rig::<3>::new(b));
    for k in 0..300 {
        let n = 10.0 + 3.0 * (0.1 * f64::from(k)).sin();
        let (f, g) = (
            a.slide(curved(k), n, 2e-3, 1),
            b.slide(curved(k), n, 2e-3, 1),
        );
        for i in 0..3 {
            assert!((f[i] - g[i]).abs() <= tolerance, "step {k}: {f:?} {g:?}");
        }
    }
}

#[test]
fn limits_of_one_law_in_another() {
    let dahl = || build("dahl", &[("sigma_0", 1e4), ("mu_k", 0.1)]);
    let lugre = |sigma_1: f64, mu_s: f64| {
        build(
            "lugre",
            &[
                ("sigma_0", 1e4),
                ("sigma_1", sigma_1),
                ("sigma_2", 0.0),
                ("v_s", 1e-3),
                ("mu_k", 0.1),
                ("mu_s", mu_s),
            ],
        )
    };
    // Dymore: LuGre without damping and without a static level is Dahl; rounding only
    same_force(lugre(0.0, 0.1), dahl(), 1e-13);
    // Bliman-Sorine without its second part is Dahl with sigma_0 = f_1/(eta eps_f)
    let bliman = build(
        "bliman_sorine",
        &[("f_1", 0.1), ("f_2", 0.0), ("eta", 0.25), ("eps_f", 4e-5)],
    );
    same_force(bliman, dahl(), 1e-13);
    // one element that never slides, n = 1: LuGre with sigma_0 = k; rounding over 300 steps
    let list = |x: f64| Value::List(vec![x]);
    let mut values = numbers(&[
        ("leuven_exponent", 1.0),
        ("sigma_1", 31.0),
        ("v_s", 1e-3),
        ("mu_k", 0.1),
        ("mu_s", 0.15),
    ]);
    values.push(("element_stiffnesses".to_owned(), list(1e4)));
    values.push(("element_limits".to_owned(), list(10.0)));
    let leuven = Friction::build("leuven", &values).expect("admissible parameters");
    same_force(leuven, lugre(31.0, 0.15), 1e-11);
    // one element without Stribeck effect: the Jenkins element, at constant N
    let mut values = numbers(&[("C", 5.0), ("v_s", 1e-3), ("mu_k", 0.1)]);
    values.push(("element_stiffnesses".to_owned(), list(1e4)));
    values.push(("element_fractions".to_owned(), list(1.0)));
    let gms = Friction::build("gms", &values).expect("admissible parameters");
    let jenkins = build("jenkins", &[("k_t", 1e5), ("mu_k", 0.1)]);
    let (mut a, mut b) = (Rig::<1>::new(gms), Rig::<1>::new(jenkins));
    for k in 0..300 {
        let v = [curved(k)[0]];
        close(
            a.slide(v, 10.0, 2e-3, 1)[0],
            b.slide(v, 10.0, 2e-3, 1)[0],
            1e-12,
        );
    }
}

#[test]
fn bliman_sorine_peaks() {
    let mut rig = Rig::<1>::new(build_typical("bliman_sorine"));
    // peak travel 1e-5 ln(25/3), peaks of the closed form: from rest and after full reverse slip
    let travel = 1e-5 * (25.0_f64 / 3.0).ln();
    let (fast, slow) = ((-travel / 8e-6).exp(), (-travel / 4e-5).exp());
    let from_rest = 0.25 * (1.0 - fast) - 0.15 * (1.0 - slow);
    let reversed = 0.25 * (1.0 - 2.0 * fast) - 0.15 * (1.0 - 2.0 * slow);
    assert_eq!(rig.law.breakaway_deflection(1.0), Some(travel));
    close(rig.move_by(travel, 10.0, 9), 10.0 * from_rest, 1e-13);
    close(10.0 * from_rest, 1.71, 5e-3); // the three digits of the law sheet
    // a peak: lower on both sides
    for beside in [0.9, 1.1] {
        let mut other = Rig::<1>::new(rig.law.clone());
        assert!(other.move_by(travel * beside, 10.0, 1) < 10.0 * from_rest);
    }
    rig.move_by(-1.0, 10.0, 1);
    close(rig.move_by(travel, 10.0, 1), 10.0 * reversed, 1e-13);
}

#[test]
fn jenkins_paths() {
    // case C45: k 1e6, limit 1: +5 um, then -1.5 um
    for steps in [1, 1000] {
        let mut rig = Rig::<1>::new(build("jenkins", &[("k_t", 1e6), ("mu_k", 0.1)]));
        close(rig.move_by(5e-6, 10.0, steps), 1.0, 1e-15);
        // a thousand roundings of the displacement
        close(rig.move_by(-1.5e-6, 10.0, steps), -0.5, 1e-12);
        // the load falls at rest: the slider gives way
        close(rig.slide([0.0], 2.0, 1.0, 1)[0], -0.2, 1e-15);
        close(rig.slide([0.0], 20.0, 1.0, 1)[0], -0.2, 1e-15);
        close(rig.slide([0.0], 0.0, 1.0, 1)[0], 0.0, 0.0);
    }
    // k 2, Fs 3, U 5: force along the path, and the dissipation 4 Fs (U - Fs/k) = 42 per cycle
    let mut rig = Rig::<1>::new(build("jenkins", &[("k_t", 2.0), ("mu_k", 0.3)]));
    let mut at = 0.0;
    for (to, force) in [
        (5.0, 3.0),
        (3.5, 0.0),
        (2.0, -3.0),
        (-5.0, -3.0),
        (-3.5, 0.0),
        (-2.0, 3.0),
        (5.0, 3.0),
    ] {
        close(rig.move_by(to - at, 10.0, 1), force, 1e-12); // rounding of distance/speed
        at = to;
    }
    // piecewise linear with corners on the grid of 1/200: the rule is exact
    close(loop_area(&mut rig, 5.0, 10.0), 42.0, 1e-9);
}

#[test]
fn gms_remembers_and_follows_the_curve() {
    let mut rig = Rig::<1>::new(build_typical("gms"));
    // the inner loop 1, -0.5, 0.3, -0.5 (in units of 8 um) closes
    rig.move_by(8e-6, 10.0, 1);
    let outer = rig.move_by(-12e-6, 10.0, 1);
    rig.move_by(6.4e-6, 10.0, 1);
    let closed = rig.move_by(-6.4e-6, 10.0, 1);
    // 1 mm/s: attraction of 5 1/s acts on sliding elements for some ms, below 1 %
    close(closed, outer, 1e-2 * outer.abs());
    // sliding 300 times v_s faster, F relaxes with the rate C/mu_k: 5/0.1 = 50 1/s
    let law = build_typical("gms");
    let mut rig = Rig::<1>::new(law);
    let slow = rig.slide([1e-5], 10.0, 200.0, 5)[0];
    let g = 0.1 + 0.05 * (-1e-4_f64).exp();
    close(slow, 10.0 * (g + 0.04e-5), 1e-12);
    let fast = rig.slide([0.3], 10.0, 0.02, 7)[0];
    close(
        fast,
        10.0 * (0.1 + (g - 0.1) * (-1.0_f64).exp() + 0.012),
        1e-12,
    );
}
