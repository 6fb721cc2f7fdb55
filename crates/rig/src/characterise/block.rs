//! A block on the law: the loads that a test machine puts on it, and its motion.
//!
//! One degree of freedom, so every step is one scalar equation. It is solved by bracketing, which
//! finds the answer of a law that jumps (a mode that switches, a dead zone) as well as that of a
//! smooth one. Backward Euler with step doubling and extrapolation: of second order, and damped
//! where the law is stiff. The law hears the applied force, so that laws which hold it can.

use super::MeasurementFailure;
use bristle_laws::{Friction, MAX_STATES, Slip, Step};

/// Allowed difference of a step and its two halves, relative to the largest values so far.
const TOLERANCE: f64 = 1e-4;
/// Steps are not cut below this, s: there a jump of the law is located well enough.
const SHORTEST: f64 = 1e-8;
/// Steps of a run, rejected ones included.
const MOST_STEPS: usize = 400_000;
/// Evaluations for one step; halving 60 times alone reaches rounding.
const MOST_EVALUATIONS: usize = 120;
/// Step changes.
const SAFETY: f64 = 0.85;
const LEAST_FACTOR: f64 = 0.15;
const LARGEST_FACTOR: f64 = 4.0;

/// A block, what presses and what pulls it.
pub(super) struct SlidingBlock<'a> {
    pub(super) law: &'a Friction,
    /// Mass, kg.
    pub(super) mass: f64,
    /// Normal force, N.
    pub(super) normal_force: f64,
    /// Load along x over time, N.
    pub(super) load: &'a dyn Fn(f64) -> f64,
    /// Stiffness (N/m) of a spring, and the speed (m/s) at which its far end is drawn along x.
    pub(super) spring: (f64, f64),
    /// Times at which the load has corners, ascending, s.
    pub(super) corners: &'a [f64],
    /// End, s, and the longest step, s.
    pub(super) end: f64,
    pub(super) longest: f64,
}

/// Where the block is.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockPosition {
    pub(super) t: f64,
    /// Position, m.
    pub(super) x: f64,
    /// Velocity, m/s.
    pub(super) v: f64,
    /// Friction force, N; what the law holds while at rest.
    pub(super) force: f64,
    pub(super) state: [f64; MAX_STATES],
}

