//! Sweeps that pass a resonance too fast for its peak to build up.

use bristle_mechanics::Model;
use bristle_mechanics::element::{Element, Force, Torque};
use bristle_mechanics::modes::{Contacts, Mode};
use bristle_signals::{Chirp, Signal, Sweep};

/// A sweep that is faster than a mode allows.
#[derive(Clone, Debug, PartialEq)]
pub struct FastSweep {
    /// As in `force.shaker.magnitude`.
    pub path: String,
    /// How its frequency goes.
    pub sweep: Sweep,
    /// Hz/min, of a logarithmic sweep octaves/min.
    pub rate: f64,
    /// The fastest that the mode allows, in the same unit.
    pub allowed: f64,
    /// Duration at which the sweep is as fast as that, s.
    pub duration: f64,
    /// Frequency of the mode, Hz.
    pub frequency: f64,
    /// Its damping ratio.
    pub damping_ratio: f64,
}

impl FastSweep {
    /// Of the rates.
    pub fn unit(&self) -> &'static str {
        match self.sweep {
            Sweep::Linear => "Hz/min",
            Sweep::Logarithmic => "octaves/min",
        }
    }

    /// Of the rate that a mode allows.
    pub fn formula(&self) -> &'static str {
        match self.sweep {
            Sweep::Linear => "54 f²/Q²",
            Sweep::Logarithmic => "77.6 f/Q²",
        }
    }
}

/// The eigenvalues of larger models take longer than the warning is worth.
const LARGEST: usize = 300;
/// Modes of less damping are damped by friction alone, and by how much is not known before a run.
const LEAST_DAMPING: f64 = 1e-6;
/// Above this damping there is no peak.
const MOST_DAMPING: f64 = 0.5;
/// A mode whose motion at the load is a smaller part of its largest is not excited.
const EXCITED: f64 = 1e-3;

/// The sweeps of the loads that are too fast, each with the mode that they pass the worst.
///
/// ISO 7626-2 (1990, section 8.2) allows 54 f²/Q² Hz/min to a linear sweep and 77.6 f/Q² octaves/min
/// to a logarithmic one, with Q = 1/(2ζ). The modes are those about the positions of the start.
pub fn fast_sweeps(model: &Model) -> Vec<FastSweep> {
    let sweeps: Vec<_> = model
        .elements()
        .iter()
        .filter_map(|e| chirp_of(&**e))
        .collect();
    let state = model.start();
    if sweeps.is_empty() || state.v.len() > LARGEST {
        return Vec::new();
    }
    let Ok(modes) = model.modes(&state, Contacts::AsTheyStand, state.v.len()) else {
        return Vec::new();
    };
    let worst = |(path, chirp, element): (String, &Chirp, &dyn Element)| {
        let excited = modes.iter().filter(|mode| {
            let share = share_at(model, &state, mode, element);
            share.is_none_or(|share| share > EXCITED)
        });
        let fast = excited.filter_map(|mode| passed(chirp, mode));
        let fast = fast.max_by(|a, b| (a.rate / a.allowed).total_cmp(&(b.rate / b.allowed)))?;
        Some(FastSweep { path, ..fast })
    };
    sweeps.into_iter().filter_map(worst).collect()
}

fn chirp_of(element: &dyn Element) -> Option<(String, &Chirp, &dyn Element)> {
    let force = element.downcast::<Force>().map(|force| &force.magnitude);
    let signal = force.or_else(|| element.downcast::<Torque>().map(|torque| &torque.magnitude));
    let Signal::Chirp(chirp) = signal? else {
        return None;
    };
    let path = format!("{}.{}.magnitude", element.kind(), element.name());
    Some((path, chirp, element))
}

/// The motion of a mode along a force, as a part of its largest; `None` for a torque.
fn share_at(
    model: &Model,
    state: &bristle_integrate::State,
    mode: &Mode,
    element: &dyn Element,
) -> Option<f64> {
    let force = element.downcast::<Force>()?;
    let shape: Vec<f64> = mode.shape.iter().map(|z| z.re).collect();
    let (frames, motions) = model.motions_of(state, &shape);
    let (frame, [moved, turned]) = (&frames[force.body.index()], motions[force.body.index()]);
    let at = moved + turned.cross(&(frame.r * force.point));
    let largest = motions.iter().map(|[x, _]| x.norm()).fold(0.0, f64::max);
    let along = at.dot(&force.direction_now(frame)).abs();
    (largest > 0.0).then(|| along / largest)
}

/// What a sweep does to a mode, if it passes it too fast.
fn passed(chirp: &Chirp, mode: &Mode) -> Option<FastSweep> {
    let (f, zeta) = (mode.frequency(), mode.damping_ratio());
    let (f0, f1) = (chirp.start_frequency, chirp.end_frequency);
    let swept = f0.min(f1)..=f0.max(f1);
    if !swept.contains(&f) || !(LEAST_DAMPING..MOST_DAMPING).contains(&zeta) {
        return None;
    }
    let q = 0.5 / zeta;
    let minutes = chirp.duration / 60.0;
    let (rate, allowed) = match chirp.sweep {
        Sweep::Linear => ((f1 - f0).abs() / minutes, 54.0 * (f / q).powi(2)),
        Sweep::Logarithmic => ((f1 / f0).log2().abs() / minutes, 77.6 * f / (q * q)),
    };
    (rate > allowed).then(|| FastSweep {
        path: String::new(),
        sweep: chirp.sweep,
        rate,
        allowed,
        duration: chirp.duration * rate / allowed,
        frequency: f,
        damping_ratio: zeta,
    })
}
