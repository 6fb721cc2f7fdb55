//! Derivatives of batches against differences, for every law, by every input.

#![allow(clippy::expect_used, reason = "a test says what fails by panicking")]

use bristle_laws::friction::typical;
use bristle_laws::pool::{BatchDerivatives, BatchView, Points, PoolError};
use bristle_laws::{Friction, HistoryLaw, HistoryTangent, MAX_STATES, Slip, Step};

const DURATION: f64 = 1e-3;

/// Velocity, normal force, states.
type MotionPoint = (Vec<f64>, f64, Vec<f64>);

fn laws() -> impl Iterator<Item = Friction> {
    let build = |card: &bristle_laws::LawCard| {
        Friction::build(card.name, &typical(card)).expect("typical values are admissible")
    };
    Friction::CARDS.iter().map(build)
}

/// Inputs of one point, in the order of the derivatives, without the parameters.
fn inputs<const D: usize>(v: [f64; D], load: f64, states: &[f64]) -> Vec<f64> {
    v.iter()
        .copied()
        .chain([load])
        .chain(states.iter().copied())
        .collect()
}

/// Force, then rates or states, at changed inputs and parameters.
fn outputs<const D: usize>(law: &Friction, rates: bool, x: &[f64]) -> Vec<f64> {
    let count = law.layout().len(D);
    let slip = Slip::new(std::array::from_fn(|i| x[i]), x[D]);
    let (old, mut out) = (&x[D + 1..][..count], [0.0; MAX_STATES]);
    let mut parameter = D + 1 + count;
    let law = law.with_parameters(&mut |_, _, _| {
        parameter += 1;
        x[parameter - 1]
    });
    let law = law.expect("a small change is admissible");
    let force: [f64; D] = if rates {
        law.rates(&slip, old, &mut out[..count])
    } else {
        law.update(&Step::constant(slip, DURATION), old, &mut out[..count])
    };
    force.iter().chain(&out[..count]).copied().collect()
}

fn parameters(law: &Friction) -> Vec<f64> {
    let mut values = Vec::new();
    let read = law.with_parameters(&mut |_, _, value| {
        values.push(value);
        value
    });
    read.expect("the law that it is");
    values
}

/// Points of an ordinary motion of the law, with its states.
fn motion<const D: usize>(law: &Friction) -> Vec<MotionPoint> {
    let mut state = vec![0.0; law.layout().len(D)];
    law.start(&Slip::new([0.0; D], 10.0), &mut state);
    let mut points = Vec::new();
    for k in 0..60 {
        let v: [f64; D] = std::array::from_fn(|i| {
            law.slip_speed() * [1.7, 0.9, 0.4][i] * (0.37 * f64::from(k) + i as f64).sin()
        });
        let load = 10.0 + 3.0 * (0.23 * f64::from(k)).cos();
        points.push((v.to_vec(), load, state.clone()));
        let old = state.clone();
        law.update(
            &Step::constant(Slip::new(v, load), DURATION),
            &old,
            &mut state,
        );
    }
    points
}

fn jacobian<const D: usize>(law: &Friction, rates: bool, x: &[f64]) -> (Vec<f64>, usize) {
    let columns: Vec<[f64; 1]> = x.iter().map(|x| [*x]).collect();
    let points = Points {
        velocity: std::array::from_fn(|i| &columns[i][..]),
        normal_force: &columns[D],
    };
    let count = law.layout().len(D);
    let states: Vec<&[f64]> = columns[D + 1..][..count].iter().map(|c| &c[..]).collect();
    let derivatives = BatchDerivatives::<D>::new(law, false);
    let order = derivatives.order();
    let mut all = vec![f64::NAN; order.outputs() * order.len()];
    let view = if rates {
        BatchView::Rates(points)
    } else {
        BatchView::Constant {
            points,
            duration: DURATION,
        }
    };
    derivatives
        .jacobian(&view, &states, &mut all)
        .expect("one point");
    (all, order.len())
}

