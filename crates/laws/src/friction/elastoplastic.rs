//! `elastoplastic`: LuGre with a truly elastic zone, which does not drift.

use crate::card::StateCard;
use crate::card::{Behaviour, Default, Equation, LawCard, Range, Relation, Typical};
use crate::curve::Curve;
use crate::kind::{Damping, General};
use crate::law::branches::Branches;
use crate::law::slip::{REST, Slip, Step, dot, norm, old_vector_at, travel_at, vector_at};
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::notice::Notice;
use crate::notice::passivity::Passivity;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;
use std::f64::consts::PI;

parameters! {
    /// Parameters of the elasto-plastic law; σ's are per unit of normal force.
    pub struct ElastoPlasticParameters<P> for "elastoplastic" with stribeck {
        /// Bristle stiffness per unit of normal force.
        bristle_stiffness: P = {
            symbol: "sigma_0", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Bristle damping per unit of normal force.
        bristle_damping: P = {
            symbol: "sigma_1", unit: "s/m", role: Damping, range: Range::NonNegative, typical: Typical::Number(31.6228),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
        /// Deflection up to which the bristles are elastic, below mu_k/sigma_0.
        breakaway_deflection: P = {
            symbol: "z_ba", unit: "m", role: Length, range: Range::Positive, typical: Typical::Number(7e-6), standard: 9e-6,
                    relation: Relation::BelowRatio { level: "kinetic_coefficient", stiffness: "bristle_stiffness" },
        },
    }
}

/// The elasto-plastic law of Dupont et al.
///
/// $$ \dot{\mathbf z} = \mathbf v - \alpha\,\frac{|\mathbf v|}{z_m}\,\mathbf z, \qquad z_m = \frac{g(|\mathbf v|)}{\sigma_0},
///    \qquad \mathbf F = N(\sigma_0\mathbf z + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v) $$
///
/// with α = 0 while z·v ≤ 0 or |z| ≤ z_ba, 1 for |z| ≥ z_m, and
/// ½ + ½ sin(π (|z| − (z_m + z_ba)/2)/(z_m − z_ba)) between.
///
/// **State.** One vector z (m), initially 0.
/// **Reproduces** what `lugre` does, and holds without drift below σ₀ z_ba N.
/// **Numerics.** The elastic part of a step is exact, with the start of yielding located; the
/// plastic part is integrated along the path by Runge–Kutta steps of a tenth of the yield zone,
/// and in closed form near the steady state. Bounded for every Δt.
/// **Source.** Dupont, Hayward, Armstrong, Altpeter 2002. The vector form is ours: α from |z| and
/// the sign of z·v. In two dimensions ż jumps where z·v changes sign above z_ba.
#[derive(Clone, Debug, PartialEq)]
pub struct ElastoPlastic<P = f64> {
    parameters: ElastoPlasticParameters<P>,
    curve: Curve<P>,
}

/// Substep of the plastic part over the width of the yield zone.
const SUBSTEP: f64 = 0.1;

/// Distance to the steady state, over Δ²/z_m, below which 1 − α is negligible in the rate.
const NEAR: f64 = 1e-4;

/// Distance to |z| = z_m, over the width of the yield zone, below which a substep may cross it.
const AT_KINK: f64 = 1e-3;

/// Substeps that reach [`NEAR`] from anywhere, also turning by half a circle within a yield zone of
/// Δ ≥ z_m/500; the rest is taken in closed form.
const MOST_SUBSTEPS: usize = 100_000;

/// The deflections between which bristles yield.
#[derive(Clone, Copy)]
struct Zone<T> {
    z_ba: T,
    z_m: T,
    /// (z_m + z_ba)/2.
    middle: T,
    /// 1/(z_m − z_ba).
    per_width: T,
}

impl<T: Scalar> Zone<T> {
    /// α for a bristle that is loaded, z·v > 0.
    #[inline]
    fn yielding(&self, size: T) -> T {
        if size.value() <= self.z_ba.value() {
            T::zero()
        } else if size.value() >= self.z_m.value() {
            T::from_f64(1.0)
        } else {
            let x = (size - self.middle) * self.per_width;
            ((x * PI).quarter_sin() + 1.0) * 0.5
        }
    }
}

impl<P: Scalar> ElastoPlastic<P> {
    /// The law.
    ///
    /// # Errors
    /// If `static_coefficient` is below `kinetic_coefficient`, or `breakaway_deflection` not below
    /// μk/σ₀: then sliding would have no smooth equilibrium.
    pub fn new(parameters: ElastoPlasticParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        let least = (parameters.kinetic_coefficient / parameters.bristle_stiffness).value();
        let breakaway = parameters.breakaway_deflection.value();
        if breakaway >= least {
            return Err(ParameterError::Inconsistent {
                law: "elastoplastic".into(),
                name: "breakaway_deflection".into(),
                value: breakaway,
                unit: "m".into(),
                reason: format!("must be below kinetic_coefficient/bristle_stiffness = {least} m"),
            });
        }
        Ok(Self { parameters, curve })
    }

    /// The parameters.
    pub fn parameters(&self) -> &ElastoPlasticParameters<P> {
        &self.parameters
    }

    /// The yield zone for a steady deflection z_m.
    #[inline]
    fn zone<T: Scalar + MixesWith<P>>(&self, z_m: T) -> Zone<T> {
        let z_ba = T::of(self.parameters.breakaway_deflection);
        Zone {
            z_ba,
            z_m,
            middle: (z_m + z_ba) * 0.5,
            per_width: T::from_f64(1.0) / (z_m - z_ba),
        }
    }

    /// ż and F; `level` tells the speed |v| and g(|v|) where they matter.
    #[inline(always)]
    fn evaluate<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        level: impl FnOnce() -> (T, T),
        z: &[T; D],
    ) -> ([T; D], [T; D]) {
        let p = &self.parameters;
        let v = &slip.velocity;
        let loss = if dot(z, v).value() > 0.0 {
            let (speed, g) = level();
            let z_m = g / p.bristle_stiffness;
            self.zone(z_m).yielding(norm(z)) * speed / z_m
        } else {
            T::zero()
        };
        let dz: [T; D] = std::array::from_fn(|i| v[i] - loss * z[i]);
        let force = std::array::from_fn(|i| {
            let per_n = z[i] * p.bristle_stiffness + dz[i] * p.bristle_damping;
            slip.normal_force * (per_n + v[i] * p.viscous_coefficient)
        });
        (dz, force)
    }

    /// z after a straight displacement d of length s at constant z_m.
    #[inline]
    fn advance<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        z: &[T; D],
        d: &[T; D],
        s: T,
        z_m: T,
    ) -> [T; D] {
        let z_ba = self.parameters.breakaway_deflection;
        let end = std::array::from_fn(|i| z[i] + d[i]);
        if s.value() <= REST {
            return end;
        }
        let u = d.map(|x| x / s);
        let along = dot(z, &u);
        if along.value() + s.value() <= 0.0 || norm(&end).value() <= z_ba.value() {
            return end;
        }
        // elastic up to z·v = 0 and |z| = z_ba; across the path q is kept till then
        let q: [T; D] = std::array::from_fn(|i| z[i] - along * u[i]);
        let across = norm(&q);
        let reach = if across.value() < z_ba.value() {
            (-(across * across) + z_ba * z_ba).sqrt()
        } else {
            T::zero()
        };
        let from = along.max(reach);
        let (along, kept) = self.plastic(from, across, s - (from - along), z_m);
        std::array::from_fn(|i| along * u[i] + kept * q[i])
    }

    /// The part of z along the path, and the factor of the part across, after a plastic path.
    fn plastic<T: Scalar + MixesWith<P>>(&self, from: T, across: T, path: T, z_m: T) -> (T, T) {
        let zone = self.zone(z_m);
        let (square, per_z_m) = (across * across, T::from_f64(1.0) / z_m);
        let rate = |c: T, m: T| {
            let size = (c * c + m * m * square).max(T::from_f64(f64::MIN_POSITIVE));
            let r = zone.yielding(size.sqrt()) * per_z_m;
            (-(r * c) + 1.0, -(r * m))
        };
        let width = z_m - self.parameters.breakaway_deflection;
        let near = NEAR * (width * width / z_m).value();
        let runge_kutta = |c: T, m: T, k1: (T, T), h: T| {
            let k2 = rate(c + h * 0.5 * k1.0, m + h * 0.5 * k1.1);
            let k3 = rate(c + h * 0.5 * k2.0, m + h * 0.5 * k2.1);
            let k4 = rate(c + h * k3.0, m + h * k3.1);
            let sixth = h * (1.0 / 6.0);
            let mean = |a: T, b: T, c: T, d: T| (a + (b + c) * 2.0 + d) * sixth;
            (
                c + mean(k1.0, k2.0, k3.0, k4.0),
                m + mean(k1.1, k2.1, k3.1, k4.1),
            )
        };
        // the slope of alpha has a kink at |z| = z_m
        let beyond = |c: T, m: T| norm(&[c, m * across]) - z_m;
        // substeps depend on the state with their derivatives: the tangent is that of the text
        let (mut c, mut m, mut rest) = (from, T::from_f64(1.0), path);
        for _ in 0..MOST_SUBSTEPS {
            let k1 = rate(c, m);
            let distance = norm(&[z_m - c, m * across]);
            if distance.value() <= near {
                break;
            }
            let speed = norm(&[k1.0, k1.1 * across]);
            let mut h = (distance.min(width) * SUBSTEP / speed).min(rest);
            let mut next = runge_kutta(c, m, k1, h);
            let (before, after) = (beyond(c, m), beyond(next.0, next.1));
            let kink = before.value() * after.value() < 0.0;
            if kink && before.value().abs() > AT_KINK * width.value() {
                h = h * (before / (before - after));
                next = runge_kutta(c, m, k1, h);
            }
            (c, m) = next;
            rest = rest - h;
            if rest.value() <= 0.0 {
                return (c, m);
            }
        }
        // alpha = 1: relaxation to z_m u
        let decay = (rest * per_z_m).decay();
        (z_m + (c - z_m) * decay, m * decay)
    }
}

