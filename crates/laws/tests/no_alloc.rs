//! The inner loop of a simulation does not touch the heap.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    dead_code,
    reason = "a test says what fails by panicking, and takes a part of what tests share"
)]

#[path = "own/common.rs"]
mod common;

use allocation_counter::measure;
use bristle_laws::friction::typical;
use bristle_laws::{Friction, Slip, Step};

/// Room for every state slice, on the stack.
const STATES: usize = bristle_laws::MAX_STATES;

/// Counts what rates, update and tangent of a law allocate over some reversals.
fn without_allocation<const D: usize>(name: &str, law: &Friction) {
    let n = law.layout().len(D);
    assert!(n <= STATES, "{name}: {n} states");
    let (mut old, mut new) = ([0.0; STATES], [0.0; STATES]);
    let counted = measure(|| {
        law.start(&Slip::new([0.0; D], 10.0), &mut old[..n]);
        for k in 0..40 {
            let v = law.slip_speed() * 3.0 * (0.3 * f64::from(k)).sin();
            let slip = Slip::new([v; D], 10.0);
            let step = Step::constant(slip, 1e-3);
            let _ = law.rates(&slip, &old[..n], &mut new[..n]);
            let _ = law.update_with_tangent(&step, &old[..n], &mut new[..n]);
            let _ = law.update(&step, &old[..n], &mut new[..n]);
            old = new;
        }
    });
    assert_eq!(counted.count_total, 0, "{name} allocates in {D}D");
}

#[test]
fn rates_update_and_tangent_do_not_allocate() {
    for card in Friction::CARDS {
        let law = Friction::build(card.name, &typical(card)).expect("typical parameters");
        without_allocation::<1>(card.name, &law);
        without_allocation::<2>(card.name, &law);
        without_allocation::<3>(card.name, &law);
    }
}

#[test]
fn laws_of_equations_do_not_allocate() {
    // without a state, with one that relaxes, and with one that takes the implicit method
    let cubic = common::law(
        "dz/dt = v - |v|*dot(z, z)*z/d^3
         F = N*mu*z/d",
        &[("mu", common::ONE), ("d", common::METRE)],
        &[("mu", 0.3), ("d", 1e-5)],
    );
    let ramp = common::law(
        "F = mu*N*tanh(v/v_r)",
        &[("mu", common::ONE), ("v_r", common::SPEED)],
        &[("mu", 0.3), ("v_r", 1e-3)],
    );
    for (name, law) in [
        ("ramp", ramp),
        ("relaxing", common::lugre()),
        ("cubic", cubic),
    ] {
        let law = Friction::Own(law);
        without_allocation::<1>(name, &law);
        without_allocation::<2>(name, &law);
        without_allocation::<3>(name, &law);
    }
}

#[test]
fn the_counter_counts() {
    let counted = measure(|| drop(std::hint::black_box(vec![0.0; 3])));
    assert_eq!(counted.count_total, 1);
}
