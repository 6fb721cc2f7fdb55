//! The force of a model along a measured motion.
//!
//! Velocity and normal force are linear between samples. A segment is cut where the velocity
//! passes zero and into as many equal steps of the law's implicit update as its [`Mesh`] says; the
//! mesh is chosen for accuracy once and then held, so that the force is a smooth function of the
//! parameters.

use bristle_laws::{Friction, MAX_STATES, Slip, Step};

use crate::model::Acting;
use crate::record::{Kind, Record};
use crate::slope::force_and_slope;

/// Steps of the law in each segment between samples, and where the law starts again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mesh {
    steps: Vec<u8>,
}

/// More steps than this do not help: the motion is too coarse for the law.
const MOST_STEPS: u8 = 64;

/// A stay too short for anything but a change of mode at rest.
const INSTANT: f64 = 1e-100;

/// Conditions at one instant.
#[derive(Clone, Copy, Debug)]
struct Condition {
    v: f64,
    n: f64,
    applied: f64,
}

impl Condition {
    fn slip(self) -> Slip<f64, 1> {
        Slip {
            velocity: [self.v],
            normal_force: self.n,
            applied: [self.applied],
        }
    }

    fn between(a: Self, b: Self, s: f64) -> Self {
        let mix = |x: f64, y: f64| x + s * (y - x);
        Self {
            v: mix(a.v, b.v),
            n: mix(a.n, b.n),
            applied: mix(a.applied, b.applied),
        }
    }
}

/// A law at work: its state, and the play in series with it.
#[derive(Clone)]
struct Rider<'a> {
    acting: &'a Acting,
    law: &'a Friction,
    count: usize,
    state: [f64; MAX_STATES],
    force: f64,
}

impl<'a> Rider<'a> {
    fn start(acting: &'a Acting, law: &'a Friction, at: Condition) -> Self {
        let count = law.layout().len(1);
        let mut rider = Self {
            acting,
            law,
            count,
            state: [0.0; MAX_STATES],
            force: 0.0,
        };
        law.start(&at.slip(), &mut rider.state[..count]);
        let mut rates = [0.0; MAX_STATES];
        rider.force = law.rates(&at.slip(), &rider.state[..count], &mut rates[..count])[0];
        if rider.acting.gap > 0.0 {
            // play hides the first velocity
            rider.force = 0.0;
        }
        rider
    }

