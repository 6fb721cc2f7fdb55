//! The modes of an element, and the border of sliding and sticking, f·v = 0, on which the motion may
//! hold it.

use super::{Drive, Gms, relaxed};
use crate::kind::elements::AT_LIMIT;
use crate::law::slip::{REST, Slip, dot, norm, vector_at};
use crate::numbers::scalar::{MixesWith, Scalar};

/// An element across the motion within this share of its force is on the border f·v = 0.
pub(super) const ACROSS: f64 = 1e-11;

/// Distance from its level, relative to it, within which an element on the border is at it.
const AT_LEVEL: f64 = 1e-9;

/// Share of its rate with which sliding has to lead an element back to be held on the border.
const LEADS_BACK: f64 = 1e-9;

/// Steps in which a stuck element would go beyond its level this many times tell no turning.
const LONGEST: f64 = 1e6;

/// Iterations for the time of sliding on the border; a few are enough.
const MOST_ITERATIONS: usize = 50;

/// What an element does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// It is a spring.
    Stuck,
    /// It relaxes towards α g u.
    Sliding,
    /// It is held on f·v = 0 above its level.
    Held,
    /// It is held on f·v = 0 at its level, which falls.
    AtLevel,
}

impl Mode {
    /// The mode of a stored number.
    pub(super) fn of<T: Scalar>(number: T) -> Self {
        match number.value() {
            x if x < 0.5 => Self::Stuck,
            x if x < 1.5 => Self::Sliding,
            x if x < 2.5 => Self::Held,
            _ => Self::AtLevel,
        }
    }

    /// The number that is stored.
    pub(super) fn number(self) -> f64 {
        match self {
            Self::Stuck => 0.0,
            Self::Sliding => 1.0,
            Self::Held => 2.0,
            Self::AtLevel => 3.0,
        }
    }

    /// Whether it is held on f·v = 0.
    pub(super) fn on_border(self) -> bool {
        matches!(self, Self::Held | Self::AtLevel)
    }
}

/// f·v relative to |f| |v|.
fn share<T: Scalar, const D: usize>(f: &[T; D], v: &[T; D]) -> f64 {
    dot(f, v).value() / (norm(f) * norm(v)).value().max(f64::MIN_POSITIVE)
}

impl<T: Scalar, const D: usize> Drive<T, D> {
    /// Whether the motion of the step changes, but does not reverse, so that an element may come to
    /// be across it; `length` is that in which a stuck element goes by its level.
    pub(super) fn turns(&self, length: T) -> bool {
        let steady = (0..D).all(|i| (self.first[i] - self.last[i]).value() == 0.0);
        D > 1
            && !steady
            && dot(&self.u, &self.first).value() > 0.0
            && dot(&self.u, &self.last).value() > 0.0
            && self.path.value() < LONGEST * length.value()
    }

    /// Whether f·v is not below 0 at the start.
    pub(super) fn starts_ahead(&self, f: &[T; D]) -> bool {
        share(f, &self.first) >= -ACROSS
    }
}

