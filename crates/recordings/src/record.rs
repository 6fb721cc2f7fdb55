//! What was measured.

use crate::statistics::median;
use crate::{MotionNoise, MotionUnits, RecordError, derivative};

/// What a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// Samples of a motion, in time.
    Motion,
    /// Points of a steady curve: force over velocity, in any order, without time.
    Steady,
    /// A motion that the force made: the model computes the position, which is compared.
    Free,
}

/// A position controller with a limited output, as hobby servos have it: the driving force is
/// c u(t) clip(k (goal − x), ±1), with the supply u, the gain k and the parameter `motor`, c.
#[derive(Clone, Debug, PartialEq)]
pub struct Servo {
    /// The position that is asked for, m or rad.
    pub goal: Vec<f64>,
    /// What limits the force: the supply voltage, V, or the limit itself, N.
    pub supply: Vec<f64>,
    /// Share of the limit per error of position, 1/m or 1/rad.
    pub gain: f64,
}

impl Servo {
    /// The output for a position, in units of the supply.
    pub fn output(&self, goal: f64, supply: f64, position: f64) -> f64 {
        supply * (self.gain * (goal - position)).clamp(-1.0, 1.0)
    }
}

/// One measurement. SI; the force is along the velocity, so that friction has its sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Name for messages and plots.
    pub name: String,
    /// Motion or steady curve.
    pub kind: RecordKind,
    /// Time, s; the number of the sample for a steady curve.
    pub t: Vec<f64>,
    /// Slip velocity, m/s; linear between samples.
    pub velocity: Vec<f64>,
    /// Position, m, if known: for gravity and for residuals over position.
    pub position: Option<Vec<f64>>,
    /// Acceleration, m/s², for the mass.
    pub acceleration: Vec<f64>,
    /// Normal force, N; 1 if it was not measured.
    pub load: Vec<f64>,
    /// Whether the normal force was measured or given.
    pub load_known: bool,
    /// The measured force along the velocity, N.
    pub force: Vec<f64>,
    /// Applied force, N, for laws that hold it at rest or take the direction of a load from it.
    pub applied: Option<Vec<f64>>,
    /// Weight of each sample in the fit: 0 where it is left out.
    pub weight: Vec<f64>,
    /// Temperature or another column against which residuals are looked at.
    pub temperature: Option<Vec<f64>>,
    /// Cut-off of the zero-phase low-pass of motion and residual, Hz.
    pub cutoff: Option<f64>,
    /// Noise of the signal that the motion is from, if it is known.
    pub noise: Option<MotionNoise>,
    /// Whether it is of a motion along a line or about an axis: the units of all that is above.
    pub units: MotionUnits,
    /// The controller that makes the force of a free motion, if it is not the measured one.
    pub servo: Option<Servo>,
    /// Which of the fitted start velocities of the model is its own, if there is one.
    pub start: Option<usize>,
}

impl Record {
    /// A motion: time (s), slip velocity (m/s), force (N).
    ///
    /// # Errors
    /// If lengths differ, a value is not finite, or times do not increase.
    pub fn motion(
        name: &str,
        t: Vec<f64>,
        velocity: Vec<f64>,
        force: Vec<f64>,
    ) -> Result<Self, RecordError> {
        let record = Self::new(name, RecordKind::Motion, t, velocity, force)?;
        for (i, pair) in record.t.windows(2).enumerate() {
            if pair[1] <= pair[0] {
                return Err(RecordError::Order {
                    record: name.to_owned(),
                    sample: i + 2,
                    t: pair[1],
                    previous: pair[0],
                });
            }
        }
        let acceleration = derivative(&record.t, &record.velocity);
        Ok(Self {
            acceleration,
            ..record
        })
    }

    /// Points of a steady curve: velocity (m/s), force (N).
    ///
    /// # Errors
    /// If lengths differ or a value is not finite.
    pub fn steady(name: &str, velocity: Vec<f64>, force: Vec<f64>) -> Result<Self, RecordError> {
        let t = (0..velocity.len()).map(|i| i as f64).collect();
        Self::new(name, RecordKind::Steady, t, velocity, force)
    }

