//! Independent rows and columns of a Jacobian, by orthogonalisation with pivoting.

/// A row counts as implied by others where less than this part of it is left.
const DEPENDENT: f64 = 1e-8;
/// A row below this size is none.
const NOTHING: f64 = 1e-12;

/// An orthonormal basis of the rows of a matrix, in the order in which they were taken.
#[derive(Debug, Default)]
pub(super) struct RowBasis {
    /// The rows taken, by their places in the matrix.
    pub(super) rows: Vec<usize>,
    /// Orthonormal rows.
    basis: Vec<Vec<f64>>,
    /// What each row taken has along the basis rows before it, and its own length across them.
    parts: Vec<Vec<f64>>,
}

impl RowBasis {
    /// Of all rows the independent ones: the one with the most left is taken next, of equals the
    /// first.
    pub(super) fn of(rows: &[Vec<f64>]) -> Self {
        let mut own = Self::default();
        let mut left: Vec<Vec<f64>> = rows.to_vec();
        let sizes: Vec<f64> = rows.iter().map(|row| norm(row)).collect();
        let mut waiting: Vec<usize> = (0..rows.len()).filter(|&i| sizes[i] > NOTHING).collect();
        loop {
            let share = |&i: &usize| norm(&left[i]) / sizes[i];
            let best = waiting.iter().copied().reduce(|best, i| {
                // a hair more is none: equal rows stay in their order
                if share(&i) > share(&best) * (1.0 + 1e-6) {
                    i
                } else {
                    best
                }
            });
            let Some(best) = best.filter(|i| share(i) > DEPENDENT) else {
                return own;
            };
            waiting.retain(|&i| i != best);
            let length = norm(&left[best]);
            let unit: Vec<f64> = left[best].iter().map(|x| x / length).collect();
            let mut parts: Vec<f64> = own.basis.iter().map(|b| dot(b, &rows[best])).collect();
            parts.push(dot(&unit, &rows[best]));
            for &i in &waiting {
                subtract(&mut left[i], &unit);
            }
            own.rows.push(best);
            own.basis.push(unit);
            own.parts.push(parts);
        }
    }

    pub(super) fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The shortest x with (row)·x = b for every row taken; `b` has all rows of the matrix.
    pub(super) fn solve(&self, b: &[f64], columns: usize) -> Vec<f64> {
        let mut x = vec![0.0; columns];
        let mut along: Vec<f64> = Vec::with_capacity(self.rows.len());
        for (parts, row) in self.parts.iter().zip(&self.rows) {
            let known: f64 = parts.iter().zip(&along).map(|(p, y)| p * y).sum();
            let own = parts.last().copied().unwrap_or(1.0);
            along.push((b[*row] - known) / own);
        }
        for (y, unit) in along.iter().zip(&self.basis) {
            for (x, u) in x.iter_mut().zip(unit) {
                *x += y * u;
            }
        }
        x
    }
}

/// Of the columns in the order of `preference`, those that the rows determine, so that the first
/// ones stay free: a column is determined if it adds to the rank of the ones less preferred.
pub(super) fn determined(rows: &[Vec<f64>], preference: &[usize], rank: usize) -> Vec<usize> {
    let mut taken = Vec::new();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    // first those that determine well; a machine near a dead point has only poor ones left
    for least in [1e-2, 1e-5, DEPENDENT] {
        for &column in preference.iter().rev() {
            if taken.len() == rank {
                return taken;
            }
            if taken.contains(&column) {
                continue;
            }
            let mut left: Vec<f64> = rows.iter().map(|row| row[column]).collect();
            let size = norm(&left);
            if size <= NOTHING {
                continue;
            }
            // twice is enough
            for _ in 0..2 {
                for unit in &basis {
                    subtract(&mut left, unit);
                }
            }
            let length = norm(&left);
            if length > least * size {
                for x in &mut left {
                    *x /= length;
                }
                basis.push(left);
                taken.push(column);
            }
        }
    }
    taken
}

fn subtract(x: &mut [f64], unit: &[f64]) {
    let along = dot(unit, x);
    for (x, u) in x.iter_mut().zip(unit) {
        *x -= along * u;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependent_rows_are_left_out_and_the_first_of_equals_is_taken() {
        let rows = [
            vec![1.0, 0.0, 0.0],
            vec![0.0, 2.0, 0.0],
            vec![1.0, 2.0, 0.0],
            vec![0.0; 3],
        ];
        let basis = RowBasis::of(&rows);
        assert_eq!(basis.rows, [0, 1]);
        // the shortest solution of x = 3, 2 y = 4
        let x = basis.solve(&[3.0, 4.0, 7.0, 0.0], 3);
        assert!((x[0] - 3.0).abs() + (x[1] - 2.0).abs() + x[2].abs() < 1e-14);
    }

    #[test]
    fn preferred_columns_stay_free() {
        // x0 + x1 + x2 = 0: one of three is determined, the least preferred
        let rows = [vec![1.0, 1.0, 1.0]];
        assert_eq!(determined(&rows, &[0, 1, 2], 1), [2]);
        assert_eq!(determined(&rows, &[2, 1, 0], 1), [0]);
        // a column that hardly acts is not determined by it
        let rows = [vec![1.0, 1e-9], vec![0.0, 1e-9]];
        assert_eq!(determined(&rows, &[0, 1], 2).len(), 2);
    }
}
