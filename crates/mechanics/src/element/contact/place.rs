//! What a surface says of a point.

use crate::frame::{Mat3, Vec3};

/// The place of a surface that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePlace {
    /// Signed distance φ of the point, m; positive out of the material.
    pub distance: f64,
    /// Unit normal n out of the material, in the axes of the surface.
    pub normal: Vec3,
    /// H = ∂n/∂x at the point, 1/m, in the axes of the surface.
    pub hessian: Mat3,
}
