//! Working storage of the evaluations of a model.

use crate::body::BodyId;
use crate::configuration_tangent::ConfigurationTangent;
use crate::element::TangentWeights;
use crate::frame::{Frame, Mat6, Vec3, Vec6};
use crate::kinematics::Motion;
use crate::matrix::Matrix;
use crate::model::Model;

/// Working storage of an evaluation: one per thread, nothing is allocated inside a step.
#[derive(Debug)]
pub struct Scratch {
    pub(crate) frames: Vec<Frame>,
    pub(crate) other_frames: Vec<Frame>,
    /// Velocities of the state that they belong to, where it is not one of the run.
    pub(crate) other_velocities: Vec<f64>,
    pub(crate) motions: Vec<Motion>,
    /// Sum of forces and moments on every body, about its origin.
    pub(crate) wrenches: Vec<Vec6>,
    /// The wrenches without what hangs on the body; only where a tangent is wanted.
    pub(crate) own_wrenches: Vec<Vec6>,
    /// Frames before the single steps of the joints; only where a tangent is wanted.
    pub(crate) carriers: Vec<Frame>,
    /// Tangent blocks handed over by the elements.
    pub(crate) blocks: TangentBlocks,
    /// Slopes of the elements on joint coordinates.
    pub(crate) joint_slopes: Vec<JointSlope>,
    /// Slopes of joint friction by the reactions that load it.
    pub(crate) reaction_slopes: Vec<ReactionSlope>,
    /// What the drives have to overcome in their own joints, N or N m.
    pub(crate) drive_forces: Vec<f64>,
    pub(crate) weights: Option<TangentWeights>,
    /// Whether the part of the tangent is wanted, too, that changes with the configuration only.
    pub(crate) wants_configuration_tangent: bool,
    /// Whether contacts count as open.
    pub(crate) leaves_contacts_out: bool,
    /// Whether joints count as free of friction.
    pub(crate) leaves_joint_friction_out: bool,
    pub(crate) configuration: ConfigurationTangent,
    pub(crate) matrix: Matrix,
    /// Memory and residual of evaluations whose result is not kept.
    pub(crate) history: Vec<f64>,
    pub(crate) residual: Vec<f64>,
}

/// Tangent blocks of elements.
#[derive(Debug, Default)]
pub(crate) struct TangentBlocks {
    /// c ∂W/∂V + k ∂W/∂x.
    pub(crate) combined: Vec<BodyBlock<Mat6>>,
    /// ∂W/∂x, ∂W/∂V and ∂W/∂A of what changes with the configuration only.
    pub(crate) configuration: Vec<BodyBlock<[Mat6; 3]>>,
    /// ∂W/∂V, only where it is needed beside the combined ones.
    pub(crate) rate: Vec<BodyBlock<Mat6>>,
}

/// A block of rows of one body and columns of another.
#[derive(Debug)]
pub(crate) struct BodyBlock<T> {
    pub(crate) row: BodyId,
    pub(crate) column: BodyId,
    pub(crate) entries: T,
}

/// The slope of a generalised force by an unknown: its own coordinate, as a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointSlope {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) slope: f64,
}

/// The slope of a generalised force by the reaction of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReactionSlope {
    pub(crate) row: usize,
    /// The body that the joint carries.
    pub(crate) body: usize,
    /// ∂(generalised force)/∂(force and moment of the joint about the origin of the body).
    pub(crate) by_reaction: Vec6,
}

impl TangentBlocks {
    pub(crate) fn clear(&mut self) {
        self.combined.clear();
        self.configuration.clear();
        self.rate.clear();
    }
}

impl Scratch {
    /// For a model.
    pub(crate) fn new(model: &Model) -> Self {
        let bodies = model.bodies.len();
        Self {
            frames: vec![Frame::WORLD; bodies],
            other_frames: vec![Frame::WORLD; bodies],
            other_velocities: vec![0.0; model.unknowns()],
            motions: vec![Motion::Along(Vec3::zeros()); model.motions()],
            wrenches: vec![Vec6::zeros(); bodies],
            own_wrenches: vec![Vec6::zeros(); bodies],
            carriers: vec![Frame::WORLD; model.motions()],
            blocks: TangentBlocks::default(),
            joint_slopes: Vec::with_capacity(model.joint_elements.len()),
            reaction_slopes: Vec::new(),
            drive_forces: vec![0.0; model.joints.drives.len()],
            weights: None,
            wants_configuration_tangent: false,
            leaves_contacts_out: false,
            leaves_joint_friction_out: false,
            configuration: ConfigurationTangent::new(model.order()),
            matrix: Matrix::new(model.order()),
            history: vec![0.0; model.history],
            residual: vec![0.0; model.unknowns()],
        }
    }
}
