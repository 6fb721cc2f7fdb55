//! The friction law trait.

use crate::branches::Branches;
use crate::card::{Behaviour, LawCard};
use crate::parameters::{ParameterError, Values};
use crate::scalar::Scalar;
use crate::slip::{Slip, Step};
use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64};
use std::fmt::Debug;

/// The states of a law. Vectors turn with the contact's frame, scalars do not.
///
/// A state slice holds the vectors first, each of `D` entries, then the scalars. Modes
/// (stick, slip) are scalars that hold small whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateLayout {
    /// Number of vector states.
    pub vectors: usize,
    /// Number of scalar states.
    pub scalars: usize,
}

impl StateLayout {
    /// No state.
    pub const NONE: Self = Self {
        vectors: 0,
        scalars: 0,
    };

    /// Length of the state slice in `dimension` dimensions.
    pub const fn len(self, dimension: usize) -> usize {
        self.vectors * dimension + self.scalars
    }

    /// Whether there is no state.
    pub const fn is_empty(self) -> bool {
        self.vectors == 0 && self.scalars == 0
    }
}

/// The largest state slice a law may have (ten elements in three dimensions, with their modes).
pub const MAX_STATES: usize = 48;

/// Derivatives of the force of an update, row = force component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent<const D: usize> {
    /// ∂F/∂(mean slip velocity), N s/m.
    pub mean_velocity: [[f64; D]; D],
    /// ∂F/∂(end slip velocity), N s/m.
    pub velocity: [[f64; D]; D],
    /// ∂F/∂(mean normal force).
    pub mean_normal_force: [f64; D],
    /// ∂F/∂(end normal force).
    pub normal_force: [f64; D],
}

impl<const D: usize> Tangent<D> {
    /// All zero.
    pub const ZERO: Self = Self {
        mean_velocity: [[0.0; D]; D],
        velocity: [[0.0; D]; D],
        mean_normal_force: [0.0; D],
        normal_force: [0.0; D],
    };
}

/// Derivatives of the continuous view. Rows are outputs, columns inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian<const D: usize> {
    /// ∂F/∂v, N s/m.
    pub force_velocity: [[f64; D]; D],
    /// ∂F/∂N.
    pub force_normal: [f64; D],
    /// ∂F/∂z, one entry of length D per state.
    pub force_state: Vec<[f64; D]>,
    /// ∂ż/∂v, one row of length D per state.
    pub rate_velocity: Vec<[f64; D]>,
    /// ∂ż/∂N, one per state.
    pub rate_normal: Vec<f64>,
    /// ∂ż/∂z, row major.
    pub rate_state: Vec<Vec<f64>>,
}

/// What a law that answers the applied force at rest can hold: slower than `speed` (m/s) the pair
/// is at rest, and friction balances a force up to `coefficient` times the normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StictionLimit {
    /// Half width of the dead zone, m/s.
    pub speed: f64,
    /// Static friction coefficient.
    pub coefficient: f64,
}

/// Something the user should know about a parameter set, with the number and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// A short stable key, e.g. `passivity`.
    pub topic: &'static str,
    /// The sentence for the user.
    pub text: String,
}

impl Notice {
    /// A law without stick: a load of half the limit moves at `speed`.
    pub(crate) fn creep(law: &str, speed: f64) -> Self {
        Self {
            topic: "creep",
            text: format!(
                "{law} cannot hold a load: at half the limit it creeps with {speed:.3e} m/s; \
                 use a law with presliding (lugre) where parts must stick"
            ),
        }
    }
}

