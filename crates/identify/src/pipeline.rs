//! The way through a fit: search, predict, cover, judge, profile, warn.

use bristle_recordings::baseline;

use crate::coverage::{Coverage, informative};
use crate::fit::{Objective, SearchOptimum, mask, search, transients};
use crate::judge::{Evidence, Judgement, judge};
use crate::model::FitModel;
use crate::noise::{Ended, NoiseBias};
use crate::notice::{FitNotice, FitTopic};
use crate::options::{FitControl, Options, Progress, StopFlag, Watch};
use crate::part::PartDesk;
use crate::predict::{Mesh, fine_mesh, predict};
use crate::prediction::{Prediction, ResidualSums, compared, explained};
use crate::profile::{Basis, Profile, profiles};
use crate::residuals::Residuals;
use crate::steady_curve::SteadyFit;
use crate::warnings::warnings;
use crate::{Error, Fit, Record};

/// Error of the steps of the law along a record that is not fitted, in typical forces.
const TEST_TOLERANCE: f64 = 1e-4;

/// Fits a model to `train` and tries it on `test`.
///
/// # Errors
/// If a record holds no information ([`Error::Uninformative`]), the law has no view that suits the
/// data ([`Error::Unsuited`]), or no start leads to a finite force ([`Error::Diverged`]).
pub fn identify(
    model: &FitModel,
    train: &[Record],
    test: &[Record],
    options: &Options,
) -> Result<Fit, Error> {
    let control = FitControl {
        watch: &|_| (),
        stop: &StopFlag::default(),
        jobs: None,
        executor: None,
    };
    identify_watched(model, train, test, options, &control)
}

/// The same as [`identify`], watched and ended from outside.
///
/// # Errors
/// As [`identify`], and [`Error::Stopped`].
pub fn identify_watched(
    model: &FitModel,
    train: &[Record],
    test: &[Record],
    options: &Options,
    control: &FitControl<'_>,
) -> Result<Fit, Error> {
    let model = FitModel {
        stop: control.stop.clone(),
        ..model.clone()
    };
    let fit = control.on_threads(|| fitted(&model, train, test, options, control));
    // what was found after the stop is no fit, and no reason either
    control.stop.check()?;
    fit
}

fn fitted(
    model: &FitModel,
    train: &[Record],
    test: &[Record],
    options: &Options,
    control: &FitControl<'_>,
) -> Result<Fit, Error> {
    informative(model, train)?;
    let mut train = numbered(model, train);
    let (found, masked) = searched(model, &mut train, options, control)?;
    model.stop.check()?;
    let objective = Objective::with_meshes(model, &train, found.meshes.clone());
    let values = objective.unpack(&found.theta);
    let acting = model.acting(&values)?;
    let along = |record: &Record, mesh: &Mesh| compared(record, &predict(record, &acting, mesh));
    let each = train.iter().zip(&found.meshes);
    let trained: Vec<Prediction> = each.map(|(record, mesh)| along(record, mesh)).collect();
    let tolerance = TEST_TOLERANCE * objective.unit;
    let fine = |record: &Record| along(record, &fine_mesh(record, &acting, tolerance));
    let tested: Vec<Prediction> = test.iter().map(fine).collect();
    let sums = ResidualSums::of(&trained, model.numbers().count());
    let coverage = Coverage::of(&train, &acting, &trained);
    let mut judged = judge(&Evidence {
        objective: &objective,
        theta: &found.theta,
        sigma: sums.sigma(),
        correlation_time: sums.time,
        coverage: &coverage,
        line: baseline(&train),
        explained: explained(&trained),
    });
    let ended = Ended::at(&objective, &found.theta, &trained, &sums);
    let desk = PartDesk::new(control, &masked);
    let biased = biased(&ended, &mut judged, options, &desk)?;
    let profiles = if options.profile {
        profiled(&objective, &found.theta, &sums, &judged, control.watch)
    } else {
        Vec::new()
    };
    let steady = SteadyFit {
        model,
        records: &train,
        estimates: &judged.estimates,
        fitted: &judged.fitted,
        correlations: &judged.correlations,
        axes: &judged.axes,
        freedom: (sums.effective() - sums.fitted as f64).max(1.0),
    };
    let steady = steady.curve(&acting);
    let mut fit = Fit {
        law: model.law.clone(),
        parameters: judged.estimates,
        fitted: judged.fitted,
        correlations: judged.correlations,
        profiles,
        residuals: Residuals::of(&trained),
        train: trained,
        test: tested,
        samples: sums.samples,
        effective_samples: sums.effective(),
        sigma: sums.sigma(),
        aicc: sums.aicc(),
        iterations: found.iterations,
        agreeing_starts: found.agreeing,
        starts: found.followed,
        load_known: train.iter().all(|r| r.load_known),
        warnings: Vec::new(),
        values: model.values(&values),
        friction: acting.law.clone(),
        steady,
    };
    fit.warnings = warnings(model, &fit, &coverage, &train);
    let biased = biased.map(|text| FitNotice::new(FitTopic::NoiseBias, text));
    fit.warnings.extend(biased);
    Ok(fit)
}

/// Intervals by profile likelihood.
fn profiled(
    objective: &Objective<'_>,
    theta: &[f64],
    sums: &ResidualSums,
    judged: &Judgement,
    watch: &Watch<'_>,
) -> Vec<Profile> {
    watch(Progress {
        stage: "profiles",
        done: 0,
        of: 1,
    });
    let basis = Basis::of(objective, theta, sums);
    profiles(&basis, &judged.estimates)
}

/// Widens the intervals by what the noise of the motion does, and says what it does.
fn biased(
    ended: &Ended<'_>,
    judged: &mut Judgement,
    options: &Options,
    desk: &PartDesk<'_>,
) -> Result<Option<String>, Error> {
    let Some(bias) = NoiseBias::of(ended, options, desk)? else {
        return Ok(None);
    };
    let (names, correlations) = (&judged.fitted, &judged.correlations);
    let place = |name: &str| names.iter().position(|n| n == name);
    let correlated = |a: &str, b: &str| match (place(a), place(b)) {
        (Some(a), Some(b)) => correlations[a][b],
        _ => 0.0,
    };
    Ok(bias.judge(&mut judged.estimates, &correlated))
}

/// The best optimum; searched again if the first stretch of a record had to be left out. Also how
/// many samples of each record that is.
fn searched(
    model: &FitModel,
    train: &mut [Record],
    options: &Options,
    control: &FitControl<'_>,
) -> Result<(SearchOptimum, Vec<usize>), Error> {
    let found = search(model, train, options, &PartDesk::new(control, &[]))?;
    let masked = transients(model, train, &found);
    if masked.iter().all(|count| *count == 0) {
        return Ok((found, masked));
    }
    mask(train, &masked);
    let found = search(model, train, options, &PartDesk::new(control, &masked))?;
    Ok((found, masked))
}

/// Records that know which start velocity is theirs.
pub(crate) fn numbered(model: &FitModel, records: &[Record]) -> Vec<Record> {
    let own = |(k, record): (usize, &Record)| Record {
        start: (k < model.terms.starts).then_some(k),
        ..record.clone()
    };
    records.iter().enumerate().map(own).collect()
}
