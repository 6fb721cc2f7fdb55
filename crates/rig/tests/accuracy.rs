//! Every law of the catalogue under a motion that sticks, reverses, slides and is unloaded.

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
use common::{between, canudas, colantonio, drive, law, of_card};
use differential_equations::prelude::*;

fn converges<const D: usize>() {
    for card in Friction::CARDS {
        let law = of_card(card);
        let motion = motion::<D>(&law);
        let reached = drive(&law, &motion, 1e-8).unwrap();
        let reference = drive(&law, &motion, 1e-10).unwrap();
        let error = misfit(&reached, &reference);
        println!("{D}-D {}: {error:.1e}", card.name);
        // what the interface promises
        assert!(error < 1e-6, "{} in {D}-D: {error:e}", card.name);
    }
}

#[test]
fn converged_in_one_dimension() {
    converges::<1>();
}

#[test]
fn converged_in_two_dimensions() {
    converges::<2>();
}

#[test]
fn converged_in_three_dimensions() {
    converges::<3>();
}

#[test]
fn cutting_a_motion_changes_nothing() {
    // uneven shares, so that cuts and steps fall anywhere
    let shares = [0.013, 0.2, 0.31, 0.5, 0.77, 0.998];
    for card in Friction::CARDS {
        let law = of_card(card);
        let whole = motion::<2>(&law);
        let mut cut = vec![whole[0]];
        for pair in whole.windows(2) {
            cut.extend(shares.map(|share| between(&pair[0], &pair[1], share)));
            cut.push(pair[1]);
        }
        let few = drive(&law, &whole, 1e-8).unwrap();
        let many = drive(&law, &cut, 1e-8).unwrap();
        let many: Vec<_> = many.into_iter().step_by(shares.len() + 1).collect();
        let error = misfit(&many, &few);
        println!("{}: {error:.1e}", card.name);
        // twice the promised error
        assert!(error < 2e-6, "{}: {error:e}", card.name);
    }
}

/// Many equal steps of the update, rest in one dimension on a step's end.
fn marched(law: &Friction, motion: &[Sample<1>], count: u32) -> Vec<[f64; 1]> {
    let slip = |s: &Sample<1>| Slip {
        velocity: s.velocity,
        normal_force: s.normal_force,
        applied: s.applied,
    };
    let mut state = vec![0.0; law.layout().len(1)];
    let mut new = state.clone();
    law.start(&slip(&motion[0]), &mut state);
    let mut forces = vec![law.rates(&slip(&motion[0]), &state, &mut new)];
    for pair in motion.windows(2) {
        let mut force = [0.0];
        for i in 0..count {
            let at = |share: f64| between(&pair[0], &pair[1], share / f64::from(count));
            let (from, mean, end) = (f64::from(i), f64::from(i) + 0.5, f64::from(i) + 1.0);
            let (mean, end, from) = (at(mean), at(end), at(from));
            let step = Step {
                mean: slip(&mean),
                end: slip(&end),
                duration: end.t - from.t,
            };
            force = law.update(&step, &state, &mut new);
            state.copy_from_slice(&new);
        }
        forces.push(force);
    }
    forces
}

#[test]
fn agrees_with_many_small_steps() {
    for card in Friction::CARDS {
        let law = of_card(card);
        let motion = motion::<1>(&law);
        let error = misfit(
            &drive(&law, &motion, 1e-8).unwrap(),
            &marched(&law, &motion, 1000),
        );
        println!("{}: {error:.1e}", card.name);
        // small steps smear a switch over a 1000th of a segment, in which |v| changes by up to 0.03 of its scale
        assert!(error < 2e-3, "{}: {error:e}", card.name);
    }
}

/// The continuous view along one segment.
struct Rates<'l, const D: usize> {
    law: &'l Friction,
    from: Sample<D>,
    to: Sample<D>,
}

impl<const D: usize> ODE<f64, Vec<f64>> for Rates<'_, D> {
    fn diff(&self, t: f64, y: &Vec<f64>, dy: &mut Vec<f64>) {
        let share = (t - self.from.t) / (self.to.t - self.from.t);
        let s = between(&self.from, &self.to, share);
        let slip = Slip {
            velocity: s.velocity,
            normal_force: s.normal_force,
            applied: s.applied,
        };
        self.law.rates(&slip, y, dy);
    }
}

/// Forces by an explicit Runge–Kutta method of order 8; needs knots where v passes zero.
fn independent<const D: usize>(law: &Friction, motion: &[Sample<D>]) -> Vec<[f64; D]> {
    let slip = |s: &Sample<D>| Slip {
        velocity: s.velocity,
        normal_force: s.normal_force,
        applied: s.applied,
    };
    let mut y = vec![0.0; law.layout().len(D)];
    law.start(&slip(&motion[0]), &mut y);
    let mut unused = y.clone();
    let mut forces = vec![law.rates(&slip(&motion[0]), &y, &mut unused)];
    for pair in motion.windows(2) {
        let rates = Rates {
            law,
            from: pair[0],
            to: pair[1],
        };
        let method = ExplicitRungeKutta::dop853()
            .rtol(1e-9)
            .atol(1e-15)
            .max_steps(1_000_000);
        let solution = IVP::ode(&rates, pair[0].t, pair[1].t, y.clone())
            .method(method)
            .solve()
            .unwrap();
        y.clone_from(solution.y.last().unwrap());
        forces.push(law.rates(&slip(&pair[1]), &y, &mut unused));
    }
    forces
}

#[test]
fn agrees_with_an_explicit_integrator() {
    let smooth = [
        "dahl",
        "gear",
        "bliman_sorine",
        "lugre_classical",
        "lugre",
        "elastoplastic",
        "gonthier",
    ];
    let mut laws: Vec<Friction> = smooth
        .iter()
        .map(|n| of_card(Friction::card_of(n).unwrap()))
        .collect();
    laws.extend([canudas(), colantonio()]);
    laws.push(law("dahl", &[("sigma_0", 1e4), ("mu_k", 0.1), ("n", 2.0)]));
    for law in laws {
        let line = with_rest_knots(&motion::<1>(&law));
        let error = misfit(
            &drive(&law, &line, 1e-8).unwrap(),
            &independent(&law, &line),
        );
        let plane = motion::<2>(&law);
        let flat = misfit(
            &drive(&law, &plane, 1e-8).unwrap(),
            &independent(&law, &plane),
        );
        println!("{}: {error:.1e} in 1-D, {flat:.1e} in 2-D", law.card().name);
        // what the interface promises
        assert!(error < 1e-6, "{}: {error:e}", law.card().name);
        assert!(flat < 1e-6, "{} in 2-D: {flat:e}", law.card().name);
    }
}
