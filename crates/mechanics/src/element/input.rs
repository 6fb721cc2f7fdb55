//! What elements are given, and what takes their answers.

use crate::body::BodyId;
use crate::frame::{Frame, Mat6, Vec3};

/// What an element between frames is evaluated with.
#[derive(Clone, Copy, Debug)]
pub struct ElementInput<'a> {
    /// Time, s.
    pub t: f64,
    /// Length of the step that ends here, s; 0 evaluates at once, with the history as it is.
    pub step: f64,
    /// Weight of the rates of friction states at a stage of a Runge–Kutta step, s; the history holds
    /// the sums of these states then.
    pub stage: Option<f64>,
    /// Acceleration of gravity, m/s².
    pub gravity: Vec3,
    /// Frames of all bodies.
    pub frames: &'a [Frame],
    /// The element's history at the start of the step.
    pub history: &'a [f64],
}

/// What an element on a joint coordinate is evaluated with.
#[derive(Clone, Copy, Debug)]
pub struct JointInput<'a> {
    /// Time, s.
    pub t: f64,
    /// Length of the step that ends here, s; 0 evaluates at once, with the history as it is.
    pub step: f64,
    /// As [`ElementInput::stage`].
    pub stage: Option<f64>,
    /// The coordinate, m or rad.
    pub coordinate: f64,
    /// Its rate.
    pub rate: f64,
    /// Unit axis of the coordinate in the world.
    pub axis: Vec3,
    /// Force of the joint on the body, N, world axes.
    pub reaction_force: Vec3,
    /// Moment of the joint on the body about its origin, N m, world axes.
    pub reaction_moment: Vec3,
    /// The element's history at the start of the step.
    pub history: &'a [f64],
}

/// A joint coordinate at an instant within a step.
#[derive(Clone, Copy, Debug)]
pub struct WithinStep<'a> {
    /// The coordinate, m or rad.
    pub coordinate: f64,
    /// Its rate.
    pub rate: f64,
    /// Times of the ends of the step, s.
    pub times: [f64; 2],
    /// Fraction of the step that lies before.
    pub fraction: f64,
    /// The element's histories at the ends.
    pub ends: [&'a [f64]; 2],
}

/// What resists a joint coordinate.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointForce {
    /// Generalised force against the motion, N or N m.
    pub force: f64,
    /// c ∂force/∂rate + k ∂force/∂coordinate, with the weights of the tangent.
    pub slope: f64,
    /// ∂force/∂(reaction force), where the load comes from there.
    pub by_reaction: f64,
}

/// Weights of the tangent blocks an element hands over: c ∂W/∂V + k ∂W/∂x.
#[derive(Clone, Copy, Debug)]
pub struct TangentWeights {
    /// Of the derivatives by velocity.
    pub damping: f64,
    /// Of the derivatives by displacement.
    pub stiffness: f64,
}

/// Takes wrenches, and tangent blocks if they are wanted.
pub trait Assembly {
    /// Weights, if tangent blocks are wanted.
    fn weights(&self) -> Option<TangentWeights>;
    /// Whether the blocks are wanted that change with the configuration only.
    fn wants_configuration_tangent(&self) -> bool {
        false
    }
    /// A force and a moment about the origin of `body` (world axes).
    fn wrench(&mut self, body: BodyId, force: &Vec3, moment: &Vec3);
    /// c ∂W_row/∂V_column + k ∂W_row/∂x_column, for (displacement, rotation) of the body origins.
    fn block(&mut self, row: BodyId, column: BodyId, block: &Mat6);
    /// ∂W_row/∂x_column, ∂W_row/∂V_column and ∂W_row/∂A_column, unweighted, of an element whose
    /// blocks change with large motions only; handed over where
    /// [`Assembly::wants_configuration_tangent`]. A are the accelerations (a, α).
    fn configuration_block(&mut self, _row: BodyId, _column: BodyId, _blocks: &[Mat6; 3]) {}
    /// ∂W_row/∂V_column, unweighted: what the tangent needs where a chain of joints rotates.
    fn rate_block(&mut self, _row: BodyId, _column: BodyId, _block: &Mat6) {}
    /// Whether a body can move with any degree of freedom.
    fn moves(&self, body: BodyId) -> bool;
}
