//! What a column can be, and the words for it.

use bristle_units::suggest;

use crate::Problem;

/// What a column can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// Time, s.
    Time,
    /// Position along or about an axis, m or rad.
    Position,
    /// Velocity, m/s or rad/s.
    Velocity,
    /// Acceleration, m/s² or rad/s².
    Acceleration,
    /// Force or torque along the velocity, N or N m.
    Force,
    /// Normal force, N.
    Load,
    /// Applied force, N.
    Applied,
    /// Temperature.
    Temperature,
    /// Position that a controller is asked for.
    Goal,
    /// What limits the force of a controller: a voltage, V.
    Supply,
    /// Whether the controller is on, 0 or 1.
    Enabled,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Time,
        Self::Position,
        Self::Velocity,
        Self::Acceleration,
        Self::Force,
        Self::Load,
        Self::Applied,
        Self::Temperature,
        Self::Goal,
        Self::Supply,
        Self::Enabled,
    ];

    /// The name of the quantity in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Acceleration => "acceleration",
            Self::Force => "force",
            Self::Load => "load",
            Self::Applied => "applied",
            Self::Temperature => "temperature",
            Self::Goal => "goal",
            Self::Supply => "supply",
            Self::Enabled => "enabled",
        }
    }

    /// Names that columns of this quantity have, in lower case, without units.
    #[allow(clippy::too_many_lines, reason = "a table of words")]
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::Time => &["t", "time", "zeit", "timestamp", "temps"],
            Self::Position => &[
                "x",
                "pos",
                "position",
                "displacement",
                "disp",
                "q",
                "q_meas",
                "s",
                "stroke",
                "angle",
                "theta",
                "phi",
                "travel",
                "slip",
                "weg",
                "winkel",
                "deplacement",
                "y",
                "u_x",
            ],
            Self::Velocity => &[
                "v",
                "vel",
                "velocity",
                "speed",
                "slip_velocity",
                "sliding_velocity",
                "slip_rate",
                "xd",
                "dx",
                "dxdt",
                "x_dot",
                "xdot",
                "qd",
                "dq",
                "qdot",
                "omega",
                "vx",
                "v_slip",
                "vitesse",
                "geschwindigkeit",
                "drehzahl",
                "winkelgeschwindigkeit",
                "rpm",
            ],
            Self::Acceleration => &[
                "a",
                "acc",
                "accel",
                "acceleration",
                "ddx",
                "xdd",
                "qdd",
                "ddq",
                "x_ddot",
                "alpha",
            ],
            Self::Force => &[
                "f",
                "force",
                "friction",
                "friction_force",
                "ff",
                "f_f",
                "ft",
                "f_t",
                "torque",
                "tau",
                "friction_torque",
                "tangential_force",
                "f_friction",
                "f_meas",
                "kraft",
                "moment",
                "drehmoment",
                "fx",
                "effort",
                "couple",
                "force_meas",
                "measured_force",
            ],
            Self::Load => &[
                "n",
                "fn",
                "f_n",
                "normal",
                "normal_force",
                "load",
                "normal_load",
                "band",
                "fz",
                "clamp",
                "contact_force",
                "normalkraft",
            ],
            Self::Applied => &["fe", "f_e", "applied", "applied_force"],
            Self::Temperature => &["temp", "temperature", "temperatur"],
            Self::Goal => &[
                "goal",
                "q_goal",
                "goal_position",
                "setpoint",
                "reference",
                "q_ref",
                "x_ref",
            ],
            Self::Enabled => &["enabled", "torque_on", "torque_enable", "enable"],
            Self::Supply => &["supply", "volts", "voltage", "supply_voltage", "vin"],
        }
    }

    /// SI units of the quantity: along a line, and about an axis.
    pub fn units(self) -> &'static [&'static str] {
        match self {
            Self::Time => &["s"],
            Self::Position | Self::Goal => &["m", "rad"],
            Self::Velocity => &["m/s", "rad/s"],
            Self::Acceleration => &["m/s^2", "rad/s^2"],
            Self::Force | Self::Load | Self::Applied => &["N", "N m"],
            Self::Temperature => &["K"],
            Self::Supply => &["V"],
            Self::Enabled => &["1"],
        }
    }

    /// The quantity that has this word, in lower case and without a unit.
    pub fn of_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|q| q.name() == word || q.words().contains(&word))
    }

    /// The quantity of a name such as `force` or one of its words.
    ///
    /// # Errors
    /// If there is none, with the one that was probably meant.
    pub fn named(name: &str) -> Result<Self, Problem> {
        let plain = name.trim().to_lowercase();
        Self::of_word(&plain).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let help = suggest::did_you_mean(&plain, names);
            let known = format!("the quantities are {}", names.join(", "));
            Problem::with(
                format!("there is no quantity \"{name}\""),
                help.map_or(known.clone(), |meant| format!("{meant} {known}")),
            )
        })
    }
}
