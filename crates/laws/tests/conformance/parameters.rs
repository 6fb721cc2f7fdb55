//! Parameters are refused by name, survive a round trip, and each has an effect.

use crate::motion::{LOAD, Pair, build, laws, stop_and_go, wiggle};
use bristle_laws::card::{Default, ParameterCard, ParameterKind, Range};
use bristle_laws::curve::Shape;
use bristle_laws::friction::{typical, typical_value};
use bristle_laws::{Friction, LawCard, Value, Values};

fn with(values: &Values, name: &str, value: Value) -> Values {
    let mut kept: Values = values.iter().filter(|(n, _)| n != name).cloned().collect();
    kept.push((name.to_owned(), value));
    kept
}

fn refused(card: &LawCard, values: &Values, name: &str, why: &str) {
    match Friction::build(card.name, values) {
        Ok(_) => panic!("{}.{name} is accepted: {why}", card.name),
        Err(error) => {
            assert_eq!(
                error.parameter(),
                Some(name),
                "{}, {why}: {error}",
                card.name
            );
            let text = error.to_string();
            assert!(text.contains(card.name) && text.contains(name), "{text}");
        }
    }
}

/// Numbers just outside a range.
fn outside(range: Range) -> Vec<f64> {
    let mut numbers = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    match range {
        Range::Positive => numbers.extend([0.0, -0.0, -1e-300, -1.0]),
        Range::NonNegative => numbers.extend([-1e-300, -1.0]),
        Range::Finite => {}
        Range::Open(low, high) => numbers.extend([low, high]),
        Range::Closed(low, high) => numbers.extend([low.next_down(), high.next_up()]),
    }
    numbers
}

/// The typical value with one number in it replaced, every way there is.
fn replaced(typical: &Value, x: f64) -> Vec<Value> {
    match typical {
        Value::Number(_) => vec![Value::Number(x)],
        Value::List(list) => (0..list.len())
            .map(|i| {
                let mut list = list.clone();
                list[i] = x;
                Value::List(list)
            })
            .collect(),
        Value::Flag(_) | Value::Curve(_) => Vec::new(),
    }
}

fn wrong_kinds(kind: ParameterKind) -> Vec<Value> {
    let number = Value::Number(1.0);
    let (list, flag) = (Value::List(vec![1.0]), Value::Flag(true));
    match kind {
        ParameterKind::Number => vec![list, flag],
        ParameterKind::List => vec![number, flag, Value::List(Vec::new())],
        ParameterKind::Flag | ParameterKind::Curve => vec![number, list],
    }
}

fn each(test: impl Fn(&LawCard, &Values, &ParameterCard, &Value)) {
    for card in Friction::CARDS {
        let values = typical(card);
        for parameter in card.parameters {
            let value = typical_value(parameter);
            test(
                card,
                &with(&values, &parameter.name, value.clone()),
                parameter,
                &value,
            );
        }
    }
}

#[test]
fn values_outside_the_range_are_refused_by_name() {
    each(|card, values, parameter, value| {
        for x in outside(parameter.range) {
            for bad in replaced(value, x) {
                let why = format!("{bad:?}");
                refused(
                    card,
                    &with(values, &parameter.name, bad),
                    &parameter.name,
                    &why,
                );
            }
        }
    });
}

#[test]
fn wrong_kinds_are_refused_by_name() {
    each(|card, values, parameter, _| {
        for bad in wrong_kinds(parameter.kind) {
            let why = format!("{bad:?}");
            refused(
                card,
                &with(values, &parameter.name, bad),
                &parameter.name,
                &why,
            );
        }
    });
}

#[test]
fn unknown_missing_and_repeated_names_are_refused() {
    each(|card, values, parameter, value| {
        let mut twice = values.clone();
        twice.push((parameter.symbol.to_string(), value.clone()));
        refused(card, &twice, &parameter.name, "by name and symbol");
        if parameter.default == Default::Required {
            let rest = values
                .iter()
                .filter(|(n, _)| **n != *parameter.name)
                .cloned();
            refused(card, &rest.collect(), &parameter.name, "missing");
        }
    });
    for card in Friction::CARDS {
        let mut values = typical(card);
        values.push(("bristle_stifness".to_owned(), Value::Number(1.0)));
        refused(card, &values, "bristle_stifness", "unknown");
    }
    assert!(Friction::build("lugree", &Vec::new()).is_err());
}

