//! Where the search for a free motion begins: at the force for the measured motion.
//!
//! Positions depend on everything that came before, so that a simulation from a poor start gives
//! an optimiser little to go by. The force that belongs to the measured motion is explained first, as for
//! any record; from there the positions are fitted.

use crate::Error;
use crate::Record;
use crate::fit::Objective;
use crate::fit::bench::{FitBench, thinned};
use crate::fit::descent::{Followed, SearchOptimum};
use crate::fit::many_starts::{choose, follow_up};
use crate::model::{FitModel, FitRole};
use crate::optimise::Optimum;
use crate::options::Options;
use crate::part::{FitTask, PartDesk, PartOutcome};
use crate::statistics::sign;
use bristle_recordings::least_squares;

pub(crate) fn search(
    model: &FitModel,
    records: &[Record],
    options: &Options,
    desk: &PartDesk<'_>,
) -> Result<SearchOptimum, Error> {
    let (driven_model, motor) = without_motor(model, records)?;
    let driven: Vec<Record> = records.iter().map(|r| r.as_driven(motor)).collect();
    let mut iterations = 0;
    let own_desk = PartDesk {
        driven: true,
        ..*desk
    };
    let begun = follow_up(&driven_model, &driven, options, &mut iterations, &own_desk)?;
    let measured = Objective::coarse(&driven_model, &driven);
    let thinned = thinned(records);
    let bench = FitBench {
        rough: Objective::coarse(model, &thinned),
        records,
        options,
    };
    let free = Objective::coarse(model, records);
    let here = |task: &FitTask| bench.outcome(task);
    let start = |Followed { optimum, .. }: &Followed| {
        let mut p = measured.unpack(&optimum.theta);
        if let Some(i) = model.index("motor").filter(|_| model.terms.motor) {
            p[i] = motor;
        }
        FitTask::Motion(free.pack(&p))
    };
    let tasks = begun.iter().map(start).collect();
    let outcomes = desk.each("motions", tasks, &here, &|_| false)?;
    iterations += outcomes.iter().map(|o| o.iterations).sum::<u64>();
    let mut rough: Vec<Optimum> = outcomes.iter().filter_map(PartOutcome::optimum).collect();
    rough.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    rough.truncate(1);
    let tasks = rough.into_iter().map(FitTask::Refinement).collect();
    let outcomes = desk.each("motion with fine steps", tasks, &here, &|_| false)?;
    iterations += outcomes.iter().map(|o| o.iterations).sum::<u64>();
    let ended = outcomes.into_iter().filter_map(|outcome| {
        Some(Followed {
            optimum: outcome.optimum()?,
            meshes: outcome.meshes,
        })
    });
    choose(model, records, ended.collect(), iterations)
}

/// The model with the force of the motor held at what the line through the data says, and that
/// value.
pub(crate) fn without_motor(
    model: &FitModel,
    records: &[Record],
) -> Result<(FitModel, f64), Error> {
    let mut driven = model.clone();
    // the force for a measured motion does not depend on where the motion began
    for p in driven
        .parameters
        .iter_mut()
        .filter(|p| p.role == FitRole::Start)
    {
        p.fixed = p.fixed.or(p.start).or(Some(0.0));
    }
    let Some(i) = model.index("motor").filter(|_| model.terms.motor) else {
        return Ok((driven, 1.0));
    };
    let parameter = &mut driven.parameters[i];
    let value = match parameter.fixed.or(parameter.start) {
        Some(value) => value,
        None => motor(model, records).ok_or_else(|| Error::Unsuited {
            law: model.law.clone(),
            reason: "the scale of the force is not known: hold or start the mass, the weight or \
                     the motor (--fix gravity=…, --start motor=…)"
                .to_owned(),
        })?,
    };
    parameter.fixed = Some(value);
    Ok((driven, value))
}

/// m a + G sin x = c u − d v − f sign(v), with what is known of m and G on the left.
fn motor(model: &FitModel, records: &[Record]) -> Option<f64> {
    let known = |name: &str| {
        let p = model.parameters.iter().find(|p| p.name == name)?;
        p.fixed.or(p.start)
    };
    let (mass, gravity) = (known("mass"), known("gravity"));
    if mass.is_none() && gravity.is_none() {
        return None;
    }
    let phase = known("gravity_angle").unwrap_or(0.0);
    let mut columns = vec![Vec::new(); 3];
    let mut left = Vec::new();
    for r in records {
        for i in 0..r.len() {
            let x = r.target()[i];
            left.push(
                mass.unwrap_or(0.0) * r.acceleration[i]
                    + gravity.unwrap_or(0.0) * (x + phase).sin(),
            );
            columns[0].push(r.force[i]);
            columns[1].push(-r.velocity[i]);
            columns[2].push(-sign(r.velocity[i]) * r.load[i]);
        }
    }
    least_squares(&columns, &left)
        .map(|x| x[0])
        .filter(|c| *c > 0.0)
}
