//! Finite everywhere, bounded for every step.

use crate::motion::{LOAD, Pair, deflection, laws, length, wiggle};
use bristle_laws::card::Behaviour;
use bristle_laws::{Friction, Slip, Step};

const SUBNORMAL: f64 = 5e-324;
const SPEEDS: [f64; 8] = [0.0, SUBNORMAL, 1e-310, 1e-300, 1e-160, 1e160, 1e200, -1e200];

fn finite<const D: usize>(
    name: &str,
    law: &Friction,
    slip: Slip<f64, D>,
    old: &[f64],
    tangent: bool,
) {
    let (mut new, mut rates) = (old.to_vec(), old.to_vec());
    let step = Step::constant(slip, 1e-3);
    let force = law.rates(&slip, old, &mut rates);
    let updated = law.update(&step, old, &mut new);
    let mut all: Vec<f64> = [&new[..], &rates, &force, &updated].concat();
    if tangent {
        let (f, t) = law.update_with_tangent(&step, old, &mut new);
        all.extend([&new[..], &f].concat());
        all.extend(t.mean_velocity.iter().chain(&t.velocity).flatten());
        all.extend(t.mean_normal_force.iter().chain(&t.normal_force));
        let jacobian = law.jacobian(&slip, old);
        all.extend(jacobian.force_velocity.iter().flatten());
        all.extend(
            jacobian
                .rate_velocity
                .iter()
                .chain(&jacobian.force_state)
                .flatten(),
        );
        all.extend(jacobian.rate_state.iter().flatten());
        all.extend(jacobian.force_normal.iter().chain(&jacobian.rate_normal));
    }
    assert!(
        all.iter().all(|x| x.is_finite()),
        "{name}: not finite at v = {:?}, z = {old:?}, N = {} (tangent: {tangent}): {all:?}",
        slip.velocity,
        slip.normal_force
    );
}

fn states<const D: usize>(law: &Friction) -> Vec<Vec<f64>> {
    let steps = wiggle::<D>(law, 90);
    let mut pair = Pair::at_start(law, &steps[0].mean);
    let mut states = vec![pair.state.clone()];
    for (k, step) in steps.iter().enumerate() {
        pair.advance(step);
        if k % 30 == 29 {
            states.push(pair.state.clone());
        }
    }
    states
}

fn finite_at<const D: usize>(speeds: &[f64], loads: &[f64], tangent: bool) {
    for (name, law) in laws() {
        for old in states::<D>(&law) {
            for &v in speeds {
                for &n in loads {
                    let mut along = [0.0; D];
                    along[D - 1] = v;
                    finite(name, &law, Slip::new(along, n), &old, tangent);
                    finite(name, &law, Slip::new([v; D], n), &old, tangent);
                }
            }
        }
    }
}

#[test]
fn values_are_finite_at_every_speed() {
    let loads = [0.0, SUBNORMAL, LOAD, 1e9];
    finite_at::<1>(&SPEEDS, &loads, false);
    finite_at::<2>(&SPEEDS, &loads, false);
    finite_at::<3>(&SPEEDS, &loads, false);
}

#[test]
fn tangents_are_finite_at_every_normal_speed() {
    let normal: Vec<f64> = SPEEDS.into_iter().filter(|v| !v.is_subnormal()).collect();
    finite_at::<1>(&SPEEDS, &[0.0, LOAD], true);
    finite_at::<2>(&normal, &[0.0, LOAD], true);
    finite_at::<3>(&normal, &[0.0, LOAD], true);
}

#[test]
fn tangents_are_finite_at_subnormal_speeds_too() {
    finite_at::<2>(&SPEEDS, &[0.0, LOAD], true);
    finite_at::<3>(&SPEEDS, &[0.0, LOAD], true);
}

#[test]
fn the_update_is_bounded_for_every_step() {
    for (name, law) in laws() {
        let vs = law.slip_speed();
        for old in states::<2>(&law) {
            for exponent in -12..=12 {
                for v in [0.0, 1e-6 * vs, vs, 1e3 * vs, 1e6] {
                    let slip = Slip::new([0.8 * v, -0.6 * v], LOAD);
                    let step = Step::constant(slip, 10.0_f64.powi(exponent));
                    let mut new = old.clone();
                    let force = law.update(&step, &old, &mut new);
                    let finite = new.iter().chain(&force).all(|x| x.is_finite());
                    assert!(
                        finite,
                        "{name}, v {v}, step 1e{exponent} s: {new:?} {force:?}"
                    );
                    if bounded_by_deflection(name) {
                        // the state moves on a chord inside the disc: rounding only
                        let bound = length(&old).max(deflection(&law)) * (1.0 + 1e-12);
                        let z = length(&new);
                        assert!(z <= bound, "{name}, v {v}, step 1e{exponent} s: |z| {z}");
                    }
                }
            }
        }
    }
}

/// Laws whose one vector state is a deflection that never leaves the disc of break-away.
fn bounded_by_deflection(name: &str) -> bool {
    matches!(name, "lugre" | "lugre_classical" | "dahl" | "elastoplastic")
}

#[test]
fn one_huge_step_of_sliding_ends_in_the_steady_state() {
    for (name, law) in laws() {
        let speed = 5.0 * law.slip_speed();
        let Some(steady) = law.steady(speed, LOAD) else {
            continue;
        };
        if law.card().does(Behaviour::SteadyByHistory) {
            continue;
        }
        // an anisotropic law declares the force along its axis
        let anisotropic = law.card().does(Behaviour::Anisotropic);
        let [c, s] = if anisotropic { [1.0, 0.0] } else { [0.6, 0.8] };
        for old in states::<2>(&law) {
            let slip = Slip::new([c * speed, s * speed], LOAD);
            let mut pair = Pair {
                law: law.clone(),
                state: old,
            };
            pair.slide(slip, 1e9, 1);
            // switching laws may need a second step to leave a mode at once
            let force = pair.slide(slip, 1e9, 2);
            // e^(-huge); an iterative update may stop at 1e-8
            let error = (force[0] - c * steady).abs() + (force[1] - s * steady).abs();
            assert!(error <= 1e-7 * LOAD, "{name}: {force:?}, steady {steady}");
        }
    }
}
