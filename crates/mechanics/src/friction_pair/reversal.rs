//! Where the slip of a pair reverses within a step.

use super::{FrictionPair, PairMotion, dot, size};
use bristle_laws::{Friction, MAX_STATES, Slip, Step};

/// Part of the break-away deflection that a law may miss at most where the slip reverses within a step.
const UNSEEN: f64 = 0.02;

/// A step in which the slip goes forward and back.
struct Reversal<const D: usize> {
    ends: [PairMotion<D>; 2],
    duration: f64,
    /// Part of the step at which the slip stands still.
    fraction: f64,
}

impl<const D: usize> FrictionPair<D> {
    /// The fraction of a step of `duration` s at which the slip reverses, if the law would miss
    /// too much of it.
    ///
    /// The law sees the displacement of the step. If the slip goes forward by a and back by b
    /// within it, the law misses the smaller one twice; it may be a small part of the deflection
    /// at break-away, and `tolerated` (m) of a law that follows the path alone: stages see the velocity on
    /// the way, an update does not. A law that follows the path is asked what it does on both ways: a spring that does
    /// not begin to slide on them misses nothing.
    pub fn reversal(
        &self,
        duration: f64,
        tolerated: f64,
        before: &[f64],
        after: &[f64],
    ) -> Option<f64> {
        let (from, to) = (self.split(before), self.split(after));
        let ends = [from.motion, to.motion];
        // without load there is nothing to miss
        if ends.iter().any(|end| end.normal_force <= 0.0) {
            return None;
        }
        let forward = size(&ends[0].velocity);
        let back = -dot(&ends[0].velocity, &ends[1].velocity) / forward;
        // 0/0 where it was at rest
        if back.is_nan() || back <= 0.0 {
            return None;
        }
        let missed = 0.5 * duration * forward.min(back).powi(2) / (forward + back);
        let law = self.law.as_ref()?;
        let deflection = law.breakaway_deflection(ends[1].normal_force)?;
        let reversal = Reversal {
            ends,
            duration,
            fraction: forward / (forward + back),
        };
        let unseen = if law.has_stage() {
            UNSEEN
        } else {
            UNSEEN.min(tolerated / deflection)
        };
        let misses = missed > unseen * deflection
            && !(self.path.alone && self.sees(law, &reversal, [from.law, to.law], unseen));
        misses.then_some(reversal.fraction)
    }

    /// Whether the way forward and back ends in the states that the law has found without it, to the part
    /// `unseen`.
    fn sees(
        &self,
        law: &Friction,
        reversal: &Reversal<D>,
        states: [&[f64]; 2],
        unseen: f64,
    ) -> bool {
        let [before, after] = states;
        let (mut turned, mut end) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
        let (turned, end) = (&mut turned[..self.states], &mut end[..self.states]);
        let [forward, back] = reversal.ways();
        law.update(&forward, before, turned);
        law.update(&back, turned, end);
        let normal_force = reversal.ends[1].normal_force;
        let vectors = end.chunks_exact(D).zip(after.chunks_exact(D));
        vectors
            .take(self.vectors / D)
            .enumerate()
            .all(|(i, (one, other))| {
                let differ = size(&std::array::from_fn::<_, D, _>(|k| one[k] - other[k]));
                let whole = law.vector_size(i, normal_force);
                whole.is_some_and(|whole| differ <= unseen * whole)
            })
    }
}

impl<const D: usize> Reversal<D> {
    /// The way to where the slip stands still, and the way on from there; speeds change evenly on the
    /// first.
    fn ways(&self) -> [Step<f64, D>; 2] {
        let [from, to] = &self.ends;
        let times = [
            self.fraction * self.duration,
            (1.0 - self.fraction) * self.duration,
        ];
        let forward: [f64; D] = std::array::from_fn(|i| 0.5 * times[0] * from.velocity[i]);
        // a slip that is no displacement is the integral of the velocity
        let is_place = from
            .displacement
            .iter()
            .chain(&to.displacement)
            .any(|x| *x != 0.0);
        let rest: [f64; D] = std::array::from_fn(|i| {
            let moved = if is_place {
                to.displacement[i] - from.displacement[i]
            } else {
                0.5 * self.duration * (from.velocity[i] + to.velocity[i])
            };
            moved - forward[i]
        });
        let load = from.normal_force + self.fraction * (to.normal_force - from.normal_force);
        let way = |moved: [f64; D], duration: f64, loads: [f64; 2], velocity: [f64; D]| Step {
            mean: Slip::new(moved.map(|x| x / duration), 0.5 * (loads[0] + loads[1])),
            end: Slip::new(velocity, loads[1]),
            duration,
        };
        [
            way(forward, times[0], [from.normal_force, load], [0.0; D]),
            way(rest, times[1], [load, to.normal_force], to.velocity),
        ]
    }
}
