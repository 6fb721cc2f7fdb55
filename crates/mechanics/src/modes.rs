//! Linear vibrations about a state: natural frequencies, damping ratios, mode shapes.
//!
//! With M, C, K the tangents of the residual by q̈, q̇ and q, the modes solve
//! (λ² M + λ C + K) x = 0. A symmetric system with damping in proportion (Rayleigh) has the real
//! modes of (K − ω² M) x = 0 with ζ = xᵀC x / (2 ω xᵀM x); any other one is solved as it is.

use crate::element::TangentWeights;
use crate::frame::{Frame, Vec3};
use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::{Instant, State, System, Weights};
use nalgebra::{Complex, DMatrix, DVector};

/// What becomes of the contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contacts {
    /// Normal laws and bristles with the stiffness and damping that they have in this state.
    #[default]
    AsTheyStand,
    /// Glued: no relative motion at any point.
    Stuck,
    /// Without any force.
    Free,
}

/// Matrices of the linear equations M ẍ + C ẋ + K x = 0.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// M, of the degrees of freedom.
    pub mass: DMatrix<f64>,
    /// C.
    pub damping: DMatrix<f64>,
    /// K.
    pub stiffness: DMatrix<f64>,
}

/// A mode.
#[derive(Clone, Debug)]
pub struct Mode {
    /// λ, 1/s.
    pub eigenvalue: Complex<f64>,
    /// ω₀² of the same mode without its damping, 1/s²: of the mode of (K, M) that is most like it.
    /// Nothing where K is not symmetric.
    pub undamped: Option<f64>,
    /// Displacements of the degrees of freedom; the largest is 1 with phase 0.
    pub shape: Vec<Complex<f64>>,
}

impl Mode {
    /// Natural frequency |λ|/2π, Hz.
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.norm() / std::f64::consts::TAU
    }

    /// Frequency of the decaying vibration Im λ/2π, Hz; 0 for an overdamped mode.
    pub fn damped_frequency(&self) -> f64 {
        self.eigenvalue.im / std::f64::consts::TAU
    }

    /// Frequency ω₀/2π without damping, Hz. It differs from |λ|/2π where dampers, or bristles, tie
    /// the modes together. Nothing where K is not symmetric, or the position not stable.
    pub fn undamped_frequency(&self) -> Option<f64> {
        let square = self.undamped.filter(|square| *square >= 0.0)?;
        Some(square.sqrt() / std::f64::consts::TAU)
    }

    /// Damping ratio −Re λ/|λ|; 0 for a mode without frequency.
    pub fn damping_ratio(&self) -> f64 {
        let size = self.eigenvalue.norm();
        if size > 0.0 {
            // not −0
            (0.0 - self.eigenvalue.re) / size
        } else {
            0.0
        }
    }
}

/// Why there are no modes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModesError {
    /// Nothing can move.
    #[error("nothing can move: the model has no degree of freedom")]
    Nothing,
    /// A degree of freedom has no inertia.
    #[error("{0} has no inertia; give it a mass or a moment of inertia")]
    NoInertia(String),
    /// The eigenvalues were not found.
    #[error("the eigenvalues of {0} equations did not converge")]
    NoConvergence(usize),
}

/// Lengths of the steps over which bristles are strained, s: so long that their damping does not
/// count, and so short that it is nearly all.
const STEPS: [f64; 2] = [1e4, 1e-5];
/// Eigenvalues closer than this are one, found twice.
const EQUAL: f64 = 1e-8;
/// A system counts as symmetric, and as damped in proportion, within this part of its size.
const SYMMETRIC: f64 = 1e-7;

impl Model {
    /// The linear equations about a state at rest.
    pub fn linearise(&self, state: &State, contacts: Contacts) -> Linearised {
        let mut scratch = self.scratch();
        scratch.leaves_contacts_out = contacts != Contacts::AsTheyStand;
        self.linearise_with(&mut scratch, state)
    }

    /// The linear equations without what `scratch` leaves out.
    pub(crate) fn linearise_with(&self, scratch: &mut Scratch, state: &State) -> Linearised {
        let none = Weights {
            mass: 0.0,
            damping: 0.0,
            stiffness: 0.0,
        };
        let [long, short] = STEPS;
        let mut tangent = |weights, step| self.tangent_at(scratch, state, weights, step);
        let mass = tangent(Weights { mass: 1.0, ..none }, long);
        let by_rate = Weights {
            damping: 1.0,
            ..none
        };
        let by_place = Weights {
            stiffness: 1.0,
            ..none
        };
        let stiffness = tangent(by_place, long);
        // a bristle strained over a step h resists with K + C/h
        let strained = (tangent(by_place, short) - &stiffness) * short;
        Linearised {
            mass,
            damping: tangent(by_rate, long) + strained,
            stiffness,
        }
    }

