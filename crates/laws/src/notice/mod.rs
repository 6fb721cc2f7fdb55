//! What the user should know about a parameter set, as data.

mod creep;
pub(crate) mod passivity;

use std::fmt;

/// What a notice about a law is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Topic {
    /// A law without stick gives way under any load.
    Creep,
    /// Bristles give way under a load that vibrates.
    Drift,
    /// The law may feed energy into the motion.
    Passivity,
    /// The law answers the applied force, which a prescribed motion must give.
    DeadZone,
    /// The law takes the direction of its load from the applied force.
    LoadDirection,
    /// A state of the law grows without a bound.
    WindUp,
    /// A parameter that has no effect.
    Unused,
    /// A level that is left out and taken from another one.
    DefaultLevel,
    /// A sweep passes a resonance before its peak has built up.
    SweepRate,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Creep,
        Self::Drift,
        Self::Passivity,
        Self::DeadZone,
        Self::LoadDirection,
        Self::WindUp,
        Self::Unused,
        Self::DefaultLevel,
        Self::SweepRate,
    ];

    /// The topic of a [key](Self::key).
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.key() == key)
    }

    /// The stable name in files and JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Creep => "creep",
            Self::Drift => "drift",
            Self::Passivity => "passivity",
            Self::DeadZone => "dead zone",
            Self::LoadDirection => "direction of the load",
            Self::WindUp => "wind-up",
            Self::Unused => "unused",
            Self::DefaultLevel => "default level",
            Self::SweepRate => "sweep rate",
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// A number of a notice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoticeValue {
    /// What it is, e.g. `speed`.
    pub name: &'static str,
    /// The number, SI.
    pub value: f64,
    /// SI unit; `1` for a pure number.
    pub unit: &'static str,
}

/// Something the user should know, with the numbers and the remedy.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice<T = Topic> {
    /// What it is about.
    pub topic: T,
    /// The numbers behind it.
    pub values: Vec<NoticeValue>,
    /// The sentence for the user.
    pub text: String,
}

impl<T> Notice<T> {
    /// A notice without numbers.
    pub fn new(topic: T, text: impl Into<String>) -> Self {
        Self {
            topic,
            values: Vec::new(),
            text: text.into(),
        }
    }

    /// The same with a topic of another kind.
    pub fn map_topic<U>(self, topic: impl FnOnce(T) -> U) -> Notice<U> {
        Notice {
            topic: topic(self.topic),
            values: self.values,
            text: self.text,
        }
    }

    /// Adds a number.
    #[must_use]
    pub fn value(mut self, name: &'static str, value: f64, unit: &'static str) -> Self {
        self.values.push(NoticeValue { name, value, unit });
        self
    }
}

impl Notice {
    /// A law without stick: a load of half the limit moves at `speed`.
    pub(crate) fn creep(law: &str, speed: f64) -> Self {
        let text = format!(
            "{law} cannot hold a load: at half the limit it creeps with {speed:.3e} m/s; \
             use a law with presliding (lugre) where parts must stick"
        );
        Self::new(Topic::Creep, text).value("speed", speed, "m/s")
    }
}
