//! `lugre`: the modified LuGre law for varying normal force, projected in 3D.

use crate::card::{Behaviour, Default, Equation, LawCard, Printed, Range, StateCard, Typical};
use crate::curve::Curve;
use crate::kind::General;
use crate::law::{FrictionLaw, Law, StateLayout, Tangent};
use crate::notice::Notice;
use crate::parameters;
use crate::parameters::ParameterError;
use crate::passivity::{Damping, Passivity};
use crate::relaxation::relaxation_slope;
use crate::scalar::{MixesWith, Real, Scalar};
use crate::slip::{Slip, Step, dot, norm};

parameters! {
    /// Parameters of the modified LuGre law; σ's are per unit of normal force.
    pub struct LuGreParameters<P> for "lugre" with stribeck {
        /// Bristle stiffness per unit of normal force.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Bristle damping per unit of normal force.
        bristle_damping: P = {
            symbol: "sigma_1", unit: "s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(31.6228),
        },
        /// Speed over which the bristle damping falls, sigma_1 exp(-(|v|/v_d)^2); constant if not given.
        damping_velocity: Option<P> = {
            symbol: "v_d", unit: "m/s", role: Speed, range: Range::Positive, typical: Typical::Number(0.01),
            default: Default::Absent,
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
    }
}

/// The modified LuGre law for varying normal force, projected in 3D.
///
/// $$ \dot{\mathbf z} = \mathbf v - \sigma_0\frac{|\mathbf v|}{g(|\mathbf v|)}\,\mathbf z, \qquad
///    \mathbf F = N\,(\sigma_0\mathbf z + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v), \qquad
///    g = \mu_k + (\mu_s-\mu_k)\,e^{-(|\mathbf v|/v_s)^\alpha} $$
///
/// σ₁ is constant, or σ₁ exp(−(|v|/v_d)²) where `damping_velocity` v_d is given: the remedy for a
/// set that is not passive.
///
/// **State.** One vector z (m), the mean bristle deflection in the tangent plane, initially 0.
/// **Reproduces** stick–slip, presliding, frictional lag, varying break-away force, Stribeck and
/// viscous friction, in every direction and at varying N.
/// **Cannot** stay put under a load that vibrates below break-away (it drifts), nor under a
/// pulsating normal force.
/// **Numerics.** Time constant g/(σ₀|v|). The update freezes the mean slip velocity w of the step:
/// z_new = e^(−a) z_old + (1−e^(−a)) (g/σ₀) w/|w| with a = σ₀|w|Δt/g, exact for constant w and
/// bounded by max(|z_old|, g/σ₀) for every Δt.
/// **Source.** Colantonio et al. 2022, eqs. 21–25 (sign of F: along v); Canudas de Wit et al. 1995.
#[derive(Clone, Debug, PartialEq)]
pub struct LuGre<P = f64> {
    parameters: LuGreParameters<P>,
    curve: Curve<P>,
}

impl<P: Scalar> LuGre<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`.
    pub fn new(parameters: LuGreParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &LuGreParameters<P> {
        &self.parameters
    }

    /// σ₁, which may fall with the speed.
    #[inline(always)]
    fn damping(&self) -> Damping<P> {
        Damping {
            at_rest: self.parameters.bristle_damping,
            velocity: self.parameters.damping_velocity,
        }
    }

    /// |v| and g(|v|) with σ₁ at that speed.
    #[inline(always)]
    fn damped<T: Scalar + MixesWith<P>>(&self, (speed, g): (T, T)) -> (T, T, T) {
        (speed, g, self.damping().at(speed))
    }

    /// ż and F for a given speed |v|, g(|v|) and σ₁. (21)–(24)
    #[inline(always)]
    fn evaluate<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        v: &[T; D],
        (speed, g, sigma_1): (T, T, T),
        n: T,
        z: &[T; D],
    ) -> ([T; D], [T; D]) {
        let LuGreParameters {
            bristle_stiffness: sigma_0,
            viscous_coefficient: sigma_2,
            ..
        } = self.parameters;
        let rate = speed * sigma_0 / g;
        let dz = std::array::from_fn(|i| v[i] - rate * z[i]); // (21)
        let f = std::array::from_fn(|i: usize| {
            (z[i] * sigma_0 + (v[i] - rate * z[i]) * sigma_1 + v[i] * sigma_2) * n // (24)
        });
        (dz, f)
    }

    /// The force alone: (24) with ż from (21), sorted by z and v.
    #[inline(always)]
    fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        v: &[T; D],
        (speed, g, sigma_1): (T, T, T),
        n: T,
        z: &[T; D],
    ) -> [T; D] {
        let LuGreParameters {
            bristle_stiffness: sigma_0,
            viscous_coefficient: sigma_2,
            ..
        } = self.parameters;
        let by_z = n * (-(sigma_1 * speed * sigma_0 / g) + sigma_0);
        let by_v = n * (sigma_1 + sigma_2);
        std::array::from_fn(|i| z[i] * by_z + v[i] * by_v)
    }
}

/// v/|v|, and 0 at rest and below the normal numbers: the derivative of |v|.
#[inline]
fn unit<const D: usize>(v: &[f64; D], speed: f64) -> [f64; D] {
    let inverse = if speed < f64::MIN_POSITIVE {
        0.0
    } else {
        1.0 / speed
    };
    v.map(|x| x * inverse)
}

fn vector<T: Real, const D: usize>(state: &[T]) -> [T; D] {
    std::array::from_fn(|i| state[i])
}

impl LuGre {
    /// The curve, for batches.
    pub(crate) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl<P: Scalar> Law<P> for LuGre<P> {
    type Kind = General;

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let z = vector::<T, D>(state);
        let [level] = self.curve.along([&slip.velocity]); // (22), (23)
        let level = self.damped(level);
        let (dz, f) = self.evaluate(&slip.velocity, level, slip.normal_force, &z);
        rates[..D].copy_from_slice(&dz);
        f
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let (w, v) = (&step.mean.velocity, &step.end.velocity);
        let [(speed, g), end] = self.curve.along([w, v]);
        let h = step.duration;
        let a = speed * (self.parameters.bristle_stiffness * h) / g;
        let (decay, drawn) = T::relaxed(a, w.map(|w| w * h));
        let z: [T; D] = std::array::from_fn(|i| decay * old[i] + drawn[i]);
        new[..D].copy_from_slice(&z);
        let level = self.damped(end);
        self.force(v, level, step.end.normal_force, &z)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let viscous = self.parameters.viscous_coefficient * speed;
        Some((self.curve.value(speed) + viscous) * normal_force) // (30), brackets corrected
    }
}

impl FrictionLaw for LuGre {
    const CARD: LawCard<'static> = LawCard {
        name: "lugre",
        title: "LuGre, modified for varying normal force and projected in 3D",
        summary: "Bristles per unit of normal force: presliding, lag, break-away and Stribeck friction in every direction.",
        equations: &[
            Equation {
                text: "dz/dt = v - sigma_0 |v|/g(|v|) z",
                tex: r"\dot{\mathbf z} = \mathbf v - \sigma_0\frac{|\mathbf v|}{g(|\mathbf v|)}\,\mathbf z",
                source: "Colantonio et al. 2022, eq. 21, |V| by eq. 22",
            },
            Equation {
                text: "g(|v|) = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"g(|\mathbf v|) = \mu_k + (\mu_s-\mu_k)\,e^{-(|\mathbf v|/v_s)^\alpha}",
                source: "Colantonio et al. 2022, eq. 23 (|V| before the power)",
            },
            Equation {
                text: "F = N (sigma_0 z + sigma_1 dz/dt + sigma_2 v)",
                tex: r"\mathbf F = N\,(\sigma_0\mathbf z + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v)",
                source: "Colantonio et al. 2022, eqs. 24-25",
            },
            Equation {
                text: "sigma_1 constant, or sigma_1(v) = sigma_1 exp(-(|v|/v_d)^2) where damping_velocity v_d is given",
                tex: r"\sigma_1(\mathbf v) = \sigma_1\,e^{-(|\mathbf v|/v_d)^2}\quad\text{where } v_d \text{ is given}",
                source: "Olsson 1996; Canudas de Wit et al. 1995",
            },
        ],
        parameters: LuGreParameters::CARDS,
        states: &[StateCard::new(
            "z",
            "m",
            "mean bristle deflection in the tangent plane (vector)",
        )],
        behaviour: &[Behaviour::Holds, Behaviour::Drifts],
        printed: Some(Printed {
            has: &[
                "steady_state",
                "stick_slip",
                "presliding_displacement",
                "frictional_lag",
                "varying_break_away",
                "computational_cost",
            ],
            differs: &[],
        }),
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
        ],
        cannot: &[
            "hold without drift under a vibrating load below break-away (use elastoplastic or gms)",
            "hold without drift under a pulsating normal force: F follows N in stick",
            "hysteresis with non-local memory",
        ],
        source: "Colantonio, Dehombreux, Hajzman, Verlinden 2022, eqs. 21-25; Canudas de Wit et al. 1995",
        remarks: "Isotropic. On a curved path z lags v by about g/sigma_0 of travel. Passive from velocity to force if sigma_2 >= sigma_1 (mu_s - mu_k)/mu_k, or, with damping_velocity, if 0.4289 sigma_1 v_d <= mu_k s^2/(s - 1) with s = min(mu_s/mu_k, 2).",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 0,
        }
    }

    /// The tangent by hand: this is the inner loop of every simulation with `lugre`.
    #[inline]
    fn update_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        let LuGreParameters {
            bristle_stiffness: sigma_0,
            viscous_coefficient: sigma_2,
            ..
        } = self.parameters;
        let (w, h) = (&step.mean.velocity, step.duration);
        // the state and its derivative by w: dz/dw = h phi 1 + c u^T
        let speed = norm(w);
        let (g, slope) = self.curve.value_and_slope(speed);
        let a = speed * (sigma_0 * h) / g;
        let (decay, phi) = a.relaxation();
        let z: [f64; D] = std::array::from_fn(|i| decay * old[i] + phi * (w[i] * h));
        new[..D].copy_from_slice(&z);
        // da/d|w| = (sigma_0 h/g) (1 - |w| g'/g), along u
        let da = sigma_0 * h / g * (1.0 - speed * slope / g);
        let u = unit(w, speed);
        let dphi = relaxation_slope(a, (decay, phi));
        let column: [f64; D] = std::array::from_fn(|i| (h * w[i] * dphi - decay * old[i]) * da);

        // the force at the end
        let (v, n) = (&step.end.velocity, step.end.normal_force);
        let speed = norm(v);
        let (g, slope) = self.curve.value_and_slope(speed);
        let rate = sigma_0 * speed / g;
        let drate = sigma_0 / g * (1.0 - speed * slope / g);
        let e = unit(v, speed);
        let (sigma_1, dsigma_1) = self.damping().with_slope(speed);
        let dz: [f64; D] = std::array::from_fn(|i| v[i] - rate * z[i]);
        let per_n: [f64; D] =
            std::array::from_fn(|i| sigma_0 * z[i] + sigma_1 * dz[i] + sigma_2 * v[i]);
        let by_z = n * (sigma_0 - sigma_1 * rate);
        let mut tangent = Tangent::ZERO;
        for i in 0..D {
            for j in 0..D {
                tangent.mean_velocity[i][j] = by_z * column[i] * u[j];
                tangent.velocity[i][j] = n * (dsigma_1 * dz[i] - sigma_1 * drate * z[i]) * e[j];
            }
            tangent.mean_velocity[i][i] += by_z * h * phi;
            tangent.velocity[i][i] += n * (sigma_1 + sigma_2);
        }
        tangent.normal_force = per_n;
        (per_n.map(|f| n * f), tangent)
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let z = vector::<f64, D>(state);
        0.5 * self.parameters.bristle_stiffness * normal_force * dot(&z, &z)
    }

    fn slip_speed(&self) -> f64 {
        self.parameters.stribeck_velocity
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some(self.parameters.static_coefficient / self.parameters.bristle_stiffness)
    }

    fn notices(&self) -> Vec<Notice> {
        let p = &self.parameters;
        let notice = Passivity {
            law: "lugre",
            damping: self.damping(),
            may_fall: true,
            sigma_2: p.viscous_coefficient,
            mu_s: p.static_coefficient,
            mu_k: p.kinetic_coefficient,
            unit: "s/m",
        };
        notice.notice().into_iter().collect()
    }
}
