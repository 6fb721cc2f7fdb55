//! One segment of a motion, and where it is cut.
//!
//! Step doubling sees only what its steps come across: a long step that ends in the Stribeck
//! region, say, has its middle conditions far above it, and the half steps too. So a segment is
//! cut where |v| has its minimum (in one dimension where v passes zero) and at speeds on a
//! geometric grid about every speed that the law names. With w the velocity there and a the
//! constant acceleration, v = w + a τ and w·a = 0, the grid is one of a|τ|; when w is not zero
//! (in two and three dimensions) it is about |w| as well, where the direction turns.

use super::Sample;
use bristle_laws::Slip;
use bristle_laws::law::slip::{dot, norm};

/// The grid of speeds reaches from 2⁻⁶ to 2⁶ of a speed of the law.
const OCTAVES: i32 = 6;

/// A velocity this small beside those of the segment's ends is rest.
const REST: f64 = 16.0 * f64::EPSILON;

/// No piece is a smaller share of its segment, so that it can be cut in turn.
const SLIVER: f64 = 1e-12;

/// Whether a share leaves no sliver at the ends.
fn inside(share: f64) -> bool {
    share > SLIVER && share < 1.0 - SLIVER
}

/// A part of a motion in which the conditions are linear in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinearPiece<const D: usize> {
    from: Sample<D>,
    to: Sample<D>,
    /// Share of the segment at which |v| has its minimum, if that is inside.
    foot: Option<Foot>,
}

#[derive(Clone, Copy, Debug)]
struct Foot {
    share: f64,
    at_rest: bool,
}

impl<const D: usize> LinearPiece<D> {
    pub(super) fn new(from: &Sample<D>, to: &Sample<D>) -> Self {
        let mut segment = Self {
            from: *from,
            to: *to,
            foot: None,
        };
        let (share, speed) = segment.closest();
        if inside(share) {
            let fastest = norm(&from.velocity).max(norm(&to.velocity));
            let at_rest = speed <= REST * fastest;
            segment.foot = Some(Foot { share, at_rest });
        }
        segment
    }

    /// Duration, s.
    pub(super) fn duration(&self) -> f64 {
        self.to.t - self.from.t
    }

    /// Time at a share of the segment, s.
    pub(super) fn time(&self, share: f64) -> f64 {
        self.from.t + share * self.duration()
    }

    /// First and last time, s.
    pub(super) fn ends(&self) -> (f64, f64) {
        (self.from.t, self.to.t)
    }

    /// Conditions at a share of the segment; those of the samples at its ends.
    pub(super) fn slip(&self, share: f64) -> Slip<f64, D> {
        if share <= 0.0 {
            return self.from.slip();
        }
        if share >= 1.0 {
            return self.to.slip();
        }
        let between = |a: f64, b: f64| a + share * (b - a);
        let vector = |a: &[f64; D], b: &[f64; D]| std::array::from_fn(|i| between(a[i], b[i]));
        let velocity = match self.foot {
            // counted from the rest: beside it the direction is not one of roundings
            Some(foot) if foot.at_rest => self.change().map(|x| x * (share - foot.share)),
            _ => vector(&self.from.velocity, &self.to.velocity),
        };
        Slip {
            velocity,
            // rounding may not make it negative
            normal_force: between(self.from.normal_force, self.to.normal_force).max(0.0),
            applied: vector(&self.from.applied, &self.to.applied),
        }
    }

    /// Rate of the normal force, N/s.
    pub(super) fn load_rate(&self) -> f64 {
        (self.to.normal_force - self.from.normal_force) / self.duration()
    }

    /// Rates of the conditions per second.
    pub(super) fn change_rate(&self) -> Slip<f64, D> {
        let time = self.duration();
        let rate = |a: &[f64; D], b: &[f64; D]| std::array::from_fn(|i| (b[i] - a[i]) / time);
        Slip {
            velocity: rate(&self.from.velocity, &self.to.velocity),
            normal_force: self.load_rate(),
            applied: rate(&self.from.applied, &self.to.applied),
        }
    }

