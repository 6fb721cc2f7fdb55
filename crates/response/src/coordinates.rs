//! The coordinates of the balance: as few as move all sites.

use crate::linear::HarmonicForce;
use crate::site::Site;
use nalgebra::DMatrix;

/// Singular values of B below this part of the largest one are none.
const RANK: f64 = 1e-10;

/// The reference stiffness in units of that of the stuck pairs: above it, so that the machine it
/// holds has no resonance where the machine with pairs has one.
const REFERENCE: f64 = 3.0;

/// Coordinates w = Q x of the sites, and the maps to their own coordinates.
pub(crate) struct PairCoordinates {
    /// Coordinates of each site by w.
    pub(crate) maps: Vec<DMatrix<f64>>,
    /// Q.
    pub(crate) pairs: DMatrix<f64>,
    /// S: a stiffness of w that keeps the equations regular.
    pub(crate) reference: DMatrix<f64>,
}

impl PairCoordinates {
    /// Of some sites in a machine with this stiffness matrix. Where no site moves, or there is none,
    /// also those of the loads: the curve is followed by its motion there.
    pub(crate) fn of(sites: &[Site], stiffness: &DMatrix<f64>, forces: &[HarmonicForce]) -> Self {
        let n = stiffness.nrows();
        let mut rows: Vec<DMatrix<f64>> = sites.iter().map(Site::rows).collect();
        if rows.iter().all(|own| own.iter().all(|x| *x == 0.0)) {
            rows.push(loaded(forces, n));
        }
        let (mut maps, pairs) = split(&rows, n);
        maps.truncate(sites.len());
        let usual = stiffness.trace().abs() / n.max(1) as f64;
        let usual = if usual > 0.0 { usual } else { 1.0 };
        let mut reference = DMatrix::zeros(pairs.nrows(), pairs.nrows());
        for (site, map) in sites.iter().zip(&maps) {
            for c in 0..site.coordinates() {
                let row = map.row(c);
                let stiffness = REFERENCE * site.reference_stiffness(c, usual);
                reference += row.transpose() * row * stiffness;
            }
        }
        Self {
            maps,
            pairs,
            reference,
        }
    }
}

/// Directions of loads among the degrees of freedom: their parts in phase and behind it.
fn loaded(forces: &[HarmonicForce], dofs: usize) -> DMatrix<f64> {
    let vectors = forces.iter().flat_map(|force| {
        let driven = force.by_rate.iter().flatten();
        std::iter::once(&force.force).chain(driven)
    });
    let parts = vectors.flat_map(|p| [p.map(|x| x.re), p.map(|x| x.im)]);
    let rows: Vec<_> = parts.map(|part| part.transpose()).collect();
    if rows.is_empty() {
        DMatrix::zeros(0, dofs)
    } else {
        DMatrix::from_rows(&rows)
    }
}

/// Splits the rows B of all sites into P Q with as few rows of Q as do: maps P of the sites, and Q.
fn split(rows: &[DMatrix<f64>], dofs: usize) -> (Vec<DMatrix<f64>>, DMatrix<f64>) {
    let count: usize = rows.iter().map(DMatrix::nrows).sum();
    let mut all = DMatrix::zeros(count, dofs);
    let mut at = 0;
    for own in rows {
        all.view_mut((at, 0), own.shape()).copy_from(own);
        at += own.nrows();
    }
    let (p, q) = if count == 0 {
        (DMatrix::zeros(0, 0), DMatrix::zeros(0, dofs))
    } else {
        factors(all)
    };
    let mut at = 0;
    let maps = rows.iter().map(|own| {
        let map = p.rows(at, own.nrows()).into_owned();
        at += own.nrows();
        map
    });
    (maps.collect(), q)
}

fn factors(all: DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let (count, dofs) = all.shape();
    let svd = all.clone().svd(true, true);
    let largest = svd.singular_values.max();
    let rank = svd
        .singular_values
        .iter()
        .filter(|s| **s > RANK * largest)
        .count();
    let (Some(u), Some(v_t)) = (&svd.u, &svd.v_t) else {
        return (DMatrix::identity(count, count), all);
    };
    if rank == count {
        return (DMatrix::identity(count, count), all);
    }
    let order = {
        let mut order: Vec<usize> = (0..svd.singular_values.len()).collect();
        order.sort_by(|&a, &b| svd.singular_values[b].total_cmp(&svd.singular_values[a]));
        order.truncate(rank);
        order
    };
    let p = DMatrix::from_fn(count, rank, |i, k| {
        u[(i, order[k])] * svd.singular_values[order[k]]
    });
    let q = DMatrix::from_fn(rank, dofs, |k, j| v_t[(order[k], j)]);
    (p, q)
}
