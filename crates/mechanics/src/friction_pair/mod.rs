//! A friction pair: two faces that slip on each other in D dimensions.
//!
//! It knows a law, the load on it, its slip and its history, and neither bodies nor joints:
//! a contact point is a pair in the tangent plane (D = 2), friction on a joint coordinate one on a
//! line (D = 1), rolling and spinning resistance are pairs in angles.
//!
//! The history of a pair is a slice that the owner keeps; [`PairHistory`] names its entries.
//! A step reads the old one and writes the new one, so that a rejected step leaves no trace.

mod bend;
mod clamp;
mod history;
mod instant;
mod interpolation;
mod path_traits;
mod report;
mod reversal;

pub use history::{PairHistory, PairMotion};
pub use instant::PairInstant;
pub use interpolation::{HistoryEnd, StepFraction};
pub use report::StateChannel;

use crate::natural_sizes::NaturalSizes;
use bristle_integrate::SlipState;
use bristle_laws::law::slip::RATE_INDEPENDENT_SLIP_SPEED;
use bristle_laws::{Friction, MAX_STATES, Slip, StageStep, Step, Tangent};
use clamp::StictionClamp;
use path_traits::{PathTraits, SpringLength};

/// Pairs whose modes are this close to their end change them with the first one.
const TOGETHER: f64 = 1e-9;

/// A friction law between two faces, with what solvers need of it.
///
/// A pair without law is smooth: it has a history, and no friction.
#[derive(Clone, Debug)]
pub struct FrictionPair<const D: usize> {
    law: Option<Friction>,
    /// Entries of the vector states of the law, and of all its states.
    vectors: usize,
    states: usize,
    /// Whether the force of the law jumps where its mode changes.
    jumps: bool,
    /// Whether the states of the law have smooth rates.
    is_staged: bool,
    path: PathTraits,
    /// Springs side by side that follow a path alone, if they differ.
    lengths: Vec<SpringLength>,
    clamp: Option<StictionClamp>,
    knows_load_direction: bool,
}

/// Slip and load of a pair at the end of a step.
#[derive(Clone, Copy, Debug)]
pub struct PairStep<const D: usize> {
    /// Slip velocity (m/s) and normal force (N) at the end.
    pub end: Slip<f64, D>,
    /// Slip displacement at the end, m: the law follows it exactly in stick. `None` where the slip
    /// is no displacement but the integral of the slip velocity (a ball that rolls): the mean
    /// velocity is then that of both ends, as the displacements of Newmark's method are.
    pub displacement: Option<[f64; D]>,
    /// Mean slip velocity beyond the displacement, m/s: where the slip is nearly that of one point.
    pub beyond: [f64; D],
    /// Length of the step, s, > 0.
    pub duration: f64,
    /// Weight of the rates at a stage of a Runge–Kutta step, s: the states in the old history are then the
    /// sums of the stages before, if the law [has rates](FrictionPair::staged). Other laws
    /// follow the path.
    pub stage: Option<f64>,
}

/// Friction of a pair at the end of a step, with its derivatives by the conditions there.
#[derive(Clone, Copy, Debug)]
pub struct PairForce<const D: usize> {
    /// Friction along the slip, N.
    pub force: [f64; D],
    /// ∂F/∂(slip displacement), N/m; zero where the slip is the integral of the velocity.
    pub by_displacement: [[f64; D]; D],
    /// ∂F/∂(slip velocity), N s/m.
    pub by_velocity: [[f64; D]; D],
    /// ∂F/∂(normal force).
    pub by_normal_force: [f64; D],
    /// ∂F/∂(mean slip velocity), N s/m, where the slip is the integral of the velocity: half of it is
    /// in the derivative by the velocity at the end.
    pub by_mean_velocity: [[f64; D]; D],
}

impl<const D: usize> PairForce<D> {
    /// A force without derivatives.
    pub fn alone(force: [f64; D]) -> Self {
        Self {
            force,
            by_displacement: [[0.0; D]; D],
            by_velocity: [[0.0; D]; D],
            by_normal_force: [0.0; D],
            by_mean_velocity: [[0.0; D]; D],
        }
    }

