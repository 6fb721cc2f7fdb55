//! Receptances as a sum over poles, for damping that ties the real modes together.
//!
//! With the state (S y, ẏ) in the coordinates y of the modes without damping the machine is
//! d/dt = A, and A = V Λ V⁻¹ gives
//!
//! $$ \mathbf Z^{-1}(iw) = \sum_k \frac{\mathbf x_k\,\mathbf y_k^{\mathsf T}}{iw-\lambda_k} $$
//!
//! once for all frequencies, where a solution with Z takes the third power of the degrees of freedom at each.

use crate::receptance::Receptance;
use bristle_mechanics::modes::Linearised;
use nalgebra::{Complex, DMatrix, DVector, Schur};

/// What a sum over poles may differ by from a solution with Z.
const EXACT: f64 = 1e-9;

/// x_k, y_k and λ_k of a machine.
#[derive(Clone, Debug)]
pub(crate) struct PoleSum {
    poles: Vec<Complex<f64>>,
    /// x_k: one column each, by degree of freedom.
    shapes: DMatrix<Complex<f64>>,
    /// y_k: one row each.
    loads: DMatrix<Complex<f64>>,
    /// Q x_k.
    at_pairs: DMatrix<Complex<f64>>,
    /// y_kᵀ Qᵀ.
    from_pairs: DMatrix<Complex<f64>>,
}

impl PoleSum {
    /// The poles of a machine; `None` if its states have no basis of eigenvectors.
    pub(crate) fn of(system: &Linearised, pairs: &DMatrix<f64>) -> Option<Self> {
        let Linearised {
            mass,
            damping,
            stiffness,
        } = system;
        let n = mass.nrows();
        let factor = ((mass + mass.transpose()) * 0.5).cholesky()?.l();
        let reduce = |a: &DMatrix<f64>| -> Option<DMatrix<f64>> {
            let left = factor.solve_lower_triangular(a)?;
            let all = factor.solve_lower_triangular(&left.transpose())?;
            Some(all.transpose())
        };
        let (stiffness, damping) = (reduce(stiffness)?, reduce(damping)?);
        let modes = ((&stiffness + stiffness.transpose()) * 0.5).symmetric_eigen();
        let basis = &modes.eigenvectors;
        let own = |a: &DMatrix<f64>| basis.transpose() * a * basis;
        let (stiffness, damping) = (own(&stiffness), own(&damping));
        let least = 1e-6 * modes.eigenvalues.amax().sqrt();
        let scales = modes.eigenvalues.map(|x| x.abs().sqrt().max(least));
        if scales.iter().any(|x| *x <= 0.0 || !x.is_finite()) {
            return None;
        }
        let mut first = DMatrix::zeros(2 * n, 2 * n);
        for j in 0..n {
            first[(j, n + j)] = scales[j];
            for i in 0..n {
                first[(n + i, j)] = -stiffness[(i, j)] / scales[j];
                first[(n + i, n + j)] = -damping[(i, j)];
            }
        }
        let Eigenbasis {
            values,
            vectors,
            inverse,
        } = Eigenbasis::of(first)?;
        // x = L⁻ᵀ Φ S⁻¹ (upper half), forces enter the lower half through Φᵀ L⁻¹
        let out = factor.transpose().solve_upper_triangular(basis)?;
        let into = out.transpose();
        let upper = DMatrix::from_fn(n, 2 * n, |i, k| vectors[(i, k)] / scales[i]);
        let lower = inverse.columns(n, n).into_owned();
        let complex = |a: &DMatrix<f64>| a.map(|x| Complex::new(x, 0.0));
        let shapes = complex(&out) * upper;
        let loads = lower * complex(&into);
        let q = complex(pairs);
        let sum = Self {
            at_pairs: &q * &shapes,
            from_pairs: &loads * q.transpose(),
            poles: values,
            shapes,
            loads,
        };
        sum.is_exact(system, pairs, &scales).then_some(sum)
    }

