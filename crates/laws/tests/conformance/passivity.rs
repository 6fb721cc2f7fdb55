//! Bristles whose damping falls with the speed are passive where the notice says so.

use crate::motion::LOAD;
use bristle_laws::friction::typical;
use bristle_laws::{Friction, Slip, Topic, Value};

/// lugre or lugre_classical without viscous friction, with levels μs and 0.1, and σ₁(v).
fn law(name: &str, mu_s: f64, damping_velocity: Option<f64>) -> Friction {
    let mut values = typical(Friction::card_of(name).expect("in the catalogue"));
    for (name, value) in &mut values {
        match name.as_str() {
            "static_coefficient" => *value = Value::Number(mu_s),
            "viscous_coefficient" => *value = Value::Number(0.0),
            _ => {}
        }
    }
    let v_d = damping_velocity.map(|x| ("damping_velocity".to_owned(), Value::Number(x)));
    values.extend(v_d);
    Friction::build(name, &values).expect("admissible")
}

/// The v_d up to which σ₁(v)|v| ≤ μk s²/(s − 1), by hand: x e^(−x²) is largest at 1/√2.
fn bound(name: &str, mu_s: f64) -> f64 {
    let s = (mu_s / 0.1_f64).min(2.0);
    let (sigma_1, level) = match name {
        "lugre" => (31.6228, 0.1),
        _ => (316.228, 0.1 * LOAD),
    };
    level * s * s / (s - 1.0) / (sigma_1 * 0.5_f64.sqrt() * (-0.5_f64).exp())
}

/// The least power that goes neither into heat nor into the bristle, vF − dW/dt, over all
/// speeds and all deflections that can be reached; over the power N μs |v|.
fn least_dissipation(law: &Friction) -> f64 {
    let most = law.breakaway_deflection(LOAD).expect("bristles");
    let mut least = f64::INFINITY;
    for i in -160..=80 {
        let v = 1e-2 * 10.0_f64.powf(f64::from(i) / 40.0);
        for j in -40..=40 {
            let z = most * f64::from(j) / 40.0;
            let mut rate = [0.0];
            let force = law.rates(&Slip::new([v], LOAD), &[z], &mut rate)[0];
            let h = 1e-3 * most;
            let energy = |z: f64| law.stored_energy::<1>(LOAD, &[z]);
            // W is a parabola: its central difference is exact
            let stored = (energy(z + h) - energy(z - h)) / (2.0 * h) * rate[0];
            least = least.min((force * v - stored) / (0.15 * LOAD * v));
        }
    }
    least
}

#[test]
fn damping_that_falls_with_the_speed_makes_bristles_passive() {
    for name in ["lugre", "lugre_classical"] {
        for mu_s in [0.12, 0.15, 0.3] {
            // constant damping pushes at speed
            let constant = law(name, mu_s, None);
            assert!(least_dissipation(&constant) < -0.1, "{name} {mu_s}");
            assert!(
                constant
                    .notices()
                    .iter()
                    .any(|n| n.topic == Topic::Passivity)
            );
            // with the bound of theory nothing is gained; rounding of the grid
            let passive = law(name, mu_s, Some(0.999 * bound(name, mu_s)));
            assert!(least_dissipation(&passive) > -1e-12, "{name} {mu_s}");
            let told = passive.notices();
            if name == "lugre" {
                assert!(told.iter().all(|n| n.topic != Topic::Passivity), "{told:?}");
            } else {
                // forces: from which normal force on
                assert!(
                    told.iter().any(|n| n.text.contains("from 9.99")),
                    "{told:?}"
                );
            }
            // and the bound is not far from the best: ten times more is too much
            let beyond = law(name, mu_s, Some(10.0 * bound(name, mu_s)));
            assert!(least_dissipation(&beyond) < 0.0, "{name} {mu_s}");
            assert!(beyond.notices().iter().any(|n| n.topic == Topic::Passivity));
        }
    }
}

#[test]
fn the_remedy_that_the_notice_names_works() {
    let told = law("lugre", 0.15, None).notices();
    let text = &told
        .iter()
        .find(|n| n.topic == Topic::Passivity)
        .expect("told")
        .text;
    let after = text.split("damping_velocity = ").nth(1).expect("a remedy");
    let number = after.split(' ').next().and_then(|x| x.parse::<f64>().ok());
    let v_d = number.expect("a number");
    // printed with five digits, rounded down
    let share = v_d / bound("lugre", 0.15);
    assert!((0.9999..=1.0).contains(&share), "{text}");
    let mended = law("lugre", 0.15, Some(v_d));
    // rounding of the grid
    assert!(least_dissipation(&mended) > -1e-12);
    assert!(mended.notices().iter().all(|n| n.topic != Topic::Passivity));
}
