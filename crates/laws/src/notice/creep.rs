//! The speed at which a law without stick gives way under a load.

use crate::card::Behaviour;
use crate::friction::Friction;
use crate::notice::Notice;

/// Speeds that are looked at are apart by this factor, from [`SLOWEST`] of the slip speed on.
const PACE: f64 = 1.05;
/// Slowest speed that is looked at over the slip speed of the law.
const SLOWEST: f64 = 1e-9;
/// Fastest speed that is looked at over the slip speed: beyond it a load is not held at all.
const FASTEST: f64 = 100.0;

impl Friction {
    /// Whether the law is a function of the speed alone that is zero at rest, so that every load
    /// moves it.
    pub fn always_creeps(&self) -> bool {
        self.layout().is_empty() && !self.card().does(Behaviour::Holds)
    }

    /// The slowest speed (m/s) at which a regularised law meets the tangential load `load` (N)
    /// under the normal force `normal_force` (N): W ε/Fs for a linear ramp. `None` if the law
    /// sticks, or if the load is more than it can meet.
    pub fn creep_speed(&self, load: f64, normal_force: f64) -> Option<f64> {
        let is_pressed = load > 0.0 && normal_force > 0.0;
        if !is_pressed || !self.always_creeps() {
            return None;
        }
        let force = |v: f64| self.steady(v, normal_force).unwrap_or(f64::NAN);
        let slowest = SLOWEST * self.slip_speed();
        let (mut low, mut high) = (0.0, slowest);
        while force(high) < load {
            (low, high) = (high, high * PACE);
            if high > FASTEST * self.slip_speed() {
                return None;
            }
        }
        // halving a bracket of 5 % fifty times leaves rounding
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if force(middle) < load {
                low = middle;
            } else {
                high = middle;
            }
        }
        (force(high) >= load).then_some(high)
    }

    /// What to know of a law without stick: its creep under half of the limit `2 coefficient` N.
    pub(crate) fn creep_notice(&self, coefficient: f64) -> Vec<Notice> {
        let speed = self.creep_speed(coefficient, 1.0);
        let notice = speed.map(|speed| Notice::creep(self.card().name, speed));
        notice.into_iter().collect()
    }
}
