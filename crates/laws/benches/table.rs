//! Nanoseconds per point of every law, alone and in batches, as a table.
//!
//! `cargo bench -p bristle-laws --bench table` prints it; with a name behind `--` for one law,
//! with `--quick` for fewer rounds and batches up to 1e5 points, with `--line` for one dimension.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints, and says what fails by panicking"
)]

use bristle_laws::friction::{LawVisitor, typical};
use bristle_laws::pool::{Points, Steps, rates_batch_on, update_batch_on};
use bristle_laws::{Friction, FrictionLaw, MAX_STATES, Slip, Step};
use std::fmt::Write as _;
use std::hint::black_box;
use std::num::NonZero;
use std::time::Instant;

/// Length of a step, s.
const STEP: f64 = 1e-3;

/// Conditions and states of many points on a line or in the plane, in columns.
struct Data<const D: usize> {
    mean: [Vec<f64>; D],
    end: [Vec<f64>; D],
    normal: Vec<f64>,
    states: Vec<Vec<f64>>,
}

impl<const D: usize> Data<D> {
    /// Points that slide at up to three times the slip speed, in no order, with states that a law
    /// has after some steps there.
    fn new(law: &Friction, n: usize) -> Self {
        let vs = law.slip_speed();
        let column = |seed: u64, middle: f64, width: f64| -> Vec<f64> {
            let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (0..n)
                .map(|_| {
                    x = x
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    middle + width * ((x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
                })
                .collect()
        };
        let mean = std::array::from_fn(|i| column(1 + i as u64, 0.0, 3.0 * vs));
        let end = std::array::from_fn(|i| column(3 + i as u64, 0.0, 3.0 * vs));
        let normal = column(5, 6.0, 4.0);
        let mut states = vec![vec![0.0; n]; law.layout().len(D)];
        let (mut old, mut new) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
        let count = states.len();
        for i in 0..n {
            let slip = Slip::new(at(&mean, i), normal[i]);
            law.start(&slip, &mut old[..count]);
            law.update(
                &Step::constant(slip, STEP),
                &old[..count],
                &mut new[..count],
            );
            for (column, x) in states.iter_mut().zip(&new) {
                column[i] = *x;
            }
        }
        Self {
            mean,
            end,
            normal,
            states,
        }
    }

    fn points<'a>(&'a self, velocity: &'a [Vec<f64>; D]) -> Points<'a, D> {
        Points {
            velocity: velocity.each_ref().map(|c| &c[..]),
            normal_force: &self.normal,
        }
    }
}

/// The vector at one point.
fn at<const D: usize>(columns: &[Vec<f64>; D], i: usize) -> [f64; D] {
    columns.each_ref().map(|c| c[i])
}

/// The best time per point of some rounds, ns.
fn best(rounds: usize, points: usize, mut job: impl FnMut()) -> f64 {
    // short jobs are repeated so that the clock does not count, yet no longer than a busy machine
    // leaves a program alone; the shorter, the more rounds
    let repeats = (2_000 / points).max(1);
    let rounds = rounds * (20_000 / points).clamp(1, 10);
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let clock = Instant::now();
        for _ in 0..repeats {
            job();
        }
        best = best.min(clock.elapsed().as_secs_f64() / (repeats * points) as f64);
    }
    best * 1e9
}

/// One point at a time; the type of the law is known.
struct Alone<'a, const D: usize> {
    data: &'a Data<D>,
    rounds: usize,
}

