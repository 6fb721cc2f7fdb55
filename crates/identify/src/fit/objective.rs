//! Residuals as a function of the optimiser's numbers.

use crate::model::FitModel;
use crate::predict::{Mesh, predict};
use crate::prediction::filtered;
use crate::scales::RecordScales;
use crate::statistics::{mean, rms};
use crate::{Record, RecordKind};

/// Residual of a model that has no force at these numbers, in units of the force: far from any
/// sensible one, and finite.
const FAR: f64 = 1e3;

/// A model beside the records it is fitted to.
pub(crate) struct Objective<'a> {
    pub(crate) model: &'a FitModel,
    pub(crate) records: &'a [Record],
    pub(crate) meshes: Vec<Mesh>,
    /// The size of each linear parameter.
    pub(crate) sizes: Vec<f64>,
    /// The unit of the residual: the typical force, N, or distance, m.
    pub(crate) unit: f64,
}

impl<'a> Objective<'a> {
    /// With one step of the law per segment.
    pub(crate) fn coarse(model: &'a FitModel, records: &'a [Record]) -> Self {
        let meshes = records.iter().map(Mesh::coarse).collect();
        Self::with_meshes(model, records, meshes)
    }

    pub(crate) fn with_meshes(
        model: &'a FitModel,
        records: &'a [Record],
        meshes: Vec<Mesh>,
    ) -> Self {
        let scales = RecordScales::of(records);
        Self {
            model,
            records,
            meshes,
            sizes: scales.sizes(model),
            unit: unit(records, &scales),
        }
    }

    pub(crate) fn unpack(&self, theta: &[f64]) -> Vec<f64> {
        self.model.unpack(theta, &self.sizes)
    }

    pub(crate) fn pack(&self, p: &[f64]) -> Vec<f64> {
        self.model.pack(p, &self.sizes)
    }

    /// Parameters made consistent: through the optimiser's numbers and back.
    pub(crate) fn tied(&self, p: &[f64]) -> Vec<f64> {
        self.unpack(&self.pack(p))
    }

    /// (measured − fitted)/unit at the samples that count, records one after the other.
    pub(crate) fn residual(&self, theta: &[f64]) -> Vec<f64> {
        if self.model.stop.is_set() {
            let count = self.records.iter().map(Record::len).sum();
            return vec![FAR; count];
        }
        let acting = self.model.acting(&self.unpack(theta));
        let mut all = Vec::with_capacity(self.records.iter().map(Record::len).sum());
        for (record, mesh) in self.records.iter().zip(&self.meshes) {
            let Ok(acting) = &acting else {
                all.extend(std::iter::repeat_n(FAR, record.len()));
                continue;
            };
            let difference = filtered(record, &predict(record, acting, mesh));
            let weighted = difference.iter().zip(&record.weight).map(|(r, w)| {
                let x = w * r / self.unit;
                if x.is_finite() { x } else { FAR }
            });
            all.extend(weighted);
        }
        all
    }

    pub(crate) fn cost(&self, theta: &[f64]) -> f64 {
        0.5 * self.residual(theta).iter().map(|r| r * r).sum::<f64>()
    }
}

/// The unit of the residual: the typical force, or the typical distance of a free motion from its
/// mean.
fn unit(records: &[Record], scales: &RecordScales) -> f64 {
    if records.iter().all(|r| r.kind != RecordKind::Free) {
        return scales.force;
    }
    let spread = records.iter().map(|r| {
        let x = r.target();
        let middle = mean(x);
        rms(&x.iter().map(|x| x - middle).collect::<Vec<_>>())
    });
    let largest = spread.fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}
