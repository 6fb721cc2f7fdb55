//! Friction over slip velocity and over displacement.

use bristle_report::{Loop, Loops};
use bristle_results::{ChannelTable, FigureAxis};
use bristle_scenario::Scenario;
use serde::{Deserialize, Serialize};

use crate::model;

const AXES: [&str; 3] = ["x", "y", "z"];
/// Points of a contact whose loops are drawn one by one, at most.
const POINTS: usize = 8;

/// What the loops of a contact need to know of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LoopContact {
    name: String,
    points: usize,
    /// Name of the body with the points, and of the body with the plane; nothing for the ground.
    body: Option<String>,
    plane: Option<String>,
}

/// The contacts of a scenario.
pub(super) fn of_scenario(scenario: &Scenario) -> Vec<LoopContact> {
    let name = |index: usize| {
        let body = scenario.model.bodies().get(index).filter(|_| index > 0);
        body.map(|body| body.name.clone())
    };
    model::contacts(&scenario.model)
        .map(|contact| LoopContact {
            name: contact.name.clone(),
            points: contact.points.len(),
            body: name(contact.body.index()),
            plane: name(contact.surface.body.index()),
        })
        .collect()
}

/// Friction over slip velocity, and total friction over the displacement, along the axis of the
/// world in which friction is largest.
pub(super) fn of_table(contact: &LoopContact, table: &ChannelTable) -> Vec<Loops> {
    let Some(axis) = main_axis(contact, table) else {
        return Vec::new();
    };
    let t = table.time();
    let title = |over: &str| {
        format!(
            "Contact {}: friction over {over} along {axis}",
            contact.name
        )
    };
    let force = FigureAxis::new("friction", "N");
    let path = |label: String, x: Vec<f64>, y: &[f64]| Loop {
        label,
        t: t.to_vec(),
        x,
        y: y.to_vec(),
    };
    let point = |i: usize| {
        let prefix = format!("contact.{}.point{i}", contact.name);
        let velocity = table.column(&format!("{prefix}.slip_velocity.{axis}"))?;
        let friction = table.column(&format!("{prefix}.friction.{axis}"))?;
        Some(path(format!("point {i}"), velocity.to_vec(), friction))
    };
    let over_velocity = Loops {
        title: title("slip velocity"),
        x: FigureAxis::new("slip velocity", "m/s"),
        y: force.clone(),
        paths: (1..=contact.points.min(POINTS)).filter_map(point).collect(),
    };
    let total = table.column(&format!("contact.{}.friction.{axis}", contact.name));
    let total = total.zip(displacement(contact, table, axis));
    let over_displacement = Loops {
        title: title("displacement"),
        x: FigureAxis::new("displacement", "m"),
        y: force,
        paths: total
            .map(|(friction, x)| path("total friction".to_owned(), x, friction))
            .into_iter()
            .collect(),
    };
    let mut loops = vec![over_velocity, over_displacement];
    loops.retain(|chart| !chart.paths.is_empty());
    loops
}

/// The axis with the largest friction; nothing without friction.
fn main_axis(contact: &LoopContact, table: &ChannelTable) -> Option<&'static str> {
    let size = |axis: &str| {
        let column = table.column(&format!("contact.{}.friction.{axis}", contact.name));
        let column = column.unwrap_or_default().iter();
        column.fold(0.0_f64, |most, value| most.max(value.abs()))
    };
    let sizes = AXES.map(|axis| (size(axis), axis));
    let largest = sizes
        .into_iter()
        .reduce(|a, b| if b.0 > a.0 { b } else { a });
    largest
        .filter(|(size, _)| *size > 0.0)
        .map(|(_, axis)| axis)
}

/// How far the body with the points has moved along the plane's body since the start.
fn displacement(contact: &LoopContact, table: &ChannelTable, axis: &str) -> Option<Vec<f64>> {
    let position = |body: &Option<String>| match body {
        Some(name) => table
            .column(&format!("body.{name}.position.{axis}"))
            .map(<[f64]>::to_vec),
        None => Some(vec![0.0; table.rows()]),
    };
    let (moving, plane) = (position(&contact.body)?, position(&contact.plane)?);
    let start = moving.first()? - plane.first()?;
    let pairs = moving.iter().zip(&plane);
    Some(pairs.map(|(a, b)| a - b - start).collect())
}
