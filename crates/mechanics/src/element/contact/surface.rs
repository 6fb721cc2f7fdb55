//! Surfaces on which points and balls press.
//!
//! A surface is known by its signed distance φ from a point, positive out of the material: the gap
//! of a ball is φ at its centre less its radius, the normal n = ∇φ points out of the material, and
//! the Hessian H = ∂n/∂x says how the normal turns as the point moves. H has the eigenvalue 0 along
//! n and κ/(1 + κ φ) along the principal directions of the surface with its curvatures κ, which are
//! positive where the material is convex.

use super::cam::CamProfile;
use super::mesh::TriangleMesh;
use super::place::SurfacePlace;
use crate::body::BodyId;
use crate::frame::{Mat3, Vec3};
use std::sync::Arc;

/// The shape of a surface in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub enum SurfaceShape {
    /// z = 0; the normal is the z axis.
    Plane,
    /// A sphere about the origin.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder about the z axis, without ends.
    Cylinder {
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder about the z axis with a half ball at both ends.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Half of the distance between the centres of the half balls, m.
        half_length: f64,
    },
    /// A cone with its apex at the origin, which opens along the z axis without end.
    Cone {
        /// Angle between the axis and the surface, rad, in (0, π/2).
        half_angle: f64,
    },
    /// A cylinder along the z axis over a closed curve in the plane of x and y, without ends.
    Cam(Arc<CamProfile>),
    /// Triangles, whose normals look out of the material.
    Mesh(Arc<TriangleMesh>),
}

/// A surface of a body.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The body.
    pub body: BodyId,
    /// The origin of the surface, in body axes, m: a point of a plane or of an axis, a centre, an
    /// apex.
    pub point: Vec3,
    /// Columns: the axes of the surface, in body axes. Of a plane two tangents and the outward
    /// normal.
    pub axes: Mat3,
    /// The shape.
    pub shape: SurfaceShape,
    /// Whether the material is around the shape, as that of a groove or a bowl, and not in it.
    pub inside: bool,
}

impl Surface {
    /// The plane through `point` with the outward `normal` (body axes).
    ///
    /// The first tangent is the projection of the body's x axis (of y where x is the normal).
    pub fn plane(body: BodyId, point: Vec3, normal: Vec3) -> Self {
        Self::curved(body, point, normal, SurfaceShape::Plane)
    }

    /// A shape whose origin is `point` and whose z axis is `axis` (body axes), with its material in it.
    pub fn curved(body: BodyId, point: Vec3, axis: Vec3, shape: SurfaceShape) -> Self {
        let n = axis.normalize();
        let first = tangent_to(&n);
        Self {
            body,
            point,
            axes: Mat3::from_columns(&[first, n.cross(&first), n]),
            shape,
            inside: false,
        }
    }

    /// Triangles in the axes `axes` (columns) about `point` (body axes); the mesh itself knows its side.
    pub fn mesh(body: BodyId, point: Vec3, axes: Mat3, mesh: Arc<TriangleMesh>) -> Self {
        Self {
            body,
            point,
            axes,
            shape: SurfaceShape::Mesh(mesh),
            inside: false,
        }
    }

    /// The same shape with the material around it; a mesh stays as it is.
    #[must_use]
    pub fn turned_inside(mut self) -> Self {
        self.inside = !matches!(self.shape, SurfaceShape::Mesh(_));
        self
    }

    /// Whether it is a plane.
    #[inline]
    pub fn is_plane(&self) -> bool {
        matches!(self.shape, SurfaceShape::Plane)
    }

    /// The radius in which a ball inside must fit, m; none of a surface that takes any ball.
    pub fn bore(&self) -> Option<f64> {
        match self.shape {
            SurfaceShape::Sphere { radius }
            | SurfaceShape::Cylinder { radius }
            | SurfaceShape::Capsule { radius, .. } => Some(radius).filter(|_| self.inside),
            SurfaceShape::Plane
            | SurfaceShape::Cone { .. }
            | SurfaceShape::Cam(_)
            | SurfaceShape::Mesh(_) => None,
        }
    }

    /// The nearest place to a point `x` in the axes of the surface, m.
    ///
    /// On an axis or at a centre, where there is none nearest, it is one of them, with H = 0.
    pub fn nearest(&self, x: &Vec3) -> SurfacePlace {
        let across = Vec3::new(x.x, x.y, 0.0);
        let place = match &self.shape {
            SurfaceShape::Plane => SurfacePlace {
                distance: x.z,
                normal: Vec3::z(),
                hessian: Mat3::zeros(),
            },
            SurfaceShape::Sphere { radius } => round(x, *radius, &Mat3::identity()),
            SurfaceShape::Cylinder { radius } => round(&across, *radius, &ACROSS),
            SurfaceShape::Capsule {
                radius,
                half_length,
            } => {
                let beyond = x.z - x.z.clamp(-*half_length, *half_length);
                if beyond == 0.0 {
                    round(&across, *radius, &ACROSS)
                } else {
                    round(
                        &(across + Vec3::new(0.0, 0.0, beyond)),
                        *radius,
                        &Mat3::identity(),
                    )
                }
            }
            SurfaceShape::Cone { half_angle } => self.nearest_of_cone(x, *half_angle),
            SurfaceShape::Cam(profile) => nearest_of_cam(profile, x),
            SurfaceShape::Mesh(mesh) => mesh.nearest(x),
        };
        if self.inside {
            SurfacePlace {
                distance: -place.distance,
                normal: -place.normal,
                hessian: -place.hessian,
            }
        } else {
            place
        }
    }

