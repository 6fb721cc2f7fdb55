//! `gms`: the generalised Maxwell-slip law.

mod border;

use self::border::{ACROSS, Mode};
use crate::card::{
    Behaviour, Default, Equation, LawCard, Printed, Range, Relation, StateCard, Typical,
};
use crate::curve::Curve;
use crate::kind::General;
use crate::kind::elements::{AT_LIMIT, MAX_ELEMENTS, check_fractions, check_length, fixed};
use crate::law::slip::{REST, Slip, Step, direction, dot, norm, old_vector_at, travel, vector_at};
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the generalised Maxwell-slip law; forces are per unit of normal force.
    pub struct GmsParameters<P> for "gms" with stribeck {
        /// Stiffness of every element per unit of normal force, at most ten.
        element_stiffnesses: Vec<P> = {
            symbol: "k_i", unit: "1/m", role: Stiffness, range: Range::Positive,
            typical: Typical::List(&[4e3, 3e3, 2e3, 1e3]),
        },
        /// Share of every element in the Stribeck curve; the sum is 1.
        element_fractions: Vec<P> = {
            symbol: "alpha_i", unit: "1", role: Share, range: Range::Positive,
            typical: Typical::List(&[0.1, 0.2, 0.3, 0.4]),
                    relation: Relation::SumIsOne,
        },
        /// Rate at which a sliding element follows the Stribeck curve.
        attraction: P = {
            symbol: "C", unit: "1/s", role: Time, range: Range::Positive, typical: Typical::Number(5.0),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
    }
}

/// The generalised Maxwell-slip law.
///
/// $$ \text{stuck: } \dot{\mathbf f}_i = k_i\mathbf v; \qquad
///    \text{sliding: } \dot{\mathbf f}_i = C\Bigl(\alpha_i\mathbf u - \frac{\mathbf f_i}{g(|\mathbf v|)}\Bigr); \qquad
///    \mathbf F = N\Bigl(\sum\mathbf f_i + \sigma_2\mathbf v\Bigr) $$
///
/// An element slides from |fᵢ| > αᵢ g(|v|) with fᵢ·v > 0, until v = 0 or fᵢ·v < 0.
///
/// **States.** Per element a vector fᵢ (1), and a mode (0 stuck, 1 sliding, 2 and 3 on the border),
/// initially 0.
/// **Reproduces** hysteresis with non-local memory, lag (time constant g/C), stick–slip, no drift.
/// **Border.** As the motion turns away from a sliding element with |fᵢ| > αᵢ g, it may reach fᵢ·v = 0
/// where sliding drives it on (C αᵢ |v| + fᵢ·dv/dt < 0) and sticking drives it back
/// (kᵢ |v|² + fᵢ·dv/dt > 0). It then does both by turns without end; in the limit (Filippov) it is
/// held on fᵢ·v = 0 (mode 2), stuck for the share of the time that keeps it there, and |fᵢ| falls. At
/// αᵢ g it sticks, or, while g falls too, follows αᵢ g (mode 3).
/// **Numerics.** Exact at constant v, with every start of sliding located, so that the result does
/// not depend on how such a motion is cut; of second order along the border.
/// **Source.** Al-Bender, Lampaert, Swevers 2005. The vector form is ours (elements in the plane,
/// each with its own direction).
#[derive(Clone, Debug, PartialEq)]
pub struct Gms<P = f64> {
    parameters: GmsParameters<P>,
    curve: Curve<P>,
    count: usize,
    stiffness: [P; MAX_ELEMENTS],
    fraction: [P; MAX_ELEMENTS],
}

/// What an element meets during a step at constant slip velocity.
struct Drive<T, const D: usize> {
    displacement: [T; D],
    path: T,
    u: [T; D],
    duration: f64,
    g: T,
    /// What is left after the whole step of the distance of a sliding element from its level.
    decay: T,
    /// Slip velocity at the start and at the end.
    first: [T; D],
    last: [T; D],
}

