//! Many descents: the best starts, each followed to its optimum, and the best of these.

use super::Objective;
use super::bench::{FitBench, thinned};
use super::descent::{Followed, SearchOptimum, diverged};
use super::screen::{nothing_is_left, same};
use crate::model::{FitModel, Slot};
use crate::optimise::Optimum;
use crate::options::Options;
use crate::part::{FitTask, PartDesk, PartOutcome};
use crate::{Error, Record};

/// Optima that are followed on the full records.
const REFINED: usize = 3;

/// The best starts, each followed to its optimum.
pub(super) fn follow_up(
    model: &FitModel,
    records: &[Record],
    options: &Options,
    iterations: &mut u64,
    desk: &PartDesk<'_>,
) -> Result<Vec<Followed>, Error> {
    let thinned = thinned(records);
    let bench = FitBench {
        rough: Objective::coarse(model, &thinned),
        records,
        options,
    };
    let here = |task: &FitTask| bench.outcome(task);
    let found = desk.one("starting values", FitTask::Starts, &here)?;
    let candidates = found.points;
    if candidates.is_empty() {
        return Err(diverged(model));
    }
    let populations = options.global || model.jumps();
    let tasks = candidates.into_iter().map(FitTask::Descent).collect();
    let suffices = |outcome: &PartOutcome| {
        let optimum = outcome.optimum().filter(|_| !populations);
        optimum.is_some_and(|optimum| nothing_is_left(&bench.rough, &optimum))
    };
    let mut outcomes = desk.each("first descents", tasks, &here, &suffices)?;
    if populations {
        outcomes.push(desk.one("populations", FitTask::Populations, &here)?);
    }
    let mut optima: Vec<Optimum> = outcomes.iter().filter_map(PartOutcome::optimum).collect();
    *iterations += optima.iter().map(|o| o.iterations).sum::<u64>();
    optima.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    optima.truncate(REFINED);
    let mut ended = refined(&optima, iterations, desk, &here)?;
    ended.sort_by(|a, b| a.optimum.cost.total_cmp(&b.optimum.cost));
    if let Some(best) = ended
        .first_mut()
        .filter(|_| model.jumps() || model.corners())
    {
        let task = FitTask::Polish(best.optimum.clone(), best.meshes.clone());
        if let Some(polished) = desk.one("polish", task, &here)?.optimum() {
            best.optimum = polished;
        }
    }
    Ok(ended)
}

/// Optima on the full records, with steps of the law as short as they ask for.
fn refined(
    optima: &[Optimum],
    iterations: &mut u64,
    desk: &PartDesk<'_>,
    here: &dyn Fn(&FitTask) -> PartOutcome,
) -> Result<Vec<Followed>, Error> {
    // of those that would end where another one did only the first is followed
    let mut of: Vec<usize> = Vec::new();
    let mut tasks = Vec::new();
    for (i, optimum) in optima.iter().enumerate() {
        if let Some(k) = optima[..i].iter().position(|other| same(other, optimum)) {
            of.push(of[k]);
        } else {
            of.push(tasks.len());
            tasks.push(FitTask::Refinement(optimum.clone()));
        }
    }
    let outcomes = desk.each("descents with fine steps", tasks, here, &|_| false)?;
    *iterations += outcomes.iter().map(|o| o.iterations).sum::<u64>();
    let followed = of.iter().filter_map(|k| {
        let outcome = outcomes.get(*k)?;
        Some(Followed {
            optimum: outcome.optimum()?,
            meshes: outcome.meshes.clone(),
        })
    });
    Ok(followed.collect())
}

/// The best of the starts that were followed.
pub(super) fn choose(
    model: &FitModel,
    records: &[Record],
    mut ended: Vec<Followed>,
    iterations: u64,
) -> Result<SearchOptimum, Error> {
    ended.sort_by(|a, b| a.optimum.cost.total_cmp(&b.optimum.cost));
    let least = ended.first().map_or(f64::INFINITY, |f| f.optimum.cost);
    let agreeing = ended
        .iter()
        .filter(|f| f.optimum.cost <= 1.01 * least + 1e-12)
        .count();
    let followed = ended.len();
    let best = ended.into_iter().next();
    let Some(best) = best.filter(|b| b.optimum.cost.is_finite()) else {
        return Err(diverged(model));
    };
    let mut found = SearchOptimum {
        theta: best.optimum.theta,
        meshes: best.meshes,
        iterations,
        followed,
        agreeing,
    };
    snap(model, records, &mut found);
    in_order(model, records, &mut found);
    Ok(found)
}

/// Elements of a law are alike: they are listed in the order in which they begin to slide.
fn in_order(model: &FitModel, records: &[Record], found: &mut SearchOptimum) {
    let objective = Objective::coarse(model, records);
    let p = objective.unpack(&found.theta);
    if let Some(sorted) = model.elements_in_order(&p) {
        found.theta = objective.pack(&sorted);
    }
}

/// Interior methods stop just short of a bound: a parameter that gains nothing by staying off its
/// bound is put on it.
fn snap(model: &FitModel, records: &[Record], found: &mut SearchOptimum) {
    let objective = Objective::with_meshes(model, records, found.meshes.clone());
    let mut cost = objective.cost(&found.theta);
    for (k, i) in model.numbers().enumerate() {
        let zero_bound = matches!(
            model.parameters[i].slot,
            Slot::Linear { positive: true } | Slot::Above { .. }
        );
        if !zero_bound || found.theta[k] > 1e-3 || model.parameters[i].bounds.is_some() {
            continue;
        }
        let mut at_bound = found.theta.clone();
        at_bound[k] = 0.0;
        let new = objective.cost(&at_bound);
        if new <= cost * (1.0 + 1e-9) {
            cost = new;
            found.theta = at_bound;
        }
    }
}
