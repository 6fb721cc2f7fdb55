//! The scene of the animation from a scenario.

use bristle_mechanics::Vec3;
use bristle_mechanics::element::{Contact, SurfaceShape, TriangleMesh};
use bristle_report::{
    Scene, SceneBody, SceneContact, SceneOrientation, ScenePlane, ScenePose, ScenePosition,
    SceneSpring, SceneSurface, SceneSurfaceShape,
};
use bristle_scenario::Scenario;
use nalgebra::{Rotation3, UnitQuaternion};

use super::fields::{body, index, vector};
use super::{arrows, beams, links, solids};
use crate::model;

/// Points of a contact that are shown, at most.
const POINTS: usize = 60;
/// Edges and faces of a mesh that are shown, at most.
const MESH_LINES: usize = 1500;
/// Cosine of the angle between two faces that lie in one plane.
const FLAT: f64 = 1.0 - 1e-9;

/// Shapes, contacts, forces and springs of a scenario.
pub(super) fn of_scenario(scenario: &Scenario) -> Scene {
    let model = &scenario.model;
    let state = model.start();
    let frames = model.frames(state.t, &state.q, &state.v, &state.a);
    let channels = bristle_study::channels_of(scenario);
    let recorded = |name: &str| channels.iter().any(|channel| channel.name == name);
    let chains = [
        beams::of_scenario(scenario, &frames),
        links::of_scenario(scenario),
    ]
    .concat();
    // a link that is drawn as bars, or a plate that is drawn as the grid of its plane, needs no box
    let shown = |place: usize, name: &str| {
        let has_points = model::contacts(model).any(|own| index(own.body) == Some(place));
        let has_surface = model::contacts(model).any(|own| index(own.surface.body) == Some(place));
        (has_surface && !has_points) || chains.iter().any(|chain| chain.name == name)
    };
    let bodies = model.bodies().iter().zip(&frames).skip(1).enumerate();
    let bodies = bodies.map(|(place, (body, frame))| {
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
        let solid = solids::given(scenario, name).or_else(|| {
            let others = &frames[1..];
            let assumed = solids::assumed(body, frame, others);
            assumed.filter(|_| !shown(place, name))
        });
        SceneBody {
            name: name.clone(),
            shapes: solid.into_iter().collect(),
            pose: ScenePose {
                position,
                orientation,
            },
        }
    });
    let bodies = bodies.collect();
    Scene {
        bodies,
        contacts: model::contacts(model).map(contact).collect(),
        arrows: arrows::of_scenario(scenario),
        springs: springs(scenario),
        chains,
        captions: Vec::new(),
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
        SurfaceShape::Mesh(mesh) => return Some(triangles(mesh)),
    };
    Some(SceneSurface::new(shape, contact.surface.inside))
}

/// A mesh by its sharpest edges; its normals by some faces, where there are many.
fn triangles(mesh: &TriangleMesh) -> SceneSurface {
    let shorter =
        |at: Vec3| -> [f64; 3] { at.map(|x| format!("{x:.5e}").parse().unwrap_or(x)).into() };
    // an edge within a flat side is none of the shape
    let edges = mesh.edges().filter(|(_, cosine)| *cosine < FLAT);
    let mut edges: Vec<_> = edges.collect();
    edges.sort_by(|(_, p), (_, q)| p.total_cmp(q));
    let edges = edges.into_iter().take(MESH_LINES);
    let edges = edges.map(|(ends, _)| ends.map(shorter).to_vec()).collect();
    let every = mesh.normals().len().div_ceil(MESH_LINES).max(1);
    let faces = mesh.triangles().zip(mesh.normals()).step_by(every);
    let faces = faces.map(|([a, b, c], normal)| [(a + b + c) / 3.0, *normal].map(shorter));
    SceneSurface::mesh(faces.collect(), edges)
}

fn springs(scenario: &Scenario) -> Vec<SceneSpring> {
    let spring = |kind: &str, name: &str| {
        let path = |end: &str, field: &str| format!("{kind}.{name}.{end}.{field}");
        let point = |end| vector(scenario, &path(end, "point")).unwrap_or_default();
        Some(SceneSpring {
            name: name.to_owned(),
            from_body: body(scenario, &path("from", "body"))?,
            from: point("from"),
            to_body: body(scenario, &path("to", "body"))?,
            to: point("to"),
            is_cable: kind == "cable",
        })
    };
    let elements = scenario.model.elements().iter();
    elements
        .filter(|element| matches!(element.kind(), "spring" | "cable"))
        .filter_map(|element| spring(element.kind(), element.name()))
        .collect()
}
