//! The friction force for a prescribed motion.
//!
//! Slip velocity, normal force and applied force are linear between samples. Each such
//! segment is cut where the motion comes to rest and at speeds on a geometric grid about those of
//! the law; within a piece the law's update is integrated in one, two and four steps at a time,
//! whose differences are the error, and the last two are extrapolated to the fourth order. A step
//! in which a mode switches (stick, slip) is shortened until the switch is located to rounding,
//! so that switches are not smeared.

mod pieces;
mod step;

use bristle_laws::StateCard;
use bristle_laws::card::{ParameterKind, Role};
use bristle_laws::curve::Shape;
use bristle_laws::{Friction, MAX_STATES, Slip, Value};
use pieces::LinearPiece;

/// Conditions at one instant of a motion. SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<const D: usize> {
    /// Time, s.
    pub t: f64,
    /// Slip velocity, m/s.
    pub velocity: [f64; D],
    /// Normal force, N, ≥ 0.
    pub normal_force: f64,
    /// Applied tangential force, N, for laws that hold it at rest or take the direction of a load
    /// from it; zero if unknown.
    pub applied: [f64; D],
}

impl<const D: usize> Sample<D> {
    fn slip(&self) -> Slip<f64, D> {
        Slip {
            velocity: self.velocity,
            normal_force: self.normal_force,
            applied: self.applied,
        }
    }

    fn check(&self) -> Result<(), DriveError> {
        let t = self.t;
        let vectors = self.velocity.iter().chain(&self.applied);
        if !vectors
            .chain([&t, &self.normal_force])
            .all(|x| x.is_finite())
        {
            return Err(DriveError::NotFinite { t });
        }
        if self.normal_force < 0.0 {
            let normal_force = self.normal_force;
            return Err(DriveError::NegativeNormalForce { t, normal_force });
        }
        Ok(())
    }
}

/// Why a motion could not be followed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DriveError {
    /// A sample is not later than the one before it.
    #[error("t = {t} s comes after t = {previous} s; times must increase")]
    Order {
        /// Time of the sample, s.
        t: f64,
        /// Time of the sample before it, s.
        previous: f64,
    },
    /// A sample holds a number that is not finite.
    #[error("the sample at t = {t} s has an entry that is not a finite number")]
    NotFinite {
        /// Time, s.
        t: f64,
    },
    /// A normal force is negative.
    #[error("normal force = {normal_force} N at t = {t} s, must be 0 or more")]
    NegativeNormalForce {
        /// Time, s.
        t: f64,
        /// The value, N.
        normal_force: f64,
    },
    /// A segment would need more steps than are allowed: some 10⁵ relaxations of the law, as when a
    /// bristle creeps through the Stribeck region for hours.
    #[error(
        "more than {limit} steps between t = {from} s and t = {to} s, given up at t = {t} s; \
         ask for less accuracy, or give more samples in between"
    )]
    TooManySteps {
        /// Start of the segment, s.
        from: f64,
        /// End of the segment, s.
        to: f64,
        /// The time that was reached, s.
        t: f64,
        /// The number of steps allowed.
        limit: usize,
    },
    /// A law with numbers of its own for negative velocities in more than one dimension.
    #[error(
        "{law} has numbers of its own for negative velocities and holds for slip along a line, not \
         in {dimension}D"
    )]
    Plane {
        /// The law.
        law: String,
        /// Number of components of the velocity.
        dimension: usize,
    },
    /// The law's state or force left the range of numbers.
    #[error(
        "the force is not a finite number at t = {t} s; the motion leaves the range of numbers"
    )]
    Overflow {
        /// Time, s.
        t: f64,
    },
}

/// Follows a motion, sample by sample.
///
/// ```
/// use bristle_laws::{Friction, Value};
/// use bristle_rig::{Driver, Sample};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let number = |name: &str, x| (name.to_owned(), Value::Number(x));
/// let law = Friction::build(
///     "dahl",
///     &vec![number("bristle_stiffness", 1e4), number("kinetic_coefficient", 0.2)],
/// )?;
/// let sample = |t, v| Sample { t, velocity: [v], normal_force: 10.0, applied: [0.0] };
/// let mut driver = Driver::new(&law, &sample(0.0, 0.01), 1e-8);
/// // after 20 μm, the length μk/σ₀, the force is 2 N (1 − 1/e)
/// let [force] = driver.advance(&sample(2e-3, 0.01))?;
/// assert!((force - 2.0 * (1.0 - (-1.0_f64).exp())).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Driver<'l, const D: usize> {
    law: &'l Friction,
    /// Speeds at which the law changes, m/s.
    speeds: Vec<f64>,
    /// Speeds between which its curve is smooth, m/s.
    knots: Vec<f64>,
    vectors: usize,
    state: Vec<f64>,
    last: Sample<D>,
    force: [f64; D],
    rtol: f64,
    scales: DriveScales,
    /// The step that the error control would take next, s.
    next_step: f64,
    cuts: Vec<f64>,
}

/// The largest force and states so far, to which errors are compared.
#[derive(Clone, Debug)]
struct DriveScales {
    force: f64,
    /// One per vector state, then one per scalar state.
    states: [f64; MAX_STATES],
}