    /// From the derivatives by mean and end conditions of a step.
    fn new(force: [f64; D], tangent: &Tangent<D>, step: &PairStep<D>) -> Self {
        let mut out = Self::alone(force);
        for i in 0..D {
            for j in 0..D {
                let (mean, end) = (tangent.mean_velocity[i][j], tangent.velocity[i][j]);
                if step.displacement.is_some() {
                    out.by_displacement[i][j] = mean / step.duration;
                    out.by_velocity[i][j] = end;
                } else {
                    out.by_velocity[i][j] = end + 0.5 * mean;
                    out.by_mean_velocity[i][j] = mean;
                }
            }
            out.by_normal_force[i] = 0.5 * tangent.mean_normal_force[i] + tangent.normal_force[i];
        }
        out
    }
}

impl<const D: usize> From<Friction> for FrictionPair<D> {
    fn from(law: Friction) -> Self {
        Self::new(law)
    }
}

impl<const D: usize> FrictionPair<D> {
    /// A pair without friction.
    pub const SMOOTH: Self = Self {
        law: None,
        vectors: 0,
        states: 0,
        jumps: false,
        is_staged: false,
        path: PathTraits::NONE,
        lengths: Vec::new(),
        clamp: None,
        knows_load_direction: false,
    };

    /// A pair with a law.
    pub fn new(law: Friction) -> Self {
        let layout = law.layout();
        let path = if law.follows_path() {
            PathTraits::of::<D>(&law)
        } else {
            PathTraits::NONE
        };
        Self {
            vectors: layout.vectors * D,
            states: layout.len(D),
            jumps: law.jumps(),
            is_staged: law.has_stage() && !law.jumps() && law.stiction().is_none(),
            path,
            lengths: if path.alone && path.forgets {
                SpringLength::of::<D>(&law)
            } else {
                Vec::new()
            },
            clamp: StictionClamp::of(&law),
            law: Some(law),
            knows_load_direction: false,
        }
    }

    /// The same pair where a load passes through the faces, as from wheel to wheel: slips come with
    /// its direction ([`Slip::applied`]), if the law asks for it.
    #[must_use]
    pub fn with_load_direction(self) -> Self {
        let asks = self.law.as_ref().is_some_and(Friction::has_load_direction);
        Self {
            knows_load_direction: asks,
            ..self
        }
    }

    /// Whether slips come with the direction of the load.
    pub fn knows_load_direction(&self) -> bool {
        self.knows_load_direction
    }

    /// The law; `None` of a smooth pair.
    pub fn law(&self) -> Option<&Friction> {
        self.law.as_ref()
    }

    /// Catalogue name of the law, or `none`.
    pub fn law_name(&self) -> &str {
        self.law.as_ref().map_or("none", |law| law.card().name)
    }

    /// The speed from which the pair counts as slipping, m/s.
    pub fn slip_speed(&self) -> f64 {
        let law = self.law.as_ref();
        law.map_or(RATE_INDEPENDENT_SLIP_SPEED, Friction::slip_speed)
    }

    /// Sets the history up at the start of a run.
    pub fn start(&self, slip: &Slip<f64, D>, displacement: [f64; D], history: &mut [f64]) {
        let own = self.split_mut(history);
        PairMotion::of(slip, displacement).write(own.motion);
        if let Some(law) = &self.law {
            law.start(slip, own.law);
        }
        if let Some(clamp) = &self.clamp {
            clamp.start(slip.velocity, own.clamp);
        }
    }

