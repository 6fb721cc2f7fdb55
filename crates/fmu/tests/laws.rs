//! Laws through the C functions: closed forms, exact derivatives, scales, modes.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test fails by a panic; bits are compared"
)]

mod support;

use bristle_fmu::{
    Causality, FmuContents, FmuKind, FmuMachine, FmuRequest, LawMachine, VariableRole,
};
use bristle_laws::friction;
use bristle_laws::{Friction, Slip, Value};
use bristle_scenario::{SourceMap, packed_law};
use support::{LAW, Unpacked, messages};

/// A law with typical values.
fn typical(name: &str) -> Friction {
    let values = friction::typical(Friction::card_of(name).unwrap());
    Friction::build(name, &values).unwrap()
}

/// `name=value` of the typical values of a law.
fn typical_texts(name: &str) -> Vec<String> {
    let values = typical(name).to_values();
    let text = |value: &Value| match value {
        Value::Number(x) => format!("{x:?}"),
        Value::List(list) => format!("{list:?}"),
        Value::Flag(flag) => flag.to_string(),
        Value::Curve(shape) => format!("\"{}\"", shape.name()),
    };
    values
        .iter()
        .map(|(name, value)| format!("{name}={}", text(value)))
        .collect()
}

/// Laws that a solver of rates can follow.
fn with_rates() -> Vec<&'static str> {
    let names = Friction::CARDS.iter().map(|card| card.name);
    names.filter(|name| !has_path_modes(name)).collect()
}

/// Whether a law has modes that change on the path of a step without a jump: by the text of its card.
fn has_path_modes(name: &str) -> bool {
    let law = typical(name);
    let modes = |state: &bristle_laws::StateCard| state.meaning.starts_with("0 stuck");
    !law.jumps() && law.card().states.iter().any(modes)
}

/// F = N (sigma_0 z + sigma_1 dz/dt + sigma_2 v) and dz/dt = v - sigma_0 |v| z / g(v), by hand.
#[test]
fn a_law_has_the_force_and_the_rate_of_its_equations() {
    let fmu = Unpacked::law(LAW, 1);
    let instance = fmu.instance();
    assert_eq!(instance.initialise(), 0, "{}", messages());
    instance.go_on();
    let (v, n, z) = (2e-3_f64, 10.0, 0.4e-5);
    // the state is measured in the deflection at break-away, mu_s/sigma_0
    let scale = 0.15 / 1e4;
    assert_eq!(instance.set(fmu.reference("v"), v), 0);
    assert_eq!(instance.set(fmu.reference("N"), n), 0);
    assert_eq!(instance.set_states(&[z / scale]), 0);
    let g = 0.1 + 0.05 * (-(v / 1e-3_f64).powi(2)).exp();
    let rate = v - 1e4 * v * z / g;
    let force = n * (1e4 * z + 31.6 * rate + 0.4 * v);
    // a few roundings of numbers of the size of the terms
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-13 * b.abs();
    assert!(close(instance.derivatives()[0], rate / scale));
    assert!(close(instance.get(fmu.reference("F")), force));
    assert!(close(instance.get(fmu.reference("power")), force * v));
    assert!(close(instance.get(fmu.reference("der(z)")), rate / scale));
}

/// Steady sliding has |z| of 1 in the units of the FMU, whatever the law and its parameters.
#[test]
fn states_are_of_the_size_of_one() {
    for name in with_rates() {
        let fmu = Unpacked::named_law(name, &typical_texts(name), 1);
        let FmuMachine::Law(law) = &fmu.machine else {
            panic!("{name} is a law");
        };
        let law_itself = typical(name);
        if law_itself.jumps() || law.states() == 0 {
            continue;
        }
        let instance = fmu.instance();
        assert_eq!(instance.initialise(), 0, "{name}: {}", messages());
        instance.go_on();
        assert_eq!(instance.set(fmu.reference("v"), 1e-4), 0);
        assert_eq!(instance.set(fmu.reference("N"), 10.0), 0);
        // 20 um at 0.1 mm/s by Euler steps, in presliding and beyond
        let mut states = instance.states();
        for _ in 0..20_000 {
            let rates = instance.derivatives();
            for (z, rate) in states.iter_mut().zip(rates) {
                *z += 1e-5 * rate;
            }
            assert_eq!(instance.set_states(&states), 0);
        }
        let layout = law_itself.layout();
        let largest = states[..layout.vectors]
            .iter()
            .fold(0.0_f64, |largest, z| largest.max(z.abs()));
        assert!((0.05..=20.0).contains(&largest), "{name}: {states:?}");
    }
}

