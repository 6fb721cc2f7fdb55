//! Elements on the joints of loops: friction and springs on their coordinates.

use super::forces::coordinate_wrenches;
use super::loop_joint::LoopCoordinate;
use crate::element::{JointFriction, JointInput};
use crate::frame::{Frame, Vec6};
use crate::model::{LoopPlacement, Model};
use crate::scratch::{BodyBlock, Scratch};
use bristle_integrate::Instant;

impl Model {
    /// The coordinate of a loop's joint.
    pub(crate) fn loop_coordinate(
        &self,
        placement: &LoopPlacement,
        frames: &[Frame],
    ) -> Option<LoopCoordinate> {
        let own = &self.constraints.loops[placement.of_loop];
        let axis = self.constraints.axes[placement.of_loop].get(placement.place)?;
        Some(own.coordinate(&own.motion(frames), axis))
    }

    /// What an element on the joint of a loop is given.
    pub(crate) fn loop_input<'a>(
        &self,
        frames: &[Frame],
        at: &Instant<'a>,
        placement: &LoopPlacement,
    ) -> Option<JointInput<'a>> {
        let coordinate = self.loop_coordinate(placement, frames)?;
        let reaction = self.loop_reaction(placement.of_loop, frames, at.a);
        let history = at.history.get(self.history_range(placement.element));
        Some(JointInput {
            t: at.t,
            step: at.step,
            stage: at.stage,
            coordinate: coordinate.value,
            rate: coordinate.rate,
            axis: coordinate.axis,
            reaction_force: reaction.force,
            reaction_moment: reaction.moment,
            history: history.unwrap_or_default(),
        })
    }

    /// Forces on the coordinates of loops, as forces on both bodies.
    pub(crate) fn apply_loop_elements(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        history: &mut [f64],
    ) {
        for placement in &self.loop_elements {
            let element = &self.elements[placement.element];
            if scratch.leaves_joint_friction_out && element.downcast::<JointFriction>().is_some() {
                continue;
            }
            let Some(input) = self.loop_input(&scratch.frames, at, placement) else {
                continue;
            };
            let Some(element) = element.on_joint() else {
                continue;
            };
            let own = &mut history[self.history_range(placement.element)];
            let answer = element.apply(&input, own, scratch.weights);
            let joint = &self.constraints.loops[placement.of_loop];
            let ends = [joint.from.body, joint.to.body];
            let unit = self.loop_wrenches(placement, &scratch.frames);
            for (end, wrench) in ends.iter().zip(&unit) {
                scratch.wrenches[end.0] -= wrench * answer.force;
            }
            if scratch.weights.is_none() || answer.slope == 0.0 {
                continue;
            }
            for (row, force) in ends.iter().zip(&unit) {
                for (column, moved) in ends.iter().zip(&unit) {
                    if self.chains[row.0].is_empty() || self.chains[column.0].is_empty() {
                        continue;
                    }
                    scratch.blocks.combined.push(BodyBlock {
                        row: *row,
                        column: *column,
                        entries: force * moved.transpose() * -answer.slope,
                    });
                }
            }
        }
    }

    /// What a force of 1 along the coordinate does to both bodies, about their origins.
    pub(super) fn loop_wrenches(&self, placement: &LoopPlacement, frames: &[Frame]) -> [Vec6; 2] {
        let own = &self.constraints.loops[placement.of_loop];
        let motion = own.motion(frames);
        let axes = &self.constraints.axes[placement.of_loop];
        axes.get(placement.place)
            .map_or([Vec6::zeros(); 2], |axis| {
                let coordinate = own.coordinate(&motion, axis);
                let arms = [motion.arm_from, motion.arm_to];
                coordinate_wrenches(&coordinate.axis, coordinate.turns, &arms)
            })
    }

    /// Sets the history of the elements on loops up, for the multipliers of a state.
    pub(crate) fn start_loop_elements(
        &self,
        frames: &[Frame],
        at: &Instant<'_>,
        history: &mut [f64],
    ) {
        for placement in &self.loop_elements {
            let Some(input) = self.loop_input(frames, at, placement) else {
                continue;
            };
            let range = self.history_range(placement.element);
            if let Some(element) = self.elements[placement.element].on_joint() {
                element.start(&input, &mut history[range]);
            }
        }
    }
}