    /// Friction at the end of a step and the history there, with derivatives if they are wanted.
    ///
    /// Modes at whose change the force jumps stay as they are in `old`.
    #[inline]
    pub fn advance(
        &self,
        step: &PairStep<D>,
        old: &[f64],
        new: &mut [f64],
        wants_tangent: bool,
    ) -> PairForce<D> {
        let (old, new) = (self.split(old), self.split_mut(new));
        let PairStep { end, duration, .. } = *step;
        let (mean_velocity, displacement) = if let Some(place) = step.displacement {
            let moved =
                |i: usize| (place[i] - old.motion.displacement[i]) / duration + step.beyond[i];
            (std::array::from_fn(moved), place)
        } else {
            let mean = |i: usize| 0.5 * (end.velocity[i] + old.motion.velocity[i]);
            (std::array::from_fn(mean), [0.0; D])
        };
        PairMotion::of(&end, displacement).write(new.motion);
        let Some(law) = &self.law else {
            return PairForce::alone([0.0; D]);
        };
        if let Some(weight) = step.stage.filter(|_| self.is_staged) {
            let stage = StageStep { end, weight };
            if let Some((force, tangent)) = law.stage(&stage, old.law, new.law, wants_tangent) {
                let by_velocity = tangent.velocity;
                let by_normal_force = tangent.normal_force;
                return PairForce {
                    by_velocity,
                    by_normal_force,
                    ..PairForce::alone(force)
                };
            }
        }
        let mean_force = 0.5 * (old.motion.normal_force + end.normal_force);
        let applied = std::array::from_fn(|i| 0.5 * (old.motion.applied[i] + end.applied[i]));
        let conditions = Step {
            mean: Slip {
                velocity: mean_velocity,
                normal_force: mean_force,
                applied,
            },
            end,
            duration,
        };
        if let Some(clamp) = &self.clamp {
            let (force, tangent) = clamp.advance(law, &conditions, old.clamp, new.clamp);
            return PairForce::new(force, &tangent, step);
        }
        let bend = self.bend(law, &conditions, &old);
        let conditions = bend.as_ref().map_or(conditions, |bend| bend.step);
        let mut force = match (wants_tangent, self.jumps) {
            (true, jumps) => {
                let (force, tangent) = if jumps {
                    law.update_in_mode_with_tangent(&conditions, old.law, new.law)
                } else {
                    law.update_with_tangent(&conditions, old.law, new.law)
                };
                let mut force = PairForce::new(force, &tangent, step);
                if let Some(bend) = &bend {
                    bend.add_to(&tangent, &mut force);
                }
                force
            }
            (false, true) => PairForce::alone(law.update_in_mode(&conditions, old.law, new.law)),
            (false, false) => PairForce::alone(law.update(&conditions, old.law, new.law)),
        };
        if let Some(bend) = bend.filter(|_| !self.lengths.is_empty()) {
            force.force = self.along_own_ways(law, &bend, old.law, new.law);
        }
        force
    }

    /// Friction along the slip with the history as it is, N.
    pub fn force(&self, slip: &Slip<f64, D>, history: &[f64]) -> [f64; D] {
        let Some(law) = &self.law else {
            return [0.0; D];
        };
        let own = self.split(history);
        if let Some(clamp) = &self.clamp {
            return clamp.force(law, slip, own.clamp);
        }
        let mut rates = [0.0; MAX_STATES];
        law.rates(slip, own.law, &mut rates[..self.states])
    }

    /// Rates of the law's states in the continuous view; other entries of `rates` stay.
    pub fn rates(&self, slip: &Slip<f64, D>, history: &[f64], rates: &mut [f64]) {
        if let Some(law) = &self.law {
            law.rates(slip, self.split(history).law, self.split_mut(rates).law);
        }
    }

    /// Natural length and speed under a load (N), if the law has a length.
    pub fn natural_sizes(&self, normal_force: f64) -> Option<NaturalSizes> {
        if let Some(clamp) = &self.clamp {
            return Some(clamp.natural_sizes());
        }
        let law = self.law.as_ref()?;
        Some(NaturalSizes {
            length: law.breakaway_deflection(normal_force)?,
            speed: law.slip_speed(),
        })
    }

    /// Natural speed under a load (N), m/s: an error of the slip velocity counts against it. No such
    /// error changes a force that follows the path alone.
    pub fn natural_speed(&self, normal_force: f64) -> f64 {
        if self.path.alone {
            return f64::INFINITY;
        }
        self.natural_sizes(normal_force)
            .map_or_else(|| self.slip_speed(), |sizes| sizes.speed)
    }

