//! The report page of the modes: their table, and the machine moving in one after the other.

use std::f64::consts::TAU;
use std::path::Path;

use bristle_mechanics::Vec3;
use bristle_mechanics::modes::Mode;
use bristle_report::{Cell, Fact, Grid, Report, Result, Scene, SceneOrientation, ScenePosition};
use bristle_results::{Channel, ChannelTable, Figure, FigureAxis, FigureCurve};

use super::ModeTable;
use super::shapes::{magnification, pose, title};
use crate::commands::report::scene_of;

/// Time for which a mode is shown, s, and the periods in it.
const SHOWN: f64 = 4.0;
const PERIODS: f64 = 3.0;
/// Pictures of a mode.
const SAMPLES: u32 = 120;

/// Writes `report.html`.
pub(super) fn write(found: &ModeTable, folder: &Path) -> Result<()> {
    let mut scene = scene_of(&found.scenario);
    // a mode has no loads and no contact forces
    (scene.arrows, scene.contacts) = (Vec::new(), Vec::new());
    let titles = found.modes.iter().enumerate();
    scene.captions = titles
        .map(|(i, mode)| (SHOWN * i as f64, title(i, mode)))
        .collect();
    let table = motion(found, &scene);
    let text = format!(
        "The machine moves in one mode after the other, {SHOWN} s and {PERIODS} periods each, \
         slowed down and magnified. A click into the plot shows the mode there."
    );
    Report::new(format!("Modes of {}", found.scenario.title))
        .fact(Fact::new("modes", found.modes.len().to_string()))
        .fact(Fact::new(
            "degrees of freedom",
            crate::model::degrees_of_freedom(&found.scenario.model).to_string(),
        ))
        .footer(format!("bristle {}", env!("CARGO_PKG_VERSION")))
        .channels(&table)
        .section("Modes")
        .table(modes(found))
        .section("Mode shapes")
        .text(text)
        .scene(scene)
        .figure(&shown(found))
        .write(folder.join("report.html"))
}

fn modes(found: &ModeTable) -> Grid {
    let heads = [
        "mode",
        "frequency",
        "undamped",
        "damped",
        "damping",
        "largest motion",
    ];
    let mut grid = Grid::new(
        "|λ|/2π, ω₀/2π without damping, Im λ/2π, and −Re λ/|λ|",
        heads,
    );
    for (i, (mode, motions)) in found.modes.iter().zip(&found.motions).enumerate() {
        let undamped = mode.undamped_frequency();
        grid.push([
            Cell::text((i + 1).to_string()),
            Cell::number(mode.frequency(), "Hz"),
            undamped.map_or(Cell::Empty, |f| Cell::number(f, "Hz")),
            Cell::number(mode.damped_frequency(), "Hz"),
            Cell::text(damping(mode)),
            Cell::text(super::mostly(found, motions)),
        ]);
    }
    grid
}

/// Damping in percent, or what a mode without vibration does.
fn damping(mode: &Mode) -> String {
    let text = super::damping_percent(mode);
    if text.ends_with(|c: char| c.is_ascii_digit()) {
        text + " %"
    } else {
        text
    }
}

/// Which mode is shown when.
fn shown(found: &ModeTable) -> Figure {
    let (mut time, mut number) = (Vec::new(), Vec::new());
    for i in 0..found.modes.len() {
        let (start, mode) = (SHOWN * i as f64, i as f64 + 1.0);
        time.extend([start, start + SHOWN]);
        number.extend([mode, mode]);
    }
    Figure {
        title: "Mode on the stage".to_owned(),
        x: FigureAxis::new("time", "s"),
        y: FigureAxis::of_counts("mode"),
        curves: vec![FigureCurve::new("mode", time, number)],
    }
}

/// The channels that move the scene: every mode in its time.
fn motion(found: &ModeTable, scene: &Scene) -> ChannelTable {
    let model = &found.scenario.model;
    let names = scene.channels();
    let time = Channel::new("t", "s", "time on the page");
    let channels = names
        .iter()
        .map(|name| Channel::new(name, "1", "pose in a mode"));
    let mut table = ChannelTable::new(std::iter::once(time).chain(channels).collect());
    for (i, mode) in found.modes.iter().enumerate() {
        let real: Vec<f64> = mode.shape.iter().map(|z| z.re).collect();
        let (frames, motions) = model.motions_of(&found.state, &real);
        let places: Vec<Vec3> = frames.iter().skip(1).map(|frame| frame.p).collect();
        let factor = magnification(model.bodies(), &places, &motions);
        for sample in 0..SAMPLES {
            let part = f64::from(sample) / f64::from(SAMPLES);
            let size = factor * (TAU * PERIODS * part).sin();
            let mut row = vec![SHOWN * (i as f64 + part)];
            let bodies = scene.bodies.iter().zip(frames.iter().zip(&motions).skip(1));
            for (body, (frame, motion)) in bodies {
                let (position, turned) = pose(frame, motion, size);
                if let ScenePosition::Channels(_) = body.pose.position {
                    row.extend(position.iter());
                }
                if let SceneOrientation::Channels(_) = body.pose.orientation {
                    row.extend([turned.w, turned.i, turned.j, turned.k]);
                }
            }
            // every row is finite and as long as the channels
            let _ = table.push_row(&row);
        }
    }
    table
}