    fn nearest_of_cone(&self, x: &Vec3, half_angle: f64) -> SurfacePlace {
        let (sin, cos) = half_angle.sin_cos();
        let across = Vec3::new(x.x, x.y, 0.0);
        let around = round(&across, 0.0, &ACROSS);
        // beyond the apex of a solid cone the apex is nearest
        if !self.inside && around.distance * sin + x.z * cos < 0.0 {
            return round(x, 0.0, &Mat3::identity());
        }
        SurfacePlace {
            distance: around.distance * cos - x.z * sin,
            normal: around.normal * cos - Vec3::z() * sin,
            hessian: around.hessian * cos,
        }
    }
}

fn nearest_of_cam(profile: &CamProfile, x: &Vec3) -> SurfacePlace {
    let place = profile.nearest([x.x, x.y]);
    let [nx, ny] = place.normal;
    let tangent = Vec3::new(-ny, nx, 0.0);
    // beyond the centre of curvature of a hollow another place is nearest
    let stretch = 1.0 + place.curvature * place.distance;
    let turning = if stretch > 1e-3 {
        place.curvature / stretch
    } else {
        0.0
    };
    SurfacePlace {
        distance: place.distance,
        normal: Vec3::new(nx, ny, 0.0),
        hessian: tangent * tangent.transpose() * turning,
    }
}

/// What is left of the space across an axis.
const ACROSS: Mat3 = Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0);

/// A circle or sphere of a radius about the origin of a `space`: φ = |x| − R, H = (I − n nᵀ)/|x|.
fn round(x: &Vec3, radius: f64, space: &Mat3) -> SurfacePlace {
    let length = x.norm();
    if length <= f64::MIN_POSITIVE {
        return SurfacePlace {
            distance: -radius,
            normal: Vec3::x(),
            hessian: Mat3::zeros(),
        };
    }
    let normal = x / length;
    SurfacePlace {
        distance: length - radius,
        normal,
        hessian: (space - normal * normal.transpose()) / length,
    }
}

/// A unit vector at right angles to a unit vector: the projection of x, or of y where x is nearly it.
pub(super) fn tangent_to(n: &Vec3) -> Vec3 {
    let guide = if n.x.abs() < 0.9 {
        Vec3::x()
    } else {
        Vec3::y()
    };
    (guide - n * n.dot(&guide)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cam without hollow.
    fn egg() -> CamProfile {
        let point = |k: u32| {
            let a = std::f64::consts::TAU * f64::from(k) / 48.0;
            let r = 0.2 + 0.05 * a.cos();
            [r * a.cos(), r * a.sin()]
        };
        let points: Vec<[f64; 2]> = (0..48).map(point).collect();
        CamProfile::new(&points).expect("sound")
    }

    fn surfaces() -> Vec<Surface> {
        let shapes = [
            SurfaceShape::Plane,
            SurfaceShape::Sphere { radius: 0.3 },
            SurfaceShape::Cylinder { radius: 0.3 },
            SurfaceShape::Capsule {
                radius: 0.2,
                half_length: 0.1,
            },
            SurfaceShape::Cone { half_angle: 0.5 },
            SurfaceShape::Cam(Arc::new(egg())),
        ];
        let outside =
            shapes.map(|shape| Surface::curved(BodyId::GROUND, Vec3::zeros(), Vec3::z(), shape));
        outside
            .into_iter()
            .flat_map(|surface| [surface.clone(), surface.turned_inside()])
            .collect()
    }

    const POINTS: [Vec3; 4] = [
        Vec3::new(0.21, -0.13, 0.05),
        Vec3::new(-0.4, 0.3, 0.5),
        Vec3::new(0.1, 0.2, -0.6),
        Vec3::new(0.02, 0.01, 0.9),
    ];

    #[test]
    fn the_normal_is_the_gradient_of_the_distance_and_turns_by_the_hessian() {
        for surface in surfaces() {
            for x in POINTS {
                let place = surface.nearest(&x);
                assert!((place.normal.norm() - 1.0).abs() < 1e-14);
                let e = 1e-5;
                for k in 0..3 {
                    let step = Vec3::ith(k, e);
                    let [up, down] = [x + step, x - step].map(|x| surface.nearest(&x));
                    // central differences: e² of curvatures up to 50/m, and rounding / e
                    let slope = (up.distance - down.distance) / (2.0 * e);
                    assert!((slope - place.normal[k]).abs() < 1e-6, "{surface:?} {x}");
                    let turned = (up.normal - down.normal) / (2.0 * e);
                    let column: Vec3 = place.hessian.column(k).into();
                    assert!((turned - column).norm() < 1e-4, "{surface:?} {x}");
                }
            }
        }
    }

    #[test]
    fn the_foot_is_on_the_surface() {
        // a cone inside is met along the normal only where its wall is on that side of the axis
        for surface in surfaces() {
            for x in &POINTS[..2] {
                let place = surface.nearest(x);
                let foot = x - place.normal * place.distance;
                assert!(surface.nearest(&foot).distance.abs() < 1e-14, "{surface:?}");
            }
        }
    }

    #[test]
    fn on_an_axis_there_is_a_finite_answer() {
        for surface in surfaces() {
            let place = surface.nearest(&Vec3::zeros());
            assert!(place.distance.is_finite() && place.hessian.norm().is_finite());
            assert!((place.normal.norm() - 1.0).abs() < 1e-14);
        }
    }
}
