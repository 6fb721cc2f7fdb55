//! From triangles as a file has them to a surface: corners that are joined, edges, and what is wrong.

use super::NONE;
use super::orientation::{self, FaceTurning};
use crate::frame::Vec3;
use std::collections::{HashMap, HashSet};

/// Most triangles of a mesh.
const MOST: usize = 4_000_000;
/// No length of a machine is larger than this, m.
const FARTHEST: f64 = 1e9;
/// A triangle that is flatter than this has no area to rely on: height over its longest side.
const FLAT: f64 = 1e-12;

/// Why triangles make no surface. Corners and triangles have numbers from 0, as they were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// No triangle with an area.
    #[error("it has no triangle with an area")]
    Empty,
    /// More triangles than a mesh may have.
    #[error("it has {0} triangles; a mesh may have {MOST}: simplify it")]
    TooMany(usize),
    /// A corner of a triangle that does not exist.
    #[error("a corner does not exist")]
    NoCorner(usize),
    /// A corner of a triangle that is not finite, or too far away.
    #[error("a corner is not a finite number below {FARTHEST:e} m")]
    NotFinite(usize),
}

impl MeshError {
    /// The triangle to blame, from 0.
    pub fn triangle(&self) -> Option<usize> {
        match self {
            Self::Empty | Self::TooMany(_) => None,
            Self::NoCorner(triangle) | Self::NotFinite(triangle) => Some(*triangle),
        }
    }
}

/// How many there are, and the first triangle of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshCount {
    /// How many.
    pub count: usize,
    /// A triangle as it was given, from 0.
    pub first: usize,
}

impl MeshCount {
    pub(super) fn add(&mut self, triangle: usize) {
        if self.count == 0 {
            self.first = triangle;
        }
        self.count += 1;
    }
}

/// What a mesh is like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshFindings {
    /// Triangles that are used.
    pub triangles: usize,
    /// Smallest coordinates, m.
    pub low: Vec3,
    /// Largest coordinates, m.
    pub high: Vec3,
    /// Triangles without area, left out.
    pub without_area: MeshCount,
    /// Triangles with the corners of another one, left out.
    pub repeated: MeshCount,
    /// Edges with one triangle alone.
    pub open_edges: MeshCount,
    /// Edges with more than two triangles.
    pub crowded_edges: MeshCount,
    /// Triangles that looked to another side than most of their piece.
    pub turned: MeshCount,
    /// Triangles that look to both sides of their piece: a band with a twist.
    pub twisted: MeshCount,
    /// Whether a closed mesh that has its material in it looked inwards, and was turned as a whole.
    pub turned_whole: bool,
}

impl MeshFindings {
    /// Lengths along the axes, m.
    pub fn size(&self) -> Vec3 {
        self.high - self.low
    }

    /// The largest coordinate, m.
    pub(super) fn reach(&self) -> f64 {
        self.low.amax().max(self.high.amax())
    }
}

/// Corners, triangles with outward normals, and their neighbours.
pub(super) struct Topology {
    pub(super) corners: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) neighbours: Vec<[u32; 3]>,
}

/// Triangles that are kept, with their numbers in what was given.
struct Kept {
    corners: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    numbers: Vec<u32>,
}

impl Topology {
    pub(super) fn new(
        corners: &[Vec3],
        triangles: &[[u32; 3]],
        inside: bool,
    ) -> Result<(Self, MeshFindings), MeshError> {
        if triangles.len() > MOST {
            return Err(MeshError::TooMany(triangles.len()));
        }
        let mut findings = MeshFindings::default();
        let Kept {
            corners,
            mut triangles,
            numbers,
        } = keep(corners, triangles, &mut findings)?;
        let mut neighbours = neighbours(&triangles, &numbers, &mut findings);
        let FaceTurning { turned, twisted } = orientation::turning(&triangles, &neighbours);
        for (k, &number) in numbers.iter().enumerate() {
            if turned[k] {
                findings.turned.add(number as usize);
            }
            if twisted[k] {
                findings.twisted.add(number as usize);
            }
        }
        let closed = findings.open_edges.count == 0 && findings.crowded_edges.count == 0;
        let turns_all = if closed {
            let volume = volume(&corners, &triangles, &turned);
            (volume < 0.0) != inside
        } else {
            inside
        };
        findings.turned_whole = turns_all && !inside;
        let all = triangles.iter_mut().zip(&mut neighbours).zip(&turned);
        for ((triangle, beyond), _) in all.filter(|(_, turned)| **turned != turns_all) {
            triangle.swap(1, 2);
            beyond.swap(0, 2);
        }
        findings.triangles = triangles.len();
        let topology = Self {
            corners,
            triangles,
            neighbours,
        };
        Ok((topology, findings))
    }
}

