//! The friction law of a contact in the terms of another law.
//!
//! A scenario describes a contact with the parameters of one law. To run it under another one,
//! fields that both have are taken over, fields that only the other one has are derived, and
//! fields that it lacks are left out. Every derived field comes with a note, since it is a choice:
//!
//! | role of the field | derived from |
//! |---|---|
//! | kinetic level | the kinetic level, static level less drop, else the static level |
//! | static level | the law's own default: the kinetic one |
//! | stiffness, damping, viscous (1/m, s/m) | a stiffness, damping in N/m, N s/m over N; stiffness in elements: their sum; level/length; the stiffness from rest |
//! | stiffness, damping, viscous (N/m, N s/m) | those per load times N |
//! | Stribeck speed, or its reciprocal | that of the other law, else ten times a stick speed |
//! | stick speed, or its reciprocal | that of the other law, else a tenth of the Stribeck speed |
//! | another speed | in proportion to the stick speed, as in the typical set |
//! | static level and drop without a default | in proportion to the kinetic level, as in the typical set |
//! | difference of levels | 0 |
//! | length | in proportion to level/stiffness, as in the typical set |
//! | elements | those of the other law, else the typical ones, scaled to stiffness and level |
//!
//! N is a normal force of one point of the contact. What cannot be derived takes the typical value
//! of the law's card.

mod facts;
mod fields;

use bristle_laws::card::{Default as Fallback, Typical};
use bristle_laws::curve::Shape;
use bristle_laws::parameters::same_name;
use bristle_laws::{Friction, LawCard, ParameterCard, Sides, Value};
use bristle_results::{format_number, format_quantity};
use bristle_scenario::NodeTable;

pub(crate) use facts::Facts;

/// A field with its value as the scenario would have it.
pub(crate) type Given = (String, String);

/// What must change in a contact for another law.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Adapted {
    /// Names of fields, as they stand in the scenario, that go.
    pub(crate) removed: Vec<String>,
    /// Fields that are set.
    pub(crate) set: Vec<Given>,
    /// A sentence for each choice.
    pub(crate) notes: Vec<String>,
    /// Parameters of the scenario's law that the other one does not have, by name.
    pub(crate) unused: Vec<String>,
}

/// Translates `own`, the law of a contact as the scenario has it in `table`, to another law.
///
/// `given` are fields that the user sets; they come last and are not derived. `normal_force` is
/// asked for where a parameter per unit of normal force becomes one that is not, or the other way.
pub(crate) fn adapt(
    own: &Friction,
    table: Option<&NodeTable>,
    target: &LawCard,
    given: &[Given],
    normal_force: Option<f64>,
) -> Adapted {
    let own_card = own.card();
    let all = with_sides(&own_card, target);
    let target = &LawCard {
        parameters: &all,
        ..*target
    };
    let mut adapted = Adapted::default();
    let given: Vec<Given> = given
        .iter()
        .map(|(name, text)| (full_name(target, name), text.clone()))
        .collect();
    let is_given = |name: &str| given.iter().any(|(known, _)| same_name(known, name));
    // what stands in the scenario stays where the other law understands it in the same way
    let mut kept = Vec::new();
    for entry in table
        .map(|table| table.entries.as_slice())
        .unwrap_or_default()
    {
        if entry.key == "law" {
            continue;
        }
        match stays(&own_card, target, &entry.key).filter(|name| !is_given(name)) {
            Some(name) => kept.push(name),
            None => adapted.removed.push(entry.key.clone()),
        }
    }
    let facts = Facts::of(own, normal_force);
    let wanted = fields::TargetLaw::of(target);
    let values = own.to_values();
    for parameter in target.parameters {
        if kept.contains(&&*parameter.name) || is_given(&parameter.name) {
            continue;
        }
        let same = own_card.parameters.iter().any(|p| alike(p, parameter));
        let own_value = values
            .iter()
            .find(|(name, _)| same && **name == *parameter.name);
        if let Some(text) = own_value.and_then(|(_, value)| text_of(value)) {
            // a default of the scenario's law, or a field given by a symbol that means another
            // thing here
            adapted.set.push((parameter.name.to_string(), text));
            continue;
        }
        // a default that follows another parameter is better than a guess
        if same || matches!(parameter.default, Fallback::Scaled(..) | Fallback::Absent) {
            continue;
        }
        if let Some((value, how)) = wanted.derive(parameter, &facts) {
            adapted.notes.push(note(target, parameter, &value, &how));
            adapted
                .set
                .extend(text_of(&value).map(|text| (parameter.name.to_string(), text)));
        } else if parameter.default == Fallback::Required {
            let value = typical(parameter);
            adapted
                .notes
                .push(note(target, parameter, &value, "a typical value"));
            adapted
                .set
                .extend(text_of(&value).map(|text| (parameter.name.to_string(), text)));
        }
    }
    adapted.set.extend(given);
    adapted.unused = unused(&own_card, target, &adapted.removed);
    adapted
}

