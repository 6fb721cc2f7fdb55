//! Factors of the matrices of Newton's method.

use nalgebra::{DMatrix, DVector};

/// Columns that are factorised before the rest of the matrix sees them: the rest is then a product of
/// matrices, which is many times faster than column by column.
const BLOCK: usize = 32;

/// P A = L U with pivots by rows.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    /// L without its diagonal of ones, and U.
    both: DMatrix<f64>,
    /// The row that each row was exchanged with.
    pivots: Vec<usize>,
}

impl Factors {
    /// Of a square matrix.
    pub(crate) fn of(mut both: DMatrix<f64>) -> Self {
        let n = both.nrows();
        let mut pivots = Vec::with_capacity(n);
        for first in (0..n).step_by(BLOCK) {
            let end = (first + BLOCK).min(n);
            for k in first..end {
                pivots.push(eliminate(&mut both, k, end));
            }
            pass_on(&mut both, first, end, &pivots);
        }
        Self { both, pivots }
    }

    /// x of A x = b; `None` if the matrix is singular.
    pub(crate) fn solve(&self, b: &DVector<f64>) -> Option<DVector<f64>> {
        let mut x = b.clone();
        for (k, pivot) in self.pivots.iter().enumerate() {
            x.swap_rows(k, *pivot);
        }
        let solved = self.both.solve_lower_triangular_with_diag_mut(&mut x, 1.0)
            && self.both.solve_upper_triangular_mut(&mut x);
        (solved && x.iter().all(|x| x.is_finite())).then_some(x)
    }
}

/// Eliminates below the diagonal of column `k`, as far as the columns before `end` see it. Returns the pivot.
fn eliminate(a: &mut DMatrix<f64>, k: usize, end: usize) -> usize {
    let n = a.nrows();
    let pivot = k + a.column(k).rows(k, n - k).iamax();
    let first = k - k % BLOCK;
    for column in first..end {
        a.swap((k, column), (pivot, column));
    }
    let diagonal = a[(k, k)];
    if diagonal != 0.0 {
        a.view_mut((k + 1, k), (n - k - 1, 1))
            .scale_mut(1.0 / diagonal);
    }
    for column in k + 1..end {
        let factor = a[(k, column)];
        if factor != 0.0 {
            let (left, mut right) = a.columns_range_pair_mut(k..=k, column..=column);
            let below = left.column(0);
            let mut own = right.column_mut(0);
            let below = below.rows(k + 1, n - k - 1);
            own.rows_mut(k + 1, n - k - 1).axpy(-factor, &below, 1.0);
        }
    }
    pivot
}

/// What the block of columns from `first` to `end` does to those before and behind it.
fn pass_on(a: &mut DMatrix<f64>, first: usize, end: usize, pivots: &[usize]) {
    let n = a.nrows();
    for (k, &pivot) in pivots.iter().enumerate().take(end).skip(first) {
        if pivot != k {
            for column in (0..first).chain(end..n) {
                a.swap((k, column), (pivot, column));
            }
        }
    }
    if end == n {
        return;
    }
    let (left, mut right) = a.columns_range_pair_mut(first..end, end..n);
    let mut upper = right.rows(first, end - first).into_owned();
    left.rows(first, end - first)
        .solve_lower_triangular_with_diag_mut(&mut upper, 1.0);
    right.rows_mut(first, end - first).copy_from(&upper);
    right
        .rows_mut(end, n - end)
        .gemm(-1.0, &left.rows(end, n - end), &upper, 1.0);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// A x for a known x, with matrices of less than a block, of several, and with zeros on the diagonal.
    #[test]
    fn a_solution_is_found_whatever_the_size() {
        for n in [1, 5, 32, 33, 70, 129] {
            let a =
                DMatrix::from_fn(n, n, |i, j| {
                    let turn = ((i * 7 + j * 13) % 17) as f64 - 8.0;
                    if i == j {
                        0.0
                    } else {
                        turn + ((i * j) as f64).sin()
                    }
                }) + DMatrix::from_fn(n, n, |i, j| f64::from(u8::from((i + 1) % n == j)) * 20.0);
            let x = DVector::from_fn(n, |i, _| 1.0 + (i as f64).cos());
            let found = Factors::of(a.clone()).solve(&(&a * &x)).unwrap();
            // matrices with a condition of some thousands
            assert!((found - &x).norm() <= 1e-10 * x.norm(), "{n}");
        }
        assert!(
            Factors::of(DMatrix::zeros(3, 3))
                .solve(&DVector::zeros(3))
                .is_none()
        );
    }
}
