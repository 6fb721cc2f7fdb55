//! What depends on how fast things go: frictional lag and the break-away force.

use super::block::SlidingBlock;
use super::steady::VELOCITY;
use super::{Bench, Card, Feature, MeasurementFailure, Picture, PictureAxis, PictureScale};
use std::f64::consts::TAU;

const LAG: Card = Card {
    key: "frictional_lag",
    title: "Frictional lag",
    quantity: "F rising less F falling at 1.5 mm/s, 25 rad/s",
    unit: "N",
    criterion: "with v = 1 mm/s (1.5 + cos ωt), F on the way up exceeds F on the way down at 1.5 mm/s by more than 0.1 % at ω = 25 rad/s",
};

const MEAN: f64 = 1.5e-3;
const AMPLITUDE: f64 = 1e-3;
/// Samples of a period, a multiple of four.
const SAMPLES: u32 = 400;

/// F on the way up and on the way down at the mean speed, with the loop, after some periods.
fn swing(
    bench: &Bench<'_>,
    omega: f64,
    periods: u32,
) -> Result<(f64, f64, Vec<f64>, Vec<f64>), MeasurementFailure> {
    let speed = |phase: f64| MEAN + AMPLITUDE * phase.cos();
    let mut driver = bench.driver(speed(0.0));
    let coarse = SAMPLES / 4;
    let count = periods * coarse;
    for i in 1..=count {
        let phase = TAU * f64::from(i) / f64::from(coarse);
        driver.advance(&bench.sample(phase / omega, speed(phase)))?;
    }
    let (mut v, mut f) = (Vec::new(), Vec::new());
    for i in 1..=SAMPLES {
        let phase = TAU * (f64::from(periods) + f64::from(i) / f64::from(SAMPLES));
        let [force] = driver.advance(&bench.sample(phase / omega, speed(phase)))?;
        v.push(speed(phase));
        f.push(force);
    }
    let at = |quarter: u32| f[(SAMPLES * quarter / 4 - 1) as usize];
    Ok((at(3), at(1), v, f))
}

pub(super) fn lag(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&LAG, |bench, feature| {
        let mut lag = 0.0;
        for (omega, periods, name, label) in [
            (1.0, 1, "lag at 1 rad/s", "1 rad/s"),
            (25.0, 12, "lag at 25 rad/s", "25 rad/s"),
        ] {
            let (up, down, v, f) = swing(bench, omega, periods)?;
            lag = up - down;
            feature.push(name, lag, "N");
            feature.verdict = (lag > 5e-4 * (up + down)).into();
            bench.curve(&VELOCITY, label, v, f);
        }
        feature.value = Some(lag);
        Ok(())
    })
}

const BREAK_AWAY: Card = Card {
    key: "varying_break_away",
    title: "Varying break-away force",
    quantity: "peak of F at 3 N/s less that at 30 N/s",
    unit: "N",
    criterion: "the peak of F falls by more than 1 % when the load grows at 30 N/s instead of 3 N/s",
};

const PEAKS: Picture = Picture {
    key: "break_away",
    title: "Break-away force over the rate of the load",
    about: "The faster the load grows, the less time the contact has to strengthen, so it breaks \
            away at a lower force. A law without memory breaks away at the same force, whatever \
            the rate.",
    x: PictureAxis::spread("rate of the load", "N/s", PictureScale::Logarithmic),
    y: PictureAxis::linear("peak of the friction force", "N"),
};

/// Travel after which a pair has broken away, m.
const AWAY: f64 = 1e-3;

/// The peak of F under a growing load, N.
fn peak(bench: &Bench<'_>, rate: f64) -> Result<f64, MeasurementFailure> {
    let options = bench.options;
    let load = |t: f64| rate * t;
    let block = SlidingBlock {
        law: bench.law,
        mass: options.mass,
        normal_force: options.normal_force,
        load: &load,
        spring: (0.0, 0.0),
        corners: &[],
        end: 10.0 * options.normal_force / rate,
        longest: 2e-3 * options.normal_force / rate,
    };
    let mut peak = 0.0_f64;
    block.run(&mut |point| {
        peak = peak.max(point.force);
        point.x < AWAY
    })?;
    Ok(peak)
}

pub(super) fn break_away(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&BREAK_AWAY, |bench, feature| {
        let rates: Vec<f64> = (0..=12).map(|i| 10_f64.powf(f64::from(i) / 6.0)).collect();
        let mut peaks = Vec::new();
        for &rate in &rates {
            peaks.push(peak(bench, rate)?);
        }
        let (slow, fast) = (peak(bench, 3.0)?, peak(bench, 30.0)?);
        feature.push("peak at 3 N/s", slow, "N");
        feature.push("peak at 30 N/s", fast, "N");
        feature.value = Some(slow - fast);
        feature.verdict = (slow - fast > 0.01 * slow).into();
        if fast - slow > 0.01 * slow {
            feature
                .note("the peak grows with the rate: damping in stick comes on top of the limit");
        }
        bench.curve(&PEAKS, "peak", rates, peaks);
        Ok(())
    })
}