fn against_differences<const D: usize>(rates: bool) {
    for law in laws() {
        for (v, load, state) in motion::<D>(&law) {
            let v: [f64; D] = std::array::from_fn(|i| v[i]);
            let mut x = inputs(v, load, &state);
            x.extend(parameters(&law));
            let (all, width) = jacobian::<D>(&law, rates, &x);
            let here = outputs::<D>(&law, rates, &x);
            for input in 0..width {
                // a state has the size of a bristle, a level of zero none
                let h = 1e-6 * x[input].abs().max(1e-6);
                let at = |dx: f64| {
                    let mut moved = x.clone();
                    moved[input] += dx;
                    outputs::<D>(&law, rates, &moved)
                };
                let (low, high) = (at(-h), at(h));
                for (output, y) in here.iter().enumerate() {
                    let exact = all[output * width + input];
                    // an element that slips is exactly at its limit, and its update takes the state for
                    // the limit: the same sum along a path, on which that state follows the limit
                    if law.card().name == "leuven" && input > D {
                        continue;
                    }
                    let sides = [(y - low[output]) / h, (high[output] - y) / h];
                    // at a kink any slope between those of both sides is one; a difference has the
                    // rounding of its values over h, and the curvature times h
                    let spread = (sides[1] - sides[0]).abs();
                    let slack = spread + 1e-9 * y.abs() / h + 1e-5 * exact.abs() + 1e-12 / h;
                    let (least, most) = (sides[0].min(sides[1]), sides[0].max(sides[1]));
                    assert!(
                        exact >= least - slack && exact <= most + slack,
                        "{} in {D}D, output {output} by input {input}: {exact}, sides {sides:?}",
                        law.card().name
                    );
                }
            }
        }
    }
}

#[test]
fn the_jacobian_of_an_update_is_that_of_differences() {
    against_differences::<1>(false);
    against_differences::<2>(false);
}

#[test]
fn the_jacobian_of_the_rates_is_that_of_differences() {
    against_differences::<1>(true);
    against_differences::<3>(true);
}

/// Where formulas have roots, directions and quotients: at rest, without load, without deflection,
/// and where a motion turns round.
#[test]
fn derivatives_are_finite_at_rest_without_load_and_at_reversal() {
    fn check<const D: usize>(law: &Friction) {
        let vs = law.slip_speed();
        let ordinary = motion::<D>(law).swap_remove(20).2;
        let zero = vec![0.0; ordinary.len()];
        for speed in [0.0, vs, -vs, 1e-300, -1e-300] {
            for load in [0.0, 1e-100, 10.0] {
                for state in [&zero, &ordinary] {
                    for rates in [false, true] {
                        let mut v = [0.0; D];
                        v[0] = speed;
                        let mut x = inputs(v, load, state);
                        x.extend(parameters(law));
                        let (all, _) = jacobian::<D>(law, rates, &x);
                        let bad = all.iter().position(|x| !x.is_finite());
                        let name = law.card().name;
                        assert_eq!(
                            bad, None,
                            "{name} {D}D v {speed} N {load} z {state:?} {rates}"
                        );
                    }
                }
            }
        }
    }
    for law in laws() {
        check::<1>(&law);
        check::<2>(&law);
        check::<3>(&law);
    }
}

