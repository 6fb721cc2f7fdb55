//! Whole runs: the cube on six contacts and the stick-slip block.
//!
//! `cargo bench -p bristle-mechanics --bench systems`

#[path = "../tests/common/mod.rs"]
mod common;

use bristle_integrate::{
    Control, Flow, Method, Observer, Plan, Segment, State, Statistics, equilibrium, run,
};
use bristle_mechanics::Model;
use common::{cube, stick_slip};
use divan::Bencher;

fn main() {
    divan::main();
}

/// Watches nothing: the cost is that of the integration.
struct Nothing;

impl Observer<Model> for Nothing {
    fn start(&mut self, _model: &Model, _state: &State) -> Flow {
        Flow::Continue
    }
    fn accepted(&mut self, _segment: &Segment<'_, Model>) -> Flow {
        Flow::Continue
    }
}

fn integrate(model: &Model, plan: &Plan, start: &State) -> Statistics {
    let mut state = start.clone();
    run(model, plan, &mut state, &mut Nothing).unwrap_or_default()
}

fn plan(end_time: f64, tolerance: f64, control: Control) -> Plan {
    Plan {
        method: Method::NEWMARK,
        end_time,
        tolerance,
        control,
    }
}

fn adaptive(max_step: f64) -> Control {
    Control::Adaptive {
        min_step: 1e-11,
        max_step,
        first_step: 1e-6,
    }
}

/// 4 s at the paper's largest step: 40 000 steps.
#[divan::bench(sample_count = 10)]
fn cube_fixed_100us(bencher: Bencher) {
    let model = cube(30.0, 0.0);
    let mut start = model.start();
    equilibrium(&model, &mut start).unwrap_or_default();
    let plan = plan(4.0, 1e-6, Control::Fixed { step: 1e-4 });
    bencher.bench_local(|| integrate(&model, &plan, &start));
}

/// 4 s with error control.
#[divan::bench(args = [1e-5, 1e-6, 1e-7], sample_count = 30)]
fn cube_adaptive(bencher: Bencher, tolerance: f64) {
    let model = cube(30.0, 0.0);
    let mut start = model.start();
    equilibrium(&model, &mut start).unwrap_or_default();
    let plan = plan(4.0, tolerance, adaptive(0.05));
    bencher.bench_local(|| integrate(&model, &plan, &start));
}

/// 20 s of stick-slip.
#[divan::bench(args = [1e-5, 1e-6, 1e-7, 1e-8], sample_count = 30)]
fn stick_slip_adaptive(bencher: Bencher, tolerance: f64) {
    let model = stick_slip();
    let start = model.start();
    let plan = plan(20.0, tolerance, adaptive(0.2));
    bencher.bench_local(|| integrate(&model, &plan, &start));
}
