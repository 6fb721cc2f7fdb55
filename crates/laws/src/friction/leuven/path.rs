//! The elements of the Leuven law along a straight path.
//!
//! In one substep every element is stuck or slides; a substep ends where the first one changes. So
//! what is integrated is smooth, and its derivatives are those of the text.

use super::flow::ElementFlow;
use super::piece::{PathPoint, StraightPath};
use super::substep::Substep;
use super::{Forces, Leuven};
use crate::kind::elements;
use crate::law::slip::norm;
use crate::numbers::scalar::{MixesWith, Scalar};

/// Substeps that reach the steady state for every n; a rest is taken in one linear step.
const MOST_SUBSTEPS: usize = 20_000;

/// The share of the next substep of about this length: with another one behind it as `rest` grows, the
/// error goes on without a kink, which would show in derivatives.
fn share_of<T: Scalar>(rest: T, length: T) -> T {
    if rest.value() <= length.value() {
        rest
    } else if rest.value() < 2.0 * length.value() {
        let over = rest - length;
        rest - over * over / length
    } else {
        length
    }
}

impl<P: Scalar> Leuven<P> {
    /// The elements after the whole path.
    pub(super) fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        mut f: Forces<T, D>,
        path: &StraightPath<T, D>,
    ) -> Forces<T, D> {
        // integrated with the rates, an element may come to lie beyond its limit
        for (i, f) in f[..self.elements.count].iter_mut().enumerate() {
            if norm(f).value() > self.elements.level[i].value() {
                *f = self.at_limit(f, i);
            }
        }
        // shares of the path depend on the state with their derivatives, so that the tangent is
        // that of the text
        let mut rest = T::from_f64(1.0);
        let (mut point, mut released) = (PathPoint::at(self, f, path), None);
        for _ in 0..MOST_SUBSTEPS {
            if point.is_steady(path) {
                break;
            }
            let substep = Substep::new(self, path, &point, released.take());
            let mut share = share_of(rest, substep.longest_share());
            let mut end = substep.end(share);
            if let Some(change) = substep.farthest_change(&end) {
                let element;
                (share, element) = substep.locate(share.value(), change);
                end = substep.end(share);
                if substep.modes[element] {
                    released = Some(element);
                } else {
                    end.f[element] = self.at_limit(&end.f[element], element);
                    end = PathPoint::at(self, end.f, path);
                }
            }
            rest = rest - share;
            if rest.value() <= 0.0 {
                return end.f;
            }
            point = end;
        }
        let substep = Substep::new(self, path, &point, None);
        let flow = ElementFlow::over(substep.piece.decay(rest));
        self.clipped(&point.f, &flow.linear(&point.p.map(|p| p * rest)))
    }

    /// The elements moved by dz, each stuck up to its limit.
    fn clipped<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        f: &Forces<T, D>,
        dz: &[T; D],
    ) -> Forces<T, D> {
        let mut new = *f;
        for (i, f) in new[..self.elements.count].iter_mut().enumerate() {
            let limit = T::of(self.elements.level[i]);
            *f = elements::advance(f, dz, self.elements.stiffness[i], limit, limit);
        }
        new
    }

    /// The element with its force scaled to the limit.
    fn at_limit<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        f: &[T; D],
        element: usize,
    ) -> [T; D] {
        let scale = T::of(self.elements.level[element]) / norm(f);
        f.map(|x| x * scale)
    }
}