    fn tangent_at(
        &self,
        scratch: &mut Scratch,
        state: &State,
        weights: Weights,
        step: f64,
    ) -> DMatrix<f64> {
        let at = Instant::of(state, step);
        let Weights {
            damping, stiffness, ..
        } = weights;
        scratch.weights = Some(TangentWeights { damping, stiffness });
        scratch.wants_configuration_tangent = true;
        let mut history = vec![0.0; self.history];
        let mut residual = vec![0.0; self.unknowns()];
        self.residual_into(scratch, &at, &mut history, &mut residual);
        self.tangent_into(scratch, &at, weights);
        DMatrix::from_fn(self.dofs, self.dofs, |i, j| scratch.matrix.get(i, j))
    }

    /// The first `count` modes about a state at rest, by frequency.
    ///
    /// # Errors
    /// [`ModesError`], if something has no inertia or the eigenvalues do not converge.
    pub fn modes(
        &self,
        state: &State,
        contacts: Contacts,
        count: usize,
    ) -> Result<Vec<Mode>, ModesError> {
        if self.dofs == 0 {
            return Err(ModesError::Nothing);
        }
        let full = self.linearise(state, contacts);
        if let Some(dof) = (0..self.dofs).find(|&i| full.mass[(i, i)] <= 0.0) {
            return Err(ModesError::NoInertia(self.dof_name(dof)));
        }
        let Some(basis) = self.admissible(state, contacts) else {
            return solve(&full, count);
        };
        if basis.ncols() == 0 {
            return Err(ModesError::Nothing);
        }
        let reduce = |matrix: &DMatrix<f64>| basis.transpose() * matrix * &basis;
        let reduced = Linearised {
            mass: reduce(&full.mass),
            damping: reduce(&full.damping),
            stiffness: reduce(&full.stiffness),
        };
        let complex = basis.map(|x| Complex::new(x, 0.0));
        let mut modes = solve(&reduced, count)?;
        for mode in &mut modes {
            let shape = &complex * DVector::from_vec(std::mem::take(&mut mode.shape));
            mode.shape = normalised(&shape);
        }
        Ok(modes)
    }

    /// Displacement (m) and rotation (rad) of every body in a mode, for a state.
    pub fn motions_of(&self, state: &State, shape: &[f64]) -> (Vec<Frame>, Vec<[Vec3; 2]>) {
        let mut scratch = self.scratch();
        self.evaluate(state, state.t, &mut scratch);
        let motion = |body: usize| {
            let p = &scratch.frames[body].p;
            let mut sum = [Vec3::zeros(); 2];
            for &dof in &self.chains[body] {
                let (along, about) = scratch.motions[dof].of(p);
                sum[0] += along * shape[dof];
                sum[1] += about * shape[dof];
            }
            sum
        };
        let motions = (0..self.bodies.len()).map(motion).collect();
        (scratch.frames, motions)
    }
}

fn solve(system: &Linearised, count: usize) -> Result<Vec<Mode>, ModesError> {
    let n = system.mass.nrows();
    let scaled = Scaled::of(system)?;
    let (eigenvalues, vectors) = scaled.real_modes();
    let modal = vectors.transpose() * &scaled.damping * &vectors;
    if scaled.is_symmetric && is_diagonal(&modal, &eigenvalues) {
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| eigenvalues[a].total_cmp(&eigenvalues[b]));
        let mode = |&i: &usize| {
            let rigid = scaled.is_rigid(eigenvalues[i], modal[(i, i)]);
            let (eigenvalue, undamped) = if rigid {
                (Complex::ZERO, 0.0)
            } else {
                (root(eigenvalues[i], modal[(i, i)]), eigenvalues[i])
            };
            let shape = scaled.back(&vectors.column(i).map(|x| Complex::new(x, 0.0)));
            Mode {
                eigenvalue,
                undamped: Some(undamped),
                shape: normalised(&shape),
            }
        };
        return Ok(order.iter().take(count).map(mode).collect());
    }
    let undamped = scaled.has_symmetric_stiffness().then_some(UndampedModes {
        squares: eigenvalues,
        vectors,
    });
    scaled.complex_modes(count, undamped.as_ref())
}

