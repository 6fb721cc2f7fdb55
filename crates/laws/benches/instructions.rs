//! One law, one view, a number of times: work whose instructions a profiler counts.
//!
//! `tools/count_instructions.py` runs it and prints the instructions per point of every law.

#![allow(
    clippy::expect_used,
    missing_docs,
    reason = "a bench says what fails by panicking"
)]

use bristle_laws::friction::{LawVisitor, typical};
use bristle_laws::pool::{Points, Steps, rates_batch_on, update_batch_on};
use bristle_laws::{Friction, FrictionLaw, MAX_STATES, Slip, Step};
use std::hint::black_box;
use std::num::NonZero;

/// Dimensions: the plane of a contact.
const D: usize = 2;
/// Points of a round, alone.
const ALONE: usize = 256;
/// Points of a round in a batch, no multiple of a block.
const BATCH: usize = 2_000;
/// Length of a step, s.
const STEP: f64 = 1e-3;

/// Conditions and states of some points.
struct Data {
    steps: Vec<Step<f64, D>>,
    states: Vec<[f64; MAX_STATES]>,
    count: usize,
}

/// Numbers spread evenly over `middle` ± `width`, in no order.
fn column(seed: u64, middle: f64, width: f64) -> impl Iterator<Item = f64> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    std::iter::repeat_with(move || {
        x = x
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        middle + width * ((x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
    })
}

impl Data {
    /// Points that slide at up to three times the slip speed, with the states after a step there.
    fn new(law: &Friction, n: usize) -> Self {
        let width = 3.0 * law.slip_speed();
        let mut columns = [1, 2, 3, 4].map(|seed| column(seed, 0.0, width));
        let mut loads = column(5, 6.0, 4.0);
        let mut next = |i: usize| columns[i].next().expect("without end");
        let count = law.layout().len(D);
        let (mut steps, mut states) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let load = loads.next().expect("without end");
            let mean = Slip::new([next(0), next(1)], load);
            let end = Slip::new([next(2), next(3)], load);
            let (mut old, mut new) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
            law.start(&mean, &mut old[..count]);
            let step = Step::constant(mean, STEP);
            law.update(&step, &old[..count], &mut new[..count]);
            steps.push(Step {
                mean,
                end,
                duration: STEP,
            });
            states.push(new);
        }
        Self {
            steps,
            states,
            count,
        }
    }
}

/// One point at a time; the type of the law is known.
struct Alone<'a> {
    view: &'a str,
    rounds: usize,
    data: &'a Data,
}

impl LawVisitor for Alone<'_> {
    type Output = ();

    fn visit<L: FrictionLaw>(self, law: &L) {
        let count = self.data.count;
        let mut out = [0.0; MAX_STATES];
        let points = || self.data.steps.iter().zip(&self.data.states);
        for _ in 0..self.rounds {
            for (step, state) in points() {
                let (old, new) = (&state[..count], &mut out[..count]);
                match self.view {
                    "rates" => {
                        black_box(law.rates(&step.end, old, new));
                    }
                    "update" => {
                        black_box(law.update(step, old, new));
                    }
                    _ => {
                        black_box(law.update_with_tangent(step, old, new));
                    }
                }
                black_box(&out);
            }
        }
    }
}

/// Columns of points.
fn batch(law: &Friction, data: &Data, updates: bool, rounds: usize) {
    let part = |f: &dyn Fn(&Step<f64, D>) -> f64| data.steps.iter().map(f).collect::<Vec<f64>>();
    let load = part(&|s| s.end.normal_force);
    let mean = [0, 1].map(|i| part(&|s| s.mean.velocity[i]));
    let end = [0, 1].map(|i| part(&|s| s.end.velocity[i]));
    let points = |v: &'static str| Points {
        velocity: if v == "mean" { &mean } else { &end }
            .each_ref()
            .map(|c| &c[..]),
        normal_force: &load,
    };
    let state = |k: usize| data.states.iter().map(|z| z[k]).collect::<Vec<f64>>();
    let states: Vec<Vec<f64>> = (0..data.count).map(state).collect();
    let mut out = states.clone();
    let mut force = [vec![0.0; load.len()], vec![0.0; load.len()]];
    let one = NonZero::<usize>::MIN;
    for _ in 0..rounds {
        let mut columns: Vec<&mut [f64]> = out.iter_mut().map(|c| &mut c[..]).collect();
        let mut force = force.each_mut().map(|c| &mut c[..]);
        if updates {
            let steps = Steps {
                mean: points("mean"),
                end: points("end"),
                duration: STEP,
            };
            update_batch_on(one, law, &steps, &mut columns, &mut force).expect("columns");
        } else {
            let states: Vec<&[f64]> = states.iter().map(|c| &c[..]).collect();
            let end = points("end");
            rates_batch_on(one, law, &end, &states, &mut columns, &mut force).expect("columns");
        }
    }
    black_box((&out, &force));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, view, rounds] = &arguments[..] else {
        // `cargo bench` and `cargo test --benches` start it without a law
        return;
    };
    let rounds = rounds.parse().expect("a number of rounds");
    let card = Friction::card_of(name).expect("in the catalogue");
    let law = Friction::build(name, &typical(card)).expect("typical parameters");
    let in_batch = view.starts_with("batch");
    let data = Data::new(&law, if in_batch { BATCH } else { ALONE });
    if in_batch {
        batch(&law, &data, view.ends_with("update"), rounds);
    } else {
        law.visit(Alone {
            view,
            rounds,
            data: &data,
        });
    }
}
