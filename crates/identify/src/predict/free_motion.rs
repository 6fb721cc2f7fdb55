//! The motion of a mass under a measured force: the simulation inside the fit.
//!
//! m a = F(t) − F₀ − d v − G sin(x + φ₀) − f(law), with the law's implicit update inside every
//! step. The method is the stiffly accurate SDIRK of second order (Alexander 1977), γ = 1 − 1/√2:
//! L-stable, so that stuck contacts come to rest, and second order, so that steps as long as those
//! of the record do. In each stage the law is given the mean slip velocity, which is the
//! displacement over the time since the start of the step, and the velocity at its end.

use bristle_laws::{MAX_STATES, Slip, Step};

use super::slope::force_and_slope;
use crate::Record;
use crate::model::Acting;
use crate::statistics::rms;

/// Root of the stability polynomial that makes the method L-stable.
const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// More steps than this in an interval do not help: the record is too coarse for the law.
const MOST_STEPS: u8 = 32;

/// Newton steps and bisections of a stage: an interval shrinks to rounding in fewer.
const MOST_ITERATIONS: usize = 60;

/// What acts from outside at one instant.
#[derive(Clone, Copy)]
struct Outside {
    /// The driving force, or the goal of a controller.
    drive: f64,
    supply: f64,
    load: f64,
}

impl Outside {
    fn at(record: &Record, acting: &Acting, i: usize) -> Self {
        let (drive, supply) = match &record.servo {
            Some(servo) => (servo.goal[i], acting.motor * servo.supply[i]),
            None => (acting.motor * record.force[i], 0.0),
        };
        Self {
            drive,
            supply,
            load: record.load[i] + acting.preload,
        }
    }

    fn between(a: Self, b: Self, s: f64) -> Self {
        let mix = |x: f64, y: f64| x + s * (y - x);
        Self {
            drive: mix(a.drive, b.drive),
            supply: mix(a.supply, b.supply),
            load: mix(a.load, b.load),
        }
    }
}

/// The mass on its way.
struct Mover<'a> {
    record: &'a Record,
    acting: &'a Acting,
    count: usize,
    x: f64,
    v: f64,
    state: [f64; MAX_STATES],
}

/// One stage: v is sought such that the equation of motion holds at its end.
struct TrialStage<'a> {
    mover: &'a Mover<'a>,
    outside: Outside,
    /// x = x_base + reach v.
    x_base: f64,
    reach: f64,
    v_base: f64,
    /// Time since the start of the step.
    duration: f64,
}

/// What a trial velocity leads to.
struct TrialVelocity {
    residual: f64,
    slope: f64,
    state: [f64; MAX_STATES],
}

impl<'a> Mover<'a> {
    fn start(record: &'a Record, acting: &'a Acting, i: usize) -> Self {
        // a gap is not the start of the record
        let own = record.start.filter(|_| i == 0);
        let start = own
            .and_then(|k| acting.starts.get(k))
            .copied()
            .unwrap_or(0.0);
        let mut mover = Self {
            record,
            acting,
            count: acting.law.as_ref().map_or(0, |l| l.layout().len(1)),
            x: record.target()[i],
            v: record.velocity[i] + start,
            state: [0.0; MAX_STATES],
        };
        if let Some(law) = &acting.law {
            let slip = Slip {
                velocity: [mover.v],
                normal_force: record.load[i] + acting.preload,
                applied: [0.0],
            };
            law.start(&slip, &mut mover.state[..mover.count]);
        }
        mover
    }

    fn step(&mut self, from: Outside, to: Outside, h: f64) {
        let inner = TrialStage {
            mover: self,
            outside: Outside::between(from, to, GAMMA),
            x_base: self.x,
            reach: GAMMA * h,
            v_base: self.v,
            duration: GAMMA * h,
        };
        let (v, _) = inner.solve(self.v);
        let rate = (v - self.v) / (GAMMA * h);
        let outer = TrialStage {
            mover: self,
            outside: to,
            x_base: self.x + (1.0 - GAMMA) * h * v,
            reach: GAMMA * h,
            v_base: self.v + (1.0 - GAMMA) * h * rate,
            duration: h,
        };
        let (v, trial) = outer.solve(v);
        self.x = outer.x_base + outer.reach * v;
        self.v = v;
        self.state[..self.count].copy_from_slice(&trial.state[..self.count]);
    }
}