impl<const D: usize> LawVisitor for Alone<'_, D> {
    type Output = [f64; 2];

    fn visit<L: FrictionLaw>(self, law: &L) -> [f64; 2] {
        let (data, n) = (self.data, self.data.normal.len());
        let count = data.states.len();
        let slip = |v: &[Vec<f64>; D], i: usize| Slip::new(at(v, i), data.normal[i]);
        let states: Vec<[f64; MAX_STATES]> = (0..n)
            .map(|i| std::array::from_fn(|k| data.states.get(k).map_or(0.0, |c| c[i])))
            .collect();
        let slips: Vec<_> = (0..n).map(|i| slip(&data.end, i)).collect();
        let steps: Vec<_> = (0..n)
            .map(|i| Step {
                mean: slip(&data.mean, i),
                end: slip(&data.end, i),
                duration: STEP,
            })
            .collect();
        let mut out = [0.0; MAX_STATES];
        let rates = best(self.rounds, n, || {
            for (slip, state) in slips.iter().zip(&states) {
                black_box(law.rates(slip, &state[..count], &mut out[..count]));
                black_box(&out);
            }
        });
        let update = best(self.rounds, n, || {
            for (step, state) in steps.iter().zip(&states) {
                black_box(law.update(step, &state[..count], &mut out[..count]));
                black_box(&out);
            }
        });
        [rates, update]
    }
}

/// Batches: rates and update.
fn batches<const D: usize>(
    law: &Friction,
    data: &Data<D>,
    threads: usize,
    rounds: usize,
) -> [f64; 2] {
    let threads = NonZero::new(threads).expect("a thread");
    let n = data.normal.len();
    let mut force: [_; D] = std::array::from_fn(|_| vec![0.0; n]);
    let mut out = data.states.clone();
    let points = data.points(&data.end);
    let states: Vec<&[f64]> = data.states.iter().map(|c| &c[..]).collect();
    let rates = best(rounds, n, || {
        let mut columns: Vec<&mut [f64]> = out.iter_mut().map(|c| &mut c[..]).collect();
        let mut force = force.each_mut().map(|c| &mut c[..]);
        rates_batch_on(threads, law, &points, &states, &mut columns, &mut force).expect("columns");
    });
    let steps = Steps {
        mean: data.points(&data.mean),
        end: data.points(&data.end),
        duration: STEP,
    };
    let mut moved = data.states.clone();
    let update = best(rounds, n, || {
        let mut columns: Vec<&mut [f64]> = moved.iter_mut().map(|c| &mut c[..]).collect();
        let mut force = force.each_mut().map(|c| &mut c[..]);
        update_batch_on(threads, law, &steps, &mut columns, &mut force).expect("columns");
    });
    [rates, update]
}

/// The table for `D` dimensions.
fn table<const D: usize>(quick: bool, wanted: &[&String]) {
    let (rounds, sizes): (usize, &[usize]) = if quick {
        (3, &[1_000, 100_000])
    } else {
        (7, &[1_000, 10_000, 100_000, 1_000_000])
    };
    let place = if D == 1 { "on a line" } else { "in the plane" };
    let threads = [1, 2];
    let mut head = format!("| ns per point, rates / update, {place} | alone |");
    let mut rule = "|---|---|".to_owned();
    for t in threads {
        for n in sizes {
            let n = *n as f64;
            let _ = write!(head, " {n:.0e} on {t} |");
            rule.push_str("---|");
        }
    }
    println!("{head}\n{rule}");
    for card in Friction::CARDS {
        if !wanted.is_empty() && !wanted.iter().any(|name| *name == card.name) {
            continue;
        }
        let law = Friction::build(card.name, &typical(card)).expect("typical parameters");
        let pair = |[rates, update]: [f64; 2]| format!(" {rates:.1} / {update:.1} |");
        let data = Data::<D>::new(&law, 256);
        let alone = law.visit(Alone {
            data: &data,
            rounds: 10 * rounds,
        });
        let mut row = format!("| `{}` |{}", card.name, pair(alone));
        let data: Vec<Data<D>> = sizes.iter().map(|n| Data::new(&law, *n)).collect();
        for t in threads {
            for data in &data {
                row.push_str(&pair(batches(&law, data, t, rounds)));
            }
        }
        println!("{row}");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|a| a == name);
    let wanted: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    if has("--line") {
        table::<1>(has("--quick"), &wanted);
    } else {
        table::<2>(has("--quick"), &wanted);
    }
}
