//! The units that are understood, and the names of quantities.

use std::f64::consts::{PI, TAU};

use crate::Dimension;

/// A unit symbol with its factor to SI.
pub(super) struct Symbol {
    pub(super) text: &'static str,
    pub(super) factor: f64,
    pub(super) dimension: Dimension,
}

const fn symbol(text: &'static str, factor: f64, dimension: Dimension) -> Symbol {
    Symbol {
        text,
        factor,
        dimension,
    }
}

const LENGTH: Dimension = Dimension::new(2, 0, 0, 0);
const MASS: Dimension = Dimension::new(0, 2, 0, 0);
const TIME: Dimension = Dimension::new(0, 0, 2, 0);
const ANGLE: Dimension = Dimension::new(0, 0, 0, 2);
const RATE: Dimension = Dimension::new(0, 0, -2, 0);
const TURN_RATE: Dimension = Dimension::new(0, 0, -2, 2);
const FORCE: Dimension = Dimension::new(2, 2, -4, 0);
const PRESSURE: Dimension = Dimension::new(-2, 2, -4, 0);
const ENERGY: Dimension = Dimension::new(4, 2, -4, 0);
const POWER: Dimension = Dimension::new(4, 2, -6, 0);

/// The pound-force: 0.45359237 kg in standard gravity.
const POUND_FORCE: f64 = 0.453_592_37 * 9.806_65;
const INCH: f64 = 0.0254;

/// All unit symbols. A fixed list instead of free prefixes: `min` is a minute, not a milli-inch.
pub(super) const SYMBOLS: &[Symbol] = &[
    symbol("1", 1.0, Dimension::NONE),
    symbol("%", 0.01, Dimension::NONE),
    symbol("m", 1.0, LENGTH),
    symbol("mm", 1e-3, LENGTH),
    symbol("um", 1e-6, LENGTH),
    symbol("µm", 1e-6, LENGTH),
    symbol("μm", 1e-6, LENGTH),
    symbol("nm", 1e-9, LENGTH),
    symbol("cm", 1e-2, LENGTH),
    symbol("km", 1e3, LENGTH),
    symbol("in", INCH, LENGTH),
    symbol("ft", 12.0 * INCH, LENGTH),
    symbol("s", 1.0, TIME),
    symbol("ms", 1e-3, TIME),
    symbol("us", 1e-6, TIME),
    symbol("µs", 1e-6, TIME),
    symbol("μs", 1e-6, TIME),
    symbol("ns", 1e-9, TIME),
    symbol("min", 60.0, TIME),
    symbol("h", 3600.0, TIME),
    symbol("kg", 1.0, MASS),
    symbol("g", 1e-3, MASS),
    symbol("mg", 1e-6, MASS),
    symbol("lb", 0.453_592_37, MASS),
    symbol("N", 1.0, FORCE),
    symbol("mN", 1e-3, FORCE),
    symbol("uN", 1e-6, FORCE),
    symbol("µN", 1e-6, FORCE),
    symbol("kN", 1e3, FORCE),
    symbol("MN", 1e6, FORCE),
    symbol("lbf", POUND_FORCE, FORCE),
    symbol("Pa", 1.0, PRESSURE),
    symbol("kPa", 1e3, PRESSURE),
    symbol("MPa", 1e6, PRESSURE),
    symbol("GPa", 1e9, PRESSURE),
    symbol("bar", 1e5, PRESSURE),
    symbol("psi", POUND_FORCE / (INCH * INCH), PRESSURE),
    symbol("Hz", 1.0, RATE),
    symbol("mHz", 1e-3, RATE),
    symbol("kHz", 1e3, RATE),
    symbol("MHz", 1e6, RATE),
    symbol("rad", 1.0, ANGLE),
    symbol("mrad", 1e-3, ANGLE),
    symbol("urad", 1e-6, ANGLE),
    symbol("µrad", 1e-6, ANGLE),
    symbol("deg", PI / 180.0, ANGLE),
    symbol("°", PI / 180.0, ANGLE),
    symbol("rev", TAU, ANGLE),
    symbol("rpm", TAU / 60.0, TURN_RATE),
    symbol("Nm", 1.0, ENERGY),
    symbol("Nmm", 1e-3, ENERGY),
    symbol("J", 1.0, ENERGY),
    symbol("mJ", 1e-3, ENERGY),
    symbol("kJ", 1e3, ENERGY),
    symbol("W", 1.0, POWER),
    symbol("mW", 1e-3, POWER),
    symbol("kW", 1e3, POWER),
];

/// A kind of quantity: its name, the usual units and an example.
pub(super) struct QuantityKind {
    pub(super) name: &'static str,
    /// The SI unit; decides between kinds of one dimension.
    pub(super) unit: &'static str,
    pub(super) dimension: Dimension,
    pub(super) usual: &'static str,
    pub(super) example: &'static str,
}