/// Against central differences of the same functions, with steps of the cube root of the rounding.
#[test]
fn derivatives_are_those_of_the_functions() {
    for name in with_rates() {
        for dimension in 1..=3 {
            let fmu = Unpacked::named_law(name, &typical_texts(name), dimension);
            let instance = fmu.instance();
            assert_eq!(instance.initialise(), 0, "{name}: {}", messages());
            instance.go_on();
            let places = |is: fn(VariableRole) -> bool| -> Vec<u32> {
                let all = fmu.machine.variables().iter().enumerate();
                let own = all.filter(|(_, own)| is(own.role));
                own.map(|(i, _)| u32::try_from(i).unwrap() + 1).collect()
            };
            let velocities = places(|role| matches!(role, VariableRole::Velocity(_)));
            let states = places(|role| matches!(role, VariableRole::State(_)));
            let outputs = places(|role| {
                matches!(
                    role,
                    VariableRole::Force(_) | VariableRole::Rate(_) | VariableRole::Power
                )
            });
            for (i, reference) in velocities.iter().enumerate() {
                instance.set(*reference, [2.3e-3, -1.1e-3, 0.7e-3][i]);
            }
            instance.set(fmu.reference("N"), 7.0);
            let z: Vec<f64> = instance.states().iter().map(|z| z + 0.11).collect();
            // modes stay whole numbers
            let vectors = typical(name).layout().vectors * dimension;
            let start = instance.states();
            let z: Vec<f64> = (0..z.len())
                .map(|i| if i < vectors { z[i] } else { start[i] })
                .collect();
            let mut knowns = velocities.clone();
            knowns.push(fmu.reference("N"));
            knowns.extend(&states[..vectors]);
            for known in &knowns {
                instance.set_states(&z);
                let exact = instance.directional(&outputs, &[*known], &[1.0]);
                let at = instance.get(*known);
                let h = 6e-6 * at.abs().max(1e-3);
                let value = |x: f64| -> Vec<f64> {
                    let state = states.iter().position(|own| own == known);
                    if let Some(i) = state {
                        let mut moved = z.clone();
                        moved[i] = x;
                        instance.set_states(&moved);
                    } else {
                        instance.set(*known, x);
                    }
                    outputs.iter().map(|output| instance.get(*output)).collect()
                };
                let (high, low) = (value(at + h), value(at - h));
                value(at);
                for (i, exact) in exact.iter().enumerate() {
                    let difference = (high[i] - low[i]) / (2.0 * h);
                    let size = exact
                        .abs()
                        .max((high[i].abs() + low[i].abs()) / at.abs().max(1e-3));
                    assert!(
                        (difference - exact).abs() <= 1e-6 * size + 1e-12,
                        "{name} in {dimension}: {i} by {known}: {difference} and {exact}"
                    );
                }
            }
        }
    }
}

/// The rates and forces have the bits of the crate of the laws, in its own units.
#[test]
fn a_law_has_the_bits_of_rust() {
    for name in with_rates() {
        let law = typical(name);
        let fmu = Unpacked::named_law(name, &typical_texts(name), 2);
        let instance = fmu.instance();
        assert_eq!(instance.initialise(), 0, "{name}: {}", messages());
        instance.go_on();
        for (v, n) in [([1e-3, -2e-3], 10.0), ([0.0, 0.1], 3.0), ([0.0, 0.0], 1.0)] {
            instance.set(fmu.reference("vx"), v[0]);
            instance.set(fmu.reference("vy"), v[1]);
            instance.set(fmu.reference("N"), n);
            let mut z = vec![0.0; law.layout().len(2)];
            law.start(&Slip::new([0.0, 0.0], 10.0), &mut z);
            let mut rates = vec![0.0; z.len()];
            let force = law.rates(&Slip::new(v, n), &z, &mut rates);
            let own = [
                instance.get(fmu.reference("Fx")),
                instance.get(fmu.reference("Fy")),
            ];
            assert_eq!(own, force, "{name} at {v:?}");
        }
    }
}

