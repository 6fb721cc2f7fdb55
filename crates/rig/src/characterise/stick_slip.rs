//! A block on a spring that is drawn.

use super::block::Block;
use super::{Bench, Card, Feature, Picture};

const CARD: Card = Card {
    key: "stick_slip",
    title: "Stick-slip",
    quantity: "stick phases between 5 s and 15 s",
    unit: "1",
    criterion: "two or more stick phases after 5 s: slower than 1 % of the drawing speed for longer than a tenth of the natural period",
};

const PICTURE: Picture = Picture {
    key: "stick_slip",
    title: "Velocity of a block on a drawn spring",
    x: ("time", "s"),
    y: ("velocity", "m/s"),
};

/// End of the run and start of its late part, s.
pub(super) const END: f64 = 15.0;
const LATE: f64 = 5.0;

pub(super) fn measure(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&CARD, |bench, feature| {
        let options = bench.options;
        let (slow, period) = (
            0.01 * options.drawing_speed,
            std::f64::consts::TAU * (options.mass / options.stiffness).sqrt(),
        );
        let block = Block {
            law: bench.law,
            mass: options.mass,
            normal_force: options.normal_force,
            load: &|_| 0.0,
            spring: (options.stiffness, options.drawing_speed),
            corners: &[],
            end: END,
            longest: 5e-3,
        };
        let (mut t, mut v) = (Vec::new(), Vec::new());
        let mut since: Option<f64> = None;
        let mut phases = Vec::new();
        let mut peak = 0.0_f64;
        let mut slowest = f64::INFINITY;
        let last = block.run(&mut |point| {
            if t.last().is_none_or(|last| point.t - last > 1e-3) {
                t.push(point.t);
                v.push(point.v);
            }
            peak = peak.max(point.v);
            if point.t > LATE {
                slowest = slowest.min(point.v.abs());
            }
            match since {
                None if point.v.abs() < slow => since = Some(point.t),
                Some(start) if point.v.abs() >= slow => {
                    phases.push((start, point.t));
                    since = None;
                }
                _ => {}
            }
            true
        })?;
        phases.extend(since.map(|start| (start, last.t)));
        phases.retain(|(start, end)| *start > LATE && end - start > 0.1 * period);
        feature.value = Some(phases.len() as f64);
        feature.verdict = (phases.len() >= 2).into();
        feature.push("largest speed", peak, "m/s");
        feature.push("least speed after 5 s", slowest, "m/s");
        if phases.is_empty() && slowest < slow {
            feature.note(
                "it slows down to next to nothing in every period, and goes on without sticking",
            );
        }
        if let Some((start, end)) = phases.first() {
            feature.push("first stick phase after 5 s", end - start, "s");
        }
        bench.curve(&PICTURE, "block", t, v);
        Ok(())
    })
}
