//! The part of the tangent that changes with the configuration only: inertia and elasticity.

use super::{BodyPair, Positions};
use crate::frame::{Frame, Mat3, Mat6, Vec3, cross};
use crate::joint::CoordinateKind;
use crate::kinematics::Motion;
use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::Instant;

impl Model {
    /// Renews it at the frames in `scratch`, from the inertia of the bodies and the
    /// blocks that the elements handed over.
    pub(super) fn configuration_into(&self, scratch: &mut Scratch, at: &Instant<'_>) {
        scratch.configuration.clear();
        if self.has_chains {
            self.carriers_into(scratch, at);
        }
        for i in 1..self.bodies.len() {
            if self.chains[i].is_empty() {
                continue;
            }
            if !self.bodies[i].inertia.is_none() {
                let blocks = self.inertia_blocks(i, &scratch.frames[i]);
                self.add_block(scratch, BodyPair { row: i, column: i }, &blocks);
            }
            if !self.is_simple[i] {
                self.add_load_rotation(scratch, i);
            }
        }
        let blocks = std::mem::take(&mut scratch.blocks.configuration);
        for block in &blocks {
            // the residual is inertia less applied forces
            self.add_block(scratch, BodyPair::of(block), &block.entries.map(|b| -b));
        }
        scratch.blocks.configuration = blocks;
        scratch.configuration.known = true;
    }

    /// Adds ∂W/∂x, ∂W/∂V and ∂W/∂A of a wrench that the residual contains.
    fn add_block(&self, scratch: &mut Scratch, pair: BodyPair, blocks: &[Mat6; 3]) {
        let [by_x, by_v, by_a] = blocks;
        let Scratch {
            frames,
            motions,
            carriers,
            configuration,
            ..
        } = scratch;
        let positions = Positions {
            frames,
            motions,
            carriers,
        };
        let is_simple = self.is_simple[pair.column];
        self.project(&positions, pair, |of, target| {
            target.add(&mut configuration.mass, &(by_a * of.motion));
            let mut rate = by_v * of.motion;
            let mut place = by_x * of.motion;
            if !is_simple {
                // at fixed q̇ and q̈ the velocities and accelerations of the body still change
                rate += by_a * of.by_rate;
                place += by_v * of.velocity + by_a * of.acceleration;
            }
            target.add(&mut configuration.damping, &rate);
            target.add(&mut configuration.stiffness, &place);
        });
    }

    /// δJ_iᵀ W of the net wrench on one body.
    fn add_load_rotation(&self, scratch: &mut Scratch, body: usize) {
        let p = scratch.frames[body].p;
        let wrench = &scratch.own_wrenches[body];
        let force = Vec3::new(wrench[0], wrench[1], wrench[2]);
        let moment = Vec3::new(wrench[3], wrench[4], wrench[5]);
        let dofs = &self.joints.dofs;
        for &i in &self.chains[body] {
            let (along, about) = scratch.motions[i].of(&p);
            for &k in &self.chains[body] {
                let carries = dofs[k].step < dofs[i].step;
                let turned = if carries {
                    // the axis of i and what hangs on it turn about the axis of k
                    let Motion::About(e, _) = &scratch.motions[k] else {
                        continue;
                    };
                    e.cross(&along).dot(&force) + e.cross(&about).dot(&moment)
                } else {
                    // the body moves away from the axis of i
                    let own =
                        dofs[k].step == dofs[i].step && dofs[k].kind == CoordinateKind::Translation;
                    if !dofs[i].turns || own {
                        continue;
                    }
                    let (moved, _) = scratch.motions[k].of(&p);
                    about.cross(&moved).dot(&force)
                };
                scratch.configuration.stiffness.add(i, k, -turned);
            }
        }
    }

    /// ∂(inertia wrench) by (x, θ), (v, ω) and (a, α), of a body.
    fn inertia_blocks(&self, body: usize, frame: &Frame) -> [Mat6; 3] {
        let inertia = &self.bodies[body].inertia;
        let (m, arm) = (inertia.mass, frame.r * inertia.centre);
        let tensor = frame.r * inertia.tensor * frame.r.transpose();
        let hat = cross(&arm);
        let mut by_a = Mat6::zeros();
        add(&mut by_a, [0, 0], &Mat3::from_diagonal_element(m));
        add(&mut by_a, [0, 3], &(-hat * m));
        add(&mut by_a, [3, 0], &(hat * m));
        add(&mut by_a, [3, 3], &(tensor - hat * hat * m));
        let w = cross(&frame.w);
        // gyroscopic: ω × (ω × r) and ω × I ω by ω
        let whirl = -(cross(&frame.w.cross(&arm)) + w * hat) * m;
        let gyro = w * tensor - cross(&(tensor * frame.w));
        let mut by_v = Mat6::zeros();
        add(&mut by_v, [0, 3], &whirl);
        add(&mut by_v, [3, 3], &(gyro + hat * whirl));
        // turning the body turns its inertia and the arm of its centre of mass
        let spin = |x: &Vec3| tensor * cross(x) - cross(&(tensor * x));
        let turned = spin(&frame.alpha) + w * spin(&frame.w);
        let by_arm = -(cross(&frame.alpha) + w * w) * hat * m;
        let force = (frame.acceleration_at(&arm) - self.gravity) * m;
        let mut by_x = Mat6::zeros();
        add(&mut by_x, [0, 3], &by_arm);
        add(
            &mut by_x,
            [3, 3],
            &(turned + hat * by_arm + cross(&force) * hat),
        );
        [by_x, by_v, by_a]
    }
}

/// Adds a part of a block at a row and a column.
fn add(block: &mut Mat6, at: [usize; 2], part: &Mat3) {
    let mut view = block.fixed_view_mut::<3, 3>(at[0], at[1]);
    view += part;
}
