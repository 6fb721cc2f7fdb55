//! What a pair remembers from one step to the next, by name.

use super::FrictionPair;
use super::clamp::StictionClamp;
use bristle_laws::Slip;

/// Slip and load of a pair at a committed instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMotion<const D: usize> {
    /// Slip displacement, m; 0 where the slip is the integral of the velocity.
    pub displacement: [f64; D],
    /// Slip velocity, m/s.
    pub velocity: [f64; D],
    /// Normal force, N.
    pub normal_force: f64,
    /// The load that passes through, N, with its direction ([`Slip::applied`]): 0 of pairs that do not
    /// [know it](FrictionPair::knows_load_direction).
    pub applied: [f64; D],
}

impl<const D: usize> PairMotion<D> {
    const LEN: usize = 2 * D + 1;

    pub(super) fn of(slip: &Slip<f64, D>, displacement: [f64; D]) -> Self {
        Self {
            displacement,
            velocity: slip.velocity,
            normal_force: slip.normal_force,
            applied: slip.applied,
        }
    }

    #[inline]
    fn read(entries: &[f64]) -> Self {
        Self {
            displacement: std::array::from_fn(|i| entries[i]),
            velocity: std::array::from_fn(|i| entries[D + i]),
            normal_force: entries[2 * D],
            applied: std::array::from_fn(|i| entries.get(Self::LEN + i).copied().unwrap_or(0.0)),
        }
    }

    #[inline]
    pub(super) fn write(&self, entries: &mut [f64]) {
        entries[..D].copy_from_slice(&self.displacement);
        entries[D..2 * D].copy_from_slice(&self.velocity);
        entries[2 * D] = self.normal_force;
        if let Some(applied) = entries.get_mut(Self::LEN..Self::LEN + D) {
            applied.copy_from_slice(&self.applied);
        }
    }

    /// The slip.
    pub fn slip(&self) -> Slip<f64, D> {
        Slip {
            velocity: self.velocity,
            normal_force: self.normal_force,
            applied: self.applied,
        }
    }
}

/// The history of a pair.
#[derive(Clone, Copy, Debug)]
pub struct PairHistory<'a, const D: usize> {
    /// States of the law.
    pub law: &'a [f64],
    /// Slip and load.
    pub motion: PairMotion<D>,
    /// Deflection or direction, and the mode, of a law that answers the applied force at rest.
    pub(super) clamp: &'a [f64],
}

/// The same, to be written.
pub(super) struct PairHistoryMut<'a> {
    pub(super) motion: &'a mut [f64],
    pub(super) law: &'a mut [f64],
    pub(super) clamp: &'a mut [f64],
}

impl<const D: usize> FrictionPair<D> {
    /// Length of the history.
    pub fn history_len(&self) -> usize {
        let clamp = self.clamp.as_ref().map_or(0, |_| StictionClamp::len(D));
        self.motion_len() + self.states + clamp
    }

    fn motion_len(&self) -> usize {
        PairMotion::<D>::LEN + if self.knows_load_direction { D } else { 0 }
    }

    /// The history by name.
    #[inline]
    pub fn split<'a>(&self, history: &'a [f64]) -> PairHistory<'a, D> {
        let (law, rest) = history.split_at(self.states);
        let (motion, clamp) = rest.split_at(self.motion_len());
        PairHistory {
            motion: PairMotion::read(motion),
            law,
            clamp,
        }
    }

    #[inline]
    pub(super) fn split_mut<'a>(&self, history: &'a mut [f64]) -> PairHistoryMut<'a> {
        let (law, rest) = history.split_at_mut(self.states);
        let (motion, clamp) = rest.split_at_mut(self.motion_len());
        PairHistoryMut { motion, law, clamp }
    }

    /// Writes slip, load and states of the law into a history.
    pub fn write(&self, motion: &PairMotion<D>, states: &[f64], history: &mut [f64]) {
        let own = self.split_mut(history);
        motion.write(own.motion);
        own.law.copy_from_slice(states);
    }

    /// The states of the law, to be set.
    pub fn law_states_mut<'a>(&self, history: &'a mut [f64]) -> &'a mut [f64] {
        self.split_mut(history).law
    }

    /// Takes a slip that has jumped over into the history: velocity and load.
    pub fn renew_motion(&self, slip: &Slip<f64, D>, history: &mut [f64]) {
        let displacement = self.split(history).motion.displacement;
        PairMotion::of(slip, displacement).write(self.split_mut(history).motion);
    }

    /// Puts a rate (m/s) in the place of the slip displacement.
    pub fn set_displacement_rate(&self, rate: [f64; D], rates: &mut [f64]) {
        self.split_mut(rates).motion[..D].copy_from_slice(&rate);
    }
}
