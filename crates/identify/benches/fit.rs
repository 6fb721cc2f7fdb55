//! Whole fits: six parameters of LuGre laws to 20 000 samples, from the record alone.
//!
//! `RAYON_NUM_THREADS=1 cargo bench -p bristle-identify --bench fit` for one core.

#![allow(clippy::unwrap_used, reason = "a bench says what fails by panicking")]

#[path = "../tests/common/mod.rs"]
mod common;

use bristle_identify::{FitModel, MachineTerms, Options, Record, identify};
use bristle_laws::Friction;
use bristle_laws::friction::typical;
use divan::Bencher;

const SAMPLES: usize = 20_000;

/// Noise of the force, N; the force is about 1.5 N.
const NOISE: f64 = 0.01;

fn main() {
    divan::main();
}

fn record(law: &str) -> Record {
    let card = Friction::card_of(law).unwrap();
    let law = Friction::build(law, &typical(card)).unwrap();
    common::record(&law, &common::rich_motion(SAMPLES), NOISE, 1)
}

/// Search of starting values, fit, and what the parameters are worth.
#[divan::bench(args = ["lugre", "lugre_classical"], sample_count = 10, sample_size = 1)]
fn six_parameters(bencher: Bencher<'_, '_>, law: &str) {
    let records = [record(law)];
    let model = FitModel::of(law, &MachineTerms::default()).unwrap();
    assert_eq!(model.free().count(), 6);
    bencher.bench_local(|| identify(&model, &records, &[], &Options::default()).unwrap());
}
