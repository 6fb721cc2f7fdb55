//! Banded LU with partial pivoting, in place and without allocation.

use super::Order;

/// A matrix whose entries lie within `half` of the diagonal once rows and columns are reordered.
///
/// Stored by columns, so that elimination and substitution run along memory: column j holds the
/// rows j − 2 half … j + half, of which the first ones are for what pivoting brings up.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    n: usize,
    half: usize,
    /// Entries of a column.
    height: usize,
    entries: Vec<f64>,
    pivots: Vec<usize>,
    /// Place of every degree of freedom in the band, and the inverse.
    places: Vec<usize>,
    dofs: Vec<usize>,
    work: Vec<f64>,
}

impl Band {
    pub(crate) fn new(order: &Order) -> Self {
        let n = order.places.len();
        let half = order.half_width;
        let height = 3 * half + 1;
        let mut dofs = vec![0; n];
        for (dof, &place) in order.places.iter().enumerate() {
            dofs[place] = dof;
        }
        Self {
            n,
            half,
            height,
            entries: vec![0.0; n * height],
            pivots: vec![0; n],
            places: order.places.clone(),
            dofs,
            work: vec![0.0; n],
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

    /// Where an entry (places in the band) is kept.
    #[inline]
    fn at(&self, i: usize, j: usize) -> usize {
        j * self.height + i + 2 * self.half - j
    }

    #[inline]
    pub(crate) fn add(&mut self, i: usize, j: usize, x: f64) {
        let at = self.at(self.places[i], self.places[j]);
        self.entries[at] += x;
    }

    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (self.places[i], self.places[j]);
        if i.abs_diff(j) <= self.half {
            self.entries[self.at(i, j)]
        } else {
            0.0
        }
    }

    pub(crate) fn multiply(&mut self, x: &[f64], out: &mut [f64]) {
        self.work.fill(0.0);
        for j in 0..self.n {
            let (first, last) = (j.saturating_sub(self.half), (j + self.half).min(self.n - 1));
            let column = &self.entries[self.at(first, j)..=self.at(last, j)];
            axpy(x[self.dofs[j]], column, &mut self.work[first..=last]);
        }
        for (x, &dof) in self.work.iter().zip(&self.dofs) {
            out[dof] = *x;
        }
    }

    pub(crate) fn factorise(&mut self) -> Result<(), usize> {
        let (n, half) = (self.n, self.half);
        for k in 0..n {
            let start = self.at(k, k);
            let below = (n - 1 - k).min(half);
            let mut pivot = 0;
            for i in 1..=below {
                if self.entries[start + i].abs() > self.entries[start + pivot].abs() {
                    pivot = i;
                }
            }
            self.pivots[k] = k + pivot;
            let right = (k + 2 * half).min(n - 1);
            if pivot != 0 {
                for j in k..=right {
                    let (a, b) = (self.at(k, j), self.at(k + pivot, j));
                    self.entries.swap(a, b);
                }
            }
            let diagonal = self.entries[start];
            if diagonal == 0.0 || !diagonal.is_finite() {
                return Err(self.dofs[k]);
            }
            let (left, others) = self.entries.split_at_mut((k + 1) * self.height);
            let factors = &mut left[start + 1..=start + below];
            let inverse = 1.0 / diagonal;
            for x in &mut *factors {
                *x *= inverse;
            }
            for (column, j) in others.chunks_exact_mut(self.height).zip(k + 1..=right) {
                // row k of column j, and the rows below it
                let top = k + 2 * half - j;
                let (upper, lower) = column.split_at_mut(top + 1);
                let x = upper[top];
                if x != 0.0 {
                    axpy(-x, factors, &mut lower[..below]);
                }
            }
        }
        Ok(())
    }

    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        let (n, half) = (self.n, self.half);
        for (x, &dof) in self.work.iter_mut().zip(&self.dofs) {
            *x = b[dof];
        }
        for k in 0..n {
            self.work.swap(k, self.pivots[k]);
            let x = self.work[k];
            let (start, below) = (self.at(k, k), (n - 1 - k).min(half));
            let factors = &self.entries[start + 1..=start + below];
            axpy(-x, factors, &mut self.work[k + 1..=k + below]);
        }
        for j in (0..n).rev() {
            let start = self.at(j, j);
            let above = j.min(2 * half);
            let x = self.work[j] / self.entries[start];
            self.work[j] = x;
            let column = &self.entries[start - above..start];
            axpy(-x, column, &mut self.work[j - above..j]);
        }
        for (x, &dof) in self.work.iter().zip(&self.dofs) {
            b[dof] = *x;
        }
    }
}

/// y += a x
#[inline]
fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Dense;
    use super::*;

    /// A chain numbered badly: 0–5–1–4–2–3, blocks of one.
    #[test]
    fn solves_as_the_dense_matrix_does() {
        let chain = [0, 5, 1, 4, 2, 3];
        let mut links = vec![Vec::new(); 6];
        for pair in chain.windows(2) {
            links[pair[0]].push(pair[1]);
            links[pair[1]].push(pair[0]);
        }
        let order = Order::of(&links, &[1; 6]);
        assert_eq!(order.half_width, 1, "a chain in order is tridiagonal");
        let (mut band, mut dense) = (Band::new(&order), Dense::new(6));
        // a weak diagonal, so that pivots are needed
        for (i, others) in links.iter().enumerate() {
            let x = 0.01 * (1.0 + i as f64);
            band.add(i, i, x);
            dense.add(i, i, x);
            for &j in others {
                let x = 1.0 + 0.3 * i as f64 - 0.2 * j as f64;
                band.add(i, j, x);
                dense.add(i, j, x);
            }
        }
        let x = [1.0, -2.0, 3.0, 0.5, -0.25, 4.0];
        let (mut b, mut d) = ([0.0; 6], [0.0; 6]);
        band.multiply(&x, &mut b);
        dense.multiply(&x, &mut d);
        // sums of three products: a few rounding errors
        assert!(b.iter().zip(d).all(|(b, d)| (b - d).abs() < 1e-14));
        band.factorise().unwrap();
        band.solve(&mut b);
        // the condition of the matrix is about 100
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-13));
    }
}
