//! `leuven`: LuGre whose bristle drives Maxwell-slip elements.

mod flow;
mod path;
mod piece;

use self::path::Path;
use crate::card::StateCard;
use crate::card::{Behaviour, Default, Equation, LawCard, Printed, Range, Relation, Typical};
use crate::curve::Curve;
use crate::kind::elements::{self, MAX_ELEMENTS, check_length, fixed};
use crate::kind::{Damping, General};
use crate::law::branches::Branches;
use crate::law::slip::{Slip, Step, dot, norm, old_vector_at, travel, vector_at};
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::notice::Notice;
use crate::notice::passivity::Passivity;
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;
use crate::parameters::ParameterError;

parameters! {
    /// Parameters of the Leuven law; forces are per unit of normal force.
    pub struct LeuvenParameters<P> for "leuven" with stribeck {
        /// Stiffness of every element per unit of normal force, at most ten.
        element_stiffnesses: Vec<P> = {
            symbol: "k_i", unit: "1/m", role: Stiffness, range: Range::Positive,
            typical: Typical::List(&[4e3, 3e3, 2e3, 1e3]),
        },
        /// Limit of every element per unit of normal force; the sum is mu_s or more.
        element_limits: Vec<P> = {
            symbol: "w_i", unit: "1", role: Share, range: Range::Positive,
            typical: Typical::List(&[0.02, 0.04, 0.05, 0.07]),
                    relation: Relation::SumNotBelow("static_coefficient"),
        },
        /// Exponent of the transition to sliding.
        leuven_exponent: P = {
            symbol: "n", unit: "1", role: Shape, range: Range::Closed(1.0, 20.0), typical: Typical::Number(2.0),
            default: Default::Number(1.0),
            fitted: true,
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
    }
}

/// The Leuven law in the form of Lampaert et al.
///
/// $$ \dot{\mathbf z} = \mathbf v - |\mathbf v|\Bigl(\frac{|\mathbf F_h|}{g(|\mathbf v|)}\Bigr)^n \frac{\mathbf F_h}{|\mathbf F_h|}, \qquad
///    \mathbf F_h = \sum\mathbf f_i, \qquad \mathbf F = N(\mathbf F_h + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v) $$
///
/// The elements fᵢ are driven by z: ḟᵢ = kᵢ ż up to |fᵢ| = wᵢ, where they slide until fᵢ·ż < 0.
///
/// **States.** Per element a vector fᵢ (1), initially 0; z itself is not needed.
/// **Reproduces** what `lugre` does, and inner loops that close the better the larger n.
/// **Numerics.** Along the path z advances by exponential steps of fourth order, which end where an
/// element comes to its limit or turns back from it; exact for n = 1 while no element turns. One
/// step and its parts agree within some 1e-6 of μs, 1e-5 where stiff elements turn. Bounded for
/// every Δt, as |fᵢ| ≤ wᵢ.
/// **Source.** Lampaert, Swevers, Al-Bender 2002. The vector form is ours. One element that never
/// slides, with n = 1, is `lugre`.
#[derive(Clone, Debug, PartialEq)]
pub struct Leuven<P = f64> {
    parameters: LeuvenParameters<P>,
    curve: Curve<P>,
    count: usize,
    stiffness: [P; MAX_ELEMENTS],
    limit: [P; MAX_ELEMENTS],
}

/// Forces of the elements, the first `count` in use.
type Forces<T, const D: usize> = [[T; D]; MAX_ELEMENTS];

/// |dz/ds| below which elements that return and elements that slide move alike.
const SAME_PACE: f64 = 1e-9;

impl<P: Scalar> Leuven<P> {
    /// The law.
    ///
    /// # Errors
    /// If the lists are too long or of different length, if the limits add to less than
    /// `static_coefficient` (sliding would never be steady), or if `static_coefficient` is below
    /// `kinetic_coefficient`.
    pub fn new(parameters: LeuvenParameters<P>) -> Result<Self, ParameterError> {
        let curve = parameters.curve()?;
        let (k, w) = (&parameters.element_stiffnesses, &parameters.element_limits);
        let count = k.len();
        check_length("leuven", "element_stiffnesses", k, count)?;
        check_length("leuven", "element_limits", w, count)?;
        let sum = w.iter().map(|w| w.value()).sum::<f64>();
        let highest = curve.highest().value();
        // limits typed as shares of mu_s may miss it by rounding
        if sum < highest * (1.0 - 1e-12) {
            return Err(ParameterError::Inconsistent {
                law: "leuven".into(),
                name: "element_limits".into(),
                value: sum,
                unit: "in all".into(),
                reason: format!("must add to static_coefficient = {highest} or more"),
            });
        }
        Ok(Self {
            curve,
            count,
            stiffness: fixed(k),
            limit: fixed(w),
            parameters,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &LeuvenParameters<P> {
        &self.parameters
    }

    fn sum<T: Scalar + MixesWith<P>, const D: usize>(&self, f: &Forces<T, D>) -> [T; D] {
        let mut sum = [T::zero(); D];
        for f in &f[..self.count] {
            for i in 0..D {
                sum[i] = sum[i] + f[i];
            }
        }
        sum
    }

    /// |Fh|^(n−1)/gⁿ: what Fh is multiplied with in dz/ds.
    fn loss<T: Scalar + MixesWith<P>>(&self, size: T, g: T) -> T {
        let n = self.parameters.leuven_exponent;
        let is = |x: f64| (n.value() - x).abs() < f64::EPSILON && n.is_constant();
        if is(1.0) {
            T::from_f64(1.0) / g
        } else if is(2.0) {
            size / g / g
        } else if size.value() > 0.0 {
            (size / g).power(n - 1.0) / g
        } else {
            T::zero()
        }
    }

    /// Stiffness of all elements together.
    fn total_stiffness(&self) -> P {
        self.stiffness.iter().fold(P::zero(), |sum, k| sum + *k)
    }
}

impl<P: Scalar> Law<P> for Leuven<P> {
    type Kind = General;

    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let p = &self.parameters;
        let v = &slip.velocity;
        let mut f = [[T::zero(); D]; MAX_ELEMENTS];
        for (i, f) in f[..self.count].iter_mut().enumerate() {
            *f = vector_at(state, i);
        }
        let sum = self.sum(&f);
        let speed = norm(v);
        let loss = self.loss(norm(&sum), self.curve.value(speed)) * speed;
        let dz: [T; D] = std::array::from_fn(|i| v[i] - loss * sum[i]);
        for i in 0..self.count {
            let limit = T::of(self.limit[i]);
            let df = elements::rate(&f[i], &dz, self.stiffness[i], limit);
            rates[i * D..(i + 1) * D].copy_from_slice(&df);
        }
        std::array::from_fn(|i| {
            let per_n = sum[i] + dz[i] * p.bristle_damping + v[i] * p.viscous_coefficient;
            slip.normal_force * per_n
        })
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let mut f = [[T::zero(); D]; MAX_ELEMENTS];
        for (i, f) in f[..self.count].iter_mut().enumerate() {
            *f = old_vector_at(old, i);
        }
        let (d, s) = travel(step);
        let g = self.curve.value(norm(&step.mean.velocity));
        let f = self.advance(f, &Path { d, s, g });
        for i in 0..self.count {
            new[i * D..(i + 1) * D].copy_from_slice(&f[i]);
        }
        let mut unused = [T::zero(); MAX_ELEMENTS * 3];
        self.rates(&step.end, &new[..self.count * D], &mut unused)
    }

    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let viscous = self.parameters.viscous_coefficient * speed;
        Some((self.curve.value(speed) + viscous) * normal_force)
    }
}

impl FrictionLaw for Leuven {
    const CARD: LawCard<'static> = LawCard {
        name: "leuven",
        title: "Leuven, modified (Lampaert et al.)",
        summary: "LuGre whose bristle drives Maxwell-slip elements: presliding loops that remember.",
        equations: &[
            Equation {
                text: "dz/dt = v - |v| (|Fh|/g(|v|))^n Fh/|Fh|,  Fh = sum f_i",
                tex: r"\dot{\mathbf z} = \mathbf v - |\mathbf v|\Bigl(\frac{|\mathbf F_h|}{g(|\mathbf v|)}\Bigr)^n\frac{\mathbf F_h}{|\mathbf F_h|},\quad \mathbf F_h = \sum_i\mathbf f_i",
                source: "Lampaert et al. 2002",
            },
            Equation {
                text: "df_i/dt = k_i dz/dt, |f_i| <= w_i: at w_i the part along e = f_i/|f_i| is zero until f_i.dz/dt < 0",
                tex: r"\dot{\mathbf f}_i = k_i\dot{\mathbf z},\quad |\mathbf f_i|\le w_i",
                source: "Lampaert et al. 2002, vector form of this project",
            },
            Equation {
                text: "F = N (Fh + sigma_1 dz/dt + sigma_2 v),  g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
                tex: r"\mathbf F = N(\mathbf F_h + \sigma_1\dot{\mathbf z} + \sigma_2\mathbf v)",
                source: "Lampaert et al. 2002, per unit of normal force",
            },
        ],
        parameters: LeuvenParameters::CARDS,
        states: &[StateCard::new(
            "f",
            "1",
            "force of the element per unit of normal force (vector), for every element",
        )],
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
            ],
            differs: &[
                (
                    "nonlocal_memory",
                    "loops of the elements close exactly in the bristle's deflection, but that slips below the limit; in position they close as the exponent grows (leuven_exponent, 2 here)",
                ),
                (
                    "computational_cost",
                    "its elements make an evaluation costlier, but a closed update needs no shorter steps than LuGre",
                ),
            ],
        }),
        reproduces: &[
            "arbitrary steady-state characteristic",
            "stick-slip",
            "presliding displacement",
            "hysteresis with non-local memory (the better, the larger n)",
            "frictional lag",
            "varying break-away force",
            "varying normal force",
        ],
        cannot: &["hold without any drift under a vibrating load: the drift falls with n"],
        source: "Lampaert, Swevers, Al-Bender 2002; Swevers et al. 2000",
        remarks: "The vector form is ours. One element that never slides and n = 1 is lugre with sigma_0 = k. Loops close exactly in z; in position the better, the larger n.",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: self.count,
            scalars: 0,
        }
    }

    /// In one dimension the rates are the same on both sides where an element returns, and the
    /// update splits a step where one comes to its limit.
    fn branches<const D: usize>(
        &self,
        slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        state: &[f64],
    ) -> Branches {
        if D == 1 {
            return Branches::NONE;
        }
        let mut f = [[0.0; D]; MAX_ELEMENTS];
        for (i, f) in f[..self.count].iter_mut().enumerate() {
            *f = vector_at(state, i);
        }
        let sum = self.sum(&f);
        let speed = norm(&slip.velocity);
        let loss = self.loss(norm(&sum), self.curve.value(speed)) * speed;
        let dz: [f64; D] = std::array::from_fn(|i| slip.velocity[i] - loss * sum[i]);
        // z that hardly moves against the pair is steady
        if norm(&dz) <= SAME_PACE * speed {
            return Branches::NONE;
        }
        (0..self.count).fold(Branches::NONE, |branches, i| {
            let slides = elements::branch(&f[i], &dz, self.stiffness[i], self.limit[i], 0.0);
            branches.with(i, slides)
        })
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

    /// z at Fh = μs when loaded from rest.
    fn state_size(&self, _normal_force: f64) -> Option<f64> {
        Some(self.parameters.static_coefficient)
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        let mu_s = self.parameters.static_coefficient;
        let mut z = 0.0_f64;
        // Newton from below on a concave polygon ends after one step per corner
        for _ in 0..=self.count {
            let (mut force, mut slope) = (0.0, 0.0);
            for i in 0..self.count {
                let elastic = self.stiffness[i] * z;
                force += elastic.min(self.limit[i]);
                if elastic < self.limit[i] {
                    slope += self.stiffness[i];
                }
            }
            if slope > 0.0 {
                z += (mu_s - force) / slope;
            }
        }
        Some(z)
    }

    fn notices(&self) -> Vec<Notice> {
        let p = &self.parameters;
        let notice = Passivity {
            law: "leuven",
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
