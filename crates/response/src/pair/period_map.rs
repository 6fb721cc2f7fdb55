//! The map of the state of a pair over a period, and what closes it.

use super::march::Carried;
use nalgebra::{DMatrix, DVector};

/// A direction of the state whose memory fades by less than this in a period does not fade.
const NO_FADING: f64 = 1e-7;

/// The map of the state over a period, linearised.
pub(super) struct PeriodMap {
    /// Projection on the directions that do not fade.
    kept: Option<DMatrix<f64>>,
    /// (I − Φ)⁺ (S_N − S₀): what the derivatives of the state at the start miss.
    pub(super) missed_slopes: DMatrix<f64>,
    /// What the state at the start misses.
    pub(super) missed: DVector<f64>,
}

impl PeriodMap {
    pub(super) fn of(start: &Carried, end: &Carried, states: usize, columns: usize) -> Self {
        let parameters = columns - states;
        let entry = |carried: &Carried, s: usize, j: usize| carried.slopes[s * columns + j];
        let left = DMatrix::from_fn(states, states, |i, j| {
            f64::from(u8::from(i == j)) - entry(end, i, parameters + j)
        });
        let (inverse, kept) = pseudo_inverse(left);
        let missed = DMatrix::from_fn(states, parameters, |s, j| {
            entry(end, s, j) - entry(start, s, j)
        });
        let gap = DVector::from_fn(states, |s, _| end.states[s] - start.states[s]);
        let mut moved = &inverse * &gap;
        if let Some(kept) = &kept {
            moved += kept * gap;
        }
        Self {
            missed_slopes: inverse * missed,
            missed: moved,
            kept,
        }
    }

    pub(super) fn largest_miss(&self) -> f64 {
        self.missed.iter().fold(0.0, |m, x| m.max(x.abs()))
    }

    pub(super) fn is_unique(&self) -> bool {
        self.kept.is_none()
    }

    /// The state at the start of the next period, in `end`, from both ends of this one.
    pub(super) fn correct(&self, start: &Carried, end: &mut Carried) {
        let (states, parameters) = self.missed_slopes.shape();
        let columns = parameters + states;
        for s in 0..states {
            end.states[s] = start.states[s] + self.missed[s];
            for j in 0..parameters {
                let place = s * columns + j;
                end.slopes[place] = start.slopes[place] + self.missed_slopes[(s, j)];
            }
        }
    }
}

/// A⁺ of I − Φ, and the projection on the directions in which Φ is 1.
fn pseudo_inverse(a: DMatrix<f64>) -> (DMatrix<f64>, Option<DMatrix<f64>>) {
    let n = a.nrows();
    if n == 0 {
        return (a, None);
    }
    if n == 1 {
        let x = a[(0, 0)];
        let one = DMatrix::from_element(1, 1, 1.0);
        return if x.abs() > NO_FADING {
            (one / x, None)
        } else {
            (DMatrix::zeros(1, 1), Some(one))
        };
    }
    let svd = a.svd(true, true);
    let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else {
        return (DMatrix::identity(n, n), None);
    };
    let mut kept = None;
    let mut inverse = DMatrix::zeros(n, n);
    for (i, sigma) in svd.singular_values.iter().enumerate() {
        let right = v_t.row(i).transpose();
        if *sigma > NO_FADING {
            inverse += right * u.column(i).transpose() / *sigma;
        } else {
            let kept: &mut DMatrix<f64> = kept.get_or_insert_with(|| DMatrix::zeros(n, n));
            *kept += &right * right.transpose();
        }
    }
    (inverse, kept)
}
