//! Sums of energies, and how well they add up.

use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::{State, StateArchive, System as _};

/// Energies since the start, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Put in by loads and prescribed motions.
    pub input: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Stored energy.
    pub stored: f64,
    /// Lost in friction and dampers.
    pub dissipated: f64,
    /// Kinetic and stored energy at the start.
    pub start: f64,
}

impl Energies {
    /// Input less dissipated less the change of kinetic and stored energy.
    pub fn imbalance(&self) -> f64 {
        self.input - self.dissipated - (self.kinetic + self.stored - self.start)
    }

    /// The largest of the energies that were exchanged: put in, lost, or turned into each other.
    pub fn exchanged(&self) -> f64 {
        let changed = (self.kinetic + self.stored - self.start).abs();
        let moved = self.input.abs().max(self.dissipated.abs());
        moved.max(changed).max(self.kinetic)
    }

    /// The imbalance over the energy that was moved: the larger of input and the other terms.
    pub fn relative_imbalance(&self) -> f64 {
        let moved = self
            .input
            .abs()
            .max(self.dissipated.abs())
            .max(self.start.abs());
        let moved = moved
            .max(self.kinetic)
            .max((self.kinetic + self.stored - self.start).abs());
        if moved > 0.0 {
            self.imbalance().abs() / moved
        } else {
            0.0
        }
    }
}

/// How well the energies of a run add up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// The largest imbalance, J.
    pub imbalance: f64,
    /// When it was reached, s.
    pub time: f64,
    /// The energy exchanged: the largest one put in, lost, or turned into another kind, J.
    pub turnover: f64,
    /// The largest energy, from which rounding follows, J.
    size: f64,
    /// Kinetic energy of the speeds that the tolerance does not distinguish from 0, J.
    unresolved: f64,
}

/// Rounding of a sum of energies, in units of the largest.
const ROUNDING: f64 = 1e-12;
/// Noise of a smaller part of the energy exchanged leaves that resolved.
const RESOLVED: f64 = 1e-3;

impl Balance {
    /// Of a run that starts in `state`: an error of velocities counts against `tolerance` times the natural speeds
    /// of the model, and so less than that is nothing.
    pub(super) fn new(model: &Model, state: &State, scratch: &mut Scratch, tolerance: f64) -> Self {
        let n = state.v.len();
        let (mut places, mut speeds) = (vec![0.0; n], vec![0.0; n]);
        model.scales(&mut places, &mut speeds);
        let mut moving = state.clone();
        let mut kinetic = |sign: f64| {
            // multipliers have no scale
            for (v, speed) in moving
                .v
                .iter_mut()
                .zip(&speeds)
                .filter(|(_, s)| s.is_finite())
            {
                *v = sign * tolerance * speed;
            }
            model.place_state(&moving, state.t, scratch);
            model.kinetic_energy(&scratch.frames)
        };
        // drives move too, and what they move
        let driven = kinetic(0.0);
        let own = 0.5 * (kinetic(1.0) + kinetic(-1.0)) - driven;
        Self {
            unresolved: own.max(0.0),
            ..Self::default()
        }
    }

    /// Whether an imbalance of that size is noise of a machine that rests: errors of velocities within the tolerance
    /// change a kinetic energy W, that exchanged, by (√W + √E)² − W. That is much of W only where everything moves hardly
    /// faster than those errors are.
    fn is_noise_at_rest(&self, imbalance: f64) -> bool {
        let noise = 2.0 * (self.unresolved * self.turnover).sqrt() + self.unresolved;
        noise > RESOLVED * self.turnover && imbalance <= noise
    }

    pub(super) fn include(&mut self, t: f64, energies: &Energies) {
        let imbalance = energies.imbalance();
        if imbalance.abs() > self.imbalance.abs() {
            (self.imbalance, self.time) = (imbalance, t);
        }
        self.turnover = self.turnover.max(energies.exchanged());
        let size = energies.stored.abs().max(energies.start.abs());
        self.size = self.size.max(size).max(self.turnover);
    }

    /// The largest imbalance as a part of the energy exchanged; 0 where it is rounding, or noise of a machine at rest.
    pub fn relative(&self) -> f64 {
        let imbalance = self.imbalance.abs();
        if imbalance <= ROUNDING * self.size || self.is_noise_at_rest(imbalance) {
            0.0
        } else {
            imbalance / self.turnover
        }
    }

    /// Puts what was reached into an archive, or takes it from there.
    pub(super) fn archive(&mut self, archive: &mut StateArchive) {
        let Self {
            imbalance,
            time,
            turnover,
            size,
            // from the model
            unresolved: _,
        } = self;
        for number in [imbalance, time, turnover, size] {
            archive.number(number);
        }
    }
}
