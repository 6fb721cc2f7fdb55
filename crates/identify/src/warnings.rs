//! Warnings where a user would otherwise trust too much.

use bristle_laws::Topic;

use bristle_recordings::least_squares;

use crate::Record;
use crate::coverage::Coverage;
use crate::estimate::Verdict;
use crate::fitted::Fit;
use crate::model::{FitModel, FitRole};
use crate::notice::{FitNotice, FitTopic};
use crate::prediction::{CLOSE, Prediction, pooled};
use crate::statistics::sign;

fn notice(topic: FitTopic, text: String) -> FitNotice {
    FitNotice::new(topic, text)
}

/// Everything about a fit that a user should know.
pub(crate) fn warnings(
    model: &FitModel,
    fit: &Fit,
    coverage: &Coverage,
    records: &[Record],
) -> Vec<FitNotice> {
    let mut all = Vec::new();
    data(model, fit, coverage, &mut all);
    carries_over(fit, &mut all);
    left_over(model, fit, records, &mut all);
    suspicious(fit, coverage, &mut all);
    let unseen: Vec<&str> = fit
        .parameters
        .iter()
        .filter(|p| p.verdict == Verdict::NotIdentifiable)
        .map(|p| p.name.as_str())
        .collect();
    if !unseen.is_empty() {
        all.push(notice(
            FitTopic::NotIdentifiable,
            format!(
                "not identifiable from these data: {}; do not use the values written, which the \
                 data do not determine",
                unseen.join(", ")
            ),
        ));
    }
    if let Some(law) = &fit.friction {
        let notices = law.notices().into_iter();
        all.extend(
            notices
                .filter(|n| n.topic != Topic::Creep)
                .map(|n| n.map_topic(FitTopic::Law)),
        );
    }
    all
}

fn data(model: &FitModel, fit: &Fit, coverage: &Coverage, all: &mut Vec<FitNotice>) {
    loads(model, fit, coverage, all);
    motion(fit, coverage, all);
    if fit.agreeing_starts < fit.starts && fit.starts > 1 && fit.agreeing_starts == 1 {
        all.push(notice(
            FitTopic::LocalOptima,
            format!(
                "of {} starts one alone ended here, the others higher: the optimum may be a local \
                 one; raise --starts",
                fit.starts
            ),
        ));
    }
}

/// Whether the normal force is known and varied.
fn loads(model: &FitModel, fit: &Fit, coverage: &Coverage, all: &mut Vec<FitNotice>) {
    if !fit.load_known && model.declaration.is_some() {
        all.push(notice(
            FitTopic::NoLoad,
            format!(
                "no normal force was measured: it is taken as 1 N, so that coefficients are {}s in {} \
                 (only products such as mu N are identified); give a column N or --normal-force",
                coverage.units.name("force"),
                coverage.units.of("N")
            ),
        ));
    } else if coverage.one_load() && model.declaration.is_some() {
        all.push(notice(
            FitTopic::OneLoad,
            format!(
                "one load only ({:.4} N): that friction is proportional to the normal force is \
                 assumed, not measured; measure at three loads or more",
                coverage.loads.1
            ),
        ));
    }
}

