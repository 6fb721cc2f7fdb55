//! The channels of a model and their values at one instant.

use super::balance::Energies;
use crate::body::{Body, Joint};
use crate::channel::ChannelInfo;
use crate::joint::{Coordinate, JointStep};
use crate::model::Model;
use crate::scratch::Scratch;
use bristle_integrate::{Instant, State};
use bristle_signals::Signal;

/// All channels of a model; the first one is the time.
pub fn channels(model: &Model) -> Vec<ChannelInfo> {
    let mut out = vec![ChannelInfo::new("t".to_owned(), "s", "time")];
    for (i, body) in model.bodies.iter().enumerate().skip(1) {
        body_channels(body, model.turns(i), &mut out);
    }
    model.constraint_channels(&mut out);
    for element in &model.elements {
        out.extend(element.channels());
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
        out.push(ChannelInfo::new(format!("energy.{name}"), "J", meaning));
    }
    out
}

fn body_channels(body: &Body, turns: bool, out: &mut Vec<ChannelInfo>) {
    let name = &body.name;
    let mut vector = |what: &str, unit, meaning: &str| {
        out.extend(ChannelInfo::vector(
            &format!("body.{name}.{what}"),
            unit,
            meaning,
        ));
    };
    vector("position", "m", "origin of the body in the world");
    vector("velocity", "m/s", "velocity of the origin");
    if turns {
        let orientation = "orientation in the world, a unit quaternion";
        let parts = ["w", "x", "y", "z"];
        out.extend(
            parts.map(|p| {
                ChannelInfo::new(format!("body.{name}.orientation.{p}"), "1", orientation)
            }),
        );
        let velocity = "angular velocity, world axes";
        let path = format!("body.{name}.angular_velocity");
        out.extend(ChannelInfo::vector(&path, "rad/s", velocity));
    }
    joint_channels(body, out);
}

/// Names of the single coordinates of a joint, and of their rates.
pub(crate) fn coordinate_names(joint: &Joint) -> &'static [[&'static str; 2]] {
    match joint {
        Joint::Revolute { .. } | Joint::Prismatic { .. } => &[["coordinate", "rate"]],
        Joint::Cylindrical { .. } | Joint::Prescribed(_) => {
            &[["displacement", "speed"], ["angle", "angular_speed"]]
        }
        Joint::Planar { .. } => &[
            ["displacement.x", "speed.x"],
            ["displacement.y", "speed.y"],
            ["angle", "angular_speed"],
        ],
        Joint::Translational => &[
            ["displacement.x", "speed.x"],
            ["displacement.y", "speed.y"],
            ["displacement.z", "speed.z"],
        ],
        Joint::Universal { .. } => &[
            ["angle.1", "angular_speed.1"],
            ["angle.2", "angular_speed.2"],
        ],
        Joint::Fixed | Joint::Spherical | Joint::Free => &[],
    }
}

fn joint_channels(body: &Body, out: &mut Vec<ChannelInfo>) {
    let name = &body.name;
    let singles = body.joint.singles();
    let names = coordinate_names(&body.joint).iter().zip(&singles);
    for (k, ([coordinate, rate], (_, turns))) in names.enumerate() {
        if !is_reported(body, k) {
            continue;
        }
        let (unit, per_second) = if *turns {
            ("rad", "rad/s")
        } else {
            ("m", "m/s")
        };
        let driven = body.driven(k).is_some();
        let meaning = if driven {
            "prescribed joint coordinate"
        } else {
            "joint coordinate"
        };
        out.push(ChannelInfo::new(
            format!("joint.{name}.{coordinate}"),
            unit,
            meaning,
        ));
        let meaning = "rate of the joint coordinate";
        out.push(ChannelInfo::new(
            format!("joint.{name}.{rate}"),
            per_second,
            meaning,
        ));
        if driven {
            let (what, unit) = if *turns {
                ("torque", "N m")
            } else {
                ("force", "N")
            };
            let meaning = "what drives the prescribed joint coordinate";
            let drives = singles.iter().enumerate();
            let alike = drives.filter(|(k, (_, other))| {
                other == turns && is_reported(body, *k) && body.driven(*k).is_some()
            });
            let mut channel = format!("joint.{name}.{what}");
            if alike.count() > 1 {
                // of displacement.x the x
                let last = coordinate.rsplit('.').next().unwrap_or_default();
                channel = format!("{channel}.{last}");
            }
            out.push(ChannelInfo::new(channel, unit, meaning));
        }
    }
    if !matches!(body.joint, Joint::Free) {
        for (what, unit, meaning) in [
            (
                "reaction.force",
                "N",
                "force of the joint on the body, world axes",
            ),
            (
                "reaction.moment",
                "N m",
                "moment of the joint on the body about its origin",
            ),
        ] {
            out.extend(ChannelInfo::vector(
                &format!("joint.{name}.{what}"),
                unit,
                meaning,
            ));
        }
    }
}

