//! `armstrong`: the law of seven parameters, with dwell time and lag.

use crate::card::{Behaviour, Default, Equation, LawCard, Range, StateCard, Typical};
use crate::kind::General;
use crate::kind::remembered_direction::{MEMORY, followed, heading, turned};
use crate::law::slip::{
    RATE_INDEPENDENT_SLIP_SPEED, REST, Slip, Step, direction, dot, norm, old_vector_at, travel,
    vector_at,
};
use crate::law::{FrictionLaw, Law, StateLayout};
use crate::numbers::scalar::{MixesWith, Scalar};
use crate::parameters;

parameters! {
    /// The law of seven parameters of Armstrong-Hélouvry, per unit of normal force.
    ///
    /// $$ \text{stick: } \mathbf F = N k_t\mathbf x,\ \dot{\mathbf x} = \mathbf v; \qquad
    ///    \text{slip: } \mathbf F = N\Bigl(\mu_k + \frac{s}{1+(y/v_s)^2}\Bigr)\mathbf u + N\sigma_2\mathbf v, \quad
    ///    \dot y = \frac{|\mathbf v| - y}{t_L} $$
    ///
    /// The pair breaks away where k_t |x| is above μk + s(t₂). In t₂ s of stick the Stribeck excess s rises from
    /// its value s_a at the end of the last slip, s = s_a + (s_∞ − s_a) t₂/(t₂ + γ); it is frozen in slip.
    ///
    /// **States.** The vectors x (m) and e, the direction of the latest slip; the mode, 0 stick, 1 slip; the
    /// dwell time t₂ (s), s, and the delayed speed y (m/s). It starts with s = s_∞.
    /// **Reproduces** break-away forces that rise with the dwell time, frictional lag, Stribeck effect.
    /// **Source.** Armstrong-Hélouvry, Dupont, Canudas de Wit 1994. In the source y is the speed of t_L ago; here
    /// a lag of first order, with the same delay in slow changes. The vector form is ours.
    pub law Armstrong<P> for "armstrong" {
        /// Stiffness in stick per unit of normal force.
        stick_stiffness: P = {
            symbol: "k_t", unit: "1/m", role: Stiffness, range: Range::Positive, typical: Typical::Number(1e4),
        },
        /// Kinetic friction coefficient.
        kinetic_coefficient: P = {
            symbol: "mu_k", unit: "1", role: Level, range: Range::Positive, typical: Typical::Number(0.1),
        },
        /// Static friction coefficient after a long rest, less the kinetic one.
        stribeck_excess: P = {
            symbol: "s_inf", unit: "1", role: Drop, range: Range::Positive, typical: Typical::Number(0.05),
        },
        /// Speed at which half of the Stribeck excess is left.
        stribeck_velocity: P = {
            symbol: "v_s", unit: "m/s", role: StribeckSpeed, range: Range::Positive, typical: Typical::Number(2e-3),
        },
        /// Viscous coefficient per unit of normal force.
        viscous_coefficient: P = {
            symbol: "sigma_2", unit: "s/m", role: Viscous, range: Range::NonNegative, typical: Typical::Number(0.04),
            default: Default::Number(0.0),
        },
        /// Time by which the Stribeck effect follows the speed.
        memory_time: P = {
            symbol: "t_L", unit: "s", role: Time, range: Range::Positive, typical: Typical::Number(5e-3),
            default: Default::Number(5e-3),
        },
        /// Time at rest after which half of the Stribeck excess is back.
        dwell_time: P = {
            symbol: "gamma", unit: "s", role: Time, range: Range::Positive, typical: Typical::Number(0.1),
            default: Default::Number(0.1),
        },
    }
}

/// State of a pair.
#[derive(Clone, Copy)]
struct Contact<T, const D: usize> {
    x: [T; D],
    last: [T; D],
    slips: bool,
    /// t₂.
    dwell: T,
    /// s_a in stick, s in slip.
    excess: T,
    /// y.
    speed: T,
}

impl<T: Scalar, const D: usize> Contact<T, D> {
    fn of<P: Scalar>(state: &[P]) -> Self
    where
        T: MixesWith<P>,
    {
        let scalar = |i: usize| T::of(state[2 * D + i]);
        Self {
            x: old_vector_at(state, 0),
            last: old_vector_at(state, 1),
            slips: state[2 * D].value() > 0.5,
            dwell: scalar(1),
            excess: scalar(2),
            speed: scalar(3),
        }
    }