    /// The law for the direction of motion.
    fn law(&self, v: f64) -> &'a Friction {
        match &self.acting.backward {
            Some(backward) if v < 0.0 => backward,
            _ => self.law,
        }
    }

    fn update(&self, step: &Step<f64, 1>, new: &mut [f64; MAX_STATES]) -> f64 {
        let v = step.mean.velocity[0] + 1e-3 * step.end.velocity[0];
        let old = &self.state[..self.count];
        self.law(v).update(step, old, &mut new[..self.count])[0]
    }

    fn step(&mut self, from: Condition, to: Condition, h: f64) {
        let mean = Condition::between(from, to, 0.5);
        let mut new = [0.0; MAX_STATES];
        if self.acting.gap > 0.0 {
            self.step_with_play(mean, to, h);
            return;
        }
        let step = Step {
            mean: mean.slip(),
            end: to.slip(),
            duration: h,
        };
        self.force = self.update(&step, &mut new);
        self.state[..self.count].copy_from_slice(&new[..self.count]);
    }

    /// Displacement of the play under a force: (gap/2) tanh(F/F_b), soft about zero, closed at
    /// forces beyond F_b.
    fn play(&self, force: f64) -> f64 {
        0.5 * self.acting.gap * (force / self.acting.closing).tanh()
    }

    /// Finds the slip velocity of the law such that the slip and the play make up the motion. The
    /// balance rises with the slip, so that it has one root: Newton's method with the exact slope,
    /// within an interval that shrinks.
    fn step_with_play(&mut self, mean: Condition, to: Condition, h: f64) {
        let before = self.play(self.force);
        let old = &self.state[..self.count];
        let try_slip = |w: f64, new: &mut [f64; MAX_STATES]| {
            let slip = |c: Condition| Condition { v: w, ..c }.slip();
            let step = Step {
                mean: slip(mean),
                end: slip(to),
                duration: h,
            };
            let law = self.law(w);
            let (force, slope) = force_and_slope(law, &step, 1.0, old, &mut new[..self.count]);
            let moved = self.play(force);
            // d/dF of (b/2) tanh(F/F_b) from the value itself
            let open = 1.0 - (2.0 * moved / self.acting.gap).powi(2);
            let play_slope = 0.5 * self.acting.gap / self.acting.closing * open;
            (
                force,
                (w - mean.v) * h + moved - before,
                h + play_slope * slope.max(0.0),
            )
        };
        let mut new = [0.0; MAX_STATES];
        // the play moves by its whole width at most
        let reach = self.acting.gap / h;
        let (mut low, mut high) = (mean.v - reach, mean.v + reach);
        let mut w = mean.v;
        let (mut force, mut balance, mut slope) = try_slip(w, &mut new);
        let tolerance = 1e-10 * self.acting.gap;
        let mut last = f64::INFINITY;
        for _ in 0..60 {
            if balance.abs() < tolerance || !balance.is_finite() {
                break;
            }
            if balance > 0.0 {
                high = w;
            } else {
                low = w;
            }
            let mut next = w - balance / slope;
            if next <= low || next >= high || (next - w).abs() > 0.5 * last {
                next = 0.5 * (low + high);
            }
            last = (next - w).abs();
            if last <= f64::EPSILON * w.abs() {
                break;
            }
            w = next;
            (force, balance, slope) = try_slip(w, &mut new);
        }
        self.force = force;
        self.state[..self.count].copy_from_slice(&new[..self.count]);
    }

    /// A pair that stands still for an instant is told so: modes end there.
    fn rest(&mut self, at: Condition) {
        if self.acting.gap > 0.0 || self.count == 0 {
            return;
        }
        let mut new = [0.0; MAX_STATES];
        let step = Step::constant(at.slip(), INSTANT);
        self.update(&step, &mut new);
        self.state[..self.count].copy_from_slice(&new[..self.count]);
    }

    /// Moves over a segment in `steps` steps on either side of a reversal.
    fn segment(&mut self, from: Condition, to: Condition, h: f64, steps: u8) {
        if from.v * to.v < 0.0 {
            let s = from.v / (from.v - to.v);
            let mut middle = Condition::between(from, to, s);
            middle.v = 0.0;
            self.piece(from, middle, s * h, steps);
            self.rest(middle);
            self.piece(middle, to, (1.0 - s) * h, steps);
        } else {
            self.piece(from, to, h, steps);
            if to.v == 0.0 && from.v != 0.0 {
                self.rest(to);
            }
        }
    }

    fn piece(&mut self, from: Condition, to: Condition, h: f64, steps: u8) {
        if h <= 0.0 {
            return;
        }
        let part = h / f64::from(steps);
        let mut last = from;
        for i in 1..=steps {
            let next = if i == steps {
                to
            } else {
                Condition::between(from, to, f64::from(i) / f64::from(steps))
            };
            self.step(last, next, part);
            last = next;
        }
    }
}

fn condition(record: &Record, acting: &Acting, i: usize) -> Condition {
    let through = if acting.transmitted > 0.0 {
        let angle = record.position.as_ref().map_or(0.0, |x| x[i]);
        let weight = acting.gravity * (angle + acting.phase).sin();
        acting.transmitted * (record.force[i] + weight).abs()
    } else {
        0.0
    };
    Condition {
        v: record.velocity[i],
        n: record.load[i] + acting.preload + through,
        applied: record.applied.as_ref().map_or(0.0, |a| a[i]),
    }
}

impl Mesh {
    /// One step per segment.
    pub(crate) fn coarse(record: &Record) -> Self {
        Self {
            steps: vec![1; record.len()],
        }
    }

