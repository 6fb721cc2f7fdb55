//! From nodal matrices in element axes to tangent blocks about the origins of the bodies.

use super::drag::Drag;
use super::motion::MotionSlopes;
use super::pose::{BeamNode, Mat12, Pose, PoseSlopes, product, stacked};
use super::{BeamElement, BeamState};
use crate::element::Assembly;
use crate::frame::{Mat6, Vec3, cross};
use nalgebra::SMatrix;

type Mat12x6 = SMatrix<f64, 12, 6>;

/// Derivatives of the forces that the nodes need, by displacements, velocities and accelerations.
struct Nodal {
    by_place: Mat12,
    by_rate: Option<Mat12>,
    mass: Option<Mat12>,
}

/// The same by the motion of one body, for a row of forces.
struct BodyColumn {
    by_place: Mat12x6,
    by_rate: Mat12x6,
    mass: Mat12x6,
}

impl Nodal {
    /// Column for the body that carries the end `i`: its origin moves, the arm turns.
    fn column(&self, i: usize, node: &BeamNode) -> BodyColumn {
        let take = |m: &Mat12| -> Mat12x6 { m.fixed_view::<12, 6>(0, 6 * i).into() };
        let zero = Mat12x6::zeros;
        let mut column = BodyColumn {
            by_place: take(&self.by_place),
            by_rate: self.by_rate.as_ref().map_or_else(zero, take),
            mass: self.mass.as_ref().map_or_else(zero, take),
        };
        if node.arm == Vec3::zeros() {
            return column;
        }
        let (r, w) = (cross(&node.arm), cross(&node.w));
        let front = |m: &Mat12x6| -> SMatrix<f64, 12, 3> { m.fixed_columns::<3>(0).into() };
        let (k, c, m) = (
            front(&column.by_place),
            front(&column.by_rate),
            front(&column.mass),
        );
        // the point moves by −r̂ θ, its velocity by ω × that, its acceleration by (α̂ + ω̂ ω̂) that
        let turning = product(&k, &r)
            + product(&c, &(w * r))
            + product(&m, &((cross(&node.alpha) + w * w) * r));
        let mut angles = column.by_place.fixed_columns_mut::<3>(3);
        angles -= turning;
        let whirl = product(&c, &r) + product(&m, &(cross(&node.w.cross(&node.arm)) + w * r));
        let mut angles = column.by_rate.fixed_columns_mut::<3>(3);
        angles -= whirl;
        let mut angles = column.mass.fixed_columns_mut::<3>(3);
        angles -= product(&m, &r);
        column
    }
}

/// Nodal forces as a wrench on the body that carries the end `i`.
fn rows(m: &Mat12x6, i: usize, node: &BeamNode) -> Mat6 {
    let mut block: Mat6 = m.fixed_rows::<6>(6 * i).into();
    if node.arm != Vec3::zeros() {
        let moment = product(&cross(&node.arm), &m.fixed_rows::<3>(6 * i).into_owned());
        let mut lower = block.fixed_rows_mut::<3>(3);
        lower += moment;
    }
    block
}

/// R_e m R_eᵀ, block by block.
fn to_world(m: &Mat12, pose: &Pose) -> Mat12 {
    let (r, t) = (&pose.axes, pose.axes.transpose());
    let mut half = Mat12::zeros();
    for k in 0..4 {
        let part = product(&m.fixed_columns::<3>(3 * k).into_owned(), &t);
        half.fixed_columns_mut::<3>(3 * k).copy_from(&part);
    }
    let mut world = Mat12::zeros();
    for k in 0..4 {
        let part = product(r, &half.fixed_rows::<3>(3 * k).into_owned());
        world.fixed_rows_mut::<3>(3 * k).copy_from(&part);
    }
    world
}

impl BeamElement {
    /// Hands the tangent blocks of all bodies over.
    pub(super) fn blocks(&self, state: &BeamState, assembly: &mut dyn Assembly) {
        let slopes = PoseSlopes::new(&state.pose);
        let nodal = self.nodal(state, &slopes);
        let bodies = [self.ends[0].body, self.ends[1].body];
        for (j, node) in state.nodes.iter().enumerate() {
            if !assembly.moves(bodies[j]) {
                continue;
            }
            let column = nodal.column(j, node);
            for (i, row) in state.nodes.iter().enumerate() {
                if !assembly.moves(bodies[i]) {
                    continue;
                }
                let mut place = rows(&column.by_place, i, row);
                if i == j {
                    // the force's arm turns
                    let mut corner = place.fixed_view_mut::<3, 3>(3, 3);
                    corner += cross(&state.force[2 * i]) * cross(&row.arm);
                }
                let rate = rows(&column.by_rate, i, row);
                let pair = (bodies[i], bodies[j]);
                let mass = rows(&column.mass, i, row);
                assembly.configuration_block(pair.0, pair.1, &[-place, -rate, -mass]);
            }
        }
        if let Some(drag) = &state.drag
            && assembly.moves(self.reference)
        {
            self.reference_blocks(state, drag, &slopes, assembly);
        }
    }

