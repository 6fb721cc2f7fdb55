//! The inner loop of a simulation does not touch the heap.

#![allow(clippy::expect_used, reason = "a test says what fails by panicking")]

use allocation_counter::measure;
use bristle_laws::friction::typical;
use bristle_laws::{Friction, Slip, Step};

/// Room for every state slice, on the stack.
const STATES: usize = bristle_laws::MAX_STATES;

fn without_allocation<const D: usize>() {
    for card in Friction::CARDS {
        let law = Friction::build(card.name, &typical(card)).expect("typical parameters");
        let n = law.layout().len(D);
        assert!(n <= STATES, "{}: {n} states", card.name);
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
        assert_eq!(counted.count_total, 0, "{} allocates in {D}D", card.name);
    }
}

#[test]
fn rates_update_and_tangent_do_not_allocate() {
    without_allocation::<1>();
    without_allocation::<2>();
    without_allocation::<3>();
}

#[test]
fn the_counter_counts() {
    let counted = measure(|| drop(std::hint::black_box(vec![0.0; 3])));
    assert_eq!(counted.count_total, 1);
}
