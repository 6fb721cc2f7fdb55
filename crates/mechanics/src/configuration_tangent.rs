//! The parts of the tangent that are kept while the configuration changes little.

use crate::matrix::{Matrix, Order};

/// The mass matrix, and the parts of damping and stiffness that change with large motions only.
#[derive(Clone, Debug)]
pub(crate) struct ConfigurationTangent {
    pub(crate) mass: Matrix,
    pub(crate) damping: Matrix,
    pub(crate) stiffness: Matrix,
    /// Whether they have been computed.
    pub(crate) known: bool,
}

impl ConfigurationTangent {
    pub(crate) fn new(order: &Order) -> Self {
        let zeros = Matrix::new(order);
        Self {
            mass: zeros.clone(),
            damping: zeros.clone(),
            stiffness: zeros,
            known: false,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.mass.clear();
        self.damping.clear();
        self.stiffness.clear();
    }
}