    /// Blocks that couple the reference body of the mass-proportional damping to the ends.
    fn reference_blocks(
        &self,
        state: &BeamState,
        drag: &Drag,
        slopes: &PoseSlopes,
        assembly: &mut dyn Assembly,
    ) {
        let (pose, reference) = (&state.pose, self.reference);
        let m = self.mass * self.damping.mass;
        let by_turn = drag.by_turn(self.damping.mass, &self.inertia) - stacked(&drag.force);
        let mut by_place = product(&by_turn, &slopes.spin);
        drag.add_by_place(&m, pose, &mut by_place);
        let m = to_world(&m, pose);
        let nodal = Nodal {
            by_place: to_world(&by_place, pose),
            by_rate: Some(m),
            mass: None,
        };
        let force = drag.force.map(|f| pose.axes * f);
        let (carry, none) = (drag.carry(), Mat6::zeros());
        let mut place = Mat12x6::zeros();
        place
            .fixed_columns_mut::<3>(0)
            .copy_from(&(m * drag.carry_by_origin()));
        let rate = m * carry;
        // what the nodes feel is taken from the reference body
        let mut own: Mat6 = carry.tr_mul(&place);
        for (i, node) in state.nodes.iter().enumerate() {
            let body = self.ends[i].body;
            let hat = cross(&force[2 * i]);
            let mut corner = own.fixed_view_mut::<3, 3>(3, 0);
            corner -= hat;
            if !assembly.moves(body) {
                continue;
            }
            let (by_place, by_rate) = (rows(&place, i, node), rows(&rate, i, node));
            assembly.configuration_block(body, reference, &[by_place, by_rate, none]);
            let column = nodal.column(i, node);
            let mut by_place: Mat6 = carry.tr_mul(&column.by_place);
            let mut moved = by_place.fixed_view_mut::<3, 3>(3, 0);
            moved -= hat;
            let mut turned = by_place.fixed_view_mut::<3, 3>(3, 3);
            turned += hat * cross(&node.arm);
            let by_rate: Mat6 = carry.tr_mul(&column.by_rate);
            assembly.configuration_block(reference, body, &[by_place, by_rate, none]);
        }
        let by_rate: Mat6 = -carry.tr_mul(&rate);
        assembly.configuration_block(reference, reference, &[-own, by_rate, none]);
    }

    /// Derivatives of the nodal forces, in the world.
    fn nodal(&self, state: &BeamState, slopes: &PoseSlopes) -> Nodal {
        let BeamState {
            pose,
            motion,
            rates,
            load,
            drag,
            ..
        } = state;
        let moving = (!motion.is_still()).then(|| MotionSlopes::new(pose, slopes, motion));
        let (mut by_place, mut by_rate) =
            self.elastic
                .tangent(pose, slopes, load, moving.as_ref().map(|m| (rates, m)));
        let mut add_rate = |part: &Mat12| match &mut by_rate {
            Some(sum) => *sum += part,
            None => by_rate = Some(*part),
        };
        let heavy = self.inertia.mass > 0.0;
        let mass = &self.mass;
        // all but the nodes' share of the weight turn with the axes
        let mut by_turn = -stacked(&state.turning);
        if heavy {
            let part = self
                .inertia
                .tangent(mass, pose, slopes, motion, moving.as_ref());
            by_turn += part.by_turn;
            if let Some((place, rate)) = part.moving {
                by_place += place;
                add_rate(&rate);
            }
        }
        if let Some(drag) = drag {
            let m = mass * self.damping.mass;
            by_turn += drag.by_turn(self.damping.mass, &self.inertia);
            drag.add_by_place(&m, pose, &mut by_place);
            add_rate(&m);
        }
        by_place += product(&by_turn, &slopes.spin);
        Nodal {
            by_place: to_world(&by_place, pose),
            by_rate: by_rate.map(|m| to_world(&m, pose)),
            mass: heavy.then(|| to_world(mass, pose)),
        }
    }
}
