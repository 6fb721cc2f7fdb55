//! The continuous view and the constitutive update describe one law.

use crate::motion::{LOAD, Pair, deflection, laws, length};
use bristle_laws::{Friction, Slip, Step};

/// Conditions at a fraction of the way, from the start of the step.
struct Ramp {
    velocity: [f64; 2],
    acceleration: [f64; 2],
    load: f64,
    load_rate: f64,
}

impl Ramp {
    fn at(&self, t: f64) -> Slip<f64, 2> {
        let v = std::array::from_fn(|i| self.velocity[i] + self.acceleration[i] * t);
        Slip::new(v, self.load + self.load_rate * t)
    }

    fn step(&self, h: f64) -> Step<f64, 2> {
        // the conditions are linear in time: the mean is the middle
        Step {
            mean: self.at(0.5 * h),
            end: self.at(h),
            duration: h,
        }
    }
}

/// State and force after `h`, by the classical Runge–Kutta method on the continuous view.
fn integrate(law: &Friction, ramp: &Ramp, start: &[f64], h: f64) -> (Vec<f64>, [f64; 2]) {
    // the state varies by less than 1 % per substep: the error is below 1e-11 of a step
    let substeps = 64;
    let dt = h / f64::from(substeps);
    let rate = |t: f64, z: &[f64]| {
        let mut rates = vec![0.0; z.len()];
        law.rates(&ramp.at(t), z, &mut rates);
        rates
    };
    let moved = |z: &[f64], k: &[f64], by: f64| -> Vec<f64> {
        z.iter().zip(k).map(|(z, k)| z + by * k).collect()
    };
    let mut z = start.to_vec();
    for i in 0..substeps {
        let t = f64::from(i) * dt;
        let k1 = rate(t, &z);
        let k2 = rate(t + 0.5 * dt, &moved(&z, &k1, 0.5 * dt));
        let k3 = rate(t + 0.5 * dt, &moved(&z, &k2, 0.5 * dt));
        let k4 = rate(t + dt, &moved(&z, &k3, dt));
        for (i, z) in z.iter_mut().enumerate() {
            *z += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    let mut unused = vec![0.0; z.len()];
    let force = law.rates(&ramp.at(h), &z, &mut unused);
    (z, force)
}

/// Relative difference of the two views after one step of `h`; None if a mode changed.
fn difference(law: &Friction, ramp: &Ramp, start: &[f64], h: f64) -> Option<f64> {
    let (z, force) = integrate(law, ramp, start, h);
    let mut new = start.to_vec();
    let updated = law.update(&ramp.step(h), start, &mut new);
    // a mode has rate 0 and changes in the update alone
    let first_scalar = 2 * law.layout().vectors;
    let mode_changed = (first_scalar..z.len()).any(|i| {
        let kept = z[i].to_bits() == start[i].to_bits();
        kept && new[i].to_bits() != start[i].to_bits()
    });
    if mode_changed {
        return None;
    }
    let scale = start.iter().fold(deflection(law), |m, x| m.max(x.abs()));
    let states = z.iter().zip(&new).map(|(a, b)| (a - b) / scale);
    let forces = force.iter().zip(&updated).map(|(a, b)| (a - b) / LOAD);
    Some(states.chain(forces).fold(0.0, |m: f64, e| m.max(e.abs())))
}

/// Smooth situations: loading from rest, and sliding that turns and speeds up.
fn situations(law: &Friction) -> Vec<(&'static str, Ramp, Vec<f64>, f64)> {
    let (vs, zb) = (law.slip_speed(), deflection(law));
    let mut all = Vec::new();
    let rest = Slip::new([0.0; 2], LOAD);
    let stuck = Pair::at_start(law, &rest);
    // presliding: 15 % of the deflection in the longest step
    let (v, h) = (0.02 * vs, 0.15 * zb / (0.02 * vs));
    all.push((
        "presliding",
        Ramp {
            velocity: [v, 0.3 * v],
            acceleration: [0.5 * v / h, 0.2 * v / h],
            load: LOAD,
            load_rate: 0.0,
        },
        stuck.state,
        h,
    ));
    let (v, h) = (3.0 * vs, 0.15 * zb / (3.0 * vs));
    let slip = Slip::new([v, 0.3 * v], LOAD);
    let mut sliding = Pair::at_start(law, &slip);
    sliding.slide(slip, h, 200);
    // limits may move with dN/dt, which the continuous view is not told; bristles have none
    let bristles = law.card().name.starts_with("lugre");
    let load_rate = if bristles { 0.01 * LOAD / h } else { 0.0 };
    all.push((
        "sliding",
        Ramp {
            velocity: slip.velocity,
            acceleration: [0.3 * v / h, 0.1 * v / h],
            load: LOAD,
            load_rate,
        },
        sliding.state,
        h,
    ));
    all
}

#[test]
fn agree_to_second_order_in_the_step() {
    for (name, law) in laws() {
        let mut compared = 0;
        for (situation, ramp, state, h) in situations(&law) {
            let errors: Option<Vec<f64>> = (0..5)
                .map(|k| difference(&law, &ramp, &state, h / f64::from(1 << k)))
                .collect();
            let Some(errors) = errors else { continue };
            compared += 1;
            let last = errors[4];
            // rounding of the comparison: 64 Runge–Kutta steps at 1e-16 each
            if last < 1e-12 {
                continue;
            }
            let order = (errors[1] / last).log2() / 3.0;
            let wanted = if name.starts_with("lugre") { 3.0 } else { 2.0 };
            assert!(
                order >= wanted - 0.2,
                "{name}, {situation}: the views differ with order {order:.2}, {errors:?}"
            );
        }
        assert!(compared > 0, "{name}: every situation changed a mode");
    }
}

#[test]
fn modes_have_no_rate_and_rest_is_kept() {
    for (name, law) in laws() {
        let rest = Slip::new([0.0; 2], LOAD);
        let mut pair = Pair::at_start(&law, &Slip::new([0.0; 2], LOAD));
        let v = 0.01 * law.slip_speed();
        let h = 0.3 * deflection(&law) / v;
        let loaded = pair.slide(Slip::new([v, 0.5 * v], LOAD), h, 1);
        let held = pair.slide(rest, 1e3, 3);
        let mut rates = vec![0.0; pair.state.len()];
        let force = law.rates(&rest, &pair.state, &mut rates);
        if length(&held) > 0.0 {
            let vectors = 2 * law.layout().vectors;
            // at rest nothing moves: the elastic part of a held force is exact (case C49)
            assert!(
                length(&rates[..vectors]) == 0.0,
                "{name}: rates at rest {rates:?}"
            );
            // bristle damping has gone; the level of `gonthier` rises in the dwell, and its bristle,
            // loaded below it, is no more than kept
            assert!(
                length(&held) <= length(&loaded) * (1.0 + 1e-9),
                "{name}: {held:?} {loaded:?}"
            );
        }
        for i in 0..2 {
            // both views of the same state: rounding only
            assert!(
                (held[i] - force[i]).abs() <= 1e-12 * LOAD,
                "{name}: {held:?} {force:?}"
            );
        }
    }
}
