//! Signals that can be read, but look like something else than what they are called.

use bristle_units::format_quantity;

use crate::{MotionUnits, Problem, Record, RecordKind};

/// Sliding faster than this (m/s, or rad/s of what turns) is rare on a bench; slower than the
/// other, no sensor sees it.
const FAST: (f64, f64) = (20.0, 2000.0);
const SLOW: f64 = 1e-7;

/// A stroke longer than this (m).
const LONG: f64 = 50.0;

/// A signal jumps if one step is this share of its size.
const JUMP: f64 = 0.3;

/// The force may jump, the velocity of a body may not: this much more than the force is odd.
const MORE: f64 = 5.0;

/// A sentence for each thing that is odd.
pub(crate) fn doubts(record: &Record) -> Vec<String> {
    let rotary = record.units == MotionUnits::Angular;
    let mut all = Vec::new();
    let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let speed = largest(&record.velocity);
    let limit = if rotary { FAST.1 } else { FAST.0 };
    let unit = record.units.of("m/s");
    let help =
        "if the unit is another one, by 1000 perhaps: --unit velocity=… or --unit position=…";
    if speed > limit || speed > 0.0 && speed < SLOW {
        all.push(format!(
            "suspicious unit of the motion: speeds up to {}; {help}",
            format_quantity(speed, unit)
        ));
    } else if !rotary && record.kind != RecordKind::Steady {
        let x = record.displacement();
        let (low, high) = x
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                (l.min(*x), h.max(*x))
            });
        if high - low > LONG {
            all.push(format!(
                "suspicious unit of the motion: a stroke of {}; {help}",
                format_quantity(high - low, "m")
            ));
        }
    }
    let jump = |x: &[f64]| {
        let size = largest(x);
        let steps = x.windows(2).map(|p| (p[1] - p[0]).abs());
        if size > 0.0 {
            steps.fold(0.0, f64::max) / size
        } else {
            0.0
        }
    };
    if record.kind == RecordKind::Motion && record.len() > 20 {
        let (of_velocity, of_force) = (jump(&record.velocity), jump(&record.force));
        if of_velocity > JUMP && of_velocity > MORE * of_force {
            all.push(
                "the velocity jumps while the force is smooth, the opposite of friction: are the \
                 columns of force and velocity swapped? See --column"
                    .to_owned(),
            );
        }
    }
    all
}

/// Compares the measured velocity with the derivative of the position.
pub(crate) fn consistent(
    file: &str,
    derived: &[f64],
    measured: &[f64],
    notes: &mut Vec<String>,
) -> Result<(), Problem> {
    let product: f64 = derived.iter().zip(measured).map(|(a, b)| a * b).sum();
    let own: f64 = measured.iter().map(|v| v * v).sum();
    let other: f64 = derived.iter().map(|v| v * v).sum();
    if own <= 0.0 || other <= 0.0 {
        return Ok(());
    }
    let (ratio, likeness) = (product / own, product / (own * other).sqrt());
    if likeness > 0.8 && !(0.5..=2.0).contains(&ratio) {
        let message =
            format!("{file}: the position moves {ratio:.4} times as fast as the velocity says");
        return Err(Problem::with(
            message,
            "a unit is off: see --unit position=… and --unit velocity=…",
        ));
    }
    if likeness < -0.8 {
        let message = format!("{file}: the position moves against the velocity");
        return Err(Problem::with(
            message,
            "turn one of them: --gain position=-1",
        ));
    }
    if (ratio - 1.0).abs() > 0.05 && likeness > 0.8 {
        notes.push(format!(
            "the position moves {ratio:.3} times as fast as the velocity says"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slow sine and the force of Coulomb along it, in SI times two factors.
    fn record(by_velocity: f64, swapped: bool) -> Record {
        let t: Vec<f64> = (0..400).map(|i| f64::from(i) * 0.01).collect();
        let v: Vec<f64> = t.iter().map(|t| 0.05 * (2.0 * t).sin()).collect();
        let force: Vec<f64> = v.iter().map(|v| 3.0 * (v / 1e-4).tanh()).collect();
        let v: Vec<f64> = v.iter().map(|v| by_velocity * v).collect();
        let (v, force) = if swapped { (force, v) } else { (v, force) };
        Record::motion("r", t, v, force).unwrap()
    }

    #[test]
    fn units_off_by_1000_and_swapped_columns_are_reported() {
        assert!(doubts(&record(1.0, false)).is_empty());
        for factor in [1e3, 1e-6] {
            let found = doubts(&record(factor, false));
            assert!(found[0].contains("suspicious unit"), "{found:?}");
        }
        let found = doubts(&record(1.0, true));
        assert!(found[0].contains("swapped"), "{found:?}");
    }
}
