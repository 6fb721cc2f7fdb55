//! The modes of `gms` after an instant at which the motion turns.

use super::Gms;
use super::border::{AT_LEVEL, LEADS_BACK, share};
use super::mode::{ACROSS, ElementMode};
use crate::kind::elements::AT_LIMIT;
use crate::law::slip::{REST, Slip, dot, norm, vector_at};

impl Gms {
    /// The modes that hold just after an instant.
    pub(super) fn set_modes<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &mut [f64],
    ) {
        let speed = norm(&slip.velocity);
        let (g, slope) = self.curve.value_and_slope(speed);
        for i in 0..self.elements.count {
            let stored = self.elements.count * D + i;
            let f = vector_at::<f64, D>(state, i);
            let mode = ElementMode::of(state[stored]);
            let level = g * self.elements.level[i];
            let along = share(&f, &slip.velocity);
            let inside = norm(&f) < level * (1.0 - AT_LIMIT);
            let now = match mode {
                _ if speed <= REST => ElementMode::Stuck,
                ElementMode::Stuck if inside || along < -ACROSS => ElementMode::Stuck,
                ElementMode::Stuck | ElementMode::Sliding if along > ACROSS => ElementMode::Sliding,
                ElementMode::Sliding if along < -ACROSS => ElementMode::Stuck,
                _ => {
                    let fall = slope * dot(&slip.velocity, &change.velocity) / (speed * g);
                    self.across(i, &f, speed, &change.velocity, level, fall)
                }
            };
            state[stored] = now.number();
        }
    }

    /// The mode of an element on f·v = 0 at |v| = `speed`, whose level has the rate `drop` relative
    /// to it; `change` is dv/dt.
    pub(super) fn across<const D: usize>(
        &self,
        element: usize,
        f: &[f64; D],
        speed: f64,
        change: &[f64; D],
        level: f64,
        drop: f64,
    ) -> ElementMode {
        let size = norm(f);
        if size < level * (1.0 - AT_LEVEL) {
            return ElementMode::Stuck;
        }
        // rates of f·v/|v|: sliding, and stuck
        let turn = dot(f, change) / speed;
        let rate = self.parameters.attraction;
        let sliding = rate * self.elements.level[element] + turn;
        let stuck = self.elements.stiffness[element] * speed + turn;
        if stuck <= 0.0 {
            return ElementMode::Stuck;
        }
        if sliding >= -LEADS_BACK * (stuck - sliding) {
            return ElementMode::Sliding;
        }
        // |f| falls for the share of the time in which the element slides
        let g = level / self.elements.level[element];
        let fall = -stuck / (stuck - sliding) * rate / g;
        if size > level * (1.0 + AT_LEVEL) || fall > drop {
            ElementMode::Held
        } else if drop < 0.0 {
            ElementMode::AtLevel
        } else {
            ElementMode::Stuck
        }
    }
}
