//! From the slopes of the residuals to variances of the parameters.

use nalgebra::{DMatrix, DVector};

use crate::fit::Objective;

/// An axis of the ellipsoid of what the data leave open, for residuals of variance 1.
#[derive(Clone, Debug)]
pub(crate) struct ErrorAxis {
    /// The change of each parameter along it: by one standard error, or, if it is blind, by any.
    pub(crate) change: Vec<f64>,
    /// Whether the data see nothing of it.
    pub(crate) is_blind: bool,
}

/// Eigenvalues of JᵀJ, with columns of equal size, from which on a direction is seen: slopes are
/// good to some 1e-8, and their squares are compared.
const SEEN: f64 = 1e-12;

/// JᵀJ with columns brought to equal size first, and these sizes.
struct ScaledGram {
    gram: DMatrix<f64>,
    sizes: Vec<f64>,
}

impl ScaledGram {
    /// None if a slope is no number.
    fn of(columns: &[Vec<f64>]) -> Option<Self> {
        let n = columns.len();
        let size = |c: &Vec<f64>| c.iter().map(|x| x * x).sum::<f64>().sqrt();
        let sizes: Vec<f64> = columns.iter().map(|c| size(c).max(1e-12)).collect();
        let gram = DMatrix::from_fn(n, n, |i, j| {
            let product: f64 = columns[i].iter().zip(&columns[j]).map(|(a, b)| a * b).sum();
            product / (sizes[i] * sizes[j])
        });
        (n > 0 && gram.iter().all(|x| x.is_finite())).then_some(Self { gram, sizes })
    }
}

/// (JᵀJ)⁻¹; a direction that cannot be seen gets a huge variance instead of none.
pub(crate) fn inverse(columns: &[Vec<f64>]) -> DMatrix<f64> {
    let n = columns.len();
    let Some(ScaledGram { gram, sizes }) = ScaledGram::of(columns) else {
        return DMatrix::from_diagonal_element(n, n, 1e30);
    };
    let eigen = gram.symmetric_eigen();
    let mut result = DMatrix::zeros(n, n);
    for (k, value) in eigen.eigenvalues.iter().enumerate() {
        let axis = eigen.eigenvectors.column(k);
        // rounding leaves eigenvalues of 1e-16 where there is nothing
        result += axis * axis.transpose() / value.max(1e-15);
    }
    DMatrix::from_fn(n, n, |i, j| result[(i, j)] / (sizes[i] * sizes[j]))
}

/// The axes of the same, in the parameters to which `map` leads: sums that the data do see keep
/// their digits, where the matrix has lost them in what the data do not see.
pub(super) fn axes(columns: &[Vec<f64>], map: &DMatrix<f64>) -> Vec<ErrorAxis> {
    let Some(ScaledGram { gram, sizes }) = ScaledGram::of(columns) else {
        return Vec::new();
    };
    let eigen = gram.symmetric_eigen();
    let axis = |(k, value): (usize, &f64)| {
        let is_blind = *value < SEEN;
        let length = if is_blind { 1.0 } else { value.sqrt().recip() };
        let unit = eigen.eigenvectors.column(k);
        let numbers = unit.iter().zip(&sizes).map(|(x, size)| length * x / size);
        let numbers = DVector::from_iterator(sizes.len(), numbers);
        ErrorAxis {
            change: (map * numbers).iter().copied().collect(),
            is_blind,
        }
    };
    eigen.eigenvalues.iter().enumerate().map(axis).collect()
}

/// ∂p/∂θ of the fitted parameters.
pub(super) fn derivative_of_map(
    objective: &Objective<'_>,
    theta: &[f64],
    free: &[usize],
) -> DMatrix<f64> {
    let step = 1e-6;
    let mut map = DMatrix::zeros(free.len(), theta.len());
    for k in 0..theta.len() {
        let at = |x: f64| {
            let mut moved = theta.to_vec();
            moved[k] = x;
            objective.unpack(&moved)
        };
        // forward, so that it holds on a bound too
        let (here, there) = (at(theta[k]), at(theta[k] + step));
        for (row, &i) in free.iter().enumerate() {
            map[(row, k)] = (there[i] - here[i]) / step;
        }
    }
    map
}