impl<P: Scalar> Law<P> for ElastoPlastic<P> {
    type Kind = General;

    #[inline(always)]
    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let level = || {
            let [level] = self.curve.along([&slip.velocity]);
            level
        };
        let (dz, force) = self.evaluate(slip, level, &vector_at(state, 0));
        rates[..D].copy_from_slice(&dz);
        force
    }

    #[inline(always)]
    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let [(speed, g), end] = self.curve.along([&step.mean.velocity, &step.end.velocity]);
        let (d, s) = travel_at(step, speed);
        let z_m = g / self.parameters.bristle_stiffness;
        let z = self.advance(&old_vector_at(old, 0), &d, s, z_m);
        new[..D].copy_from_slice(&z);
        self.evaluate(&step.end, || end, &z).1
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let viscous = self.parameters.viscous_coefficient * speed;
        Some((self.curve.value(speed) + viscous) * normal_force)
    }
}

impl FrictionLaw for ElastoPlastic {
    const CARD: LawCard<'static> = LawCard {
        name: "elastoplastic",
        title: "Elasto-plastic (Dupont et al.)",
        summary: "LuGre with bristles that are purely elastic up to z_ba: it holds without drift.",
        equations: &[
            Equation {
                text: "dz/dt = v - alpha |v|/z_m z,  z_m = g(|v|)/sigma_0,  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^a)",
                tex: r"\dot{\mathbf z} = \mathbf v - \alpha\frac{|\mathbf v|}{z_m}\mathbf z,\quad z_m = g(|\mathbf v|)/\sigma_0",
                source: "Dupont et al. 2002",
            },
            Equation {
                text: "alpha = 0 for z.v <= 0 or |z| <= z_ba, 1 for |z| >= z_m, else 1/2 + 1/2 sin(pi (|z| - (z_m + z_ba)/2)/(z_m - z_ba))",
                tex: r"\alpha = \begin{cases}0 & \mathbf z\cdot\mathbf v\le 0\ \text{or}\ |\mathbf z|\le z_{ba}\\ \tfrac12+\tfrac12\sin\Bigl(\pi\frac{|\mathbf z|-(z_m+z_{ba})/2}{z_m-z_{ba}}\Bigr)\\ 1 & |\mathbf z|\ge z_m\end{cases}",
                source: "Dupont et al. 2002, with |z| in the sine",
            },
            Equation {
                text: "F = N (sigma_0 z + sigma_1 dz/dt + sigma_2 v)",
                tex: r"\mathbf F = N(\sigma_0\mathbf z+\sigma_1\dot{\mathbf z}+\sigma_2\mathbf v)",
                source: "Dupont et al. 2002, per unit of normal force",
            },
        ],
        parameters: ElastoPlasticParameters::CARDS,
        states: &[StateCard::new(
            "z",
            "m",
            "mean bristle deflection in the tangent plane (vector)",
        )],
        behaviour: &[Behaviour::Holds],
        printed: None,
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "hold without drift below N sigma_0 z_ba",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
        ],
        cannot: &[
            "hysteresis with non-local memory above z_ba",
            "energy loss in presliding below z_ba, but for sigma_1",
        ],
        source: "Dupont, Hayward, Armstrong, Altpeter 2002",
        remarks: "The vector form is ours: alpha from |z| and the sign of z.v. z_ba -> 0 is not LuGre (alpha = 1 everywhere is): a reversed bristle unloads elastically.",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 1,
            scalars: 0,
        }
    }

    /// Whether a bristle beyond z_ba is loaded; in one dimension it turns at v = 0 alone, where
    /// both rates are zero.
    fn branches<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        let z = vector_at::<f64, D>(state, 0);
        let side = (D > 1 && norm(&z) > self.parameters.breakaway_deflection)
            .then(|| dot(&z, &slip.velocity) > 0.0);
        Branches::NONE.with(0, side)
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let z = vector_at::<f64, D>(state, 0);
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
            law: "elastoplastic",
            damping: Damping {
                at_rest: p.bristle_damping,
                velocity: None,
            },
            may_fall: false,
            sigma_2: p.viscous_coefficient,
            mu_s: p.static_coefficient,
            mu_k: p.kinetic_coefficient,
            unit: "s/m",
        };
        notice.notice().into_iter().collect()
    }
}