/// A prescribed joint reports the motions that it has.
pub(crate) fn is_reported(body: &Body, coordinate: usize) -> bool {
    let still = matches!(body.driven(coordinate), Some(Signal::Constant(0.0)));
    !(still && matches!(body.joint, Joint::Prescribed(_)) && coordinate == 1)
}

/// The values of all channels of one instant, whose frames and loads are in `scratch`, without
/// energies since a start.
pub(crate) fn values(model: &Model, state: &State, scratch: &Scratch, out: &mut Vec<f64>) {
    let energies = Energies {
        kinetic: model.kinetic_energy(&scratch.frames),
        stored: model.stored_energy(state, &scratch.frames),
        ..Energies::default()
    };
    sample(model, state, scratch, &energies, out);
}

/// The values of all channels; the dynamics have left frames and loads of the state in `scratch`.
pub(super) fn sample(
    model: &Model,
    state: &State,
    scratch: &Scratch,
    energies: &Energies,
    out: &mut Vec<f64>,
) {
    let Scratch {
        frames,
        motions,
        wrenches,
        ..
    } = scratch;
    let at = Instant::of(state, 0.0);
    out.clear();
    out.push(state.t);
    for (i, body) in model.bodies.iter().enumerate().skip(1) {
        let frame = &frames[i];
        out.extend_from_slice(frame.p.as_slice());
        out.extend_from_slice(frame.v.as_slice());
        if model.turns(i) {
            let rotation = nalgebra::Rotation3::from_matrix_unchecked(frame.r);
            let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
            out.extend([q.w, q.i, q.j, q.k]);
            out.extend_from_slice(frame.w.as_slice());
        }
        for (k, step) in model.joints.of_body[i].iter().enumerate() {
            let (JointStep::Slide(_, by) | JointStep::Turn(_, by)) = step else {
                continue;
            };
            if !is_reported(body, k) {
                continue;
            }
            let [x, v, _] = by.jet(&at);
            out.extend([x, v]);
            if matches!(by, Coordinate::Driven { .. }) {
                let own = scratch.drive_forces[by.place() - model.dofs];
                out.push(own - motions[by.place()].force(&frame.p, &wrenches[i]));
            }
        }
        if !matches!(body.joint, Joint::Free) {
            out.extend(wrenches[i].iter().map(|x| -x));
        }
    }
    model.sample_constraints(&at, frames, out);
    for (i, element) in model.elements.iter().enumerate() {
        element.sample(&model.input(i, state, frames), out);
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
    /// Whether a body's orientation can change.
    pub(super) fn turns(&self, body: usize) -> bool {
        let moves = |i: usize| {
            self.joints.of_body[i]
                .iter()
                .enumerate()
                .any(|(k, step)| match step {
                    JointStep::Slide(..) => false,
                    JointStep::Turn(..) => is_reported(&self.bodies[i], k),
                    JointStep::Ball { .. } | JointStep::Float { .. } => true,
                })
        };
        let up = std::iter::successors(Some(body), |&i| (i > 0).then(|| self.bodies[i].parent.0));
        up.into_iter().any(moves)
    }
}