impl<P: Scalar> Gms<P> {
    /// A sliding element, which may come to the border if the motion turns.
    pub(super) fn sliding<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        element: usize,
        f: &[T; D],
        drive: &Drive<T, D>,
        turns: bool,
    ) -> ([T; D], Mode) {
        let level = drive.g * self.fraction[element];
        let slid = relaxed(f, level, &drive.u, drive.decay);
        if !turns || share(&slid, &drive.last) >= -ACROSS {
            return (slid, Mode::Sliding);
        }
        let last_level = self.last_level(element, drive);
        let k = self.stiffness[element];
        let stuck: [T; D] = std::array::from_fn(|i| f[i] + drive.displacement[i] * k);
        if norm(&slid).value() < last_level.value() * (1.0 - AT_LEVEL) {
            return (slid, Mode::Stuck);
        }
        if dot(&stuck, &drive.last).value() <= 0.0 {
            return (stuck, Mode::Stuck);
        }
        (self.on_border(f, k, level, drive), Mode::Held)
    }

    /// An element that is held on the border at the start.
    pub(super) fn along_border<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        element: usize,
        f: &[T; D],
        mode: Mode,
        drive: &Drive<T, D>,
    ) -> ([T; D], Mode) {
        let k = self.stiffness[element];
        let level = drive.g * self.fraction[element];
        let slid = relaxed(f, level, &drive.u, drive.decay);
        if share(&slid, &drive.last) > ACROSS {
            return (slid, Mode::Sliding);
        }
        let stuck = std::array::from_fn(|i| f[i] + drive.displacement[i] * k);
        if share(&stuck, &drive.last) < -ACROSS {
            return (stuck, Mode::Stuck);
        }
        let held = self.on_border(f, k, level, drive);
        let (size, last_level) = (norm(&held), self.last_level(element, drive));
        let above = size.value() / last_level.value() - 1.0;
        // what is within rounding of a turning point is told at an instant: see `across`
        let rise = last_level.value() / level.value() - 1.0;
        let at_level = || (held.map(|f| f * (last_level / size)), Mode::AtLevel);
        match mode {
            Mode::AtLevel if rise > AT_LEVEL => (held, Mode::Stuck),
            Mode::AtLevel if above <= AT_LEVEL => at_level(),
            _ if above >= -AT_LEVEL => (held, Mode::Held),
            _ if rise < 0.0 => at_level(),
            _ => (held, Mode::Stuck),
        }
    }

    /// α g at the end of a step.
    fn last_level<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        element: usize,
        drive: &Drive<T, D>,
    ) -> T {
        self.curve.value(norm(&drive.last)) * self.fraction[element]
    }

    /// An element that is stuck, slides for a time, and is stuck, so that f·v = 0 at the end: of
    /// second order, as it is the same backwards.
    fn on_border<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        f: &[T; D],
        k: P,
        level: T,
        drive: &Drive<T, D>,
    ) -> [T; D] {
        let half = |time: T| (-(time / drive.duration) + 1.0) * 0.5 * k;
        let moved = |f: &[T; D], by: T| -> [T; D] {
            std::array::from_fn(|i| f[i] + by * drive.displacement[i])
        };
        let slid = |time: T| {
            let before = moved(f, half(time));
            relaxed(&before, level, &drive.u, self.decay(time, drive.g))
        };
        let after = |time: T| moved(&slid(time), half(time));
        let power = |time: T| dot(&after(time), &drive.last);
        let rate = T::of(self.parameters.attraction) / drive.g;
        // d power/d time
        let slope = |time: T| {
            let (slid, decay) = (slid(time), self.decay(time, drive.g));
            let loss = std::array::from_fn(|i| {
                let unstick = drive.displacement[i] * (k * 0.5 / drive.duration);
                (level * drive.u[i] - slid[i]) * rate - unstick * (decay + 1.0)
            });
            dot::<T, D>(&loss, &drive.last)
        };
        let (mut low, mut high) = (0.0, drive.duration);
        let mut time = 0.5 * high;
        for _ in 0..MOST_ITERATIONS {
            let at = T::from_f64(time);
            let value = power(at).value();
            if value > 0.0 {
                low = time;
            } else {
                high = time;
            }
            let newton = time - value / slope(at).value();
            let next = if newton > low && newton < high {
                newton
            } else {
                0.5 * (low + high)
            };
            let moved = (next - time).abs();
            time = next;
            if moved <= f64::EPSILON * drive.duration {
                break;
            }
        }
        // once more, with the derivatives
        let at = T::from_f64(time);
        after(at - power(at) / slope(at))
    }
}

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
        for i in 0..self.count {
            let stored = self.count * D + i;
            let f = vector_at::<f64, D>(state, i);
            let mode = Mode::of(state[stored]);
            let level = g * self.fraction[i];
            let along = share(&f, &slip.velocity);
            let inside = norm(&f) < level * (1.0 - AT_LIMIT);
            let now = match mode {
                _ if speed <= REST => Mode::Stuck,
                Mode::Stuck if inside || along < -ACROSS => Mode::Stuck,
                Mode::Stuck | Mode::Sliding if along > ACROSS => Mode::Sliding,
                Mode::Sliding if along < -ACROSS => Mode::Stuck,
                _ => {
                    let fall = slope * dot(&slip.velocity, &change.velocity) / (speed * g);
                    self.across(i, &f, (slip, change), (level, fall))
                }
            };
            state[stored] = now.number();
        }
    }

    /// The mode of an element on f·v = 0, whose level has the rate `drop` relative to it.
    fn across<const D: usize>(
        &self,
        element: usize,
        f: &[f64; D],
        (slip, change): (&Slip<f64, D>, &Slip<f64, D>),
        (level, drop): (f64, f64),
    ) -> Mode {
        let size = norm(f);
        if size < level * (1.0 - AT_LEVEL) {
            return Mode::Stuck;
        }
        // rates of f·v/|v|: sliding, and stuck
        let speed = norm(&slip.velocity);
        let turn = dot(f, &change.velocity) / speed;
        let rate = self.parameters.attraction;
        let sliding = rate * self.fraction[element] + turn;
        let stuck = self.stiffness[element] * speed + turn;
        if stuck <= 0.0 {
            return Mode::Stuck;
        }
        if sliding >= -LEADS_BACK * (stuck - sliding) {
            return Mode::Sliding;
        }
        // |f| falls for the share of the time in which the element slides
        let g = level / self.fraction[element];
        let fall = -stuck / (stuck - sliding) * rate / g;
        if size > level * (1.0 + AT_LEVEL) || fall > drop {
            Mode::Held
        } else if drop < 0.0 {
            Mode::AtLevel
        } else {
            Mode::Stuck
        }
    }
}
