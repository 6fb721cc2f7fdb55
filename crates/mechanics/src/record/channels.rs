//! The channels of a model and their values at one moment.

use super::ledger::Energies;
use crate::body::{Body, Joint};
use crate::frame::{Frame, Vec6};
use crate::model::Model;
use bristle_integrate::State;

/// A channel: a quantity that a run records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelInfo {
    /// Dotted name.
    pub name: String,
    /// SI unit.
    pub unit: &'static str,
    /// What it is.
    pub meaning: String,
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// All channels of a model; the first one is the time.
pub fn channels(model: &Model) -> Vec<ChannelInfo> {
    let mut out = vec![info("t".to_owned(), "s", "time")];
    for body in model.bodies.iter().skip(1) {
        body_channels(body, &mut out);
    }
    for element in &model.elements {
        for (name, unit, meaning) in element.channels() {
            out.push(ChannelInfo {
                name,
                unit,
                meaning,
            });
        }
    }
    for (name, meaning) in [
        (
            "input",
            "energy put in by loads and prescribed motions since the start",
        ),
        ("kinetic", "kinetic energy"),
        (
            "stored",
            "potential energy: gravity, springs, contacts, bristles",
        ),
        (
            "dissipated",
            "energy lost in friction and dampers since the start",
        ),
        (
            "imbalance",
            "input less dissipated less the change of kinetic and stored energy",
        ),
    ] {
        out.push(info(format!("energy.{name}"), "J", meaning));
    }
    out
}

fn info(name: String, unit: &'static str, meaning: &str) -> ChannelInfo {
    ChannelInfo {
        name,
        unit,
        meaning: meaning.to_owned(),
    }
}

fn body_channels(body: &Body, out: &mut Vec<ChannelInfo>) {
    let name = &body.name;
    let mut vector = |what: &str, unit, meaning: &str| {
        out.extend(AXES.map(|axis| info(format!("body.{name}.{what}.{axis}"), unit, meaning)));
    };
    vector("position", "m", "origin of the body in the world");
    vector("velocity", "m/s", "velocity of the origin");
    match body.joint {
        Joint::Free => {
            let orientation = "orientation in the world, a unit quaternion";
            let parts = ["w", "x", "y", "z"];
            out.extend(
                parts.map(|p| info(format!("body.{name}.orientation.{p}"), "1", orientation)),
            );
            let velocity = "angular velocity, world axes";
            out.extend(AXES.map(|axis| {
                info(
                    format!("body.{name}.angular_velocity.{axis}"),
                    "rad/s",
                    velocity,
                )
            }));
        }
        Joint::Prismatic { .. } => {
            out.push(info(
                format!("joint.{name}.coordinate"),
                "m",
                "joint coordinate",
            ));
            out.push(info(
                format!("joint.{name}.rate"),
                "m/s",
                "rate of the joint coordinate",
            ));
        }
        Joint::Prescribed(_) => {
            out.push(info(
                format!("joint.{name}.displacement"),
                "m",
                "prescribed displacement",
            ));
            let force = "force along the prescribed direction that drives the motion";
            out.push(info(format!("joint.{name}.force"), "N", force));
        }
        Joint::Fixed => {}
    }
}

/// The values of all channels. `wrenches` are the loads on the joints, as the dynamics left them.
pub(super) fn sample(
    model: &Model,
    state: &State,
    (frames, wrenches): (&[Frame], &[Vec6]),
    energies: &Energies,
    out: &mut Vec<f64>,
) {
    out.clear();
    out.push(state.t);
    for (i, body) in model.bodies.iter().enumerate().skip(1) {
        let frame = &frames[i];
        out.extend_from_slice(frame.p.as_slice());
        out.extend_from_slice(frame.v.as_slice());
        match &body.joint {
            Joint::Free => {
                let rotation = nalgebra::Rotation3::from_matrix_unchecked(frame.r);
                let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
                out.extend([q.w, q.i, q.j, q.k]);
                out.extend_from_slice(frame.w.as_slice());
            }
            Joint::Prismatic { .. } => {
                out.push(state.q[model.coordinate_of[i]]);
                out.push(state.v[model.dof_of[i]]);
            }
            Joint::Prescribed(motion) => {
                out.push(motion.displacement.value(state.t));
                out.push(model.driving_force(i, frames, wrenches));
            }
            Joint::Fixed => {}
        }
    }
    for (i, element) in model.elements.iter().enumerate() {
        element.sample(state.t, frames, &state.memory[model.memory_range(i)], out);
    }
    out.extend([
        energies.input,
        energies.kinetic,
        energies.stored,
        energies.dissipated,
        energies.imbalance(),
    ]);
}

impl Model {
    /// Force along the direction of a prescribed joint that drives what hangs on it, N.
    pub(super) fn driving_force(&self, body: usize, frames: &[Frame], wrenches: &[Vec6]) -> f64 {
        let Joint::Prescribed(motion) = &self.bodies[body].joint else {
            return 0.0;
        };
        let axes = self.mounted(body, &frames[self.bodies[body].parent.0]);
        let force = wrenches[body].fixed_rows::<3>(0);
        -(axes * motion.direction).dot(&force)
    }
}
