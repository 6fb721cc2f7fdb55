//! Square matrices of the degrees of freedom: dense, or sparse by blocks.
//!
//! Beams and contacts couple few bodies each, so that most blocks of large models are empty.
//! Eliminated from the leaves of the tree on, they cost as much as there are bodies, where a dense
//! matrix costs n³.

mod dense;
mod kernels;
mod order;
mod sparse;

use dense::Dense;
pub(crate) use order::Order;
use order::SPARSE;
use sparse::Sparse;

/// A square matrix with its factors.
#[derive(Clone, Debug)]
pub(crate) enum Matrix {
    /// All entries.
    Dense(Dense),
    /// Blocks of coupled bodies.
    Sparse(Sparse),
}

impl Matrix {
    /// A matrix of zeros in a good form for `order`.
    pub(crate) fn new(order: &Order) -> Self {
        let all = order.n * order.n;
        if (order.entries() as f64) < SPARSE * all as f64 {
            Self::Sparse(Sparse::new(order))
        } else {
            Self::Dense(Dense::new(order.n))
        }
    }

    pub(crate) fn clear(&mut self) {
        match self {
            Self::Dense(matrix) => matrix.clear(),
            Self::Sparse(matrix) => matrix.clear(),
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
            Self::Sparse(matrix) => matrix.entries(),
        }
    }

    fn entries_mut(&mut self) -> &mut [f64] {
        match self {
            Self::Dense(matrix) => matrix.entries_mut(),
            Self::Sparse(matrix) => matrix.entries_mut(),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, i: usize, j: usize, x: f64) {
        match self {
            Self::Dense(matrix) => matrix.add(i, j, x),
            Self::Sparse(matrix) => matrix.add(i, j, x),
        }
    }

    /// `out = A x`; only before factorising.
    pub(crate) fn multiply(&self, x: &[f64], out: &mut [f64]) {
        match self {
            Self::Dense(matrix) => matrix.multiply(x, out),
            Self::Sparse(matrix) => matrix.multiply(x, out),
        }
    }

    /// Factorises in place.
    ///
    /// # Errors
    /// The column whose pivot is zero or not a number.
    pub(crate) fn factorise(&mut self) -> Result<(), usize> {
        match self {
            Self::Dense(matrix) => matrix.factorise(),
            Self::Sparse(matrix) => matrix.factorise(),
        }
    }

    /// Solves A x = b in place with the factors.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        match self {
            Self::Dense(matrix) => matrix.solve(b),
            Self::Sparse(matrix) => matrix.solve(b),
        }
    }

    /// An entry; only before factorising.
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Dense(matrix) => matrix.get(i, j),
            Self::Sparse(matrix) => matrix.get(i, j),
        }
    }
}
