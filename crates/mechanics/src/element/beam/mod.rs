//! Slender beams: a corotational Euler–Bernoulli element in three dimensions.
//!
//! The element frame follows the chord between the ends and the mean of their sections' y axes;
//! relative to it the ends turn by small rotations, to which the linear theory applies. Rigid
//! motions, however large, leave the local forces alone. The tangent is exact.

mod blocks;
mod drag;
mod elastic;
mod error;
mod inertia;
mod motion;
mod pose;
mod section;

pub use error::BeamError;
pub use section::{BeamProperties, CrossSection, Material, Rayleigh};

use super::{Assembly, Element, ElementInput, EnergyAccount, FrameElement, WorkPair};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::frame::{Frame, Mat3, Vec3};
use drag::Drag;
use elastic::{DeformationForces, DeformationRates, Elastic};
use inertia::Consistent;
use motion::NodeMotion;
use nalgebra::UnitQuaternion;
use pose::{BeamNode, Mat12, Pose, Quad};

/// Where an end of a beam sits on a body.
#[derive(Clone, Copy, Debug)]
pub struct BeamEnd {
    /// The body.
    pub body: BodyId,
    /// Point in body axes, m: the end of a rigid offset from the body's origin.
    pub point: Vec3,
    /// From the end's section axes to body axes: x along the undeformed beam, y and z the
    /// principal axes of the section.
    pub orientation: UnitQuaternion<f64>,
}

/// A beam element with two nodes, corotational, Euler–Bernoulli, with consistent mass.
///
/// $$ \mathbf f = \mathbf B^T\bigl[\mathbf K_l(\mathbf d + \beta\dot{\mathbf d})\bigr]
///   + \frac{d}{dt}\frac{\partial T}{\partial\dot{\mathbf p}} - \frac{\partial T}{\partial\mathbf p}
///   + \alpha\mathbf M(\mathbf V - \mathbf V_{ref}) + \frac{\partial U_g}{\partial\mathbf p} $$
///
/// with the local deformations d = (u, ϑ₁, ϑ₂): lengthening of the chord (m) and rotation vectors
/// of the ends relative to the element frame (rad). The weight acts with the potential
/// U_g = −m g·[½(x₁ + x₂) + R_e (L/12)(ϑ₁ − ϑ₂) × e_x], the mean height of the cubic shape.
///
/// **Cannot** shear (slender beams only), couple torsion to stretch, or warp; local rotations
/// should stay below some 0.3 rad, which more elements bring about.
/// **Source** Crisfield, *Comput. Methods Appl. Mech. Engrg.* 81 (1990) 131; Battini & Pacoste,
/// ibid. 191 (2002) 1755 (kinematics, elastic force); the inertia is that of Lagrange's
/// equations for a constant local mass matrix.
#[derive(Clone, Debug)]
pub struct BeamElement {
    name: String,
    ends: [BeamEnd; 2],
    orientations: [Mat3; 2],
    length: f64,
    damping: Rayleigh,
    reference: BodyId,
    elastic: Elastic,
    inertia: Consistent,
    /// Its mass matrix.
    mass: Mat12,
}

/// All that one evaluation needs.
struct BeamState {
    nodes: [BeamNode; 2],
    pose: Pose,
    motion: NodeMotion,
    rates: DeformationRates,
    load: DeformationForces,
    drag: Option<Drag>,
    /// Forces that the nodes exert on the element, in element axes, without the half of the
    /// weight at each node, which does not turn with them.
    turning: Quad,
    /// All forces that the nodes exert on the element, in the world.
    force: Quad,
}

impl BeamElement {
    /// A beam element of natural length `length`, m.
    ///
    /// # Errors
    /// If a number is outside its range; names the element.
    pub fn new(
        name: &str,
        ends: [BeamEnd; 2],
        length: f64,
        properties: &BeamProperties,
    ) -> Result<Self, BeamError> {
        let BeamProperties {
            section,
            material,
            damping,
            reference,
        } = properties;
        properties.check(name, length)?;
        let inertia = Consistent::new(section, material, length);
        Ok(Self {
            name: name.to_owned(),
            orientations: ends.map(|e| *e.orientation.to_rotation_matrix().matrix()),
            ends,
            length,
            damping: *damping,
            reference: *reference,
            elastic: Elastic::new(section, material, length, damping.stiffness),
            mass: inertia.matrix(),
            inertia,
        })
    }

    fn nodes(&self, frames: &[Frame]) -> [BeamNode; 2] {
        [0, 1].map(|i| {
            let end = &self.ends[i];
            BeamNode::new(&frames[end.body.0], &end.point, &self.orientations[i])
        })
    }

    fn drag(&self, pose: &Pose, nodes: &[BeamNode; 2], frames: &[Frame]) -> Option<Drag> {
        (self.damping.mass > 0.0).then(|| {
            let reference = &frames[self.reference.0];
            Drag::new(self.damping.mass, &self.inertia, pose, nodes, reference)
        })
    }