    fn store(&self, state: &mut [T]) {
        state[..D].copy_from_slice(&self.x);
        state[D..2 * D].copy_from_slice(&self.last);
        let mode = T::from_f64(if self.slips { 1.0 } else { 0.0 });
        state[2 * D..].copy_from_slice(&[mode, self.dwell, self.excess, self.speed]);
    }
}

impl<P: Scalar> Armstrong<P> {
    /// s(t₂) in stick.
    fn risen<T: Scalar + MixesWith<P>, const D: usize>(&self, contact: &Contact<T, D>) -> T {
        let share = contact.dwell / (contact.dwell + self.dwell_time);
        contact.excess + (-contact.excess + self.stribeck_excess) * share
    }

    /// s/(1 + (y/v_s)²).
    fn falling<T: Scalar + MixesWith<P>, const D: usize>(&self, contact: &Contact<T, D>) -> T {
        // squares of the fastest speeds overflow, where nothing is left
        let y = (contact.speed / self.stribeck_velocity).min(T::from_f64(1e100));
        contact.excess / (y * y + 1.0)
    }

    /// Back in stick: the spring carries the force of slip at rest.
    fn stuck<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Contact<T, D>,
    ) -> Contact<T, D> {
        let excess = self.falling(slip);
        let size = (excess + self.kinetic_coefficient) / self.stick_stiffness;
        Contact {
            x: direction(&slip.last, norm(&slip.last)).map(|e| e * size),
            last: [T::zero(); D],
            slips: false,
            dwell: T::zero(),
            excess,
            speed: slip.speed,
        }
    }

    /// Broken away, along the motion, or along the spring at rest.
    fn released<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        stick: &Contact<T, D>,
        motion: &[T; D],
    ) -> Contact<T, D> {
        let speed = norm(motion);
        let along = if speed.value() > REST {
            motion
        } else {
            &stick.x
        };
        Contact {
            x: [T::zero(); D],
            last: direction(along, norm(along)),
            slips: true,
            dwell: T::zero(),
            excess: self.risen(stick),
            speed: stick.speed,
        }
    }

    /// How far the spring is below its limit, over the limit.
    fn reserve<T: Scalar + MixesWith<P>, const D: usize>(&self, contact: &Contact<T, D>) -> T {
        let limit = self.risen(contact) + self.kinetic_coefficient;
        -(norm(&contact.x) * self.stick_stiffness / limit) + 1.0
    }

    fn force<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        contact: &Contact<T, D>,
        u: &[T; D],
    ) -> [T; D] {
        let (v, n) = (&slip.velocity, slip.normal_force);
        if !contact.slips {
            return contact.x.map(|x| n * (x * self.stick_stiffness));
        }
        let level = self.falling(contact) + self.kinetic_coefficient;
        std::array::from_fn(|i| n * (level * u[i] + v[i] * self.viscous_coefficient))
    }

    /// The delayed speed after a step over which the speed changes evenly.
    fn delayed<T: Scalar + MixesWith<P>, const D: usize>(&self, step: &Step<T, D>, y: T) -> T {
        let (mean, end) = (norm(&step.mean.velocity), norm(&step.end.velocity));
        let (decay, phi) = (T::from_f64(step.duration) / self.memory_time).relaxation();
        let (start, rise) = (mean * 2.0 - end, (end - mean) * 2.0);
        decay * (y - start) + end - rise * phi
    }

    /// The state after a step in stick.
    fn held<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        mut contact: Contact<T, D>,
    ) -> Contact<T, D> {
        let (d, _) = travel(step);
        contact.x = std::array::from_fn(|i| contact.x[i] + d[i]);
        contact.dwell = contact.dwell + step.duration;
        contact.speed = self.delayed(step, contact.speed);
        contact
    }
}

impl<P: Scalar> Law<P> for Armstrong<P> {
    type Kind = General;

    fn start<const D: usize>(&self, slip: &Slip<P, D>, state: &mut [P]) {
        let speed = norm(&slip.velocity);
        let contact = Contact {
            x: [P::zero(); D],
            last: direction(&slip.velocity, speed),
            slips: speed.value() > 0.0,
            dwell: P::zero(),
            excess: self.stribeck_excess,
            speed,
        };
        contact.store(state);
    }

