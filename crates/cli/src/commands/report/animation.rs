//! The scene of the animation from a scenario.

use bristle_mechanics::Vec3;
use bristle_mechanics::element::{Contact, JointFriction, SurfaceShape};
use bristle_report::{
    Scene, SceneArrow, SceneBody, SceneContact, SceneOrientation, ScenePlane, ScenePose,
    ScenePosition, SceneShape, SceneSlip, SceneSpring, SceneSurface, SceneSurfaceShape,
};
use bristle_results::PairKind;
use bristle_scenario::{ParameterValue, Scenario};
use nalgebra::{Rotation3, UnitQuaternion};

use super::fields::{body, index, number, parameter, text, vector};
use crate::model;

/// Points of a contact that are shown, at most.
const POINTS: usize = 60;

/// Shapes, contacts, forces and springs of a scenario.
pub(super) fn of_scenario(scenario: &Scenario) -> Scene {
    let model = &scenario.model;
    let state = model.start();
    let frames = model.frames(state.t, &state.q, &state.v, &state.a);
    let channels = bristle_study::channels_of(scenario);
    let recorded = |name: &str| channels.iter().any(|channel| channel.name == name);
    let bodies = model.bodies().iter().zip(&frames).skip(1);
    let bodies = bodies.map(|(body, frame)| {
        let name = &body.name;
        let turning = ["w", "x", "y", "z"].map(|p| format!("body.{name}.orientation.{p}"));
        let moving = ["x", "y", "z"].map(|p| format!("body.{name}.position.{p}"));
        let orientation = if recorded(&turning[0]) {
            SceneOrientation::Channels(turning)
        } else {
            let rotation = Rotation3::from_matrix_unchecked(frame.r);
            let q = UnitQuaternion::from_rotation_matrix(&rotation);
            SceneOrientation::Fixed([q.w, q.i, q.j, q.k])
        };
        let position = if recorded(&moving[0]) {
            ScenePosition::Channels(moving)
        } else {
            ScenePosition::Fixed(frame.p.into())
        };
        SceneBody {
            name: name.clone(),
            shapes: shape(scenario, name).into_iter().collect(),
            pose: ScenePose {
                position,
                orientation,
            },
        }
    });
    Scene {
        bodies: bodies.collect(),
        contacts: model::contacts(model).map(contact).collect(),
        arrows: loads(scenario).chain(joints(scenario)).collect(),
        springs: springs(scenario),
        chains: [
            super::beams::of_scenario(scenario, &frames),
            super::links::of_scenario(scenario),
        ]
        .concat(),
    }
}

fn contact(contact: &Contact) -> SceneContact {
    let axes = &contact.surface.axes;
    let column = |k: usize| -> [f64; 3] { Vec3::from(axes.column(k)).into() };
    let points = contact.points.iter().take(POINTS);
    SceneContact {
        name: contact.name.clone(),
        body: index(contact.body),
        points: points.clone().map(|point| point.position.into()).collect(),
        radii: points.map(|point| point.radius).collect(),
        plane: ScenePlane {
            body: index(contact.surface.body),
            point: contact.surface.point.into(),
            normal: column(2),
            tangent: column(0),
        },
        surface: curved(contact),
        slip_speed: contact.slip_speed,
        pushes: contact.pushes(),
        note: model::contact_phrase(contact),
    }
}

/// A curved surface with its net; a part of one that has no end, as large as what is on it.
fn curved(contact: &Contact) -> Option<SceneSurface> {
    let reach = contact.points.iter().map(|p| p.position.norm() + p.radius);
    let reach = 4.0 * reach.fold(0.0, f64::max);
    let shape = match &contact.surface.shape {
        SurfaceShape::Plane => return None,
        SurfaceShape::Sphere { radius } => SceneSurfaceShape::Sphere { radius: *radius },
        SurfaceShape::Cylinder { radius } => SceneSurfaceShape::Cylinder {
            radius: *radius,
            length: reach.max(*radius),
        },
        SurfaceShape::Capsule {
            radius,
            half_length,
        } => SceneSurfaceShape::Capsule {
            radius: *radius,
            length: 2.0 * half_length,
        },
        SurfaceShape::Cone { half_angle } => SceneSurfaceShape::Cone {
            half_angle: *half_angle,
            length: 2.0 * reach,
        },
        SurfaceShape::Cam(profile) => SceneSurfaceShape::Cam {
            outline: profile.outline(),
            length: reach,
        },
    };
    Some(SceneSurface::new(shape, contact.surface.inside))
}

