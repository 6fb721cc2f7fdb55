//! The result as JSON.

use bristle_identify::{Comparison, Errors, Fit, FitNotice, Profile};
use bristle_laws::Value as LawValue;
use bristle_recordings::Prepared;
use serde_json::{Value, json};

use super::FitOutcome;
use crate::commands::fits::{self, estimate};

/// Everything. With one law its fit stands at the top level; with several, each in `fits`.
pub(super) fn outcome(outcome: &FitOutcome) -> Value {
    let mut all = match &outcome.fits[..] {
        [one] => fit(one, outcome),
        fits => {
            let best = outcome.comparison.first().map(|c| c.law.clone());
            let each = fits.iter().map(|f| (f.law.clone(), fit(f, outcome)));
            json!({
                "best": best,
                "comparison": outcome.comparison.iter().map(row).collect::<Vec<_>>(),
                "fits": each.collect::<serde_json::Map<_, _>>(),
                "warnings": outcome.notices.iter().map(notice).collect::<Vec<_>>(),
            })
        }
    };
    if let Some(map) = all.as_object_mut() {
        map.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
        let data = |p: &[Prepared]| p.iter().map(prepared).collect::<Vec<_>>();
        map.insert("data".to_owned(), json!(data(&outcome.train)));
        map.insert("test_data".to_owned(), json!(data(&outcome.test)));
    }
    all
}

fn row(c: &Comparison) -> Value {
    json!({
        "law": c.law, "parameters": c.parameters, "rms_train": c.train, "rms_test": c.test,
        "delta_aicc": c.delta,
    })
}

fn notice(n: &FitNotice) -> Value {
    json!({ "topic": n.topic.key(), "text": n.text })
}

fn prepared(p: &Prepared) -> Value {
    let columns = p.columns.iter().map(|used| {
        let unit = (!used.unit.is_empty()).then_some(&used.unit);
        let column = json!({
            "column": used.name,
            "unit": unit,
            "factor": used.factor,
            "noise": used.noise.map(|n| n.deviation),
            "step": used.noise.and_then(|n| n.step),
        });
        (used.quantity.name().to_owned(), column)
    });
    json!({
        "file": p.record.name,
        "kind": match p.record.kind {
            bristle_identify::RecordKind::Motion => "motion",
            bristle_identify::RecordKind::Steady => "steady",
            bristle_identify::RecordKind::Free => "free",
        },
        "rows": p.rows,
        "samples": p.record.counted(),
        "columns": columns.collect::<serde_json::Map<_, _>>(),
        "lowpass_hz": p.record.cutoff,
        "force_noise": p.preparation.force_noise,
        "velocity_noise": p.preparation.velocity_noise,
        "delay": p.preparation.delay,
        "outliers": p.preparation.outliers,
        "stages": p.stages,
        "notes": p.preparation.notes,
    })
}

fn profile(p: &Profile) -> Value {
    json!({
        "name": p.name, "unit": p.unit, "interval95": [p.low, p.high], "values": p.values,
        "deviance": p.deviance, "threshold": p.threshold,
    })
}

fn errors(e: &Errors) -> Value {
    json!({
        "file": e.record, "samples": e.samples, "rms": e.rms, "relative": e.relative,
        "largest": e.largest, "mean": e.mean, "explained": e.explained,
    })
}

/// What was compared, and its unit.
fn target(fit: &Fit) -> Value {
    let record = fit.train.first().map(|p| &p.record);
    let free = record.is_some_and(|r| r.kind == bristle_identify::RecordKind::Free);
    json!({
        "quantity": if free { "position" } else { "force" },
        "unit": record.map(bristle_identify::Record::target_unit),
    })
}

/// Whether the parameters are known, in a word.
fn law_values(fit: &Fit) -> Value {
    let value = |v: &LawValue| match v {
        LawValue::Number(x) => json!(x),
        LawValue::List(list) => json!(list),
        other => json!(format!("{other:?}")),
    };
    let map: serde_json::Map<_, _> = fit
        .values
        .iter()
        .map(|(n, v)| (n.clone(), value(v)))
        .collect();
    Value::Object(map)
}

fn fit(fit: &Fit, outcome: &FitOutcome) -> Value {
    let pooled = |all: &[bristle_identify::Prediction]| {
        let (mut sum, mut force, mut count) = (0.0, 0.0, 0.0);
        for p in all {
            let n = p.errors.samples as f64;
            sum += p.errors.rms.powi(2) * n;
            force += p.record.target_rms().powi(2) * n;
            count += n;
        }
        (count > 0.0).then(|| ((sum / count).sqrt(), (sum / force).sqrt()))
    };
    let (train, test) = (pooled(&fit.train), pooled(&fit.test));
    let structure = fit
        .residuals
        .structure
        .iter()
        .map(|s| (s.against.to_owned(), json!(s.share)));
    let mut warnings: Vec<Value> = fit.warnings.iter().map(notice).collect();
    for p in outcome.train.iter().chain(&outcome.test) {
        let notes = p.preparation.notes.iter();
        warnings.extend(
            notes.map(|n| json!({ "topic": "data", "text": format!("{}: {n}", p.record.name) })),
        );
    }
    json!({
        "law": fit.law,
        "target": target(fit),
        "status": fits::status(&fit.parameters).words(),
        "parameters": fit.parameters.iter().map(estimate).collect::<Vec<_>>(),
        "correlations": { "names": fit.fitted, "matrix": fit.correlations },
        "profiles": fit.profiles.iter().map(profile).collect::<Vec<_>>(),
        "train": fit.train.iter().map(|p| errors(&p.errors)).collect::<Vec<_>>(),
        "test": fit.test.iter().map(|p| errors(&p.errors)).collect::<Vec<_>>(),
        "rms_train": train.map(|t| t.0),
        "relative_train": train.map(|t| t.1),
        "rms_test": test.map(|t| t.0),
        "relative_test": test.map(|t| t.1),
        "residuals": {
            "sigma": fit.sigma,
            "noise": fit.residuals.noise,
            "white": fit.residuals.white,
            "autocorrelation": fit.residuals.first_autocorrelation,
            "correlation_time_samples": fit.residuals.correlation_time,
            "structure": structure.collect::<serde_json::Map<_, _>>(),
        },
        "samples": fit.samples,
        "effective_samples": fit.effective_samples,
        "aicc": fit.aicc,
        "normal_force_known": fit.load_known,
        "optimiser": {
            "iterations": fit.iterations,
            "starts": fit.starts,
            "agreeing_starts": fit.agreeing_starts,
        },
        "law_values": law_values(fit),
        "warnings": warnings,
    })
}
