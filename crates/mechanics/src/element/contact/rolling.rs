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
//! some φ/τ = 0.1 rad/s, which lets a ball that has stopped come to rest. In steady rolling M = N d, at any speed; a ball that rolls at
//! the start of a run has the moment of steady rolling.

use super::Contact;
use super::geometry::Relative;
use crate::element::Moment;
use crate::frame::{Mat3, Vec3};
use bristle_laws::{Friction, ParameterError, Slip, Step, Tangent};

/// Angle over which the moment builds up, rad.
const ANGLE: f64 = 1e-3;
/// Time of the damping at rest, s.
const TIME: f64 = 1e-2;

/// Memory: rolling (2) and spinning (1) states, then the relative angular velocity (3).
pub(super) const MEMORY: usize = 6;
/// Entries of the memory that are states of a law.
pub(super) const STATES: usize = 3;

/// Rolling and spinning resistance.
#[derive(Clone, Debug)]
pub struct Resistance {
    rolling: Option<Friction>,
    spinning: Option<Friction>,
}

impl Resistance {
    /// With the lengths d of rolling and c of spinning, m; 0 for none.
    ///
    /// # Errors
    /// If a length is negative or not finite.
    pub fn new(rolling: f64, spinning: f64) -> Result<Self, ParameterError> {
        Ok(Self {
            rolling: moment_law(rolling)?,
            spinning: moment_law(spinning)?,
        })
    }

    /// The moment along a relative angular velocity at once, and the rates of the states.
    pub(super) fn rates(&self, w: Vec3, n: f64, memory: &[f64], rates: &mut [f64]) -> Vec3 {
        let mut moment = Vec3::zeros();
        if let Some(law) = &self.rolling {
            let slip = Slip::new([w.x, w.y], n);
            let [x, y] = law.rates(&slip, &memory[..2], &mut rates[..2]);
            (moment.x, moment.y) = (x, y);
        }
        if let Some(law) = &self.spinning {
            let slip = Slip::new([w.z], n);
            let [z] = law.rates(&slip, &memory[2..STATES], &mut rates[2..STATES]);
            moment.z = z;
        }
        moment
    }

    /// The moment in the axes of the plane for a relative angular velocity, and its slopes by
    /// mean and end angular velocity and by the normal force.
    fn update<const D: usize>(
        law: Option<&Friction>,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        new.copy_from_slice(old);
        law.map_or(([0.0; D], Tangent::ZERO), |law| {
            law.update_with_tangent(step, old, new)
        })
    }
}

/// The law of a moment of `length` times the normal force.
fn moment_law(length: f64) -> Result<Option<Friction>, ParameterError> {
    if length == 0.0 {
        return Ok(None);
    }
    Friction::resistance(length, ANGLE, TIME).map(Some)
}

/// A moment in the axes of the plane on the body with the ball, and its slopes.
pub(super) struct Couple {
    pub(super) moment: Vec3,
    /// By the angular velocity at the end of the step, with the mean one moving by half of it.
    pub(super) by_rate: Mat3,
}

impl Contact {
    /// The relative angular velocity in the axes of the plane, rad/s.
    pub(super) fn relative_rate(&self, at: &Moment<'_>, relative: &Relative) -> Vec3 {
        let w = at.frames[self.body.0].w - at.frames[self.plane.body.0].w;
        relative.axes.tr_mul(&w)
    }

    /// The couple at the end of a step, or at once.
    pub(super) fn couple(
        resistance: &Resistance,
        at: &Moment<'_>,
        w: Vec3,
        (n_old, n): (f64, f64),
        (old, new): (&[f64], &mut [f64]),
    ) -> Couple {
        let mut by_rate = Mat3::zeros();
        if at.step == 0.0 {
            new.copy_from_slice(old);
            let moment = -resistance.rates(w, n, old, &mut [0.0; MEMORY]);
            return Couple { moment, by_rate };
        }
        let mean: Vec3 = (w + Vec3::new(old[3], old[4], old[5])) * 0.5;
        let load = 0.5 * (n_old + n);
        let rolling = Step {
            mean: Slip::new([mean.x, mean.y], load),
            end: Slip::new([w.x, w.y], n),
            duration: at.step,
        };
        let spinning = Step {
            mean: Slip::new([mean.z], load),
            end: Slip::new([w.z], n),
            duration: at.step,
        };
        let law = resistance.rolling.as_ref();
        let (r, slope) = Resistance::update(law, &rolling, &old[..2], &mut new[..2]);
        let law = resistance.spinning.as_ref();
        let (s, turn) = Resistance::update(law, &spinning, &old[2..3], &mut new[2..3]);
        new[STATES..].copy_from_slice(w.as_slice());
        for i in 0..2 {
            for j in 0..2 {
                by_rate[(i, j)] = -(0.5 * slope.mean_velocity[i][j] + slope.velocity[i][j]);
            }
        }
        by_rate[(2, 2)] = -(0.5 * turn.mean_velocity[0][0] + turn.velocity[0][0]);
        Couple {
            moment: -Vec3::new(r[0], r[1], s[0]),
            by_rate,
        }
    }

    /// Energy held in the angles of a ball, J.
    pub(super) fn held_by_couple(resistance: &Resistance, n: f64, memory: &[f64]) -> f64 {
        let held = |law: &Option<Friction>, z: [f64; 2]| {
            law.as_ref()
                .map_or(0.0, |law| law.stored_energy::<2>(n, &z))
        };
        held(&resistance.rolling, [memory[0], memory[1]])
            + held(&resistance.spinning, [memory[2], 0.0])
    }

    /// The memory at the start of a run: a moving ball has rolled for a while.
    pub(super) fn start_couple(w: Vec3, memory: &mut [f64]) {
        let along = |x: f64, size: f64| if size > 0.0 { ANGLE * x / size } else { 0.0 };
        let rolling = w.x.hypot(w.y);
        memory[..STATES].copy_from_slice(&[
            along(w.x, rolling),
            along(w.y, rolling),
            along(w.z, w.z.abs()),
        ]);
        memory[STATES..].copy_from_slice(w.as_slice());
    }

    /// Natural size of the angles, rad.
    pub(super) fn angle_scales(scales: &mut [f64]) {
        scales[..STATES].fill(ANGLE);
    }
}