/// Joins corners at the same place, and leaves out triangles without area and repeated ones.
fn keep(
    corners: &[Vec3],
    triangles: &[[u32; 3]],
    findings: &mut MeshFindings,
) -> Result<Kept, MeshError> {
    let mut places: HashMap<[u64; 3], u32> = HashMap::with_capacity(corners.len() / 2);
    let mut next = 0;
    let mut known = HashSet::with_capacity(triangles.len());
    let mut kept = Kept {
        corners: Vec::new(),
        triangles: Vec::with_capacity(triangles.len()),
        numbers: Vec::with_capacity(triangles.len()),
    };
    for ((number, index), triangle) in (0..).zip(0_u32..).zip(triangles) {
        let mut own = [0; 3];
        for (own, &corner) in own.iter_mut().zip(triangle) {
            let corner = corners
                .get(corner as usize)
                .ok_or(MeshError::NoCorner(number))?;
            if !corner.iter().all(|x| x.abs() <= FARTHEST) {
                return Err(MeshError::NotFinite(number));
            }
            // + 0.0: −0 is 0
            let key = [corner.x, corner.y, corner.z].map(|x| (x + 0.0).to_bits());
            *own = *places.entry(key).or_insert_with(|| {
                kept.corners.push(*corner);
                next += 1;
                next - 1
            });
        }
        if !has_area(&kept.corners, &own) {
            findings.without_area.add(number);
            continue;
        }
        let mut sorted = own;
        sorted.sort_unstable();
        if !known.insert(sorted) {
            findings.repeated.add(number);
            continue;
        }
        kept.triangles.push(own);
        kept.numbers.push(index);
    }
    if kept.triangles.is_empty() {
        return Err(MeshError::Empty);
    }
    let used = kept.triangles.iter().flatten();
    let far = Vec3::repeat(f64::INFINITY);
    (findings.low, findings.high) = used.fold((far, -far), |(low, high), &corner| {
        let at = &kept.corners[corner as usize];
        (low.inf(at), high.sup(at))
    });
    Ok(kept)
}

fn has_area(corners: &[Vec3], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|corner| corners[corner as usize]);
    let longest = (b - a)
        .norm_squared()
        .max((c - b).norm_squared())
        .max((a - c).norm_squared());
    super::scaled_normal(corners, triangle).norm() > FLAT * longest
}

/// The triangles beyond the edges of each.
fn neighbours(
    triangles: &[[u32; 3]],
    numbers: &[u32],
    findings: &mut MeshFindings,
) -> Vec<[u32; 3]> {
    let mut edges: Vec<(u32, u32, u32, u8)> = Vec::with_capacity(3 * triangles.len());
    for (face, triangle) in (0..).zip(triangles) {
        for k in 0..3_u8 {
            let [a, b] = [k, (k + 1) % 3].map(|k| triangle[usize::from(k)]);
            edges.push((a.min(b), a.max(b), face, k));
        }
    }
    edges.sort_unstable();
    let mut neighbours = vec![[NONE; 3]; triangles.len()];
    for group in edges.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
        let number = numbers[group[0].2 as usize] as usize;
        match group {
            [(.., face, k), (.., other, l)] => {
                neighbours[*face as usize][usize::from(*k)] = *other;
                neighbours[*other as usize][usize::from(*l)] = *face;
            }
            [_] => findings.open_edges.add(number),
            _ => findings.crowded_edges.add(number),
        }
    }
    neighbours
}

/// The volume in a closed mesh of which some triangles are turned, m³.
fn volume(corners: &[Vec3], triangles: &[[u32; 3]], turned: &[bool]) -> f64 {
    let Some(origin) = triangles.first().map(|t| corners[t[0] as usize]) else {
        return 0.0;
    };
    let parts = triangles.iter().zip(turned).map(|(triangle, turned)| {
        let [a, b, c] = triangle.map(|corner| corners[corner as usize] - origin);
        let part = a.dot(&b.cross(&c));
        if *turned { -part } else { part }
    });
    parts.sum::<f64>() / 6.0
}