/// A jump of a law is an event: the indicator passes 0, the update changes the state.
#[test]
fn modes_end_where_the_indicator_says() {
    for name in with_rates() {
        if !typical(name).jumps() {
            continue;
        }
        let fmu = Unpacked::named_law(name, &typical_texts(name), 1);
        let instance = fmu.instance();
        assert_eq!(instance.initialise(), 0, "{name}: {}", messages());
        instance.go_on();
        instance.set(fmu.reference("N"), 10.0);
        let margin = fmu.reference("mode_margin");
        let mut states = instance.states();
        let mut passed = false;
        // ever faster, as laws that slip by the speed or by the displacement need it
        for i in 0..200_000 {
            instance.set(fmu.reference("v"), 1e-6 * f64::from(i));
            passed = instance.get(margin) <= 0.0;
            if passed {
                break;
            }
            let rates = instance.derivatives();
            for (z, rate) in states.iter_mut().zip(rates) {
                *z += 1e-4 * rate;
            }
            instance.set_states(&states);
        }
        assert!(passed, "{name} never leaves stick");
        handle_event(&instance);
        assert_ne!(instance.states(), states, "{name}");
        assert!(instance.get(margin) > 0.0, "{name}");
    }
}

fn handle_event(instance: &support::Instance) {
    #[allow(unsafe_code, reason = "a C function")]
    let status = unsafe { bristle_fmu::fmi3::fmi3EnterEventMode(instance.0) };
    assert_eq!(status, 0);
    instance.go_on();
}

#[test]
fn parameters_can_be_set_before_and_some_of_them_at_events() {
    let fmu = Unpacked::law(LAW, 1);
    let instance = fmu.instance();
    let (level, stiffness) = (
        fmu.reference("static_coefficient"),
        fmu.reference("bristle_stiffness"),
    );
    assert_eq!(instance.get(level), 0.15);
    assert_eq!(instance.set(stiffness, 2e4), 0);
    assert_eq!(instance.enter(), 0);
    assert_eq!(instance.set(level, 0.05), 0);
    // below the kinetic level: refused where the law is built
    assert_eq!(instance.get_status_of_exit(), 3);
    assert!(messages().contains("static_coefficient"));
    assert_eq!(instance.set(level, 0.3), 0);
    assert_eq!(instance.get_status_of_exit(), 0);
    assert_eq!(instance.set(level, 0.2), 0);
    assert_eq!(instance.set(stiffness, 1e4), 3);
    assert!(messages().contains("fixed parameter bristle_stiffness"));
    instance.go_on();
    assert_eq!(instance.set(level, 0.3), 3);
    assert!(messages().contains("event mode"));
    instance.set(fmu.reference("v"), 1.0);
    instance.set(fmu.reference("N"), 1.0);
    // far above the Stribeck velocity only mu_k, the damping and the viscous part are left
    instance.set_states(&[0.0]);
    assert_eq!(instance.get(fmu.reference("F")), 31.6 + 0.4);
}

impl support::Instance {
    fn get_status_of_exit(&self) -> i32 {
        #[allow(unsafe_code, reason = "a C function")]
        unsafe {
            bristle_fmu::fmi3::fmi3ExitInitializationMode(self.0)
        }
    }
}

#[test]
fn laws_without_rates_are_refused_with_the_reason() {
    let mut refused = 0;
    for card in Friction::CARDS
        .iter()
        .filter(|card| has_path_modes(card.name))
    {
        let packed = packed_law(card.name, &typical_texts(card.name), &mut SourceMap::new());
        let request = FmuRequest {
            kind: FmuKind::Law {
                dimension: 1,
                normal_force: 1.0,
            },
            model: "law".to_owned(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            parameters: Vec::new(),
        };
        let contents = FmuContents::new(request, packed.unwrap()).unwrap();
        let error = LawMachine::new(&contents).unwrap_err();
        assert!(error.text.contains("no rate"), "{}: {error}", card.name);
        assert!(error.text.starts_with(card.name), "{error}");
        refused += 1;
    }
    assert!(refused > 0);
}

/// Every number of a law is a parameter with its range and its value.
#[test]
fn all_numbers_of_a_law_are_parameters() {
    for name in with_rates() {
        let card = Friction::card_of(name).unwrap();
        let values = typical(name).to_values();
        let fmu = Unpacked::named_law(card.name, &typical_texts(card.name), 1);
        for parameter in card.parameters {
            let value = values.iter().find(|(own, _)| *own == parameter.name);
            if matches!(value, Some((_, Value::Number(_)))) {
                let all = fmu.machine.variables();
                let own = all.iter().find(|own| own.name == parameter.name);
                let own = own.unwrap();
                assert_eq!(own.causality, Causality::Parameter);
                assert!(own.start.is_some() && own.unit == parameter.unit);
            }
        }
    }
}
