//! What a contact or a joint does over a run, at its output times and accepted steps.

use bristle_results::{Channel, PairKind};

use crate::law_place::LawPlace;

/// A point counts in ratios of forces where its normal force is at least this part of the largest
/// one so far: below, a quotient of two small numbers says nothing.
const LOADED: f64 = 0.02;
/// Rows that are kept, at most: of more, every two become one.
const MOST: usize = 200_000;

/// Units of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceUnits {
    /// Of friction.
    pub force: &'static str,
    /// Of slip.
    pub slip: &'static str,
    /// Of slip speed.
    pub speed: &'static str,
}

impl TraceUnits {
    /// Of faces that slide.
    pub const SLIDES: Self = Self {
        force: "N",
        slip: "m",
        speed: "m/s",
    };
    /// Of a joint that turns: a torque over an angle.
    pub const TURNS: Self = Self {
        force: "N m",
        slip: "rad",
        speed: "rad/s",
    };
}

impl Default for TraceUnits {
    fn default() -> Self {
        Self::SLIDES
    }
}

/// Forces and motion of one contact, or of one joint with friction along the first axis.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Its units.
    pub units: TraceUnits,
    /// Times (s).
    pub t: Vec<f64>,
    /// Total friction along the slip, world axes.
    pub force: Vec<[f64; 3]>,
    /// Total normal force, or load (N).
    pub normal: Vec<f64>,
    /// Slip speed of the fastest loaded point.
    pub speed: Vec<f64>,
    /// Mean slip velocity of the points, world axes.
    pub velocity: Vec<[f64; 3]>,
    /// Largest friction over normal force of any loaded point.
    pub ratio: Vec<f64>,
    /// Slip displacement, the integral of the mean slip velocity.
    pub slip: Vec<[f64; 3]>,
}

/// Where the channels of a contact or joint stand in a row.
#[derive(Clone, Debug)]
pub(super) struct ChannelPlaces {
    units: TraceUnits,
    /// A joint has one component.
    force: Vec<usize>,
    normal: usize,
    speed: usize,
    /// Of each point: size of friction over load, its load, slip velocity.
    points: Vec<PointPlaces>,
}

#[derive(Clone, Debug)]
struct PointPlaces {
    friction: usize,
    load: usize,
    velocity: Vec<usize>,
}

impl ChannelPlaces {
    pub(super) fn of(of: &LawPlace, channels: &[Channel]) -> Option<Self> {
        let path = of.path();
        let place = |name: &str| {
            let name = format!("{path}.{name}");
            channels.iter().position(|channel| channel.name == name)
        };
        match of.kind {
            PairKind::Contact => Self::of_contact(of, &place),
            PairKind::Joint => Self::of_joint(of, &place),
        }
    }

    fn of_contact(of: &LawPlace, place: &dyn Fn(&str) -> Option<usize>) -> Option<Self> {
        let vector = |what: &str| -> Option<Vec<usize>> {
            let axes = ["x", "y", "z"].into_iter();
            axes.map(|axis| place(&format!("{what}.{axis}"))).collect()
        };
        let point = |i: usize| {
            Some(PointPlaces {
                friction: place(&format!("point{i}.friction.magnitude"))?,
                load: place(&format!("point{i}.normal_force"))?,
                velocity: vector(&format!("point{i}.slip_velocity"))?,
            })
        };
        Some(Self {
            units: TraceUnits::SLIDES,
            force: vector("friction")?,
            normal: place("normal_force")?,
            speed: place("slip_speed")?,
            points: (1..=of.points).map(point).collect::<Option<_>>()?,
        })
    }

    fn of_joint(of: &LawPlace, place: &dyn Fn(&str) -> Option<usize>) -> Option<Self> {
        let (units, force, velocity) = match of.radius {
            Some(_) => (TraceUnits::TURNS, "torque", "angular_velocity"),
            None => (TraceUnits::SLIDES, "friction", "slip_velocity"),
        };
        let (velocity, load) = (place(velocity)?, place("load")?);
        let point = PointPlaces {
            friction: place("friction")?,
            load,
            velocity: vec![velocity],
        };
        Some(Self {
            units,
            force: vec![place(force)?],
            normal: load,
            speed: velocity,
            points: vec![point],
        })
    }
}

