//! What friction in a spherical joint is given, what it answers, and its part in the equations.

use super::{BallFriction, TURN};
use crate::element::rotation::{log, rate_map};
use crate::frame::{Mat3, Vec3};
use crate::friction_pair::PairStep;
use bristle_laws::Slip;
use nalgebra::UnitQuaternion;
use std::f64::consts::TAU;

/// What friction in a spherical joint is evaluated with; vectors in the axes of the socket.
#[derive(Clone, Copy, Debug)]
pub struct BallInput<'a> {
    /// Time, s.
    pub t: f64,
    /// Length of the step that ends here, s; 0 evaluates at once, with the history as it is.
    pub step: f64,
    /// Weight of the rates of friction states at a stage of a Runge–Kutta step, s.
    pub stage: Option<f64>,
    /// Rotation of the ball in the socket.
    pub turned: UnitQuaternion<f64>,
    /// Angular velocity of the ball relative to the socket, rad/s.
    pub angular_velocity: Vec3,
    /// Force of the joint on the ball, N; world axes.
    pub reaction_force: Vec3,
    /// The element's history at the start of the step.
    pub history: &'a [f64],
}

/// What resists a ball in its socket; vectors in the axes of the socket.
#[derive(Clone, Copy, Debug)]
pub struct BallTorque {
    /// Torque against the motion, N m.
    pub torque: Vec3,
    /// ∂torque/∂(angular velocity), N m s.
    pub by_velocity: Mat3,
    /// ∂torque/∂(rotation), N m.
    pub by_rotation: Mat3,
    /// ∂torque/∂(load), m.
    pub by_load: Vec3,
}

impl BallTorque {
    fn alone(torque: Vec3) -> Self {
        Self {
            torque,
            by_velocity: Mat3::zeros(),
            by_rotation: Mat3::zeros(),
            by_load: Vec3::zeros(),
        }
    }
}

impl BallFriction {
    /// Sets the history up at the start of a run.
    pub(crate) fn start(&self, at: &BallInput<'_>, history: &mut [f64]) {
        let slip = Slip::new(self.velocity(at), self.load_of(at));
        let (pair, turn) = self.parts(history);
        self.friction.start(&slip, [0.0; 3], pair);
        write_turn(&at.turned, turn);
    }

    /// The torque against the motion, the history at the end, and the slopes if they are wanted.
    pub(crate) fn apply(
        &self,
        at: &BallInput<'_>,
        history: &mut [f64],
        wants_tangent: bool,
    ) -> BallTorque {
        let radius = self.radius;
        if at.step <= 0.0 {
            history.copy_from_slice(at.history);
            let pair = self.of_pair(at.history);
            let force = self.friction.force(&self.slip_of(at), pair);
            return BallTorque::alone(Vec3::from(force) * radius);
        }
        let last = self.own(at.history).motion;
        let rotation = self.rotation(at);
        let moved = Vec3::from(last.displacement) + rotation * radius;
        let step = PairStep {
            end: Slip::new(self.velocity(at), self.load_of(at)),
            displacement: Some(moved.into()),
            beyond: [0.0; 3],
            duration: at.step,
            stage: at.stage,
        };
        let (pair, turn) = self.parts(history);
        write_turn(&at.turned, turn);
        let old = self.of_pair(at.history);
        let own = self.friction.advance(&step, old, pair, wants_tangent);
        let torque = Vec3::from(own.force) * radius;
        if !wants_tangent {
            return BallTorque::alone(torque);
        }
        let matrix = |x: &[[f64; 3]; 3]| Mat3::from_fn(|i, j| x[i][j]) * (radius * radius);
        BallTorque {
            torque,
            by_velocity: matrix(&own.by_velocity),
            by_rotation: matrix(&own.by_displacement) * rate_map(&rotation),
            by_load: Vec3::from(own.by_normal_force) * radius,
        }
    }

    /// The rotation vector of the step, rad. It is known within one turn: that to which the angular
    /// velocities lead is taken.
    fn rotation(&self, at: &BallInput<'_>) -> Vec3 {
        let change = at.turned * self.turned(at.history).inverse();
        let short = log(change.to_rotation_matrix().matrix());
        let angle = short.norm();
        if angle == 0.0 {
            return short;
        }
        let before = Vec3::from(self.own(at.history).motion.velocity) / self.radius;
        let expected = (before + at.angular_velocity) * (0.5 * at.step);
        let axis = short / angle;
        let turns = ((expected.dot(&axis) - angle) / TAU).round();
        axis * (angle + turns * TAU)
    }

    /// Takes velocities that have jumped over into the history.
    pub(crate) fn renew_motion(&self, at: &BallInput<'_>, history: &mut [f64]) {
        let load = self.own(history).motion.normal_force;
        let slip = Slip::new(self.velocity(at), load);
        self.friction.renew_motion(&slip, self.parts(history).0);
    }

    /// Rates of the history in the continuous view.
    pub(crate) fn history_rates(&self, at: &BallInput<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
        let slip = self.slip_of(at);
        let (pair, turn) = self.parts(rates);
        self.friction.rates(&slip, self.of_pair(at.history), pair);
        self.friction.set_displacement_rate(slip.velocity, pair);
        let q = self.turned(at.history);
        turn.copy_from_slice(&quaternion_rate(
            &[q.w, q.i, q.j, q.k],
            &at.angular_velocity,
        ));
    }
}

/// ½ ω q, with ω in the axes that q turns into.
pub(crate) fn quaternion_rate(q: &[f64], w: &Vec3) -> [f64; TURN] {
    let v = Vec3::new(q[1], q[2], q[3]);
    let vector = (w * q[0] + w.cross(&v)) * 0.5;
    [-0.5 * w.dot(&v), vector.x, vector.y, vector.z]
}

fn write_turn(turned: &UnitQuaternion<f64>, turn: &mut [f64]) {
    turn.copy_from_slice(&[turned.w, turned.i, turned.j, turned.k]);
}