    fn state(&self, at: &ElementInput<'_>) -> BeamState {
        let nodes = self.nodes(at.frames);
        let pose = Pose::new(&nodes, self.length);
        let motion = NodeMotion::new(&pose, &nodes);
        let rates = DeformationRates::new(&pose, &motion);
        let load = self.elastic.load(&pose, &rates, pose.local(&at.gravity));
        let mut turning = load.forces(&pose);
        let mut add = |part: &Quad| {
            for (sum, f) in turning.iter_mut().zip(part) {
                *sum += f;
            }
        };
        if self.inertia.mass > 0.0 {
            add(&self.inertia.force(&pose, &motion));
        }
        let drag = self.drag(&pose, &nodes, at.frames);
        if let Some(drag) = &drag {
            add(&drag.force);
        }
        let mut force = turning.map(|f| pose.axes * f);
        let half = at.gravity * (0.5 * self.inertia.mass);
        force[0] -= half;
        force[2] -= half;
        BeamState {
            nodes,
            pose,
            motion,
            rates,
            load,
            drag,
            turning,
            force,
        }
    }

    /// Local deformations (u, ϑ₁, ϑ₂) and their rates, with pairs of the damping forces.
    fn damping_pairs(&self, frames: &[Frame], out: &mut dyn FnMut(WorkPair)) {
        let nodes = self.nodes(frames);
        let pose = Pose::new(&nodes, self.length);
        let pair = |force, coordinate, rate, rate_only| WorkPair {
            force,
            coordinate,
            rate,
            rate_only,
            elastic: None,
            account: EnergyAccount::Dissipated,
        };
        if self.damping.stiffness > 0.0 {
            let rates = DeformationRates::new(&pose, &NodeMotion::new(&pose, &nodes));
            let (n, m) = self.elastic.drag(&rates);
            out(pair(n, pose.stretch, rates.stretch, false));
            for (i, m) in m.iter().enumerate() {
                let (theta, rate) = (&pose.theta[i], &rates.theta[i]);
                for (j, m) in m.iter().enumerate() {
                    out(pair(*m, theta[j], rate[j], false));
                }
            }
        }
        if let Some(drag) = self.drag(&pose, &nodes, frames) {
            for (f, v) in drag.force.iter().zip(&drag.velocity) {
                for j in 0..3 {
                    out(pair(f[j], 0.0, v[j], true));
                }
            }
        }
    }
}

impl Element for BeamElement {
    fn kind(&self) -> &'static str {
        "beam"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn stored_energy(&self, at: &ElementInput<'_>) -> f64 {
        let nodes = self.nodes(at.frames);
        let pose = Pose::new(&nodes, self.length);
        let height = at.gravity.dot(&(nodes[0].x + nodes[1].x)) * 0.5;
        self.elastic.stored(&pose, &pose.local(&at.gravity)) - self.inertia.mass * height
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        if self.damping.stiffness > 0.0 || self.damping.mass > 0.0 {
            self.damping_pairs(at.frames, out);
        }
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.ends[0].body, self.ends[1].body]
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let name = &self.name;
        let channel = |what: &str, unit, text: &str| {
            let meaning = format!("{text} of the beam element {name}");
            ChannelInfo::new(format!("beam.{name}.{what}"), unit, &meaning)
        };
        vec![
            channel("axial_force", "N", "axial force, > 0 in tension,"),
            channel("torque", "N m", "torque"),
            channel(
                "moment_start.y",
                "N m",
                "bending moment about y at the start",
            ),
            channel(
                "moment_start.z",
                "N m",
                "bending moment about z at the start",
            ),
            channel("moment_end.y", "N m", "bending moment about y at the end"),
            channel("moment_end.z", "N m", "bending moment about z at the end"),
        ]
    }

    /// Moments are those on the cut whose normal points from the start to the end, in element
    /// axes; weight and inertia of the element are in them.
    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        let state = self.state(at);
        let [_, start, _, end] = &state.turning;
        out.extend([
            state.load.axial,
            0.5 * (end.x - start.x),
            -start.y,
            -start.z,
            end.y,
            end.z,
        ]);
    }
}

impl FrameElement for BeamElement {
    fn apply(&self, at: &ElementInput<'_>, _history: &mut [f64], assembly: &mut dyn Assembly) {
        let state = self.state(at);
        for (i, node) in state.nodes.iter().enumerate() {
            let (force, moment) = (-state.force[2 * i], -state.force[2 * i + 1]);
            let moment = moment + node.arm.cross(&force);
            assembly.wrench(self.ends[i].body, &force, &moment);
        }
        if let Some(drag) = &state.drag {
            let (force, moment) = drag.resultant(&drag.force.map(|f| state.pose.axes * f));
            assembly.wrench(self.reference, &force, &moment);
        }
        if assembly.wants_configuration_tangent() {
            self.blocks(&state, assembly);
        }
    }

    fn has_configuration_tangent(&self) -> bool {
        true
    }

    fn kinetic_energy(&self, frames: &[Frame]) -> f64 {
        let nodes = self.nodes(frames);
        let pose = Pose::new(&nodes, self.length);
        self.inertia.energy(&NodeMotion::new(&pose, &nodes))
    }

    fn coupled_bodies(&self) -> Vec<BodyId> {
        let mut all = self.bodies().to_vec();
        if self.damping.mass > 0.0 {
            all.push(self.reference);
        }
        all
    }
}
