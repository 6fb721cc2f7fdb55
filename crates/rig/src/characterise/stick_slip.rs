//! A block on a spring that is drawn.

use super::block::SlidingBlock;
use super::{Bench, Card, Feature, MeasurementFailure, Picture, PictureAxis};

const CARD: Card = Card {
    key: "stick_slip",
    title: "Stick-slip",
    quantity: "stick phases in the late two thirds of the run",
    unit: "1",
    criterion: "drawn at 0.1 m/s for 15 s, or at 0.02 m/s for 45 s, the block sticks twice or more in the last two thirds: slower than 1 % of the drawing speed for longer than a tenth of the natural period",
};

const PICTURE: Picture = Picture {
    key: "stick_slip",
    title: "Velocity of a block on a drawn spring",
    about: "A spring draws a block while its far end moves at constant speed. The block sticks \
            until the spring force reaches break-away, then slips faster than the drive, and \
            sticks again.",
    x: PictureAxis::linear("time", "s"),
    y: PictureAxis::linear("velocity", "m/s"),
};

/// End of the run at the drawing speed of the options, s.
pub(super) const END: f64 = 15.0;
/// The slower run: a part of the drawing speed, and how much longer it lasts.
const SLOWER: (f64, f64) = (0.2, 3.0);

/// What a run showed.
#[derive(Default)]
struct Run {
    /// Start and end of the late stick phases, s.
    phases: Vec<(f64, f64)>,
    fastest: f64,
    /// Least speed in the late part, m/s.
    slowest: f64,
    t: Vec<f64>,
    v: Vec<f64>,
}

fn drawn(bench: &Bench<'_>, speed: f64, end: f64) -> Result<Run, MeasurementFailure> {
    let options = bench.options;
    let period = std::f64::consts::TAU * (options.mass / options.stiffness).sqrt();
    let block = SlidingBlock {
        law: bench.law,
        mass: options.mass,
        normal_force: options.normal_force,
        load: &|_| 0.0,
        spring: (options.stiffness, speed),
        corners: &[],
        end,
        longest: 5e-3,
    };
    let (slow, late) = (0.01 * speed, end / 3.0);
    let mut since: Option<f64> = None;
    let mut run = Run {
        slowest: f64::INFINITY,
        ..Run::default()
    };
    let last = block.run(&mut |point| {
        if run.t.last().is_none_or(|last| point.t - last > 1e-3) {
            run.t.push(point.t);
            run.v.push(point.v);
        }
        run.fastest = run.fastest.max(point.v);
        if point.t > late {
            run.slowest = run.slowest.min(point.v.abs());
        }
        match since {
            None if point.v.abs() < slow => since = Some(point.t),
            Some(start) if point.v.abs() >= slow => {
                run.phases.push((start, point.t));
                since = None;
            }
            _ => {}
        }
        true
    })?;
    run.phases.extend(since.map(|start| (start, last.t)));
    run.phases
        .retain(|(start, end)| *start > late && end - start > 0.1 * period);
    Ok(run)
}

pub(super) fn measure(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&CARD, |bench, feature| {
        let speed = bench.options.drawing_speed;
        let fast = drawn(bench, speed, END)?;
        let slow = drawn(bench, SLOWER.0 * speed, SLOWER.1 * END)?;
        feature.value = Some(fast.phases.len() as f64);
        feature.push(
            "stick phases at a fifth of the speed",
            slow.phases.len() as f64,
            "1",
        );
        feature.push("largest speed", fast.fastest, "m/s");
        if let Some((start, end)) = fast.phases.first() {
            feature.push("duration of a stick phase", end - start, "s");
        }
        let sticks = [fast.phases.len() >= 2, slow.phases.len() >= 2];
        feature.verdict = sticks.contains(&true).into();
        if sticks == [false, true] {
            feature.note("only at the lower drawing speed");
        }
        if sticks == [false, false] && fast.slowest < 0.01 * speed {
            feature
                .note("slows down to almost nothing in every period, and goes on without sticking");
        }
        bench.curve(&PICTURE, format!("drawn at {speed} m/s"), fast.t, fast.v);
        Ok(())
    })
}