    fn rates<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let contact = Contact::<T, D> {
            x: vector_at(state, 0),
            last: vector_at(state, 1),
            slips: state[2 * D].value() > 0.5,
            dwell: state[2 * D + 1],
            excess: state[2 * D + 2],
            speed: state[2 * D + 3],
        };
        let v = &slip.velocity;
        let speed = norm(v);
        for i in 0..D {
            (rates[i], rates[D + i]) = if contact.slips {
                (T::zero(), (v[i] - speed * contact.last[i]) / MEMORY)
            } else {
                (v[i], T::zero())
            };
        }
        let dwells = T::from_f64(if contact.slips { 0.0 } else { 1.0 });
        let delayed = (speed - contact.speed) / self.memory_time;
        rates[2 * D..].copy_from_slice(&[T::zero(), dwells, T::zero(), delayed]);
        self.force(slip, &contact, &heading(v, &contact.last))
    }

    fn update<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let mut contact = Contact::<T, D>::of(old);
        let ((d, s), v) = (travel(step), &step.end.velocity);
        if contact.slips && (s.value() <= REST || dot(&d, &contact.last).value() < 0.0) {
            contact = self.stuck(&contact);
        }
        if contact.slips {
            contact.last = turned(&contact.last, &d, s);
            contact.speed = self.delayed(step, contact.speed);
            if dot(v, &contact.last).value() <= 0.0 {
                contact = self.stuck(&contact);
            }
        } else {
            contact = self.held(step, contact);
            if self.reserve(&contact).value() < 0.0 {
                contact = self.released(&contact, &d);
            }
        }
        contact.store(new);
        self.force(&step.end, &contact, &heading(v, &contact.last))
    }

    fn update_in_mode<T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[P],
        new: &mut [T],
    ) -> [T; D] {
        let mut contact = Contact::<T, D>::of(old);
        let mut u = [T::zero(); D];
        if contact.slips {
            (contact.last, u) = followed(&contact.last, step);
            contact.speed = self.delayed(step, contact.speed);
        } else {
            contact = self.held(step, contact);
        }
        contact.store(new);
        self.force(&step.end, &contact, &u)
    }

    /// After a long rest before.
    fn steady(&self, speed: P, normal_force: P) -> Option<P> {
        let y = (speed / self.stribeck_velocity).min(P::from_f64(1e100));
        let level = self.stribeck_excess / (y * y + 1.0) + self.kinetic_coefficient;
        let force = (level + self.viscous_coefficient * speed) * normal_force;
        (speed.value() > 0.0).then_some(force)
    }
}