    /// Natural sizes of the entries of a history under its load; 0 for entries without error control. A
    /// direction of slip that an update remembers is such an entry: the force follows that of the moment,
    /// and the memory only says where the slip turns back.
    pub fn scales(&self, history: &[f64], scales: &mut [f64]) {
        scales.fill(0.0);
        let Some(law) = self.law.as_ref().filter(|_| self.vectors > 0) else {
            return;
        };
        let normal_force = self.split(history).motion.normal_force;
        // without load nothing follows from a state
        if normal_force <= 0.0 {
            return;
        }
        let vectors = self.split_mut(scales).law[..self.vectors].chunks_exact_mut(D);
        for (i, scales) in vectors.enumerate() {
            if self.is_staged || !law.is_direction(i) {
                scales.fill(law.vector_size(i, normal_force).unwrap_or(0.0));
            }
        }
    }

    /// Energy in the bristles, J.
    pub fn bristle_energy(&self, normal_force: f64, history: &[f64]) -> f64 {
        let states = self.split(history).law;
        self.law
            .as_ref()
            .map_or(0.0, |law| law.stored_energy::<D>(normal_force, states))
    }

    /// The entries of the history that have smooth rates: the states of the law, which come first.
    pub fn staged(&self) -> Option<std::ops::Range<usize>> {
        self.is_staged.then_some(0..self.states)
    }

    /// Whether the force follows the path of the slip alone, whatever its speed: in stick it is that of springs
    /// without damping.
    pub fn has_bare_springs(&self) -> bool {
        self.path.alone
    }

    /// Whether it has modes that stay during a step.
    pub fn has_modes(&self) -> bool {
        self.jumps || self.clamp.is_some()
    }

    /// The speed (m/s) above which the pair slides by its own account: that of a dead zone, 0 for a law of
    /// the speed alone; none where bristles or modes of stick carry what they must.
    pub(crate) fn least_sliding_speed(&self) -> Option<f64> {
        match (&self.clamp, &self.law) {
            (Some(clamp), _) => Some(clamp.speed()),
            (None, Some(law)) => (law.layout().len(D) == 0 && !self.jumps).then_some(0.0),
            (None, None) => None,
        }
    }

    /// How far its mode is from its end: 1 is far, below 0 it has ended.
    pub fn mode_margin(&self, slip: &Slip<f64, D>, history: &[f64]) -> f64 {
        let own = self.split(history);
        match (&self.clamp, &self.law) {
            (Some(clamp), _) => clamp.mode_margin(slip.velocity, own.clamp),
            (None, Some(law)) => law.mode_margin(slip, own.law),
            (None, None) => f64::INFINITY,
        }
    }

    /// Changes the mode, if it has ended.
    pub fn change_mode(&self, slip: &Slip<f64, D>, history: &mut [f64]) {
        if self.mode_margin(slip, history) >= TOGETHER {
            return;
        }
        let own = self.split_mut(history);
        match (&self.clamp, &self.law) {
            (Some(clamp), _) => clamp.change_mode(slip.velocity, own.clamp),
            (None, Some(law)) => law.change_mode(slip, own.law),
            (None, None) => {}
        }
    }

    /// The slip in units of the law, for step rules that look at it; `None` without friction.
    pub fn slip_state(&self, slip: &Slip<f64, D>) -> Option<SlipState> {
        let law = self.law.as_ref()?;
        if slip.normal_force <= 0.0 {
            return None;
        }
        let speed = law.slip_speed();
        let deflection = law.breakaway_deflection(slip.normal_force);
        Some(SlipState {
            ratio: size(&slip.velocity) / speed,
            rate: deflection.map_or(0.0, |z| static_over_kinetic(law, speed) * speed / z),
        })
    }
}

/// Static over kinetic level: the break-away deflection belongs to the first, Dymore's rate
/// σ₀ v_s/μ_k to the second.
fn static_over_kinetic(law: &Friction, speed: f64) -> f64 {
    let level = |speed| law.steady(speed, 1.0);
    match (level(1e-9 * speed), level(20.0 * speed)) {
        (Some(low), Some(high)) if high > 0.0 => (low / high).max(1.0),
        _ => 1.0,
    }
}

fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (x, y)| sum + x * y)
}

/// |v|.
pub(crate) fn size<const D: usize>(v: &[f64; D]) -> f64 {
    v[1..].iter().fold(v[0].abs(), |sum, x| sum.hypot(*x))
}