impl SlidingBlock<'_> {
    /// Load and spring, N.
    fn applied(&self, t: f64, x: f64) -> f64 {
        let (stiffness, speed) = self.spring;
        (self.load)(t) + stiffness * (speed * t - x)
    }

    /// Moves the block from rest at x = 0; `watch` sees every accepted step and says whether to
    /// go on. Returns the last point.
    pub(super) fn run(
        &self,
        watch: &mut dyn FnMut(&BlockPosition) -> bool,
    ) -> Result<BlockPosition, MeasurementFailure> {
        let states = self.law.layout().len(1);
        let mut at = BlockPosition {
            t: 0.0,
            x: 0.0,
            v: 0.0,
            force: 0.0,
            state: [0.0; MAX_STATES],
        };
        let slip = self.slip(0.0, self.applied(0.0, 0.0));
        self.law.start(&slip, &mut at.state[..states]);
        at.force = self
            .law
            .rates(&slip, &at.state[..states], &mut [0.0; MAX_STATES][..states])[0];
        let mut scales = (1e-9, 1e-6);
        let mut wanted = 1e-5_f64.min(self.longest);
        let mut steps = 0;
        if !watch(&at) {
            return Ok(at);
        }
        while at.t < self.end {
            let corner = self.corners.iter().copied().find(|c| *c > at.t);
            let target = corner.unwrap_or(self.end).min(self.end);
            let whole = at.t + 1.01 * wanted >= target;
            let h = if whole { target - at.t } else { wanted };
            steps += 1;
            if steps > MOST_STEPS {
                return Err(MeasurementFailure::TooManySteps { t: at.t });
            }
            let coarse = self.step(&at, h);
            let half = self.step(&at, 0.5 * h);
            let fine = self.step(&half, 0.5 * h);
            if !(fine.v.is_finite() && fine.force.is_finite()) {
                return Err(MeasurementFailure::NotFinite { t: at.t });
            }
            scales = (
                f64::max(scales.0, fine.v.abs()),
                f64::max(scales.1, fine.force.abs()),
            );
            let error = ((fine.v - coarse.v).abs() / scales.0)
                .max((fine.force - coarse.force).abs() / scales.1);
            let smooth = error <= TOLERANCE;
            if !smooth && h > SHORTEST {
                wanted = h * (SAFETY * (TOLERANCE / error).sqrt()).clamp(LEAST_FACTOR, 0.8);
                continue;
            }
            at = if smooth {
                self.extrapolated(&coarse, &fine)
            } else {
                fine
            };
            if whole {
                at.t = target;
            }
            let grown = h * (SAFETY * (TOLERANCE / error).sqrt()).clamp(1.0, LARGEST_FACTOR);
            // a step cut short by a corner says little about longer ones
            wanted = if whole { grown.max(wanted) } else { grown }.min(self.longest);
            self.come_to_rest(&mut at);
            if !watch(&at) {
                break;
            }
        }
        Ok(at)
    }

    fn slip(&self, v: f64, applied: f64) -> Slip<f64, 1> {
        Slip {
            velocity: [v],
            normal_force: self.normal_force,
            applied: [applied],
        }
    }

    /// The block after a step in which its velocity becomes `v`, and what is left over, N.
    fn trial(&self, from: &BlockPosition, h: f64, v: f64) -> (BlockPosition, f64) {
        let (t, x) = (from.t + h, from.x + h * v);
        let applied = self.applied(t, x);
        let states = self.law.layout().len(1);
        let mut state = [0.0; MAX_STATES];
        let step = Step::constant(self.slip(v, applied), h);
        let [force] = self
            .law
            .update(&step, &from.state[..states], &mut state[..states]);
        let residual = self.mass * (v - from.v) / h - applied + force;
        let to = BlockPosition {
            t,
            x,
            v,
            force,
            state,
        };
        (to, residual)
    }

    /// One step of backward Euler: m (v − v₀)/h = Fₑ − F(v).
    fn step(&self, from: &BlockPosition, h: f64) -> BlockPosition {
        let (first, r0) = self.trial(from, h, from.v);
        if r0 == 0.0 || !r0.is_finite() {
            return first;
        }
        // without any change of F this is the answer
        let mut reach = -r0 * h / self.mass;
        let (mut near, mut far) = ((from.v, r0), (from.v + reach, r0));
        let mut evaluations = 0;
        loop {
            let (to, r) = self.trial(from, h, far.0);
            far.1 = r;
            evaluations += 1;
            if r == 0.0 || !r.is_finite() || evaluations > MOST_EVALUATIONS {
                return to;
            }
            if r.signum() != r0.signum() {
                break;
            }
            near = far;
            reach *= 2.0;
            far.0 += reach;
        }
        let close = 1e-13 * (from.v.abs() + reach.abs());
        while (far.0 - near.0).abs() > close && evaluations < MOST_EVALUATIONS {
            // every third time halve: a secant alone creeps towards a jump
            let share = if evaluations % 3 == 2 {
                0.5
            } else {
                near.1 / (near.1 - far.1)
            };
            let v = near.0 + share.clamp(1e-3, 1.0 - 1e-3) * (far.0 - near.0);
            if v.to_bits() == near.0.to_bits() || v.to_bits() == far.0.to_bits() {
                break;
            }
            let (to, r) = self.trial(from, h, v);
            evaluations += 1;
            if r.abs() <= 1e-13 * (r0.abs() + to.force.abs()) {
                return to;
            }
            if r.signum() == near.1.signum() {
                near = (v, r);
            } else {
                far = (v, r);
            }
        }
        // at a jump the pair is at rest if it can be
        let v = if near.0.min(far.0) <= 0.0 && near.0.max(far.0) >= 0.0 {
            0.0
        } else if near.0.abs() < far.0.abs() {
            near.0
        } else {
            far.0
        };
        self.trial(from, h, v).0
    }

    /// The result of two half steps, extrapolated with that of the whole step.
    fn extrapolated(&self, coarse: &BlockPosition, fine: &BlockPosition) -> BlockPosition {
        let states = self.law.layout().len(1);
        let mut to = *fine;
        to.x = 2.0 * fine.x - coarse.x;
        to.v = 2.0 * fine.v - coarse.v;
        for i in 0..states {
            let whole = fine.state[i].fract() == 0.0 && coarse.state[i].fract() == 0.0;
            if !whole {
                to.state[i] = 2.0 * fine.state[i] - coarse.state[i];
            }
        }
        to.force = 2.0 * fine.force - coarse.force;
        to
    }

    /// A law that answers the applied force holds the block: it stops (Karnopp).
    fn come_to_rest(&self, at: &mut BlockPosition) {
        let applied = self.applied(at.t, at.x);
        let states = self.law.layout().len(1);
        let force = |applied| {
            let mut rates = [0.0; MAX_STATES];
            let slip = self.slip(at.v, applied);
            self.law
                .rates(&slip, &at.state[..states], &mut rates[..states])[0]
        };
        let held = force(applied);
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
        let holds = self.law.stiction().is_some();
        let answers = holds && same(held, applied) && !same(force(0.0), applied);
        if answers {
            (at.v, at.force) = (0.0, held);
        }
    }
}
