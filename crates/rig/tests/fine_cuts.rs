//! Every law against a fine cut: Runge–Kutta of order 4 on the rates, in thousands of steps.
//!
//! The update and its error control have no part in the motion of the states here: only modes are
//! switched by an update of no duration, at instants that are bisected. Where elements of a law
//! slide along their limit the cut is of first order: two cuts are extrapolated.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a test fails by a panic, and shows its numbers"
)]

mod common;

use bristle_laws::{Friction, Slip, Step};
use bristle_rig::Sample;
use common::varied::{misfit, motion, with_rest_knots};
use common::{between, drive, of_card};

/// Steps of a segment, and half as many.
const CUTS: [u32; 2] = [8000, 4000];

/// A step in which a mode switches is halved this often.
const HALVINGS: u32 = 40;

fn slip<const D: usize>(s: &Sample<D>) -> Slip<f64, D> {
    Slip {
        velocity: s.velocity,
        normal_force: s.normal_force,
        applied: s.applied,
    }
}

fn rates<const D: usize>(law: &Friction, at: &Sample<D>, z: &[f64]) -> Vec<f64> {
    let mut rates = vec![0.0; z.len()];
    // the elastic predictor: the rate at the limit does not know how fast the limit moves
    let elastic = |k: &f64| at.velocity.map(|v| k * v);
    match law {
        Friction::Jenkins(law) => return elastic(&law.tangential_stiffness).to_vec(),
        Friction::Iwan(law) => {
            let stiffnesses = &law.parameters().element_stiffnesses;
            return stiffnesses.iter().flat_map(elastic).collect();
        }
        _ => {}
    }
    law.rates(&slip(at), z, &mut rates);
    rates
}

/// z + h r.
fn moved(z: &[f64], h: f64, rates: &[f64]) -> Vec<f64> {
    z.iter().zip(rates).map(|(z, r)| z + h * r).collect()
}

/// One step of the classical method of Runge and Kutta.
fn runge_kutta<const D: usize>(
    law: &Friction,
    (from, to): (&Sample<D>, &Sample<D>),
    z: &[f64],
) -> Vec<f64> {
    let h = to.t - from.t;
    let middle = between(from, to, 0.5);
    let first = rates(law, from, z);
    let second = rates(law, &middle, &moved(z, 0.5 * h, &first));
    let third = rates(law, &middle, &moved(z, 0.5 * h, &second));
    let fourth = rates(law, to, &moved(z, h, &third));
    let mean: Vec<f64> = (0..z.len())
        .map(|i| (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]) / 6.0)
        .collect();
    moved(z, h, &mean)
}

/// The state after an instant under the conditions: modes and what jumps with them.
fn switched<const D: usize>(law: &Friction, at: &Sample<D>, z: &[f64]) -> Vec<f64> {
    let mut new = z.to_vec();
    law.update(&Step::constant(slip(at), 1e-100), z, &mut new);
    new
}

/// Whether a mode differs: the scalars come last.
fn jumps<const D: usize>(law: &Friction, a: &[f64], b: &[f64]) -> bool {
    let scalars = law.layout().vectors * D;
    let whole = |x: f64| x.fract() == 0.0;
    a[scalars..]
        .iter()
        .zip(&b[scalars..])
        .any(|(a, b)| whole(*a) && whole(*b) && (a - b).abs() > 0.5)
}

/// Whether bristles are loaded: the rates of the elasto-plastic law jump there.
fn loaded<const D: usize>(law: &Friction, at: &Sample<D>, z: &[f64]) -> bool {
    matches!(law, Friction::ElastoPlastic(_))
        && at.velocity.iter().zip(z).map(|(v, z)| v * z).sum::<f64>() > 0.0
}

/// A step in the modes of its start; if one ends, the halves of the step.
fn step<const D: usize>(
    law: &Friction,
    (from, to): (&Sample<D>, &Sample<D>),
    z: &mut Vec<f64>,
    depth: u32,
) {
    // stages beyond a limit would see the next mode: the step of Euler does not
    let euler = moved(z, to.t - from.t, &rates(law, from, z));
    let (euler, new) = (
        switched(law, to, &euler),
        switched(law, to, &runge_kutta(law, (from, to), z)),
    );
    let kept = loaded(law, from, z) == loaded(law, to, &new);
    if kept && !jumps::<D>(law, z, &euler) && !jumps::<D>(law, z, &new) {
        *z = new;
    } else if depth < HALVINGS {
        let middle = between(from, to, 0.5);
        step(law, (from, &middle), z, depth + 1);
        step(law, (&middle, to), z, depth + 1);
    } else {
        *z = euler;
    }
}

/// Forces at the samples.
fn fine<const D: usize>(law: &Friction, motion: &[Sample<D>], cuts: u32) -> Vec<[f64; D]> {
    let mut z = vec![0.0; law.layout().len(D)];
    law.start(&slip(&motion[0]), &mut z);
    let force = |at: &Sample<D>, z: &[f64]| law.rates(&slip(at), z, &mut z.to_vec());
    let mut forces = vec![force(&motion[0], &z)];
    for pair in motion.windows(2) {
        let mut from = pair[0];
        for i in 1..=cuts {
            let to = between(&pair[0], &pair[1], f64::from(i) / f64::from(cuts));
            step(law, (&from, &to), &mut z, 0);
            from = to;
        }
        forces.push(force(&pair[1], &z));
    }
    forces
}

fn agrees<const D: usize>(prepare: impl Fn(Vec<Sample<D>>) -> Vec<Sample<D>>) {
    for card in Friction::CARDS {
        let law = of_card(card);
        let motion = prepare(motion::<D>(&law));
        let [fine, coarse] = CUTS.map(|cuts| fine(&law, &motion, cuts));
        let extrapolated =
            |(a, b): (&[f64; D], &[f64; D])| std::array::from_fn(|i| 2.0 * a[i] - b[i]);
        let reference: Vec<[f64; D]> = fine.iter().zip(&coarse).map(extrapolated).collect();
        let error = misfit(&drive(&law, &motion, 1e-8).unwrap(), &reference);
        println!("{D}-D {}: {error:.1e}", card.name);
        // what the interface promises
        assert!(error < 1e-6, "{} in {D}-D: {error:e}", card.name);
    }
}

#[test]
fn in_one_dimension() {
    agrees::<1>(|motion| with_rest_knots(&motion));
}

#[test]
fn in_two_dimensions() {
    agrees::<2>(|motion| motion);
}

#[test]
fn in_three_dimensions() {
    agrees::<3>(|motion| motion);
}
