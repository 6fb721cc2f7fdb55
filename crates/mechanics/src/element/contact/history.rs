//! What a contact point remembers from one step to the next.

use super::carried::CarriedTangent;
use super::{Contact, PLANE, Resistance};
use crate::friction_pair::{PairInstant, PairMotion};

/// Entries of the point itself: closing speed, gap, and slip velocity beyond the displacement.
const OWN: usize = 4;

/// The history of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointHistory<'a> {
    /// Closing speed at touch-down, m/s; 0 without contact.
    pub(super) impact_rate: f64,
    /// Height above the surface, m; negative in contact.
    pub(super) gap: f64,
    /// Slip velocity beyond the rate of the place in the plane, m/s.
    pub(super) beyond: [f64; 2],
    /// Normal and tangent on a curved surface ([`CarriedTangent`]); empty on a plane.
    pub(super) tangent: &'a [f64],
    /// Of the friction pair.
    pub(super) pair: &'a [f64],
    /// Of the rolling and spinning resistance.
    pub(super) couple: &'a [f64],
}

/// The same, to be written.
pub(super) struct PointHistoryMut<'a> {
    pub(super) impact_rate: &'a mut f64,
    pub(super) gap: &'a mut f64,
    pub(super) beyond: &'a mut [f64],
    pub(super) tangent: &'a mut [f64],
    pub(super) pair: &'a mut [f64],
    pub(super) couple: &'a mut [f64],
}

impl Contact {
    /// Writes a point into the history of the contact.
    pub(crate) fn write_point(
        &self,
        point: usize,
        motion: &PairMotion<PLANE>,
        at: &PairInstant<'_>,
        history: &mut [f64],
    ) {
        let len = self.point_history_len();
        let own = self.split_mut(&mut history[point * len..(point + 1) * len]);
        *own.impact_rate = at.impact_rate;
        self.friction.write(motion, at.states, own.pair);
    }

    pub(super) fn point_history_len(&self) -> usize {
        let couple = self.resistance.as_ref().map_or(0, Resistance::history_len);
        OWN + self.tangent_len() + self.friction.history_len() + couple
    }

    /// First entry of the rolling and spinning resistance in the history of a point.
    pub(super) fn couple_start(&self) -> usize {
        self.friction.history_len() + OWN + self.tangent_len()
    }

    #[inline]
    fn tangent_len(&self) -> usize {
        if self.surface.is_plane() {
            0
        } else {
            CarriedTangent::LEN
        }
    }

    #[inline]
    pub(super) fn split<'a>(&self, history: &'a [f64]) -> PointHistory<'a> {
        let (pair, rest) = history.split_at(self.friction.history_len());
        let (own, rest) = rest.split_at(OWN);
        let (tangent, couple) = rest.split_at(self.tangent_len());
        PointHistory {
            impact_rate: own[0],
            gap: own[1],
            beyond: [own[2], own[3]],
            tangent,
            pair,
            couple,
        }
    }

    #[inline]
    pub(super) fn split_mut<'a>(&self, history: &'a mut [f64]) -> PointHistoryMut<'a> {
        let (pair, rest) = history.split_at_mut(self.friction.history_len());
        let (own, rest) = rest.split_at_mut(OWN);
        let (tangent, couple) = rest.split_at_mut(self.tangent_len());
        let (scalars, beyond) = own.split_at_mut(2);
        let (impact_rate, gap) = scalars.split_at_mut(1);
        PointHistoryMut {
            impact_rate: &mut impact_rate[0],
            gap: &mut gap[0],
            beyond,
            tangent,
            pair,
            couple,
        }
    }
}
