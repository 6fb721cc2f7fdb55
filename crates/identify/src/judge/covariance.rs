//! From the slopes of the residuals to variances of the parameters.

use nalgebra::DMatrix;

use crate::fit::Objective;

/// (JᵀJ)⁻¹ with columns brought to equal size first; a direction that cannot be seen gets a huge
/// variance instead of none.
pub(crate) fn inverse(columns: &[Vec<f64>]) -> DMatrix<f64> {
    let n = columns.len();
    let size = |c: &Vec<f64>| c.iter().map(|x| x * x).sum::<f64>().sqrt();
    let sizes: Vec<f64> = columns.iter().map(|c| size(c).max(1e-12)).collect();
    let gram = DMatrix::from_fn(n, n, |i, j| {
        let product: f64 = columns[i].iter().zip(&columns[j]).map(|(a, b)| a * b).sum();
        product / (sizes[i] * sizes[j])
    });
    if n == 0 || !gram.iter().all(|x| x.is_finite()) {
        return DMatrix::from_diagonal_element(n, n, 1e30);
    }
    let eigen = gram.symmetric_eigen();
    let mut result = DMatrix::zeros(n, n);
    for (k, value) in eigen.eigenvalues.iter().enumerate() {
        let axis = eigen.eigenvectors.column(k);
        // rounding leaves eigenvalues of 1e-16 where there is nothing
        result += axis * axis.transpose() / value.max(1e-15);
    }
    DMatrix::from_fn(n, n, |i, j| result[(i, j)] / (sizes[i] * sizes[j]))
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
