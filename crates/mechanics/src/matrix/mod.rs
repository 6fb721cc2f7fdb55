//! Square matrices of the degrees of freedom: dense, or banded in a narrow order.
//!
//! Chains and trees of bodies have matrices that are narrow bands once the degrees of freedom are
//! numbered along the tree (reverse Cuthill–McKee). The band then costs n b² where a dense matrix
//! costs n³.

mod band;
mod dense;
mod order;

use band::Band;
use dense::Dense;
pub(crate) use order::Order;

/// A square matrix with its factors.
#[derive(Clone, Debug)]
pub(crate) enum Matrix {
    /// All entries.
    Dense(Dense),
    /// Entries near the diagonal in another order.
    Band(Band),
}

/// A band pays where it is narrower than this part of the matrix.
const NARROW: usize = 3;

impl Matrix {
    /// A matrix of zeros in a good form for `order`.
    pub(crate) fn new(order: &Order) -> Self {
        let n = order.places.len();
        if order.half_width * NARROW < n {
            Self::Band(Band::new(order))
        } else {
            Self::Dense(Dense::new(n))
        }
    }

    pub(crate) fn clear(&mut self) {
        match self {
            Self::Dense(matrix) => matrix.clear(),
            Self::Band(matrix) => matrix.clear(),
        }
    }

    /// Σ wᵢ Aᵢ of matrices in the same form.
    pub(crate) fn combine(&mut self, parts: [(f64, &Self); 3]) {
        self.entries_mut().fill(0.0);
        for (weight, part) in parts {
            if weight != 0.0 {
                for (x, y) in self.entries_mut().iter_mut().zip(part.entries()) {
                    *x += weight * y;
                }
            }
        }
    }

    fn entries(&self) -> &[f64] {
        match self {
            Self::Dense(matrix) => matrix.entries(),
            Self::Band(matrix) => matrix.entries(),
        }
    }

    fn entries_mut(&mut self) -> &mut [f64] {
        match self {
            Self::Dense(matrix) => matrix.entries_mut(),
            Self::Band(matrix) => matrix.entries_mut(),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, i: usize, j: usize, x: f64) {
        match self {
            Self::Dense(matrix) => matrix.add(i, j, x),
            Self::Band(matrix) => matrix.add(i, j, x),
        }
    }

    /// `out = A x`; only before factorising.
    pub(crate) fn multiply(&mut self, x: &[f64], out: &mut [f64]) {
        match self {
            Self::Dense(matrix) => matrix.multiply(x, out),
            Self::Band(matrix) => matrix.multiply(x, out),
        }
    }

    /// Factorises in place.
    ///
    /// # Errors
    /// The column whose pivot is zero or not a number.
    pub(crate) fn factorise(&mut self) -> Result<(), usize> {
        match self {
            Self::Dense(matrix) => matrix.factorise(),
            Self::Band(matrix) => matrix.factorise(),
        }
    }

    /// Solves A x = b in place with the factors.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        match self {
            Self::Dense(matrix) => matrix.solve(b),
            Self::Band(matrix) => matrix.solve(b),
        }
    }

    /// An entry; only before factorising.
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Dense(matrix) => matrix.get(i, j),
            Self::Band(matrix) => matrix.get(i, j),
        }
    }
}