    /// The same number of steps in every segment.
    pub(crate) fn even(record: &Record, steps: u8) -> Self {
        Self {
            steps: vec![steps; record.len()],
        }
    }

    /// The number of steps of a mesh with the same number in every segment.
    pub(crate) fn uniform(&self) -> u8 {
        self.steps.first().copied().unwrap_or(1)
    }

    /// As many steps as keep the force within `tolerance` (N) of that with twice as many.
    pub(crate) fn fine(record: &Record, acting: &Acting, tolerance: f64) -> Self {
        let mut mesh = Self::coarse(record);
        if record.kind == Kind::Free {
            return Self::even(record, crate::simulate::steps(record, acting, tolerance));
        }
        let Some(law) = &acting.forward else {
            return mesh;
        };
        if record.kind == Kind::Steady || law.layout().is_empty() && acting.gap <= 0.0 {
            return mesh;
        }
        let longest = record.longest_step();
        let mut rider = Rider::start(acting, law, condition(record, acting, 0));
        let mut guess = 1;
        for i in 1..record.len() {
            let (from, to) = (
                condition(record, acting, i - 1),
                condition(record, acting, i),
            );
            if record.gap_before(i, longest) {
                rider = Rider::start(acting, law, to);
                continue;
            }
            let h = record.t[i] - record.t[i - 1];
            let mut steps: u8 = guess;
            let mut once = rider.clone();
            once.segment(from, to, h, steps);
            loop {
                let mut twice = rider.clone();
                twice.segment(from, to, h, 2 * steps);
                let error = (twice.force - once.force).abs();
                let done = error.is_nan() || error <= tolerance || 2 * steps >= MOST_STEPS;
                once = twice;
                if done {
                    break;
                }
                steps *= 2;
            }
            mesh.steps[i] = steps;
            // the next segment is much like this one, or easier
            guess = (steps / 2).max(1);
            rider = once;
        }
        mesh
    }
}

/// The force of the model at every sample, N: friction and the terms around it.
pub(crate) fn force(record: &Record, acting: &Acting, mesh: &Mesh) -> Vec<f64> {
    let mut force = friction(record, acting, mesh);
    for (i, f) in force.iter_mut().enumerate() {
        let v = record.velocity[i];
        let drag = if v < 0.0 {
            acting.drag.1
        } else {
            acting.drag.0
        };
        *f += acting.mass * record.acceleration[i] + acting.offset + drag * v;
        if acting.gravity != 0.0 {
            let angle = record.position.as_ref().map_or(0.0, |x| x[i]);
            *f += acting.gravity * (angle + acting.phase).sin();
        }
    }
    force
}

/// The force of the law alone at every sample, N.
pub(crate) fn friction(record: &Record, acting: &Acting, mesh: &Mesh) -> Vec<f64> {
    let mut force = vec![0.0; record.len()];
    let (Some(law), false) = (&acting.forward, record.is_empty()) else {
        return force;
    };
    if record.kind == Kind::Steady {
        steady(record, acting, law, &mut force);
        return force;
    }
    let longest = record.longest_step();
    let mut rider = Rider::start(acting, law, condition(record, acting, 0));
    force[0] = rider.force;
    for i in 1..record.len() {
        let (from, to) = (
            condition(record, acting, i - 1),
            condition(record, acting, i),
        );
        if record.gap_before(i, longest) {
            rider = Rider::start(acting, law, to);
        } else {
            rider.segment(from, to, record.t[i] - record.t[i - 1], mesh.steps[i]);
        }
        force[i] = rider.force;
    }
    force
}

fn steady(record: &Record, acting: &Acting, law: &Friction, force: &mut [f64]) {
    for (i, f) in force.iter_mut().enumerate() {
        let v = record.velocity[i];
        let law = match &acting.backward {
            Some(backward) if v < 0.0 => backward,
            _ => law,
        };
        let n = record.load[i] + acting.preload;
        // a law without a steady force at this speed is within its dead zone
        *f = law.steady(v.abs(), n).map_or(0.0, |f| f * sign(v));
    }
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
