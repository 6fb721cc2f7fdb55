//! The tangent of the residual: mass matrix M and S = m M + c C + k K.
//!
//! With W_b the net wrench on body b about its origin and J_i the motion of degree of freedom i,
//! the residual is r_i = −Σ_b J_i(b)·W_b. Its variation has three parts:
//!
//! - J_iᵀ ∂W/∂x δx, what elements and inertia hand over as 6 × 6 blocks;
//! - J_iᵀ (∂W/∂V δV + ∂W/∂A δA), where velocities and accelerations of a body change with the
//!   coordinates of the joints that carry it, at fixed q̇ and q̈;
//! - δJ_iᵀ W: loads turn against the axes that they work on.
//!
//! The last two vanish for a body that hangs on something at rest by a joint with one step,
//! or freely ([`Model::is_simple`]): most bodies, so they are cheap.
//!
//! Inertia and beams change with the configuration only, and cost most: their parts of M, C and K
//! are kept apart ([`ConfigurationTangent`](crate::configuration_tangent::ConfigurationTangent)), so that a new step length or a contact that slips
//! costs neither.

mod column;
mod configuration;
mod reaction;

use crate::frame::{Frame, Vec3, Vec6};
use crate::joint::JointStep;
use crate::kinematics::Motion;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::scratch::{BodyBlock, JointSlope, Scratch};
use bristle_integrate::{Instant, Weights};
use column::FreedomColumn;

impl Model {
    /// S from the blocks that the elements handed over; the part that changes with the
    /// configuration only is renewed if `scratch` wants that.
    pub(crate) fn tangent_into(&self, scratch: &mut Scratch, at: &Instant<'_>, weights: Weights) {
        if scratch.wants_configuration_tangent {
            self.configuration_into(scratch, at);
        } else if self.has_chains {
            self.carriers_into(scratch, at);
        }
        let Scratch {
            frames,
            motions,
            carriers,
            configuration,
            matrix,
            blocks,
            joint_slopes,
            ..
        } = scratch;
        matrix.combine([
            (weights.mass, &configuration.mass),
            (weights.damping, &configuration.damping),
            (weights.stiffness, &configuration.stiffness),
        ]);
        let positions = Positions {
            frames,
            motions,
            carriers,
        };
        for of_pair in &blocks.combined {
            let block = &of_pair.entries;
            self.project(&positions, BodyPair::of(of_pair), |of, target| {
                target.add(matrix, &(-block * of.motion));
            });
        }
        for of_pair in &blocks.rate {
            let block = &of_pair.entries;
            self.project(&positions, BodyPair::of(of_pair), |of, target| {
                target.add(matrix, &(-block * of.velocity * weights.stiffness));
            });
        }
        for &JointSlope { row, column, slope } in &*joint_slopes {
            matrix.add(row, column, slope);
        }
        self.add_constraints(frames, motions, matrix);
        let slopes = std::mem::take(&mut scratch.reaction_slopes);
        for slope in &slopes {
            self.add_reaction_slope(scratch, slope, weights.mass);
        }
        scratch.reaction_slopes = slopes;
    }

    /// Visits every column of a body, with where the wrenches it gives go.
    fn project(
        &self,
        positions: &Positions<'_>,
        pair: BodyPair,
        mut each: impl FnMut(&FreedomColumn, &WrenchTarget<'_>),
    ) {
        let Positions {
            frames, motions, ..
        } = *positions;
        let BodyPair { row, column } = pair;
        for &j in &self.chains[column] {
            let of = if self.is_simple[column] {
                FreedomColumn::simple(&motions[j], &frames[column].p)
            } else {
                self.column(positions, j, column)
            };
            let target = WrenchTarget {
                rows: &self.chains[row],
                motions,
                p: &frames[row].p,
                column: j,
            };
            each(&of, &target);
        }
    }

    /// Frames before the single steps of every joint.
    fn carriers_into(&self, scratch: &mut Scratch, at: &Instant<'_>) {
        let Scratch {
            frames, carriers, ..
        } = scratch;
        for i in 1..self.bodies.len() {
            let parent = frames[self.bodies[i].parent.0];
            self.walk(i, &parent, at, |step, before| {
                if let JointStep::Slide(_, by) | JointStep::Turn(_, by) = step {
                    carriers[by.place()] = *before;
                }
            });
        }
    }
}

/// Where everything is.
struct Positions<'a> {
    frames: &'a [Frame],
    motions: &'a [Motion],
    carriers: &'a [Frame],
}

/// The bodies of a block: rows and columns.
#[derive(Clone, Copy)]
struct BodyPair {
    row: usize,
    column: usize,
}

impl BodyPair {
    fn of<T>(block: &BodyBlock<T>) -> Self {
        Self {
            row: block.row.0,
            column: block.column.0,
        }
    }
}

/// Where the wrenches of a column go.
struct WrenchTarget<'a> {
    rows: &'a [usize],
    motions: &'a [Motion],
    p: &'a Vec3,
    column: usize,
}

impl WrenchTarget<'_> {
    /// Adds a wrench projected on the rows' chain.
    #[inline]
    fn add(&self, matrix: &mut Matrix, wrench: &Vec6) {
        for &i in self.rows {
            let x = self.motions[i].force(self.p, wrench);
            matrix.add(i, self.column, x);
        }
    }
}
