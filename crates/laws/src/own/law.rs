//! A law of your own: equations with values of their parameters.

use super::equations::{LinearRate, MAX_OWN_STATES, OwnEquations};
use super::error::EquationError;
use super::functions::of_numbers;
use super::graph::GraphNode;
use super::implicit;
use super::level::curve_of;
use super::program::{ProgramInputs, Registers};
use crate::card::{LawCard, Role};
use crate::curve::{Curve, Shape};
use crate::kind::General;
use crate::law::slip::{RATE_INDEPENDENT_SLIP_SPEED, Slip, Step};
use crate::law::{FrictionLaw, Law, Sides, StateLayout};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters::{ParameterError, ParameterType, Value, Values, arrange};
use std::collections::HashMap;
use std::sync::Arc;

/// A law of your own: states with their rates and the force, written as equations.
///
/// **Update.** Where every rate is linear in its own state and free of the others, ż = b + a z at
/// given v and N, the states follow exactly under the mean conditions of the step:
/// z_new = e^(aΔt) z + b (e^(aΔt) − 1)/a. Else they follow an implicit Runge–Kutta method of fourth
/// order (Hairer and Wanner's SDIRK4, L-stable) in substeps that hold their error at 10⁻⁸ of the
/// state; the tangent is that of the solved stages, by the theorem of implicit functions.
#[derive(Clone, Debug)]
pub struct OwnLaw<P = f64> {
    pub(super) equations: Arc<OwnEquations>,
    /// The values of the parameters, in the order of the cards; 0 for the shape of the curve.
    numbers: Vec<P>,
    shape: Shape,
    /// What follows from the parameters alone.
    constants: Vec<P>,
    curve: Option<Curve<P>>,
    /// The same without derivatives, for the search of implicit updates.
    plain: Plain,
}

/// The numbers of a law without derivatives.
#[derive(Clone, Debug)]
struct Plain {
    constants: Vec<f64>,
    curve: Option<Curve>,
}

/// Steady sliding is looked for at this speed at least, m/s: at rest nothing leads to it.
const SLOWEST: f64 = 1e-12;
/// Long enough to be steady, s.
const FOREVER: f64 = 1e12;

impl OwnLaw {
    /// The law with these values, by name or symbol.
    ///
    /// # Errors
    /// Names the parameter that is unknown, missing, out of range, or contradicts another.
    pub fn from_values(
        equations: &Arc<OwnEquations>,
        values: &Values,
    ) -> Result<Self, ParameterError> {
        let (law, cards) = (equations.name(), equations.parameters());
        let mut numbers = vec![0.0; cards.len()];
        let mut shape = Shape::default();
        for (i, value) in arrange(law, cards, values)?.into_iter().enumerate() {
            if cards[i].kind == crate::card::ParameterKind::Curve {
                shape = Shape::take(law, &cards[i], value)?;
            } else {
                numbers[i] = f64::take(law, &cards[i], value)?;
            }
        }
        Self::with(equations, numbers, shape)
    }

    /// The values by name.
    pub fn to_values(&self) -> Values {
        let cards = self.equations.parameters().iter();
        cards
            .zip(&self.numbers)
            .map(|(card, x)| {
                let value = if card.kind == crate::card::ParameterKind::Curve {
                    Value::Curve(self.shape.clone())
                } else {
                    Value::Number(*x)
                };
                (card.name.to_string(), value)
            })
            .collect()
    }

    /// The same law with parameters of another type: `number` gets the field, the element in a
    /// list, and the value.
    ///
    /// # Errors
    /// If the new values contradict each other.
    pub fn with_numbers<Q: Scalar>(
        &self,
        number: &mut dyn FnMut(&str, usize, f64) -> Q,
    ) -> Result<OwnLaw<Q>, ParameterError> {
        let cards = self.equations.parameters().iter();
        let numbers = cards
            .zip(&self.numbers)
            .map(|(card, x)| match card.kind {
                crate::card::ParameterKind::Curve => Q::zero(),
                _ => number(&card.name, 0, *x),
            })
            .collect();
        OwnLaw::with(&self.equations, numbers, self.shape.clone())
    }

