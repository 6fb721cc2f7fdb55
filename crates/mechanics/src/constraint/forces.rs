//! What constraints add to the equations of motion: forces, rows of Φ̈ and their tangent.

use super::coupling::Coupling;
use super::level::ConstraintLevel;
use super::rows::{ConstraintRow, RowMotion, RowOwner};
use crate::body::BodyId;
use crate::frame::{Frame, Mat3, Mat6, Vec3, Vec6, cross};
use crate::kinematics::Motion;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::scratch::{BodyBlock, Scratch, TangentBlocks};
use bristle_integrate::Instant;

/// Force and moment of a joint.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointReaction {
    /// Force on the moving end, N.
    pub(crate) force: Vec3,
    /// Moment on it about its own place, N m.
    pub(crate) moment: Vec3,
}

impl Model {
    /// The unknowns of a step: degrees of freedom and multipliers.
    pub(crate) fn unknowns(&self) -> usize {
        self.dofs + self.constraints.len()
    }

    /// The rows of a loop or a coupling with their places among the unknowns.
    pub(crate) fn row_motions<'a>(
        &'a self,
        frames: &'a [Frame],
    ) -> impl Iterator<Item = (usize, usize, RowMotion)> + 'a {
        let loops = self.constraints.loops.iter().enumerate();
        loops.flat_map(move |(k, own)| {
            let motion = own.motion(frames);
            let rows = self.constraints.rows_of(RowOwner::Loop(k));
            rows.filter_map(move |row| {
                let at = self.constraints.rows[row].kind.motion(&motion)?;
                Some((k, self.dofs + row, at))
            })
        })
    }

    /// Φ, Φ̇ or Φ̈ of all rows, for the frames given.
    pub(crate) fn constraint_values(
        &self,
        frames: &[Frame],
        at: &Instant<'_>,
        level: ConstraintLevel,
        out: &mut [f64],
    ) {
        let order = level as usize;
        for (_, row, motion) in self.row_motions(frames) {
            out[row - self.dofs] = motion.jet[order];
        }
        for (k, coupling) in self.constraints.couplings.iter().enumerate() {
            for row in self.constraints.rows_of(RowOwner::Coupling(k)) {
                out[row] = self.coupling_value(coupling, at, order);
            }
        }
    }

    fn coupling_value(&self, of: &Coupling, at: &Instant<'_>, order: usize) -> f64 {
        let terms = of.terms.iter();
        let sum: f64 = terms
            .map(|term| term.coefficient * self.coupled(term, at)[order])
            .sum();
        if order == 0 { sum - of.offset } else { sum }
    }

    /// Φ, Φ̇ or Φ̈ of any row.
    pub(super) fn row_value(
        &self,
        row: &ConstraintRow,
        frames: &[Frame],
        at: &Instant<'_>,
        level: ConstraintLevel,
    ) -> f64 {
        let order = level as usize;
        match row.owner {
            RowOwner::Loop(k) => {
                let motion = self.constraints.loops[k].motion(frames);
                row.kind.motion(&motion).map_or(0.0, |row| row.jet[order])
            }
            RowOwner::Coupling(k) => self.coupling_value(&self.constraints.couplings[k], at, order),
        }
    }

    /// Puts the forces of the loops on the bodies, and what their multipliers turn into the tangent
    /// blocks.
    pub(crate) fn apply_loops(&self, scratch: &mut Scratch, at: &Instant<'_>) {
        if self.constraints.loops.is_empty() {
            return;
        }
        let Scratch {
            frames,
            wrenches,
            blocks,
            weights,
            ..
        } = scratch;
        for (k, own) in self.constraints.loops.iter().enumerate() {
            let ends = [own.from.body, own.to.body];
            let motion = own.motion(frames);
            let mut stiffness = LoopStiffness::default();
            for row in self.constraints.rows_of(RowOwner::Loop(k)) {
                let Some(of) = self.constraints.rows[row].kind.motion(&motion) else {
                    continue;
                };
                let multiplier = at.a[self.dofs + row];
                for (end, wrench) in ends.iter().zip(&of.wrenches) {
                    wrenches[end.0] += wrench * multiplier;
                }
                stiffness.add(&of, multiplier);
            }
            if let Some(weights) = weights {
                let arms = [motion.arm_from, motion.arm_to];
                self.push_stiffness(blocks, ends, &stiffness.blocks(&arms), weights.stiffness);
            }
        }
    }

    fn push_stiffness(
        &self,
        blocks: &mut TangentBlocks,
        ends: [BodyId; 2],
        of: &[[Mat6; 2]; 2],
        weight: f64,
    ) {
        for (i, row) in ends.iter().enumerate() {
            for (j, column) in ends.iter().enumerate() {
                if self.chains[row.0].is_empty() || self.chains[column.0].is_empty() {
                    continue;
                }
                blocks.combined.push(BodyBlock {
                    row: *row,
                    column: *column,
                    entries: of[i][j] * weight,
                });
            }
        }
    }

    /// The forces of the couplings on the coordinates that they couple, and Φ̈ of all rows. Those on
    /// a driven coordinate its drive has to overcome.
    pub(crate) fn constraint_residual(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        residual: &mut [f64],
    ) {
        if self.constraints.is_empty() {
            return;
        }
        let (own, rows) = residual.split_at_mut(self.dofs);
        for (k, coupling) in self.constraints.couplings.iter().enumerate() {
            for row in self.constraints.rows_of(RowOwner::Coupling(k)) {
                let multiplier = at.a[self.dofs + row];
                for term in &coupling.terms {
                    let force = -term.coefficient * multiplier;
                    self.resist(term, force, own, &mut scratch.drive_forces);
                }
            }
        }
        self.constraint_values(&scratch.frames, at, ConstraintLevel::Acceleration, rows);
    }

    /// Visits the entries of G: row (among the unknowns), degree of freedom, value.
    pub(crate) fn jacobian_entries(
        &self,
        frames: &[Frame],
        motions: &[Motion],
        mut each: impl FnMut(usize, usize, f64),
    ) {
        for (k, row, of) in self.row_motions(frames) {
            let own = &self.constraints.loops[k];
            for (end, wrench) in [own.from.body.0, own.to.body.0].iter().zip(&of.wrenches) {
                for &dof in &self.chains[*end] {
                    each(row, dof, motions[dof].force(&frames[*end].p, wrench));
                }
            }
        }
        for (k, coupling) in self.constraints.couplings.iter().enumerate() {
            for row in self.constraints.rows_of(RowOwner::Coupling(k)) {
                for term in &coupling.terms {
                    if let Some(dof) = self.free_dof(term) {
                        each(self.dofs + row, dof, term.coefficient);
                    }
                }
            }
        }
    }

    /// Adds −Gᵀ and G to a matrix.
    ///
    /// What Φ̈ changes by with velocities and positions is left out: over a step it is smaller than G
    /// by the angle that the bodies turn in it, and Newton's iteration converges by that factor.
    pub(crate) fn add_constraints(&self, frames: &[Frame], motions: &[Motion], to: &mut Matrix) {
        self.jacobian_entries(frames, motions, |row, dof, x| {
            to.add(row, dof, x);
            to.add(dof, row, -x);
        });
    }

    /// Force and moment of a loop on its moving end, from the multipliers of an instant.
    pub(crate) fn loop_reaction(
        &self,
        place: usize,
        frames: &[Frame],
        accelerations: &[f64],
    ) -> JointReaction {
        let motion = self.constraints.loops[place].motion(frames);
        let mut reaction = JointReaction::default();
        for row in self.constraints.rows_of(RowOwner::Loop(place)) {
            let Some(of) = self.constraints.rows[row].kind.motion(&motion) else {
                continue;
            };
            let multiplier = accelerations[self.dofs + row];
            reaction.force += of.pushes.unwrap_or_default() * multiplier;
            if let Some([e, f]) = of.turns {
                reaction.moment += f.cross(&e) * multiplier;
            }
        }
        reaction
    }
}