/// The modes of (K, M) in the scaled coordinates.
struct UndampedModes {
    /// ω₀² of each.
    squares: DVector<f64>,
    /// Orthonormal, column by column.
    vectors: DMatrix<f64>,
}

impl UndampedModes {
    /// ω₀² of the mode that is most like `y`.
    fn nearest(&self, y: &DVector<Complex<f64>>) -> Option<f64> {
        let likeness = |i: usize| {
            let column = self.vectors.column(i);
            let overlap: Complex<f64> = column.iter().zip(y).map(|(v, y)| y * *v).sum();
            overlap.norm()
        };
        let nearest =
            (0..self.squares.len()).max_by(|&a, &b| likeness(a).total_cmp(&likeness(b)))?;
        Some(self.squares[nearest])
    }
}

/// Whether a matrix is symmetric to roundings.
fn symmetric_matrix(a: &DMatrix<f64>) -> bool {
    (a - a.transpose()).amax() <= SYMMETRIC * a.amax()
}

/// λ of λ² + c λ + k = 0 in the upper half plane.
fn root(k: f64, c: f64) -> Complex<f64> {
    let discriminant = Complex::new(0.25 * c * c - k, 0.0);
    Complex::new(-0.5 * c, 0.0) + discriminant.sqrt()
}

fn is_diagonal(modal: &DMatrix<f64>, eigenvalues: &DVector<f64>) -> bool {
    let n = modal.nrows();
    (0..n).all(|i| {
        (0..n).all(|j| {
            let scale = (eigenvalues[i].abs() * eigenvalues[j].abs()).powf(0.25);
            i == j || modal[(i, j)].abs() <= SYMMETRIC * (scale + modal[(i, i)].abs())
        })
    })
}

/// The equations in coordinates y = Lᵀ x with M = L Lᵀ: ÿ + C ẏ + K y = 0.
struct Scaled {
    factor: DMatrix<f64>,
    damping: DMatrix<f64>,
    stiffness: DMatrix<f64>,
    is_symmetric: bool,
}

impl Scaled {
    fn of(system: &Linearised) -> Result<Self, ModesError> {
        let n = system.mass.nrows();
        let symmetric = (&system.mass + system.mass.transpose()) * 0.5;
        let cholesky = symmetric.cholesky();
        let factor = cholesky
            .ok_or_else(|| ModesError::NoInertia("a combination of coordinates".to_owned()))?
            .l();
        let reduce = |matrix: &DMatrix<f64>| -> Option<DMatrix<f64>> {
            let left = factor.solve_lower_triangular(matrix)?;
            let right = factor.solve_lower_triangular(&left.transpose())?;
            Some(right.transpose())
        };
        let singular = || ModesError::NoInertia("a combination of coordinates".to_owned());
        let damping = reduce(&system.damping).ok_or_else(singular)?;
        let stiffness = reduce(&system.stiffness).ok_or_else(singular)?;
        if stiffness.iter().chain(&damping).any(|x| !x.is_finite()) {
            return Err(ModesError::NoConvergence(n));
        }
        let is_symmetric = symmetric_matrix(&stiffness) && symmetric_matrix(&damping);
        Ok(Self {
            factor,
            damping,
            stiffness,
            is_symmetric,
        })
    }

    fn has_symmetric_stiffness(&self) -> bool {
        symmetric_matrix(&self.stiffness)
    }

    /// Eigenvalues ω² and vectors of the symmetric part of K.
    fn real_modes(&self) -> (DVector<f64>, DMatrix<f64>) {
        let symmetric = (&self.stiffness + self.stiffness.transpose()) * 0.5;
        let eigen = symmetric.symmetric_eigen();
        (eigen.eigenvalues, eigen.eigenvectors)
    }

    /// Whether yᵀK y and yᵀC y of a unit vector are rounding: nothing resists that motion.
    fn is_rigid(&self, stiffness: f64, damping: f64) -> bool {
        let rounding = 4.0 * self.stiffness.nrows() as f64 * f64::EPSILON;
        stiffness.abs() <= rounding * self.stiffness.norm()
            && damping.abs() <= rounding * self.damping.norm()
    }

    /// x of y.
    fn back(&self, y: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        let upper = self.factor.transpose();
        let part = |x: DVector<f64>| upper.solve_upper_triangular(&x).unwrap_or(x);
        let (re, im) = (part(y.map(|z| z.re)), part(y.map(|z| z.im)));
        re.zip_map(&im, Complex::new)
    }

