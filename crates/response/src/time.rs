//! The steady motion by integration in time, until the machine repeats itself: for laws with jumps,
//! and as an independent check of harmonic balance.

use crate::analysis::{ChannelResult, PairResult, channel_from_samples};
use crate::error::ResponseError;
use crate::grid::PeriodGrid;
use crate::repetition::{CycleWork, Repetition};
use crate::study::CurveError;
use bristle_integrate::{Control, Flow, Plan, State};
use bristle_mechanics::Model;
use bristle_mechanics::element::{BallFriction, Contact, JointFriction};
use bristle_mechanics::record::{RowObserver, Start, channels, simulate};

/// What is asked of integration in time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeRequest {
    /// Channels by name. They must repeat as well, each as part of its range.
    pub channels: Vec<String>,
    /// Harmonics that are reported.
    pub harmonics: usize,
    /// Samples of a period.
    pub samples: usize,
    /// The motion is steady when a period differs from the one before by this part of its size: all
    /// coordinates over their natural sizes, at every sample, as part of the widest range; and the loss of
    /// every friction element as part of its work with all powers counted positive.
    pub tolerance: f64,
    /// Periods at most.
    pub max_periods: usize,
}

impl Default for TimeRequest {
    fn default() -> Self {
        Self {
            channels: Vec::new(),
            harmonics: 5,
            samples: 256,
            tolerance: 1e-5,
            max_periods: 1000,
        }
    }
}

/// The steady motion at a frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct TimePoint {
    /// Hz.
    pub frequency: f64,
    /// The channels asked for, in their order.
    pub channels: Vec<ChannelResult>,
    /// Contacts and joints with friction.
    pub pairs: Vec<PairResult>,
    /// Periods that were integrated.
    pub periods: usize,
    /// How much the last period differs from the one before, as part of the motion.
    pub change: f64,
    /// Whether that is within the tolerance.
    pub is_steady: bool,
    /// Why the run ended early.
    pub failure: Option<String>,
}

/// Integrates until the motion at a frequency (Hz) repeats.
///
/// # Errors
/// If a channel does not exist or nothing excites the machine. A motion that does not repeat is a
/// result.
pub fn steady_in_time(
    model: &mut Model,
    plan: &Plan,
    frequency: f64,
    request: &TimeRequest,
) -> Result<TimePoint, CurveError> {
    model.set_frequency(Some(frequency));
    let all = channels(model);
    let place = |name: &str| all.iter().position(|c| c.name == name);
    let mut places = Vec::new();
    for name in &request.channels {
        places.push(place(name).ok_or_else(|| CurveError::NoChannel(name.clone()))?);
    }
    let pairs = pair_channels(model, &|name| place(name));
    let period = frequency.recip();
    let samples = request.samples.max(2);
    let step = period / samples as f64;
    let plan = Plan {
        end_time: period * request.max_periods as f64,
        control: limited(plan.control, step),
        ..*plan
    };
    let model_at = &*model;
    let mut cycle = Cycles {
        samples,
        period,
        tolerance: request.tolerance,
        places: &places,
        elements: &pairs,
        repetition: Repetition::new(model_at),
        rows: Vec::new(),
        last: Vec::new(),
        periods: 0,
        change: f64::INFINITY,
    };
    let outcome = simulate(model_at, &plan, Start::Equilibrium, step, &mut cycle);
    let Cycles {
        last,
        periods,
        change,
        ..
    } = cycle;
    model.set_frequency(None);
    if let (Some(error), true) = (&outcome.error, last.is_empty()) {
        return Err(CurveError::Response(ResponseError::NoSteadyMotion {
            frequency,
            reason: error.to_string(),
        }));
    }
    let grid = PeriodGrid::new(request.harmonics, samples);
    let column = |place: usize| -> Vec<f64> { last.iter().map(|row| row[place]).collect() };
    let of = |&place: &usize| channel_from_samples(&column(place), &grid);
    Ok(TimePoint {
        frequency,
        channels: places.iter().map(of).collect(),
        pairs: pairs.iter().map(|pair| pair.read(&last, period)).collect(),
        periods,
        change,
        is_steady: change <= request.tolerance,
        failure: outcome.error.map(|error| error.to_string()),
    })
}

/// Steps that see every sample.
fn limited(control: Control, longest: f64) -> Control {
    match control {
        Control::Fixed { step } => Control::Fixed {
            step: step.min(longest),
        },
        Control::Adaptive {
            min_step,
            max_step,
            first_step,
        } => Control::Adaptive {
            min_step,
            max_step: max_step.min(4.0 * longest),
            first_step: first_step.min(longest),
        },
        other => other,
    }
}

/// Collects rows, period by period.
struct Cycles<'a> {
    samples: usize,
    period: f64,
    tolerance: f64,
    places: &'a [usize],
    elements: &'a [ElementPlaces],
    repetition: Repetition<'a>,
    rows: Vec<Vec<f64>>,
    /// The last whole period.
    last: Vec<Vec<f64>>,
    periods: usize,
    change: f64,
}

