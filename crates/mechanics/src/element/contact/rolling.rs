//! Resistance of a ball to rolling and to spinning.
//!
//! The resultant of the pressure under a rolling ball stands ahead of the centre by a length d,
//! which gives the moment M = N d against the rolling velocity; the couple of the friction
//! under a spinning ball is N c with a length c (2/3 μ a for a flat contact of radius a). Both
//! must hold at rest, so they follow the equation of a bristle ([`Friction::resistance`]) with an
//! angle in place of the deflection:
//!
//! M = N d (z/φ + τ ż/φ),   ż = ω − |ω| z/φ
//!
//! with φ = 1 mrad, the angle over which the moment builds up, and a damping of τ = 10 ms below
//! some φ/τ = 0.1 rad/s, which lets a ball that has stopped come to rest. In steady rolling
//! M = N d, at any speed; a ball that rolls at the start of a run has the moment of steady rolling.

use super::{ElementInput, PLANE};
use crate::frame::{Mat3, Vec3};
use crate::friction_pair::{FrictionPair, HistoryEnd, PairForce, PairStep, StepFraction};
use bristle_laws::{Friction, ParameterError, Slip};
use std::ops::Range;

/// Angle over which the moment builds up, rad.
const ANGLE: f64 = 1e-3;
/// Time of the damping at rest, s.
const TIME: f64 = 1e-2;

/// Rolling and spinning resistance: friction pairs in angles, with moments per length for forces.
#[derive(Clone, Debug)]
pub struct Resistance {
    rolling: FrictionPair<PLANE>,
    spinning: FrictionPair<1>,
}

/// Angular velocities (rad/s) and normal force (N) of a ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct AngularSlip {
    rolling: Slip<f64, PLANE>,
    spinning: Slip<f64, 1>,
}

impl AngularSlip {
    /// From the relative angular velocity in the axes of the plane.
    pub(super) fn new(w: Vec3, normal_force: f64) -> Self {
        Self {
            rolling: Slip::new([w.x, w.y], normal_force),
            spinning: Slip::new([w.z], normal_force),
        }
    }
}

/// A moment in the axes of the plane on the body with the ball, and its slope.
pub(super) struct Couple {
    pub(super) moment: Vec3,
    /// By the angular velocity at the end of the step.
    pub(super) by_velocity: Mat3,
}

/// Histories of both pairs.
struct RollingHistories<T> {
    rolling: T,
    spinning: T,
}

impl Resistance {
    /// With the lengths d of rolling and c of spinning, m; 0 for none.
    ///
    /// # Errors
    /// If a length is negative or not finite.
    pub fn new(rolling: f64, spinning: f64) -> Result<Self, ParameterError> {
        Ok(Self {
            rolling: pair(rolling)?,
            spinning: pair(spinning)?,
        })
    }

    pub(super) fn history_len(&self) -> usize {
        self.rolling.history_len() + self.spinning.history_len()
    }

    /// Entries of the history that have smooth rates.
    pub(super) fn staged(&self) -> impl Iterator<Item = Range<usize>> {
        let first = self.rolling.history_len();
        let spinning = self.spinning.staged();
        let spinning = spinning.map(|range| first + range.start..first + range.end);
        self.rolling.staged().into_iter().chain(spinning)
    }

