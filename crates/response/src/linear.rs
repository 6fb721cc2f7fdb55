//! The linear machine, seen from the pairs: receptances.

use crate::error::{ResponseError, Result};
use crate::excitation::Excitation;
use crate::poles::PoleSum;
pub use crate::receptance::Receptance;
use bristle_mechanics::modes::Linearised;
use nalgebra::{Complex, DMatrix, DVector};

/// A system counts as symmetric, and as damped in proportion, within this part of its size.
const SYMMETRIC: f64 = 1e-7;
/// Singular values of K below this part of the largest one are none.
const SINGULAR: f64 = 1e-13;

/// A harmonic generalised force p = Re (p₀ + iw p₁ − w² p₂) e^(iwt) with w = hΩ.
///
/// An applied force has p₀ alone; a motion that is prescribed has p₁ of the dampers and p₂ of the
/// masses that it drags along.
#[derive(Clone, Debug)]
pub struct HarmonicForce {
    /// h ≥ 1.
    pub order: usize,
    /// p₀, by degree of freedom.
    pub force: DVector<Complex<f64>>,
    /// p₁ and p₂ of a prescribed motion.
    pub by_rate: Option<[DVector<Complex<f64>>; 2]>,
}

impl HarmonicForce {
    /// An applied force.
    pub fn applied(order: usize, force: DVector<Complex<f64>>) -> Self {
        Self {
            order,
            force,
            by_rate: None,
        }
    }

    /// Takes all its parts into other coordinates.
    pub(crate) fn transform(
        &mut self,
        by: impl Fn(&DVector<Complex<f64>>) -> DVector<Complex<f64>>,
    ) {
        self.force = by(&self.force);
        for part in self.by_rate.iter_mut().flatten() {
            *part = by(part);
        }
    }

    fn at(&self, w: f64) -> DVector<Complex<f64>> {
        match &self.by_rate {
            None => self.force.clone(),
            Some([rate, acceleration]) => {
                let (i_w, square) = (Complex::new(0.0, w), Complex::new(w * w, 0.0));
                &self.force + rate * i_w - acceleration * square
            }
        }
    }
}

/// M ẍ + C ẋ + K x = p − Qᵀ f with the coordinates w = Q x of the pairs.
#[derive(Clone, Debug)]
pub struct LinearMachine {
    /// M, C, K.
    pub matrices: Linearised,
    /// Q: coordinates of the pairs by the degrees of freedom.
    pub pairs: DMatrix<f64>,
    /// S: a stiffness of the coordinates w that keeps the equations regular; it is taken out again.
    pub reference: DMatrix<f64>,
    /// The excitation.
    pub forces: Vec<HarmonicForce>,
    modal: Option<Modal>,
    /// Without real modes.
    poles: Option<PoleSum>,
    /// (K + QᵀSQ)⁺, and Q (K + QᵀSQ)⁺ Qᵀ.
    still: DMatrix<f64>,
    still_at_pairs: DMatrix<f64>,
}

/// The modes of a system with symmetric M, K and damping in proportion.
#[derive(Clone, Debug)]
struct Modal {
    /// ω², 1/s².
    squares: DVector<f64>,
    /// 2ζω, 1/s.
    rates: DVector<f64>,
    /// Columns with xᵀMx = 1.
    shapes: DMatrix<f64>,
    /// Q times the shapes.
    at_pairs: DMatrix<f64>,
}

impl LinearMachine {
    /// A machine; `reference` is S.
    ///
    /// # Errors
    /// If a coordinate has no inertia.
    pub fn new(
        matrices: Linearised,
        pairs: DMatrix<f64>,
        reference: DMatrix<f64>,
        forces: Vec<HarmonicForce>,
    ) -> Result<Self> {
        let modal = Modal::of(&matrices, &pairs);
        let poles = match modal {
            Some(_) => None,
            None => PoleSum::of(&matrices, &pairs),
        };
        let held = &matrices.stiffness + pairs.transpose() * &reference * &pairs;
        let inverse = pseudo_inverse(held).ok_or(ResponseError::Singular { frequency: 0.0 })?;
        let still_at_pairs = &pairs * &inverse * pairs.transpose();
        Ok(Self {
            matrices,
            pairs,
            reference,
            forces,
            modal,
            poles,
            still: inverse,
            still_at_pairs,
        })
    }

