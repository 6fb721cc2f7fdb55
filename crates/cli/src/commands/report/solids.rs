//! What a body looks like: the solid that the scenario gives it, else the box that its inertia has.

use bristle_mechanics::{Body, Frame, Inertia, Joint};
use bristle_report::SceneShape;
use bristle_scenario::Scenario;
use nalgebra::{Rotation3, UnitQuaternion};

use super::fields::{number, vector};

/// An edge of a box as short as this part of the longest one is a sheet all the same: it is drawn so thick.
const THINNEST: f64 = 0.02;

/// Edge of the cube of a point with mass, as a part of the way to the next body.
const POINT: f64 = 0.3;

/// The solid that the scenario gives a body, about its centre of mass.
pub(super) fn given(scenario: &Scenario, body: &str) -> Option<SceneShape> {
    let path = format!("body.{body}.shape");
    let centre = vector(scenario, &format!("body.{body}.centre_of_mass")).unwrap_or_default();
    if let Some(edges) = vector(scenario, &format!("{path}.box")) {
        return Some(SceneShape::Box { edges, centre });
    }
    if let Some(radius) = number(scenario, &format!("{path}.sphere")) {
        return Some(SceneShape::Sphere { radius, centre });
    }
    let radius = number(scenario, &format!("{path}.cylinder.radius"))?;
    let length = number(scenario, &format!("{path}.cylinder.length"))?;
    Some(SceneShape::Cylinder {
        radius,
        length,
        centre,
    })
}

/// What stands for a body without a shape: the box that its inertia has, or a cube that leaves room to the next
/// body for a point with mass; nothing for a node of a beam.
pub(super) fn assumed(body: &Body, frame: &Frame, others: &[Frame]) -> Option<SceneShape> {
    if body.is_node {
        return None;
    }
    inertia_box(&body.inertia).or_else(|| {
        let ways = others.iter().map(|other| (other.p - frame.p).norm());
        let next = ways.filter(|way| *way > 0.0).fold(f64::INFINITY, f64::min);
        let is_point = matches!(body.joint, Joint::Translational) && next.is_finite();
        is_point.then_some(SceneShape::Box {
            edges: [POINT * next; 3],
            centre: [0.0; 3],
        })
    })
}

/// The box of even density that has the moments of inertia given: a² = 6 (I_y + I_z − I_x)/m.
fn inertia_box(inertia: &Inertia) -> Option<SceneShape> {
    if inertia.mass <= 0.0 {
        return None;
    }
    let principal = inertia.tensor.symmetric_eigen();
    let sum = principal.eigenvalues.sum();
    let sides = [0, 1, 2].map(|k| {
        let square = 6.0 * (sum - 2.0 * principal.eigenvalues[k]) / inertia.mass;
        square.max(0.0).sqrt()
    });
    let longest = sides.iter().copied().fold(0.0, f64::max);
    if longest <= 0.0 || !longest.is_finite() {
        return None;
    }
    let mut axes = principal.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(2).neg_mut();
    }
    let q = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    Some(SceneShape::Inertia {
        edges: sides.map(|side| side.max(THINNEST * longest)),
        centre: inertia.centre.into(),
        orientation: [q.w, q.i, q.j, q.k],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_mechanics::Vec3;
    use nalgebra::Matrix3;

    /// A brick of 2 kg with edges of 0.3, 0.2 and 0.1 m, turned by 90 degrees about z: m (b² + c²)/12.
    #[test]
    fn a_brick_has_its_own_box() {
        let about = |b: f64, c: f64| 2.0 * (b * b + c * c) / 12.0;
        let (x, y, z) = (about(0.3, 0.1), about(0.2, 0.1), about(0.2, 0.3));
        let inertia = Inertia {
            mass: 2.0,
            centre: Vec3::new(0.0, 0.0, 0.5),
            tensor: Matrix3::from_diagonal(&Vec3::new(x, y, z)),
        };
        let Some(shape) = inertia_box(&inertia) else {
            panic!("no box");
        };
        let lines = bristle_report::edges(&shape).into_iter();
        for [x, y, z] in lines.filter(|line| line.len() > 2).flatten() {
            let off = [x.abs() - 0.1, y.abs() - 0.15, (z - 0.5).abs() - 0.05];
            // roundings of the eigenvalues
            assert!(off.iter().all(|off| off.abs() < 1e-12), "{off:?}");
        }
    }
}
