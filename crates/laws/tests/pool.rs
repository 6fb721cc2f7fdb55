//! A batch is a loop, whatever its size, its place and the number of threads.

#![allow(clippy::expect_used, reason = "a test says what fails by panicking")]

use bristle_laws::friction::typical;
use bristle_laws::pool::{Points, PoolError, Steps, rates_batch, update_batch, update_batch_on};
use bristle_laws::{Friction, Slip, Step, Value, Values};
use std::num::NonZero;

/// Columns of a batch in `D` dimensions.
#[derive(Clone)]
struct Batch<const D: usize> {
    mean: [Vec<f64>; D],
    end: [Vec<f64>; D],
    load: Vec<f64>,
    states: Vec<Vec<f64>>,
    rates: Vec<Vec<f64>>,
    force: [Vec<f64>; D],
}

const DURATION: f64 = 1e-3;

/// Awkward speeds among ordinary ones: rest, far below and above the range of squares.
fn speed(k: usize, vs: f64) -> f64 {
    match k % 11 {
        3 => 0.0,
        5 => 1e-170,
        7 => -1e200,
        8 => 5e-324,
        _ => 3.0 * vs * (0.7 * k as f64).sin(),
    }
}

impl<const D: usize> Batch<D> {
    fn new(law: &Friction, n: usize) -> Self {
        let vs = law.slip_speed();
        let column = |seed: usize| {
            (0..n)
                .map(|k| speed(k, vs) * [1.0, 0.6, -0.3][seed])
                .collect()
        };
        let load: Vec<f64> = (0..n)
            .map(|k| 10.0 * (0.3 * k as f64).cos().powi(2))
            .collect();
        let mut batch = Self {
            mean: std::array::from_fn(column),
            end: std::array::from_fn(|i| column(2 - i)),
            load,
            states: vec![vec![0.0; n]; law.layout().len(D)],
            rates: vec![vec![0.0; n]; law.layout().len(D)],
            force: std::array::from_fn(|_| vec![0.0; n]),
        };
        // states from a few ordinary steps: far points would leave every state at its limit
        let mut state = vec![0.0; batch.states.len()];
        law.start(&Slip::new([0.0; D], 10.0), &mut state);
        for i in 0..n {
            let v = 2.0 * vs * (0.1 * i as f64).cos();
            let mut new = state.clone();
            law.update(
                &Step::constant(Slip::new([v; D], 10.0), DURATION),
                &state,
                &mut new,
            );
            state = new;
            for (column, z) in batch.states.iter_mut().zip(&state) {
                column[i] = *z;
            }
        }
        batch
    }

    fn points<'a>(velocity: &'a [Vec<f64>; D], load: &'a [f64]) -> Points<'a, D> {
        Points {
            velocity: velocity.each_ref().map(|c| &c[..]),
            normal_force: load,
        }
    }

    fn rates(&mut self, law: &Friction) {
        let points = Self::points(&self.end, &self.load);
        let states: Vec<&[f64]> = self.states.iter().map(|c| &c[..]).collect();
        let mut rates: Vec<&mut [f64]> = self.rates.iter_mut().map(|c| &mut c[..]).collect();
        let mut force = self.force.each_mut().map(|c| &mut c[..]);
        rates_batch(law, &points, &states, &mut rates, &mut force).expect("columns fit");
    }

    fn update(&mut self, law: &Friction, threads: usize) -> Result<(), PoolError> {
        let steps = Steps {
            mean: Self::points(&self.mean, &self.load),
            end: Self::points(&self.end, &self.load),
            duration: DURATION,
        };
        let mut states: Vec<&mut [f64]> = self.states.iter_mut().map(|c| &mut c[..]).collect();
        let mut force = self.force.each_mut().map(|c| &mut c[..]);
        match NonZero::new(threads) {
            Some(threads) => update_batch_on(threads, law, &steps, &mut states, &mut force),
            None => update_batch(law, &steps, &mut states, &mut force),
        }
    }

    /// Every number of the batch at point `i`, as bits.
    fn bits(&self, i: usize) -> Vec<u64> {
        let columns = self.states.iter().chain(&self.rates).chain(&self.force);
        columns.map(|c| c[i].to_bits()).collect()
    }
}

fn build(name: &str, values: &Values) -> Friction {
    Friction::build(name, values).expect("admissible")
}

fn laws() -> impl Iterator<Item = (&'static str, Friction)> {
    let all = Friction::CARDS
        .iter()
        .map(|c| (c.name, build(c.name, &typical(c))));
    // the curve with another exponent takes the other path
    let mut values = typical(Friction::card_of("lugre").expect("in the catalogue"));
    values.retain(|(name, _)| name != "stribeck_exponent");
    values.push(("alpha".to_owned(), Value::Number(1.3)));
    all.chain([("lugre", build("lugre", &values))])
}

