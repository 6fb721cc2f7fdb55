//! How far two placements of a machine are apart.

use crate::frame::Vec3;
use crate::joint::{Coordinate, JointStep};
use crate::model::Model;
use nalgebra::{Quaternion, UnitQuaternion};

impl Model {
    /// The displacement that takes coordinates to others, by degree of freedom: `to = from ⊞ out`, the
    /// inverse of [`displace`](bristle_integrate::System::displace). Lengths in m, angles and
    /// rotation vectors in rad; a rotation vector is at most π long. Entries of `out` behind the degrees of
    /// freedom are left as they are.
    pub fn separation(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        for step in self.joints.of_body.iter().flatten() {
            match step {
                JointStep::Slide(_, by) | JointStep::Turn(_, by) => {
                    if let Coordinate::Free { q, v } = by {
                        out[*v] = to[*q] - from[*q];
                    }
                }
                JointStep::Ball { q, v } => rotation(&from[*q..], &to[*q..], &mut out[*v..*v + 3]),
                JointStep::Float { q, v } => {
                    for k in 0..3 {
                        out[v + k] = to[q + k] - from[q + k];
                    }
                    rotation(&from[q + 3..], &to[q + 3..], &mut out[v + 3..v + 6]);
                }
            }
        }
    }
}

/// The rotation vector, in the axes before it, between two quaternions.
fn rotation(from: &[f64], to: &[f64], out: &mut [f64]) {
    let quaternion =
        |c: &[f64]| UnitQuaternion::new_normalize(Quaternion::new(c[0], c[1], c[2], c[3]));
    let by: Vec3 = (quaternion(to) * quaternion(from).inverse()).scaled_axis();
    out.copy_from_slice(by.as_slice());
}
