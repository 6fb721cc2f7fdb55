//! Order of the methods at fixed steps, and what a rejected step must not do.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod common;

use bristle_integrate::{Control, Method, Plan};
use bristle_mechanics::record::Start;
use common::{block, lugre, record, table};

/// Position, speed and bristle of the block at a time in the smooth part of its motion.
fn block_at(method: Method, end_time: f64, step: f64) -> [f64; 3] {
    let normal = table(&[(0.0, 10.0), (4.0, 10.0)]);
    let pull = bristle_signals::Signal::expression("0.6*(1 - cos(3*t))").unwrap();
    let model = block(1.0, lugre(), normal, vec![pull]).build();
    let plan = Plan {
        method,
        end_time,
        // of the iteration: far below the differences of the finest steps
        tolerance: if method == Method::Esdirk4 {
            1e-14
        } else {
            1e-10
        },
        control: Control::Fixed { step },
    };
    let (outcome, rows) = record(&model, &plan, Start::AsGiven, 0.1);
    assert_eq!(outcome.error, None);
    [
        "body.block.position.x",
        "joint.block.rate",
        "contact.base.point1.state.x",
    ]
    .map(|name| rows.at(name, end_time))
}

/// Before the slip reverses at π/3 s: |v| has a kink there, which is worth an order.
#[test]
fn halving_the_step_divides_the_error_of_the_stages_by_sixteen() {
    let steps = [4e-3, 2e-3, 1e-3, 5e-4];
    let runs = steps.map(|h| block_at(Method::Esdirk4, 0.9, h));
    for (k, least) in [(0, 3.5), (1, 3.5), (2, 2.0)] {
        let values = runs.map(|run| run[k]);
        let difference = |i: usize| (values[i] - values[i + 1]).abs();
        let order = (difference(1) / difference(2)).log2();
        assert!(order > least, "quantity {k}: order {order}, {values:?}");
    }
}

#[test]
fn halving_the_step_divides_the_error_by_four() {
    for (name, method) in [
        ("newmark", Method::NEWMARK),
        ("hht", Method::hht(0.1)),
        ("generalised alpha 0.8", Method::generalised_alpha(0.8)),
        ("generalised alpha 0", Method::generalised_alpha(0.0)),
    ] {
        let steps = [8e-4, 4e-4, 2e-4, 1e-4];
        let runs = steps.map(|h| block_at(method, 1.7, h));
        for k in 0..3 {
            // Richardson: differences of successive halvings fall by 4 for second order
            let values = runs.map(|run| run[k]);
            let difference = |i: usize| (values[i] - values[i + 1]).abs();
            let order = (difference(1) / difference(2)).log2();
            // order 2 within 0.2
            assert!(
                (order - 2.0).abs() < 0.2,
                "{name}, quantity {k}: order {order}"
            );
        }
    }
}
