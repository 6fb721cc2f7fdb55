//! Factors of the small matrices of a law's states.

use crate::numbers::scalar::Scalar;

/// A matrix in factors, with the rows exchanged.
pub(crate) struct LuFactors<const N: usize> {
    matrix: [[f64; N]; N],
    pivots: [usize; N],
    count: usize,
}

impl<const N: usize> LuFactors<N> {
    pub(crate) fn of(mut matrix: [[f64; N]; N], count: usize) -> Self {
        let mut pivots = [0; N];
        for k in 0..count {
            let mut pivot = k;
            for i in k + 1..count {
                if matrix[i][k].abs() > matrix[pivot][k].abs() {
                    pivot = i;
                }
            }
            pivots[k] = pivot;
            matrix.swap(k, pivot);
            let top = matrix[k];
            for row in &mut matrix[k + 1..count] {
                let factor = row[k] / top[k];
                row[k] = factor;
                for (x, above) in row[k + 1..count].iter_mut().zip(&top[k + 1..count]) {
                    *x -= factor * above;
                }
            }
        }
        Self {
            matrix,
            pivots,
            count,
        }
    }

    pub(crate) fn solve<T: Scalar>(&self, x: &mut [T]) {
        let n = self.count;
        for k in 0..n {
            x.swap(k, self.pivots[k]);
            for i in k + 1..n {
                x[i] = x[i] - x[k] * self.matrix[i][k];
            }
        }
        for k in (0..n).rev() {
            for j in k + 1..n {
                x[k] = x[k] - x[j] * self.matrix[k][j];
            }
            x[k] = x[k] / self.matrix[k][k];
        }
    }
}
