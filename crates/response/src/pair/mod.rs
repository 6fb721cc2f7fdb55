//! A friction pair over one period: from its motion to its force, with derivatives.

mod load;
mod march;
mod period_map;
mod periodic;

pub use load::{LoadHarmonic, NormalLoad, PeriodicLoad};
pub use march::{PairSample, PairTrace};
pub(crate) use periodic::{LocalForce, PairWork};

use crate::error::{ResponseError, Result};
use crate::grid::PeriodGrid;
use bristle_laws::{Friction, HistoryLaw, MAX_STATES, Slip};
use bristle_mechanics::small_motion::{PairKindAt, PairPlace};

/// A pair of the machine, with what its march needs.
#[derive(Clone, Debug)]
pub struct Pair {
    /// `contact.base`, `contact.base.point2`, `joint_friction.pin`.
    pub name: String,
    /// Name of the element alone.
    pub element_name: String,
    /// Whether it belongs to a contact; else to a joint.
    pub is_contact: bool,
    /// Where it is, and how the coordinates move it.
    pub place: PairPlace,
    /// The friction law; none of a smooth contact.
    pub(crate) law: Option<PairLaw>,
    /// The load.
    pub(crate) load: NormalLoad,
    /// Slip directions: 1 or 2; 0 of a smooth contact.
    pub(crate) slips: usize,
    /// Friction at rest, N.
    pub(crate) force_at_rest: [f64; 2],
}

/// A law beside its form with derivatives by the old state.
#[derive(Clone, Debug)]
pub(crate) struct PairLaw {
    pub(crate) plain: Friction,
    pub(crate) with_history: HistoryLaw,
}

impl Pair {
    /// A pair at its place.
    ///
    /// # Errors
    /// If its law jumps.
    pub fn new(
        name: String,
        element_name: String,
        place: PairPlace,
        law: Option<&Friction>,
        load: NormalLoad,
    ) -> Result<Self> {
        let is_contact = matches!(place.kind, PairKindAt::ContactPoint(_));
        let refused = |law: &Friction| ResponseError::Jumps {
            pair: name.clone(),
            law: law.card().name.to_owned(),
        };
        let law = match law {
            Some(law) if law.jumps() || law.stiction().is_some() => return Err(refused(law)),
            Some(law) => Some(PairLaw {
                plain: law.clone(),
                with_history: HistoryLaw::new(law).map_err(|_| refused(law))?,
            }),
            None => None,
        };
        let slips = match (&law, is_contact) {
            (None, _) => 0,
            (Some(_), true) => 2,
            (Some(_), false) => 1,
        };
        let mut pair = Self {
            name,
            element_name,
            is_contact,
            place,
            law,
            load,
            slips,
            force_at_rest: [0.0; 2],
        };
        pair.force_at_rest = pair.rest_force();
        Ok(pair)
    }

    /// Coordinates of the pair that enter its force: slips, then the gap if a law presses.
    pub fn coordinates(&self) -> usize {
        self.slips + usize::from(self.has_gap())
    }

    /// Whether the gap is a coordinate.
    pub fn has_gap(&self) -> bool {
        matches!(self.load, NormalLoad::Law { .. })
    }

    /// The row of [`PairPlace::by_dofs`] of a coordinate.
    pub fn row(&self, coordinate: usize) -> usize {
        if coordinate < self.slips {
            coordinate
        } else {
            2
        }
    }

    fn rest_force(&self) -> [f64; 2] {
        let Some(law) = &self.law else {
            return [0.0; 2];
        };
        let mut rates = [0.0; MAX_STATES];
        let rates = &mut rates[..self.place.states.len()];
        let load = self.load.at_rest();
        if self.slips == 1 {
            let slip = Slip::new([0.0], load);
            [law.plain.rates(&slip, &self.place.states, rates)[0], 0.0]
        } else {
            let slip = Slip::new([0.0; 2], load);
            law.plain.rates(&slip, &self.place.states, rates)
        }
    }

    /// A stiffness of each coordinate that keeps the equations regular, N/m: that of the pair at
    /// rest, or a thousandth of `usual` where it has none.
    pub(crate) fn reference_stiffness(&self, coordinate: usize, usual: f64) -> f64 {
        let own = if coordinate < self.slips {
            let load = self.load.at_rest();
            self.law
                .as_ref()
                .map_or(0.0, |law| stiffness(&law.plain, load))
        } else {
            self.load.stiffness_at_rest()
        };
        if own > 0.0 && own.is_finite() {
            own
        } else {
            1e-3 * usual
        }
    }

    /// Speed from one sample to the next without the part that deflects the bristle or the spring
    /// of a law with one of them, m/s.
    pub(crate) fn slid(&self, last: &PairSample, now: &PairSample, step: f64) -> f64 {
        let deflection = self
            .law
            .as_ref()
            .filter(|law| law.plain.layout().vectors == 1);
        let unit = deflection.and_then(|law| {
            let load = now.normal_force;
            Some(law.plain.breakaway_deflection(load)? / law.plain.state_size(load)?)
        });
        let unit = unit.filter(|unit| unit.is_finite());
        let Some(unit) = unit else {
            return now.slip_speed();
        };
        let moved = |i: usize| {
            let state = |s: &PairSample| s.states.get(i).copied().unwrap_or(0.0);
            let strained = if i < self.slips {
                unit * (state(now) - state(last))
            } else {
                0.0
            };
            (now.displacement[i] - last.displacement[i] - strained) / step
        };
        moved(0).hypot(moved(1))
    }

    /// The force at every sample of a motion whose coefficients are given, coordinate by
    /// coordinate.
    pub(crate) fn periodic_force(
        &self,
        motion: &[f64],
        grid: &PeriodGrid,
        omega: f64,
        work: &mut PairWork,
    ) -> Result<()> {
        periodic::solve(self, motion, grid, omega, work)
    }
}

/// Level over break-away deflection: the stiffness of a stuck pair, N/m.
fn stiffness(law: &Friction, load: f64) -> f64 {
    if load <= 0.0 {
        return 0.0;
    }
    let level = law.steady(1e-9 * law.slip_speed(), load).unwrap_or(load);
    law.breakaway_deflection(load)
        .filter(|z| *z > 0.0)
        .map_or(0.0, |z| level / z)
}
