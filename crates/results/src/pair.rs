//! Sticking and slipping of a contact or of a joint with friction.

use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::finite_or_null;

/// Where two faces slip on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// The points of a body on a plane.
    Contact,
    /// A joint coordinate with friction.
    Joint,
}

impl PairKind {
    /// As people call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Joint => "joint",
        }
    }

    /// What its section of a scenario, its channels and its expectations begin with.
    pub fn section(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Joint => "joint_friction",
        }
    }

    /// What its numbers begin with in a summary and in the table of a sweep.
    pub fn group(self) -> &'static str {
        match self {
            Self::Contact => "contacts",
            Self::Joint => "joints",
        }
    }
}

/// A time without slip, and what moved in it all the same: presliding, creep, drift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StickSummary {
    /// Its start (s).
    pub from: f64,
    /// Its end (s).
    pub to: f64,
    /// Displacement from its start to its end, of the point that moved farthest (m); nothing where
    /// no point bears load at both, as of a ball that rolls.
    #[serde(default)]
    pub slip: Option<f64>,
}

impl StickSummary {
    /// How long it is (s).
    pub fn time(&self) -> f64 {
        self.to - self.from
    }
}

/// Sticking and slipping of one contact, or of one joint with friction.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct ContactSummary {
    /// Times from and to which it stuck (s).
    pub stick_intervals: Vec<[f64; 2]>,
    /// The longest of them, and the slip in it; nothing if there is none.
    #[serde(rename = "longest_hold", default)]
    pub longest_stick: Option<StickSummary>,
    /// When it first slipped (s); nothing if it never did.
    pub first_slip_time: Option<f64>,
    /// The largest friction over normal force with which it broke away from a stick, of laws whose bristles
    /// bend until they give way.
    #[serde(default)]
    pub break_away_coefficient: Option<f64>,
    /// What a reader may not expect, in a sentence.
    #[serde(default)]
    pub remark: Option<String>,
    /// The fastest slip of any of its points (m/s).
    #[serde(deserialize_with = "finite_or_null::deserialize")]
    pub max_slip_speed: f64,
    /// Energy lost to its friction (J).
    #[serde(deserialize_with = "finite_or_null::deserialize")]
    pub dissipated: f64,
    /// Slip over angle (m) of a joint that turns.
    #[serde(default)]
    pub friction_radius: Option<f64>,
}

impl ContactSummary {
    /// Total time for which it stuck (s).
    pub fn stuck_time(&self) -> f64 {
        self.stick_intervals
            .iter()
            .map(|[from, to]| to - from)
            .sum()
    }

    /// A displacement (m) with its unit as people read it: an angle of a joint that turns.
    pub fn displacement(&self, slip: f64) -> (f64, &'static str) {
        match self.friction_radius {
            Some(radius) => (slip / radius, "rad"),
            None => (slip, "m"),
        }
    }

    /// A slip speed (m/s) with its unit as people read it: an angular speed of a joint that turns.
    pub fn speed(&self, speed: f64) -> (f64, &'static str) {
        match self.friction_radius {
            Some(radius) => (speed / radius, "rad/s"),
            None => (speed, "m/s"),
        }
    }

    /// Every number of it: name, unit, and the value if what it describes happened.
    pub fn numbers(&self) -> Vec<(&'static str, &'static str, Option<f64>)> {
        let hold = self.longest_stick;
        let slip = hold.and_then(|hold| hold.slip);
        let mut all = vec![
            ("first_slip_time", "s", self.first_slip_time),
            ("break_away_coefficient", "1", self.break_away_coefficient),
            ("max_slip_speed", "m/s", Some(self.max_slip_speed)),
            ("dissipated", "J", Some(self.dissipated)),
            ("stuck_time", "s", Some(self.stuck_time())),
            ("stick_count", "1", Some(self.stick_intervals.len() as f64)),
            ("hold_time", "s", hold.map(|hold| hold.time())),
            ("hold_slip", "m", slip),
        ];
        if let Some(radius) = self.friction_radius {
            let speed = self.max_slip_speed / radius;
            all.push(("max_angular_speed", "rad/s", Some(speed)));
            all.push(("hold_angle", "rad", slip.map(|slip| slip / radius)));
        }
        all
    }
}

/// What is stored, and the numbers that a reader would else have to work out.
impl Serialize for ContactSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let finite = |value: f64| value.is_finite().then_some(value);
        let mut out = serializer.serialize_struct("ContactSummary", 11)?;
        out.serialize_field("stick_intervals", &self.stick_intervals)?;
        out.serialize_field("stick_count", &self.stick_intervals.len())?;
        out.serialize_field("stuck_time", &finite(self.stuck_time()))?;
        match &self.longest_stick {
            Some(hold) => out.serialize_field("longest_hold", hold)?,
            None => out.skip_field("longest_hold")?,
        }
        out.serialize_field("first_slip_time", &self.first_slip_time)?;
        out.serialize_field("break_away_coefficient", &self.break_away_coefficient)?;
        match &self.remark {
            Some(remark) => out.serialize_field("remark", remark)?,
            None => out.skip_field("remark")?,
        }
        out.serialize_field("max_slip_speed", &finite(self.max_slip_speed))?;
        out.serialize_field("dissipated", &finite(self.dissipated))?;
        if let Some(radius) = self.friction_radius {
            out.serialize_field("friction_radius", &radius)?;
            let speed = finite(self.max_slip_speed / radius);
            out.serialize_field("max_angular_speed", &speed)?;
        }
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_sums_and_of_a_rotation_the_angular_speed() {
        let joint = ContactSummary {
            stick_intervals: vec![[0.0, 1.0], [2.0, 2.5]],
            max_slip_speed: 0.06,
            friction_radius: Some(0.02),
            ..ContactSummary::default()
        };
        let json = serde_json::to_value(&joint).unwrap();
        assert_eq!(json["stick_count"], 2);
        assert_eq!(json["stuck_time"], 1.5);
        // 0.06 m/s at 20 mm
        assert_eq!(json["max_angular_speed"], 3.0);
        assert_eq!(json.get("longest_hold"), None);
        let back: ContactSummary = serde_json::from_value(json).unwrap();
        assert_eq!(back, joint);
        let contact = serde_json::to_value(ContactSummary::default()).unwrap();
        assert_eq!(contact.get("max_angular_speed"), None);
    }
}
