//! The Jacobian of the residual, exact: the numbers of the optimiser are dual, and go through the
//! map to the parameters, the law and its updates along the record, and the terms around it.

use bristle_laws::Real;
use rayon::prelude::*;

use super::Objective;
use crate::model::Acting;
use crate::multi_dual::{MultiDual, WIDTH};
use crate::optimise::Columns;
use crate::predict::for_each;
use crate::prediction::smoothed;
use crate::{Record, RecordKind};

impl Objective<'_> {
    /// ∂(residual)/∂θ, one column per number; none where the motion is simulated, or where no law
    /// has these parameters.
    pub(crate) fn exact_columns(&self, theta: &[f64]) -> Option<Columns> {
        if self.model.stop.is_set() || self.records.iter().any(|r| r.kind == RecordKind::Free) {
            return None;
        }
        let plain = self.model.acting(&self.unpack(theta)).ok()?;
        let starts: Vec<usize> = (0..theta.len()).step_by(WIDTH).collect();
        let passes: Option<Vec<Columns>> = starts
            .into_par_iter()
            .map(|first| self.pass(theta, first, &plain))
            .collect();
        Some(passes?.into_iter().flatten().collect())
    }

    /// The columns of up to [`WIDTH`] numbers, from `first` on.
    fn pass(&self, theta: &[f64], first: usize, plain: &Acting) -> Option<Columns> {
        let count = (theta.len() - first).min(WIDTH);
        let seeded: Vec<MultiDual> = theta
            .iter()
            .enumerate()
            .map(|(k, x)| {
                if (first..first + count).contains(&k) {
                    MultiDual::variable(*x, k - first)
                } else {
                    MultiDual::from_f64(*x)
                }
            })
            .collect();
        let p = self.model.unpack(&seeded, &self.sizes);
        let acting = self.model.acting_over(&p, plain).ok()?;
        let mut columns = vec![Vec::new(); count];
        for (record, mesh) in self.records.iter().zip(&self.meshes) {
            let mut own = vec![Vec::with_capacity(record.len()); count];
            for_each(record, &acting, mesh, |force| {
                for (k, column) in own.iter_mut().enumerate() {
                    column.push(-force.slope[k]);
                }
            });
            for (column, own) in columns.iter_mut().zip(own) {
                column.extend(self.weighted(record, &smoothed(record, own)));
            }
        }
        Some(columns)
    }

    /// Derivatives as those of the residual; none where there is no number.
    fn weighted(&self, record: &Record, slopes: &[f64]) -> Vec<f64> {
        let each = slopes.iter().zip(&record.weight);
        each.map(|(slope, w)| {
            let x = w * slope / self.unit;
            if x.is_finite() { x } else { 0.0 }
        })
        .collect()
    }
}

#[cfg(test)]
mod tests;