impl FrictionLaw for Armstrong {
    const CARD: LawCard<'static> = LawCard {
        name: "armstrong",
        title: "Armstrong-Hélouvry, seven parameters",
        summary: "Stick with a spring, slip with Stribeck friction that lags, and stiction that grows with the time at rest.",
        equations: &[
            Equation {
                text: "stick: dx/dt = v,  F = N k_t x,  until k_t |x| > mu_k + s,  s = s_a + (s_inf - s_a) t_2/(t_2 + gamma)",
                tex: r"\dot{\mathbf x}=\mathbf v,\quad\mathbf F=Nk_t\mathbf x,\quad\text{until }k_t|\mathbf x|>\mu_k+s,\quad s=s_a+(s_\infty-s_a)\frac{t_2}{t_2+\gamma}",
                source: "Armstrong-Hélouvry et al. 1994, per unit of normal force",
            },
            Equation {
                text: "slip: F = N (mu_k + s/(1 + (y/v_s)^2)) u + N sigma_2 v, until v = 0 or v reversed; then k_t x = F/N, t_2 = 0, s_a = s/(1 + (y/v_s)^2)",
                tex: r"\mathbf F=N\Bigl(\mu_k+\frac{s}{1+(y/v_s)^2}\Bigr)\mathbf u+N\sigma_2\mathbf v",
                source: "Armstrong-Hélouvry et al. 1994; the return to stick is a convention of this project",
            },
            Equation {
                text: "dy/dt = (|v| - y)/t_L",
                tex: r"\dot y=(|\mathbf v|-y)/t_L",
                source: "convention of this project: the source has y(t) = |v(t - t_L)|",
            },
        ],
        parameters: Self::CARDS,
        states: &[
            StateCard::new("x", "m", "displacement in stick (vector)"),
            StateCard::new("e", "1", "last slip direction, 0 in stick (vector)"),
            StateCard::new("mode", "1", "0 stick, 1 slip"),
            StateCard::new("t_2", "s", "time in stick"),
            StateCard::new(
                "s",
                "1",
                "Stribeck excess: at the start of stick, or frozen in slip",
            ),
            StateCard::new("y", "m/s", "delayed speed"),
        ],
        behaviour: &[
            Behaviour::Holds,
            Behaviour::Jumps,
            Behaviour::SteadyByHistory,
        ],
        printed: None,
        reproduces: &[
            "Stribeck effect",
            "stick-slip",
            "presliding displacement (one spring)",
            "hold without drift",
            "frictional lag",
            "break-away force that grows with the dwell time",
            "viscous friction",
        ],
        cannot: &[
            "a continuous force: it drops as the pair breaks away, if the speed is high before",
            "hysteresis with non-local memory",
        ],
        source: "Armstrong-Hélouvry, Dupont, Canudas de Wit, A survey of models, analysis tools and compensation methods for the control of machines with friction, Automatica 30 (1994) 1083-1138",
        remarks: "The lag of first order stands for the pure delay of the source. The vector form is ours: stick returns when v.e < 0 with the last slip direction e.",
    };

    fn layout(&self) -> StateLayout {
        StateLayout {
            vectors: 2,
            scalars: 4,
        }
    }

    fn mode_margin<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> f64 {
        let contact = Contact::<f64, D>::of(state);
        if contact.slips {
            dot(&slip.velocity, &contact.last) / RATE_INDEPENDENT_SLIP_SPEED
        } else {
            self.reserve(&contact)
        }
    }

    fn change_mode<const D: usize>(&self, slip: &Slip<f64, D>, state: &mut [f64]) {
        let contact = Contact::<f64, D>::of(state);
        let changed = if contact.slips {
            self.stuck(&contact)
        } else {
            self.released(&contact, &slip.velocity)
        };
        changed.store(state);
    }

    fn stored_energy<const D: usize>(&self, normal_force: f64, state: &[f64]) -> f64 {
        let x = vector_at::<f64, D>(state, 0);
        0.5 * self.stick_stiffness * normal_force * dot(&x, &x)
    }

    fn slip_speed(&self) -> f64 {
        self.stribeck_velocity
    }

    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        Some((self.kinetic_coefficient + self.stribeck_excess) / self.stick_stiffness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stiction_comes_back_with_the_time_at_rest() {
        let law = Armstrong {
            stick_stiffness: 1e4,
            kinetic_coefficient: 0.1,
            stribeck_excess: 0.05,
            stribeck_velocity: 1e-3,
            viscous_coefficient: 0.0,
            memory_time: 1e-6,
            dwell_time: 0.2,
        };
        // a slide at 2 v_s keeps a fifth of the excess: 0.01; the spring then carries 1.1 N of 10 N
        let step = |v: f64, h: f64| Step::constant(Slip::new([v], 10.0), h);
        let (mut old, mut new) = ([0.0; 6], [0.0; 6]);
        law.start(&Slip::new([2e-3], 10.0), &mut old);
        let [f] = law.update(&step(2e-3, 1.0), &old, &mut new);
        assert!((f - 1.1).abs() < 1e-12);
        // after 0.2 s at rest half of what was lost is back: 0.01 + 0.04/2
        let [f] = law.update(&step(0.0, 0.2), &new, &mut old);
        assert!((f - 1.1).abs() < 1e-12);
        let level = law.risen(&Contact::<f64, 1>::of(&old));
        assert!((level - 0.03).abs() < 1e-12);
        // it breaks away at 1.3 N: 1.9 um more hold, 2.1 um more do not
        let mode = |d: f64| {
            let mut new = [0.0; 6];
            law.update(&step(d / 1e-9, 1e-9), &old, &mut new);
            new[2]
        };
        assert!(mode(1.9e-6) < 0.5 && mode(2.1e-6) > 0.5);
    }
}
