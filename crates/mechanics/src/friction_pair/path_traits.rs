//! What a law that follows a path sees and remembers of it.

use super::size;
use bristle_laws::{Friction, MAX_STATES, Slip, Step};

/// So many deflections at break-away, a law has forgotten what was before: e⁻⁴⁰ is below rounding.
const FORGOTTEN: f64 = 40.0;
/// What differs by less, in units of the first state, is the same.
const SAME: f64 = 1e-9;

/// A law that follows a path by an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathTraits {
    /// Its force follows the path of the slip alone, whatever the speed.
    pub(super) alone: bool,
    /// It remembers the last bit of a slide alone.
    pub(super) forgets: bool,
}

impl PathTraits {
    /// Those of a law that follows no path.
    pub(super) const NONE: Self = Self {
        alone: false,
        forgets: false,
    };

    pub(super) fn of<const D: usize>(law: &Friction) -> Self {
        Self {
            alone: [1.0, -1.0]
                .iter()
                .all(|v| is_rate_independent(law.side(*v))),
            // on a line there is no turning
            forgets: D > 1 && forgets::<D>(law),
        }
    }
}

/// A spring of several side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpringLength {
    /// Its deflection at break-away, as a part of that of the law.
    pub(super) part: f64,
    /// Its share in the force.
    pub(super) share: f64,
}

impl SpringLength {
    /// Those of the vector states of a law, if they are the forces of springs side by side that differ.
    pub(super) fn of<const D: usize>(law: &Friction) -> Vec<Self> {
        Self::found::<D>(law).unwrap_or_default()
    }

    fn found<const D: usize>(law: &Friction) -> Option<Vec<Self>> {
        let layout = law.layout();
        if D < 2 || layout.vectors < 2 || layout.scalars > 0 {
            return None;
        }
        let deflection = law.breakaway_deflection(LOAD)?;
        let slide = straight::<D>(law.slip_speed(), 0, FORGOTTEN * deflection);
        let len = layout.len(D);
        let (rest, mut end) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
        let (mut stiffness, mut unused) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
        law.rates(&slide.end, &rest[..len], &mut stiffness[..len]);
        law.update(&slide, &rest[..len], &mut end[..len]);
        let force = law.rates(&slide.end, &end[..len], &mut unused[..len])[0];
        let springs = (0..layout.vectors).map(|i| Self {
            part: end[i * D] * law.slip_speed() / (stiffness[i * D] * deflection),
            share: end[i * D] / force,
        });
        let springs: Vec<Self> = springs.collect();
        let whole: f64 = springs.iter().map(|spring| spring.share).sum();
        let differ = springs
            .iter()
            .any(|spring| (spring.part - 1.0).abs() > SAME);
        (differ && (whole - 1.0).abs() <= SAME).then_some(springs)
    }
}

/// The load of trials, N.
const LOAD: f64 = 1.0;

/// A slide along an axis.
fn straight<const D: usize>(speed: f64, axis: usize, length: f64) -> Step<f64, D> {
    let velocity = std::array::from_fn(|i| if i == axis { speed } else { 0.0 });
    Step::constant(Slip::new(velocity, LOAD), length / speed)
}

/// Whether a law slides with one force at all speeds.
fn is_rate_independent(law: &Friction) -> bool {
    let level = |speed: f64| law.steady(speed * law.slip_speed(), 1.0);
    match (level(1e-6), level(1.0), level(1e6)) {
        (Some(low), Some(middle), Some(high)) => {
            let differ = (low - middle).abs().max((high - middle).abs());
            differ <= f64::EPSILON * middle.abs()
        }
        _ => false,
    }
}

/// Whether states that differ are the same after the last bit of a slide, at the speed of the law and far
/// above.
fn forgets<const D: usize>(law: &Friction) -> bool {
    let Some(remembered) = law.breakaway_deflection(LOAD).map(|z| FORGOTTEN * z) else {
        return false;
    };
    let layout = law.layout();
    let len = layout.len(D);
    let slide = |speed: f64, axis: usize| straight::<D>(speed, axis, remembered);
    let speeds = [1.0, 1e3].map(|times| times * law.slip_speed());
    layout.vectors > 0
        && speeds.into_iter().all(|speed| {
            let mut ends = [[0.0; MAX_STATES]; 2];
            for (axis, end) in ends.iter_mut().enumerate() {
                let (mut old, mut before) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
                let first = slide(speed, axis);
                law.start(&first.end, &mut old[..len]);
                law.update(&first, &old[..len], &mut before[..len]);
                law.update(&slide(speed, 0), &before[..len], &mut end[..len]);
            }
            let [one, other] = ends;
            let differ = one.iter().zip(&other).map(|(x, y)| (x - y).abs());
            let size = size(&std::array::from_fn::<_, D, _>(|i| one[i]));
            differ.fold(0.0, f64::max) <= SAME * size
        })
}