#[test]
fn a_static_level_below_the_kinetic_one_is_refused() {
    for card in Friction::CARDS {
        let has = |name: &str| card.parameters.iter().any(|p| p.name == name);
        if has("static_coefficient") && has("kinetic_coefficient") {
            let values = with(&typical(card), "kinetic_coefficient", Value::Number(0.2));
            let low = Value::Number(0.2_f64.next_down());
            let values = with(&values, "static_coefficient", low);
            refused(card, &values, "static_coefficient", "below the kinetic one");
        }
    }
}

#[test]
fn symbols_are_as_good_as_names() {
    for card in Friction::CARDS {
        let given = card
            .parameters
            .iter()
            .filter(|p| p.default != Default::Absent);
        let values = given
            .map(|p| (p.symbol.to_string(), typical_value(p)))
            .collect();
        let law = Friction::build(card.name, &values).expect("symbols are names");
        assert_eq!(law.to_values(), build(card).to_values(), "{}", card.name);
    }
}

#[test]
fn values_make_the_same_law_again() {
    for (name, law) in laws() {
        let again = Friction::build(name, &law.to_values()).expect("a law's own values");
        // Debug prints every field with all digits
        assert_eq!(format!("{law:?}"), format!("{again:?}"), "{name}");
        assert_eq!(fingerprint(&law), fingerprint(&again), "{name}");
    }
}

/// Everything a law answers along two motions and in steady sliding.
fn fingerprint(law: &Friction) -> Vec<u64> {
    // the motions are those of the typical law, so that they do not follow the parameters
    let reference = build(&law.card());
    let mut numbers = Vec::new();
    let mut line = Pair::at_start(law, &stop_and_go(&reference)[0].mean);
    for step in stop_and_go(&reference) {
        numbers.extend(line.advance(&step));
        let mut rates = vec![0.0; line.state.len()];
        numbers.extend(law.rates(&step.end, &line.state, &mut rates));
        numbers.extend(rates);
    }
    let mut plane = Pair::at_start(law, &wiggle::<2>(&reference, 1)[0].mean);
    for step in wiggle::<2>(&reference, 200) {
        numbers.extend(plane.advance(&step));
    }
    let vs = reference.slip_speed();
    let steady = [0.3, 1.0, 1.2, 5.0].map(|x| law.steady(x * vs, LOAD));
    numbers.extend(steady.into_iter().flatten());
    numbers.into_iter().map(f64::to_bits).collect()
}

/// The typical value changed a little, several ways: a list may have to keep its sum.
fn changed(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(x) => [1.1, 0.95, 1.01].map(|f| Value::Number(x * f)).to_vec(),
        Value::Flag(x) => vec![Value::Flag(!x)],
        Value::Curve(_) => vec![Value::Curve(Shape::Rational)],
        Value::List(list) => {
            let scaled = Value::List(list.iter().map(|x| 1.1 * x).collect());
            let mut moved = list.clone();
            if let [first, second, ..] = &mut moved[..] {
                let share = 0.1 * *first;
                (*first, *second) = (*first - share, *second + share);
            }
            vec![scaled, Value::List(moved)]
        }
    }
}

#[test]
fn every_parameter_has_an_effect() {
    each(|card, values, parameter, value| {
        let before = fingerprint(&build(card));
        let law = changed(value)
            .into_iter()
            .find_map(|v| Friction::build(card.name, &with(values, &parameter.name, v)).ok())
            .unwrap_or_else(|| panic!("{}.{}: no admissible change", card.name, parameter.name));
        // case C33: a parameter that is accepted and never used
        assert_ne!(
            before,
            fingerprint(&law),
            "{}.{} has no effect",
            card.name,
            parameter.name
        );
    });
}