/// 1e-14 relative to what a vector is made of.
fn near(name: &str, what: &str, a: &[f64], b: &[f64], scale: f64) {
    for (a, b) in a.iter().zip(b) {
        // exp of lanes and of std differ by an ulp, and the law sums a few terms
        let bound = 1e-14 * (a.abs().max(scale));
        assert!(
            (a - b).abs() <= bound,
            "{name}: {what} {a:e} in the batch, {b:e} alone"
        );
    }
}

fn batch_is_loop<const D: usize>(n: usize) {
    for (name, law) in laws() {
        let before = Batch::<D>::new(&law, n);
        let mut batch = before.clone();
        batch.rates(&law);
        let force_of_rates = batch.force.clone();
        batch.update(&law, 0).expect("columns fit");
        for i in 0..n {
            let at = |columns: &[Vec<f64>]| columns.iter().map(|c| c[i]).collect::<Vec<_>>();
            let vector = |columns: &[Vec<f64>; D]| columns.each_ref().map(|c| c[i]);
            let mean = Slip::new(vector(&before.mean), before.load[i]);
            let end = Slip::new(vector(&before.end), before.load[i]);
            let old = at(&before.states);
            let (mut rates, mut new) = (old.clone(), old.clone());
            let force = law.rates(&end, &old, &mut rates);
            let size = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let moved = size(&end.velocity) * (1.0 + size(&old) * 1e5);
            near(name, "rate", &at(&batch.rates), &rates, moved);
            // sigma_1 v is the largest term of a force that may cancel
            let terms = 10.0 * (1.0 + 4e2 * size(&end.velocity));
            near(name, "force", &at(&force_of_rates), &force, terms);
            let step = Step {
                mean,
                end,
                duration: DURATION,
            };
            let force = law.update(&step, &old, &mut new);
            near(name, "state", &at(&batch.states), &new, size(&new));
            near(name, "force", &at(&batch.force), &force, terms);
        }
    }
}

#[test]
fn a_batch_is_a_loop() {
    for n in [0, 1, 63, 64, 65, 200] {
        batch_is_loop::<1>(n);
        batch_is_loop::<2>(n);
        batch_is_loop::<3>(n);
    }
}

#[test]
fn bits_depend_on_neither_size_nor_place_nor_threads() {
    let n = 331;
    for (name, law) in laws() {
        let before = Batch::<3>::new(&law, n);
        let mut whole = before.clone();
        whole.rates(&law);
        whole.update(&law, 0).expect("columns fit");
        for threads in [1, 2, 3, 7] {
            let mut shared = before.clone();
            shared.rates(&law);
            shared.update(&law, threads).expect("columns fit");
            for i in 0..n {
                assert_eq!(
                    whole.bits(i),
                    shared.bits(i),
                    "{name}, {threads} threads, {i}"
                );
            }
        }
        // a part that starts anywhere
        for (from, to) in [(0, 5), (13, 14), (100, 300), (7, 331)] {
            let cut = |c: &Vec<f64>| c[from..to].to_vec();
            let mut part = Batch::<3> {
                mean: before.mean.each_ref().map(cut),
                end: before.end.each_ref().map(cut),
                load: cut(&before.load),
                states: before.states.iter().map(cut).collect(),
                rates: before.rates.iter().map(cut).collect(),
                force: before.force.each_ref().map(cut),
            };
            part.rates(&law);
            part.update(&law, 0).expect("columns fit");
            for i in from..to {
                assert_eq!(
                    whole.bits(i),
                    part.bits(i - from),
                    "{name}, {from}..{to}, {i}"
                );
            }
        }
    }
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let (_, law) = laws()
        .find(|(name, _)| *name == "lugre")
        .expect("in the catalogue");
    let batch = Batch::<2>::new(&law, 70);
    for threads in [0, 1, 2] {
        let mut short = batch.clone();
        short.mean[1].pop();
        let error = short.update(&law, threads).expect_err("a short column");
        assert_eq!(
            error,
            PoolError::Length {
                column: "velocity",
                found: 69,
                expected: 70
            }
        );
        let mut few = batch.clone();
        few.states.pop();
        let error = few.update(&law, threads).expect_err("a missing column");
        assert!(
            matches!(
                error,
                PoolError::States {
                    found: 1,
                    expected: 2,
                    ..
                }
            ),
            "{error}"
        );
        let mut short = batch.clone();
        short.force[0].push(0.0);
        assert!(short.update(&law, threads).is_err());
    }
}
