//! The friction of a fitted machine as a function to paste into a controller.
//!
//! F(v, a) = F₀ + s(v) (F_c + (F_s − F_c) e^(−(|v|/v_s)^δ)) + F_v v + m a, where the steady curve
//! of the law is of that form, and a table of the curve with straight lines between its points
//! where it is not. Below the slowest velocity of the curve the sign of the velocity is replaced by
//! a straight line, s(v) = v/v₀, so that the force does not jump with the noise at rest.

mod template;
mod write;

use crate::{Fit, FitRole, MotionUnits, SteadyCurve, Verdict};

pub use write::Language;

/// The formula must meet the curve to this part of the largest force.
const SAME: f64 = 1e-9;
/// Straight lines of a table may miss the curve by this part of the largest force.
const TABLE: f64 = 1e-3;

/// A feedforward of friction, inertia and weight. SI.
#[derive(Clone, Debug, PartialEq)]
pub struct Feedforward {
    /// Law, records and error, for the head of a file.
    pub origin: String,
    /// Whether the machine moves along a line or about an axis.
    pub units: MotionUnits,
    /// Friction over velocity, with the constant force.
    pub friction: FrictionFunction,
    /// Mass or inertia, where it was fitted.
    pub mass: Option<f64>,
    /// Weight G and angle φ of G sin(x + φ), where they were fitted.
    pub gravity: Option<(f64, f64)>,
    /// What a user must know of it.
    pub remarks: Vec<String>,
}

/// Friction over velocity.
#[derive(Clone, Debug, PartialEq)]
pub enum FrictionFunction {
    /// A Stribeck curve in closed form.
    Stribeck {
        /// F₀.
        offset: f64,
        /// F_c.
        kinetic: f64,
        /// F_s.
        static_level: f64,
        /// v_s.
        speed: f64,
        /// δ.
        exponent: f64,
        /// F_v.
        viscous: f64,
        /// v₀.
        width: f64,
    },
    /// Points with straight lines between them; constant beyond them.
    Table {
        /// Velocities, ascending.
        velocity: Vec<f64>,
        /// Forces.
        force: Vec<f64>,
    },
}

impl Feedforward {
    /// The feedforward of a fit; nothing without a steady curve.
    pub fn of(fit: &Fit) -> Option<Self> {
        let curve = fit.steady.as_ref()?;
        let value = |name: &str| fit.parameter(name).map(|e| e.value);
        let friction = closed_form(fit, curve).unwrap_or_else(|| table(curve));
        let records: Vec<&str> = fit.train.iter().map(|p| &*p.record.name).collect();
        let origin = format!(
            "law {}, fitted to {}; error {:.4e} {} rms",
            fit.law,
            records.join(", "),
            fit.rms(),
            fit.target_unit()
        );
        let gravity = value("gravity").map(|g| (g, value("gravity_angle").unwrap_or(0.0)));
        Some(Self {
            origin,
            units: fit.units(),
            friction,
            mass: value("mass"),
            gravity,
            remarks: remarks(fit, curve),
        })
    }
}

impl FrictionFunction {
    /// The force at a velocity, without inertia and weight.
    pub fn at(&self, v: f64) -> f64 {
        match self {
            Self::Stribeck {
                offset,
                kinetic,
                static_level,
                speed,
                exponent,
                viscous,
                width,
            } => {
                let fall = (-(v.abs() / speed).powf(*exponent)).exp();
                let level = kinetic + (static_level - kinetic) * fall;
                offset + (v / width).clamp(-1.0, 1.0) * level + viscous * v
            }
            Self::Table { velocity, force } => interpolated(velocity, force, v),
        }
    }
}