/// The parameters of the target, with those for negative velocities that it shares with `own`.
fn with_sides(own: &LawCard, target: &LawCard) -> Vec<ParameterCard> {
    let mut all = target.parameters.to_vec();
    if Friction::sides_of(target.name) != Sides::Same {
        let shared = |p: &ParameterCard| own.parameters.iter().any(|own| alike(own, p));
        let negative = target.negative_parameters().into_iter();
        all.extend(negative.filter(shared));
    }
    all
}

/// Parameters that a law needs, or that were given for it, and the other one does not have.
fn unused(own: &LawCard, target: &LawCard, removed: &[String]) -> Vec<String> {
    let stands = |p: &ParameterCard| {
        let mut keys = removed.iter();
        p.default == Fallback::Required
            || keys.any(|key| same_name(key, &p.name) || *key == p.symbol)
    };
    let lacks =
        |p: &&ParameterCard| stands(p) && !target.parameters.iter().any(|t| t.name == p.name);
    let missing = own.parameters.iter().filter(lacks);
    missing.map(|p| p.name.to_string()).collect()
}

/// Whether a translation takes parameters per unit of normal force to such that are not, or back.
pub(crate) fn needs_load(own: &LawCard, target: &LawCard) -> bool {
    let absolute = |card: &LawCard| {
        let mut parameters = card.parameters.iter();
        parameters.any(|p| !p.per_load())
    };
    absolute(own) || absolute(target)
}

/// The full name of a parameter that is given by name or symbol; other names as they are.
pub(crate) fn full_name(law: &LawCard, name: &str) -> String {
    let meant = |p: &&ParameterCard| same_name(&p.name, name) || p.symbol == name;
    let found = law.parameters.iter().find(meant);
    found.map_or_else(|| name.to_owned(), |p| p.name.to_string())
}

fn alike(a: &ParameterCard, b: &ParameterCard) -> bool {
    a.name == b.name && a.unit == b.unit && a.kind == b.kind
}

/// The name under which a field of the scenario means the same in both laws.
fn stays<'a>(own: &LawCard, target: &LawCard<'a>, key: &str) -> Option<&'a str> {
    let by_name = same_name;
    let parameter = own
        .parameters
        .iter()
        .find(|p| by_name(&p.name, key) || p.symbol == key)?;
    let other = target.parameters.iter().find(|p| alike(p, parameter))?;
    (by_name(&other.name, key) || other.symbol == key).then_some(&other.name)
}

fn typical(parameter: &ParameterCard) -> Value {
    match parameter.typical {
        Typical::Number(number) => Value::Number(number),
        Typical::List(list) => Value::List(list.to_vec()),
        Typical::Flag(flag) => Value::Flag(flag),
        Typical::Curve(name) => Value::Curve(Shape::named(name).unwrap_or_default()),
    }
}

/// A value as TOML; nothing for one that has no short form.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => number.is_finite().then(|| format_number(*number)),
        Value::List(list) => {
            let numbers: Vec<String> = list.iter().map(|&number| format_number(number)).collect();
            Some(format!("[{}]", numbers.join(", ")))
        }
        Value::Flag(flag) => Some(flag.to_string()),
        Value::Curve(shape) => {
            let name = Shape::named(shape.name()).filter(|plain| plain == shape);
            name.map(|plain| format!("\"{}\"", plain.name()))
        }
    }
}

