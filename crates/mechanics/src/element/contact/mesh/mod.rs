//! Surfaces of triangles.
//!
//! The nearest place of a mesh to a point lies in a face, on an edge or at a corner. In a face the
//! distance is that of its plane and the normal does not turn. On an edge and at a corner the normal
//! is the direction from there to the point, so that a ball rolls over an edge as over a cylinder of
//! no radius; on which side the point is says the *pseudonormal*: the sum of the normals of both faces
//! of an edge, and of those around a corner, each times its angle there (Bærentzen and Aanæs 2005).
//! Past an edge with one face alone there is no material.

mod orientation;
mod topology;

pub use topology::{MeshCount, MeshError, MeshFindings};

use super::place::SurfacePlace;
use crate::frame::{Mat3, Vec3};
use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQueryWithLocation as _;
use parry3d_f64::shape::{TriMesh, TrianglePointLocation};
use topology::Topology;

/// In the place of a neighbour where a face has none, or more than one.
const NONE: u32 = u32::MAX;
/// Off its face by less than this part, a direction is that of its normal.
const STRAIGHT: f64 = 1e-9;
/// Rounding of a place, over the size of the mesh.
const ROUNDING: f64 = 1e-14;

/// A surface of triangles with outward normals.
pub struct TriangleMesh {
    /// Corners and triangles, with their tree of boxes.
    tree: TriMesh,
    /// Unit normals of the faces.
    faces: Vec<Vec3>,
    /// The faces beyond the edges from corner 0 to 1, 1 to 2 and 2 to 0.
    neighbours: Vec<[u32; 3]>,
    /// Pseudonormals of the corners, not of unit length; 0 at the rim of a surface.
    corners: Vec<Vec3>,
    /// Lengths below this are rounding, m.
    rounding: f64,
}

impl TriangleMesh {
    /// The surface of triangles between `corners` (m), whose material is in it, or around it with
    /// `inside`.
    ///
    /// Corners at the same place are joined, triangles without area and repeated ones left out. The
    /// triangles of a piece are turned as most of them are. Those of a closed mesh look outwards,
    /// or inwards with `inside`, whatever they did; those of an open one are turned round with `inside`.
    ///
    /// # Errors
    /// [`MeshError`] for numbers that are not finite or no lengths of a machine, corners that do not
    /// exist, no triangle, or too many.
    pub fn new(
        corners: &[Vec3],
        triangles: &[[u32; 3]],
        inside: bool,
    ) -> Result<(Self, MeshFindings), MeshError> {
        let (topology, findings) = Topology::new(corners, triangles, inside)?;
        let Topology {
            corners,
            triangles,
            neighbours,
        } = topology;
        let faces: Vec<Vec3> = triangles
            .iter()
            .map(|triangle| scaled_normal(&corners, triangle).normalize())
            .collect();
        let pseudonormals = pseudonormals(&corners, &triangles, &neighbours, &faces);
        let to_vector = |corner: &Vec3| Vector::new(corner.x, corner.y, corner.z);
        let places = corners.iter().map(to_vector).collect();
        let tree = TriMesh::new(places, triangles).map_err(|_| MeshError::Empty)?;
        let mesh = Self {
            tree,
            faces,
            neighbours,
            corners: pseudonormals,
            rounding: ROUNDING * findings.reach(),
        };
        Ok((mesh, findings))
    }