fn remarks(fit: &Fit, curve: &SteadyCurve) -> Vec<String> {
    let units = fit.units();
    let mut all = vec![format!(
        "measured from {:.4e} to {:.4e} {}",
        curve.measured[0],
        curve.measured[1],
        units.of("m/s")
    )];
    if fit.load_known {
        all.push(format!("for a normal force of {:.4e} N", curve.load));
    }
    let states = fit
        .friction
        .as_ref()
        .is_some_and(|law| law.layout().len(1) > 0);
    if states {
        all.push(
            "steady part only: the states of the law (presliding, lag) are left out".to_owned(),
        );
    }
    for (name, what) in [
        ("gap", "the play"),
        ("load_share", "the share of the transmitted force"),
    ] {
        if fit.parameter(name).is_some() {
            all.push(format!("{what} is left out"));
        }
    }
    let unknown = fit.parameters.iter();
    let unknown = unknown.filter(|e| e.verdict == Verdict::NotIdentifiable);
    let unknown: Vec<&str> = unknown.map(|e| &*e.name).collect();
    if !unknown.is_empty() {
        all.push(format!(
            "not identifiable from the data: {}",
            unknown.join(", ")
        ));
    }
    all
}

/// The Stribeck curve with the numbers of the fit, if the steady curve is one.
fn closed_form(fit: &Fit, curve: &SteadyCurve) -> Option<FrictionFunction> {
    let of = |role: FitRole| {
        let own = fit.parameters.iter().filter(move |e| e.role == role);
        own.map(|e| e.value)
    };
    let offset = fit.parameter("offset").map_or(0.0, |e| e.value);
    let kinetic = of(FitRole::Level).next()? * curve.load;
    let static_level = of(FitRole::StaticLevel).next().map(|x| x * curve.load);
    let static_level = static_level.unwrap_or(kinetic);
    // a law may have several speeds and shapes; the curve shows which are those of the fall
    let speeds: Vec<f64> = of(FitRole::Speed).chain([1.0]).collect();
    let width = curve.velocity.iter().copied().find(|v| *v > 0.0)?;
    let largest = curve.force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    // a viscous coefficient may be per unit of load, or beside the law
    let viscous = of(FitRole::Viscous).flat_map(|x| [x * curve.load, x]);
    let viscous: Vec<f64> = viscous.chain([0.0]).collect();
    let exponents: Vec<f64> = of(FitRole::Shape).chain([2.0, 1.0]).collect();
    let speeds = speeds
        .iter()
        .flat_map(|s| exponents.iter().map(move |e| (*s, *e)));
    let mut candidates = speeds.flat_map(|(speed, exponent)| {
        viscous
            .iter()
            .map(move |viscous| FrictionFunction::Stribeck {
                offset,
                kinetic,
                static_level,
                speed,
                exponent,
                viscous: *viscous,
                width,
            })
    });
    candidates.find(|formula| {
        let mut points = curve.velocity.iter().zip(&curve.force);
        points.all(|(v, f)| (formula.at(*v) - f).abs() <= SAME * largest)
    })
}

/// The points of the curve that straight lines need.
fn table(curve: &SteadyCurve) -> FrictionFunction {
    let largest = curve.force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    let (v, f) = (&curve.velocity, &curve.force);
    let mut kept = vec![0, v.len() - 1];
    loop {
        let chosen = |of: &[f64]| -> Vec<f64> { kept.iter().map(|&i| of[i]).collect() };
        let (own_v, own_f) = (chosen(v), chosen(f));
        let miss = |i: usize| (interpolated(&own_v, &own_f, v[i]) - f[i]).abs();
        let worst = (0..v.len()).max_by(|&a, &b| miss(a).total_cmp(&miss(b)));
        match worst.filter(|&i| miss(i) > TABLE * largest) {
            Some(i) => kept.insert(kept.partition_point(|&k| k < i), i),
            None => {
                return FrictionFunction::Table {
                    velocity: own_v,
                    force: own_f,
                };
            }
        }
    }
}

/// Straight lines between points, constant beyond them.
fn interpolated(x: &[f64], y: &[f64], at: f64) -> f64 {
    let next = x.partition_point(|x| *x <= at);
    if next == 0 {
        return y[0];
    }
    if next == x.len() {
        return y[x.len() - 1];
    }
    let part = (at - x[next - 1]) / (x[next] - x[next - 1]);
    y[next - 1] + part * (y[next] - y[next - 1])
}
