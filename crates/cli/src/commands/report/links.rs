//! Links in the scene: bodies without a shape that hold several joints are drawn from joint to joint.

use bristle_mechanics::{BodyId, Model, Vec3, tangents};
use bristle_report::{SceneChain, SceneChainPoint};
use bristle_scenario::Scenario;

use super::fields::index;

/// Half the width of a bar over its length.
const SLENDER: f64 = 0.02;

/// Bars from the joint of a body to the other joints on it, of bodies without a shape.
pub(super) fn of_scenario(scenario: &Scenario) -> Vec<SceneChain> {
    let model = &scenario.model;
    let bodies = (1..model.bodies().len()).filter_map(|place| {
        let body = &model.bodies()[place];
        let id = model.body(&body.name)?;
        let has_shape = scenario
            .parameters
            .iter()
            .any(|p| p.path.starts_with(&format!("body.{}.shape.", body.name)));
        (!has_shape && !body.is_node).then_some(id)
    });
    bodies.flat_map(|id| bars(model, id)).collect()
}

fn bars(model: &Model, body: BodyId) -> Vec<SceneChain> {
    let children = model.bodies().iter().skip(1);
    let children = children
        .filter(|child| child.parent == body)
        .map(|child| child.position);
    let ends = model.loops().iter().flat_map(|own| [&own.from, &own.to]);
    let ends = ends.filter(|end| end.body == body).map(|end| end.point);
    let mut places: Vec<Vec3> = children.chain(ends).collect();
    places.retain(|place| place.norm() > 0.0);
    places.dedup();
    let name = &model.bodies()[body.index()].name;
    places.iter().map(|place| bar(name, body, place)).collect()
}

fn bar(name: &str, body: BodyId, to: &Vec3) -> SceneChain {
    let length = to.norm();
    let along = to / length;
    let [across, _] = tangents(&along);
    let point = |point: Vec3| SceneChainPoint {
        body: index(body),
        point: point.into(),
        along: along.into(),
        across: across.into(),
    };
    let half = SLENDER * length;
    SceneChain {
        name: name.to_owned(),
        points: vec![point(Vec3::zeros()), point(*to)],
        outline: vec![[-half, -half], [half, -half], [half, half], [-half, half]],
    }
}