const fn quantity(
    name: &'static str,
    unit: &'static str,
    dimension: Dimension,
    usual: &'static str,
    example: &'static str,
) -> QuantityKind {
    QuantityKind {
        name,
        unit,
        dimension,
        usual,
        example,
    }
}

/// Kinds of quantities by dimension; of two with one dimension the first is the default.
const QUANTITIES: &[QuantityKind] = &[
    quantity("pure number", "1", Dimension::NONE, "none, %", "0.15"),
    quantity("length", "m", LENGTH, "m, cm, mm, µm", "100 mm"),
    quantity(
        "area",
        "m^2",
        Dimension::new(4, 0, 0, 0),
        "m^2, cm^2, mm^2",
        "1083 mm^2",
    ),
    quantity(
        "volume",
        "m^3",
        Dimension::new(6, 0, 0, 0),
        "m^3, mm^3",
        "1e-3 m^3",
    ),
    quantity(
        "second moment of area",
        "m^4",
        Dimension::new(8, 0, 0, 0),
        "m^4, mm^4",
        "5e4 mm^4",
    ),
    quantity(
        "inverse length",
        "1/m",
        Dimension::new(-2, 0, 0, 0),
        "1/m, 1/mm",
        "10 1/mm",
    ),
    quantity("mass", "kg", MASS, "kg, g", "250 g"),
    quantity(
        "moment of inertia",
        "kg m^2",
        Dimension::new(4, 2, 0, 0),
        "kg m^2",
        "0.02 kg m^2",
    ),
    quantity(
        "density",
        "kg/m^3",
        Dimension::new(-6, 2, 0, 0),
        "kg/m^3, g/cm^3",
        "7850 kg/m^3",
    ),
    quantity("time", "s", TIME, "s, ms, µs, min", "5 ms"),
    quantity("frequency", "Hz", RATE, "Hz, kHz", "53 Hz"),
    quantity("rate", "1/s", RATE, "1/s", "20 1/s"),
    quantity(
        "slowness",
        "s/m",
        Dimension::new(-2, 0, 2, 0),
        "s/m, s/mm",
        "0.4 s/m",
    ),
    quantity(
        "velocity",
        "m/s",
        Dimension::new(2, 0, -2, 0),
        "m/s, mm/s, km/h",
        "5 mm/s",
    ),
    quantity(
        "acceleration",
        "m/s^2",
        Dimension::new(2, 0, -4, 0),
        "m/s^2, mm/s^2",
        "9.81 m/s^2",
    ),
    quantity("angle", "rad", ANGLE, "rad, deg, rev", "30 deg"),
    quantity(
        "angular velocity",
        "rad/s",
        TURN_RATE,
        "rad/s, deg/s, rpm",
        "3000 rpm",
    ),
    quantity(
        "angular acceleration",
        "rad/s^2",
        Dimension::new(0, 0, -4, 2),
        "rad/s^2, deg/s^2",
        "10 rad/s^2",
    ),
    quantity("force", "N", FORCE, "N, kN, mN", "2 kN"),
    quantity(
        "stiffness",
        "N/m",
        Dimension::new(0, 2, -4, 0),
        "N/m, N/mm, N/µm",
        "10 N/mm",
    ),
    quantity(
        "damping",
        "N s/m",
        Dimension::new(0, 2, -2, 0),
        "N s/m, N s/mm",
        "5 N s/m",
    ),
    quantity("torque", "N m", ENERGY, "N m, N mm, kN m", "3 N m"),
    quantity("energy", "J", ENERGY, "J, mJ, kJ", "20 mJ"),
    quantity("power", "W", POWER, "W, mW, kW", "15 W"),
    quantity(
        "torsional stiffness",
        "N m/rad",
        Dimension::new(4, 2, -4, -2),
        "N m/rad, N m/deg",
        "200 N m/rad",
    ),
    quantity(
        "torsional damping",
        "N m s/rad",
        Dimension::new(4, 2, -2, -2),
        "N m s/rad, N m s/deg",
        "0.5 N m s/rad",
    ),
    quantity(
        "cubic stiffness",
        "N/m^3",
        Dimension::new(-4, 2, -4, 0),
        "N/m^3, N/mm^3",
        "1e8 N/m^3",
    ),
    quantity(
        "cubic torsional stiffness",
        "N m/rad^3",
        Dimension::new(4, 2, -4, -6),
        "N m/rad^3, N m/deg^3",
        "200 N m/rad^3",
    ),
    quantity(
        "pressure",
        "Pa",
        PRESSURE,
        "Pa, kPa, MPa, GPa, N/mm^2",
        "210 GPa",
    ),
];

/// The kind of quantity of a dimension; `unit` prefers one of several.
pub(super) fn describe(dimension: Dimension, unit: &str) -> Option<&'static QuantityKind> {
    let of_dimension = || QUANTITIES.iter().filter(|kind| kind.dimension == dimension);
    of_dimension()
        .find(|kind| kind.unit == unit)
        .or_else(|| of_dimension().next())
}
