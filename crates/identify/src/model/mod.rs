//! What is fitted: a law, and the terms that a machine adds to it.

mod build;
mod map;
mod over;

use bristle_laws::{Declaration, Friction};

use crate::Error;
use crate::options::StopFlag;

pub use build::MachineTerms;
pub(crate) use over::ActingOver;

/// What a parameter does, which decides how it is started, scaled and judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitRole {
    /// A level of the force.
    Level,
    /// A level above another one: break-away above sliding.
    StaticLevel,
    /// Half the difference of the levels of both directions of a load.
    LevelDifference,
    /// Force proportional to speed.
    Viscous,
    /// Stiffness of bristles or springs.
    Stiffness,
    /// Damping of bristles or springs.
    Damping,
    /// A speed at which the curve changes.
    Speed,
    /// A displacement before sliding.
    Length,
    /// A time or a rate.
    Time,
    /// An exponent or a ratio: the shape of a curve.
    Shape,
    /// The share of one element of several.
    Share,
    /// Mass or inertia.
    Mass,
    /// A constant force: zero of the sensor.
    Offset,
    /// Weight of a pendulum or a slope.
    Gravity,
    /// A load that the column of loads lacks.
    Preload,
    /// Play in series.
    Gap,
    /// Force that closes the play.
    Closing,
    /// Share of the transmitted force that loads the contact.
    Transmitted,
    /// Force per unit of what drives.
    Motor,
    /// Velocity at the start of a motion.
    Start,
}

/// How a parameter becomes a number for the optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Slot {
    /// p = e^θ: positive, over many orders.
    Log,
    /// p = scale θ; from 0 on, or of any sign.
    Linear { positive: bool },
    /// p = (parameter `base`) + scale θ, θ ≥ 0.
    Above { base: usize },
    /// p between two numbers: p = low + (high − low)/(1 + e^−θ).
    Between { low: f64, high: f64 },
    /// p = (level/stiffness) /(1 + e^−θ): a deflection below that of sliding.
    Below { level: usize, stiffness: usize },
    /// p = e^θ/Σ e^θ × total over the elements of a list; the last one has θ = 0.
    Share { first: usize, count: usize },
    /// A limit of an element: a share of (static level) × 1.
    Limit {
        first: usize,
        count: usize,
        level: usize,
    },
}

/// One parameter of a model.
#[derive(Clone, Debug)]
pub struct FitParameter {
    /// Field of the law, with the number of the element in a list; or the name of a term.
    pub name: String,
    /// Symbol of the literature.
    pub symbol: String,
    /// SI unit.
    pub unit: String,
    /// What it does.
    pub role: FitRole,
    /// The value it is held at, if it is not fitted.
    pub fixed: Option<f64>,
    /// The start that was asked for.
    pub start: Option<f64>,
    /// A value that is known from elsewhere, as from the file of a law: one start of many.
    pub known: Option<f64>,
    /// The bounds that were asked for.
    pub bounds: Option<(f64, f64)>,
    pub(crate) slot: Slot,
    /// Which field of the law it is: index of the card, and of the element.
    pub(crate) field: Option<(usize, usize)>,
    /// Whether it holds for negative velocities only.
    pub(crate) negative: bool,
}

/// A law and the terms around it.
#[derive(Clone, Debug)]
pub struct FitModel {
    /// Catalogue name of the law; `none` without one.
    pub law: String,
    /// The parameters, those of the law first.
    pub parameters: Vec<FitParameter>,
    /// The law; none without friction.
    pub(crate) declaration: Option<Declaration>,
    pub(crate) terms: MachineTerms,
    /// Where it is set, nothing is computed any more: residuals are large and quickly made, so that
    /// whatever looks for an optimum ends soon.
    pub(crate) stop: StopFlag,
}

/// The numbers of a model in the places where they act.
#[derive(Clone, Debug)]
pub(crate) struct Acting {
    /// The law, if there is one.
    pub(crate) law: Option<Friction>,
    pub(crate) mass: f64,
    pub(crate) offset: f64,
    pub(crate) gravity: f64,
    pub(crate) phase: f64,
    pub(crate) preload: f64,
    pub(crate) gap: f64,
    pub(crate) closing: f64,
    /// Share of the transmitted force in the load of the law.
    pub(crate) transmitted: f64,
    /// Force of a controller per unit of its supply.
    pub(crate) motor: f64,
    /// What is added to the measured velocities at the starts of free motions, m/s.
    pub(crate) starts: Vec<f64>,
    /// Viscous force that the law has no place for, N s/m, forward and backward.
    pub(crate) drag: (f64, f64),
}

