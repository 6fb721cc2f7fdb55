//! The record of a motion in time: which measured signal its velocity and acceleration are from, and
//! the low-pass without which a derivative would be noise.

use bristle_units::{format_quantity, number_of};

use crate::doubts::consistent;
use crate::filter::derivative_of_smooth;
use crate::problem::refused;
use crate::signals::Signals;
use crate::statistics::rms;
use crate::{
    ColumnNoise, Lowpass, MotionNoise, MotionSource, PreparationPlan, Problem, Quantity, Record,
    derivative, distorted, lowpass, resample, suggested_cutoff, suggested_cutoff_of_velocity,
};

/// A measured velocity with less noise than this share of its size serves as it is, unless it is
/// to be differentiated.
const CLEAN: f64 = 0.01;

/// The position takes the place of a velocity that is worse than its derivative by this factor: two
/// estimates of noise are not closer than that.
const WORSE: f64 = 1.5;

/// Longest delay that can be taken out, as a share of the record.
const LONGEST_DELAY: f64 = 0.1;

/// The low-pass of a motion: its cut-off, and the even rate without which it cannot be used.
struct MotionFilter {
    cutoff: Option<f64>,
    rate: f64,
    even: bool,
    /// Whether the noise of the signal does not count without it.
    needless: bool,
}

impl MotionFilter {
    /// The filter that the plan asks for, or the `suggested` one.
    fn of(plan: &PreparationPlan, t: &[f64], suggested: Option<f64>) -> Self {
        let rate = (t.len() - 1) as f64 / (t[t.len() - 1] - t[0]);
        let even = t
            .windows(2)
            .all(|p| ((p[1] - p[0]) * rate - 1.0).abs() < 0.5);
        let cutoff = match plan.lowpass {
            Lowpass::At(f) => Some(f),
            Lowpass::Automatic => suggested,
            Lowpass::Off => None,
        };
        Self {
            cutoff,
            rate,
            even,
            needless: suggested.is_none(),
        }
    }

    /// The cut-off, if the filter can be used.
    fn used(&self) -> Option<f64> {
        self.cutoff.filter(|_| self.even)
    }

    /// Refuses a cut-off that was asked for and that the samples do not reach.
    fn possible(&self, plan: &PreparationPlan, file: &str) -> Result<(), Problem> {
        let highest = 0.5 * self.rate;
        let Lowpass::At(cutoff) = plan.lowpass else {
            return Ok(());
        };
        if cutoff < highest {
            return Ok(());
        }
        let message = format!(
            "{file}: --lowpass = {}, must be in (0, {}): below half of the sampling rate",
            format_quantity(cutoff, "Hz"),
            format_quantity(highest, "Hz")
        );
        Err(Problem::with(message, "`off` filters nothing"))
    }

    fn filter(&self, x: &[f64]) -> Vec<f64> {
        match self.used() {
            Some(cutoff) => lowpass(x, self.rate, cutoff),
            None => x.to_vec(),
        }
    }

    fn note(&self, plan: &PreparationPlan, notes: &mut Vec<String>) {
        let Some(cutoff) = self.cutoff else {
            return;
        };
        notes.push(if self.even {
            let what = if plan.free {
                "the motion is"
            } else {
                "motion and residual are"
            };
            format!(
                "{what} filtered: zero-phase low-pass, -6 dB at {}",
                format_quantity(cutoff, "Hz")
            )
        } else {
            "the samples are too uneven in time for the low-pass; nothing is filtered".to_owned()
        });
    }

    /// Whether noise does not count in what it leaves: it is used, or it was not needed.
    fn leaves_smooth(&self) -> bool {
        self.used().is_some() || self.needless
    }

    /// Leaves out what the filter distorts.
    fn without_ends(&self, record: &mut Record, notes: &mut Vec<String>) {
        let Some(cutoff) = self.used() else {
            return;
        };
        let n = record.len();
        let ends = distorted(self.rate, cutoff).min(n / 10);
        record.weight[..ends].fill(0.0);
        record.weight[n - ends..].fill(0.0);
        notes.push(format!(
            "left out: {} at either end, which the low-pass distorts",
            number_of(ends, "sample", "samples")
        ));
    }
}

/// The signal that velocity and acceleration are from, with its low-pass.
struct MeasuredSignal {
    from: MotionSource,
    noise: ColumnNoise,
    filter: MotionFilter,
}