    /// Whether its modes are real: then a receptance is a sum over modes.
    pub fn has_real_modes(&self) -> bool {
        self.modal.is_some()
    }

    /// Coordinates at the pairs.
    pub fn size(&self) -> usize {
        self.pairs.nrows()
    }

    /// Degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.pairs.ncols()
    }

    /// The highest order of the excitation.
    pub fn highest_order(&self) -> usize {
        self.forces.iter().map(|f| f.order).max().unwrap_or(1)
    }

    fn force(&self, harmonic: usize, w: f64) -> DVector<Complex<f64>> {
        let mut sum = DVector::zeros(self.dofs());
        for own in self.forces.iter().filter(|f| f.order == harmonic) {
            sum += own.at(w);
        }
        sum
    }

    /// The receptance at a harmonic.
    ///
    /// # Errors
    /// If the equations are singular there.
    pub fn receptance(&self, harmonic: usize, drive: Excitation) -> Result<Receptance> {
        if harmonic == 0 {
            return Ok(Receptance {
                flexibility: self.still_at_pairs.map(|x| Complex::new(x, 0.0)),
                driven: DVector::zeros(self.size()),
            });
        }
        let w = harmonic as f64 * drive.omega;
        let force = self.force(harmonic, w) * Complex::new(drive.level, 0.0);
        let Receptance {
            flexibility: bare,
            driven,
        } = if let Some(modal) = &self.modal {
            modal.at(w, drive.feeding, &force)
        } else if let Some(poles) = self.poles_for(drive) {
            poles.at(w, &force)
        } else {
            self.solve(w, drive.feeding, &force)
                .ok_or(ResponseError::Singular {
                    frequency: w / std::f64::consts::TAU,
                })?
        };
        // (1 + A S)⁻¹ takes the reference stiffness into the machine
        let mut held = &bare * self.reference.map(|x| Complex::new(x, 0.0));
        for i in 0..self.size() {
            held[(i, i)] += Complex::ONE;
        }
        let lu = held.lu();
        let singular = || ResponseError::Singular {
            frequency: w / std::f64::consts::TAU,
        };
        Ok(Receptance {
            flexibility: lu.solve(&bare).ok_or_else(singular)?,
            driven: lu.solve(&driven).ok_or_else(singular)?,
        })
    }

    /// The poles, which are those of a machine that nothing feeds.
    fn poles_for(&self, drive: Excitation) -> Option<&PoleSum> {
        self.poles.as_ref().filter(|_| drive.feeding == 0.0)
    }

    /// Q Z⁻¹ Qᵀ and Q Z⁻¹ p by a dense solution.
    fn solve(&self, w: f64, feeding: f64, force: &DVector<Complex<f64>>) -> Option<Receptance> {
        let lu = self.dynamic_stiffness(w, feeding).lu();
        let q = self.pairs.map(|x| Complex::new(x, 0.0));
        Some(Receptance {
            flexibility: &q * lu.solve(&q.transpose())?,
            driven: q * lu.solve(force)?,
        })
    }

    /// K − w²M + iw (C − γM).
    fn dynamic_stiffness(&self, w: f64, feeding: f64) -> DMatrix<Complex<f64>> {
        let Linearised {
            mass,
            damping,
            stiffness,
        } = &self.matrices;
        DMatrix::from_fn(self.dofs(), self.dofs(), |i, j| {
            Complex::new(
                stiffness[(i, j)] - w * w * mass[(i, j)],
                w * (damping[(i, j)] - feeding * mass[(i, j)]),
            )
        })
    }

    /// The motion of all degrees of freedom at a harmonic, from the forces f of the pairs there
    /// and their coordinates w.
    pub fn motion(
        &self,
        harmonic: usize,
        drive: Excitation,
        pair_force: &DVector<Complex<f64>>,
        pair_motion: &DVector<Complex<f64>>,
    ) -> Option<DVector<Complex<f64>>> {
        let q = self.pairs.transpose().map(|x| Complex::new(x, 0.0));
        if harmonic == 0 {
            // K x + Qᵀ S (Q x) = −Qᵀ (f − S w)
            let s = self.reference.map(|x| Complex::new(x, 0.0));
            let rest = &q * (s * pair_motion - pair_force);
            return Some(self.still.map(|x| Complex::new(x, 0.0)) * rest);
        }
        let w = harmonic as f64 * drive.omega;
        let force = self.force(harmonic, w) * Complex::new(drive.level, 0.0) - q * pair_force;
        match (&self.modal, self.poles_for(drive)) {
            (Some(modal), _) => Some(modal.motion(w, drive.feeding, &force)),
            (None, Some(poles)) => Some(poles.motion(w, &force)),
            _ => self.dynamic_stiffness(w, drive.feeding).lu().solve(&force),
        }
    }
}