/// A friction law: an immutable set of parameters; the state is an argument.
pub trait FrictionLaw: Clone + Debug + Send + Sync + 'static {
    /// The declaration.
    const CARD: LawCard;

    /// Builds the law from named values (field names or symbols), SI.
    ///
    /// # Errors
    /// Names the parameter that is unknown, missing, out of range, or contradicts another.
    fn from_values(values: &Values) -> Result<Self, ParameterError>;

    /// The parameters by field name; `from_values(&to_values())` is the same law.
    fn to_values(&self) -> Values;

    /// The states.
    fn layout(&self) -> StateLayout {
        StateLayout::NONE
    }

    /// Sets the state at the start of a motion; zero unless the law says otherwise.
    fn start<const D: usize>(&self, _slip: &Slip<f64, D>, state: &mut [f64]) {
        state.fill(0.0);
    }

    /// The continuous view: force along v (N), and the rates of the states.
    ///
    /// Modes have rate 0: they change in [`Self::update`] only.
    fn rates<T: Scalar, const D: usize>(
        &self,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D];

    /// The constitutive update: the state after the step, and the force at its end.
    ///
    /// Unconditionally stable: bounded for any duration. A law without state may keep the default.
    fn update<T: Scalar, const D: usize>(
        &self,
        step: &Step<T, D>,
        _old: &[f64],
        _new: &mut [T],
    ) -> [T; D] {
        self.rates(&step.end, &[], &mut [])
    }

    /// The update with its consistent tangent. The default is exact, by dual numbers.
    fn update_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        tangent_by_dual(self, step, old, new)
    }

    /// The update with the mode that `old` has, whatever the conditions at the end of the step.
    fn update_in_mode<T: Scalar, const D: usize>(
        &self,
        step: &Step<T, D>,
        old: &[f64],
        new: &mut [T],
    ) -> [T; D] {
        self.update(step, old, new)
    }

    /// [`Self::update_in_mode`] with its consistent tangent.
    fn update_in_mode_with_tangent<const D: usize>(
        &self,
        step: &Step<f64, D>,
        old: &[f64],
        new: &mut [f64],
    ) -> ([f64; D], Tangent<D>) {
        if const { Self::CARD.does(Behaviour::Jumps) } {
            dual_tangent(step, new, |step, new| self.update_in_mode(step, old, new))
        } else {
            self.update_with_tangent(step, old, new)
        }
    }

    /// How far the mode of `state` is from its end: 1 is far, below 0 it has ended.
    ///
    /// A solver keeps the mode of a law that [jumps](Behaviour::Jumps) during a step
    /// ([`Self::update_in_mode`]), finds the time at which it ends, and changes it between two steps
    /// ([`Self::change_mode`]). Laws whose force is continuous change their modes in
    /// [`Self::update`], on the path of the step.
    fn mode_margin<const D: usize>(&self, _slip: &Slip<f64, D>, _state: &[f64]) -> f64 {
        f64::INFINITY
    }

    /// Changes the mode of `state`, and what jumps with it.
    fn change_mode<const D: usize>(&self, _slip: &Slip<f64, D>, _state: &mut [f64]) {}

    /// Sets the modes that hold just after an event, while the conditions change by `change` per
    /// second. Returns `false` if the law has no rule for it; the caller then uses a step of no
    /// length.
    fn set_modes_after_event<const D: usize>(
        &self,
        _slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        _state: &mut [f64],
    ) -> bool {
        false
    }

    /// The branches of the rates that hold at an instant while the conditions change by `change`
    /// per second, where the states do not say so.
    fn branches<const D: usize>(
        &self,
        _slip: &Slip<f64, D>,
        _change: &Slip<f64, D>,
        _state: &[f64],
    ) -> Branches {
        Branches::NONE
    }

    /// What a law that answers the applied force at rest can hold.
    fn stiction(&self) -> Option<StictionLimit> {
        None
    }

    /// The exact Jacobian of the continuous view, by dual numbers.
    fn jacobian<const D: usize>(&self, slip: &Slip<f64, D>, state: &[f64]) -> Jacobian<D> {
        jacobian_by_dual(self, slip, state)
    }

    /// Magnitude of the steady sliding force at a speed, N, if the law has one.
    fn steady(&self, speed: f64, normal_force: f64) -> Option<f64>;

    /// Elastic energy held in the state, J, where the law defines it.
    fn stored_energy<const D: usize>(&self, _normal_force: f64, _state: &[f64]) -> f64 {
        0.0
    }

    /// The speed from which a pair counts as slipping, m/s.
    fn slip_speed(&self) -> f64;

    /// The deflection at break-away, m: the natural length of the contact, for error weights.
    fn breakaway_deflection(&self, _normal_force: f64) -> Option<f64> {
        None
    }

    /// The natural size of the vector states, in their own unit, for error weights.
    fn state_size(&self, normal_force: f64) -> Option<f64> {
        self.breakaway_deflection(normal_force)
    }

    /// What the user should know about this parameter set.
    fn notices(&self) -> Vec<Notice> {
        Vec::new()
    }
}

/// Number of inputs of an update in three dimensions: mean v, end v, mean N, end N.
const INPUTS: usize = 8;

/// A scalar with the derivatives by all inputs of an update.
type Dual = DualSVec64<INPUTS>;

