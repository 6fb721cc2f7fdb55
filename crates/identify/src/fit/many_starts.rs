//! Many descents: the best starts, each followed to its optimum, and the best of these.

use super::descent::{FIRST_ITERATIONS, Followed, SearchOptimum, descend, diverged, refine};
use super::screen::{candidates, nothing_is_left, same};
use super::{Objective, flat, global};
use crate::loss::Loss;
use crate::model::{FitModel, Slot};
use crate::optimise::Optimum;
use crate::options::{Options, Progress, Watch};
use crate::{Error, Record};

/// Samples of the records on which starts are compared.
const SEARCH_SAMPLES: usize = 30_000;

/// The best starts, each followed to its optimum.
pub(super) fn follow_up(
    model: &FitModel,
    records: &[Record],
    options: &Options,
    iterations: &mut u64,
    watch: &Watch<'_>,
) -> Result<Vec<Followed>, Error> {
    let report = |stage, done, of| watch(Progress { stage, done, of });
    let total: usize = records.iter().map(Record::len).sum();
    let thin = total.div_ceil(SEARCH_SAMPLES);
    let thinned: Vec<Record> = if thin > 1 {
        records.iter().map(|r| r.thinned(thin)).collect()
    } else {
        records.to_vec()
    };
    let rough = Objective::coarse(model, &thinned);
    report("starting values", 0, 1);
    let candidates = candidates(&rough, options);
    if candidates.is_empty() {
        return Err(diverged(model));
    }
    let populations = options.global || model.jumps();
    let mut optima: Vec<Optimum> = Vec::new();
    for (i, start) in candidates.iter().enumerate() {
        report("first descents", i, candidates.len());
        let optimum = descend(&rough, start, Loss::Squares, FIRST_ITERATIONS);
        let done = !populations && nothing_is_left(&rough, &optimum);
        optima.push(optimum);
        if done {
            break;
        }
    }
    if populations {
        report("populations", 0, 1);
        optima.extend(global::evolve(&rough));
    }
    *iterations += optima.iter().map(|o| o.iterations).sum::<u64>();
    optima.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    // the full records, with steps of the law as short as they ask for
    let mut ended: Vec<Followed> = Vec::new();
    let best = optima.len().min(3);
    for (i, optimum) in optima.iter().take(best).enumerate() {
        report("descents with fine steps", i, best);
        if let Some(k) = optima[..i].iter().position(|other| same(other, optimum)) {
            // it would end where that one did
            ended.push(ended[k].clone());
            continue;
        }
        let (optimum, meshes) = refine(model, records, optimum, options, iterations);
        ended.push(Followed { optimum, meshes });
    }
    ended.sort_by(|a, b| a.optimum.cost.total_cmp(&b.optimum.cost));
    if let Some(best) = ended
        .first_mut()
        .filter(|_| model.jumps() || model.corners())
    {
        report("polish", 0, 1);
        let objective = Objective::with_meshes(model, records, best.meshes.clone());
        best.optimum = global::polish(&objective, &best.optimum, options.loss);
        flat::centre(&objective, &mut best.optimum.theta);
    }
    Ok(ended)
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