impl<P: Scalar> Gms<P> {
    /// The law.
    ///
    /// # Errors
    /// If the lists are too long or of different length, if the fractions do not add to 1, or if
    /// `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: GmsParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        let (k, fractions) = (
            &parameters.element_stiffnesses,
            &parameters.element_fractions,
        );
        let count = k.len();
        check_length("gms", "element_stiffnesses", k, count)?;
        check_length("gms", "element_fractions", fractions, count)?;
        check_fractions("gms", fractions)?;
        Ok(Self {
            curve,
            count,
            stiffness: fixed(k),
            fraction: fixed(fractions),
            parameters,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &GmsParameters<P> {
        &self.parameters
    }

    /// What is left after a time t of the distance of a sliding element from its level.
    #[inline]
    fn decay<T: Scalar + MixesWith<P>>(&self, time: T, g: T) -> T {
        (time * self.parameters.attraction / g).decay()
    }

    /// The element and its mode at the end.
    fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        element: usize,
        f: &[T; D],
        mode: Mode,
        drive: &Drive<T, D>,
    ) -> ([T; D], Mode) {
        let k = self.stiffness[element];
        let level = drive.g * self.fraction[element];
        let end = std::array::from_fn(|i| f[i] + drive.displacement[i] * k);
        if drive.path.value() <= REST {
            return (end, Mode::Stuck);
        }
        let turns = drive.turns(level / k);
        if turns && mode.on_border() {
            return self.along_border(element, f, mode, drive);
        }
        let along = dot(f, &drive.u);
        let limit = (level * level).value();
        let square = dot(f, f).value();
        let across = ACROSS * square.sqrt();
        let slides = if mode == Mode::Stuck {
            along.value() > across && square >= limit * (1.0 - 2.0 * AT_LIMIT)
        } else {
            along.value() >= -across || turns && drive.starts_ahead(f)
        };
        if slides {
            return self.sliding(element, f, drive, turns);
        }
        let pushed =
            dot(&end, &drive.u).value() > 0.0 && !(turns && dot(&end, &drive.last).value() <= 0.0);
        if !pushed || dot(&end, &end).value() <= limit {
            return (end, Mode::Stuck);
        }
        // the chord leaves the circle |f| = level; if it misses it, sliding starts where f.v = 0
        let q: [T; D] = std::array::from_fn(|i| f[i] - along * drive.u[i]);
        let across = dot(&q, &q);
        let square = level * level - across;
        let reach = if square.value() > 0.0 {
            square.sqrt()
        } else {
            T::zero()
        };
        let at = std::array::from_fn(|i| q[i] + reach * drive.u[i]);
        let share = (reach - along) / (drive.path * k);
        let left = (-share + 1.0).max(T::zero()) * drive.duration;
        let decay = self.decay(left, drive.g);
        (relaxed(&at, level, &drive.u, decay), Mode::Sliding)
    }
}

/// A sliding element on its way to αᵢ g u.
#[inline]
fn relaxed<T: Scalar, const D: usize>(f: &[T; D], level: T, u: &[T; D], decay: T) -> [T; D] {
    std::array::from_fn(|i| {
        let target = level * u[i];
        target + (f[i] - target) * decay
    })
}

impl<P: Scalar> Law<P> for Gms<P> {
    type Kind = General;

    /// With the mode that holds at these conditions: a stored sliding mode ends at v = 0 and at
    /// f·v < 0, a stuck one beyond its limit.
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let v = &slip.velocity;
        let speed = norm(v);
        let (u, g) = (direction(v, speed), self.curve.value(speed));
        let moves = speed.value() > REST;
        // C/g once: a quotient for every component would cost more than the rest
        let pace = T::of(self.parameters.attraction) / g;
        let mut sum = v.map(|v| v * self.parameters.viscous_coefficient);
        for element in 0..self.count {
            let f = vector_at::<T, D>(state, element);
            let power = dot(&f, &u).value();
            let level = g * self.fraction[element];
            let stored = Mode::of(state[self.count * D + element]) != Mode::Stuck;
            let beyond = dot(&f, &f).value() > (level * level).value();
            let slides = moves && (stored && power >= 0.0 || beyond && power > 0.0);
            for i in 0..D {
                rates[element * D + i] = if slides {
                    (level * u[i] - f[i]) * pace
                } else {
                    v[i] * self.stiffness[element]
                };
                sum[i] = sum[i] + f[i];
            }
            rates[self.count * D + element] = T::zero();
        }
        sum.map(|f| slip.normal_force * f)
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (displacement, path) = travel(step);
        let speed = norm(&step.mean.velocity);
        let g = self.curve.value(speed);
        let drive = Drive {
            displacement,
            path,
            u: direction(&step.mean.velocity, speed),
            duration: step.duration,
            g,
            decay: self.decay(T::from_f64(step.duration), g),
            first: std::array::from_fn(|i| step.mean.velocity[i] * 2.0 - step.end.velocity[i]),
            last: step.end.velocity,
        };
        let v = &step.end.velocity;
        let mut sum = v.map(|v| v * self.parameters.viscous_coefficient);
        for element in 0..self.count {
            let mode = self.count * D + element;
            let (f, ends) = self.advance(
                element,
                &old_vector_at(old, element),
                Mode::of(old[mode]),
                &drive,
            );
            for i in 0..D {
                new[element * D + i] = f[i];
                sum[i] = sum[i] + f[i];
            }
            new[mode] = T::from_f64(ends.number());
        }
        sum.map(|f| step.end.normal_force * f)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let total = self.fraction.iter().fold(P::zero(), |sum, x| sum + *x);
        let viscous = self.parameters.viscous_coefficient * speed;
        (speed.value() > 0.0).then(|| (self.curve.value(speed) * total + viscous) * normal_force)
    }
}

