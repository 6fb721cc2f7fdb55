//! The force of a model along a measured motion.
//!
//! Velocity and normal force are linear between samples. A segment is cut where the velocity
//! passes zero and into as many equal steps of the law's implicit update as its [`Mesh`] says; the
//! mesh is chosen for accuracy once and then held, so that the force is a smooth function of the
//! parameters. Over dual numbers the same text gives the exact derivatives of the force by them.

use bristle_laws::Scalar;

use super::condition::{Condition, weight};
use super::forward_model::ForwardModel;
use super::mesh::Mesh;
use crate::model::{Acting, ActingOver};
use crate::statistics::sign;
use crate::{Record, RecordKind};

/// The force of the model at every sample, N: friction and the terms around it.
pub(crate) fn force(record: &Record, acting: &Acting, mesh: &Mesh) -> Vec<f64> {
    let mut force = Vec::with_capacity(record.len());
    for_each(record, &ActingOver::of(acting), mesh, |f| force.push(f));
    force
}

/// The force of the law alone at every sample, N.
pub(crate) fn friction(record: &Record, acting: &Acting, mesh: &Mesh) -> Vec<f64> {
    let mut force = Vec::with_capacity(record.len());
    friction_for_each(record, &ActingOver::of(acting), mesh, |_, f| force.push(f));
    force
}

/// Hands the force of the model at every sample to `take`, in order.
pub(crate) fn for_each<P: Scalar>(
    record: &Record,
    acting: &ActingOver<'_, P>,
    mesh: &Mesh,
    mut take: impl FnMut(P),
) {
    let weighs = ActingOver::acts(acting.gravity);
    friction_for_each(record, acting, mesh, |i, friction| {
        let v = record.velocity[i];
        let drag = if v < 0.0 {
            acting.drag.1
        } else {
            acting.drag.0
        };
        let rest = acting.mass * record.acceleration[i] + acting.offset + drag * v;
        let force = friction + rest;
        take(if weighs {
            force + weight(record, acting, i)
        } else {
            force
        });
    });
}

/// Hands the force of the law alone at every sample to `take`.
fn friction_for_each<P: Scalar>(
    record: &Record,
    acting: &ActingOver<'_, P>,
    mesh: &Mesh,
    mut take: impl FnMut(usize, P),
) {
    let Some(law) = acting.law.as_ref().filter(|_| !record.is_empty()) else {
        return (0..record.len()).for_each(|i| take(i, P::zero()));
    };
    if record.kind == RecordKind::Steady {
        return (0..record.len()).for_each(|i| take(i, steady(record, acting, i)));
    }
    let longest = record.longest_step();
    let mut from = Condition::at(record, acting, 0);
    let mut forward = ForwardModel::start(acting, law, from);
    take(0, forward.force);
    for i in 1..record.len() {
        let to = Condition::at(record, acting, i);
        if record.gap_before(i, longest) {
            forward = ForwardModel::start(acting, law, to);
        } else {
            forward.segment(from, to, record.t[i] - record.t[i - 1], mesh.steps[i]);
        }
        take(i, forward.force);
        from = to;
    }
}

fn steady<P: Scalar>(record: &Record, acting: &ActingOver<'_, P>, i: usize) -> P {
    let v = record.velocity[i];
    let n = acting.preload + record.load[i];
    let law = acting.law.as_ref();
    let force = law.and_then(|law| law.side(v).steady(P::from_f64(v.abs()), n));
    // a law without a steady force at this speed is within its dead zone
    force.map_or(P::zero(), |f| f * sign(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FitModel, MachineTerms};
    use bristle_laws::Friction;
    use bristle_laws::friction::typical;
    use bristle_rig::{Driver, Sample};

    /// The steps of the mesh against the error-controlled driver of the bench, at the typical
    /// parameters of every law.
    #[test]
    fn the_mesh_follows_the_driver() {
        let t: Vec<f64> = (0..4000).map(|i| f64::from(i) * 2e-3).collect();
        let v: Vec<f64> = t
            .iter()
            .map(|t| (1e-4 + 6e-3 * t) * (0.2 + (6.0 * t).sin()))
            .collect();
        for card in Friction::CARDS {
            let law = Friction::build(card.name, &typical(card)).unwrap();
            let sample = |i: usize| Sample {
                t: t[i],
                velocity: [v[i]],
                normal_force: 10.0,
                applied: [0.0],
            };
            let mut driver = Driver::<1>::new(&law, &sample(0), 1e-9);
            let mut exact = vec![driver.force()[0]];
            exact.extend((1..t.len()).map(|i| driver.advance(&sample(i)).unwrap()[0]));
            let record = Record::motion("m", t.clone(), v.clone(), exact.clone())
                .unwrap()
                .with_load(vec![10.0; t.len()])
                .unwrap();
            let model = FitModel::of(card.name, &MachineTerms::default()).unwrap();
            let mut acting = model.acting(&vec![1.0; model.parameters.len()]);
            if let Ok(acting) = &mut acting {
                acting.law = Some(law.clone());
            } else {
                continue;
            }
            let mut acting = acting.unwrap();
            acting.law = Some(law);
            let mesh = Mesh::fine(&record, &acting, 1e-5);
            let mine = friction(&record, &acting, &mesh);
            // errors of single steps add up over the memory of a law, which is some steps long;
            // laws that jump may do so a sample apart
            let off = mine
                .iter()
                .zip(&exact)
                .filter(|(a, b)| (*a - *b).abs() > 1e-2);
            assert!(off.count() <= 4, "{}", card.name);
        }
    }
}
