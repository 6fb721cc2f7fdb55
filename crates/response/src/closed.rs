//! Machines with closed loops, in the coordinates that the loops leave.
//!
//! About a rest loops and couplings hold G x + G_s s = 0, with the coordinates x of the tree and the
//! prescribed ones s. So
//!
//! $$ \mathbf x = \mathbf N\mathbf y + \mathbf P\mathbf s,\qquad
//!    \mathbf G\mathbf N = \mathbf 0,\quad \mathbf P = -\mathbf G^+\mathbf G_s $$
//!
//! and the balance is that of NᵀMN, NᵀCN and NᵀKN. The multipliers do no work in it; what they do at rest
//! when their directions turn is part of K.

use bristle_integrate::State;
use bristle_mechanics::Model;
use bristle_mechanics::modes::{Contacts, Linearised};
use nalgebra::{Complex, DMatrix, DVector};

/// Singular values of G below this part of its norm count as none.
const DEPENDENT: f64 = 1e-12;

/// What closes the loops of a machine, about its rest.
#[derive(Clone, Debug)]
pub(crate) struct ClosedLoops {
    /// N: orthonormal columns.
    basis: DMatrix<f64>,
    /// G⁺.
    inverse: DMatrix<f64>,
    /// P s_h of the drives: order and motion of the coordinates of the tree.
    carried: Vec<(usize, DVector<Complex<f64>>)>,
}

impl ClosedLoops {
    /// Those of a model at rest; `None` if it is a tree.
    pub(crate) fn of(model: &Model, rest: &State) -> Option<Self> {
        let basis = model.admissible(rest, Contacts::AsTheyStand)?;
        let jacobian = model.constraint_jacobian(rest);
        // rows may depend on each other where the loop is singular; a bound that is not negative always has one
        let bound = DEPENDENT * jacobian.norm();
        let inverse = jacobian.pseudo_inverse(bound).ok()?;
        Some(Self {
            basis,
            inverse,
            carried: Vec::new(),
        })
    }

    /// P of one drive, from the rates of Φ̈ by its acceleration.
    pub(crate) fn follow(&self, by_drive: &DVector<f64>) -> DVector<f64> {
        -(&self.inverse * by_drive)
    }

    /// A harmonic of the motion P s.
    pub(crate) fn carry(&mut self, order: usize, motion: DVector<Complex<f64>>) {
        self.carried.push((order, motion));
    }

    /// NᵀMN, NᵀCN and NᵀKN.
    pub(crate) fn reduce(&self, full: &Linearised) -> Linearised {
        let own = |matrix: &DMatrix<f64>| self.basis.transpose() * matrix * &self.basis;
        Linearised {
            mass: own(&full.mass),
            damping: own(&full.damping),
            stiffness: own(&full.stiffness),
        }
    }

    /// Rows by the coordinates y.
    pub(crate) fn rows(&self, rows: &DMatrix<f64>) -> DMatrix<f64> {
        rows * &self.basis
    }

    /// A generalised force, or the shape of a motion, in the coordinates y.
    pub(crate) fn project(&self, x: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        self.basis.transpose().map(|n| Complex::new(n, 0.0)) * x
    }

    /// The motion of the tree at a harmonic under the whole excitation.
    pub(crate) fn expand(&self, h: usize, y: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        let mut x = self.basis.map(|n| Complex::new(n, 0.0)) * y;
        for (_, carried) in self.carried.iter().filter(|(order, _)| *order == h) {
            x += carried;
        }
        x
    }
}
