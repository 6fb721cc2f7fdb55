//! What a column can be, and the words for it.

use bristle_scenario::suggest;

use crate::motion::Problem;

/// What a column can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quantity {
    Time,
    Position,
    Velocity,
    Acceleration,
    Force,
    Load,
    Applied,
    Temperature,
    Goal,
    Supply,
    Enabled,
}

impl Quantity {
    pub(super) const ALL: [Self; 11] = [
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
    pub(super) fn name(self) -> &'static str {
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
    pub(super) fn words(self) -> &'static [&'static str] {
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
    pub(super) fn units(self) -> &'static [&'static str] {
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
}

/// The quantity of a name such as `force` or one of its words.
pub(super) fn quantity(name: &str) -> Result<Quantity, Problem> {
    let plain = name.trim().to_lowercase();
    Quantity::ALL
        .into_iter()
        .find(|q| q.name() == plain || q.words().contains(&plain.as_str()))
        .ok_or_else(|| {
            let names = Quantity::ALL.map(Quantity::name);
            let help = suggest::did_you_mean(&plain, names);
            let known = format!("the quantities are {}", names.join(", "));
            Problem::with(
                format!("there is no quantity \"{name}\""),
                help.map_or(known.clone(), |meant| format!("{meant} {known}")),
            )
        })
}
