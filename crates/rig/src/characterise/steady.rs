//! Friction force over steady sliding speed.

use super::{Bench, Card, Feature, MeasurementFailure, Picture, PictureAxis, PictureScale};

const CARD: Card = Card {
    key: "steady_state",
    title: "Arbitrary steady-state characteristic",
    quantity: "largest force over the lowest at a higher speed",
    unit: "1",
    criterion: "in steady sliding, F at some higher speed is more than 5 % below F at a lower one",
};

pub(super) const VELOCITY: Picture = Picture {
    key: "force_velocity",
    title: "Frictional lag: force over a speed that swings",
    about: "Where the speed swings, the friction force lags behind it: at the same speed it is \
            higher while the speed rises than while it falls. The loop widens with the \
            frequency; a law of the speed alone has none.",
    x: PictureAxis::linear("speed", "m/s"),
    y: PictureAxis::linear("friction force", "N"),
};

pub(super) const CHARACTERISTIC: Picture = Picture {
    key: "steady",
    title: "Friction force in steady sliding",
    about: "At constant speed the force settles on the Stribeck curve: high near rest, lower \
            once the speed passes the Stribeck velocity, higher again where viscous friction \
            takes over. Where it falls, friction feeds a vibration, and stick-slip can begin.",
    x: PictureAxis::spread("sliding velocity", "m/s", PictureScale::SignedLogarithmic),
    y: PictureAxis::linear("friction force", "N"),
};

/// Speeds per decade and decades above the lowest speed.
const PER_DECADE: u32 = 10;
const DECADES: u32 = 3;
const LOWEST: f64 = 1e-4;
/// Shortest travel, m, and time, s, until sliding counts as steady.
const TRAVEL: f64 = 2e-4;
const TIME: f64 = 5.0;

pub(super) fn measure(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&CARD, |bench, feature| {
        let speeds: Vec<f64> = (0..=PER_DECADE * DECADES)
            .map(|i| LOWEST * 10_f64.powf(f64::from(i) / f64::from(PER_DECADE)))
            .collect();
        let mut settled = true;
        let mut along = |sign: f64| -> Result<Vec<f64>, MeasurementFailure> {
            let each = speeds.iter().map(|speed| {
                let (force, drift) = slide(bench, sign * speed)?;
                settled &= drift <= 1e-3 * force.abs();
                Ok(force)
            });
            each.collect()
        };
        let (forces, backward) = (along(1.0)?, along(-1.0)?);
        // the largest ratio of a force to one at a higher speed
        let mut fall = 1.0_f64;
        let mut highest = forces[0];
        for &force in &forces {
            highest = highest.max(force);
            fall = fall.max(highest / force.max(1e-12));
        }
        if !forces.iter().any(|f| *f > 0.0) {
            fall = 1.0;
        }
        feature.value = Some(fall);
        feature.verdict = (fall > 1.0 / 0.95).into();
        let two_sided = bench.law.is_two_sided();
        for (name, other, speed) in [
            ("force at 0.1 mm/s", "force at -0.1 mm/s", 1e-4),
            ("force at 1 mm/s", "force at -1 mm/s", 1e-3),
            ("force at 10 mm/s", "force at -10 mm/s", 1e-2),
            ("force at 100 mm/s", "force at -100 mm/s", 0.1),
        ] {
            let Some(i) = speeds.iter().position(|s| (s / speed - 1.0).abs() < 1e-9) else {
                continue;
            };
            feature.push(name, forces[i], "N");
            if two_sided {
                feature.push(other, backward[i], "N");
            }
        }
        if !settled {
            feature.note("the force still changes at the end of the slide at some speeds");
        }
        let both = |one: &[f64], other: &[f64]| -> Vec<f64> {
            one.iter().rev().chain(other).copied().collect()
        };
        let reversed: Vec<f64> = speeds.iter().map(|speed| -speed).collect();
        let (v, f) = (both(&reversed, &speeds), both(&backward, &forces));
        bench.curve(&CHARACTERISTIC, "steady sliding", v, f);
        Ok(())
    })
}

/// The force after a slide from rest at a velocity, and how much it changed over the last tenth of it.
pub(super) fn slide(bench: &Bench<'_>, speed: f64) -> Result<(f64, f64), MeasurementFailure> {
    let time = TIME + TRAVEL / speed.abs();
    let mut driver = bench.driver(speed);
    let [before] = driver.advance(&bench.sample(0.9 * time, speed))?;
    let [force] = driver.advance(&bench.sample(time, speed))?;
    Ok((force, (force - before).abs()))
}
