//! A substep of a path: every element is stuck or slides, till the first one changes.

use super::flow::ElementFlow;
use super::piece::{Modes, PathPoint, Piece, StraightPath, motion};
use super::{Forces, Leuven};
use crate::kind::elements::{self, MAX_ELEMENTS, slides};
use crate::law::slip::{REST, dot, norm};
use crate::numbers::scalar::{MixesWith, Scalar};

/// Iterations to where a mode changes; the secant takes four or five.
const MOST_ITERATIONS: usize = 60;

/// How far an element may be beyond its change: rounding.
const ROUNDING: f64 = 1e-13;

/// An element leaving its mode.
#[derive(Clone, Copy)]
pub(super) struct Change<T> {
    pub(super) element: usize,
    /// How far beyond the change it is: |f|/w − 1 if stuck, the cosine of its way back if it slides.
    pub(super) beyond: T,
}

/// A substep from one point of the path, the elements keeping their modes.
pub(super) struct Substep<'a, P, T, const D: usize> {
    pub(super) law: &'a Leuven<P>,
    pub(super) path: &'a StraightPath<T, D>,
    pub(super) start: &'a PathPoint<T, D>,
    pub(super) modes: Modes,
    pub(super) piece: Piece<T, D>,
}

impl<'a, P: Scalar, T: Scalar + MixesWith<P>, const D: usize> Substep<'a, P, T, D> {
    /// A substep; an element that was just `released` is stuck though still at its limit.
    pub(super) fn new(
        law: &'a Leuven<P>,
        path: &'a StraightPath<T, D>,
        start: &'a PathPoint<T, D>,
        released: Option<usize>,
    ) -> Self {
        let mut modes = [false; MAX_ELEMENTS];
        for i in (0..law.elements.count).filter(|i| released != Some(*i)) {
            modes[i] = slides(&start.f[i], &start.p, T::of(law.elements.level[i]));
        }
        Self {
            piece: Piece::at(law, start, &modes),
            law,
            path,
            start,
            modes,
        }
    }

    /// Whether z relaxes exactly as the piece says, for as long as no element changes.
    pub(super) fn is_linear(&self) -> bool {
        let n = self.law.parameters.leuven_exponent;
        n.value() <= 1.0 && n.is_constant() && (D == 1 || !self.modes.contains(&true))
    }

    /// The share of the path after which the next substep begins, if no element changes.
    pub(super) fn longest_share(&self) -> T {
        if self.is_linear() {
            T::from_f64(1.0)
        } else {
            self.piece
                .smooth_share(self.law, self.start, &self.modes, self.path)
        }
    }

    /// Moves the elements in their modes by dz.
    pub(super) fn shift(&self, f: &mut Forces<T, D>, dz: &[T; D]) {
        for (i, f) in f[..self.law.elements.count].iter_mut().enumerate() {
            let k = self.law.elements.stiffness[i];
            if !self.modes[i] {
                *f = std::array::from_fn(|j| f[j] + dz[j] * k);
            } else if D > 1 {
                *f = elements::slid(f, dz, k, T::of(self.law.elements.level[i]));
            }
        }
    }

    /// The elements from the start of the substep on after straight parts.
    pub(super) fn after(&self, parts: &[[T; D]]) -> Forces<T, D> {
        let mut f = self.start.f;
        for part in parts {
            self.shift(&mut f, part);
        }
        f
    }

    /// The point of the path after a share of it.
    pub(super) fn end(&self, share: T) -> PathPoint<T, D> {
        PathPoint::at(self.law, self.forces(share), self.path)
    }

    /// The elements after a share of the path: of fourth order.
    pub(super) fn forces(&self, share: T) -> Forces<T, D> {
        let p = self.start.p.map(|p| p * share);
        if self.is_linear() {
            // A is a number
            let (_, mean) = (self.piece.a[0][0] * share).relaxation();
            return self.after(&[p.map(|p| p * mean)]);
        }
        let flow = ElementFlow::over(self.piece.decay(share));
        let motion = |f| motion(self.law, &f, self.path).map(|p| p * share);
        self.after(&flow.parts(&p, |parts| motion(self.after(parts))))
    }

