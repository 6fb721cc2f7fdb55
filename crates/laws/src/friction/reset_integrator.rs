//! `reset_integrator`: a bristle that stops growing, and loses its stiction, at a deflection.

use crate::card::{Behaviour, Default, Equation, LawCard, Range, Relation, StateCard, Typical};
use crate::kind::General;
use crate::kind::elements::AT_LIMIT;
use crate::kind::spring_slip::{SpringSlip, memory};
use crate::law::slip::{RATE_INDEPENDENT_SLIP_SPEED, Slip, Step, dot, norm, travel};
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::{ParameterError, static_not_below_kinetic};

parameters! {
    /// Parameters of the reset integrator, per unit of normal force.
    pub struct ResetIntegratorParameters<P> for "reset_integrator" {
        /// Bristle stiffness per unit of normal force while the pair slides.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Bristle damping per unit of normal force.
        bristle_damping: P = {
            symbol: "sigma_1", unit: "s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(31.6228),
        },
        /// Static friction coefficient.
        static_coefficient: P = {
            symbol: "mu_s", unit: "1", role: StaticLevel, range: Range::Positive, typical: Typical::Number(0.15),
            default: Default::Scaled("kinetic_coefficient", 1.0),
            relation: Relation::NotBelow("kinetic_coefficient"),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
    }
}

/// The reset integrator of Haessig and Friedland.
///
/// $$ \dot{\mathbf z} = \mathbf v\ \text{until}\ |\mathbf z| = z_0, \qquad
///    \mathbf F = N\bigl\lbrack (1+a)\,\sigma_0\mathbf z + \sigma_1\dot{\mathbf z}\bigr\rbrack , \qquad
///    a = \mu_s/\mu_k - 1\ \text{for}\ |\mathbf z| < z_0,\ \text{else}\ 0, \qquad z_0 = \mu_k/\sigma_0 $$
///
/// At the limit the pair slides with z = z₀ u, F = μk N u, until the motion reverses.
///
/// **States.** The vectors z (m; 0 in slip, where it is z₀ u) and e, the direction of the latest
/// slip; the mode, 0 stick, 1 slip. It starts stuck, z = 0. In slip e follows u over ℓ = z₀/10 of
/// travel, ė = (v − |v| e)/ℓ; on a straight path it is u.
/// **Cannot** stay low: the force drops by (μs − μk) N as it breaks away, and rises again at once
/// where the motion reverses.
/// **Source.** Haessig and Friedland 1991; the vector form is ours.
#[derive(Clone, Debug, PartialEq)]
pub struct ResetIntegrator<P = f64> {
    parameters: ResetIntegratorParameters<P>,
    z_0: P,
}

impl<P: Scalar> ResetIntegrator<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: ResetIntegratorParameters<P>) -> Result<Self, ParameterError> {
        let (mu_s, mu_k) = (
            parameters.static_coefficient,
            parameters.kinetic_coefficient,
        );
        static_not_below_kinetic("reset_integrator", mu_s, mu_k)?;
        let z_0 = mu_k / parameters.bristle_stiffness;
        Ok(Self { parameters, z_0 })
    }

    /// The parameters.
    pub fn parameters(&self) -> &ResetIntegratorParameters<P> {
        &self.parameters
    }

    /// How far z is below its limit, over the limit.
    fn reserve<T: Scalar + MixesWith<P>, const D: usize>(&self, pair: &SpringSlip<T, D>) -> T {
        -(norm(&pair.x) / self.z_0) + 1.0
    }

    /// F of the pair, in slip along u.
    fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        pair: &SpringSlip<T, D>,
        u: &[T; D],
    ) -> [T; D] {
        let (p, v, n) = (&self.parameters, &slip.velocity, slip.normal_force);
        if pair.slips {
            return u.map(|u| n * (u * p.kinetic_coefficient));
        }
        // (1 + a) σ₀
        let stiffness = p.static_coefficient / self.z_0;
        std::array::from_fn(|i| n * (pair.x[i] * stiffness + v[i] * p.bristle_damping))
    }
}

impl<P: Scalar> Law<P> for ResetIntegrator<P> {
    type Kind = General;

    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let pair = SpringSlip::<T, D>::at(state);
        pair.rates(&slip.velocity, memory(self.z_0), rates);
        self.force(slip, &pair, &pair.heading(&slip.velocity))
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (v, z_0) = (&step.end.velocity, T::of(self.z_0));
        let mut pair = SpringSlip::<T, D>::of(old);
        if pair.slips && pair.turns_back(step) {
            pair = pair.stuck(z_0);
        }
        if pair.slips {
            pair = pair.slid(step, memory(self.z_0));
            if dot(v, &pair.last).value() < 0.0 {
                pair = pair.stuck(z_0);
            }
        } else {
            let held = pair.held(step);
            // back in stick z is at its limit, but for rounding
            pair = if self.reserve(&held).value() >= -AT_LIMIT {
                held
            } else {
                held.released(&travel(step).0)
            };
        }
        pair.store(new);
        self.force(&step.end, &pair, &pair.heading(v))
    }

    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let pair = SpringSlip::<T, D>::of(old);
        if pair.slips {
            let (slid, u) = pair.slid_in_mode(step, memory(self.z_0));
            slid.store(new);
            return self.force(&step.end, &slid, &u);
        }
        let held = pair.held(step);
        held.store(new);
        self.force(&step.end, &held, &step.end.velocity)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        (speed.value() > 0.0).then_some(self.parameters.kinetic_coefficient * normal_force)
    }
}

