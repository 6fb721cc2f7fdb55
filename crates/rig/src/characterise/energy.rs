//! Energy: what a cycle costs, and whether the law ever gives more than it got.

use super::{Bench, Card, Feature, MeasurementFailure, Picture, PictureAxis, steady};
use bristle_laws::{MAX_STATES, Slip};

const DISSIPATION: Card = Card {
    key: "coulomb_dissipation",
    title: "Dissipates as Coulomb's law",
    quantity: "energy of a cycle of ±1 mm at 10 mm/s",
    unit: "J",
    criterion: "the energy of a cycle of ±1 mm at 10 mm/s differs from 4 F A, with F that of steady sliding at this speed, by less than 10 %",
};

const CYCLE: Picture = Picture {
    key: "cycle",
    title: "Friction force over a cycle of ±1 mm",
    about: "A slow cycle of large amplitude costs four times the friction force times the \
            amplitude, Coulomb's loss. The corners show how a law reverses: at once, over a \
            presliding distance, or over a range of speeds.",
    x: PictureAxis::linear("displacement", "m"),
    y: PictureAxis::linear("friction force", "N"),
};

const AMPLITUDE: f64 = 1e-3;
const SPEED: f64 = 1e-2;
/// Samples of a stroke.
const SAMPLES: u32 = 2000;

pub(super) fn dissipation(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&DISSIPATION, |bench, feature| {
        let mut driver = bench.driver(SPEED);
        let stroke = 2.0 * AMPLITUDE / SPEED;
        let (mut t, mut energy) = (0.5 * stroke, 0.0);
        driver.advance(&bench.sample(t, SPEED))?;
        let (mut x, mut f) = (Vec::new(), Vec::new());
        // a full cycle to settle, then the one that counts
        for pass in 0..4 {
            let speed = if pass % 2 == 0 { -SPEED } else { SPEED };
            t += 1e-6 * stroke;
            let [mut before] = driver.advance(&bench.sample(t, speed))?;
            for i in 1..=SAMPLES {
                let share = f64::from(i) / f64::from(SAMPLES);
                let [force] = driver.advance(&bench.sample(t + share * stroke, speed))?;
                if pass >= 2 {
                    energy += 0.5 * (force + before) * speed * stroke / f64::from(SAMPLES);
                    x.push(speed.signum() * (2.0 * share - 1.0) * AMPLITUDE);
                    f.push(force);
                }
                before = force;
            }
            t += stroke;
        }
        // back to the start, so that the loop is closed
        x.extend(x.first().copied());
        f.extend(f.first().copied());
        let (level, _) = steady::slide(bench, SPEED)?;
        let coulomb = 4.0 * level * AMPLITUDE;
        feature.value = Some(energy);
        feature.push("4 F A", coulomb, "J");
        feature.verdict = ((energy - coulomb).abs() < 0.1 * coulomb).into();
        bench.curve(&CYCLE, "second cycle", x, f);
        Ok(())
    })
}

const PASSIVITY: Card = Card {
    key: "passivity",
    title: "Passive",
    quantity: "lowest speed at which the law gives energy that it did not get",
    unit: "m/s",
    criterion: "after slow sliding at the static level, F v is not below the rate of the stored energy for any sudden speed up to 1 m/s in either direction",
};

/// Probes of the speed: from 0.1 mm/s to 1 m/s.
const PROBES: u32 = 4000;
const LOWEST: f64 = 1e-4;

/// F v less the rate of the stored energy (W), and F (N).
fn balance(bench: &Bench<'_>, state: &[f64], v: f64) -> (f64, f64) {
    let slip = Slip::new([v], bench.options.normal_force);
    let mut rates = [0.0; MAX_STATES];
    let [force] = bench.law.rates(&slip, state, &mut rates[..state.len()]);
    // the rate of the stored energy by a difference along the rates of the state
    let fastest = rates.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
    let largest = state.iter().fold(0.0_f64, |m, z| m.max(z.abs()));
    let stored = |step: f64| {
        let moved: Vec<f64> = state
            .iter()
            .zip(&rates)
            .map(|(z, r)| z + step * r)
            .collect();
        bench.law.stored_energy::<1>(slip.normal_force, &moved)
    };
    let rate = if fastest > 0.0 && largest > 0.0 {
        let step = 1e-6 * largest / fastest;
        (stored(step) - stored(-step)) / (2.0 * step)
    } else {
        0.0
    };
    (force * v - rate, force)
}

pub(super) fn passivity(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&PASSIVITY, |bench, feature| {
        let state = at_the_limit(bench)?;
        let (mut lost, mut pushed) = (None, None);
        let mut worst = 0.0_f64;
        // a loaded bristle rightly pushes back; without its energy that cannot be judged
        let stored = bench
            .law
            .stored_energy::<1>(bench.options.normal_force, &state);
        let back = state.is_empty() || stored > 0.0;
        if !back {
            feature.note("the law states no stored energy: probed forwards only");
        }
        for i in 0..=PROBES {
            let speed = LOWEST * 10_f64.powf(4.0 * f64::from(i) / f64::from(PROBES));
            for v in [Some(speed), back.then_some(-speed)].into_iter().flatten() {
                let (power, force) = balance(bench, &state, v);
                let scale = force.abs() * speed + 1e-12;
                worst = worst.min(power);
                if power < -1e-6 * scale && lost.is_none() {
                    lost = Some(speed);
                }
                if v > 0.0 && force < 0.0 && pushed.is_none() {
                    pushed = Some(speed);
                }
            }
        }
        feature.value = lost;
        feature.verdict = lost.is_none().into();
        if let Some(speed) = pushed {
            feature.push("lowest speed at which friction pushes", speed, "m/s");
        }
        feature.push("least balance of power", worst, "W");
        Ok(())
    })
}

/// The state in slow sliding at the static level.
fn at_the_limit(bench: &Bench<'_>) -> Result<Vec<f64>, MeasurementFailure> {
    let speed = 0.01 * bench.law.slip_speed();
    let mut driver = bench.driver(speed);
    driver.advance(&bench.sample(2e-4 / speed + 1.0, speed))?;
    Ok(driver.state().to_vec())
}
