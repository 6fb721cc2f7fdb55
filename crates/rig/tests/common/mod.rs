//! Laws and motions of the tests.

#![allow(dead_code, reason = "every test file takes a part of it")]

pub(crate) mod block;
pub(crate) mod varied;

use bristle_laws::friction::typical;
use bristle_laws::{Friction, LawCard, Value};
use bristle_rig::{DriveError, Driver, Sample};

/// A law from numbers.
pub(crate) fn law(name: &str, numbers: &[(&str, f64)]) -> Friction {
    let value = |(name, x): &(&str, f64)| ((*name).to_owned(), Value::Number(*x));
    Friction::build(name, &numbers.iter().map(value).collect()).unwrap()
}

/// The law of Canudas de Wit et al. 1995, Fc 1 N and Fs 1.5 N at 10 N.
pub(crate) fn canudas() -> Friction {
    law(
        "lugre_classical",
        &[
            ("sigma_0", 1e5),
            ("sigma_1", 1e5_f64.sqrt()),
            ("sigma_2", 0.4),
            ("mu_k", 0.1),
            ("mu_s", 0.15),
            ("v_s", 1e-3),
        ],
    )
}

/// The law of table 2 of Colantonio et al. 2022.
pub(crate) fn colantonio() -> Friction {
    law(
        "lugre",
        &[
            ("sigma_0", 1e4),
            ("sigma_1", 1e5_f64.sqrt() / 10.0),
            ("sigma_2", 0.04),
            ("mu_k", 0.1),
            ("mu_s", 0.15),
            ("v_s", 1e-3),
        ],
    )
}

/// A law with the typical parameters of its card.
pub(crate) fn of_card(card: &LawCard) -> Friction {
    Friction::build(card.name, &typical(card)).unwrap()
}

/// A sample without applied force.
pub(crate) fn sample<const D: usize>(t: f64, velocity: [f64; D], normal_force: f64) -> Sample<D> {
    Sample {
        t,
        velocity,
        normal_force,
        applied: [0.0; D],
    }
}

/// Samples of one dimension under one normal force.
pub(crate) fn samples(normal_force: f64, points: &[(f64, f64)]) -> Vec<Sample<1>> {
    points
        .iter()
        .map(|&(t, v)| sample(t, [v], normal_force))
        .collect()
}

/// Forces at the samples.
pub(crate) fn drive<const D: usize>(
    law: &Friction,
    motion: &[Sample<D>],
    rtol: f64,
) -> Result<Vec<[f64; D]>, DriveError> {
    let mut driver = Driver::new(law, &motion[0], rtol);
    let mut forces = vec![driver.force()];
    for sample in &motion[1..] {
        forces.push(driver.advance(sample)?);
    }
    Ok(forces)
}

/// Forces of a motion in one dimension at the default tolerance.
pub(crate) fn forces(law: &Friction, motion: &[Sample<1>]) -> Vec<f64> {
    drive(law, motion, 1e-8)
        .unwrap()
        .iter()
        .map(|[f]| *f)
        .collect()
}

/// Conditions between two samples.
pub(crate) fn between<const D: usize>(a: &Sample<D>, b: &Sample<D>, share: f64) -> Sample<D> {
    let mix = |x: f64, y: f64| x + share * (y - x);
    Sample {
        t: mix(a.t, b.t),
        velocity: std::array::from_fn(|i| mix(a.velocity[i], b.velocity[i])),
        normal_force: mix(a.normal_force, b.normal_force),
        applied: std::array::from_fn(|i| mix(a.applied[i], b.applied[i])),
    }
}

/// Every law with the level `mu` at any speed, and without viscous friction.
pub(crate) fn coulomb_like(mu: f64) -> impl Iterator<Item = (&'static str, Friction)> {
    Friction::CARDS.iter().map(move |card| {
        let mut values = typical(card);
        for (name, value) in &mut values {
            match name.as_str() {
                // its force ends at 1 - e^-3 of the level
                "kinetic_coefficient" if card.name == "threlfall" => {
                    *value = Value::Number(mu / -(-3.0_f64).exp_m1());
                }
                "static_coefficient" | "kinetic_coefficient" | "first_amplitude" => {
                    *value = Value::Number(mu);
                }
                // a bristle that starts at speed would kick by sigma_1 z
                "bristle_damping" if card.name != "gonthier" => *value = Value::Number(0.0),
                // as little as its range allows
                "stribeck_excess" => *value = Value::Number(1e-9),
                "second_amplitude" | "viscous_coefficient" | "directional_coefficient" => {
                    *value = Value::Number(0.0);
                }
                // shares of mu
                "element_limits" => {
                    *value = Value::List([0.1, 0.2, 0.3, 0.4].map(|x| x * mu).to_vec());
                }
                _ => {}
            }
        }
        (card.name, Friction::build(card.name, &values).unwrap())
    })
}

/// Speed that the spring of stick gives back, √(F x/m), where the return to stick loads it with the
/// force of slip, whatever the motion before; without damping it rings with it for ever.
pub(crate) fn rebound(law: &Friction, load: f64, mass: f64) -> f64 {
    match law.card().name {
        "reset_integrator" | "armstrong" => {
            let force = law.steady(law.slip_speed(), load).unwrap();
            (force * law.breakaway_deflection(load).unwrap() / mass).sqrt()
        }
        _ => 0.0,
    }
}
