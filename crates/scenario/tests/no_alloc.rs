//! Steps of a machine with beams, contacts, meshes and friction allocate nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use allocation_counter::measure;
use bristle_integrate::{Control, Flow, Observer, Plan, Segment, State, System as _, run};
use bristle_mechanics::Model;
use bristle_scenario::{SourceMap, load};
use std::path::Path;

struct Nothing;

impl Observer<Model> for Nothing {
    fn start(&mut self, _model: &Model, _state: &State) -> Flow {
        Flow::Continue
    }
    fn accepted(&mut self, _segment: &Segment<'_, Model>) -> Flow {
        Flow::Continue
    }
}

/// Runs of two lengths allocate equally often: for the storage at their start alone.
fn same_for_any_length(example: &str, from: f64, control: Control) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let scenario = load(&path.join(example), &[], &mut SourceMap::new()).unwrap();
    // the order of elimination is found once, for the first storage
    drop(scenario.model.scratch());
    let counted = [1.0, 3.0].map(|length| {
        let mut state = scenario.model.start();
        // behind the last jump of a load before the end, whose restart may allocate
        state.t = from;
        let plan = Plan {
            end_time: from + length * 5e-3,
            control,
            ..scenario.plan
        };
        let mut steps = 0;
        let counted = measure(|| {
            steps = run(&scenario.model, &plan, &mut state, &mut Nothing)
                .unwrap()
                .steps;
        });
        assert!(steps > 20, "{steps} steps are too few to tell");
        counted.count_total
    });
    assert_eq!(counted[0], counted[1], "{example}");
}

#[test]
fn steps_do_not_allocate() {
    let fixed = Control::Fixed { step: 1e-4 };
    let adaptive = Control::Adaptive {
        min_step: 1e-10,
        max_step: 1e-4,
        first_step: 1e-6,
    };
    for control in [fixed, adaptive] {
        same_for_any_length("blades-sim2.toml", 0.0, control);
        same_for_any_length("cube-30deg.toml", 0.1, control);
        same_for_any_length("ramp.toml", 0.1, control);
    }
}