#[test]
fn a_product_with_the_jacobian_is_that_of_its_numbers() {
    for law in laws() {
        let points = motion::<2>(&law);
        let column = |f: &dyn Fn(&MotionPoint) -> f64| points.iter().map(f).collect::<Vec<_>>();
        let v: [Vec<f64>; 2] = std::array::from_fn(|k| column(&|p| p.0[k]));
        let load = column(&|p| p.1);
        let count = law.layout().len(2);
        let states: Vec<Vec<f64>> = (0..count).map(|k| column(&|p| p.2[k])).collect();
        let states: Vec<&[f64]> = states.iter().map(|c| &c[..]).collect();
        let at = Points {
            velocity: v.each_ref().map(|c| &c[..]),
            normal_force: &load,
        };
        let view = BatchView::Constant {
            points: at,
            duration: DURATION,
        };
        let derivatives = BatchDerivatives::<2>::new(&law, false);
        let order = derivatives.order();
        let (rows, width, n) = (order.outputs(), order.len(), points.len());
        let mut all = vec![0.0; n * rows * width];
        derivatives
            .jacobian(&view, &states, &mut all)
            .expect("columns fit");
        let weights: Vec<f64> = (0..n * rows).map(|k| (0.7 * k as f64).sin()).collect();
        let mut by_point = vec![0.0; n * order.of_point()];
        let mut by_parameter = vec![0.0; order.parameters().len()];
        derivatives
            .pull_back(&view, &states, &weights, &mut by_point, &mut by_parameter)
            .expect("columns fit");
        let mut wanted = vec![0.0; order.parameters().len()];
        for i in 0..n {
            for input in 0..width {
                let sum: f64 = (0..rows)
                    .map(|row| weights[i * rows + row] * all[(i * rows + row) * width + input])
                    .sum();
                match input.checked_sub(order.of_point()) {
                    None => assert!((by_point[i * order.of_point() + input] - sum).abs() == 0.0),
                    Some(k) => wanted[k] += sum,
                }
            }
        }
        for (a, b) in by_parameter.iter().zip(&wanted) {
            // sums in another order
            assert!(
                (a - b).abs() <= 1e-9 * b.abs().max(1e-9),
                "{} {a} {b}",
                law.card().name
            );
        }
    }
}

#[test]
fn another_view_is_refused() {
    let law = laws().next().expect("a law");
    let column = [0.0];
    let points = Points {
        velocity: [&column[..]],
        normal_force: &column,
    };
    let derivatives = BatchDerivatives::<1>::new(&law, true);
    let mut all = vec![0.0; derivatives.order().len()];
    let refused = derivatives.jacobian(&BatchView::Rates(points), &[], &mut all);
    assert_eq!(refused, Err(PoolError::View));
}

fn one_point<'a, const D: usize>(v: &'a [[f64; 1]; D], n: &'a [f64]) -> Points<'a, D> {
    Points {
        velocity: std::array::from_fn(|i| &v[i][..]),
        normal_force: n,
    }
}

/// One step at a time has the derivatives that a batch has, which are held against differences.
#[test]
fn a_step_has_the_derivatives_of_a_batch() {
    const D: usize = 2;
    for law in laws() {
        let (v, load, states) = motion::<D>(&law).swap_remove(17);
        let end = Slip::new([v[0], v[1]], load);
        let mean = Slip::new([0.8 * v[0], 1.1 * v[1]], 0.9 * load);
        let step = Step {
            mean,
            end,
            duration: DURATION,
        };
        let (mut new, mut one) = (vec![0.0; states.len()], HistoryTangent::default());
        let history = HistoryLaw::new(&law).expect("the law that it is");
        history.update(&step, &states, &mut new, &mut one);

        let columns = |slip: &Slip<f64, D>| (slip.velocity.map(|v| [v]), [slip.normal_force]);
        let ((end_v, end_n), (mean_v, mean_n)) = (columns(&end), columns(&mean));
        let view = BatchView::Steps(bristle_laws::pool::Steps {
            mean: one_point(&mean_v, &mean_n),
            end: one_point(&end_v, &end_n),
            duration: DURATION,
        });
        let old: Vec<&[f64]> = states.iter().map(std::slice::from_ref).collect();
        let batch = BatchDerivatives::<D>::new(&law, true);
        let order = batch.order();
        let mut all = vec![0.0; order.outputs() * order.len()];
        batch
            .jacobian(&view, &old, &mut all)
            .expect("columns that fit");

        let both = order
            .mean_velocity()
            .expect("a mean")
            .chain(order.velocity());
        let both = both
            .chain(order.mean_normal_force())
            .chain([order.normal_force()]);
        let inputs: Vec<usize> = both.chain(order.states()).collect();
        for output in 0..order.outputs() {
            let row = &all[output * order.len()..];
            let same: Vec<f64> = inputs.iter().map(|&input| row[input]).collect();
            assert_eq!(one.row(output), same, "{} output {output}", law.card().name);
        }
    }
}
