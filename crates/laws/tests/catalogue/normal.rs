//! Normal-force laws: restitution in a free impact, and the edges of contact.

use bristle_laws::{Indentation, Normal, Value};

fn build(name: &str, values: &[(&str, f64)]) -> Normal {
    let values = values
        .iter()
        .map(|(n, x)| ((*n).to_owned(), Value::Number(*x)))
        .collect();
    Normal::build(name, &values).expect("admissible parameters")
}

/// Restitution of a mass of 1 kg that meets the law at `v_in`, by the classical Runge–Kutta method.
fn restitution(law: &Normal, v_in: f64, time: f64) -> f64 {
    let steps = 20_000;
    let h = time / f64::from(steps);
    let force = |depth: f64, rate: f64| {
        law.evaluate(&Indentation {
            depth,
            rate,
            impact_rate: v_in,
        })
        .force
    };
    let (mut x, mut v) = (0.0, v_in);
    for _ in 0..10 * steps {
        let (a1, v1) = (-force(x, v), v);
        let (a2, v2) = (-force(x + 0.5 * h * v1, v + 0.5 * h * a1), v + 0.5 * h * a1);
        let (a3, v3) = (-force(x + 0.5 * h * v2, v + 0.5 * h * a2), v + 0.5 * h * a2);
        let (a4, v4) = (-force(x + h * v3, v + h * a3), v + h * a3);
        x += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        if x <= 0.0 {
            break;
        }
    }
    -v / v_in
}

#[test]
fn restitution_of_the_laws() {
    let k = ("stiffness", 1e7);
    // contact time of the order (m/K)^(2/5) v^(-1/5): a few ms
    let impact = |name: &str, field: &str, value: f64, v: f64| {
        restitution(
            &build(name, &[k, ("exponent", 1.5), (field, value)]),
            v,
            5e-3,
        )
    };
    // three digits, computed elsewhere: half of the last one, and the integration; independent of
    // the speed
    for (e, lankarani, flores) in [
        (0.9, 0.913, 0.894),
        (0.7, 0.796, 0.683),
        (0.3, 0.684, 0.256),
    ] {
        for v in [0.3, 2.0] {
            let error = impact("lankarani_nikravesh", "restitution", e, v) - lankarani;
            assert!(error.abs() < 6e-4, "lankarani_nikravesh {e}: {error}");
            let error = impact("flores", "restitution", e, v) - flores;
            assert!(error.abs() < 6e-4, "flores {e}: {error}");
        }
    }
    // 1 - a v for small a v; the next term is of the order (a v)^2
    for (a, v) in [(0.02, 0.5), (0.02, 1.0), (0.05, 0.3)] {
        let error = impact("hunt_crossley_1975", "dissipation", a, v) - (1.0 - a * v);
        assert!(error.abs() < 2.0 * a * v * a * v, "{a} {v}: {error}");
    }
    // no loss; the last step ends outside the contact, 5 ms/20000 late: no force there
    let elastic = restitution(&build("hertz", &[k]), 1.0, 5e-3);
    assert!((elastic - 1.0).abs() < 1e-6, "{elastic}");
    // z = D/(2 sqrt(K m)) = 0.1; clamped: the mass leaves where K d + D d' = 0, which gives
    // exp(-z w/w_d (pi - 2 atan(..))) = exp(-0.1/0.99499 acos(2 z^2 - 1)) = 0.744134
    let law = build("kelvin_voigt", &[("stiffness", 1e4), ("damping", 20.0)]);
    let z: f64 = 0.1;
    let expected = (-z / (1.0 - z * z).sqrt() * (2.0 * z * z - 1.0).acos()).exp();
    let error = restitution(&law, 1.0, 5e-2) - expected;
    // it leaves the contact force at the clamp, not at d = 0: the flight to d = 0 is free
    assert!(error.abs() < 1e-4, "{error}");
    assert!(expected > (-std::f64::consts::PI * z / (1.0 - z * z).sqrt()).exp());
}

#[test]
fn never_adhesive_and_nothing_out_of_contact() {
    for card in Normal::CARDS {
        let values: Vec<_> = card
            .parameters
            .iter()
            .filter(|p| !["area", "surface_constant"].contains(&&*p.name))
            .map(|p| match p.typical {
                bristle_laws::card::Typical::Number(x) => (&*p.name, x),
                _ => (&*p.name, 0.0),
            })
            .collect();
        let law = build(card.name, &values);
        for depth in [-1e-3, 0.0, 1e-300, 1e-9, 1e-5, 1e-3] {
            for rate in [-10.0, -1e-3, 0.0, 1e-3, 10.0] {
                // no touch-down was seen, or a very slow one
                for impact_rate in [-1.0, 0.0, 1e-300, 0.5] {
                    let n = law.evaluate(&Indentation {
                        depth,
                        rate,
                        impact_rate,
                    });
                    let all = [n.force, n.stiffness, n.damping];
                    assert!(all.iter().all(|x| x.is_finite()), "{}: {n:?}", card.name);
                    assert!(n.force >= 0.0 && (depth > 0.0 || n.force == 0.0));
                    assert!(n.damping >= 0.0);
                }
            }
        }
        // dW/dd of the stored energy is the force at rest, by a central difference
        let (d, h) = (1e-4, 1e-8);
        let slope = (law.stored_energy(d + h) - law.stored_energy(d - h)) / (2.0 * h);
        let force = law
            .evaluate(&Indentation {
                depth: d,
                rate: 0.0,
                impact_rate: 1.0,
            })
            .force;
        // truncation (h/d)^2 = 1e-8
        assert!((slope / force - 1.0).abs() < 1e-6, "{}", card.name);
    }
}