    /// Whether it agrees with solutions with Z within and beyond the frequencies of the machine.
    fn is_exact(&self, system: &Linearised, pairs: &DMatrix<f64>, scales: &DVector<f64>) -> bool {
        let mut sorted: Vec<f64> = scales.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let [low, middle] = [sorted[0], sorted[sorted.len() / 2]];
        let force = DVector::zeros(system.mass.nrows());
        [0.7 * low, 1.1 * low, 3.0 * low, middle].iter().all(|&w| {
            let z = DMatrix::from_fn(system.mass.nrows(), system.mass.ncols(), |i, j| {
                let held = system.stiffness[(i, j)] - w * w * system.mass[(i, j)];
                Complex::new(held, w * system.damping[(i, j)])
            });
            let q = pairs.map(|x| Complex::new(x, 0.0));
            let Some(moved) = z.lu().solve(&q.transpose()) else {
                return false;
            };
            let (right, found) = (q * moved, self.at(w, &force).flexibility);
            (found - &right).norm() <= EXACT * right.norm()
        })
    }

    fn gain(&self, k: usize, w: f64) -> Complex<f64> {
        (Complex::new(0.0, w) - self.poles[k]).inv()
    }

    /// The receptance at the pairs, and their motion by a force.
    pub(crate) fn at(&self, w: f64, force: &DVector<Complex<f64>>) -> Receptance {
        let r = self.at_pairs.nrows();
        let (mut flexibility, mut driven) = (DMatrix::zeros(r, r), DVector::zeros(r));
        let excited = force.iter().any(|x| *x != Complex::ZERO);
        for k in 0..self.poles.len() {
            let (gain, shape) = (self.gain(k, w), self.at_pairs.column(k));
            for b in 0..r {
                let factor = gain * self.from_pairs[(k, b)];
                for a in 0..r {
                    flexibility[(a, b)] += factor * shape[a];
                }
            }
            if excited {
                let factor = gain * self.load(k, force);
                for a in 0..r {
                    driven[a] += factor * shape[a];
                }
            }
        }
        Receptance {
            flexibility,
            driven,
        }
    }

    fn load(&self, k: usize, force: &DVector<Complex<f64>>) -> Complex<f64> {
        let row = self.loads.row(k);
        row.iter().zip(force).map(|(y, p)| y * p).sum()
    }

    /// The motion of all degrees of freedom by a force.
    pub(crate) fn motion(&self, w: f64, force: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        let mut modal = &self.loads * force;
        for (k, x) in modal.iter_mut().enumerate() {
            *x *= self.gain(k, w);
        }
        &self.shapes * modal
    }
}

/// A = V Λ V⁻¹.
struct Eigenbasis {
    values: Vec<Complex<f64>>,
    vectors: DMatrix<Complex<f64>>,
    inverse: DMatrix<Complex<f64>>,
}

impl Eigenbasis {
    fn of(a: DMatrix<f64>) -> Option<Self> {
        let n = a.nrows();
        let (q, t) = Schur::try_new(a, f64::EPSILON, 100 * n)?.unpack();
        let complex = |a: DMatrix<f64>| a.map(|x| Complex::new(x, 0.0));
        let (mut q, mut t) = (complex(q), complex(t));
        for i in 0..n.saturating_sub(1) {
            triangular(&mut q, &mut t, i);
        }
        let values: Vec<_> = t.diagonal().iter().copied().collect();
        let vectors = triangular_vectors(&t);
        let inverse = vectors.solve_upper_triangular(&q.adjoint())?;
        Some(Self {
            values,
            vectors: q * vectors,
            inverse,
        })
    }
}