impl Trace {
    /// Takes a row; rows come in the order of time.
    pub(super) fn row(&mut self, row: &[f64], places: &ChannelPlaces, largest: &mut f64) {
        let value = |place: usize| row.get(place).copied().unwrap_or(0.0);
        let (mut velocity, mut ratio) = ([0.0; 3], 0.0_f64);
        let count = places.points.len().max(1) as f64;
        for point in &places.points {
            for (sum, place) in velocity.iter_mut().zip(&point.velocity) {
                *sum += value(*place) / count;
            }
            let load = value(point.load);
            *largest = largest.max(load);
            if load > LOADED * *largest {
                ratio = ratio.max(value(point.friction).abs() / load);
            }
        }
        let t = value(0);
        let slip = match (self.t.last(), self.velocity.last(), self.slip.last()) {
            (Some(t0), Some(v0), Some(u0)) => {
                std::array::from_fn(|i| u0[i] + 0.5 * (t - t0) * (v0[i] + velocity[i]))
            }
            _ => [0.0; 3],
        };
        let mut force = [0.0; 3];
        for (component, place) in force.iter_mut().zip(&places.force) {
            *component = value(*place);
        }
        self.units = places.units;
        self.t.push(t);
        self.force.push(force);
        self.normal.push(value(places.normal));
        self.speed.push(value(places.speed).abs());
        self.velocity.push(velocity);
        self.ratio.push(ratio);
        self.slip.push(slip);
        if self.t.len() >= MOST {
            self.halve();
        }
    }

    /// Of every two rows the one with the larger friction over load stays: no peak is lost.
    fn halve(&mut self) {
        let pairs = (0..self.t.len()).step_by(2);
        let last = self.t.len() - 1;
        let kept: Vec<usize> = pairs
            .map(|i| {
                let next = (i + 1).min(last);
                if self.ratio[next] > self.ratio[i] {
                    next
                } else {
                    i
                }
            })
            .collect();
        keep(&mut self.t, &kept);
        keep(&mut self.force, &kept);
        keep(&mut self.normal, &kept);
        keep(&mut self.speed, &kept);
        keep(&mut self.velocity, &kept);
        keep(&mut self.ratio, &kept);
        keep(&mut self.slip, &kept);
    }

    /// Largest size of the friction and when it occurred (s).
    pub fn peak(&self) -> (f64, f64) {
        let sizes = self.force.iter().map(norm).zip(&self.t);
        sizes.fold(
            (0.0, 0.0),
            |peak, (f, &t)| if f > peak.0 { (f, t) } else { peak },
        )
    }

    /// The direction of the largest friction force; nothing if there is no friction.
    pub fn direction(&self) -> Option<[f64; 3]> {
        let largest = self
            .force
            .iter()
            .max_by(|a, b| norm(a).total_cmp(&norm(b)))?;
        let size = norm(largest);
        (size > 0.0).then(|| largest.map(|x| x / size))
    }
}

/// Keeps the values at ascending places.
fn keep<T: Copy>(values: &mut Vec<T>, places: &[usize]) {
    for (to, &from) in places.iter().enumerate() {
        values[to] = values[from];
    }
    values.truncate(places.len());
}

/// The size of a vector.
pub(super) fn norm(v: &[f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The distance of two vectors.
pub(super) fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    norm(&std::array::from_fn(|i| a[i] - b[i]))
}

/// Components of vectors along a direction.
pub fn along(vectors: &[[f64; 3]], direction: &[f64; 3]) -> Vec<f64> {
    let dot = |v: &[f64; 3]| v.iter().zip(direction).map(|(a, b)| a * b).sum();
    vectors.iter().map(dot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_trace_is_halved_and_keeps_its_peak() {
        let mut trace = Trace::default();
        let point = PointPlaces {
            friction: 1,
            load: 2,
            velocity: vec![3],
        };
        let places = ChannelPlaces {
            units: TraceUnits::TURNS,
            force: vec![1],
            normal: 2,
            speed: 3,
            points: vec![point],
        };
        let mut largest = 0.0;
        let rows = 500_001_u32;
        for i in 0..rows {
            let friction = if i == 123_457 { -5.0 } else { 1.0 };
            trace.row(&[f64::from(i), friction, 10.0, 2.0], &places, &mut largest);
        }
        assert!(trace.t.len() < MOST && trace.t.len() > MOST / 4);
        assert_eq!(trace.peak(), (5.0, 123_457.0));
        // whole numbers are exact: 2 rad/s over the whole time
        let last = trace.t.len() - 1;
        assert!((trace.slip[last][0] - 2.0 * trace.t[last]).abs() < 1e-9);
    }
}