    fn new(
        name: &str,
        kind: RecordKind,
        t: Vec<f64>,
        velocity: Vec<f64>,
        force: Vec<f64>,
    ) -> Result<Self, RecordError> {
        let count = t.len();
        let record = Self {
            name: name.to_owned(),
            kind,
            position: None,
            acceleration: vec![0.0; count],
            load: vec![1.0; count],
            load_known: false,
            applied: None,
            weight: vec![1.0; count],
            temperature: None,
            cutoff: None,
            noise: None,
            units: MotionUnits::Linear,
            servo: None,
            start: None,
            t,
            velocity,
            force,
        };
        record.check("t", &record.t)?;
        record.check("v", &record.velocity)?;
        record.check("F", &record.force)?;
        Ok(record)
    }

    fn check(&self, column: &'static str, values: &[f64]) -> Result<(), RecordError> {
        let record = || self.name.clone();
        if values.len() != self.t.len() {
            return Err(RecordError::Length {
                record: record(),
                column,
                found: values.len(),
                expected: self.t.len(),
            });
        }
        match values.iter().position(|x| !x.is_finite()) {
            Some(i) => Err(RecordError::NotFinite {
                record: record(),
                column,
                sample: i + 1,
            }),
            None => Ok(()),
        }
    }

    /// The measured normal force, N.
    ///
    /// # Errors
    /// If it has another length, is not finite or negative somewhere.
    pub fn with_load(mut self, load: Vec<f64>) -> Result<Self, RecordError> {
        self.check("N", &load)?;
        if let Some(i) = load.iter().position(|n| *n < 0.0) {
            return Err(RecordError::NegativeLoad {
                record: self.name,
                sample: i + 1,
                value: load[i],
            });
        }
        self.load = load;
        self.load_known = true;
        Ok(self)
    }

    /// The measured position, m.
    ///
    /// # Errors
    /// If it has another length or is not finite.
    pub fn with_position(mut self, position: Vec<f64>) -> Result<Self, RecordError> {
        self.check("x", &position)?;
        self.position = Some(position);
        Ok(self)
    }

    /// The measured acceleration, m/s², instead of the derivative of the velocity.
    ///
    /// # Errors
    /// If it has another length or is not finite.
    pub fn with_acceleration(mut self, acceleration: Vec<f64>) -> Result<Self, RecordError> {
        self.check("a", &acceleration)?;
        self.acceleration = acceleration;
        Ok(self)
    }

    /// The applied force, N.
    ///
    /// # Errors
    /// If it has another length or is not finite.
    pub fn with_applied(mut self, applied: Vec<f64>) -> Result<Self, RecordError> {
        self.check("Fe", &applied)?;
        self.applied = Some(applied);
        Ok(self)
    }

    /// A motion that the measured force made: fits compare the position that the model computes
    /// with the measured one. The force is then the one that drives, not what is left of it at the
    /// contact.
    ///
    /// # Errors
    /// If there is no position or no time.
    pub fn into_free(mut self) -> Result<Self, RecordError> {
        if self.position.is_none() || self.kind == RecordKind::Steady {
            return Err(RecordError::NoPosition { record: self.name });
        }
        self.kind = RecordKind::Free;
        self.cutoff = None;
        Ok(self)
    }

    /// A free motion under a position controller. The force becomes what the controller gives at
    /// the measured positions, in units of its supply.
    ///
    /// # Errors
    /// If there is no position, a column has another length or is not finite, or the gain is not
    /// above 0.
    pub fn with_servo(self, servo: Servo) -> Result<Self, RecordError> {
        self.check("goal", &servo.goal)?;
        self.check("supply", &servo.supply)?;
        if !(servo.gain > 0.0 && servo.gain.is_finite()) {
            return Err(RecordError::Gain { value: servo.gain });
        }
        let mut record = self.into_free()?;
        let x = record.target().to_vec();
        record.force = (0..x.len())
            .map(|i| servo.output(servo.goal[i], servo.supply[i], x[i]))
            .collect();
        record.servo = Some(servo);
        Ok(record)
    }