impl<'l, const D: usize> Driver<'l, D> {
    /// Puts the law at the first sample of a motion.
    ///
    /// `rtol` is the error allowed per step, relative to the largest force so far; it is held
    /// to [1e-13, 1e-3]. 1e-8 keeps the force within 1e-6 of the exact one.
    pub fn new(law: &'l Friction, first: &Sample<D>, rtol: f64) -> Self {
        let layout = law.layout();
        let mut state = vec![0.0; layout.len(D)];
        let slip = first.slip();
        law.start(&slip, &mut state);
        let mut driver = Self {
            law,
            speeds: speeds(law),
            knots: knots(law),
            vectors: layout.vectors,
            state,
            last: *first,
            force: [0.0; D],
            rtol: if rtol.is_nan() {
                1e-8
            } else {
                rtol.clamp(1e-13, 1e-3)
            },
            scales: DriveScales {
                force: 0.0,
                states: [0.0; MAX_STATES],
            },
            next_step: f64::INFINITY,
            cuts: Vec::new(),
        };
        driver.evaluate(&slip);
        driver
    }

    /// The friction force at the last sample, N, along the slip velocity.
    pub fn force(&self) -> [f64; D] {
        self.force
    }

    /// The law's state at the last sample: vectors first, then scalars.
    pub fn state(&self) -> &[f64] {
        &self.state
    }

    /// The last sample.
    pub fn last(&self) -> &Sample<D> {
        &self.last
    }

    /// Moves on to a later sample, linearly, and returns the force there.
    ///
    /// # Errors
    /// [`DriveError`] with the time, if a sample is bad, or if the segment needs too many steps.
    /// The driver then stays where it got to and should not be moved on.
    pub fn advance(&mut self, to: &Sample<D>) -> Result<[f64; D], DriveError> {
        if D > 1 && self.law.is_two_sided() {
            let law = self.law.card().name.to_owned();
            return Err(DriveError::Plane { law, dimension: D });
        }
        self.last.check()?;
        to.check()?;
        if to.t <= self.last.t {
            let (t, previous) = (to.t, self.last.t);
            return Err(DriveError::Order { t, previous });
        }
        if !self.state.is_empty() {
            let segment = LinearPiece::new(&self.last, to);
            self.follow(&segment)?;
        }
        self.last = *to;
        self.evaluate(&to.slip());
        if self.force.iter().all(|f| f.is_finite()) {
            Ok(self.force)
        } else {
            Err(DriveError::Overflow { t: to.t })
        }
    }

    /// Puts the force of the state as it is.
    fn evaluate(&mut self, slip: &Slip<f64, D>) {
        let mut rates = [0.0; MAX_STATES];
        let count = self.state.len();
        self.force = self.law.rates(slip, &self.state, &mut rates[..count]);
    }
}

/// Names of the entries of [`Driver::state`], e.g. `z` in one dimension, `z.x` and `z.y` in two,
/// `f1` to `f4` and `mode1` to `mode4` for a law of four elements.
pub fn state_names<const D: usize>(law: &Friction) -> Vec<String> {
    let layout = law.layout();
    let card = law.card();
    // the cards say which states are vectors; a law of elements names them once for all
    let (vectors, scalars): (Vec<_>, Vec<_>) = card.states.iter().partition(|s| s.is_vector);
    let mut names = Vec::new();
    for name in numbered(&vectors, layout.vectors) {
        if D == 1 {
            names.push(name);
        } else {
            names.extend(
                ["x", "y", "z"][..D.min(3)]
                    .iter()
                    .map(|axis| format!("{name}.{axis}")),
            );
        }
    }
    names.extend(numbered(&scalars, layout.scalars));
    names
}

/// `count` names from those of a card, numbered where there are more.
fn numbered(states: &[&StateCard], count: usize) -> Vec<String> {
    let each = count / states.len().max(1);
    let mut names = Vec::new();
    for StateCard { name, .. } in states {
        match each {
            1 => names.push(name.to_string()),
            _ => names.extend((1..=each).map(|i| format!("{name}{i}"))),
        }
    }
    names
}

/// The parameters of a law that are speeds, that at which its Stribeck curve ends, and the speed
/// from which it counts as slipping.
fn speeds(law: &Friction) -> Vec<f64> {
    let values = law.to_values();
    let mut speeds = vec![law.slip_speed()];
    for (_, value) in &values {
        if let Value::Curve(Shape::Step5(end) | Shape::Sine(end)) = value {
            for law in [law.side(1.0), law.side(-1.0)] {
                let stribeck = law.number(Role::StribeckSpeed);
                speeds.extend(end.or(stribeck.map(|v_s| 1.5 * v_s)));
            }
        }
    }
    for card in law.card().parameters {
        if card.kind != ParameterKind::Number || card.unit != "m/s" {
            continue;
        }
        for (name, value) in &values {
            if let (true, Value::Number(speed)) = (**name == *card.name, value) {
                speeds.push(*speed);
            }
        }
    }
    speeds.retain(|speed| speed.is_finite() && *speed > 0.0);
    speeds.sort_by(f64::total_cmp);
    speeds.dedup();
    speeds
}

/// Points of a Stribeck table at which motions are cut; a finer one is smooth between those kept.
const MOST_KNOTS: usize = 128;

/// The speeds of the points of a Stribeck table: a step over a dip between them would not see it.
fn knots(law: &Friction) -> Vec<f64> {
    let values = law.to_values();
    let table = values.iter().find_map(|(_, value)| match value {
        Value::Curve(Shape::Table(table)) => Some(table),
        _ => None,
    });
    let speeds = table.map_or(&[][..], |table| table.speeds());
    let every = speeds.len().div_ceil(MOST_KNOTS).max(1);
    speeds.iter().copied().skip(1).step_by(every).collect()
}
