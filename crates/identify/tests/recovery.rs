//! Parameters come back from records whose parameters are known.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use bristle_identify::{Model, Options, Terms, identify};
use bristle_laws::card::Kind;
use bristle_laws::friction::typical;
use bristle_laws::{Friction, Value};

/// Every law of the catalogue, from a record without noise, with default options.
#[test]
fn every_law_comes_back_from_a_clean_record() {
    let motion = common::rich_motion(4000);
    let only = std::env::var("LAW").ok();
    for card in Friction::CARDS {
        if only.as_deref().is_some_and(|name| name != card.name) {
            continue;
        }
        let values = typical(card);
        let law = Friction::build(card.name, &values).unwrap();
        let record = common::record(&law, &motion, 0.0, 1);
        let model = Model::of(card.name, &Terms::default()).unwrap();
        let begin = std::time::Instant::now();
        let fit = identify(&model, &[record], &[], &Options::default()).unwrap();
        println!(
            "{}: {:?} rms {:.2e} {:.3e} it {} agree {}/{}",
            card.name,
            begin.elapsed(),
            fit.rms(),
            fit.train[0].errors.relative,
            fit.iterations,
            fit.agreeing_starts,
            fit.starts
        );
        for p in &fit.parameters {
            let (name, element) = match p.name.split_once('[') {
                Some((name, rest)) => (
                    name,
                    rest.trim_end_matches(']').parse::<usize>().unwrap() - 1,
                ),
                None => (p.name.as_str(), 0),
            };
            let own = law.to_values();
            let truth = own.iter().find(|(n, _)| n == name).map(|(_, v)| match v {
                Value::Number(x) => *x,
                Value::List(list) => list[element],
                _ => f64::NAN,
            });
            println!(
                "   {} = {:.6e} ({:.6e}) {:?} {}",
                p.name,
                p.value,
                truth.unwrap_or(f64::NAN),
                p.verdict,
                p.reason
            );
        }
        let _ = Kind::Number;
    }
}