    /// How far the element is beyond its change.
    pub(super) fn change(&self, end: &PathPoint<T, D>, element: usize) -> Change<T> {
        let (f, p) = (&end.f[element], &end.p);
        let beyond = if self.modes[element] {
            -dot(f, p) / (norm(f) * norm(p)).max(T::from_f64(REST))
        } else {
            norm(f) / self.law.elements.level[element] - 1.0
        };
        Change { element, beyond }
    }

    /// The element that is farthest beyond its change.
    pub(super) fn farthest_change(&self, end: &PathPoint<T, D>) -> Option<Change<T>> {
        (0..self.law.elements.count)
            .filter(|&i| D > 1 || !self.modes[i])
            .map(|i| self.change(end, i))
            .filter(|change| change.beyond.value() > ROUNDING)
            .max_by(|a, b| a.beyond.value().total_cmp(&b.beyond.value()))
    }

    /// A share of the path near that at which the element changes, before `far`.
    pub(super) fn guess(&self, far: f64, change: &Change<T>) -> f64 {
        let (i, start) = (change.element, self.start);
        let share = if self.modes[i] {
            let before = self.change(start, i).beyond.value();
            far * before / (before - change.beyond.value())
        } else {
            let (k, limit) = (
                T::of(self.law.elements.stiffness[i]),
                T::of(self.law.elements.level[i]),
            );
            self.piece.share_to_limit(&start.f[i], &start.p, k, limit)
        };
        if share > 0.0 && share < far {
            share
        } else {
            0.5 * far
        }
    }

    /// The share of the path at which the first element changes, and this element; at `far` the
    /// change given is over.
    pub(super) fn locate(&self, far: f64, change: Change<T>) -> (T, usize) {
        let (mut low, mut high) = (0.0, far);
        let (mut last, mut element) = ((far, change.beyond.value()), change.element);
        let mut share = self.guess(far, &change);
        for _ in 0..MOST_ITERATIONS {
            let end = self.end(T::from_f64(share));
            let mut change = self.change(&end, element);
            if let Some(farthest) = self.farthest_change(&end) {
                change = farthest;
                high = share;
            } else {
                low = share;
            }
            let beyond = change.beyond.value();
            let next = if change.element == element {
                share - beyond * (share - last.0) / (beyond - last.1)
            } else {
                self.guess(share, &change)
            };
            if beyond.abs() <= ROUNDING || high - low <= f64::EPSILON * high {
                // what is left shows in differences of results
                let closer = change.element == element && (next - share).abs() < 1e-9 * far;
                share = if closer { next } else { share };
                element = change.element;
                break;
            }
            (last, element) = ((share, beyond), change.element);
            share = if next > low && next < high {
                next
            } else {
                0.5 * (low + high)
            };
        }
        (self.with_slope(share, element), element)
    }

    /// The share of the path at which the element changes, with its derivatives.
    pub(super) fn with_slope(&self, share: f64, element: usize) -> T {
        let beyond = |share: f64| {
            let end = self.end(T::from_f64(share));
            self.change(&end, element).beyond
        };
        let here = beyond(share);
        if here.is_constant() {
            return T::from_f64(share);
        }
        // differences over 1e-4 of the length in which the motion changes, whose square is left out
        let by = 1e-4 * self.longest_share().value().min(1.0);
        let slope = if share > by {
            (beyond(share + by).value() - beyond(share - by).value()) / (2.0 * by)
        } else {
            let [near, far] = [1.0, 2.0].map(|k| beyond(share + k * by).value());
            (4.0 * near - far - 3.0 * here.value()) / (2.0 * by)
        };
        if slope == 0.0 {
            return T::from_f64(share);
        }
        (-here + here.value()) / slope + share
    }
}