/// [`FrictionLaw::update_with_tangent`] by forward differentiation.
pub fn tangent_by_dual<L: FrictionLaw, const D: usize>(
    law: &L,
    step: &Step<f64, D>,
    old: &[f64],
    new: &mut [f64],
) -> ([f64; D], Tangent<D>) {
    dual_tangent(step, new, |step, new| law.update(step, old, new))
}

/// The tangent of any kind of update.
fn dual_tangent<const D: usize>(
    step: &Step<f64, D>,
    new: &mut [f64],
    update: impl FnOnce(&Step<Dual, D>, &mut [Dual]) -> [Dual; D],
) -> ([f64; D], Tangent<D>) {
    let seed = |x: f64, i: usize| {
        let mut unit = SVector::<f64, INPUTS>::zeros();
        unit[i] = 1.0;
        Dual::new(x, Derivative::some(unit))
    };
    let vector = |v: &[f64; D], first: usize| std::array::from_fn(|i| seed(v[i], first + i));
    let constant = |v: &[f64; D]| v.map(<Dual as crate::Real>::from_f64);
    let dual_step = Step {
        mean: Slip {
            velocity: vector(&step.mean.velocity, 0),
            normal_force: seed(step.mean.normal_force, 2 * D),
            applied: constant(&step.mean.applied),
        },
        end: Slip {
            velocity: vector(&step.end.velocity, D),
            normal_force: seed(step.end.normal_force, 2 * D + 1),
            applied: constant(&step.end.applied),
        },
        duration: step.duration,
    };
    let mut scratch = [<Dual as crate::Real>::from_f64(0.0); MAX_STATES];
    let states = &mut scratch[..new.len()];
    let force = update(&dual_step, states);
    for (x, dual) in new.iter_mut().zip(states.iter()) {
        *x = dual.re;
    }
    let mut tangent = Tangent::ZERO;
    for (i, f) in force.iter().enumerate() {
        let Some(eps) = f.eps.0 else { continue };
        for j in 0..D {
            tangent.mean_velocity[i][j] = eps[j];
            tangent.velocity[i][j] = eps[D + j];
        }
        tangent.mean_normal_force[i] = eps[2 * D];
        tangent.normal_force[i] = eps[2 * D + 1];
    }
    (force.map(|f| f.re), tangent)
}

/// [`FrictionLaw::jacobian`] by one forward pass per input.
pub fn jacobian_by_dual<L: FrictionLaw, const D: usize>(
    law: &L,
    slip: &Slip<f64, D>,
    state: &[f64],
) -> Jacobian<D> {
    type Dual = DualSVec64<1>;
    let n = state.len();
    let seeded = |x: f64, on: bool| {
        let eps = if on {
            Derivative::some(SVector::<f64, 1>::new(1.0))
        } else {
            Derivative::none()
        };
        Dual::new(x, eps)
    };
    let derivative = |x: &Dual| x.eps.0.map_or(0.0, |e| e[0]);
    let pass = |input: usize| {
        let dual_slip = Slip {
            velocity: std::array::from_fn(|i| seeded(slip.velocity[i], input == i)),
            normal_force: seeded(slip.normal_force, input == D),
            applied: slip.applied.map(|x| seeded(x, false)),
        };
        let dual_state: Vec<Dual> = state
            .iter()
            .enumerate()
            .map(|(i, x)| seeded(*x, input == D + 1 + i))
            .collect();
        let mut rates = vec![seeded(0.0, false); n];
        let force = law.rates(&dual_slip, &dual_state, &mut rates);
        (
            force.map(|f| derivative(&f)),
            rates.iter().map(derivative).collect::<Vec<_>>(),
        )
    };
    let mut jacobian = Jacobian {
        force_velocity: [[0.0; D]; D],
        force_normal: [0.0; D],
        force_state: vec![[0.0; D]; n],
        rate_velocity: vec![[0.0; D]; n],
        rate_normal: vec![0.0; n],
        rate_state: vec![vec![0.0; n]; n],
    };
    for j in 0..D {
        let (force, rates) = pass(j);
        for (row, f) in jacobian.force_velocity.iter_mut().zip(force) {
            row[j] = f;
        }
        for (row, rate) in jacobian.rate_velocity.iter_mut().zip(rates) {
            row[j] = rate;
        }
    }
    (jacobian.force_normal, jacobian.rate_normal) = pass(D);
    for j in 0..n {
        let (force, rates) = pass(D + 1 + j);
        jacobian.force_state[j] = force;
        for (row, rate) in jacobian.rate_state.iter_mut().zip(rates) {
            row[j] = rate;
        }
    }
    jacobian
}