impl Cycles<'_> {
    /// The largest change of a channel that is shown from one period to the next, as part of its range:
    /// one may be of a coordinate that is small beside the rest.
    fn shown(&self) -> f64 {
        let change = |&place: &usize| {
            let now = self.rows.iter().map(|row| row[place]);
            let (low, high) = now.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            let pairs = self.rows.iter().zip(&self.last);
            let moved = pairs.map(|(now, last)| (now[place] - last[place]).abs());
            moved.fold(0.0, f64::max) / (high - low).max(f64::MIN_POSITIVE)
        };
        self.places.iter().map(change).fold(0.0, f64::max)
    }
}

impl RowObserver for Cycles<'_> {
    fn row(&mut self, values: &[f64]) -> Flow {
        self.rows.push(values.to_vec());
        if self.rows.len() < self.samples {
            return Flow::Continue;
        }
        let works = self.elements.iter();
        let works = works.map(|element| element.work(&self.rows, self.period));
        self.change = self.repetition.close(works.collect()).max(self.shown());
        self.periods += 1;
        self.last = std::mem::take(&mut self.rows);
        if self.change <= self.tolerance {
            Flow::Stop
        } else {
            Flow::Continue
        }
    }

    fn state(&mut self, state: &State) {
        self.repetition.sample(state);
    }
}

/// Places of the channels of one pair.
struct PairPlaces {
    friction: Vec<usize>,
    velocity: Vec<usize>,
    load: usize,
    /// Slip over what is in `velocity`, m where that is an angular velocity.
    lever: f64,
}

/// Channels of a contact or a joint with friction.
struct ElementPlaces {
    name: String,
    is_contact: bool,
    threshold: f64,
    pairs: Vec<PairPlaces>,
}

fn pair_channels(model: &Model, place: &dyn Fn(&str) -> Option<usize>) -> Vec<ElementPlaces> {
    let mut out = Vec::new();
    for element in model.elements() {
        let Some(frictional) = element.frictional() else {
            continue;
        };
        let name = element.name();
        let mut pairs = Vec::new();
        // torques and angular velocities act at a lever
        let lever = element
            .downcast::<BallFriction>()
            .map_or(1.0, |ball| ball.radius);
        let mut add = |friction: Vec<String>, velocity: Vec<String>, load: String| {
            let all =
                |names: Vec<String>| names.iter().map(|n| place(n)).collect::<Option<Vec<_>>>();
            if let (Some(friction), Some(velocity), Some(load)) =
                (all(friction), all(velocity), place(&load))
            {
                pairs.push(PairPlaces {
                    friction,
                    velocity,
                    load,
                    lever,
                });
            }
        };
        let is_contact = element.downcast::<Contact>().is_some();
        if let Some(contact) = element.downcast::<Contact>() {
            for i in 1..=contact.points.len() {
                let vector = |what: &str| {
                    ["x", "y", "z"].map(|axis| format!("contact.{name}.point{i}.{what}.{axis}"))
                };
                let load = format!("contact.{name}.point{i}.normal_force");
                add(
                    vector("friction").into(),
                    vector("slip_velocity").into(),
                    load,
                );
            }
        } else if element.downcast::<JointFriction>().is_some() {
            let one = |what: &str| format!("joint_friction.{name}.{what}");
            add(
                vec![one("friction")],
                vec![one("slip_velocity")],
                one("load"),
            );
        } else if element.downcast::<BallFriction>().is_some() {
            let vector = |what: &str| {
                ["x", "y", "z"].map(|axis| format!("joint_friction.{name}.{what}.{axis}"))
            };
            add(
                vector("torque").into(),
                vector("angular_velocity").into(),
                format!("joint_friction.{name}.load"),
            );
        }
        out.push(ElementPlaces {
            name: name.to_owned(),
            is_contact,
            threshold: frictional.slip_threshold(),
            pairs,
        });
    }
    out
}

impl ElementPlaces {
    /// What friction did over the rows of a period.
    fn work(&self, rows: &[Vec<f64>], period: f64) -> CycleWork {
        let (mut lost, mut gross) = (0.0, 0.0);
        for (row, pair) in rows
            .iter()
            .flat_map(|row| self.pairs.iter().map(move |p| (row, p)))
        {
            let both = pair.friction.iter().zip(&pair.velocity);
            let power: f64 = both.map(|(&f, &v)| row[f] * row[v]).sum();
            lost += power;
            gross += power.abs();
        }
        let step = period / rows.len().max(1) as f64;
        CycleWork {
            lost: lost * step,
            gross: gross * step,
        }
    }

    fn read(&self, rows: &[Vec<f64>], period: f64) -> PairResult {
        let size = |row: &[f64], places: &[usize]| {
            places.iter().map(|&p| row[p] * row[p]).sum::<f64>().sqrt()
        };
        let (mut speed, mut coefficient, mut stuck) = (0.0_f64, 0.0_f64, 0);
        for row in rows {
            let mut sticks = true;
            for pair in &self.pairs {
                let load = row[pair.load];
                if load > 0.0 {
                    let own = pair.lever * size(row, &pair.velocity);
                    speed = speed.max(own);
                    coefficient = coefficient.max(size(row, &pair.friction) / (pair.lever * load));
                    sticks &= own < self.threshold;
                }
            }
            stuck += usize::from(sticks);
        }
        let count = rows.len().max(1) as f64;
        PairResult {
            name: self.name.clone(),
            is_contact: self.is_contact,
            dissipated_per_cycle: self.work(rows, period).lost,
            max_slip_speed: speed,
            stuck_fraction: stuck as f64 / count,
            max_coefficient: coefficient,
        }
    }
}