fn note(law: &LawCard, parameter: &ParameterCard, value: &Value, how: &str) -> String {
    let value = match value {
        Value::Number(number) => format_quantity(*number, &parameter.unit),
        other => text_of(other).unwrap_or_default(),
    };
    format!("{} needs {}: {value}, {how}", law.name, parameter.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lugre() -> Friction {
        let values = [
            ("bristle_stiffness", 1e4),
            ("bristle_damping", 30.0),
            ("stribeck_velocity", 2e-3),
            ("kinetic_coefficient", 0.1),
            ("static_coefficient", 0.15),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), Value::Number(value)));
        Friction::build("lugre", &values.to_vec()).unwrap()
    }

    fn number(adapted: &Adapted, name: &str) -> f64 {
        let (_, text) = adapted.set.iter().find(|(known, _)| known == name).unwrap();
        text.parse().unwrap()
    }

    fn to(law: &str, given: &[Given]) -> Adapted {
        let card = Friction::card_of(law).unwrap();
        adapt(&lugre(), None, card, given, Some(20.0))
    }

    /// The law that the fields of a translation make.
    fn made(card: &LawCard, adapted: &Adapted) -> Result<Friction, bristle_laws::ParameterError> {
        let values = adapted.set.iter().map(|(name, text)| {
            let value = match text.as_str() {
                "true" | "false" => Value::Flag(text == "true"),
                text if text.starts_with('"') => {
                    Value::Curve(Shape::named(text.trim_matches('"')).unwrap())
                }
                text if text.starts_with('[') => {
                    let inner = text.trim_matches(['[', ']']).split(',');
                    Value::List(inner.map(|x| x.trim().parse().unwrap()).collect())
                }
                text => Value::Number(text.parse().unwrap()),
            };
            (name.clone(), value)
        });
        Friction::build(card.name, &values.collect())
    }

    /// The typical law, with three elements where it has any.
    fn typical_law(card: &LawCard) -> Friction {
        let mut values = bristle_laws::friction::typical(card);
        for (name, value) in &mut values {
            let list = match name.as_str() {
                "element_stiffnesses" => vec![5e3, 3e3, 1e3],
                "element_fractions" => vec![0.2, 0.3, 0.5],
                "element_limits" => vec![0.04, 0.06, 0.1],
                _ => continue,
            };
            *value = Value::List(list);
        }
        Friction::build(card.name, &values).unwrap()
    }

    #[test]
    fn every_law_of_the_catalogue_can_stand_in_for_every_other() {
        for own in Friction::CARDS {
            for card in Friction::CARDS {
                let adapted = adapt(&typical_law(own), None, card, &[], Some(20.0));
                let law = made(card, &adapted);
                assert!(law.is_ok(), "{} for {}: {law:?}", card.name, own.name);
            }
        }
    }

    #[test]
    fn elements_are_taken_over() {
        let card = |name| Friction::card_of(name).unwrap();
        let to = |own, target| {
            let adapted = adapt(&typical_law(card(own)), None, card(target), &[], Some(20.0));
            made(card(target), &adapted).unwrap().to_values()
        };
        let list = |values: &bristle_laws::Values, name: &str| match values
            .iter()
            .find(|(known, _)| known == name)
        {
            Some((_, Value::List(list))) => list.clone(),
            _ => panic!("{name} is missing"),
        };
        let near = |list: Vec<f64>, wanted: [f64; 3]| {
            assert_eq!(list.len(), 3);
            for (x, y) in list.iter().zip(wanted) {
                // rounding
                assert!((x / y - 1.0).abs() < 1e-12, "{list:?}");
            }
        };
        // N = 20 N: stiffnesses in N/m are 20 times those in 1/m; limits are shares of mu_s = 0.15
        let iwan = to("gms", "iwan");
        near(list(&iwan, "element_stiffnesses"), [1e5, 6e4, 2e4]);
        near(list(&iwan, "element_fractions"), [0.2, 0.3, 0.5]);
        let gms = to("iwan", "gms");
        near(list(&gms, "element_stiffnesses"), [250.0, 150.0, 50.0]);
        near(
            list(&to("gms", "leuven"), "element_limits"),
            [0.03, 0.045, 0.075],
        );
        near(
            list(&to("leuven", "gms"), "element_fractions"),
            [0.2, 0.3, 0.5],
        );
    }

    #[test]
    fn derived_values_are_those_of_the_table() {
        // a tenth of 2 mm/s
        assert!((number(&to("gkf", &[]), "regularisation_velocity") - 2e-4).abs() < 1e-18);
        // σ0 N = 1e4 · 20, σ1 N = 30 · 20
        let simpack = to("simpack_stick_slip", &[]);
        assert!((number(&simpack, "stick_stiffness") - 2e5).abs() < 1e-9);
        assert!((number(&simpack, "stick_damping") - 600.0).abs() < 1e-9);
        // μs/σ0 = 0.15/1e4
        assert!(
            (number(&to("adams_stick_slip", &[]), "stiction_displacement") - 1.5e-5).abs() < 1e-18
        );
        // the classical law has the same names in other units
        assert!((number(&to("lugre_classical", &[]), "bristle_stiffness") - 2e5).abs() < 1e-9);
    }

    #[test]
    fn given_fields_win_and_are_found_by_symbol() {
        let adapted = to("gkf", &[("v_r".to_owned(), "1 mm/s".to_owned())]);
        let given = ("regularisation_velocity".to_owned(), "1 mm/s".to_owned());
        assert_eq!(adapted.set.last(), Some(&given));
        assert!(adapted.notes.is_empty(), "{:?}", adapted.notes);
        assert_eq!(adapted.unused, ["bristle_stiffness", "bristle_damping"]);
    }

    #[test]
    fn notes_name_the_law_the_field_the_value_and_where_it_is_from() {
        let note = &to("gkf", &[]).notes[0];
        let text = "gkf needs regularisation_velocity: 200 µm/s, a tenth of stribeck_velocity";
        assert_eq!(note, text);
    }
}