    /// The corners of every triangle, m.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.tree
            .indices()
            .iter()
            .map(|triangle| triangle.map(|corner| self.corner(corner)))
    }

    /// Every edge once: its ends (m) and the cosine of the angle between the normals of its faces, −1
    /// at a rim.
    pub fn edges(&self) -> impl Iterator<Item = ([Vec3; 2], f64)> + '_ {
        let all = self.tree.indices().iter().zip(&self.neighbours).enumerate();
        all.flat_map(move |(face, (triangle, beyond))| {
            (0..3).filter_map(move |k| {
                let other = beyond[k];
                // of two faces the first one has the edge
                if (other as usize) < face {
                    return None;
                }
                let ends = [triangle[k], triangle[(k + 1) % 3]].map(|corner| self.corner(corner));
                let cosine = self
                    .faces
                    .get(other as usize)
                    .map_or(-1.0, |normal| normal.dot(&self.faces[face]));
                Some((ends, cosine))
            })
        })
    }

    /// The unit normal of every triangle.
    pub fn normals(&self) -> &[Vec3] {
        &self.faces
    }

    /// Lengths along the axes, m.
    pub fn size(&self) -> Vec3 {
        let size = self.tree.local_aabb().extents();
        Vec3::new(size.x, size.y, size.z)
    }

    /// Bytes of memory.
    pub fn memory(&self) -> usize {
        self.tree.total_memory_size()
            + size_of_val(&*self.faces)
            + size_of_val(&*self.neighbours)
            + size_of_val(&*self.corners)
    }

    fn corner(&self, k: u32) -> Vec3 {
        let at = self.tree.vertices()[k as usize];
        Vec3::new(at.x, at.y, at.z)
    }

    /// The nearest place to a point; NaN for a point that is not finite.
    pub(super) fn nearest(&self, x: &Vec3) -> SurfacePlace {
        let point = Vector::new(x.x, x.y, x.z);
        let found = self
            .tree
            .project_local_point_and_get_location_with_max_dist(point, false, f64::MAX);
        let Some((projection, (face, location))) = found else {
            return SurfacePlace {
                distance: f64::NAN,
                normal: Vec3::z(),
                hessian: Mat3::zeros(),
            };
        };
        let foot = Vec3::new(projection.point.x, projection.point.y, projection.point.z);
        let off = x - foot;
        let triangle = self.tree.indices()[face as usize];
        let face = face as usize;
        let normal = self.faces[face];
        let (pseudonormal, along) = match location {
            TrianglePointLocation::OnEdge(k, _) => {
                let k = k as usize;
                let other = self.faces.get(self.neighbours[face][k] as usize);
                let [from, to] = [triangle[k], triangle[(k + 1) % 3]].map(|k| self.corner(k));
                let along = (to - from).normalize();
                (other.map_or(Vec3::zeros(), |other| normal + other), along)
            }
            TrianglePointLocation::OnVertex(k) => {
                let corner = triangle[k as usize] as usize;
                (self.corners[corner], Vec3::zeros())
            }
            TrianglePointLocation::OnFace(..) | TrianglePointLocation::OnSolid => {
                return over_face(&normal, &off);
            }
        };
        let length = off.norm();
        // edges and corners in a plane belong to a face, but for rounding
        let beside = (off - normal * normal.dot(&off)).norm();
        if beside <= STRAIGHT * length + self.rounding {
            return over_face(&normal, &off);
        }
        let sign = if pseudonormal.dot(&off) < 0.0 {
            -1.0
        } else {
            1.0
        };
        let normal = off * (sign / length);
        let flat = normal * normal.transpose() + along * along.transpose();
        SurfacePlace {
            distance: sign * length,
            normal,
            hessian: (Mat3::identity() - flat) * (sign / length),
        }
    }
}

fn over_face(normal: &Vec3, off: &Vec3) -> SurfacePlace {
    SurfacePlace {
        distance: normal.dot(off),
        normal: *normal,
        hessian: Mat3::zeros(),
    }
}

impl PartialEq for TriangleMesh {
    fn eq(&self, other: &Self) -> bool {
        self.tree.vertices() == other.tree.vertices() && self.tree.indices() == other.tree.indices()
    }
}

impl std::fmt::Debug for TriangleMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TriangleMesh({} triangles)", self.faces.len())
    }
}

/// Twice the area along the normal.
fn scaled_normal(corners: &[Vec3], triangle: &[u32; 3]) -> Vec3 {
    let [a, b, c] = triangle.map(|corner| corners[corner as usize]);
    (b - a).cross(&(c - a))
}

/// Sums of the normals around every corner, times the angles of the faces there; 0 where the mesh
/// ends.
fn pseudonormals(
    corners: &[Vec3],
    triangles: &[[u32; 3]],
    neighbours: &[[u32; 3]],
    faces: &[Vec3],
) -> Vec<Vec3> {
    let mut sums = vec![Vec3::zeros(); corners.len()];
    for (triangle, normal) in triangles.iter().zip(faces) {
        for k in 0..3 {
            let [at, next, last] = [0, 1, 2].map(|i| corners[triangle[(k + i) % 3] as usize]);
            sums[triangle[k] as usize] += normal * (next - at).angle(&(last - at));
        }
    }
    for (triangle, beyond) in triangles.iter().zip(neighbours) {
        for k in (0..3).filter(|&k| beyond[k] == NONE) {
            for corner in [triangle[k], triangle[(k + 1) % 3]] {
                sums[corner as usize] = Vec3::zeros();
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests;