    fn split<'a>(&self, history: &'a [f64]) -> RollingHistories<&'a [f64]> {
        let (rolling, spinning) = history.split_at(self.rolling.history_len());
        RollingHistories { rolling, spinning }
    }

    fn split_mut<'a>(&self, history: &'a mut [f64]) -> RollingHistories<&'a mut [f64]> {
        let (rolling, spinning) = history.split_at_mut(self.rolling.history_len());
        RollingHistories { rolling, spinning }
    }

    /// The history at the start of a run: a moving ball has rolled for a while.
    pub(super) fn start(&self, slip: &AngularSlip, history: &mut [f64]) {
        let own = self.split_mut(history);
        self.rolling.start(&slip.rolling, [0.0; PLANE], own.rolling);
        self.spinning.start(&slip.spinning, [0.0], own.spinning);
        let [x, y] = slip.rolling.velocity;
        let [w] = slip.spinning.velocity;
        let along = |x: f64, size: f64| if size > 0.0 { ANGLE * x / size } else { 0.0 };
        let speed = x.hypot(y);
        let rolling = self.rolling.law_states_mut(own.rolling);
        for (z, w) in rolling.iter_mut().zip([x, y]) {
            *z = along(w, speed);
        }
        for z in self.spinning.law_states_mut(own.spinning) {
            *z = along(w, w.abs());
        }
    }

    /// Takes velocities that have jumped over into the history.
    pub(super) fn renew_motion(&self, slip: &AngularSlip, history: &mut [f64]) {
        let own = self.split_mut(history);
        self.rolling.renew_motion(&slip.rolling, own.rolling);
        self.spinning.renew_motion(&slip.spinning, own.spinning);
    }

    /// The couple at the end of a step, and the history there.
    pub(super) fn advance(
        &self,
        slip: &AngularSlip,
        at: &ElementInput<'_>,
        old: &[f64],
        new: &mut [f64],
    ) -> Couple {
        let (old, new) = (self.split(old), self.split_mut(new));
        let rolling = PairStep {
            end: slip.rolling,
            displacement: None,
            beyond: [0.0; 2],
            duration: at.step,
            stage: at.stage,
        };
        let spinning = PairStep {
            end: slip.spinning,
            displacement: None,
            beyond: [0.0; 1],
            duration: at.step,
            stage: at.stage,
        };
        Couple::of(
            &self
                .rolling
                .advance(&rolling, old.rolling, new.rolling, true),
            &self
                .spinning
                .advance(&spinning, old.spinning, new.spinning, true),
        )
    }

    /// The couple with the history as it is.
    pub(super) fn at_once(&self, slip: &AngularSlip, history: &[f64]) -> Couple {
        let own = self.split(history);
        Couple::of(
            &PairForce::alone(self.rolling.force(&slip.rolling, own.rolling)),
            &PairForce::alone(self.spinning.force(&slip.spinning, own.spinning)),
        )
    }

    /// Rates of the states in the continuous view.
    pub(super) fn rates(&self, slip: &AngularSlip, history: &[f64], rates: &mut [f64]) {
        let (own, rates) = (self.split(history), self.split_mut(rates));
        self.rolling
            .rates(&slip.rolling, own.rolling, rates.rolling);
        self.spinning
            .rates(&slip.spinning, own.spinning, rates.spinning);
    }

    /// Energy in the angles, J.
    pub(super) fn bristle_energy(&self, normal_force: f64, history: &[f64]) -> f64 {
        let own = self.split(history);
        self.rolling.bristle_energy(normal_force, own.rolling)
            + self.spinning.bristle_energy(normal_force, own.spinning)
    }

    /// Natural sizes of the angles, rad.
    pub(super) fn scales(&self, history: &[f64], scales: &mut [f64]) {
        let (history, own) = (self.split(history), self.split_mut(scales));
        self.rolling.scales(history.rolling, own.rolling);
        self.spinning.scales(history.spinning, own.spinning);
    }

    /// The history inside a step.
    pub(super) fn between(&self, ends: &[HistoryEnd<'_>; 2], at: StepFraction, out: &mut [f64]) {
        let out = self.split_mut(out);
        let rolling = ends.map(|end| HistoryEnd {
            history: self.split(end.history).rolling,
            rates: self.split(end.rates).rolling,
        });
        self.rolling.between(&rolling, at, out.rolling);
        let spinning = ends.map(|end| HistoryEnd {
            history: self.split(end.history).spinning,
            rates: self.split(end.rates).spinning,
        });
        self.spinning.between(&spinning, at, out.spinning);
    }
}

impl Couple {
    fn of(rolling: &PairForce<PLANE>, spinning: &PairForce<1>) -> Self {
        let ([x, y], [z]) = (rolling.force, spinning.force);
        let mut by_velocity = Mat3::zeros();
        for i in 0..PLANE {
            for j in 0..PLANE {
                by_velocity[(i, j)] = -rolling.by_velocity[i][j];
            }
        }
        by_velocity[(2, 2)] = -spinning.by_velocity[0][0];
        Self {
            moment: -Vec3::new(x, y, z),
            by_velocity,
        }
    }
}

/// A pair whose moment is `length` times the normal force.
fn pair<const D: usize>(length: f64) -> Result<FrictionPair<D>, ParameterError> {
    if length == 0.0 {
        return Ok(FrictionPair::SMOOTH);
    }
    Friction::resistance(length, ANGLE, TIME).map(FrictionPair::new)
}