    /// Checks that force and rates are finite where nothing moves and nothing presses.
    ///
    /// # Errors
    /// The place of the first value that is not.
    pub fn check_at_rest(&self) -> Result<(), EquationError> {
        let equations = &self.equations;
        let constant = equations.graph.constant();
        let inputs: HashMap<usize, u8> = (0_u8..)
            .zip(&equations.constants)
            .map(|(i, id)| (*id, i))
            .collect();
        for normal_force in [1.0, 0.0] {
            for (id, node) in equations.graph.nodes.iter().enumerate() {
                if constant[id] || !matches!(node, GraphNode::Apply(..)) {
                    continue;
                }
                let program = equations.graph.program(&[id], &inputs)?;
                let slip = Slip::new([0.0; 2], normal_force);
                let state = [0.0; 2 * MAX_OWN_STATES];
                let mut registers = Registers::<f64, 2>::new();
                let from = 2 * equations.layout.vectors;
                program.run(self.given(), &slip, &state, from, &mut registers);
                let register = program.results[0];
                let value = match equations.graph.kind(id) {
                    super::sort::Rank::Scalar => registers.scalar(register),
                    super::sort::Rank::Vector => {
                        let components = registers.vector(register).into_iter();
                        components.fold(0.0, |sum, x| sum + x)
                    }
                };
                if !value.is_finite() {
                    let reason = format!(
                        "at rest (v = 0, N = {normal_force} N, all states 0) this is {value}; \
                         friction laws must be finite there"
                    );
                    return Err(EquationError {
                        place: equations.place_of(id),
                        reason,
                        unknown: None,
                    });
                }
            }
        }
        Ok(())
    }
}

impl<P: Scalar> OwnLaw<P> {
    fn with(
        equations: &Arc<OwnEquations>,
        numbers: Vec<P>,
        shape: Shape,
    ) -> Result<Self, ParameterError> {
        let law = equations.name();
        let curve = match equations.levels_from {
            Some(from) => Some(curve_of(law, &numbers[from..], &shape)?),
            None => None,
        };
        let plain_numbers: Vec<f64> = numbers.iter().map(|x| x.value()).collect();
        let plain = Plain {
            constants: constants(equations, &plain_numbers),
            curve: match equations.levels_from {
                Some(from) => Some(curve_of(law, &plain_numbers[from..], &shape)?),
                None => None,
            },
        };
        Ok(Self {
            constants: constants(equations, &numbers),
            equations: Arc::clone(equations),
            numbers,
            shape,
            curve,
            plain,
        })
    }

    /// The equations.
    pub fn equations(&self) -> &Arc<OwnEquations> {
        &self.equations
    }

    #[inline]
    fn given(&self) -> ProgramInputs<'_, P> {
        ProgramInputs {
            constants: &self.constants,
            curve: self.curve.as_ref(),
        }
    }

    fn plain(&self) -> ProgramInputs<'_, f64> {
        ProgramInputs {
            constants: &self.plain.constants,
            curve: self.plain.curve.as_ref(),
        }
    }

    /// The force, and the state, after sliding on and on.
    fn slid(&self, speed: P, normal_force: P, state: &mut [P]) -> P {
        let step = Step::constant(Slip::new([speed], normal_force), FOREVER);
        let old = vec![P::zero(); state.len()];
        let [force] = self.update(&step, &old, state);
        force
    }
}

impl OwnLaw {
    /// The parameters, which the law has by name.
    pub(crate) fn parameters(&self) -> &Self {
        self
    }
}

impl<P: Scalar> Law<P> for OwnLaw<P> {
    type Kind = General;

    #[inline]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        self.equations.rates_at(self.given(), slip, state, rates)
    }

    #[inline]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        if let Some((program, parts)) = &self.equations.relaxation {
            let mut registers = Registers::new();
            let from = D * self.equations.layout.vectors;
            // the coefficients follow from the motion alone
            program.run(self.given(), &step.mean, &[], from, &mut registers);
            let results = &program.results;
            for (place, part) in self.equations.order.iter().zip(parts) {
                let LinearRate { constant, slope } = *part;
                let slope = registers.scalar(results[slope]);
                let first = place.first(self.equations.layout, D);
                if place.vector {
                    let drawn = constant.map(|c| registers.vector(results[c]));
                    let drawn = drawn.unwrap_or([T::zero(); D]);
                    let old: [P; D] = std::array::from_fn(|i| old[first + i]);
                    let z = relaxed(slope, drawn, old, step.duration);
                    new[first..first + D].copy_from_slice(&z);
                } else {
                    let drawn = constant.map(|c| registers.scalar(results[c]));
                    let drawn = [drawn.unwrap_or_else(T::zero)];
                    [new[first]] = relaxed(slope, drawn, [old[first]], step.duration);
                }
            }
        } else if !self.equations.layout.is_empty() {
            implicit::follow(
                &self.equations,
                (self.plain(), self.given()),
                step,
                old,
                new,
            );
        }
        let mut registers = Registers::new();
        let from = D * self.equations.layout.vectors;
        let force = &self.equations.force;
        force.run(self.given(), &step.end, new, from, &mut registers);
        registers.vector(force.results[0])
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let speed = if speed.value() < SLOWEST {
            P::from_f64(SLOWEST)
        } else {
            speed
        };
        let mut state = vec![P::zero(); self.equations.layout.len(1)];
        let force = self.slid(speed, normal_force, &mut state);
        force.value().is_finite().then_some(force)
    }
}

