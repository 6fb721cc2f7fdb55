//! Whether a pair holds what it should hold.

use super::block::{BlockPosition, SlidingBlock};
use super::{Bench, Card, Feature, FeatureVerdict, MeasurementFailure, Picture, PictureAxis};
use bristle_laws::{MAX_STATES, Slip, Step};
use std::f64::consts::TAU;

const VIBRATION: Card = Card {
    key: "holds_vibration",
    title: "Holds under vibration",
    quantity: "drift",
    unit: "m/s",
    criterion: "under 0.5 N + 0.4 N sin(10πt) at N = 10 N (in proportion otherwise) the mean position moves at less than 0.1 µm/s from the 6th to the 11th second",
};

const DRIFT: Picture = Picture {
    key: "drift",
    title: "Displacement under a vibrating load below break-away",
    about: "A load that vibrates below break-away must not carry a block away. A law that drifts \
            lets it move on by a little in each period, without end.",
    x: PictureAxis::linear("time", "s"),
    y: PictureAxis::linear("displacement", "m"),
};

/// Frequency of the vibration, Hz.
const FREQUENCY: f64 = 5.0;

fn block<'a>(bench: &'a Bench<'_>, load: &'a dyn Fn(f64) -> f64, end: f64) -> SlidingBlock<'a> {
    SlidingBlock {
        law: bench.law,
        mass: bench.options.mass,
        normal_force: bench.options.normal_force,
        load,
        spring: (0.0, 0.0),
        corners: &[1.0, 5.0, 6.0, 10.0],
        end,
        longest: 2e-2,
    }
}

/// Means of the position over two seconds five seconds apart: whole periods of the vibration, and
/// so many of the ringing of an undamped bristle that it averages out.
const WINDOWS: [(f64, f64); 2] = [(5.0, 6.0), (10.0, 11.0)];

/// Runs to 11 s; the speed at which the mean position drifts, and the path.
fn creep(block: &SlidingBlock<'_>) -> Result<(f64, Vec<f64>, Vec<f64>), MeasurementFailure> {
    let (mut t, mut x) = (Vec::new(), Vec::new());
    let mut sums = [0.0; 2];
    let mut before = (0.0, 0.0);
    let last = block.run(&mut |point| {
        for ((from, to), sum) in WINDOWS.iter().zip(&mut sums) {
            // the block lands on the ends of the windows
            if before.0 >= *from && point.t <= *to {
                *sum += 0.5 * (point.x + before.1) * (point.t - before.0);
            }
        }
        before = (point.t, point.x);
        if t.last().is_none_or(|last| point.t - last >= 5e-3) {
            t.push(point.t);
            x.push(point.x);
        }
        // far gone: the speed is what counts
        point.x.abs() < 10.0
    })?;
    let whole = last.t >= WINDOWS[1].1;
    let speed = if whole {
        (sums[1] - sums[0]) / 5.0
    } else {
        last.v
    };
    Ok((speed, t, x))
}

pub(super) fn vibration(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&VIBRATION, |bench, feature| {
        let unit = bench.options.normal_force / 10.0;
        let load = |t: f64| {
            let swing = if t > 1.0 {
                (TAU * FREQUENCY * (t - 1.0)).sin()
            } else {
                0.0
            };
            unit * (0.5 * t.min(1.0) + 0.4 * swing)
        };
        let (speed, t, x) = creep(&block(bench, &load, 11.0))?;
        feature.value = Some(speed);
        feature.verdict = (speed.abs() < 1e-7).into();
        bench.curve(&DRIFT, "block", t, x);
        Ok(())
    })
}

const CONSTANT: Card = Card {
    key: "holds_constant_load",
    title: "Holds a constant load",
    quantity: "creep",
    unit: "m/s",
    criterion: "under half of its break-away force for 10 s the mean position moves at less than 1 nm/s from the 6th to the 11th second",
};

pub(super) fn constant(bench: &mut Bench<'_>, level: f64) -> Feature {
    bench.measure(&CONSTANT, |bench, feature| {
        let load = |t: f64| 0.5 * level * t.min(1.0);
        let (speed, _, _) = creep(&block(bench, &load, 11.0))?;
        feature.value = Some(speed);
        feature.verdict = (speed.abs() < 1e-9).into();
        Ok(())
    })
}

