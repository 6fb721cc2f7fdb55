//! Friction in spherical joints, in the equations of motion: three coordinates at once.

use crate::element::{BallFriction, BallInput, TangentWeights};
use crate::frame::{Mat3, Mat6, Vec3, cross, joined, split};
use crate::kinematics::three;
use crate::model::{BallJoint, BallPlacement, Model};
use crate::scratch::{BodyBlock, JointSlope, ReactionSlope, Scratch};
use bristle_integrate::{Instant, State};
use nalgebra::{Quaternion, Rotation3, UnitQuaternion};

impl Model {
    /// What friction in a spherical joint is given, with the frames and the loads in `scratch`.
    pub(crate) fn ball_input<'a>(
        &'a self,
        scratch: &Scratch,
        at: &Instant<'a>,
        placement: &BallPlacement,
    ) -> Option<(&'a BallFriction, BallInput<'a>)> {
        let element = self.elements[placement.element].on_ball()?;
        let (turned, angular_velocity, reaction_force) = match placement.joint {
            BallJoint::Tree { body, q, v } => {
                let [w, i, j, k] = [0, 1, 2, 3].map(|entry| at.q[q + entry]);
                let turned = UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k));
                let (force, _) = split(&scratch.wrenches[body]);
                (turned, three(&at.v[v..]), -force)
            }
            BallJoint::Loop(of_loop) => {
                let motion = self.constraints.loops[of_loop].motion(&scratch.frames);
                let [socket, ball] = &motion.axes;
                let turned = Rotation3::from_matrix_unchecked(socket.tr_mul(ball));
                let [from, to] = &motion.w;
                let reaction = self.loop_reaction(of_loop, &scratch.frames, at.a);
                (
                    UnitQuaternion::from_rotation_matrix(&turned),
                    socket.tr_mul(&(to - from)),
                    reaction.force,
                )
            }
        };
        let input = BallInput {
            t: at.t,
            step: at.step,
            stage: at.stage,
            turned,
            angular_velocity,
            reaction_force,
            history: &at.history[self.history_range(placement.element)],
        };
        Some((element, input))
    }

    /// Friction in the spherical joints of the tree, with the loads that the recursion left: forces on
    /// the three rotations of the joint alone.
    pub(crate) fn apply_balls(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        history: &mut [f64],
        residual: &mut [f64],
    ) {
        if scratch.leaves_joint_friction_out {
            return;
        }
        for placement in &self.ball_elements {
            let BallJoint::Tree { body, v, .. } = placement.joint else {
                continue;
            };
            let Some((element, input)) = self.ball_input(scratch, at, placement) else {
                continue;
            };
            let own = &mut history[self.history_range(placement.element)];
            let answer = element.apply(&input, own, scratch.weights.is_some());
            for k in 0..3 {
                residual[v + k] += answer.torque[k];
            }
            let Some(weights) = scratch.weights else {
                continue;
            };
            let TangentWeights { damping, stiffness } = weights;
            let slope = answer.by_velocity * damping + answer.by_rotation * stiffness;
            let by_force = element.load_slope(&input.reaction_force);
            for row in 0..3 {
                for column in 0..3 {
                    scratch.joint_slopes.push(JointSlope {
                        row: v + row,
                        column: v + column,
                        slope: slope[(row, column)],
                    });
                }
                if let Some(by_force) = &by_force {
                    let by_reaction = joined(by_force, &Vec3::zeros()) * answer.by_load[row];
                    scratch.reaction_slopes.push(ReactionSlope {
                        row: v + row,
                        body,
                        by_reaction,
                    });
                }
            }
        }
    }

    /// Friction in the spherical joints of loops: torques on both bodies.
    pub(crate) fn apply_loop_balls(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        history: &mut [f64],
    ) {
        if scratch.leaves_joint_friction_out {
            return;
        }
        for placement in &self.ball_elements {
            let BallJoint::Loop(of_loop) = placement.joint else {
                continue;
            };
            let Some((element, input)) = self.ball_input(scratch, at, placement) else {
                continue;
            };
            let own = &mut history[self.history_range(placement.element)];
            let answer = element.apply(&input, own, scratch.weights.is_some());
            let joint = &self.constraints.loops[of_loop];
            let ends = [joint.from.body, joint.to.body];
            let axes = joint.motion(&scratch.frames).axes[0];
            let moment = -axes * answer.torque;
            for (end, sign) in ends.iter().zip([-1.0, 1.0]) {
                scratch.wrenches[end.0] += joined(&Vec3::zeros(), &(moment * sign));
            }
            let Some(TangentWeights { damping, stiffness }) = scratch.weights else {
                continue;
            };
            // the moment on the ball by the rotations of socket and ball: it turns with the socket
            let world = |x: Mat3| -axes * x * axes.transpose();
            let by_velocity = world(answer.by_velocity);
            let by_turn = by_velocity * damping + world(answer.by_rotation) * stiffness;
            let turns = by_velocity * cross(&(axes * input.angular_velocity)) - cross(&moment);
            let columns = [
                (ends[0], turns * stiffness - by_turn, -by_velocity),
                (ends[1], by_turn, by_velocity),
            ];
            let corner = |x: &Mat3| {
                let mut block = Mat6::zeros();
                block.fixed_view_mut::<3, 3>(3, 3).copy_from(x);
                block
            };
            for (row, sign) in ends.into_iter().zip([-1.0, 1.0]) {
                for (column, combined, rate) in &columns {
                    if self.chains[row.0].is_empty() || self.chains[column.0].is_empty() {
                        continue;
                    }
                    let (column, entries) = (*column, corner(combined) * sign);
                    let block = BodyBlock {
                        row,
                        column,
                        entries,
                    };
                    scratch.blocks.combined.push(block);
                    if !self.is_simple[column.0] {
                        let entries = corner(rate) * sign;
                        let block = BodyBlock {
                            row,
                            column,
                            entries,
                        };
                        scratch.blocks.rate.push(block);
                    }
                }
            }
        }
    }

    /// Sets the history of friction in spherical joints up, for the loads of an evaluation.
    pub(crate) fn start_balls(&self, scratch: &Scratch, at: &Instant<'_>, history: &mut [f64]) {
        for placement in &self.ball_elements {
            if let Some((element, input)) = self.ball_input(scratch, at, placement) {
                element.start(&input, &mut history[self.history_range(placement.element)]);
            }
        }
    }

    /// What velocities `v` are between ball and socket in a state, rad/s.
    pub(crate) fn ball_velocity(
        &self,
        scratch: &mut Scratch,
        state: &State,
        v: &[f64],
        placement: &BallPlacement,
    ) -> Vec3 {
        match placement.joint {
            BallJoint::Tree { v: first, .. } => three(&v[first..]),
            BallJoint::Loop(of_loop) => {
                let Scratch {
                    frames, motions, ..
                } = scratch;
                let at = Instant {
                    v,
                    ..Instant::of(state, 0.0)
                };
                self.place(&at, frames, motions);
                let [from, to] = self.constraints.loops[of_loop].motion(frames).w;
                to - from
            }
        }
    }
}