impl FrictionLaw for OwnLaw {
    const CARD: LawCard<'static> = OwnEquations::SHARED;

    const SIDES: Sides = Sides::OfVelocity;

    fn has_stage(&self) -> bool {
        true
    }

    fn card(&self) -> LawCard<'_> {
        self.equations.card()
    }

    fn layout(&self) -> StateLayout {
        self.equations.layout
    }

    /// Elastic energy, J: the work that takes the deflections from 0 to where they are, at rest and
    /// under this normal force, by two points of Gauss. It is defined for one vector state in metres.
    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let [state_card] = self.equations.states.as_slice() else {
            return 0.0;
        };
        if state_card.unit != "m" || self.equations.layout.vectors != 1 {
            return 0.0;
        }
        let slip = Slip::new([0.0; D], normal_force);
        let half = 0.5 / 3.0_f64.sqrt();
        let work = |share: f64| {
            let z: [f64; D] = std::array::from_fn(|i| share * state[i]);
            let mut rates = [0.0; D];
            let force = self.rates(&slip, &z, &mut rates);
            force.iter().zip(state).map(|(f, z)| f * z).sum::<f64>()
        };
        0.5 * (work(0.5 - half) + work(0.5 + half))
    }

    /// The speed from which a pair counts as slipping, m/s.
    fn slip_speed(&self) -> f64 {
        let of = |role: Role| {
            let cards = self.equations.parameters().iter();
            let mut known = cards.zip(&self.numbers);
            known.find(|(card, _)| card.role == role && card.unit == "m/s")
        };
        let speed = of(Role::StribeckSpeed).or_else(|| of(Role::StickSpeed));
        speed.map_or(RATE_INDEPENDENT_SLIP_SPEED, |(_, x)| *x)
    }

    /// The size that the first vector state reaches in slow sliding, in its own unit.
    fn state_size(&self, normal_force: f64) -> Option<f64> {
        if self.equations.layout.vectors == 0 {
            return None;
        }
        let mut state = vec![0.0; self.equations.layout.len(1)];
        self.slid(1e-3 * self.slip_speed(), normal_force, &mut state);
        Some(state[0].abs()).filter(|size| size.is_finite() && *size > 0.0)
    }

    /// The same if that state is a length: the deflection at break-away, m.
    fn breakaway_deflection(&self, normal_force: f64) -> Option<f64> {
        if self.equations.states.first()?.unit == "m" {
            self.state_size(normal_force)
        } else {
            None
        }
    }
}

/// z_new = e^(aΔt) z + b (e^(aΔt) − 1)/a.
#[inline]
fn relaxed<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
    slope: T,
    constant: [T; D],
    old: [P; D],
    duration: f64,
) -> [T; D] {
    let decay_rate = -(slope * duration);
    if decay_rate.value() >= 0.0 {
        let (decay, drawn) = T::relaxed(decay_rate, constant.map(|b| b * duration));
        return std::array::from_fn(|i| decay * old[i] + drawn[i]);
    }
    // a state that grows
    let growth = slope * duration;
    let mean = growth.exp_m1() / growth;
    let factor = growth.exp();
    std::array::from_fn(|i| factor * old[i] + mean * constant[i] * duration)
}

/// The values that follow from the parameters alone.
fn constants<P: Scalar>(equations: &OwnEquations, numbers: &[P]) -> Vec<P> {
    let constant = equations.graph.constant();
    let mut values = vec![P::zero(); constant.len()];
    for (id, node) in equations.graph.nodes.iter().enumerate() {
        values[id] = match node {
            GraphNode::Number(bits) => P::from_f64(f64::from_bits(*bits)),
            GraphNode::Parameter(i) => numbers[*i],
            GraphNode::Apply(code, a, b) if constant[id] => {
                of_numbers(*code, values[*a], values[*b])
            }
            _ => continue,
        };
    }
    equations.constants.iter().map(|id| values[*id]).collect()
}
