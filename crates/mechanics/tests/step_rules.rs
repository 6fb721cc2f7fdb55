//! What sets the step: error control, EasyDyn's strategy, Dymore's rules on the stick-slip experiment.
//!
//! `cargo test -p bristle-mechanics --test step_rules -- --nocapture` prints the table of
//! docs/validation/accuracy.md.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by a panic and may print"
)]

mod common;

use bristle_integrate::{Control, SlipRule};
use bristle_mechanics::record::Start;
use common::{plan, record, stick_slip};

/// x(25 s) of the experiment: SciPy Radau and DOP853 at rtol 1e-10, Exudyn DOPRI5.
const REFERENCE: f64 = 1.908_839_20;

fn adaptive(max_step: f64) -> Control {
    Control::Adaptive {
        min_step: 2.5e-9,
        max_step,
        first_step: 1e-5,
    }
}

fn easydyn(max_step: f64) -> Control {
    Control::Halving {
        min_step: 1e-8,
        max_step,
        first_step: 1e-5,
    }
}

fn coulomb_rule(min_step: f64, max_step: f64) -> Control {
    Control::Slip {
        rule: SlipRule::Tanh { reference: 5.0 },
        min_step,
        max_step,
    }
}

fn lugre_rule(reduced_step: f64) -> Control {
    Control::Slip {
        rule: SlipRule::Power {
            reduced_step,
            reference: 5.0,
            exponent: 1.2,
        },
        min_step: 2.5e-9,
        max_step: 0.05,
    }
}

#[test]
fn every_rule_solves_the_stick_slip_experiment() {
    let model = stick_slip();
    // name, tolerance, control, allowed error of x(25 s)
    let runs = [
        ("error, 1e-6", 1e-6, adaptive(0.05), 1e-4),
        ("error, 1e-7", 1e-7, adaptive(0.05), 2e-5),
        ("error, 1e-8", 1e-8, adaptive(0.05), 5e-6),
        ("easydyn, 1e-6", 1e-6, easydyn(0.05), 2e-2),
        ("easydyn, 1e-8", 1e-8, easydyn(0.05), 2e-3),
        ("easydyn, 1e-10", 1e-10, easydyn(0.05), 1e-4),
        (
            "dymore_coulomb, 0.1 to 1 ms",
            1e-8,
            coulomb_rule(1e-4, 1e-3),
            1e-4,
        ),
        (
            "dymore_coulomb, 1 to 10 ms",
            1e-8,
            coulomb_rule(1e-3, 1e-2),
            5e-3,
        ),
        ("dymore_lugre, 0.02", 1e-8, lugre_rule(0.02), 1e-3),
        ("dymore_lugre, 0.2", 1e-8, lugre_rule(0.2), 1e-2),
    ];
    println!("| step control | steps | rejected | evaluations | error of x(25 s), m |");
    for (name, tolerance, control, allowed) in runs {
        let mut plan = plan(25.0, tolerance);
        plan.control = control;
        let (outcome, rows) = record(&model, &plan, Start::AsGiven, 0.025);
        assert!(outcome.error.is_none(), "{name}: {:?}", outcome.error);
        let error = (rows.at("body.block.position.x", 25.0) - REFERENCE).abs();
        let s = outcome.statistics;
        println!(
            "| {name} | {} | {} | {} | {error:.1e} |",
            s.steps, s.rejected, s.iterations
        );
        assert!(error < allowed, "{name}: {error}");
    }
}
