//! The rows of Φ: what keeps two joint frames together.

use super::loop_joint::{LoopJoint, LoopMotion};
use crate::body::Joint;
use crate::frame::{Vec3, Vec6, joined};
use crate::joint::tangents;

/// Whose row it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RowOwner {
    Loop(usize),
    Coupling(usize),
}

/// A row of Φ.
#[derive(Clone, Debug)]
pub(super) struct ConstraintRow {
    pub(super) owner: RowOwner,
    pub(super) kind: RowKind,
}

impl ConstraintRow {
    /// What it is measured in: the machine's size, or 1.
    pub(super) fn unit(&self, reach: f64) -> f64 {
        match self.kind {
            RowKind::Along(_) => reach,
            RowKind::Across { .. } | RowKind::Linear => 1.0,
        }
    }

    /// Whether it holds an angle.
    pub(super) fn is_angle(&self) -> bool {
        matches!(self.kind, RowKind::Across { .. })
    }
}

/// What a row holds to zero.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowKind {
    /// The distance of the ends along an axis of the first joint frame: Φ = e·d, m.
    Along(Vec3),
    /// An axis of the first joint frame and one of the second keep their angle: Φ = e·f − c.
    Across { e: Vec3, f: Vec3, cosine: f64 },
    /// A linear equation between joint coordinates.
    Linear,
}

/// A row at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowMotion {
    /// Φ, Φ̇ and Φ̈.
    pub(crate) jet: [f64; 3],
    /// Force and moment on both bodies about their origins, per unit of the multiplier.
    pub(crate) wrenches: [Vec6; 2],
    /// Whether a force: its direction, else that of a moment.
    pub(crate) pushes: Option<Vec3>,
    /// Of a moment: both axes.
    pub(crate) turns: Option<[Vec3; 2]>,
}

/// The rows of a joint that closes a loop.
pub(super) fn of_loop(place: usize, own: &LoopJoint) -> Vec<ConstraintRow> {
    let all = [Vec3::x(), Vec3::y(), Vec3::z()];
    let [x, y, z] = all;
    let square = |e, f| RowKind::Across { e, f, cosine: 0.0 };
    let along =
        |axes: &[Vec3]| -> Vec<RowKind> { axes.iter().map(|axis| RowKind::Along(*axis)).collect() };
    let upright = |axis: &Vec3| {
        let [first, second] = tangents(axis);
        vec![square(first, *axis), square(second, *axis)]
    };
    let still = || vec![square(x, y), square(y, z), square(z, x)];
    let kinds = match &own.joint {
        Joint::Fixed => [along(&all), still()].concat(),
        Joint::Revolute { axis } => {
            let [first, second] = tangents(axis);
            [along(&[first, second, *axis]), upright(axis)].concat()
        }
        Joint::Prismatic { axis } => {
            let [first, second] = tangents(axis);
            [
                along(&[first, second]),
                upright(axis),
                vec![square(first, second)],
            ]
            .concat()
        }
        Joint::Cylindrical { axis } => [along(&tangents(axis)), upright(axis)].concat(),
        Joint::Planar { normal } => [along(&[*normal]), upright(normal)].concat(),
        Joint::Universal { first, second } => {
            let cosine = first.dot(second);
            let (e, f) = (*first, *second);
            [along(&all), vec![RowKind::Across { e, f, cosine }]].concat()
        }
        Joint::Spherical => along(&all),
        Joint::Translational => still(),
        Joint::Free | Joint::Prescribed(_) => Vec::new(),
    };
    let owner = RowOwner::Loop(place);
    let kinds = kinds.into_iter();
    kinds.map(|kind| ConstraintRow { owner, kind }).collect()
}

/// The row of a coupling.
pub(super) fn of_coupling(place: usize) -> ConstraintRow {
    ConstraintRow {
        owner: RowOwner::Coupling(place),
        kind: RowKind::Linear,
    }
}

impl RowKind {
    /// The row of a loop whose ends move like this.
    ///
    /// With u the velocity of the moving end less that of the other body's point there,
    /// Φ̇ = e·u and Φ̈ = e·u̇ + 2 (ω × e)·u; for axes, n = f × e, Φ̇ = (ω₂ − ω₁)·n.
    #[inline]
    pub(super) fn motion(&self, at: &LoopMotion) -> Option<RowMotion> {
        let [from, to] = &at.axes;
        let ([w, w_to], none) = (&at.w, Vec3::zeros());
        match self {
            Self::Along(axis) => {
                let e = from * axis;
                let coriolis = 2.0 * at.carried.cross(&e).dot(&at.slide);
                Some(RowMotion {
                    jet: [
                        e.dot(&at.apart),
                        e.dot(&at.slide),
                        e.dot(&at.slide_rate) + coriolis,
                    ],
                    wrenches: [
                        joined(&-e, &-at.arm_from.cross(&e)),
                        joined(&e, &at.arm_to.cross(&e)),
                    ],
                    pushes: Some(e),
                    turns: None,
                })
            }
            Self::Across { e, f, cosine } => {
                let (e, f) = (from * e, to * f);
                let n = f.cross(&e);
                let turned = w_to.cross(&f).cross(&e) + f.cross(&w.cross(&e));
                let spin = w_to - w;
                Some(RowMotion {
                    jet: [
                        e.dot(&f) - cosine,
                        spin.dot(&n),
                        (at.alpha[1] - at.alpha[0]).dot(&n) + spin.dot(&turned),
                    ],
                    wrenches: [joined(&none, &-n), joined(&none, &n)],
                    pushes: None,
                    turns: Some([e, f]),
                })
            }
            Self::Linear => None,
        }
    }
}