/// The solid of a body, about its centre of mass.
fn shape(scenario: &Scenario, body: &str) -> Option<SceneShape> {
    let path = format!("body.{body}.shape");
    let centre = vector(scenario, &format!("body.{body}.centre_of_mass")).unwrap_or_default();
    if let Some(edges) = vector(scenario, &format!("{path}.box")) {
        return Some(SceneShape::Box { edges, centre });
    }
    if let Some(radius) = number(scenario, &format!("{path}.sphere")) {
        return Some(SceneShape::Sphere { radius, centre });
    }
    let radius = number(scenario, &format!("{path}.cylinder.radius"))?;
    let length = number(scenario, &format!("{path}.cylinder.length"))?;
    Some(SceneShape::Cylinder {
        radius,
        length,
        centre,
    })
}

fn names<'s>(scenario: &'s Scenario, kind: &'s str) -> impl Iterator<Item = &'s str> {
    let elements = scenario.model.elements().iter();
    elements
        .filter(move |element| element.kind() == kind)
        .map(|element| element.name())
}

fn loads(scenario: &Scenario) -> impl Iterator<Item = SceneArrow> {
    let arrow = move |name: &str| {
        let path = |field: &str| format!("force.{name}.{field}");
        Some(SceneArrow {
            name: name.to_owned(),
            body: body(scenario, &path("body"))?,
            point: vector(scenario, &path("point")).unwrap_or_default(),
            direction: direction(scenario, name)?,
            turns: text(scenario, &path("frame")) == Some("body"),
            channel: path("magnitude"),
            ..SceneArrow::default()
        })
    };
    names(scenario, "force").filter_map(arrow)
}

/// The friction of joints, as the body feels it: against the slip.
fn joints(scenario: &Scenario) -> impl Iterator<Item = SceneArrow> {
    let arrow = move |joint: &JointFriction| {
        let moving = joint.joint.moving();
        if joint.joint.coupling_id().is_some() {
            return None;
        }
        let (point, kind) = if let Some(id) = joint.joint.loop_id() {
            let own = scenario.model.loops().get(id.index())?;
            (own.to.point, &own.joint)
        } else {
            let body = scenario.model.bodies().get(moving.index())?;
            (Vec3::zeros(), &body.joint)
        };
        let (axis, turns) = *kind.singles().get(joint.place)?;
        let channel = |what: &str| format!("{}.{}.{what}", PairKind::Joint.section(), joint.name);
        Some(SceneArrow {
            name: joint.name.clone(),
            body: index(moving),
            point: point.into(),
            direction: (-axis).into(),
            turns: true,
            channel: channel(if turns { "torque" } else { "friction" }),
            moment: turns,
            friction: Some(SceneSlip {
                load: channel("load"),
                velocity: channel("slip_velocity"),
                slip_speed: joint.slip_speed,
            }),
        })
    };
    scenario.model.joint_frictions().filter_map(arrow)
}

/// The unit direction of a force: of the load at a moment at which it acts.
fn direction(scenario: &Scenario, name: &str) -> Option<[f64; 3]> {
    let path = format!("force.{name}.direction");
    let vector = if let Some(ParameterValue::Written(written)) = parameter(scenario, &path) {
        numbers(written)?
    } else {
        let angle = number(scenario, &format!("{path}.angle"))?;
        let (along, across) = (angle.cos(), angle.sin());
        match text(scenario, &format!("{path}.in"))? {
            "xy" => [along, across, 0.0],
            "yz" => [0.0, along, across],
            _ => [along, 0.0, across],
        }
    };
    let vector = Vec3::from(vector);
    let largest = vector.amax();
    (largest > 0.0).then(|| (vector / largest).normalize().into())
}

/// Three numbers without unit, as a scenario writes them.
fn numbers(written: &str) -> Option<[f64; 3]> {
    let items = written.trim().strip_prefix('[')?.strip_suffix(']')?;
    let items = items
        .split(',')
        .map(|item| item.trim_matches([' ', '"', '\n', '\t']));
    let numbers: Option<Vec<f64>> = items
        .filter(|item| !item.is_empty())
        .map(|item| item.replace('_', "").parse().ok())
        .collect();
    numbers?.try_into().ok()
}

fn springs(scenario: &Scenario) -> Vec<SceneSpring> {
    let spring = |name: &str| {
        let path = |end: &str, field: &str| format!("spring.{name}.{end}.{field}");
        let point = |end| vector(scenario, &path(end, "point")).unwrap_or_default();
        Some(SceneSpring {
            name: name.to_owned(),
            from_body: body(scenario, &path("from", "body"))?,
            from: point("from"),
            to_body: body(scenario, &path("to", "body"))?,
            to: point("to"),
        })
    };
    names(scenario, "spring").filter_map(spring).collect()
}
