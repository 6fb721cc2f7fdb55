//! Loads and the friction of joints, as arrows and arcs of the scene.

use bristle_mechanics::element::{BallFriction, JointFriction, ModelElement, Torque};
use bristle_mechanics::{JointOwner, Model, Vec3};
use bristle_report::{SceneArrow, SceneSlip};
use bristle_results::PairKind;
use bristle_scenario::{ParameterValue, Scenario};

use super::fields::{body, index, number, parameter, text, vector};

/// Forces, torques, what drives joints, and what rubs in them.
pub(super) fn of_scenario(scenario: &Scenario) -> Vec<SceneArrow> {
    let model = &scenario.model;
    let elements = model.elements().iter();
    let torques = elements.clone().filter_map(|element| element.downcast());
    let torques = torques.map(|own| torque(model, own));
    let balls = elements.clone().filter_map(|element| element.downcast());
    let balls = balls.flat_map(|ball| in_socket(model, ball));
    let efforts = elements.filter_map(|element| drive(model, element));
    let rubbing = model.joint_frictions();
    let rubbing = rubbing.filter_map(|joint| friction(model, joint));
    forces(scenario)
        .chain(torques)
        .chain(efforts)
        .chain(rubbing)
        .chain(balls)
        .collect()
}

fn forces(scenario: &Scenario) -> impl Iterator<Item = SceneArrow> {
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
    let elements = scenario.model.elements().iter();
    elements
        .filter(|element| element.kind() == "force")
        .filter_map(move |element| arrow(element.name()))
}

/// A torque on a body: it has no place, and is drawn at the centre of mass.
fn torque(model: &Model, torque: &Torque) -> SceneArrow {
    let body = model.bodies().get(torque.body.index());
    SceneArrow {
        name: torque.name.clone(),
        body: index(torque.body),
        point: body.map_or([0.0; 3], |body| body.inertia.centre.into()),
        direction: torque.axis.into(),
        channel: format!("torque.{}.magnitude", torque.name),
        moment: true,
        ..SceneArrow::default()
    }
}

/// Where a coordinate of a joint is: the place on the body that moves, its axis, and whether it is an angle.
fn coordinate(model: &Model, joint: &JointOwner, place: usize) -> Option<(Vec3, Vec3, bool)> {
    if joint.coupling_id().is_some() {
        return None;
    }
    let (point, kind) = if let Some(id) = joint.loop_id() {
        let own = model.loops().get(id.index())?;
        (own.to.point, &own.joint)
    } else {
        let body = model.bodies().get(joint.moving().index())?;
        (Vec3::zeros(), &body.joint)
    };
    let (axis, turns) = *kind.singles().get(place)?;
    Some((point, axis, turns))
}

/// A motor, an actuator or a servo, as the body that moves feels it.
fn drive(model: &Model, element: &ModelElement) -> Option<SceneArrow> {
    let kind = element.kind();
    if !["joint_torque", "joint_force"].contains(&kind) {
        return None;
    }
    let (joint, place) = element.on_joint()?.joint();
    let (point, axis, turns) = coordinate(model, &joint, place)?;
    Some(SceneArrow {
        name: element.name().to_owned(),
        body: index(joint.moving()),
        point: point.into(),
        direction: axis.into(),
        turns: true,
        channel: format!("{kind}.{}.magnitude", element.name()),
        moment: turns,
        friction: None,
    })
}

/// The friction of a joint, as the body feels it: against the slip.
fn friction(model: &Model, joint: &JointFriction) -> Option<SceneArrow> {
    let (point, axis, turns) = coordinate(model, &joint.joint, joint.place)?;
    let channel = |what: &str| format!("{}.{}.{what}", PairKind::Joint.section(), joint.name);
    Some(SceneArrow {
        name: joint.name.clone(),
        body: index(joint.joint.moving()),
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
}

/// The friction of a ball in its socket, as the ball feels it: about each axis of the socket, with which
/// it turns.
fn in_socket(model: &Model, ball: &BallFriction) -> Vec<SceneArrow> {
    let channel = |what: &str| format!("{}.{}.{what}", PairKind::Joint.section(), ball.name);
    let socket = if let Some(id) = ball.joint.loop_id() {
        let ends = model.loops().get(id.index()).map(|own| &own.from);
        ends.map(|end| {
            let axes = end.orientation.to_rotation_matrix();
            (end.body, end.point, *axes.matrix())
        })
    } else {
        let body = model.bodies().get(ball.joint.moving().index());
        body.map(|body| (body.parent, body.position, nalgebra::Matrix3::identity()))
    };
    let Some((body, point, axes)) = socket else {
        return Vec::new();
    };
    let about = |(k, axis): (usize, &str)| SceneArrow {
        name: ball.name.clone(),
        body: index(body),
        point: point.into(),
        direction: (-axes.column(k)).into_owned().into(),
        turns: true,
        channel: channel(&format!("torque.{axis}")),
        moment: true,
        friction: Some(SceneSlip {
            load: channel("load"),
            velocity: channel("slip_velocity"),
            slip_speed: ball.slip_speed,
        }),
    };
    ["x", "y", "z"].into_iter().enumerate().map(about).collect()
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
