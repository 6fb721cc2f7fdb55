//! Dense LU with partial pivoting, in place and without allocation.
//!
//! Up to some forty degrees of freedom this is as fast as any library; larger, structured systems
//! are sparse.

/// A square matrix, row major, with its factors.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    n: usize,
    /// Row-major entries; holds the factors after [`Dense::factorise`].
    entries: Vec<f64>,
    pivots: Vec<usize>,
    inverse_diagonal: Vec<f64>,
}

impl Dense {
    pub(crate) fn new(n: usize) -> Self {
        Self {
            n,
            entries: vec![0.0; n * n],
            pivots: vec![0; n],
            inverse_diagonal: vec![0.0; n],
        }
    }

    /// All that is stored.
    pub(super) fn entries(&self) -> &[f64] {
        &self.entries
    }

    pub(super) fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.entries
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    #[inline]
    pub(crate) fn add(&mut self, i: usize, j: usize, x: f64) {
        self.entries[i * self.n + j] += x;
    }

    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        self.entries[i * self.n + j]
    }

    /// `out = A x`; only before factorising.
    pub(crate) fn multiply(&self, x: &[f64], out: &mut [f64]) {
        for (i, y) in out.iter_mut().enumerate() {
            let row = &self.entries[i * self.n..(i + 1) * self.n];
            *y = row.iter().zip(x).map(|(a, b)| a * b).sum();
        }
    }

    /// Factorises in place.
    ///
    /// # Errors
    /// The column whose pivot is zero or not a number.
    pub(crate) fn factorise(&mut self) -> Result<(), usize> {
        let n = self.n;
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if self.entries[i * n + k].abs() > self.entries[pivot * n + k].abs() {
                    pivot = i;
                }
            }
            self.pivots[k] = pivot;
            if pivot != k {
                for j in 0..n {
                    self.entries.swap(k * n + j, pivot * n + j);
                }
            }
            let diagonal = self.entries[k * n + k];
            if diagonal == 0.0 || !diagonal.is_finite() {
                return Err(k);
            }
            let inverse = 1.0 / diagonal;
            self.inverse_diagonal[k] = inverse;
            let (upper, lower) = self.entries.split_at_mut((k + 1) * n);
            let row = &upper[k * n + k + 1..];
            for other in lower.chunks_exact_mut(n) {
                let factor = other[k] * inverse;
                other[k] = factor;
                if factor != 0.0 {
                    for (x, r) in other[k + 1..].iter_mut().zip(row) {
                        *x -= factor * r;
                    }
                }
            }
        }
        Ok(())
    }

    /// Solves A x = b in place with the factors.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for i in 1..n {
            let row = &self.entries[i * n..i * n + i];
            let sum: f64 = row.iter().zip(&*b).map(|(a, x)| a * x).sum();
            b[i] -= sum;
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n + i + 1..(i + 1) * n];
            let sum: f64 = row.iter().zip(&b[i + 1..]).map(|(a, x)| a * x).sum();
            b[i] = (b[i] - sum) * self.inverse_diagonal[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_with_pivoting_and_finds_singularity() {
        // a permutation-like matrix needs pivots; the solution is chosen, the right side follows
        let a = [0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 3.0, 0.0, -1.0];
        let x = [1.0, -2.0, 3.0];
        let mut matrix = Dense::new(3);
        for i in 0..3 {
            for j in 0..3 {
                matrix.add(i, j, a[3 * i + j]);
            }
        }
        let mut b = [0.0; 3];
        matrix.multiply(&x, &mut b);
        matrix.factorise().unwrap();
        matrix.solve(&mut b);
        // a 3x3 system of small integers: a few rounding errors
        assert!(b.iter().zip(x).all(|(p, q)| (p - q).abs() < 1e-14));
        let mut singular = Dense::new(2);
        singular.add(0, 0, 1.0);
        singular.add(1, 0, 1.0);
        assert_eq!(singular.factorise(), Err(1));
    }
}
