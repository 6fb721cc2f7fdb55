//! The schema describes what is read: it accepts the sound scenarios and refuses wrong ones.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use bristle_scenario::{schema, signal_schema};
use serde_json::{Value, json};

const CUBE: &str = include_str!("scenarios/cube.toml");
const MACHINE: &str = include_str!("scenarios/machine.toml");

/// The part of JSON Schema that the schema uses; what is wrong, or nothing.
fn fault(schema: &Value, root: &Value, value: &Value, path: &str) -> Option<String> {
    let fault_in = |schema: &Value, value: &Value, path: &str| fault(schema, root, value, path);
    let wrong = |what: &str| Some(format!("{path}: {what}"));
    let fits = |option: &Value| fault_in(option, value, path).is_none();
    let length = value.as_array().map(|list| list.len() as u64);
    for (keyword, rule) in schema.as_object().unwrap() {
        let found = match keyword.as_str() {
            "$ref" => {
                let place = rule.as_str().unwrap().trim_start_matches('#');
                fault_in(root.pointer(place).unwrap(), value, path)
            }
            "type" => {
                let one = |name: &Value| is_of(name.as_str().unwrap(), value);
                let listed = rule.as_array().map(|names| names.iter().any(one));
                (!listed.unwrap_or_else(|| one(rule))).then(|| format!("{path}: not {rule}"))
            }
            "enum" if !rule.as_array().unwrap().contains(value) => wrong("not in enum"),
            "const" if rule != value => wrong("not the constant"),
            "minimum" if value.is_number() && value.as_f64() < rule.as_f64() => wrong("too small"),
            "maximum" if value.is_number() && value.as_f64() > rule.as_f64() => wrong("too large"),
            "exclusiveMinimum" if value.is_number() && value.as_f64() <= rule.as_f64() => {
                wrong("low")
            }
            "minItems" if length.is_some_and(|n| n < rule.as_u64().unwrap()) => wrong("too short"),
            "maxItems" if length.is_some_and(|n| n > rule.as_u64().unwrap()) => wrong("too long"),
            "pattern" if value.is_string() && !matches(rule, value) => wrong("not of the pattern"),
            "then" if fits(&schema["if"]) => fault_in(rule, value, path),
            "not" if fits(rule) => wrong("fits what it must not"),
            "anyOf" if !rule.as_array().unwrap().iter().any(fits) => wrong("none of anyOf"),
            "allOf" if !rule.as_array().unwrap().iter().all(fits) => wrong("not all of allOf"),
            "oneOf" if rule.as_array().unwrap().iter().filter(|o| fits(o)).count() != 1 => {
                wrong("not one of oneOf")
            }
            "items" => value.as_array().and_then(|list| {
                list.iter()
                    .enumerate()
                    .find_map(|(i, item)| fault_in(rule, item, &format!("{path}/{i}")))
            }),
            "required" => value.as_object().and_then(|object| {
                let mut names = rule.as_array().unwrap().iter();
                let name = names.find(|name| !object.contains_key(name.as_str().unwrap()))?;
                wrong(&format!("{name} is missing"))
            }),
            "properties" => rule.as_object().unwrap().iter().find_map(|(name, rule)| {
                fault_in(rule, value.get(name)?, &format!("{path}/{name}"))
            }),
            "additionalProperties" => value.as_object().and_then(|object| {
                let known = schema.get("properties").and_then(Value::as_object);
                let mut others = object
                    .iter()
                    .filter(|(name, _)| !known.is_some_and(|known| known.contains_key(*name)));
                if *rule == json!(false) {
                    return others
                        .next()
                        .and_then(|(name, _)| wrong(&format!("unknown {name}")));
                }
                others.find_map(|(name, value)| fault_in(rule, value, &format!("{path}/{name}")))
            }),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether a value is of a type.
fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64(),
        "boolean" => value.is_boolean(),
        other => panic!("type {other}"),
    }
}

/// The patterns of the schema: a file, or a text that begins with a number.
fn matches(pattern: &Value, value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let pattern = pattern.as_str().unwrap();
    if let Some(ending) = pattern.strip_prefix("\\.") {
        return text.ends_with(&format!(".{}", ending.trim_end_matches('$')));
    }
    let number = text.trim_start().trim_start_matches(['+', '-', '.']);
    number.starts_with(|c: char| c.is_ascii_digit())
}

fn verdict(text: &str) -> Option<String> {
    // hyphens and underscores are the same to the reader; a schema knows one spelling
    let text = text
        .replace("generalised-alpha", "generalised_alpha")
        .replace("coulomb-tanh", "coulomb_tanh");
    let scenario = serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap();
    let schema = schema();
    fault(&schema, &schema, &scenario, "")
}

#[test]
fn sound_scenarios_fit() {
    for text in [CUBE, MACHINE] {
        assert_eq!(verdict(text), None);
    }
}

#[test]
fn shipped_scenarios_fit() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // fits and their records stand in a folder of their own
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        // a part that others include lacks what they give
        let whole = text.contains("\ntitle") || text.starts_with("title");
        let part = ["pulse.toml", "festoon-rail.toml"]
            .iter()
            .any(|name| path.ends_with(name));
        if whole && !part {
            assert_eq!(verdict(&text), None, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn wrong_scenarios_do_not_fit() {
    for (from, to, place) in [
        ("\"free\"", "\"fre\"", "/body/cube/joint"),
        ("mass     =", "mas =", "/body/cube"),
        ("end_time    = 4.0", "end_time = -1", "/simulation/end_time"),
        (
            "law = \"lugre\"",
            "law = \"lugr\"",
            "/contact/base/friction",
        ),
        (
            "bristle_damping",
            "bristle_dampin",
            "/contact/base/friction",
        ),
        (
            "stribeck_velocity = \"1 mm/s\"",
            "stribeck_velocity = 0",
            "/contact/base/friction",
        ),
        ("in = \"xy\"", "in = \"xw\"", "/force/pull/direction"),
        ("title = ", "titel = ", ""),
        ("mass     = \"1 kg\"", "mass = \"heavy\"", "/body/cube/mass"),
        ("mass     = \"1 kg\"", "mass = -1", "/body/cube/mass"),
        ("end_time    = 4.0", "", "/simulation"),
    ] {
        assert!(CUBE.contains(from), "{from}");
        let found = verdict(&CUBE.replace(from, to)).unwrap_or_default();
        assert!(found.starts_with(&format!("{place}: ")), "{to}: {found:?}");
    }
}

#[test]
fn what_is_required_may_be_included() {
    let part =
        "include = [\"cube.toml\"]\ntitle = \"A part\"\n[force.pull]\ndirection = [1, 0, 0]\n";
    assert_eq!(verdict(part), None);
    let found = verdict(&part.replace("include = [\"cube.toml\"]", "")).unwrap_or_default();
    assert!(found.contains("is missing"), "{found}");
    // what is there must be right all the same
    let found = verdict(&part.replace("direction", "directon")).unwrap_or_default();
    assert!(found.starts_with("/force/pull: unknown"), "{found}");
}

#[test]
fn every_law_and_signal_is_defined() {
    let schema = schema();
    assert_eq!(schema["$defs"]["signal"], signal_schema());
    let names = |place: &str| -> Vec<String> {
        let options = schema["$defs"][place]["oneOf"].as_array().unwrap();
        let law = |option: &Value| Some(option["properties"]["law"]["const"].as_str()?.to_owned());
        options.iter().filter_map(law).collect()
    };
    let of = |cards: &[bristle_laws::LawCard]| -> Vec<String> {
        cards.iter().map(|card| card.name.to_owned()).collect()
    };
    assert_eq!(names("friction"), of(bristle_laws::Friction::CARDS));
    assert_eq!(names("normal"), of(bristle_laws::Normal::CARDS));
}
