//! What is wrong with equations has a place.

use crate::common::{Exponents, LUGRE, ONE, PER_METRE, SLOWNESS, SPEED, equations, law};

const PARAMETERS: &[(&str, Exponents)] = &[
    ("sigma_0", PER_METRE),
    ("sigma_1", SLOWNESS),
    ("mu", ONE),
    ("v_r", SPEED),
];

/// The part at fault, and the reason.
fn fault(text: &str) -> (String, String) {
    let error = equations(text, PARAMETERS).expect_err(text);
    let part = error.place.map(|place| text[place.range].to_owned());
    (part.unwrap_or_default(), error.reason)
}

#[test]
fn faults_have_their_place() {
    for (text, part, reason) in [
        ("F = mu*N*w/v_r", "w", "unknown name"),
        ("F = mu*N*(v/v_r", "", "expected \")\""),
        ("F = mu*N + N*v/v_r", "+", "a number and a vector"),
        ("F = mu*N*v", "F", "must be in N, the formula gives N m/s"),
        ("F = mu*N", "F", "must be a vector"),
        ("F = mu*N*v*v", "*", "dot(a, b)"),
        ("F = N*tanh(v)", "tanh", "pure number"),
        ("F = N*exp(v/v_r)", "exp", "odd functions"),
        ("F = mu*N*v/v_r*(1 + |v|)", "+", "1 and m/s cannot be added"),
        ("F = mu*N*v^2", "^", "no power"),
        ("dz/dt = v", "", "the force is missing"),
        ("dz/dt = v - z\nF = N*sigma_0*z", "-", "m/s and m"),
        (
            "dz/dt = -z*mu\nF = N*sigma_0*v/v_r*|z|",
            "dz/dt",
            "whether z is a vector",
        ),
        ("F = mu*N*v/v_r\nF = mu*N*v/v_r", "F", "twice"),
        ("a = b\nb = a\nF = a*N*v/v_r", "a", "follows from itself"),
        ("v = 2\nF = N*v", "v", "slip velocity"),
        ("F = mu_k*N*v/v_r", "mu_k", "Stribeck curve"),
        ("mu*N*v", "mu*N*v", "NAME = formula"),
        ("dv/dt = v\nF = mu*N*v/v_r", "dv/dt", "name of a state"),
        ("mu = 3\nF = mu*N*v/v_r", "mu", "rename"),
    ] {
        let (found, why) = fault(text);
        assert_eq!(found, part, "{text}: {why}");
        assert!(why.contains(reason), "{text}: {why}");
    }
}

#[test]
fn what_is_not_finite_at_rest_is_refused_where_it_is() {
    let text = "F = mu*N*v/|v|";
    let error = law(text, &[("mu", ONE)], &[("mu", 0.3)])
        .check_at_rest()
        .expect_err("0/0");
    assert_eq!(&text[error.place.unwrap().range], "/");
    assert!(error.reason.contains("at rest"), "{}", error.reason);
    assert!(crate::common::lugre().check_at_rest().is_ok());
}

#[test]
fn values_are_checked_by_name() {
    let equations = equations(
        LUGRE,
        &[
            ("sigma_0", PER_METRE),
            ("sigma_1", SLOWNESS),
            ("sigma_2", SLOWNESS),
        ],
    )
    .unwrap();
    let refused = |changes: &[(&str, f64)]| {
        let mut values = crate::common::values(&crate::common::LUGRE_NUMBERS);
        for (name, x) in changes {
            values.retain(|(known, _)| known != name);
            if x.is_finite() {
                values.push(((*name).to_owned(), bristle_laws::Value::Number(*x)));
            }
        }
        let error = bristle_laws::own::OwnLaw::from_values(&equations, &values);
        error.expect_err("refused").to_string()
    };
    assert!(refused(&[("sigma_1", -1.0)]).contains("own.sigma_1 = -1 s/m, must be in [0, ∞)"));
    assert!(refused(&[("sigma_0", f64::NAN)]).contains("own.sigma_0 (sigma_0) is missing"));
    assert!(refused(&[("sigma_3", 1.0)]).contains("has no parameter `sigma_3`"));
    assert!(refused(&[("mu_s", 0.05)]).contains("kinetic_coefficient"));
}
