//! Where accelerations lead: the place and the velocity at the end of a step or stage.

use crate::group::{DofGroup, cross, rotation_rate};
use crate::method::GeneralisedAlpha;
use crate::state::State;
use crate::system::{System, Weights};

/// Sweeps of the fixed point of a rotation; each takes a part h|ω|/8 of the error, or less.
const MAX_SWEEPS: usize = 60;

/// What makes rotation vectors of angular velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Turning {
    /// The commutator of a step of this length, s: Θ += h²/12 ω₁ × ω₀, the term of Magnus' series
    /// that a mean angular velocity leaves out.
    Commutator(f64),
    /// The rate of the rotation vector at the end, with this weight, s.
    Rate(f64),
}

/// What unknown accelerations at the end of a step or stage lead to:
///
/// $$ \mathbf v = \mathbf v_0 + c_v\mathbf a,\qquad \Theta = \Theta_0 + c_q\mathbf a $$
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// Time of the end, s.
    pub(crate) t: f64,
    /// Time since the start of the step, s: what the paths of friction take.
    pub(crate) path: f64,
    /// Weight of the rates of friction states, s, if it is a stage.
    pub(crate) stage: Option<f64>,
    /// c_v, s.
    pub(crate) velocity_gain: f64,
    /// c_q, s².
    pub(crate) displacement_gain: f64,
    /// v₀.
    pub(crate) velocity: Vec<f64>,
    /// Θ₀: of rotations, and with `Turning::Rate` of all, without c_v v₀.
    pub(crate) displacement: Vec<f64>,
    pub(crate) turning: Turning,
    pub(crate) groups: Vec<DofGroup>,
}

impl Reach {
    pub(crate) fn new<S: System>(system: &S) -> Self {
        let n = system.dofs();
        Self {
            t: 0.0,
            path: 0.0,
            stage: None,
            velocity_gain: 1.0,
            displacement_gain: 1.0,
            velocity: vec![0.0; n],
            displacement: vec![0.0; n],
            turning: Turning::Commutator(0.0),
            groups: system.groups().to_vec(),
        }
    }

    /// The end of a step of generalised-α.
    pub(crate) fn of_step(&mut self, method: &GeneralisedAlpha, from: &State, h: f64) {
        let GeneralisedAlpha { beta, gamma, .. } = *method;
        (self.t, self.path, self.stage) = (from.t + h, h, None);
        self.velocity_gain = gamma * h * method.gain();
        self.displacement_gain = beta * h * h * method.gain();
        self.turning = Turning::Commutator(h);
        for i in 0..self.velocity.len() {
            let old = from.algorithmic[i];
            let new = method.algorithmic(0.0, from.a[i], old);
            self.velocity[i] = from.v[i] + h * ((1.0 - gamma) * old + gamma * new);
            self.displacement[i] = h * (from.v[i] + h * ((0.5 - beta) * old + beta * new));
        }
    }

    /// The weights of the tangent.
    pub(crate) fn weights(&self) -> Weights {
        Weights {
            mass: 1.0,
            damping: self.velocity_gain,
            stiffness: self.displacement_gain,
        }
    }

    /// Puts a state where its accelerations lead from `from`.
    pub(crate) fn place<S: System>(
        &self,
        system: &S,
        from: &State,
        state: &mut State,
        displacement: &mut [f64],
    ) {
        for i in 0..state.a.len() {
            state.v[i] = self.velocity[i] + self.velocity_gain * state.a[i];
        }
        match self.turning {
            Turning::Commutator(h) => {
                for (i, d) in displacement.iter_mut().enumerate() {
                    *d = self.displacement[i] + self.displacement_gain * state.a[i];
                }
                for group in self.groups.iter().filter(|group| group.turns) {
                    let (new, old) = (group.vector(&state.v), group.vector(&from.v));
                    let commutator = cross(new, old);
                    for (d, c) in displacement[group.dofs.clone()].iter_mut().zip(commutator) {
                        *d += h * h / 12.0 * c;
                    }
                }
            }
            Turning::Rate(weight) => {
                for (i, d) in displacement.iter_mut().enumerate() {
                    *d = self.displacement[i] + weight * state.v[i];
                }
                for group in self.groups.iter().filter(|group| group.turns) {
                    let base = group.vector(&self.displacement);
                    let turned = turned(base, weight, group.vector(&state.v));
                    group.write(turned, displacement);
                }
            }
        }
        system.displace(&from.q, displacement, &mut state.q);
    }

    /// Rates of the displacement of a step: velocities, but for rotations.
    pub(crate) fn displacement_rates(&self, displacement: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
        for group in self.groups.iter().filter(|group| group.turns) {
            let rate = rotation_rate(group.vector(displacement), group.vector(v));
            group.write(rate, out);
        }
    }
}

/// Θ = Θ₀ + w Θ̇(Θ, ω), to rounding.
fn turned(base: [f64; 3], weight: f64, omega: [f64; 3]) -> [f64; 3] {
    let at = |theta: [f64; 3]| {
        let rate = rotation_rate(theta, omega);
        std::array::from_fn(|i| base[i] + weight * rate[i])
    };
    let mut theta: [f64; 3] = std::array::from_fn(|i| base[i] + weight * omega[i]);
    let mut last = f64::INFINITY;
    for _ in 0..MAX_SWEEPS {
        let next: [f64; 3] = at(theta);
        let change = (0..3).fold(0.0_f64, |m, i| m.max((next[i] - theta[i]).abs()));
        theta = next;
        // rounding, or a turn far too long for one step, which the error control refuses
        if change == 0.0 || change >= last {
            break;
        }
        last = change;
    }
    theta
}
