//! Whole runs: the cube on six contacts and the stick-slip block.
//!
//! `cargo bench -p bristle-mechanics --bench systems`

#[path = "../tests/common/mod.rs"]
mod common;

use bristle_integrate::{
    Control, Flow, Method, Observer, Plan, Segment, State, Statistics, equilibrium, run,
};
use bristle_mechanics::element::{
    Assembly, BeamElement, BeamEnd, BeamProperties, CrossSection, ElementInput, FrameElement,
    Material, Rayleigh, TangentWeights,
};
use bristle_mechanics::{Body, BodyId, Frame, Model, ModelBuilder, Vec3};
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

/// Counts what it gets.
struct Tally {
    weights: Option<TangentWeights>,
    sum: f64,
}

impl Assembly for Tally {
    fn weights(&self) -> Option<TangentWeights> {
        self.weights
    }
    fn wants_configuration_tangent(&self) -> bool {
        self.weights.is_some()
    }
    fn wrench(&mut self, _body: BodyId, force: &Vec3, moment: &Vec3) {
        self.sum += force.x + moment.z;
    }
    fn block(&mut self, _row: BodyId, _column: BodyId, block: &nalgebra::Matrix6<f64>) {
        self.sum += block[(5, 5)];
    }
    fn configuration_block(&mut self, _: BodyId, _: BodyId, blocks: &[nalgebra::Matrix6<f64>; 3]) {
        self.sum += blocks[0][(5, 5)];
    }
    fn moves(&self, body: BodyId) -> bool {
        body != BodyId::GROUND
    }
}

/// A damped steel strip between two moving bodies, one of them held off its origin.
fn beam() -> (Vec<Frame>, BeamElement) {
    let properties = BeamProperties {
        section: CrossSection::rectangular(0.02, 0.004),
        material: Material {
            young: 2.1e11,
            shear: 8.1e10,
            density: 7850.0,
        },
        damping: Rayleigh {
            mass: 1.0,
            stiffness: 1e-5,
        },
        reference: BodyId::GROUND,
    };
    let mut builder = ModelBuilder::new();
    let mut end = |name: &str, x| BeamEnd {
        body: builder
            .body(Body::node(name, 0.1))
            .unwrap_or(BodyId::GROUND),
        point: Vec3::new(x, 0.0, 0.0),
        orientation: nalgebra::UnitQuaternion::identity(),
    };
    let frame = Frame {
        v: Vec3::new(0.1, 0.2, 0.3),
        w: Vec3::new(1.0, 2.0, 3.0),
        ..Frame::WORLD
    };
    let element = BeamElement::new("strip", [end("a", 0.0), end("b", 0.1)], 0.1001, &properties);
    let Ok(element) = element else {
        unreachable!("the numbers are lawful")
    };
    (vec![Frame::WORLD, frame, frame], element)
}

/// One beam element that moves: the wrenches, and the wrenches with all tangent blocks.
#[divan::bench(args = [false, true], sample_size = 30, sample_count = 1000)]
fn beam_element(bencher: Bencher, tangent: bool) {
    let (frames, element) = beam();
    let weights = tangent.then_some(TangentWeights {
        damping: 1.0,
        stiffness: 1.0,
    });
    let at = ElementInput {
        t: 0.0,
        step: 1e-3,
        stage: None,
        gravity: Vec3::zeros(),
        frames: &frames,
        history: &[],
    };
    bencher.bench_local(|| {
        let mut sink = Tally { weights, sum: 0.0 };
        element.apply(divan::black_box(&at), &mut [], &mut sink);
        sink.sum
    });
}
