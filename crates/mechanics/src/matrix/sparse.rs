//! LU of a block-sparse matrix in a fixed order, in place and without allocation.

use super::Order;
use super::kernels::{dense_factors, dot, lower_solve, subtract_product, upper_solve_right};
use std::sync::Arc;

/// A square matrix of blocks, one for every pair of coupled groups of degrees of freedom.
///
/// Pivots are sought inside the diagonal blocks alone: iteration matrices are a mass matrix and
/// less, and where that fails the caller shortens its step until the mass matrix rules.
#[derive(Clone, Debug)]
pub(crate) struct Sparse {
    pattern: Arc<Pattern>,
    /// The blocks, each by rows; the factors after [`Sparse::factorise`].
    entries: Vec<f64>,
    /// Row that comes in the place of each row of a diagonal block.
    pivots: Vec<usize>,
    work: Vec<f64>,
}

/// Where the blocks are.
#[derive(Debug)]
struct Pattern {
    groups: Vec<Group>,
    /// Group of every degree of freedom, and its place there.
    of_dof: Vec<(usize, usize)>,
    entries: usize,
}

#[derive(Debug)]
struct Group {
    /// First degree of freedom, and their number.
    first: usize,
    size: usize,
    diagonal: usize,
    /// Coupled groups that are eliminated later.
    later: Vec<CoupledBlocks>,
    /// Where the products of column block i and row block j go, i running slower.
    targets: Vec<usize>,
}

/// A pair of blocks.
#[derive(Clone, Copy, Debug)]
struct CoupledBlocks {
    group: usize,
    size: usize,
    /// Block in the row of the earlier group, and in its column.
    right: usize,
    below: usize,
}

impl Pattern {
    fn new(order: &Order) -> Self {
        let mut of_dof = vec![(0, 0); order.n];
        let mut entries = 0;
        let mut take = |rows: usize, columns: usize| {
            let at = entries;
            entries += rows * columns;
            at
        };
        let mut groups: Vec<Group> = Vec::with_capacity(order.groups.len());
        for (k, (dofs, later)) in order.groups.iter().zip(&order.later).enumerate() {
            for (place, dof) in dofs.clone().enumerate() {
                of_dof[dof] = (k, place);
            }
            let size = dofs.len();
            let coupling = |&group: &usize, take: &mut dyn FnMut(usize, usize) -> usize| {
                let other = order.groups[group].len();
                CoupledBlocks {
                    group,
                    size: other,
                    right: take(size, other),
                    below: take(other, size),
                }
            };
            groups.push(Group {
                first: dofs.start,
                size,
                diagonal: take(size, size),
                later: later.iter().map(|g| coupling(g, &mut take)).collect(),
                targets: Vec::new(),
            });
        }
        for k in 0..groups.len() {
            let later = &groups[k].later;
            let pairs = later.iter().flat_map(|i| later.iter().map(move |j| (i, j)));
            let targets = pairs.filter_map(|(i, j)| block(&groups, i.group, j.group));
            groups[k].targets = targets.collect();
        }
        Self {
            groups,
            of_dof,
            entries,
        }
    }

    /// Where an entry is kept.
    #[inline]
    fn at(&self, i: usize, j: usize) -> Option<usize> {
        let ((row, i), (column, j)) = (self.of_dof[i], self.of_dof[j]);
        let start = block(&self.groups, row, column)?;
        Some(start + i * self.groups[column].size + j)
    }
}

/// Where the block of two groups starts.
#[inline]
fn block(groups: &[Group], row: usize, column: usize) -> Option<usize> {
    if row == column {
        return Some(groups[row].diagonal);
    }
    let (early, late) = (row.min(column), row.max(column));
    let coupling = groups[early].later.iter().find(|c| c.group == late)?;
    Some(if row == early {
        coupling.right
    } else {
        coupling.below
    })
}

impl Sparse {
    pub(crate) fn new(order: &Order) -> Self {
        let pattern = Arc::new(Pattern::new(order));
        Self {
            entries: vec![0.0; pattern.entries],
            pivots: vec![0; order.n],
            work: vec![0.0; order.n],
            pattern,
        }
    }

    /// All that is stored.
    pub(super) fn entries(&self) -> &[f64] {
        &self.entries
    }

