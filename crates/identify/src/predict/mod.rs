//! What a model predicts for a record: the force along a measured motion, or the motion under a
//! measured force.

mod condition;
mod force;
mod forward_model;
mod free_motion;
mod mesh;
mod slope;

pub(crate) use force::{for_each, friction};
pub(crate) use mesh::Mesh;

use crate::model::Acting;
use crate::{Record, RecordKind};

/// What the model says about the target of a record: the force, or the position of a free motion.
pub(crate) fn predict(record: &Record, acting: &Acting, mesh: &Mesh) -> Vec<f64> {
    match record.kind {
        RecordKind::Free => free_motion::positions(record, acting, mesh.uniform()),
        RecordKind::Motion | RecordKind::Steady => force::force(record, acting, mesh),
    }
}

/// Steps of the law that keep the prediction within `tolerance` (N, or m for a free motion) of that
/// with twice as many.
pub(crate) fn fine_mesh(record: &Record, acting: &Acting, tolerance: f64) -> Mesh {
    match record.kind {
        RecordKind::Free => Mesh::even(record, free_motion::steps(record, acting, tolerance)),
        RecordKind::Motion | RecordKind::Steady => Mesh::fine(record, acting, tolerance),
    }
}
