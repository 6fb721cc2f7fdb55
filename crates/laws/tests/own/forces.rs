//! Forces against those of the same laws of the catalogue.

use crate::common::{LUGRE_NUMBERS, METRE, ONE, PER_METRE, SPEED, law, lugre, values};
use bristle_laws::own::OwnLaw;
use bristle_laws::{Friction, FrictionLaw, Law, Slip, Step};

/// A motion that turns, rests and reverses, in D dimensions.
fn motion<const D: usize>(t: f64) -> Slip<f64, D> {
    let all = [
        3e-3 * (7.0 * t).sin() + 1e-3 * (31.0 * t).sin(),
        2e-3 * (5.0 * t).cos(),
        1e-3 * (11.0 * t).sin(),
    ];
    let rests = (t % 1.0) > 0.9;
    Slip::new(
        std::array::from_fn(|i| if rests { 0.0 } else { all[i] }),
        10.0 + 5.0 * (3.0 * t).sin(),
    )
}

/// The largest difference of the forces over the load, with steps of several lengths.
fn difference<const D: usize>(own: &OwnLaw, other: &Friction) -> f64 {
    let mut worst: f64 = 0.0;
    for duration in [1e-5, 1e-3, 0.03] {
        let mut states = [vec![0.0; 3], vec![0.0; 3]];
        let mut new = [vec![0.0; 3], vec![0.0; 3]];
        let (a, b) = (own.layout().len(D), other.layout().len(D));
        for k in 0..2000 {
            let t = duration * f64::from(k);
            let step = Step {
                mean: motion::<D>(t + 0.5 * duration),
                end: motion::<D>(t + duration),
                duration,
            };
            let f = own.update(&step, &states[0][..a], &mut new[0][..a]);
            let g = other.update(&step, &states[1][..b], &mut new[1][..b]);
            for (f, g) in f.iter().zip(g) {
                worst = worst.max((f - g).abs() / step.end.normal_force);
            }
            std::mem::swap(&mut states, &mut new);
        }
    }
    worst
}

fn catalogue(name: &str, numbers: &[(&str, f64)]) -> Friction {
    Friction::build(name, &values(numbers)).unwrap()
}

#[test]
fn lugre_as_equations_has_the_forces_of_lugre() {
    let (own, other) = (lugre(), catalogue("lugre", &LUGRE_NUMBERS));
    assert!(own.equations().relaxes());
    // the same operations but for their order: a handful of roundings
    assert!(difference::<1>(&own, &other) < 1e-13);
    assert!(difference::<2>(&own, &other) < 1e-13);
    assert!(difference::<3>(&own, &other) < 1e-13);
}

#[test]
fn coulomb_tanh_as_an_equation_has_its_forces() {
    let numbers = [("mu_k", 0.3), ("v_r", 1e-3)];
    let own = law(
        "F = mu_k*N*tanh(v/v_r)",
        &[("mu_k", ONE), ("v_r", SPEED)],
        &numbers,
    );
    let other = catalogue("coulomb_tanh", &numbers);
    assert!(difference::<1>(&own, &other) < 1e-13);
    assert!(difference::<2>(&own, &other) < 1e-13);
    assert!(difference::<3>(&own, &other) < 1e-13);
}

#[test]
fn dahl_as_equations_has_its_forces() {
    let numbers = [("mu_k", 0.3), ("sigma_0", 1e3)];
    let text = "
        dz/dt = v - sigma_0/mu_k*|v|*z
        F = N*sigma_0*z
    ";
    let own = law(text, &[("mu_k", ONE), ("sigma_0", PER_METRE)], &numbers);
    let other = catalogue("dahl", &numbers);
    assert!(difference::<1>(&own, &other) < 1e-13);
    assert!(difference::<3>(&own, &other) < 1e-13);
}

#[test]
fn an_update_by_newton_follows_the_same_law_that_relaxes() {
    // the second state is never moved by anything, but couples the rates: no closed form is seen
    let text = "
        dz/dt = v - sigma_0/mu_k*|v|*z + y/tau
        dy/dt = -y/tau + 0*dot(y, z)*z/l^2/tau
        F = N*sigma_0*z
    ";
    let parameters = [
        ("mu_k", ONE),
        ("sigma_0", PER_METRE),
        ("tau", crate::common::SECOND),
        ("l", METRE),
    ];
    let numbers = [("mu_k", 0.3), ("sigma_0", 1e3), ("tau", 1.0), ("l", 1.0)];
    let own = law(text, &parameters, &numbers);
    assert!(!own.equations().relaxes());
    let other = catalogue("dahl", &numbers[..2]);
    // 1e-8 of the state in each substep, which the law forgets within a few
    assert!(difference_of_two(&own, &other) < 1e-7);
}

/// [`difference`] of a law with two vector states.
fn difference_of_two(own: &OwnLaw, other: &Friction) -> f64 {
    let mut worst: f64 = 0.0;
    for duration in [1e-4, 0.03] {
        let (mut a, mut b) = ([0.0; 4], [0.0; 2]);
        for k in 0..500 {
            let t = duration * f64::from(k);
            let step = Step {
                mean: motion::<2>(t + 0.5 * duration),
                end: motion::<2>(t + duration),
                duration,
            };
            let (mut new_a, mut new_b) = ([0.0; 4], [0.0; 2]);
            let f = own.update(&step, &a, &mut new_a);
            let g = other.update(&step, &b, &mut new_b);
            (a, b) = (new_a, new_b);
            for (f, g) in f.iter().zip(g) {
                worst = worst.max((f - g).abs() / (0.3 * step.end.normal_force));
            }
        }
    }
    worst
}