impl FrictionLaw for Gms {
    const CARD: LawCard<'static> = LawCard {
        name: "gms",
        title: "Generalised Maxwell slip (GMS)",
        summary: "Parallel sliders that follow the Stribeck curve: hysteresis that remembers, without drift.",
        equations: &[
            Equation {
                text: "stuck: df_i/dt = k_i v, until |f_i| > alpha_i g(|v|) with f_i.v > 0",
                tex: r"\dot{\mathbf f}_i = k_i\mathbf v",
                source: "Al-Bender et al. 2005",
            },
            Equation {
                text: "sliding: df_i/dt = C (alpha_i u - f_i/g(|v|)), until v = 0 or f_i.v < 0",
                tex: r"\dot{\mathbf f}_i = C\Bigl(\alpha_i\mathbf u - \frac{\mathbf f_i}{g(|\mathbf v|)}\Bigr)",
                source: "Al-Bender et al. 2005",
            },
            Equation {
                text: "F = N (sum f_i + sigma_2 v),  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"\mathbf F = N\Bigl(\sum_i\mathbf f_i + \sigma_2\mathbf v\Bigr)",
                source: "Al-Bender et al. 2005, per unit of normal force",
            },
        ],
        parameters: GmsParameters::CARDS,
        states: &[
            StateCard::new(
                "f",
                "1",
                "force of the element per unit of normal force (vector), for every element",
            ),
            StateCard::new(
                "mode",
                "1",
                "0 stuck, 1 sliding, 2 held on f.v = 0, 3 held there at its level, for every element",
            ),
        ],
        behaviour: &[Behaviour::Holds],
        printed: Some(Printed {
            has: &[
                "steady_state",
                "stick_slip",
                "presliding_displacement",
                "frictional_lag",
                "varying_break_away",
                "nonlocal_memory",
                "transition_curve",
                "computational_cost",
            ],
            differs: &[(
                "computational_cost",
                "elements without damping ring in stick, and an integrator that resolves the ringing takes short steps",
            )],
        }),
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "hysteresis with non-local memory",
            "hold without drift",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
        ],
        cannot: &["a smooth force: its slope jumps where an element starts to slide"],
        source: "Al-Bender, Lampaert, Swevers 2005",
        remarks: "The vector form is ours; where the motion turns across a sliding element, it is held on f_i.v = 0, the limit of sliding and sticking by turns, also while its level falls, where the equations leave it open. C is a rate per time: in slow sliding the lag is g/C. One element without Stribeck effect is the Jenkins element.",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: self.count,
            scalars: self.count,
        }
    }

    fn set_modes_after_event<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        change: &Slip<f64, D>,
        state: &mut [f64],
    ) -> bool {
        if D > 1 {
            self.set_modes(slip, change, state);
        }
        D > 1
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let energy = |i: usize| {
            let f = vector_at::<f64, D>(state, i);
            0.5 * dot(&f, &f) / self.stiffness[i]
        };
        normal_force * (0..self.count).map(energy).sum::<f64>()
    }

    fn slip_speed(&self) -> f64 {
        self.parameters.stribeck_velocity
    }

    /// The displacement from rest at which the last element starts to slide.
    fn state_size(&self, _normal_force: f64) -> Option<f64> {
        Some(self.parameters.static_coefficient)
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        let mu_s = self.parameters.static_coefficient;
        (0..self.count)
            .map(|i| self.fraction[i] * mu_s / self.stiffness[i])
            .reduce(f64::max)
    }
}
