//! The element frame and the local deformations (Battini's corotational kinematics).

use crate::element::rotation::{log, rate_map};
use crate::frame::{Frame, Mat3, Vec3, cross};
use nalgebra::{RowSVector, SMatrix};

pub(super) type Mat12 = SMatrix<f64, 12, 12>;
pub(super) type Mat3x12 = SMatrix<f64, 3, 12>;
pub(super) type Mat12x3 = SMatrix<f64, 12, 3>;
pub(super) type Row12 = RowSVector<f64, 12>;
/// Vectors of the nodes: translation and rotation of the first, then of the second.
pub(super) type Quad = [Vec3; 4];

/// First row of the translation and of the rotation of the two nodes.
pub(super) const ROTATION: [usize; 2] = [3, 9];

/// Chord and section axes are kept this far from vanishing, relative to their size.
const LEAST: f64 = 1e-9;

/// An end of the beam: point, section axes and motion, in the world.
#[derive(Debug)]
pub(super) struct BeamNode {
    pub(super) x: Vec3,
    pub(super) v: Vec3,
    pub(super) w: Vec3,
    pub(super) a: Vec3,
    pub(super) alpha: Vec3,
    /// From the body's origin to the point.
    pub(super) arm: Vec3,
    pub(super) triad: Mat3,
}

impl BeamNode {
    pub(super) fn new(frame: &Frame, point: &Vec3, orientation: &Mat3) -> Self {
        let arm = frame.r * point;
        let whirl = frame.w.cross(&arm);
        Self {
            x: frame.p + arm,
            v: frame.v + whirl,
            w: frame.w,
            a: frame.a + frame.alpha.cross(&arm) + frame.w.cross(&whirl),
            alpha: frame.alpha,
            arm,
            triad: frame.r * orientation,
        }
    }
}

/// Where the element is and how it is deformed.
///
/// e₁ lies along the chord, e₃ is normal to it and to the mean q of the sections' y axes. With
/// the triads Tᵢ of the ends, ϑᵢ = log(R_eᵀ Tᵢ) are the local rotations (Battini & Pacoste,
/// *Comput. Methods Appl. Mech. Engrg.* 191 (2002) 1755).
#[derive(Debug)]
pub(super) struct Pose {
    /// R_e: its columns are the axes of the element.
    pub(super) axes: Mat3,
    /// Distance of the ends, m.
    pub(super) length: f64,
    /// The chord's lengthening, m.
    pub(super) stretch: f64,
    pub(super) theta: [Vec3; 2],
    /// y axes of the ends' sections in element axes.
    section_y: [Vec3; 2],
    /// y component of their mean.
    mean_y: f64,
    /// q₁/q₂, and qᵢ₁/q₂, qᵢ₂/q₂ of the ends.
    eta: f64,
    etas: [[f64; 2]; 2],
}

impl Pose {
    pub(super) fn new([a, b]: &[BeamNode; 2], natural: f64) -> Self {
        let chord = b.x - a.x;
        let squared = chord.norm_squared();
        let length = squared.sqrt().max(LEAST * natural);
        let e1 = chord / length;
        let q = (a.triad.column(1) + b.triad.column(1)) * 0.5;
        let normal = e1.cross(&q);
        let size = normal.norm();
        let e3 = if size > LEAST {
            normal / size
        } else {
            // sections turned against each other by half a turn: any normal serves
            Vec3::from(a.triad.column(2))
        };
        let axes = Mat3::from_columns(&[e1, e3.cross(&e1), e3]);
        let [ra, rb] = [axes.tr_mul(&a.triad), axes.tr_mul(&b.triad)];
        let theta = [log(&ra), log(&rb)];
        let section_y = [Vec3::from(ra.column(1)), Vec3::from(rb.column(1))];
        let mean = (section_y[0] + section_y[1]) * 0.5;
        let mean_y = mean.y.max(LEAST);
        Self {
            axes,
            length,
            stretch: (squared - natural * natural) / (length + natural),
            theta,
            section_y,
            mean_y,
            eta: mean.x / mean_y,
            etas: section_y.map(|q| [q.x / mean_y, q.y / mean_y]),
        }
    }

    /// World vectors in element axes.
    pub(super) fn local(&self, v: &Vec3) -> Vec3 {
        self.axes.tr_mul(v)
    }

    /// Gᵀ V: angular velocity of the element frame from velocities of the nodes.
    pub(super) fn spin(&self, v: &Quad) -> Vec3 {
        let [a, b] = &self.etas;
        let lift = (v[0].z - v[2].z) / self.length;
        let roll = a[1] * v[1].x - a[0] * v[1].y + b[1] * v[3].x - b[0] * v[3].y;
        Vec3::new(
            0.5 * roll + self.eta * lift,
            lift,
            (v[2].y - v[0].y) / self.length,
        )
    }