    /// What the model is compared with: the force, or the position of a free motion.
    pub fn target(&self) -> &[f64] {
        match (&self.position, self.kind) {
            (Some(position), RecordKind::Free) => position,
            _ => &self.force,
        }
    }

    /// Unit of [`Self::target`].
    pub fn target_unit(&self) -> &'static str {
        self.units.of(if self.kind == RecordKind::Free {
            "m"
        } else {
            "N"
        })
    }

    /// The same samples as a force for the measured motion, with a force that is `motor` times as
    /// large: where a search begins.
    #[must_use]
    pub fn as_driven(&self, motor: f64) -> Self {
        let force = self.force.iter().map(|f| motor * f).collect();
        Self {
            kind: RecordKind::Motion,
            force,
            servo: None,
            ..self.clone()
        }
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.t.len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.t.is_empty()
    }

    /// Samples that count in the fit.
    pub fn counted(&self) -> usize {
        self.weight.iter().filter(|w| **w > 0.0).count()
    }

    /// Median time between samples, s.
    pub fn interval(&self) -> f64 {
        let steps: Vec<f64> = self.t.windows(2).map(|p| p[1] - p[0]).collect();
        median(&steps).unwrap_or(1.0)
    }

    /// A step longer than this is a gap: nothing is known in between, and the law starts again.
    pub fn longest_step(&self) -> f64 {
        10.0 * self.interval()
    }

    /// Whether the time step before sample `i` is a gap.
    pub fn gap_before(&self, i: usize, longest: f64) -> bool {
        i > 0 && self.t[i] - self.t[i - 1] > longest
    }

    /// Root mean square of the target over the samples that count, N or m.
    pub fn target_rms(&self) -> f64 {
        let squares = self
            .target()
            .iter()
            .zip(&self.weight)
            .map(|(f, w)| w * f * f);
        let sum: f64 = squares.sum();
        (sum / self.weight.iter().sum::<f64>().max(1.0)).sqrt()
    }

    /// Root mean square of the force over the samples that count, N.
    pub fn force_rms(&self) -> f64 {
        let squares = self.force.iter().zip(&self.weight).map(|(f, w)| w * f * f);
        let sum: f64 = squares.sum();
        (sum / self.weight.iter().sum::<f64>().max(1.0)).sqrt()
    }

    /// Displacement from the position, or from the velocity by the trapezoidal rule, m.
    pub fn displacement(&self) -> Vec<f64> {
        if let Some(position) = &self.position {
            return position.clone();
        }
        let mut x = 0.0;
        let each = (0..self.len()).map(|i| {
            if i > 0 {
                x += 0.5 * (self.velocity[i] + self.velocity[i - 1]) * (self.t[i] - self.t[i - 1]);
            }
            x
        });
        each.collect()
    }

    /// Every `k`-th sample, for quick looks.
    #[must_use]
    pub fn thinned(&self, k: usize) -> Self {
        let pick = |values: &Vec<f64>| values.iter().step_by(k).copied().collect::<Vec<_>>();
        Self {
            name: self.name.clone(),
            t: pick(&self.t),
            velocity: pick(&self.velocity),
            position: self.position.as_ref().map(pick),
            acceleration: pick(&self.acceleration),
            load: pick(&self.load),
            force: pick(&self.force),
            applied: self.applied.as_ref().map(pick),
            weight: pick(&self.weight),
            temperature: self.temperature.as_ref().map(pick),
            servo: self.servo.as_ref().map(|s| Servo {
                goal: pick(&s.goal),
                supply: pick(&s.supply),
                gain: s.gain,
            }),
            ..*self
        }
    }
}