impl MeasuredSignal {
    /// The better one of a measured position and a measured velocity; one of them there must be.
    fn choose(
        plan: &PreparationPlan,
        t: &[f64],
        position: Option<&[f64]>,
        velocity: Option<&[f64]>,
        notes: &mut Vec<String>,
    ) -> Self {
        let of_position = |x: &[f64]| Self {
            from: MotionSource::Position,
            noise: ColumnNoise::of(x),
            filter: MotionFilter::of(plan, t, suggested_cutoff(t, x)),
        };
        let of_velocity = |v: &[f64]| {
            let suggested = plan
                .accelerates
                .then(|| suggested_cutoff_of_velocity(t, v))
                .flatten();
            Self {
                from: MotionSource::Velocity,
                noise: ColumnNoise::of(v),
                filter: MotionFilter::of(plan, t, suggested),
            }
        };
        match (position, velocity) {
            (Some(x), None) => of_position(x),
            (Some(x), Some(v)) => {
                let (a, b) = (of_position(x), of_velocity(v));
                let is_given = plan.map.names(Quantity::Velocity);
                if !is_given && b.is_worse_than(&a, v, plan) {
                    b.note_replaced(&a, notes);
                    return a;
                }
                if let Some(one_sided) = OneSided::of(t, x, v).filter(|_| !is_given) {
                    notes.push(one_sided.note());
                    return a;
                }
                a.note_unused(&b, notes);
                b
            }
            (None, v) => of_velocity(v.unwrap_or_default()),
        }
    }

    /// Whether a measured velocity is noisier than the derivative of the position, both through the
    /// low-pass that the position needs.
    fn is_worse_than(&self, position: &Self, v: &[f64], plan: &PreparationPlan) -> bool {
        let serves = self.noise.size() <= CLEAN * rms(v);
        let differentiated = plan.accelerates && self.filter.cutoff.is_some();
        if serves && !differentiated {
            return false;
        }
        self.noise.size() > WORSE * position.velocity_noise()
    }

    /// The noise of the velocity that a position gives, as white noise of a velocity that would leave
    /// as much behind the same low-pass: the spectrum of a derivative rises with the square of the
    /// frequency.
    fn velocity_noise(&self) -> f64 {
        let band = self.filter.used().unwrap_or(0.25 * self.filter.rate);
        self.noise.size() * 2.0 * std::f64::consts::PI * band / 3.0_f64.sqrt()
    }

    fn note_replaced(&self, position: &Self, notes: &mut Vec<String>) {
        notes.push(format!(
            "the velocity column is not used: its noise, {:.2e}, is more than the {:.2e} of the derivative \
             of the position (--column velocity=NAME uses it all the same)",
            self.noise.size(),
            position.velocity_noise()
        ));
    }

    fn note_unused(&self, velocity: &Self, notes: &mut Vec<String>) {
        if velocity.noise.size() > 0.0 && self.velocity_noise() > WORSE * velocity.noise.size() {
            notes.push(format!(
                "velocity and acceleration are from the velocity column: the derivative of the \
                 position would have a noise of {:.2e} instead of {:.2e}",
                self.velocity_noise(),
                velocity.noise.size()
            ));
        }
    }
}

/// A velocity column that is the difference of the position over one step, as controllers compute it: half a step
/// late or early.
#[derive(Clone, Copy)]
enum OneSided {
    Late,
    Early,
}

impl OneSided {
    /// By how much of the velocity such a column may miss the difference: by roundings of both columns.
    const ROUNDING: f64 = 0.02;
    /// It does so by less than this part of what it misses the difference over both neighbours by.
    const CLEARLY: f64 = 0.25;

    fn of(t: &[f64], x: &[f64], v: &[f64]) -> Option<Self> {
        let central = derivative(t, x);
        let slope = |i: usize| (x[i + 1] - x[i]) / (t[i + 1] - t[i]);
        let inner = 1..x.len().saturating_sub(1);
        let misses = |of: &dyn Fn(usize) -> f64| {
            let misses: Vec<f64> = inner.clone().map(|i| v[i] - of(i)).collect();
            rms(&misses)
        };
        let most = (Self::ROUNDING * rms(v)).min(Self::CLEARLY * misses(&|i| central[i]));
        if misses(&|i| slope(i - 1)) < most {
            Some(Self::Late)
        } else if misses(&slope) < most {
            Some(Self::Early)
        } else {
            None
        }
    }

    fn note(self) -> String {
        let (side, off) = match self {
            Self::Late => ("before", "late"),
            Self::Early => ("after", "early"),
        };
        format!(
            "the velocity column is not used: it is the difference of the position to the sample {side}, half a \
             step {off} (--column velocity=NAME uses it all the same)"
        )
    }
}

