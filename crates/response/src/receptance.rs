//! What the equations see of the linear machine at one harmonic.

use nalgebra::{Complex, DMatrix, DVector};

/// The linear machine at one harmonic: w + A (f − S w) = w₀.
#[derive(Clone, Debug)]
pub struct Receptance {
    /// A, m/N.
    pub flexibility: DMatrix<Complex<f64>>,
    /// w₀: the motion by the excitation, with the reference stiffness in place of the pairs.
    pub driven: DVector<Complex<f64>>,
}
