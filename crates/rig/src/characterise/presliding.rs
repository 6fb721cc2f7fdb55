//! Displacement before sliding: what comes back, and what inner loops remember.

use super::block::SlidingBlock;
use super::{Bench, Card, Feature, MeasurementFailure, Picture, PictureAxis};

const DISPLACEMENT: Card = Card {
    key: "presliding_displacement",
    title: "Presliding displacement",
    quantity: "displacement at half of the break-away force",
    unit: "m",
    criterion: "loaded to half of its break-away force the block moves more than 1 nm, and gives back a quarter of it or more when the load goes",
};

const LOOP: Picture = Picture {
    key: "presliding",
    title: "Friction force over displacement, with an inner loop",
    about: "Before it slips, a contact gives way like a spring with losses, so force over \
            displacement makes loops. With non-local memory the curve returns to the outer loop \
            at the point where the inner loop began.",
    x: PictureAxis::linear("displacement", "m"),
    y: PictureAxis::linear("friction force", "N"),
};

/// Load from zero to `level` in 1 s, back in 1 s, then nothing for 1 s.
pub(super) fn displacement(bench: &mut Bench<'_>, level: f64) -> Feature {
    bench.measure(&DISPLACEMENT, |bench, feature| {
        let load = |t: f64| 0.5 * level * (1.0 - (t - 1.0).abs()).max(0.0);
        let block = SlidingBlock {
            law: bench.law,
            mass: bench.options.mass,
            normal_force: bench.options.normal_force,
            load: &load,
            spring: (0.0, 0.0),
            corners: &[1.0, 2.0],
            end: 3.0,
            longest: 5e-3,
        };
        let mut loaded = 0.0;
        let end = block.run(&mut |point| {
            if point.t <= 1.0 {
                loaded = point.x;
            }
            true
        })?;
        let back = if loaded > 0.0 {
            1.0 - end.x / loaded
        } else {
            0.0
        };
        feature.value = Some(loaded);
        feature.push("part that comes back", back, "1");
        feature.verdict = (loaded > 1e-9 && back >= 0.25).into();
        if loaded <= 1e-9 {
            feature.note("rigid: it does not move at all");
        } else if back < 0.25 {
            feature.note("the displacement is creep: it does not come back");
        }
        Ok(())
    })
}

const MEMORY: Card = Card {
    key: "nonlocal_memory",
    title: "Hysteresis with non-local memory",
    quantity: "misfit where an inner loop closes, over the peak",
    unit: "1",
    criterion: "F at the start and at the end of an inner loop (turning points 0, 1, −0.5, 0.3, −0.5 times 8, 16 and 24 µm) differ by less than 0.5 % of the peak in all three, and the outer loop of 24 µm has an area",
};

/// Turning points in units of the amplitude.
const REVERSALS: [f64; 4] = [1.0, -0.5, 0.3, -0.5];
const AMPLITUDES: [f64; 3] = [8e-6, 16e-6, 24e-6];
/// Speed of the quasi-static path, m/s.
pub(super) const SPEED: f64 = 1e-6;
/// Samples of a branch.
const SAMPLES: u32 = 60;

/// A path through the turning points.
struct TurningPath {
    x: Vec<f64>,
    f: Vec<f64>,
    /// Indices of the turning points.
    reversals: Vec<usize>,
}

impl TurningPath {
    fn peak(&self) -> f64 {
        self.f.iter().fold(0.0, |m, f| m.max(f.abs()))
    }

    fn misfit(&self) -> f64 {
        let at = |reversal: usize| self.reversals.get(reversal).map_or(0.0, |i| self.f[*i]);
        (at(3) - at(1)).abs() / self.peak().max(1e-12)
    }

    /// Whether F changes along the first branch.
    fn bends(&self) -> bool {
        let branch = &self.f[1..=self.reversals[0]];
        let (low, high) = branch
            .iter()
            .fold((f64::MAX, f64::MIN), |(a, b), f| (a.min(*f), b.max(*f)));
        high - low > 0.01 * self.peak()
    }
}

fn path(bench: &Bench<'_>, amplitude: f64) -> Result<TurningPath, MeasurementFailure> {
    let mut driver = bench.driver(0.0);
    let (mut x, mut f, mut reversals) = (vec![0.0], vec![driver.force()[0]], Vec::new());
    // a change of speed takes this part of a branch's time
    let (mut t, mut place) = (0.0, 0.0);
    for reversal in REVERSALS {
        let length = reversal * amplitude - place;
        let speed = SPEED.copysign(length);
        let duration = length.abs() / SPEED;
        t += 1e-6 * duration;
        driver.advance(&bench.sample(t, speed))?;
        for i in 1..=SAMPLES {
            let share = f64::from(i) / f64::from(SAMPLES);
            let [force] = driver.advance(&bench.sample(t + share * duration, speed))?;
            x.push(place + share * length);
            f.push(force);
        }
        t += duration;
        place = reversal * amplitude;
        reversals.push(x.len() - 1);
    }
    Ok(TurningPath { x, f, reversals })
}

pub(super) fn memory(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&MEMORY, |bench, feature| {
        let mut worst = 0.0_f64;
        let mut area = 0.0;
        for (amplitude, name) in
            AMPLITUDES
                .into_iter()
                .zip(["misfit at 8 µm", "misfit at 16 µm", "misfit at 24 µm"])
        {
            let path = path(bench, amplitude)?;
            if path.peak() <= 0.0 || !path.bends() {
                feature.verdict = false.into();
                feature.note("no loop: F does not depend on the displacement");
                return Ok(());
            }
            let (misfit, lost) = (path.misfit(), outer_area(&path));
            feature.push(name, misfit, "1");
            if lost < 1e-3 {
                let micrometres = amplitude * 1e6;
                feature.note(&format!(
                    "elastic within {micrometres:.0} µm: no loop there"
                ));
            }
            worst = worst.max(misfit);
            area = lost;
            let label = format!("amplitude {:.0} µm", amplitude * 1e6);
            bench.curve(&LOOP, label, path.x, path.f);
        }
        feature.value = Some(worst);
        feature.push("area of the outer loop at 24 µm", area, "1");
        feature.verdict = (worst < 5e-3 && area > 0.01).into();
        Ok(())
    })
}

/// Work from the first turning point to the second and back up to the third, over range and
/// peak: positive if the outer branches differ.
fn outer_area(path: &TurningPath) -> f64 {
    let (first, second) = (path.reversals[0], path.reversals[1]);
    // work of loading from rest to the first reversal less what comes back on the same stretch
    let work = |from: usize, to: usize| -> f64 {
        (from..to)
            .map(|i| 0.5 * (path.f[i] + path.f[i + 1]) * (path.x[i + 1] - path.x[i]))
            .sum()
    };
    let zero = (first..second)
        .find(|i| path.x[*i + 1] < 0.0)
        .unwrap_or(second);
    let lost = work(0, first) + work(first, zero);
    lost / (path.x[first].abs() * path.peak()).max(1e-18)
}