const FALLING: Card = Card {
    key: "falling_normal_force",
    title: "Right force as N falls in stick",
    quantity: "F at a tenth of the normal force",
    unit: "N",
    criterion: "at rest under 0.75 N, while N falls from 10 N to 1 N, F keeps its value down to N = 8 N, and at 1 N is at the limit: not above the static level, and not let go",
};

const NORMAL: Picture = Picture {
    key: "falling_normal_force",
    title: "Friction force at rest as the normal force falls",
    about: "A block at rest under a constant load carries just that load until the normal force \
            has fallen so far that the limit of friction is reached. A law that loses force \
            earlier, or keeps more than the limit, is wrong where contacts are relieved.",
    x: PictureAxis::linear("normal force", "N"),
    y: PictureAxis::linear("friction force", "N"),
};

/// Steps of the fall.
const STEPS: u32 = 900;

pub(super) fn falling_normal_force(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&FALLING, |bench, feature| {
        let full = bench.options.normal_force;
        let held = 0.075 * full;
        let load = |t: f64| held * t.min(1.0);
        let start = block(bench, &load, 2.0).run(&mut |_| true)?;
        let (n, f) = fall(bench, &start, held);
        let at = |share: f64| {
            // to rounding, the samples hit the asked normal force
            let found = n.iter().position(|n| *n <= share * full * (1.0 + 1e-9));
            found.and_then(|i| f.get(i)).copied().unwrap_or(0.0)
        };
        let (first, upper, end) = (at(1.0), at(0.8), at(0.1));
        feature.value = Some(end);
        feature.push("F at N = 10 N", first, "N");
        feature.push("F at N = 8 N", upper, "N");
        if first < 0.5 * held {
            feature.verdict = FeatureVerdict::NotApplicable;
            feature.note("no force at rest: the law does not stick");
            return Ok(());
        }
        let keeps = (upper - first).abs() < 0.01 * first;
        // the level at which the law can slide is what it reaches at 1 N, at most 0.2 held
        let (below, let_go) = (end < 0.21 * held, end < 0.05 * held);
        let reduced = below && !let_go;
        feature.verdict = (keeps && reduced).into();
        feature.note(match (keeps, reduced) {
            (true, true) => "F stays, and is reduced to the limit where N no longer holds it",
            (true, false) if let_go => {
                "F stays until N no longer holds it, and is let go to nothing"
            }
            (true, false) => "F stays what it was, above the limit",
            (false, _) if (end - 0.1 * first).abs() < 0.01 * first => {
                "F follows N in proportion: it falls short of the load although the pair could hold"
            }
            _ => "F changes while the pair could hold",
        });
        bench.curve(&NORMAL, "at rest", n, f);
        Ok(())
    })
}

/// F at rest while N falls to a tenth in 1 s.
fn fall(bench: &Bench<'_>, start: &BlockPosition, applied: f64) -> (Vec<f64>, Vec<f64>) {
    let states = bench.law.layout().len(1);
    let full = bench.options.normal_force;
    let slip = |share: f64| Slip {
        velocity: [0.0],
        normal_force: full * (1.0 - 0.9 * share),
        applied: [applied],
    };
    let mut state = start.state;
    let force = |state: &[f64]| {
        bench
            .law
            .rates(&slip(0.0), state, &mut [0.0; MAX_STATES][..states])[0]
    };
    let (mut n, mut f) = (vec![full], vec![force(&state[..states])]);
    for i in 0..STEPS {
        let share = |i: u32| f64::from(i) / f64::from(STEPS);
        let step = Step {
            mean: slip(0.5 * (share(i) + share(i + 1))),
            end: slip(share(i + 1)),
            duration: 1.0 / f64::from(STEPS),
        };
        let mut new = [0.0; MAX_STATES];
        let [force] = bench
            .law
            .update(&step, &state[..states], &mut new[..states]);
        state = new;
        n.push(step.end.normal_force);
        f.push(force);
    }
    (n, f)
}
