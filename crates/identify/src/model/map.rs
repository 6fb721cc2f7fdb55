//! From the numbers of the optimiser to parameters, and back.

use bristle_laws::card::{Default as Fallback, ParameterKind};
use bristle_laws::{ParameterError, Scalar, Value, Values};

use super::{Acting, FitModel, FitParameter, FitRole, Slot};

/// Numbers of the optimiser stay within ±this: e^40 is beyond any physical range.
pub(crate) const FARTHEST: f64 = 40.0;

/// The limits of a Leuven law must not add to less than the static level, rounding included.
const LEAST_EXCESS: f64 = 1e-9;

impl FitModel {
    /// The parameters that have a number of their own: all that are fitted, but the last share of
    /// a list, which follows from the others.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.free().filter_map(|(i, p)| match p.slot {
            Slot::Share { first, count } if i + 1 == first + count => None,
            _ => Some(i),
        })
    }

    /// Parameters from the numbers of the optimiser; `scale` is the size of a linear parameter.
    pub(crate) fn unpack<P: Scalar>(&self, theta: &[P], scale: &[f64]) -> Vec<P> {
        let mut p: Vec<P> = self
            .parameters
            .iter()
            .map(|p| P::from_f64(p.fixed.unwrap_or(f64::NAN)))
            .collect();
        let free: Vec<(usize, P)> = self.numbers().zip(theta.iter().copied()).collect();
        let raw = |index: usize| free.iter().find(|(i, _)| *i == index).map(|(_, x)| *x);
        // in order of dependence: what stands alone, then what stands on it
        for &(i, x) in &free {
            match self.parameters[i].slot {
                Slot::Log => p[i] = power(x) * scale[i],
                Slot::Linear { .. } => p[i] = x * scale[i],
                Slot::Between { low, high } => p[i] = logistic(x) * (high - low) + low,
                _ => {}
            }
        }
        for &(i, x) in &free {
            match self.parameters[i].slot {
                Slot::Above { base } => p[i] = p[base] + not_negative(x) * scale[i],
                Slot::Below { level, stiffness } => p[i] = p[level] / p[stiffness] * logistic(x),
                _ => {}
            }
        }
        for (i, parameter) in self.parameters.iter().enumerate() {
            let (first, count, total) = match parameter.slot {
                Slot::Share { first, count } => (first, count, P::from_f64(1.0)),
                // the limits add to the static level or more; the last number says how much more
                Slot::Limit {
                    first,
                    count,
                    level,
                } => {
                    let excess = raw(first + count - 1).map_or(P::zero(), power);
                    (first, count, p[level] * (excess + (1.0 + LEAST_EXCESS)))
                }
                _ => continue,
            };
            if parameter.fixed.is_some() {
                continue;
            }
            let weight = |k: usize| match raw(first + k) {
                Some(x) if k + 1 < count => power(x),
                _ => P::from_f64(1.0),
            };
            let sum = (0..count).map(weight).fold(P::zero(), |sum, x| sum + x);
            p[i] = total * weight(i - first) / sum;
        }
        self.tie(&mut p);
        p
    }

    /// The parameters with the elements of the law in the order in which they begin to slide; none
    /// if there are no elements, or if the user has said something of one of them.
    pub(crate) fn elements_in_order(&self, p: &[f64]) -> Option<Vec<f64>> {
        let places = |roles: &[FitRole]| -> Vec<usize> {
            let wanted =
                |(_, q): &(usize, &FitParameter)| roles.contains(&q.role) && q.name.ends_with(']');
            self.parameters
                .iter()
                .enumerate()
                .filter(wanted)
                .map(|(i, _)| i)
                .collect()
        };
        let (stiffnesses, limits) = (places(&[FitRole::Stiffness]), places(&[FitRole::Share]));
        let own = stiffnesses
            .iter()
            .chain(&limits)
            .map(|&i| &self.parameters[i]);
        let said = |q: &FitParameter| q.fixed.is_some() || q.start.is_some() || q.bounds.is_some();
        if stiffnesses.len() < 2 || limits.len() != stiffnesses.len() || own.clone().any(said) {
            return None;
        }
        let slides_at = |k: usize| p[limits[k]] / p[stiffnesses[k]];
        let mut order: Vec<usize> = (0..limits.len()).collect();
        order.sort_by(|a, b| slides_at(*a).total_cmp(&slides_at(*b)));
        let mut sorted = p.to_vec();
        for (to, &from) in order.iter().enumerate() {
            sorted[limits[to]] = p[limits[from]];
            sorted[stiffnesses[to]] = p[stiffnesses[from]];
        }
        Some(sorted)
    }

    /// Values that follow from others by the card.
    pub(crate) fn tie<P: Scalar>(&self, p: &mut [P]) {
        let Some(card) = self.card() else { return };
        for i in 0..p.len() {
            let Some((field, _)) = self.parameters[i].field else {
                continue;
            };
            if p[i].value().is_nan()
                && let Fallback::Scaled(other, factor) = card.parameters[field].default
                && let Some(j) = self.index(other)
            {
                p[i] = p[j] * factor;
            }
        }
    }

    /// The numbers of the optimiser for parameters.
    pub(crate) fn pack(&self, p: &[f64], scale: &[f64]) -> Vec<f64> {
        let tiny = f64::MIN_POSITIVE;
        let number = |i: usize| match self.parameters[i].slot {
            Slot::Log => (p[i] / scale[i]).max(tiny).ln(),
            Slot::Linear { .. } => p[i] / scale[i],
            Slot::Above { base } => ((p[i] - p[base]) / scale[i]).max(0.0),
            Slot::Between { low, high } => logit((p[i] - low) / (high - low)),
            Slot::Below { level, stiffness } => logit(p[i] * p[stiffness] / p[level]),
            Slot::Limit {
                first,
                count,
                level,
            } if i + 1 == first + count => {
                let sum: f64 = p[first..first + count].iter().sum();
                (sum / p[level] - 1.0 - LEAST_EXCESS).max(1e-4).ln()
            }
            Slot::Share { first, count } | Slot::Limit { first, count, .. } => {
                (p[i].max(tiny) / p[first + count - 1].max(tiny)).ln()
            }
        };
        self.numbers().map(number).collect()
    }

    /// Bounds of the numbers of the optimiser.
    pub(crate) fn limits(&self, p: &[f64], scale: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let theta = self.pack(p, scale);
        let mut low = Vec::new();
        let mut high = Vec::new();
        for (i, x) in self.numbers().zip(theta) {
            let parameter = &self.parameters[i];
            let (mut l, mut h) = match parameter.slot {
                // fourteen orders of magnitude about the start
                Slot::Log => (x - 16.0, x + 16.0),
                Slot::Linear { positive: true } => (0.0, 1e6_f64.max(1e3 * x)),
                Slot::Linear { positive: false } => {
                    (-1e6_f64.max(1e3 * x.abs()), 1e6_f64.max(1e3 * x.abs()))
                }
                Slot::Above { .. } => (0.0, 100.0_f64.max(10.0 * x)),
                Slot::Between { .. } | Slot::Below { .. } => (-12.0, 12.0),
                Slot::Limit { first, count, .. } if i + 1 == first + count => (-12.0, 3.0),
                Slot::Share { .. } | Slot::Limit { .. } => (-12.0, 12.0),
            };
            if let Some((from, to)) = parameter.bounds {
                let at = |value: f64| {
                    let mut q = p.to_vec();
                    q[i] = value;
                    let theta = self.pack(&q, scale);
                    self.numbers()
                        .zip(theta)
                        .find(|(j, _)| *j == i)
                        .map(|(_, x)| x)
                };
                l = at(from).map_or(l, |x| x.max(l));
                h = at(to).map_or(h, |x| x.min(h));
            }
            // a fixed level above a free one
            if let Some(above) = self.parameters.iter().find(|q| {
                q.fixed.is_some_and(f64::is_finite) && q.slot == (Slot::Above { base: i })
            }) && parameter.slot == Slot::Log
                && let Some(most) = above.fixed
            {
                h = h.min((most / scale[i]).ln());
            }
            low.push(l);
            high.push(h.max(l));
        }
        (low, high)
    }

    /// The values of the law, those for negative velocities last.
    pub(crate) fn values(&self, p: &[f64]) -> Values {
        let mut values = Values::new();
        let Some(card) = self.card() else {
            return values;
        };
        for (field, c) in card.parameters.iter().enumerate() {
            let mine = self
                .parameters
                .iter()
                .zip(p)
                .filter(|(q, _)| !q.negative && q.field.is_some_and(|(i, _)| i == field));
            let numbers: Vec<f64> = mine.map(|(_, x)| *x).collect();
            if numbers.iter().any(|x| x.is_nan()) {
                continue; // left out
            }
            let value = match (c.kind, numbers.first()) {
                (ParameterKind::Number, Some(x)) => Value::Number(*x),
                (ParameterKind::List, Some(_)) => Value::List(numbers),
                _ => continue,
            };
            values.push((c.name.to_string(), value));
        }
        let own = self.parameters.iter().zip(p);
        let own = own.filter(|(q, x)| q.negative && !x.is_nan());
        values.extend(own.map(|(q, x)| (q.name.clone(), Value::Number(*x))));
        values
    }

    /// The numbers where they act.
    pub(crate) fn acting(&self, p: &[f64]) -> Result<Acting, ParameterError> {
        let law = self.declaration.as_ref();
        let law = law.map(|law| law.build(&self.values(p))).transpose()?;
        let term = |name: &str| {
            let found = self
                .parameters
                .iter()
                .position(|q| q.field.is_none() && q.name == name);
            found.map_or(0.0, |i| p[i])
        };
        Ok(Acting {
            law,
            mass: term("mass"),
            offset: term("offset"),
            gravity: term("gravity"),
            phase: term("gravity_angle"),
            preload: term("preload"),
            gap: term("gap"),
            closing: term("closing_force"),
            transmitted: term("load_share"),
            starts: (1..=self.terms.starts)
                .map(|k| term(&format!("start_velocity[{k}]")))
                .collect(),
            motor: if self.terms.motor { term("motor") } else { 1.0 },
            drag: (
                term("drag"),
                term(if self.terms.asymmetric {
                    "drag_negative"
                } else {
                    "drag"
                }),
            ),
        })
    }
}

fn logistic<P: Scalar>(x: P) -> P {
    P::from_f64(1.0) / ((-x).exp() + 1.0)
}

/// eˣ, constant beyond what is physical.
fn power<P: Scalar>(x: P) -> P {
    let near = x.value().clamp(-FARTHEST, FARTHEST);
    if near == x.value() {
        x.exp()
    } else {
        P::from_f64(near.exp())
    }
}

/// x, or 0 below it; at 0 with the derivative from above.
fn not_negative<P: Scalar>(x: P) -> P {
    if x.value() < 0.0 { P::zero() } else { x }
}

fn logit(share: f64) -> f64 {
    let share = share.clamp(1e-6, 1.0 - 1e-6);
    (share / (1.0 - share)).ln()
}
