//! Banded LU with partial pivoting, in place and without allocation.

use super::Order;

/// A matrix whose entries lie within `half` of the diagonal once rows and columns are reordered.
///
/// Row i holds the columns i − half … i + 2 half: pivoting widens the upper part.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    n: usize,
    half: usize,
    /// Entries of a row.
    width: usize,
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
        let width = 3 * half + 1;
        let mut dofs = vec![0; n];
        for (dof, &place) in order.places.iter().enumerate() {
            dofs[place] = dof;
        }
        Self {
            n,
            half,
            width,
            entries: vec![0.0; n * width],
            pivots: vec![0; n],
            places: order.places.clone(),
            dofs,
            work: vec![0.0; n],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Where an entry (places in the band) is kept.
    #[inline]
    fn at(&self, i: usize, j: usize) -> usize {
        i * self.width + j + self.half - i
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

    pub(crate) fn multiply(&self, x: &[f64], out: &mut [f64]) {
        for i in 0..self.n {
            let (first, last) = (i.saturating_sub(self.half), (i + self.half).min(self.n - 1));
            let row = &self.entries[self.at(i, first)..=self.at(i, last)];
            let columns = &self.dofs[first..=last];
            out[self.dofs[i]] = row.iter().zip(columns).map(|(a, &dof)| a * x[dof]).sum();
        }
    }

    pub(crate) fn factorise(&mut self) -> Result<(), usize> {
        let (n, half, width) = (self.n, self.half, self.width);
        for k in 0..n {
            let last = (k + half).min(n - 1);
            let mut pivot = k;
            for i in k + 1..=last {
                if self.entries[self.at(i, k)].abs() > self.entries[self.at(pivot, k)].abs() {
                    pivot = i;
                }
            }
            self.pivots[k] = pivot;
            let right = (k + 2 * half).min(n - 1);
            if pivot != k {
                for j in k..=right {
                    let (a, b) = (self.at(k, j), self.at(pivot, j));
                    self.entries.swap(a, b);
                }
            }
            let start = self.at(k, k);
            let diagonal = self.entries[start];
            if diagonal == 0.0 || !diagonal.is_finite() {
                return Err(self.dofs[k]);
            }
            let inverse = 1.0 / diagonal;
            let length = right - k;
            for i in k + 1..=last {
                // rows are in order, so that row k lies wholly before row i
                let (above, below) = self.entries.split_at_mut(i * width);
                let from = k + half - i;
                let factor = below[from] * inverse;
                below[from] = factor;
                if factor != 0.0 {
                    let row = &above[start + 1..=start + length];
                    for (x, r) in below[from + 1..=from + length].iter_mut().zip(row) {
                        *x -= factor * r;
                    }
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
            for i in k + 1..=(k + half).min(n - 1) {
                self.work[i] -= self.entries[i * self.width + k + half - i] * x;
            }
        }
        for i in (0..n).rev() {
            let right = (i + 2 * half).min(n - 1);
            let at = self.at(i, i);
            let row = &self.entries[at + 1..=at + right - i];
            let sum: f64 = row
                .iter()
                .zip(&self.work[i + 1..])
                .map(|(a, x)| a * x)
                .sum();
            self.work[i] = (self.work[i] - sum) / self.entries[at];
        }
        for (x, &dof) in self.work.iter().zip(&self.dofs) {
            b[dof] = *x;
        }
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