/// Whether the motion is resolved, varied, and above its noise.
fn motion(fit: &Fit, coverage: &Coverage, all: &mut Vec<FitNotice>) {
    if coverage.unresolved() {
        all.push(notice(
            FitTopic::Unresolved,
            format!(
                "the velocity changes its sign at {:.0} % of the samples: the motion between samples \
                 is not known, or it is noise; sample faster or filter (--lowpass)",
                100.0 * coverage.flips
            ),
        ));
    }
    let close = fit.train.iter().all(|p| p.errors.relative < CLOSE);
    if coverage.least_explained < 0.5 && !close {
        all.push(notice(
            FitTopic::Unexplained,
            format!(
                "only {:.0} % of the variance of the force is explained: something other than this \
                 friction law makes most of it",
                100.0 * coverage.least_explained.max(0.0)
            ),
        ));
    }
    let spread = coverage.speeds.1 - coverage.speeds.0;
    if spread <= 0.01 * coverage.speeds.1 && coverage.speeds.1 > 0.0 {
        all.push(notice(
            FitTopic::ConstantVelocity,
            format!(
                "one speed only ({:.3e} m/s): nothing can be said about how friction depends on \
                 speed",
                coverage.speeds.1
            ),
        ));
    }
    for p in &fit.parameters {
        if p.role == FitRole::Speed
            && p.verdict != Verdict::Fixed
            && coverage.velocity_noise > 0.0
            && p.value < 2.0 * coverage.velocity_noise
        {
            all.push(notice(
                FitTopic::VelocityNoise,
                format!(
                    "{} = {:.3e} {unit} is below the noise of the velocity, {:.1e} {unit}: at rest \
                     the force would chatter with the noise; use a law with presliding on a filtered \
                     position, or hold the width above {:.1e} {unit}",
                    p.name,
                    p.value,
                    coverage.velocity_noise,
                    3.0 * coverage.velocity_noise,
                    unit = coverage.units.of("m/s")
                ),
            ));
        }
    }
}

/// Errors on the test records beside those on the fitted ones.
fn carries_over(fit: &Fit, all: &mut Vec<FitNotice>) {
    let worst = fit
        .train
        .iter()
        .map(|p| p.errors.relative)
        .fold(0.0, f64::max);
    let over = |p: &&Prediction| p.errors.relative > 1.5 * worst + 0.02;
    let bad: Vec<String> = fit
        .test
        .iter()
        .filter(over)
        .map(|p| format!("{} {:.1} %", p.errors.record, 100.0 * p.errors.relative))
        .collect();
    if !bad.is_empty() {
        all.push(notice(
            FitTopic::DoesNotCarryOver,
            format!(
                "the fit does not carry over: error {:.1} % of the force on the fitted records, but {} \
                 on records that were not fitted; the training error says nothing about such motions",
                100.0 * worst,
                bad.join(", ")
            ),
        ));
    }
}

/// Terms that the residuals ask for.
fn left_over(model: &FitModel, fit: &Fit, records: &[Record], all: &mut Vec<FitNotice>) {
    let before = pooled(&fit.train);
    let rms = fit.train.iter().map(|p| p.record.force_rms());
    let scale = rms.fold(0.0, f64::max);
    if before <= 1e-3 * scale || records.iter().any(|r| r.kind == crate::RecordKind::Free) {
        return;
    }
    let steady = records.iter().all(|r| r.kind == crate::RecordKind::Steady);
    let has = |name: &str| model.index(name).is_some();
    let has_viscous = model.parameters.iter().any(|p| p.role == FitRole::Viscous);
    let from_load = fit.residuals.structure.iter().find(|s| s.against == "N");
    let from_load = from_load.map_or(0.0, |s| s.share);
    let absent = [
        (FitTopic::Offset, !has("offset")),
        (FitTopic::Mass, !steady && !has("mass")),
        (FitTopic::Viscous, !steady && !has_viscous),
        (FitTopic::Asymmetric, !model.terms.asymmetric),
        (FitTopic::Load, from_load > 0.1 && !model.terms.preload),
    ];
    for (topic, _) in absent.into_iter().filter(|(_, absent)| *absent) {
        let column = |r: &Record, i: usize| match topic {
            FitTopic::Offset => 1.0,
            FitTopic::Mass => r.acceleration[i],
            FitTopic::Viscous => r.velocity[i],
            FitTopic::Asymmetric => r.velocity[i].abs(),
            _ => sign(r.velocity[i]),
        };
        if let Some((x, after)) = gain(fit, records, &column)
            && after < 0.97 * before
        {
            let text = format!(
                "{}; the error would fall from {before:.3e} {unit} to about {after:.3e} {unit}",
                found(topic, x, fit, from_load),
                unit = fit.target_unit()
            );
            all.push(notice(topic, text));
        }
    }
}

