//! What a contact does over a run, row by row.

use bristle_results::Channel;

/// A point counts in ratios of forces where its normal force is at least this part of the largest
/// one so far: below, a quotient of two small numbers says nothing.
const LOADED: f64 = 0.02;

/// Forces and motion of one contact.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Times (s).
    pub t: Vec<f64>,
    /// Total friction along the slip, world axes (N).
    pub force: Vec<[f64; 3]>,
    /// Total normal force (N).
    pub normal: Vec<f64>,
    /// Slip speed of the fastest loaded point (m/s).
    pub speed: Vec<f64>,
    /// Mean slip velocity of the points, world axes (m/s).
    pub velocity: Vec<[f64; 3]>,
    /// Largest friction over normal force of any loaded point.
    pub ratio: Vec<f64>,
    /// Slip displacement, the integral of the mean slip velocity (m).
    pub slip: Vec<[f64; 3]>,
}

/// Where the channels of a contact stand in a row.
#[derive(Clone, Debug)]
pub(super) struct ChannelPlaces {
    force: [usize; 3],
    normal: usize,
    speed: usize,
    /// Of each point: friction magnitude, normal force, slip velocity.
    points: Vec<(usize, usize, [usize; 3])>,
}

impl ChannelPlaces {
    pub(super) fn of(contact: &str, points: usize, channels: &[Channel]) -> Option<Self> {
        let place = |name: String| channels.iter().position(|channel| channel.name == name);
        let vector = |what: &str| {
            let mut places = [0; 3];
            for (place_of, axis) in places.iter_mut().zip(["x", "y", "z"]) {
                *place_of = place(format!("contact.{contact}.{what}.{axis}"))?;
            }
            Some(places)
        };
        let point = |i: usize| {
            let magnitude = place(format!("contact.{contact}.point{i}.friction.magnitude"))?;
            let normal = place(format!("contact.{contact}.point{i}.normal_force"))?;
            Some((
                magnitude,
                normal,
                vector(&format!("point{i}.slip_velocity"))?,
            ))
        };
        Some(Self {
            force: vector("friction")?,
            normal: place(format!("contact.{contact}.normal_force"))?,
            speed: place(format!("contact.{contact}.slip_speed"))?,
            points: (1..=points).map(point).collect::<Option<_>>()?,
        })
    }
}

impl Trace {
    /// Takes a row.
    pub(super) fn row(&mut self, row: &[f64], places: &ChannelPlaces, largest: &mut f64) {
        let value = |place: usize| row.get(place).copied().unwrap_or(0.0);
        let (mut velocity, mut ratio) = ([0.0; 3], 0.0_f64);
        let count = places.points.len().max(1) as f64;
        for (magnitude, normal, slip) in &places.points {
            for (sum, place) in velocity.iter_mut().zip(slip) {
                *sum += value(*place) / count;
            }
            let load = value(*normal);
            *largest = largest.max(load);
            if load > LOADED * *largest {
                ratio = ratio.max(value(*magnitude) / load);
            }
        }
        let t = value(0);
        let slip = match (self.t.last(), self.velocity.last(), self.slip.last()) {
            (Some(t0), Some(v0), Some(u0)) => {
                std::array::from_fn(|i| u0[i] + 0.5 * (t - t0) * (v0[i] + velocity[i]))
            }
            _ => [0.0; 3],
        };
        self.t.push(t);
        self.force.push(places.force.map(value));
        self.normal.push(value(places.normal));
        self.speed.push(value(places.speed));
        self.velocity.push(velocity);
        self.ratio.push(ratio);
        self.slip.push(slip);
    }

    /// Largest size of the friction force (N) and when it occurred (s).
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
