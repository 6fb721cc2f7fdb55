//! Markers: points that are watched and do nothing.

use super::{Assembly, Element, ElementInput, FrameElement};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::frame::{Frame, Vec3};

/// A point of a body with a weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedPoint {
    /// The body.
    pub body: BodyId,
    /// The point in body axes, m.
    pub point: Vec3,
    /// Its weight, > 0: a mass (kg), or 1.
    pub weight: f64,
}

/// Where a marker is: the weighted mean of points, and an axis of the first of their bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerPlace {
    /// At least one.
    pub points: Vec<WeightedPoint>,
    /// Unit vector in the axes of the first body.
    pub axis: Option<Vec3>,
}

/// Another marker, to which distance and angle are measured.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerTarget {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub place: MarkerPlace,
}

/// A point that is watched: its place, velocity and acceleration, and the distances and angles to
/// other markers.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Name.
    pub name: String,
    /// Where it is.
    pub place: MarkerPlace,
    /// The markers that it looks at.
    pub targets: Vec<MarkerTarget>,
}

/// Place, velocity and acceleration of a marker in the world.
struct MarkerMotion {
    p: Vec3,
    v: Vec3,
    a: Vec3,
}

impl MarkerPlace {
    fn motion(&self, frames: &[Frame]) -> MarkerMotion {
        let zero = Vec3::zeros();
        let (mut p, mut v, mut a, mut sum) = (zero, zero, zero, 0.0);
        for point in &self.points {
            let frame = &frames[point.body.0];
            let arm = frame.r * point.point;
            p += (frame.p + arm) * point.weight;
            v += frame.velocity_at(&arm) * point.weight;
            a += frame.acceleration_at(&arm) * point.weight;
            sum += point.weight;
        }
        MarkerMotion {
            p: p / sum,
            v: v / sum,
            a: a / sum,
        }
    }

    fn axis_now(&self, frames: &[Frame]) -> Option<Vec3> {
        let body = self.points.first()?.body;
        Some(frames[body.0].r * self.axis?)
    }

    /// Whether there is an angle between the axes of both.
    fn turns_to(&self, target: &MarkerTarget) -> bool {
        self.axis.is_some() && target.place.axis.is_some()
    }
}

impl Element for Marker {
    fn kind(&self) -> &'static str {
        "marker"
    }

    fn name(&self) -> &str {
        &self.name
    }

    /// It acts on none.
    fn bodies(&self) -> [BodyId; 2] {
        [BodyId::GROUND; 2]
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let name = format!("marker.{}", self.name);
        let of = |what: &str| format!("{what} of the marker {}", self.name);
        let mut out = Vec::new();
        for (what, unit, meaning) in [
            ("position", "m", "place in the world"),
            ("velocity", "m/s", "velocity"),
            ("acceleration", "m/s^2", "acceleration"),
        ] {
            out.extend(ChannelInfo::vector(
                &format!("{name}.{what}"),
                unit,
                &of(meaning),
            ));
        }
        for target in &self.targets {
            let to = &target.name;
            let mut one = |what: &str, unit, meaning: &str| {
                let meaning = format!("{meaning} the markers {} and {to}", self.name);
                out.push(ChannelInfo::new(
                    format!("{name}.{what}.{to}"),
                    unit,
                    &meaning,
                ));
            };
            one("distance", "m", "distance between");
            one(
                "distance_rate",
                "m/s",
                "rate of the distance, > 0 apart, between",
            );
            if self.place.turns_to(target) {
                one("angle", "rad", "angle, 0 to pi, between the axes of");
            }
        }
        out
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        let own = self.place.motion(at.frames);
        for vector in [&own.p, &own.v, &own.a] {
            out.extend_from_slice(vector.as_slice());
        }
        for target in &self.targets {
            let other = target.place.motion(at.frames);
            let (way, rate) = (other.p - own.p, other.v - own.v);
            let distance = way.norm();
            let along = if distance > 0.0 {
                way.dot(&rate) / distance
            } else {
                rate.norm()
            };
            out.extend([distance, along]);
            let axes = [&self.place, &target.place].map(|place| place.axis_now(at.frames));
            if let [Some(a), Some(b)] = axes {
                out.push(a.cross(&b).norm().atan2(a.dot(&b)));
            }
        }
    }
}

impl FrameElement for Marker {
    fn apply(&self, _at: &ElementInput<'_>, _history: &mut [f64], _assembly: &mut dyn Assembly) {}
}
