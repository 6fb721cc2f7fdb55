//! The elements of the Leuven law along a straight path: substeps that hold their error.

use super::piece::Piece;
use super::{Forces, Leuven};
use crate::elements::{self, AT_LIMIT};
use crate::scalar::{Over, Scalar};
use crate::slip::norm;

/// Substeps that reach the steady state for every n; a rest is taken in one linear step.
const MOST_SUBSTEPS: usize = 2000;

/// Error of a substep before it is extrapolated, relative to the static level.
const SUBSTEP_ERROR: f64 = 1e-6;

/// Correction of a step of first order, relative to the static level, whose step of second order
/// needs no more: its error is smaller by the substep over the length in which z changes.
const SMALL_CORRECTION: f64 = 1e-8;

/// How much shorter and longer than at first substeps become.
const NARROWEST: f64 = 1.0 / 8192.0;
const WIDEST: f64 = 16.0;

impl<P: Scalar> Leuven<P> {
    fn moved<T: Scalar + Over<P>, const D: usize>(
        &self,
        f: &Forces<T, D>,
        dz: &[T; D],
    ) -> Forces<T, D> {
        let mut new = *f;
        for (i, f) in new[..self.count].iter_mut().enumerate() {
            let limit = T::of(self.limit[i]);
            *f = elements::advance(f, dz, self.stiffness[i], limit, limit);
        }
        new
    }

    /// The elements after a share of the path that starts with `piece`, in one step and in two,
    /// extrapolated; and the difference of the two, relative to the static level.
    fn extrapolated<T: Scalar + Over<P>, const D: usize>(
        &self,
        f: &Forces<T, D>,
        piece: &Piece<T, D>,
        path: (&[T; D], T, T),
        share: T,
    ) -> (Forces<T, D>, f64) {
        let (whole, correction) = self.corrected(f, piece, path, share);
        if correction <= SMALL_CORRECTION {
            return (whole, SUBSTEP_ERROR / 16.0);
        }
        let half = share * 0.5;
        let (middle, _) = self.corrected(f, piece, path, half);
        let (d, s, g) = path;
        let second = Piece::at(self, &middle, d, s, g);
        let (mut fine, _) = self.corrected(&middle, &second, path, half);
        let mut error = 0.0_f64;
        for (i, fine) in fine[..self.count].iter_mut().enumerate() {
            let limit = T::of(self.limit[i]);
            let at_limit = norm(fine).value() >= limit.value() * (1.0 - AT_LIMIT);
            let apart: [T; D] = std::array::from_fn(|j| (fine[j] - whole[i][j]) / 3.0);
            error = error.max(norm(&apart).value());
            *fine = std::array::from_fn(|j| fine[j] + apart[j]);
            let size = norm(fine);
            if at_limit || size.value() > limit.value() {
                *fine = fine.map(|x| x * (limit / size));
            }
        }
        (fine, error / self.parameters.static_coefficient.value())
    }

    /// A step of second order; and the correction of the step of first order in it, relative to the
    /// static level.
    fn corrected<T: Scalar + Over<P>, const D: usize>(
        &self,
        f: &Forces<T, D>,
        piece: &Piece<T, D>,
        (d, s, g): (&[T; D], T, T),
        share: T,
    ) -> (Forces<T, D>, f64) {
        let first = piece.displacement(share);
        let next = Piece::at(self, &self.moved(f, &first), d, s, g);
        let second = piece.corrected(&next, first, share);
        let apart: [T; D] = std::array::from_fn(|i| second[i] - first[i]);
        let correction = (norm(&apart) * self.total_stiffness()).value();
        (
            self.moved(f, &second),
            correction / self.parameters.static_coefficient.value(),
        )
    }

    /// The elements after a straight displacement d of length s at constant g.
    pub(super) fn advance<T: Scalar + Over<P>, const D: usize>(
        &self,
        start: &Forces<T, D>,
        d: &[T; D],
        s: T,
        g: T,
    ) -> Forces<T, D> {
        // shares of the path depend on the state with their derivatives, so that the tangent is
        // that of the text
        let (mut f, mut rest) = (*start, T::from_f64(1.0));
        // widens and narrows the substeps by powers of two, so that the text between has a slope
        let mut wide = 1.0;
        for substep in 0..MOST_SUBSTEPS {
            let piece = Piece::at(self, &f, d, s, g);
            if substep + 1 == MOST_SUBSTEPS {
                return self.corrected(&f, &piece, (d, s, g), rest).0;
            }
            let share = piece.longest_share(self, &f, s, wide).min(rest);
            let (fine, error) = self.extrapolated(&f, &piece, (d, s, g), share);
            if error > SUBSTEP_ERROR && wide > NARROWEST {
                wide *= if error > 64.0 * SUBSTEP_ERROR {
                    0.25
                } else {
                    0.5
                };
                continue;
            }
            if error < SUBSTEP_ERROR / 16.0 && wide < WIDEST {
                wide *= 2.0;
            }
            f = fine;
            rest = rest - share;
            if rest.value() <= 0.0 {
                break;
            }
        }
        f
    }
}