/// A record of a motion in time.
pub(crate) fn moving(
    name: &str,
    t: Vec<f64>,
    signals: &mut Signals,
    plan: &PreparationPlan,
    notes: &mut Vec<String>,
) -> Result<Record, Problem> {
    signals.in_order(&t)?;
    let file = signals.file().to_owned();
    if t.len() < 4 {
        let message = format!(
            "{file}: too few for a motion: {}; it takes 4 or more",
            number_of(t.len(), "row", "rows")
        );
        return Err(Problem::new(message));
    }
    let position = signals.take(Quantity::Position);
    // a computed motion is compared with positions, and only begins with a velocity
    let derive = plan.free && position.is_some() && !plan.map.names(Quantity::Velocity);
    let measured = signals.take(Quantity::Velocity).filter(|_| !derive);
    // a controller makes the force that was not measured
    let force = signals.take(Quantity::Force);
    let force = force.unwrap_or_else(|| vec![0.0; t.len()]);
    if let (Some(v), Some(x)) = (&measured, &position) {
        consistent(&file, &derivative(&t, x), v, notes)?;
    }
    let source = MeasuredSignal::choose(plan, &t, position.as_deref(), measured.as_deref(), notes);
    let filter = &source.filter;
    filter.possible(plan, &file)?;
    filter.note(plan, notes);
    let velocity = match (source.from, &position, measured) {
        (MotionSource::Position, Some(x), _) => {
            notes.push("the velocity is the derivative of the position".to_owned());
            let slope = if filter.leaves_smooth() {
                derivative_of_smooth
            } else {
                derivative
            };
            slope(&t, &filter.filter(x))
        }
        (_, _, measured) => filter.filter(&measured.unwrap_or_default()),
    };
    let force = delayed(&file, &t, force, plan.delay, notes)?;
    let refused = refused(&file);
    let mut record = Record::motion(name, t, velocity, force).map_err(&refused)?;
    record.cutoff = filter.used();
    if filter.leaves_smooth() {
        record.acceleration = derivative_of_smooth(&record.t, &record.velocity);
    }
    if let Some(x) = position {
        record = record.with_position(filter.filter(&x)).map_err(&refused)?;
    }
    let acceleration = signals.take(Quantity::Acceleration);
    record.noise = Some(MotionNoise {
        source: source.from,
        deviation: source.noise.size(),
        acceleration: acceleration.as_deref().map(|a| ColumnNoise::of(a).size()),
    });
    if let Some(a) = acceleration {
        let a = filter.filter(&a);
        record = record.with_acceleration(a).map_err(&refused)?;
    }
    if let Some(fe) = signals.take(Quantity::Applied) {
        record = record.with_applied(fe).map_err(&refused)?;
    }
    filter.without_ends(&mut record, notes);
    record.temperature = signals.take(Quantity::Temperature);
    Ok(record)
}

/// Takes a delay out of the force: its value at t is that measured at t + delay.
fn delayed(
    file: &str,
    t: &[f64],
    force: Vec<f64>,
    delay: f64,
    notes: &mut Vec<String>,
) -> Result<Vec<f64>, Problem> {
    if delay == 0.0 {
        return Ok(force);
    }
    let most = LONGEST_DELAY * (t[t.len() - 1] - t[0]);
    if delay.abs() > most || !delay.is_finite() {
        let message = format!(
            "{file}: --delay = {}, must be within ± {}, a tenth of the record",
            format_quantity(delay, "s"),
            format_quantity(most, "s")
        );
        return Err(Problem::with(
            message,
            "it is the time by which the force is behind the motion",
        ));
    }
    notes.push(format!(
        "the force is moved by {} against the motion",
        format_quantity(delay, "s")
    ));
    let later: Vec<f64> = t.iter().map(|time| time + delay).collect();
    Ok(resample(t, &force, &later))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use crate::{DataTable, PreparationPlan, prepare};

    /// 2 rad at 1 Hz, sampled with 200 Hz by an encoder of 14 bits, with a column of the velocity.
    fn prepared(velocity: impl Fn(usize, &dyn Fn(usize) -> f64) -> f64) -> (String, f64) {
        let (step, rate) = (std::f64::consts::TAU / 16384.0, 200.0);
        let omega = std::f64::consts::TAU;
        let place = |i: usize| (2.0 * (omega * i as f64 / rate).sin() / step).round() * step;
        let mut text = "t [s],position [rad],velocity [rad/s],torque [N m]\n".to_owned();
        for i in 1..800 {
            let v = velocity(i, &place);
            let _ = writeln!(text, "{},{},{v},{}", i as f64 / rate, place(i), v.signum());
        }
        let table = DataTable::parse(text.as_bytes(), Path::new("m.csv")).unwrap();
        let prepared = prepare(&table, &PreparationPlan::default()).unwrap();
        let record = prepared.record;
        let middle = 100..700;
        let worst =
            middle.map(|i| (record.velocity[i] - 2.0 * omega * (omega * record.t[i]).cos()).abs());
        (
            prepared.preparation.notes.join("\n"),
            worst.fold(0.0, f64::max),
        )
    }

    #[test]
    fn a_velocity_that_is_half_a_step_late_is_not_used() {
        let difference = |i: usize, place: &dyn Fn(usize) -> f64| 200.0 * (place(i) - place(i - 1));
        let (notes, worst) = prepared(difference);
        assert!(notes.contains("not used"), "{notes}");
        // half a step late would be 0.2 rad/s; steps of the encoder over two samples are 0.04 rad/s
        assert!(worst < 0.05, "{worst}");
        let (notes, _) = prepared(|i, place| 100.0 * (place(i + 1) - place(i - 1)));
        assert!(!notes.contains("half a step"), "{notes}");
    }
}
