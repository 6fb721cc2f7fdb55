//! From many starts to one optimum.

use crate::Error;
use crate::fit::screen::{candidates, nothing_is_left, same};
use crate::fit::{Loss, Objective, Options, Progress, Watch, flat, global};
use crate::follow::Mesh;
use crate::model::{Model, Slot};
use crate::optimise::{Optimum, Problem};
use crate::record::{Kind, Record};
use crate::statistics::{median, rms};

/// Samples of the records on which starts are compared.
const SEARCH_SAMPLES: usize = 30_000;

/// Iterations from each start before they are compared again.
pub(crate) const FIRST_ITERATIONS: u64 = 15;

/// Rounds of choosing the steps of the law anew at the optimum.
const MESH_ROUNDS: usize = 4;

/// Where the search ended.
pub(crate) struct Found {
    pub(crate) theta: Vec<f64>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) iterations: u64,
    pub(crate) followed: usize,
    pub(crate) agreeing: usize,
}

/// A start that was followed to its end.
#[derive(Clone)]
pub(crate) struct Followed {
    pub(crate) optimum: Optimum,
    pub(crate) meshes: Vec<Mesh>,
}

pub(crate) fn search(
    model: &Model,
    records: &[Record],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Found, Error> {
    if records.iter().any(|r| r.kind == Kind::Free) {
        return super::free::search(model, records, options, watch);
    }
    let mut iterations = 0;
    let ended = follow_up(model, records, options, &mut iterations, watch)?;
    choose(model, records, ended, iterations)
}

/// The best starts, each followed to its optimum.
pub(crate) fn follow_up(
    model: &Model,
    records: &[Record],
    options: &Options,
    iterations: &mut u64,
    watch: &Watch<'_>,
) -> Result<Vec<Followed>, Error> {
    let tell = |stage, done, of| watch(Progress { stage, done, of });
    let total: usize = records.iter().map(Record::len).sum();
    let thin = total.div_ceil(SEARCH_SAMPLES);
    let thinned: Vec<Record> = if thin > 1 {
        records.iter().map(|r| r.thinned(thin)).collect()
    } else {
        records.to_vec()
    };
    let rough = Objective::coarse(model, &thinned);
    tell("starting values", 0, 1);
    let candidates = candidates(&rough, options);
    if candidates.is_empty() {
        return Err(diverged(model));
    }
    let populations = options.global || model.jumps();
    let mut optima: Vec<Optimum> = Vec::new();
    for (i, start) in candidates.iter().enumerate() {
        tell("first descents", i, candidates.len());
        let optimum = descend(&rough, start, Loss::Squares, FIRST_ITERATIONS);
        let done = !populations && nothing_is_left(&rough, &optimum);
        optima.push(optimum);
        if done {
            break;
        }
    }
    if populations {
        tell("populations", 0, 1);
        optima.extend(global::evolve(&rough));
    }
    *iterations += optima.iter().map(|o| o.iterations).sum::<u64>();
    optima.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    // the full records, with steps of the law as short as they ask for
    let mut ended: Vec<Followed> = Vec::new();
    let best = optima.len().min(3);
    for (i, optimum) in optima.iter().take(best).enumerate() {
        tell("descents with fine steps", i, best);
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
        tell("polish", 0, 1);
        let objective = Objective::with_meshes(model, records, best.meshes.clone());
        best.optimum = global::polish(&objective, &best.optimum, options.loss);
        flat::centre(&objective, &mut best.optimum.theta);
    }
    Ok(ended)
}

/// The best of the starts that were followed.
pub(crate) fn choose(
    model: &Model,
    records: &[Record],
    mut ended: Vec<Followed>,
    iterations: u64,
) -> Result<Found, Error> {
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
    let mut found = Found {
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

fn diverged(model: &Model) -> Error {
    Error::Diverged {
        law: model.law.clone(),
        help: "fix parameters that are known (--fix), or try a simpler law".to_owned(),
    }
}

pub(crate) fn descend(
    objective: &Objective<'_>,
    start: &[f64],
    loss: Loss,
    iterations: u64,
) -> Optimum {
    let p = objective.unpack(start);
    let (lower, upper) = objective.model.limits(&p, &objective.sizes);
    let residual = |theta: &[f64]| objective.residual(theta);
    let problem = Problem {
        residual: &residual,
        exact: &|theta| objective.exact_columns(theta),
        lower,
        upper,
        precision: crate::optimise::Precision::LAW,
    };
    // the scale of a robust loss: 1.5 robust standard deviations at the start
    let sizes: Vec<f64> = objective.residual(start).iter().map(|r| r.abs()).collect();
    let width = 1.5 * 1.4826 * median(&sizes).unwrap_or(1.0);
    problem.run(start, loss, width, iterations)
}

pub(crate) fn refine(
    model: &Model,
    records: &[Record],
    from: &Optimum,
    options: &Options,
    iterations: &mut u64,
) -> (Optimum, Vec<Mesh>) {
    let mut objective = Objective::coarse(model, records);
    let mut best = from.clone();
    for round in 0..MESH_ROUNDS {
        let residual = rms(&objective.residual(&best.theta));
        // far below what is left over, and not finer than makes sense
        let tolerance = objective.unit * (0.01 * residual).clamp(1e-6, 1e-3);
        let Ok(acting) = model.acting(&objective.unpack(&best.theta)) else {
            break;
        };
        let meshes: Vec<Mesh> = records
            .iter()
            .map(|r| Mesh::fine(r, &acting, tolerance))
            .collect();
        if round > 0 && meshes == objective.meshes {
            break;
        }
        objective.meshes = meshes;
        let start = best.theta.clone();
        best = descend(&objective, &start, options.loss, options.iterations);
        *iterations += best.iterations;
    }
    (best, objective.meshes)
}

/// Elements of a law are alike: they are listed in the order in which they begin to slide.
fn in_order(model: &Model, records: &[Record], found: &mut Found) {
    let objective = Objective::coarse(model, records);
    let p = objective.unpack(&found.theta);
    if let Some(sorted) = model.elements_in_order(&p) {
        found.theta = objective.pack(&sorted);
    }
}

/// Interior methods stop just short of a bound: a parameter that gains nothing by staying off its
/// bound is put on it.
fn snap(model: &Model, records: &[Record], found: &mut Found) {
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

/// A record that starts in the middle of a motion has bristles that are bent already. If the first
/// stretch fits much worse than the rest, it is left out; says whether anything was.
pub(crate) fn mask_start(model: &Model, records: &mut [Record], found: &Found) -> bool {
    let objective = Objective::with_meshes(model, records, found.meshes.clone());
    let residual = objective.residual(&found.theta);
    let mut first = 0;
    let mut masks = Vec::new();
    for record in records.iter() {
        let own = &residual[first..first + record.len()];
        first += record.len();
        masks.push(if record.kind != Kind::Motion || record.weight[0] == 0.0 {
            0
        } else {
            transient(record, own)
        });
    }
    for (record, &count) in records.iter_mut().zip(&masks) {
        for w in &mut record.weight[..count] {
            *w = 0.0;
        }
    }
    masks.iter().any(|count| *count > 0)
}

/// Samples of the first fifth of the range of motion, if they fit three times worse than the rest.
fn transient(record: &Record, residual: &[f64]) -> usize {
    let x = record.displacement();
    let (low, high) = x
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
            (l.min(*x), h.max(*x))
        });
    let mut path = 0.0;
    let mut count = 1;
    while count < record.len() && path < 0.2 * (high - low) {
        path += (x[count] - x[count - 1]).abs();
        count += 1;
    }
    if count * 3 > record.len() || count < 3 {
        return 0;
    }
    let noise = 1e-3 * rms(&record.force);
    let unit = rms(residual);
    let (begin, rest) = (rms(&residual[..count]), rms(&residual[count..]));
    // residuals are in units of the typical force, so 1e-3 of it is nothing to act upon
    if begin > 3.0 * rest && begin > 1e-3 && unit > 0.0 && noise > 0.0 {
        count
    } else {
        0
    }
}