impl FitModel {
    /// The parameters that are fitted.
    pub fn free(&self) -> impl Iterator<Item = (usize, &FitParameter)> {
        self.parameters
            .iter()
            .enumerate()
            .filter(|(_, p)| p.fixed.is_none())
    }

    /// The parameter of a name or symbol.
    pub fn index(&self, name: &str) -> Option<usize> {
        let same = bristle_laws::parameters::same_name;
        self.parameters
            .iter()
            .position(|p| same(&p.name, name) || same(&p.symbol, name))
    }

    fn find(&mut self, name: &str) -> Result<&mut FitParameter, Error> {
        match self.index(name) {
            Some(i) => Ok(&mut self.parameters[i]),
            None => Err(Error::UnknownParameter {
                model: self.law.clone(),
                name: name.to_owned(),
                known: self
                    .parameters
                    .iter()
                    .map(|p| p.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    /// Holds a parameter at a value.
    ///
    /// # Errors
    /// If there is no such parameter or the value leaves the range of its card.
    pub fn fix(&mut self, name: &str, value: f64) -> Result<(), Error> {
        self.allowed(name, value)?;
        self.find(name)?.fixed = Some(value);
        self.consistent()
    }

    /// Fits a parameter that is held by default.
    ///
    /// # Errors
    /// If there is no such parameter.
    pub fn free_up(&mut self, name: &str) -> Result<(), Error> {
        let parameter = self.find(name)?;
        let value = parameter.fixed.take();
        // nothing is known of one that was left out
        parameter.start = parameter.start.or(value.filter(|x| x.is_finite()));
        Ok(())
    }

    /// Starts the search for a parameter at a value.
    ///
    /// # Errors
    /// If there is no such parameter, the value leaves the range of its card, or the bounds.
    pub fn start_at(&mut self, name: &str, value: f64) -> Result<(), Error> {
        self.allowed(name, value)?;
        self.find(name)?.start = Some(value);
        self.consistent()
    }

    /// Tries a value as one start of many.
    ///
    /// # Errors
    /// As [`Self::start_at`].
    pub fn know(&mut self, name: &str, value: f64) -> Result<(), Error> {
        self.allowed(name, value)?;
        self.find(name)?.known = Some(value);
        Ok(())
    }

    /// Bounds a parameter.
    ///
    /// # Errors
    /// If there is no such parameter, the bounds are empty, or exclude the start.
    pub fn bound(&mut self, name: &str, low: f64, high: f64) -> Result<(), Error> {
        let parameter = self.find(name)?;
        if low >= high || low.is_nan() || high.is_nan() {
            return Err(Error::Value {
                name: parameter.name.clone(),
                value: low,
                unit: parameter.unit.clone(),
                reason: format!("the lower bound must be below the upper one, {high}"),
            });
        }
        parameter.bounds = Some((low, high));
        self.consistent()
    }

    fn allowed(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let declared = self.index(name).map(|i| &self.parameters[i]);
        let range = declared
            .and_then(|parameter| self.card_of(parameter))
            .map(|card| card.range);
        let parameter = self.find(name)?;
        let refuse = |reason: String| {
            Err(Error::Value {
                name: parameter.name.clone(),
                value,
                unit: parameter.unit.clone(),
                reason,
            })
        };
        if !value.is_finite() {
            return refuse("must be a finite number".to_owned());
        }
        match range {
            Some(range) if !range.contains(value) => {
                refuse(format!("must be in {range} {}", parameter.unit))
            }
            None if value < 0.0
                && !matches!(
                    parameter.role,
                    FitRole::Offset | FitRole::Gravity | FitRole::Start
                ) =>
            {
                refuse("must not be negative".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Starts and fixed values against bounds and against each other.
    fn consistent(&self) -> Result<(), Error> {
        for p in &self.parameters {
            let (Some((low, high)), Some(value)) = (p.bounds, p.fixed.or(p.start)) else {
                continue;
            };
            if !(low..=high).contains(&value) {
                let what = if p.fixed.is_some() { "value" } else { "start" };
                return Err(Error::Value {
                    name: p.name.clone(),
                    value,
                    unit: p.unit.clone(),
                    reason: format!("the {what} is outside of the bounds, {low} to {high}"),
                });
            }
        }
        for p in &self.parameters {
            let (Slot::Above { base }, Some(value)) = (p.slot, p.fixed) else {
                continue;
            };
            let base = &self.parameters[base];
            if let Some(least) = base.fixed
                && value < least
            {
                return Err(Error::Value {
                    name: p.name.clone(),
                    value,
                    unit: p.unit.clone(),
                    reason: format!("must not be below {} = {least}", base.name),
                });
            }
        }
        Ok(())
    }
}
