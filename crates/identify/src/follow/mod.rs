//! The force of a model along a measured motion.
//!
//! Velocity and normal force are linear between samples. A segment is cut where the velocity
//! passes zero and into as many equal steps of the law's implicit update as its [`Mesh`] says; the
//! mesh is chosen for accuracy once and then held, so that the force is a smooth function of the
//! parameters. Over dual numbers the same text gives the exact derivatives of the force by them.

mod mesh;
mod rider;

pub(crate) use mesh::Mesh;

use bristle_laws::{Scalar, Slip};

use self::rider::Rider;
use crate::model::{Acting, ActingOver};
use crate::record::{Kind, Record};

/// Conditions at one instant. The motion is measured, the load may depend on parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition<P> {
    v: f64,
    n: P,
    applied: f64,
}

impl<P: Scalar> Condition<P> {
    /// Those at a sample.
    fn at(record: &Record, acting: &ActingOver<'_, P>, i: usize) -> Self {
        let mut n = acting.preload + record.load[i];
        if ActingOver::acts(acting.transmitted) {
            let through = weight(record, acting, i) + record.force[i];
            n = n + acting.transmitted * through.abs();
        }
        Self {
            v: record.velocity[i],
            n,
            applied: record.applied.as_ref().map_or(0.0, |a| a[i]),
        }
    }

    fn slip(self) -> Slip<P, 1> {
        self.slip_at(P::from_f64(self.v))
    }

    /// With another velocity.
    fn slip_at(self, velocity: P) -> Slip<P, 1> {
        Slip {
            velocity: [velocity],
            normal_force: self.n,
            applied: [P::from_f64(self.applied)],
        }
    }

    fn values(self) -> Condition<f64> {
        Condition {
            v: self.v,
            n: self.n.value(),
            applied: self.applied,
        }
    }

    fn between(a: Self, b: Self, s: f64) -> Self {
        let mix = |x: f64, y: f64| x + s * (y - x);
        Self {
            v: mix(a.v, b.v),
            n: a.n + (b.n - a.n) * s,
            applied: mix(a.applied, b.applied),
        }
    }
}

/// G sin(x + φ₀) at a sample.
fn weight<P: Scalar>(record: &Record, acting: &ActingOver<'_, P>, i: usize) -> P {
    let angle = record.position.as_ref().map_or(0.0, |x| x[i]);
    acting.gravity * (acting.phase + angle).sin()
}

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
    let Some(law) = acting.forward.as_ref().filter(|_| !record.is_empty()) else {
        return (0..record.len()).for_each(|i| take(i, P::zero()));
    };
    if record.kind == Kind::Steady {
        return (0..record.len()).for_each(|i| take(i, steady(record, acting, i)));
    }
    let longest = record.longest_step();
    let mut from = Condition::at(record, acting, 0);
    let mut rider = Rider::start(acting, law, from);
    take(0, rider.force);
    for i in 1..record.len() {
        let to = Condition::at(record, acting, i);
        if record.gap_before(i, longest) {
            rider = Rider::start(acting, law, to);
        } else {
            rider.segment(from, to, record.t[i] - record.t[i - 1], mesh.steps[i]);
        }
        take(i, rider.force);
        from = to;
    }
}

fn steady<P: Scalar>(record: &Record, acting: &ActingOver<'_, P>, i: usize) -> P {
    let v = record.velocity[i];
    let law = match &acting.backward {
        Some(backward) if v < 0.0 => Some(backward),
        _ => acting.forward.as_ref(),
    };
    let n = acting.preload + record.load[i];
    let force = law.and_then(|law| law.steady(P::from_f64(v.abs()), n));
    // a law without a steady force at this speed is within its dead zone
    force.map_or(P::zero(), |f| f * sign(v))
}

/// −1, 0 or 1.
pub(crate) fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Terms};
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
            let model = Model::of(card.name, &Terms::default()).unwrap();
            let mut acting = model.acting(&vec![1.0; model.parameters.len()]);
            if let Ok(acting) = &mut acting {
                acting.forward = Some(law.clone());
            } else {
                continue;
            }
            let mut acting = acting.unwrap();
            acting.forward = Some(law);
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
