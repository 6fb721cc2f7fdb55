//! Beams in the scene: their nodes, and the outline of their section.

use bristle_mechanics::{Frame, Vec3};
use bristle_report::{SceneChain, SceneChainPoint};
use bristle_scenario::Scenario;

use super::fields::{body, index, number, numbers_of, vector};

/// Corners of the outline of a round section.
const CORNERS: u32 = 24;

/// The beams of a scenario, with the frames of all bodies at the start.
pub(super) fn of_scenario(scenario: &Scenario, frames: &[Frame]) -> Vec<SceneChain> {
    let places = scenario.parameters.iter().map(|p| p.path.as_str());
    let names = places.filter_map(|path| path.strip_prefix("beam.")?.strip_suffix(".from.body"));
    names
        .filter_map(|name| beam(scenario, frames, name))
        .collect()
}

fn beam(scenario: &Scenario, frames: &[Frame], name: &str) -> Option<SceneChain> {
    let field = |field: &str| format!("beam.{name}.{field}");
    let end = |end: &str| {
        let point = vector(scenario, &field(&format!("{end}.point"))).unwrap_or_default();
        Some((body(scenario, &field(&format!("{end}.body")))?, point))
    };
    let nodes = (1..).map_while(|i| scenario.model.body(&format!("{name}.node{i}")));
    let nodes = nodes.map(|node| (index(node), [0.0; 3]));
    let places: Vec<(Option<usize>, [f64; 3])> = std::iter::once(end("from")?)
        .chain(nodes)
        .chain([end("to")?])
        .collect();
    let frame = |body: Option<usize>| &frames[body.map_or(0, |body| body + 1)];
    let ends = [places.first()?, places.last()?]
        .map(|(body, point)| frame(*body).p + frame(*body).r * Vec3::from(*point));
    let along = ends[1] - ends[0];
    let parent = body(scenario, &field("parent")).flatten();
    let wanted = vector(scenario, &field("section_y")).unwrap_or([0.0, 1.0, 0.0]);
    let wanted = frame(parent).r * Vec3::from(wanted);
    let length = along.norm();
    let along = along / length;
    let across = wanted - along * along.dot(&wanted);
    let sound = length > 0.0 && across.norm() > 0.0;
    let across = across.normalize();
    let points = places.iter().map(|&(body, point)| {
        let back = frame(body).r.transpose();
        SceneChainPoint {
            body,
            point,
            along: (back * along).into(),
            across: (back * across).into(),
        }
    });
    Some(SceneChain {
        name: name.to_owned(),
        points: points.collect(),
        outline: outline(scenario, name)
            .filter(|_| sound)
            .unwrap_or_default(),
    })
}

/// Corners of the section in its y and z axes, m.
fn outline(scenario: &Scenario, name: &str) -> Option<Vec<[f64; 2]>> {
    let number = |field: &str| number(scenario, &format!("beam.{name}.section.{field}"));
    let rectangle = |a: f64, b: f64| {
        let (y, z) = (a / 2.0, b / 2.0);
        vec![[-y, -z], [y, -z], [y, z], [-y, z]]
    };
    let path = format!("beam.{name}.section.rectangle");
    if let Some([a, b]) = numbers_of(scenario, &path).as_deref() {
        return Some(rectangle(*a, *b));
    }
    if let Some(radius) = number("circle") {
        let corner = |i: u32| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(CORNERS);
            [radius * angle.cos(), radius * angle.sin()]
        };
        return Some((0..CORNERS).map(corner).collect());
    }
    // any other section: the rectangle that resists bending as it does
    let (area, about_y, about_z) = (number("area")?, number("i_y")?, number("i_z")?);
    let edge = |moment: f64| (12.0 * moment / area).sqrt();
    Some(rectangle(edge(about_z), edge(about_y)))
}