    /// Change of the velocity over the segment.
    fn change(&self) -> [f64; D] {
        std::array::from_fn(|i| self.to.velocity[i] - self.from.velocity[i])
    }

    /// Share at which |v| has its minimum on the whole line, and that minimum.
    fn closest(&self) -> (f64, f64) {
        let change = self.change();
        let size = norm(&change);
        if size <= 0.0 || !size.is_finite() {
            return (f64::NAN, norm(&self.from.velocity));
        }
        let along = change.map(|x| x / size);
        let share = -dot(&self.from.velocity, &along) / size;
        let least = std::array::from_fn(|i| self.from.velocity[i] + share * change[i]);
        (share, norm::<f64, D>(&least))
    }

    /// Fills `cuts` with the ends of the pieces, ascending; the last one is 1.
    ///
    /// About `speeds` there is a grid, at `knots` one cut; `sign_change` is a speed at which something
    /// changes its sign.
    pub(super) fn cut(&self, speeds: &[f64], knots: &[f64], sign_change: f64, cuts: &mut Vec<f64>) {
        cuts.clear();
        let size = norm(&self.change());
        if size > 0.0 && size.is_finite() {
            let (foot, least) = self.closest();
            let fastest = norm(&self.from.velocity).max(norm(&self.to.velocity));
            let slowest = (least > REST * fastest).then_some(least);
            for speed in knots.iter().chain([&sign_change]) {
                let away = ((speed - least) * (speed + least)).max(0.0).sqrt() / size;
                cuts.extend([foot - away, foot + away]);
            }
            for speed in speeds.iter().copied().chain(slowest) {
                for octave in -OCTAVES..=OCTAVES {
                    let away = speed * f64::from(octave).exp2() / size;
                    cuts.extend([foot - away, foot + away]);
                }
            }
            let rest = self.foot.map(|foot| foot.share);
            cuts.retain(|cut| inside(*cut) && rest.is_none_or(|rest| (cut - rest).abs() > SLIVER));
            cuts.extend(rest);
            cuts.sort_by(f64::total_cmp);
            cuts.dedup_by(|b, a| *b - *a <= SLIVER && rest != Some(*b));
        }
        cuts.push(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample<const D: usize>(t: f64, velocity: [f64; D]) -> Sample<D> {
        Sample {
            t,
            velocity,
            normal_force: 10.0,
            applied: [0.0; D],
        }
    }

    #[test]
    fn rest_is_exact_wherever_it_is() {
        // directions and places that do not round well
        let (a, b) = ([0.1, 0.3, -0.7], [-0.02, -0.06, 0.14]);
        let segment = LinearPiece::new(&sample(0.0, a), &sample(1.0, b));
        let mut cuts = Vec::new();
        segment.cut(&[1e-3], &[], 0.0, &mut cuts);
        let rests = cuts
            .iter()
            .filter(|&&cut| norm(&segment.slip(cut).velocity) == 0.0);
        assert_eq!(rests.count(), 1);
        assert!(cuts.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn no_cuts_where_nothing_changes() {
        let mut cuts = Vec::new();
        LinearPiece::new(&sample(0.0, [0.5]), &sample(1.0, [0.5])).cut(
            &[1e-3],
            &[],
            0.0,
            &mut cuts,
        );
        assert_eq!(cuts, [1.0]);
        LinearPiece::new(&sample(0.0, [0.5]), &sample(1.0, [0.6])).cut(
            &[1e-3],
            &[],
            0.0,
            &mut cuts,
        );
        assert_eq!(cuts, [1.0]);
        LinearPiece::new(&sample(0.0, [0.0]), &sample(1.0, [1e-6])).cut(
            &[1e-3],
            &[],
            0.0,
            &mut cuts,
        );
        assert_eq!(cuts, [1.0]);
    }
}