    pub(super) fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.entries
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Adds to an entry of a pair of coupled groups.
    #[inline]
    pub(crate) fn add(&mut self, i: usize, j: usize, x: f64) {
        if let Some(at) = self.pattern.at(i, j) {
            self.entries[at] += x;
        }
    }

    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        self.pattern.at(i, j).map_or(0.0, |at| self.entries[at])
    }

    pub(crate) fn multiply(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for group in &self.pattern.groups {
            let (own, size) = (group.first, group.size);
            let mut add = |block: usize, row: usize, rows: usize, column: usize, columns: usize| {
                let block = &self.entries[block..block + rows * columns];
                let x = &x[column..column + columns];
                for (row, y) in block.chunks_exact(columns).zip(&mut out[row..row + rows]) {
                    *y += dot(row, x);
                }
            };
            add(group.diagonal, own, size, own, size);
            for coupling in &group.later {
                let (other, others) = (self.pattern.groups[coupling.group].first, coupling.size);
                add(coupling.right, own, size, other, others);
                add(coupling.below, other, others, own, size);
            }
        }
    }

    /// Factorises in place.
    ///
    /// # Errors
    /// The degree of freedom whose pivot is zero or not a number.
    pub(crate) fn factorise(&mut self) -> Result<(), usize> {
        let entries = &mut self.entries;
        for group in &self.pattern.groups {
            let n = group.size;
            let pivots = &mut self.pivots[group.first..group.first + n];
            let diagonal = &mut entries[group.diagonal..group.diagonal + n * n];
            dense_factors(diagonal, pivots).map_err(|k| group.first + k)?;
            for coupling in &group.later {
                let m = coupling.size;
                let (diagonal, right) = pair(entries, group.diagonal, coupling.right, n * n, n * m);
                lower_solve(diagonal, pivots, right, m);
                let (diagonal, below) = pair(entries, group.diagonal, coupling.below, n * n, n * m);
                upper_solve_right(diagonal, below, n);
            }
            let mut targets = group.targets.iter();
            for i in &group.later {
                for (j, &target) in group.later.iter().zip(&mut targets) {
                    let (sources, later) = entries.split_at_mut(first_target(group));
                    let target = target - sources.len();
                    let below = &sources[i.below..i.below + i.size * n];
                    let right = &sources[j.right..j.right + n * j.size];
                    subtract_product(
                        below,
                        right,
                        &mut later[target..target + i.size * j.size],
                        n,
                    );
                }
            }
        }
        Ok(())
    }

    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        let groups = &self.pattern.groups;
        for group in groups {
            let (n, first) = (group.size, group.first);
            let diagonal = &self.entries[group.diagonal..group.diagonal + n * n];
            let own = &mut b[first..first + n];
            lower_solve(diagonal, &self.pivots[first..first + n], own, 1);
            self.work[..n].copy_from_slice(own);
            for coupling in &group.later {
                let below = &self.entries[coupling.below..coupling.below + coupling.size * n];
                let other = groups[coupling.group].first;
                for (row, y) in below.chunks_exact(n).zip(&mut b[other..]) {
                    *y -= dot(row, &self.work[..n]);
                }
            }
        }
        for group in groups.iter().rev() {
            let (n, first) = (group.size, group.first);
            for coupling in &group.later {
                let right = &self.entries[coupling.right..coupling.right + n * coupling.size];
                let other = groups[coupling.group].first;
                self.work[..coupling.size].copy_from_slice(&b[other..other + coupling.size]);
                let x = &self.work[..coupling.size];
                for (row, y) in right.chunks_exact(coupling.size).zip(&mut b[first..]) {
                    *y -= dot(row, x);
                }
            }
            let diagonal = &self.entries[group.diagonal..group.diagonal + n * n];
            let own = &mut b[first..first + n];
            for i in (0..n).rev() {
                let row = &diagonal[i * n..(i + 1) * n];
                own[i] = (own[i] - dot(&row[i + 1..], &own[i + 1..])) * row[i];
            }
        }
    }
}

/// Blocks of later groups start here.
fn first_target(group: &Group) -> usize {
    let last = group.later.last();
    last.map_or(usize::MAX, |c| c.below + c.size * group.size)
}

/// Two blocks at once; the first one lies wholly before the second.
fn pair(
    entries: &mut [f64],
    first: usize,
    second: usize,
    lengths: usize,
    length: usize,
) -> (&[f64], &mut [f64]) {
    let (early, late) = entries.split_at_mut(second);
    (&early[first..first + lengths], &mut late[..length])
}

#[cfg(test)]
mod tests {
    use super::super::Dense;
    use super::*;

    /// Groups of 1 to 6 degrees of freedom in a tree with one loop.
    #[test]
    fn solves_as_the_dense_matrix_does() {
        let sizes = [3, 6, 1, 6, 2, 6, 4];
        let pairs = [(0, 1), (1, 2), (1, 3), (3, 4), (3, 5), (5, 6), (6, 1)];
        let mut links = vec![Vec::new(); 7];
        for (a, b) in pairs {
            links[a].push(b);
            links[b].push(a);
        }
        let n: usize = sizes.iter().sum();
        let (mut sparse, mut dense) = (
            Sparse::new(&Order::of(&links, &sizes, sizes.len())),
            Dense::new(n),
        );
        let first = |g: usize| sizes[..g].iter().sum::<usize>();
        let mut fill = |a: usize, b: usize, strong: f64| {
            for i in 0..sizes[a] {
                for j in 0..sizes[b] {
                    let (i, j) = (first(a) + i, first(b) + j);
                    // the largest entries beside the diagonal, so that pivots are needed
                    let shifted = if a == b && (i + 1) % sizes[a] == j % sizes[a] {
                        strong
                    } else {
                        0.0
                    };
                    let x = shifted + ((7 * i + 3 * j) as f64).sin();
                    sparse.add(i, j, x);
                    dense.add(i, j, x);
                }
            }
        };
        for g in 0..7 {
            fill(g, g, 9.0);
        }
        for (a, b) in pairs {
            fill(a, b, 0.0);
            fill(b, a, 0.0);
        }
        assert!(
            sparse.get(0, n - 1).abs() < f64::MIN_POSITIVE,
            "groups 0 and 6 are not coupled"
        );
        let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let (mut b, mut d) = (vec![0.0; n], vec![0.0; n]);
        sparse.multiply(&x, &mut b);
        dense.multiply(&x, &mut d);
        // sums of some twenty products of order one
        assert!(b.iter().zip(&d).all(|(b, d)| (b - d).abs() < 1e-13));
        sparse.factorise().unwrap();
        sparse.solve(&mut b);
        // the condition of the matrix is below 1000
        assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-11));
    }

    #[test]
    fn names_the_degree_of_freedom_without_a_pivot() {
        let mut matrix = Sparse::new(&Order::of(&[vec![1], vec![0]], &[2, 1], 2));
        matrix.add(0, 0, 1.0);
        matrix.add(2, 2, 1.0);
        assert_eq!(matrix.factorise(), Err(1));
    }
}