/// How the forces of a loop turn with its bodies.
#[derive(Default)]
struct LoopStiffness {
    /// Sum of the forces, all fixed in the body that carries the axes.
    force: Vec3,
    /// ∂M by the rotations of both bodies.
    moment: [Mat3; 2],
}

impl LoopStiffness {
    fn add(&mut self, of: &RowMotion, multiplier: f64) {
        if let Some(e) = of.pushes {
            self.force += e * multiplier;
        }
        if let Some([e, f]) = of.turns {
            let (e, f) = (cross(&e), cross(&f));
            self.moment[0] -= f * e * multiplier;
            self.moment[1] += e * f * multiplier;
        }
    }

    /// ∂W by displacement and rotation of both bodies; rows and columns are (from, to).
    fn blocks(&self, arms: &[Vec3; 2]) -> [[Mat6; 2]; 2] {
        let [arm_from, arm_to] = arms.map(|arm| cross(&arm));
        let force = cross(&self.force);
        let [by_from, by_to] = self.moment;
        let mut all = [[Mat6::zeros(); 2]; 2];
        let mut set = |at: [usize; 4], part: Mat3| {
            let mut view = all[at[0]][at[1]].fixed_view_mut::<3, 3>(at[2], at[3]);
            view += part;
        };
        set([1, 1, 3, 3], force * arm_to + by_to);
        set([1, 0, 0, 3], -force);
        set([1, 0, 3, 3], by_from - arm_to * force);
        set([0, 0, 0, 3], force);
        set([0, 0, 3, 0], -force);
        set([0, 0, 3, 3], arm_from * force - by_from);
        set([0, 1, 3, 0], force);
        set([0, 1, 3, 3], -(force * arm_to) - by_to);
        all
    }
}

/// The wrench of a generalised force on a coordinate of a loop, on both bodies about their origins.
pub(crate) fn coordinate_wrenches(axis: &Vec3, turns: bool, arms: &[Vec3; 2]) -> [Vec6; 2] {
    let none = Vec3::zeros();
    let one = |sign: f64, arm: &Vec3| {
        let along = axis * sign;
        if turns {
            crate::frame::joined(&none, &along)
        } else {
            crate::frame::joined(&along, &arm.cross(&along))
        }
    };
    [one(-1.0, &arms[0]), one(1.0, &arms[1])]
}
