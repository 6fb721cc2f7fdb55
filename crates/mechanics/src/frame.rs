//! Frames and the small matrices of spatial mechanics.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

/// A vector in three dimensions.
pub type Vec3 = Vector3<f64>;
pub(crate) type Mat3 = Matrix3<f64>;
pub(crate) type Mat6 = Matrix6<f64>;
pub(crate) type Vec6 = Vector6<f64>;

/// A body's frame in the world, with its motion.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Origin, m.
    pub p: Vec3,
    /// Rotation from body to world axes.
    pub r: Mat3,
    /// Velocity of the origin, m/s.
    pub v: Vec3,
    /// Angular velocity, rad/s.
    pub w: Vec3,
    /// Acceleration of the origin, m/s².
    pub a: Vec3,
    /// Angular acceleration, rad/s².
    pub alpha: Vec3,
}

impl Frame {
    /// The world.
    pub const WORLD: Self = Self {
        p: Vec3::new(0.0, 0.0, 0.0),
        r: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        v: Vec3::new(0.0, 0.0, 0.0),
        w: Vec3::new(0.0, 0.0, 0.0),
        a: Vec3::new(0.0, 0.0, 0.0),
        alpha: Vec3::new(0.0, 0.0, 0.0),
    };

    /// Velocity of the point of the body that is at `r` from the origin (world axes).
    #[inline]
    pub fn velocity_at(&self, r: &Vec3) -> Vec3 {
        self.v + self.w.cross(r)
    }

    /// Acceleration of that point.
    #[inline]
    pub fn acceleration_at(&self, r: &Vec3) -> Vec3 {
        self.a + self.alpha.cross(r) + self.w.cross(&self.w.cross(r))
    }
}

/// The matrix of x ↦ v × x.
#[inline]
pub(crate) fn cross(v: &Vec3) -> Mat3 {
    Mat3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}

/// A vector in space from its linear and its angular part.
pub(crate) fn joined(force: &Vec3, moment: &Vec3) -> Vec6 {
    Vec6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z)
}

/// The linear and the angular part of a vector in space.
pub(crate) fn split(wrench: &Vec6) -> (Vec3, Vec3) {
    (
        Vec3::new(wrench[0], wrench[1], wrench[2]),
        Vec3::new(wrench[3], wrench[4], wrench[5]),
    )
}