impl Modal {
    /// Of a system with symmetric K and damping in proportion; else `None`.
    fn of(system: &Linearised, pairs: &DMatrix<f64>) -> Option<Self> {
        let Linearised {
            mass,
            damping,
            stiffness,
        } = system;
        let symmetric = |a: &DMatrix<f64>| (a - a.transpose()).amax() <= SYMMETRIC * a.amax();
        if !symmetric(stiffness) || !symmetric(damping) || !symmetric(mass) {
            return None;
        }
        let factor = ((mass + mass.transpose()) * 0.5).cholesky()?.l();
        let reduce = |a: &DMatrix<f64>| -> Option<DMatrix<f64>> {
            let left = factor.solve_lower_triangular(a)?;
            let all = factor.solve_lower_triangular(&left.transpose())?;
            Some((&all + all.transpose()) * 0.5)
        };
        let eigen = reduce(stiffness)?.symmetric_eigen();
        let damped = eigen.eigenvectors.transpose() * reduce(damping)? * &eigen.eigenvectors;
        let n = damped.nrows();
        let size = |i: usize| eigen.eigenvalues[i].abs().sqrt();
        let diagonal = (0..n).all(|i| {
            (0..n).all(|j| {
                let both = (size(i) * size(j)).sqrt() + damped[(i, i)].abs();
                i == j || damped[(i, j)].abs() <= SYMMETRIC * both
            })
        });
        if !diagonal {
            return None;
        }
        let shapes = factor
            .transpose()
            .solve_upper_triangular(&eigen.eigenvectors)?;
        Some(Self {
            squares: eigen.eigenvalues,
            rates: damped.diagonal(),
            at_pairs: pairs * &shapes,
            shapes,
        })
    }

    fn gain(&self, i: usize, w: f64, feeding: f64) -> Complex<f64> {
        Complex::new(self.squares[i] - w * w, w * (self.rates[i] - feeding)).inv()
    }

    fn at(&self, w: f64, feeding: f64, force: &DVector<Complex<f64>>) -> Receptance {
        let r = self.at_pairs.nrows();
        let (mut bare, mut driven) = (DMatrix::zeros(r, r), DVector::zeros(r));
        let excited = force.iter().any(|x| *x != Complex::ZERO);
        for i in 0..self.squares.len() {
            let (gain, shape) = (self.gain(i, w, feeding), self.at_pairs.column(i));
            for b in 0..r {
                let column = gain * shape[b];
                for a in 0..r {
                    bare[(a, b)] += column * shape[a];
                }
            }
            if excited {
                let load = gain * work(&self.shapes, i, force);
                for a in 0..r {
                    driven[a] += load * shape[a];
                }
            }
        }
        Receptance {
            flexibility: bare,
            driven,
        }
    }

    fn motion(&self, w: f64, feeding: f64, force: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        let mut sum = DVector::zeros(force.len());
        for i in 0..self.squares.len() {
            let load = self.gain(i, w, feeding) * work(&self.shapes, i, force);
            for (x, shape) in sum.iter_mut().zip(self.shapes.column(i).iter()) {
                *x += load * *shape;
            }
        }
        sum
    }
}

/// φᵢᵀ p.
fn work(shapes: &DMatrix<f64>, i: usize, force: &DVector<Complex<f64>>) -> Complex<f64> {
    let column = shapes.column(i);
    column.iter().zip(force).map(|(x, p)| p * *x).sum()
}

/// K⁺: what nothing holds, and nothing pushes, stays.
fn pseudo_inverse(a: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let largest = a.amax();
    if largest == 0.0 {
        return Some(a);
    }
    a.pseudo_inverse(SINGULAR * largest).ok()
}