impl FrictionLaw for ResetIntegrator {
    const CARD: LawCard<'static> = LawCard {
        name: "reset_integrator",
        title: "Reset integrator (Haessig and Friedland)",
        summary: "A spring that ends at a deflection, where its stiffness falls: stiction that is lost as the pair slides.",
        equations: &[
            Equation {
                text: "dz/dt = v until |z| = z_0 = mu_k/sigma_0; then z = z_0 u until v reverses",
                tex: r"\dot{\mathbf z}=\mathbf v\ \text{until}\ |\mathbf z|=z_0=\mu_k/\sigma_0;\ \text{then}\ \mathbf z=z_0\mathbf u\ \text{until}\ \mathbf v\ \text{reverses}",
                source: "Haessig and Friedland 1991, vector form of this project",
            },
            Equation {
                text: "F = N ((1 + a) sigma_0 z + sigma_1 dz/dt),  a = mu_s/mu_k - 1 for |z| < z_0, else 0",
                tex: r"\mathbf F = N\bigl[(1+a)\sigma_0\mathbf z+\sigma_1\dot{\mathbf z}\bigr],\quad a=\mu_s/\mu_k-1\ \text{for}\ |\mathbf z|<z_0,\ \text{else}\ 0",
                source: "Haessig and Friedland 1991, per unit of normal force",
            },
        ],
        parameters: ResetIntegratorParameters::CARDS,
        states: &[
            StateCard::vector("z", "m", "deflection in stick"),
            StateCard::vector("e", "1", "last slip direction, 0 in stick"),
            StateCard::scalar("mode", "1", "0 stick, 1 slip at the deflection z_0"),
        ],
        behaviour: &[Behaviour::Holds, Behaviour::Jumps],
        printed: None,
        reproduces: &[
            "static and kinetic level",
            "stick-slip",
            "presliding displacement (one spring)",
            "hold without drift",
            "varying normal force",
        ],
        cannot: &[
            "a continuous force: it drops as the pair breaks away, and rises again at once where v reverses",
            "Stribeck effect, frictional lag, varying break-away force, viscous friction",
        ],
        source: "Haessig, Friedland, On the modeling and simulation of friction, J. Dyn. Syst. Meas. Control 113 (1991) 354-362",
        remarks: "The gain a of the source is mu_s/mu_k - 1. The vector form is ours: in slip z = z_0 u, and stick returns when v.e < 0 with the last slip direction e, which follows u over l = 0.1 z_0 of travel, de/dt = (v - |v| e)/l.",
    };

    fn layout(&self) -> StateLayout {
        SpringSlip::<f64, 1>::layout(0)
    }

    fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        let pair = SpringSlip::<f64, D>::at(state);
        if pair.slips {
            dot(&slip.velocity, &pair.last) / RATE_INDEPENDENT_SLIP_SPEED
        } else {
            pair.margin(self.reserve(&pair), &slip.velocity)
        }
    }

    fn change_mode<const D: usize>(&self, slip: &Slip<f64, D>, state: &mut [f64]) {
        let pair = SpringSlip::<f64, D>::at(state);
        let changed = if pair.slips {
            pair.stuck(self.z_0)
        } else {
            pair.released(&slip.velocity)
        };
        changed.store(state);
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let (p, pair) = (&self.parameters, SpringSlip::<f64, D>::at(state));
        let (stiffness, square) = if pair.slips {
            (p.bristle_stiffness, self.z_0 * self.z_0)
        } else {
            (p.static_coefficient / self.z_0, dot(&pair.x, &pair.x))
        };
        0.5 * stiffness * normal_force * square
    }

    fn slip_speed(&self) -> f64 {
        RATE_INDEPENDENT_SLIP_SPEED
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some(self.z_0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_as_it_breaks_away_and_rises_as_it_turns() {
        let law = ResetIntegrator::new(ResetIntegratorParameters {
            bristle_stiffness: 1e4,
            bristle_damping: 0.0,
            static_coefficient: 0.15,
            kinetic_coefficient: 0.1,
        })
        .expect("admissible");
        // z_0 = 10 um at 10 N: 1.5e4 z below it, 1 N at it, by hand
        let mut state = [0.0; 3];
        for (d, wanted) in [
            (9e-6, 1.35),
            (2e-6, 1.0),
            (5e-6, 1.0),
            (-1e-6, 1.35),
            (-9e-6, 0.0),
        ] {
            let old = state;
            let slip = Slip::new([f64::signum(d)], 10.0);
            let [f] = law.update(&Step::constant(slip, f64::abs(d)), &old, &mut state);
            // rounding of lengths
            assert!((f - wanted).abs() < 1e-13, "{d}: {f}");
        }
    }
}
