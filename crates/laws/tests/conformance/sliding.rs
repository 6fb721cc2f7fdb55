//! Long slides end in the steady state, against the motion.

use crate::motion::{LOAD, Pair, deflection, laws, length, wiggle};
use bristle_laws::card::Behaviour;
use bristle_laws::{Friction, Slip, Step, Value};

#[test]
fn a_long_slide_reaches_the_steady_force_in_every_direction() {
    for (name, law) in laws() {
        for factor in [1.5, 3.0, 10.0] {
            let speed = factor * law.slip_speed();
            let Some(steady) = law.steady(speed, LOAD) else {
                continue;
            };
            // an anisotropic law declares the force along its axis, and is along v there alone
            let anisotropic = law.card().does(Behaviour::Anisotropic);
            for degrees in (0..360).step_by(if anisotropic { 180 } else { 45 }) {
                let (s, c) = f64::from(degrees).to_radians().sin_cos();
                let slip = Slip::new([speed * c, speed * s], LOAD);
                let mut pair = Pair::at_start(&law, &Slip::new([0.0; 2], LOAD));
                pair.slide(slip, 0.3 * deflection(&law) / speed, 200);
                // memory in time (dwell, attraction) fades over seconds
                let force = pair.slide(slip, 0.5, 200);
                let along = force[0] * c + force[1] * s;
                // 100 s are many time constants: e^(-30) is left, 1e-13; a sum of elements and a
                // power of the Stribeck curve round, near its steepest point, some thousand times
                assert!(
                    (along - steady).abs() <= 1e-9 * LOAD,
                    "{name}: {along}, steady {steady}"
                );
                assert!(
                    (length(&force) - along).abs() <= 1e-9 * LOAD,
                    "{name}: {force:?}"
                );
                assert!(along >= 0.0, "{name}: the steady force pushes");
            }
        }
    }
}

#[test]
fn static_laws_never_push() {
    for (name, law) in laws() {
        if !law.layout().is_empty() {
            continue;
        }
        for step in wiggle::<3>(&law, 200) {
            // an applied force at rest is answered along the force, not along v
            let slip = Slip::new(step.end.velocity, step.end.normal_force);
            let force = law.rates(&slip, &[], &mut []);
            let power: f64 = force.iter().zip(&slip.velocity).map(|(f, v)| f * v).sum();
            assert!(power >= 0.0, "{name}: F.v = {power} at {slip:?}");
        }
    }
}

#[test]
fn the_modified_law_is_the_classical_one_at_constant_load() {
    // Colantonio et al. 2022, eq. 14: sigma/N
    let number = |name: &str, x: f64| (name.to_owned(), Value::Number(x));
    let n_e = 7.5;
    let set = |factor: f64| {
        vec![
            number("bristle_stiffness", 1e5 * factor),
            number("bristle_damping", 316.0 * factor),
            number("viscous_coefficient", 0.4 * factor),
            number("stribeck_velocity", 1e-3),
            number("kinetic_coefficient", 0.1),
            number("static_coefficient", 0.15),
        ]
    };
    let modified = Friction::build("lugre", &set(1.0 / n_e)).expect("admissible");
    let classical = Friction::build("lugre_classical", &set(1.0)).expect("admissible");
    let steps = wiggle::<3>(&modified, 300);
    let mut a = Pair::at_start(&modified, &steps[0].mean);
    let mut b = Pair::at_start(&classical, &steps[0].mean);
    for step in steps {
        let constant = |slip: Slip<f64, 3>| Slip::new(slip.velocity, n_e);
        let step = Step {
            mean: constant(step.mean),
            end: constant(step.end),
            ..step
        };
        let (f, g) = (a.advance(&step), b.advance(&step));
        for i in 0..3 {
            // rounding of sigma/N over 300 contracting steps
            assert!((f[i] - g[i]).abs() <= 1e-10 * length(&f), "{f:?} {g:?}");
        }
    }
}