impl TrialStage<'_> {
    /// m (v − v_base)/reach − (what drives − friction), and its slope, which is positive where
    /// friction does not fall too fast with speed.
    fn try_velocity(&self, v: f64) -> TrialVelocity {
        let (acting, mover) = (self.mover.acting, self.mover);
        let x = self.x_base + self.reach * v;
        let (drive, stiffness) = match &mover.record.servo {
            Some(servo) => {
                let error = servo.gain * (self.outside.drive - x);
                let inside = error.abs() < 1.0;
                let force = servo.output(self.outside.drive, self.outside.supply, x);
                (
                    force,
                    if inside {
                        servo.gain * self.outside.supply
                    } else {
                        0.0
                    },
                )
            }
            None => (self.outside.drive, 0.0),
        };
        let (sine, cosine) = (x + acting.phase).sin_cos();
        let weight = acting.gravity * sine;
        let drag = if v < 0.0 {
            acting.drag.1
        } else {
            acting.drag.0
        };
        let applied = drive - acting.offset - weight - drag * v;
        let mut trial = TrialVelocity {
            residual: acting.mass * (v - self.v_base) / self.reach - applied,
            slope: acting.mass / self.reach
                + drag
                + self.reach * (acting.gravity * cosine + stiffness),
            state: mover.state,
        };
        let w = (x - mover.x) / self.duration;
        let Some(law) = &self.mover.acting.law else {
            return trial;
        };
        let through = drive + weight;
        let load = (self.outside.load + acting.transmitted * through.abs()).max(0.0);
        let slip = |velocity: f64| Slip {
            velocity: [velocity],
            normal_force: load,
            applied: [applied],
        };
        let step = Step {
            mean: slip(w),
            end: slip(v),
            duration: self.duration,
        };
        let old = &mover.state[..mover.count];
        let mean = self.reach / self.duration;
        let new = &mut trial.state[..mover.count];
        let (force, slope) = force_and_slope(law, &step, mean, old, new);
        trial.residual += force;
        trial.slope += slope;
        trial
    }

    /// Newton's method, within an interval as soon as there is one: friction may jump.
    fn solve(&self, guess: f64) -> (f64, TrialVelocity) {
        let inertia = self.mover.acting.mass / self.reach;
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut v = guess;
        let mut trial = self.try_velocity(v);
        let size = v.abs().max(1e-9);
        let mut last = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            if !trial.residual.is_finite() || trial.residual == 0.0 {
                break;
            }
            if trial.residual > 0.0 {
                high = v;
            } else {
                low = v;
            }
            let slope = trial.slope.max(0.1 * inertia);
            let mut next = v - trial.residual / slope;
            // Newton's method where it stays inside and gains, else the middle
            let outside = next <= low || next >= high;
            let slow = (next - v).abs() > 0.5 * last;
            let halved = low.is_finite() && high.is_finite() && (outside || slow);
            if halved {
                next = 0.5 * (low + high);
            }
            let change = (next - v).abs();
            last = change;
            v = next;
            // the error behind a step of Newton's method is the square of its length
            let enough = if halved { 1e-13 } else { 1e-7 };
            let done = change <= enough * size.max(v.abs());
            trial = self.try_velocity(v);
            if done {
                break;
            }
        }
        (v, trial)
    }
}

/// Positions at the samples, `steps` steps in each interval. The motion starts with the measured
/// position and velocity, and again behind a gap.
pub(crate) fn positions(record: &Record, acting: &Acting, steps: u8) -> Vec<f64> {
    if record.is_empty() {
        return Vec::new();
    }
    let longest = record.longest_step();
    let mut mover = Mover::start(record, acting, 0);
    let mut all = vec![mover.x];
    let mut from = Outside::at(record, acting, 0);
    for i in 1..record.len() {
        let to = Outside::at(record, acting, i);
        if record.gap_before(i, longest) {
            mover = Mover::start(record, acting, i);
        } else {
            let h = (record.t[i] - record.t[i - 1]) / f64::from(steps);
            let mut last = from;
            for k in 1..=steps {
                let next = Outside::between(from, to, f64::from(k) / f64::from(steps));
                mover.step(last, next, h);
                last = next;
            }
        }
        from = to;
        all.push(mover.x);
    }
    all
}

/// Steps in each interval that keep the positions within `tolerance` (m, root mean square) of those
/// with twice as many.
pub(crate) fn steps(record: &Record, acting: &Acting, tolerance: f64) -> u8 {
    let mut steps = 1;
    let mut once = positions(record, acting, steps);
    while steps < MOST_STEPS {
        let twice = positions(record, acting, 2 * steps);
        let difference: Vec<f64> = once.iter().zip(&twice).map(|(a, b)| a - b).collect();
        let error = rms(&difference);
        if error.is_nan() || error <= tolerance {
            break;
        }
        once = twice;
        steps *= 2;
    }
    steps
}