/// The factor of a column that explains most of the residuals, and the error that then is left.
fn gain(
    fit: &Fit,
    records: &[Record],
    column: &dyn Fn(&Record, usize) -> f64,
) -> Option<(f64, f64)> {
    let (mut x, mut r) = (Vec::new(), Vec::new());
    for (p, record) in fit.train.iter().zip(records) {
        for i in (0..record.len()).filter(|&i| record.weight[i] > 0.0) {
            x.push(column(record, i));
            r.push(p.residual[i]);
        }
    }
    let found = least_squares(std::slice::from_ref(&x), &r)?[0];
    let left: f64 = r.iter().zip(&x).map(|(r, x)| (r - found * x).powi(2)).sum();
    Some((found, (left / r.len().max(1) as f64).sqrt()))
}

/// A term of size `x` that the residuals contain, and the option that adds it.
fn found(topic: FitTopic, x: f64, fit: &Fit, from_load: f64) -> String {
    let (law, units) = (&fit.law, fit.units());
    let (force, viscous, mass) = (units.of("N"), units.of("N s/m"), units.of("kg"));
    match topic {
        FitTopic::Offset => format!(
            "the residuals contain a constant {} of about {x:.3e} {force}: add --with offset",
            units.name("force")
        ),
        FitTopic::Mass => format!(
            "the residuals follow the acceleration with about {x:.3e} {mass}: add --with mass"
        ),
        FitTopic::Viscous => format!(
            "the residuals follow the velocity with about {x:.3e} {viscous}, for which {law} has no \
             parameter: add --with drag"
        ),
        FitTopic::Asymmetric => format!(
            "friction differs between the directions (even part of about {x:.3e} {viscous}): add \
             --with asymmetric"
        ),
        _ => format!(
            "{:.0} % of the variance of the residuals goes with the load, about {x:.3e} {force} of \
             friction not being proportional to it: add --with preload",
            100.0 * from_load
        ),
    }
}

/// No pair of surfaces changes its friction at such a speed, m/s: those of dry contacts lie a
/// thousand times lower, those of lubricated ones up to some decimetres per second.
const FASTEST: f64 = 0.5;

/// Numbers that look like a wrong unit.
fn suspicious(fit: &Fit, coverage: &Coverage, all: &mut Vec<FitNotice>) {
    for p in fit
        .parameters
        .iter()
        .filter(|p| p.verdict != Verdict::Fixed)
    {
        let level = matches!(p.role, FitRole::Level | FitRole::StaticLevel) && fit.load_known;
        if level && !(1e-3..=5.0).contains(&p.value) && p.value > 0.0 {
            all.push(notice(
                FitTopic::SuspiciousLevel,
                format!(
                    "{} = {:.3e} is no usual coefficient of friction (0.001 to 5): is the unit of \
                     the force or of the normal force off, by 1000 perhaps?",
                    p.name, p.value
                ),
            ));
        }
    }
    // where loads are known in newtons the motion slides along a surface
    let fast = fit.parameters.iter().find(|p| {
        let known = p.verdict == Verdict::Identified && fit.load_known;
        known && p.role == FitRole::Speed && !(1e-8..=FASTEST).contains(&p.value)
    });
    if let Some(p) = fast {
        all.push(notice(
            FitTopic::SuspiciousSpeed,
            format!(
                "{} = {:.3e}, where 1 um/s to 0.1 m/s is usual: is the unit of the motion off, by \
                 1000 perhaps?",
                p.name, p.value
            ),
        ));
    }
    if let Some(d) = coverage.breakaway
        && !(1e-8..=3e-3).contains(&d)
        && fit
            .parameters
            .iter()
            .any(|p| p.role == FitRole::Stiffness && p.verdict == Verdict::Identified)
    {
        all.push(notice(
            FitTopic::SuspiciousStiffness,
            format!(
                "the pair would deflect by {d:.3e} m before it slides, where 10 nm to 1 mm is usual: \
                 suspicious stiffness; is the unit of the motion off, by 1000 perhaps?"
            ),
        ));
    }
}