    /// Modes of an unsymmetric or unevenly damped system.
    fn complex_modes(
        &self,
        count: usize,
        undamped: Option<&UndampedModes>,
    ) -> Result<Vec<Mode>, ModesError> {
        let n = self.stiffness.nrows();
        // a unit of time that brings K and C to the same size
        let rate = self
            .stiffness
            .amax()
            .sqrt()
            .max(self.damping.amax())
            .max(1e-300);
        let mut first = DMatrix::zeros(2 * n, 2 * n);
        first.view_mut((0, n), (n, n)).fill_with_identity();
        let (k, c) = (&self.stiffness / (-rate * rate), &self.damping / -rate);
        first.view_mut((n, 0), (n, n)).copy_from(&k);
        first.view_mut((n, n), (n, n)).copy_from(&c);
        let schur = nalgebra::Schur::try_new(first, f64::EPSILON, 100 * n)
            .ok_or(ModesError::NoConvergence(n))?;
        let mut roots: Vec<Complex<f64>> = schur
            .complex_eigenvalues()
            .iter()
            .map(|z| z * rate)
            .filter(|z| z.im >= 0.0)
            .collect();
        roots.sort_by(|a, b| a.norm().total_cmp(&b.norm()).then(a.im.total_cmp(&b.im)));
        roots.truncate(count);
        // vectors of equal eigenvalues are taken orthogonal to each other
        let mut found: Vec<(Complex<f64>, DVector<Complex<f64>>)> = Vec::new();
        let mut modes = Vec::new();
        for root in roots {
            let equal = |other: Complex<f64>| (other - root).norm() <= EQUAL * root.norm();
            let same: Vec<&DVector<Complex<f64>>> = found
                .iter()
                .filter(|(other, _)| equal(*other))
                .map(|(_, y)| y)
                .collect();
            let y = self.vector(root, &same);
            modes.push(self.mode(root, &y, undamped));
            found.push((root, y));
        }
        Ok(modes)
    }

    /// The vector of an eigenvalue, by steps of inverse iteration, orthogonal to those before it of
    /// the same eigenvalue.
    fn vector(
        &self,
        eigenvalue: Complex<f64>,
        before: &[&DVector<Complex<f64>>],
    ) -> DVector<Complex<f64>> {
        let n = self.stiffness.nrows();
        let near = eigenvalue * (1.0 + 1e-9) + Complex::new(1e-9, 0.0);
        let matrix = DMatrix::from_fn(n, n, |i, j| {
            let diagonal = if i == j { near * near } else { Complex::ZERO };
            diagonal + near * self.damping[(i, j)] + self.stiffness[(i, j)]
        });
        let lu = matrix.lu();
        // each of several starts from another vector
        let turn = 1.0 + before.len() as f64;
        let mut y = DVector::from_fn(n, |i, _| {
            Complex::new((turn * i as f64).cos() / (1.0 + i as f64), 0.0)
        });
        for _ in 0..3 + before.len() {
            if let Some(mut next) = lu.solve(&y) {
                let scale = next.norm();
                next.unscale_mut(if scale > 0.0 { scale } else { 1.0 });
                for other in before {
                    let overlap = other.dotc(&next);
                    next.axpy(-overlap, other, Complex::ONE);
                }
                let size = next.norm();
                if size.is_finite() && size > 0.0 {
                    y = next / Complex::new(size, 0.0);
                }
            }
        }
        y
    }

    /// The mode of an eigenvalue and its vector.
    fn mode(
        &self,
        eigenvalue: Complex<f64>,
        y: &DVector<Complex<f64>>,
        undamped: Option<&UndampedModes>,
    ) -> Mode {
        let form = |matrix: &DMatrix<f64>| {
            let image = matrix.map(|x| Complex::new(x, 0.0)) * y;
            y.dotc(&image).norm()
        };
        let rigid = self.is_rigid(form(&self.stiffness), form(&self.damping));
        Mode {
            eigenvalue: if rigid { Complex::ZERO } else { eigenvalue },
            undamped: undamped.and_then(|undamped| undamped.nearest(y)),
            shape: normalised(&self.back(y)),
        }
    }
}

/// Scaled so that the largest entry is 1.
fn normalised(shape: &DVector<Complex<f64>>) -> Vec<Complex<f64>> {
    let largest =
        shape.iter().copied().fold(
            Complex::ZERO,
            |m, z| if z.norm() > m.norm() { z } else { m },
        );
    if largest.norm() == 0.0 {
        return shape.iter().copied().collect();
    }
    shape.iter().map(|z| z / largest).collect()
}