/// Turns the columns i and i + 1 so that nothing is left below the diagonal there.
fn triangular(q: &mut DMatrix<Complex<f64>>, t: &mut DMatrix<Complex<f64>>, i: usize) {
    let (a, b) = (t[(i, i)], t[(i, i + 1)]);
    let (c, d) = (t[(i + 1, i)], t[(i + 1, i + 1)]);
    if c == Complex::ZERO {
        return;
    }
    let half = (a - d) * 0.5;
    let root = (half * half + b * c).sqrt();
    let value = (a + d) * 0.5 + root;
    // the vector of this value, from the row that is larger
    let (x, y) = if b.norm() + (value - a).norm() > c.norm() + (value - d).norm() {
        (b, value - a)
    } else {
        (value - d, c)
    };
    let size = x.norm().hypot(y.norm());
    if size == 0.0 {
        return;
    }
    let (x, y) = (x / size, y / size);
    let turn = |m: &mut DMatrix<Complex<f64>>| {
        for row in 0..m.nrows() {
            let (left, right) = (m[(row, i)], m[(row, i + 1)]);
            m[(row, i)] = left * x + right * y;
            m[(row, i + 1)] = right * x.conj() - left * y.conj();
        }
    };
    turn(q);
    turn(t);
    for column in 0..t.ncols() {
        let (upper, lower) = (t[(i, column)], t[(i + 1, column)]);
        t[(i, column)] = x.conj() * upper + y.conj() * lower;
        t[(i + 1, column)] = x * lower - y * upper;
    }
    t[(i + 1, i)] = Complex::ZERO;
}

/// The eigenvectors of an upper triangular matrix, by columns.
fn triangular_vectors(t: &DMatrix<Complex<f64>>) -> DMatrix<Complex<f64>> {
    let n = t.nrows();
    // equal values are taken apart by a rounding
    let least = f64::EPSILON * t.camax().max(f64::MIN_POSITIVE);
    let mut out = DMatrix::zeros(n, n);
    for k in 0..n {
        let mut column: Vec<Complex<f64>> = t.column(k).iter().take(k + 1).copied().collect();
        column[k] = Complex::ONE;
        for i in (0..k).rev() {
            let apart = t[(i, i)] - t[(k, k)];
            let apart = if apart.norm() < least {
                Complex::new(least, 0.0)
            } else {
                apart
            };
            let own = -column[i] / apart;
            column[i] = own;
            // the rows above see it
            for (x, t) in column[..i].iter_mut().zip(t.column(i).iter()) {
                *x += own * t;
            }
        }
        out.view_mut((0, k), (k + 1, 1)).copy_from_slice(&column);
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// A chain of masses, unevenly damped, with two ends that are alike but for their coupling.
    fn chain(damping: f64) -> Linearised {
        let stiffness = [[3.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 3.0]];
        let damper = [[damping, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.3]];
        Linearised {
            mass: DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 2.0, 1.0])),
            damping: DMatrix::from_fn(3, 3, |i, j| damper[i][j]),
            stiffness: DMatrix::from_fn(3, 3, |i, j| stiffness[i][j]),
        }
    }

    #[test]
    fn a_sum_over_poles_is_the_solution() {
        // damped by turns less, as much as its twin, and beyond the critical value
        for damping in [0.01, 0.3, 9.0] {
            let system = chain(damping);
            let pairs = DMatrix::from_row_slice(2, 3, &[1.0, -1.0, 0.0, 0.0, 0.0, 1.0]);
            let sum = PoleSum::of(&system, &pairs).unwrap();
            let force = DVector::from_fn(3, |i, _| Complex::new(1.0, i as f64));
            for w in [0.2, 1.3, 8.0] {
                let z = DMatrix::from_fn(3, 3, |i, j| {
                    let held = system.stiffness[(i, j)] - w * w * system.mass[(i, j)];
                    Complex::new(held, w * system.damping[(i, j)])
                });
                let motion = z.clone().lu().solve(&force).unwrap();
                let q = pairs.map(|x| Complex::new(x, 0.0));
                let flexibility = &q * z.lu().solve(&q.transpose()).unwrap();
                let found = sum.at(w, &force);
                // eigenvectors of a well separated system: a few roundings
                assert!((found.flexibility - &flexibility).norm() < 1e-12 * flexibility.norm());
                assert!((found.driven - q * &motion).norm() < 1e-12 * motion.norm());
                assert!((sum.motion(w, &force) - &motion).norm() < 1e-12 * motion.norm());
            }
        }
    }
}