    /// G m: nodal forces of a moment that turns the element frame.
    pub(super) fn spread(&self, m: &Vec3) -> Quad {
        let [a, b] = &self.etas;
        let force = Vec3::new(0.0, -m.z, self.eta * m.x + m.y) / self.length;
        let half = 0.5 * m.x;
        [
            force,
            Vec3::new(a[1] * half, -a[0] * half, 0.0),
            -force,
            Vec3::new(b[1] * half, -b[0] * half, 0.0),
        ]
    }

    /// Gᵀ as a matrix.
    pub(super) fn spin_matrix(&self) -> Mat3x12 {
        let mut columns = Mat3x12::zeros();
        for (i, e) in [Vec3::x(), Vec3::y(), Vec3::z()].iter().enumerate() {
            let row = self.spread(e);
            for (k, part) in row.iter().enumerate() {
                for j in 0..3 {
                    columns[(i, 3 * k + j)] = part[j];
                }
            }
        }
        columns
    }
}

/// Derivatives of a pose by the displacements and rotations of the nodes, in element axes.
#[derive(Debug)]
pub(super) struct PoseSlopes {
    /// Gᵀ: of the element frame's rotation.
    pub(super) spin: Mat3x12,
    /// Of the local rotations ϑᵢ.
    pub(super) theta: [Mat3x12; 2],
    /// T⁻¹(ϑᵢ).
    pub(super) rate_maps: [Mat3; 2],
    /// Of the length.
    pub(super) length: Row12,
    eta: Row12,
    etas: [[Row12; 2]; 2],
}

impl PoseSlopes {
    pub(super) fn new(pose: &Pose) -> Self {
        let spin = pose.spin_matrix();
        let turns = ROTATION.map(|first| {
            let mut turn = -spin;
            for i in 0..3 {
                turn[(i, first + i)] += 1.0;
            }
            turn
        });
        let mut length = Row12::zeros();
        (length[0], length[6]) = (-1.0, 1.0);
        let moved = [0, 1].map(|i| product(&-cross(&pose.section_y[i]), &turns[i]));
        let mean = (moved[0] + moved[1]) * 0.5;
        let rate_maps = pose.theta.map(|t| rate_map(&t));
        let over = |row: Row12, ratio: f64| (row - mean.row(1) * ratio) / pose.mean_y;
        Self {
            theta: [0, 1].map(|i| product(&rate_maps[i], &turns[i])),
            rate_maps,
            length,
            eta: over(mean.row(0).into(), pose.eta),
            etas: [0, 1].map(|i| [0, 1].map(|j| over(moved[i].row(j).into(), pose.etas[i][j]))),
            spin,
        }
    }

    /// ∂(G m)/∂x at fixed m.
    pub(super) fn of_spread(&self, pose: &Pose, m: &Vec3) -> Mat12 {
        let l = pose.length;
        let mut slope = Mat12::zeros();
        let y = self.length * (m.z / (l * l));
        let z = self.eta * (m.x / l) - self.length * ((pose.eta * m.x + m.y) / (l * l));
        let half = 0.5 * m.x;
        for (row, part) in [
            (1, y),
            (2, z),
            (7, -y),
            (8, -z),
            (3, self.etas[0][1] * half),
            (4, self.etas[0][0] * -half),
            (9, self.etas[1][1] * half),
            (10, self.etas[1][0] * -half),
        ] {
            slope.row_mut(row).copy_from(&part);
        }
        slope
    }

    /// ∂(Gᵀ V)/∂x at fixed V (element axes).
    pub(super) fn of_spin(&self, pose: &Pose, v: &Quad) -> Mat3x12 {
        let l = pose.length;
        let [a, b] = &self.etas;
        let lift = (v[0].z - v[2].z) / l;
        let roll = a[1] * v[1].x - a[0] * v[1].y + b[1] * v[3].x - b[0] * v[3].y;
        let mut slope = Mat3x12::zeros();
        let first = roll * 0.5 + self.eta * lift - self.length * (pose.eta * lift / l);
        slope.row_mut(0).copy_from(&first);
        slope.row_mut(1).copy_from(&(self.length * (-lift / l)));
        slope
            .row_mut(2)
            .copy_from(&(self.length * ((v[0].y - v[2].y) / (l * l))));
        slope
    }
}

/// Four cross-product matrices, one below the other.
pub(super) fn stacked(v: &Quad) -> Mat12x3 {
    let mut matrix = Mat12x3::zeros();
    for (k, part) in v.iter().enumerate() {
        matrix
            .fixed_view_mut::<3, 3>(3 * k, 0)
            .copy_from(&cross(part));
    }
    matrix
}

/// a b. Plain loops of fixed length over columns, which the compiler turns into vector code.
#[inline]
pub(super) fn product<const R: usize, const K: usize, const C: usize>(
    a: &SMatrix<f64, R, K>,
    b: &SMatrix<f64, K, C>,
) -> SMatrix<f64, R, C> {
    let mut out = SMatrix::<f64, R, C>::zeros();
    for (out, b) in out.data.0.iter_mut().zip(&b.data.0) {
        for (x, a) in b.iter().zip(&a.data.0) {
            for (y, a) in out.iter_mut().zip(a) {
                *y += x * a;
            }
        }
    }
    out
}
