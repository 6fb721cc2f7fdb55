//! `reset_integrator`: a bristle that stops growing, and loses its stiction, at a deflection.

use crate::card::{Behaviour, Default, Equation, LawCard, Range, Relation, StateCard, Typical};
use crate::kind::General;
use crate::kind::elements::{self, AT_LIMIT};
use crate::law::slip::{
    RATE_INDEPENDENT_SLIP_SPEED, Slip, Step, dot, norm, old_vector_at, travel, vector_at,
};
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
/// **States.** One vector z (m), initially 0, and the mode, 0 stuck, 1 sliding at |z| = z₀.
/// **Cannot** stay low: the force drops by (μs − μk) N as it breaks away, and rises again at once
/// where the motion reverses.
/// **Numerics.** z moves on the exact path of an elastic–plastic element of limit z₀.
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

    /// (1 + a) σ₀.
    fn stiffness(&self, slides: bool) -> P {
        let p = &self.parameters;
        if slides {
            p.bristle_stiffness
        } else {
            p.static_coefficient / self.z_0
        }
    }

    /// ż and F.
    fn evaluate<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        z: &[T; D],
        slides: bool,
    ) -> ([T; D], [T; D]) {
        let (v, n) = (&slip.velocity, slip.normal_force);
        let dz = if slides {
            elements::rate(z, v, P::from_f64(1.0), T::of(self.z_0))
        } else {
            *v
        };
        let stiffness = self.stiffness(slides);
        let sigma_1 = self.parameters.bristle_damping;
        let force = std::array::from_fn(|i| n * (z[i] * stiffness + dz[i] * sigma_1));
        (dz, force)
    }

    /// z after a step that may slide.
    fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
    ) -> [T; D] {
        let (start, limit) = (old_vector_at(old, 0), T::of(self.z_0));
        elements::advance(&start, &travel(step).0, P::from_f64(1.0), limit, limit)
    }

    /// The force at the end of a step, with the state there.
    fn finish<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        z: &[T; D],
        slides: bool,
        new: &mut [T],
    ) -> [T; D] {
        new[..D].copy_from_slice(z);
        new[D] = T::from_f64(if slides { 1.0 } else { 0.0 });
        self.evaluate(&step.end, z, slides).1
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
        let (dz, force) = self.evaluate(slip, &vector_at(state, 0), state[D].value() > 0.5);
        rates[..D].copy_from_slice(&dz);
        rates[D] = T::zero();
        force
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let z = self.advance(step, old);
        let at_limit = norm(&z).value() >= self.z_0.value() * (1.0 - AT_LIMIT);
        let slides = at_limit && dot(&z, &step.end.velocity).value() >= 0.0;
        self.finish(step, &z, slides, new)
    }

    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        if old[D].value() > 0.5 {
            return self.finish(step, &self.advance(step, old), true, new);
        }
        let d = travel(step).0;
        self.finish(step, &std::array::from_fn(|i| d[i] + old[i]), false, new)
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
                text: "dz/dt = v until |z| = z_0 = mu_k/sigma_0, where the part along z ends",
                tex: r"\dot{\mathbf z}=\mathbf v\ \text{until}\ |\mathbf z|=z_0=\mu_k/\sigma_0",
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
            StateCard::new("z", "m", "deflection (vector)"),
            StateCard::new("mode", "1", "0 stuck, 1 sliding at |z| = z_0"),
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
        remarks: "The gain a of the source is mu_s/mu_k - 1. The vector form is ours: z slides along its circle.",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 1,
        }
    }

    fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        let z = vector_at::<f64, D>(state, 0);
        if state[D] > 0.5 {
            dot(&z, &slip.velocity) / (self.z_0 * RATE_INDEPENDENT_SLIP_SPEED)
        } else {
            1.0 - norm(&z) / self.z_0
        }
    }

    fn change_mode<const D: usize>(&self, _slip: &Slip<f64, D>, state: &mut [f64]) {
        state[D] = if state[D] > 0.5 { 0.0 } else { 1.0 };
        let size = norm(&vector_at::<f64, D>(state, 0));
        if state[D] > 0.5 && size > 0.0 {
            state[..D].iter_mut().for_each(|z| *z *= self.z_0 / size);
        }
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let z = vector_at::<f64, D>(state, 0);
        0.5 * self.stiffness(state[D] > 0.5) * normal_force * dot(&z, &z)
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
        let mut state = [0.0; 2];
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
